"""Use cases of comparisons and motions: from options and files to a report with its pages and its table."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from bot.answers.records.recorder import LOCAL, Recorder
from bot.files import write_file
from bot.library.scoping import ScopeOptions, Scoping
from bot.presentation import Attacher, Presenter
from bot.presentation.results import Tabled
from bot.presentation.wording import ComparisonPresenter
from core.answering.reports.comparisons import Comparer, Comparison
from core.answering.reports.demands import text_of_pages
from core.answering.reports.motions import MotionReader, MotionReport
from core.domain.answers import Notice
from core.domain.ids import TraceId
from core.domain.journal import ChatKey, Pseudonym
from core.domain.tables import Table
from core.errors import Broken, Refused
from core.library.completeness import Completeness
from core.library.furniture import marked
from core.ports.pdf import PdfToolkit

TABLE_FILE = "table.pdf"
MAX_MOTION_BYTES = 1_000_000
"""Of a motion as a text file."""
MAX_MOTION_PAGES = 30
"""Of a motion as a PDF."""
_TEXT_FILES = (".txt", ".md")
_FILES = (*_TEXT_FILES, ".pdf")

Report = TypeVar("Report", Comparison, MotionReport)


class Comparisons:
    """What the commands `compare` and `motion` do, on the command line and in chats."""

    def __init__(
        self,
        *,
        comparer: Comparer,
        motions: MotionReader,
        scoping: Scoping,
        attacher: Attacher,
        presenter: Presenter,
        pdf: PdfToolkit,
        recorder: Recorder,
        completeness: Completeness,
    ) -> None:
        self._completeness = completeness
        self._comparer = comparer
        self._motions = motions
        self._scoping = scoping
        self._attacher = attacher
        self._texts = ComparisonPresenter(presenter)
        self._pdf = pdf
        self._recorder = recorder

    async def compare(
        self,
        question: str,
        options: ScopeOptions,
        jurisdictions: Sequence[str] = (),
        *,
        language: str = "",
        out: Path | None = None,
        asked_by: Pseudonym = LOCAL,
        chat: ChatKey | None = None,
    ) -> Tabled[Comparison]:
        """A row for each of `jurisdictions` (two or more; one only narrows), of the options' parties, or
        of what the question names. `language` of our own words; the question's if empty. It is recorded
        who has asked, and where.
        Raises Refused for unknown places or parties, and for parties and places at once."""
        places = tuple(dict.fromkeys(self._scoping.jurisdiction(name) for name in jurisdictions))
        scope = await self._scoping.scope(options)
        if len(places) > 1 and len(scope.parties) > 1:
            raise Refused("scope.compare_both", "compare either parties or places, not both at once")
        if len(places) == 1:
            scope = replace(scope, jurisdictions=places)
        notices = await self._completeness.notices(scope.collections)
        found = await self._comparer.compare(
            question,
            scope=scope,
            jurisdictions=places,
            chat_jurisdiction=options.chat_jurisdiction if not places else None,
        )
        if language:
            found = replace(found, language=language)
        trace = await self._recorder.compared(found, person=asked_by, chat=chat)
        return await self._tabled(trace, found, notices, self._texts.comparison(found, notices), out)

    async def motion(
        self,
        text: str,
        options: ScopeOptions,
        *,
        jurisdiction: str,
        movers: Sequence[str],
        out: Path | None = None,
        asked_by: Pseudonym = LOCAL,
        chat: ChatKey | None = None,
    ) -> Tabled[MotionReport]:
        """The report on a motion's text (`motion_text` reads files). It is recorded who has asked, and
        where. Raises Refused for unknown places or parties."""
        code = self._scoping.jurisdiction(jurisdiction)
        parties = [self._scoping.party(name) for name in movers]
        scope = await self._scoping.scope(options)
        notices = await self._completeness.notices(scope.collections)
        found = await self._motions.report(text, scope=scope, jurisdiction=code, movers=parties)
        trace = await self._recorder.reported(found, text, scope, person=asked_by, chat=chat)
        return await self._tabled(trace, found, notices, self._texts.motion(found, notices), out)

    async def _tabled(
        self, trace: TraceId, report: Report, notices: tuple[Notice, ...], table: Table, out: Path | None
    ) -> Tabled[Report]:
        made = Tabled(trace=trace, report=report, notices=notices, table=table, attached={})
        if out is None:
            return made
        attached = await self._attacher.attach(report.citations, out)
        file = await self.write_table(table, out)
        return replace(made, attached=attached, file=file)

    async def write_table(self, table: Table, folder: Path) -> Path:
        """The table as a PDF in `folder`, which is there. Raises Broken if it cannot be written."""
        file = folder / TABLE_FILE
        try:
            await asyncio.to_thread(write_file, file, await self._pdf.table(table))
        except OSError as error:
            detail = f"cannot write {file}: {error}; choose another --out"
            raise Broken("out.unwritable", detail) from error
        return file

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
        reading = await self._pdf.read(path, max_pages=MAX_MOTION_PAGES)
        return text_of_pages(marked(reading.pages))


def _read_text(path: Path) -> str:
    if path.stat().st_size > MAX_MOTION_BYTES:
        raise Refused("file.too_large", f"{path} is larger than {MAX_MOTION_BYTES} bytes", name=path.name)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(
            "file.not_text", f"{path} is not UTF-8 text; save it as such", name=path.name
        ) from error
