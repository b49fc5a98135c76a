"""Checks whether an alleged quote is real: search for where it might be, then align it there word by word."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import dropwhile

from core.answering.columns import is_under, outdated_over, party_over
from core.answering.cut_judge import CutJudge
from core.answering.extractive.own_words import may_be_others, said_in
from core.answering.extractive.statements import heading_at, headings_over
from core.answering.labels import Labels
from core.answering.lapsed import outdated
from core.answering.neighbours import Neighbours, neighbours_of
from core.answering.notices import compare_notices
from core.answering.quote_places import (
    WRITTEN,
    Claimed,
    LikelyDocument,
    QuotePlace,
    agrees,
    aligned,
    beginning,
    cited,
    claimed_first,
    has_span,
    is_claimed,
    is_numbered,
)
from core.answering.sight import TRUSTING, Sight, seen
from core.answering.told import has_own_voice
from core.answering.voice_head import VoiceHead, beside
from core.answering.whose_words import NOBODY_LISTENS, Frame, WhoseWords
from core.domain.answers import STANDS, Citation, Difference, LeftOut, Notice, Quote, Setting, Verdict
from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.pages import Page
from core.domain.passages import Passage, PassageKind, Section
from core.domain.scope import Scope
from core.errors import Refused
from core.evidence.alignment import in_its_sentences
from core.evidence.changes import (
    ChangeKind,
    Piece,
    changes_in,
    is_almost_right,
    is_another,
    is_reworded,
    kinds,
)
from core.evidence.exact import MAX_PARTS, MIN_CHARACTERS, MIN_SENTENCE_WORDS
from core.evidence.index import GAP, DocumentIndex
from core.evidence.quoted import Quoted
from core.evidence.repair import PageLetters, may_be_near, may_be_verbatim
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.terms import content_words
from core.library.chunking.attribution import Speakers, own_names
from core.library.chunking.chunker import struck_pages
from core.library.chunking.voices import names_us
from core.library.subdivisions import path_of, under_head
from core.ports.library import Library
from core.question.speakers import Speaker, is_column, is_head, is_row
from core.recent import Recent
from core.search.nearest import Nearest

CANDIDATES = 20
"""Number of passages examined per search method."""

MATCHES = 10
"""Maximum number of places reported."""

CPU_SECONDS = 1.5
"""Processor time for aligning one quote with the candidates of one kind."""

ANYWHERE, ELSEWHERE = 0.5, 0.6
"""Minimum share of an alleged quote's content words in the sentence that it was made from: in any document if
no source is claimed, and in documents of others than the claimed source."""

_TURNING = (LeftOut.DENIES, LeftOut.REPORTS)
_LABEL_WORDS = 4
_FLOOR = re.compile(
    r"(?:[A-ZÄÖÜÉ][\w.'’-]+ ?){2,5}(?:\((?P<party>[^()]{2,40})\)| ?, ?(?P<role>[^:.!?]{2,40})) ?:"
)
_AROUND = 40
"""Number of passages before and after one found near a quote, among which is the one where it begins."""

_AT_ONCE = 2
"""Number of quotes aligned concurrently; each takes a thread and its share of the processor."""
PAGES_KEPT = 4000
"""Number of pages whose letters are cached, some 5 kB each."""


class KeptLetters:
    """A cache of the letters of the pages in `library`."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known = Recent[tuple[VersionId, int], PageLetters](PAGES_KEPT)

    async def of(self, version: VersionId, numbers: Set[int]) -> list[PageLetters]:
        """The letters of the existing pages, ascending, from the cache if possible."""
        found = {n: known for n in numbers if (known := self._known.get((version, n))) is not None}
        if unknown := numbers - found.keys():
            fresh = await self._library.written_at(version, unknown)
            read = await asyncio.to_thread(lambda: list(map(PageLetters.of, fresh)))
            found |= {page.number: page for page in read}
        for n, known in sorted(found.items()):
            self._known[version, n] = known
        return [found[n] for n in sorted(found)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtered:
    """The filters within which words were not found as claimed, by name, and where they are outside these."""

    within: str
    outside: tuple[Citation, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The filters in words."""
        filtered = Notice(key="notice.filtered", values={"filter": self.within})
        places = dict.fromkeys(
            f"{each.edition.document.fields.title}, {each.printed_labels[0] or each.quote.pages[0]}"
            for each in self.outside
        )
        where = {"filter": self.within, "where": "; ".join(places)}
        return (filtered, Notice(key="notice.outside_filter", values=where)) if self.outside else (filtered,)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCheck:
    """The verdict, the matches (best first, those from the claimed source before others), and the words that
    differ. `wording` is the first match with the alleged words where they differ, `changed` the kinds of
    difference. `settings` has the whole sentences of each match, None if they were not examined, and
    `following` the sentence after it where the words stand, "" without one; `unseen` says why places that
    have the words were left out: a reader of the page does not see them there (`Sight`)."""

    verdict: Verdict
    matches: tuple[Citation, ...] = ()
    differences: tuple[Difference, ...] = ()
    unseen: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    claimed: Claimed = field(default_factory=Claimed)
    settings: tuple[Setting | None, ...] = ()
    following: tuple[str, ...] = ()
    wording: tuple[Piece, ...] = ()
    changed: tuple[ChangeKind, ...] = ()
    filtered: Filtered | None = None

    @property
    def almost(self) -> bool:
        """Whether so few words differ that the quote is nearly right."""
        return is_almost_right(self.wording)


class QuoteVerifier:
    """Checks alleged quotes against the documents in scope."""

    def __init__(
        self,
        *,
        library: Library,
        nearest: Nearest,
        sight: Sight = TRUSTING,
        whose: WhoseWords = NOBODY_LISTENS,
        voice_head: VoiceHead | None = None,
        cuts: CutJudge | None = None,
        cpu_seconds: float = CPU_SECONDS,
    ) -> None:
        self._library = library
        self._nearest = nearest
        self._sight = sight
        self._whose = whose
        self._voice_head = voice_head
        self._cuts = cuts or CutJudge()
        self._cpu_seconds = cpu_seconds
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._letters = KeptLetters(library)

    async def verify(self, text: str, *, scope: Scope, claimed: Claimed, today: date) -> QuoteCheck:
        """The verdict on `text`. `scope` only filters; it never makes a quote misattributed.

        Raises Refused for a text that has too many parts or takes too long to compare.
        """
        short = len(skeleton(text)) < MIN_CHARACTERS
        if short and len(Quoted(text).words) < MIN_SENTENCE_WORDS:
            return QuoteCheck(verdict=Verdict.TOO_SHORT, claimed=claimed)
        found, unseen = await self._places(text, await self._candidates(text, scope, today), today)
        found, claimed = await asyncio.to_thread(_in_cells, found, claimed)
        if claimed.sections:
            found = [await self._in_section(item, claimed) for item in found]
        if found:
            found = await asyncio.to_thread(_alike, text, claimed_first(found, claimed), claimed)
        if not found:
            verdict = (
                Verdict.TOO_SHORT if short else Verdict.ABSENT
            )  # that a few letters are nowhere to be found means nothing
            return QuoteCheck(verdict=verdict, claimed=claimed, unseen=unseen, notices=_unknown(claimed))
        verdict = found[0].alignment.verdict
        same = [item for item in found if item.alignment.verdict is verdict]
        agreeing = [item for item in same if agrees(item, claimed)] or _together(same, claimed)
        agreeing = [item for item in agreeing if not _of_another_column(item, claimed)]
        if verdict in STANDS and not agreeing:
            verdict = Verdict.MISATTRIBUTED
        elif verdict in WRITTEN:
            same = agreeing or same
        wording = await asyncio.to_thread(_wording, text, same[0])
        changed = kinds(wording)
        if (framed := await asyncio.to_thread(_framed, same, wording)) is not None:
            verdict, same = framed[0].alignment.verdict, framed
        elif verdict is Verdict.NEAR and changed != (ChangeKind.SPELLING,):
            verdict = Verdict.ALTERED
            same = [item.altered for item in same]
        labels = Labels()
        matches = tuple([await self._cited(labels.next(item.kind), item) for item in same[:MATCHES]])
        written = verdict in (*WRITTEN, Verdict.MISATTRIBUTED)
        following = await asyncio.gather(*map(self._following, matches)) if written else ()
        return QuoteCheck(
            wording=wording,
            changed=changed,
            verdict=verdict,
            matches=matches,
            differences=same[0].alignment.differences,
            settings=tuple(item.alignment.setting for item in same[:MATCHES]),
            following=tuple(following),
            unseen=unseen,
            claimed=claimed,
            notices=(
                *_unknown(claimed),
                *_elsewhere(verdict, same[0], claimed),
                *compare_notices(matches),
            ),
        )

    async def surroundings(self, citation: Citation) -> Neighbours:
        """The sentences before and after a quote, if they are visible."""
        return await neighbours_of(self._library, citation, self._sight)

    async def _visible(
        self, found: Sequence[QuotePlace], today: date
    ) -> tuple[list[QuotePlace], tuple[str, ...]]:
        """The places where the words are visible, and why the others were left out."""
        said = await asyncio.gather(
            *(seen(self._sight, item.edition, item.pages, item.quote) for item in found)
        )
        shown: list[QuotePlace] = []
        unseen: dict[str, None] = {}
        for item, quote in zip(found, said, strict=True):
            if isinstance(quote, Quote):
                shown.append(await self._with_voice(replace(item, quote=quote), today))
            elif item.alignment.verdict is Verdict.STRUCK:  # nothing is claimed by these
                shown.append(item)
            else:
                unseen[quote] = None
        return shown, tuple(unseen)

    async def _with_voice(self, item: QuotePlace, today: date) -> QuotePlace:
        """The place, marked as others' words if the surroundings show that, and as cut if a heading or a
        column says that they are not valid today; no longer as cut if what is left out changes nothing, or is
        that the document's own speaker has the floor ("Councillor Low (Uferpartei): ...", "We say: ...")."""
        if await self._lacks_nothing(item) or _lacks_own_speaker(item):
            setting = replace(item.alignment.setting, why=None) if item.alignment.setting else None
            item = replace(item, alignment=replace(item.alignment, verdict=Verdict.VERBATIM, setting=setting))
        if item.alignment.verdict not in STANDS:
            return item
        if over := await asyncio.to_thread(_outdated_over, item, today):
            text = f"{over} {GAP} {item.quote.text}"
            setting = Setting(text=text, left_out=((0, len(over)),), why=LeftOut.LIMITS)
            return replace(item, alignment=replace(item.alignment, verdict=Verdict.CUT, setting=setting))
        frame = await self._whose.shown_by(item.edition, item.pages, item.quote.spans, first=True)
        frame = frame or await self._heard_round(item, today)
        if frame is None:
            return item
        setting = frame.round(item.quote.text)
        return replace(item, alignment=replace(item.alignment, verdict=Verdict.REPORTED, setting=setting))

    async def _lacks_nothing(self, item: QuotePlace) -> bool:
        """Whether a quote is cut only because the rules know nothing of what it leaves out, and that changes
        nothing. What cells of a row do to each other is not known."""
        setting = item.alignment.setting if item.alignment.unsure else None
        prose = item.kind is PassageKind.PROSE
        return prose and setting is not None and await self._cuts.harmless(setting)

    async def _heard_round(self, item: QuotePlace, today: date) -> Frame | None:
        """The sentence or heading before a quote that the head classifies as somebody else's or as no longer
        current; None if it classifies it as the document's own."""
        holding = next((each for each in item.near if has_span(each, item.quote.spans[0])), None)
        start = holding.text.find(item.quote.text) if holding else -1
        if self._voice_head is None or holding is None or start < 0:
            return None
        fields = item.edition.document.fields
        if not may_be_others(holding, fields):
            return None
        ranges, said = await asyncio.to_thread(said_in, holding, fields, today)
        number = next((n for n, (first, last) in enumerate(ranges) if first <= start < last), None)
        if number is None:
            return None
        others = await self._voice_head.surely_others(said, number, fields)
        before = [said[at].text for at in beside(said, number)[0]]
        lead = [*before, *reversed(said[number].heads)][:1]
        return Frame(lead[0]) if lead and others else None

    async def _places(
        self, text: str, candidates: Sequence[LikelyDocument], today: date
    ) -> tuple[list[QuotePlace], tuple[str, ...]]:
        """Where a reader sees something like `text`, best first, one place per document, and why others were
        left out. Documents that have only some of its letters are examined if it is verbatim in none: no
        place in them would be better, and most contain only its common words."""
        quote = Quoted(text)
        exact, others = await asyncio.to_thread(_parted, quote, candidates)
        found, complete = await self.aligned(text, exact)
        shown, unseen = await self._visible(found, today)
        if complete and not any(item.alignment.verdict is Verdict.VERBATIM for item in shown):
            near, complete = await self.aligned(text, await asyncio.to_thread(_nearest, quote, others))
            found += near
            more, why = await self._visible(near, today)
            shown, unseen = shown + more, tuple(dict.fromkeys(unseen + why))
        _refuse_unless_known(quote, found, complete=complete)
        order = {candidate.edition: n for n, candidate in enumerate(candidates)}
        return sorted(shown, key=lambda item: (item.rank, order[item.edition])), unseen

    async def _in_section(self, item: QuotePlace, claimed: Claimed) -> QuotePlace:
        """The place with the provision and sub-division in which the quote begins, if known."""
        version = item.edition.version.id
        section = item.section or await self._section_of(item)
        by_heads = _by_heads(item)
        if section is None or not is_numbered(section):
            return replace(item, section=by_heads or section)
        if by_heads and is_claimed(by_heads, claimed) and not is_claimed(section, claimed):
            return replace(item, section=by_heads)  # sections with little text may not have been recognised
        family = await self._library.section_family(version, section.id)
        path = await asyncio.to_thread(path_of, item.quote.text, family)
        return replace(item, section=replace(section, path=path))

    async def _section_of(self, item: QuotePlace) -> Section | None:
        """The section in which a quote begins, from passages around those found near it."""
        return next((each.section for each in beginning(await self._around(item), item.quote)), None)

    async def _around(self, item: QuotePlace) -> list[Passage]:
        """The passages around the one of those found near a quote that is nearest to it."""
        if not item.near:
            return []
        page = item.quote.spans[0].page
        nearest = min(item.near, key=lambda each: min(abs(page - number) for number in each.pages or (0,)))
        around = range(max(nearest.ordinal - _AROUND, 0), nearest.ordinal + _AROUND + 1)
        return await self._library.passages_at(item.edition.version.id, around)

    async def _cited(self, label: str, item: QuotePlace) -> Citation:
        """The place of a quote as a citation, with the passage in which it ends."""
        made = cited(label, item)
        if made.passage is not None:
            return made
        last = item.quote.spans[-1]
        holding = next((each for each in item.near if has_span(each, last)), None)
        if holding is None:
            holding = next((each for each in await self._around(item) if has_span(each, last)), None)
        return replace(made, passage=holding.id) if holding else made

    async def _following(self, match: Citation) -> str:
        return (await neighbours_of(self._library, match, self._sight, before=False)).following

    async def aligned(self, text: str, candidates: Sequence[LikelyDocument]) -> tuple[list[QuotePlace], bool]:
        """Where `text` is in the candidates, and whether there was time to examine all of them."""
        read = [(each, await self._pages(each)) for each in candidates]
        async with self._turns:
            return await asyncio.to_thread(aligned, text, read, self._cpu_seconds)

    async def _pages(self, candidate: LikelyDocument) -> list[Page]:
        numbers = [page.number for page in candidate.letters]
        return await self._library.pages_at(candidate.edition.version.id, numbers)

    async def _candidates(self, text: str, scope: Scope, today: date) -> list[LikelyDocument]:
        """The documents of the passages nearest to `text`, the nearest first."""
        near = await self._nearest.find(text, scope=scope, limit=CANDIDATES, today=today)
        numbers: dict[Edition, set[int]] = defaultdict(set)
        for edition in await self._nearest.editions(scope, today):
            if struck := struck_pages(edition.version.warnings):  # no passage contains struck-out text
                numbers[edition] |= _around(struck, edition.version.pages)
        shown: dict[Edition, list[Passage]] = defaultdict(list)
        beside: dict[Edition, list[Passage]] = defaultdict(list)
        for passage, edition in near:
            beside[edition].append(passage)
            if passage.kind in (PassageKind.TABLE, PassageKind.FIGURE):
                shown[edition].append(passage)
            numbers[edition] |= _around(passage.pages, edition.version.pages)
        return [
            LikelyDocument(
                edition=edition,
                letters=tuple(await self._letters.of(edition.version.id, wanted)),
                shown=tuple(shown[edition]),
                near=tuple(beside[edition]),
            )
            for edition, wanted in numbers.items()
        ]


def _lacks_own_speaker(item: QuotePlace) -> bool:
    """Whether a quote is cut only because it lacks the name and the party of who says it, which is that of
    the document, or that "we" do."""
    setting, fields = item.alignment.setting, item.edition.document.fields
    if item.alignment.verdict is not Verdict.CUT or setting is None or len(setting.left_out) != 1:
        return False
    ((first, end),) = setting.left_out
    lead = "" if first else setting.text[:end].strip()
    if (named := _FLOOR.fullmatch(lead)) is None:
        return lead.endswith(":") and len(lead.split()) <= _LABEL_WORDS and names_us(lead.rstrip(" :"))
    return Speakers(own_names(fields.parties, fields.title)).is_named(named["party"] or named["role"])


def _outdated_over(item: QuotePlace, today: date) -> str:
    """The heading or column name above a quote that says that it is not valid today, in documents that state
    what is valid; "" if there is none."""
    if has_own_voice(item.edition.document.fields):
        return ""
    names = {each for near in item.near for _, row in headings_over(near) for each in row}
    holding = next((each for each in item.near if has_span(each, item.quote.spans[0])), None)
    if holding is None:
        return ""
    start = max(0, holding.text.find(item.quote.text))
    found = outdated(names, today).intersection(heading_at(headings_over(holding), start))
    if found or holding.kind is not PassageKind.TABLE:
        return next(iter(found), "")
    return outdated_over(item.pages, item.quote.spans, today)


def _by_heads(item: QuotePlace) -> Section | None:
    """The provision according to the lines above the quote, if the document's sections were not
    recognised."""
    first = item.quote.spans[0]
    above = [page.text for page in item.pages if page.number < first.page]
    own = [page.text[: first.start] for page in item.pages if page.number == first.page]
    return under_head([*above, *own])


def _in_cells(found: Sequence[QuotePlace], claimed: Claimed) -> tuple[list[QuotePlace], Claimed]:
    """The places, with whether they are in cells of the one party that the words are attributed to; and the
    claim, no longer marked as unknown if that party has such a cell."""
    name = claimed.unknown or (claimed.parties[0] if len(claimed.parties) == 1 else "")
    placed = [_in_cell(item, name) for item in found] if name else [*found]
    known = any(item.in_name for item in placed)
    return placed, replace(claimed, unknown="", similar=()) if known else claimed


def _in_cell(item: QuotePlace, name: str) -> QuotePlace:
    """The place, with whether it is in a cell of `name`, in a table that has a column or rows of that name;
    adjacent cells do not show whose words they are."""
    if item.passage is None or item.kind is not PassageKind.TABLE:
        return item
    who = Speaker(name)
    rows = [each for each in item.passage.text.split("\n") if not is_head(each, item.passage)]
    if any(is_row(line, who) for line in rows):
        letters = skeleton(item.quote.text)
        own: bool | None = any(is_row(line, who) and letters in skeleton(line) for line in rows)
    else:
        in_head = is_column(item.passage, who)
        own = is_under(item.pages, item.quote.spans, name) if in_head else None
    if own is None:
        return item
    told = item.alignment.verdict is Verdict.REPORTED
    alignment = replace(item.alignment, verdict=Verdict.VERBATIM, setting=None) if told else item.alignment
    return replace(item, alignment=alignment, in_name=own)


def _of_another_column(item: QuotePlace, claimed: Claimed) -> bool:
    """Whether the words are in the column of a party other than the claimed one, in a document of several
    parties."""
    parties = item.edition.document.fields.parties
    if item.kind is not PassageKind.TABLE or len(parties) < 2 or not claimed.parties:
        return False
    owner = party_over(item.pages, item.quote.spans, parties)
    return bool(owner) and owner not in claimed.parties


def _together(same: Sequence[QuotePlace], claimed: Claimed) -> list[QuotePlace]:
    """The places in the documents of an alliance's members, if each of them has the words in a document of
    its own; none otherwise."""
    whoever = replace(claimed, parties=(), speaking=())
    members = {name for each in claimed.speaking for name in each}
    own = [
        item
        for item in same
        if not members.isdisjoint(item.edition.document.fields.parties) and agrees(item, whoever)
    ]
    wrote = {name for item in own for name in item.edition.document.fields.parties}
    return own if claimed.is_by(wrote) else []


def _elsewhere(verdict: Verdict, best: QuotePlace, claimed: Claimed) -> tuple[Notice, ...]:
    """Notices that nearly correct words were found somewhere other than in the claimed source."""
    nearly = verdict in (Verdict.NEAR, Verdict.ALTERED, Verdict.CUT) and not claimed.unknown
    return (Notice(key="notice.words_elsewhere"),) if nearly and not agrees(best, claimed) else ()


def _unknown(claimed: Claimed) -> tuple[Notice, ...]:
    """Notices that the library does not know the claimed source, and who has a similar name."""
    if not claimed.unknown:
        return ()
    unknown = Notice(key="notice.claimed_unknown", values={"name": claimed.unknown})
    similar = Notice(key="notice.claimed_similar", values={"names": ", ".join(claimed.similar)})
    return (unknown, similar) if claimed.similar else (unknown,)


def _parted(
    quote: Quoted, candidates: Sequence[LikelyDocument]
) -> tuple[list[LikelyDocument], list[LikelyDocument]]:
    """The candidates in which `quote` may be verbatim, and the others."""
    exact = [each for each in candidates if may_be_verbatim(quote, each.letters)]
    return exact, [each for each in candidates if each not in exact]


def _nearest(quote: Quoted, candidates: Sequence[LikelyDocument]) -> list[LikelyDocument]:
    """Those of the candidates that may contain something like `quote`."""
    return [each for each in candidates if may_be_near(quote, each.letters)]


def _refuse_unless_known(quote: Quoted, found: Sequence[QuotePlace], *, complete: bool) -> None:
    """Raises Refused for a quote that was not found if not everything could be examined."""
    if any(item.alignment.verdict in WRITTEN for item in found):
        return
    if len(quote.parts) > MAX_PARTS:
        detail = f"a quote of {len(quote.parts)} parts; {MAX_PARTS} are possible: verify fewer at a time"
        raise Refused("verify.too_many_parts", detail, parts=len(quote.parts), limit=MAX_PARTS)
    if not complete:
        detail = "comparing took too long: verify a shorter piece that repeats itself less"
        raise Refused("verify.too_slow", detail)


def _wording(text: str, item: QuotePlace) -> tuple[Piece, ...]:
    """The differences at a place where the words differ from the alleged ones."""
    if not item.alignment.differences and item.alignment.verdict in WRITTEN:
        return ()
    setting = item.alignment.setting
    return changes_in(text, item.quote.text, setting.text if setting else None)


def _framed(same: Sequence[QuotePlace], wording: Sequence[Piece]) -> list[QuotePlace] | None:
    """The places of a quote with a few words written differently, if the source's own words would be cut or
    others' there ("The claim that the centre chokes is false"): what is left out matters more."""
    if same[0].alignment.verdict not in (Verdict.NEAR, Verdict.ALTERED) or not is_reworded(wording):
        return None
    found = []
    for item in same:
        own = in_its_sentences(item.quote.text, DocumentIndex(item.pages))
        sure = item.alignment.verdict is Verdict.NEAR or (own.setting and own.setting.why in _TURNING)
        if sure and own.verdict in (Verdict.CUT, Verdict.REPORTED):
            framing = replace(item.alignment, verdict=own.verdict, setting=own.setting)
            found.append(replace(item, alignment=framing))
    return found if len(found) == len(same) and len({each.alignment.verdict for each in found}) == 1 else None


def _alike(text: str, found: Sequence[QuotePlace], claimed: Claimed) -> list[QuotePlace]:
    """The places, starting with the first that is not another sentence."""
    return [*dropwhile(lambda item: _is_another(text, item, claimed), found)]


def _is_another(text: str, item: QuotePlace, claimed: Claimed) -> bool:
    """Whether the altered words of a place are another sentence: it has too few of the alleged words or, if
    it is not from the claimed source, too few of the content words."""
    if item.alignment.verdict is not Verdict.ALTERED:
        return False
    wording = _wording(text, item)
    if is_another(text, wording):
        return True
    if not wording or (claimed != Claimed() and agrees(item, claimed)):
        return False
    language = detect(text)[0]
    same = " ".join(piece.source for piece in wording if piece.claimed is None)
    said, standing = (set(map(str.lower, content_words(each, language))) for each in (text, same))
    return len(said & standing) <= (ELSEWHERE if claimed != Claimed() else ANYWHERE) * len(said)


def _around(pages: Sequence[int], last: int) -> set[int]:
    return {number for page in pages for number in (page - 1, page, page + 1) if 1 <= number <= last}
