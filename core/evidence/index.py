"""Maps every character of a document's skeleton to its place: offset -> (page, word)."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, compress, count, pairwise, product, zip_longest

from core.domain.answers import Quote, Verdict
from core.domain.pages import Page, Word
from core.domain.passages import Span
from core.evidence.skeleton import copied, copied_skeleton, has_raised, word_skeleton, written_skeleton
from core.evidence.text import Vocabulary, continues, joined_words, legible, shown, word_text
from core.language.identification import detect

GAP = "[...]"
"""Marks omitted source words in a quote's text."""


MISSING = "\n"
"""Separates the skeletons of non-consecutive pages; it is not a letter, so no skeleton contains it."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive entries of a view, `first` to `end` (exclusive)."""

    first: int
    end: int


class View:
    """One reading of a document: its words in order without spaces.

    An entry is one word. `text` is the concatenated skeletons, `starts[i]` the offset in it where entry i
    begins (mere punctuation has the same start as the next entry), `numbers[i]` the word's number in the
    document, `cut[i]` whether the entry is the rest of a word begun at a line end. MISSING marks missing
    pages in `text`, so that nothing matches across them.
    """

    def __init__(self, pages: Sequence[Page], *, furniture: bool, struck: bool, notes: bool) -> None:
        starts, numbers, cut = array("L"), array("L"), bytearray()
        letters = copied_skeleton if notes else written_skeleton
        pieces: list[str] = []
        offset, number, previous = 0, 0, None
        for row, page in enumerate(pages):
            if row and page.number != pages[row - 1].number + 1:
                pieces.append(MISSING)
                offset, previous = offset + len(MISSING), None
            here = [
                word.is_text
                or (struck and word.struck)
                or (furniture and not word.is_text and not word.struck)
                for word in page.words
            ]
            words = list(compress(page.words, here))
            own = [letters(word.text, word.note_chars) for word in words]
            *begins, offset = accumulate(map(len, own), initial=offset)
            starts.extend(begins)
            numbers.extend(compress(count(number), here))
            cut.extend(_continued(previous, words))
            pieces += own
            number += len(page.words)
            previous = words[-1] if words else previous
        self.text = "".join(pieces)
        self.starts = starts
        self.numbers = numbers
        self.cut = cut
        self.notes = notes

    def __len__(self) -> int:
        return len(self.starts)

    def entry_at(self, offset: int) -> int:
        """The entry containing the character at `offset` of `text`."""
        return bisect_right(self.starts, offset) - 1

    def entry_from(self, offset: int) -> int:
        """The first entry that begins at or after `offset`; len(self) after the last one."""
        return bisect_left(self.starts, offset)

    def entry_of(self, number: int) -> int:
        """The first entry whose word has this number in the document or a later one."""
        return bisect_left(self.numbers, number)

    def offset(self, entry: int) -> int:
        """Where `entry` begins in `text`; the text's length after the last one."""
        return self.starts[entry] if entry < len(self.starts) else len(self.text)

    def stretch(self, start: int, end: int) -> Stretch | None:
        """Entries of `text[start:end]`, or None if it does not begin and end with whole words."""
        first, last = self.entry_at(start), self.entry_from(end)
        if self.starts[first] != start or self.text[end : self.offset(last)].strip(MISSING):
            return None
        return Stretch(first, last)

    def occurrences(self, needle: str, start: int = 0, end: int | None = None) -> Iterator[int]:
        """Offsets of `needle` in `text[start:end]`, ascending, overlapping ones included."""
        return occurrences_in(self.text, needle, start, end)


def _has_notes(page: Page) -> bool:
    raised = has_raised(page.text)  # few pages have any
    return any(word.note_chars or (raised and has_raised(word.text)) for word in page.words)


def _continued(previous: Word | None, words: Sequence[Word]) -> bytearray:
    """For each of `words`, whether it is the rest of the previous one; `previous` precedes the first."""
    found = bytearray(len(words))
    if previous is not None and words:
        found[0] = continues(previous, words[0])
    for at, word in enumerate(words[:-1], 1):
        if word.text[-1:] in _MAY_CUT:
            found[at] = continues(word, words[at])
    return found


def occurrences_in(text: str, needle: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Offsets of `needle` in `text[start:end]`, ascending, overlapping ones included."""
    at = text.find(needle, start, end)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1, end)


_ENOUGH = 4000
"""Number of characters needed to detect the language of pages."""
_SIGNS = 4
"""Maximum number of list signs in a row."""
_MAY_CUT = "-\u00ad\u2010\u2011"


class DocumentIndex:
    """Words of a document, or of some of its pages, for alignment. Immutable; views are built on first use.

    `pages` ascend by number; they may be a part of the document, such as a passage's pages and their
    neighbours (build time is about 1 ms per page and view).
    """

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = tuple(pages)
        self._first_word = array("L", [0])
        for page in self.pages:
            self._first_word.append(self._first_word[-1] + len(page.words))
        self._row = {page.number: row for row, page in enumerate(self.pages)}

    @cached_property
    def body(self) -> View:
        """The view without furniture, list signs, footnote marks and struck-out words: what a reader
        reads."""
        return View(self.pages, furniture=False, struck=False, notes=False)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """All words of the pages."""
        return Vocabulary.of(self.pages)

    @cached_property
    def _other_views(self) -> tuple[View, ...]:
        words = [word for page in self.pages for word in page.words if not word.is_text]
        furniture = any(word.furniture or word.bullet for word in words)
        notes, struck = any(map(_has_notes, self.pages)), any(word.struck for word in words)
        kinds = product(*((False, True)[: 1 + has] for has in (struck, notes, furniture)))
        return tuple(View(self.pages, furniture=f, struck=s, notes=n) for s, n, f in kinds if s or n or f)

    def views(self) -> Iterator[View]:
        """The views: the body first, then with furniture, then with footnote marks as digits after words (as
        in copied text), then with struck-out words."""
        yield self.body
        yield from self._other_views

    def language(self) -> str:
        """The language of the pages, ISO 639-1."""
        return self._language

    @cached_property
    def _language(self) -> str:
        texts = [page.text for page in self.pages]
        return detect(" ".join(text[: _ENOUGH // max(len(texts), 1) + 1] for text in texts))[0]

    def row(self, number: int) -> int:
        """The row in `pages` of word `number`."""
        return bisect_right(self._first_word, number) - 1

    def word(self, number: int) -> Word:
        """The word with this number in the document."""
        row = self.row(number)
        return self.pages[row].words[number - self._first_word[row]]

    def number_at(self, page: int, start: int) -> int | None:
        """Number of the first word of 1-based `page` that ends after character `start`; None without it."""
        row = self._row.get(page)
        if row is None:
            return None
        words = self.pages[row].words
        return self._first_word[row] + bisect_right([word.end for word in words], start)

    def body_range(self, page: int) -> tuple[int, int] | None:
        """Start and end offsets of 1-based `page` in the body's text; None if there is no such page."""
        row = self._row.get(page)
        if row is None:
            return None
        first, end = (self.body.entry_of(n) for n in self._first_word[row : row + 2])
        return self.body.offset(first), self.body.offset(end)

    def words(self, view: View, stretch: Stretch) -> list[Word]:
        """The words of a stretch."""
        return [self.word(view.numbers[i]) for i in range(stretch.first, stretch.end)]

    def standing(self, view: View, stretches: Sequence[Stretch]) -> Verdict | None:
        """The verdict on words that are there but not the document's own: struck out or, if the stretch
        begins in them, somebody else's words."""
        words = [word for stretch in stretches for word in self.words(view, stretch)]
        if any(word.struck for word in words):
            return Verdict.STRUCK
        first = next((word for word in words if word_skeleton(word)), None)
        return Verdict.REPORTED if first is not None and first.reported else None

    def source_text(self, view: View, stretch: Stretch) -> str:
        """The stretch as shown: single spaces, line-end hyphens resolved, no furniture and list signs, and
        "[...]" for struck-out words."""
        runs: list[list[Word]] = [[]]
        kept, before = set(map(id, shown(self.words(view, stretch)))), -1
        for number in view.numbers[stretch.first : stretch.end]:
            word = self.word(number)
            if id(word) not in kept:
                continue
            if before >= 0 and any(self.word(n).struck for n in range(before + 1, number)):
                runs.append([])
            runs[-1].append(word)
            before = number
        return legible(f" {GAP} ".join(joined_words(run, self.vocabulary) for run in runs))

    def whole_text(self, view: View, stretch: Stretch) -> str:
        """The stretch with all words of the view, line-end hyphens resolved; for comparing spacing."""
        return joined_words(self.words(view, stretch), self.vocabulary)

    def plain_text(self, view: View, stretch: Stretch) -> str:
        """The words joined by single spaces, footnote digits as in the view; for comparing figures."""
        written = map(word_text, self.words(view, stretch))
        return " ".join(map(copied, written) if view.notes else written)

    def paragraphs(self, view: View, stretches: Sequence[Stretch], *, signs: bool = False) -> str:
        """The words joined by single spaces, with newlines where a block ends or a list sign is omitted; with
        `signs`, the list signs among and just before them are included instead. For comparing punctuation."""
        numbers = [n for stretch in stretches for n in self._with_signs(view, stretch, signs=signs)]
        breaks = ("\n" if self._parted(a, b) else " " for a, b in pairwise(numbers))
        texts = (word_text(self.word(number)) for number in numbers)
        written = map(copied, texts) if view.notes else texts
        return "".join(chain.from_iterable(zip_longest(written, breaks, fillvalue="")))

    def _with_signs(self, view: View, stretch: Stretch, *, signs: bool) -> Iterator[int]:
        """Numbers of the stretch's words and, with `signs`, of the list signs before each of them."""
        for entry in range(stretch.first, stretch.end):
            number = view.numbers[entry]
            before = view.numbers[entry - 1] if entry else -1
            if signs:
                between = range(max(before + 1, number - _SIGNS), number)
                yield from (n for n in between if self.word(n).bullet and not word_skeleton(self.word(n)))
            yield number

    def _parted(self, number: int, following: int) -> bool:
        """Whether a block ends between two words, or a list sign immediately precedes the second."""
        word, other = self.word(number), self.word(following)
        return word.block != other.block or (following > number + 1 and self.word(following - 1).bullet)

    def spans(self, view: View, stretch: Stretch) -> list[Span]:
        """One span per run of adjacent shown words on a page."""
        runs: list[tuple[int, int, int]] = []
        kept = set(map(id, shown(self.words(view, stretch))))
        for number in view.numbers[stretch.first : stretch.end]:
            if id(self.word(number)) not in kept:
                continue
            row = self.row(number)
            if runs and runs[-1][0] == row and runs[-1][2] == number - 1:
                runs[-1] = (row, runs[-1][1], number)
            else:
                runs.append((row, number, number))
        return [
            Span(self.pages[row].number, self.word(first).start, self.word(last).end)
            for row, first, last in runs
        ]

    def quote(self, view: View, stretches: Sequence[Stretch], joints: Sequence[str] = ()) -> Quote:
        """The source's own words under `stretches`, joined by "[...]" or the corresponding one of
        `joints`."""
        spans = tuple(span for stretch in stretches for span in self.spans(view, stretch))
        texts = [self.source_text(view, stretch) for stretch in stretches]
        between = joints or [f" {GAP} "] * (len(texts) - 1)
        text = "".join(map("".join, zip(texts, [*between, ""], strict=True)))
        return Quote(spans=spans, text=legible(text))
