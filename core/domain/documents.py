"""Documents, their versions and the fields that the registry states of them."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from core.domain.ids import DocumentId, VersionId

GLOBAL = "global"
"""Jurisdiction of a document that holds everywhere."""

PUBLIC = "public"
"""The collection that everybody may see."""


class DocumentType(StrEnum):
    """What kind of paper a document is."""

    MANIFESTO = "manifesto"
    BASIC_PROGRAMME = "basic_programme"
    COALITION_AGREEMENT = "coalition_agreement"
    ACT = "act"
    RULES = "rules"
    REGULATION = "regulation"
    CIRCULAR = "circular"
    GUIDANCE = "guidance"
    MOTION = "motion"
    CAMPAIGN = "campaign"
    OTHER = "other"


STATUTORY_TYPES = frozenset(
    {DocumentType.ACT, DocumentType.RULES, DocumentType.REGULATION, DocumentType.CIRCULAR}
)


POLITICAL_TYPES = frozenset(
    {
        DocumentType.MANIFESTO,
        DocumentType.BASIC_PROGRAMME,
        DocumentType.COALITION_AGREEMENT,
        DocumentType.MOTION,
        DocumentType.CAMPAIGN,
    }
)

BINDING_TYPES = STATUTORY_TYPES | {DocumentType.GUIDANCE}
"""What holds, and what those who apply it say of it."""

WANTED_TYPES = frozenset(
    {DocumentType.MANIFESTO, DocumentType.BASIC_PROGRAMME, DocumentType.COALITION_AGREEMENT}
)
"""What says what parties want, not what holds."""
"""What parties say; it holds for their own place."""

MADE, CHECKSUM = ".pages.pdf", ".pages.sha256"
"""Endings of the names of what is kept beside an original that is no PDF, or a scan: the PDF that was made of
it, and its checksum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFields:
    """What is stated of a document, apart from its bytes. All but title and language may be unknown.

    `jurisdiction` is a code, `GLOBAL` or None (found by unscoped questions only, and by
    every question where it is not public). `series` names
    what this is an edition of; where None it is derived from jurisdiction, parties and type.
    `derived_from` and `amends` are keys of other documents; `aliases` are short and usual names.
    """

    title: str
    language: str
    jurisdiction: str | None = None
    parties: tuple[str, ...] = ()
    doc_type: DocumentType = DocumentType.OTHER
    valid_from: date | None = None
    valid_to: date | None = None
    series: str | None = None
    reference: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    max_pages: int | None = None
    derived_from: str | None = None
    amends: str | None = None
    source_uri: str | None = None
    mirrors: tuple[str, ...] = ()
    schedule: str | None = None


class DocumentStatus(StrEnum):
    """Whether a document takes part in answers."""

    ACTIVE = "active"
    DELETED = "deleted"


class VersionStatus(StrEnum):
    """Life of a version: pending -> active -> superseded -> deleted."""

    PENDING = "pending"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document of one collection. `key` is unique in it; `file` is the base name last ingested."""

    id: DocumentId
    collection: str
    key: str
    file: str
    fields: DocumentFields
    status: DocumentStatus = DocumentStatus.ACTIVE

    @property
    def place_is_open(self) -> bool:
        """A paper that is not public and of which nobody has said for which place it is: until somebody
        does, questions about every place find it."""
        return self.collection != PUBLIC and self.fields.jurisdiction is None

    @property
    def speaker_is_open(self) -> bool:
        """A paper that is not public and of which nobody has said whose or of what kind it is: until
        somebody does, questions about every party find it."""
        stated = self.fields.parties or self.fields.doc_type is not DocumentType.OTHER
        return self.collection != PUBLIC and not stated

    @property
    def series(self) -> str | None:
        """The series this is an edition of: as stated, else derived for dated documents that have a
        jurisdiction and a type; None means it stands alone."""
        stated = self.fields
        if stated.series:
            return stated.series
        if not stated.valid_from or not stated.jurisdiction or not stated.parties:
            return None
        return "|".join((stated.jurisdiction, "+".join(sorted(stated.parties)), stated.doc_type.value))


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentVersion:
    """Successive bytes of a document. `number` counts from 1; `seen_from`/`seen_to` say when these
    bytes were the current ones; `original` is the path of the kept file, relative to the data folder."""

    id: VersionId
    document: DocumentId
    number: int
    sha256: str
    pipeline: str
    pages: int
    status: VersionStatus
    seen_from: datetime
    original: str
    seen_to: datetime | None = None
    indexed_at: datetime | None = None
    pages_without_text: int = 0
    pages_ocr: int = 0
    hidden_characters: int = 0
    passages: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A document together with one of its versions: what a hit or a citation points to."""

    document: Document
    version: DocumentVersion

    @property
    def can_be_shown(self) -> bool:
        """Whether its pages may be: neither is the document withdrawn nor the version gone."""
        return (
            self.document.status is DocumentStatus.ACTIVE and self.version.status is not VersionStatus.DELETED
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A version that can be read, as far as the index is concerned: `passages` it was cut into, `kept` of
    them in the database, `original` the kept file it was made of."""

    collection: str
    document: DocumentId
    version: VersionId
    passages: int
    kept: int
    original: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file's content: `kind` by its first bytes ("pdf", or another short name), `original` the
    name under which the store keeps it."""

    sha256: str
    size: int
    kind: str
    original: str
