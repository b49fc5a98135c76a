"""Which of the texts that a search found hold the answer of a question."""

from functools import lru_cache

from core.evaluation import SetQuestion, holds, letters, runs_through

UNBROKEN = 0.75
"""Share of a gold quote's letters, or of a shorter text's, that stand in one run where the answer stands.
Words alone say too little: a long section of a law has most words of any other. Of the stretches of statutes
with 60 % of a gold quote's words two in five answer nothing, by people's judgement; of those with such a run,
hardly one."""


def answers(question: SetQuestion, text: str) -> bool:
    """Whether `text` holds a gold quote of a question that has an answer."""
    own = letters_of(text)
    return question.answerable and any(
        runs_through(own, letters(gold.quote), UNBROKEN) and holds(text, gold.quote) for gold in question.gold
    )


@lru_cache(maxsize=20_000)
def letters_of(text: str) -> str:
    """The letters of a text that many questions are held against."""
    return letters(text)
