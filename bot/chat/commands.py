"""The command grammar, the same on every platform: `/name rest of the line`."""

import re
import unicodedata
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from bot.chat.command_table import COMMANDS, SPECS, CommandSpec

_COMMAND = re.compile(r"^[/!](?P<word>[^\W_]+)(?:@\w+)?(?:\s+(?P<rest>.*))?$", re.DOTALL)
_BARE = re.compile(r"^(?P<word>[^\W_]+)(?:\s+(?P<rest>.*))?$", re.DOTALL)


@cache
def _by_word() -> Mapping[str, CommandSpec]:
    return {word: spec for spec in COMMANDS for words in spec.words.values() for word in words}


@dataclass(frozen=True, slots=True)
class Command:
    """A command as typed. `name` is canonical, or None for an unknown `word`; `rest` is what follows."""

    name: str | None
    word: str
    rest: str


def parse(text: str, *, bare: bool = False) -> Command | None:
    """The command that `text` is, or None for a question. `bare`: the bot was mentioned, so a command may
    stand without its slash (slash commands cannot be typed everywhere). A question that merely begins
    with such a word stays a question."""
    text = unicodedata.normalize("NFC", text).strip()
    match = _COMMAND.match(text)
    if match is None:
        return _bare(text) if bare else None
    word = match["word"].lower()
    spec = _by_word().get(word)
    return Command(name=spec.name if spec else None, word=word, rest=(match["rest"] or "").strip())


def _bare(text: str) -> Command | None:
    match = _BARE.match(text)
    if match is None:
        return None
    word, rest = match["word"].lower(), (match["rest"] or "").strip()
    spec = _by_word().get(word)
    if spec is None or not (_stands_bare(spec, word, rest) if rest else spec.bare.alone):
        return None
    return Command(name=spec.name, word=word, rest=rest)


def _stands_bare(spec: CommandSpec, word: str, rest: str) -> bool:
    """Whether `word` with `rest` behind it is the command without a slash."""
    bare = spec.bare
    if word in spec.slash_only or rest.endswith("?"):
        return False
    if word == spec.name and bare.leads:
        return not (bare.one_word and " " in rest)
    return bare.fits(rest)


def languages_of(command: Command) -> tuple[str, ...]:
    """The languages whose word a command is; none where running text behind it tells better: names, codes and
    labels tell nothing."""
    spec = SPECS.get(command.name or "")
    if spec is None or (command.rest and spec.running):
        return ()
    return tuple(language for language, words in spec.words.items() if command.word in words) or ("en",)


_Method = TypeVar("_Method", bound=Callable[..., Coroutine[Any, Any, Any]])


def handles(name: str) -> Callable[[_Method], _Method]:
    """Marks the method that answers the command `name`. Raises KeyError for a command without a row."""
    spec = SPECS[name]

    def marked(method: _Method) -> _Method:
        vars(method)["handles"] = spec.name
        return method

    return marked


def handlers_of(service: object) -> dict[str, Callable[..., Coroutine[Any, Any, Any]]]:
    """The methods of `service` that answer commands, by the commands' canonical names."""
    methods = [method for method in vars(type(service)).values() if callable(method)]
    return {
        vars(method)["handles"]: getattr(service, method.__name__)
        for method in methods
        if "handles" in getattr(method, "__dict__", ())
    }
