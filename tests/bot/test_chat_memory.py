"""What was said in a chat a moment ago is known to whichever process handles its next message."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from adapters.database.processes import SqlProcesses
from bot.chat.conversation import Conversation
from bot.chat.memory import ChatMemory, Remembered
from bot.chat.uploads import UploadQueue
from bot.http.tokens import Rates
from core.domain.journal import ChatKey, Pseudonyms
from core.domain.messages import Attachment, MessageKind, Reply
from tests.support.chats import conversation_over, message, say, uploads_over
from tests.support.databases import postgresql_url
from tests.support.fake_journal import KEY
from tests.support.fake_pdf import text_reading
from tests.support.fake_stage import FakeStage
from tests.support.world import NOW, FixedClock, populated

CHAT, OTHER = (ChatKey(platform="telegram", workspace="", chat=name) for name in ("c", "d"))
PEOPLE = Pseudonyms(KEY)
PAPER = b"Wahlprogramm 2026 der Uferpartei in Hochau\nBrunnen bauen wir in jedem Dorf bis zum Jahr 2030."


@dataclass(frozen=True)
class Note:
    words: tuple[str, ...]
    at: datetime


def test_alone_a_process_keeps_the_last_of_each_kind() -> None:
    memory = ChatMemory()
    notes, numbers = Remembered[Note](memory, "notes", Note), Remembered[int](memory, "numbers", int)
    for number in range(1001):
        numbers.put(CHAT, str(number), value=number)
    notes.put(CHAT, value=Note(("a",), NOW))
    notes.put(OTHER, value=Note(("b",), NOW))
    assert numbers.get(CHAT, "0") is None
    assert numbers.get(CHAT, "1000") == 1000
    assert notes.get(CHAT) == Note(("a",), NOW)
    notes.drop(CHAT)
    notes.drop(CHAT)
    assert (notes.get(CHAT), notes.get(OTHER)) == (None, Note(("b",), NOW))


@pytest.fixture
async def processes(postgresql: str) -> AsyncIterator[list[SqlProcesses]]:
    url = await postgresql_url(postgresql)
    opened = [await Database.open(url) for _ in range(2)]
    yield [SqlProcesses(each, f"p{number}") for number, each in enumerate(opened)]
    for each in opened:
        await each.close()


async def test_several_know_what_each_has_kept(processes: list[SqlProcesses]) -> None:
    first, second = (ChatMemory(each) for each in processes)
    here, there = (Remembered[Note](each, "notes", Note) for each in (first, second))
    numbers = Remembered[int](second, "numbers", int)
    note = Note(("ü", "line\nline"), NOW)
    async with first.of(CHAT):
        here.put(CHAT, "by", "x", value=note, person=PEOPLE.person("telegram", "", "x"))
        here.put(CHAT, value=replace(note, words=()))
    async with second.of(OTHER):
        assert there.get(OTHER) is None
    async with second.of(CHAT):
        assert there.get(CHAT, "by", "x") == note
        assert there.get(CHAT) == replace(note, words=())
        there.drop(CHAT)
        numbers.put(CHAT, value=3)
        async with second.of(CHAT):  # what is urgent is handled meanwhile
            assert numbers.get(CHAT) == 3
    async with first.of(CHAT):
        assert (here.get(CHAT), here.get(CHAT, "by", "x")) == (None, note)


async def test_what_another_version_keeps_is_left_alone(processes: list[SqlProcesses]) -> None:
    first, second = (ChatMemory(each) for each in processes)
    numbers, notes = Remembered[str](first, "notes", str), Remembered[Note](second, "notes", Note)
    async with first.of(CHAT):
        numbers.put(CHAT, value="no note")
    async with second.of(CHAT):
        assert notes.get(CHAT) is None


@dataclass(frozen=True)
class Bot:
    """What one process answers and reads with."""

    conversation: Conversation
    uploads: UploadQueue


@pytest.fixture
async def bots(postgresql: str, tmp_path: Path) -> AsyncIterator[list[Bot]]:
    """Of several processes with the same library."""
    url, world = await postgresql_url(postgresql), await populated()
    for name in ("plan1.pdf", "plan2.pdf"):
        world.pdf.documents[name] = text_reading(f"{PAPER.decode()} Das ist {name}.")
    async with AsyncExitStack() as stack:
        found = []
        for number in range(3):
            database = await Database.open(url)
            stack.push_async_callback(database.close)
            journal: Any = SqlJournal(database, PEOPLE, f"p{number}")
            here = SqlProcesses(database, f"p{number}")
            app = replace(world.app, journal=journal, processes=here)
            uploads = uploads_over(app, tmp_path)
            found.append(Bot(conversation_over(app, tmp_path, uploads), uploads))
        yield found


@pytest.fixture
def two(bots: list[Bot]) -> list[Conversation]:
    return [each.conversation for each in bots[:2]]


def text(reply: Reply) -> str:
    return "\n".join(map(str, reply.blocks)).replace("\u00a0", " ").replace("\u2060", "")


async def test_what_one_has_offered_another_takes(two: list[Conversation]) -> None:
    first, second = two
    assert "Meinten Sie Uferpartei?" in text(await say(first, "/partei Uverpartei", direct=True))
    assert "um die Uferpartei" in text(await say(second, "ja", direct=True, number="m2"))
    assert "um die Uferpartei" not in text(await say(first, "ja", direct=True, number="m3"))


async def test_a_text_that_says_the_same_again_is_known_to_another(two: list[Conversation]) -> None:
    first, second = two
    question = message("Was sagt die Uferpartei zum Mindestlohn?", direct=True)
    assert await first.handle(question, FakeStage()) is not None
    unfolded = replace(question, kind=MessageKind.EDIT, event="e2")
    assert await second.handle(unfolded, FakeStage()) is None
    changed = replace(unfolded, text="Was sagen die Windmüller zum Mindestlohn?", event="e3")
    assert await second.handle(changed, FakeStage()) is not None
    assert await first.handle(replace(changed, event="e4"), FakeStage()) is None


async def test_the_last_answer_is_known_to_another(two: list[Conversation]) -> None:
    first, second = two
    answer = await say(first, "Was sagt die Uferpartei zum Mindestlohn?", direct=True)
    assert "So kam die Antwort zustande" in text(await say(second, "/warum", direct=True, number="m2"))
    again = await say(second, "Was sagen die Windmüller zum Mindestlohn?", direct=True, number="m3")
    assert text(answer).splitlines()[-1] != text(again).splitlines()[-1], "what an answer is was told"


async def test_files_sent_one_by_one_are_told_in_one_receipt(bots: list[Bot]) -> None:
    """Two processes take them over, a third one reads them, and each knows what the receipt is about."""
    first, second, third = bots
    stage = FakeStage(files={"f1": PAPER, "f2": PAPER})
    for number, bot in enumerate((first, second), start=1):
        files = (Attachment(id=f"f{number}", name=f"plan{number}.pdf", size=100),)
        sent = message("", "staff-room", sender="sam", attachments=files, number=f"m{number}")
        await bot.conversation.handle(sent, stage)
    one, other = await third.uploads.waiting()
    assert other.first is not None
    assert other.first.ref == one.message.ref
    for job in (one, other):
        receipt = await third.uploads.work(job, stage)
        await third.uploads.drop(job)
    assert "2 Dateien" in text(receipt)
    confirmed = await say(first.conversation, "/ja", "staff-room", sender="sam", number="m3")
    assert text(confirmed).count("plan") == 2
    later = message("", "staff-room", sender="sam", attachments=(Attachment(id="f1", name="c.pdf"),))
    await second.conversation.handle(replace(later, event="m4", ref=replace(later.ref, message="m4")), stage)
    (job,) = await third.uploads.waiting()
    assert job.first is None, "somebody has looked at the receipt"


async def test_the_rate_of_a_token_holds_for_all(processes: list[SqlProcesses]) -> None:
    first, second = (Rates(FixedClock(), PEOPLE, each) for each in processes)
    assert await first.full_for("token desk", 2) == 0
    assert await second.full_for("token desk", 2, only_look=True) == 0
    assert await second.full_for("token desk", 2) == 0
    for each in (first, second):
        assert 1 <= await each.full_for("token desk", 2) <= 60
    assert await first.full_for("token other", 2) == 0
