"""How long the event loop is held by what people send: a flood of hostile messages on each platform.

    python -m benchmarks.loop_holds [--library DATA_FOLDER] [--platforms console telegram slack matrix]
                                    [--every N]

Each platform has a bot of its own: `serve` on the strict stand-ins for Telegram and Slack and on a real
Synapse (`make test-servers`), the conversation alone for the console. Printed are the longest holds, as the
watch of `serve` measures them (a hold is how late the loop's task wakes; a machine that is busy with other
things makes it late as well, so the time that the loop's own thread computed stands beside it), and where in
the code they were seen. The library is the example library, or a copy of a data folder.
"""

import argparse
import asyncio
import json
import logging
import os
import platform
import re
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path

from adapters.files.folder import FolderFiles
from benchmarks.chats import SETTINGS, copied, example_library, load
from bot.cli.frame import CommandContext, finish
from bot.service import watches
from bot.service.watches import LoopWatch, settle
from bot.wiring.composition import Composition
from core.domain.messages import Attachment, IncomingMessage, MessageRef
from tests.servers.matrix.homeserver import synapse_server
from tests.support.fake_stage import FakeStage
from tests.support.hostile_messages import messages, uploads
from tests.support.served import Served
from tests.support.slack_server import SlackServer
from tests.support.telegram_server import TelegramServer
from tests.support.timed_chats import OnMatrix, OnSlack, OnTelegram, TimedChats

LONGEST = {"telegram": 4096, "slack": 40_000, "matrix": 40_000, "console": 100_000}
"""Characters of a message that each platform takes."""

LIMITS = (
    "[limits]\nuser_per_minute = 100000\nuser_per_day = 1000000\nchat_per_minute = 100000\nday = 1000000\n"
)
SETTLES_S = 5.0
"""After the start, until its platform is connected to: people cannot do anything about that."""

SHOWN = 6
"""Holds that are printed."""

_HOLD = re.compile(r"was held for ((\d+) ms \((\d+) ms computing\).*)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, help="a data folder; nothing is changed in it")
    parser.add_argument("--platforms", nargs="+", default=list(LONGEST))
    parser.add_argument("--every", type=int, default=7, help="only every N-th message")
    parser.add_argument("--bot", type=Path, help="(what the bots of this benchmark are run with)")
    arguments = parser.parse_args()
    if arguments.bot:
        run_bot(arguments.bot, arguments.every, console=arguments.platforms == ["console"])
    else:
        asyncio.run(measure(arguments))


def run_bot(folder: Path, every: int, *, console: bool) -> None:
    """A bot on the data folder whose watch tells of every longer hold: `serve`, or the conversation alone."""

    async def work() -> int:
        async with CommandContext(folder, None, False).services(lambda wired: wired) as app:
            logging.getLogger(watches.__name__).setLevel(logging.INFO)
            if console:
                await talk(app, folder, list(messages(LONGEST["console"]))[::every])
            else:
                await app.server.run(lambda line: print(line, flush=True))
            return 0

    finish(work(), False)


async def talk(app: Composition, folder: Path, texts: Sequence[str]) -> None:
    """The console's messages, two at a time, as `serve` would have them."""
    queue = app.uploads(FolderFiles(folder), folder / "uploads")
    conversation = app.conversation(folder / "outgoing", queue)
    await app.questions.warm_up()
    settle()
    sent: list[tuple[str, str | None, bytes]] = [(text, None, b"") for text in texts]
    waiting = list(enumerate([*sent, *uploads()]))[::-1]

    async def answer() -> None:
        while waiting:
            number, (text, name, content) = waiting.pop()
            ref = MessageRef(
                platform="console", workspace="", chat="console", thread=None, message=str(number)
            )
            message = IncomingMessage(
                ref=ref,
                sender="console",
                text=text,
                addressed=True,
                received_at=app.clock.now(),
                event=str(number),
                direct=True,
                attachments=() if name is None else (Attachment(id=name, name=name, size=len(content)),),
            )
            await conversation.handle(message, FakeStage(files={name or "": content}))

    print("serving console", flush=True)
    watch = LoopWatch()
    watching = asyncio.create_task(watch.run())
    await asyncio.gather(answer(), answer())
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def measure(arguments: argparse.Namespace) -> None:
    """Each platform with a bot of its own."""
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M}, {platform.machine()}, {os.cpu_count()} cores, load {load()}")
    with tempfile.TemporaryDirectory() as made:
        library = arguments.library
        if library is None:
            library = Path(made) / "library"
            library.mkdir()
            example_library(library)
        for name in arguments.platforms:
            await flooded(name, library, arguments.every)


async def flooded(name: str, library: Path, every: int) -> None:
    """Print the longest holds of one platform's bot."""
    texts = [sendable(text, name) for text in [*messages(LONGEST[name])][::every]]
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        copied(library, folder)
        chats = await _chats(name, stack)
        (folder / "fundstelle.toml").write_text(SETTINGS + LIMITS + (chats.settings if chats else ""))
        command = [sys.executable, "-m", "benchmarks.loop_holds", "--bot", str(folder), "--every", str(every)]
        command += ["--platforms", name]
        served = stack.enter_context(Served(folder, command))
        await served.ready()
        if isinstance(chats, OnSlack):
            await chats.ready()
        await asyncio.sleep(0 if chats is None else SETTLES_S)
        before, began = len(served.log), datetime.now(UTC)
        if chats is None:
            await asyncio.to_thread(served.wait)
        else:
            await _ask(chats, served, texts)
        seconds = (datetime.now(UTC) - began).total_seconds()
        sent = f"{len(texts)} messages and {len([*uploads()])} files"
        told = f"{name}: {sent} in {seconds:.0f} s, dead letters {served.dead if chats else 0}"
        found = sorted(
            {(int(late), int(cpu), words) for words, late, cpu in _HOLD.findall(served.log[before:])}
        )
        longest, computing = (max((item[n] for item in found), default=0) for n in (0, 1))
        print(f"{told}; longest hold {longest} ms, longest computing {computing} ms; load {load()}")
        for _, _, words in found[::-1][:SHOWN]:
            print(f"    {words}", flush=True)


def sendable(text: str, name: str) -> str:
    """As much of `text` as people can send there: whole characters, and of those so many bytes of JSON as an
    event of Matrix may have."""
    whole = text.encode(errors="ignore").decode().replace("\0", "")
    while name == "matrix" and len(json.dumps(whole, ensure_ascii=False).encode()) > LONGEST["matrix"]:
        whole = whole[: 2 * len(whole) // 3]
    return whole


async def _chats(name: str, stack: AsyncExitStack) -> TimedChats | None:
    if name == "telegram":
        return OnTelegram(stack.enter_context(TelegramServer()))
    if name == "slack":
        return OnSlack(stack.enter_context(SlackServer()))
    if name == "matrix":
        return await stack.enter_async_context(OnMatrix(stack.enter_context(synapse_server())))
    return None


async def _ask(chats: TimedChats, served: Served, texts: Sequence[str]) -> None:
    """Send everything, from four people in private, and wait until all is answered."""
    people = [await chats.direct() for _ in range(4)]
    before = served.taken_over
    for number, text in enumerate(texts):
        await chats.ask(people[number % len(people)], text)
    files = [*uploads()]
    for number, (text, file, content) in enumerate(files):
        await chats.attach(people[number % len(people)], text, file, content)
    with suppress(TimeoutError):
        await served.settled(before + len(texts) + len(files), every_s=0.2, within_s=1800.0)


if __name__ == "__main__":
    main()
