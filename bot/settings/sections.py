"""The base of all tables of the settings file."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict


class SettingsSection(BaseModel):
    """A table of the settings file: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _address(stated: str) -> str:
    if stated and not stated.startswith(("http://", "https://")):
        raise ValueError(f"{stated} is no address: write it with https:// (or http://) before it")
    try:
        urlsplit(stated).port  # noqa: B018 - raises for a port that is none
    except ValueError as error:
        raise ValueError(f"{stated} is no address: {error}") from error
    return stated


Address = Annotated[str, AfterValidator(_address)]
"""The address of a server or page; empty for none."""
