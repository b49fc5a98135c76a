"""What became of uploaded files, in words: what was read, where it can be found, what it seems to be."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat.request import ReplyContent
from bot.library import Documents
from bot.library.scoping import Scoping
from bot.presentation import Presenter, Texts
from bot.settings import ChatSettings
from core.domain.documents import PUBLIC, STATUTORY_TYPES, Document
from core.domain.ids import DocumentId
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.domain.messages import Button
from core.library.describing import Description, describe
from core.registry.detection import Detector
from core.registry.titles import guessed_aliases

NAMES = 5
"""Short names of a document shown at most."""

ABOUT = "upload:"
"""Begins what a receipt is remembered by, where an answer has its trace: the document follows."""


@dataclass(frozen=True, slots=True)
class Receipts:
    """Receipts for uploads. `chats` tell who can find what."""

    documents: Documents
    scoping: Scoping
    presenter: Presenter
    chats: Sequence[ChatSettings]

    async def said(
        self,
        receipts: Sequence[IngestReceipt],
        texts: Texts,
        *,
        refused: Sequence[tuple[str, str]] = (),
        replaces: str | None = None,
    ) -> ReplyContent:
        """A block for each file, and buttons for the first one whose fields could be guessed. `refused`:
        names of files that could not be had, and why."""
        about: DocumentId | None = None
        blocks = [texts("upload.not_fetched", file=name, why=why) for name, why in refused]
        buttons: tuple[tuple[Button, ...], ...] = ()
        for receipt in receipts:
            text, guess = await self._block(receipt, texts)
            blocks.append(text)
            about = about or receipt.document
            if guess and not buttons and receipt.document:
                take = Button(label=texts("button.take_guess"), command=f"/describe {receipt.document} *")
                buttons = ((take,),)
        return ReplyContent(
            blocks=tuple(blocks),
            buttons=buttons,
            trace=f"{ABOUT}{about}" if about else None,
            replaces=replaces,
        )

    async def _block(self, receipt: IngestReceipt, texts: Texts) -> tuple[str, bool]:
        if receipt.status is IngestStatus.REFUSED or receipt.document is None:
            lines = [texts("upload.refused", file=receipt.file, why=self._why(receipt, texts))]
            lines += [warning_text(warning, texts) for warning in receipt.notable_warnings]
            return "\n".join(lines), False
        document = await self.documents.document(receipt.document)
        if document is None:
            return texts("upload.refused", file=receipt.file, why=""), False
        lines = [texts(f"upload.{receipt.status.value}", file=receipt.file, title=document.fields.title)]
        lines.append(texts("upload.pages", pages=receipt.pages, passages=receipt.passages))
        if receipt.pages_without_text:
            lines.append(texts("upload.without_text", count=receipt.pages_without_text))
        if receipt.hidden_characters:
            lines.append(texts("upload.hidden", count=receipt.hidden_characters))
        lines += [warning_text(warning, texts) for warning in receipt.notable_warnings]
        lines.append(self._where(document, texts))
        guess = await self.guess(document)
        open_fields = missing_fields(document, guess)
        lines.append(self._described(document, texts))
        if names := called(document):
            lines.append(texts("upload.called", names=", ".join(names)))
        if open_fields:
            lines.append(texts("upload.guess", fields=", ".join(open_fields.values())))
        lines.append(texts("upload.correct", id=document.id))
        return "\n".join(lines), bool(open_fields)

    def _why(self, receipt: IngestReceipt, texts: Texts) -> str:
        """Why a file was refused. What the operator has to mend may name paths and addresses."""
        if receipt.error is None:
            return ""
        if receipt.trace:
            return texts("error.ingest.failed", trace=receipt.trace)
        return self.presenter.refusal(*receipt.error, texts.language)

    def _where(self, document: Document, texts: Texts) -> str:
        """Where it can be found now, and by whom."""
        rooms = sum(document.collection in chat.collections for chat in self.chats)
        key = "upload.where_public" if document.collection == PUBLIC else "upload.where_inner"
        return texts(key, collection=document.collection, count=rooms)

    def _described(self, document: Document, texts: Texts) -> str:
        fields = document.fields
        known = [
            *([f"jurisdiction={fields.jurisdiction}"] if fields.jurisdiction else []),
            *(f"party={name}" for name in fields.parties),
            f"type={fields.doc_type.value}",
            f"language={fields.language}",
            *([f"date={fields.valid_from.isoformat()}"] if fields.valid_from else []),
        ]
        return texts("upload.fields", fields=", ".join(known))

    async def guess(self, document: Document) -> Description:
        """What the document seems to be."""
        pages = await self.documents.first_pages(document.id, 3)
        detector = Detector(self.scoping.registry, ())
        return describe(document.fields.title, pages, detector)


def called(document: Document) -> tuple[str, ...]:
    """Short names that the document is found by: stated ones, and those guessed of a statute's title."""
    fields = document.fields
    guessed = guessed_aliases(fields) if fields.doc_type in STATUTORY_TYPES else ()
    return (*fields.aliases, *guessed)[:NAMES]


def outdated_copy(document: Document, texts: Texts, prefix: str) -> str:
    """That the public copy of a document is not as the document is now, and what brings it up to date."""
    return texts("upload.copy_outdated", prefix=prefix, file=document.file)


def warning_text(warning: str, texts: Texts) -> str:
    """A warning of the ingestion in words."""
    key, _, count = warning.partition(":")
    return texts(f"warning.{key}", count=count)


def missing_fields(document: Document, guess: Description) -> dict[str, str]:
    """Fields that nobody has stated and that can be guessed, each as it would be written."""
    fields = document.fields
    found: dict[str, str] = {}
    if guess.jurisdiction and not fields.jurisdiction:
        found["jurisdiction"] = f"jurisdiction={guess.jurisdiction}"
    if guess.party and not fields.parties:
        found["party"] = f'party="{guess.party}"'
    if guess.doc_type and fields.doc_type.value == "other":
        found["type"] = f"type={guess.doc_type.value}"
    if guess.valid_from and not fields.valid_from:
        found["date"] = f"date={guess.valid_from.written}"
    return found
