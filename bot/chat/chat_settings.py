"""A chat's own settings: place, party, language, files, corrections; and forgetting the thread."""

from dataclasses import dataclass, replace

from bot.chat.command_table import Command, handles
from bot.chat.request import Request, said
from bot.library.documents import Documents
from bot.library.scoping import Scoping
from bot.presentation.i18n import languages, typed
from bot.presentation.presenter import Presenter
from core.domain.journal import AuditAction, AuditEntry, ChatState
from core.domain.messages import Button, Reply
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
        return said(self.presenter.texts(wanted)("command.language_set"))

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
