"""The settings tables but for those of platforms, with their base class and value types."""

from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field, SecretStr, model_validator

from core.domain.journal import MIN_EVENT_IDS, Retention
from core.library.lifecycle import Terms

ENCODER = "plugin:"
"""Prefix of a plug-in's name in `encoders.primary`."""


class SystemZone(tzinfo):
    """The machine's time zone, according to its C library (`TZ`, /etc/localtime). It is UTC for dates that
    the library does not support."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """East of Greenwich."""
        try:
            return moment.replace(tzinfo=None).astimezone().utcoffset() if moment else None
        except (OverflowError, ValueError, OSError):
            return timedelta(0)

    def dst(self, _moment: datetime | None) -> timedelta | None:
        """Daylight saving is not reported."""
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        """A short name such as CEST."""
        try:
            return moment.replace(tzinfo=None).astimezone().tzname() if moment else None
        except (OverflowError, ValueError, OSError):
            return "UTC"

    def fromutc(self, moment: datetime) -> datetime:
        """A UTC moment in local time, including the second pass of a repeated hour."""
        local = moment.replace(tzinfo=UTC).astimezone()
        shown = local.replace(tzinfo=self)
        return shown if shown.utcoffset() == local.utcoffset() else shown.replace(fold=1)


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
    """A watched folder: only its path, or with the collection of its files."""

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


class QdrantSettings(SettingsSection):
    """Where passages are indexed: embedded in the data folder, or on a Qdrant server by `url`."""

    url: Address = Field(default="", description="URL of a Qdrant server; empty: embedded")
    api_key: SecretStr = Field(default=SecretStr(""), description="API key of the Qdrant server")
    prefix: str = Field(default="fundstelle", description="prefix of the server's collection names")
    preset: Literal["small", "large", "cluster"] = Field(
        default="small",
        description="`small`: one node; `large`: one, vectors quantised; `cluster`: several, with copies",
    )
    shards: int = Field(default=0, ge=0, le=1000, description="shards of new collections; 0: the preset's")
    replicas: int = Field(default=0, ge=0, le=10, description="copies of each shard; 0: the preset's")
    ca_file: str = Field(
        default="", description="certificates (PEM) that the server's is signed by; empty: the system's"
    )
    timeout_s: int = Field(default=30, ge=1, le=600, description="longest wait for an answer of the server")


class FilesSettings(SettingsSection):
    """Where the original files of documents are kept: in the data folder, or in object storage that speaks
    S3, by `url`."""

    url: str = Field(
        default="",
        pattern=r"^(s3://[^/?#@\s]+(/[^?#\s]*)?)?$",
        description="s3://BUCKET/PREFIX; empty: folder",
    )
    endpoint: Address = Field(default="", description="URL of the object storage; empty: Amazon's")
    region: str = Field(default="", description="region of the bucket; empty: as Amazon's tools have it")
    access_key: SecretStr = Field(
        default=SecretStr(""), description="id of the access key; empty: as Amazon's tools have it"
    )
    secret_key: SecretStr = Field(default=SecretStr(""), description="the access key's secret")
    ca_file: str = Field(default="", description="authorities trusted for it; empty: those of the machine")
    timeout_s: float = Field(default=30.0, gt=0, description="seconds that it may be silent")
    cache_megabytes: int = Field(
        default=10_000, ge=1, description="copies kept in the data folder; longest unused ones go first"
    )


class EncoderSettings(SettingsSection):
    """The encoders. The packaged ones need no network."""

    primary: str = Field(
        default="packaged",
        validation_alias=AliasChoices("primary", "dense"),
        description="`packaged` (multilingual-e5-small), the name of a fastembed model, or `plugin:NAME`",
    )
    questions: Literal["trained", "plain"] = Field(
        default="trained",
        description="`trained`: questions by an encoder that has learned from questions (packaged only)",
    )
    threads: int = Field(default=2, ge=1, le=64, description="processor cores that embedding may use")


class PdfSettings(SettingsSection):
    """Limits of the contained processes that read PDFs."""

    workers: int = Field(default=2, ge=1, le=16, description="worker processes")
    max_megabytes: int = Field(default=200, ge=1, description="larger files are refused")


class OcrSettings(SettingsSection):
    """Text recognition (OCR) of scanned pages by Tesseract, where it is installed."""

    enabled: Literal["auto", "off"] = Field(
        default="auto", description="`auto`: where Tesseract is installed; `off`: never"
    )
    languages: tuple[str, ...] = Field(
        default=("deu", "eng"), min_length=1, description="Tesseract's language codes, each one installed"
    )
    min_confidence: float = Field(
        default=0.7, ge=0, le=1, description="pages recognised with less (mean of their words) are left out"
    )
    workers: int = Field(default=1, ge=1, le=16, description="pages recognised at a time")


class ClamAvSettings(SettingsSection):
    """A ClamAV daemon that checks every file first; if it does not respond, files are set aside."""

    socket: str = Field(default="", description="Unix socket of clamd; empty: `host`")
    host: str = Field(default="", description="host of clamd; both empty: no virus scanner")
    port: int = Field(default=3310, ge=1, le=65535, description="port of clamd")
    timeout_s: float = Field(default=60.0, gt=0, description="seconds for a file")


class BackupSettings(SettingsSection):
    """Backups that `serve` makes by itself."""

    every_hours: float = Field(default=0.0, ge=0, description="hours between two backups; 0: none is made")
    keep: int = Field(default=7, ge=1, description="how many of them are kept; older ones are deleted")
    folder: str = Field(
        default="", description="where to, best on another disk; empty: `backups` in the data folder"
    )
    index: bool = Field(
        default=False, description="with the index, so that a restored library need not be embedded again"
    )

    def place(self, data: Path) -> Path:
        """The folder."""
        return Path(self.folder).expanduser() if self.folder else data / "backups"


class ModelSettings(SettingsSection):
    """A language model: at a provider, or on any OpenAI-compatible server by `api_base`."""

    model: str = Field(default="", description="LiteLLM name, e.g. openai/NAME; empty: no model")
    api_base: Address = Field(default="", description="address of the server; empty: the provider's own")
    api_key: SecretStr = Field(default=SecretStr(""), description="key of the provider or server")
    collections: tuple[str, ...] = Field(
        default=("public",), description="whose passages may be sent to this model"
    )
    timeout_s: float = Field(default=30.0, gt=0, description="seconds to wait for this model")
    silence_s: float = Field(
        default=4.0, ge=0, description="seconds of silence after which a fallback is asked; 0: timeout_s"
    )
    max_context_tokens: int = Field(default=6000, ge=500, description="tokens of passages in a prompt")
    usd_per_million_prompt: float | None = Field(
        default=None, ge=0, description="price of a million prompt tokens; empty: LiteLLM's price list"
    )
    usd_per_million_completion: float | None = Field(
        default=None, ge=0, description="price of a million tokens written; empty: LiteLLM's price list"
    )


class LlmSettings(ModelSettings):
    """The primary model, its fallbacks, and the daily budget."""

    fallbacks: tuple[str | ModelSettings, ...] = Field(
        default=(), description="further tables like this one, or names at the same provider; in order"
    )
    judge: str | ModelSettings = Field(
        default="",
        description="the model that says whether quotes state a claim: a name at the same provider, or a"
        " table like this one; empty: the model that wrote it",
    )
    tokens_per_day: int = Field(default=0, ge=0, description="tokens a day (UTC) at most; 0: no limit")
    usd_per_day: float = Field(default=0.0, ge=0, description="US dollars a day at most; 0: no limit")

    @property
    def models(self) -> tuple[ModelSettings, ...]:
        """All models in the order they are called; none without a primary one."""
        if not self.model:
            return ()
        return (self, *(self._fallback(item) for item in self.fallbacks))

    @property
    def judges(self) -> tuple[ModelSettings, ...]:
        """The models that judge claims, in the order they are asked: the one named, else those that write."""
        named = self.judge if isinstance(self.judge, str) else self.judge.model
        return (self._fallback(self.judge),) if self.model and named else self.models

    def _fallback(self, stated: str | ModelSettings) -> ModelSettings:
        """A name stands for the same provider with the same key and approval. Another provider has
        neither this one's key nor its approval, so it needs a table."""
        if isinstance(stated, ModelSettings):
            return stated
        if _provider(stated) != _provider(self.model):
            return ModelSettings(model=stated)
        same = {name: getattr(self, name) for name in INHERITED}
        return ModelSettings(model=stated, **same)


INHERITED = ("api_base", "api_key", "collections", "timeout_s", "silence_s", "max_context_tokens")


def _provider(model: str) -> str:
    return model.partition("/")[0]


class RerankerSettings(SettingsSection):
    """Whether the best passages of a search are reranked before an answer is made from them."""

    kind: Literal["", "plugin"] = Field(default="", description="`plugin`, or empty: not at all")
    model: str = Field(default="", description="the plug-in's name")
    candidates: int = Field(default=20, ge=2, le=20, description="passages that are considered")
    min_score: float = Field(default=0.1, ge=0, le=1, description="passages under this relevance are dropped")
    gap: float = Field(
        default=0.6, gt=0, le=1, description="what comes after a fall of relevance by more is dropped"
    )
    deadline_s: float = Field(default=5.0, gt=0, description="seconds; then the order stays as it is")


KEY_FILE = Path("keys") / "pseudonyms.key"
DEAD_LETTERS = Retention().dead_letters


class RetentionSettings(SettingsSection):
    """How long each kind of data is stored; expired data is removed within the hour."""

    delivery_hours: int = Field(
        default=24, ge=0, description="hours that messages and replies are kept after they are done"
    )
    question_hours: int = Field(
        default=24,
        ge=0,
        description="hours that a question, its queries and a model's output are kept in the record of the"
        " answer; 0: never; with the record where the person reported the answer",
    )
    answer_days: int = Field(default=90, ge=1, description="days that records of answers are kept")
    feedback_days: int = Field(default=90, ge=1, description="days that feedback is kept")
    audit_days: int = Field(default=365, ge=1, description="days that it is kept who did what")
    summary_days: int = Field(default=365, ge=1, description="days that summaries and their topics are kept")
    deleted_days: int = Field(
        default=30, ge=0, description="days that a removed document can be restored; then it is deleted"
    )
    superseded_days: int = Field(
        default=365,
        ge=0,
        description="days that what a superseded version said is kept for --as-of; 0: for good",
    )
    key_file: str = Field(
        default="",
        description="file with the key of the pseudonyms, best apart from the database and its backups;"
        f" empty: {KEY_FILE} in the data folder",
    )

    @model_validator(mode="after")
    def _texts_go_first(self) -> "RetentionSettings":
        if self.question_hours > 24 * self.answer_days:
            raise ValueError("question_hours must not be longer than answer_days")
        return self

    @property
    def terms(self) -> Retention:
        """The retention periods for the journal."""
        delivery = timedelta(hours=self.delivery_hours)
        return Retention(
            delivery=delivery,
            dead_letters=max(DEAD_LETTERS, delivery, MIN_EVENT_IDS),
            texts=timedelta(hours=self.question_hours),
            answers=timedelta(days=self.answer_days),
            feedback=timedelta(days=self.feedback_days),
            audit=timedelta(days=self.audit_days),
            summaries=timedelta(days=self.summary_days),
        )

    @property
    def library(self) -> Terms:
        """The retention periods of documents and their versions."""
        return Terms(
            withdrawn=timedelta(days=self.deleted_days),
            superseded=timedelta(days=self.superseded_days) if self.superseded_days else None,
        )

    def key(self, data: Path) -> Path:
        """The path of the key file."""
        return Path(self.key_file).expanduser() if self.key_file else data / KEY_FILE
