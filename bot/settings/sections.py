"""The base of all tables of the settings file."""

from pydantic import BaseModel, ConfigDict


class SettingsSection(BaseModel):
    """A table of the settings file: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")
