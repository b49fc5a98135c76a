"""Use cases of questions: ask, verify, compare, motions, summaries, references, why, evaluation.

They join the core's search and answering with the library, and leave a record of every answer.
"""

from bot.answers import evaluation, records, references
from bot.answers.comparisons import Comparisons
from bot.answers.questions import Questions
from bot.answers.references import References
from bot.answers.summaries import Summarising
from bot.answers.version_diff import VersionDiffs

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
