"""The embedded index is taken to a Qdrant server while the bot answers."""

import asyncio
import json
import re
import shutil
from pathlib import Path

import pytest

from bot.library.scoping import ScopeOptions
from bot.settings.tree import load
from bot.wiring.services import opened
from core.domain.answers import Outcome
from core.errors import Refused
from tests.scenario.conftest import run
from tests.support.qdrant_server import some_server

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(900)]

QUESTION = "Wie hoch soll der Mindestlohn sein?"
TOPIC = re.compile("Mindestlohn|minimum wage")
"""Which party's words come first may depend on the processor."""


async def test_questions_are_answered_before_meanwhile_and_after(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(data, tmp_path / "data", symlinks=True)
    said: list[tuple[Outcome, bool, tuple[str, ...]]] = []
    moved = asyncio.Event()
    async with some_server() as qdrant:
        url = qdrant.url
        monkeypatch.setenv("FUNDSTELLE_QDRANT__PREFIX", qdrant.prefix)
        async with opened(load(data=folder).settings) as app:

            async def ask(times: int = 0) -> None:
                while not moved.is_set() or times > 0:
                    times -= moved.is_set()
                    answer = await app.questions.ask(QUESTION, ScopeOptions())
                    quoted = any(TOPIC.search(each.quote.text) for each in answer.citations)
                    said.append((answer.outcome, quoted, tuple(each.key for each in answer.notices)))

            async def move() -> None:
                while len(said) < 2:  # noqa: ASYNC110 - the first question loads the models
                    await asyncio.sleep(0.01)
                points = await app.move_index(url)
                assert points == sum([each.passages for each in await app.library.holdings()])
                moved.set()

            await asyncio.gather(ask(3), ask(3), move())
            assert set(said) == {(Outcome.GROUNDED, True, said[0][2])}
            assert len(said) > 7
            with pytest.raises(Refused, match="already"):
                await app.move_index(url)
            told = app.settings.model_copy(update={"qdrant": qdrant})
            async with app.beside(
                told, lambda wired: wired.questions
            ) as questions:  # as commands have it now
                assert (await questions.ask(QUESTION, ScopeOptions())).outcome is Outcome.GROUNDED

        status, out, err = await asyncio.to_thread(run, folder, "ask", QUESTION, "--json")
        assert (status, "index.moved" in out + err, url in out + err) == (3, True, True)
        monkeypatch.setenv("FUNDSTELLE_QDRANT__URL", url)
        status, out, _ = await asyncio.to_thread(run, folder, "ask", QUESTION, "--json")
        answer = json.loads(out)
        assert (status, answer["outcome"]) == (0, "grounded")
        assert "notice.rebuilding" not in {each["key"] for each in answer["notices"]}


async def test_the_command_moves_it_and_can_be_repeated_after_a_failure(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(data, tmp_path / "data", symlinks=True)
    to = ("reindex", "--to", "http://127.0.0.1:9", "--json")
    status, out, _ = await asyncio.to_thread(run, folder, *to)
    assert (status, json.loads(out)["error"]["code"]) == (3, "index.unreachable")
    status, out, _ = await asyncio.to_thread(run, folder, "ask", QUESTION, "--json")
    assert (status, json.loads(out)["outcome"]) == (0, "grounded")
    async with some_server() as qdrant:
        monkeypatch.setenv("FUNDSTELLE_QDRANT__PREFIX", qdrant.prefix)
        status, out, _ = await asyncio.to_thread(run, folder, "reindex", "--to", qdrant.url, "--json")
        assert (status, json.loads(out)["url"]) == (0, qdrant.url)
        assert json.loads(out)["points"] > 100
