"""Language of a text, among the languages that we can handle."""

from collections.abc import Sequence
from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

SUPPORTED = ("de", "en")
"""Languages that questions, stemming and our own words are made for."""


@lru_cache(maxsize=4)
def _identifier(languages: tuple[str, ...] | None) -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    if languages:
        identifier.set_languages(list(languages))
    return identifier


def detect(text: str, *, among: Sequence[str] | None = SUPPORTED) -> tuple[str, float]:
    """ISO 639-1 code of the likeliest language of `text` and its probability, 0 to 1."""
    language, probability = _identifier(tuple(among) if among else None).classify(text)
    return str(language), float(probability)
