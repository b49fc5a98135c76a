"""Settings for storing and reading documents: index, encoders, PDFs, text recognition, virus scanner."""

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr

from bot.settings.sections import Address, SettingsSection


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
    """A ClamAV daemon that looks at every file first; where it does not answer, files are set aside."""

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
