"""Receipts for uploaded files in words: what was read, where it can be found, what it seems to be; and
what is already public of an internal document."""

import hashlib
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.chat.documents import LABEL
from bot.chat.guard import Guard
from bot.library.documents import Documents
from bot.library.scoping import Scoping
from bot.library.upkeep import Publishing
from bot.presentation.escaping import defused
from bot.presentation.i18n import Texts
from bot.presentation.phrases import in_marks
from bot.presentation.presenter import Presenter
from bot.settings.platforms import ChatSettings
from core.domain.documents import (
    GLOBAL,
    PUBLIC,
    STATUTORY_TYPES,
    Document,
    DocumentFields,
    DocumentType,
    Edition,
)
from core.domain.ids import DocumentId, TraceId
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.domain.journal import OutgoingReply, chat_key
from core.domain.messages import Button, Capabilities, MessageRef, Outgoing, Reply
from core.domain.records import AnswerRecord
from core.domain.rich_text import Block, RichText, bold, joined, rich, small
from core.errors import Refused
from core.library.describing import Description, PrintedDate, describe
from core.ports.journal import Journal
from core.registry.detection import Detector
from core.registry.titles import guessed_aliases, undated


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicState:
    """The public counterpart of a document. `is_copy`: it was published from it; `outdated`: with other bytes
    or fields than the document has now. `answers`: how many recorded ones cite it."""

    edition: Edition
    is_copy: bool
    outdated: bool
    answers: int


@dataclass(frozen=True, slots=True)
class PublicCopies:
    """Looks up documents in the public collection."""

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
        """The internal documents of `collections` that are not public in their current state."""
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
    """Whether two documents may have the same party and place, as far as stated."""
    a, b = one.fields, other.fields
    parties = not a.parties or not b.parties or set(a.parties) == set(b.parties)
    return parties and (not a.jurisdiction or not b.jurisdiction or a.jurisdiction == b.jurisdiction)


# The threads whose answers quote a document: they are told when it is no longer public.


@dataclass(frozen=True, slots=True)
class CitingThreads:
    """Finds where answers are posted and queues a message there. Chats that have turned corrections off, or
    are no longer listed, are not told."""

    journal: Journal
    presenter: Presenter
    guard: Guard

    async def tell(self, gone: Document, traces: Sequence[TraceId], *, cause: str, at: datetime) -> int:
        """Say that `gone` is no longer public below each of the answers `traces` (only the last in a thread),
        once per `cause`; returns how many answers are concerned."""
        threads: dict[object, list[tuple[AnswerRecord, MessageRef]]] = {}
        for trace in traces:
            record = await self.journal.answer(trace)
            posted = await self.journal.posted(trace)
            if record is not None and posted and await self._hears(posted[0].ref):
                ref = posted[0].ref
                threads.setdefault((chat_key(ref), ref.thread or trace), []).append((record, ref))
        replies = [await self._announcement(gone, answers, cause) for answers in threads.values()]
        await self.journal.enqueue(replies, at=at)
        return sum(map(len, threads.values()))

    async def _hears(self, ref: MessageRef) -> bool:
        state = await self.journal.chat_state(chat_key(ref))
        return self.guard.chat(ref) is not None and (state is None or state.corrections)

    async def _announcement(
        self, gone: Document, answers: Sequence[tuple[AnswerRecord, MessageRef]], cause: str
    ) -> OutgoingReply:
        record, to = answers[-1]
        state = await self.journal.chat_state(chat_key(to))
        texts = self.presenter.texts((state.language if state else "") or record.language)
        quotes = sum(item.document == gone.id for each, _ in answers for item in each.citations)
        text = texts("correction.unpublished", title=gone.fields.title, count=quotes)
        named = hashlib.sha256(f"{cause}\n{record.trace}\n{gone.id}".encode()).hexdigest()
        return OutgoingReply(parts=(Outgoing(key=f"u{named[:24]}-0", to=to, text=text),))


NAMES = 5
"""Maximum short names shown of a document."""

OFFERED = 8
"""Maximum buttons of one receipt, one per row."""

_NEWS = (IngestStatus.INDEXED, IngestStatus.UPDATED)
"""The outcome of a file that can be found from now on."""

ABOUT = "upload:"
"""Prefix of the key by which a receipt is remembered, in place of an answer's trace: the documents follow."""


def documents_of(trace: str | None) -> tuple[DocumentId, ...]:
    """The documents of a receipt, by its key; none for an answer."""
    named = trace.removeprefix(ABOUT) if trace and trace.startswith(ABOUT) else ""
    return tuple(DocumentId(each) for each in named.split(",") if each)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReceipt:
    """The receipt for one file: by itself (`whole`) and among others (`short`). `document` is None if there
    is none; `guessed`: its fields were guessed and await confirmation, `unconfirmed`: its place or party
    does; `inner`: only staff can find it, as of now; `outdated`: its public copy differs from it."""

    file: str
    whole: Block
    short: Block
    document: DocumentId | None = None
    guessed: bool = False
    unconfirmed: bool = False
    inner: bool = False
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class Receipts:
    """Receipts for uploads. `chats` determine who can find what."""

    documents: Documents
    scoping: Scoping
    presenter: Presenter
    chats: Sequence[ChatSettings]
    copies: PublicCopies

    async def of_file(self, receipt: IngestReceipt, texts: Texts, prefix: str) -> FileReceipt:
        """The receipt for a file that was read."""
        document = await self.documents.document(receipt.document) if receipt.document else None
        if receipt.status is IngestStatus.REFUSED or document is None:
            refusal = texts("upload.refused", file=receipt.file, why=self._why(receipt, texts))
            block = joined([refusal, *(warning_text(each, texts) for each in receipt.notable_warnings)])
            return FileReceipt(file=receipt.file, whole=block, short=block)
        guess = await self.guess(document)
        public = await self.copies.of(document)
        head = titled(f"upload.{receipt.status.value}", texts, file=receipt.file, title=document.fields.title)
        counts = texts("upload.pages", pages=receipt.pages, passages=receipt.passages)
        fields, *names = self._fields(document, texts)
        notes = [*self._warning_lines(receipt, texts), *names]
        open_fields = self._open(document, guess, texts)
        public_lines = public_text(document, public, texts, prefix)
        unconfirmed = bool(guess.jurisdiction or guess.party)
        inner = document.collection != PUBLIC
        found = inner and receipt.status in _NEWS
        after = _found_text(texts, found=found, unconfirmed=inner and unconfirmed)
        where = small(" ".join([self._where(document, texts), *after]))
        correct = small(texts("upload.correct", prefix=prefix, file=document.file))
        short: list[Block] = [
            head + " " + counts,
            *self._warning_lines(receipt, texts),
            *open_fields,
            *public_lines,
        ]
        read = f"{counts} · {fields}"
        whole: list[Block] = [head, read, *notes, *public_lines, *open_fields, where, correct]
        return FileReceipt(
            file=receipt.file,
            whole=joined(whole),
            short=joined(short),
            document=document.id,
            guessed=self.taken(guess) != Description(),
            unconfirmed=inner and unconfirmed,
            inner=found,
            outdated=public is not None and public.outdated,
        )

    async def of_document(self, document: Document, texts: Texts, prefix: str) -> FileReceipt:
        """The stated and guessed fields of a document."""
        guess = await self.guess(document)
        lines: list[Block] = [
            bold(defused(document.fields.title)),
            *self._fields(document, texts),
            *self._open(document, guess, texts),
            small(texts("upload.correct", prefix=prefix, file=document.file)),
        ]
        text = joined(lines)
        return FileReceipt(
            file=document.file,
            whole=text,
            short=text,
            document=document.id,
            guessed=self.taken(guess) != Description(),
        )

    def not_fetched(self, file: str, why: str, texts: Texts) -> FileReceipt:
        """The receipt for a file that could not be fetched; some reasons name it themselves."""
        block = why if defused(file) in why else texts("upload.not_fetched", file=file, why=why)
        return FileReceipt(file=file, whole=block, short=block)

    def said(self, files: Sequence[FileReceipt], texts: Texts, can: Capabilities, *more: Block) -> Reply:
        """One receipt for `files`, with a button for each whose guess or public copy awaits a decision; a
        file sent twice is shown in its latest state. `more` (the progress of the next one) follows."""
        later = [{each.document for each in files[number + 1 :]} - {None} for number in range(len(files))]
        files = [each for each, again in zip(files, later, strict=True) if each.document not in again]
        documents = [each.document for each in files if each.document]
        blocks = [files[0].whole] if len(files) == 1 else [each.short for each in files]
        after = list[Block]()
        if any(each.guessed for each in files):
            key = "upload.take_button" if can.buttons else "upload.take_word"
            after.append(texts(key, prefix=can.command_prefix))
        if len(files) > 1:
            blocks[0] = joined([bold(texts("upload.files", count=len(files))), blocks[0]])
            found = any(each.inner for each in files)
            unconfirmed = any(each.unconfirmed for each in files)
            told = _found_text(texts, found=found, unconfirmed=unconfirmed)
            after += [small(" ".join(told))] if told else []
        if after:
            blocks[-1] = joined([blocks[-1], *after])
        return Reply(
            blocks=(*blocks, *more),
            buttons=tuple(self._buttons(files, texts))[:OFFERED],
            trace=ABOUT + ",".join(dict.fromkeys(documents)) if documents else None,
        )

    def _buttons(self, files: Sequence[FileReceipt], texts: Texts) -> Iterable[tuple[Button, ...]]:
        for each in files:
            name = f": {each.file[:LABEL]}" if len(files) > 1 else ""
            row = []
            if each.guessed:
                label = texts("button.take_guess") + name
                row.append(Button(label=label, command=f"/describe {each.document} *"))
            if each.outdated:
                label = texts("button.publish") + name
                row.append(Button(label=label, command=f"/publish {each.document}"))
            if row:
                yield tuple(row)

    def _warning_lines(self, receipt: IngestReceipt, texts: Texts) -> list[str]:
        """Warnings about what could not be read of a file or was left out."""
        lines = []
        if receipt.pages_without_text:
            lines.append(texts("upload.without_text", count=receipt.pages_without_text))
        if receipt.hidden_characters:
            lines.append(texts("upload.hidden", count=receipt.hidden_characters))
        return [*lines, *(warning_text(warning, texts) for warning in receipt.notable_warnings)]

    def _why(self, receipt: IngestReceipt, texts: Texts) -> str:
        """Why a file was refused. Errors that the operator must fix may name paths and addresses."""
        if receipt.error is None:
            return ""
        if receipt.trace:
            return texts("error.ingest.failed", trace=receipt.trace)
        return self.presenter.refusal(*receipt.error, texts.language)

    def _where(self, document: Document, texts: Texts) -> str:
        """Where and by whom it can be found now."""
        if document.collection == PUBLIC:
            return texts("upload.where_public", collection=document.collection)
        rooms = sum(document.collection in chat.collections for chat in self.chats)
        return texts("upload.where_inner", collection=document.collection, count=rooms)

    def _fields(self, document: Document, texts: Texts) -> list[str]:
        names = called(document)
        return [
            field_words(document.fields, texts, self.presenter.within([document.collection])),
            *([texts("upload.called", names=", ".join(names))] if names else []),
        ]

    def _open(self, document: Document, guess: Description, texts: Texts) -> list[str]:
        taken = self.taken(guess)
        coming = guess.valid_from if taken != guess else None
        guessed = guess_words(taken, texts, self.presenter.within([document.collection]))
        lines = [texts("upload.guess", fields=guessed)] if guessed else []
        if coming is not None:
            lines.append(texts("upload.coming", date=_printed(coming, texts), written=coming.written))
        return [*lines, *self.not_quoted_yet(document, texts)]

    def taken(self, guess: Description) -> Description:
        """The fields of a guess that a "yes" confirms. A future date may be that of a building or an
        election: as the date from which the document is valid it would hide the document until then, so it
        has to be written explicitly."""
        coming = guess.valid_from is not None and self.is_to_come(guess.valid_from.day)
        return replace(guess, valid_from=None) if coming else guess

    async def guess(self, document: Document) -> Description:
        """The unstated fields of a document, as guessed."""
        pages = await self.documents.first_pages(document.id, 3)
        detector = Detector(self.scoping.within([document.collection]).registry, ())
        return missing_fields(document, describe(document.fields.title, pages, detector))

    def is_to_come(self, day: date | None) -> bool:
        """Whether a document valid from `day` on is not quoted yet."""
        return day is not None and day > self.documents.clock.today()

    def not_quoted_yet(self, document: Document, texts: Texts) -> list[str]:
        """A notice that a document is valid from a future day, and is not quoted before."""
        start = document.fields.valid_from
        if start is None or not self.is_to_come(start):
            return []
        return [texts("upload.not_quoted_yet", title=defused(document.fields.title), date=texts.day(start))]


def _found_text(texts: Texts, *, found: bool, unconfirmed: bool) -> list[str]:
    """A notice that questions find files from now on, and which fields do not count yet."""
    lines = [texts("upload.at_once")] if found else []
    return [*lines, *([texts("upload.unconfirmed")] if unconfirmed else [])]


def titled(key: str, texts: Texts, *, title: str, **values: str) -> RichText:
    """The text of `key` with the title in it in bold."""
    text, name = rich(texts(key, title=title, **values)), defused(title)
    before, found, _ = text.text.partition(name)
    if not found:
        return text
    end = len(before) + len(name)
    return text.part(0, len(before)) + bold(text.part(len(before), end)) + text.part(end)


def called(document: Document) -> tuple[str, ...]:
    """Short names by which the document is found: stated ones, and those guessed from a statute's title."""
    fields = document.fields
    guessed = guessed_aliases(fields) if fields.doc_type in STATUTORY_TYPES else ()
    return (*fields.aliases, *guessed)[:NAMES]


def public_text(document: Document, public: PublicState | None, texts: Texts, prefix: str) -> list[str]:
    """What is already public of a document, and how many answers cite that."""
    if public is None:
        return []
    date, cited = texts.day_of(public.edition.version.seen_from), public.answers
    if not public.is_copy:
        title = public.edition.document.fields.title
        return [texts("upload.public_other", title=title, date=date, count=cited)]
    if not public.outdated:
        return [texts("upload.public_same", count=cited)]
    return [texts("upload.public_older", date=date, count=cited), outdated_copy(document, texts, prefix)]


def outdated_copy(document: Document, texts: Texts, prefix: str) -> str:
    """A notice that the public copy of a document is outdated, and how to update it."""
    return texts("upload.copy_outdated", prefix=prefix, file=document.file)


def warning_text(warning: str, texts: Texts) -> str:
    """An ingestion warning in words."""
    key, _, count = warning.partition(":")
    return texts(f"warning.{key}", count=count)


def missing_fields(document: Document, guess: Description) -> Description:
    """The guessed fields that nobody has stated."""
    fields = document.fields
    return Description(
        jurisdiction=None if fields.jurisdiction else guess.jurisdiction,
        party=None if fields.parties else guess.party,
        doc_type=guess.doc_type if fields.doc_type is DocumentType.OTHER else None,
        valid_from=None if fields.valid_from else guess.valid_from,
    )


# The fields of a document for people: "Antrag · Uferpartei · Seemoor · 8. Januar 2026".


def field_words(
    fields: DocumentFields, texts: Texts, presenter: Presenter, *, only: Container[str] | None = None
) -> str:
    """The known fields of a document; with `only`, those with these typed names."""
    chosen = only is not None
    values = {
        "title": in_marks(fields.title, texts) if chosen else "",
        "type": _kind(fields.doc_type, texts) if chosen or fields.doc_type is not DocumentType.OTHER else "",
        "party": presenter.names.parties(*fields.parties),
        "jurisdiction": _place(fields.jurisdiction, texts, presenter),
        "date": texts.day(fields.valid_from) if fields.valid_from else "",
        "language": _language(fields.language, texts) or (defused(fields.language) if chosen else ""),
        "pages": texts("field.pages", count=fields.max_pages) if fields.max_pages else "",
    }
    return _listed(value for name, value in values.items() if only is None or name in only)


def guess_words(guess: Description, texts: Texts, presenter: Presenter) -> str:
    """What a document seems to be; empty if there is no evidence."""
    party = presenter.names.parties(guess.party) if guess.party else ""
    kind = _kind(guess.doc_type, texts) if guess.doc_type else ""
    date = _printed(guess.valid_from, texts) if guess.valid_from else ""
    return _listed((kind, party, _place(guess.jurisdiction, texts, presenter), date))


def _listed(words: Iterable[str]) -> str:
    line = " · ".join(word for word in words if word)
    return line[:1].upper() + line[1:]


def _kind(kind: DocumentType, texts: Texts) -> str:
    return texts(f"kind.{kind.value}")


def _place(code: str | None, texts: Texts, presenter: Presenter) -> str:
    if code == GLOBAL:
        return texts("field.everywhere")
    return presenter.place(code, texts) if code else ""


def _language(code: str, texts: Texts) -> str:
    """Its name if we have one: a code says little, and for a short text it is a guess."""
    return texts(f"language.{code}") if texts.has(f"language.{code}") else ""


def _printed(date: PrintedDate, texts: Texts) -> str:
    """A date to the precision printed: a day, a month or a year."""
    parts = date.written.count("-")
    return texts.day(date.day) if parts == 2 else texts.month(date.day) if parts else date.written
