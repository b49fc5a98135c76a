"""What people get for ordinary questions on each platform: lines that are no answer, files, formatting.

    python -m benchmarks.messages [--library DATA_FOLDER] [--count 35] [--show 0]

The questions of the example library that are answered with quotes, one after the other, by one person in one
group (on Slack each opens its thread), through the conversation and the cutting into messages, drawn as each
adapter draws them. No server is asked. A line is part of the answer if it stands over the quotes, is quoted,
or says right below quotes where they stand; every other line counts as none, captions and what Slack says
above files included.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from adapters.files.folder import FolderFiles
from adapters.matrix import contents
from adapters.slack import outgoing as slack
from adapters.telegram import outgoing as telegram
from benchmarks.chats import example_library
from bot.chat.conversation import Conversation
from bot.delivery.outbox import in_parts
from bot.presentation.presenter import Presenter
from bot.settings.platforms import LimitSettings
from bot.settings.tree import Settings
from bot.wiring.services import opened
from core.domain.messages import Capabilities, IncomingMessage, MessageRef, Outgoing
from core.domain.rich_text import RichText, Style, joined
from core.evaluation import read_questions
from tests.support.repository import ROOT

OURS = {Style.HEADING, Style.QUOTE}


@dataclass(frozen=True)
class Drawn:
    """A platform as this benchmark sees it: what people read of a part, and whether it is drawn at all."""

    name: str
    capabilities: Capabilities
    length: Callable[[str], int]
    said: Callable[[Outgoing], RichText]
    formatted: Callable[[Outgoing], bool]
    threads: bool = False


def _words(part: Outgoing) -> RichText:
    return joined([text for text in (part.said, *(file.said for file in part.files)) if text])


def _slack_formatted(part: Outgoing) -> bool:
    found = slack.blocks(part)
    return any(
        block["type"] in ("context", "table")
        or any(section["type"] != "rich_text_section" for section in block.get("elements", []))
        or any("style" in each for section in block["elements"] for each in section.get("elements", []))
        for block in found
        if block["type"] != "actions"
    )


PLATFORMS = (
    Drawn(
        "telegram",
        telegram.CAPABILITIES,
        telegram.length,
        _words,
        lambda part: bool(telegram.drawn(part.said)[1]),
    ),
    Drawn("slack", slack.CAPABILITIES, slack.length, slack.shown, _slack_formatted, threads=True),
    Drawn(
        "matrix",
        contents.capabilities(None),
        contents.length,
        _words,
        lambda part: "formatted_body" in contents.notice(part.said, part.to),
    ),
)


@dataclass
class Tally:
    """Counts over all answers of a platform."""

    lines: int = 0
    others: list[str] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    messages: int = 0
    formatted: int = 0

    def add(self, drawn: Drawn, parts: Sequence[Outgoing]) -> None:
        """Count the messages of one answer."""
        for part in parts:
            said = drawn.said(part)
            self.lines += sum(bool(line.strip()) for line in said.text.split("\n"))
            self.others += not_the_answer(said)
            if part.text:
                self.messages += 1
                self.formatted += drawn.formatted(part)
        self.files.append(sum(len(part.files) for part in parts))

    def line(self, name: str) -> str:
        """What is printed of a platform."""
        mean = sum(self.files) / max(1, len(self.files))
        return (
            f"{name:<10}{len(self.files)} answers: {len(self.others)} of {self.lines} lines are no answer;"
            f" files for an answer {mean:.1f} (most {max(self.files, default=0)});"
            f" {self.formatted} of {self.messages} messages drawn"
        )


def not_the_answer(said: RichText) -> list[str]:
    """Lines that neither stand over quotes, nor are quoted, nor say right below where that stands."""
    found, at, quoted = [], 0, False
    for line in said.text.split("\n"):
        here = {mark.style for mark in said.marks if mark.start <= at < mark.end}
        if line.strip() and not here & OURS and not quoted:
            found.append(line)
        quoted, at = Style.QUOTE in here, at + len(line) + 1
    return found


async def asked(
    conversation: Conversation, app: Any, drawn: Drawn, number: int, question: str
) -> list[Outgoing]:
    """The parts that answer a question."""
    ref = MessageRef(
        platform=drawn.name,
        workspace="",
        chat="group",
        thread=f"{number}.000001" if drawn.threads else None,
        message=f"{number}.000001",
    )
    message = IncomingMessage(
        ref=ref, sender="ann", text=question, addressed=True, received_at=app.clock.now(), event=str(number)
    )
    platform: Any = SimpleNamespace(name=drawn.name, capabilities=drawn.capabilities, length=drawn.length)
    silent: Any = SimpleNamespace(
        capabilities=drawn.capabilities, shown=None, earlier=_nothing, show=_nothing
    )
    reply = await conversation.handle(message, silent)
    presenter: Presenter = app.presenter
    return [] if reply is None else [*in_parts(reply, message.ref, platform, presenter, key="k").parts]


async def _nothing(*_: object) -> tuple[()]:
    return ()


async def measure(library: Path, questions: Sequence[str], count: int, show: int) -> None:
    """Ask everything on each platform, and print the counts."""
    limits = LimitSettings(user_per_minute=1000, chat_per_minute=1000)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Settings(data=library, open=True, limits=limits)) as app:
            conversation = app.conversation(
                Path(folder), app.uploads(FolderFiles(Path(folder)), Path(folder) / "uploads")
            )
            for drawn in PLATFORMS:
                tally = Tally()
                for number, question in enumerate(questions, 1):
                    parts = await asked(conversation, app, drawn, number, question)
                    if len(tally.files) == count:
                        break
                    if not any(mark.style is Style.QUOTE for part in parts for mark in part.marks):
                        continue  # nothing was found, or it is said where to read
                    tally.add(drawn, parts)
                    if len(tally.files) <= show:
                        print(*(drawn.said(part) for part in parts), sep="\n\n", end="\n\n---\n")
                print(tally.line(drawn.name), flush=True)
                if show:
                    print(*tally.others, sep="\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, help="a data folder that holds the example library")
    parser.add_argument("--count", type=int, default=35)
    parser.add_argument("--show", type=int, default=0, help="answers to print on each platform")
    arguments = parser.parse_args()
    rows = read_questions((ROOT / "examples" / "questions.jsonl").read_text(encoding="utf-8"))
    questions = [row.question for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        library = arguments.library or Path(folder)
        if arguments.library is None:
            example_library(library)
        asyncio.run(measure(library, questions, arguments.count, arguments.show))


if __name__ == "__main__":
    main()
