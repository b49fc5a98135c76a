"""Words set in spaced letters ("n i c h t") are words. Pure; runs in the worker.

What a file says of spaces is a claim: emphasis by spacing looks there like words of one letter. On the page
the gaps tell: those within a word are alike and smaller than those between words.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from adapters.pymupdf.characters import WordDraft

_TOGETHER = frozenset({"ch", "ck", "sch", "st", "tz", "ss", "ff", "fi", "fl", "ft", "ph", "qu", "ll"})
"""Letters that German printers do not space, and ligatures."""
_VOWELS = frozenset("aeiouyäöüàâéèêëîïôûùæøå")
_LONGEST = 5  # characters of a piece with its punctuation
_FEWEST, _FEWEST_CAPITALS = 3, 4
"""Letters of a word that is known by itself to be spaced."""
_WIDEST = 0.75
"""Gap within a word, in heights of a line; columns of a table are further apart."""
_SLACK, _HEIGHTS = 1.5, 0.08
"""A gap between words is so much wider than those within, and by so many heights of a line."""
_ALIKE = 0.25
_NEAR = 3
"""Lines beside one that has spaced words in which short ones are believed."""
_EDGES = ".,;:!?()[]„“”\"'»«-–"


class _Run(NamedTuple):
    """Single letters in a row: from which to which word of the page, the gap within words (in heights of the
    line), where words begin and end, and the number of the line."""

    start: int
    end: int
    gap: float
    cuts: tuple[int, ...]
    line: int


def joined(drafts: Sequence[WordDraft]) -> list[WordDraft]:
    """The words of a page, spaced ones as one word each."""
    if sum(len(draft.text) == 1 for draft in drafts) < _FEWEST:
        return list(drafts)
    runs = list(_runs(drafts))
    sure = [run for run in runs if _is_sure(drafts, run)]
    taken = [
        run
        for run in runs
        if run in sure or (_is_line(drafts, run) and any(_is_like(run, other) for other in sure))
    ]
    found: list[WordDraft] = []
    at = 0
    for run in taken:
        found += drafts[at : run.start]
        found += (_one(drafts[start:end]) for start, end in pairwise(run.cuts))
        at = run.end
    return [*found, *drafts[at:]]


def _runs(drafts: Sequence[WordDraft]) -> Iterator[_Run]:
    """The places of two or more single letters in a row of one line."""
    start, line = 0, 0
    for at in range(1, len(drafts) + 1):
        goes_on = at < len(drafts) and drafts[at].place == drafts[at - 1].place
        if goes_on and _is_piece(drafts[at]) and _is_piece(drafts[at - 1]) and _gap(drafts, at) > 0:
            continue
        if at - start > 1:
            yield from _run(drafts, start, at, line)
        start, line = at, line + (not goes_on)


def _run(drafts: Sequence[WordDraft], start: int, end: int, line: int) -> Iterator[_Run]:
    gaps = [_gap(drafts, at) for at in range(start + 1, end)]
    gap = median(sorted(gaps)[: (len(gaps) + 1) // 2])
    height = drafts[start].box[3] - drafts[start].box[1]
    widest = _SLACK * gap + _HEIGHTS * height
    singles = sum(len(_bare(draft)) == 1 for draft in drafts[start:end])
    if gap <= _WIDEST * height and 2 * singles > end - start:
        cuts = [at for at, each in enumerate(gaps, start + 1) if each > widest]
        yield _Run(start, end, gap / height, (start, *cuts, end), line)


def _is_piece(draft: WordDraft) -> bool:
    if len(draft.text) > _LONGEST:
        return False
    bare = _bare(draft)
    return all(map(_is_written, bare)) and (len(bare) < 2 or bare.lower() in _TOGETHER)


def _is_written(character: str) -> bool:
    return character.isdigit() or character.lower() != character.upper()


def _bare(draft: WordDraft) -> str:
    return draft.text.strip(_EDGES)


def _gap(drafts: Sequence[WordDraft], at: int) -> float:
    return drafts[at].box[0] - drafts[at - 1].box[2]


def _is_sure(drafts: Sequence[WordDraft], run: _Run) -> bool:
    """Whether most of the letters make words, and no rows of letters: "a b c", "X O X", "1 2 3"."""
    words = ["".join(map(_bare, drafts[start:end])) for start, end in pairwise(run.cuts)]
    likely = sum(len(word) for word in words if _is_likely(word))
    return 2 * likely > sum(map(len, words))


def _is_likely(word: str) -> bool:
    letters = word.lower()
    fewest = _FEWEST_CAPITALS if word.isupper() else _FEWEST
    steps = [ord(b) - ord(a) for a, b in pairwise(letters)]
    return (
        len(word) >= fewest
        and word.isalpha()
        and (word.isupper() or word[1:].islower())
        and not _VOWELS.isdisjoint(letters)
        and not _VOWELS.issuperset(letters)
        and len(set(letters)) >= _FEWEST
        and 2 * steps.count(1) < len(steps)
    )


def _is_line(drafts: Sequence[WordDraft], run: _Run) -> bool:
    """Whether a run is all of its line, and no row of letters or numbers in their order."""
    ends = [at for at in (run.start - 1, run.end) if 0 <= at < len(drafts)]
    text = "".join(map(_bare, drafts[run.start : run.end]))
    ordered = [ord(b) - ord(a) for a, b in pairwise(text.lower())].count(1)
    return 2 * ordered < len(text) and all(drafts[at].place != drafts[run.start].place for at in ends)


def _is_like(run: _Run, other: _Run) -> bool:
    return abs(run.line - other.line) <= _NEAR and abs(run.gap - other.gap) <= _ALIKE * other.gap


def _one(parts: Sequence[WordDraft]) -> WordDraft:
    """Pieces as one word."""
    x0, y0, x1, y1 = zip(*(part.box for part in parts), strict=True)
    text = "".join(part.text for part in parts)
    return parts[0]._replace(
        text=text, box=(min(x0), min(y0), max(x1), max(y1)), note_chars=parts[-1].note_chars
    )
