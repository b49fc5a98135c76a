"""The platforms' pages, followed to the letter: from nothing to the first answer in a chat."""

import asyncio
import os
import re
import shlex
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import typer

from bot.cli.root import app
from tests.servers.matrix.homeserver import Synapse
from tests.support.chat_harness import eventually
from tests.support.matrix_people import Person
from tests.support.pdfs import saved, written
from tests.support.repository import ROOT
from tests.support.slack_server import SlackServer
from tests.support.telegram_server import TelegramServer
from tests.support.terminal import Terminal

PAGES = sorted((ROOT / "docs" / "platforms").glob("*.md"))
MOST_STEPS, MOST_S = 10, 600
QUESTION, ANSWER = "What is the fee for a mooring?", "12 thalers"
START = "from fundstelle import main; main()"


def steps(page: Path) -> list[tuple[str, str]]:
    """Where each thing is typed, and what, as the page numbers them."""
    text = page.read_text(encoding="utf-8")
    section = text[text.index("## From nothing to the first answer") :].split("\n## ")[0]
    found = re.findall(r"^(\d+)\. ([^:]+):? ?(.*)$", section, flags=re.M)
    assert [int(number) for number, *_ in found] == list(range(1, len(found) + 1))
    return [(where, typed) for _, where, typed in found]


def shell(page: Path) -> list[list[str]]:
    """The arguments of each `fundstelle` that the page has typed into the shell."""
    typed = [what.strip("`") for where, what in steps(page) if where == "shell" and what.startswith("`")]
    return [shlex.split(line)[1:] for line in typed if line.startswith(".venv/bin/fundstelle ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_takes_ten_steps_at_most_and_its_commands_are_ours(page: Path) -> None:
    assert 5 < len(steps(page)) <= MOST_STEPS
    assert [words[0] for words in shell(page)] == ["ingest", "init", "serve"]
    assert shell(page)[1][1] == page.stem
    known = typer.main.get_command(app)
    for name, *words in shell(page):
        given = {word for word in words if word.startswith("--")}
        assert given <= {each for option in known.commands[name].params for each in option.opts}  # type: ignore[attr-defined]


class Journey:
    """Somebody who follows a page at a terminal, with `programme.pdf` in a folder of their own."""

    def __init__(self, page: str, folder: Path, settings: dict[str, str]) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FUNDSTELLE_")}
        own = {"FUNDSTELLE_DATA": str(folder / "data"), "FUNDSTELLE_LANGUAGE": "en", "PYTHONPATH": str(ROOT)}
        self.environment = kept | own | settings | {"FUNDSTELLE_HTTP__PORT": "0"}
        self.folder = folder
        self.ingest, self.init, self.serve = shell(ROOT / "docs" / "platforms" / f"{page}.md")
        self._begun = time.monotonic()
        text = f"Section 4 Fees\n\nThe fee for a mooring is {ANSWER} a year."
        saved(written(text), folder / self.ingest[1])

    def at(self, words: list[str]) -> Terminal:
        words = [str(self.folder / word) if word.endswith(".pdf") else word for word in words]
        return Terminal([sys.executable, "-c", START, *words], self.environment)

    async def answered(self, shown: Callable[[], Awaitable[object]]) -> None:
        """Serve until the answer stands in the chat."""
        async with self.at(self.serve) as serving, asyncio.timeout(MOST_S):
            while ANSWER not in str(await shown()):
                await asyncio.sleep(0.2)
                serving.read()
        assert time.monotonic() - self._begun < MOST_S


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_telegram(telegram_server: TelegramServer, tmp_path: Path) -> None:
    await telegram_server.do("reset")
    chat = await telegram_server.do("chat", kind="private")
    bases = {"API_BASE": telegram_server.api_base, "FILE_BASE": telegram_server.file_base}
    journey = Journey(
        "telegram", tmp_path, {f"FUNDSTELLE_TELEGRAM__{name}": value for name, value in bases.items()}
    )
    async with journey.at(journey.ingest) as terminal:
        assert await terminal.ends() == 0, terminal.shown
    async with journey.at(journey.init) as terminal:
        await terminal.sees("Token from @BotFather")
        terminal.type(telegram_server.token)
        await terminal.sees("Now write to the bot")
        await telegram_server.do("say", chat=chat, text=QUESTION)
        await terminal.sees(rf"{chat}.*\[Y/n\]")
        terminal.type("y")
        assert await terminal.ends() == 0, terminal.shown
        assert "fundstelle serve" in terminal.shown
        assert telegram_server.token not in terminal.shown
    await journey.answered(lambda: telegram_server.do("shown", chat=chat))
    assert await telegram_server.do("violations", clear=True) == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_slack(slack_server: SlackServer, tmp_path: Path) -> None:
    await slack_server.do("reset")
    chat = await slack_server.do("chat", kind="im")
    journey = Journey("slack", tmp_path, {"FUNDSTELLE_SLACK__API_BASE": slack_server.api_base})
    async with journey.at(journey.ingest) as terminal:
        assert await terminal.ends() == 0, terminal.shown
    async with journey.at(journey.init) as terminal:
        await terminal.sees("xoxb-")
        terminal.type(slack_server.bot_token)
        await terminal.sees("xapp-")
        terminal.type(slack_server.app_token)
        await terminal.sees("Now write to the app")
        await eventually(lambda: slack_server.do("connections"))
        await slack_server.do("say", chat=chat, text=QUESTION)
        await terminal.sees(rf"{chat}.*\[Y/n\]")
        terminal.type("y")
        assert await terminal.ends() == 0, terminal.shown
        assert slack_server.bot_token not in terminal.shown
        assert slack_server.app_token not in terminal.shown
    await journey.answered(lambda: slack_server.do("shown", chat=chat))
    assert await slack_server.do("violations", clear=True) == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_matrix(synapse: Synapse, tmp_path: Path) -> None:
    bot, ann = synapse.account("bot"), await Person.arrive(synapse, "ann")
    journey = Journey("matrix", tmp_path, {})
    async with journey.at(journey.ingest) as terminal:
        assert await terminal.ends() == 0, terminal.shown
    ours = {"https://matrix.example.org": synapse.url, "@fundstelle:example.org": bot.user_id}
    async with journey.at([ours.get(word, word) for word in journey.init]) as terminal:
        await terminal.sees("Password for one login")
        terminal.type(bot.password)
        await terminal.sees("Now invite the bot")
        room = await ann.new_room(bot.user_id)
        await terminal.sees(rf"{re.escape(room)}.*\[Y/n\]")
        await ann.send(room, {"msgtype": "m.text", "body": QUESTION})
        terminal.type("y")
        assert await terminal.ends() == 0, terminal.shown
        assert bot.password not in terminal.shown
    await journey.answered(lambda: ann.history(room))
    await ann.leave()
