"""The subjects of questions, without a search."""

from core.question.subject import Subject, subject_of
from core.question.wanted import read_wanted


def subject(text: str, language: str = "de", said: str = "") -> Subject:
    """`text` as a question in `language`, or as `said` in it and put in German words of documents."""
    return subject_of(text, language, "de" if said else language, read_wanted(said or text), said)
