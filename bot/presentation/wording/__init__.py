"""Results in words and tables, in the language of whoever reads them."""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.presentation.escaping import WORD_JOINER, defused
    from bot.presentation.phrases import in_marks, page_name, page_names, reading_line
    from bot.presentation.presenter import error_text
    from bot.presentation.wording.answers import AnswerMessages
    from bot.presentation.wording.checks import check_blocks, check_text, shown_matches
    from bot.presentation.wording.comparisons import ComparisonPresenter, comparison_view, motion_view
    from bot.presentation.wording.corrections import block, place
    from bot.presentation.wording.summaries import (
        ListedSummary,
        ShownSummary,
        SummaryPresenter,
        summary_view,
    )
    from bot.presentation.wording.tables import table_blocks, table_text
    from bot.presentation.wording.views import answer_view, check_view, search_view
else:
    __getattr__ = late(__name__, __file__)

__all__ = [
    "WORD_JOINER",
    "AnswerMessages",
    "ComparisonPresenter",
    "ListedSummary",
    "ShownSummary",
    "SummaryPresenter",
    "answer_view",
    "block",
    "check_blocks",
    "check_text",
    "check_view",
    "comparison_view",
    "defused",
    "error_text",
    "in_marks",
    "motion_view",
    "page_name",
    "page_names",
    "place",
    "reading_line",
    "search_view",
    "shown_matches",
    "summary_view",
    "table_blocks",
    "table_text",
]
