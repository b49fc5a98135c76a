"""Results as views where they need something beside themselves: words, files, the record's versions."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from bot.presentation.attachments import Attached
from bot.presentation.presenter import Presenter
from bot.presentation.results import DraftItem, DraftReport
from bot.presentation.views.answers import AnswerView, CheckView, DraftFileView, DraftItemView, SearchView
from bot.presentation.views.encoding import Joined
from bot.presentation.views.problems import problem
from core.answering.quote_check import QuoteCheck
from core.domain.answers import Answer, Notice
from core.library.completeness import REBUILDING
from core.search.plan import SearchResult


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


def draft_view(report: DraftReport, annotated: Path | None = None) -> DraftFileView:
    """Result of `check`; `annotated` is the file that was written."""
    return DraftFileView.showing(report, items=tuple(map(_draft_item, report.items)), annotated=annotated)


def _draft_item(item: DraftItem) -> DraftItemView:
    words = item.quotation.words
    return DraftItemView.showing(
        item,
        kind="statement" if item.quotation.statement else "quotation",
        text=words,
        verdict=item.check.verdict if item.check else None,
        check=check_view(words, item.check, {}) if item.check else None,
        error=problem(item.error) if item.error else None,
    )
