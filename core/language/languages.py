"""The supported languages: one file each in this folder, such as `de.toml`, read once on first use.

Anything missing or superfluous in a file is an error that names the file and the field: a language is
complete or absent.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.resources import files
from typing import Any, get_type_hints

from core.language.question_words import Everyday, Phrases, Subjects, Words
from core.language.words import Language

FALLBACK = "en"
"""The language whose rules apply to texts in a language without a file."""


@cache
def every() -> tuple[Language, ...]:
    """All languages, by their tags."""
    found = sorted(
        (path.name, path.read_text(encoding="utf-8"))
        for path in files("core.language").iterdir()
        if path.name.endswith(".toml")
    )
    return tuple(read(name.removesuffix(".toml"), text) for name, text in found)


@cache
def tags() -> tuple[str, ...]:
    """ISO 639-1 codes of all languages."""
    return tuple(language.tag for language in every())


@cache
def of(tag: str) -> Language:
    """The language `tag`; English if it has no file."""
    by_tag = {language.tag: language for language in every()}
    return by_tag.get(tag, by_tag[FALLBACK])


def read(tag: str, text: str) -> Language:
    """The language `tag` from `text`, its file.

    Raises:
        ValueError: a table or field is missing, unknown or of another type; the message names it.
    """
    found: Language = _record(Language, {"tag": tag, **tomllib.loads(text)}, f"{tag}.toml")
    return found


def _record(kind: type[Any], table: Mapping[str, Any], where: str) -> Any:
    names = {field.name for field in fields(kind)}
    if wrong := sorted(names ^ table.keys()):
        raise ValueError(f"{where}: {'missing' if wrong[0] in names else 'unknown'}: {wrong[0]}")
    hints = get_type_hints(kind)
    return kind(**{name: _value(hints[name], table[name], f"{where}: {name}") for name in names})


def _value(hint: Any, value: Any, where: str) -> Any:
    if is_dataclass(hint) and isinstance(hint, type) and isinstance(value, Mapping):
        return _record(hint, value, where)
    if hint == Words and isinstance(value, str):
        return frozenset(value.split())
    if hint == Phrases and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    if hint == Subjects and isinstance(value, Mapping):
        return {name: _value(Phrases, each, f"{where}: {name}") for name, each in value.items()}
    if hint == Everyday and isinstance(value, Mapping):
        return {said: _value(str, each, f"{where}: {said}") for said, each in value.items()}
    if hint in (str, bool) and isinstance(value, hint):
        return value
    raise ValueError(f"{where}: a value of another type: {value!r:.40}")
