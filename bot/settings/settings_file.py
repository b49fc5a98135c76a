"""The settings file as written by `init`: tables are appended, existing content is left unchanged."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, SecretStr, ValidationError

from bot.files import write_file
from bot.settings.platforms import MatrixSettings, SlackSettings, TelegramSettings
from bot.settings.tree import SUFFIX, Loaded, Settings
from core.errors import Broken, Refused

SecretPlace = Literal["settings", "files", "elsewhere"]
"""Where `init` puts secrets: into the settings file, into files beside it, or nowhere (the environment)."""

SECTIONS: Mapping[str, type[BaseModel]] = {
    "telegram": TelegramSettings,
    "slack": SlackSettings,
    "matrix": MatrixSettings,
}
"""The table of each platform that has one."""

FOLDER = "secrets"
ONCE = {("matrix", "password")}
"""Used only for the first login and not stored, unlike the resulting token."""

_HEADER = "# Settings of Fundstelle; `fundstelle settings` lists all there are.\n"
Values = Mapping[str, str | Sequence[str]]


class SettingsFile:
    """The file of `loaded` settings, which may not exist yet."""

    def __init__(self, loaded: Loaded) -> None:
        self.path = loaded.file
        self._settings = loaded.settings

    def refuse_twice(self, platform: str) -> None:
        """Raises Refused("settings.exists") if the file already has the platform."""
        if platform in self._tree():
            raise Refused(
                "settings.exists",
                f"{self.path} has [{platform}] already, and nothing is overwritten: change it there, or take "
                f"it out and run this again",
            )

    def with_platform(self, platform: str, values: Values) -> Settings:
        """The resulting settings. Raises Broken("settings.invalid")."""
        try:
            known = SECTIONS[platform](**self.stated(platform) | dict(values))
        except ValidationError as error:
            raise Broken(
                "settings.invalid", "; ".join(_error_line(each) for each in error.errors())
            ) from None
        return self._settings.model_copy(update={platform: known})

    def stated(self, platform: str) -> dict[str, Any]:
        """The existing settings of a platform, mostly from the environment."""
        section, fields = getattr(self._settings, platform), SECTIONS[platform].model_fields
        return {name: value for name, value in section if value != fields[name].default}

    def add_platform(self, platform: str, values: Values, place: SecretPlace) -> list[Path]:
        """Write the table of a platform, and its secrets to their `place`; returns the files created. Raises
        Refused("settings.exists") and what `write_file` raises."""
        lines, made = {}, []
        for name, value in values.items():
            if (platform, name) in ONCE:
                continue
            if not is_secret(platform, name) or place == "settings":
                lines[name] = value
            elif place == "files":
                made.append(self._secret(f"{platform}-{name}", str(value)))
                lines[name + SUFFIX.lower()] = f"{FOLDER}/{made[-1].name}"
        self._append(f"[{platform}]", lines)
        return [self.path, *made]

    def add_chat(self, platform: str, chat: str, *, staff: bool) -> bool:
        """Write the table of a chat; returns whether it is new."""
        if chat in self.chats(platform):
            return False
        inner: Values = {"collections": ("public", "internal"), "upload_to": "internal"} if staff else {}
        audience = "staff" if staff else "public"
        self._append("[[chat]]", {"platform": platform, "id": chat, "audience": audience, **inner})
        return True

    def chats(self, platform: str) -> list[str]:
        """The chats of a platform that are listed."""
        return [row["id"] for row in self._tree().get("chat", ()) if row.get("platform") == platform]

    def _secret(self, name: str, value: str) -> Path:
        file = self.path.parent / FOLDER / name
        if file.exists():
            raise Refused(
                "settings.exists", f"{file} is there already, and nothing is overwritten: remove it"
            )
        write_file(file, f"{value}\n".encode())
        return file

    def _append(self, head: str, lines: Values) -> None:
        before = self._text() or _HEADER
        text = before + ("" if before.endswith("\n") else "\n") + f"\n{table(head, lines)}"
        tomllib.loads(text)
        write_file(self.path, text.encode())

    def _tree(self) -> dict[str, Any]:
        return tomllib.loads(self._text())

    def _text(self) -> str:
        return self.path.read_text(encoding="utf-8-sig") if self.path.is_file() else ""


def is_secret(platform: str, name: str) -> bool:
    """Whether a setting of a platform's table is secret."""
    return SECTIONS[platform].model_fields[name].annotation is SecretStr


def table(head: str, lines: Values) -> str:
    """A table in TOML: texts and lists of texts are written as in JSON, where DEL is written as it is."""
    written = {
        name: json.dumps(value if isinstance(value, str) else list(value), ensure_ascii=False)
        for name, value in lines.items()
    }
    return f"{head}\n" + "".join(
        f"{name} = {value}\n".replace("\x7f", "\\u007f") for name, value in written.items()
    )


def _error_line(error: Any) -> str:
    return ": ".join([*map(str, error["loc"]), error["msg"]])
