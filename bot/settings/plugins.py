"""Settings of plug-ins: packages of others. What is installed and not named here is not imported."""

from pydantic import Field, SecretStr

from bot.settings.sections import SettingsSection

ENCODER = "plugin:"
"""Stands before the name of a plug-in in `encoders.primary`."""


class PluginSettings(SettingsSection):
    """Plug-ins by the names of their entry points. [encoders] names an encoder, [rerank] a reranker."""

    platforms: tuple[str, ...] = Field(default=(), description="chat platforms, served beside the others")
    converters: tuple[str, ...] = Field(
        default=(), description="what makes PDFs of files by their endings, before our own converter"
    )
    options: dict[str, dict[str, SecretStr]] = Field(
        default={},
        description="a table of texts for each plug-in, by its name; hidden as secrets are",
    )
