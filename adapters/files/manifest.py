"""Reads a manifest (`library.toml`) into registry rows. All its errors are reported together."""

import tomllib
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)
from rapidfuzz import process

from core.domain.documents import GLOBAL, DocumentFields, DocumentType
from core.domain.registry import Derivation, Government, Jurisdiction, Party, RegisteredDocument, Registry
from core.errors import Refused
from core.one_line import one_line
from core.registry.manifests import unite

DEFAULTS = "defaults"
TABLES = ("jurisdiction", "party", "government", "document", "derivation", DEFAULTS)
NAMING_KEYS = ("file", "url", "code", "name", "jurisdiction", "document")
"""Keys whose value shows a reader which row is meant."""


# Describes the errors of a manifest's row, saying what to do.

LIKENESS = 60
ADVICE = {
    "date_type": "write a date without quotes, such as 2025-01-31",
    "date_from_datetime_inexact": "write a date without a time, such as 2025-01-31",
    "int_type": "write a whole number without quotes",
    "greater_than_equal": "write a number from 1 on",
    "string_type": "write text in quotes",
    "string_too_short": "write something between the quotes",
    "list_type": 'write a list of texts, such as ["A", "B"]',
}
PATTERNS = {
    "jurisdiction": "write an ISO 3166 code in lower case, such as de or de-nw",
    "code": "write an ISO 3166 code in lower case, such as de or de-nw",
    "parent": "write an ISO 3166 code in lower case, such as de or eu",
    "jurisdictions": "write ISO 3166 codes in lower case, such as de or de-nw",
    "language": "write two letters, such as de or en",
    "schedule": 'write "every 6h" (m, h, d) or the five fields of cron',
    "url": "write an address that begins with https:// or http://",
}


# The tables of a manifest as pydantic models, one class per table. Types are strict: a date in quotes is an
# error worth reporting. `row()` returns the core's type.

SCHEDULE = r"^(every \d{1,4} ?(m|h|d)|\S+ \S+ \S+ \S+ \S+)$"
"""`every 30m`, `every 6h`, `every 1d`, or the five fields of cron."""

T = TypeVar("T")


def _code(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _in_one_line(value: object) -> object:
    return one_line(value) if isinstance(value, str) else value


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), BeforeValidator(_in_one_line)]
Code = Annotated[
    str, BeforeValidator(_code), StringConstraints(pattern=rf"^(?:[a-z]{{2}}(?:-[a-z0-9]+)*|{GLOBAL})$")
]
Language = Annotated[str, BeforeValidator(_code), StringConstraints(pattern=r"^[a-z]{2}$")]
Texts = Annotated[list[Text], BeforeValidator(_listed)]
Codes = Annotated[list[Code], BeforeValidator(_listed)]


class Row(BaseModel, Generic[T]):
    """A row of a manifest; unknown keys are errors. `makes` is the corresponding core type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    makes: ClassVar[type[Any]]

    def row(self) -> T:
        """The row as the core's type, whose fields have the same names."""
        made: T = self.makes(**self.values())
        return made

    def values(self) -> dict[str, Any]:
        """The stated values, with lists as in the core."""
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
    """`[[document]]`: a file or a URL; with both, the file is read and the URL is its origin. A missing title
    or language is guessed at ingestion."""

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


def _keys_of(model: type[Row[Any]]) -> list[str]:
    """The keys of a table as written."""
    return [field.alias or name for name, field in model.model_fields.items()]


def _check_order(first: str, start: date | None, second: str, end: date | None) -> None:
    if start and end and end < start:
        raise ValueError(f'"{second}" ({end}) lies before "{first}" ({start}); correct one of them')


def _explain(error: Any, model: type[Row[Any]]) -> str:
    """One line for one of pydantic's errors (`ValidationError.errors()`)."""
    key = str(error["loc"][0]) if error["loc"] else ""
    kind = error["type"]
    if kind == "extra_forbidden":
        return _unknown_key(key, _keys_of(model))
    if kind == "missing":
        return f'"{key}" is missing; add it'
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind == "enum":
        return f'"{key}" is {error["input"]!r}; write one of {error["ctx"]["expected"]}'
    advice = PATTERNS.get(key, "") if kind == "string_pattern_mismatch" else ADVICE.get(kind, "")
    return f'"{key}" is {_shown(error["input"])}; {advice or error["msg"]}'


def _unknown_key(key: str, known: Iterable[str]) -> str:
    """An unknown key, with the nearest known one."""
    listed = list(known)
    nearest = process.extractOne(key.lower(), listed, score_cutoff=LIKENESS)
    hint = f'did you mean "{nearest[0]}"?' if nearest else f"known are {', '.join(listed)}"
    return f'unknown key "{key}"; {hint}'


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def read_manifest(path: Path) -> Registry:
    """The rows of the manifest at `path`; parties have their canonical names. Files stay relative to the
    manifest's folder and need not exist. Raises Refused with the key "manifest.missing",
    "manifest.invalid" (the detail has a line for everything that is wrong) or "registry.contradiction"
    (two rows of the same thing differ)."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        detail = f"there is no manifest at {path}; name the file that you have, or write one there"
        raise Refused("manifest.missing", detail, path=str(path)) from error
    except OSError as error:
        detail = f"the manifest {path} cannot be read: {error.strerror}; check the path"
        raise Refused("manifest.missing", detail, path=str(path)) from error
    except UnicodeDecodeError as error:
        raise _invalid(path.name, [f"byte {error.start} is not UTF-8; save the file as UTF-8"]) from error
    return parse_manifest(text, path.name)


def parse_manifest(text: str, name: str = "library.toml") -> Registry:
    """Like `read_manifest`, for the text of the manifest called `name`."""
    try:
        reader = _Reader(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise _invalid(name, [f"this is not TOML: {error}"]) from error
    registry = reader.registry()
    if reader.errors:
        raise _invalid(name, list(dict.fromkeys(reader.errors)))
    return unite({name: registry})


def _invalid(name: str, lines: list[str]) -> Refused:
    detail = "\n".join(f"{name}: {line}" for line in lines)
    return Refused("manifest.invalid", detail, path=name, count=len(lines))


class _Reader:
    """Reads the tables of one manifest and collects what is wrong."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self.errors = [f"{_unknown_key(key, TABLES)}" for key in data if key not in TABLES]

    def registry(self) -> Registry:
        """The valid rows; `errors` says what is wrong with the others."""
        defaults = self._defaults()
        documents = tuple(self._rows("document", ManifestDocument, defaults))
        stated = defaults.get("collection")
        named = (
            *([stated.strip()] if isinstance(stated, str) else []),
            *(row.collection for row in documents),
        )
        return Registry(
            jurisdictions=tuple(self._rows("jurisdiction", ManifestJurisdiction, {})),
            parties=tuple(self._rows("party", ManifestParty, {})),
            governments=tuple(self._rows("government", ManifestGovernment, {})),
            documents=documents,
            derivations=tuple(self._rows("derivation", ManifestDerivation, {})),
            collections=tuple(dict.fromkeys(named)),
        )

    def _defaults(self) -> dict[str, Any]:
        """The known keys of `[defaults]`; a wrong type is reported with the first document."""
        stated = self._data.get(DEFAULTS, {})
        if not isinstance(stated, dict):
            self.errors.append("defaults: write it as a table, [defaults]")
            return {}
        known = _keys_of(ManifestDocument)
        self.errors += [f"[defaults]: {_unknown_key(key, known)}" for key in stated if key not in known]
        return {key: value for key, value in stated.items() if key in known}

    def _rows(self, table: str, model: type[Row[T]], defaults: dict[str, Any]) -> Iterator[T]:
        rows = self._data.get(table, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.errors.append(f"{table}: write it with double brackets, [[{table}]]")
            return
        for number, row in enumerate(rows, start=1):
            try:
                yield model.model_validate({**defaults, **row}).row()
            except ValidationError as error:
                where = f"[[{table}]] {number}{_title(row)}"
                for fault in error.errors():
                    inherited = fault["loc"] and fault["loc"][0] in defaults.keys() - row.keys()
                    self.errors.append(f"{'[defaults]' if inherited else where}: {_explain(fault, model)}")


def _title(row: dict[str, Any]) -> str:
    """Identifies a row in a way that needs no counting."""
    return next((f" ({row[key]})" for key in NAMING_KEYS if isinstance(row.get(key), str)), "")
