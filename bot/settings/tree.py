"""The settings: one frozen tree, loaded once, unknown keys refused, secrets hidden.

Sources, the later winning: defaults, `fundstelle.toml` (in the data folder, or `--config`), files of
secrets (`token_file` there, `FUNDSTELLE_…_FILE`), environment (prefix `FUNDSTELLE_`, `__` between levels),
the command line's `--data`.

Secrets in files: `token_file = "secrets/telegram-token"` in the settings, relative to their folder, or, for
containers and service managers, `FUNDSTELLE_TELEGRAM__TOKEN_FILE=/run/secrets/t`. Only secret settings can
be given this way; the file contains the value, optionally followed by one line break.
"""

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from pydantic import BaseModel, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.settings.platforms import (
    OUR_PLATFORMS,
    HttpSettings,
    LimitSettings,
    ListedChats,
    MatrixSettings,
    RoleSettings,
    SlackSettings,
    SpokenLanguage,
    TelegramSettings,
)
from bot.settings.sections import (
    Address,
    BackupSettings,
    ClamAvSettings,
    EncoderSettings,
    FilesSettings,
    HelpSettings,
    LibrarySettings,
    LlmSettings,
    LogSettings,
    OcrSettings,
    PdfSettings,
    PluginSettings,
    QdrantSettings,
    RerankerSettings,
    RetentionSettings,
    SettingsSection,
    TimeZone,
    zone_of,
)
from core.errors import Broken

if TYPE_CHECKING:
    from core.answering.personal_data import Privacy

SUFFIX = "_FILE"
LARGEST = 64_000
"""Maximum bytes of a secret: keys are short, and a wrong path may lead to anything."""


def secret_names(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The environment variable of each secret below `model`, with the setting's path."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            inner = secret_names(field.annotation, f"{prefix}{name.upper()}__")
            yield from ((variable, (name, *path)) for variable, path in inner)
        elif field.annotation is SecretStr:
            yield f"{prefix}{name.upper()}", (name,)


def read_secret_files(
    environment: Mapping[str, str], model: type[BaseModel], prefix: str
) -> dict[tuple[str, ...], str]:
    """Secrets by the paths of their settings. Raises Broken for a file that cannot be read, and if the same
    secret is given twice."""
    found = {}
    for variable, path in secret_names(model, prefix):
        file = environment.get(variable + SUFFIX)
        if not file:
            continue
        if environment.get(variable):
            raise Broken("settings.invalid", f"{variable} and {variable}{SUFFIX} are both set; keep one")
        found[path] = _content(variable + SUFFIX, Path(file))
    return found


def named_secret_files(
    tree: dict[str, Any], model: type[BaseModel], file: Path
) -> dict[tuple[str, ...], str]:
    """Secrets by the paths of their settings, from files that the settings in `file` name; the names are
    taken out of `tree`. Raises Broken as above."""
    found = {}
    for _, path in secret_names(model, ""):
        table = _table_at(tree, path[:-1])
        name = table.pop(path[-1] + SUFFIX.lower(), None)
        if name is None:
            continue
        setting = ".".join(path)
        if path[-1] in table:
            raise Broken(
                "settings.invalid", f"{file.name}: {setting} and {setting}_file are both set; keep one"
            )
        found[path] = _content(f"{file.name}: {setting}_file", file.parent / str(name))
    return found


def _table_at(tree: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """A table of the tree; an empty one if it is missing or not a table."""
    for name in path:
        inner = tree.get(name)
        tree = inner if isinstance(inner, dict) else {}
    return tree


def enter(tree: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    """Put `value` into a tree of tables."""
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    tree[path[-1]] = value


def _content(variable: str, file: Path) -> str:
    try:
        with file.open("rb") as source:
            content = source.read(LARGEST + 1)
        text = content.decode("utf-8-sig").removesuffix("\n").removesuffix("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise Broken("settings.invalid", f"{variable}: {file} cannot be read: {reason}") from None
    if len(content) > LARGEST or "\n" in text or not text:
        raise Broken("settings.invalid", f"{variable}: {file} does not hold one line with the secret")
    return text


# The effective settings that may be written down: from any source, without the secrets.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSettings:
    """A tree in the form of `fundstelle.toml`, and the dotted names of the secrets left out."""

    tree: dict[str, Any]
    secrets: tuple[str, ...]


def without_secrets(settings: BaseModel) -> PlainSettings:
    """The settings that differ from the defaults, except the data folder."""
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
    """The plain value; None if it is a secret or unset."""
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


# Settings for answers: how they are made and shown, and which personal data they may pass on.


class AnswerSettings(SettingsSection):
    """How answers are made and shown."""

    citations: int = Field(default=3, ge=1, le=10, description="quotes in an answer")
    threshold: float = Field(
        default=-1.0, ge=-1.0, le=1.0, description="confidence under which nothing is said; -1: calibrated"
    )
    reader: Literal["packaged", "off"] = Field(
        default="packaged",
        description="who reads the nearest sentences with the question: `packaged`; `off`: nobody",
    )
    max_question: int = Field(default=2000, ge=20, description="characters of a question at most")
    claims: Literal["judged", "quotes"] = Field(
        default="judged",
        description="what a model may say: `judged`, its own words beside the quotes, as far as a second call"
        " finds them stated there; `quotes`: it chooses and orders quotes, nothing else of it is shown",
    )
    rewriting_s: float = Field(
        default=8.0, ge=0, description="seconds that a model has to find other wordings; 0: it is not asked"
    )
    retries: int = Field(
        default=2, ge=0, le=5, description="how often a model is asked again where too little is proven"
    )
    deadline_s: float = Field(
        default=60.0, gt=0, description="seconds for a model's answer with all retries; then quotes only"
    )
    disclaimer_en: str = Field(default="", description="ends every English answer; empty: the default text")
    disclaimer_de: str = Field(default="", description="ends every German answer; empty: the default text")


class SummariesSettings(SettingsSection):
    """Summaries of topics."""

    quotes: int = Field(default=12, ge=2, le=30, description="quotes in a summary, shared fairly")


class SynonymSettings(SettingsSection):
    """Synonyms, used by citizens and by documents."""

    terms: tuple[str, ...] = Field(min_length=2)
    jurisdiction: str | None = None


class PrivacySettings(SettingsSection):
    """Personal data in questions (mail addresses, telephone and account numbers and the like)."""

    personal_data_to_models: bool = Field(
        default=False, description="send personal data in questions on to language models"
    )
    personal_data_in_records: bool = Field(
        default=False, description="keep personal data in the records of questions and answers"
    )

    @property
    def allowed(self) -> "Privacy":
        """The settings in the core's form."""
        from core.answering.personal_data import Privacy

        return Privacy(to_models=self.personal_data_to_models, in_records=self.personal_data_in_records)


PREFIX = "FUNDSTELLE_"
FILE = "fundstelle.toml"
DEFAULT_DATA = Path("~/.local/share/fundstelle")
_ENVIRONMENT = "(environment)"
"""The name, not that of a setting, under which `load` passes on the environment."""


class Settings(BaseSettings):
    """The whole tree."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
    )

    data: Path = Field(default=DEFAULT_DATA, description="folder of database, index, models and originals")
    database_url: SecretStr = Field(
        default=SecretStr(""), description="postgresql+asyncpg://…; empty: SQLite in the data folder"
    )
    language: SpokenLanguage = Field(
        default="", description="language of our own words; empty: the question's"
    )
    time_zone: TimeZone = Field(
        default="", description='whose days count, e.g. "Europe/Berlin"; empty: the machine\'s'
    )
    source_url: Address = Field(
        default="", description="where the source code of this installation is offered"
    )
    qdrant: QdrantSettings = QdrantSettings()
    files: FilesSettings = FilesSettings()
    encoders: EncoderSettings = EncoderSettings()
    pdf: PdfSettings = PdfSettings()
    ocr: OcrSettings = OcrSettings()
    clamav: ClamAvSettings = ClamAvSettings()
    backup: BackupSettings = BackupSettings()
    answer: AnswerSettings = AnswerSettings()
    summary: SummariesSettings = SummariesSettings()
    privacy: PrivacySettings = PrivacySettings()
    library: LibrarySettings = LibrarySettings()
    synonyms: tuple[SynonymSettings, ...] = Field(
        default=(), description="words for the same thing, searched in each other's place; a table each"
    )
    llm: LlmSettings = LlmSettings()
    rerank: RerankerSettings = RerankerSettings()
    open: bool = Field(default=False, description="a chat that is not listed counts as public")
    telegram: TelegramSettings = TelegramSettings()
    slack: SlackSettings = SlackSettings()
    matrix: MatrixSettings = MatrixSettings()
    http: HttpSettings = HttpSettings()
    log: LogSettings = LogSettings()
    limits: LimitSettings = LimitSettings()
    help: HelpSettings = HelpSettings()
    retention: RetentionSettings = RetentionSettings()
    plugins: PluginSettings = PluginSettings()
    chat: ListedChats = ()
    role: tuple[RoleSettings, ...] = ()

    @model_validator(mode="after")
    def _platforms_are_there(self) -> Self:
        known = (*OUR_PLATFORMS, *self.plugins.platforms)
        named = [(f"chat.{number}", row.platform) for number, row in enumerate(self.chat)]
        named += [(f"role.{number}", row.platform) for number, row in enumerate(self.role)]
        for where, name in named:
            if name not in known:
                raise ValueError(f"{where}.platform: {name} is none; there are {', '.join(known)}")
        return self

    @property
    def zone(self) -> tzinfo:
        """The time zone in which days are counted."""
        return zone_of(self.time_zone)

    def with_own_stores(self) -> Self:
        """The same with everything kept in the data folder, whatever stores and keys were configured."""
        return self.model_copy(
            update={
                "database_url": SecretStr(""),
                "qdrant": QdrantSettings(),
                "files": FilesSettings(),
                "retention": self.retention.model_copy(update={"key_file": ""}),
            }
        )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the signature is pydantic's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment takes precedence over what `load` passes in from the file and from files of
        secrets."""
        if isinstance(env_settings, EnvSettingsSource) and isinstance(init_settings, InitSettingsSource):
            secrets = {(name + SUFFIX).lower() for name, _ in secret_names(cls, PREFIX)}
            variables = init_settings.init_kwargs.pop(_ENVIRONMENT, os.environ)
            lowered = {name.lower(): value for name, value in variables.items()}
            env_settings.env_vars = {
                name: value for name, value in lowered.items() if value and name not in secrets
            }
        return (env_settings, init_settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The settings, and the origin of each one that is not a default (dotted name -> origin)."""

    settings: Settings
    origins: dict[str, str]
    file: Path

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """(name, value, origin, description) of every setting, secrets hidden."""
        return list(_rows(self.settings, self.origins, ""))


def load(
    *,
    data: Path | None = None,
    config: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    new: bool = False,
) -> Loaded:
    """Read the settings; a `new` file need not exist yet. Raises Broken("settings.invalid") with a line per
    mistake, Broken("settings.data") for a folder in the home of an unknown user."""
    folder = data or Path(environment.get(f"{PREFIX}DATA") or DEFAULT_DATA)
    try:
        folder = folder.expanduser()
    except RuntimeError as error:
        raise Broken("settings.data", f"{folder} is in the home of a user that is not known here") from error
    file = config or folder / FILE
    if config is not None and not config.is_file() and not new:
        raise Broken("settings.missing", f"no settings file at {config}")
    tree = _read_toml(file) if file.exists() else {}
    secrets = named_secret_files(tree, Settings, file) | read_secret_files(environment, Settings, PREFIX)
    stated = dict.fromkeys(_from_environment(environment), "environment")
    origins = dict.fromkeys(flatten(tree), file.name) | stated
    tree["data"] = str(folder)
    _refuse_unknown_environment(environment)
    for path, secret in secrets.items():
        enter(tree, path, secret)
        if origins.get(".".join(path)) != "environment":
            origins[".".join(path)] = "secret file"
    try:
        settings = Settings(**tree | {_ENVIRONMENT: environment})
    except ValidationError as error:
        raise Broken("settings.invalid", _explain(error, file)) from None
    settings = settings.model_copy(update={"data": folder})
    origins["data"] = "--data" if data else origins.get("data", "default")
    return Loaded(settings=settings, origins=origins, file=file)


def flatten(tree: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Dotted names of the leaves of a settings tree."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def _rows(section: BaseModel, origins: dict[str, str], prefix: str) -> Iterator[tuple[str, str, str, str]]:
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        dotted = f"{prefix}{name}"
        if isinstance(value, BaseModel):
            yield from _rows(value, origins, f"{dotted}.")
        else:
            text = str(value) if isinstance(value, SecretStr | Path) else repr(value)
            yield dotted, text, origins.get(dotted, "default"), field.description or ""


def _read_toml(file: Path) -> dict[str, Any]:
    """The tree of a file, with or without a byte order mark."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        detail = f"{file} is no UTF-8 (byte {error.start + 1}); save it in that encoding"
        raise Broken("settings.unreadable", detail) from error
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise Broken("settings.unreadable", f"{file}: {error}") from error


def _from_environment(environment: Mapping[str, str]) -> list[str]:
    """Dotted names of the settings in the environment; names for tests are not settings, and empty values do
    not count: containers pass on every variable they declare."""
    files = {name + SUFFIX for name, _ in secret_names(Settings, PREFIX)}
    stated = {name for name, value in environment.items() if value} - files
    names = [name.removeprefix(PREFIX) for name in stated if name.startswith(PREFIX)]
    return [name.lower().replace("__", ".") for name in names if not name.startswith("TEST_")]


def _refuse_unknown_environment(environment: Mapping[str, str]) -> None:
    known = {name.split(".")[0] for name in _known_names()}
    for name in _from_environment(environment):
        if name.split(".")[0] not in known:
            near = difflib.get_close_matches(name, _known_names(), n=1)
            hint = f"; did you mean {PREFIX}{near[0].upper().replace('.', '__')}?" if near else ""
            shown_name = PREFIX + name.upper().replace(".", "__")
            raise Broken("settings.invalid", f"unknown environment variable {shown_name}{hint}")


def _known_names() -> list[str]:
    return [name for name, *_ in _rows(Settings.model_construct(), {}, "")]


def _explain(error: ValidationError, file: Path) -> str:
    lines = []
    for item in error.errors():
        name = ".".join(str(part) for part in item["loc"])
        if item["type"] == "extra_forbidden":
            near = nearest(Settings, item["loc"], _known_names())
            lines.append(f"unknown setting {name}" + (f"; did you mean {near}?" if near else ""))
        else:
            told = item["msg"].removeprefix("Value error, ")
            lines.append(f"{name}: {told}" if name else told)
    return f"{file.name} or the environment: " + "; ".join(lines)


# Suggestions for unknown settings.


def nearest(settings: type[BaseModel], place: Sequence[str | int], known: Sequence[str]) -> str:
    """The setting in the same table with the name most similar to the last of `place` (in a row of a list, by
    its name alone); else one with that name, or most similar to the whole, among all `known` ones; empty for
    none."""
    *tables, wrong = place
    model: type[BaseModel] | None = settings
    for part in tables:
        model = model if isinstance(part, int) or model is None else _table(model, part)
    near = difflib.get_close_matches(str(wrong), model.model_fields if model else (), n=1)
    if near:
        in_row = any(isinstance(part, int) for part in tables)
        return near[0] if in_row else ".".join([*map(str, tables), near[0]])
    elsewhere = [name for name in known if name.rpartition(".")[2] == wrong]
    found = elsewhere or difflib.get_close_matches(".".join(map(str, place)), known, n=1)
    return found[0] if found else ""


def _table(model: type[BaseModel], name: str) -> type[BaseModel] | None:
    """The contents of a table or of its rows; None if `name` is not a table."""
    field = model.model_fields.get(name)
    held = (field.annotation, *get_args(field.annotation)) if field else ()
    return next((each for each in held if isinstance(each, type) and issubclass(each, BaseModel)), None)
