"""The command that checks a user's own text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.frame import DONE, NO, CommandContext, OutOption, ScopeArgument, command
from bot.cli.output import print_json, say
from bot.cli.terminal import terminal, texts
from bot.library.scoping import ScopeOptions

if TYPE_CHECKING:
    from bot.answers.drafts import Drafts
    from bot.presentation.results import DraftReport

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


COMMANDS = (check,)
