"""The one message handler: a command or a question in, a reply out. Errors become replies here."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

from bot.app import App
from bot.commands import Command, parse
from bot.i18n import LANGUAGES, Texts
from bot.platform_settings import ChatSettings
from bot.rendering import check_json
from bot.scoping import ScopeOptions
from bot.tables import table_blocks
from core.domain.answers import Answer
from core.domain.messages import IncomingMessage, Reply, ReplyFile
from core.errors import FundstelleError
from core.library.language import detect

MAX_PAGES = 3
"""Pages attached to an answer at most."""

_LOG = logging.getLogger(__name__)
_CLEAR = ("clear", "off", "none", "aus", "weg")


@dataclass(slots=True)
class ChatState:
    """What a chat has set for itself."""

    jurisdiction: str | None = None
    parties: tuple[str, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class _Turn:
    """A message with the chat that it came from."""

    message: IncomingMessage
    chat: ChatSettings
    state: ChatState
    texts: Texts


@dataclass(frozen=True, slots=True)
class _Said:
    """What a command answers."""

    blocks: tuple[str, ...]
    files: tuple[ReplyFile, ...] = ()


@dataclass(slots=True)
class Conversation:
    """Handles messages. The scope comes from the chat's settings, never from the text."""

    app: App
    chats: tuple[ChatSettings, ...]
    folder: Path
    source: str = ""
    _states: dict[tuple[str, str], ChatState] = field(default_factory=dict)

    async def handle(self, message: IncomingMessage) -> Reply:
        """The reply to a message that is meant for the bot."""
        turn = self._turn(message)
        try:
            said = await self._said(turn)
        except FundstelleError as error:
            said = _Said((self.app.presenter.error(error, turn.texts.language),))
        except Exception:
            _LOG.exception("a message could not be handled")
            said = _Said((turn.texts("error.unexpected"),))
        return Reply(to=message.ref, blocks=said.blocks, files=said.files)

    def _turn(self, message: IncomingMessage) -> _Turn:
        ref = message.ref
        chat = next((chat for chat in self.chats if chat.id == ref.chat), ChatSettings(id=ref.chat))
        key = (ref.platform, ref.chat)
        if key not in self._states:
            self._states[key] = ChatState(jurisdiction=chat.jurisdiction or None, language=chat.language)
        state = self._states[key]
        language = state.language or detect(message.text)[0]
        return _Turn(message, chat, state, self.app.presenter.texts(language))

    async def _said(self, turn: _Turn) -> _Said:
        command = parse(turn.message.text)
        if command is None:
            return await self._ask(turn, turn.message.text)
        if command.name is None:
            return _Said((turn.texts("command.unknown", name=command.word),))
        return await self._handlers()[command.name](turn, command)

    def _handlers(self) -> dict[str, Callable[[_Turn, Command], Awaitable[_Said]]]:
        return {
            "ask": self._ask_command,
            "jurisdiction": self._jurisdiction,
            "party": self._party,
            "compare": self._compare,
            "verify": self._verify,
            "sources": self._sources,
            "page": self._page,
            "language": self._language,
            "new": self._new,
            "about": self._about,
            "help": self._help,
        }

    def _options(self, turn: _Turn) -> ScopeOptions:
        return ScopeOptions(
            parties=turn.state.parties,
            collections=turn.chat.collections,
            chat_jurisdiction=turn.state.jurisdiction,
        )

    async def _ask_command(self, turn: _Turn, command: Command) -> _Said:
        if not command.rest:
            return _Said((turn.texts("command.usage_ask"),))
        return await self._ask(turn, command.rest)

    async def _ask(self, turn: _Turn, question: str) -> _Said:
        folder = self.folder / turn.message.ref.message
        answer, attached = await self.app.ask(question, self._options(turn), out=folder)
        if turn.state.language:
            answer = replace(answer, language=turn.state.language)
        files = [
            ReplyFile(name=path.name, caption=self._caption(answer, label, turn.texts), path=path)
            for label, item in attached.items()
            for path in item.pages
        ]
        return _Said(tuple(self.app.presenter.answer_blocks(answer)), tuple(files[:MAX_PAGES]))

    def _caption(self, answer: Answer, label: str, texts: Texts) -> str:
        citation = next(item for item in answer.citations if item.label == label)
        return self.app.presenter.source_line(citation, texts)

    async def _jurisdiction(self, turn: _Turn, command: Command) -> _Said:
        texts, state = turn.texts, turn.state
        if not command.rest:
            if state.jurisdiction is None:
                return _Said((texts("command.jurisdiction_none"),))
            name = self.app.presenter.place(state.jurisdiction)
            return _Said((texts("command.jurisdiction_is", name=name, code=state.jurisdiction),))
        if command.rest.lower() in _CLEAR:
            state.jurisdiction = None
            return _Said((texts("command.jurisdiction_cleared"),))
        if command.rest.lower() in ("list", "liste"):
            rows = [f"{row.code}  {row.name}" for row in self.app.scoping.registry.jurisdictions]
            return _Said(("\n".join([texts("command.jurisdiction_list"), *rows]),))
        state.jurisdiction = self.app.scoping.jurisdiction(command.rest)
        name = self.app.presenter.place(state.jurisdiction)
        return _Said((texts("command.jurisdiction_set", name=name, code=state.jurisdiction),))

    async def _party(self, turn: _Turn, command: Command) -> _Said:
        texts, state = turn.texts, turn.state
        if not command.rest:
            key = "command.party_is" if state.parties else "command.party_none"
            return _Said((texts(key, name=", ".join(state.parties)),))
        if command.rest.lower() in _CLEAR:
            state.parties = ()
            return _Said((texts("command.party_cleared"),))
        state.parties = (self.app.scoping.party(command.rest),)
        return _Said((texts("command.party_set", name=state.parties[0]),))

    async def _compare(self, turn: _Turn, command: Command) -> _Said:
        """Who is compared is what the text names; a party that the chat has set does not count here."""
        if not command.rest:
            return _Said((turn.texts("command.usage_compare"),))
        made = await self.app.comparisons.compare(
            command.rest,
            replace(self._options(turn), parties=()),
            language=turn.state.language,
            out=self.folder / turn.message.ref.message,
        )
        pages = [
            ReplyFile(name=path.name, caption=self.app.presenter.source_line(item, turn.texts), path=path)
            for item in made.report.citations
            for path in made.attached[item.label].pages
        ]
        caption = turn.texts("compare.table")
        table = [ReplyFile(name=made.file.name, caption=caption, path=made.file)] if made.file else []
        return _Said(tuple(table_blocks(made.table)), (*table, *pages[:MAX_PAGES]))

    async def _verify(self, turn: _Turn, command: Command) -> _Said:
        if not command.rest:
            return _Said((turn.texts("command.usage_verify"),))
        folder = self.folder / turn.message.ref.message
        claimed = await self.app.claimed(None, None, None)
        check, attached = await self.app.verify(command.rest, self._options(turn), claimed, out=folder)
        text = self.app.presenter.check_text(check_json(command.rest, check, attached), turn.texts)
        files = [
            ReplyFile(name=path.name, caption=self.app.presenter.source_line(match, turn.texts), path=path)
            for match in check.matches
            for path in attached[match.label].pages
        ]
        return _Said((text,), tuple(files[:MAX_PAGES]))

    async def _sources(self, turn: _Turn, _: Command) -> _Said:
        documents = await self.app.documents(
            replace(self._options(turn), jurisdiction=turn.state.jurisdiction), every_collection=False
        )
        return _Said((self.app.presenter.documents(documents, turn.texts),))

    async def _page(self, turn: _Turn, command: Command) -> _Said:
        name, _, number = command.rest.rpartition(" ")
        if not name or not number.isdigit():
            return _Said((turn.texts("command.usage_page"),))
        result = await self.app.page(name.strip(), int(number), None, collections=turn.chat.collections)
        title = result.document.fields.title
        path = self.folder / turn.message.ref.message / f"p{number}.pdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(result.pdf)
        caption = turn.texts("command.page_done", title=title, page=number)
        return _Said((caption,), (ReplyFile(name=path.name, caption=caption, path=path),))

    async def _language(self, turn: _Turn, command: Command) -> _Said:
        wanted = command.rest.lower()
        if wanted in _CLEAR:
            turn.state.language = ""
            return _Said((turn.texts("command.language_cleared"),))
        if wanted not in LANGUAGES:
            return _Said((turn.texts("command.language_bad"),))
        turn.state.language = wanted
        return _Said((self.app.presenter.texts(wanted)("command.language_set", language=wanted),))

    async def _new(self, turn: _Turn, _: Command) -> _Said:
        ref = turn.message.ref
        self._states.pop((ref.platform, ref.chat), None)
        return _Said((turn.texts("command.new"),))

    async def _about(self, turn: _Turn, _: Command) -> _Said:
        source = self.source or turn.texts("command.about_source")
        return _Said((turn.texts("command.about", version=version("fundstelle"), source=source),))

    async def _help(self, turn: _Turn, _: Command) -> _Said:
        return _Said((turn.texts("info.help"), turn.texts("command.help")))
