"""`doctor`'s checks of the index and the stored files, whether they contain what the database says they
must, and of the running bot, made inside its process."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.answers.questions import Questions
from bot.answers.references import References, lost_in_words
from bot.chat.uploads import broken_jobs
from bot.library.documents import Documents
from bot.library.upkeep import IndexUpkeep, Reindexing, in_words
from bot.presentation.i18n import ENGLISH, Texts
from bot.service.checks import Check, Line, platform_findings
from bot.service.standing import Lookout, Standing
from core.domain.ids import DocumentId
from core.library.proving import UNPROVEN
from core.ports.storage import FileStore, Originals

SHOWN = 3
"""Maximum number of document names shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryChecks:
    """Checks made once the stores are open. Each raises FundstelleError if a store does not respond."""

    documents: Documents
    questions: Questions
    references: References
    reindexing: Reindexing
    upkeep: IndexUpkeep
    originals: Originals
    store: FileStore

    async def database(self, texts: Texts = ENGLISH) -> str:
        """The finding about the database."""
        return texts("cli.documents", count=len(await self.documents.held()))

    async def models(self, texts: Texts = ENGLISH) -> str:
        """The finding about loading the encoders."""
        await self.questions.warm_up()
        vector = await self.reindexing.ingester.primary.query("Mindestlohn")
        pipeline = self.reindexing.ingester.pipeline
        return texts("doctor.models", pipeline=str(pipeline), count=vector.shape[0])

    async def reranker(self, texts: Texts = ENGLISH) -> str:
        """The finding about loading the reranker."""
        found = self.questions.searcher.reranker
        if found is None:
            return texts("doctor.none")
        await found.reranker.warm_up()
        return found.reranker.name

    async def library(self, texts: Texts = ENGLISH) -> tuple[str, str]:
        """The finding about documents being ready to be asked, and what to do."""
        ready = await self.documents.editions()
        if not await self.documents.held():
            return texts("doctor.no_document"), ""
        stale = [edition for edition in ready if not self.reindexing.ingester.is_current(edition)]
        if stale:
            return texts("doctor.stale", count=len(stale)), texts("doctor.reindex")
        unproven = [
            f"{edition.document.fields.title} {warning.partition(':')[2]}"
            for edition in ready
            for warning in edition.version.warnings
            if warning.startswith(UNPROVEN)
        ]
        advice = texts("doctor.unproven", what="; ".join(unproven[:SHOWN])) if unproven else ""
        return texts("doctor.ready", count=len(ready)), advice

    async def cross_references(self, texts: Texts = ENGLISH) -> str:
        """Cross-references that lead nowhere. "its act": state `derived_from`, and ingest that document."""
        collections = sorted({document.collection for document in await self.documents.held()})
        if not collections:
            return texts("doctor.none_yet")
        lost = await self.references.unresolved(collections)
        return texts("doctor.lost", what=lost_in_words(lost)) if lost else texts("doctor.all_lead")

    async def index_lines(self, damaged: list[Path], texts: Texts = ENGLISH) -> list[Line]:
        """A line about the index, and one about `damaged` ones: folders that were set aside. Raises
        FundstelleError if it does not respond."""
        found = [await self._index(texts)]
        if damaged:
            where = ", ".join(str(folder) for folder in damaged)
            advice = texts("doctor.check_disk")
            message = texts("doctor.damaged_index", folders=where, advice=advice)
            found.append(("damaged indexes", found[0][1], message, advice))
        return found

    async def _index(self, texts: Texts) -> Line:
        lacking = await self.upkeep.lacking()
        if lacking:
            return "index", False, in_words(lacking, texts), texts("doctor.rebuild")
        holdings = await self.documents.holdings()
        counts: Counter[str] = Counter()
        for each in holdings:
            counts[each.collection] += each.passages
        held = [texts("doctor.passages", name=name, count=count) for name, count in sorted(counts.items())]
        return "index", True, "; ".join(held) or texts("doctor.empty"), ""

    async def file_lines(self, texts: Texts = ENGLISH) -> list[Line]:
        """A line about the files that pages are shown from, and that documents are rebuilt from, all of them
        read: about two seconds per gigabyte on a disk. Raises FundstelleError if their store does not
        respond."""
        return [await self._originals(texts)]

    async def upload_lines(self, texts: Texts = ENGLISH) -> list[Line]:
        """A line about uploads that cannot be read. Raises FundstelleError if their store does not
        respond."""
        broken = await broken_jobs(self.store)
        advice = texts("doctor.ask_again", folders=", ".join(broken)) if broken else ""
        return [("uploads", not broken, texts("doctor.damaged_jobs", count=len(broken)), advice)]

    async def _originals(self, texts: Texts) -> Line:
        holdings = await self.documents.holdings()
        files = {each.original: each.document for each in holdings}
        stored = {each.key async for each in self.originals.listing() if each.key in files}
        damaged = [name for name in sorted(stored) if not await self._is_whole(name)]
        lines = []
        for key, lacking in (
            ("doctor.missing_files", sorted(files.keys() - stored)),
            ("doctor.damaged_files", damaged),
        ):
            if lacking:
                names = await self._shown([files[name] for name in lacking], texts)
                lines.append(texts(key, count=len(lacking), all=len(files), names=names))
        if not lines:
            return "kept files", True, texts("doctor.files", count=len(files)), ""
        return "kept files", False, "; ".join(lines), texts("doctor.bring_back")

    async def _is_whole(self, original: str) -> bool:
        """Whether a kept file and the PDF of its pages are intact."""
        return await self.originals.is_whole(original) and await self.originals.pages(original) is not None

    async def _shown(self, documents: Sequence[DocumentId], texts: Texts) -> str:
        """The names of the first of these documents' files, and how many more there are."""
        found = [await self.documents.document(each) for each in documents[:SHOWN]]
        more = texts("doctor.more", count=len(documents) - SHOWN) if len(documents) > SHOWN else ""
        return ", ".join(document.file for document in found if document is not None) + more


@dataclass(frozen=True, slots=True)
class RunningBot:
    """The parts of the running bot needed for checks."""

    library: LibraryChecks
    lookout: Lookout

    async def checks(self, texts: Texts) -> list[Check]:
        """Whether it answers, and which platforms it reaches; these report their own problems."""
        platforms = self.lookout.platforms
        standing = await self.lookout.look()
        findings = await asyncio.gather(
            *(platform_findings(each, texts, close=False) for each in platforms.values())
        )
        return [
            *_standing_checks(standing, texts),
            *(
                Check.of(name, finding.ok, finding.what, finding.advice)
                for name, found in zip(platforms, findings, strict=True)
                for finding in found
            ),
        ]


def _standing_checks(standing: Standing, texts: Texts) -> Iterator[Check]:
    yield Check.of("running bot", not standing.obstacles, *_answering(standing, texts))
    for name, contact in standing.contacts.items():
        why = standing.broken[name].key if name in standing.broken else contact.error
        seen = f"{contact.at:%Y-%m-%d %H:%M} UTC" if contact.at else texts("cli.never")
        reached = texts("doctor.reached", time=seen)
        yield Check.of(name, not why, why or reached, texts("doctor.see_log") if why else "")
    for model, key in standing.failing.items():
        yield Check.of("language model", True, f"{model}: {key}", texts("doctor.see_log"))


def _answering(standing: Standing, texts: Texts) -> tuple[str, str]:
    if standing.obstacles:
        return "; ".join(standing.obstacles), texts("doctor.see_log")
    return texts("doctor.answering", process=os.getpid(), time=f"{standing.since:%Y-%m-%d %H:%M} UTC"), ""
