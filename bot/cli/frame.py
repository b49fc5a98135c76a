"""What all commands share: options, settings, the process that executes them, and errors as messages and
exit statuses."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, Protocol, TypeVar, get_args, get_origin

import typer

from bot.cli.calling import ALONE
from bot.cli.output import complain, escape_what_cannot_be_shown, print_json, say
from bot.cli.terminal import texts, told
from bot.library.scoping import ScopeOptions
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.models import LanguageModel

if TYPE_CHECKING:
    from bot.presentation.i18n import Texts
    from bot.presentation.presenter import Presenter
    from bot.service.checks import Check
    from bot.settings.tree import Loaded, Settings
    from bot.wiring.composition import Choice
    from core.domain.answers import Answer
    from core.library.completeness import Completeness, IndexCount


def _folder(value: str) -> Path:
    """The named folder; an empty name, as from an unset variable, would mean the current one."""
    if not value.strip():
        raise typer.BadParameter("name a folder; the current one is `.`")
    return Path(value)


DataOption = Annotated[Path | None, typer.Option("--data", metavar="<path>", parser=_folder)]
ConfigOption = Annotated[Path | None, typer.Option("--config")]
JsonOption = Annotated[bool, typer.Option("--json")]
LocalOption = Annotated[bool, typer.Option(ALONE)]
AnswererOption = Annotated[str | None, typer.Option()]
BatchOption = Annotated[Path | None, typer.Option("--batch")]
OutOption = Annotated[Path | None, typer.Option("--out")]
JurisdictionOption = Annotated[str | None, typer.Option("--jurisdiction")]
PartyOption = Annotated[list[str] | None, typer.Option("--party")]
CollectionOption = Annotated[list[str] | None, typer.Option("--collection")]
DocumentOption = Annotated[list[str] | None, typer.Option("--document")]
TypeOption = Annotated[str | None, typer.Option("--type")]
AsOfOption = Annotated[str | None, typer.Option("--as-of")]


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options that several commands share, read as one value: names with their annotations, and a function
    that makes the value from those that the command has."""

    options: Mapping[str, object]
    made: Callable[..., object]


def check_answerer(answerer: str | None) -> None:
    """Raises typer.BadParameter for an unknown answerer."""
    from core.answering.forms import EXTRACTIVE, LLM

    if answerer not in (None, EXTRACTIVE, LLM):
        raise typer.BadParameter(told("cli.no_answerer", name=answerer))


def day(text: str | None) -> date | None:
    """A date option. Raises typer.BadParameter unless it is an ISO date."""
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        raise typer.BadParameter(told("cli.no_date", text=repr(text))) from None


def scope_options(
    *,
    jurisdiction: str | None = None,
    party: list[str] | None = None,
    collection: list[str] | None = None,
    document: list[str] | None = None,
    doc_type: str | None = None,
    as_of: str | None = None,
) -> ScopeOptions:
    """A scope as the command line gave it. Raises typer.BadParameter."""
    return ScopeOptions(
        jurisdiction=jurisdiction,
        parties=tuple(party or ()),
        collections=tuple(collection or ()),
        documents=tuple(document or ()),
        doc_type=doc_type,
        as_of=day(as_of),
    )


def scoped(*names: str) -> OptionGroup:
    """The options of a scope that have these names."""
    known = {
        "jurisdiction": JurisdictionOption,
        "party": PartyOption,
        "collection": CollectionOption,
        "document": DocumentOption,
        "doc_type": TypeOption,
        "as_of": AsOfOption,
    }
    return OptionGroup({name: known[name] for name in names or known}, scope_options)


ScopeArgument = Annotated[ScopeOptions, scoped()]


DONE, NO, USAGE, FAILED = 0, 1, 2, 3

STARTING_S = 10.0
"""Seconds in which a command may load what it needs."""

_USAGE_KEYS = (
    "scope.",
    "document.",
    "page.",
    "batch.",
    "questions.",
    "manifest.",
    "references.",
    "answerer.",
    "variant.",
    "file.missing",
    "person.",
)


def finish(body: Coroutine[Any, Any, int], json_output: bool) -> NoReturn:
    """Run `body`; errors become a message and exit status 1 (no), 2 (usage) or 3 (failed). Unexpected errors
    are reported with a trace that the log contains, never just a traceback."""
    from bot.wiring import logs

    logs.install(sys.stderr)
    escape_what_cannot_be_shown()
    try:
        status = asyncio.run(_begun(body))
    except typer.BadParameter:  # which Typer reports
        raise
    except Exception as error:
        status = failed(error, json_output)
    except KeyboardInterrupt:
        complain(told("cli.stopped"))
        status = FAILED
    raise typer.Exit(status)


async def _begun(body: Coroutine[Any, Any, int]) -> int:
    """`body`, with garbage collection resumed once a long-running command has finished importing."""
    asyncio.get_running_loop().call_later(STARTING_S, _collect_again)
    return await body


def _collect_again() -> None:
    gc.freeze()
    gc.enable()


def failed(error: Exception, json_output: bool) -> int:
    """Report an error; its exit status."""
    from bot.presentation.views.problems import problem

    view = problem(error)
    if json_output:
        print_json({"error": view})
    message = in_own_words(error, texts()) or view.message
    complain(f"{view.code}: {message}" if isinstance(error, Broken) else message)
    return status_of(error)


def in_own_words(error: Exception, words: Texts) -> str:
    """An error in the terminal's language, unless that is the language of its detail, which is more
    informative."""
    from bot.presentation.presenter import error_text

    if words.language == "en" or not isinstance(error, FundstelleError):
        return ""
    return error_text(error, words)


def status_of(error: Exception) -> int:
    """The exit status: 2 for a usage error, 1 for a refusal, 3 for a failure."""
    if isinstance(error, Broken | Unavailable) or not isinstance(error, FundstelleError):
        return FAILED
    if isinstance(error, Refused) and error.key.startswith(_USAGE_KEYS):
        return USAGE
    return NO


Metered = Callable[[LanguageModel], LanguageModel]
Body = Coroutine[Any, Any, int]


class Process(Protocol):
    """The differences between executing here and in the running bot."""

    def loaded(self, data: Path | None, config: Path | None) -> Loaded:
        """The settings of a command. Raises Refused or Broken for invalid ones."""

    def opened(
        self, settings: Settings, chosen: Choice[Chosen], *, metered: Metered | None = None
    ) -> AbstractAsyncContextManager[Chosen]:
        """The services that are `chosen`, with these settings. `metered` puts a meter on the model."""

    async def require_library(self, settings: Settings) -> None:
        """Raises Refused("library.none") if there is no library with these settings."""

    def path(self, path: Path) -> Path:
        """A path named on the command line. Raises Refused if this process cannot see it."""

    async def diagnosed(self, data: Path | None, config: Path | None, texts: Texts) -> list[Check]:
        """The findings of `doctor`."""

    def finish(self, body: Body, json_output: bool) -> object:
        """Execute the command, and report how it ended."""


class ThisProcess:
    """Executes the command in this process."""

    def loaded(self, data: Path | None, config: Path | None) -> Loaded:
        """The settings from the folder, the file and the environment."""
        from bot.settings.tree import load

        return load(data=data, config=config)

    @asynccontextmanager
    async def opened(
        self, settings: Settings, chosen: Choice[Chosen], *, metered: Metered | None = None
    ) -> AsyncIterator[Chosen]:
        """Its own services, closed at the end."""
        from bot.wiring.services import opened

        async with opened(settings, metered=metered) as wired:
            yield chosen(wired)

    async def require_library(self, settings: Settings) -> None:
        """Nothing is created in a folder whose name was merely mistyped."""
        from bot.wiring.services import require_library

        await require_library(settings)

    def path(self, path: Path) -> Path:
        """The path unchanged."""
        return path

    async def diagnosed(self, data: Path | None, config: Path | None, texts: Texts) -> list[Check]:
        """Run all checks from this process."""
        from bot.service.diagnosis import diagnose
        from bot.wiring.probes import PROBES

        return await diagnose(lambda: self.loaded(data, config), PROBES, texts)

    def finish(self, body: Body, json_output: bool) -> object:
        """Ends the process."""

        finish(body, json_output)


HERE = ThisProcess()


Chosen = TypeVar("Chosen")


class Root(Protocol):
    """The root of all commands: parses a command line and runs the command."""

    def main(self, args: Sequence[str], prog_name: str, *, standalone_mode: bool, obj: object) -> Any:
        """What the command's function returned."""


@dataclass(frozen=True, slots=True)
class CommandContext:
    """A command's context besides its own arguments: the data folder, the settings file, and whether it
    prints JSON; which process executes it; all commands; and whether this one may be the first in the
    folder."""

    data: Path | None
    config: Path | None
    json: bool
    process: Process
    root: Root
    founds: bool

    def settings(self) -> Settings:
        """The settings in force. Raises Refused or Broken for invalid ones."""
        return self.process.loaded(self.data, self.config).settings

    async def library_settings(self) -> Settings:
        """The same, if there is a library. Also raises Refused("library.none")."""
        settings = self.settings()
        if not self.founds:
            await self.process.require_library(settings)
        return settings

    @asynccontextmanager
    async def services(
        self, chosen: Choice[Chosen], *, adapted: Callable[[Settings], Settings] = lambda settings: settings
    ) -> AsyncIterator[Chosen]:
        """The services that are `chosen`; gaps in the index are reported after the command's work. `adapted`
        are the command's own settings."""
        both: Choice[tuple[Chosen, Completeness]] = lambda wired: (chosen(wired), wired.completeness)  # noqa: E731
        async with self.process.opened(adapted(await self.library_settings()), both) as (
            picked,
            completeness,
        ):
            yield picked
            complain_of_gaps(completeness.seen)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the terminal: its name, and the function that Typer reads and calls. One that runs `alone`
    is never executed by the running bot for others."""

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
    """Print the help lines for somebody in distress, in place of a command's result, whose own fields are in
    `empty`; returns the exit status."""
    from bot.presentation.views.answers import answer_view

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
