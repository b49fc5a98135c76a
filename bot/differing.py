"""Two versions of a document side by side: what has changed, in words, as JSON and on highlighted pages."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from bot.app import App
from bot.attachments import short_title
from bot.rendering import Json, document_json, version_json
from bot.scoping import find_document
from core.domain.answers import Quote
from core.domain.documents import Document, DocumentVersion, Edition, VersionStatus
from core.domain.passages import Span
from core.errors import Refused
from core.library.differences import Change, ChangeKind, Differences, counted, differences

SIGNS = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-", ChangeKind.CHANGED: "~", ChangeKind.MOVED: ">"}
READABLE = (VersionStatus.ACTIVE, VersionStatus.SUPERSEDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two versions of a document and what differs."""

    old: Edition
    new: Edition
    found: Differences


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A page of the old version beside one of the new; None where nothing of it stands on the other side."""

    old_page: int | None
    new_page: int | None
    old: Path | None
    new: Path | None


async def compared(app: App, name: str, first: int | None, last: int | None) -> Compared:
    """Compare version `first` (default: the one before) with `last` (default: the active one). Raises Refused
    for an unknown document, and where there are no such versions any more."""
    document = find_document(name, await app.library.documents())
    by_number: dict[int, DocumentVersion] = {}
    for version in await app.library.versions(document.id):
        if version.status in READABLE:
            by_number.setdefault(version.number, version)
    new = _chosen(document, by_number, last, max(by_number, default=0))
    before = max((number for number in by_number if number < new.number), default=0)
    old = _chosen(document, by_number, first, before)
    left = [page async for page in app.library.pages(old.id)]
    right = [page async for page in app.library.pages(new.id)]
    found = await asyncio.to_thread(differences, left, right)
    return Compared(
        old=Edition(document=document, version=old),
        new=Edition(document=document, version=new),
        found=found,
    )


def _chosen(
    document: Document, versions: dict[int, DocumentVersion], number: int | None, default: int
) -> DocumentVersion:
    wanted = default if number is None else number
    if wanted not in versions:
        title, known = document.fields.title, ", ".join(map(str, sorted(versions))) or "none"
        detail = f"{title} has no other version to compare with; versions that can be read: {known}"
        raise Refused("document.no_version", detail, title=title, versions=known)
    return versions[wanted]


async def spreads(app: App, found: Compared, folder: Path) -> list[Spread]:
    """Write each pair of pages with a change on it, what differs marked on both. A page that only has
    something added, or removed, stands alone."""
    marks: dict[tuple[int | None, int | None], tuple[list[Span], list[Span]]] = {}
    for change in found.found.changes:
        pages = _first(change.old), _first(change.new)
        old, new = marks.setdefault(pages, ([], []))
        old += change.old.spans if change.old else ()
        new += change.new.spans if change.new else ()
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    made: list[Spread] = []
    for (old_page, new_page), (old, new) in marks.items():
        number = len(made) + 1
        made.append(
            Spread(
                old_page=old_page,
                new_page=new_page,
                old=await _written(app, found.old, old_page, old, folder, number),
                new=await _written(app, found.new, new_page, new, folder, number),
            )
        )
    return made


def _first(quote: Quote | None) -> int | None:
    return quote.pages[0] if quote else None


async def _written(
    app: App, edition: Edition, page: int | None, spans: list[Span], folder: Path, number: int
) -> Path | None:
    if page is None:
        return None
    made = await app.attacher.page(edition, page, spans)
    stem = f"{number:03}-{short_title(edition.document.fields.title)}"
    path = folder / f"{stem}-v{edition.version.number}-p{page}.pdf"
    await asyncio.to_thread(path.write_bytes, made.pdf)
    return path


def difference_lines(found: Compared) -> list[str]:
    """What has changed in words, a block for each change."""
    old, new = found.old.version, found.new.version
    counts = ", ".join(f"{count} {kind}" for kind, count in counted(found.found).items())
    head = f"{found.new.document.fields.title}: version {old.number} -> {new.number}"
    return [
        f"{head}: {counts}, {found.found.unchanged} sentences unchanged",
        *map(_lines, found.found.changes),
    ]


def _lines(change: Change) -> str:
    sign = SIGNS[change.kind]
    if change.kind is ChangeKind.MOVED and change.old and change.new:
        return f"> p. {change.old.pages[0]} -> p. {change.new.pages[0]}: {change.new.text}"
    if change.kind is ChangeKind.CHANGED and change.old and change.new:
        return f"~ p. {change.old.pages[0]}: {change.old.text}\n  p. {change.new.pages[0]}: {change.new.text}"
    stands = change.new or change.old
    return f"{sign} p. {stands.pages[0]}: {stands.text}" if stands else sign


def difference_json(found: Compared, pages: list[Spread]) -> Json:
    """Two versions, what differs, and the files written."""
    return {
        "document": document_json(found.new.document),
        "from": version_json(found.old.version),
        "to": version_json(found.new.version),
        "counts": counted(found.found),
        "unchanged": found.found.unchanged,
        "pages_from": list(found.found.old_pages),
        "pages_to": list(found.found.new_pages),
        "changes": [change_json(change) for change in found.found.changes],
        "files": [
            {
                "from_page": item.old_page,
                "to_page": item.new_page,
                "from": str(item.old) if item.old else None,
                "to": str(item.new) if item.new else None,
            }
            for item in pages
        ],
    }


def change_json(change: Change) -> Json:
    """A stretch of text that differs."""
    return {
        "kind": change.kind.value,
        "from": _quote_json(change.old),
        "to": _quote_json(change.new),
        "words": [{"from": item.claimed, "to": item.source} for item in change.words],
    }


def _quote_json(quote: Quote | None) -> Json | None:
    return {"text": quote.text, "pages": list(quote.pages)} if quote else None
