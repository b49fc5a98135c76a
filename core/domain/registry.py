"""The registry: places, parties, who governs, and the documents the library should hold."""

from dataclasses import dataclass, field
from datetime import date

from core.domain.documents import DocumentFields


@dataclass(frozen=True, slots=True, kw_only=True)
class Jurisdiction:
    """A place. `code` is ISO 3166 style in lower case; `parent` is stated, or implied by the code."""

    code: str
    name: str
    aliases: tuple[str, ...] = ()
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace(Jurisdiction):
    """A place that needs no row; `spoken` are its everyday names by language. `is_country`: it is generally
    regarded as a country, even if part of another one ("Scotland")."""

    spoken: tuple[tuple[str, str], ...] = ()
    is_country: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """A party, or a group of parties (`members`)."""

    name: str
    aliases: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Government:
    """Who governs `jurisdiction` during a period."""

    jurisdiction: str
    parties: tuple[str, ...]
    since: date
    until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A pair of rule and section that the text does not spell out. Documents are given by key."""

    document: str
    section: str
    source: str
    source_section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredDocument:
    """A document listed in a manifest. `key` is its `file` or `url` as written."""

    key: str
    collection: str
    fields: DocumentFields
    file: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The places and parties of one manifest, and the `collections` that it names. `name` identifies it: its
    path, or a placeholder for rows that were entered without a manifest."""

    name: str
    collections: tuple[str, ...]
    jurisdictions: tuple[Jurisdiction, ...] = ()
    parties: tuple[Party, ...] = ()
    governments: tuple[Government, ...] = ()
    derivations: tuple[Derivation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """All rows of one or several manifests, merged. Places are looked up by code, parties by name.

    `manifests` record which manifest each row comes from: a chat sees only rows of manifests for its
    collections (`core.registry.manifests.seen_from`). Without them everybody sees all rows. `collections` are
    those named by the manifest it was read from; they identify it and are not part of its rows.
    """

    jurisdictions: tuple[Jurisdiction, ...] = ()
    parties: tuple[Party, ...] = ()
    governments: tuple[Government, ...] = ()
    documents: tuple[RegisteredDocument, ...] = field(default=())
    derivations: tuple[Derivation, ...] = ()
    manifests: tuple[Manifest, ...] = ()
    collections: tuple[str, ...] = field(default=(), compare=False)
