""" "And the others?" shows what all other parties say on it, or who has nothing; in one language."""

from pathlib import Path

import pytest

from bot.chat.conversation import Conversation
from core.domain.messages import Reply
from tests.support.chats import conversation_over, say
from tests.support.world import populated


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    return conversation_over((await populated()).app, tmp_path)


def text(reply: Reply) -> str:
    return "\n".join(map(str, reply.blocks)).replace("\u00a0", " ")


async def then(conversation: Conversation, *lines: str) -> str:
    for number, line in enumerate(lines):
        said = text(await say(conversation, line, direct=True, number=f"m{number}"))
    return said


@pytest.mark.parametrize(
    "asked",
    [
        "und die anderen?",
        "Was sagen die anderen dazu?",
        "und der rest?",
        "and the others?",
        "et les autres ?",
    ],
)
async def test_the_others_speak_on_the_topic_of_the_answer_before(conversation, asked):
    said = await then(conversation, "Was sagt die Uferpartei zum Mindestlohn?", asked)
    assert "lehnen wir ab" in said
    assert "15 Taler" not in said


async def test_who_was_quoted_counts_where_the_question_named_nobody(conversation):
    first = await then(conversation, "Wie hoch soll der Mindestlohn sein?")
    said = await then(conversation, "Wie hoch soll der Mindestlohn sein?", "und die anderen?")
    assert ("lehnen wir ab" in first) is not ("lehnen wir ab" in said)
    assert ("15 Taler" in first) is not ("15 Taler" in said)


async def test_others_who_have_nothing_are_named(conversation):
    said = await then(conversation, "Was sagt die Uferpartei zu Wohnungen?", "und die anderen?")
    assert "Windmüller\nNichts dazu gefunden." in said


async def test_there_are_no_others_once_all_have_spoken(conversation):
    said = await then(conversation, "Was sagen die Parteien zum Mindestlohn?", "und die anderen?")
    assert said == "Mehr steht dazu nicht in dem, was gefunden wurde."


async def test_the_thread_stays_with_its_question(conversation):
    said = await then(
        conversation, "Was sagt die Uferpartei zum Mindestlohn?", "und die anderen?", "und die Uferpartei?"
    )
    assert "15 Taler" in said


@pytest.mark.parametrize(
    ("earlier", "asked", "words", "foreign"),
    [
        (
            "Was sagt die Uferpartei zum Mindestlohn?",
            "et les autres ?",
            "Recherche ",
            ["Gesucht ", "Searched"],
        ),
        (
            "Was sagt die Uferpartei zum Mindestlohn?",
            "and the others?",
            "Searched",
            ["Gesucht ", "Recherche "],
        ),
        (
            "Was sagt die Uferpartei zum Mindestlohn?",
            "et le parti Windmüller ?",
            "état du",
            ["Stand", "Gesucht ", "Verstanden als", "Compris", "Was sagt"],
        ),
        (
            "What does the Uferpartei say about the Mindestlohn?",
            "und die Windmüller?",
            "(Stand 1. Mai",
            ["as of", "Searched", "What does", "Understood"],
        ),
        ("What does the Uferpartei say about the Mindestlohn?", "Windmüller?", "as of", ["(Stand"]),
    ],
)
async def test_a_follow_up_in_another_language_is_answered_in_that_alone(
    conversation, earlier, asked, words, foreign
):
    said = await then(conversation, earlier, asked)
    assert words in said
    assert not [each for each in foreign if each in said]


async def test_the_language_of_the_chat_comes_first(conversation):
    said = await then(
        conversation, "/language en", "Was sagt die Uferpartei zum Mindestlohn?", "et les autres ?"
    )
    assert "Searched" in said
    assert "Recherche" not in said
