"""Results as views where they need something beside themselves: words, files, the record's versions."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from bot.presentation.attachments import Attached
from bot.presentation.presenter import Presenter
from bot.presentation.results import Tabled
from bot.presentation.views.answers import AnswerView, CheckView, SearchView
from bot.presentation.views.encoding import Joined
from bot.presentation.views.reports import ComparisonView, MotionView, SummaryView
from bot.presentation.wording.summaries import ShownSummary, SummaryPresenter, change_text
from bot.presentation.wording.tables import table_text
from core.answering.quote_check import QuoteCheck
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.answers import Answer, Notice
from core.domain.rich_text import joined, plain
from core.library.completeness import REBUILDING
from core.search.plan import SearchResult

WIDTH = 100
"""Characters of a line of a table's `text`."""

NOTHING: Mapping[str, Attached] = MappingProxyType({})
"""No pages were written."""


def search_view(question: str, result: SearchResult, printed: Sequence[Sequence[str | None]]) -> SearchView:
    """Result of `search`; `printed` is by hit what stands on its pages."""
    notices = (Notice(key=REBUILDING),) if result.incomplete else ()
    hits = [Joined(hit, {"printed": labels}) for hit, labels in zip(result.hits, printed, strict=True)]
    return SearchView.showing(result, question=question, notices=notices, hits=hits)


def answer_view(answer: Answer, attached: Mapping[str, Attached], presenter: Presenter) -> AnswerView:
    """Result of `ask`."""
    presenter = presenter.within(answer.scope.collections)
    say = partial(presenter.notice, texts=presenter.texts(answer.language))
    return AnswerView.showing(answer, text=presenter.answer_text(answer), attached=attached, say=say)


def check_view(text: str, check: QuoteCheck, attached: Mapping[str, Attached]) -> CheckView:
    """Result of `verify`."""
    return CheckView.showing(check, text=text, attached=attached)


def comparison_view(
    made: Tabled[Comparison], attached: Mapping[str, Attached] = NOTHING, file: Path | None = None
) -> ComparisonView:
    """Result of `compare`, with the pages and the table where they were written."""
    return ComparisonView.showing(made.report, **_tabled(made, attached, file))


def motion_view(
    made: Tabled[MotionReport], attached: Mapping[str, Attached] = NOTHING, file: Path | None = None
) -> MotionView:
    """Result of `motion`, with the pages and the table where they were written."""
    return MotionView.showing(made.report, **_tabled(made, attached, file))


def _tabled(
    made: Tabled[Comparison] | Tabled[MotionReport], attached: Mapping[str, Attached], file: Path | None
) -> dict[str, object]:
    return {
        "text": table_text(made.table, WIDTH),
        "table": file,
        "notices": made.notices,
        "trace": made.trace,
        "attached": attached,
    }


def summary_view(
    shown: ShownSummary, presenter: Presenter, attached: Mapping[str, Attached] = NOTHING
) -> SummaryView:
    """Result of `summary new` and `summary show`."""
    presenter = presenter.within(shown.summary.scope.collections)
    texts = presenter.texts(shown.summary.language)
    changes: Sequence[Joined] = [
        Joined(change, {"text": change_text(change, texts)}) for change in shown.changes
    ]
    return SummaryView.showing(
        shown.summary,
        stale=bool(changes),
        changes=changes,
        text=plain(joined(SummaryPresenter(presenter).blocks(shown, texts), "\n\n")),
        attached=attached,
        say=partial(presenter.notice, texts=texts),
    )
