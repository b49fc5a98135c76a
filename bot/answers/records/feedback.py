"""What people thought of answers, as rows for the operator and as candidates for a question set."""

from dataclasses import dataclass

from bot.presentation.views.encoding import Json
from core.domain.journal import Feedback, FeedbackVerdict
from core.domain.records import AnswerRecord
from core.ports.journal import Journal
from core.ports.library import Library


@dataclass(frozen=True, slots=True)
class Judged:
    """Feedback on an answer, with the answer's record if it still exists."""

    feedback: Feedback
    record: AnswerRecord | None


async def judged(journal: Journal) -> list[Judged]:
    """All stored feedback, oldest first."""
    return [Judged(item, await journal.answer(item.trace)) for item in await journal.feedback()]


async def candidates(items: list[Judged], library: Library) -> list[Json]:
    """Rows of a question set: questions whose text is still stored. Answers called useful contribute the
    quoted pages as gold; for the rest a person has to decide what is right. Each question occurs once."""
    rows: dict[str, Json] = {}
    for item in items:
        record = item.record
        if record is None or record.texts is None:
            continue
        useful = item.feedback.verdict is FeedbackVerdict.USEFUL
        rows[record.trace] = {
            "id": record.trace,
            "corpus": "feedback",
            "language": record.language,
            "jurisdiction": record.scope.jurisdictions[0] if record.scope.jurisdictions else None,
            "party": record.scope.parties[0] if record.scope.parties else None,
            "question": record.texts.question,
            "answerable": True if useful else None,
            "gold": await _gold(record, library) if useful else [],
            "gold_mode": "any",
            "kind": item.feedback.verdict.value,
        }
    return list(rows.values())


async def _gold(record: AnswerRecord, library: Library) -> list[Json]:
    found = []
    for citation in record.citations:
        document = await library.document(citation.document)
        if document is not None:
            found += [
                {"file": document.file, "page": page, "quote": citation.quote} for page in citation.pages[:1]
            ]
    return found
