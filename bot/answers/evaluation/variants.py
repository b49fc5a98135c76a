"""Variants of the settings, to be set side by side: `NAME:key=value,key=value`."""

import re
import tomllib
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, SecretStr, ValidationError

from bot.settings import Settings
from core.answering.forms import EXTRACTIVE, LLM
from core.errors import Refused

ANSWERER = "answerer"
"""The key that is no setting: who answers."""

_NEXT = re.compile(r",(?=[a-z_][\w.]*=)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A way to answer: `answerer` as in `Asker.answered` (None: as the settings have it), `settings` with the
    changes made, and `changes` as they may be shown (dotted name to value, secrets hidden)."""

    name: str
    answerer: str | None
    settings: Settings
    changes: dict[str, str]


def variant(text: str, settings: Settings) -> Variant:
    """The variant of `settings` that `text` describes: a name, and after a colon changes separated by
    commas. A key is `answerer` or the dotted name of a setting in a table, a value TOML or plain text. A
    variant called `extractive` or `llm` has that answerer unless it says otherwise.
    Raises Refused("variant.invalid")."""
    name, _, rest = text.partition(":")
    name = name.strip()
    if not name:
        raise _invalid(text, "it has no name")
    answerer = name if name in (EXTRACTIVE, LLM) else None
    changes: dict[str, str] = {}
    for part in _NEXT.split(rest) if rest.strip() else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise _invalid(text, f"{part!r} is not KEY=VALUE")
        if key == ANSWERER:
            answerer = _answerer(text, value)
            continue
        settings = _changed(settings, key, value, text)
        changes[key] = _shown(settings, key)
    return Variant(name=name, answerer=answerer, settings=settings, changes=changes)


def _answerer(text: str, value: str) -> str:
    if value not in (EXTRACTIVE, LLM):
        raise _invalid(text, f"{ANSWERER} is {EXTRACTIVE} or {LLM}, not {value!r}")
    return value


def _changed(settings: Settings, key: str, value: str, text: str) -> Settings:
    table, *path = key.split(".")
    section = getattr(settings, table, None) if table in type(settings).model_fields else None
    if not isinstance(section, BaseModel) or not path:
        raise _invalid(text, f"{key} is no setting in a table, such as answer.citations")
    try:
        return settings.model_copy(update={table: _with(section, path, _value(value))})
    except KeyError:
        raise _invalid(text, f"there is no setting {key}; see `fundstelle settings`") from None
    except ValidationError as error:
        raise _invalid(text, "; ".join(f"{key}: {item['msg']}" for item in error.errors())) from None


def _with(section: BaseModel, path: list[str], value: object) -> BaseModel:
    """`section` with the value at `path`, validated. Raises KeyError for a name that is not there."""
    name, *rest = path
    if name not in type(section).model_fields:
        raise KeyError(name)
    inner = getattr(section, name)
    if rest:
        if not isinstance(inner, BaseModel):
            raise KeyError(name)
        value = _with(inner, rest, value)
    return type(section).model_validate({**dict(section), name: value})


def _value(text: str) -> Any:
    """`text` as TOML; what is none is plain text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _shown(settings: Settings, key: str) -> str:
    found: Any = settings
    for name in key.split("."):
        found = getattr(found, name)
    return str(found) if isinstance(found, str | SecretStr) else repr(found)


def _invalid(text: str, why: str) -> Refused:
    return Refused("variant.invalid", f"--variant {text!r}: {why}")
