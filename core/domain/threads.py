"""What a conversation remembers for follow-ups."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.domain.ids import DocumentId

MOST_QUESTIONS = 3
"""Questions remembered at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadContext:
    """What a follow-up may refer to. `questions` are the thread's last ones, at least one and at most
    `MOST_QUESTIONS`, the newest last, each in a form that stands by itself: names carried from earlier
    ones are written out. `language` is the newest one's. `documents` were cited by its answer."""

    questions: tuple[str, ...]
    language: str
    documents: tuple[DocumentId, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.questions) <= MOST_QUESTIONS:
            raise ValueError(f"a thread remembers 1 to {MOST_QUESTIONS} questions")


def continued(
    thread: ThreadContext | None, question: str, language: str, documents: Iterable[DocumentId] = ()
) -> ThreadContext:
    """`thread` after `question`, which stands by itself and was answered from `documents`."""
    before = thread.questions if thread else ()
    questions = (*before, question)[-MOST_QUESTIONS:]
    return ThreadContext(questions=questions, language=language, documents=tuple(dict.fromkeys(documents)))
