"""The sentences in which a quote stands, and which of their words it leaves out.

Pages know lines and blocks, not sentences: what goes on in the next column or on the next page belongs to
the sentence, a heading above it does not.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.domain.answers import LeftOut, Setting
from core.domain.pages import Word
from core.domain.passages import Span
from core.evidence.index import GAP, MISSING, DocumentIndex, Stretch, View
from core.evidence.left_out import Token, hides_question, leads_into, tokens_of, turned_by
from core.library.sentences import sentences

REACH_WORDS = 300
"""Words looked at on either side of a quote; the longest sentences of statutes have as many."""

_LANGUAGES = ("de", "en")
_LONGEST_WORD = 60
_STOPS = re.compile(r"[.!?…][\"'”“»«’‘)\]]*$")
_LEADS_IN = re.compile(r"(?::|[-–—]|:[-–—])$")
_BULLET = re.compile(r"[^\w\s\"'„“”»«‚‘’()\[\]§&€$£%+…,.;:!?/-]+|[\ue000-\uf8ff]")
_DASH = re.compile(r"[-–—*]")
_ENUMERATOR = re.compile(r"\((?:\d{1,2}|[a-zA-Z]{1,2}|[ivxlIVXL]{1,5})\)|(?:\d{1,2}|[a-z]|[ivxl]{1,5})[.)]")
_BEFORE_ITEM = re.compile(r"(?:[.:;,!?–—-][\"'”“»«’‘)\]]*|;? ?(?:and|or|und|oder))$")
_SAME_SIZE = 1.15
_SAME_COLUMN_PT = 4.0
_PARAGRAPH_GAP = 0.6


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, a heading or an item of a list: entries of a view, from `first`, where the item's sign
    stands, or from `body`, the first word behind it."""

    first: int
    body: int
    end: int
    item: bool


def stretch_of(index: DocumentIndex, view: View, span: Span) -> Stretch | None:
    """The entries of `view` under `span`; None if it has none there."""
    first, last = index.number_at(span.page, span.start), index.number_at(span.page, span.end - 1)
    if first is None or last is None:
        return None
    stretch = Stretch(view.entry_of(first), view.entry_of(last + 1))
    return stretch if stretch.first < stretch.end else None


@dataclass(frozen=True)
class Surroundings:
    """The words round the stretches of a quote, in reading order. `claimed` is the quote as alleged."""

    index: DocumentIndex
    view: View
    stretches: tuple[Stretch, ...]
    claimed: str

    @classmethod
    def of(cls, index: DocumentIndex, spans: Iterable[Span], claimed: str) -> "Surroundings | None":
        """Of the words under `spans`; None if the pages do not have them."""
        for view in (index.body, *index.views()):
            found = [stretch_of(index, view, span) for span in spans]
            stretches = tuple(stretch for stretch in found if stretch is not None)
            if stretches and len(stretches) == len(found):
                return cls(index, view, _in_order(stretches), claimed)
        return None

    @cached_property
    def pieces(self) -> list[Piece]:
        """Sentences from some way before the quote to some way behind it."""
        first, end = self.stretches[0].first, self.stretches[-1].end
        low, high = max(first - REACH_WORDS, 0), min(end + REACH_WORDS, len(self.view))
        return _pieces(self.index, self.view, low, high)

    @cached_property
    def touched(self) -> list[Piece]:
        """The sentences that the quote has words of, or skips between two parts."""
        first, end = self.stretches[0].first, self.stretches[-1].end
        return [piece for piece in self.pieces if piece.first < end and first < piece.end]

    @cached_property
    def lead_in(self) -> Piece | None:
        """What introduces the list whose item the quote begins in ("We reject:")."""
        at = self.pieces.index(self.touched[0])
        if not (at and (self.touched[0].item or self._leads_in(self.pieces[at - 1]))):
            return None
        for piece in reversed(self.pieces[:at]):
            if self._leads_in(piece):
                return piece
            if not piece.item and _STOPS.search(self._last(piece)):
                return None
        return None

    @property
    def left_out(self) -> LeftOut | None:
        """What the words left out do to the quote; None if nothing."""
        return self.hidden or self._asks() or self._led_into() or self._at_edges()

    @cached_property
    def hidden(self) -> LeftOut | None:
        """What the words between the quote's parts do, and the sentences cut by them."""
        for left, right in zip(self.stretches, self.stretches[1:], strict=False):
            if left.end < right.first and not self._between_items(left, right):
                skipped = self._tokens(Stretch(left.first, right.end), (left, right))
                found = turned_by(skipped)
                if found or self._question_in(left, right):
                    return found or LeftOut.ASKS
        return None

    def setting(self) -> Setting:
        """The whole sentences, with their lead-in, and which words the quote lacks."""
        first, end = self.touched[0].first, self.touched[-1].end
        cuts = [
            (first, False),
            *((cut, kept) for s in self.stretches for cut, kept in ((s.first, True), (s.end, False))),
        ]
        texts, kept = self._lead_in_text()
        for (start, has), (stop, _) in zip(cuts, [*cuts[1:], (end, False)], strict=True):
            if start < stop:
                texts.append(self.index.source_text(self.view, Stretch(start, stop)))
                kept.append(has)
        return _setting(texts, kept, self.left_out)

    def joints(self) -> list[str]:
        """What stands between the parts of the quote as shown: "[...]", with the stop of a sentence that ends
        unseen in what is skipped ("[...]. [...]")."""
        return [
            self._joint(left, right) for left, right in zip(self.stretches, self.stretches[1:], strict=False)
        ]

    def _joint(self, left: Stretch, right: Stretch) -> str:
        end = next((piece.end for piece in self.pieces if left.end <= piece.end <= right.first), None)
        if end is None or end == left.end:
            return f" {GAP} "
        stop = _STOPS.search(self._word(end - 1))
        return f" {GAP}{stop[0][0] if stop else ' /'} {GAP} "

    def _lead_in_text(self) -> tuple[list[str], list[bool]]:
        piece = self.lead_in
        if piece is None:
            return [], []
        text = self.index.source_text(self.view, Stretch(piece.first, piece.end))
        return [text if piece.end == self.touched[0].first else f"{text} {GAP}"], [False]

    def _at_edges(self) -> LeftOut | None:
        """What the rest of the sentence before the quote and behind it does."""
        first, last = self.touched[0], self.touched[-1]
        found = turned_by(
            self._tokens(Stretch(first.first, min(first.end, self.stretches[-1].end)), self.stretches)
        )
        begins = max(last.first, self.stretches[0].first)
        return found or turned_by(self._tokens(Stretch(begins, last.end), self.stretches))

    def _asks(self) -> LeftOut | None:
        last = self.touched[-1]
        tokens = self._tokens(Stretch(last.first, last.end), self.stretches)
        return LeftOut.ASKS if hides_question(tokens, self.claimed) else None

    def _led_into(self) -> LeftOut | None:
        piece = self.lead_in
        return leads_into(self._tokens(Stretch(piece.first, piece.end), ())) if piece else None

    def _question_in(self, left: Stretch, right: Stretch) -> bool:
        """Whether the sentence of the left part ends with a question mark that is skipped."""
        piece = next((p for p in self.pieces if p.first < left.end <= p.end), None)
        return piece is not None and left.end < piece.end <= right.first and "?" in self._last(piece)[-3:]

    def _between_items(self, left: Stretch, right: Stretch) -> bool:
        """Whether nothing but other items of the list stands between its lead-in and an item."""
        if not _LEADS_IN.search(self._word(left.end - 1)):
            return False
        skipped = [piece for piece in self.pieces if left.end <= piece.first < right.first]
        own = next((p for p in self.pieces if p.item and right.first in (p.first, p.body)), None)
        others = [piece for piece in skipped if piece != own]
        return own is not None and all(piece.item and not self._leads_in(piece) for piece in others)

    def _leads_in(self, piece: Piece) -> bool:
        return bool(_LEADS_IN.search(self._last(piece)))

    def _last(self, piece: Piece) -> str:
        return self._word(piece.end - 1)

    def _word(self, entry: int) -> str:
        return self.index.word(self.view.numbers[entry]).text

    def _tokens(self, stretch: Stretch, kept: Sequence[Stretch]) -> list[Token]:
        return tokens_of(
            (
                _plain(self.index.word(self.view.numbers[e])),
                any(s.first <= e < s.end for s in kept),
                bool(self.view.cut[e]),
            )
            for e in range(stretch.first, stretch.end)
        )


def _in_order(stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """Neighbouring stretches put together."""
    found: list[Stretch] = []
    for stretch in sorted(stretches, key=lambda s: s.first):
        if found and stretch.first <= found[-1].end:
            found[-1] = Stretch(found[-1].first, max(found[-1].end, stretch.end))
        else:
            found.append(stretch)
    return tuple(found)


def _setting(texts: Sequence[str], kept: Sequence[bool], why: LeftOut | None) -> Setting:
    ranges, start = [], 0
    for text, has in zip(texts, kept, strict=True):
        if not has and any(c.isalnum() for c in text):
            ranges.append((start, start + len(text)))
        start += len(text) + 1
    whole = " ".join(texts)
    if why is LeftOut.ASKS and "?" in whole and not ranges:
        ranges.append((whole.rindex("?"), whole.rindex("?") + 1))
    return Setting(text=whole, left_out=tuple(ranges), why=why)


def _pieces(index: DocumentIndex, view: View, low: int, high: int) -> list[Piece]:
    """Sentences of entries `low` to `high`. A sentence ends only where the rules of both languages end it:
    one that is too long only shows more."""
    words = [index.word(view.numbers[entry]) for entry in range(low, high)]
    bodies = _items(index, view, low, words)
    starts, text = _running(index, view, low, words, bodies)
    begun = [_begun(text, starts, language) for language in _LANGUAGES]
    behind = {body for first, body in bodies.items() if body > first}
    firsts = sorted((set.intersection(*begun) - behind) | bodies.keys() | {0})
    ends = [*firsts[1:], len(words)]
    return [
        Piece(low + first, low + bodies.get(first, first), low + end, first in bodies)
        for first, end in zip(firsts, ends, strict=True)
    ]


def _running(
    index: DocumentIndex, view: View, low: int, words: Sequence[Word], items: Container[int]
) -> tuple[list[int], str]:
    """Where each word begins in the running text, and that text: a line per paragraph and item."""
    starts, parts, at = [], [], 0
    for i, word in enumerate(words):
        apart = i in items or (i and _apart(index, view, low + i, words[i - 1], word))
        between = "" if not i else "\n" if apart else " "
        written = _plain(word)
        starts.append(at + len(between))
        parts.append(between + written)
        at += len(between) + len(written)
    return starts, "".join(parts)


def _begun(text: str, starts: Sequence[int], language: str) -> set[int]:
    """The words that begin a sentence; the clauses into which very long ones are cut do not count."""
    found, before = set(), 0
    for start, end in sentences(text, language):
        if "\n" in text[before:start] or _STOPS.search(text[max(before - 4, 0) : before]):
            found.add(bisect_right(starts, start) - 1)
        before = end
    return found


def _apart(index: DocumentIndex, view: View, entry: int, left: Word, right: Word) -> bool:
    """Whether a paragraph ends between two words: pages are missing, another size of letters, or a distance
    and a capital behind it."""
    if MISSING in view.text[view.starts[entry - 1] : view.starts[entry]]:
        return True
    rows = index.row(view.numbers[entry - 1]), index.row(view.numbers[entry])
    if rows[0] == rows[1] and left.block == right.block:
        return False
    if right.text[:1].islower() or view.cut[entry]:
        return False
    one, other = (word.box.y1 - word.box.y0 for word in (left, right))
    if max(one, other) > _SAME_SIZE * max(min(one, other), 0.1):
        return True
    step = right.box.y0 - left.box.y1
    return rows[0] == rows[1] and step > _PARAGRAPH_GAP * max(one, other)


def _items(index: DocumentIndex, view: View, low: int, words: Sequence[Word]) -> dict[int, int]:
    """Where items of lists begin, and the first word behind each one's sign."""
    found: dict[int, int] = {}
    signs = Counter(_place(word) for at, word in enumerate(words) if _begins_line(words, at) and _sign(word))
    for at, word in enumerate(words):
        number = view.numbers[low + at]
        new_line = _begins_line(words, at)
        if _BULLET.fullmatch(word.text) and new_line:
            found[at] = at + 1
        elif (
            at and number != view.numbers[low + at - 1] + 1 and _BULLET.fullmatch(index.word(number - 1).text)
        ):
            found[at] = at  # the sign is no part of the view
        elif at and _sign(word):
            closes = bool(_BEFORE_ITEM.search(words[at - 1].text)) or words[at - 1].block != word.block
            listed = new_line and signs[_place(word)] > 1
            if listed or (closes and (new_line or word.text.startswith("("))):
                found[at] = at + 1
    return found


def _begins_line(words: Sequence[Word], at: int) -> bool:
    return not at or (words[at - 1].block, words[at - 1].line) != (words[at].block, words[at].line)


def _sign(word: Word) -> bool:
    """Whether the word may be a list sign: a dash, "(a)", "1."."""
    return bool(_DASH.fullmatch(word.text) or _ENUMERATOR.fullmatch(word.text))


def _place(word: Word) -> tuple[str, int]:
    """What kind of sign it is and how far from the left it stands: those of one list are alike."""
    shape = re.sub(r"\d+", "1", re.sub(r"[a-zA-Z]+", "a", word.text))
    return shape, round(word.box.x0 / _SAME_COLUMN_PT)


def _plain(word: Word) -> str:
    """The word without footnote marks; of a very long one its end."""
    text = word.text[: len(word.text) - word.note_chars] if word.note_chars else word.text
    return text[-_LONGEST_WORD:]
