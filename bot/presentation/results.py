"""Result types for text, JSON and chats that the core does not have."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from core.domain.answers import Notice
from core.domain.documents import Document
from core.domain.ids import TraceId
from core.domain.pages import Doubt
from core.domain.tables import Table

if TYPE_CHECKING:
    from core.answering.reports.comparisons import Comparison
    from core.answering.reports.motions import MotionReport

Report = TypeVar("Report", "Comparison", "MotionReport")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """Result of `page`: `found_page` is where the quote stands, None if nowhere. `doubt`: why it is not
    marked there. `printed` is the number on the page."""

    document: Document
    page: int
    found_page: int | None
    highlighted: bool
    coverage: float
    pdf: bytes
    doubt: Doubt | None = None
    printed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabled(Generic[Report]):
    """A report and its table in words. `trace` names its record; `notices` is what has to be said with it;
    `stem` is the name of its file, without what tells the kind."""

    trace: TraceId
    report: Report
    notices: tuple[Notice, ...]
    table: Table
    stem: str
