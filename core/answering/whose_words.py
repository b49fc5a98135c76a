"""Whose words a sentence is if no introduction says so, but the text after it does ("So people thought once",
"That is what our opponents print"), or something further up: the name of who has the floor, the heading over
a list, the name of a column. Explicit attributions are found when a document is cut
(`core.library.chunking`). These are expressed in too many ways for rules: a head reads the sentences around a
quote (decision 0009).
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.answering.columns import TABLE, columns_over, name_over
from core.answering.sight import COMPARE, Sight
from core.answering.told import quotes, told_in
from core.domain.answers import LeftOut, Setting, Verdict
from core.domain.documents import BINDING_TYPES, DocumentFields, Edition
from core.domain.pages import Page
from core.domain.passages import Span
from core.errors import FundstelleError
from core.evidence.index import GAP, DocumentIndex, Stretch
from core.evidence.pieces import Piece, heading_ends_before
from core.evidence.surroundings import Surroundings
from core.library.chunking.attribution import Speakers, is_in_our_name, is_of_others, own_names
from core.library.chunking.refutations import speaks_itself
from core.ports.models import Embedder
from core.question.heads import packaged, plain
from core.recent import Recent

WEIGHTS = Path(__file__).with_name("whose.npz")

KINDS = ("attributes", "rejects", "opens", "speech")
"""What a sentence may do to its neighbours: attribute the text before it to others, or to the past; call that
untrue; itself report what others say; head what others say."""

BEHIND, BEFORE = 4, 8
"""Maximum sentences read on either side."""

SURE = {"attributes": 0.9, "rejects": 0.8, "opens": 0.5, "speech": 0.95}
"""Minimum probability for a sentence to be of a kind."""
SURE_APART = 0.95
"""Minimum probability for a sentence to refer to one that does not directly precede it."""
SURE_OF_HEADING = 0.95
"""Probability above which a heading introduces others' words: there are many headings, and most are a word or
two."""
_KEPT = 4_000
_LEAD_WORDS = 8
_REQUIRES = re.compile(
    r"\b(?:soll(?:en|te|ten)?|muss|müssen|darf|dürfen|should|must|shall|may not|doi(?:t|vent)|faut)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?…:;,][\"'”“»«’‘)\]]*$")
_QUOTED = re.compile(r"\W*[„“”\"»«‚‘].*[„“”\"»«‘’]\W*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence or heading near a quote."""

    text: str
    heading: bool = False
    told: bool = False  # found to be somebody else's when the document was cut
    title: bool = False  # the first line of the document


@dataclass(frozen=True, slots=True)
class _Beside:
    """A sentence of a quote, with the lines before it (the nearest first) and after it. `column` is the name
    of its column if it is in a table."""

    text: str
    before: tuple[_Line, ...]
    behind: tuple[_Line, ...]
    column: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """The line that shows whose words follow or precede it."""

    text: str
    behind: bool = False

    def round(self, quote: str) -> Setting:
        """The words of a quote, with that line."""
        between = f" {GAP} "
        start = len(quote) + len(between) if self.behind else 0
        text = f"{quote}{between}{self.text}" if self.behind else f"{self.text}{between}{quote}"
        return Setting(text=text, left_out=((start, start + len(self.text)),), why=LeftOut.REPORTS)


class WhoseWords:
    """Reads the surroundings of quotes. `encoders` must be those that the head was trained with; with others
    it finds nothing."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        self._encoders = packaged(WEIGHTS).usable(encoders)
        self._known = Recent[str, dict[str, float]](_KEPT)

    async def shown_by(
        self, edition: Edition, pages: Sequence[Page], spans: Sequence[Span], *, first: bool = False
    ) -> Frame | None:
        """The text around the words at `spans` of `pages` that shows that one of their sentences (`first`:
        the first one) is somebody else's; None if there is none, or they are a provision."""
        if not self._encoders or edition.document.fields.doc_type in BINDING_TYPES:
            return None
        fields = edition.document.fields
        speakers = Speakers(own_names(fields.parties, fields.title), fields.language == "de")
        for said in await asyncio.to_thread(_beside, pages, spans, first=first):
            if (found := await self._shown(said, fields, speakers)) is not None:
                return found
        return None

    async def _shown(self, said: _Beside, fields: DocumentFields, speakers: Speakers) -> Frame | None:
        if is_of_others(said.text) or _is_own(said.text, speakers):
            return None
        if told := told_in(said.text, [line.text for line in said.before], fields):
            return Frame(told)
        if after := await self._line_after(said, speakers):
            return Frame(after, behind=True)
        if said.column:
            own = is_in_our_name(said.column) or _is_own(said.column, speakers)
            before = said.column if not own and await self._kind(said.column) == "speech" else None
        else:
            before = await self._before(said, speakers)
        return Frame(before) if before else None

    async def _line_after(self, said: _Beside, speakers: Speakers) -> str | None:
        """The line after a sentence that says whose it is or that it is untrue. A document's own demands and
        descriptions of itself may be untrue in another sense: they are not so yet."""
        plainly = not (is_in_our_name(said.text) or _REQUIRES.search(said.text))
        for distance, line in enumerate(said.behind):
            if _is_own(line.text, speakers):
                return None
            kind = await self._kind(line.text, apart=bool(distance))
            if kind == "attributes" or (kind == "rejects" and (plainly or _QUOTED.fullmatch(said.text))):
                return line.text
            if line.heading or kind in ("opens", "speech") or speaks_itself(line.text):
                return None
        return None

    async def _before(self, said: _Beside, speakers: Speakers) -> str | None:
        """The line above a sentence that introduces others' words, unless the document answers in between. A
        title says what a document is: "Letter to Members" stands over its own words."""
        answered = is_in_our_name(said.text)
        for line in said.before:
            if line.told or line.title or quotes(line.text) or _has_floor(lead_of(line.text), speakers):
                return None
            kind = await self._kind(lead_of(line.text), SURE_OF_HEADING if line.heading else SURE["speech"])
            if kind == "speech":
                return None if _is_own(line.text, speakers) or (line.heading and answered) else line.text
            if line.heading:
                return None
            answered = answered or kind == "rejects" or speaks_itself(line.text)
        return None

    async def _kind(self, text: str, speech: float = SURE["speech"], *, apart: bool = False) -> str:
        """The kind of a line according to the head, "" if it is clearly none of KINDS; `apart`: other lines
        are in between."""
        line = plain(text)
        if (chances := self._known.get(line)) is None:
            chances = self._known[line] = await self._chances(line)
        kind = max("attributes", "rejects", key=chances.__getitem__)
        if chances["attributes"] + chances["rejects"] >= (SURE_APART if apart else SURE[kind]):
            return kind
        if chances["speech"] >= speech:
            return "speech"
        return "opens" if chances["opens"] >= SURE["opens"] else ""

    async def _chances(self, line: str) -> dict[str, float]:
        try:
            vectors = [await encoder.query(line) for encoder in self._encoders]
        except FundstelleError:  # the letters alone are not enough evidence
            return dict.fromkeys(KINDS, 0.0)
        odds = packaged(WEIGHTS).odds(line, vectors)
        chances = np.exp(odds - np.logaddexp(0.0, np.logaddexp.reduce(odds)))
        return dict(zip(KINDS, map(float, chances), strict=True))


NOBODY_LISTENS = WhoseWords()
"""A reader that relies only on what was found at ingestion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWordsOnly:
    """Looks at quotes as `sight` does; what it shows to be somebody else's words may not be quoted either."""

    sight: Sight
    whose: WhoseWords

    async def objection(
        self, edition: Edition, pages: Sequence[Page], spans: Sequence[Span], /
    ) -> str | None:
        """See `Sight.objection`; REPORTED for others' words."""
        why = await self.sight.objection(edition, pages, spans)
        if why in (None, COMPARE) and await self.whose.shown_by(edition, pages, spans) is not None:
            return Verdict.REPORTED.value
        return why


def _beside(pages: Sequence[Page], spans: Sequence[Span], *, first: bool) -> list[_Beside]:
    """The sentences at `spans`, each with its surroundings."""
    around = Surroundings.of(DocumentIndex(pages), spans, "")
    if around is None or not around.touched:
        return []
    start = around.pieces.index(around.touched[0])
    numbers = range(start, start + (1 if first else len(around.touched)))
    return [_round(around, number) for number in numbers]


def _round(around: Surroundings, number: int) -> _Beside:
    pieces = around.pieces
    before = [_line(around, each) for each in reversed(pieces[max(0, number - BEFORE) : number])]
    after = [_line(around, each) for each in pieces[number + 1 : number + 1 + BEHIND]]
    begins, end = pieces[number].body, pieces[number].end
    first = max(begins, around.stretches[0].first)  # a row may go with the names of columns
    text = around.index.source_text(around.view, Stretch(first, end))
    if begins < first:
        lead = around.index.source_text(around.view, Stretch(begins, first))
        before.insert(0, _Line(lead))
    beside = range(pieces[number - 1].first if number else begins, first)
    answers = any(around.index.word(around.view.numbers[at]).reported for at in beside)
    return _Beside(text, tuple(before), tuple(after), "" if answers else _column(around, first))


def _is_own(text: str, speakers: Speakers) -> bool:
    """Whether a line names the document's own authors, also in capitals ("DIE LINKE tritt ein für")."""
    return speakers.is_own(text) or speakers.is_named(text)


def _has_floor(lead: str, speakers: Speakers) -> bool:
    """Whether a line gives the floor to the document's own authors."""
    return lead.endswith(":") and _is_own(lead, speakers)


def lead_of(text: str) -> str:
    """The part of a line before its first colon, else the whole line."""
    lead, colon, _ = text.partition(": ")
    return f"{lead}:" if colon and len(lead.split()) <= _LEAD_WORDS else text


def _text(around: Surroundings, piece: Piece) -> str:
    return around.index.source_text(around.view, Stretch(piece.body, piece.end))


def _line(around: Surroundings, piece: Piece) -> _Line:
    ends = piece.end < len(around.view) and heading_ends_before(around.index, around.view, piece.end)
    last = around.index.word(around.view.numbers[piece.end - 1])
    title = not piece.first and around.index.pages[0].number == 1 and not _ENDS.search(last.text)
    return _Line(_text(around, piece), ends, last.reported, title)


def _column(around: Surroundings, first: int) -> str:
    """The name of the column that contains the entry `first`, "" if there is none."""
    view, index = around.view, around.index
    own = index.word(view.numbers[first])
    page = index.row(view.numbers[first])
    entries = [at for at in range(max(0, first - TABLE), first) if index.row(view.numbers[at]) == page]
    return name_over(columns_over([index.word(view.numbers[at]) for at in entries], own), own)
