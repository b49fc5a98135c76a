"""What of an inner document is public already: its copy, or a paper of the same name."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.library import Documents
from bot.library.upkeep import Publishing
from core.domain.documents import PUBLIC, Document, Edition
from core.domain.ids import TraceId
from core.errors import Refused
from core.ports.journal import Journal
from core.registry.titles import undated


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicState:
    """What is public of a document. `is_copy`: it was published from it; `outdated`: with other bytes or
    fields than the document has now. `answers`: how many recorded ones cite it."""

    edition: Edition
    is_copy: bool
    outdated: bool
    answers: int


@dataclass(frozen=True, slots=True)
class PublicCopies:
    """Looks for documents in the public collection."""

    documents: Documents
    publishing: Publishing
    journal: Journal

    async def of(self, document: Document) -> PublicState | None:
        """The public copy of `document`, else the newest public paper of the same file or title, years
        apart; None for what is public itself."""
        if document.collection == PUBLIC:
            return None
        copy = await self.publishing.copy_of(document, PUBLIC)
        public = copy or _alike(document, await self.documents.held([PUBLIC]))
        if public is None:
            return None
        edition = await self._edition(public)
        own = await self._edition(document)
        if edition is None or own is None:
            return None
        same = edition.version.sha256 == own.version.sha256 and public.fields == document.fields
        return PublicState(
            edition=edition,
            is_copy=copy is not None,
            outdated=copy is not None and not same,
            answers=len(await self.answers(public)),
        )

    async def unpublished(self, collections: Sequence[str]) -> list[Document]:
        """The inner documents of `collections` that are not public as they are now."""
        found = []
        for document in await self.documents.held(collections):
            state = await self.of(document)
            if document.collection != PUBLIC and not (state and state.is_copy and not state.outdated):
                found.append(document)
        return found

    async def published(self, collections: Sequence[str]) -> list[Document]:
        """The documents of `collections` that are public or have a public copy."""
        held = await self.documents.held(collections)
        return [
            each for each in held if each.collection == PUBLIC or await self.publishing.copy_of(each, PUBLIC)
        ]

    async def answers(self, document: Document) -> Sequence[TraceId]:
        """The recorded answers that cite any version of `document`."""
        versions = await self.documents.library.versions(document.id)
        return await self.journal.citing([version.id for version in versions])

    async def _edition(self, document: Document) -> Edition | None:
        try:
            return await self.documents.edition(document.id, [document.collection])
        except Refused:
            return None


def _alike(document: Document, others: Sequence[Document]) -> Document | None:
    title = undated(document.fields.title).casefold()
    found = [
        each
        for each in others
        if each.file == document.file
        or (title and undated(each.fields.title).casefold() == title and _may_be_of_one(document, each))
    ]
    return max(found, key=lambda each: str(each.fields.valid_from or ""), default=None)


def _may_be_of_one(one: Document, other: Document) -> bool:
    """Whether two papers can be of the same party and place, as far as that is stated."""
    a, b = one.fields, other.fields
    parties = not a.parties or not b.parties or set(a.parties) == set(b.parties)
    return parties and (not a.jurisdiction or not b.jurisdiction or a.jurisdiction == b.jurisdiction)
