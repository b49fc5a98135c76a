"""What a platform shows besides messages: the app's own page, the form for comparisons, previews of links."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.answers.links import PATH, Links, standing
from bot.chat.command_table import hinted, parse
from bot.chat.documents import with_copies
from bot.chat.guard import Gate, Guard, check_exposure, is_inner, listing, nothing_listed, refused
from bot.http.pages import CARD_TEXT, source_of
from bot.library.documents import Documents
from bot.library.scoping import ScopeOptions
from bot.presentation.escaping import clean
from bot.presentation.i18n import Texts, typed
from bot.presentation.phrases import in_marks
from bot.presentation.presenter import Presenter
from bot.settings.platforms import ChatSettings
from core.domain.documents import Document
from core.domain.journal import ChatState, chat_key
from core.domain.messages import ComparisonForm, HomePage, LinkPreview, MessageRef
from core.domain.rich_text import Block, bold, code, heading, joined, small
from core.errors import FundstelleError
from core.ports.chat import WhoReads
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.library import CorrectionLog, LifecycleLibrary

RECENT = timedelta(days=30)
MOST_CORRECTIONS = 10
_LOOKED_AT = 50
"""Number of corrected versions from which the visible ones are chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A viewer: `chat` has its settings, restricted while others may read along."""

    ref: MessageRef
    chat: ChatSettings
    state: ChatState
    texts: Texts
    documents: Sequence[Document]


Section = Callable[[Visit], Awaitable[Sequence[Block]]]
"""A part of the app's own page, with its heading first; empty if there is nothing to show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSurfaces:
    """Shows what a chat may see. `prefix` stands before commands; `sections` are further parts of the app's
    own page, above its help."""

    guard: Guard
    documents: Documents
    library: LifecycleLibrary
    corrections: CorrectionLog
    links: Links
    presenter: Presenter
    journal: Journal
    clock: Clock
    prefix: str
    sections: Sequence[Section] = ()

    async def home(self, chat: MessageRef, exposure: WhoReads) -> HomePage:
        """The library's contents, recent corrections, and example questions. If no chat of the workspace is
        in the settings: how to add one."""
        if not self.guard.serves(chat):
            texts = self.presenter.texts("")
            return HomePage(blocks=(texts("hello.not_listed"), code(listing(chat))))
        visit = await self._visit(chat, exposure)
        texts = visit.texts
        blocks: list[Block] = [texts("info.help"), *await self._library(visit)]
        for section in (self._corrected, *self.sections):
            blocks += await section(visit)
        blocks += [heading(texts("home.commands")), texts("home.typed", prefix=self.prefix)]
        blocks.append(small(hinted(texts.language)))
        listed = self.guard.chat(chat) is not None
        return HomePage(blocks=tuple(blocks), compare=texts("home.compare") if listed else "")

    async def _library(self, visit: Visit) -> Sequence[Block]:
        presenter = self.presenter.within(visit.chat.collections)
        head, *rows = presenter.documents(visit.documents, visit.texts).split("\n")
        return [heading(head), "\n".join(rows)] if rows else [head]

    async def _corrected(self, visit: Visit) -> Sequence[Block]:
        """The documents in which quotes of earlier answers have changed, without who was shown which
        words."""
        now, lines = self.clock.now(), list[Block]()
        for found in await self.corrections.recent(since=now - RECENT, limit=_LOOKED_AT):
            version = await self.library.version(found.version)
            document = next(
                (each for each in visit.documents if version and each.id == version.document), None
            )
            if document is None or len(lines) == MOST_CORRECTIONS:
                continue
            line = self.presenter.within(visit.chat.collections).document_line(document, visit.texts)
            counts = {"changed": found.changed, "gone": found.gone, "count": found.changed + found.gone}
            day = visit.texts.day_of(found.at)
            told = "home.reads_otherwise" if found.changed else "home.reads_no_more"
            lines.append(joined([bold(line), visit.texts(told, date=day, **counts)]))
        return [heading(visit.texts("home.corrected")), *lines] if lines else []

    def asks_for_form(self, text: str) -> bool:
        """Whether `text` is the command for comparisons, without arguments."""
        command = parse(text)
        return command is not None and command.name == "compare" and not command.rest

    async def form(self, chat: MessageRef, exposure: WhoReads) -> ComparisonForm:
        """The form with the parties known in the chat's collections. Raises Refused if it may not ask."""
        if self.guard.chat(chat) is None:
            raise refused(Gate.CHAT, chat=chat.listed_chat)
        visit = await self._visit(chat, exposure)
        texts = visit.texts
        known = self.documents.scoping.within(visit.chat.collections).registry.parties
        return ComparisonForm(
            title=texts("home.form_title"),
            topic=texts("home.form_topic"),
            example=texts("home.form_example"),
            parties=texts("home.form_parties"),
            all_of_them=texts("home.form_all"),
            submit=texts("home.form_submit"),
            close=texts("home.form_close"),
            too_few=texts("home.form_too_few"),
            names=tuple(sorted((party.name for party in known), key=str.casefold)),
        )

    def comparison(self, topic: str, names: Sequence[str]) -> str:
        """The command, with the parties as options after the topic, where they are taken as names, whatever
        they contain."""
        option = typed("mover")[0]
        chosen = [f'{option}="{name}"' for name in names]
        return " ".join(["/compare", " ".join(topic.split()), *chosen])

    async def preview(self, address: str) -> LinkPreview | None:
        """In the language of the document, since the reader's is unknown."""
        own = f"{self.links.base}{PATH}/"
        if not self.links.base or not address.startswith(own):
            return None
        name = address.removeprefix(own).split("/")[0].split("?")[0].split("#")[0]
        link = await self.links.opened(name) if name else None
        if link is None:
            return None
        citation = link.citation
        texts = self.presenter.texts(citation.edition.document.fields.language)
        quote = " ".join(clean(citation.quote.text).split())
        return LinkPreview(
            quote=in_marks(quote if len(quote) <= CARD_TEXT else f"{quote[:CARD_TEXT]}…", texts),
            source=source_of(citation, self.presenter, texts),
            since=tuple(clean(line) for line in standing(link, self.presenter, texts)),
            picture=f"{own}{link.id}/card.jpg",
        )

    async def _visit(self, ref: MessageRef, exposure: WhoReads) -> Visit:
        chat = await self._seen(ref, exposure)
        state = await self.journal.chat_state(chat_key(ref))
        state = state or ChatState(jurisdiction=chat.jurisdiction or None, language=chat.language)
        options = ScopeOptions(collections=chat.collections, configured=True)
        found = await self.documents.listed(options)
        own = with_copies(found)
        documents = [each for each in found if each.id in own]
        spoken = Counter(each.fields.language for each in documents).most_common(1)
        language = state.language or (spoken[0][0] if spoken else "")
        return Visit(
            ref=ref, chat=chat, state=state, texts=self.presenter.texts(language), documents=documents
        )

    async def _seen(self, ref: MessageRef, exposure: WhoReads) -> ChatSettings:
        """The settings of the chat; without its non-public collections if others can read along, or if that
        is unknown."""
        chat = self.guard.chat(ref) or nothing_listed(ref)
        if not is_inner(chat):
            return chat
        try:
            check_exposure(await exposure())
        except FundstelleError:
            return nothing_listed(ref)
        return chat
