"""Localises the command line: help and output in the user's language, from the locales."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer.core import TyperCommand, TyperGroup

from bot.cli.terminal import terminal
from bot.presentation.i18n import Texts

ORIGINS = ("FUNDSTELLE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables for the language; the first one set wins."""


def texts() -> Texts:
    """The texts for this terminal: English unless the environment names a supported language."""
    environment = terminal().environment
    said = next((value for name in ORIGINS if (value := environment.get(name))), "")
    return Texts(said[:2].lower(), live=True)


def told(key: str, /, **values: object) -> str:
    """A text in the language of this terminal."""
    return texts()(key, **{name: str(value) for name, value in values.items()})


class _Explained:
    """A command whose help is looked up when it is shown. While a group shows its own, the commands below it
    are nothing but their names and help."""

    _listing = False

    @contextmanager
    def _explained(self, context: Any) -> Iterator[None]:
        words = texts()
        explain(self, context, words)
        self._listing = True
        try:
            yield
        finally:
            self._listing = False

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write it."""
        from typer import rich_utils

        words = texts()
        rich_utils.ARGUMENTS_PANEL_TITLE = words("panels.arguments")
        rich_utils.OPTIONS_PANEL_TITLE = words("panels.options")
        rich_utils.COMMANDS_PANEL_TITLE = words("panels.commands")
        with self._explained(ctx):
            super().format_help(ctx, formatter)  # type: ignore[misc]  # of the class it is mixed into

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Shell completions, with their help."""
        with self._explained(ctx):
            return super().shell_complete(ctx, incomplete)  # type: ignore[misc]


class LocalCommand(_Explained, TyperCommand):
    """A command localised to the user's language."""


class LocalGroup(_Explained, TyperGroup):
    """Commands below one name."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the same for all
        """Their names."""
        return [*self.commands]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, None where there is none."""
        if self._listing and cmd_name in self.commands:
            path = f"{_path(ctx)} {cmd_name}".strip()
            shown = TyperCommand(cmd_name)
            shown.help = texts()(f"commands.{path}")
            return shown
        return super().get_command(ctx, cmd_name)


def explain(command: Any, context: Any, words: Texts) -> None:
    """Give `command` its help, and that of its options."""
    path = _path(context)
    command.help = words(f"commands.{path or command.name}")
    for option in (*command.params, command.get_help_option(context)):
        option.help = words(key_of(path, option.name, words))


def _path(context: Any) -> str:
    """The names that lead from the root to the context's command."""
    names: list[str] = []
    while context.parent is not None:
        names.insert(0, context.info_name)
        context = context.parent
    return " ".join(names)


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """A command and all below it, by their names from the root on."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{path} {name}".strip())


def key_of(path: str, option: str, words: Texts) -> str:
    """The key of an option's help: the command's own, or that of all commands with such an option."""
    own = f"options.{path}.{option}"
    return own if words.has(own) else f"options.{option}"
