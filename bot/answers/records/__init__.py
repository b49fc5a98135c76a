"""What is kept of answers: written down, explained, judged, and gone when its term is over."""

from typing import TYPE_CHECKING

from core.late import late

if TYPE_CHECKING:
    from bot.answers.records.feedback import candidates, judged
    from bot.answers.records.people import Erasure, erased, exported, named_person
    from bot.answers.records.recorder import LOCAL, PURGE_EVERY, Explained, Recorder, explain
    from bot.answers.records.why import reasons_told, record_text, recorded_citations
else:
    __getattr__ = late(__name__, __file__)

__all__ = [
    "LOCAL",
    "PURGE_EVERY",
    "Erasure",
    "Explained",
    "Recorder",
    "candidates",
    "erased",
    "explain",
    "exported",
    "judged",
    "named_person",
    "reasons_told",
    "record_text",
    "recorded_citations",
]
