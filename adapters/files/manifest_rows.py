"""The tables of a manifest as pydantic models, one class a table. Types are strict: a date in quotes is
a mistake worth telling. `row()` gives the core's type."""

from datetime import date
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from core.domain.documents import GLOBAL, DocumentFields, DocumentType
from core.domain.registry import Derivation, Government, Jurisdiction, Party, RegisteredDocument

SCHEDULE = r"^(every \d{1,4} ?(m|h|d)|\S+ \S+ \S+ \S+ \S+)$"
"""`every 30m`, `every 6h`, `every 1d`, or the five fields of cron."""

T = TypeVar("T")


def _code(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Code = Annotated[
    str, BeforeValidator(_code), StringConstraints(pattern=rf"^(?:[a-z]{{2}}(?:-[a-z0-9]+)*|{GLOBAL})$")
]
Language = Annotated[str, BeforeValidator(_code), StringConstraints(pattern=r"^[a-z]{2}$")]
Texts = Annotated[list[Text], BeforeValidator(_listed)]
Codes = Annotated[list[Code], BeforeValidator(_listed)]


class Row(BaseModel, Generic[T]):
    """A row of a manifest; keys it does not know are errors. `makes` is the core's type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    makes: ClassVar[type[Any]]

    def row(self) -> T:
        """The core's type, whose fields have the same names."""
        made: T = self.makes(**self.values())
        return made

    def values(self) -> dict[str, Any]:
        """What is stated, lists as the core has them."""
        return {name: tuple(value) if isinstance(value, list) else value for name, value in self}


class ManifestJurisdiction(Row[Jurisdiction]):
    """`[[jurisdiction]]`"""

    makes = Jurisdiction
    code: Code
    name: Text
    aliases: Texts = []
    parent: Code | None = None


class ManifestParty(Row[Party]):
    """`[[party]]`"""

    makes = Party
    name: Text
    aliases: Texts = []
    members: Texts = []
    jurisdictions: Codes = []


class ManifestGovernment(Row[Government]):
    """`[[government]]`"""

    makes = Government
    jurisdiction: Code
    parties: Texts
    since: date = Field(alias="from")
    until: date | None = Field(default=None, alias="to")

    @model_validator(mode="after")
    def _in_order(self) -> "ManifestGovernment":
        _check_order("from", self.since, "to", self.until)
        return self


class ManifestDerivation(Row[Derivation]):
    """`[[derivation]]`"""

    makes = Derivation
    document: Text
    section: Text
    source: Text = Field(alias="from")
    source_section: Text = Field(alias="from_section")


class ManifestDocument(Row[RegisteredDocument]):
    """`[[document]]`: a file, or a URL; with both the file is read and the URL says where it is from.
    A title or language that is left out is guessed at ingestion."""

    file: Text | None = None
    url: Annotated[str, StringConstraints(pattern=r"^https?://\S+$")] | None = None
    mirrors: Texts = []
    title: Text | None = None
    collection: Text = "public"
    jurisdiction: Code | None = None
    parties: Texts = Field(default=[], alias="party")
    doc_type: Annotated[DocumentType, Field(strict=False)] = Field(default=DocumentType.OTHER, alias="type")
    language: Language | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    series: Text | None = None
    reference: Text | None = None
    tags: Texts = []
    aliases: Texts = []
    max_pages: Annotated[int, Field(ge=1)] | None = None
    derived_from: Text | None = None
    amends: Text | None = None
    schedule: Annotated[str, StringConstraints(pattern=SCHEDULE)] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "ManifestDocument":
        if not self.file and not self.url:
            raise ValueError('"file" or "url" is missing; say what to read')
        _check_order("valid_from", self.valid_from, "valid_to", self.valid_to)
        return self

    def row(self) -> RegisteredDocument:
        """A document to ingest."""
        stated = self.values()
        file, url, collection = (stated.pop(name) for name in ("file", "url", "collection"))
        named = {"title": self.title or "", "language": self.language or "", "source_uri": url}
        fields = DocumentFields(**stated | named)
        return RegisteredDocument(
            key=file or url or "", collection=collection, fields=fields, file=file, url=url
        )


def keys_of(model: type[Row[Any]]) -> list[str]:
    """The keys of a table as they are written."""
    return [field.alias or name for name, field in model.model_fields.items()]


def _check_order(first: str, start: date | None, second: str, end: date | None) -> None:
    if start and end and end < start:
        raise ValueError(f'"{second}" ({end}) lies before "{first}" ({start}); correct one of them')
