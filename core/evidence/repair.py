"""Fuzzy alignment, used only for repair: which source words a slightly different quote stands for."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, islice, pairwise

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from core.domain.answers import Difference, Verdict
from core.domain.pages import WrittenPage
from core.domain.passages import Span
from core.evidence.dictionary import is_misspelling
from core.evidence.exact import cuts_guarded_word
from core.evidence.figures import figures, same_figures
from core.evidence.guards import differ_by_affix, is_guarded
from core.evidence.index import MISSING, DocumentIndex, Stretch, View, occurrences_in
from core.evidence.punctuation import around
from core.evidence.quoted import BREAK_CHARACTERS, Patience, Quoted, differing_marks
from core.evidence.skeleton import copied_skeleton, has_raised, skeleton, written_skeleton
from core.evidence.text import put_together

NEAR_SHARE = 20
"""One word in this many may differ, and at least one."""
QUOTED_SHARE = 0.5
"""Minimum share of a quote's letters for words to count as what it was made from."""

LONG_RUN = 8
"""Number of consecutive words that also suffice."""

_CORE = re.compile(r"\w(?:.*\w)?", re.DOTALL)
"""Matches words without the punctuation around them."""
SEED = 12
"""Length of the character n-grams that find candidate places."""

FUZZY_CUTOFF = 80.0

_SEEDS = 48

_PLACES_PER_SEED = 8

_WINDOWS = 3

_BUCKET = 64

_FUZZY_CHARACTERS = 1_000
"""A longer quote that can be repaired has intact n-grams: only one word in NEAR_SHARE differs."""


@dataclass(frozen=True, slots=True)
class SourceWord:
    """A whole word of the source: one entry of the view, or the entries of a word split at a line end."""

    skeleton: str
    first: int
    end: int


def _source_words(view: View, first: int, end: int) -> list[SourceWord]:
    """The whole words with letters among entries `first` to `end` of `view`."""
    while first > 0 and view.cut[first]:
        first -= 1
    while end < len(view) and view.cut[end]:
        end += 1
    heads = [entry for entry in range(first, end) if not view.cut[entry]]
    ends = [*heads[1:], end]
    words = (_source_word(view, a, b) for a, b in zip(heads, ends, strict=True))
    return [token for token in words if token.skeleton]


def _source_word(view: View, first: int, end: int) -> SourceWord:
    """The word made of entries `first` to `end`."""
    return SourceWord(_letters_of(view, first, end), first, end)


def _letters_of(view: View, first: int, end: int) -> str:
    """The letters of entries `first` to `end`."""
    return view.text[view.offset(first) : view.offset(end)].rstrip(MISSING)


@dataclass(frozen=True, slots=True)
class Edit:
    """Differing words: `claimed[i1:i2]` of the quote stand for `source[j1:j2]` of the window."""

    i1: int
    i2: int
    j1: int
    j2: int


@dataclass(frozen=True)
class WordComparison:
    """A quote compared with the source words that it resembles most."""

    quote: Quoted
    index: DocumentIndex
    view: View
    tokens: tuple[SourceWord, ...]

    @cached_property
    def claimed(self) -> tuple[str, ...]:
        """Skeletons of the quote's words."""
        return tuple(map(skeleton, self.quote.words))

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """Where the words differ; mere spacing does not count."""
        return tuple(_edits(self.claimed, [token.skeleton for token in self.tokens]))

    @cached_property
    def stretch(self) -> Stretch:
        """The window's entries."""
        return Stretch(self.tokens[0].first, self.tokens[-1].end)

    @cached_property
    def coverage(self) -> float:
        """Share of the quote's letters found in the source's words, 0 to 1."""
        lost = sum(len(word) for edit in self.edits for word in self.claimed[edit.i1 : edit.i2])
        return 1.0 - lost / max(len(self.quote.skeleton), 1)

    @cached_property
    def longest_run(self) -> int:
        """Number of words in the longest run without a difference."""
        ends = [0, *(edit.i2 for edit in self.edits)]
        starts = [*(edit.i1 for edit in self.edits), len(self.claimed)]
        return max(start - end for end, start in zip(ends, starts, strict=True))

    @cached_property
    def same_punctuation(self) -> bool:
        """Whether symbols and punctuation are the same once differing words are replaced by the source's."""
        theirs = self.index.paragraphs(self.view, (self.stretch,))
        return skeleton(self._mended) == skeleton(theirs) and not self._differing_places(self._mended)

    def _differing_places(self, text: str) -> list[int]:
        return differing_marks(text, self.index, self.view, (self.stretch,))

    @cached_property
    def _mended(self) -> str:
        """The quote as written, with the source's letters in its differing words."""
        edits = {edit.i1: edit for edit in self.edits}
        pieces: list[str] = []
        number = end = 0
        for written in put_together(self.quote.text.split()):
            edit = edits.get(number)
            if edit is not None and number >= end:
                pieces.append(self._mended_words(edit))
                end = edit.i2
            if number >= end or not skeleton(written):
                pieces.append(written)
            number += bool(skeleton(written))
        if number in edits:
            pieces.append(self._mended_words(edits[number]))
        return " ".join(pieces)

    def _mended_words(self, edit: Edit) -> str:
        """The source's letters between the punctuation marks around the claimed words."""
        claimed, source = _CORE.search(self._claimed_text(edit)), _CORE.search(self._source_text(edit))
        core = source[0] if source else ""
        if claimed is None:
            return core
        return claimed.string[: claimed.start()] + core + claimed.string[claimed.end() :]

    def differences(self) -> tuple[Difference, ...]:
        """The differing words as written; the figures if only they differ."""
        found = [
            Difference(claimed=self._claimed_text(edit), source=self._source_text(edit))
            for edit in self.edits
        ]
        if not found and not self.same_figures():
            claimed, source = self.quote.figures, self._source_figures()
            found = [
                Difference(claimed=" ".join(claimed[e.i1 : e.i2]), source=" ".join(source[e.j1 : e.j2]))
                for e in _edits(claimed, source)
            ]
        return tuple(found) or self._differing_marks()

    def _differing_marks(self) -> tuple[Difference, ...]:
        """The words around each differing mark, if nothing else differs."""
        claimed, source = self.quote.text, self.index.paragraphs(self.view, (self.stretch,))
        if skeleton(claimed) != skeleton(source):
            return ()
        return tuple(
            Difference(claimed=around(claimed, place), source=around(source, place))
            for place in self._differing_places(claimed)
        )

    def same_figures(self) -> bool:
        """Whether numbers and symbols are the same in the same order."""
        return same_figures(self._source_figures(), self.quote.figures, self.index.language)

    def verdict(self) -> Verdict | None:
        """Typo, near or altered; None if so little agrees that the quote is not there at all."""
        words = sum(max(edit.i2 - edit.i1, edit.j2 - edit.j1) for edit in self.edits)
        allowed = max(1, len(self.claimed) // NEAR_SHARE)
        same = self.same_figures() and self.same_punctuation
        repairable = 0 < words <= allowed and same and not any(map(self._guarded, self.edits))
        if not repairable:
            known = self.coverage >= QUOTED_SHARE or self.longest_run >= LONG_RUN
            return Verdict.ALTERED if known else None
        return Verdict.TYPO if all(map(self._typo, self.edits)) else Verdict.NEAR

    def _claimed_text(self, edit: Edit) -> str:
        return " ".join(self.quote.words[edit.i1 : edit.i2])

    def _source_text(self, edit: Edit) -> str:
        if edit.j1 == edit.j2:
            return ""
        return self.index.source_text(
            self.view, Stretch(self.tokens[edit.j1].first, self.tokens[edit.j2 - 1].end)
        )

    def _source_figures(self) -> tuple[str, ...]:
        return figures(self.index.plain_text(self.view, self.stretch))

    def _guarded(self, edit: Edit) -> bool:
        claimed, source = self._claimed_text(edit).split(), self._source_text(edit).split()
        if self._typo(edit):
            return False
        if any(map(is_guarded, (*claimed, *source))):
            return True
        return any(differ_by_affix(skeleton(a), skeleton(b)) for a in claimed for b in source)

    def _typo(self, edit: Edit) -> bool:
        if (edit.i2 - edit.i1, edit.j2 - edit.j1) != (1, 1):
            return False
        claimed, source = self.claimed[edit.i1], self.tokens[edit.j1].skeleton
        if _mixes_scripts(claimed):
            return False
        return claimed not in self.index.vocabulary.plain and is_misspelling(claimed, source)


def _mixes_scripts(word: str) -> bool:
    """Whether a word mixes letters of two scripts, so that some only look like what they stand for."""
    scripts = {unicodedata.name(c, "").split(" ")[0] for c in word if c.isalpha() and not c.isascii()}
    return bool(scripts & {"CYRILLIC", "GREEK"}) and any(c.isascii() and c.isalpha() for c in word)


def best_comparison(
    quote: Quoted, index: DocumentIndex, hint: Sequence[Span], patience: Patience
) -> WordComparison | None:
    """The comparison with the place in the body that agrees best with the quote. Raises
    OutOfPatienceError."""
    compared = [
        _compare(quote, index, start, patience) for start in _likely_places(quote.skeleton, index, hint)
    ]
    found = [comparison for comparison in compared if comparison is not None]
    return max(found, key=lambda c: (c.coverage, -len(c.edits)), default=None)


def _compare(quote: Quoted, index: DocumentIndex, start: int, patience: Patience) -> WordComparison | None:
    """The quote compared with the tightest window around offset `start` of the body's text."""
    view = index.body
    low, high = window_of(len(quote.skeleton), start, len(view.text))
    if low >= high:
        return None
    tokens = _source_words(view, view.entry_at(low), view.entry_from(high))
    patience.spend()
    claimed = [skeleton(word) for word in quote.words]
    tight = _with_cut_edges(claimed, _tight(claimed, tokens, patience), index, view)
    return WordComparison(quote, index, view, tuple(tight)) if tight else None


def _tight(claimed: Sequence[str], tokens: Sequence[SourceWord], patience: Patience) -> Sequence[SourceWord]:
    """The tokens that the quote resembles most, extended at each edge by as many tokens as the quote has
    differing words there; if the next token matches the quote's word, it ends there: then a word was added,
    and none differs at the edge."""
    source = [token.skeleton for token in tokens]
    start, end = tightest(claimed, source, patience)
    equal = [op for op in Levenshtein.opcodes(claimed, source[start:end]) if op.tag == "equal"]
    if not equal:
        return ()
    first = max(start + equal[0].dest_start - equal[0].src_start, 0)
    last = start + equal[-1].dest_end + len(claimed) - equal[-1].src_end
    if first > 0 and source[first] != claimed[0] == source[first - 1]:
        first -= 1
    if last < len(source) and source[last - 1] != claimed[-1] == source[last]:
        last += 1
    return tokens[first:last]


def _with_cut_edges(
    claimed: Sequence[str], tokens: Sequence[SourceWord], index: DocumentIndex, view: View
) -> Sequence[SourceWord]:
    """The tokens, the outer ones without the part that the quote omits of a word split at a line end."""
    if len(tokens) < 2:
        return tokens
    head, tail = tokens[0], tokens[-1]
    first = next(
        (i for i in range(head.first, head.end) if _letters_of(view, i, head.end) == claimed[0]), head.first
    )
    end = next(
        (i for i in range(tail.end, tail.first, -1) if _letters_of(view, tail.first, i) == claimed[-1]),
        tail.end,
    )
    if cuts_guarded_word(index, view, Stretch(first, end)):
        return tokens
    return [_source_word(view, first, head.end), *tokens[1:-1], _source_word(view, tail.first, end)]


def _edits(claimed: Sequence[str], source: Sequence[str]) -> Iterator[Edit]:
    """Maximal runs of differing words whose letters differ too."""
    runs: list[Edit] = []
    for op in Levenshtein.opcodes(claimed, source):
        if op.tag == "equal":
            continue
        if runs and (runs[-1].i2, runs[-1].j2) == (op.src_start, op.dest_start):
            runs[-1] = Edit(runs[-1].i1, op.src_end, runs[-1].j1, op.dest_end)
        else:
            runs.append(Edit(op.src_start, op.src_end, op.dest_start, op.dest_end))
    for edit in runs:
        if "".join(claimed[edit.i1 : edit.i2]) != "".join(source[edit.j1 : edit.j2]):
            yield edit


def _likely_places(text: str, index: DocumentIndex, hint: Sequence[Span]) -> list[int]:
    """Likely offsets of the quote's start in the body's text, most likely first."""
    near = {(start // _BUCKET) for start in _hinted(index, hint)}
    return voted_places(text, index.body.text, near) or list(_fuzzy_places(text, index, hint))


def voted_places(text: str, body: str, near: Collection[int] = ()) -> list[int]:
    """Offsets in `body` at which `text` begins according to its n-grams; buckets in `near` get an extra
    vote."""
    votes: Counter[int] = Counter()
    for at in range(0, len(text) - SEED + 1, max(1, len(text) // _SEEDS)):
        for place in islice(occurrences_in(body, text[at : at + SEED]), _PLACES_PER_SEED):
            votes[(place - at) // _BUCKET] += 1
    merged = {
        bucket: votes[bucket] + max(votes[bucket - 1], votes[bucket + 1]) + (bucket in near)
        for bucket in votes
    }
    return [bucket * _BUCKET for bucket in sorted(merged, key=lambda b: -merged[b])[:_WINDOWS]]


def _hinted(index: DocumentIndex, hint: Sequence[Span]) -> Iterator[int]:
    for span in hint:
        number = index.number_at(span.page, span.start)
        if number is not None:
            yield index.body.offset(index.body.entry_of(number))


def _fuzzy_places(text: str, index: DocumentIndex, hint: Sequence[Span]) -> Iterator[int]:
    """Fallback if no n-gram is intact: the best place on the hinted pages and their neighbours."""
    if len(text) > _FUZZY_CHARACTERS:
        return
    view = index.body
    for page in sorted({span.page for span in hint}):
        around = [found for n in (page - 1, page, page + 1) if (found := index.body_range(n))]
        if not around:
            continue
        first, last = around[0][0], around[-1][1]
        best = fuzz.partial_ratio_alignment(text, view.text[first:last], score_cutoff=FUZZY_CUTOFF)
        if best is not None and best.score >= FUZZY_CUTOFF:
            yield first + best.dest_start


def window_of(letters: int, start: int, length: int) -> tuple[int, int]:
    """The range in which to look for a quote of so many letters that may begin at `start` in a text of
    `length`."""
    slack = _BUCKET + letters // 8
    return max(start - slack, 0), min(start + letters + _BUCKET + slack, length)


# Finding the stretch of a text that a pattern resembles most: semi-global alignment of words by edit
# distance.
#
# Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", Journal
# of the ACM 46 (1999): the bits of two numbers hold a column of the matrix, so a word of the text takes a few
# microseconds, however long the pattern is within reason.

_ENDS = 4
"""Maximum number of equally good ends that are tried: repetitive texts have any number of them."""


def tightest(pattern: Sequence[str], text: Sequence[str], patience: Patience) -> tuple[int, int]:
    """Start and end (exclusive) of the part of `text` that takes the fewest word edits to become `pattern`,
    the shortest in case of ties; (0, 0) if no word agrees. Raises OutOfPatienceError."""
    ends = list(_distances(pattern, text, patience, anchored=False))
    least = min(ends)
    if least == len(pattern):
        return 0, 0
    best = islice((end for end, distance in enumerate(ends) if distance == least), _ENDS)
    return min(
        ((_start(pattern, text, end, least, patience), end) for end in best),
        key=lambda part: part[1] - part[0],
    )


def _start(pattern: Sequence[str], text: Sequence[str], end: int, least: int, patience: Patience) -> int:
    """The last possible start of a part that ends at `end` and takes `least` edits."""
    backwards = _distances(pattern[::-1], text[:end][::-1], patience, anchored=True)
    return end - next(length for length, distance in enumerate(backwards) if distance == least)


def _distances(
    pattern: Sequence[str], text: Sequence[str], patience: Patience, *, anchored: bool
) -> Iterator[int]:
    """For each end in `text`, from 0 on: edits from `pattern` to the best part that ends there or, if
    `anchored`, to the whole text before that end."""
    places: defaultdict[str, int] = defaultdict(int)
    for i, word in enumerate(pattern):
        places[word] |= 1 << i
    every = (1 << len(pattern)) - 1
    last = 1 << (len(pattern) - 1)
    up, down, distance = every, 0, len(pattern)
    yield distance
    for word in text:
        patience.spend()
        equal = places.get(word, 0)
        vertical = equal | down
        horizontal = (((equal & up) + up) ^ up) | equal
        plus, minus = down | (every & ~(horizontal | up)), up & horizontal
        distance += bool(plus & last) - bool(minus & last)
        yield distance
        plus, minus = ((plus << 1) | anchored) & every, (minus << 1) & every
        up, down = minus | (every & ~(vertical | plus)), plus & vertical


# Whether a quote can be on given pages at all, judging by their letters alone.
#
# Alignment needs words with positions; to rule a quote out takes only the pages' letters, which are small
# enough to keep in memory. Whatever alignment finds without a hint passes, by the same rules: the letters
# of the whole quote, of its two ends or of all its parts, else a window around a place that its n-grams
# vote for and that contains enough of its words.


_EDGE = 300
"""Maximum letters of a word that may cross a window's edge."""


@dataclass(frozen=True, slots=True)
class PageLetters:
    """The letters of page `number` in each view of it, that of the body first."""

    number: int
    readings: tuple[str, str, str, str]

    @classmethod
    def of(cls, page: WrittenPage) -> "PageLetters":
        """The letters of `page`."""
        letters = list(map(written_skeleton, page.texts, page.note_chars))
        body, framed = "".join(compress(letters, page.is_text)), "".join(letters)
        if not (any(page.note_chars) or any(map(has_raised, page.texts))):
            return cls(page.number, (body, framed, body, framed))
        digits = list(map(copied_skeleton, page.texts, page.note_chars))
        return cls(page.number, (body, framed, "".join(compress(digits, page.is_text)), "".join(digits)))


def may_be_verbatim(quote: Quoted, pages: Sequence[PageLetters]) -> bool:
    """Whether aligning `quote` with `pages` (ascending) may find it verbatim."""
    return any(_exactly(quote, text) for text in {_running(pages, kind) for kind in range(4)})


def may_be_near(quote: Quoted, pages: Sequence[PageLetters]) -> bool:
    """Whether aligning a quote that is not verbatim may find the words it was made from."""
    return _nearly(quote, _running(pages, 0))


def _running(pages: Sequence[PageLetters], kind: int) -> str:
    """One view's reading of the pages."""
    gaps = ("" if after.number == page.number + 1 else MISSING for page, after in pairwise(pages))
    pieces = (page.readings[kind] + gap for page, gap in zip(pages, [*gaps, ""], strict=True))
    return "".join(pieces)


def _exactly(quote: Quoted, text: str) -> bool:
    letters = quote.skeleton
    ends = letters[:BREAK_CHARACTERS], letters[-BREAK_CHARACTERS:]
    return (
        letters in text
        or (len(letters) >= 2 * BREAK_CHARACTERS and all(end in text for end in ends))
        or (len(quote.parts) > 1 and all(part.skeleton in text for part in quote.parts))
    )


def _nearly(quote: Quoted, text: str) -> bool:
    words = [skeleton(word) for word in quote.words]
    runs = ["".join(words[at : at + LONG_RUN]) for at in range(len(words) - LONG_RUN + 1)]
    return any(_enough(words, runs, len(quote.skeleton), window) for window in _windows(quote.skeleton, text))


def _windows(letters: str, text: str) -> Iterator[str]:
    for place in voted_places(letters, text):
        low, high = window_of(len(letters), place, len(text))
        yield text[max(low - _EDGE, 0) : high + _EDGE]


def _enough(words: Sequence[str], runs: Sequence[str], letters: int, window: str) -> bool:
    """Whether the window contains enough of the words for a verdict other than absent."""
    there = [word for word in words if word in window]
    return (
        sum(map(len, there)) >= QUOTED_SHARE * letters
        or len(there) >= len(words) - max(1, len(words) // NEAR_SHARE)
        or any(run in window for run in runs)
    )
