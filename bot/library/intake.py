"""From paths, URLs, options and manifests to requests for the ingester."""

import asyncio
import os
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from bot.library.scoping import Scoping, document_type
from core.domain.documents import GLOBAL, PUBLIC, Document, DocumentFields, DocumentStatus, DocumentType
from core.domain.ids import document_id
from core.domain.ingestion import IngestReceipt, IngestRequest
from core.domain.pages import Page
from core.domain.registry import Jurisdiction, RegisteredDocument, Registry
from core.errors import Refused
from core.library.describing import FileDescriber
from core.library.formats import Report
from core.library.ingestion import Ingester
from core.library.outcomes import is_failure, outcome_of
from core.library.sources import ScheduledSource
from core.one_line import is_one_line, one_line
from core.ports.library import Library
from core.registry.manifests import carried, registered, seen_from, with_party

MANIFEST = "library.toml"
"""The name of a manifest that describes the files in its folder, unless another manifest is named."""

_NOT_STATED = frozenset({"title", "language"})

ReadManifest = Callable[[Path], Registry]
Fetch = Callable[[str], Awaitable[bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestOptions:
    """Fields given on the command line; None if not given. Fields that a file shows plainly are taken from it
    if nobody is there to confirm them (`presumes`). Files below `root` are identified by their paths, others
    by their base names."""

    collection: str | None = None
    jurisdiction: str | None = None
    parties: tuple[str, ...] = ()
    doc_type: str | None = None
    title: str | None = None
    language: str | None = None
    valid_from: date | None = None
    max_pages: int | None = None
    separate: bool = False
    presumes: bool = False
    root: Path | None = None


@dataclass(slots=True, kw_only=True)
class Intake:
    """Turns what a person names into requests and ingests them."""

    ingester: Ingester
    library: Library
    scoping: Scoping
    read_manifest: ReadManifest
    fetch: Fetch
    changed: Callable[[Registry], None]
    known_places: Iterable[Jurisdiction] = ()
    today: Callable[[], date] = date.today
    _reader: tuple[Registry, FileDescriber] | None = field(default=None, init=False)

    async def ingest(
        self,
        sources: Sequence[str],
        options: IngestOptions,
        manifest: Path | None,
        report: Report | None = None,
        *,
        seen: Callable[[Path], Path] = Path,
    ) -> AsyncIterator[IngestReceipt]:
        """Ingest `sources` (files, folders, URLs), or all that `manifest` lists if there are none. `seen`:
        the path of a source as this process sees it. Raises Refused for a bad manifest, a missing path, an
        unknown place or document type."""
        if manifest is None and options.presumes:
            beside = [seen(Path(each)) / MANIFEST for each in sources if each and not is_url(each)]
            manifest = next((each for each in beside if each.is_file()), None)
        rows = await self._register(manifest) if manifest else None
        if rows and not sources:
            async for receipt in self._ingest_listed(rows, report):
                yield receipt
            return
        if "" in sources:  # which would be the current working directory
            raise Refused("file.missing", "one of the sources is empty; name a file, a folder or a URL")
        given, stated = await self.fields(options)
        with tempfile.TemporaryDirectory(prefix="fundstelle-") as folder:
            urls = [source for source in sources if is_url(source)]
            paths = [seen(Path(source)) for source in sources if not is_url(source)]
            requests = from_paths(paths, given, stated, options, rows)
            requests = [each for each in requests if each.path != manifest]
            async for item in self._urls(urls, given, stated, options, Path(folder)):
                if isinstance(item, IngestReceipt):
                    yield item
                else:
                    requests.append(item)
            if options.presumes and (options.collection or PUBLIC) == PUBLIC:
                listed = {row.key for row in rows.documents} if rows else set[str]()
                requests = [
                    each if each.key in listed else replace(each, presume=self._presume) for each in requests
                ]
            async for receipt in self.ingester.ingest(requests, report):
                yield receipt

    async def _presume(self, fields: DocumentFields, file: str, pages: Sequence[Page]) -> DocumentFields:
        """`fields` completed with those that nobody has stated and that the file shows plainly. A date is not
        presumed if it would make the file an edition of something and supersede an older one."""
        known = await self.library.registry()
        public = seen_from(known, (PUBLIC,))  # insiders' knowledge must not describe a public file
        if self._reader is None or self._reader[0] != public:
            self._reader = public, await asyncio.to_thread(FileDescriber, public, self.known_places)
        guess = await asyncio.to_thread(self._reader[1].evident, file, fields, pages, self.today())
        if guess.party and not fields.parties and guess.party not in {row.name for row in public.parties}:
            names = self._reader[1].names_of(guess.party)
            await self._save(with_party(known, PUBLIC, guess.party, names))
        place = fields.jurisdiction or guess.jurisdiction
        parties = fields.parties or ((guess.party,) if guess.party else ())
        day = guess.valid_from.day if guess.valid_from and not (place and parties) else None
        kind = fields.doc_type
        if kind is DocumentType.OTHER and guess.doc_type:
            kind = guess.doc_type
        return replace(
            fields,
            jurisdiction=place,
            parties=parties,
            doc_type=kind,
            valid_from=fields.valid_from or day,
        )

    async def refresh(self, manifest: Path) -> AsyncIterator[IngestReceipt]:
        """Ingest what a manifest lists, except documents that are fetched on a schedule, and those that
        somebody has removed."""
        rows = await self._register(manifest)
        given = [row for row in rows.documents if row.file or not row.fields.schedule]
        present = [row for row in given if not await self._is_removed(row)]
        async for receipt in self._ingest_listed(replace(rows, documents=tuple(present)), None):
            yield receipt

    async def _is_removed(self, row: RegisteredDocument) -> bool:
        document = await self.library.document(document_id(row.collection, row.key))
        return document is not None and document.status is not DocumentStatus.ACTIVE

    async def _ingest_listed(
        self, rows: "ManifestRows", report: Report | None
    ) -> AsyncIterator[IngestReceipt]:
        with tempfile.TemporaryDirectory(prefix="fundstelle-") as folder:
            requests = from_manifest(rows)
            async for item in self._listed_urls(rows, Path(folder)):
                if isinstance(item, IngestReceipt):
                    yield item
                else:
                    requests.append(item)
            async for receipt in self.ingester.ingest(requests, report):
                yield receipt

    async def _register(self, manifest: Path) -> "ManifestRows":
        """Save the rows of a manifest, replacing its earlier ones."""
        stated = self.read_manifest(manifest)
        known = await self.library.registry()
        await self._save(registered(known, str(await asyncio.to_thread(manifest.resolve)), stated))
        return ManifestRows(folder=manifest.parent, documents=stated.documents)

    async def _save(self, registry: Registry) -> None:
        await self.library.save_registry(registry)
        self.changed(registry)

    async def fields(self, options: IngestOptions) -> tuple[DocumentFields, frozenset[str]]:
        """The fields that the options state, and their names; a new party gets a row. Raises Refused for an
        unknown place or type, an invalid language, and texts of several lines or without visible
        characters."""
        for what, words in [("title", options.title), *(("party", each) for each in options.parties)]:
            if words and not is_one_line(words):
                raise Refused("call.invalid", f"{what} has to be words in one line, not {words!r:.100}")
        if options.language and not _LANGUAGE.fullmatch(options.language):
            raise Refused(
                "call.invalid", f"language has two letters, such as de or en: not {options.language!r:.100}"
            )
        jurisdiction, collection = options.jurisdiction, options.collection or PUBLIC
        if jurisdiction and jurisdiction != GLOBAL:
            jurisdiction = self.scoping.within([collection]).jurisdiction(jurisdiction)
        stated: dict[str, object] = {
            "jurisdiction": jurisdiction,
            "parties": tuple([await self._party(name, collection) for name in options.parties]),
            "doc_type": document_type(options.doc_type) if options.doc_type else None,
            "title": options.title,
            "language": options.language.lower() if options.language else None,
            "valid_from": options.valid_from,
            "max_pages": options.max_pages,
        }
        given = {name: value for name, value in stated.items() if value}
        return replace(DocumentFields(title="", language=""), **given), frozenset(given)  # type: ignore[arg-type]

    async def _party(self, name: str, collection: str) -> str:
        try:
            return self.scoping.within([collection]).party(name)
        except Refused:
            await self._save(with_party(await self.library.registry(), collection, name))
            return name

    async def carry(self, fields: DocumentFields, collection: str) -> None:
        """Make the party and place of a document added to `collection` known there by name."""
        known = await self.library.registry()
        found = carried(known, [(collection, fields)])
        if found != known:
            await self._save(found)

    async def _urls(
        self,
        urls: Sequence[str],
        given: DocumentFields,
        stated: frozenset[str],
        options: IngestOptions,
        folder: Path,
    ) -> AsyncIterator[IngestRequest | IngestReceipt]:
        for url in urls:
            request = IngestRequest(
                path=folder,
                key=url,
                file=url_file(url),
                collection=options.collection or PUBLIC,
                fields=replace(given, source_uri=url),
                stated=stated | {"source_uri"},
                separate=options.separate,
            )
            yield await self._fetched(request, url, folder)

    async def _listed_urls(
        self, rows: "ManifestRows", folder: Path
    ) -> AsyncIterator[IngestRequest | IngestReceipt]:
        for row in rows.documents:
            if row.url and not row.file:
                yield await self._fetched(listed_request(row, Path(url_file(row.url))), row.url, folder)

    async def _fetched(self, request: IngestRequest, url: str, folder: Path) -> IngestRequest | IngestReceipt:
        """The request with the URL's bytes in a file of its own, from its mirrors if necessary, or the reason
        why there are none."""
        errors: list[BaseException] = []
        for address in (url, *request.fields.mirrors):
            try:
                content = await self.fetch(address)
                break
            except BaseException as error:
                if not is_failure(error):
                    raise
                errors.append(error)
        else:
            return outcome_of(request.file, errors[0])
        handle = tempfile.NamedTemporaryFile(dir=folder, delete=False)  # noqa: SIM115 - kept until ingested
        with handle:
            handle.write(content)
        return replace(request, path=Path(handle.name))


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
    return [listed_request(row, rows.folder / row.file) for row in rows.documents if row.file]


def from_paths(
    paths: Sequence[Path],
    given: DocumentFields,
    stated: frozenset[str],
    options: IngestOptions,
    rows: ManifestRows | None,
) -> list[IngestRequest]:
    """A request for every file under `paths`; a file that the manifest lists takes its fields from there,
    overridden by the command line."""
    found = []
    for path in walk(paths):
        row = rows.row(path) if rows else None
        if row is not None:
            listed = listed_request(row, path)
            fields_now = replace(listed.fields, **{name: getattr(given, name) for name in stated})
            found.append(replace(listed, fields=fields_now, stated=listed.stated | stated))
        else:
            found.append(
                IngestRequest(
                    path=path,
                    key=written(path.relative_to(options.root) if options.root else Path(path.name)),
                    file=one_line(written(Path(path.name))),
                    collection=options.collection or PUBLIC,
                    fields=given,
                    stated=stated,
                    separate=options.separate,
                )
            )
    return found


def listed_request(row: RegisteredDocument, path: Path) -> IngestRequest:
    """A request for a row of a manifest, with its bytes at `path`."""
    named = (field.name for field in fields(DocumentFields))
    return IngestRequest(
        path=path,
        key=row.key,
        file=one_line(written(Path(path.name))),
        collection=row.collection,
        fields=row.fields,
        stated=frozenset(name for name in named if _is_stated(row.fields, name)),
    )


def source_request(source: ScheduledSource, path: Path) -> IngestRequest:
    """A request for the content of a source, with its bytes at `path`; a document that no manifest lists
    keeps its fields."""
    document, row = source.document, source.row
    if row is not None:
        return replace(listed_request(row, path), file=url_file(source.urls[0]))
    if document is None:
        raise ValueError("a source is a document or a listed one")
    return document_request(document, path)


def document_request(document: Document, path: Path, stated: frozenset[str] = frozenset()) -> IngestRequest:
    """A request to read a document of the library again, with its bytes at `path`; `stated` are the newly
    stated fields."""
    return IngestRequest(
        path=path,
        key=document.key,
        file=document.file,
        collection=document.collection,
        fields=document.fields,
        stated=stated,
    )


def _is_stated(row: DocumentFields, name: str) -> bool:
    """A manifest states every field, except a title or language that it leaves to be guessed."""
    return name not in _NOT_STATED or bool(getattr(row, name))


# Files by their names: those below folders, hidden ones, and the names of documents from URLs.

_LANGUAGE = re.compile("[A-Za-z]{2}")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def walk(paths: Sequence[Path]) -> Iterator[Path]:
    """The files under `paths`, folders walked in a stable order. Raises Refused for a missing path."""
    for path in paths:
        if path.is_dir():
            yield from sorted(
                item for item in path.rglob("*") if item.is_file() and not is_hidden(item, path)
            )
        elif path.exists():
            yield path
        else:
            raise Refused("file.missing", f"there is no file or folder {path}", path=str(path))


def written(path: Path) -> str:
    """A path that can be stored and shown: non-UTF-8 bytes of a file name as escapes."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def is_hidden(item: Path, root: Path) -> bool:
    """Whether a file or a folder above it, up to `root`, begins with a dot."""
    return any(part.startswith(".") for part in item.relative_to(root).parts)


def is_url(source: str) -> bool:
    """Whether it has a `scheme://`: the fetcher refuses anything but http and https."""
    return _SCHEME.match(source) is not None


def url_file(url: str) -> str:
    """The base name of a URL's document."""
    parts = urlsplit(url)
    return one_line(unquote(PurePosixPath(parts.path).name)) or parts.hostname or url
