"""Documents, their versions, and the fields that the registry states for them."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from core.domain.ids import DocumentId, VersionId

GLOBAL = "global"
"""Jurisdiction of a document that applies everywhere."""

PUBLIC = "public"
"""The collection that everybody may see."""


class DocumentType(StrEnum):
    """What kind of document it is."""

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
"""Types that are law, or guidance by those who apply it."""

WANTED_TYPES = frozenset(
    {DocumentType.MANIFESTO, DocumentType.BASIC_PROGRAMME, DocumentType.COALITION_AGREEMENT}
)
"""Types that say what parties want, not what the law is."""
"""Types by parties; they apply to the party's own place."""

MADE, CHECKSUM = ".pages.pdf", ".pages.sha256"
"""Suffixes of the files kept beside an original that is a scan or not a PDF: the PDF made from it, and its
checksum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFields:
    """Everything stated about a document, apart from its bytes. All fields but title and language may be
    unknown.

    `jurisdiction` is a code, `GLOBAL` or None (found by unscoped questions only, and, if it is not public, by
    every question). `series` names what this is an edition of; if None, it is derived from jurisdiction,
    parties and type. `derived_from` and `amends` are keys of other documents; `aliases` are short or common
    names.
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
    """Whether a document is used in answers."""

    ACTIVE = "active"
    DELETED = "deleted"


class VersionStatus(StrEnum):
    """Life cycle of a version: pending -> active -> superseded -> deleted."""

    PENDING = "pending"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document in one collection. `key` is unique there; `file` is the base name of the file last
    ingested."""

    id: DocumentId
    collection: str
    key: str
    file: str
    fields: DocumentFields
    status: DocumentStatus = DocumentStatus.ACTIVE

    @property
    def place_is_open(self) -> bool:
        """Whether it is a non-public document whose place nobody has stated yet: until then, questions about
        any place find it."""
        return self.collection != PUBLIC and self.fields.jurisdiction is None

    @property
    def speaker_is_open(self) -> bool:
        """Whether it is a non-public document whose party or type nobody has stated yet: until then,
        questions about any party find it."""
        stated = self.fields.parties or self.fields.doc_type is not DocumentType.OTHER
        return self.collection != PUBLIC and not stated

    @property
    def series(self) -> str | None:
        """The series this is an edition of: as stated, else derived for dated documents that have a
        jurisdiction and a type; None means it belongs to no series."""
        stated = self.fields
        if stated.series:
            return stated.series
        if not stated.valid_from or not stated.jurisdiction or not stated.parties:
            return None
        return "|".join((stated.jurisdiction, "+".join(sorted(stated.parties)), stated.doc_type.value))


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentVersion:
    """One state of a document's bytes. `number` counts from 1; `seen_from`/`seen_to` say when these bytes
    were current; `original` is the path of the stored file, relative to the data folder."""

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
        """Whether its pages can be shown: the document is not withdrawn and the version still exists."""
        return (
            self.document.status is DocumentStatus.ACTIVE and self.version.status is not VersionStatus.DELETED
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A readable version, as far as the index is concerned: it was cut into `passages`, of which `kept` are
    in the database; `original` is the stored file it was made from."""

    collection: str
    document: DocumentId
    version: VersionId
    passages: int
    kept: int
    original: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file's content: `kind`, determined by its first bytes ("pdf" or another short name), and `original`,
    its name in the store."""

    sha256: str
    size: int
    kind: str
    original: str
