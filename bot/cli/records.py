"""The commands about records, `why`, `feedback`, `audit` and `letters`; and `evaluate`:
question sets, with one way to answer or several side by side."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from bot.answers.evaluation.page import report_page
from bot.answers.evaluation.report import Measured, comparison, side_by_side, whole
from bot.answers.evaluation.rounds import Meter, Variant, observe, passages_of_parties, symmetry, variant
from bot.answers.records.recorder import candidates, explain, judged
from bot.answers.records.why import record_text
from bot.cli.frame import DONE, NO, CommandContext, command
from bot.cli.library import write
from bot.cli.output import print_json, progress, say, table
from bot.cli.terminal import told
from bot.library.audit import entry_view, known_people, titled
from bot.presentation.i18n import Texts
from bot.presentation.views.encoding import Json, encoded
from bot.presentation.views.problems import Failures
from bot.presentation.views.records import DeadLetterView, JudgedView, RecordView
from bot.wiring.services import records
from core.domain.journal import DeadLetter, Mailbox
from core.errors import Broken, Refused
from core.evaluation import SetQuestion, read_questions
from core.library.formats import Report
from core.ports.clock import Clock
from core.ports.journal import Journal


@command("why")
async def why(context: CommandContext, *, trace: Annotated[str, typer.Argument()]) -> int:
    """Show how an answer came about: question, search, passages, model, what was rejected, citations."""

    settings = await context.library_settings()
    async with records(settings) as kept:
        found = await explain(trace, kept.journal, kept.library)
    if context.json:
        print_json(RecordView.showing(found.record, statuses=found.statuses))
    else:
        texts = Texts(settings.language or found.record.language, zone=settings.zone)
        say("\n\n".join(record_text(found.record, texts, found.statuses)))
    return DONE


@command("feedback")
async def feedback(
    context: CommandContext, *, export: Annotated[Path | None, typer.Option("--export")] = None
) -> int:
    """List what people thought of answers, and export their questions for an evaluation."""
    async with records(await context.library_settings()) as kept:
        found = await judged(kept.journal)
        rows = await candidates(found, kept.library)
    if export is not None:
        lines = "".join(encoded(row, ensure_ascii=False) + "\n" for row in rows)
        write_text(export, lines)
    views = [JudgedView.showing(item) for item in found]
    if context.json:
        print_json({"feedback": views, "exported": len(rows)})
        return DONE
    for row in views:
        question = told("cli.text_gone") if row.question is None else row.question
        say(f"{row.at[:16]}  {row.verdict:<10}  {row.trace}  {question}")
    if export is not None:
        say(told("cli.exported", count=len(rows), file=export))
    return DONE


@command("audit")
async def audit(
    context: CommandContext,
    *,
    days: Annotated[int, typer.Option(min=1, max=36_500)] = 30,
    limit: Annotated[int, typer.Option(min=1, max=100_000)] = 100,
) -> int:
    """Show who published, removed, restored, ingested, approved, retracted or changed something, newest
    first."""

    settings = await context.library_settings()
    async with records(settings) as kept:
        since = kept.clock.now() - timedelta(days=days)
        found = await kept.journal.audit_entries(since=since, limit=limit)
        people = known_people(settings, kept.journal.pseudonyms)
        titles = await titled(found, kept.library)
        rows = [entry_view(entry, people, titles) for entry in found]
    if context.json:
        print_json({"entries": rows})
        return DONE
    for row in rows:
        values = "  ".join(f"{name}={value}" for name, value in row.values.items())
        who, what = row.name or row.actor[:12], row.title or row.subject
        say(f"{row.at[:16]}  {who}  {row.action}  {what}  {values}".rstrip())
    say(told("cli.entries", count=len(rows), days=days))
    return DONE


def write_text(path: Path, text: str) -> None:
    """Write a file. Raises Broken if that cannot be."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        detail = f"cannot write {path}: {error}; choose another --export"
        raise Broken("out.unwritable", detail) from error


WHY: Mapping[str, str] = {
    "delivery.chat_open": "cli.letter_chat_open",
    "platform.not_configured": "cli.letter_platform",
    "delivery.not_entitled": "cli.letter_not_entitled",
}
"""Explanations of errors for the operator, if the key is not self-explanatory."""


def letter_name(letter: DeadLetter) -> str:
    """What `--retry` takes."""
    return f"{letter.box.value}:{letter.id}"


async def retry_letter(name: str, journal: Journal, clock: Clock) -> None:
    """Have a dead letter tried again, by the serving process or the next one. Raises
    Refused("letters.unknown") if there is none, or its content has expired."""
    box, _, number = name.partition(":")
    known = box in {each.value for each in Mailbox} and number.isdecimal()
    if not known or not await journal.revive(Mailbox(box), int(number), at=clock.now()):
        detail = f"there is no dead letter {name!r} that can be tried again; `fundstelle letters` lists them"
        raise Refused("letters.unknown", detail, name=name)


@command("letters")
async def letters(
    context: CommandContext, *, again: Annotated[str | None, typer.Option("--retry", metavar="LETTER")] = None
) -> int:
    """List what could not be answered or sent, even while the bot runs, and try one again."""
    async with records(await context.library_settings()) as kept:
        if again is not None:
            await retry_letter(again, kept.journal, kept.clock)
        found = await kept.journal.dead_letters()
    if context.json:
        rows = [DeadLetterView.showing(letter, letter=letter_name(letter)) for letter in found]
        print_json({"retried": again, "letters": rows})
        return DONE
    if again is not None:
        say(told("cli.letter_again", letter=again))
    if not found:
        say(told("cli.no_letters"))
        return DONE
    for letter in found:
        tried = told("cli.letter_tried", count=letter.attempts, time=f"{letter.at:%Y-%m-%d %H:%M}")
        say(f"{letter_name(letter)}  {letter.platform}  {letter.error}  ({tried})")
        say(f"    {advice(letter)}")
    return DONE


def advice(letter: DeadLetter) -> str:
    """The outcome, and what to do."""
    outcome = told(f"cli.letter_{letter.state}")
    return f"{outcome}: {told(WHY[letter.error])}" if letter.error in WHY else outcome


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


COMMANDS = (why, feedback, audit, letters, evaluate)
