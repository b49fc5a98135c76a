"""Captions become passages of their own; what is written in a figure leaves the running text."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import DocumentType
from core.domain.pages import Box, Page, Region, RegionKind
from core.domain.passages import PassageDraft, PassageKind, Picture
from core.evidence.skeleton import skeleton
from core.library.chunking.chunker import chunk
from core.library.chunking.text import page_spans
from tests.support.typesetting import Set, column, count_words, page

PROSE = "Wir bauen jedes Jahr neue Wohnungen in den Städten am Fluss, und alle können sie bezahlen. " * 3
CAPTION = "Abb. 1: Mieten in den Gemein- den des Landes. Sie steigen."
LABELS = ("2016 2018 2020", "Euro je Meter")
BOX = Box(60, 400, 400, 520)


def typeset(rotation: int = 0, *, caption: str = CAPTION) -> Page:
    """A heading, a paragraph, a figure with two labels in it, its caption, and the paragraph's end."""
    first, second = caption.split("- ") if "- " in caption else (caption, "")
    lines = [
        Set("Wohnen und Mieten", 60, 60, 16.0, block=0),
        *column([PROSE.strip()], y=100, first_block=1),
        *(Set(label, 80, 420 + 40 * number, 8.0, block=2 + number) for number, label in enumerate(LABELS)),
        Set(f"{first}-" if second else first, 60, 530, 9.0, block=5),
        *([Set(second, 60, 541, 9.0, block=5)] if second else []),
        *column(["Das gilt auch auf dem Land, wo viele Häuser leer stehen. " * 3], y=580, first_block=6),
    ]
    return page(1, lines, rotation=rotation)


def figure(of: Page, *, box: Box = BOX) -> Region:
    words = [i for i, word in enumerate(of.words) if word.block == 5]
    return Region(kind=RegionKind.FIGURE, box=box, caption=tuple(words))


def cut(of: Page, *regions: Region, max_tokens: int = 480) -> list[PassageDraft]:
    made = chunk(
        [of],
        doc_type=DocumentType.MANIFESTO,
        language="de",
        title="Programm",
        count_tokens=count_words,
        max_tokens=max_tokens,
        regions={1: regions},
    )
    return list(made.passages)


def test_a_caption_is_a_passage_that_names_its_picture() -> None:
    of = typeset()
    text, caption = cut(of, figure(of))
    assert caption.kind is PassageKind.FIGURE
    assert caption.text == "Abb. 1: Mieten in den Gemeinden des Landes. Sie steigen."
    assert caption.picture == Picture(1, BOX)
    assert "Wohnen und Mieten" in caption.heading
    spans = page_spans(caption, 0, len(caption.text), [of])
    assert skeleton("".join(of.text[span.start : span.end] for span in spans)) == skeleton(CAPTION)
    assert text.picture is None
    assert "Abb." not in text.text
    assert not any(label in text.text for label in LABELS)
    assert "bezahlen." in text.text
    assert "Das gilt auch auf dem Land" in text.text


def test_without_regions_everything_is_text() -> None:
    of = typeset()
    (text,) = cut(of)
    assert "Abb. 1" in text.text
    assert LABELS[0] in text.text


def test_a_caption_that_repeats_on_every_page_is_none() -> None:
    of = typeset()
    words = tuple(replace(word, furniture=word.block == 5) for word in of.words)
    of = replace(of, words=words)
    assert [passage.kind for passage in cut(of, figure(of))] == [PassageKind.PROSE]


def test_a_caption_too_long_for_one_passage_keeps_its_picture() -> None:
    of = typeset(caption="Abb. 1: " + "Mieten und Löhne in Stadt und Land. " * 12)
    parts = [passage for passage in cut(of, figure(of), max_tokens=60) if passage.kind is PassageKind.FIGURE]
    assert len(parts) > 1
    assert {part.picture for part in parts} == {Picture(1, BOX)}


@given(
    st.sampled_from([0, 90, 180, 270]),
    st.builds(Box, st.floats(0, 300), st.floats(0, 400), st.floats(300, 600), st.floats(400, 800)),
)
def test_every_word_is_in_one_passage_or_in_the_figure(rotation: int, box: Box) -> None:
    of = typeset(rotation)
    passages = cut(of, figure(of, box=box))
    held = [
        word.start
        for passage in passages
        for span in passage.spans
        for word in of.words
        if span.start <= word.start < span.end
    ]
    assert len(held) == len(set(held))
    for word in of.words:
        x, y = (word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2
        inside = box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1
        assert (word.start in held) == (word.block == 5 or not inside)
