"""The command evaluate: question sets, with one way to answer or several side by side."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from bot.answers.evaluation.page import report_page
from bot.answers.evaluation.report import Measured, comparison, side_by_side, whole
from bot.answers.evaluation.rounds import Meter, Variant, observe, passages_of_parties, symmetry, variant
from bot.cli.frame import DONE, NO, CommandContext, command
from bot.cli.library import write
from bot.cli.output import print_json, progress, say, table
from bot.cli.terminal import told
from bot.presentation.views.encoding import Json, encoded
from bot.presentation.views.problems import Failures
from core.errors import Refused
from core.evaluation.questions import SetQuestion, read_questions
from core.library.formats import Report

_PAGES = (".html", ".htm")


@command("evaluate")
async def evaluate(
    context: CommandContext,
    *,
    questions: Annotated[list[Path], typer.Argument()],
    variants: Annotated[list[str] | None, typer.Option("--variant")] = None,
    swap: Annotated[bool, typer.Option("--symmetry")] = False,
    report_file: Annotated[Path | None, typer.Option("--report")] = None,
) -> int:
    """Measure search and answers on question sets; several variants are shown side by side."""

    items = [item for file in questions for item in read_questions(read_text(file))]
    settings = await context.library_settings()
    chosen = [variant(text, settings) for text in variants or ()]
    plain = Variant(name="default", answerer=None, settings=settings, changes={})
    with progress(not context.json) as bars:
        measured = [await _measure(context, each, items, swap, bars) for each in chosen or [plain]]
    result = comparison(measured) if chosen else whole(measured[0])
    title = ", ".join(file.name for file in questions)
    named = [(each["name"], each) for each in result["variants"]] if chosen else [("rate", result)]
    if report_file is not None:
        html = report_file.suffix in _PAGES
        text = report_page(named, title) if html else encoded(result, indent=1, ensure_ascii=False)
        write(report_file, text.encode())
    if context.json:
        print_json(result)
    else:
        _show(title, named)
    return NO if any(each.errors for each in measured) else DONE


async def _measure(
    context: CommandContext, chosen: Variant, items: list[SetQuestion], swap: bool, bars: Report | None
) -> Measured:
    """One variant with its own services: only one process at a time may have the embedded index."""
    meter, tick, failures = Meter(), _ticking(bars, chosen.name, "ask"), Failures()
    async with context.process.opened(
        chosen.settings,
        lambda wired: (wired.questions, wired.attacher, wired.comparisons, wired.following),
        metered=meter.over,
    ) as (questions, attacher, comparisons, following):
        if following is not None and "encoders.primary" in chosen.changes:
            detail = (
                f"the index is not of {chosen.changes['encoders.primary']}: set it, and `fundstelle reindex`"
            )
            raise Refused("variant.invalid", detail)
        observed = await observe(
            questions, attacher, items, tick, answerer=chosen.answerer, meter=meter, failures=failures
        )
        rounds, passages = None, {}
        if swap:
            passages = await passages_of_parties(questions)
            rounds = await symmetry(
                questions,
                comparisons,
                items,
                _ticking(bars, chosen.name, "swap"),
                citations=chosen.settings.answer.citations,
                answerer=chosen.answerer,
                failures=failures,
            )
    return Measured(
        name=chosen.name,
        answerer=chosen.answerer,
        changes=chosen.changes,
        observed=observed,
        rounds=rounds,
        errors=failures.rows,
        passages=passages,
    )


def _ticking(bars: Report | None, name: str, stage: str) -> Callable[[int, int], None]:
    if bars is None:
        return lambda _done, _total: None
    return lambda done, total: bars(name, stage, done, total)


def _show(title: str, named: list[tuple[str, Json]]) -> None:
    results = [result for _, result in named]
    columns = [told("cli.measure"), *(name for name, _ in named)]
    table(told("cli.measured", title=title, count=results[0]["questions"]), columns, side_by_side(results))
    for name, result in named:
        for row in result["errors"]:
            say(told("cli.not_asked", name=name, id=row["id"], why=row["error"]["message"]))
        for case in result.get("symmetry", {}).get("departures", ()):
            say(told("cli.departs", name=name, **case))
        unnamed = result.get("symmetry", {}).get("unnamed", {"questions": 0, "parties": ()})
        for row in unnamed["parties"]:
            say(
                told(
                    "cli.chosen_unnamed",
                    **row,
                    name=name,
                    of=unnamed["questions"],
                    percent=f"{row['share']:.0%}",
                )
            )


def read_text(file: Path) -> str:
    """Text of a file. Raises Refused if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("file.missing", f"cannot read {file}: {error}") from error


COMMANDS = (evaluate,)
