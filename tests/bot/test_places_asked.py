"""After an answer "and the second one?" is about the quote at that place; small talk is about none of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat.conversation import Conversation
from core.domain.messages import Reply
from core.question.followups import place_asked
from core.question.turns import TurnKind, TurnReader
from tests.support.chats import conversation_over, say
from tests.support.world import populated

FEES = "Was kostet die Anmeldung eines Hausboots in Hochau und in Seemoor?"


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    return conversation_over((await populated()).app, tmp_path)


def text_of(reply: Reply) -> str:
    return "\n".join(map(str, reply.blocks))


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("Und für den ersten?", 1),
        ("und das zweite?", 2),
        ("Und was ist mit dem dritten Zitat?", 3),
        ("and the second one?", 2),
        ("what about the first?", 1),
        ("et pour le premier ?", 1),
        ("et le deuxième ?", 2),
        ("Für den ersten Wohnsitz?", None),
        ("the first programme?", None),
        ("Was steht im zweiten Kapitel?", None),
        ("erstens", None),
    ],
)
def test_a_place_alone_is_read(asked: str, place: int | None) -> None:
    assert place_asked(asked) == place


@pytest.mark.parametrize("asked", ["Und für den zweiten?", "and the second one?", "et le deuxième ?"])
async def test_the_quote_at_a_place_comes_with_its_page(conversation: Conversation, asked: str) -> None:
    first = await say(conversation, FEES, direct=True)
    quoted = [price for price in ("40 Taler", "90 Taler") if price in text_of(first)]
    assert len(quoted) == 2
    order = sorted(quoted, key=text_of(first).index)
    reply = await say(conversation, asked, direct=True, number="m2")
    assert order[1] in text_of(reply)
    assert order[0] not in text_of(reply)
    assert len(reply.files) == 1


async def test_the_row_of_a_comparison_at_a_place(conversation: Conversation) -> None:
    await say(conversation, "/compare Mindestlohn", direct=True)
    reply = await say(conversation, "Und der zweite?", direct=True, number="m2")
    assert "lehnen wir ab" in text_of(reply)
    assert "15 Taler" not in text_of(reply)


@pytest.mark.parametrize(
    ("said", "words"),
    [("ça va ?", "Bonjour"), ("hi there", "Hello"), ("salut ça va", "Bonjour"), ("Moin", "Hallo")],
)
async def test_small_talk_is_not_added_to_the_question_before(
    conversation: Conversation, said: str, words: str
) -> None:
    await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?", direct=True)
    reply = await say(conversation, said, direct=True, number="m2")
    assert text_of(reply).startswith(words)
    assert "Mindestlohn" not in text_of(replace(reply, blocks=reply.blocks[:1]))
    assert "Verstanden als" not in text_of(reply)


@pytest.mark.parametrize("asked", ["Windmüller?", "die Windmüller?", "und Windmüller?"])
async def test_a_bare_name_after_a_question_is_asked_the_same(conversation: Conversation, asked: str) -> None:
    await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?", direct=True)
    assert "lehnen wir ab" in text_of(await say(conversation, asked, direct=True, number="m2"))


@pytest.mark.parametrize(("asked", "is_more"), [("mehr davon", True), ("mehr von den Windmüllern", False)])
async def test_more_that_names_somebody_is_a_question(
    conversation: Conversation, asked: str, is_more: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def more(self: TurnReader, text: str, *, asked: bool = False) -> TurnKind:
        return TurnKind.MORE

    await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?", direct=True)
    monkeypatch.setattr(TurnReader, "read", more)
    reply = await say(conversation, asked, direct=True, number="m2")
    assert ("lehnen wir ab" not in text_of(reply)) is is_more
