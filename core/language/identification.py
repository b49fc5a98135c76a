"""Detects the language of a text among the supported languages."""

from collections.abc import Sequence
from copy import copy
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from core.language.languages import tags

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


@cache
def _of_every_language() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@lru_cache(maxsize=16)
def _identifier(languages: tuple[str, ...]) -> "LanguageIdentifier":
    """The model for `languages`, or for every language if there are none, as columns of the one model, whose
    file takes a third of a second to unpack."""
    if not languages:
        return _of_every_language()
    identifier = copy(_of_every_language())
    identifier.set_languages(list(languages))
    return identifier


def load() -> None:
    """Load the language detector, which the first text would otherwise wait for."""
    _of_every_language()


def detect(text: str, *, among: Sequence[str] | None = None) -> tuple[str, float]:
    """ISO 639-1 code of the most likely language of `text` and its probability, 0 to 1: one of `among`, or of
    those with a word file."""
    language, probability = _identifier(tags() if among is None else tuple(among)).classify(text)
    return str(language), float(probability)
