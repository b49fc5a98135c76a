"""Results as views where they need something beside themselves: words, files, the record's versions."""

from collections.abc import Mapping, Sequence
from functools import partial

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
from core.domain.search import SearchResult
from core.library.completeness import REBUILDING

WIDTH = 100
"""Characters of a line of a table's `text`."""


def search_view(question: str, result: SearchResult) -> SearchView:
    """Result of `search`."""
    notices = (Notice(key=REBUILDING),) if result.incomplete else ()
    return SearchView.showing(result, question=question, notices=notices)


def answer_view(answer: Answer, attached: Mapping[str, Attached], presenter: Presenter) -> AnswerView:
    """Result of `ask`."""
    say = partial(presenter.notice, texts=presenter.texts(answer.language))
    return AnswerView.showing(answer, text=presenter.answer_text(answer), attached=attached, say=say)


def check_view(text: str, check: QuoteCheck, attached: Mapping[str, Attached]) -> CheckView:
    """Result of `verify`."""
    return CheckView.showing(check, text=text, attached=attached)


def comparison_view(made: Tabled[Comparison]) -> ComparisonView:
    """Result of `compare`."""
    return ComparisonView.showing(made.report, **_tabled(made))


def motion_view(made: Tabled[MotionReport]) -> MotionView:
    """Result of `motion`."""
    return MotionView.showing(made.report, **_tabled(made))


def _tabled(made: Tabled[Comparison] | Tabled[MotionReport]) -> dict[str, object]:
    return {
        "text": table_text(made.table, WIDTH),
        "table": made.file,
        "notices": made.notices,
        "trace": made.trace,
        "attached": made.attached,
    }


def summary_view(shown: ShownSummary, presenter: Presenter) -> SummaryView:
    """Result of `summary new` and `summary show`."""
    texts = presenter.texts(shown.summary.language)
    changes: Sequence[Joined] = [
        Joined(change, {"text": change_text(change, texts)}) for change in shown.changes
    ]
    return SummaryView.showing(
        shown.summary,
        stale=bool(changes),
        changes=changes,
        text="\n\n".join(SummaryPresenter(presenter).blocks(shown, texts)),
        attached=shown.attached,
        say=partial(presenter.notice, texts=texts),
    )
