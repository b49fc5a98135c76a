"""What is remembered of talk in a room."""

from typing import Any

from adapters.matrix.events import Bot
from adapters.matrix.intake import EventTranslator, Room
from adapters.matrix.relations import Relations

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
    translator = EventTranslator(BOT, relations, reading)
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
