"""Questions of a chat and alleged quotes, answered with their pages; what a thread is about is remembered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.answers.questions import Questions
from bot.chat.cited_pages import CitedPages, Rest, rest_of
from bot.chat.commands import Command, handles
from bot.chat.guard import is_inner
from bot.chat.readings import buttons_to_read, how_to_read
from bot.chat.request import RecentAnswers, ReplyContent, Request, said
from bot.presentation.presenter import Presenter
from bot.presentation.views import check_view
from core.answering.generated.previews import OnClaims
from core.domain.answers import Answer, Citation, Claim, Outcome
from core.domain.ids import TraceId
from core.domain.journal import ThreadKey
from core.domain.messages import Button, MessageKind
from core.domain.threads import ThreadContext
from core.ports.journal import Journal

FOLLOW_UP = timedelta(hours=2)
"""How long a thread is remembered after its last question."""


@dataclass(frozen=True, slots=True)
class QuestionCommands:
    """The commands that ask and verify."""

    questions: Questions
    pages: CitedPages
    presenter: Presenter
    journal: Journal
    recent: RecentAnswers

    @handles("ask")
    async def _ask_command(self, turn: Request, command: Command) -> ReplyContent:
        if not command.rest:
            return said(turn.texts("command.usage_ask"))
        return await self.ask(turn, command.rest)

    async def ask(self, turn: Request, question: str) -> ReplyContent:
        """The answer to a question, with its pages."""
        answer = await self.questions.ask(
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
        rest = rest_of(turn, answer.trace, answer.citations)
        return ReplyContent(
            blocks=(*self.presenter.answer_blocks(answer), *rest.blocks, *how_to_read(turn, answer)),
            files=await self.pages.files(turn, answer.citations),
            buttons=self._buttons(answer, turn, rest) if answer.outcome is not Outcome.INFO else (),
            trace=answer.trace,
            replaces=turn.stage.shown,
        )

    def _buttons(self, answer: Answer, turn: Request, rest: Rest) -> tuple[tuple[Button, ...], ...]:
        texts, trace = turn.texts, answer.trace
        judge = tuple(
            Button(label=texts(f"button.{verdict}"), command=f"/feedback {verdict} {trace}")
            for verdict in ("useful", "wrong", "wrong_page")
        )
        why = Button(label=texts("button.why"), command=f"/why {trace}")
        return (*buttons_to_read(turn, answer), judge, (*rest.buttons, why))

    def _shows(self, turn: Request) -> OnClaims | None:
        """Shows proven claims in one message while a model writes on. Not in a chat that sees more than
        the public: who reads along there is asked again before anything is said."""
        if not turn.stage.capabilities.edits or is_inner(turn.chat):
            return None
        if turn.message.kind is MessageKind.EDIT:  # the answer goes into the place of the one before
            return None

        async def show(claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
            await turn.stage.show(self.presenter.draft_text(claims, citations, turn.texts))

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
        return await self.journal.context(self._thread_key(turn, thread), at=turn.now)

    async def _replied(self, turn: Request) -> TraceId | None:
        if turn.message.reply_to is None:
            return None
        return await self.journal.trace_of(replace(turn.message.ref, message=turn.message.reply_to))

    async def _remember(self, turn: Request, context: ThreadContext | None, trace: TraceId) -> None:
        """For the thread, and for whoever replies to this very answer."""
        if context is None:
            return
        named = () if turn.thread is None else (turn.thread,)
        for thread in dict.fromkeys((*named, f"re:{trace}")):
            await self.journal.save_context(
                self._thread_key(turn, thread),
                context,
                person=turn.person,
                expires_at=turn.now + FOLLOW_UP,
            )

    @handles("verify")
    async def _verify(self, turn: Request, command: Command) -> ReplyContent:
        if not command.rest:
            return said(turn.texts("command.usage_verify"))
        check = await self.questions.verify(command.rest, turn.options)
        text = self.presenter.check_text(check_view(command.rest, check, {}), turn.texts)
        return ReplyContent(blocks=(text,), files=await self.pages.files(turn, check.matches))
