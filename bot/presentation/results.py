"""Results that text, JSON and chats are made from, where the core has none of its own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from bot.presentation.attachments import Attached
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.answers import Notice
from core.domain.documents import Document
from core.domain.ids import TraceId
from core.domain.pages import Doubt
from core.domain.tables import Table

Report = TypeVar("Report", Comparison, MotionReport)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """Result of `page`: `found_page` is where the quote stands, None if nowhere. `doubt`: why it is not
    marked there."""

    document: Document
    page: int
    found_page: int | None
    highlighted: bool
    coverage: float
    pdf: bytes
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabled(Generic[Report]):
    """A report, its table in words, and the files that were written (none without a folder). `trace` names
    its record; `notices` is what has to be said with it."""

    trace: TraceId
    report: Report
    notices: tuple[Notice, ...]
    table: Table
    attached: dict[str, Attached]
    file: Path | None = None
