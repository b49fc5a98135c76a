"""What `doctor` says of the index and the kept files: whether they have what the database says they must."""

import asyncio
from pathlib import Path

from bot.answers.app import App
from bot.library.index_upkeep import in_words

Line = tuple[str, bool, str, str]
"""Name, whether it is in order, what was found, what to do."""

SHOWN = 3
"""Names of documents that are shown, of many."""

REBUILD = "`fundstelle reindex --missing` builds what is missing; `fundstelle serve` does it by itself"


async def index_lines(app: App, damaged: list[Path]) -> list[Line]:
    """A line each about the index and the kept files. `damaged`: folders of indexes that were set aside.
    Raises FundstelleError where a store does not answer."""
    found = [await _index(app), await _originals(app)]
    if damaged:
        where = ", ".join(str(folder) for folder in damaged)
        advice = "check the disk; once the index is whole the folders can be deleted"
        found.insert(1, ("damaged indexes", found[0][1], f"set aside: {where}; {advice}", advice))
    return found


async def _index(app: App) -> Line:
    lacking = await app.completeness.lacking()
    if lacking:
        return "index", False, in_words(lacking), REBUILD
    holdings = await app.library.holdings()
    counts = [
        f"{collection}: {sum(each.passages for each in holdings if each.collection == collection)} passages"
        for collection in sorted({each.collection for each in holdings})
    ]
    return "index", True, "; ".join(counts) or "empty", ""


async def _originals(app: App) -> Line:
    """The files that pages are shown from, and that documents are rebuilt from."""
    holdings = await app.library.holdings()
    originals = app.publishing.originals
    files = {each.original: each.document for each in holdings}
    kept = await asyncio.to_thread(lambda: {name for name in files if originals.locate(name).is_file()})
    lost = [await app.library.document(files[name]) for name in sorted(files.keys() - kept)]
    if not lost:
        return "kept files", True, f"{len(files)} files", ""
    names = [document.file for document in lost if document is not None]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    what = f"{len(lost)} of {len(files)} are missing: {', '.join(names[:SHOWN])}{more}"
    advice = (
        "bring back the folder `originals` of the data folder, or ingest these files again; until then their"
    )
    return "kept files", False, what, f"{advice} pages cannot be shown"
