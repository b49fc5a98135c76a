"""Commands about the person asking and about the chat: help, ids, privacy, explanations of answers,
feedback; place, party, language, files, corrections, and forgetting the thread."""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version

from bot.answers.example_questions import PATIENCE_S
from bot.answers.inline import START
from bot.answers.links import Links, standing
from bot.answers.questions import Questions
from bot.answers.records.why import reasons_told, record_text
from bot.chat.cited_pages import MAX_PAGES, CitedPages, OfferedPlaces, offering, pages_shown, rest_of
from bot.chat.command_table import Command, Role, handles, listed
from bot.chat.documents import example_name
from bot.chat.guard import listing
from bot.chat.questions import LastAnswer
from bot.chat.request import RecentAnswers, Request, said
from bot.files import write_file
from bot.library.documents import Documents
from bot.library.scoping import Scoping
from bot.presentation.attachments import page_name_of, pages_of
from bot.presentation.i18n import Texts, languages, typed
from bot.presentation.phrases import page_name
from bot.presentation.presenter import Presenter
from bot.presentation.wording.answers import AnswerMessages, Speaker
from core.domain.answers import Outcome
from core.domain.documents import PUBLIC
from core.domain.ids import TraceId
from core.domain.journal import AuditAction, AuditEntry, ChatState, Feedback, FeedbackVerdict, Retention
from core.domain.messages import Button, MessageKind, MessageRef, Reply, ReplyFile
from core.domain.records import AnswerRecord, RecordKind
from core.domain.rich_text import code, small
from core.errors import Refused
from core.ports.journal import Journal

OFFERED = 12
"""Maximum places offered as buttons."""
_ROW = 2
FILES = ("pdf", "picture", "both", "request")
"""Kinds of files that can accompany an answer."""


def _clears(wanted: str) -> bool:
    return wanted in (*typed("clear"), *typed("none"))


def _leaves_open(wanted: str) -> bool:
    """Whether the setting should be cleared: "clear", "all", "all parties"."""
    first, *rest = wanted.split()
    return _clears(wanted) or (first in typed("all") and set(rest) <= set(typed("all_of")))


@dataclass(frozen=True, slots=True)
class SettingCommands:
    """The commands that set something."""

    documents: Documents
    scoping: Scoping
    presenter: Presenter
    journal: Journal
    last: LastAnswer

    def _seen(self, request: Request) -> Presenter:
        return self.presenter.within(request.chat.collections)

    @handles("jurisdiction")
    async def _jurisdiction(self, request: Request, command: Command) -> Reply:
        wanted = command.rest.lower()
        names = self.scoping.within(request.chat.collections)
        if not wanted:
            return await self._offered(request)
        if _leaves_open(wanted):
            await self._save(request, replace(request.state, jurisdiction=None), "jurisdiction", "")
            return said(request.texts("command.jurisdiction_cleared"))
        if wanted in typed("list"):
            known = [row.code for row in names.registry.jurisdictions]
            rows = [f"- {self._seen(request).place(code, request.texts)} ({code})" for code in known]
            return said("\n".join([request.texts("command.jurisdiction_list"), *rows]))
        code = names.jurisdiction(command.rest)
        await self._begun_anew(request)
        await self._save(request, replace(request.state, jurisdiction=code), "jurisdiction", code)
        return said(
            request.texts(
                "command.jurisdiction_set", name=self._seen(request).place(code, request.texts), code=code
            )
        )

    async def _offered(self, request: Request) -> Reply:
        """The current setting, with places that the chat has documents for as buttons."""
        code, texts = request.state.jurisdiction, request.texts
        now = texts("command.jurisdiction_none")
        if code is not None:
            now = texts(
                "command.jurisdiction_is", name=self._seen(request).place(code, request.texts), code=code
            )
        documents = await self.documents.held(request.chat.collections)
        held = sorted({doc.fields.jurisdiction for doc in documents if doc.fields.jurisdiction})
        known = {row.code for row in self.scoping.within(request.chat.collections).registry.jurisdictions}
        places = [
            Button(label=self._seen(request).place(place, texts), command=f"/jurisdiction {place}")
            for place in held
            if place in known
        ][:OFFERED]
        rows = [tuple(places[start : start + _ROW]) for start in range(0, len(places), _ROW)]
        clear = Button(label=texts("button.everywhere"), command="/jurisdiction clear")
        return Reply(blocks=(now,), buttons=(*rows, (clear,)) if rows else ())

    @handles("party")
    async def _party(self, request: Request, command: Command) -> Reply:
        texts, parties = request.texts, request.state.parties
        if not command.rest:
            key = "command.party_is" if parties else "command.party_none"
            return said(texts(key, name=self._seen(request).names.parties(*parties)))
        if _leaves_open(command.rest.lower()):
            await self._save(request, replace(request.state, parties=()), "party", "")
            return said(texts("command.party_cleared"))
        party = self.scoping.within(request.chat.collections).party(command.rest)
        await self._begun_anew(request)
        await self._save(request, replace(request.state, parties=(party,)), "party", party)
        return said(texts("command.party_set", name=self._seen(request).names.parties(party)))

    @handles("language")
    async def _language(self, request: Request, command: Command) -> Reply:
        wanted = command.rest.lower()
        if not wanted:
            key = "command.language_is" if request.state.language else "command.language_none"
            return said(request.hint(key, languages="|".join(languages())))
        if _clears(wanted):
            await self._save(request, replace(request.state, language=""), "language", "")
            return said(request.texts("command.language_cleared"))
        if wanted not in languages():
            return said(request.hint("command.language_bad", languages=", ".join(languages())))
        await self._save(request, replace(request.state, language=wanted), "language", wanted)
        texts = self.presenter.texts(wanted)
        again = None if command.word else await self.last.again(request, texts)
        told = said(texts("command.language_set"))
        return replace(again, blocks=(*told.blocks, *again.blocks)) if again else told

    @handles("corrections")
    async def _corrections(self, request: Request, command: Command) -> Reply:
        wanted = command.rest.lower()
        if wanted not in (*typed("on"), *typed("off")):
            key = "command.corrections_on" if request.state.corrections else "command.corrections_off"
            return said(request.texts(key))
        on = wanted in typed("on")
        await self._save(
            request, replace(request.state, corrections=on), "corrections", "on" if on else "off"
        )
        return said(request.texts("command.corrections_on" if on else "command.corrections_off"))

    @handles("files")
    async def _files(self, request: Request, command: Command) -> Reply:
        """The reply about files that accompany an answer."""
        wanted = command.rest.lower()
        if not wanted:
            return said(request.texts(f"command.files_{request.state.files or request.chat.files}"))
        named = next((name for name in FILES if wanted in typed(name)), "")
        if not named and not _clears(wanted):
            return said(request.hint("command.usage_files"))
        await self._save(request, replace(request.state, files=named), "files", named)
        return said(request.texts(f"command.files_{named or request.chat.files}"))

    @handles("new")
    async def _new(self, request: Request, _: Command) -> Reply:
        """Forget the thread; the chat's settings stay."""
        await self._begun_anew(request)
        return said(request.texts("command.new"))

    async def _begun_anew(self, request: Request) -> None:
        """Make the next question independent of earlier ones."""
        for thread in (request.thread or "", request.monologue):
            if thread is not None:
                await self.journal.drop_context(request.key, thread)

    async def _save(self, request: Request, state: ChatState, name: str, value: str) -> None:
        await self.journal.save_chat_state(request.key, state, at=request.now)
        entry = AuditEntry(
            at=request.now,
            actor=request.person,
            action=AuditAction.SETTING,
            subject=name,
            values={"chat": self.journal.pseudonyms.chat(request.key), "value": value},
        )
        await self.journal.audit(entry)


REACTIONS: Mapping[str, FeedbackVerdict] = {
    "👍": FeedbackVerdict.USEFUL,
    "👎": FeedbackVerdict.WRONG,
    "📄": FeedbackVerdict.WRONG_PAGE,
}
"""Reactions to an answer that count as feedback."""

_LABEL = re.compile(r"\[?[SF][0-9]{1,3}\]?", re.IGNORECASE)
_MORE = re.compile(r"(?:(?P<trace>\S+)\s+)?(?P<first>[0-9]{1,4})")
_PAGE_NUMBER = re.compile(r"[0-9]{1,6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The operator's information about this installation. `remote_model`: questions are sent to a language
    model."""

    source: str
    retention: Retention
    remote_model: bool


@dataclass(frozen=True, slots=True)
class Personal:
    """The commands about a person or an answer."""

    about: About
    questions: Questions
    documents: Documents
    pages: CitedPages
    journal: Journal
    recent: RecentAnswers
    offered: OfferedPlaces
    presenter: Presenter
    links: Links
    last: LastAnswer

    @handles("start")
    async def _start(self, request: Request, command: Command) -> Reply:
        """The content of a link into a private chat: quotes with their pages, as far as they are public, and
        what has become of them since; whoever has it may see them, as on public pages. Without a link, the
        help."""
        if command.rest in ("", START):
            return await self._help(request, command)
        opened, language = await self.links.started(command.rest)
        if not opened:
            return said(request.texts("inline.over"))
        citations = [replace(each.citation, label=f"S{n}") for n, each in enumerate(opened, start=1)]
        language = request.state.language or language or citations[0].edition.document.fields.language
        texts, public = self.presenter.texts(language), self.presenter.within((PUBLIC,))
        quotes = AnswerMessages(public).quotes(citations, texts, Speaker(), labelled=len(citations) > 1)
        notices = dict.fromkeys(
            f"[{item.label}] {line}" if each.rechecked and len(opened) > 1 else line
            for each, item in zip(opened, citations, strict=True)
            if each.rechecked or each.notices
            for line in standing(each, self.presenter, texts)
        )
        files = await self.pages.files(replace(request, texts=texts), citations, limit=len(citations))
        return Reply(blocks=(*quotes, *map(small, notices)), files=files, language=texts.language)

    @handles("help")
    async def _help(self, request: Request, _: Command) -> Reply:
        if request.message.kind is MessageKind.JOINED:
            return await self._hello(request)
        blocks = [request.texts("info.help")]
        if request.listed:
            blocks += await self._examples(request, request.texts)
        blocks.append(_helped(request, Role.ANYONE))
        if request.chat.audience == "staff" and request.role >= Role.STAFF:
            blocks.append(_helped(request, Role.STAFF))
        return said(*blocks)

    async def _hello(self, request: Request) -> Reply:
        """Five lines: what the bot does, and questions that it answers here. If the chat is not set up, the
        settings lines that would do so."""
        documents = await self.documents.held(request.chat.collections)
        texts = request.texts
        if not request.state.language:
            spoken = Counter(document.fields.language for document in documents).most_common(1)
            texts = self.presenter.texts(spoken[0][0] if spoken else texts.language)
        if not request.listed:
            return replace(
                said(texts("hello.not_listed"), code(listing(request.message.ref))), language=texts.language
            )
        lines = [texts("hello.head", count=len(documents))] if documents else [texts("info.no_documents")]
        lines += await self._examples(request, texts)
        return replace(said("\n".join(lines)), language=texts.language)

    async def _examples(self, request: Request, texts: Texts) -> list[str]:
        """Example questions that are answered here."""
        shown = await self.questions.examples.notice(
            request.chat.collections, texts.language, within_s=PATIENCE_S
        )
        presenter = self.presenter.within(request.chat.collections)
        return [presenter.notice(each, texts) for each in shown]

    @handles("about")
    async def _about(self, request: Request, _: Command) -> Reply:
        source = self.about.source or request.texts("command.about_source")
        return said(request.texts("command.about", version=version("fundstelle"), source=source))

    @handles("id")
    async def _id(self, request: Request, _: Command) -> Reply:
        """The ids that the settings need: nothing that the person could not see themselves."""
        ref, sender = request.message.ref, request.message.sender
        ids = request.texts("command.id", platform=ref.platform, chat=ref.listed_chat, user=sender or "-")
        return said(ids, private=True)

    @handles("privacy")
    async def _privacy(self, request: Request, _: Command) -> Reply:
        terms, texts = self.about.retention, request.texts
        model = texts("privacy.model" if self.about.remote_model else "privacy.no_model")
        return said(
            texts(
                "privacy.text",
                delivery=hours(terms.delivery.total_seconds()),
                texts=hours(terms.texts.total_seconds()),
                answers=terms.answers.days,
                feedback=terms.feedback.days,
                audit=terms.audit.days,
                summaries=terms.summaries.days,
                prefix=request.stage.capabilities.command_prefix,
            ),
            model,
            private=True,
        )

    @handles("forget")
    async def _forget(self, request: Request, _: Command) -> Reply:
        private = request.key if request.message.direct else None
        count = await self.journal.forget(request.person, private_chat=private, at=request.now)
        return said(request.texts("privacy.forgotten", count=count), private=True)

    @handles("why")
    async def _why(self, request: Request, command: Command) -> Reply:
        """Why an answer is as it is, in words; with numbers and ids on request."""
        words = command.rest.split()
        details = [word for word in words if word.lower() in typed("details")]
        record = await self._record(request, " ".join(word for word in words if word not in details))
        found, texts, can = await self.questions.why(record.trace), request.texts, request.stage.capabilities
        if details:
            blocks = record_text(record, texts, found.statuses, with_texts=False)
            return Reply(blocks=tuple(blocks), private=True)
        told = reasons_told(record, self.presenter, texts, found.statuses, found.printed)
        more = Button(label=texts("button.details"), command=f"/why {record.trace} details")
        typed_line = small(texts("reasons.details", prefix=can.command_prefix))
        return Reply(
            blocks=tuple(told) if can.buttons else (*told, typed_line),
            buttons=((more,),) if can.buttons else (),
            private=True,
        )

    @handles("feedback")
    async def _feedback(self, request: Request, command: Command) -> Reply:
        word, _, rest = command.rest.partition(" ")
        meant = [each for each in FeedbackVerdict if word.lower() in typed(each.value.replace("_", ""))]
        if not meant:
            return said(request.hint("command.usage_feedback"))
        record, verdict = await self._record(request, rest), meant[0]
        feedback = Feedback(trace=record.trace, person=request.person, verdict=verdict, at=request.now)
        await self.journal.give_feedback(feedback)
        thanks = said(request.texts(f"feedback.{verdict.value}"), private=True)
        if verdict is FeedbackVerdict.USEFUL or record.outcome is Outcome.INFO:
            return thanks
        places = self.offered.next(request, record.trace, await self.questions.further(record))
        if not places:
            return thanks
        self.offered.keep(request, places)
        offer = offering(request, request.texts("feedback.next"), places)
        return replace(offer, blocks=(*thanks.blocks, *offer.blocks), private=True)

    @handles("more")
    async def _more(self, request: Request, command: Command) -> Reply:
        """The pages that were not attached to an answer: as many as fit into one message, starting with the
        one named, and how to get the rest. They belong to the answer and are withdrawn with it."""
        found = _MORE.fullmatch(command.rest)
        record = await self._record(request, (found["trace"] or "") if found else command.rest)
        before = max(int(found["first"]), 1) - 1 if found else self._pages_shown(request, record)
        citations = await self.questions.citations_of(record)
        limit = request.stage.capabilities.max_files or MAX_PAGES * 3
        total = len(pages_of(citations))
        last = min(before + limit, total)
        if last <= before:
            further = None if found else await self.last.further(request, record, on_first=False)
            return further or said(request.texts("command.no_more"))
        self.offered.keep_pages(request, record.trace, last)
        self.recent.keep(request, record.trace)
        rest = rest_of(request, record.trace, citations, shown=last)
        return Reply(
            blocks=(_pages_told(request, before + 1, last, total), *rest.blocks),
            files=await self.pages.files(request, citations, first=before, limit=limit, captions=True),
            buttons=(rest.buttons,) if rest.buttons else (),
            trace=record.trace,
        )

    def _pages_shown(self, request: Request, record: AnswerRecord) -> int:
        """How many pages were sent so far; reports come without pages."""
        known = self.offered.pages(request, record.trace)
        if known is not None:
            return known
        return pages_shown(request) if record.kind is RecordKind.ANSWER else 0

    @handles("page")
    async def _page(self, request: Request, command: Command) -> Reply:
        """A page of a document, or the source of a label in an answer."""
        if _LABEL.fullmatch(command.rest):
            return await self._labelled(request, command.rest.strip("[]").upper())
        name, _, number = command.rest.rpartition(" ")
        place = self.offered.place(request, int(number)) if number.isdecimal() and len(number) < 3 else None
        if not name and place is not None:
            name, number = place[0], str(place[1])
        if not name or not _PAGE_NUMBER.fullmatch(number):
            held = await self.documents.held(request.chat.collections)
            return said(request.hint("command.usage_page", document=example_name(held)))
        result = await self.documents.page(name.strip(), int(number), collections=request.chat.collections)
        fields, texts = result.document.fields, request.texts
        name = f"{page_name_of(fields, result.printed or str(result.page), texts)}.pdf"
        path = request.folder / name
        await asyncio.to_thread(write_file, path, result.pdf)
        page = page_name(result.page, result.printed, texts)
        caption = texts("command.page_done", title=fields.title, page=page)
        return Reply(blocks=(caption,), files=(ReplyFile(name=name, caption="", path=path),))

    async def _labelled(self, request: Request, label: str) -> Reply:
        """The pages of one citation of the answer in question."""
        record = await self._record(request, "")
        citations = await self.questions.citations_of(record)
        meant = [item for item in citations if item.label == label]
        if not meant:
            labels = ", ".join(item.label for item in citations) or "-"
            return said(request.texts("command.page_no_label", label=label, labels=labels))
        lines = self.pages.lines(request, meant)
        return Reply(blocks=(lines[label],), files=await self.pages.files(request, meant, whole=True))

    @handles("retract")
    async def _retract(self, request: Request, command: Command) -> Reply:
        """Retract an answer wherever it was posted."""
        record = await self._record(request, command.rest)
        posted = await self.journal.posted(record.trace)
        await self.journal.audit(
            AuditEntry(
                at=request.now,
                actor=request.person,
                action=AuditAction.RETRACT,
                subject=record.trace,
                values={"messages": str(len(posted))},
            )
        )
        lines = [request.texts("staff.retracted", count=len(posted))]
        if record.texts and record.chat == self.journal.pseudonyms.chat(request.key):
            lines.append(request.texts("staff.retracted_question", question=record.texts.question))
        return Reply(blocks=("\n".join(lines),), deletes=tuple(item.ref for item in posted))

    async def _record(self, request: Request, trace: str) -> AnswerRecord:
        """The record in question: by its trace, by the answer replied to, else the thread's last. One from
        another chat is for staff only, in a chat that may see everything it quotes; others are told that
        there is none. Raises Refused("why.unknown")."""
        found = await self._meant(request, trace.strip())
        record = await self.journal.answer(found) if found else None
        if record is None or not self._may_see(request, record):
            raise Refused("why.unknown", f"there is no record of an answer {trace or '(none named)'}")
        return record

    async def _meant(self, request: Request, trace: str) -> TraceId | None:
        if trace:
            return TraceId(trace)
        if request.message.reply_to is None:
            return self.recent.last(request)
        replied: MessageRef = replace(request.message.ref, message=request.message.reply_to)
        return await self.journal.trace_of(replied)

    def _may_see(self, request: Request, record: AnswerRecord) -> bool:
        if not set(record.scope.collections) <= set(request.chat.collections):
            return False
        same_chat = record.chat == self.journal.pseudonyms.chat(request.key)
        return same_chat or (request.chat.audience == "staff" and request.role >= Role.STAFF)


def _pages_told(request: Request, first: int, last: int, count: int) -> str:
    key = "command.more" if first < last else "command.more_page"
    return request.texts(key, first=first, last=last, total=count)


def hours(seconds: float) -> int:
    """Whole hours, rounded up."""
    return -int(-seconds // 3600)


def _helped(request: Request, role: Role) -> str:
    """The commands of a role, one per line."""
    specs = listed(role)
    prefix = request.stage.capabilities.command_prefix
    title = request.texts("command.help_staff" if role else "command.help", count=len(specs))
    return "\n".join([title, *(spec.help_line(request.texts.language, prefix) for spec in specs)])
