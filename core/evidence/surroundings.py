"""The sentences around a quote, and which of their words it omits."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from core.domain.answers import LeftOut, Setting, Verdict
from core.domain.passages import Span
from core.evidence.harmless import bearing, changes_nothing, rejects_before, says_who
from core.evidence.index import GAP, DocumentIndex, Stretch, View
from core.evidence.left_out import hides_question, leads_into, turned_by
from core.evidence.pieces import STOPS, Piece, heading_ends_before, may_end_before, pieces_of, plain
from core.evidence.punctuation import marks_between
from core.evidence.quoted import Quoted, begins_block
from core.evidence.skeleton import CROSSES
from core.evidence.text import Token, tokens_of

REACH_WORDS = 300
"""Words examined on either side of a quote: as many as the longest sentences of statutes have."""

_NAME_WORDS = 12
"""Maximum words of a heading above others' words, or of the name below them."""
_HEADING_WORDS = 3
_JOINT = re.compile(r"\s*[:–—-]?\s*")
"""Final words of a heading that lead into the items below it ("An end to")."""
_NUMBER = re.compile(r"(?P<before>\(?)(?P<number>\d{1,3})(?P<behind>[.)])")
_SIGNS = re.compile(r"[–—―(]|--?$")
"""Signs that introduce a name below others' words."""
_LEADS_IN = re.compile(r"(?::|[-–—]|:[-–—])$")


def stretch_of(index: DocumentIndex, view: View, span: Span) -> Stretch | None:
    """The entries of `view` covered by `span`; None if there are none."""
    first, last = index.number_at(span.page, span.start), index.number_at(span.page, span.end - 1)
    if first is None or last is None:
        return None
    stretch = Stretch(view.entry_of(first), view.entry_of(last + 1))
    return stretch if stretch.first < stretch.end else None


@dataclass(frozen=True)
class Surroundings:
    """The words around the stretches of a quote, in reading order. `claimed` is the quote as alleged."""

    index: DocumentIndex
    view: View
    stretches: tuple[Stretch, ...]
    claimed: str

    @classmethod
    def of(cls, index: DocumentIndex, spans: Iterable[Span], claimed: str) -> "Surroundings | None":
        """The surroundings of the words under `spans`; None if the pages do not contain them."""
        for view in (index.body, *index.views()):
            found = [stretch_of(index, view, span) for span in spans]
            stretches = tuple(stretch for stretch in found if stretch is not None)
            if stretches and len(stretches) == len(found):
                return cls(index, view, _in_order(stretches), claimed)
        return None

    @cached_property
    def pieces(self) -> list[Piece]:
        """Sentences from some distance before the quote to some distance after it."""
        first, end = self.stretches[0].first, self.stretches[-1].end
        low, high = max(first - REACH_WORDS, 0), min(end + REACH_WORDS, len(self.view))
        return pieces_of(self.index, self.view, low, high)

    @cached_property
    def touched(self) -> list[Piece]:
        """The sentences that the quote has words of, or skips between two parts, except a following item of
        which it has only the number."""
        first, end = self.stretches[0].first, self.stretches[-1].end
        found = [piece for piece in self.pieces if piece.first < end and first < piece.end]
        return found[:-1] if len(found) > 1 and end <= found[-1].body else found

    @cached_property
    def lead_in(self) -> Piece | None:
        """The lead-in of the list in whose item the quote begins ("We reject:")."""
        at = self.pieces.index(self.touched[0])
        if not (at and (self.touched[0].item or self._leads_in(self.pieces[at - 1]))):
            return None
        for n, piece in reversed([*enumerate(self.pieces[:at])]):
            if self._leads_in(piece):
                if not self._continues_list(piece, self.pieces[n + 1 : at]):
                    return piece
                continue
            if not piece.item and not self._goes_on(piece):
                return None if STOPS.search(self._last(piece)) else piece
        return None

    def _continues_list(self, leading: Piece, between: Sequence[Piece]) -> bool:
        """Whether the quote begins in the paragraph after the one that `leading` begins ("2." after "1. ...
        where:"), and the items in between, "(a)", are what that one leads into."""
        one, own = self._number(leading), self._number(self.touched[0])
        if one is None or own is None or own[0] <= one[0] or own[1] != one[1]:
            return False
        return any(piece.item and self._number(piece) is None for piece in between)

    def _number(self, piece: Piece) -> tuple[int, str] | None:
        """The number that a piece begins with, and the signs around it."""
        found = _NUMBER.fullmatch(self._word(piece.first))
        return (int(found["number"]), found["before"] + found["behind"]) if found else None

    @property
    def introduced(self) -> bool:
        """Whether the lead-in ends with a colon or a dash: it introduces what follows, as no heading does."""
        return self.lead_in is not None and self._leads_in(self.lead_in)

    @property
    def with_lead_in(self) -> tuple[Span, ...]:
        """The quote's stretches, preceded by the lead-in of its list."""
        led = (Stretch(self.lead_in.first, self.lead_in.end),) if self.lead_in else ()
        return tuple(span for part in (*led, *self.stretches) for span in self.index.spans(self.view, part))

    @property
    def left_out(self) -> LeftOut | None:
        """The effect of the omitted words on the quote; None if there is none."""
        found = self.hidden or self._asks() or self._led_into() or self._at_edges() or self._crossed()
        return found or self._skipped() or self._incomplete()

    @property
    def unsure(self) -> bool:
        """Whether rules cannot tell the effect of the omitted words: it is unknown, or one of them, in the
        quote's only sentence, denies something, which may be nothing that the quote says. None of them is a
        needed lead-in."""
        found = self.left_out
        if found is LeftOut.DENIES and len(self.touched) == 1:
            return not (self._asks() or self._led_into() or self._crossed() or self._needs_lead_in())
        return found is LeftOut.UNSURE and not self._needs_lead_in()

    @cached_property
    def hidden(self) -> LeftOut | None:
        """The effect of the words between the quote's parts, and of the sentences they cut."""
        for left, right in self._gaps():
            found = turned_by(self._tokens(Stretch(left.first, right.end), (left, right)))
            if found or self._question_in(left, right):
                return found or LeftOut.ASKS
        return None

    def in_one_sentence(self, short: Sequence[bool]) -> bool:
        """Whether no sentence ends between a `short` part and its neighbours."""
        beside = pairwise(zip(short, self.stretches, strict=True))
        return not any(
            (one or other) and self._ends_between(left, right) for (one, left), (other, right) in beside
        )

    def _gaps(self) -> Iterator[tuple[Stretch, Stretch]]:
        """Pairs of parts with something between them other than further list items."""
        for left, right in zip(self.stretches, self.stretches[1:], strict=False):
            if left.end < right.first and not self._between_items(left, right):
                yield left, right

    def _skipped(self) -> LeftOut | None:
        """The effect of an ellipsis on the rest: within one sentence harmless words may be skipped; across a
        sentence end two sentences become one."""
        if not self._elided:
            return None
        for left, right in self._gaps():
            if self._over_page_break(left, right):
                continue
            if self._ends_between(left, right):
                return LeftOut.JOINS
            if not changes_nothing(self._tokens(Stretch(left.first, right.end), (left, right))):
                return LeftOut.UNSURE
        return None

    @property
    def whole(self) -> tuple[Span, ...]:
        """The stretches of the whole sentences that the quote has words of."""
        starts, ends = self._edges
        return tuple(self.index.spans(self.view, Stretch(max(starts, self.touched[0].body), ends)))

    @property
    def is_whole_sentence(self) -> bool:
        """Whether the quote is exactly one sentence with its full stop."""
        starts, ends = self._edges
        (piece, *more), (stretch, *parts) = self.touched, self.stretches
        if more or parts or not STOPS.search(self._word(stretch.end - 1)):
            return False
        return stretch.first in (starts, piece.body) and stretch.end == ends

    @cached_property
    def _elided(self) -> bool:
        """Whether the quote itself marks that it omits words; otherwise its parts are separated by something
        other than text."""
        return len(Quoted(self.claimed).parts) > 1

    def _over_page_break(self, left: Stretch, right: Stretch) -> bool:
        """Whether there is only typical page-break content in between: footnotes, pictures, captions."""
        rows = (self.index.row(self.view.numbers[entry]) for entry in (left.end - 1, right.first))
        edges = (left.end, right.first)
        return len(set(rows)) > 1 and all(begins_block(self.index, self.view, entry) for entry in edges)

    def _ends_between(self, left: Stretch, right: Stretch) -> bool:
        """Whether a sentence ends in or just before the text skipped between two parts."""
        return any(left.end <= piece.end <= right.first for piece in self.pieces) or any(
            STOPS.search(self._word(entry - 1)) and may_end_before(self.index, self.view, entry)
            for entry in range(left.end, right.first + 1)
        )

    def _incomplete(self) -> LeftOut | None:
        """The effect of anything missing from the sentences in which the quote begins and ends, or from the
        lead-in of its list; also of running from a heading into the text below."""
        if self._joins_heading():
            return LeftOut.JOINS
        (starts, ends), last = self._edges, self.touched[-1]
        parts = {Stretch(starts, min(self.touched[0].end, ends)), Stretch(max(last.first, starts), ends)}
        if not all(changes_nothing(self._tokens(part, self._bridged)) for part in parts):
            return LeftOut.UNSURE
        return LeftOut.UNSURE if self._needs_lead_in() else None

    @property
    def _bridged(self) -> tuple[Stretch, ...]:
        """The stretches merged into one: the text in between has been judged."""
        return (Stretch(self.stretches[0].first, self.stretches[-1].end),)

    def _needs_lead_in(self) -> bool:
        """Whether the quote is an item that is not a sentence without its lead-in, which says who or when."""
        if not self.introduced or self.lead_in is None or not self.touched[0].item:
            return False
        if self.stretches[0].first < self.touched[0].first:
            return False
        own = self._tokens(Stretch(self.touched[0].body, self.touched[0].end), self.stretches)
        return says_who(self._tokens(Stretch(self.lead_in.body, self.lead_in.end), ()), own)

    def _joins_heading(self) -> bool:
        """Whether the quote runs from a heading into the text below it as if they were one sentence."""
        if len(self.stretches) > 1:
            return False
        stretch, start = self.stretches[0], self.view.offset(self.stretches[0].first)
        items = {entry for piece in self.pieces if piece.item for entry in (piece.first, piece.body)}
        places = {
            self.view.offset(entry) - start: entry
            for entry in range(stretch.first + 1, stretch.end - _HEADING_WORDS)
            if entry not in items and heading_ends_before(self.index, self.view, entry)
        }
        return any(
            not marks.strip(" ") or (_JOINT.fullmatch(marks) and self._line_denies(places[place]))
            for place, marks in marks_between(self.claimed)
            if place in places
        )

    def _line_denies(self, entry: int) -> bool:
        """Whether the line that ends before `entry`, read as the beginning of a sentence, denies the rest."""
        last = self.index.word(self.view.numbers[entry - 1])
        first = entry - 1
        while first > 0:
            word = self.index.word(self.view.numbers[first - 1])
            if (word.block, word.line) != (last.block, last.line):
                break
            first -= 1
        return leads_into(self._tokens(Stretch(first, entry), ())) is LeftOut.DENIES

    def setting(self, verdict: Verdict | None = None) -> Setting:
        """The whole sentences with their lead-in, and which words the quote lacks; if by `verdict` the words
        are somebody else's, preceded by the sentence that introduces them."""
        first, end = self._edges
        cuts = [
            (first, False),
            *((cut, kept) for s in self.stretches for cut, kept in ((s.first, True), (s.end, False))),
        ]
        reported = verdict is Verdict.REPORTED
        leading, signing = self._frame() if reported else (None, None)
        texts, kept = self._text_before(leading if reported else self.lead_in)
        for (start, has), (stop, _) in zip(cuts, [*cuts[1:], (end, False)], strict=True):
            if start < stop:
                texts.append(self.index.source_text(self.view, Stretch(start, stop)))
                kept.append(has)
        if signing is not None:
            text = self.index.source_text(self.view, Stretch(signing.first, signing.end))
            texts.append(text if signing.first == end else f"{GAP} {text}")
            kept.append(False)
        if reported:
            return _setting(texts, kept, LeftOut.REPORTS)
        return _setting(texts, kept, None if verdict is Verdict.STRUCK else self.left_out)

    def joints(self) -> list[str]:
        """The joints between the parts of the quote as shown: "[...]", with the full stop of a sentence that
        ends within the skipped text ("[...]. [...]")."""
        return [
            self._joint(left, right) for left, right in zip(self.stretches, self.stretches[1:], strict=False)
        ]

    def _joint(self, left: Stretch, right: Stretch) -> str:
        end = next((piece.end for piece in self.pieces if left.end <= piece.end <= right.first), None)
        if end is None or end == left.end:
            return f" {GAP} "
        stop = STOPS.search(self._word(end - 1))
        return f" {GAP}{stop[0][0] if stop else ' /'} {GAP} "

    def _frame(self) -> tuple[Piece | None, Piece | None]:
        """What says whose words these are: the sentence introducing them, a heading above them, or a name
        after them."""
        at = self.pieces.index(self.touched[0])
        before = next((p for p in reversed(self.pieces[:at]) if not self._reported(p.first)), None)
        if before is not None and self._leads_in(before):
            return before, None
        after = next((p for p in self.pieces[at:] if not self._reported(p.first)), None)
        after = after if after is not None and self._is_short(after) else None
        if (signing := self._signing(at)) is not None:
            return None, signing
        if before is not None and (self._is_near(before) or self._is_short(before)):
            return before, None
        return None, after

    def _signing(self, at: int) -> Piece | None:
        """The name below others' words, recognised by the sign that introduces it."""
        for piece in self.pieces[at:]:
            if _SIGNS.match(self._word(piece.first)):
                return piece if self._is_short(piece) else None
            if not self._reported(piece.first):
                return None
        return None

    def _reported(self, entry: int) -> bool:
        return self.index.word(self.view.numbers[entry]).reported

    def _is_short(self, piece: Piece) -> bool:
        return piece.end - piece.first <= _NAME_WORDS

    def _is_near(self, piece: Piece) -> bool:
        """Whether somebody else's words begin in a sentence or in its paragraph."""
        if self._reported(piece.end - 1):
            return True
        own, after = (self.index.word(self.view.numbers[at]) for at in (piece.end - 1, piece.end))
        return own.block == after.block

    def _text_before(self, piece: Piece | None) -> tuple[list[str], list[bool]]:
        if piece is None:
            return [], []
        text = self.index.source_text(self.view, Stretch(piece.first, piece.end))
        return [text if piece.end == self.touched[0].first else f"{text} {GAP}"], [False]

    def _at_edges(self) -> LeftOut | None:
        """The effect of the rest of the sentence before and after the quote."""
        first, last = self.touched[0], self.touched[-1]
        starts, ends = self._edges
        if first == last:
            return turned_by(bearing(self._tokens(Stretch(starts, ends), self.stretches)))
        found = turned_by(
            bearing(self._tokens(Stretch(starts, min(first.end, self.stretches[-1].end)), self.stretches))
        )
        begins = max(last.first, self.stretches[0].first)
        return found or turned_by(bearing(self._tokens(Stretch(begins, ends), self.stretches)))

    @cached_property
    def _edges(self) -> tuple[int, int]:
        """The start of the first sentence and the end of the last: the quote's own edge if a sentence may end
        there."""
        first, end = self.stretches[0].first, self.stretches[-1].end
        starts, ends = self.touched[0].first, self.touched[-1].end
        if starts < first and (may_end_before(self.index, self.view, first) or self._rejects_before(first)):
            starts = first
        if end < ends and may_end_before(self.index, self.view, end):
            ends = end
        return starts, ends

    def _rejects_before(self, first: int) -> bool:
        """Whether the sentence begins, up to `first`, by calling the previous statement of its paragraph
        false."""
        piece = self.touched[0]
        if not piece.first or piece.item:
            return False
        before, own = (self.index.word(self.view.numbers[at]) for at in (piece.first - 1, piece.first))
        return before.block == own.block and rejects_before(self._tokens(Stretch(piece.body, first), ()))

    def _asks(self) -> LeftOut | None:
        last = self.touched[-1]
        tokens = self._tokens(Stretch(last.first, last.end), self.stretches)
        return LeftOut.ASKS if hides_question(tokens, self.claimed) else None

    def _led_into(self) -> LeftOut | None:
        piece = self.lead_in
        if piece is None:
            return None
        tokens = self._tokens(Stretch(piece.first, piece.end), ())
        heading = not self._leads_in(piece) and not self._word(self.touched[0].body)[:1].islower()
        return leads_into(tokens[-_HEADING_WORDS:] if heading else tokens)

    def _goes_on(self, piece: Piece) -> bool:
        """Whether the sentence begins in the line in which another ends, so that the item has several."""
        if not piece.first:
            return False
        before, word = (self.index.word(self.view.numbers[e]) for e in (piece.first - 1, piece.first))
        return (before.block, before.line) == (word.block, word.line)

    def _crossed(self) -> LeftOut | None:
        """The effect of a cross beside the quote in the same line: the statement it marks is negated."""
        first, end = self.stretches[0].first, self.stretches[-1].end
        numbers = self.view.numbers
        beside = ((numbers[first], numbers[first] - 1), (numbers[end - 1], numbers[end - 1] + 1))
        return LeftOut.DENIES if any(self._cross(own, next_to) for own, next_to in beside) else None

    def _cross(self, own: int, next_to: int) -> bool:
        """Whether word `next_to` of the pages is a cross in the line of word `own`."""
        if self.index.row(own) != self.index.row(next_to):
            return False
        one, other = self.index.word(own), self.index.word(next_to)
        level = abs(one.box.y0 + one.box.y1 - other.box.y0 - other.box.y1) < one.box.y1 - one.box.y0
        return level and other.text.strip("()[].,;:\ufe0f\ufe0e") in CROSSES

    def _question_in(self, left: Stretch, right: Stretch) -> bool:
        """Whether the sentence of the left part ends with a question mark that is skipped."""
        piece = next((p for p in self.pieces if p.first < left.end <= p.end), None)
        return piece is not None and left.end < piece.end <= right.first and "?" in self._last(piece)[-3:]

    def _between_items(self, left: Stretch, right: Stretch) -> bool:
        """Whether there are only other items of the list between its lead-in and an item."""
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
                plain(self.index.word(self.view.numbers[e])),
                any(s.first <= e < s.end for s in kept),
                bool(self.view.cut[e]),
            )
            for e in range(stretch.first, stretch.end)
        )


def _in_order(stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """The stretches with adjacent ones merged."""
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
