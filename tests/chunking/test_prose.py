"""Running text: paragraphs, headings, page breaks, notes, contents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import DocumentType
from core.domain.pages import Page
from core.domain.passages import PassageKind
from core.evidence.text import is_led_row
from core.library.chunking.chunker import ChunkResult, chunk
from core.library.chunking.text import page_spans
from tests.support.typesetting import Set, column, count_words, page

FILLER = "Wir setzen uns in den kommenden Jahren mit ganzer Kraft für dieses wichtige Vorhaben im Land ein. "


def cut(pages: list[Page], **options: object) -> ChunkResult:
    arguments: dict[str, object] = {
        "doc_type": DocumentType.MANIFESTO,
        "language": "de",
        "title": "Programm",
        "count_tokens": count_words,
    }
    return chunk(pages, **(arguments | options))  # type: ignore[arg-type]


def text_of(result: ChunkResult) -> str:
    return "\n\n".join(passage.text for passage in result.passages)


def test_line_end_hyphens() -> None:
    lines = [
        "Die Wirt-",
        "schaft in Nordrhein-",
        "Westfalen muss ein- und",
        "ausfahren, Klein-",
        "und Großbetriebe.",
    ]
    result = cut([page(1, [Set(line, 60, 100 + 12 * i) for i, line in enumerate(lines)])])
    assert text_of(result) == (
        "Die Wirtschaft in Nordrhein-Westfalen muss ein- und ausfahren, Klein- und Großbetriebe."
    )


def test_sentence_over_a_page_break_is_whole_although_a_note_stands_between() -> None:
    first = column([FILLER * 5 + "Die Wärmewende gelingt, wenn¹ die Städte"], y=500)
    note = [Set("1 Vergleiche den Bericht der Kommission.", 60, 740, 7.0, block=50)]
    second = column(["planen und die Kosten fair verteilt werden. " + FILLER * 3])
    pages = [page(1, first + note), page(2, second)]
    result = cut(pages)
    sentence = "Die Wärmewende gelingt, wenn die Städte planen und die Kosten fair verteilt werden."
    passage = next(p for p in result.passages if sentence in p.text)
    start = passage.text.index(sentence)
    spans = page_spans(passage, start, start + len(sentence), pages)
    assert [span.page for span in spans] == [1, 2]
    assert pages[0].text[spans[0].start : spans[0].end].startswith("Die Wärmewende gelingt")
    assert pages[1].text[spans[1].start : spans[1].end].endswith("verteilt werden.")
    assert result.passages[-1].text == "1 Vergleiche den Bericht der Kommission."


def test_headings_go_with_what_follows_and_are_repeated_for_embedding() -> None:
    lines = [
        *[Set("Verkehr", 60, 80, 20.0, 0)],
        *column([FILLER * 3], y=120, first_block=1),
        *[Set("Radwege", 60, 200, 14.0, 10)],
        *column([FILLER * 25], y=240, first_block=11),
    ]
    result = cut([page(1, lines)])
    assert result.passages[0].text.startswith("Verkehr\nWir setzen")
    later = [p for p in result.passages if not p.text.startswith("Verkehr")]
    assert later
    assert all(passage.heading.endswith("Radwege") for passage in later)
    assert all(passage.heading.startswith("Programm") for passage in result.passages)


def test_list_items_are_paragraphs() -> None:
    items = ["Wir fordern:", "• mehr Busse und Bahnen in der Stadt", "• weniger Lärm in der Nacht"]
    result = cut([page(1, [Set(item, 60, 100 + 12 * i) for i, item in enumerate(items)])])
    assert text_of(result).split("\n") == items


def test_windows_and_overlap() -> None:
    sentences = [
        f"Satz {i} handelt von einer ganz bestimmten Forderung, die hier näher beschrieben wird."
        for i in range(80)
    ]
    result = cut([page(1, column([" ".join(sentences)], y=50, width=110))])
    assert len(result.passages) > 3
    for passage in result.passages:
        words = len(passage.text.split())
        assert 60 < words < 260
        assert all(6 <= len(passage.text[a:b].split()) <= 100 for a, b in passage.windows)
        assert passage.windows[0][0] == 0
        assert passage.windows[-1][1] == len(passage.text)
    for before, after in zip(result.passages, result.passages[1:], strict=False):
        first = after.text.split(".")[0] + "."
        assert first in before.text


def test_no_passage_exceeds_the_tokens() -> None:
    words = " ".join(f"wort{i}" for i in range(400))
    result = cut([page(1, column([words], y=50, width=110))], max_tokens=60)
    assert len(result.passages) > 5
    for passage in result.passages:
        assert count_words([f"{passage.heading}\n{passage.text}"])[0] <= 60
    assert " ".join(p.text for p in result.passages).replace("\n", " ") == words


def test_contents_pages_are_left_out() -> None:
    entries = [f"Kapitel {i} über ein wichtiges Thema {'.' * 20} {3 * i}" for i in range(1, 12)]
    contents = [Set("Inhalt", 60, 80, 16.0, 0)] + [
        Set(e, 60, 120 + 14 * i, block=1) for i, e in enumerate(entries)
    ]
    pages = [page(1, contents), *(page(n, column([FILLER * 6])) for n in range(2, 30))]
    result = cut(pages)
    assert "Kapitel 3" not in text_of(result)
    assert text_of(result).count("Wir setzen") >= 28 * 6


def test_columns_are_read_one_after_the_other() -> None:
    left = column([FILLER * 8 + "Am Ende der linken Spalte steht ein Satz, der"], width=40, y=80)
    right = column(["rechts weitergeht. " + FILLER * 6], x=330, width=40, y=80, first_block=5)
    assert "Satz, der rechts weitergeht." in text_of(cut([page(1, left + right)]))


def test_fragments_join_a_neighbour() -> None:
    result = cut([page(1, column(["Kurz.", FILLER * 8]))])
    assert len(result.passages) == 1


def test_an_empty_document_has_no_passages() -> None:
    assert cut([page(1, [])]).passages == ()


def test_prose_has_no_section_and_says_so() -> None:
    result = cut([page(1, column([FILLER * 8]))], doc_type=DocumentType.ACT)
    assert result.warnings == ("sections.not_found",)
    assert all(p.section is None and p.kind is PassageKind.PROSE for p in result.passages)


def test_other_scripts_are_left_out_with_a_warning() -> None:
    hindi = column(["यह अधिनियम भारत के राजपत्र में प्रकाशित हुआ है और सभी पर लागू होता है। " * 5], y=80)
    english = column([FILLER * 5], y=400, first_block=9)
    result = cut([page(1, hindi + english)])
    assert result.warnings == ("text.other_script",)
    assert "अधिनियम" not in text_of(result)


ROWS = [f"Street: {name} Road; Day: Monday; Zone: {n % 3}" for n, name in enumerate("ABCDEFGHIJKLMNOPQ")]


def test_rows_of_a_sheet_are_lines_and_no_index() -> None:
    rows = [Set(row, 60, 80 + 20 * n, block=n + 1) for n, row in enumerate(ROWS)]
    note = Set("No waste is fetched on holidays at all.", 60, 80 + 20 * len(ROWS), block=len(ROWS) + 1)
    result = cut([page(1, [Set("Collection of waste here", 60, 60), *rows, note])], language="en")
    lines = text_of(result).split("\n")
    assert [line for line in lines if line] == ["Collection of waste here", *ROWS, note.text]


def test_rows_with_amounts_behind_dots_stand_for_themselves() -> None:
    rows = [
        "Mahnung ................ 5,00 EUR",
        "b) Wasser, je Kubikmeter . . . . . . . . 2,10 EUR",
        "Nachmittag bis 17 Uhr, mit",
        "Hausaufgabenhilfe ……………… 91,50 €",
        "Kinder bis sechs Jahre ......... frei",
    ]
    lines = ["Alle Beträge gelten ab Januar.", *rows, "Hunde sind an der Leine zu führen und zu melden."]
    result = cut([page(1, [Set(line, 60, 100 + 14 * n, 11.0, n) for n, line in enumerate(lines)])])
    expected = [lines[0], *rows[:2], f"{rows[2]} {rows[3]}", rows[4], lines[-1]]
    assert text_of(result).split("\n") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Name: ................ Vorname: ................",
        "Ich, ........................",
        "und so weiter .... und dann kam er zurück in das Haus am See.",
        "Er sagte nichts ... 3",
    ],
)
def test_dots_to_write_on_and_pauses_are_no_rows(text: str) -> None:
    assert not is_led_row(text)


@given(st.text(alphabet=". …·a1€", max_size=400))
def test_a_row_behind_dots_has_words_dots_and_something_behind_them(text: str) -> None:
    if is_led_row(text):
        assert sum(map(text.count, ".…·")) > 1
        assert text.rstrip()[-1] not in "…·"
        assert any(map(str.isalnum, text))
