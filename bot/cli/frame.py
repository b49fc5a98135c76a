"""Common to all commands: shared options, settings, library and services."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar, get_args, get_origin

import typer

from bot.cli.language import texts, told
from bot.cli.options import ConfigOption, DataOption, JsonOption, LocalOption, OptionGroup
from bot.cli.output import complain, print_json, say
from bot.cli.process import HERE, Process

if TYPE_CHECKING:
    from bot.presentation.presenter import Presenter
    from bot.settings.tree import Settings
    from bot.wiring.composition import Choice
    from core.domain.answers import Answer
    from core.library.completeness import Completeness, IndexCount

Chosen = TypeVar("Chosen")


class Root(Protocol):
    """The root of all commands: parses a command line and runs the command."""

    def main(self, args: Sequence[str], prog_name: str, *, standalone_mode: bool, obj: object) -> Any:
        """What the command's function returned."""


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What a command was told beside its own arguments: the data folder, the settings file, and whether it
    prints JSON; which process does it; all commands; and whether this one may be the first in the folder."""

    data: Path | None
    config: Path | None
    json: bool
    process: Process
    root: Root
    founds: bool

    def settings(self) -> Settings:
        """The settings in force. Raises Refused or Broken for those that cannot be."""
        return self.process.loaded(self.data, self.config).settings

    async def library_settings(self) -> Settings:
        """The same, where there is a library. Raises Refused("library.none") besides."""
        settings = self.settings()
        if not self.founds:
            await self.process.require_library(settings)
        return settings

    @asynccontextmanager
    async def services(
        self, chosen: Choice[Chosen], *, adapted: Callable[[Settings], Settings] = lambda settings: settings
    ) -> AsyncIterator[Chosen]:
        """The services that are `chosen`; what the index lacks is told after the command's work. `adapted`
        settings are those of the command."""
        both: Choice[tuple[Chosen, Completeness]] = lambda wired: (chosen(wired), wired.completeness)  # noqa: E731
        async with self.process.opened(adapted(await self.library_settings()), both) as (
            picked,
            completeness,
        ):
            yield picked
            complain_of_gaps(completeness.seen)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the terminal: its name, and the function that Typer reads and calls. One that is done
    `alone` is never done by the running bot for others."""

    name: str
    run: Callable[..., object]
    alone: bool


Work = Callable[..., Coroutine[Any, Any, int]]


def command(
    name: str, *, prints_json: bool = True, alone: bool = False, founds: bool = False
) -> Callable[[Work], Command]:
    """The command `name` of a coroutine function: its first parameter is the context, the others are the
    command's own, an `OptionGroup` for several. What it returns is the exit status. One that `founds` may be
    the first in a data folder; the others need a library there."""

    def framed(work: Work) -> Command:
        own = list(signature(work, eval_str=True).parameters.values())[1:]
        groups = {each.name: group for each in own if (group := _group(each.annotation))}

        def run(
            *,
            asked: typer.Context,
            data: Path | None = None,
            config: Path | None = None,
            json_output: bool = False,
            local: bool = False,  # noqa: ARG001 - heard before anything is imported
            **given: Any,
        ) -> object:
            process: Process = HERE if asked.obj is None else asked.obj
            if alone and process is not HERE:
                return None
            context = CommandContext(data, config, json_output, process, asked.find_root().command, founds)
            given = {name: _seen(value, process) for name, value in given.items()}
            for each, group in groups.items():
                given[each] = group.made(**{option: given.pop(option) for option in group.options})
            return process.finish(work(context, **given), json_output)

        shown = [option for each in own for option in _options(each)] + _everywhere(prints_json)
        run.__signature__ = Signature(shown)  # type: ignore[attr-defined]  # Typer reads both
        run.__annotations__ = {each.name: each.annotation for each in shown}
        run.__doc__ = work.__doc__
        return Command(name, run, alone)

    return framed


def complain_of_gaps(lacking: Sequence[IndexCount]) -> None:
    """Report what the index lacks, if anything."""
    if lacking:
        from bot.library.upkeep import in_words

        complain(told("cli.gaps", said=in_words(lacking, texts())))


def print_help_lines(
    context: CommandContext, helped: Answer, presenter: Presenter, empty: Mapping[str, object]
) -> int:
    """Whom somebody in distress can turn to, in place of a command's result, whose own fields `empty` holds;
    the exit status."""
    from bot.cli.running import DONE
    from bot.presentation.wording.views import answer_view

    if context.json:
        print_json({**empty, **answer_view(helped, {}, presenter).json_object})
    else:
        say(presenter.answer_text(helped))
    return DONE


def _group(annotation: object) -> OptionGroup | None:
    metadata = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((each for each in metadata if isinstance(each, OptionGroup)), None)


def _seen(value: object, process: Process) -> object:
    """An option's paths as that process sees them."""
    if isinstance(value, list):
        return [_seen(each, process) for each in value]
    return process.path(value) if isinstance(value, Path) else value


def _options(parameter: Parameter) -> list[Parameter]:
    group = _group(parameter.annotation)
    return [_option(*each) for each in group.options.items()] if group else [parameter]


def _option(name: str, annotation: object, default: object = None) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _everywhere(prints_json: bool) -> list[Parameter]:
    context = Parameter("asked", Parameter.KEYWORD_ONLY, annotation=typer.Context)
    found = [context, _option("data", DataOption), _option("config", ConfigOption)]
    found.append(_option("local", LocalOption, False))
    return [*found, _option("json_output", JsonOption, False)] if prints_json else found
