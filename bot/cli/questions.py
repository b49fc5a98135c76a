"""Commands that ask: search, ask, verify."""

from pathlib import Path
from typing import Annotated

import typer

from bot.answers.questions import Questions
from bot.cli import batch
from bot.cli.options import (
    AsOfOption,
    BatchOption,
    CollectionOption,
    ConfigOption,
    DataOption,
    DocumentOption,
    JsonOption,
    JurisdictionOption,
    OutOption,
    PartyOption,
    TypeOption,
    day,
)
from bot.cli.output import file_lines, print_json, say
from bot.cli.running import DONE, NO, with_services
from bot.library.scoping import ScopeOptions
from bot.presentation.answer_views import AnswerView, CheckView, SearchView
from bot.presentation.attachments import Attacher
from bot.presentation.presenter import Presenter
from bot.presentation.views import answer_view, check_view, search_view
from core.answering.asker import EXTRACTIVE, LLM
from core.domain.answers import Outcome, Verdict

MOST_HITS = 100
"""Hits of a search at most."""

QuestionArgument = Annotated[str | None, typer.Argument()]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("search")(search)
    app.command("ask")(ask)
    app.command("verify")(verify)


def search(
    question: QuestionArgument = None,
    k: Annotated[int, typer.Option("--k", min=1, max=MOST_HITS)] = 10,
    jurisdiction: JurisdictionOption = None,
    party: PartyOption = None,
    collection: CollectionOption = None,
    document: DocumentOption = None,
    doc_type: TypeOption = None,
    as_of: AsOfOption = None,
    batch_file: BatchOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Find passages; nothing is answered."""
    options = scope_options(jurisdiction, party, collection, document, doc_type, as_of)
    either(question, batch_file)

    async def one(questions: Questions, text: str, scope: ScopeOptions, limit: int) -> SearchView:
        return search_view(text, await questions.search(text, scope, k=limit))

    async def work(questions: Questions) -> int:
        if batch_file is not None:
            await questions.warm_up()
            return await batch.run(
                batch_file,
                lambda row: one(
                    questions,
                    batch.text_of(row, "question", "text"),
                    batch.scope_options(row, options),
                    batch.number_of(row, "k", MOST_HITS) or k,
                ),
            )
        result = await one(questions, question or "", options, k)
        print_json(result) if json_output else say(search_text(result))
        return DONE if result.hits else NO

    with_services(data, config, json_output, lambda wired: (wired.questions,), work)


def ask(
    question: QuestionArgument = None,
    jurisdiction: JurisdictionOption = None,
    party: PartyOption = None,
    collection: CollectionOption = None,
    document: DocumentOption = None,
    doc_type: TypeOption = None,
    as_of: AsOfOption = None,
    out: OutOption = None,
    answerer: Annotated[
        str | None,
        typer.Option(),
    ] = None,
    batch_file: BatchOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Answer a question with verified quotes and their highlighted pages."""
    if answerer not in (None, EXTRACTIVE, LLM):
        raise typer.BadParameter(f"--answerer is {EXTRACTIVE} or {LLM}, not {answerer}")
    options = scope_options(jurisdiction, party, collection, document, doc_type, as_of)
    either(question, batch_file)

    async def work(questions: Questions, attacher: Attacher, presenter: Presenter) -> int:
        async def row(line: batch.Row) -> AnswerView:
            answer = await questions.ask(
                batch.text_of(line, "question", "text"),
                batch.scope_options(line, options),
                answerer=batch.choice_of(line, "answerer", (EXTRACTIVE, LLM)) or answerer,
            )
            prefix = batch.files_prefix(line) if out else ""
            attached = await attacher.attach(answer.citations, out, prefix=prefix)
            return answer_view(answer, attached, presenter)

        questions.check_answerer(answerer)
        if batch_file is not None:
            await questions.warm_up()
            return await batch.run(batch_file, row)
        answer = await questions.ask(question or "", options, answerer=answerer)
        attached = await attacher.attach(answer.citations, out)
        if json_output:
            print_json(answer_view(answer, attached, presenter))
        else:
            say(presenter.answer_text(answer))
            for line in file_lines(attached):
                say(line)
            say(f"(fundstelle why {answer.trace})")
        return DONE if answer.outcome in (Outcome.GROUNDED, Outcome.INFO) else NO

    with_services(
        data, config, json_output, lambda wired: (wired.questions, wired.attacher, wired.presenter), work
    )


def verify(
    text: Annotated[str | None, typer.Argument()] = None,
    claimed_party: Annotated[str | None, typer.Option()] = None,
    claimed_document: Annotated[str | None, typer.Option()] = None,
    claimed_page: Annotated[int | None, typer.Option(min=1)] = None,
    jurisdiction: JurisdictionOption = None,
    party: PartyOption = None,
    collection: CollectionOption = None,
    document: DocumentOption = None,
    doc_type: TypeOption = None,
    as_of: AsOfOption = None,
    out: OutOption = None,
    batch_file: BatchOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    json_output: JsonOption = False,
) -> None:
    """Check an alleged quote: verbatim, typo, near, altered, misattributed, too short or absent."""
    options = scope_options(jurisdiction, party, collection, document, doc_type, as_of)
    either(text, batch_file)

    async def work(questions: Questions, attacher: Attacher, presenter: Presenter) -> int:
        async def row(line: batch.Row) -> CheckView:
            words = batch.text_of(line, "text", "quote", "question")
            check = await questions.verify(
                words,
                batch.scope_options(line, options),
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
            words, options, party=claimed_party, document=claimed_document, page=claimed_page
        )
        result = check_view(words, check, await attacher.attach(check.matches, out))
        print_json(result) if json_output else say(presenter.check_text(result))
        return DONE if result.verdict in (Verdict.VERBATIM, Verdict.TYPO) else NO

    with_services(
        data, config, json_output, lambda wired: (wired.questions, wired.attacher, wired.presenter), work
    )


def scope_options(
    jurisdiction: str | None,
    party: list[str] | None,
    collection: list[str] | None,
    document: list[str] | None,
    doc_type: str | None,
    as_of: str | None,
) -> ScopeOptions:
    """Scope options as the command line gave them."""
    return ScopeOptions(
        jurisdiction=jurisdiction,
        parties=tuple(party or ()),
        collections=tuple(collection or ()),
        documents=tuple(document or ()),
        doc_type=doc_type,
        as_of=day(as_of),
    )


def either(text: str | None, batch_file: Path | None) -> None:
    """Exactly one of a text and a batch. Raises typer.BadParameter."""
    if (text is None) == (batch_file is None):
        raise typer.BadParameter("give either a text or --batch FILE")


def search_text(result: SearchView) -> str:
    """Hits for people."""
    lines = [f"no source for {next(iter(item.values()))}" for item in result.missing]
    for hit in result.hits:
        pages = "-".join(str(page) for page in hit.pages)
        lines.append(f"{hit.rank:>2}. {hit.document.title}, p. {pages} ({hit.score:.2f})")
        lines.append(f"    {' '.join(hit.text.split())[:300]}")
    return "\n".join(lines) or "nothing found"
