"""The registry: places, parties, who governs, and what the library should hold."""

from dataclasses import dataclass, field
from datetime import date

from core.domain.documents import DocumentFields


@dataclass(frozen=True, slots=True, kw_only=True)
class Jurisdiction:
    """A place. `code` is ISO 3166 style in lower case; `parent` is stated or implied by the code."""

    code: str
    name: str
    aliases: tuple[str, ...] = ()
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace(Jurisdiction):
    """A place that needs no row; `spoken` are its names by language, as people of that language say them.
    `is_country`: everybody knows it, as a part of another country too ("Scotland")."""

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
    """Who governs `jurisdiction` in a span of time."""

    jurisdiction: str
    parties: tuple[str, ...]
    since: date
    until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A rule -> section pair that the text does not spell out. Documents are keys."""

    document: str
    section: str
    source: str
    source_section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredDocument:
    """A document that a manifest lists. `key` is its `file` or `url` as written."""

    key: str
    collection: str
    fields: DocumentFields
    file: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What one manifest says of places and parties, and the `collections` that it names. `name` tells it from
    the others: its path, or what stands for the rows of people who wrote none."""

    name: str
    collections: tuple[str, ...]
    jurisdictions: tuple[Jurisdiction, ...] = ()
    parties: tuple[Party, ...] = ()
    governments: tuple[Government, ...] = ()
    derivations: tuple[Derivation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """All rows of one or several manifests, merged. Places are looked up by code, parties by name.

    `manifests` keep apart who said what: a chat sees the rows of those only that speak for its collections
    (`core.registry.manifests.seen_from`). Without them the rows are everybody's. `collections` are those that
    a manifest names, where it was read from one: how it is told, and none of its rows.
    """

    jurisdictions: tuple[Jurisdiction, ...] = ()
    parties: tuple[Party, ...] = ()
    governments: tuple[Government, ...] = ()
    documents: tuple[RegisteredDocument, ...] = field(default=())
    derivations: tuple[Derivation, ...] = ()
    manifests: tuple[Manifest, ...] = ()
    collections: tuple[str, ...] = field(default=(), compare=False)
