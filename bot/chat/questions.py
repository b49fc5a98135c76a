"""Answers a chat's questions and checks alleged quotes, with pages; remembers what threads are about, answers
questions about the last answer, and offers follow-ups."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.answers.alleged import has_quote
from bot.answers.questions import Questions
from bot.chat.cited_pages import (
    CitedPages,
    OfferedPlaces,
    Rest,
    buttons_to_read,
    files_wanted,
    how_to_read,
    offering,
    pages_shown,
    rest_of,
)
from bot.chat.command_table import Command, handles
from bot.chat.guard import is_inner
from bot.chat.pictures import BEST, MOST_BYTES, PictureReader, is_picture, is_voice, sentences_on
from bot.chat.reports import LONGEST_BUTTON, ComparisonCommands
from bot.chat.request import RecentAnswers, Request, SmallPrint, said
from bot.library.scoping import DEFAULT_COLLECTIONS, KnownNames, ScopeOptions
from bot.presentation.attachments import pages_of
from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks
from bot.presentation.presenter import Presenter
from bot.presentation.views.answers import check_view
from bot.presentation.wording.answers import AnswerMessages
from bot.presentation.wording.checks import check_blocks, shown_matches
from core.answering.extractive.confidence import DOUBTFUL, SURE
from core.answering.generated.previews import OnClaims
from core.answering.neighbours import Neighbours
from core.answering.quote_check import QuoteCheck
from core.domain.answers import Answer, Citation, Claim, Outcome, Verdict
from core.domain.ids import TraceId
from core.domain.journal import ThreadKey
from core.domain.messages import Attachment, Button, MessageKind, Reply, ReplyFile
from core.domain.records import AnswerRecord, RecordKind
from core.domain.rich_text import Block, bold, joined, quotation, small
from core.domain.scope import Missing, ThreadContext, continued
from core.domain.search import QuestionKind
from core.errors import FundstelleError, Refused
from core.language.identification import detect
from core.ports.journal import Journal
from core.question.followups import (
    GoingOn,
    asks_anew,
    asks_others,
    corrected,
    going_on,
    own_language,
    place_asked,
    speaks_of_itself,
)
from core.question.kinds import asks_all_parties
from core.question.turns import OF_LAST_ANSWER, TurnKind, left_alone
from core.registry.detection import Detector
from core.search.plan import SearchResult

_OF_DOCUMENTS = (TurnKind.CURRENT, TurnKind.SINCE, TurnKind.WHO)
"""Kinds of questions about the documents of an answer."""
_MOST_DOCUMENTS = 3
"""Maximum number of documents of which it is shown what they say of themselves."""


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """Answers them."""

    questions: Questions
    pages: CitedPages
    journal: Journal
    recent: RecentAnswers
    offered: OfferedPlaces

    async def trace(self, request: Request) -> TraceId | None:
        """The answer that a message replies to, or the last one in its thread."""
        return await self.replied(request) or self.recent.last(request)

    async def replied(self, request: Request) -> TraceId | None:
        """The answer that a message replies to."""
        if request.message.reply_to is None:
            return None
        return await self.journal.trace_of(replace(request.message.ref, message=request.message.reply_to))

    async def again(self, request: Request, texts: Texts) -> Reply | None:
        """The quotes of the last answer with their sources in the language of `texts`; None without any."""
        record = await self._record(request, await self.trace(request))
        if record is None:
            return None
        request = replace(request, texts=texts)
        blocks = self._quoted(request, await self.questions.citations_of(record))
        return Reply(blocks=blocks, language=texts.language) if blocks else None

    async def _record(self, request: Request, trace: TraceId | None) -> AnswerRecord | None:
        """The record of the answer `trace`, if its chat may see all that was searched."""
        record = await self.journal.answer(trace) if trace else None
        return record if record and set(record.scope.collections) <= set(request.chat.collections) else None

    def _quoted(self, request: Request, citations: Sequence[Citation]) -> tuple[str, ...]:
        """Quotes, each with its source below."""
        lines = self.pages.lines(request, citations)
        return tuple(
            "\n".join((in_marks(each.quote.text, request.texts), lines[each.label])) for each in citations
        )

    async def told(
        self, request: Request, text: str, trace: TraceId | None, names: Callable[[], Detector]
    ) -> Reply | None:
        """The reply if `text` asks about the answer `trace`; None for any other question, such as one for
        more that names somebody or asks how much."""
        kind, wanted, place = await self.questions.turns.read(text), going_on(text), place_asked(text)
        if wanted is None and place is None and kind not in OF_LAST_ANSWER:
            return None
        if wanted is None and kind is TurnKind.MORE and await asyncio.to_thread(asks_anew, text, names):
            return None
        record = await self._record(request, trace)
        if record is None:
            return None if wanted or place else said(request.texts("command.nothing_before"))
        if not request.state.language:  # such words are too short to tell one
            request = replace(request, texts=self.pages.presenter.texts(record.language))
        if place is not None:
            return await self._at(request, place, record)
        if wanted is GoingOn.REASONS:
            reasons = await self._with_reasons(request, record)
            return reasons or said(request.texts("command.no_further"))
        if wanted or kind is TurnKind.MORE:
            further = await self.further(request, record, on_first=False)
            return further or said(request.texts("command.no_further"))
        return await self._of(request, kind, record)

    async def further(self, request: Request, record: AnswerRecord, *, on_first: bool) -> Reply | None:
        """The next further places for an answer; None if there are no more."""
        places = await self.questions.further(record, on_first=on_first)
        offered = self.offered.next(request, record.trace, places)
        self.offered.keep(request, offered)
        return offering(request, request.texts("answer.further"), offered) if offered else None

    async def _at(self, request: Request, place: int, record: AnswerRecord) -> Reply | None:
        """The quote at position `place`, or the contents of that row of a report, with its page; None if
        there is only one, or not as many."""
        citations = await self.questions.citations_of(record)
        rows: dict[object, list[Citation]] = {}
        for item in citations:
            answer = record.kind is RecordKind.ANSWER
            rows.setdefault(item.label if answer else item.edition.document.fields.parties, []).append(item)
        if not (len(rows) > 1 and place <= len(rows)):
            return None
        meant = list(rows.values())[place - 1]
        files = await self.pages.files(request, meant)
        return Reply(blocks=self._quoted(request, meant), files=files, language=request.texts.language)

    async def _of(self, request: Request, kind: TurnKind, record: AnswerRecord) -> Reply:
        """Its sources, below an introduction; with the page if that was asked for."""
        citations, texts = await self.questions.citations_of(record), request.texts
        if kind is TurnKind.COMPLAINT:
            return await self._instead(request, record)
        if not citations:
            return said(texts("command.nothing_quoted"))
        if kind in _OF_DOCUMENTS:
            citations = list({each.edition.version.id: each for each in reversed(citations)}.values())[::-1]
        lines = list(self.pages.lines(request, citations).values())
        if kind is TurnKind.SHORTER:
            words = await self.questions.carrying_words(citations[0])
            return said("\n".join((in_marks(words, texts), lines[0])))
        if kind is TurnKind.CONTEXT:
            return await self._around(request, citations[0], lines[0])
        shown = citations if kind is TurnKind.PAGE else []
        heading = texts(f"command.last_{kind.value}")
        blocks = ["\n".join((heading, *lines))]
        if kind in _OF_DOCUMENTS:
            shown = await self._on_status(citations)
            blocks += [
                texts(
                    "command.last_status",
                    title=defused(each.edition.document.fields.title),
                    page=each.printed_labels[0] or each.quote.pages[0],
                    quote=in_marks(each.quote.text, texts),
                )
                for each in shown
            ]
        files = await self.pages.files(request, shown) if shown else ()
        return Reply(blocks=tuple(blocks), files=files, language=texts.language)

    async def _on_status(self, citations: Sequence[Citation]) -> list[Citation]:
        """What the documents of `citations`, one of each, say of themselves."""
        found = [await self.questions.status_of(each.edition) for each in citations[:_MOST_DOCUMENTS]]
        return [replace(each, label=str(number)) for number, each in enumerate(filter(None, found), 1)]

    async def _around(self, request: Request, citation: Citation, line: str) -> Reply:
        """The sentences before and after a quote, and its page, which shows the rest."""
        beside, texts = await self.questions.verifier.surroundings(citation), request.texts
        around = [each and in_marks(each.text, texts) for each in (beside.before, beside.after)]
        quoted = bold(in_marks(citation.quote.text, texts))
        shown = [each for each in (around[0], quoted, around[1]) if each]
        heading = texts("command.last_context" if any(around) else "command.last_alone")
        files = await self.pages.files(request, [citation])
        return Reply(blocks=(heading, *shown, line), files=files, language=texts.language)

    async def _with_reasons(self, request: Request, record: AnswerRecord) -> Reply | None:
        """The sentences around the first quote, where its reasons are if it has any, and further places; None
        without any."""
        begun = self.offered.begun(request, record.trace)
        further = await self.further(request, record, on_first=True)
        citations = [] if begun else await self.questions.citations_of(record)
        beside = await self.questions.verifier.surroundings(citations[0]) if citations else Neighbours()
        around = [each for each in (beside.before, beside.after) if each]
        if not around:
            return further
        heading = request.texts("command.last_reasons")
        shown = [in_marks(each.text, request.texts) for each in around]
        line = self.pages.lines(request, citations)[citations[0].label]
        files = await self.pages.files(request, citations[:1])
        blocks = ("\n".join((heading, *shown, line)), *(further.blocks if further else ()))
        return replace(
            further or Reply(blocks=()), blocks=blocks, files=files, language=request.texts.language
        )

    async def _instead(self, request: Request, record: AnswerRecord) -> Reply:
        """That something else was asked, with the next places found."""
        text = request.texts("command.last_complaint")
        further = await self.further(request, record, on_first=False)
        return replace(further, blocks=(text, *further.blocks)) if further else said(text)


PARTIES = 2
"""Maximum parties offered as follow-ups."""


def with_follow_ups(
    content: Reply, request: Request, answer: Answer, topic: str, presenter: Presenter
) -> Reply:
    """`content` with follow-ups to `answer`; `topic` is what all parties may be compared on, empty if
    unknown. If that is too long for a button, it is shown as a line to type."""
    can = request.stage.capabilities
    comparable = bool(topic) and bool(answer.others or any(each.key == TOLD for each in answer.notices))
    offered = [*_parties(answer, presenter)]
    if comparable:
        offered.append(Button(label=request.texts("compare.all"), command=f"/compare {topic}"))
    offered += [*_page(request, answer), *_earlier(answer, presenter)]
    fit = [each for each in offered if len(each.command.encode()) <= LONGEST_BUTTON]
    content = replace(content, follow_ups=tuple(fit))
    if not comparable or any(each.command.startswith("/compare") for each in fit):
        return content
    by_line = request.texts("compare.all_by", prefix=can.command_prefix, question=topic)
    return replace(content, blocks=(*content.blocks, small(by_line)))


TOLD = "notice.others_too"
"""Notices of parties that have something on the topic but are not quoted."""


def _parties(answer: Answer, presenter: Presenter) -> Iterator[Button]:
    texts = presenter.texts(answer.language)
    for party in answer.others[:PARTIES]:
        asked = texts("button.party", name=presenter.names.parties(party))
        yield Button(label=asked, command=f"/ask {asked}")


def _page(request: Request, answer: Answer) -> Iterator[Button]:
    """The page of the first quote; if no page was sent and there is only one, that has its own button."""
    wanted = files_wanted(request)
    pages = pages_of(answer.citations)
    if pages and (wanted == "picture" or (wanted == "request" and len(pages) > 1)):
        label = request.texts("button.one_page", page=pages[0].printed or str(pages[0].page))
        yield Button(label=label, command=f"/page {answer.citations[0].label}")


def _earlier(answer: Answer, presenter: Presenter) -> Iterator[Button]:
    if answer.earlier:
        texts, year = presenter.texts(answer.language), str(answer.earlier)
        asked = texts("button.year", year=year)
        yield Button(label=texts("button.earlier", year=year), command=f"/ask {asked}")


FOLLOW_UP = timedelta(hours=2)
"""How long a thread is remembered after its last question."""

UNDERSTOOD = "notice.understood_as"
"""Key of the notice how a follow-up was understood."""

_ON_A_CLAIM = 0.7
"""Minimum confidence of quotes shown on a claim: unsure ones would seem to bear it out."""

MONOLOGUE = timedelta(minutes=10)
"""How long a person's last question is remembered outside its thread."""


@dataclass(frozen=True, slots=True)
class QuestionCommands:
    """The commands that ask and verify."""

    questions: Questions
    pages: CitedPages
    presenter: Presenter
    journal: Journal
    recent: RecentAnswers
    offered: OfferedPlaces
    small_print: SmallPrint
    comparing: ComparisonCommands
    last: LastAnswer
    pictures: PictureReader | None = None

    @handles("ask")
    async def _ask(self, request: Request, command: Command) -> Reply:
        """The answer to a question, with its pages."""
        if not command.rest:
            spoken = any(map(is_voice, request.message.attachments))
            return said(request.texts("command.voice") if spoken else request.hint("command.usage_ask"))
        kind = await self.questions.turns.read(command.rest)
        if kind is TurnKind.INSTRUCTION:
            return said(request.hint("command.instruction"))
        if kind is TurnKind.REMARK and left_alone(kind, command.rest):
            return said(request.texts("info.remark"))
        trace = await self.last.trace(request)
        context = await self._context(request)
        if context and (instead := await asyncio.to_thread(self._instead, request, context)):
            context, command = None, replace(command, rest=instead)
        if context and (beside := await self._of_others(request, command.rest, context, trace)) is not None:
            return beside
        if (
            told := await self.last.told(request, command.rest, trace, partial(self._names, request))
        ) is not None:
            return told
        options = await self._own_first(request, command.rest, context)
        looked = None if context else await self.questions.looked(command.rest, options)
        if (compared := await self._of_all_parties(request, command.rest, context, looked)) is not None:
            return compared
        answer = await self.questions.ask(
            command.rest,
            options,
            thread=context,
            asked_by=request.person,
            chat=request.key,
            progress=self._shows(request),
            looked=looked,
        )
        answer = await asyncio.to_thread(self._in_one_language, request, answer)
        request = replace(request, texts=self.presenter.texts(answer.language))
        anew = await asyncio.to_thread(asks_anew, command.rest, partial(self._names, request))
        same = not anew and await self._says_the_same(request, command.rest, answer)
        await self._remember(request, answer.thread, answer.trace)
        if answer.kind is not QuestionKind.OFF_TOPIC:  # "thanks", then "source?"
            self.recent.keep(request, answer.trace)
        if same and (others := await self._further(request, answer)) is not None:
            return others
        self.offered.keep(request, answer.nearest)
        shown = pages_shown(request)
        self.offered.keep_pages(request, answer.trace, shown)
        rest = rest_of(request, answer.trace, answer.citations, shown=shown)
        content = Reply(
            blocks=(
                *self._blocks(request, answer),
                *await self._kept_back(request, answer),
                *map(small, (*rest.blocks, *how_to_read(request, answer.nearest))),
            ),
            files=await self.pages.files(request, answer.citations, limit=pages_shown(request)),
            buttons=self._buttons(answer, request, rest) if answer.outcome is not Outcome.INFO else (),
            trace=answer.trace,
            replaces=request.stage.shown,
            language=answer.language,
        )
        presenter = self.presenter.within(request.chat.collections)
        return with_follow_ups(content, request, answer, self._topic(request, answer), presenter)

    def _topic(self, request: Request, answer: Answer) -> str:
        """What the parties may be compared on: the topic alone, or the whole question where it names a place
        that is not the chat's, which the topic has lost, and no party, which would be the only one."""
        own = (request.state.jurisdiction,) if request.state.jurisdiction else ()
        if answer.topic and answer.scope.jurisdictions in ((), own):
            return answer.topic
        asks_nobody = any(notice.key == TOLD for notice in answer.notices)
        return next(iter(answer.queries), answer.question) if asks_nobody else ""

    async def _of_all_parties(
        self, request: Request, question: str, context: ThreadContext | None, looked: SearchResult | None
    ) -> Reply | None:
        """The parties side by side, if `question` asks all of them without naming any, or opens a thread with
        the bare name of a topic of theirs; None otherwise, or if there are fewer than two."""
        asks = await asyncio.to_thread(self._names_nobody_but_all, request, question)
        if not asks and not (looked and self.questions.is_topic_of_parties(looked)):
            return None
        try:
            content = await self.comparing.side_by_side(request, question)
        except Refused:
            return None
        if content.trace is not None:
            language = detect(question)[0]
            await self._remember(request, continued(context, question, language), TraceId(content.trace))
        return content

    async def _of_others(
        self, request: Request, question: str, context: ThreadContext, trace: TraceId | None
    ) -> Reply | None:
        """What all other parties say on the previous question, if `question` asks only for that and it is
        known whose words were shown."""
        if not asks_others(question):
            return None
        record = await self.journal.answer(trace) if trace else None
        cited = await self.questions.citations_of(record) if record else ()
        earlier, names = context.questions[-1], self._names(request)
        detected = await asyncio.to_thread(names.detect, earlier)
        spoken = {party for item in cited for party in item.edition.document.fields.parties}
        spoken |= {party.key for party in detected.parties}
        if not spoken:
            return None
        own = request.state.language or await asyncio.to_thread(
            own_language, question, names, context.language
        )
        try:
            content = await self.comparing.side_by_side(request, earlier, without=spoken, language=own)
        except Refused as refused:
            everybody = refused.key == "scope.compare_few"  # they have all spoken
            return said(self.presenter.texts(own)("command.no_further")) if everybody else None
        if content.trace is not None:
            await self._remember(request, context, TraceId(content.trace))
        return content

    def _in_one_language(self, request: Request, answer: Answer) -> Answer:
        """`answer` with the bot's words in the chat's language, else in the question's; a follow-up uses its
        own. How it was understood is in the language of the thread, so it is not shown in a different one."""
        language, followed = request.state.language, answer.question not in answer.queries
        if not language and followed:
            language = own_language(answer.question, self._names(request), answer.language)
        if not language or language == answer.language:
            return answer
        told = tuple(each for each in answer.notices if not (followed and each.key == UNDERSTOOD))
        return replace(answer, language=language, notices=told)

    def _names_nobody_but_all(self, request: Request, question: str) -> bool:
        if not asks_all_parties(question):
            return False
        named = self._names(request).detect(question)
        return not named.mentions and not any(year.point_in_time for year in named.years)

    async def _own_first(
        self, request: Request, question: str, context: ThreadContext | None
    ) -> ScopeOptions:
        """The scope of a question. In a staff chat "we" and "our" mean its party, and a question that names
        nobody is put to its own collections alone if these answer it with high confidence, or medium if it
        says "we"."""
        options = request.options
        if request.chat.audience != "staff":
            return options
        named = await asyncio.to_thread(self._names(request).detect, question)
        if named.parties or named.strangers:
            return options
        ourselves = speaks_of_itself(question)
        own = tuple(each for each in request.chat.collections if each not in DEFAULT_COLLECTIONS)
        if own and context is None:
            inside = replace(options, collections=own, chat_parties=())
            if await self.questions.sureness(question, inside) >= (DOUBTFUL if ourselves else SURE):
                return inside
        party = self._known(request).own_party(request.chat.party) if ourselves else None
        return replace(options, chat_parties=(party,)) if party else options

    def _known(self, request: Request) -> KnownNames:
        return self.questions.searched.scoping.within(request.chat.collections)

    def _instead(self, request: Request, context: ThreadContext) -> str:
        """What a message that corrects the question before it asks alone: where neither names a party, and
        the message nothing, there is nothing in that question for it to replace. "" for any other."""
        meant = corrected(request.message.text)
        if meant is None:
            return ""
        named, earlier = map(self._names(request).detect, (meant.text, context.questions[-1]))
        return "" if named.mentions or named.years or earlier.parties else meant.text

    def _names(self, request: Request) -> Detector:
        return Detector(self._known(request).registry, ())

    def _blocks(self, request: Request, answer: Answer) -> list[Block]:
        """The answer; in small print its disclaimer, if the thread has not seen it yet, and where was
        searched, if that is not obvious."""
        presenter = self.presenter.within(request.chat.collections)
        messages, texts = AnswerMessages(presenter), presenter.texts(answer.language)
        answer = replace(answer, missing=self._missing(request, answer))
        blocks = messages.blocks(answer, texts)
        if answer.outcome is Outcome.INFO:
            return blocks
        quotes = answer.outcome is Outcome.GROUNDED  # what is said of quotes is not said where there are none
        edited = request.message.kind is MessageKind.EDIT
        first = quotes and (self.small_print.is_due(request) or edited)
        if first or not messages.shows_scope(answer, texts) or self._names_others(request, answer):
            blocks.append(messages.small_print(answer, texts, disclaimer=first))
        return blocks

    def _missing(self, request: Request, answer: Answer) -> tuple[Missing, ...]:
        """The names without a source; that the chat's own place has none is said once, and whenever that
        place is named or nothing was found."""
        place = request.state.jurisdiction or ""
        own = Missing(kind="jurisdiction", name=place)
        if own not in answer.missing or self.small_print.is_due(request, f"no source: {place}"):
            return answer.missing
        surprising = request.message.kind is MessageKind.EDIT or answer.outcome is not Outcome.GROUNDED
        if surprising or place in answer.named:
            return answer.missing
        return tuple(each for each in answer.missing if each != own)

    def _names_others(self, request: Request, answer: Answer) -> bool:
        """Whether a question names a party other than the one set for its chat."""
        parties = request.state.parties
        if not parties:
            return False
        known = {party.name for party in self._known(request).registry.parties}
        return not answer.named & known <= set(parties)

    async def _kept_back(self, request: Request, answer: Answer) -> tuple[Block, ...]:
        """A notice that only the chat's party was searched, if nothing certain was found there and others
        answer."""
        parties, silent = request.state.parties, answer.outcome is Outcome.NO_EVIDENCE
        unsure = silent or (answer.outcome is Outcome.GROUNDED and answer.confidence < DOUBTFUL)
        if not unsure or not parties or answer.scope.parties != parties:
            return ()
        question = next(iter(answer.queries), answer.question)
        elsewhere = await self.questions.sureness(question, replace(request.options, chat_parties=()))
        if elsewhere <= (0.0 if silent else answer.confidence):
            return ()
        texts, prefix = self.presenter.texts(answer.language), request.stage.capabilities.command_prefix
        names = self.presenter.within(request.chat.collections).names.parties(*parties)
        return (texts("command.party_hides", name=names, prefix=prefix),)

    async def _says_the_same(self, request: Request, question: str, answer: Answer) -> bool:
        """Whether a follow-up is answered only with quotes from the previous answer."""
        trace = self.recent.last(request)
        if not answer.citations or trace is None or question in answer.queries[:1]:
            return False
        record = await self.journal.answer(trace)
        quoted = {citation.quote for citation in record.citations} if record else set()
        return {citation.quote.text for citation in answer.citations} <= quoted

    async def _further(self, request: Request, answer: Answer) -> Reply | None:
        """Further results for an answer; None if there are none."""
        record = await self.journal.answer(answer.trace)
        return await self.last.further(request, record, on_first=False) if record else None

    def _buttons(self, answer: Answer, request: Request, rest: Rest) -> tuple[tuple[Button, ...], ...]:
        texts, trace = request.texts, answer.trace
        judge = tuple(
            Button(label=texts(f"button.{verdict}"), command=f"/feedback {verdict} {trace}")
            for verdict in ("useful", "wrong", *(("wrong_page",) if answer.citations else ()))
        )
        why = Button(label=texts("button.why"), command=f"/why {trace}")
        subscribe = Button(label=texts("button.subscribe"), command=f"/subscribe {trace}")
        return (*buttons_to_read(request, answer.nearest), judge, (*rest.buttons, why), (subscribe,))

    def _shows(self, request: Request) -> OnClaims | None:
        """Shows proven claims in one message while a model is still writing. Not in a chat that sees more
        than the public, where the audience is checked again before anything is sent."""
        if not request.stage.capabilities.edits or is_inner(request.chat):
            return None
        if request.message.kind is MessageKind.EDIT:  # the answer goes into the place of the one before
            return None

        async def show(claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
            presenter = self.presenter.within(request.chat.collections)
            await request.stage.show(AnswerMessages(presenter).draft(claims, citations, request.texts))

        return show

    def _thread_key(self, request: Request, thread: str) -> ThreadKey:
        return ThreadKey(chat=request.key, thread=thread, collections=request.chat.collections)

    async def _context(self, request: Request) -> ThreadContext | None:
        """The preceding questions: of the thread; or of the answer replied to, or whose button was
        pressed."""
        thread, replied = request.thread, None
        pressed = request.message.kind is MessageKind.BUTTON
        if pressed or thread is None or (thread == "" and request.message.reply_to):
            replied = await self.last.replied(request)
            thread = f"re:{replied}" if replied else thread
        threads = (thread, request.monologue if request.opens else None)
        for each in threads:
            found = each is not None and await self.journal.context(
                self._thread_key(request, each), at=request.now
            )
            if found:
                return found
        record = await self.journal.answer(replied) if pressed and replied else None
        if record is None or record.texts is None:
            return None
        question = next(iter(record.texts.queries), record.texts.question)
        return ThreadContext(questions=(question,), language=record.language)

    async def _remember(self, request: Request, context: ThreadContext | None, trace: TraceId) -> None:
        """Remember it for the thread, and for replies to this very answer."""
        if context is None:
            return
        terms = {request.thread: FOLLOW_UP, f"re:{trace}": FOLLOW_UP, request.monologue: MONOLOGUE}
        for thread, term in terms.items():
            if thread is not None:
                await self.journal.save_context(
                    self._thread_key(request, thread),
                    context,
                    person=request.person,
                    expires_at=request.now + term,
                )

    async def _on_picture(self, request: Request, picture: Attachment) -> Reply | None:
        """The text in a picture, and the check of its longest sentences, one by one: that one of them is real
        says nothing about the others."""
        text = await self._read(request, picture)
        sentences = await asyncio.to_thread(sentences_on, text)
        if not sentences:
            return None
        party = self._said_of(request) or self._only_party(request, text)
        blocks: list[Block] = [joined([small(request.texts("command.picture")), quotation(defused(text))])]
        files: tuple[ReplyFile, ...] = ()
        checks = [await self._best(request, readings, party) for readings in sentences]
        told = [each for each in checks if each[1].verdict is not Verdict.TOO_SHORT]
        for words, check in told or checks[:1]:
            head, *rest = check_blocks(check_view(words, check, {}), request.texts)
            blocks.append(joined([quotation(in_marks(words, request.texts)), head, *rest]))
            shown = shown_matches(check.matches, altered=bool(check.wording))
            files = files or await self.pages.files(request, shown)
        return Reply(blocks=tuple(blocks), files=files)

    async def _read(self, request: Request, picture: Attachment) -> str:
        """The text on `picture`. Raises like fetching and reading."""
        if self.pictures is None:
            return ""
        with TemporaryDirectory(prefix="fundstelle-") as folder:
            path = await request.stage.fetch(picture, Path(folder), max_bytes=MOST_BYTES)
            return await self.pictures.words(path)

    async def _best(
        self, request: Request, readings: Sequence[str], party: str | None
    ) -> tuple[str, QuoteCheck]:
        """The reading of a sentence that is in a document, if any, else the first; and its check."""
        checks = [
            (words, await self.questions.verify(words, request.options, party=party, overheard=True))
            for words in readings
        ]
        order = {verdict: number for number, verdict in enumerate(BEST)}
        return min(checks, key=lambda each: order.get(each[1].verdict, len(BEST)))

    def _said_of(self, request: Request) -> str | None:
        """The only party named by a question about somebody else's words."""
        return self._only_party(request, request.message.text)

    def _only_party(self, request: Request, text: str) -> str | None:
        named = {each.key for each in self._names(request).detect(text).parties}
        return named.pop() if len(named) == 1 else None

    @handles("verify")
    async def _verify(self, request: Request, command: Command) -> Reply:
        message = request.message
        pictures = (*message.attachments, *message.shown_files)
        if not command.rest and (picture := next(filter(is_picture, pictures), None)):
            on_picture = await self._on_picture(request, picture)
            if on_picture is not None:
                return on_picture
            command = replace(command, rest=message.shown)
            if not command.rest:
                return said(request.texts("command.no_picture"))
        if not command.rest:
            return said(request.hint("command.usage_verify"))
        overheard = command.rest == request.message.shown
        party = self._said_of(request) if overheard else None
        check = await self.questions.verify(command.rest, request.options, party=party, overheard=overheard)
        if check.verdict is Verdict.ABSENT and (
            other := await self._in_other_words(request, command.rest, party)
        ):
            return other
        blocks = check_blocks(check_view(command.rest, check, {}), request.texts)
        if check.verdict is Verdict.ABSENT and (near := await self._nearest(request, command.rest)):
            return replace(near, blocks=(*blocks, *near.blocks))
        shown = shown_matches(check.matches, altered=bool(check.wording))
        return Reply(blocks=tuple(blocks), files=await self.pages.files(request, shown))

    async def _in_other_words(self, request: Request, words: str, party: str | None) -> Reply | None:
        """What the documents say on a claim without quotation marks, perhaps of `party`, that stands nowhere
        in these words: somebody may have said it in their own. None if nothing there answers it."""
        if has_quote(words) or asks_all_parties(words):
            return None
        options = replace(request.options, parties=(party,)) if party else request.options
        try:
            if await self.questions.sureness(words, options) < _ON_A_CLAIM:
                return None  # asked only if it is shown: what is asked is recorded, and corrected later
            answer = await self.questions.ask(words, options, asked_by=request.person, chat=request.key)
        except FundstelleError:  # too long for a question, or the search fails
            return None
        if answer.outcome is not Outcome.GROUNDED:
            return None
        request = replace(request, texts=self.presenter.texts(answer.language))
        self.recent.keep(request, answer.trace)
        return Reply(
            blocks=(request.texts("verify.in_other_words"), *self._blocks(request, answer)),
            files=await self.pages.files(request, answer.citations, limit=pages_shown(request)),
            trace=answer.trace,
            language=answer.language,
        )

    async def _nearest(self, request: Request, words: str) -> Reply | None:
        """The pages nearest to what words say that stand nowhere: somebody may have said it in their own.
        None where they cannot be searched for: the verdict stands without them."""
        try:
            places = await self.questions.nearest(words, request.options)
        except FundstelleError:  # too long for a question, or the search fails
            return None
        self.offered.keep(request, places)
        return offering(request, request.texts("answer.nearest"), places) if places else None
