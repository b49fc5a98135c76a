"""Commands that the running bot does: real processes call at a real socket."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.calls import QUESTION, QUOTE, Bot, running


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Bot]:
    (tmp_path / "data").mkdir(mode=0o700)
    async with running(tmp_path / "data") as found:
        yield found


async def test_it_answers(bot: Bot) -> None:
    done = await bot.command("ask", QUESTION, "--json")
    assert done.err == ""
    assert done.status == 0
    assert QUOTE in json.loads(done.out)["text"]
