"""Result types for text, JSON and chats that the core does not have."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from core.domain.answers import STANDS, Notice
from core.domain.documents import Document
from core.domain.ids import TraceId
from core.domain.pages import Doubt
from core.domain.rich_text import Table
from core.errors import Refused

if TYPE_CHECKING:
    from core.answering.quote_check import QuoteCheck
    from core.answering.reports.comparisons import Comparison
    from core.answering.reports.motions import MotionReport
    from core.library.cutting import Draft
    from core.registry.quotations import Quotation

Report = TypeVar("Report", "Comparison", "MotionReport")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """Result of `page`: `found_page` is where the quote is, None if nowhere. `doubt`: why it is not marked
    there. `printed` is the number on the page."""

    document: Document
    page: int
    found_page: int | None
    highlighted: bool
    coverage: float
    pdf: bytes
    doubt: Doubt | None = None
    printed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftItem:
    """A quotation, its page, and its check; `error` if it could not be checked."""

    number: int
    quotation: "Quotation"
    page: int
    check: "QuoteCheck | None"
    error: Refused | None = None

    @property
    def stands(self) -> bool:
        """Whether the words are verbatim, apart from a typing error."""
        return self.check is not None and self.check.verdict in STANDS


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftReport:
    """The checks in the order of the text. `file` is its name, `omitted` how many more quotations it has."""

    file: str
    draft: "Draft"
    items: tuple[DraftItem, ...]
    omitted: int = 0

    @property
    def stands(self) -> bool:
        """Whether all that was found is verbatim."""
        return not self.omitted and all(item.stands for item in self.items)

    @property
    def counts(self) -> dict[str, int]:
        """How often there is each verdict."""
        return dict(Counter(str(item.check.verdict) if item.check else "error" for item in self.items))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabled(Generic[Report]):
    """A report and its table in words. `trace` names its record; `notices` go with it; `stem` is the name of
    its file, without the extension."""

    trace: TraceId
    report: Report
    notices: tuple[Notice, ...]
    table: Table
    stem: str
