"""What is furniture and what is text."""

from dataclasses import replace

import pytest

from core.domain.pages import Box, Page
from core.library.furniture import mark_furniture
from tests.support.typesetting import Set, column, page


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
