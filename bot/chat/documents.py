"""What chats can see of the library itself: its documents and the cross-references in them."""

from dataclasses import dataclass, replace

from bot.answers.references import References
from bot.chat.commands import Command, handles
from bot.chat.references import references_blocks
from bot.chat.request import ReplyContent, Request, said
from bot.library.documents import Documents
from bot.presentation.presenter import Presenter


@dataclass(frozen=True, slots=True)
class DocumentCommands:
    """The commands that list documents and references."""

    documents: Documents
    references: References
    presenter: Presenter

    @handles("sources")
    async def _sources(self, turn: Request, _: Command) -> ReplyContent:
        state = turn.state
        options = replace(turn.options, jurisdiction=state.jurisdiction, parties=state.parties)
        documents = await self.documents.listed(options)
        return said(self.presenter.documents(documents, turn.texts))

    @handles("references")
    async def _references(self, turn: Request, command: Command) -> ReplyContent:
        if not command.rest:
            return said(turn.texts("command.usage_references"))
        options = replace(turn.options, jurisdiction=turn.state.jurisdiction)
        found = await self.references.of(command.rest, options)
        return said(*references_blocks(found, turn.texts))
