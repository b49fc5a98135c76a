"""Message keys to text, in English and German."""

import tomllib
from functools import lru_cache
from importlib.resources import files

LANGUAGES = ("en", "de")


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language, by dotted key."""
    source = files("bot").joinpath("locales", f"{language}.toml").read_text(encoding="utf-8")
    texts: dict[str, str] = {}
    for group, entries in tomllib.loads(source).items():
        texts.update({f"{group}.{key}": value for key, value in entries.items()})
    return texts


class Texts:
    """Texts of one language; a language that we do not speak falls back to English."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __call__(self, key: str, **values: str | int | float) -> str:
        """The text of `key` with its values filled in; the key itself if there is none."""
        text = catalogue(self.language).get(key)
        return text.format(**values) if text is not None else key

    def has(self, key: str) -> bool:
        """Whether there is a text for `key`."""
        return key in catalogue(self.language)
