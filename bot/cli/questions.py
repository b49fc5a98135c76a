"""Commands that ask and check: search, ask, verify, check."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli import batch
from bot.cli.frame import (
    DONE,
    NO,
    AnswererOption,
    BatchOption,
    CommandContext,
    OutOption,
    ScopeArgument,
    check_answerer,
    command,
)
from bot.cli.output import file_lines, print_json, say, wrapped
from bot.cli.terminal import terminal, texts, told
from bot.library.scoping import ScopeOptions

if TYPE_CHECKING:
    from bot.answers.drafts import Drafts
    from bot.answers.questions import Questions
    from bot.presentation.results import DraftReport
    from bot.presentation.views.answers import AnswerView, CheckView, SearchView

MOST_HITS = 100
"""Maximum hits of a search."""

QuestionArgument = Annotated[str | None, typer.Argument()]


@command("search")
async def search(
    context: CommandContext,
    *,
    question: QuestionArgument = None,
    k: Annotated[int, typer.Option("--k", min=1, max=MOST_HITS)] = 10,
    scope: ScopeArgument,
    batch_file: BatchOption = None,
) -> int:
    """Find passages without answering anything."""
    from bot.presentation.views.answers import search_view

    either(question, batch_file)

    async def one(questions: Questions, text: str, scope: ScopeOptions, limit: int) -> SearchView:
        found = await questions.search(text, scope, k=limit)
        return search_view(text, found, await questions.printed(found))

    async with context.services(lambda wired: wired.questions) as questions:
        if batch_file is not None:
            await questions.warm_up()
            return await batch.run(
                batch_file,
                lambda row: one(
                    questions,
                    batch.text_of(row, "question", "text"),
                    batch.scope_options(row, scope),
                    batch.number_of(row, "k", MOST_HITS) or k,
                ),
            )
        result = await one(questions, question or "", scope, k)
        print_json(result) if context.json else say(search_text(result, terminal().out.width))
        return DONE if result.hits else NO


@command("ask")
async def ask(
    context: CommandContext,
    *,
    question: QuestionArgument = None,
    scope: ScopeArgument,
    out: OutOption = None,
    answerer: AnswererOption = None,
    batch_file: BatchOption = None,
) -> int:
    """Answer a question with verified quotes and their highlighted pages."""
    from bot.presentation.help_lines import gives_help
    from bot.presentation.views.answers import answer_view
    from core.answering.forms import EXTRACTIVE, LLM
    from core.domain.answers import Outcome

    check_answerer(answerer)
    either(question, batch_file)

    async with context.services(lambda wired: (wired.questions, wired.attacher, wired.presenter)) as picked:
        questions, attacher, presenter = picked

        async def row(line: batch.Row) -> AnswerView:
            answer = await questions.ask(
                batch.text_of(line, "question", "text"),
                batch.scope_options(line, scope),
                answerer=batch.choice_of(line, "answerer", (EXTRACTIVE, LLM)) or answerer,
            )
            prefix = batch.files_prefix(line) if out else ""
            attached = await attacher.attach(answer.citations, out, prefix=prefix)
            return answer_view(answer, attached, presenter)

        await questions.check_answerer(answerer)
        if batch_file is not None:
            await questions.warm_up()
            return await batch.run(batch_file, row)
        answer = await questions.ask(question or "", scope, answerer=answerer)
        attached = await attacher.attach(answer.citations, out)
        if context.json:
            print_json(answer_view(answer, attached, presenter))
        else:
            say(presenter.answer_text(answer))
            for line in file_lines(attached):
                say(line)
            if not gives_help(answer):
                say(f"(fundstelle why {answer.trace})")
        return DONE if answer.outcome in (Outcome.GROUNDED, Outcome.INFO) else NO


@command("verify")
async def verify(
    context: CommandContext,
    *,
    text: Annotated[str | None, typer.Argument()] = None,
    claimed_party: Annotated[str | None, typer.Option()] = None,
    claimed_document: Annotated[str | None, typer.Option()] = None,
    claimed_page: Annotated[int | None, typer.Option(min=1)] = None,
    scope: ScopeArgument,
    out: OutOption = None,
    batch_file: BatchOption = None,
) -> int:
    """Check an alleged quote: verbatim, typo, near, altered, cut, struck, reported, misattributed, too short
    or absent."""
    from bot.presentation.views.answers import check_view
    from bot.presentation.wording.checks import check_text
    from core.domain.answers import Verdict

    either(text, batch_file)

    async with context.services(lambda wired: (wired.questions, wired.attacher)) as (questions, attacher):

        async def row(line: batch.Row) -> CheckView:
            words = batch.text_of(line, "text", "quote", "question")
            check = await questions.verify(
                words,
                batch.scope_options(line, scope),
                party=batch.optional_text(line, "claimed_party") or claimed_party,
                document=batch.optional_text(line, "claimed_document") or claimed_document,
                page=batch.number_of(line, "claimed_page") or claimed_page,
            )
            prefix = batch.files_prefix(line) if out else ""
            return check_view(words, check, await attacher.attach(check.matches, out, prefix=prefix))

        if batch_file is not None:
            await questions.warm_up()
            return await batch.run(batch_file, row)
        words = text or ""
        check = await questions.verify(
            words, scope, party=claimed_party, document=claimed_document, page=claimed_page
        )
        result = check_view(words, check, await attacher.attach(check.matches, out))
        print_json(result) if context.json else say(check_text(result, texts()))
        return DONE if result.verdict in (Verdict.VERBATIM, Verdict.TYPO) else NO


_FINISHED = re.compile(r"[.!?…:;][^\w\s]*\d*\s*$")
"""How sentences end, including a footnote number."""


def either(text: str | None, batch_file: Path | None) -> None:
    """Exactly one of a text and a batch. Raises typer.BadParameter."""
    if (text is None) == (batch_file is None):
        raise typer.BadParameter(told("cli.usage_batch"))


def search_text(result: SearchView, width: int) -> str:
    """Hits for people, each with the sentence that has most of the question's words."""
    from bot.presentation.phrases import page_names

    lines = [told("cli.no_source", name=name) for item in result.missing for name in item.values()]
    for hit in result.hits:
        page = page_names(hit.pages, hit.printed_pages, texts())
        lines.append(f"{hit.rank:>2}. {hit.document.title}, {page}")
        sentence = " ".join(nearest_sentence(result.question, hit.text).split())
        lines.append(textwrap.indent(wrapped(sentence, width - 4, ""), "    "))
    return "\n".join(lines) or told("cli.nothing_found")


def nearest_sentence(question: str, text: str) -> str:
    """The sentence of `text` that shares most words with `question`, the first of several; a heading only if
    there are no sentences."""
    from core.language.identification import detect
    from core.language.sentences import sentences
    from core.language.terms import shared, terms

    language = detect(text)[0]
    asked = terms(question, language)
    parts = [text[start:end] for start, end in sentences(text, language)]
    complete = [part for part in parts if _FINISHED.search(part)]
    return max(complete or parts, key=lambda part: shared(asked, terms(part, language)), default=text)


STANDARD_INPUT, ITS_NAME = "-", "stdin.md"
"""The name for standard input, and the format its text is read as."""


@command("check")
async def check(
    context: CommandContext,
    *,
    file: Annotated[Path, typer.Argument()],
    scope: ScopeArgument,
    out: OutOption = None,
) -> int:
    """Check every quotation in a text of your own, and every statement of what a page says."""
    from tempfile import TemporaryDirectory

    from core.errors import Refused

    if out is not None:
        _check_out(file, out)
    async with context.services(lambda wired: wired.drafts) as drafts:
        if file.name == STANDARD_INPUT:
            with TemporaryDirectory(prefix="fundstelle-") as folder:
                given = Path(folder) / ITS_NAME
                given.write_bytes(await terminal().input())
                return await _checked(context, drafts, given, scope, out)
        if not file.is_file():
            raise Refused("file.missing", f"there is no file {file}", name=str(file))
        return await _checked(context, drafts, file, scope, out)


def _check_out(file: Path, out: Path) -> None:
    """Raises Broken if writing to `out` would replace the checked file, or write a kind of file other than
    the name of `out` says."""
    from core.errors import Broken

    if out.exists() and file.exists() and out.samefile(file):
        raise Broken("out.unwritable", f"{out} is the text that is checked; choose another --out")
    kind = file.suffix.lower()
    made = kind if kind in (".docx", ".pdf") else ".md"
    if out.suffix.lower() not in (made, ".md"):
        raise Broken("out.unwritable", f"what is made of {file.name} is a {made} file; end --out in {made}")


async def _checked(
    context: CommandContext, drafts: Drafts, file: Path, scope: ScopeOptions, out: Path | None
) -> int:
    from bot.presentation.views.answers import draft_view
    from bot.presentation.wording.checks import draft_text

    report = await drafts.check(file, scope)
    if out is not None:
        await _write(drafts, file, report, out)
    view = draft_view(report, out)
    print_json(view) if context.json else say(draft_text(view, texts()))
    if out is not None and not context.json:
        say(str(out))
    return DONE if report.stands else NO


async def _write(drafts: Drafts, file: Path, report: DraftReport, out: Path) -> None:
    """Write the annotated file; only the report if its name ends in ".md"."""
    import asyncio

    from bot.files import write_file
    from bot.presentation.views.answers import draft_view
    from bot.presentation.wording.checks import draft_markdown, note

    view = draft_view(report)
    notes = [note(item, texts()) for item in view.items]
    content = draft_markdown(view, texts()).encode()
    if out.suffix.lower() != ".md":
        content, _ = await drafts.annotated(file, report, notes, content.decode())
    await asyncio.to_thread(write_file, out, content)


COMMANDS = (search, ask, verify, check)
