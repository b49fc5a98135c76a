"""Settings of what people in distress are told."""

from pydantic import Field

from bot.settings.sections import SettingsSection


class HelpSettings(SettingsSection):
    """Whom people in distress can turn to."""

    country: str = Field(
        default="",
        pattern="^(?:[a-z]{2})?$",
        description="country whose help lines are told where the chat's place has none (ISO 3166-1, in small"
        " letters); empty: that of the language, for English international ones",
    )
    lines: dict[str, tuple[str, ...]] = Field(
        default={},
        description="help lines by country, a text each, in place of those that we come with",
    )
