"""Dead letters on the command line, and what `doctor` asks the platforms."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.root import app
from bot.service.checks import platform_findings
from bot.settings.tree import load
from bot.wiring.services import records
from core.domain.journal import OutgoingReply
from core.domain.messages import Finding, Outgoing
from core.errors import Broken
from tests.support.databases import sqlite_url
from tests.support.fake_platform import FakePlatform
from tests.support.world import NOW


@pytest.fixture(autouse=True)
def _library(tmp_path: Path) -> None:
    sqlite_url(tmp_path / "fundstelle.sqlite3")


async def _lose(data: Path) -> None:
    platform = FakePlatform()
    async with records(load(data=data).settings) as kept:
        journal = kept.journal
        await journal.accept([platform.message("a secret question")], at=NOW)
        item = await journal.claim(at=NOW)
        assert item is not None
        await journal.give_up(item, "error.unexpected", at=NOW)
        part = Outgoing(key="k", to=platform.message("x").ref, text="a secret answer")
        await journal.enqueue([OutgoingReply(parts=(part,))], at=NOW)
        sending = await journal.claim_part("telegram", at=NOW)
        assert sending is not None
        await journal.fail(sending, "delivery.unknown", at=NOW, unknown=True)


def letters(data: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["letters", "--data", str(data), *arguments])
    return done.exit_code, done.stdout


def test_letters_are_listed_and_tried_again(tmp_path: Path) -> None:
    assert "no dead letters" in letters(tmp_path)[1]
    asyncio.run(_lose(tmp_path))
    status, said = letters(tmp_path, "--json")
    found = json.loads(said)
    assert status == 0
    assert {letter["letter"]: letter["state"] for letter in found["letters"]} == {
        "inbox:1": "dead",
        "outbox:1": "unknown",
    }
    assert "secret" not in said + letters(tmp_path)[1]
    assert "delivery.unknown" in letters(tmp_path)[1]
    status, said = letters(tmp_path, "--retry", "outbox:1", "--json")
    assert [letter["letter"] for letter in json.loads(said)["letters"]] == ["inbox:1"]
    assert json.loads(said)["retried"] == "outbox:1"


@pytest.mark.parametrize("name", ["outbox:7", "outbox:", "attic:1", "1", "outbox:x"])
def test_a_letter_that_is_not_there_is_no_letter(tmp_path: Path, name: str) -> None:
    status, said = letters(tmp_path, "--retry", name, "--json")
    assert status == 1
    assert json.loads(said)["error"]["code"] == "letters.unknown"


@dataclass
class Checked(FakePlatform):
    """A platform whose check does what a test wants."""

    raises: list[Exception] = field(default_factory=list)
    hangs: bool = False

    async def check(self) -> list[Finding]:
        if self.hangs:
            await asyncio.Event().wait()
        if self.raises:
            raise self.raises.pop()
        return await super().check()


async def findings(platform: FakePlatform) -> Sequence[Finding]:
    found = await platform_findings(platform, within_s=0.05)
    assert platform.closed
    return found


async def test_what_a_platform_says_of_itself() -> None:
    assert [finding.ok for finding in await findings(Checked())] == [True]
    for failing in (
        Checked(hangs=True),
        Checked(raises=[Broken("platform.token", "take a new one")]),
        Checked(raises=[RuntimeError("a mistake")]),
    ):
        (finding,) = await findings(failing)
        assert not finding.ok
        assert finding.advice
