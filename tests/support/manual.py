"""The manual page, generated from the command line itself: `python -m tests.support.manual` writes it."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from bot.cli.root import app
from bot.cli.terminal import commands, key_of
from bot.presentation.i18n import ENGLISH
from tests.support.repository import ROOT

FILE = ROOT / "docs" / "fundstelle.1"
EVERYWHERE = ("data", "config", "json_output", "help")
"""Options that are explained once."""

_HEAD = r""".\" Made of the command line by `make format`; do not edit.
.TH FUNDSTELLE 1 "" "Fundstelle" "User Commands"
.SH NAME
fundstelle \- answers with the page: verbatim quotes from a library of documents
.SH SYNOPSIS
.B fundstelle
.I COMMAND
[\fIOPTION\fR]... [\fIARGUMENT\fR]...
.SH DESCRIPTION
"""
_TAIL = r""".SH ENVIRONMENT
.TP
.B FUNDSTELLE_DATA
The data folder, as \-\-data says it.
.TP
.B FUNDSTELLE_LANGUAGE
Language of what commands say: en, de or fr. Without it LC_ALL, LC_MESSAGES and LANG decide.
.TP
.BR FUNDSTELLE_ *
Every setting, with __ between levels, such as FUNDSTELLE_TELEGRAM__TOKEN; secrets also as the path of a
file, with _FILE behind the name.
.SH FILES
.TP
.I ~/.local/share/fundstelle
Data folder: database, index, kept files, and
.IR fundstelle.toml ,
the settings.
.SH EXIT STATUS
0 for done, 1 for "no" (not found, refused), 2 for a mistake in the command line, 3 for a failure.
"""


def page() -> str:
    """The page in roff, for man(1)."""
    root: Any = typer.main.get_command(app)
    found = list(commands(root))
    below = [(path, command) for path, command in found if path and not hasattr(command, "commands")]
    description = _text(ENGLISH("commands.fundstelle"))
    shared = {each.name: each for _, command in below for each in _params(command)}
    parts = [
        _HEAD + description + "\n",
        ".SH OPTIONS\n",
        *_explained("", _params(root)),
        ".SS Of every command\n",
        *_explained("", [shared[name] for name in EVERYWHERE]),
        ".SH COMMANDS\n",
    ]
    for path, command in sorted(below, key=lambda each: each[0]):
        own = [each for each in _params(command) if each.name not in EVERYWHERE]
        words = " ".join(_argument(each) for each in own if _is_argument(each))
        parts += [
            f".SS fundstelle {path} {words}".rstrip() + "\n",
            _text(ENGLISH(f"commands.{path}")) + "\n",
            *_explained(path, own),
        ]
    return "".join([*parts, _TAIL])


def _params(command: Any) -> list[Any]:
    help_option = command.get_help_option(typer.Context(command))
    return [*command.params, *([help_option] if help_option else [])]


def _explained(path: str, options: list[Any]) -> Iterator[str]:
    for option in options:
        if _is_argument(option):
            name = f".I {_argument(option)}"
        else:
            value = "" if option.is_flag else rf"\fR \fI{_text(_kind(option))}\fR"
            name = rf".B {_text(', '.join(sorted(option.opts, key=len)))}{value}"
        yield f".TP\n{name}\n{_text(ENGLISH(key_of(path, option.name, ENGLISH)))}\n"


def _is_argument(option: Any) -> bool:
    return bool(option.param_type_name == "argument")


def _kind(option: Any) -> str:
    """What kind of value an option takes: TEXT, PATH, public|staff."""
    kind = str(option.bare_type()).strip("<>").split(" ")[0]
    return kind if "|" in kind else {"str": "TEXT", "list[str]": "TEXT"}.get(kind, kind.upper())


def _argument(option: Any) -> str:
    name = str(option.metavar or option.name).upper()
    return _text(name + ("..." if option.nargs == -1 else ""))


def _text(words: str) -> str:
    """Words as roff reads them: no sign in them is a request."""
    escaped = words.replace("\\", r"\e").replace("-", r"\-").replace("\n", "\n.br\n")
    return re.sub(r"^(?=['.](?!br$))", r"\\&", escaped, flags=re.M)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
