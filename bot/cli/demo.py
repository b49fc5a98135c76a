"""`fundstelle demo`: the example library, real questions, and the highlighted pages."""

import asyncio
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.answers import Questions
from bot.cli.language import told
from bot.cli.library import receipt_line
from bot.cli.output import file_lines
from bot.library import IngestOptions
from bot.library.scoping import ScopeOptions
from bot.presentation import Attacher, Presenter
from bot.presentation.views import AnswerView, Json
from bot.presentation.wording import answer_view
from bot.settings import load
from bot.wiring import opened
from core.errors import Broken

DEMO_FOLDER = "fundstelle-demo-"


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question with what it shows."""

    question: str
    jurisdiction: str | None
    shows: str


async def run_demo(folder: Path, say: Callable[[str], None] | None) -> Json:
    """Build and ingest the example library in `folder`, ask its questions, write pages to `folder`/pages.
    Configured stores stay untouched: it is no part of anybody's library. `say` gets lines for people, or None
    for silence."""
    tell = say or (lambda _: None)
    manifest = await asyncio.to_thread(_build, folder / "library")
    questions = read_demo(manifest.with_name("demo.toml"))
    tell(told("cli.demo_library", folder=manifest.parent))
    async with opened(load(data=folder / "data").settings.with_own_stores()) as wired:
        async for receipt in wired.intake.ingest([], IngestOptions(), manifest):
            tell(receipt_line(receipt))
        asking = DemoAsking(wired.questions, wired.attacher, wired.presenter, tell)
        answers = [await asking.ask(item, n, folder) for n, item in enumerate(questions, start=1)]
    pages = folder / "pages"
    tell(told("cli.demo_pages", folder=pages, data=folder / "data"))
    return {"folder": str(folder), "answers": answers}


@dataclass(frozen=True, slots=True)
class DemoAsking:
    """Asks the demo's questions and tells the answers."""

    questions: Questions
    attacher: Attacher
    presenter: Presenter
    tell: Callable[[str], None]

    async def ask(self, item: DemoQuestion, number: int, folder: Path) -> AnswerView:
        """The answer to one of them; its pages go to `folder`/pages."""
        answer = await self.questions.ask(item.question, ScopeOptions(jurisdiction=item.jurisdiction))
        attached = await self.attacher.attach(answer.citations, folder / "pages", prefix=f"q{number}-")
        place = f" --jurisdiction {item.jurisdiction}" if item.jurisdiction else ""
        self.tell(f"\n{'=' * 100}\n{number}. {item.question}{place}   ({item.shows})\n")
        self.tell(self.presenter.answer_text(answer))
        for line in file_lines(attached):
            self.tell(line)
        return answer_view(answer, attached, self.presenter)


def read_demo(file: Path) -> list[DemoQuestion]:
    """The demo's questions."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return [DemoQuestion(row["question"], row.get("jurisdiction"), row["shows"]) for row in rows]


def _build(folder: Path) -> Path:
    try:
        from examples.build import build
    except ModuleNotFoundError as error:
        detail = f"the example library is not installed ({error}); run the demo from a clone with `make demo`"
        raise Broken("demo.missing", detail) from error
    return build(folder)
