"""The central message handler: a command, an upload or a question in, a reply out. Errors become replies
here."""

import asyncio
import difflib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from bot.answers.inline import distress_of
from bot.chat.asked import (
    RecentTexts,
    as_confirmation,
    beside_a_file,
    checking,
    command_of,
    has_words,
    in_words,
    kind_of,
    language_of,
    what_is_said,
)
from bot.chat.command_table import SPECS, Command, Role, handlers_of, handles, parse
from bot.chat.guard import Guard, RateLimits, UnlistedChats, bound_to, check_exposure, nothing_listed
from bot.chat.memory import ChatMemory, Remembered
from bot.chat.offers import Offers, in_other_words, offering
from bot.chat.personal import REACTIONS
from bot.chat.pictures import is_picture, is_voice
from bot.chat.request import Handler, Request, Stage, folder_name, said
from bot.chat.upload_fields import only_fields
from bot.presentation.escaping import WORD_JOINER
from bot.presentation.help_lines import HelpLines
from bot.presentation.i18n import Texts
from bot.presentation.presenter import Presenter
from bot.telemetry.metrics import Metrics
from core.answering.entries import UNREADABLE
from core.domain.journal import ChatKey, ChatState, Pseudonym, Stop, chat_key
from core.domain.messages import (
    NOTED,
    NUMBERS,
    SEEN,
    Button,
    Exposure,
    IncomingMessage,
    MessageKind,
    Reply,
)
from core.domain.rich_text import small
from core.errors import FundstelleError, Refused, Unavailable
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.question.followups import compares_last, corrected
from core.question.turns import Distress, TurnKind, TurnReader, left_alone

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Work:
    """An answer to `message` in progress; `cancelled` once its author has changed their mind. `asks`: it
    changes nothing."""

    person: Pseudonym
    task: "asyncio.Task[Reply]"
    message: str
    asks: bool
    cancelled: bool = False

    def cancel(self) -> None:
        """End it."""
        self.cancelled = True
        self.task.cancel()


@dataclass(slots=True)
class Conversation:
    """Handles messages. What may be seen comes from the chat's settings, never from the text. `commands` are
    the services whose methods answer commands. `others_answer`: work stopped here may be running in other
    processes."""

    journal: Journal
    presenter: Presenter
    clock: Clock
    guard: Guard
    limits: RateLimits
    folder: Path
    commands: tuple[object, ...]
    metrics: Metrics = field(default_factory=Metrics)
    help: HelpLines = field(default_factory=HelpLines)
    turns: TurnReader = field(default_factory=TurnReader)
    others_answer: bool = False
    memory: ChatMemory = field(default_factory=ChatMemory)
    _running: dict[ChatKey, list[_Work]] = field(default_factory=dict)
    _handlers: dict[str, Handler] = field(default_factory=dict)
    _spoken: Remembered[str] = field(init=False)
    _recent_texts: RecentTexts = field(init=False)
    _pressed: Remembered[str] = field(init=False)
    _unlisted: UnlistedChats = field(init=False)
    _offers: Offers = field(init=False)

    def __post_init__(self) -> None:
        self._spoken = Remembered(self.memory, "language", str)
        self._recent_texts = RecentTexts(self.memory, self.journal.pseudonyms)
        self._pressed = Remembered(self.memory, "pressed", str)
        self._unlisted = UnlistedChats(self.memory)
        self._offers = Offers(self.journal, self.turns, self.memory)
        for service in (self, *self.commands):
            self._handlers.update(handlers_of(service))

    async def handle(self, message: IncomingMessage, stage: Stage) -> Reply | None:
        """The reply to a message, None if there is nothing to say. Text copied from the bot's own messages is
        freed of the signs that defused it."""
        async with self.memory.of(chat_key(message.ref)):
            return await self._handle(message, stage)

    async def _handle(self, message: IncomingMessage, stage: Stage) -> Reply | None:
        message = await self._by_number(message, stage)
        if await self._only_noted(message):
            return None
        text = message.text.replace(WORD_JOINER, "").translate(UNREADABLE)
        message = replace(message, text=text)
        if self._recent_texts.says_again(message):
            return None
        request = await self._request(message, stage)
        if (found := await self._distress(message)) is not None:
            return await self._helped(request, found)
        try:
            taken = await self._offers.taken(request) if request.listed else None
            if taken is not None and taken.command:
                request = await self._request(replace(message, text=taken.command), stage)
            if taken is not None and not taken.command:
                answer: Reply | None = _unclear(request, taken.which)
            else:
                answer = await self._answered(request)
        except FundstelleError as error:
            answer = self._unlisted.replied(error, request, self._failed(request, error))
        except Exception:
            _LOG.exception("a message could not be handled")
            self.metrics.refused("error.unexpected")
            answer = _instead(request, request.texts("error.unexpected"))
        return None if answer is None else await self._reply(request, answer)

    async def _helped(self, request: Request, found: Distress) -> Reply:
        """The help lines for somebody in distress. No gate or limit applies, nothing else is said, and
        nothing of it is kept."""
        notice = self.help.notice(found, request.state.jurisdiction)
        answer = said(self.presenter.notice(notice, self.presenter.texts(found.language)))
        if request.message.kind is MessageKind.EDIT:
            answer = await self._in_place(request, answer)
        return replace(answer, language=found.language)

    def _failed(self, request: Request, error: FundstelleError) -> Reply:
        self.metrics.refused(error.key)
        if not isinstance(error, Refused):
            _LOG.error("a message could not be handled: %s (%s)", error.key, error.detail)
        prefix = request.stage.capabilities.command_prefix
        presenter = self.presenter.within(request.chat.collections)
        answer = _instead(request, presenter.error(error, request.texts.language, prefix=prefix))
        return offering(answer, in_other_words(request.message.text.strip(), error), request)

    def is_urgent(self, message: IncomingMessage) -> bool:
        """Whether a message cannot wait for the one before it: it cancels that."""
        if not message.addressed or message.kind not in (MessageKind.MESSAGE, MessageKind.BUTTON):
            return False
        command = parse(message.text, bare=True)
        return command is not None and command.name == "cancel"

    async def keeps_nothing_of(self, message: IncomingMessage) -> bool:
        """Whether a message speaks of distress: it is answered at once, and its words are not kept."""
        return await self._distress(message) is not None

    async def _distress(self, message: IncomingMessage) -> Distress | None:
        command = parse(message.text)
        if command is not None and command.name == "start" and (known := distress_of(command.rest)):
            return known
        for words in what_is_said(message):
            if (found := await self.turns.distress(words)) is not None:
                return found
        return None

    def words(self, message: IncomingMessage) -> Texts:
        """The bot's texts in the language of a message."""
        return self.presenter.texts(language_of(message))

    async def cancel(self, message: IncomingMessage, stage: Stage) -> Reply:
        """Stop work on what the sender asked in this chat."""
        async with self.memory.of(chat_key(message.ref)):
            request = await self._request(message, stage)
        own = self._cancelled(request.key, request.person)
        if not own and self.others_answer:
            own = await self.journal.stop(request.key, Stop.CANCELLED, person=request.person)
        return Reply(blocks=(request.texts("command.cancelling" if own else "command.nothing"),))

    def _cancelled(self, chat: ChatKey, person: Pseudonym) -> int:
        own = [work for work in self._running.get(chat, []) if work.person == person]
        for work in own:
            work.cancel()
        return len(own)

    def stop(self, message: IncomingMessage, why: Stop) -> None:
        """Stop answering `message`, as another process has heard."""
        if why is Stop.CANCELLED:
            ref, people = message.ref, self.journal.pseudonyms
            self._cancelled(chat_key(ref), people.person(ref.platform, ref.workspace, message.sender))
        else:
            self.take_back(message)

    def take_back(self, message: IncomingMessage) -> None:
        """Stop answering a message that its author has withdrawn. Commands that change something run to
        completion."""
        for work in self._running.get(chat_key(message.ref), []):
            if work.message == message.ref.message and work.asks:
                work.cancel()

    @handles("cancel")
    async def _cancel_here(self, request: Request, _: Command) -> Reply:
        """Say that nothing was being handled when this message's turn came."""
        return said(request.texts("command.nothing"))

    async def _by_number(self, message: IncomingMessage, stage: Stage) -> IncomingMessage:
        """A number reaction on one of the bot's messages, as the press of the button it stands for."""
        number = NUMBERS.index(message.text) if message.text in NUMBERS else len(NUMBERS)
        if message.kind is not MessageKind.REACTION or not message.reply_to or stage.capabilities.buttons:
            return message
        target = replace(message.ref, message=message.reply_to)
        for button in (await self.journal.buttons_of(target))[number : number + 1]:
            return replace(message, kind=MessageKind.BUTTON, text=button.command, ref=target)
        return message

    async def _only_noted(self, message: IncomingMessage) -> bool:
        """Whether a message asks nothing of the bot."""
        if message.kind is MessageKind.LEFT:
            await self.journal.drop_chat(chat_key(message.ref))
            return True
        if message.kind is MessageKind.MOVED:
            _LOG.warning("a chat of %s has a new id; its settings do not follow", message.ref.platform)
            return True
        if message.kind is MessageKind.REACTION:
            return message.text not in REACTIONS or not (
                self.concerns(message) and await self._is_about_an_answer(message)
            )
        return not self.concerns(message)

    def concerns(self, message: IncomingMessage) -> bool:
        """Whether a message needs any handling; a reaction may still be on somebody else's message."""
        if message.kind is MessageKind.REACTION:
            return message.text in REACTIONS or message.text in NUMBERS
        if message.kind not in (MessageKind.MESSAGE, MessageKind.EDIT):
            return True
        listed = self.guard.chat(message.ref)
        files = listed is not None and not all(map(is_voice, message.attachments))
        uploads = files and listed is not None and bool(listed.upload_to)
        staff = files and self.guard.role(message) >= Role.STAFF
        return message.addressed or message.called or uploads or staff

    async def _is_about_an_answer(self, message: IncomingMessage) -> bool:
        """Not every platform says whose message a reaction is on; if it is on another person's, the bot was
        not asked."""
        if message.reply_to is None:
            return True
        target = replace(message.ref, message=message.reply_to)
        return await self.journal.trace_of(target) is not None

    async def _request(self, message: IncomingMessage, stage: Stage) -> Request:
        ref = message.ref
        known = self.guard.chat(ref)
        chat = known or nothing_listed(ref)
        state = await self.journal.chat_state(chat_key(ref))
        state = state or ChatState(jurisdiction=chat.jurisdiction or None, language=chat.language)
        spoken = self._spoken.get(chat_key(ref)) or ""
        language = state.language or language_of(message, spoken)
        if message.kind is MessageKind.MESSAGE and has_words(message):
            self._spoken.put(chat_key(ref), value=language_of(message))
        return Request(
            message=message,
            chat=chat,
            state=state,
            texts=self.presenter.texts(language),
            role=self.guard.role(message),
            person=self.journal.pseudonyms.person(
                ref.platform, ref.workspace, message.sender or f"hidden in {ref.chat}"
            ),
            stage=stage,
            folder=self.folder / folder_name(message),
            now=self.clock.now(),
            spoken=spoken,
            listed=known is not None,
        )

    async def _answered(self, request: Request) -> Reply | None:
        edited = request.message.kind is MessageKind.EDIT
        if edited and not request.message.text.strip():
            return await self._withdrawn(request)
        media = await self._of_media(request)
        command = media or self._command(request)
        if request.message.shown and not (media and request.message.shown_files):
            command = await self._check_of_shown(command, request.message.shown)
        bare = request.message.text[:1].isalpha()
        if command.name == "compare" and bare and compares_last(command.rest):
            command = replace(command, name="ask", rest=request.message.text)
        if command.name == "ask" and command.rest:
            if (meant := corrected(command.rest)) is not None:
                command = replace(command, rest=meant.follow_up)
            kind = await kind_of(command.rest, self.turns)
            alone = left_alone(kind, command.rest) or not request.message.addressed
            if alone and not await self._wants_words(request, kind):
                return None
            command = in_words(command, kind, request.texts.language)
        return await self._done(request, command, edited=edited)

    async def _check_of_shown(self, command: Command, shown: str) -> Command:
        """The command to check somebody else's words that a message points at, if it asks for that, or for
        nothing; a question of its own is answered instead."""
        if command.name == "verify" and not command.rest:
            return replace(command, rest=shown)
        if command.name != "ask":
            return command
        if not command.rest:
            asks = shown.endswith("?") and await self.turns.read(shown) is TurnKind.QUESTION
            return replace(command, rest=shown) if asks else checking(shown)
        return checking(shown) if await self.turns.asks_of_shown(command.rest) else command

    async def _wants_words(self, request: Request, kind: TurnKind) -> bool:
        """Whether a message that asks for no answer gets one all the same: only if it was addressed to the
        bot and a reaction cannot show that it was noticed."""
        message, thanks = request.message, kind is TurnKind.THANKS
        if message.direct:
            return not (thanks and request.listed and await self._reacted(request, NOTED))
        if not (message.called and request.listed):
            return False
        return (
            not await self._reacted(request, NOTED if thanks else SEEN) and message.addressed and not thanks
        )

    async def _reacted(self, request: Request, emoji: str) -> bool:
        new = request.message.kind is MessageKind.MESSAGE
        return new and await self._admits(request) and await request.stage.react(emoji)

    async def _of_media(self, request: Request) -> Command | None:
        """The command to check a picture sent to the bot or replied to, in chats that accept files only on
        request; a reply for voice messages; None for any other message."""
        message, text = request.message, request.message.text.strip()
        command = parse(text)
        if not (message.addressed or message.called) or (command and command.name != "ask"):
            return None
        text = command.rest if command else text
        if message.attachments and all(map(is_voice, message.attachments)) and not text:
            return Command(name="ask", word="ask", rest="")
        pointed = not message.attachments and any(map(is_picture, message.shown_files))
        if not pointed and not any(map(is_picture, message.attachments)):
            return None
        if text:
            asks = await self.turns.asks_of_shown(text)
        else:
            asks = pointed or self.guard.keeps_no_files(message.ref)
        return checking("") if asks else None

    def _command(self, request: Request) -> Command:
        """The command that a message asks for in its chat."""
        command = command_of(request.message)
        if command.name == "upload" and self.guard.keeps_no_files(request.message.ref):
            command = beside_a_file(command)
        if command.name == "ask" and request.chat.audience == "staff" and only_fields(command.rest):
            command = Command(name="describe", word="", rest=command.rest)  # what a receipt asks for
        if request.chat.audience == "staff" and request.role >= Role.STAFF:
            command = as_confirmation(command)
        return command

    async def _done(self, request: Request, command: Command, *, edited: bool) -> Reply | None:
        """The reply to a message's command."""
        if command.name is None:
            return _unknown_command(request, command)
        spec = SPECS[command.name]
        if edited and not spec.repeated:
            return None
        self.guard.check(command.name, request.message, await self._exposure(request))
        if spec.limited and not await self._admits(request):
            return None
        bound = () if spec.anywhere else bound_to(request.chat)
        try:
            answer = await self._cancellable(request, command)
        except FundstelleError as error:  # its words may name documents, too
            answer, edited = self._failed(request, error), False
        if bound:  # others may have gained access while the answer was being made
            check_exposure(await self._exposure(request))
        answer = replace(answer, collections=bound)
        return await self._in_place(request, answer) if edited else answer

    async def _admits(self, request: Request) -> bool:
        """False if a limit is reached and the person was just told so: a flood of questions must not cause a
        flood of refusals that would delay other people's answers."""
        try:
            chat = self.journal.pseudonyms.chat(request.key)
            await self.limits.admitted(request.person, chat, request.now)
        except Refused as refusal:
            if self.limits.is_news(refusal, request.person, request.key, request.now):
                raise
            return False
        return True

    async def _withdrawn(self, request: Request) -> Reply | None:
        """Delete the answer along with its withdrawn question."""
        earlier = await request.stage.earlier() if request.stage.capabilities.deletes else ()
        return Reply(blocks=(), deletes=earlier) if earlier else None

    async def _exposure(self, request: Request) -> Exposure | None:
        """Who can read along now, if that matters; unknown if the platform does not say."""
        if not self.guard.needs_exposure(request.message.ref):
            return None
        try:
            return await request.stage.exposure()
        except FundstelleError as error:
            _LOG.warning("the exposure of a chat could not be confirmed: %s", error.key)
            return None

    async def _cancellable(self, request: Request, command: Command) -> Reply:
        """The handler's answer, in a task of its own that `cancel` can end."""
        name = command.name or "help"
        handler = self._handlers[name]
        once = (request.message.ref.message, command.rest) if _asks_on(request, name) else ()
        pressed = self._pressed.get(request.key, *once) if once else None
        if pressed not in (None, request.message.event):
            return Reply(blocks=())
        self.metrics.asked(request.message.ref.platform, name)
        task = asyncio.create_task(handler(request, command))
        work = _Work(request.person, task, request.message.ref.message, SPECS[name].repeated)
        self._running.setdefault(request.key, []).append(work)
        try:
            answer = await task
            if once:
                self._pressed.put(request.key, *once, value=request.message.event, person=request.person)
            return answer
        except asyncio.CancelledError:
            if not work.cancelled:
                task.cancel()
                raise
            return Reply(blocks=(request.texts("command.cancelled"),), replaces=request.stage.shown)
        finally:
            self._running[request.key].remove(work)
            if not self._running[request.key]:
                del self._running[request.key]

    async def _in_place(self, request: Request, answer: Reply) -> Reply:
        """The answer to an edited question replaces the previous one if possible: if files are in one message
        with the text, editing it would leave them there."""
        earlier = await request.stage.earlier()
        if not earlier:
            return answer
        can = request.stage.capabilities
        edits = can.edits and not can.text_with_files
        gone = earlier[1:] if edits else earlier
        return replace(
            answer,
            replaces=earlier[0].message if edits else answer.replaces,
            deletes=gone if can.deletes else (),
        )

    async def _reply(self, request: Request, answer: Reply) -> Reply:
        language = answer.language or request.texts.language
        if answer.language and self._spoken.get(request.key) is None:
            self._spoken.put(request.key, value=answer.language)
        lasting = answer.blocks and not request.message.attachments  # else a receipt takes its place
        if lasting and request.message.sender and await self._first(request):
            prefix = request.stage.capabilities.command_prefix
            told = self.presenter.texts(language)("privacy.first_use", prefix=prefix)
            answer = replace(answer, blocks=(*answer.blocks, small(told)))
        self._offers.keep(request, answer)
        return replace(answer, language=language)

    async def _first(self, request: Request) -> bool:
        try:
            return await self.journal.first_notice(request.person, at=request.now)
        except Unavailable:
            return False


def _asks_on(request: Request, name: str) -> bool:
    """Whether a button was pressed that asks something: pressing it again asks nothing new."""
    return request.message.kind is MessageKind.BUTTON and SPECS[name].running


def _unknown_command(request: Request, command: Command) -> Reply:
    """A reply that there is no such command, with similarly named ones."""
    texts, prefix, word = request.texts, request.stage.capabilities.command_prefix, command.word
    written = {
        each: spec
        for spec in SPECS.values()
        if spec.helped and min(spec.role, Role.STAFF) <= request.role
        for each in (spec.name, *chain.from_iterable(spec.words.values()))
    }
    near = difflib.get_close_matches(word.lower(), written, n=2, cutoff=0.7)
    meant = dict.fromkeys(prefix + written[each].word(texts.language) for each in near)
    hint = texts("error.did_you_mean", names=", ".join(meant)) if meant else ""
    told = texts("command.unknown", name=word, suggestions=hint, prefix=prefix).strip()
    choices = [Button(label=each, command=f"{each} {command.rest}".strip()) for each in meant]
    return offering(said(told), choices, request)


def _unclear(request: Request, choices: Sequence[Button]) -> Reply:
    """The reply to a "no", or to a "yes" when several `choices` were offered, which remain on offer."""
    if not choices:
        return said(request.texts("command.none_meant"))
    return offering(said(request.texts("command.which_meant")), choices, request)


def _instead(request: Request, text: str) -> Reply:
    """The text that replaces the shown part of an answer that was never finished."""
    return replace(said(text), replaces=request.stage.shown)
