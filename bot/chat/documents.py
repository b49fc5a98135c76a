"""What chats can see of the library itself: its documents and the cross-references in them."""

from dataclasses import dataclass, replace

from bot.answers import References
from bot.chat.commands import Command, handles
from bot.chat.document_names import with_copies
from bot.chat.references import references_blocks
from bot.chat.request import ReplyContent, Request, said
from bot.library import Documents
from bot.presentation import Presenter
from core.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class DocumentCommands:
    """The commands that list documents and references."""

    documents: Documents
    references: References
    presenter: Presenter

    @handles("sources")
    async def _sources(self, request: Request, _: Command) -> ReplyContent:
        state = request.state
        options = replace(request.options, jurisdiction=state.jurisdiction, parties=state.parties)
        documents = await self.documents.listed(options)
        own = with_copies(documents)
        documents = [each for each in documents if each.id in own]
        places = (state.jurisdiction,) if state.jurisdiction else ()
        scope = Scope(collections=request.chat.collections, jurisdictions=places, parties=state.parties)
        narrowed = scope if places or state.parties else None
        return said(self.presenter.documents(documents, request.texts, narrowed))

    @handles("references")
    async def _references(self, request: Request, command: Command) -> ReplyContent:
        if not command.rest:
            return said(request.hint("command.usage_references"))
        options = replace(request.options, jurisdiction=request.state.jurisdiction)
        found = await self.references.of(command.rest, options)
        return said(*references_blocks(found, request.texts))
