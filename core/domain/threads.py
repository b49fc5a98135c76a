"""What a conversation remembers for follow-ups."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.domain.ids import DocumentId

MOST_QUESTIONS = 3
"""Maximum number of questions remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadContext:
    """What a follow-up may refer to. `questions` are the thread's last ones, at least one and at most
    `MOST_QUESTIONS`, newest last, each self-contained: names carried over from earlier ones are written out.
    `language` is the newest one's. `documents` are those cited in its answer."""

    questions: tuple[str, ...]
    language: str
    documents: tuple[DocumentId, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.questions) <= MOST_QUESTIONS:
            raise ValueError(f"a thread remembers 1 to {MOST_QUESTIONS} questions")


def continued(
    thread: ThreadContext | None, question: str, language: str, documents: Iterable[DocumentId] = ()
) -> ThreadContext:
    """`thread` extended by the self-contained `question`, which was answered from `documents`."""
    before = thread.questions if thread else ()
    questions = (*before, question)[-MOST_QUESTIONS:]
    return ThreadContext(questions=questions, language=language, documents=tuple(dict.fromkeys(documents)))
