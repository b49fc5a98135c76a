"""`docs/architecture.md` lists the functions that hand a question on in a chat: each is run by one."""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tests.support.repository import ROOT
from tests.support.telegram_harness import TelegramHarness
from tests.support.telegram_server import TelegramServer
from tests.support.whole_bot import WholeBot
from tests.support.world import populated

MOST = 14
_ROW = re.compile(r"^\| `((?:adapters|bot|core)/\S+\.py)` \| (`.+) \|$", re.MULTILINE)
_FUNCTION = re.compile(r"`(?:\w+\.)?(\w+)`")


def listed() -> set[tuple[str, str]]:
    """File and function of each row below "A question's way"."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = page.partition("## A question's way")[2].partition("\n## ")[0]
    return {(file, name) for file, said in _ROW.findall(section) for name in _FUNCTION.findall(said)}


@contextmanager
def recorded() -> Iterator[set[tuple[str, str]]]:
    """The functions of the product that are entered in this thread."""
    entered: set[tuple[str, str]] = set()
    named = {str(ROOT / file): file for file, _ in listed()}

    def note(frame: FrameType, event: str, _: object) -> None:
        file = named.get(frame.f_code.co_filename) if event == "call" else None
        if file is not None:
            entered.add((file, frame.f_code.co_name))

    before = sys.getprofile()
    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield entered
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def test_the_list_is_short() -> None:
    assert 10 <= len(listed()) <= MOST


async def test_a_question_runs_through_every_listed_function(
    telegram_server: TelegramServer, tmp_path: Path
) -> None:
    world = await populated()
    chats = TelegramHarness(telegram_server)
    bot = WholeBot(chats, world, tmp_path)
    with recorded() as entered:
        await chats.start()
        try:
            group = await chats.group()
            await bot.serve(public=[group])
            await chats.say(group, chats.asking("Was sagt die Uferpartei zum Mindestlohn?"))
            await bot.shown(group, "Der Mindestlohn steigt auf 15 Taler in der Stunde.", files=1)
        finally:
            await bot.stop()
            await chats.close()
    assert listed() <= entered, listed() - entered
