"""The search: from a question to ranked passages and the context of an answer."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from core.domain.documents import POLITICAL_TYPES, Edition
from core.domain.ids import PassageId, VersionId
from core.domain.passages import Passage
from core.domain.registry import Jurisdiction, Registry
from core.domain.scope import Detected, Missing, Scope, ThreadContext, lacking_places
from core.domain.search import Hit, QueryVectors, QuestionKind, TellingWord
from core.ports.index import PassageIndex
from core.ports.library import Library
from core.ports.models import Embedder, LexicalEncoder, QuestionEncoder
from core.question.carried import Carried, CarriedReader
from core.question.followups import asks_by_name, on_another_topic, says_all, with_exceptions
from core.question.language import prevailing_language, question_language
from core.question.parsed import ParsedQuestion, parse
from core.question.speakers import Speaker, party_asked, person_asked, speaks_in
from core.question.subject import Subject, subject_of
from core.question.turns import NO_QUESTION, TALK, TurnKind, TurnReader
from core.question.usual_words import in_words_of_documents
from core.question.who import with_thing
from core.recent import LastMade
from core.registry.detection import Detection, Detector, NameRole
from core.registry.registry import PlaceTree, admits
from core.search.context import ContextBuilder
from core.search.crossing import Crossing, with_crossed
from core.search.editions import current
from core.search.expansion import interleaved, spread_over_pages, without_copies
from core.search.plan import Elsewhere, SearchPlan, SearchResult
from core.search.provisions import Provisions
from core.search.ranking import Asked, Ranker
from core.search.reranking import HitReranker
from core.search.rewrites import Rewritable, Rewrite, Synonyms, admitted, by_synonyms
from core.search.scope import Group, Resolution, ScopeQuery, resolve
from core.search.settings import SearchSettings
from core.search.telling import most_of, telling
from core.search.unmentioned import (
    by_index,
    holds_everywhere,
    may_be_slips,
    mentioning,
    never_mentioned,
    places_asked,
    unknown_abbreviations,
    unknown_words,
)

SCOPES = 4
"""Number of sets of editions whose names are cached for detection."""
_LOOKED_INTO = 200
"""Maximum documents of a scope that may be required to mention a place."""
_HEARD = 60
"""Number of passages nearest to a name that are searched for words said in it."""
_NAMED = 8
"""Maximum documents named to the rewriter."""


def _plan_of(question: ParsedQuestion, resolution: Resolution, quota: int) -> SearchPlan:
    """The plan of `question` in its scope. Each of several groups gets at least `quota` hits."""
    several = len(resolution.groups) > 1
    return SearchPlan(
        question=question,
        kind=QuestionKind.COMPARE if several and question.kind is QuestionKind.FACT else question.kind,
        scope=resolution.scope,
        groups=tuple(group.scope for group in resolution.groups),
        detected=resolution.detected,
        missing=resolution.missing,
        quota=quota if several else 0,
        speaking=resolution.speaking,
    )


def _rewritable_of(plan: SearchPlan, resolution: Resolution) -> Rewritable:
    """The rewriter's input about the question."""
    languages = Counter(edition.document.fields.language for edition in resolution.editions)
    return Rewritable(
        question=plan.question.asked,
        kind=plan.kind,
        language=plan.language,
        languages=tuple(language for language, _ in languages.most_common()),
        collections=plan.scope.collections,
        documents=_named(resolution.editions),
    )


def _named(editions: Sequence[Edition]) -> tuple[str, ...]:
    """Titles and types of a few documents, one of each type first."""
    fields = [edition.document.fields for edition in editions]
    by_type = {item.doc_type: item for item in reversed(fields)}
    chosen = dict.fromkeys([*by_type.values(), *fields])
    return tuple(f"{item.title} ({item.doc_type.value.replace('_', ' ')})" for item in chosen)[:_NAMED]


def plan_of_group(content: ParsedQuestion, group: Group) -> SearchPlan:
    """The plan of searching one group by itself."""
    return SearchPlan(
        question=content,
        kind=QuestionKind.FACT,
        scope=group.scope,
        groups=(group.scope,),
        detected=Detected(),
        missing=(),
    )


class Stopwatch:
    """Seconds per stage."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """End `stage` now."""
        now = time.perf_counter()
        self.seconds[stage] = now - self._last
        self.seconds["total"] = now - self._started
        self._last = now


class Searcher:
    """Plans and runs searches. The registry and the editions are read again for every search, so recent
    ingestions and deletions count; only what is derived from them is cached. `questions` encodes questions in
    place of `primary` when ranking passages."""

    def __init__(
        self,
        *,
        library: Library,
        index: PassageIndex,
        primary: Embedder,
        secondary: Embedder,
        lexical: LexicalEncoder,
        settings: SearchSettings | None = None,
        questions: QuestionEncoder | None = None,
        known_places: Iterable[Jurisdiction] = (),
        reranker: HitReranker | None = None,
        synonyms: Sequence[Synonyms] = (),
        turns: TurnReader | None = None,
        carried: CarriedReader | None = None,
    ) -> None:
        self._library = library
        self._index, self._lexical = index, lexical
        self._synonyms = tuple(synonyms)
        self._settings = settings = settings or SearchSettings()
        self._known_places = tuple(known_places)
        self._ranker = Ranker(
            library=library,
            index=index,
            primary=questions or primary,
            secondary=secondary,
            lexical=lexical,
            settings=settings,
        )
        self.reranker = reranker
        self._turns = turns or TurnReader()
        self._reader = carried or CarriedReader()
        self._context = ContextBuilder(library, primary, settings)
        self._crossing = Crossing(library, settings)
        self._provisions = Provisions(library, (secondary, primary))
        self._detectors = LastMade[tuple[Registry, tuple[Edition, ...]], Detector](
            self._made_detector, most=SCOPES
        )

    async def warm_up(self) -> None:
        """Load what the first search would load: the encoders and the language model."""
        question_language("warm up the language model", "en")
        await asyncio.gather(self._ranker.warm_up(), self._reader.warm_up())

    async def search(
        self,
        question: str,
        *,
        scope: Scope,
        today: date,
        chat_jurisdiction: str | None = None,
        k: int | None = None,
        thread: ThreadContext | None = None,
        rewrite: Rewrite | None = None,
        token_budget: int | None = None,
        passages: int | None = None,
        within_s: float | None = None,
    ) -> SearchResult:
        """Search for `question` within `scope`, which is given by options; names in the question narrow it.

        A follow-up of `thread` is searched in its self-contained form, the first of the plan's queries. At
        most `k` hits are listed. `rewrite` finds other wordings to search in addition to the question.
        `token_budget` (tokens of encoder A) and `passages` bound the context, `within_s` the time of a
        reranker.
        """
        clock = Stopwatch()
        if (opened := on_another_topic(question)) is not None:
            question, thread = opened, None
        kind = await self._turns.read(question) if thread is not None else TurnKind.QUESTION
        if kind in TALK:
            thread = None  # small talk does not continue a question
        found, resolution, plan = await self._understood(question, scope, thread, today, chat_jurisdiction)
        if thread is None or not await asyncio.to_thread(asks_by_name, question, found.detector):
            plan = await self._if_question(plan)
        clock.lap("scope")
        if plan.kind is QuestionKind.OFF_TOPIC:
            nothing = Subject(text="", written=plan.language, language=plan.language)
            return _result(plan, nothing, (), (), "", clock)
        plan = await self._reworded(plan, found, resolution, rewrite)
        clock.lap("rewrite")
        contents = plan.queries
        if not self._settings.names_kept:
            where, places = plan.scope, resolution.detected.jurisdictions
            contents = tuple(
                each.without(where.parties, places, where.documents)
                for each in (plan.question, *plan.wordings)
            )
        asked = await self._ranker.ask(plan, contents, await _worded(plan, contents, resolution.editions))
        clock.lap("embed")
        resolution = await self._mentioning_places(asked, resolution, found, today)
        towns = _as_words(_towns_lacking(resolution, found.detector))
        asked = replace(asked, words=(*asked.words, *towns.values()))
        resolution, elsewhere = await self._with_others_of(asked, resolution, found, today, towns)
        plan = replace(plan, missing=resolution.missing)
        groups = resolution.groups
        if elsewhere is not None:
            asked = replace(asked, words=tuple(map(elsewhere.named, asked.words)))
        ranked = [without_copies(hits) for hits in await self._rank(asked, groups)]
        if elsewhere is not None:
            ranked = [[hit for hit in hits if elsewhere.admits(hit)] for hits in ranked]
        crossed = await self._crossing.cross(asked, resolution.reach, ranked)
        ranked = with_crossed(ranked, crossed)
        remembered = thread.documents if thread else ()
        named = await self._provisions.named(asked, resolution.editions, remembered)
        named = await self._provisions.meant(asked, named, crossed)
        clock.lap("rank")
        listed = _listed(ranked, limit := k or self._settings.hits)
        seen = None
        if self.reranker is not None and listed:
            fused = tuple(hit.score for hit in listed)
            seen = await self.reranker.reorder(
                plan.question.asked, ranked, quota=plan.quota, within_s=within_s
            )
            ranked, listed = seen.ranked, _listed(seen.ranked, limit)
            clock.lap("rerank")
        context, text = await self._context.build(
            asked,
            ranked,
            groups,
            budget=token_budget or self._settings.token_budget,
            passages=passages or self._settings.passages,
        )
        clock.lap("expand")
        subject = await asyncio.to_thread(_subject_in, asked, _language_of(listed))
        subject = replace(subject, day=plan.scope.as_of or today, speaker=plan.speaker)
        if thread is not None and _asks_for_more(plan.question.asked, thread.questions[-1]):
            subject = replace(subject, known=thread.quotes)
        result = named.told_in(_result(plan, subject, listed, context, text, clock, ranked))
        result = replace(
            result,
            unmentioned=await self._unmentioned(result, found, resolution.editions),
            searched=resolution.editions,
            reach=resolution.reach,
            elsewhere=elsewhere,
        )
        return replace(result, reranking=seen.reranking, fused=fused) if seen else result

    async def _mentioning_places(
        self, asked: Asked, resolution: Resolution, found: "_Searchable", day: date
    ) -> Resolution:
        """`resolution` with only the documents that apply everywhere or mention the places in the question,
        if these do not narrow the search, or are towns without a document: one town's fee is not an answer
        for another."""
        question, named, names = asked.plan.question, resolution.detected.jurisdictions, found.detector
        asks_others = question.names.coalition or resolution.scope.parties or resolution.scope.documents
        if len(resolution.editions) > _LOOKED_INTO or (named and asks_others):
            return resolution
        towns = _towns_lacking(resolution, names)
        if named and not towns.keys() >= set(named):
            return resolution
        if towns:
            others = resolution.editions if asks_others else current(found.editions, day)
            return await self._of_towns(resolution, towns, others)
        places = await asyncio.to_thread(places_asked, question.asked, names, question.name_words)
        own = [each for each in resolution.editions if not holds_everywhere(each)]
        if not places or not own:
            return resolution
        kept = await mentioning(places.values(), own, self._index, self._lexical)
        left = {each.version.id for each in own} - kept
        groups = [
            replace(group, editions=tuple(each for each in group.editions if each.version.id not in left))
            for group in resolution.groups
        ]
        return replace(resolution, groups=tuple([each for each in groups if each.editions] or groups))

    async def _of_towns(
        self, resolution: Resolution, towns: Mapping[str, str], editions: Sequence[Edition]
    ) -> Resolution:
        """`resolution` for `towns` without a document (codes with names), among `editions`. What parties plan
        for the country is no answer for a town that they do not mention, but its laws apply there. A document
        of no stated place that mentions the towns is one of theirs."""
        placeless = [each for each in editions if each.document.fields.jurisdiction is None]
        political = [each for each in resolution.editions if each.document.fields.doc_type in POLITICAL_TYPES]
        doubtful = list({each.version.id: each for each in (*placeless, *political)}.values())
        kept = await mentioning([(name,) for name in towns.values()], doubtful, self._index, self._lexical)
        sources = tuple(each for each in placeless if each.version.id in kept)
        left = {each.version.id for each in doubtful} - kept | {each.version.id for each in sources}

        def without(these: Sequence[Edition]) -> tuple[Edition, ...]:
            return tuple(each for each in these if each.version.id not in left)

        first, *others = resolution.groups or (Group(scope=resolution.scope, editions=()),)
        groups = [replace(first, editions=(*sources, *without(first.editions)))]
        groups += [replace(group, editions=without(group.editions)) for group in others]
        missing = tuple(each for each in resolution.missing if not sources or each.name not in towns)
        return replace(
            resolution,
            groups=tuple(group for group in groups if group.editions),
            reach=(*sources, *without(resolution.reach)),
            missing=missing,
        )

    async def _with_others_of(
        self,
        asked: Asked,
        resolution: Resolution,
        found: "_Searchable",
        day: date,
        towns: Mapping[str, TellingWord],
    ) -> tuple[Resolution, Elsewhere | None]:
        """`resolution` with the other documents of those asked that alone have telling words of the question,
        and what these are: for other places, and if little else is asked, for earlier elections. What is set,
        or named, stays so, but `towns` (by code) without a document may be part of another."""
        scope = resolution.scope
        if len(resolution.groups) != 1 or {each.name for each in resolution.missing} != set(towns):
            return resolution, None
        if scope.documents or scope.editions or scope.as_of or (scope.jurisdictions and not towns):
            return resolution, None
        known, scope = {each.version.id for each in resolution.editions}, replace(scope, jurisdictions=())
        others = [
            each
            for each in found.editions
            if each.version.id not in known
            and admits(scope, each, found.registry)
            and (not towns or _is_of_a_party_near(each, towns))
        ]
        if not others:
            return resolution, None
        own = await telling(asked.words, resolution.editions, self._index, self._lexical)
        if not towns and most_of([each for each in own.lacking if each.words == 1], asked.words):
            lacking = [replace(each, named=True) for each in own.lacking]
        else:
            lacking = [each for each in own.lacking if (each in towns.values() if towns else each.named)]
            valid = {each.version.id for each in current(found.editions, day)}
            others = [each for each in others if each.version.id in valid]
        if not lacking or not others:
            return resolution, None
        had = await telling(lacking, others, self._index, self._lexical)
        if not had.held:
            return resolution, None
        having = frozenset(had.versions.values())
        more = tuple(each for each in others if each.version.id in having)
        [group] = resolution.groups
        groups = (replace(group, editions=(*group.editions, *more)),)
        words = tuple(sorted(each.written for each in had.words))
        return replace(resolution, groups=groups), Elsewhere(words=words, versions=having)

    async def _unmentioned(
        self, result: SearchResult, found: "_Searchable", searched: Sequence[Edition]
    ) -> tuple[str, ...]:
        """The abbreviations in the question that the library lacks, and the names and rare words that
        `searched` lacks: a party that never uses one says nothing about it."""
        texts = [hit.passage.embedded_text for hit in (*result.ranked, *result.hits)]
        language = result.plan.language

        def unknown() -> tuple[dict[str, str], dict[str, str]]:
            named = result.plan.question.name_words
            short = unknown_abbreviations(result.subject.text, language, texts, named)
            same = {edition.document.fields.language for edition in found.editions} == {language}
            said = result.subject.as_said
            long = unknown_words(said, language, texts, named, found.detector, same_language=same)
            return {word: word for word in short if word not in long}, long

        short, long = await asyncio.to_thread(unknown)
        if not short and not long:
            return ()
        index, lexical = self._index, self._lexical
        missing = await never_mentioned(short, found.editions, index, lexical)
        names = await never_mentioned(long, searched or found.editions, index, lexical)
        unsure = [word for word in names if not found.detector.is_place(word)]
        slips = await asyncio.to_thread(may_be_slips, unsure, language, texts) if unsure else ()
        return (*missing, *(word for word in names if word not in slips))

    async def _understood(
        self,
        question: str,
        scope: Scope,
        thread: ThreadContext | None,
        today: date,
        chat_jurisdiction: str | None,
    ) -> tuple["_Searchable", Resolution, SearchPlan]:
        """The searchable editions, the resolved scope, and the plan."""
        registry, editions = await asyncio.gather(
            self._library.registry(scope.collections), self._library.editions(scope, on=today)
        )

        @cache
        def resolved(names: Detection, kind: QuestionKind) -> Resolution:
            request = ScopeQuery(
                options=scope, detection=names, today=today, kind=kind, chat_jurisdiction=chat_jurisdiction
            )
            return resolve(request, editions, registry)

        def prevailing(names: Detection, kind: QuestionKind) -> str:
            return prevailing_language(resolved(names, kind).editions)

        found = _Searchable(
            registry, editions, await asyncio.to_thread(self._detectors.of, (registry, tuple(editions)))
        )
        mended = await self._mended(question, found.detector)
        carried = await self._carried(mended, thread, found.detector)

        def understood() -> tuple[Resolution, SearchPlan]:
            parsed = parse(question, found.detector, prevailing, thread, carried, mended=mended)
            resolution = resolved(parsed.names, parsed.kind)
            return resolution, _plan_of(parsed, resolution, self._settings.quota)

        resolution, plan = await asyncio.to_thread(understood)
        if scope.parties or (who := _speaker_asked(plan.question)) is None:
            return found, resolution, plan
        open_to = replace(plan.question.names, strangers=())
        wider = await asyncio.to_thread(resolved, open_to, plan.question.kind)
        if len(wider.groups) > 1:
            return found, resolution, plan
        speaking = await self._speaking(who, wider.editions)
        if not speaking and not who.is_person:
            return found, resolution, plan
        own = [
            replace(group, editions=tuple(each for each in group.editions if each.version.id in speaking))
            for group in (wider.groups if speaking else ())
        ]
        missing = () if speaking else (Missing(kind="party", name=who.shown),)
        resolution = replace(wider, groups=tuple(own), missing=(*wider.missing, *missing))
        plan = _plan_of(plan.question, resolution, self._settings.quota)
        return found, resolution, replace(plan, speaker=who if speaking else None)

    async def _mended(self, question: str, names: Detector) -> str:
        """`question` with names as they are registered: slips corrected, and parties that only the words
        around them show ("bürgerversicherung grüne linke")."""

        def looked() -> tuple[str, Sequence[tuple[int, int]], Sequence[tuple[int, int, str]]]:
            mended = names.mended(question)
            return mended, names.detect(mended).party_names, names.maybe_parties(mended)

        mended, parties, maybe = await asyncio.to_thread(looked)
        meant = await self._reader.parties(mended, parties, [(start, end) for start, end, _ in maybe])
        for start, end, key in reversed(maybe):
            if (start, end) in meant:
                mended = f"{mended[:start]}{names.called(key)}{mended[end:]}"
        return mended

    async def _carried(self, question: str, thread: ThreadContext | None, names: Detector) -> Carried | None:
        """What `question` says, and takes from the thread's last question."""
        before = thread.questions[-1] if thread else ""
        kind = await self._turns.read(question) if thread else TurnKind.QUESTION
        if kind not in (TurnKind.QUESTION, TurnKind.FOLLOW_UP):
            return Carried()
        texts = (question, before)
        own, earlier = await asyncio.to_thread(lambda: [names.detect(text) for text in texts])
        carried = await self._reader.read(
            question, own.party_names, before, earlier.party_names, own.place_names, own.topic_names
        )
        if carried is None:
            return None
        carried = with_exceptions(question, (*own.party_names, *own.place_names), carried)
        topics = _topics(carried, own, earlier)
        return replace(carried, topics=topics, follows=carried.follows or kind is TurnKind.FOLLOW_UP)

    async def _speaking(self, who: Speaker, editions: Sequence[Edition]) -> frozenset[VersionId]:
        """The versions that contain words of `who`."""
        found: set[VersionId] = set()
        for language in {each.document.fields.language for each in editions}:
            group = [each for each in editions if each.document.fields.language == language]
            [passages] = await self.nearest(who.shown, who.name, language, [group], _HEARD)
            heard = await asyncio.to_thread(_speaking_in, passages, who, language)
            found |= heard
        return frozenset(found)

    async def _if_question(self, plan: SearchPlan) -> SearchPlan:
        """`plan`, marked off topic if its text is not a question to a library; naming a provision or a
        document, however briefly ("art 1 gg"), asks for it. What looks like a question about something else
        is searched for, as an aside."""
        asked = plan.question
        if plan.kind is QuestionKind.DOCUMENT:
            return plan
        kind = await self._turns.read(asked.text)
        if kind is TurnKind.ADVICE:  # "no, I mean the Left": what it asks is in the question before
            kind = await self._turns.read(asked.asked)
        named = asked.sections.references or asked.names.documents
        if kind not in NO_QUESTION or (named and kind is not TurnKind.ADVICE):
            return plan
        question = replace(asked, aside=kind)
        if kind is TurnKind.SMALL_TALK and asked.text.rstrip().endswith("?"):
            return replace(plan, question=question)  # whatever the library is about may be asked of it
        return replace(plan, kind=QuestionKind.OFF_TOPIC, question=question)

    def read(self, question: str, registry: Registry, editions: Sequence[Edition]) -> ParsedQuestion:
        """`question` as understood among `editions`, without a thread."""
        names = self._detectors.of((registry, tuple(editions)))
        return parse(question, names, lambda *_: prevailing_language(editions))

    async def search_groups(
        self, content: ParsedQuestion, groups: Sequence[Group], *, k: int | None = None
    ) -> list[SearchResult]:
        """Each of `groups` searched separately with the same words, and with their equivalents in documents
        of its language. One result per group, in their order, with hits and without a context."""
        clock = Stopwatch()
        editions = {edition.version.id: edition for group in groups for edition in group.editions}
        plans = [plan_of_group(content, group) for group in groups]
        if not plans:
            return []
        worded = await _worded(plans[0], plans[0].queries, tuple(editions.values()))
        asked = await self._ranker.ask(plans[0], plans[0].queries, worded)
        clock.lap("embed")
        limit = k or self._settings.hits
        ranked = await self._rank(asked, groups)
        clock.lap("rank")

        def results() -> list[SearchResult]:
            subjects = cache(lambda language: _subject_in(asked, language))
            found = []
            for plan, hits in zip(plans, map(without_copies, ranked), strict=True):
                listed = _listed([hits], limit)
                found.append(_result(plan, subjects(_language_of(listed)), listed, (), "", clock, [hits]))
            return found

        return await asyncio.to_thread(results)

    async def nearest(
        self, content: str, words: str, language: str, groups: Sequence[Sequence[Edition]], k: int = 3
    ) -> list[list[Passage]]:
        """The passages of each group nearest to `content`, and those that contain some of its `words`, at
        least `k` if there are as many; words count only in documents in `language`. Every group is searched
        separately: what others have written does not matter."""
        primary, secondary = await self._ranker.encode(content)
        lexical = await self._lexical.query(words, language)

        async def of(editions: Sequence[Edition]) -> list[Passage]:
            found: list[PassageId] = []
            for (collection, own), versions in by_index(editions):
                exact = lexical if own == language else None
                query = QueryVectors(primary=primary, secondary=secondary, lexical=exact)
                [best] = await self._index.candidates(collection, [query], versions, limit=k) or [[]]
                found += [item.passage for item in best]
            return await self._library.passages(found)

        return list(await asyncio.gather(*map(of, groups)))

    def _made_detector(self, named: tuple[Registry, tuple[Edition, ...]]) -> Detector:
        registry, editions = named
        return Detector(registry, [edition.document for edition in editions], self._known_places)

    async def _reworded(
        self, plan: SearchPlan, found: "_Searchable", resolution: Resolution, rewrite: Rewrite | None
    ) -> SearchPlan:
        """`plan` with other wordings of its question, those of `rewrite` first."""
        wordings: list[str] = []
        if rewrite is not None and resolution.editions and plan.kind is not QuestionKind.DOCUMENT:
            wordings += await rewrite(_rewritable_of(plan, resolution))

        def others() -> Sequence[ParsedQuestion]:
            tree = PlaceTree(found.registry)
            known = by_synonyms(plan.question.asked, self._synonyms, resolution.editions, tree)
            return admitted(plan.question, [*wordings, *known], found.detector)

        return replace(plan, wordings=tuple(await asyncio.to_thread(others)))

    async def _rank(self, asked: Asked, groups: Sequence[Group]) -> list[list[Hit]]:
        return await asyncio.gather(*(self._ranker.rank(asked, group) for group in groups))


def _asks_for_more(asked: str, before: str) -> bool:
    """Whether `asked` is the question `before` with something added."""
    return asked != before and says_all(asked, before)


def _speaker_asked(question: ParsedQuestion) -> Speaker | None:
    """Whose statements are asked for, if they may be found in others' documents alone: a person, or an
    unregistered party."""
    if question.names.parties:
        return None
    if person := person_asked(question.asked):
        return person
    if len(question.names.strangers) == 1:
        name = question.names.strangers[0].name
        return Speaker(name, shown=name)
    known = question.names.strangers or question.names.documents
    return None if known else party_asked(question.asked)


def _topics(carried: Carried, own: Detection, earlier: Detection) -> tuple[tuple[int, int], ...]:
    """The places of a message that are not to be searched in. Where no party is asked, what applies differs
    from place to place: there "in Graz" is searched in, whatever it is read as."""
    if any(each.parties or each.strangers or each.party_question for each in (own, earlier)):
        return carried.topics
    where = {each.key for each in own.places if each.role is NameRole.SOURCE}
    kept = {(each.start, each.end) for each in own.mentions if each.key in where}
    return tuple(each for each in carried.topics if each not in kept)


def _speaking_in(passages: Sequence[Passage], who: Speaker, language: str) -> set[VersionId]:
    return {each.version for each in passages if speaks_in(each, who, language)}


_KEPT = 40
"""Number of hits per group passed on in score order."""


@dataclass(frozen=True, slots=True)
class _Searchable:
    """What can be searched, and the detector of its names."""

    registry: Registry
    editions: Sequence[Edition]
    detector: Detector


async def _worded(plan: SearchPlan, contents: Sequence[str], editions: Sequence[Edition]) -> dict[str, str]:
    """The question in the words of the searched documents, by language."""
    languages = {edition.document.fields.language for edition in editions}
    return await asyncio.to_thread(in_words_of_documents, contents[0], plan.language, sorted(languages))


def _listed(ranked: Sequence[Sequence[Hit]], limit: int) -> list[Hit]:
    return interleaved([spread_over_pages(hits, limit) for hits in ranked], limit)


def _towns_lacking(resolution: Resolution, names: Detector) -> dict[str, str]:
    """The towns asked about that have no document: codes with names."""
    lacking = lacking_places(resolution.missing)
    return {place: names.called(place) for place in lacking if names.is_town(place)}


def _as_words(towns: Mapping[str, str]) -> dict[str, TellingWord]:
    """Those of `towns` whose names are one word, as words to look up."""
    return {
        place: TellingWord(written=name, words=1, spellings=(name.casefold(),), named=True)
        for place, name in towns.items()
        if name.isalpha()
    }


def _is_of_a_party_near(edition: Edition, towns: Iterable[str]) -> bool:
    """Whether parties have written a document for a place in the country of one of `towns`."""
    fields = edition.document.fields
    country = (fields.jurisdiction or "").partition("-")[0]
    return fields.doc_type in POLITICAL_TYPES and any(town.partition("-")[0] == country for town in towns)


def _telling(ranked: Sequence[Sequence[Hit]]) -> frozenset[TellingWord]:
    return frozenset(word for hits in ranked for hit in hits for word in hit.telling)


def _language_of(listed: Sequence[Hit]) -> str | None:
    """The language of the best hit."""
    return listed[0].edition.document.fields.language if listed else None


def _subject_in(asked: Asked, language: str | None) -> Subject:
    """The subject in the words of documents in `language`, that of the best hit."""
    question = asked.plan.question
    text = asked.content_for(language) if language else asked.content
    other = language is not None and text != asked.content
    written = language if language and other else question.language
    subject = subject_of(text, question.language, written, question.wanted, asked.content if other else "")
    return with_thing(subject) if question.asks_who else subject


def _result(
    plan: SearchPlan,
    subject: Subject,
    hits: Sequence[Hit],
    context: tuple[Hit, ...],
    text: str,
    clock: Stopwatch,
    ranked: Sequence[Sequence[Hit]] = (),
) -> SearchResult:
    return SearchResult(
        ranked=tuple(hit for hits in ranked for hit in hits[:_KEPT]),
        plan=plan,
        subject=replace(subject, telling=_telling(ranked)),
        hits=tuple(hits),
        context=context,
        context_text=text,
        missing=plan.missing,
        seconds=clock.seconds,
    )
