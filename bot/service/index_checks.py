"""What `doctor` says of the index and the kept files: whether they have what the database says they must."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bot.answers.questions import Questions
from bot.answers.references import References, lost_in_words
from bot.library.documents import Documents
from bot.library.index_upkeep import IndexUpkeep, in_words
from bot.library.reindexing import Reindexing
from core.ports.originals import Originals

Line = tuple[str, bool, str, str]
"""Name, whether it is in order, what was found, what to do."""

SHOWN = 3
"""Names of documents that are shown, of many."""

REBUILD = "`fundstelle reindex --missing` builds what is missing; `fundstelle serve` does it by itself"


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryChecks:
    """What is looked at once the stores are open. Every check raises FundstelleError where a store does not
    answer."""

    documents: Documents
    questions: Questions
    references: References
    reindexing: Reindexing
    upkeep: IndexUpkeep
    originals: Originals

    async def database(self) -> str:
        """Whether the database answers."""
        return f"{len(await self.documents.held())} documents"

    async def models(self) -> str:
        """Whether the encoders can be loaded."""
        await self.questions.warm_up()
        vector = await self.reindexing.ingester.dense.query("Mindestlohn")
        return f"{self.reindexing.ingester.pipeline}, {vector.shape[0]} dimensions"

    async def reranker(self) -> str:
        """Whether the reranker can be loaded."""
        found = self.questions.searcher.reranker
        if found is None:
            return "none"
        await found.reranker.warm_up()
        return found.reranker.name

    async def library(self) -> str:
        """Whether documents are ready to be asked."""
        ready = await self.documents.editions()
        if not await self.documents.held():
            return "no document yet; `fundstelle ingest` brings them in"
        stale = [edition for edition in ready if not self.reindexing.ingester.is_current(edition)]
        if stale:
            return f"{len(stale)} documents were indexed by another version; ingest them again"
        return f"{len(ready)} documents ready"

    async def cross_references(self) -> str:
        """Cross-references that lead nowhere. "its act": state `derived_from`, and ingest that document."""
        collections = sorted({document.collection for document in await self.documents.held()})
        if not collections:
            return "none yet"
        lost = await self.references.unresolved(collections)
        return f"unresolved: {lost_in_words(lost)}" if lost else "all lead somewhere"

    async def index_lines(self, damaged: list[Path]) -> list[Line]:
        """A line each about the index and the kept files. `damaged`: folders of indexes that were set aside.
        Raises FundstelleError where a store does not answer."""
        found = [await self._index(), await self._originals()]
        if damaged:
            where = ", ".join(str(folder) for folder in damaged)
            advice = "check the disk; once the index is whole the folders can be deleted"
            found.insert(1, ("damaged indexes", found[0][1], f"set aside: {where}; {advice}", advice))
        return found

    async def _index(self) -> Line:
        lacking = await self.upkeep.lacking()
        if lacking:
            return "index", False, in_words(lacking), REBUILD
        holdings = await self.documents.holdings()
        counts: Counter[str] = Counter()
        for each in holdings:
            counts[each.collection] += each.passages
        held = [f"{collection}: {count} passages" for collection, count in sorted(counts.items())]
        return "index", True, "; ".join(held) or "empty", ""

    async def _originals(self) -> Line:
        """The files that pages are shown from, and that documents are rebuilt from."""
        holdings = await self.documents.holdings()
        originals = self.originals
        files = {each.original: each.document for each in holdings}
        kept = await asyncio.to_thread(lambda: {name for name in files if originals.locate(name).is_file()})
        lost = [await self.documents.document(files[name]) for name in sorted(files.keys() - kept)]
        if not lost:
            return "kept files", True, f"{len(files)} files", ""
        names = [document.file for document in lost if document is not None]
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        what = f"{len(lost)} of {len(files)} are missing: {', '.join(names[:SHOWN])}{more}"
        advice = (
            "bring back the folder `originals` of the data folder, or ingest these files again; until then"
            " their pages cannot be shown"
        )
        return "kept files", False, what, advice
