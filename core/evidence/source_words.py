"""Whole words of a document, put together where a line's end cuts them."""

from dataclasses import dataclass

from core.evidence.index import MISSING, View


@dataclass(frozen=True, slots=True)
class SourceWord:
    """A whole word of the source: one entry of the view, or those of a word cut at a line's end."""

    skeleton: str
    first: int
    end: int


def source_words(view: View, first: int, end: int) -> list[SourceWord]:
    """The whole words of the entries `first` to `end` of `view`, those with letters."""
    while first > 0 and view.cut[first]:
        first -= 1
    while end < len(view) and view.cut[end]:
        end += 1
    heads = [entry for entry in range(first, end) if not view.cut[entry]]
    ends = [*heads[1:], end]
    words = (source_word(view, a, b) for a, b in zip(heads, ends, strict=True))
    return [token for token in words if token.skeleton]


def source_word(view: View, first: int, end: int) -> SourceWord:
    """The word of the entries `first` to `end`."""
    return SourceWord(letters_of(view, first, end), first, end)


def letters_of(view: View, first: int, end: int) -> str:
    """The letters of the entries `first` to `end`."""
    return view.text[view.offset(first) : view.offset(end)].rstrip(MISSING)
