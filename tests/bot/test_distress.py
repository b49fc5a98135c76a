"""Who is in distress gets help lines, whatever stands before questions, and their words are kept nowhere."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.database.database import Database
from adapters.database.journal import SqlJournal
from bot.chat.asked import what_is_said
from bot.delivery.delivery import Delivery
from bot.delivery.sender import cancelled
from bot.library.scoping import ScopeOptions
from bot.presentation.help_lines import ABROAD, HelpLines, help_lines
from bot.presentation.i18n import catalogue, languages
from bot.settings.tree import load
from core.domain.answers import Outcome
from core.domain.journal import Pseudonyms
from core.domain.messages import Attachment, MessageKind, Reply
from core.question.turns import IN_DISTRESS, Distress, TurnKind
from tests.support.chat_harness import eventually
from tests.support.chats import conversation_over, message, say
from tests.support.databases import sqlite_url
from tests.support.fake_journal import KEY
from tests.support.fake_platform import NO_FILES, FakePlatform, ManualClock
from tests.support.fake_stage import FakeStage
from tests.support.world import populated

CRY = "mir gehts schlecht ich will nicht mehr leben wegen krollmann"
RARE = b"krollmann"
QUESTION = "Was sagt die Uferpartei zum Mindestlohn?"


def helps(reply: Reply, *words: str) -> bool:
    text = "\n".join(str(block) for block in reply.blocks)
    return all(word in text for word in words) and not (reply.files or reply.buttons or reply.trace)


@pytest.mark.parametrize(
    "said",
    [
        CRY,
        "/ask ich will nicht mehr leben",
        "compare ich will nicht mehr leben",
        "/motion ich will nicht mehr leben",
        "/xyz ich will nicht mehr leben",
        "hilfe ich bring mich um",
        "/verify Ich will nicht mehr leben.",
        "/summary ich will nicht mehr leben",
        "/references ich will nicht mehr leben",
        "/party ich will nicht mehr leben",
        "/new ich will nicht mehr leben",
    ],
)
@pytest.mark.parametrize("chat", ["public-room", "staff-room", "a chat that nobody has listed"])
async def test_it_comes_before_every_command_gate_and_limit(said: str, chat: str, tmp_path: Path) -> None:
    world = await populated()
    conversation = conversation_over(world.app, tmp_path, user_per_minute=1, day=1)
    await say(conversation, QUESTION)
    await say(conversation, QUESTION, number="m2")  # the limit is told of
    for number in range(3):
        assert helps(await say(conversation, said, chat, number=f"c{number}"), "TelefonSeelsorge", "116 123")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("j'en peux plus je veux en finir", "3114"),
        ("my husband says he'll kill me", "findahelpline.com"),
        ("der kleine hat spülmaschinentabs gegessen", "030 19240"),
    ],
)
async def test_it_is_met_in_its_language(said: str, words: str, tmp_path: Path) -> None:
    conversation = conversation_over((await populated()).app, tmp_path)
    assert helps(await say(conversation, said), words)


async def test_it_is_met_beside_a_file(tmp_path: Path) -> None:
    conversation = conversation_over((await populated()).app, tmp_path)
    file = (Attachment(id="f1", name="brief.pdf", size=100),)
    for chat in ("public-room", "staff-room"):
        reply = await say(conversation, CRY, chat, number=chat, attachments=file)
        assert helps(reply, "TelefonSeelsorge")


async def test_it_is_met_in_a_thread_after_an_answer(tmp_path: Path) -> None:
    conversation = conversation_over((await populated()).app, tmp_path)
    await say(conversation, QUESTION, thread="t1")
    assert helps(await say(conversation, CRY, number="m2", thread="t1"), "TelefonSeelsorge")


async def test_what_people_say_to_each_other_is_none_of_our_business(tmp_path: Path) -> None:
    conversation = conversation_over((await populated()).app, tmp_path)
    assert await conversation.handle(message(CRY, addressed=False), FakeStage()) is None


async def test_an_edit_to_it_is_met_as_well(tmp_path: Path) -> None:
    conversation = conversation_over((await populated()).app, tmp_path)
    await say(conversation, QUESTION)
    edited = message(CRY, kind=MessageKind.EDIT, event="e2")
    reply = await conversation.handle(edited, FakeStage())
    assert reply is not None
    assert helps(reply, "116 123")


async def test_the_thread_goes_on_as_if_it_had_not_been_said(tmp_path: Path) -> None:
    conversation = conversation_over((await populated()).app, tmp_path)
    await say(conversation, QUESTION, direct=True)
    await say(conversation, CRY, number="m2", direct=True)
    reply = await say(conversation, "Und die Windmüller?", number="m3", direct=True)
    assert "lehnen wir ab" in "\n".join(str(block) for block in reply.blocks)


@pytest.mark.parametrize("options", [ScopeOptions(), ScopeOptions(collections=("public",))])
async def test_asked_at_the_terminal_it_is_no_answer_from_a_document(options: ScopeOptions) -> None:
    questions = (await populated()).app.questions
    answer = await questions.ask(CRY, options)
    assert (answer.outcome, answer.citations, answer.claims) == (Outcome.INFO, (), ())
    assert [notice.key for notice in answer.notices] == ["info.distress.suicide"]
    assert await questions.journal.trace_of(message(CRY).ref) is None


class Serving:
    """Delivery and the real conversation over a database, on a platform that the test holds."""

    def __init__(self, journal: SqlJournal, tmp_path: Path) -> None:
        self.journal, self.platform, self.folder = journal, FakePlatform(name="console"), tmp_path

    async def start(self, **limits: int) -> None:
        world = await populated()
        app = replace(world.app, journal=self.journal)
        self.delivery = Delivery(
            journal=self.journal,
            conversation=conversation_over(app, self.folder, **limits),
            platforms={"console": self.platform},
            clock=ManualClock(),
            files=NO_FILES,
            workers=1,
            max_waiting=1,
        )
        self.task = asyncio.create_task(self.delivery.run())

    async def shows(self, words: str) -> None:
        async def there() -> bool:
            return any(words in text for text in self.platform.texts("public-room"))

        await eventually(there)


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    database = await Database.open(sqlite_url(tmp_path / "journal.sqlite3"))
    journal = SqlJournal(database, Pseudonyms(KEY))
    found = Serving(journal, tmp_path)
    await found.start()
    yield found
    await cancelled([found.task])
    await journal.close()


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_its_words_are_in_no_file_once_it_is_answered(
    serving: Serving, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await serving.platform.say(CRY, "public-room")
    await serving.shows("TelefonSeelsorge")

    async def gone() -> bool:
        return RARE not in bytes_of(tmp_path)

    await eventually(gone)
    await serving.platform.say(QUESTION, "public-room")  # of others everything stays for its term
    await serving.shows("15 Taler")
    assert b"Mindestlohn" in bytes_of(tmp_path)
    assert RARE.decode() not in caplog.text


async def test_a_full_queue_does_not_swallow_it(serving: Serving) -> None:
    asked = [serving.platform.message(QUESTION, "public-room") for _ in range(8)]
    await serving.platform.deliver(*asked, serving.platform.message(CRY, "public-room"))
    await serving.shows("TelefonSeelsorge")


SUICIDE = Distress(TurnKind.SUICIDE, "de")


@pytest.mark.parametrize(
    ("jurisdiction", "language", "set_country", "country"),
    [
        ("de-hh", "en", "", "de"),
        ("gb", "en", "", "uk"),
        ("uk-sct", "en", "", "uk"),
        ("at", "de", "de", "at"),
        ("nl", "de", "de", ABROAD),
        (None, "de", "ch", "ch"),
        (None, "en", "us", "us"),
        (None, "en", "gb", "uk"),
        (None, "de", "nl", ABROAD),
        ("eu", "fr", "", "fr"),
        ("xv-ho", "de", "", "de"),
        (None, "en", "", ABROAD),
    ],
)
def test_whose_help_lines(jurisdiction: str | None, language: str, set_country: str, country: str) -> None:
    assert HelpLines(country=set_country).country_of(jurisdiction, language) == country


def test_the_kind_decides_what_comes_first() -> None:
    first = {
        kind: HelpLines().notice(Distress(kind, "de"), "de").values["lines"].splitlines()[0]
        for kind in IN_DISTRESS
    }
    assert first[TurnKind.EMERGENCY] == first[TurnKind.VIOLENCE] == "- Notruf: 112"
    assert "TelefonSeelsorge" in first[TurnKind.SUICIDE]


def test_settings_replace_the_lines_of_a_country(tmp_path: Path) -> None:
    (tmp_path / "fundstelle.toml").write_text(
        '[help]\ncountry = "nl"\n[help.lines]\nnl = ["113: 0800-0113"]\n'
    )
    set_so = load(data=tmp_path, environment={}).settings.help
    told = HelpLines(country=set_so.country, own=set_so.lines).notice(SUICIDE, None)
    assert told.values["lines"] == "113: 0800-0113"


def test_every_line_has_words_in_every_language() -> None:
    needed = {f"help.{row['for']}" for rows in help_lines().values() for row in rows}
    for language in languages():
        assert needed <= catalogue(language).keys()
    assert {"de", "at", "ch", "fr", "uk", "ie", "us", "in", ABROAD} == help_lines().keys()
    assert json.dumps(help_lines()).count('"emergency') >= len(help_lines())


def test_ids_of_answers_and_documents_are_no_words() -> None:
    trace, document = "f35f303dbf704b62675720cb6148e7f8", "69a459f1-890f-586c-b395-13e8313523b9"
    assert what_is_said(message(f"/more {trace} 0")) == ("0",)
    assert what_is_said(message(f"/why {trace}")) == ()
    assert what_is_said(message(f"/page {document}")) == ()
    assert what_is_said(message("/ask I want to die")) == ("I want to die",)
