"""Use cases of reports: comparisons and motions, from options and files to a report with its table;
summaries, made and stored, listed, shown again. Visibility is checked again here."""

import asyncio
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.answers.links import Links
from bot.answers.records.recorder import LOCAL, Recorder
from bot.library.scoping import ScopeOptions, Searched
from bot.presentation.results import Tabled
from bot.presentation.wording.comparisons import ComparisonPresenter
from bot.presentation.wording.summaries import ListedSummary, ShownSummary, SummaryPresenter
from core.answering.asker import Asker
from core.answering.notices import notices_of_unreadable
from core.answering.personal_data import KEPT_BACK, Privacy
from core.answering.reports.comparisons import Comparer, Comparison
from core.answering.reports.demands import text_of_pages
from core.answering.reports.motions import MotionReader, MotionReport
from core.answering.reports.summaries import Freshness, SummaryWriter
from core.domain.answers import Notice
from core.domain.journal import ChatKey, Pseudonym
from core.domain.summaries import Summary, folded
from core.errors import Refused
from core.library.furniture import marked
from core.ports.clock import Clock
from core.ports.library import Library, Summaries
from core.ports.pdf import PdfToolkit

MAX_MOTION_BYTES = 1_000_000
"""Maximum size of a motion as a text file."""
MAX_MOTION_PAGES = 30
"""Maximum pages of a motion as a PDF."""
_TEXT_FILES = (".txt", ".md")
_FILES = (*_TEXT_FILES, ".pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparisons:
    """Implements the commands `compare` and `motion`, on the command line and in chats."""

    comparer: Comparer
    motions: MotionReader
    searched: Searched
    texts: ComparisonPresenter
    pdf: PdfToolkit
    recorder: Recorder
    links: Links | None = None

    async def compare(
        self,
        question: str,
        options: ScopeOptions,
        jurisdictions: Sequence[str] = (),
        *,
        without: Collection[str] = (),
        language: str = "",
        all_quotes: bool = False,
        asked_by: Pseudonym = LOCAL,
        chat: ChatKey | None = None,
    ) -> Tabled[Comparison]:
        """A row for each of `jurisdictions` (two or more; one only narrows), of the options' parties, or of
        those that the question names; or of all parties `without` those. `language` is that of the bot's own
        words; the question's if empty. Who asked, and where, is recorded. Raises Refused for unknown places
        or parties, and for parties and places at once."""
        names = self.searched.scoping.within(options.collections)
        places = tuple(dict.fromkeys(names.jurisdiction(name) for name in jurisdictions))
        scope, notices = await self.searched.within(options)
        if len(places) > 1 and len(scope.parties) > 1:
            raise Refused("scope.compare_both", "compare either parties or places, not both at once")
        if len(places) == 1:
            scope = replace(scope, jurisdictions=places)
        found = await self.comparer.compare(
            question,
            scope=scope,
            jurisdictions=places,
            chat_jurisdiction=options.chat_jurisdiction if not places else None,
            without=without,
        )
        if language:
            found = replace(found, language=language)
        if self.links is not None:
            rows = [
                replace(
                    row,
                    citations=await self.links.linked(row.citations),
                    further=await self.links.linked(row.further),
                )
                for row in found.rows
            ]
            found = replace(found, rows=tuple(rows))
        notices = (*notices, *found.notices, *_withheld(found))
        return Tabled(
            trace=await self.recorder.compared(found, person=asked_by, chat=chat),
            report=found,
            notices=notices,
            table=self.texts.within(scope.collections).comparison(found, notices, all_quotes=all_quotes),
            stem=self.texts.comparison_file(found),
        )

    async def motion(
        self,
        text: str,
        options: ScopeOptions,
        *,
        jurisdiction: str,
        movers: Sequence[str],
        others: bool = False,
        language: str = "",
        asked_by: Pseudonym = LOCAL,
        chat: ChatKey | None = None,
    ) -> Tabled[MotionReport]:
        """The report on a motion's text (`motion_text` reads files), with `others` on all parties. `language`
        is that of the bot's own words; the motion's if empty. Who asked, and where, is recorded. Raises
        Refused for unknown places or parties."""
        names = self.searched.scoping.within(options.collections)
        code = names.jurisdiction(jurisdiction)
        parties = [names.party(name) for name in movers]
        scope, notices = await self.searched.within(options)
        found = await self.motions.report(text, scope=scope, jurisdiction=code, movers=parties, others=others)
        if language:
            found = replace(found, language=language)
        notices = (*notices, *found.notices, *_withheld(found))
        return Tabled(
            trace=await self.recorder.reported(found, text, scope, person=asked_by, chat=chat),
            report=found,
            notices=notices,
            table=self.texts.within(scope.collections).motion(found, notices),
            stem=self.texts.motion_file(found),
        )

    async def motion_text(self, file_or_text: str, *, seen: Callable[[Path], Path] = Path) -> str:
        """The text of a motion. `seen`: a named file's path as this process sees it. Raises Refused for a
        named file that is missing, too large or of another kind."""
        path = Path(file_or_text)
        named = "\n" not in file_or_text and path.suffix.lower() in _FILES
        if not named:
            return file_or_text
        path = seen(path)
        if not await asyncio.to_thread(path.is_file):
            raise Refused("file.missing", f"there is no file {path}", name=str(path))
        return await self.file_text(path)

    async def file_text(self, path: Path) -> str:
        """The text of a motion's file. Raises Refused for one that is too large or of another kind."""
        if path.suffix.lower() in _TEXT_FILES:
            return await asyncio.to_thread(_read_text, path)
        reading = await self.pdf.read(path, max_pages=MAX_MOTION_PAGES)
        return text_of_pages(marked(reading.pages))


def _withheld(found: Comparison | MotionReport) -> tuple[Notice, ...]:
    return notices_of_unreadable(item.why for row in found.rows for item in row.rejected)


def _read_text(path: Path) -> str:
    if path.stat().st_size > MAX_MOTION_BYTES:
        raise Refused("file.too_large", f"{path} is larger than {MAX_MOTION_BYTES} bytes", name=path.name)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(
            "file.not_text", f"{path} is not UTF-8 text; save it as such", name=path.name
        ) from error


_NUMBERED = re.compile(r"(?P<name>.*\S)\s*#\s*(?P<number>\d{1,9})")
_ID = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarising:
    """Implements the command `summary`, on the command line and in chats. `collections` are those that the
    chat may see; None, for operators, shows all."""

    writer: SummaryWriter
    summaries: Summaries
    library: Library
    searched: Searched
    asker: Asker
    texts: SummaryPresenter
    clock: Clock
    privacy: Privacy = KEPT_BACK

    async def new(
        self,
        name: str,
        options: ScopeOptions,
        *,
        answerer: str | None = None,
        person: Pseudonym | None = None,
    ) -> ShownSummary:
        """A new summary of the topic `name`, stored if there is evidence, as one of `person`'s. `answerer` as
        in `Asker.answered`. Raises Refused for an empty or over-long name, unknown filters or a missing
        model."""
        self.asker.generator(answerer)
        scope, incomplete = await self.searched.within(options)
        draft = await self.writer.write(
            name, scope=scope, chat_jurisdiction=options.chat_jurisdiction, answerer=answerer
        )
        withheld = notices_of_unreadable(item.why for item in draft.rejected)
        draft = replace(draft, notices=(*incomplete, *draft.notices, *withheld))
        if not draft.claims:
            return ShownSummary(summary=draft)
        kept = await asyncio.to_thread(self.privacy.for_records, draft.topic.name)
        topic = replace(draft.topic, name=kept)
        return ShownSummary(summary=await self.summaries.add(replace(draft, topic=topic), person=person))

    async def list(self, collections: Sequence[str] | None = None) -> Sequence[ListedSummary]:
        """The summaries that may be seen, newest first."""
        freshness = Freshness(self.library, self.clock)
        return [
            ListedSummary(entry=entry, stale=await freshness.is_stale(entry))
            for entry in await self.summaries.entries(collections)
            if _allowed(entry.topic.scope.collections, collections)
        ]

    async def show(self, reference: str, collections: Sequence[str] | None = None) -> ShownSummary:
        """A summary as it was made, and what has changed since. `reference` is its id, or its topic's name
        and its number ("rents #2"). Raises Refused if there is none that may be seen, or several."""
        summary = await self._found(reference, collections)
        changes = await Freshness(self.library, self.clock).changes(summary)
        return ShownSummary(summary=summary, changes=changes)

    async def remove(self, reference: str) -> Summary:
        """Delete a summary; returns it. Raises Refused like `show`."""
        summary = await self._found(reference, None)
        await self.summaries.remove(summary.id)
        return summary

    async def _found(self, reference: str, collections: Sequence[str] | None) -> Summary:
        reference = reference.strip()
        wanted = int(reference) if _ID.fullmatch(reference) else await self._named(reference, collections)
        found = await self.summaries.summary(wanted, collections)
        used = {item.edition.document.collection for item in found.citations} if found else set()
        if found is None or not _allowed({*found.topic.scope.collections, *used}, collections):
            raise _unknown(reference)
        return found

    async def _named(self, reference: str, collections: Sequence[str] | None) -> int:
        """The id of the summary meant by a name and a number."""
        match = _NUMBERED.fullmatch(reference)
        if match is None:
            raise _unknown(reference)
        found = [
            entry.id
            for entry in await self.summaries.entries(collections)
            if folded(entry.topic.name) == folded(match["name"]) and entry.number == int(match["number"])
        ]
        if not found:
            raise _unknown(reference)
        if len(found) > 1:
            ids = ", ".join(str(each) for each in sorted(found))
            detail = f"there are several topics with that name; use an id: {ids}"
            raise Refused("summary.ambiguous", detail, name=reference, suggestions=ids)
        return found[0]


def _allowed(used: Iterable[str], collections: Sequence[str] | None) -> bool:
    return collections is None or set(used) <= set(collections)


def _unknown(reference: str) -> Refused:
    """The error for a missing summary, the same for one that may not be seen."""
    detail = f"there is no summary {reference}; `summary list` shows their ids"
    return Refused("summary.unknown", detail, name=reference)
