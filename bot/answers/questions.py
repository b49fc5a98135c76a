"""Answers questions, verifies alleged quotes, and explains answers afterwards."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bot.answers.alleged import (
    IN_PLACE,
    OWN_WORDS,
    Alleged,
    AllegedText,
    RoundQuotations,
    belongs_around,
    claimed_by,
    is_one_quote,
    is_question,
    marked_otherwise,
    with_stated,
    with_usual_marks,
)
from bot.answers.example_questions import PATIENCE_S, ExampleQuestions
from bot.answers.links import Links
from bot.answers.records.recorder import LOCAL, Explained, Recorder, explain
from bot.answers.records.why import recorded_citations
from bot.library.scoping import DEFAULT_COLLECTIONS, ScopeOptions, Searched, find_document
from bot.presentation.help_lines import HelpLines
from bot.telemetry import current_trace, traced
from core.answering.asker import Asker
from core.answering.entries import MAX_QUOTE, bounded
from core.answering.forms import EXTRACTIVE, NEAREST, as_printed, beginning, below_heading, nearest_of
from core.answering.generated.previews import OnClaims
from core.answering.notices import notices_of_unreadable
from core.answering.own_status import FIRST_PAGES, lines_on_status
from core.answering.personal_data import warm_up as find_personal_data
from core.answering.quote_check import Filtered, QuoteCheck, QuoteVerifier
from core.answering.quote_places import WRITTEN, Claimed
from core.answering.reports.like_with_like import common_level
from core.answering.reports.sides import Side
from core.domain.answers import STANDS, Answer, Citation, Notice, Outcome, Reading, Verdict
from core.domain.documents import DocumentFields, Edition
from core.domain.ids import TraceId, VersionId
from core.domain.journal import ChatKey, Pseudonym
from core.domain.passages import Passage
from core.domain.records import AnswerRecord, CitationRecord
from core.domain.scope import Detected, Scope, ThreadContext
from core.domain.search import QuestionKind
from core.errors import Refused
from core.evidence.alignment import quote_from_spans, without_comment
from core.evidence.dictionary import load as read_dictionaries
from core.evidence.index import GAP
from core.language.identification import detect
from core.library.printed_pages import labels_of, printed_pages
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.library import Library
from core.ports.models import AnswerReader, Embedder
from core.question.topic import is_bare_topic
from core.question.turns import TurnKind, TurnReader
from core.registry.quotations import Quotation
from core.registry.registry import named_party
from core.registry.towns import load as read_towns
from core.search.frame_reader import FrameReader
from core.search.plan import SearchResult
from core.search.searcher import Searcher

SURE = 0.8
"""Minimum probability for a text to be in a language."""

FOREMOST = 4
"""Number of passages nearest to a topic of which most must be parties' words."""

_NOT_THERE = (Verdict.ABSENT, Verdict.ALTERED)
"""Verdicts after which a text is read otherwise: what stands around its quote may be none of its words."""

_STATUS_LINES = 3
"""Maximum lines of a document that are looked at for what it says of itself."""

_AT_ONCE = 4
"""Number of quotations of a draft checked concurrently."""

WITH_EXAMPLES = ("info.greeting", "info.errand")
"""Notices for people who may not know yet what to ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Everything that can be asked of the library. `encoders` are those of `searcher`, `reader` is that of
    `asker`; `trace` returns the next answer's trace; `links` adds links to public citations."""

    library: Library
    searched: Searched
    searcher: Searcher
    asker: Asker
    verifier: QuoteVerifier
    recorder: Recorder
    journal: Journal
    clock: Clock
    examples: ExampleQuestions
    encoders: Sequence[Embedder] = ()
    reader: AnswerReader | None = None
    help: HelpLines = field(default_factory=HelpLines)
    turns: TurnReader = field(default_factory=TurnReader)
    frames: FrameReader = field(default_factory=FrameReader)
    links: Links | None = None
    trace: Callable[[], TraceId | None] = current_trace

    async def warm_up(self) -> None:
        """Load the models, so that the first answer is as quick as the next."""
        await asyncio.gather(
            *(encoder.warm_up() for encoder in self.encoders),
            *(reader.warm_up() for reader in (self.reader,) if reader is not None),
            asyncio.to_thread(detect, "warm up"),
            asyncio.to_thread(find_personal_data),
            asyncio.to_thread(read_dictionaries),
            asyncio.to_thread(read_towns),
            self.turns.warm_up(),
            asyncio.to_thread(self.searched.scoping.warm_up),
            *(writer.warm_up() for writer in (self.asker.generator(None),) if writer is not None),
        )

    async def search(self, question: str, options: ScopeOptions, *, k: int) -> SearchResult:
        """Retrieval only. Raises Refused for an empty or over-long question and for unknown places, parties,
        collections or documents."""
        question = self.asker.checked(question)
        scope, lacking = await self.searched.within(options)
        found = await self.searcher.search(
            question,
            scope=scope,
            chat_jurisdiction=options.chat_jurisdiction,
            k=k,
            today=self.clock.today(),
        )
        return replace(found, incomplete=bool(lacking))

    async def nearest(self, text: str, options: ScopeOptions) -> list[Reading]:
        """The pages nearest to what `text` says, for people to read. Raises like `search`."""
        found = await self.search(text, options, k=NEAREST)
        return [await as_printed(each, self.library) for each in nearest_of(found)]

    async def printed(self, found: SearchResult) -> list[tuple[str | None, ...]]:
        """Per hit, the printed numbers of its pages, if known."""
        places = [(hit.edition.version.id, hit.passage.pages) for hit in found.hits]
        printed = await printed_pages(places, self.library)
        return [labels_of(*place, printed) for place in places]

    async def looked(self, text: str, options: ScopeOptions) -> SearchResult | None:
        """The search result for `text` if it may be just the name of a topic, addressed to no party."""
        narrowed = options.chat_jurisdiction or options.chat_parties
        if narrowed or not await asyncio.to_thread(is_bare_topic, text):
            return None
        scope, _ = await self.searched.within(options)
        return await self.asker.look(text, scope=scope, chat_jurisdiction=options.chat_jurisdiction)

    def is_topic_of_parties(self, found: SearchResult) -> bool:
        """Whether the best results on a topic are from several parties for one place, and no party, place,
        document or year is named. If few passages have its words, several parties must have them at the
        place for which most parties have written."""
        named = found.plan.detected != Detected() or found.missing or found.unmentioned
        fields = [hit.edition.document.fields for hit in found.hits]
        if telling := found.subject.telling:
            registry = self.searched.scoping.within(found.plan.scope.collections).registry
            spoken = {party for each in found.searched for party in each.document.fields.parties}
            sides = [Side(party=party) for party in sorted(spoken)]
            most = common_level(sides, found.searched, (), registry)
            fields = [
                hit.edition.document.fields
                for hit in found.ranked
                if hit.telling == telling and hit.edition.document.fields.jurisdiction == most
            ]
        return not named and _of_several_parties(fields)

    async def check_answerer(self, answerer: str | None) -> None:
        """Raises Refused for a missing answerer, Broken("model.unusable") for a model that can never
        answer."""
        if (writer := self.asker.generator(answerer)) is not None:
            await writer.warm_up()

    async def ask(
        self,
        question: str,
        options: ScopeOptions,
        *,
        answerer: str | None = None,
        thread: ThreadContext | None = None,
        asked_by: Pseudonym = LOCAL,
        chat: ChatKey | None = None,
        progress: OnClaims | None = None,
        looked: SearchResult | None = None,
    ) -> Answer:
        """The answer, as in `Asker.answered`; its `thread` belongs to the next question. Who asked, and
        where, is recorded, unless it is for somebody in distress."""
        if (helped := await self.in_distress(question, options)) is not None:
            return helped
        with traced(self.trace()):
            scope, incomplete = await self.searched.within(options)
            answered = await self.asker.answered(
                question,
                scope=scope,
                chat_jurisdiction=options.chat_jurisdiction,
                answerer=answerer,
                thread=thread,
                progress=progress,
                looked=looked,
                leads_on=chat is not None,
            )
            answer = answered.answer
            if self.links is not None:
                answer = replace(answer, citations=await self.links.linked(answer.citations))
            nearest = [await as_printed(each, self.library) for each in answer.nearest]
            answer = replace(answer, nearest=tuple(nearest))
            if answer.outcome in (Outcome.GROUNDED, Outcome.NO_EVIDENCE):
                answer = replace(answer, notices=(*incomplete, *answer.notices))
            elif any(notice.key in WITH_EXAMPLES for notice in answer.notices):
                within_s = PATIENCE_S if chat else None
                shown = await self.examples.notice(scope.collections, answer.language, within_s=within_s)
                answer = replace(answer, notices=(*answer.notices, *shown))
            await self.recorder.answered(replace(answered, answer=answer), person=asked_by, chat=chat)
        return answer

    async def in_distress(self, text: str, options: ScopeOptions) -> Answer | None:
        """The help lines if `text` is from somebody in distress; nothing of it is recorded."""
        if (found := await self.turns.distress(text)) is None:
            return None
        return Answer(
            question=text,
            language=found.language,
            kind=QuestionKind.OFF_TOPIC,
            outcome=Outcome.INFO,
            claims=(),
            citations=(),
            scope=Scope(collections=options.collections or DEFAULT_COLLECTIONS),
            missing=(),
            confidence=1.0,
            notices=(self.help.notice(found, options.jurisdiction or options.chat_jurisdiction),),
            rejected=(),
            answerer=EXTRACTIVE,
            trace=self.recorder.new_trace(),
            seconds={},
        )

    async def verify(
        self,
        text: str,
        options: ScopeOptions,
        *,
        party: str | None = None,
        document: str | None = None,
        page: int | None = None,
        overheard: bool = False,
    ) -> QuoteCheck:
        """Check whether an alleged quote is in the documents; it is attributed to `party`, a party or place,
        and to `page` of `document`. Without the first two, the text before the quote says whose it is; in an
        `overheard` text, from a conversation, only if that is a name ("Look here: ..."). Raises Refused for
        one that is too long, and for unknown places and parties to look in, collections or documents."""
        text = bounded(text, MAX_QUOTE, "verify.too_long")
        scope, incomplete = await self.searched.within(options)
        stated = await self._stated(scope, party, document, page)
        text, sender = without_comment(with_usual_marks(text))
        if sender and named_party(self.searched.scoping.within(scope.collections).registry, sender):
            text = f"{sender}: {text}"
        read = await self._read(text, scope)
        check = await self._judged(await self._alleged(read, stated, overheard), scope, stated, incomplete)
        if check.verdict not in _NOT_THERE:
            return check
        try:
            return await self._otherwise(check, text, read, scope, stated, overheard, incomplete)
        except Refused:  # too slow, as a second reading
            return check

    async def _otherwise(
        self,
        check: QuoteCheck,
        text: str,
        read: AllegedText,
        scope: Scope,
        stated: Claimed,
        overheard: bool,
        incomplete: tuple[Notice, ...],
    ) -> QuoteCheck:
        """`check` of a `text` that does not stand there, or that of what else may be its quote."""
        best = check
        for other in (None, *marked_otherwise(text)):
            again = read if other is None else await self._read(other, scope)
            readings = [] if again is read else [await self._alleged(again, stated, overheard)]
            alone = await self._asked_about(again)
            readings += [replace(alone, claimed=with_stated(alone.claimed, stated))] if alone else []
            for reading in readings:
                found = await self._judged(reading, scope, stated, incomplete)
                if found.verdict in (*WRITTEN, Verdict.MISATTRIBUTED):
                    return check if belongs_around(reading, text, check) else found
                if best.verdict is Verdict.ABSENT and found.verdict is Verdict.ALTERED:
                    best = found
        return await self._with_words_alone(best, read, scope)

    async def _with_words_alone(self, check: QuoteCheck, read: AllegedText, scope: Scope) -> QuoteCheck:
        """`check`, of a text as a whole, with a notice where its words in quotation marks stand by
        themselves."""
        quoted = await asyncio.to_thread(read.quoted_alone)
        if check.verdict is not Verdict.ABSENT or quoted is None:
            return check
        found = await self.verifier.verify(
            quoted[1].words, scope=scope, claimed=Claimed(), today=self.clock.today()
        )
        told = (Notice(key="notice.quoted_alone"),) if found.verdict in STANDS else ()
        return replace(check, notices=(*check.notices, *told))

    async def _asked_about(self, read: AllegedText) -> Alleged | None:
        """The one quotation in a text, if that asks about it in words of its own; None for any other."""
        if (found := await asyncio.to_thread(read.quoted_alone)) is None:
            return None
        around, alone = found
        asks = is_question(" ".join(around.replace(IN_PLACE, " ").split()))
        return alone if asks or await self.turns.read(around) is TurnKind.TRUE else None

    async def verify_each(
        self, found: Sequence[Quotation], options: ScopeOptions
    ) -> list[QuoteCheck | Refused]:
        """The checks of a draft's quotations, each with its surroundings; Refused for one that cannot be
        checked. Raises Refused for unknown places and parties to look in, collections or documents."""
        scope, incomplete = await self.searched.within(options)
        names = self.searched.scoping.within(scope.collections)
        reader = RoundQuotations(names, await self.library.documents(scope.collections))
        frames = [frame for each in found for frame in reader.frames(each)]
        odds = {frame: await self.frames.odds(frame) for frame in frames}
        claims = await asyncio.to_thread(reader.claims, found, odds)
        turn = asyncio.Semaphore(_AT_ONCE)

        async def checked(words: str, claimed: Claimed) -> QuoteCheck | Refused:
            async with turn:
                try:
                    bounded(words, MAX_QUOTE, "verify.too_long")
                    alleged = Alleged(words=words, claimed=claimed)
                    return await self._judged(alleged, scope, Claimed(), incomplete)
                except Refused as refused:
                    return refused

        pairs = zip(found, claims, strict=True)
        return list(await asyncio.gather(*(checked(each.words, claimed) for each, claimed in pairs)))

    async def _judged(
        self, said: Alleged, scope: Scope, stated: Claimed, incomplete: tuple[Notice, ...]
    ) -> QuoteCheck:
        check = await self._verified(said, scope, stated)
        filtered = await self._filtered(said, scope, stated, check)
        incomplete = (*incomplete, *(filtered.notices if filtered else ()))
        if check.verdict is Verdict.ABSENT:
            incomplete += await self._translated(said.words, scope, said.claimed)
        notices = (*check.notices, *incomplete, *notices_of_unreadable(check.unseen))
        if self.links is not None:
            check = replace(check, matches=await self.links.linked(check.matches))
        return replace(check, filtered=filtered, notices=notices)

    async def _filtered(
        self, said: Alleged, scope: Scope, stated: Claimed, check: QuoteCheck
    ) -> Filtered | None:
        """The filters that kept words from being found as claimed, and where the words are outside them."""
        if check.verdict in (*WRITTEN, Verdict.MISATTRIBUTED, Verdict.TOO_SHORT):
            return None
        names = self.searched.scoping.within(scope.collections)
        titles = {each.id: each.fields.title for each in await self.library.documents(scope.collections)}
        filters = [*scope.parties, *map(names.places.name, scope.jurisdictions), *scope.doc_types]
        filters += [titles.get(each, each) for each in scope.documents]
        filters += [scope.as_of.isoformat()] if scope.as_of else []
        if not filters:
            return None
        found = await self._verified(said, Scope(collections=scope.collections), stated)
        outside = found.matches if found.verdict in (*WRITTEN, Verdict.MISATTRIBUTED) else ()
        if check.verdict is not Verdict.ABSENT and not outside:
            return None
        return Filtered(within=", ".join(filters), outside=outside)

    async def _translated(self, text: str, scope: Scope, claimed: Claimed) -> tuple[Notice, ...]:
        """Notices that no document that could contain an alleged quote is in its language, so that it can at
        best be a translation."""
        names = self.searched.scoping.within(scope.collections)
        editions = await self.library.editions(scope, on=self.clock.today())
        fields = [
            each.document.fields
            for each in editions
            if names.admits(scope, each) and (not claimed.documents or each.document.id in claimed.documents)
        ]
        own = [each for each in fields if claimed.is_by(each.parties)]
        languages = {each.language for each in own or fields}
        language, sure = detect(text)
        told = languages and sure >= SURE and language not in languages
        return (Notice(key="notice.translated"),) if told else ()

    async def _verified(self, said: Alleged, scope: Scope, stated: Claimed) -> QuoteCheck:
        """The check of the alleged words; or of the whole text, with only the `stated` claims, if the
        surrounding words belong to the quote, or if it is found nowhere without them."""
        today = self.clock.today()
        if not said.whole:
            return await self.verifier.verify(said.words, scope=scope, claimed=said.claimed, today=today)
        try:
            whole = await self.verifier.verify(said.whole, scope=scope, claimed=stated, today=today)
        except Refused as refused:
            if refused.key != "verify.too_slow":
                raise
            return await self.verifier.verify(said.words, scope=scope, claimed=said.claimed, today=today)
        if is_one_quote(said, whole):
            return whole
        if said.marked and not belongs_around(said, said.whole, whole, OWN_WORDS):
            check = await self.verifier.verify(said.words, scope=scope, claimed=said.claimed, today=today)
            return replace(check, notices=(*check.notices, Notice(key="notice.only_marked")))
        check = await self.verifier.verify(said.words, scope=scope, claimed=said.claimed, today=today)
        turned = check.verdict is Verdict.CUT and said.claimed.turned  # the denial is in its sentence
        if check.verdict is Verdict.TOO_SHORT and said.claimed.parties and whole.verdict not in WRITTEN:
            return check  # the attribution is not part of the quote
        return whole if turned or check.verdict in (Verdict.ABSENT, Verdict.TOO_SHORT) else check

    async def _stated(
        self, scope: Scope, party: str | None, document: str | None, page: int | None
    ) -> Claimed:
        """The claims made by options."""
        names = self.searched.scoping.within(scope.collections)
        claimed = claimed_by(party, names) if party else Claimed()
        visible = await self.library.documents(scope.collections) if document else []
        documents = (find_document(document, visible).id,) if document else ()
        return replace(claimed, documents=documents, page=page)

    async def _read(self, text: str, scope: Scope) -> AllegedText:
        names = self.searched.scoping.within(scope.collections)
        visible = await self.library.documents(scope.collections)
        return await asyncio.to_thread(AllegedText, text, names, visible)

    async def _alleged(self, read: AllegedText, stated: Claimed, overheard: bool) -> Alleged:
        """What a text alleges; `stated` claims override its own attribution."""
        odds = {frame: await self.frames.odds(frame) for frame in await asyncio.to_thread(read.frames)}
        alleged = await asyncio.to_thread(read.alleged, odds, overheard=overheard)
        return replace(alleged, claimed=with_stated(alleged.claimed, stated))

    async def why(self, trace: str) -> Explained:
        """Explains how an answer came about. Raises Refused for an unknown one."""
        return await explain(trace, self.journal, self.library)

    async def sureness(self, question: str, options: ScopeOptions) -> float:
        """The confidence that quotes within `options` answer a question, 0 if none does. Raises like
        `search`."""
        scope, _ = await self.searched.within(options)
        answer = await self.asker.quoted(question, scope=scope, chat_jurisdiction=options.chat_jurisdiction)
        return answer.confidence if answer.outcome is Outcome.GROUNDED else 0.0

    async def further(self, record: AnswerRecord, *, on_first: bool = False) -> list[Reading]:
        """Further places for a recorded answer, as in `bot.answers.questions`."""
        return await further(record, self.library, on_first=on_first)

    async def carrying_words(self, citation: Citation) -> str:
        """The words of a quote that answer, without those quoted around them."""
        spans = citation.carrying
        pages = await self.library.pages_at(citation.edition.version.id, {span.page for span in spans})
        return quote_from_spans(pages, spans).text if spans else citation.quote.text

    async def status_of(self, edition: Edition) -> Citation | None:
        """What a document says of itself on its first pages: that it is a draft, when it was decided; None if
        no line there says so."""
        pages = await self.library.pages_at(edition.version.id, FIRST_PAGES)
        document = edition.document
        scope = Scope(collections=(document.collection,), documents=(document.id,))
        for line in lines_on_status(page.text for page in pages)[:_STATUS_LINES]:
            check = await self.verifier.verify(line, scope=scope, claimed=Claimed(), today=self.clock.today())
            here = (each for each in check.matches if each.quote.pages[0] in FIRST_PAGES)
            if check.verdict in (*STANDS, Verdict.CUT) and (found := next(here, None)):
                return found
        return None

    async def citations_of(self, record: AnswerRecord) -> list[Citation]:
        """The citations of a recorded answer, to show again."""
        return await recorded_citations(record, self.library)


def _of_several_parties(found: Sequence[DocumentFields]) -> bool:
    """Whether most of the nearest passages, including the first, are parties', two of them for one place."""
    first = [fields.parties for fields in found[:FOREMOST]]
    theirs = [parties for parties in first if parties]
    mostly = bool(theirs) and bool(first[0]) and len(theirs) > len(first) // 2
    speakers = {(fields.jurisdiction, fields.parties) for fields in found if fields.parties}
    together = Counter(place for place, _ in speakers)
    return mostly and len(set(theirs)) > 1 and max(together.values()) > 1


# Further reading for an answer: how its pages continue, and the next places found.

NEXT_WORDS = 40
"""Number of words shown after a quote."""


async def further(record: AnswerRecord, library: Library, *, on_first: bool) -> list[Reading]:
    """Places that the answer did not quote, without repetition: the next ones found, then continuations of
    those quoted; with `on_first` the other way round, since reasons follow the statements they support."""
    on = await _continuations(record.citations, library)
    quoted = {citation.passage for citation in record.citations}
    hits = [hit.passage for hit in record.hits if hit.passage not in quoted]
    told = {(reading.edition.version.id, reading.begins) for reading in on}
    others = []
    for passage in await library.passages(hits):
        reading = await _reading(passage, beginning(passage), library)
        if reading is not None and (passage.version, reading.begins) not in told:
            others.append(reading)
    return [*on, *others] if on_first else [*others, *on]


async def _continuations(citations: Sequence[CitationRecord], library: Library) -> list[Reading]:
    """How the text continues after each quote, up to the next one."""
    found: list[Reading] = []
    quotes = [" ".join(citation.quote.split()) for citation in citations]
    for citation in citations:
        passages = await library.passages([citation.passage] if citation.passage else [])
        for quoted in passages:
            passage: Passage | None = quoted
            after = _text_after(quoted.text, citation.quote)
            if not after:
                passage = next(iter(await library.passages_at(quoted.version, [quoted.ordinal + 1])), None)
                after = passage.text if passage else ""
            begins = below_heading(after, NEXT_WORDS)
            if passage is None or not begins[1] or any(quote in begins[1] for quote in quotes):
                continue
            reading = await _reading(passage, begins, library)
            if reading is not None and reading not in found:
                found.append(reading)
    return found


def _text_after(text: str, quote: str) -> str:
    """The part of `text` after the last words of a quote that were quoted without a gap, with its lines;
    empty if they are not in it."""
    last = re.split(rf"{re.escape(GAP)}[.!?]?", quote)[-1]
    found = re.search(r"\s+".join(map(re.escape, last.split())), text) if last.strip() else None
    return text[found.end() :].strip() if found else ""


async def _reading(passage: Passage, begins: tuple[str, str], library: Library) -> Reading | None:
    edition = await _edition(passage.version, library)
    if edition is None or not passage.pages:
        return None
    found = Reading(edition=edition, page=passage.pages[0], begins=begins[1], under=begins[0])
    return await as_printed(found, library)


async def _edition(version: VersionId, library: Library) -> Edition | None:
    """The edition; None if its pages may no longer be shown."""
    found = await library.version(version)
    document = await library.document(found.document) if found else None
    if found is None or document is None:
        return None
    edition = Edition(document=document, version=found)
    return edition if edition.can_be_shown else None
