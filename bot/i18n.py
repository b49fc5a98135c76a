"""Message keys to text, in English and German."""

import tomllib
from functools import lru_cache
from importlib.resources import files

from bot.defusing import defused

LANGUAGES = ("en", "de")
OWN_VALUES = frozenset({"source", "prefix", "platform", "chat", "user", "trace", "id"})
"""Values that the operator has written, or that are ids to be copied; all others may hold what a document
or a person wrote."""


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language, by dotted key."""
    texts: dict[str, str] = {}
    for name in (f"{language}.toml", f"chat.{language}.toml"):
        source = files("bot").joinpath("locales", name).read_text(encoding="utf-8")
        for group, entries in tomllib.loads(source).items():
            texts.update({f"{group}.{key}": value for key, value in entries.items()})
    return texts


class Texts:
    """Texts of one language; a language that we do not speak falls back to English."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __call__(self, key: str, **values: str | int | float) -> str:
        """The text of `key` with its values filled in, nothing in them live; the key itself if there is
        none."""
        text = catalogue(self.language).get(key)
        return key if text is None else text.format(**{name: _safe(name, values[name]) for name in values})

    def has(self, key: str) -> bool:
        """Whether there is a text for `key`."""
        return key in catalogue(self.language)


def _safe(name: str, value: str | int | float) -> str | int | float:
    return defused(value) if isinstance(value, str) and name not in OWN_VALUES else value
