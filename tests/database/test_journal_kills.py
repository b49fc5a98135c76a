"""A process that is killed at any point loses no message that it took over, and says nothing twice unseen."""

import asyncio
import random
import sys
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from core.domain.journal import Pseudonyms
from tests.support.fake_journal import KEY
from tests.support.journal_examples import at, message, reply

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]

WORK = """
import asyncio, sys
from tests.database.test_journal_kills import opened, served

async def main():
    journal = await opened(sys.argv[1])
    await served(journal, int(sys.argv[2]), lambda *words: print(*words, flush=True))

asyncio.run(main())
"""


async def opened(folder: str) -> SqlJournal:
    return SqlJournal(await Database.open(f"sqlite:///{folder}/journal.db"), Pseudonyms(KEY))


async def served(journal: SqlJournal, first: int, say) -> None:  # type: ignore[no-untyped-def]
    """Take messages over, answer and send for ever, and say each thing once it cannot be undone."""
    await recovered(journal, say)
    for number in range(first, first + 10_000):
        events = [f"{number}-{n}" for n in range(3)]
        await journal.accept([message(event, f"c{event[-1]}") for event in events], at=at())
        for event in events:
            say("accepted", event)
        await answered(journal, say, most=3)


async def recovered(journal: SqlJournal, say) -> None:  # type: ignore[no-untyped-def]
    """After a stop: work begins again; what may have arrived is flagged, not sent again."""
    await journal.requeue_interrupted(at=at(), max_attempts=1000)
    for item in await journal.interrupted_parts("matrix"):
        await journal.fail(item, "send.unknown", at=at(), unknown=True)
        say("flagged", item.part.key)


async def answered(journal: SqlJournal, say, most: int) -> None:  # type: ignore[no-untyped-def]
    for _ in range(most):
        item = await journal.claim(at=at())
        if item is None:
            break
        event, chat = item.message.event, item.message.ref.chat
        await journal.finish(item, at=at(), replies=[reply(f"r-{event}", chat=chat)])
    for _ in range(most):
        part = await journal.claim_part("matrix", at=at())
        if part is None:
            break
        say("sent", part.part.key)
        await journal.sent(part, ["m"], at=at())


async def killed(folder: Path, first: int, after_s: float) -> list[list[str]]:
    """What a process said before it was killed, that long after its first word."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-c", WORK, str(folder), str(first)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    begin = await process.stdout.readline()
    await asyncio.sleep(after_s)
    process.kill()
    rest = await process.stdout.read()
    await process.wait()
    lines = (begin + rest).decode().splitlines(keepends=True)
    return [line.split() for line in lines if line.endswith("\n")]


async def outlived(folder: Path, kills: int) -> None:
    chance, said = random.Random(4), []
    for number in range(kills):
        said += await killed(folder, number * 10_000, chance.uniform(0.05, 0.4))
    journal = await opened(str(folder))
    last: list[list[str]] = []
    await recovered(journal, lambda *words: last.append(list(words)))
    before = -1
    while before != len(last):
        before = len(last)
        await answered(journal, lambda *words: last.append(list(words)), most=1000)
    words = said + last
    accepted = [what for kind, what in words if kind == "accepted"]
    sent = [what for kind, what in words if kind == "sent"]
    flagged = [what for kind, what in words if kind == "flagged"]
    assert len(accepted) > kills
    assert {f"r-{event}" for event in accepted} <= {*sent, *flagged}
    assert len(sent) == len(set(sent))
    assert len(flagged) <= kills
    found = await journal.backlog()
    assert (found.waiting, found.working, found.pending, found.sending) == (0, 0, 0, 0)
    assert found.unknown == len(flagged)
    for chat in "012":
        order = [key for key in sent if key.endswith(f"-{chat}")]
        assert order == sorted(order, key=lambda key: int(key.split("-")[1]))
    await journal.close()


async def test_two_kills(tmp_path: Path) -> None:
    await outlived(tmp_path, 2)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_fifty_kills(tmp_path: Path) -> None:
    await outlived(tmp_path, 50)
