"""Detects the language of a text among the supported languages."""

from collections.abc import Sequence
from copy import copy
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.kept import kept
from core.language.languages import tags

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


@cache
def _of_every_language() -> "LanguageIdentifier":
    """The model as py3langid reads it; unpacked, which takes half a second, it is kept."""
    from py3langid import __version__
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier
    from py3langid.modelio import load_model

    def unpacked() -> tuple[Any, ...]:
        chances, shares, languages, moves, rows, output = load_model(MODEL_DIR / MODEL_FILE)
        arrays = [np.asarray(each) for each in (chances, shares, moves, rows)]
        return [(each.dtype.char, each.tobytes()) for each in arrays], languages, output

    packed, languages, output = kept("languages", __version__, unpacked)
    chances, shares = (np.frombuffer(content, kind) for kind, content in packed[:2])
    moves, rows = (memoryview(content).cast(kind) for kind, content in packed[2:])
    chances = chances.reshape(-1, len(languages))
    return LanguageIdentifier(chances, shares, languages, moves, output, norm_probs=True, tk_row=rows)


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
