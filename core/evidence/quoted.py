"""An alleged quote prepared for alignment, and the check whether stretches with its letters also have its
marks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from core.evidence.figures import figures, same_figures
from core.evidence.index import DocumentIndex, Stretch, View
from core.evidence.punctuation import conflicts
from core.evidence.raised import marks_of
from core.evidence.skeleton import skeleton
from core.evidence.text import put_together

_ELLIPSIS = re.compile(r"\[\s*(?:…|\.{2,})\s*\]|\(\s*(?:…|\.{2,})\s*\)|…|\.{3,}|\.(?:\s\.){2,}")
_FORMAT = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF))


@dataclass(frozen=True)
class Quoted:
    """An alleged quote, or one of its parts between ellipses."""

    text: str

    @cached_property
    def skeleton(self) -> str:
        """Letters, digits and marks."""
        return skeleton(self.text)

    @cached_property
    def figures(self) -> tuple[str, ...]:
        """Numbers and symbols in order."""
        return figures(" ".join(self.text.split()))  # as the words of a page are joined

    @cached_property
    def notes(self) -> frozenset[tuple[int, str]]:
        """Footnote marks."""
        return notes(self.text)

    @cached_property
    def leading(self) -> tuple[str, ...]:
        """Dashes and similar marks before the first word, nearest first."""
        return tuple(takewhile(lambda word: not skeleton(word), self.text.split()))[::-1]

    @cached_property
    def trailing(self) -> tuple[str, ...]:
        """Dashes and similar marks after the last word, nearest first."""
        return tuple(takewhile(lambda word: not skeleton(word), self.text.split()[::-1]))[::-1]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words as written, rejoined where a line end splits them; anything without a letter or digit is left
        out."""
        return tuple(word for word in put_together(self.text.split()) if skeleton(word))

    @cached_property
    def parts(self) -> tuple["Quoted", ...]:
        """The parts between ellipses; the whole text if it contains none."""
        parts = (Quoted(part) for part in _ELLIPSIS.split(self.text))
        return tuple(part for part in parts if part.skeleton)


def notes(text: str) -> frozenset[tuple[int, str]]:
    """The footnote marks of `text`: the number of skeleton letters before each, and the raised digits."""
    found, offset = [], 0
    for before, mark in marks_of(text):
        offset += len(skeleton(before))
        found.append((offset, mark))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Spacing:
    """Boundaries between words as offsets in the skeleton: `spaces` are plain white space, `all` also
    those at a hyphen, a dash or other punctuation."""

    spaces: frozenset[int]
    all: frozenset[int]


def spacing(text: str) -> Spacing:
    """The boundaries in `text`."""
    spaces, every, offset = set(), set(), 0
    for letters, between in _runs(text.translate(_FORMAT)):
        offset += len(letters)
        every.add(offset)
        if between.isspace():
            spaces.add(offset)
    return Spacing(frozenset(spaces), frozenset(every))


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Skeletons of runs of letters, each with what follows it."""
    for match in re.finditer(r"(\S*?)([^\w\s]*\s+|[^\w\s]+|$)", text):
        letters = skeleton(match[1])
        if letters:
            yield letters, match[2]


def same_marks(quote: Quoted, index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> bool:
    """Whether numbers, symbols and punctuation match the stretches, which have the same letters."""
    same = same_figures(_figures_of(index, view, stretches), quote.figures, index.language)
    return same and not differing_marks(quote.text, index, view, stretches)


def differing_marks(text: str, index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> list[int]:
    """Places where symbols and punctuation of `text` differ from the stretches, which have the same letters.

    List signs may be omitted or kept.
    """
    without = conflicts(text, index.paragraphs(view, stretches))
    if not without:
        return []
    return sorted(set(without) & set(conflicts(text, index.paragraphs(view, stretches, signs=True))))


def _figures_of(index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> tuple[str, ...]:
    """The numbers and symbols of the stretches, in order."""
    return figures(" ".join(index.plain_text(view, stretch) for stretch in stretches))
