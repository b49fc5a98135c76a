"""Settings in force that may be written down: wherever they were stated, without the secrets."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr


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
    """None for what is a secret, or nothing."""
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
