"""Compares two versions of a document: what has changed, in words and on highlighted pages."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from textwrap import shorten

from bot.files import write_file
from bot.library.scoping import find_document
from bot.presentation.attachments import Attacher, make_folder, short_title
from bot.presentation.i18n import Texts, Value
from bot.presentation.phrases import page_name
from core.domain.answers import Quote
from core.domain.documents import Document, DocumentVersion, Edition, VersionStatus
from core.domain.pages import SheetSide
from core.errors import Refused
from core.library.differences import Differences, TextChange, TextChangeKind, counted, differences
from core.ports.library import Library

SIGNS = {
    TextChangeKind.ADDED: "+",
    TextChangeKind.REMOVED: "-",
    TextChangeKind.CHANGED: "~",
    TextChangeKind.MOVED: ">",
}
CAPTION = 60
"""Maximum characters of a title above a page."""
READABLE = (VersionStatus.ACTIVE, VersionStatus.SUPERSEDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two versions of a document and what differs."""

    old: Edition
    new: Edition
    found: Differences

    def lines(self) -> list[str]:
        """The changes in words, one block each."""
        old, new = self.old.version, self.new.version
        counts = ", ".join(f"{count} {kind}" for kind, count in counted(self.found).items())
        head = f"{self.new.document.fields.title}: version {old.number} -> {new.number}"
        return [
            f"{head}: {counts}, {self.found.unchanged} sentences unchanged",
            *map(_lines, self.found.changes),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A page of the old version beside one of the new on the sheet `both`, and each separately; None if there
    is no counterpart."""

    old_page: int | None
    new_page: int | None
    old: Path | None
    new: Path | None
    both: Path


@dataclass(frozen=True, slots=True)
class VersionDiffs:
    """Compares the versions of a document."""

    library: Library
    attacher: Attacher

    async def compare(self, name: str, first: int | None = None, last: int | None = None) -> Compared:
        """Compare version `first` (default: the one before) with `last` (default: the active one). Raises
        Refused for an unknown document, and where there are no such versions any more."""
        document = find_document(name, await self.library.documents())
        by_number: dict[int, DocumentVersion] = {}
        for version in await self.library.versions(document.id):
            if version.status is VersionStatus.ACTIVE:
                by_number[version.number] = version
            elif version.status in READABLE:
                by_number.setdefault(version.number, version)
        new = _chosen(document, by_number, last, _newest(by_number.values()))
        old = _chosen(document, by_number, first, _before(new, by_number.values()))
        left = [page async for page in self.library.pages(old.id)]
        right = [page async for page in self.library.pages(new.id)]
        found = await asyncio.to_thread(differences, left, right)
        return Compared(
            old=Edition(document=document, version=old),
            new=Edition(document=document, version=new),
            found=found,
        )

    async def spreads(self, found: Compared, folder: Path, texts: Texts) -> list[Spread]:
        """Write each pair of pages with a change on it: what differs from the other version is marked on
        both. Raises Broken if the folder cannot be written."""
        make_folder(folder)
        old = _Side(self, found.old, [change.old for change in found.found.changes], folder)
        new = _Side(self, found.new, [change.new for change in found.found.changes], folder)
        made: list[Spread] = []
        for old_page, new_page in page_pairs(found.found):
            sides = await old.shown(old_page, texts), await new.shown(new_page, texts)
            numbers = f"{_page(old_page)}-v{found.new.version.number}{_page(new_page)}"
            both = folder / f"{len(made) + 1:03}-{old.stem}{numbers}.pdf"
            await asyncio.to_thread(write_file, both, await self.attacher.sheet(sides))
            files = await old.written(old_page), await new.written(new_page)
            made.append(Spread(old_page=old_page, new_page=new_page, old=files[0], new=files[1], both=both))
        return made


def _newest(versions: Collection[DocumentVersion]) -> int:
    """The active version: the newest, unless earlier bytes have come back."""
    active = [version.number for version in versions if version.status is VersionStatus.ACTIVE]
    return active[0] if active else max((version.number for version in versions), default=0)


def _before(new: DocumentVersion, versions: Collection[DocumentVersion]) -> int:
    """The version before `new`: for the active one, the last one superseded."""
    if new.status is VersionStatus.ACTIVE:
        superseded = [
            (version.seen_to, version.number) for version in versions if version.seen_to is not None
        ]
        return max(superseded, default=(None, 0))[1]
    return max((version.number for version in versions if version.number < new.number), default=0)


def _chosen(
    document: Document, versions: dict[int, DocumentVersion], number: int | None, default: int
) -> DocumentVersion:
    wanted = default if number is None else number
    if wanted not in versions:
        title, known = document.fields.title, ", ".join(map(str, sorted(versions))) or "none"
        detail = f"{title} has no other version to compare with; versions that can be read: {known}"
        raise Refused("document.no_version", detail, title=title, versions=known)
    return versions[wanted]


def page_pairs(found: Differences) -> list[tuple[int | None, int | None]]:
    """The pages to show side by side, in the order of the changes. A stretch in only one version begins
    beside the page where it would be in the other; further pages of it are shown alone."""
    pairs: dict[tuple[int | None, int | None], None] = {}
    for change in found.changes:
        alone = (change.beside,) if change.beside else ()
        old = change.old.pages if change.old else alone
        new = change.new.pages if change.new else alone
        pairs.update(dict.fromkeys(zip_longest(old, new)))
    return list(pairs)


class _Side:
    """One of the two versions, with its pages, each made once."""

    def __init__(
        self, diffs: VersionDiffs, edition: Edition, quotes: Sequence[Quote | None], folder: Path
    ) -> None:
        self._diffs = diffs
        self._edition = edition
        self._spans = [span for quote in quotes if quote for span in quote.spans]
        self._folder = folder
        self._pages: dict[int, bytes] = {}
        self.stem = f"{short_title(edition.document.fields.title)}-v{edition.version.number}"

    async def shown(self, page: int | None, texts: Texts) -> SheetSide:
        """The page as one side of a sheet."""
        version = self._edition.version
        values: dict[str, Value] = {
            "title": shorten(self._edition.document.fields.title, CAPTION, placeholder=" …"),
            "number": version.number,
            "date": texts.day_of(version.seen_from),
        }
        if page is None:
            return SheetSide(caption=texts("diff.nothing", **values), pdf=None)
        known = await self._diffs.library.page(version.id, page)
        named = page_name(page, known.label if known else None, texts)
        return SheetSide(caption=texts("diff.side", page=named, **values), pdf=await self._made(page))

    async def _made(self, page: int) -> bytes:
        if page not in self._pages:
            self._pages[page] = (await self._diffs.attacher.page(self._edition, page, self._spans)).pdf
        return self._pages[page]

    async def written(self, page: int | None) -> Path | None:
        """The page by itself."""
        if page is None:
            return None
        path = self._folder / f"{self.stem}{_page(page)}.pdf"
        await asyncio.to_thread(write_file, path, await self._made(page))
        return path


def _page(number: int | None) -> str:
    return f"-p{number}" if number else ""


def _lines(change: TextChange) -> str:
    sign = SIGNS[change.kind]
    if change.kind is TextChangeKind.MOVED and change.old and change.new:
        return f"> p. {change.old.pages[0]} -> p. {change.new.pages[0]}: {change.new.text}"
    if change.kind is TextChangeKind.CHANGED and change.old and change.new:
        return f"~ p. {change.old.pages[0]}: {change.old.text}\n  p. {change.new.pages[0]}: {change.new.text}"
    stands = change.new or change.old
    return f"{sign} p. {stands.pages[0]}: {stands.text}" if stands else sign
