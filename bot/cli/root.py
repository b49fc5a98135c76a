"""All commands under one name. A command's module is imported only when the command is used."""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from bot.cli.terminal import LocalCommand, LocalGroup

if TYPE_CHECKING:
    from bot.cli.frame import Command

COMMANDS = {
    "library": "ingest documents show remove page",
    "lifecycle": "jobs restore publish collect diff reindex corrections",
    "questions": "search ask verify check",
    "reports": "compare motion references",
    "records": "why feedback audit letters evaluate",
    "backups": "move migrate",
    "setup": "init",
    "operations": "demo chat serve doctor settings capacity mcp",
}
"""Modules, and the names of their `COMMANDS`."""

GROUPS = {
    "registry": ("lifecycle", "REGISTRY_COMMANDS"),
    "summary": ("reports", "SUMMARY_COMMANDS"),
    "backup": ("backups", "BACKUP_COMMANDS"),
    "person": ("people", "COMMANDS"),
    "token": ("people", "TOKEN_COMMANDS"),
}
"""Commands with subcommands, and their modules."""


class Commands(Mapping[str, Any]):
    """The commands by name, each made when it is asked for."""

    def __init__(self) -> None:
        self._homes = {name: module for module, names in COMMANDS.items() for name in names.split()}
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._group(name) if name in GROUPS else self._command(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._homes or name in GROUPS

    def __iter__(self) -> Iterator[str]:
        return iter((*self._homes, *GROUPS))

    def __len__(self) -> int:
        return len(self._homes) + len(GROUPS)

    def _command(self, name: str) -> Any:
        return _made(import_module(f"bot.cli.{self._homes[name]}").COMMANDS).commands[name]

    def _group(self, name: str) -> Any:
        module, place = GROUPS[name]
        return _made(getattr(import_module(f"bot.cli.{module}"), place), name)


def _made(commands: "Iterable[Command]", name: str | None = None) -> Any:
    group = typer.Typer(name=name, cls=LocalGroup, no_args_is_help=True)
    for each in commands:
        group.command(each.name, cls=LocalCommand)(each.run)
    return typer.main.get_group(group)


class Root(LocalGroup):
    """The command line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = cast(MutableMapping[str, Any], Commands())  # nobody may modify them


app = typer.Typer(name="fundstelle", cls=Root, no_args_is_help=True, pretty_exceptions_enable=False)


def _version(shown: bool) -> None:
    if shown:
        from importlib.metadata import version

        typer.echo(f"fundstelle {version('fundstelle')}")
        raise typer.Exit


@app.callback()
def everywhere(
    show_version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_version)] = False,
) -> None:
    """Answers with the page: verbatim quotes from a library of documents, highlighted on their pages."""
