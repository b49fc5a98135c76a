"""Question sets put to the bot: what is observed, how symmetric it is, and the report."""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.answers.evaluation.observing import Meter, observe, passages_of_parties
    from bot.answers.evaluation.page import report_page
    from bot.answers.evaluation.report import Measured, comparison, side_by_side, whole
    from bot.answers.evaluation.rounds import Variant, symmetry, variant
else:
    __getattr__ = late(__name__, __file__)

__all__ = [
    "Measured",
    "Meter",
    "Variant",
    "comparison",
    "observe",
    "passages_of_parties",
    "report_page",
    "side_by_side",
    "symmetry",
    "variant",
    "whole",
]
