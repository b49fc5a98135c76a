"""Use cases of questions: ask, verify, compare, motions, summaries, references, why, evaluation.

They join the core's search and answering with the library, and leave a record of every answer.
"""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.answers import evaluation, records, references
    from bot.answers.comparisons import Comparisons
    from bot.answers.questions import Questions
    from bot.answers.references import References
    from bot.answers.summaries import Summarising
    from bot.answers.version_diff import VersionDiffs
else:
    __getattr__ = late(__name__, __file__)

__all__ = [
    "Comparisons",
    "Questions",
    "References",
    "Summarising",
    "VersionDiffs",
    "evaluation",
    "records",
    "references",
]
