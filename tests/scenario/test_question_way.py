"""`docs/architecture.md` lists the functions that hand a question on in a chat: those that do, and no other.

A function hands a question on if a variable of its own (not of its object) holds the question, or the reply
to it, while a function that it waits for does one of the five `MOMENTS`. What a task does is waited for by
whoever began the task. Loops that fetch what comes next, and helpers that run any work, hold no question.
"""

import asyncio
import re
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from adapters.telegram.platform import TelegramPlatform
from bot.presentation import Attacher
from core.search.searcher import Searcher
from tests.support.fake_boxes import FakeBoxes
from tests.support.repository import ROOT
from tests.support.telegram_harness import TelegramHarness
from tests.support.telegram_server import TelegramServer
from tests.support.whole_bot import WholeBot
from tests.support.world import populated

MOMENTS: tuple[CodeType, ...] = tuple(
    function.__code__
    for function in (
        FakeBoxes.accept,
        Searcher.search,
        Attacher.merged,
        FakeBoxes.finish,
        TelegramPlatform.send,
    )
)
"""The message is written down, searched for, given its pages; the reply is queued, and sent."""

WORD = "Mindestlohn"
"""Stands in the question and in its reply."""

MOST = 14
PRODUCT = tuple(f"{ROOT / room}/" for room in ("adapters", "bot", "core"))
_ROW = re.compile(r"^\| `((?:adapters|bot|core)/\S+\.py)` \| (`.+) \|$", re.MULTILINE)
_FUNCTION = re.compile(r"`(?:\w+\.)?(\w+)`")

Step = tuple[str, str]
"""File and name of a function."""

_BEGAN: ContextVar[frozenset[Step]] = ContextVar("_BEGAN", default=frozenset())
"""What handed the question on to the task that runs."""


def listed() -> set[Step]:
    """File and function of each row below "A question's way"."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = page.partition("## A question's way")[2].partition("\n## ")[0]
    return {(file, name) for file, said in _ROW.findall(section) for name in _FUNCTION.findall(said)}


def handing_on(frame: FrameType | None) -> Iterator[Step]:
    """The functions of the product on the stack whose variables hold the question or its reply."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(PRODUCT) and not code.co_name.startswith("<"):
            own = [value for name, value in frame.f_locals.items() if name != "self"]
            if any(WORD in repr(value) for value in own):
                yield str(Path(code.co_filename).relative_to(ROOT)), code.co_name
        frame = frame.f_back


def _task(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], context: Context | None = None
) -> asyncio.Task[Any]:
    context = context or copy_context()
    context.run(_BEGAN.set, _BEGAN.get() | frozenset(handing_on(sys._getframe(1))))
    return asyncio.Task(work, loop=loop, context=context)


@contextmanager
def recorded() -> Iterator[set[Step]]:
    """What hands a question on while this lasts, and the moments that were seen, by the name of each."""
    found: set[Step] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code not in MOMENTS:
            return
        if any(WORD in repr(value) for name, value in frame.f_locals.items() if name != "self"):
            found.update(handing_on(frame.f_back), _BEGAN.get(), [("", frame.f_code.co_name)])

    loop, before = asyncio.get_running_loop(), sys.getprofile()
    loop.set_task_factory(_task)  # type: ignore[arg-type]
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)
        loop.set_task_factory(None)


async def test_the_list_names_all_that_hands_a_question_on(
    telegram_server: TelegramServer, tmp_path: Path
) -> None:
    world = await populated()
    chats = TelegramHarness(telegram_server)
    bot = WholeBot(chats, world, tmp_path)
    with recorded() as found:
        await chats.start()
        try:
            group = await chats.group()
            await bot.serve(public=[group])
            await chats.say(group, chats.asking(f"Was sagt die Uferpartei zum {WORD}?"))
            await bot.shown(group, f"Der {WORD} steigt auf 15 Taler in der Stunde.", files=1)
        finally:
            await bot.stop()
            await chats.close()
    assert {name for file, name in found if not file} == {code.co_name for code in MOMENTS}
    assert {step for step in found if step[0]} == listed()
    assert len(listed()) <= MOST
