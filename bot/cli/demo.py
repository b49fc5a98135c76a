"""`fundstelle demo`: the example library, real questions, and the highlighted pages."""

import asyncio
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.answers.app import App
from bot.cli.library import receipt_line
from bot.library.intake import IngestOptions
from bot.library.scoping import ScopeOptions
from bot.presentation.result_json import Json, answer_json
from bot.settings.tree import load
from bot.wiring.services import opened
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
    `say` gets lines for people, or None for silence."""
    tell = say or (lambda _: None)
    manifest = await asyncio.to_thread(_build, folder / "library")
    questions = read_demo(manifest.with_name("demo.toml"))
    tell(f"The example library is in {manifest.parent}. The first run prepares the packaged models.")
    async with opened(load(data=folder / "data").settings) as app:
        async for receipt in app.intake.ingest([], IngestOptions(), manifest):
            tell(receipt_line(receipt))
        answers = [await _ask(app, item, n, folder, tell) for n, item in enumerate(questions, start=1)]
    pages = folder / "pages"
    tell(f"\nThe highlighted pages and their previews are in {pages}")
    tell(f'Ask your own: fundstelle ask "…" --data {folder / "data"}')
    return {"folder": str(folder), "answers": answers}


async def _ask(app: App, item: DemoQuestion, number: int, folder: Path, tell: Callable[[str], None]) -> Json:
    options = ScopeOptions(jurisdiction=item.jurisdiction)
    answer, attached = await app.ask(item.question, options, out=folder / "pages", prefix=f"q{number}-")
    place = f" --jurisdiction {item.jurisdiction}" if item.jurisdiction else ""
    tell(f"\n{'=' * 100}\n{number}. {item.question}{place}   ({item.shows})\n")
    tell(app.presenter.answer_text(answer))
    for label, files in attached.items():
        tell(f"[{label}] {', '.join(str(path) for path in files.files)}")
    return answer_json(answer, attached, app.presenter)


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
