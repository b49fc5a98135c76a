"""The base class of all settings tables, their value types, and the small tables."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Annotated, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator

ENCODER = "plugin:"
"""Prefix of a plug-in's name in `encoders.primary`."""


class SystemZone(tzinfo):
    """The zone of the machine, as its C library has it (`TZ`, /etc/localtime). Of days of which that knows
    nothing it is UTC."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """East of Greenwich."""
        try:
            return moment.replace(tzinfo=None).astimezone().utcoffset() if moment else None
        except (OverflowError, ValueError, OSError):
            return timedelta(0)

    def dst(self, _moment: datetime | None) -> timedelta | None:
        """Is not told."""
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        """A short name such as CEST."""
        try:
            return moment.replace(tzinfo=None).astimezone().tzname() if moment else None
        except (OverflowError, ValueError, OSError):
            return "UTC"

    def fromutc(self, moment: datetime) -> datetime:
        """A moment of UTC as the clock shows it, the second time in the hour that comes twice too."""
        there = moment.replace(tzinfo=UTC).astimezone()
        shown = there.replace(tzinfo=self)
        return shown if shown.utcoffset() == there.utcoffset() else shown.replace(fold=1)


def zone_of(name: str) -> tzinfo:
    """The zone with an IANA name, or that of the machine if empty. Raises ValueError for an unknown name."""
    try:
        return ZoneInfo(name) if name else SystemZone()
    except (KeyError, ValueError, OSError):
        detail = f'there is no time zone {name!r}: write a name such as "Europe/Berlin", or nothing'
        raise ValueError(detail) from None


def _known(name: str) -> str:
    zone_of(name)
    return name


TimeZone = Annotated[str, AfterValidator(_known)]
"""An IANA name; empty for the zone of the machine."""


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


class LogSettings(SettingsSection):
    """The log on standard error. No level reveals who asked, or what."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="what is logged at least; of the libraries, warnings at least"
    )
    format: Literal["text", "json"] = Field(
        default="text", description="`text`, or `json`: one object on each line"
    )


class HelpSettings(SettingsSection):
    """Help lines for people in distress."""

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
