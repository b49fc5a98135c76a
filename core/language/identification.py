"""Detects the language of a text among the supported languages."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from core.language.languages import tags

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


@lru_cache(maxsize=4)
def _identifier(languages: tuple[str, ...]) -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    if languages:
        identifier.set_languages(list(languages))
    return identifier


def detect(text: str, *, among: Sequence[str] | None = None) -> tuple[str, float]:
    """ISO 639-1 code of the most likely language of `text` and its probability, 0 to 1: one of `among`, or of
    those with a word file."""
    language, probability = _identifier(tags() if among is None else tuple(among)).classify(text)
    return str(language), float(probability)
