"""Reading a manifest (`library.toml`) into registry rows. All its errors are reported together."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from adapters.files.manifest_errors import explain, unknown_key
from adapters.files.manifest_rows import (
    ManifestDerivation,
    ManifestDocument,
    ManifestGovernment,
    ManifestJurisdiction,
    ManifestParty,
    Row,
    keys_of,
)
from core.domain.registry import Registry
from core.errors import Refused
from core.registry.check import unite

DEFAULTS = "defaults"
TABLES = ("jurisdiction", "party", "government", "document", "derivation", DEFAULTS)
NAMING_KEYS = ("file", "url", "code", "name", "jurisdiction", "document")
"""Keys whose value tells a reader which row is meant."""

T = TypeVar("T")


def read_manifest(path: Path) -> Registry:
    """The rows of the manifest at `path`; parties have their canonical names. Files stay relative to the
    manifest's folder and need not exist. Raises Refused with the key "manifest.missing",
    "manifest.invalid" (the detail has a line for everything that is wrong) or "registry.contradiction"
    (two rows of the same thing differ)."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
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
        self.errors = [f"{unknown_key(key, TABLES)}" for key in data if key not in TABLES]

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
        """The known keys of `[defaults]`; a wrong type is found with the first document."""
        stated = self._data.get(DEFAULTS, {})
        if not isinstance(stated, dict):
            self.errors.append("defaults: write it as a table, [defaults]")
            return {}
        known = keys_of(ManifestDocument)
        self.errors += [f"[defaults]: {unknown_key(key, known)}" for key in stated if key not in known]
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
                    self.errors.append(f"{'[defaults]' if inherited else where}: {explain(fault, model)}")


def _title(row: dict[str, Any]) -> str:
    """Which row it is, for a person who counts badly."""
    return next((f" ({row[key]})" for key in NAMING_KEYS if isinstance(row.get(key), str)), "")
