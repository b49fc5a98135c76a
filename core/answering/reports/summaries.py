"""Summaries of a topic: more quotes than an answer, with the same share for everybody in scope.

The speakers in a scope are all parties (each with its documents for one place together) and all documents
without a party. Each is searched separately with the same words and gets at most the same number of quotes. A
topic that lists several things ("rents, wages and schools") is looked up part by part. A model may write only
about the passages of these quotes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from statistics import fmean

from core.answering.entries import checked
from core.answering.extractive.confidence import DOUBTFUL
from core.answering.forms import EXTRACTIVE
from core.answering.generated.generation import Generator
from core.answering.generated.session import Generated, confidence_of, fallback_notice
from core.answering.labels import Labels
from core.answering.notices import notices_of
from core.answering.reports.like_with_like import Seat, at_level, common_level, seated
from core.answering.reports.sides import FoundSentence, Side, SideSearch
from core.domain.answers import Citation, Claim, Notice, Rejected
from core.domain.documents import Edition
from core.domain.ids import DocumentId, VersionId
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.domain.search import Hit, QuestionKind
from core.domain.summaries import SourceChange, SourceChangeKind, Summary, SummaryDraft, SummaryEntry, Topic
from core.evidence.skeleton import skeleton
from core.ports.clock import Clock
from core.ports.library import Library
from core.question.content import TOPIC_LETTERS
from core.question.parsed import ParsedQuestion, nameless
from core.question.subject import subject_of
from core.question.topic import parts_of, topic_of_all
from core.search.editions import current
from core.search.plan import SearchPlan, SearchResult
from core.search.scope import Group, Resolution, ScopeQuery, resolve
from core.search.searcher import Searcher

MAX_NAME = 200
"""Maximum characters of a topic's name."""

PASSAGES, SPARE_PASSAGES = 6, 3
"""Number of passages considered per speaker: at least this many, and this many more than its quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySettings:
    """Maximum quotes of a summary; exceeded only if there are more parties than that, with one quote each."""

    quotes: int = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """`parties` (several if they share documents; none for a document without a party) and the editions to
    search for them."""

    parties: tuple[str, ...]
    group: Group

    @property
    def name(self) -> str:
        """The parties' names; empty for a document without a party."""
        return "/".join(self.parties)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    """The sentences found for a topic, per speaker, best first. `notices` say who was left out."""

    topic: Topic
    content: str
    language: str
    resolution: Resolution
    speakers: tuple[Speaker, ...]
    found: tuple[tuple[FoundSentence, ...], ...]
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryWriter:
    """Writes summaries, without storing them. `generator`, if any, writes with a model; `count_tokens`
    measures its prompt."""

    searcher: Searcher
    library: Library
    sides: SideSearch
    clock: Clock
    count_tokens: Callable[[Sequence[str]], list[int]]
    settings: SummarySettings = SummarySettings()
    generator: Generator | None = None

    async def write(
        self,
        name: str,
        *,
        scope: Scope,
        chat_jurisdiction: str | None = None,
        answerer: str | None = None,
    ) -> SummaryDraft:
        """A summary of the topic `name` in `scope`, without claims if there is no evidence. A chat's place
        belongs to the topic if no other is given. `answerer` as in `Asker.answered`; refusing a missing model
        is up to the caller. Raises Refused for an empty or over-long name."""
        name = checked(" ".join(name.split()), MAX_NAME)
        looked = await self._look(name, scope, chat_jurisdiction)
        shown = shared_out(looked.found, looked.speakers, self.settings.quotes)
        draft = self._blank(looked)
        if not any(shown):
            return draft
        sure = fmean(each.confidence for each in chain.from_iterable(shown))
        if self.generator is None or answerer == EXTRACTIVE:
            return await self._quoted(draft, shown, sure)
        generated = await self.generator.generate(name, self._result(looked))
        if generated.claims:
            return _written(draft, generated, confidence_of(sure, generated))
        if not generated.abstained:
            draft = await self._quoted(draft, shown, sure)
        return replace(
            draft,
            notices=(fallback_notice(generated), *draft.notices),
            rejected=(*generated.rejected, *draft.rejected),
        )

    async def _look(self, name: str, scope: Scope, chat: str | None) -> _Looked:
        today = self.clock.today()
        registry = await self.library.registry(scope.collections)
        editions = await self.library.editions(scope, on=today)
        whole, *parts = (self.searcher.read(each, registry, editions) for each in (name, *parts_of(name)))
        request = ScopeQuery(options=scope, detection=whole.names, today=today, chat_jurisdiction=chat)
        resolution = resolve(request, editions, registry)
        contents = [_content(part, resolution) for part in parts]
        content = _content(whole, resolution)
        speakers, notices = _speaking_alike(
            await self._speakers(content, resolution, registry), resolution.scope, registry
        )
        found = await self._find(contents, [speaker.group for speaker in speakers])
        parties = resolution.scope.parties if scope.usual_parties else scope.parties
        places = scope.jurisdictions or ((chat,) if chat else ())
        given = replace(scope, jurisdictions=places, parties=parties, usual_parties=())
        return _Looked(
            topic=Topic(name=name, scope=given),
            content=content.asked,
            language=content.language,
            resolution=resolution,
            speakers=tuple(speakers),
            found=tuple(found),
            notices=notices,
        )

    async def _speakers(
        self, content: ParsedQuestion, resolution: Resolution, registry: Registry
    ) -> list[Speaker]:
        """All parties, and documents without a party: the nearest ones if there are more than a summary has
        quotes."""
        speakers = speakers_of(resolution.editions, resolution.scope, registry)
        papers = [speaker for speaker in speakers if not speaker.parties]
        if len(papers) <= self.settings.quotes:
            return speakers
        editions = tuple(edition for paper in papers for edition in paper.group.editions)
        group = Group(scope=resolution.scope, editions=editions)
        (result,) = await self.searcher.search_groups(content, [group], k=4 * self.settings.quotes)
        near = list(dict.fromkeys(hit.edition.document.id for hit in result.hits))[: self.settings.quotes]
        return [s for s in speakers if s.parties or s.group.editions[0].document.id in near]

    async def _find(
        self, contents: Sequence[ParsedQuestion], groups: Sequence[Group]
    ) -> list[tuple[FoundSentence, ...]]:
        """Per group, the sentences for the topic and its parts in turn, without repetition."""
        quotes = self.settings.quotes
        passages = max(PASSAGES, SPARE_PASSAGES + quotes // max(1, len(groups)))
        found = [
            await self.sides.find(
                nameless(topic_of_all(each.asked), each.language), groups, quotes, passages=passages
            )
            for each in contents
        ]
        return [in_turn(own) for own in zip(*found, strict=True)]

    def _blank(self, looked: _Looked) -> SummaryDraft:
        """An empty summary."""
        unheard = {s.name: None for s, own in zip(looked.speakers, looked.found, strict=True) if not own}
        heard = {s.name for s, own in zip(looked.speakers, looked.found, strict=True) if own}
        return SummaryDraft(
            topic=looked.topic,
            language=looked.language,
            made_at=self.clock.now(),
            scope=looked.resolution.scope,
            claims=(),
            citations=(),
            missing=looked.resolution.missing,
            confidence=0.0,
            notices=(
                *(silence(name for name in unheard if name and name not in heard) if heard else ()),
                *looked.notices,
            ),
            rejected=(),
            answerer=EXTRACTIVE,
        )

    async def _quoted(
        self, draft: SummaryDraft, shown: Sequence[Sequence[FoundSentence]], sure: float
    ) -> SummaryDraft:
        """A summary whose claims are all quotes."""
        citations, rejected = await self.sides.cite(list(chain.from_iterable(shown)), Labels())
        if not citations:
            return replace(draft, rejected=rejected)
        return _with(
            draft,
            [Claim(text=item.quote.text, labels=(item.label,)) for item in citations],
            citations,
            rejected,
            sure,
        )

    def _result(self, looked: _Looked) -> SearchResult:
        """A model's input: the passages of the sentences found, taking speakers in turn."""
        resolution = looked.resolution
        parties = dict.fromkeys(speaker.parties for speaker in looked.speakers)
        groups: tuple[Scope, ...] = (resolution.scope,)
        if len(parties) > 1 and () not in parties:
            groups = tuple(replace(resolution.scope, parties=each) for each in parties)
        question = nameless(looked.topic.name, looked.language)
        plan = SearchPlan(
            question=question,
            kind=QuestionKind.FACT,
            scope=resolution.scope,
            groups=groups,
            detected=resolution.detected,
            missing=resolution.missing,
        )
        context = self._within_budget([_passages(own) for own in looked.found])
        return SearchResult(
            plan=plan,
            subject=subject_of(looked.content, looked.language, looked.language, question.wanted),
            hits=context,
            context=context,
            context_text="",
            missing=resolution.missing,
            seconds={},
        )

    def _within_budget(self, lists: Sequence[Sequence[Hit]]) -> tuple[Hit, ...]:
        """As many passages of each list as fit in a prompt, one list after the other."""
        left = self.generator.token_budget if self.generator else 0
        kept: set[int] = set()
        turns = [hit for turn in zip_longest(*lists) for hit in turn if hit is not None]
        counts = self.count_tokens([hit.passage.embedded_text for hit in turns])
        for hit, tokens in zip(turns, counts, strict=True):
            if tokens <= left:
                kept.add(id(hit))
                left -= tokens
        return tuple(hit for own in lists for hit in own if id(hit) in kept)


def silence(names: Iterable[str]) -> tuple[Notice, ...]:
    """A notice about the parties for which nothing was found, if any."""
    joined = ", ".join(names)
    return (Notice(key="notice.group_silent", values={"name": joined}),) if joined else ()


def _passages(found: Sequence[FoundSentence]) -> list[Hit]:
    """The passages of `found`, each once."""
    return list({each.extract.hit.passage.id: each.extract.hit for each in found}.values())


def _written(draft: SummaryDraft, generated: Generated, sure: float) -> SummaryDraft:
    """A model's text and the proven part of it."""
    made = _with(draft, generated.claims, generated.citations, generated.rejected, sure)
    prompt = generated.drafting.prompt if generated.drafting else None
    notices = (*silence(generated.silent), *made.notices)
    return replace(made, answerer=generated.answerer, prompt=prompt, notices=notices)


def _with(
    draft: SummaryDraft,
    claims: Sequence[Claim],
    citations: Sequence[Citation],
    rejected: Sequence[Rejected],
    sure: float,
) -> SummaryDraft:
    return replace(
        draft,
        claims=tuple(claims),
        citations=tuple(citations),
        rejected=tuple(rejected),
        confidence=sure,
        notices=(*draft.notices, *notices_of(citations, doubtful=sure < DOUBTFUL)),
    )


class Freshness:
    """Determines freshness from the current library; nothing is stored, so a summary becomes fresh again if
    its sources come back. One reading serves many summaries: use an object for one listing, no longer."""

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._today = clock.today()
        self._editions: dict[Scope, list[Edition]] = {}

    async def is_stale(self, entry: SummaryEntry) -> bool:
        """Whether any source of a listed summary has changed."""
        valid = await self._valid(entry.topic.scope, entry.scope)
        return not set(entry.versions) <= valid

    async def changes(self, summary: Summary) -> tuple[SourceChange, ...]:
        """The changes to the sources, by first label."""
        valid = await self._valid(summary.topic.scope, summary.scope)
        changed: dict[DocumentId, list[Citation]] = {}
        for item in summary.citations:
            if item.edition.version.id not in valid:
                changed.setdefault(item.edition.document.id, []).append(item)
        editions = await self._read(summary.topic.scope)
        read = {edition.document.id: edition.version.id for edition in editions}
        return tuple(
            SourceChange(
                kind=_kind(items[0].edition, read),
                document=items[0].edition.document,
                labels=tuple(item.label for item in items),
            )
            for items in changed.values()
        )

    async def _valid(self, given: Scope, searched: Scope) -> set[VersionId]:
        """The versions that may still be quoted. A topic that names documents or editions means exactly
        those."""
        editions = await self._read(given)
        if not searched.documents and not searched.editions:
            editions = current(editions, given.as_of or self._today)
        return {edition.version.id for edition in editions}

    async def _read(self, given: Scope) -> list[Edition]:
        """The editions that a search of the topic's scope reads; places and parties do not change which."""
        scope = replace(given, jurisdictions=(), parties=(), editions=())
        if scope not in self._editions:
            self._editions[scope] = await self._library.editions(scope, on=self._today)
        return self._editions[scope]


def _kind(cited: Edition, read: Mapping[DocumentId, VersionId]) -> SourceChangeKind:
    now = read.get(cited.document.id)
    if now is None:
        return SourceChangeKind.REMOVED
    return SourceChangeKind.NEW_EDITION if now == cited.version.id else SourceChangeKind.NEW_VERSION


def speakers_of(editions: Sequence[Edition], scope: Scope, registry: Registry) -> list[Speaker]:
    """The speakers among `editions`: parties first, then documents without one, by the order of the
    registry's parties and places, never by what is found."""
    own: dict[tuple[str | None, tuple[str, ...], str], list[Edition]] = {}
    for edition in editions:
        fields = edition.document.fields
        alone = "" if fields.parties else edition.document.id
        own.setdefault((fields.jurisdiction, fields.parties, alone), []).append(edition)
    parties = {party.name: n for n, party in enumerate(registry.parties)}
    places = {place.code: n for n, place in enumerate(registry.jurisdictions)}

    def rank(item: tuple[tuple[str | None, tuple[str, ...], str], list[Edition]]) -> tuple[object, ...]:
        (place, names, _), members = item
        first = min((parties.get(name, len(parties)) for name in names), default=len(parties) + 1)
        fields = members[0].document.fields
        return first, names, places.get(place or "", len(places)), place or "", fields.title

    return [
        Speaker(
            parties=names,
            group=Group(
                scope=replace(scope, parties=names, jurisdictions=(place,) if place else scope.jurisdictions),
                editions=tuple(members),
            ),
        )
        for (place, names, _), members in sorted(own.items(), key=rank)
    ]


def _speaking_alike(
    speakers: Sequence[Speaker], scope: Scope, registry: Registry
) -> tuple[list[Speaker], tuple[Notice, ...]]:
    """Parties as in comparisons: with what they say for one level and in one election, unless documents,
    editions or a day are asked for; and notices about those left out."""
    own = [(_side(each), each.group) for each in speakers if each.parties]
    editions = [edition for _, group in own for edition in group.editions]
    sides = [side for side, _ in own]
    asked = scope.documents or scope.editions or scope.as_of
    level = None if asked else common_level(sides, editions, scope.jurisdictions, registry)
    if level is None:
        return list(speakers), ()
    own = _each_once(own)
    here = [seat for seat in at_level(own, level) if seat[1].editions]
    heard = {party for side, _ in here for party in side.parties}
    absent = [(side, replace(group, editions=())) for side, group in own if heard.isdisjoint(side.parties)]
    kept = seated([*here, *absent], own, level, named=bool(scope.parties))
    alike = [
        Speaker(
            parties=side.parties, group=replace(group, scope=replace(group.scope, jurisdictions=(level,)))
        )
        for side, group in kept.seats
        if group.editions
    ]
    return [*alike, *(each for each in speakers if not each.parties)], kept.notices


def _each_once(seats: Iterable[Seat]) -> list[Seat]:
    """Each side with everything it is quoted from: its programme for one place and documents without a
    place."""
    found: dict[Side, Group] = {}
    for side, group in seats:
        before = found[side].editions if side in found else ()
        found[side] = replace(group, editions=(*before, *group.editions))
    return list(found.items())


def _side(speaker: Speaker) -> Side:
    first, *sisters = speaker.parties
    return Side(party=first, sisters=tuple(sisters))


def shared_out(
    found: Sequence[Sequence[FoundSentence]], speakers: Sequence[Speaker], quotes: int
) -> list[tuple[FoundSentence, ...]]:
    """What is shown per speaker: the same maximum for everybody, `quotes` in total. If there are more
    speakers, every party gets one, and the most confident documents the rest."""
    each = next((n for n in range(quotes, 0, -1) if sum(min(n, len(own)) for own in found) <= quotes), 0)
    if each:
        return [tuple(own[:each]) for own in found]
    heard = [n for n, own in enumerate(found) if own]
    papers = sorted((n for n in heard if not speakers[n].parties), key=lambda n: -found[n][0].confidence)
    parties = [n for n in heard if speakers[n].parties]
    kept = {*parties, *papers[: max(0, quotes - len(parties))]}
    return [tuple(own[:1]) if n in kept else () for n, own in enumerate(found)]


def _content(part: ParsedQuestion, resolution: Resolution) -> ParsedQuestion:
    """A part of the topic without the names that narrow the search already."""
    parties, places = resolution.scope.parties, resolution.detected.jurisdictions
    return nameless(part.without(parties, places, least=TOPIC_LETTERS), part.language)


LONG_LINE = 10
"""Minimum words of an unterminated line that is not a heading."""


def in_turn(lists: Sequence[Sequence[FoundSentence]]) -> tuple[FoundSentence, ...]:
    """The first of each list, then the second of each; without repeating words, even when shown with another
    sentence, and with headings last."""
    unique: dict[str, FoundSentence] = {}
    for turn in zip_longest(*lists):
        for each in filter(None, turn):
            if not any(each.extract.text in other.extract.shown for other in unique.values()):
                unique.setdefault(skeleton(each.extract.text), each)
    return tuple(sorted(unique.values(), key=lambda each: not is_sentence(each.extract.text)))


def is_sentence(text: str) -> bool:
    """Whether a text is a statement (a sentence, a list item or a long line) and not a heading."""
    text = text.strip(" \"'“”„»«")
    return text.endswith((".", "!", ";", ":")) or not text[:1].isalnum() or len(text.split()) >= LONG_LINE
