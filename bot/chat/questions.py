"""Questions and everything else that is answered with quotes and pages."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from bot.answers.app import App
from bot.chat.commands import Command, handles
from bot.chat.guard import is_inner
from bot.chat.motions import read_motion
from bot.chat.references import references_blocks
from bot.chat.request import RecentAnswers, ReplyContent, Request, said
from bot.files import write_file
from bot.presentation.attachments import PageFile, pages_of
from bot.presentation.i18n import Texts
from bot.presentation.results import Tabled
from bot.presentation.tables import table_blocks
from bot.presentation.views import check_view
from core.answering.generated.previews import OnClaims
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.answers import Answer, Citation, Claim, Outcome
from core.domain.ids import TraceId
from core.domain.journal import ThreadKey
from core.domain.messages import Button, MessageKind, ReplyFile
from core.domain.threads import ThreadContext

MAX_PAGES = 3
"""Pages attached to an answer at most; the rest comes on request."""

_LIST, _SHOW, _NEW = ("list", "liste"), ("show", "zeige"), ("new", "neu")
FOLLOW_UP = timedelta(hours=2)
"""How long a thread is remembered after its last question."""


@dataclass(frozen=True, slots=True)
class QuestionCommands:
    """The commands that search."""

    app: App
    recent: RecentAnswers

    @handles("ask")
    async def _ask_command(self, turn: Request, command: Command) -> ReplyContent:
        if not command.rest:
            return said(turn.texts("command.usage_ask"))
        return await self.ask(turn, command.rest)

    async def ask(self, turn: Request, question: str) -> ReplyContent:
        """The answer to a question, with its pages."""
        answer = await self.app.questions.ask(
            question,
            turn.options,
            thread=await self._context(turn),
            asked_by=turn.person,
            chat=turn.key,
            progress=self._shows(turn),
        )
        if turn.state.language:
            answer = replace(answer, language=turn.state.language)
        await self._remember(turn, answer.thread, answer.trace)
        self.recent.keep(turn, answer.trace)
        pages = await self._pages(turn, answer.citations)
        rest = rest_of(answer.trace, MAX_PAGES, len(pages_of(answer.citations)), turn)
        return ReplyContent(
            blocks=(*self.app.presenter.answer_blocks(answer), *rest.blocks),
            files=page_files(pages, lines_of(answer.citations, turn, self.app), turn.texts),
            buttons=self._buttons(answer, turn, rest) if answer.outcome is not Outcome.INFO else (),
            trace=answer.trace,
            replaces=turn.stage.shown,
        )

    async def _pages(self, turn: Request, citations: Sequence[Citation]) -> list[PageFile]:
        previews = turn.stage.capabilities.previews
        return await self.app.attacher.merged(citations, turn.folder, limit=MAX_PAGES, previews=previews)

    def _buttons(self, answer: Answer, turn: Request, rest: "Rest") -> tuple[tuple[Button, ...], ...]:
        texts, trace = turn.texts, answer.trace
        judge = tuple(
            Button(label=texts(f"button.{verdict}"), command=f"/feedback {verdict} {trace}")
            for verdict in ("useful", "wrong", "wrong_page")
        )
        why = Button(label=texts("button.why"), command=f"/why {trace}")
        return (judge, (*rest.buttons, why))

    def _shows(self, turn: Request) -> OnClaims | None:
        """Shows proven claims in one message while a model writes on. Not in a chat that sees more than
        the public: who reads along there is asked again before anything is said."""
        if not turn.stage.capabilities.edits or is_inner(turn.chat):
            return None
        if turn.message.kind is MessageKind.EDIT:  # the answer goes into the place of the one before
            return None

        async def show(claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
            await turn.stage.show(self.app.presenter.draft_text(claims, citations, turn.texts))

        return show

    def _thread_key(self, turn: Request, thread: str) -> ThreadKey:
        return ThreadKey(chat=turn.key, thread=thread, collections=turn.chat.collections)

    async def _context(self, turn: Request) -> ThreadContext | None:
        thread = turn.thread
        if thread is None or (thread == "" and turn.message.reply_to):
            replied = await self._replied(turn)
            thread = f"re:{replied}" if replied else thread
        if thread is None:
            return None
        return await self.app.journal.context(self._thread_key(turn, thread), at=turn.now)

    async def _replied(self, turn: Request) -> TraceId | None:
        if turn.message.reply_to is None:
            return None
        return await self.app.journal.trace_of(replace(turn.message.ref, message=turn.message.reply_to))

    async def _remember(self, turn: Request, context: ThreadContext | None, trace: TraceId) -> None:
        """For the thread, and for whoever replies to this very answer."""
        if context is None:
            return
        named = () if turn.thread is None else (turn.thread,)
        for thread in dict.fromkeys((*named, f"re:{trace}")):
            await self.app.journal.save_context(
                self._thread_key(turn, thread),
                context,
                person=turn.person,
                expires_at=turn.now + FOLLOW_UP,
            )

    @handles("compare")
    async def _compare(self, turn: Request, command: Command) -> ReplyContent:
        """Who is compared is what the text names; a party that the chat has set does not count here."""
        if not command.rest:
            return said(turn.texts("command.usage_compare"))
        made = await self.app.comparisons.compare(
            command.rest,
            replace(turn.options, chat_parties=()),
            language=turn.state.language,
            asked_by=turn.person,
            chat=turn.key,
        )
        return await self._tabled(turn, made, "compare.table")

    @handles("motion")
    async def _motion(self, turn: Request, command: Command) -> ReplyContent:
        motion = await read_motion(turn, command.rest, self.app)
        if motion is None:
            return said(turn.texts("command.usage_motion"))
        made = await self.app.comparisons.motion(
            motion.text,
            replace(turn.options, chat_parties=()),
            jurisdiction=motion.jurisdiction,
            movers=motion.movers,
            asked_by=turn.person,
            chat=turn.key,
        )
        return await self._tabled(turn, made, "command.motion_table")

    async def _tabled(
        self, turn: Request, made: Tabled[Comparison] | Tabled[MotionReport], caption: str
    ) -> ReplyContent:
        """A report as text, as a file, and the first of its pages."""
        citations = made.report.citations
        pages = await self._pages(turn, citations)
        file = await self.app.comparisons.write_table(made.table, turn.folder)
        whole = ReplyFile(name=file.name, caption=turn.texts(caption), path=file)
        rest = rest_of(made.trace, MAX_PAGES, len(pages_of(citations)), turn)
        return ReplyContent(
            blocks=(*table_blocks(made.table), *rest.blocks),
            buttons=(rest.buttons,) if rest.buttons else (),
            files=(whole, *page_files(pages, lines_of(citations, turn, self.app), turn.texts)),
            trace=made.trace,
        )

    @handles("verify")
    async def _verify(self, turn: Request, command: Command) -> ReplyContent:
        if not command.rest:
            return said(turn.texts("command.usage_verify"))
        check = await self.app.questions.verify(command.rest, turn.options)
        text = self.app.presenter.check_text(check_view(command.rest, check, {}), turn.texts)
        pages = await self._pages(turn, check.matches)
        return ReplyContent(
            blocks=(text,), files=page_files(pages, lines_of(check.matches, turn, self.app), turn.texts)
        )

    @handles("sources")
    async def _sources(self, turn: Request, _: Command) -> ReplyContent:
        state = turn.state
        options = replace(turn.options, jurisdiction=state.jurisdiction, parties=state.parties)
        documents = await self.app.documents.listed(options)
        return said(self.app.presenter.documents(documents, turn.texts))

    @handles("references")
    async def _references(self, turn: Request, command: Command) -> ReplyContent:
        if not command.rest:
            return said(turn.texts("command.usage_references"))
        options = replace(turn.options, jurisdiction=turn.state.jurisdiction)
        found = await self.app.references.of(command.rest, options)
        return said(*references_blocks(found, turn.texts))

    @handles("summary")
    async def _summary(self, turn: Request, command: Command) -> ReplyContent:
        word, _, rest = command.rest.partition(" ")
        rest = rest.strip()
        if not command.rest or (word in _LIST and not rest):
            listed = await self.app.summaries.list(turn.chat.collections)
            return said(*self.app.summaries.list_blocks(listed, turn.texts))
        if word in _SHOW and rest:
            shown = await self.app.summaries.show(rest, turn.chat.collections)
        else:
            topic = rest if word in _NEW and rest else command.rest
            shown = await self.app.summaries.new(topic, turn.options, person=turn.person)
        pages = await self._pages(turn, shown.citations)
        blocks = self.app.summaries.blocks(shown, turn.texts)
        return ReplyContent(
            blocks=tuple(blocks),
            files=page_files(pages, lines_of(shown.citations, turn, self.app), turn.texts),
        )


def lines_of(citations: Sequence[Citation], turn: Request, app: App) -> dict[str, str]:
    """What stands behind each label."""
    return {item.label: app.presenter.source_line(item, turn.texts) for item in citations}


@dataclass(frozen=True, slots=True)
class Rest:
    """How the pages that are not shown come: by a button, or by a line that is typed where there are none."""

    blocks: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()


def rest_of(trace: TraceId, shown: int, pages: int, turn: Request) -> Rest:
    """Of an answer's `pages` the first `shown` are shown."""
    if shown >= pages:
        return Rest()
    left, texts, can = pages - shown, turn.texts, turn.stage.capabilities
    if can.buttons:
        command = f"/more {trace} {shown + 1}"
        return Rest(buttons=(Button(label=texts("button.more", count=left), command=command),))
    prefix = can.command_prefix
    return Rest((texts("command.more_left", count=left, prefix=prefix, trace=trace, next=shown + 1),))


def page_files(pages: Sequence[PageFile], lines: Mapping[str, str], texts: Texts) -> tuple[ReplyFile, ...]:
    """Pages to send, each with what its labels stand for and followed by its preview; it is said of a page
    that its marks could not be proven."""
    files = []
    for page in pages:
        notes = () if page.checked else (texts("cite.unmarked"),)
        caption = "\n".join((*notes, *(lines[label] for label in page.labels)))
        files.append(ReplyFile(name=page.path.name, caption=caption, path=page.path))
        if page.preview is not None:
            files.append(ReplyFile(name=page.preview.name, caption="", path=page.preview, preview=True))
        for label, path in page.figures:
            files.append(ReplyFile(name=path.name, caption=f"[{label}] {texts('cite.picture')}", path=path))
    return tuple(files)


async def write(path: Path, content: bytes) -> None:
    """Write a file for a reply, its folder with it."""
    await asyncio.to_thread(write_file, path, content)
