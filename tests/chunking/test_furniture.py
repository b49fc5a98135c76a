"""What is furniture and what is text."""

from dataclasses import replace

import pytest

from core.domain.pages import Box, Page
from core.library.furniture import mark_furniture
from tests.support.typesetting import Set, column, page, wrapped


def furniture(marked: Page) -> str:
    return " ".join(word.text for word in marked.words if word.furniture)


def body(number: int) -> list[Set]:
    return column([f"Absatz {number} sagt etwas, das nur auf dieser Seite {number} steht."], y=150)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_headers_and_page_numbers_on_turned_pages(rotation: int) -> None:
    pages = [
        page(
            n, [Set("Programm 2025", 60, 30), *body(n), Set(f"Seite {n} von 5", 280, 760)], rotation=rotation
        )
        for n in range(1, 6)
    ]
    for number, marked in enumerate(mark_furniture(pages), start=1):
        assert furniture(marked) == f"Programm 2025 Seite {number} von 5"


def test_alternating_headers() -> None:
    pages = [
        page(n, [Set("Partei" if n % 2 else "Programm der Partei", 60 if n % 2 else 400, 30), *body(n)])
        for n in range(1, 9)
    ]
    assert [furniture(marked) for marked in mark_furniture(pages)] == ["Partei", "Programm der Partei"] * 4


def test_header_of_a_chapter_on_few_pages() -> None:
    pages = [
        page(n, [*([Set(f"{n} | Verkehr", 60, 30)] if 10 <= n <= 13 else []), *body(n)]) for n in range(1, 41)
    ]
    assert [m.number for m in mark_furniture(pages) if furniture(m)] == [10, 11, 12, 13]


def test_heads_of_sections_at_the_top_are_text() -> None:
    pages = [page(n, [Set(f"Article {n}", 280, 30), *body(n)]) for n in range(1, 13)]
    assert all(not furniture(marked) for marked in mark_furniture(pages))


def test_what_repeats_in_the_middle_is_text() -> None:
    pages = [page(n, column(["Name of the promoter", "Address of the promoter"], y=150)) for n in range(1, 8)]
    assert all(not furniture(marked) for marked in mark_furniture(pages))


def test_two_pages_have_no_furniture() -> None:
    pages = [page(n, [Set("Kopf", 60, 30), *body(n)]) for n in (1, 2)]
    assert all(not furniture(marked) for marked in mark_furniture(pages))


def numbered(first: int, count: int) -> list[Set]:
    lines: list[Set] = []
    for i in range(count):
        y = 150 + 14 * i
        lines.append(
            Set(f"Zeile mit Text und der Zahl 7 darin {first + i}".rsplit(" ", 1)[0], 60, y, block=i)
        )
        lines.append(Set(str(first + i), 40 - 5 * len(str(first + i)), y, block=100 + i))
    return lines


def test_margin_line_numbers() -> None:
    pages = [page(n, numbered(1 + 30 * (n - 1), 30)) for n in (1, 2, 3)]
    for n, marked in enumerate(mark_furniture(pages)):
        assert furniture(marked) == " ".join(str(1 + 30 * n + i) for i in range(30))


def test_short_lists_of_numbers_are_text() -> None:
    pages = [page(n, [Set(str(i), 60, 100 + 20 * i) for i in range(1, 6)]) for n in (1, 2, 3)]
    assert all(not furniture(marked) for marked in mark_furniture(pages))


def test_marks_are_the_only_change() -> None:
    pages = [page(n, [Set("Kopfzeile", 60, 30), *body(n)]) for n in range(1, 5)]
    for before, after in zip(pages, mark_furniture(pages), strict=True):
        assert (before.text, before.number, before.label) == (after.text, after.number, after.label)
        assert [(w.text, w.start, w.box) for w in before.words] == [
            (w.text, w.start, w.box) for w in after.words
        ]
    assert mark_furniture(mark_furniture(pages)) == mark_furniture(pages)


def test_small_line_apart_at_the_edge_but_no_footnote() -> None:
    header = Set("Nur einmal: der Kopf dieses Kapitels", 60, 20, 7.0, 90)
    note = Set("1 Eine Fußnote am Fuß der Seite.", 60, 780, 7.0, 91)
    pages = [
        page(n, [*([header] if n == 3 else []), *body(n), *([note] if n == 7 else [])]) for n in (1, 3, 7, 9)
    ]
    assert [furniture(marked) for marked in mark_furniture(pages)] == ["", header.text, "", ""]


def test_side_tabs() -> None:
    pages = [page(n, [*body(n), Set("Verkehr", 580, 300)]) for n in range(1, 5)]
    turned = [
        replace(
            p,
            words=tuple(
                replace(w, box=Box(580, 300, 590, 340)) if w.text == "Verkehr" else w for w in p.words
            ),
        )
        for p in pages
    ]
    assert [furniture(marked) for marked in mark_furniture(turned)] == ["Verkehr"] * 4


def test_a_whole_side_tab_with_its_short_words() -> None:
    """ "an" is nearly as wide as high: nothing but its neighbours says how it stands."""
    tab = {"Teilhaben": (300, 340), "an": (343, 352), "guter": (355, 373), "Arbeit": (376, 402)}
    pages = []
    for number in range(1, 5):
        plain = page(number, [*body(number), *(Set(word, 580, y0) for word, (y0, _) in tab.items())])
        words = tuple(
            replace(word, box=Box(580, tab[word.text][0], 590, tab[word.text][1]))
            if word.box.x0 > 570
            else word
            for word in plain.words
        )
        pages.append(replace(plain, words=words))
    assert [furniture(marked) for marked in mark_furniture(pages)] == [" ".join(tab)] * 4


WORDS = (
    "Wir wollen die Brücken der Stadt erneuern und ihre Wege sicherer machen damit alle Leute gut zur Arbeit "
    "kommen und niemand an einer Baustelle warten muss. Dafür geben wir im nächsten Jahr 12 Millionen Taler "
    "aus, 1930 mehr als im Jahr davor, und stellen in jedem Viertel neue Leute ein. "
)


def running(
    count: int, *, x: float = 60.0, first: int = 1, step: int = 1, at: float = 40.0, block: int = 0
) -> list[Set]:
    """Lines of running text with line numbers that end at or begin from `at`."""
    lines: list[Set] = []
    for i, text in enumerate(wrapped(WORDS * 9, 40)[:count]):
        y = 150 + 14 * i + (20 if i > count // 2 else 0)
        lines.append(Set(text, x, y, block=block))
        if (first + i) % step == 0:
            number = str(first + i)
            lines.append(Set(number, at - 5 * len(number) if at < x else at, y, block=block))
    return lines


def expected(count: int, *, first: int = 1, step: int = 1) -> str:
    return " ".join(str(n) for n in range(first, first + count) if n % step == 0)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("at", [40.0, 320.0])
@pytest.mark.parametrize("step", [1, 2, 5, 10])
def test_line_numbers_in_either_margin_and_every_so_many_lines(step: int, at: float, rotation: int) -> None:
    pages = [page(n, running(40, step=step, at=at), rotation=rotation) for n in (1, 2)]
    for marked in mark_furniture(pages):
        assert furniture(marked) == expected(40, step=step)


def test_line_numbers_on_few_pages_and_restarting() -> None:
    pages = [page(n, running(20, x=60) if n in (4, 7) else running(20, step=1000)) for n in range(1, 12)]
    assert [m.number for m in mark_furniture(pages) if furniture(m) == expected(20)] == [4, 7]
    assert not any(furniture(m) for m in mark_furniture(pages) if m.number not in (4, 7))


def test_line_numbers_of_two_columns_and_of_one_page() -> None:
    left = running(30)
    right = running(30, x=330, first=31, at=310, block=1)
    (marked,) = mark_furniture([page(1, [*left, *right])])
    assert furniture(marked) == expected(60)


def test_the_last_lines_of_a_chapter_are_numbered_too() -> None:
    pages = [page(1, running(30)), page(2, running(30, first=31)), page(3, running(3, first=61))]
    assert [furniture(m) for m in mark_furniture(pages)] == [
        expected(30),
        expected(30, first=31),
        expected(3, first=61),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        [Set(f"{1990 + i}", 60, 100 + 14 * i) for i in range(20)],
        [Set(f"{i + 1} Ein Punkt der Liste {i}", 60, 100 + 14 * i) for i in range(20)],
        [
            x
            for i in range(20)
            for x in (Set(f"{i + 1}", 40, 100 + 14 * i), Set("Punkt der Liste", 60, 100 + 14 * i))
        ],
        [
            x
            for i in range(12)
            for x in (
                Set(f"{i + 1}", 40, 100 + 28 * i),
                Set("Ein Absatz mit Nummer, der", 60, 100 + 28 * i),
                Set("in der zweiten Zeile weitergeht.", 60, 114 + 28 * i),
            )
        ],
        [
            x
            for i in range(20)
            for x in (Set("im selben Jahr kamen dazu", 60, 100 + 14 * i), Set(f"{7 * i}", 320, 100 + 14 * i))
        ],
        [*running(20, step=1000), *(Set(f"{5 * i}", 400, 120 + 30 * i) for i in range(8))],
    ],
    ids=["years", "list", "hanging list", "numbered paragraphs", "amounts", "axis of a chart"],
)
def test_other_numbers_are_text(lines: list[Set]) -> None:
    assert not any(furniture(m) for m in mark_furniture([page(1, lines)]))


@pytest.mark.parametrize("sign", ["!", "->", "→", "?!"])
def test_signs_in_the_margin_that_point_to_the_text(sign: str) -> None:
    lines = [Set(sign, 30, 164), *body(1), Set("Wer wagt es !", 80, 300)]
    (marked,) = mark_furniture([page(1, lines)])
    assert furniture(marked) == sign
