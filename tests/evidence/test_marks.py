import dataclasses

import pytest

from core.domain.pages import Box, Page, Word
from core.domain.passages import Span
from core.evidence.marks import marks
from tests.support.paper import page

TEXT = "Eins zwei drei\nvier fünf sechs\n\n~Fuß\n\nsieben acht"


def test_one_box_per_line_and_the_words_in_order() -> None:
    source = page(TEXT)
    boxes, words = marks(source, [Span(1, source.text.index("zwei"), source.text.index("sechs") - 1)])
    assert words == ["zwei", "drei", "vier", "fünf"]
    assert len(boxes) == 2
    by_text = {word.text: word.box for word in source.words}
    assert (boxes[0].x0, boxes[0].x1) == (by_text["zwei"].x0, by_text["drei"].x1)


def test_marks_stay_inside_their_line() -> None:
    source = page(TEXT)
    boxes, _ = marks(source, [Span(1, 0, len(source.text))])
    for box, word in zip(boxes, (source.words[0], source.words[3], source.words[7]), strict=True):
        assert word.box.y0 < box.y0 < box.y1 < word.box.y1


def test_furniture_and_other_pages_are_left_out() -> None:
    source = page(TEXT)
    _, words = marks(source, [Span(1, 0, len(source.text)), Span(2, 0, 9)])
    assert " ".join(words) == "Eins zwei drei vier fünf sechs sieben acht"
    assert marks(source, [Span(2, 0, 9)]) == ([], [])


def test_overlapping_spans_mark_once() -> None:
    source = page(TEXT)
    assert marks(source, [Span(1, 0, 9), Span(1, 5, 14)])[1] == ["Eins", "zwei", "drei"]


def test_a_word_left_out_parts_the_line() -> None:
    source = page("eins zwei drei")
    words = tuple(dataclasses.replace(w, furniture=w.text == "zwei") for w in source.words)
    boxes, found = marks(dataclasses.replace(source, words=words), [Span(1, 0, 14)])
    assert found == ["eins", "drei"]
    assert len(boxes) == 2


def spread(gap: float, *, lift: float = 0.0, between: bool = False) -> Page:
    """Two words beside each other that the reader took for lines of their own."""
    boxes = [Box(50, 100, 90, 112), Box(90 + gap, 100 + lift, 130 + gap, 112 + lift)]
    words = [
        Word(text=text, start=7 * n, end=7 * n + 6, box=box, block=0, line=n)
        for n, (text, box) in enumerate(zip(("gleich", "weiter"), boxes, strict=True))
    ]
    if between:
        words.append(Word(text="x", start=14, end=15, box=Box(92, 100, 96, 112), block=1, line=0))
    text = "gleich weiter x" if between else "gleich weiter"
    return Page(number=1, label=None, width=595, height=842, rotation=0, text=text, words=tuple(words))


@pytest.mark.parametrize(
    ("source", "count"),
    [
        (spread(20), 1),  # a justified line
        (spread(60), 2),  # another column
        (spread(20, lift=10), 2),  # another line
        (spread(20, between=True), 2),  # something else stands there
    ],
)
def test_a_justified_line_has_one_mark(source: Page, count: int) -> None:
    boxes, words = marks(source, [Span(1, 0, 13)])
    assert words == ["gleich", "weiter"]
    assert len(boxes) == count


@pytest.mark.parametrize("lone", [True, False])
def test_a_line_that_runs_upwards_is_slimmed_sideways(lone: bool) -> None:
    texts = ["senkrecht"] if lone else ["ab", "cd"]
    words, text = [], ""
    for i, piece in enumerate(texts):
        start = len(text) + (1 if text else 0)
        text = f"{text} {piece}".strip()
        box = Box(10, 300 - 60 * i, 20, 350 - 60 * i)
        words.append(Word(text=piece, start=start, end=start + len(piece), box=box, block=0, line=0))
    source = Page(number=1, label=None, width=595, height=842, rotation=0, text=text, words=tuple(words))
    (box,), _ = marks(source, [Span(1, 0, len(text))])
    assert 10 < box.x0 < box.x1 < 20
    assert box.y1 == 350
