"""Message keys to text, in English and German."""

import logging
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from string import Formatter

from bot.presentation.escaping import defused

LANGUAGES = ("en", "de")
OWN_VALUES = frozenset({"source", "prefix", "platform", "chat", "user", "trace", "id"})
"""Values that the operator has written, or that are ids to be copied; all others may hold what a document
or a person wrote."""


NO_VALUE = "…"
"""Stands where a text names a value that nobody has filled in; the log says so."""

_LOG = logging.getLogger(__name__)


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language, by dotted key."""
    texts: dict[str, str] = {}
    for name in (f"{language}.toml", f"chat.{language}.toml", f"cli.{language}.toml"):
        source = files("bot.presentation").joinpath("locales", name).read_text(encoding="utf-8")
        for group, entries in tomllib.loads(source).items():
            texts.update({f"{group}.{key}": value for key, value in entries.items()})
    return texts


def placeholders(text: str) -> frozenset[str]:
    """The names of the values that `text` has room for."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


class _Values(dict[str, str | int | float]):
    """The values of one text. A missing one is the log's business: people get the text all the same."""

    def __init__(self, key: str, values: dict[str, str | int | float]) -> None:
        super().__init__((name, _safe(name, value)) for name, value in values.items())
        self._key = key

    def __missing__(self, name: str) -> str:
        _LOG.error("the text %s has no value for %s", self._key, name)
        return NO_VALUE


class Texts:
    """Texts of one language; a language that we do not speak falls back to English."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __call__(self, key: str, /, **values: str | int | float) -> str:
        """The text of `key` with its values filled in, nothing in them live; the key itself if there is
        none. Whatever the values are, there is a text."""
        text = catalogue(self.language).get(key)
        if text is None:
            _LOG.error("there is no text %s", key)
            return key
        return text.format_map(_Values(key, values))

    def takes(self, key: str, names: Iterable[str]) -> bool:
        """Whether there is a text for `key` that `names` are all the values of, or more."""
        return self.has(key) and placeholders(catalogue(self.language)[key]) <= frozenset(names)

    def has(self, key: str) -> bool:
        """Whether there is a text for `key`."""
        return key in catalogue(self.language)


def _safe(name: str, value: str | int | float) -> str | int | float:
    return defused(value) if isinstance(value, str) and name not in OWN_VALUES else value
