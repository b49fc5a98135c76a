"""Secrets in files: `token_file = "secrets/telegram-token"` in the settings, relative to their folder, or,
for containers and service managers, `FUNDSTELLE_TELEGRAM__TOKEN_FILE=/run/secrets/t`.

Only secret settings can be given this way; the file contains the value, optionally followed by one line
break.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr

from core.errors import Broken

SUFFIX = "_FILE"
LARGEST = 64_000
"""Maximum bytes of a secret: keys are short, and a wrong path may lead to anything."""


def secret_names(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The environment variable of each secret below `model`, with the setting's path."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            inner = secret_names(field.annotation, f"{prefix}{name.upper()}__")
            yield from ((variable, (name, *path)) for variable, path in inner)
        elif field.annotation is SecretStr:
            yield f"{prefix}{name.upper()}", (name,)


def read_secret_files(
    environment: Mapping[str, str], model: type[BaseModel], prefix: str
) -> dict[tuple[str, ...], str]:
    """Secrets by the paths of their settings. Raises Broken for a file that cannot be read, and where the
    same secret is given twice."""
    found = {}
    for variable, path in secret_names(model, prefix):
        file = environment.get(variable + SUFFIX)
        if not file:
            continue
        if environment.get(variable):
            raise Broken("settings.invalid", f"{variable} and {variable}{SUFFIX} are both set; keep one")
        found[path] = _content(variable + SUFFIX, Path(file))
    return found


def named_secret_files(
    tree: dict[str, Any], model: type[BaseModel], file: Path
) -> dict[tuple[str, ...], str]:
    """Secrets by the paths of their settings, from files that the settings in `file` name; the names are
    taken out of `tree`. Raises Broken as above."""
    found = {}
    for _, path in secret_names(model, ""):
        table = _table(tree, path[:-1])
        name = table.pop(path[-1] + SUFFIX.lower(), None)
        if name is None:
            continue
        setting = ".".join(path)
        if path[-1] in table:
            raise Broken(
                "settings.invalid", f"{file.name}: {setting} and {setting}_file are both set; keep one"
            )
        found[path] = _content(f"{file.name}: {setting}_file", file.parent / str(name))
    return found


def _table(tree: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """A table of the tree; an empty one if it is missing or not a table."""
    for name in path:
        inner = tree.get(name)
        tree = inner if isinstance(inner, dict) else {}
    return tree


def enter(tree: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    """Put `value` into a tree of tables."""
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    tree[path[-1]] = value


def _content(variable: str, file: Path) -> str:
    try:
        with file.open("rb") as source:
            content = source.read(LARGEST + 1)
        text = content.decode("utf-8-sig").removesuffix("\n").removesuffix("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise Broken("settings.invalid", f"{variable}: {file} cannot be read: {reason}") from None
    if len(content) > LARGEST or "\n" in text or not text:
        raise Broken("settings.invalid", f"{variable}: {file} does not hold one line with the secret")
    return text


# The effective settings that may be written down: from any source, without the secrets.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSettings:
    """A tree as `fundstelle.toml` has it, and the dotted names of the secrets that are not in it."""

    tree: dict[str, Any]
    secrets: tuple[str, ...]


def without_secrets(settings: BaseModel) -> PlainSettings:
    """What `settings` say apart from the data folder, as far as it differs from the defaults."""
    secrets: list[str] = []
    tree = _section(settings, "", secrets)
    tree.pop("data", None)
    return PlainSettings(tree=tree, secrets=tuple(sorted(secrets)))


def _section(section: BaseModel, prefix: str, secrets: list[str]) -> dict[str, Any]:
    found = {}
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if value == field.get_default(call_default_factory=True):
            continue
        plain = _plain(value, f"{prefix}{name}", secrets)
        if plain is not None:
            found[name] = plain
    return found


def _plain(value: Any, name: str, secrets: list[str]) -> Any:
    """The plain value; None if it is a secret or unset."""
    if isinstance(value, SecretStr):
        if value.get_secret_value():
            secrets.append(name)
        return None
    if isinstance(value, BaseModel):
        return _section(value, f"{name}.", secrets)
    if isinstance(value, tuple | list):
        items = [_plain(item, f"{name}.{number}", secrets) for number, item in enumerate(value)]
        return [item for item in items if item is not None]
    return str(value) if isinstance(value, Path) else value
