"""From paths, URLs, options and manifests to requests for the ingester."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path

from core.domain.documents import DocumentFields
from core.domain.ingestion import IngestRequest
from core.domain.registry import RegisteredDocument
from core.errors import Refused

_NOT_STATED = frozenset({"title", "language"})


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestOptions:
    """Fields given on the command line; None where nothing was said."""

    collection: str | None = None
    jurisdiction: str | None = None
    parties: tuple[str, ...] = ()
    doc_type: str | None = None
    title: str | None = None
    language: str | None = None
    valid_from: date | None = None
    max_pages: int | None = None
    separate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestRows:
    """Documents of a manifest, with the folder that their files are relative to."""

    folder: Path
    documents: tuple[RegisteredDocument, ...]

    def row(self, path: Path) -> RegisteredDocument | None:
        """The row that lists `path`."""
        target = path.resolve()
        for row in self.documents:
            if row.file and (self.folder / row.file).resolve() == target:
                return row
        return None


def from_manifest(rows: ManifestRows) -> list[IngestRequest]:
    """A request for every file that a manifest lists."""
    return [_listed(row, rows.folder / row.file) for row in rows.documents if row.file]


def from_paths(
    paths: Sequence[Path],
    given: DocumentFields,
    stated: frozenset[str],
    options: IngestOptions,
    rows: ManifestRows | None,
) -> list[IngestRequest]:
    """A request for every file under `paths`; a file that the manifest lists takes its fields from
    there, and what the command line says on top."""
    found = []
    for path in _walk(paths):
        row = rows.row(path) if rows else None
        if row is not None:
            listed = _listed(row, path)
            fields_now = replace(listed.fields, **{name: getattr(given, name) for name in stated})
            found.append(replace(listed, fields=fields_now, stated=listed.stated | stated))
        else:
            found.append(
                IngestRequest(
                    path=path,
                    key=path.name,
                    file=path.name,
                    collection=options.collection or "public",
                    fields=given,
                    stated=stated,
                    separate=options.separate,
                )
            )
    return found


def _listed(row: RegisteredDocument, path: Path) -> IngestRequest:
    return IngestRequest(
        path=path,
        key=row.key,
        file=path.name,
        collection=row.collection,
        fields=row.fields,
        stated=frozenset(
            field.name for field in fields(DocumentFields) if _is_stated(row.fields, field.name)
        ),
    )


def _is_stated(row: DocumentFields, name: str) -> bool:
    """A manifest states every field, except a title or language that it leaves to be guessed."""
    return name not in _NOT_STATED or bool(getattr(row, name))


def _walk(paths: Sequence[Path]) -> Iterator[Path]:
    """The files under `paths`, folders walked in a stable order. Raises Refused for a missing path."""
    for path in paths:
        if path.is_dir():
            yield from sorted(item for item in path.rglob("*") if item.is_file() and not _hidden(item, path))
        elif path.exists():
            yield path
        else:
            raise Refused("file.missing", f"there is no file or folder {path}", path=str(path))


def _hidden(item: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in item.relative_to(root).parts)
