"""Settings of the library: its manifests, watched folders, and what is fetched."""

from pydantic import Field, model_validator

from bot.settings.sections import SettingsSection


class WatchSettings(SettingsSection):
    """A folder that is watched: by its path alone, or with the collection of its files."""

    folder: str = Field(min_length=1)
    collection: str = Field(default="public", min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _by_path(cls, value: object) -> object:
        return {"folder": value} if isinstance(value, str) else value


class LibrarySettings(SettingsSection):
    """The registered manifests, watched folders, and how documents are fetched on a schedule."""

    manifests: tuple[str, ...] = Field(
        default=("library.toml",), description="manifests, relative to the data folder; `serve` watches them"
    )
    watch: tuple[WatchSettings, ...] = Field(
        default=(), description="folders whose new and changed files `serve` takes in"
    )
    watch_s: float = Field(default=60.0, ge=1, description="seconds between two looks at watched files")
    host_interval_s: float = Field(default=2.0, ge=0, description="seconds between two requests to a host")
    intranet: tuple[str, ...] = Field(
        default=(),
        description="hosts (`wiki.example.internal`, with another port `…:8080`) and networks (`10.1.0.0/16`)"
        " of your own that documents may be fetched from; all others inside stay out of reach",
    )
    robots: bool = Field(default=True, description="obey robots.txt when documents are fetched on a schedule")
