"""What is remembered of talk in a room."""

from typing import Any

from adapters.matrix.events import Bot
from adapters.matrix.intake import EventTranslator, Room
from adapters.matrix.relations import Relations
from core.search.group_talk import ThreadTalk
from tests.support.fake_reading import AsksByItsMark

BOT = Bot(user_id="@bot:example.org", name="Fundstelle")
ROOM = Room(id="!room", direct=False)


class Homeserver:
    """Knows no event that did not come by."""

    async def call(self, method: str, path: str) -> dict[str, Any]:
        raise AssertionError(f"{method} {path}")


class Reading:
    """Takes every line to be for the bot, and keeps what it was told."""

    def __init__(self) -> None:
        self.told = list[str]()

    async def odds(self, before: str, line: str) -> float:
        self.told.append(f"{before} <- {line}")
        return 9.0

    async def warm_up(self) -> None:
        pass


def spoken(event: str, sender: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
    return {
        "type": "m.room.message",
        "event_id": event,
        "sender": sender,
        "origin_server_ts": 1_900_000_000_000 + minute * 60_000,
        "content": {"msgtype": "m.text", "body": text, **more},
    }


async def test_the_words_of_a_redacted_line_are_forgotten() -> None:
    reading = Reading()
    relations = Relations(Homeserver(), BOT.user_id)  # type: ignore[arg-type]
    translator = EventTranslator(BOT, relations, ThreadTalk(reading))
    thread = {"m.relates_to": {"rel_type": "m.thread", "event_id": "$root", "is_falling_back": True}}
    await translator.message(
        spoken("$root", "@ann:e.org", "@bot The fare?", 0, **{"m.mentions": {"user_ids": [BOT.user_id]}}),
        ROOM,
    )
    relations.wrote("$answer", "$root")
    await translator.message(spoken("$line", "@ben:e.org", "My doctor said no", 1, **thread), ROOM)
    redaction = {
        "type": "m.room.redaction",
        "event_id": "$taken",
        "sender": "@ben:e.org",
        "redacts": "$line",
        "origin_server_ts": 1_900_000_100_000,
        "content": {},
    }
    await translator.message(redaction, ROOM)
    await translator.message(spoken("$next", "@cem:e.org", "And rents?", 3, **thread), ROOM)
    assert reading.told[0].endswith("The fare? <- My doctor said no")
    assert "doctor" not in reading.told[1]
    assert reading.told[1].endswith("| B > bot:  <- And rents?")


MENTIONED = {"m.mentions": {"user_ids": [BOT.user_id]}}


def redaction(target: str, by: str = "@ann:e.org") -> dict[str, Any]:
    stamp = {"origin_server_ts": 1_900_000_100_000, "content": {}}
    return {"type": "m.room.redaction", "event_id": "$r", "sender": by, "redacts": target, **stamp}


def edit(target: str, text: str, **more: Any) -> dict[str, Any]:
    new = {"msgtype": "m.text", "body": text, **more}
    relation = {"rel_type": "m.replace", "event_id": target}
    return spoken("$e", "@ann:e.org", f"* {text}", 2, **{"m.new_content": new, "m.relates_to": relation})


def translating() -> tuple[EventTranslator, Relations]:
    relations = Relations(Homeserver(), BOT.user_id)  # type: ignore[arg-type]
    return EventTranslator(BOT, relations, ThreadTalk(AsksByItsMark())), relations


async def test_a_question_that_was_not_answered_yet_is_taken_back() -> None:
    """In a group, where the bot has written nothing by then."""
    translator, _ = translating()
    await translator.message(spoken("$q", "@ann:e.org", "@bot The fare?", 0, **MENTIONED), ROOM)
    gone = await translator.message(redaction("$q"), ROOM)
    assert gone is not None
    assert (gone.taken_back, gone.ref.message, gone.ref.thread, gone.addressed) == (True, "$q", "$q", True)


async def test_talk_that_is_taken_back_is_nobodys_business() -> None:
    translator, relations = translating()
    await translator.message(spoken("$line", "@ann:e.org", "lunch?", 0), ROOM)
    assert await translator.message(redaction("$line"), ROOM) is None
    relations.wrote("$answer", "$q")
    assert await translator.message(redaction("$answer"), ROOM) is None


async def test_what_came_before_the_start_may_have_been_a_question() -> None:
    translator, _ = translating()
    gone = await translator.message(redaction("$before"), ROOM)
    assert gone is not None
    assert (gone.taken_back, gone.ref.message) == (True, "$before")


async def test_an_edit_away_from_the_bot_takes_the_question_back() -> None:
    translator, _ = translating()
    await translator.message(spoken("$q", "@ann:e.org", "@bot The fare?", 0, **MENTIONED), ROOM)
    gone = await translator.message(edit("$q", "Lunch?"), ROOM)
    assert gone is not None
    assert (gone.taken_back, gone.ref.message) == (True, "$q")
    again = await translator.message(edit("$q", "@bot The fare?", **MENTIONED), ROOM)
    assert again is not None
    assert not again.taken_back
    await translator.message(spoken("$line", "@ann:e.org", "lunch?", 0), ROOM)
    assert await translator.message(edit("$line", "Lunch at two?"), ROOM) is None
