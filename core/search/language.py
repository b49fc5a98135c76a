"""The language of a question. Questions are short, so a doubtful one is settled by the scope's documents."""

from collections.abc import Sequence

from core.domain.documents import Edition
from core.language.identification import detect
from core.registry.names import NAMELESS, replaced

_SURE = 0.8
_ENOUGH_LETTERS = 12


def question_language(question: str, fallback: str, names: Sequence[tuple[int, int]] = ()) -> str:
    """ISO 639-1 code of the question's language among the supported ones; `fallback` if in doubt. `names`
    (start, end) are left out: what a party or place is called says nothing about who asks."""
    question = replaced(question, names, NAMELESS)
    if sum(letter.isalpha() for letter in question) < _ENOUGH_LETTERS:
        return fallback
    language, probability = detect(question)
    return language if probability >= _SURE else fallback


def prevailing_language(editions: Sequence[Edition], default: str = "en") -> str:
    """The language most of `editions` are in."""
    languages = [edition.document.fields.language for edition in editions]
    return max(sorted(set(languages)), key=languages.count, default=default)
