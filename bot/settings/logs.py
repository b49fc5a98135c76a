"""Settings of the log."""

from typing import Literal

from pydantic import Field

from bot.settings.sections import SettingsSection


class LogSettings(SettingsSection):
    """The log on standard error. No level says who asked, or what."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="what is logged at least; of the libraries, warnings at least"
    )
    format: Literal["text", "json"] = Field(
        default="text", description="`text`, or `json`: one object on each line"
    )
