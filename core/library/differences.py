"""What has changed between two versions of a document: sentences added, removed, changed and moved.

The texts are split into sentences, since unlike lines, pages or passages, they are unaffected by a change in
another sentence. Sentences in the same order in both form the longest common subsequence; the rest is paired.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel, Levenshtein

from core.domain.answers import Difference, Quote
from core.domain.pages import Page, Word
from core.domain.passages import Span
from core.evidence.changes import word_keys, wording
from core.evidence.index import GAP
from core.evidence.text import Vocabulary, joined_words, legible, word_text

ALIKE = 60.0
"""Minimum similarity for two sentences to be versions of each other (rapidfuzz `ratio`, 0 to 100)."""

MOST_COMPARED = 400_000_000
"""Maximum product of both texts' sentence counts for comparing their order (50 MB); beyond it, sentences in
both count as moved."""
_TELLING = 2000
"""Number of characters of a sentence used to find its other version."""
MOST_PAIRS = 1_000_000
"""Maximum sentences compared with each other; beyond that the text was rewritten and nothing is paired."""

_ENDS = frozenset(".!?")
_CLOSING = "\"'”“’»«)]"


class TextChangeKind(StrEnum):
    """What happened to a stretch of text."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """A stretch of text that differs; `old` is None if it was added, `new` if it was removed: then `beside`
    is the page where it would be in the other version. `words` are the differences in a changed stretch."""

    kind: TextChangeKind
    old: Quote | None = None
    new: Quote | None = None
    beside: int | None = None
    words: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """Two versions side by side: the changes in the order of the new text (removed text where it used to be),
    and the number of unchanged sentences."""

    changes: tuple[TextChange, ...]
    unchanged: int

    @property
    def old_pages(self) -> tuple[int, ...]:
        """Pages of the old version that contain something that is gone."""
        return _pages(change.old for change in self.changes)

    @property
    def new_pages(self) -> tuple[int, ...]:
        """Pages of the new version that contain something new."""
        return _pages(change.new for change in self.changes)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Consecutive words of the body, each with its page and its place there."""

    words: tuple[tuple[int, int, Word], ...]
    key: str


class _Text:
    """A version cut into sentences."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.vocabulary = Vocabulary.of(pages)
        self.sentences = [item for item in _sentences(pages) if item.key]
        self.keys = [item.key for item in self.sentences]
        self._pages = {page.number: page for page in pages}

    def page(self, place: float) -> int | None:
        """The page of the sentence at the given index, or of the one before it."""
        if not self.sentences:
            return None
        return self.sentences[min(max(int(place), 0), len(self.sentences) - 1)].words[0][0]

    def quote(self, numbers: Sequence[int]) -> Quote:
        """Adjacent sentences as one stretch, with "[...]" for struck-out words in between."""
        words = [word for number in numbers for word in self.sentences[number].words]
        runs: list[list[tuple[int, int, Word]]] = []
        parts: list[list[Word]] = []
        for page, at, word in words:
            before = runs[-1][-1] if runs else None
            if before and before[:2] == (page, at - 1):
                runs[-1].append((page, at, word))
            else:
                runs.append([(page, at, word)])
            if before is None or self._strikes_between(before, (page, at)):
                parts.append([])
            parts[-1].append(word)
        spans = tuple(Span(run[0][0], run[0][2].start, run[-1][2].end) for run in runs)
        text = f" {GAP} ".join(joined_words(part, self.vocabulary) for part in parts)
        return Quote(spans=spans, text=legible(text))

    def _strikes_between(self, left: tuple[int, int, Word], right: tuple[int, int]) -> bool:
        """Whether there are struck-out words between two words, given by page and position."""
        first, last = self._pages[left[0]].words, self._pages[right[0]].words
        if first is last:
            return any(word.struck for word in first[left[1] + 1 : right[1]])
        return any(word.struck for word in (*first[left[1] + 1 :], *last[: right[1]]))


def differences(old: Sequence[Page], new: Sequence[Page]) -> Differences:
    """Compare the pages of two versions, page furniture left out. Pure."""
    before, after = _Text(old), _Text(new)
    removed, added = _left_over(before.keys, after.keys)
    moved = _same(before.keys, after.keys, removed, added)
    left = set(removed) - {one for one, _ in moved}, set(added) - {other for _, other in moved}
    changed = _alike(before, after, sorted(left[0]), sorted(left[1]))
    removed_numbers = sorted(left[0] - {one for one, _ in changed})
    fresh = sorted(left[1] - {other for _, other in changed})
    place, there = _places(before.keys, after.keys), _places(after.keys, before.keys)
    changes_at = [
        *((other, _changed(before, after, one, other)) for one, other in changed),
        *((run[0][1], _moved(before, after, run)) for run in _runs(moved)),
        *((run[0], _added(after.quote(run), before.page(there[run[0]]))) for run in _neighbours(fresh)),
        *(
            (place[run[0]], _removed(before.quote(run), after.page(place[run[0]])))
            for run in _neighbours(removed_numbers)
        ),
    ]
    changes_at.sort(key=lambda item: item[0])
    unchanged = len(before.keys) - len(removed)
    return Differences(changes=tuple(change for _, change in changes_at), unchanged=unchanged)


def _pages(quotes: Iterator[Quote | None] | Sequence[Quote | None]) -> tuple[int, ...]:
    return tuple(sorted({page for quote in quotes if quote for page in quote.pages}))


def _sentences(pages: Sequence[Page]) -> Iterator[_Sentence]:
    """Stretches that end with sentence-final punctuation, or at a layout block unless the text continues."""
    sentence: list[tuple[int, int, Word]] = []
    for page in pages:
        for at, word in enumerate(page.words):
            if not word.is_text:
                continue
            if sentence and _ends(sentence[-1], page.number, word):
                yield _sentence(sentence)
                sentence = []
            sentence.append((page.number, at, word))
    if sentence:
        yield _sentence(sentence)


def _ends(last: tuple[int, int, Word], page: int, word: Word) -> bool:
    number, _, before = last
    if before.text.rstrip(_CLOSING)[-1:] in _ENDS:
        return True
    return (number, before.block) != (page, word.block) and not word.text[:1].islower()


def _sentence(words: Sequence[tuple[int, int, Word]]) -> _Sentence:
    return _Sentence(tuple(words), wording([word_text(word) for _, _, word in words]))


def _left_over(old: Sequence[str], new: Sequence[str]) -> tuple[list[int], list[int]]:
    """The sentences outside the longest common subsequence."""
    if len(old) * len(new) > MOST_COMPARED:
        return list(range(len(old))), list(range(len(new)))
    removed, added = list[int](), list[int]()
    for step in Indel.opcodes(old, new):
        if step.tag == "delete":
            removed += range(step.src_start, step.src_end)
        elif step.tag == "insert":
            added += range(step.dest_start, step.dest_end)
    return removed, added


def _same(
    old: Sequence[str], new: Sequence[str], removed: Sequence[int], added: Sequence[int]
) -> list[tuple[int, int]]:
    """Pairs of identical sentences in different places."""
    positions: dict[str, list[int]] = {}
    for number in reversed(added):
        positions.setdefault(new[number], []).append(number)
    return [(number, positions[old[number]].pop()) for number in removed if positions.get(old[number])]


def _alike(
    before: _Text, after: _Text, removed: Sequence[int], added: Sequence[int]
) -> list[tuple[int, int]]:
    """Pairs of sentences that are versions of each other, most similar first."""
    if not removed or not added or len(removed) * len(added) > MOST_PAIRS:
        return []
    old, new = [before.keys[n][:_TELLING] for n in removed], [after.keys[n][:_TELLING] for n in added]
    scores = process.cdist(old, new, scorer=fuzz.ratio, score_cutoff=ALIKE)
    rows, columns = scores.nonzero()
    ranked = sorted(zip(rows.tolist(), columns.tolist(), strict=True), key=lambda pair: (-scores[pair], pair))
    taken: tuple[set[int], set[int]] = set(), set()
    pairs = []
    for row, column in ranked:
        if row not in taken[0] and column not in taken[1]:
            taken[0].add(row)
            taken[1].add(column)
            pairs.append((removed[row], added[column]))
    return pairs


def _places(old: Sequence[str], new: Sequence[str]) -> list[float]:
    """For each old sentence, its position among the new ones."""
    if len(old) * len(new) > MOST_COMPARED:
        return [number * len(new) / len(old) for number in range(len(old))]
    places, at = [0.0] * len(old), 0.0
    for step in Indel.opcodes(old, new):
        for number in range(step.src_start, step.src_end):
            same = step.tag == "equal"
            at = step.dest_start + (number - step.src_start) if same else step.dest_start - 0.5
            places[number] = at
    return places


def _neighbours(numbers: Sequence[int]) -> list[list[int]]:
    """Runs of consecutive numbers."""
    runs = groupby(enumerate(numbers), key=lambda item: item[1] - item[0])
    return [[number for _, number in run] for _, run in runs]


def _runs(pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Runs of pairs that are consecutive on both sides."""
    runs: list[list[tuple[int, int]]] = []
    for one, other in sorted(pairs):
        if runs and runs[-1][-1] == (one - 1, other - 1):
            runs[-1].append((one, other))
        else:
            runs.append([(one, other)])
    return runs


def _added(new: Quote, beside: int | None) -> TextChange:
    return TextChange(kind=TextChangeKind.ADDED, new=new, beside=beside)


def _removed(old: Quote, beside: int | None) -> TextChange:
    return TextChange(kind=TextChangeKind.REMOVED, old=old, beside=beside)


def _moved(before: _Text, after: _Text, run: Sequence[tuple[int, int]]) -> TextChange:
    return TextChange(
        kind=TextChangeKind.MOVED,
        old=before.quote([one for one, _ in run]),
        new=after.quote([other for _, other in run]),
    )


def _changed(before: _Text, after: _Text, one: int, other: int) -> TextChange:
    old, new = before.quote([one]), after.quote([other])
    return TextChange(
        kind=TextChangeKind.CHANGED, old=old, new=new, words=tuple(word_differences(old.text, new.text))
    )


def word_differences(old: str, new: str) -> Iterator[Difference]:
    """Words that differ, as written; adjacent ones together."""
    left, right = old.split(), new.split()
    if len(left) * len(right) > MOST_COMPARED:
        yield Difference(claimed=old, source=new)
        return
    steps = Levenshtein.opcodes(word_keys(left), word_keys(right))
    for same, group in groupby(steps, key=lambda step: step.tag == "equal"):
        run = list(group)
        if not same:
            claimed = " ".join(left[run[0].src_start : run[-1].src_end])
            source = " ".join(right[run[0].dest_start : run[-1].dest_end])
            yield Difference(claimed=claimed, source=source)


def counted(found: Differences) -> dict[str, int]:
    """The number of changes of each kind."""
    counts = Counter(change.kind for change in found.changes)
    return {kind.value: counts[kind] for kind in TextChangeKind}
