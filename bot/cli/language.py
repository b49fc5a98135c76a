"""The command line in the language of whoever types: help and what commands say, from the locales."""

from collections.abc import Iterator
from typing import Any

import typer
from typer import rich_utils
from typer.core import TyperGroup

from bot.cli.terminal import terminal
from bot.presentation import Texts

ORIGINS = ("FUNDSTELLE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables that say the language; the first that is set decides."""


def texts() -> Texts:
    """The texts to use on this terminal: English unless the environment says a language that we speak."""
    environment = terminal().environment
    said = next((value for name in ORIGINS if (value := environment.get(name))), "")
    return Texts(said[:2].lower(), live=True)


def told(key: str, /, **values: object) -> str:
    """A text in the language of this terminal."""
    return texts()(key, **{name: str(value) for name, value in values.items()})


class LocalGroup(TyperGroup):
    """The commands, whose help is looked up when they are run."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Runs a command line."""
        explain(self, texts())
        return super().main(*args, **options)


def explain(root: Any, words: Texts) -> None:
    """Give every command and option below `root` its help."""
    rich_utils.ARGUMENTS_PANEL_TITLE = words("panels.arguments")
    rich_utils.OPTIONS_PANEL_TITLE = words("panels.options")
    rich_utils.COMMANDS_PANEL_TITLE = words("panels.commands")
    for path, command in commands(root):
        command.help = words(f"commands.{path or root.name}")
        help_option = command.get_help_option(typer.Context(command))
        for option in (*command.params, *([help_option] if help_option else [])):
            option.help = words(key_of(path, option.name, words))


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """A command and all below it, by their names from the root on."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{path} {name}".strip())


def key_of(path: str, option: str, words: Texts) -> str:
    """The key of an option's help: the command's own, or that of all commands with such an option."""
    own = f"options.{path}.{option}"
    return own if words.has(own) else f"options.{option}"
