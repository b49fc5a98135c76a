"""What is no question to the library gets one line, no quotes; words about the last answer act on it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answers.questions import Questions
from bot.chat.conversation import Conversation
from core.domain.messages import Reply
from core.errors import Unavailable
from tests.support.chats import conversation_over, message, say
from tests.support.fake_stage import EVERYTHING, FakeStage
from tests.support.world import populated

QUESTION = "Was sagt die Uferpartei zum Mindestlohn?"


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    return conversation_over((await populated()).app, tmp_path)


def text_of(reply: Reply) -> str:
    return "\n".join(str(block) for block in reply.blocks)


def quoted(reply: Reply) -> set[str]:
    return set(re.findall(r"[„“«]\s*(.+?)\s*[“”»]", text_of(reply)))


def is_one_line(reply: Reply) -> bool:
    return not (reply.files or "15 Taler" in text_of(reply))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("du bist ja dümmer als meine oma", "tut mir leid"),
        ("you are useless", "Sorry"),
        ("was ist 17 mal 23", "nur aus den Programmen"),
        ("tell me a joke", "only answer from"),
        ("raconte une blague", "programmes et des lois"),
        ("würdest du die uferpartei wählen?", "rate niemandem"),
        ("ok und was wäre deine wahl", "rate niemandem"),
        ("moin", "Hallo"),
        ("Hallo", "Hallo"),
        ("Danke!", "Gern"),
        ("merci beaucoup", "vous en prie"),
        ("wer bist du", "wörtlichen Zitaten"),
        ("als tabelle bitte", "Das kann ich nicht"),
        ("woher hast du das", "Stellen Sie mir zuerst"),
    ],
)
async def test_in_private_it_is_met_with_one_line(said: str, words: str, conversation: Conversation) -> None:
    reply = await say(conversation, said, direct=True)
    assert words in text_of(reply)
    assert is_one_line(reply)


MADE_UP = "/verify Die Uferpartei will jedem Hund einen Reisepass aus Blech schenken."


async def test_words_that_stand_nowhere_come_with_the_nearest_pages(conversation: Conversation) -> None:
    reply = await say(conversation, MADE_UP, direct=True)
    assert "Nicht gefunden" in text_of(reply)
    assert "Die nächsten Stellen, zum Selbstlesen:\n1. " in text_of(reply)
    assert not reply.files
    assert reply.buttons


async def test_the_verdict_stands_where_nothing_can_be_searched(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise Unavailable("index.unreachable")

    monkeypatch.setattr(Questions, "nearest", fails)
    reply = await say(conversation, MADE_UP, direct=True)
    assert "Nicht gefunden" in text_of(reply)
    assert "Selbstlesen" not in text_of(reply)


@pytest.mark.parametrize(
    "said", ["danke dir", "thx mate", "bon voilà c'est réglé", "hätte ich nicht gedacht"]
)
async def test_in_groups_thanks_and_remarks_are_left_alone(said: str, conversation: Conversation) -> None:
    assert await conversation.handle(message(said), FakeStage()) is None


REACTING = replace(EVERYTHING, reactions=True)


@pytest.mark.parametrize(
    ("said", "sign"),
    [
        ("danke dir", "👍"),
        ("thx mate", "👍"),
        ("bon voilà c'est réglé", "👀"),
        ("hätte ich nicht gedacht", "👀"),
    ],
)
async def test_what_calls_the_bot_gets_a_sign(said: str, sign: str, conversation: Conversation) -> None:
    stage = FakeStage(REACTING)
    assert await conversation.handle(message(said, called=True), stage) is None
    assert stage.reacted == [sign]


async def test_where_nothing_can_be_reacted_to_a_remark_to_the_bot_gets_one_line(
    conversation: Conversation,
) -> None:
    told = await say(conversation, "hätte ich nicht gedacht", called=True)
    assert "keine Frage" in text_of(told) or "nicht nach einer Frage" in text_of(told)


async def test_thanks_in_private_get_a_reaction_and_no_words(conversation: Conversation) -> None:
    stage = FakeStage(REACTING)
    assert await conversation.handle(message("Danke!", direct=True), stage) is None
    assert stage.reacted == ["👍"]


async def test_a_reply_that_is_for_others_is_seen_and_not_answered(conversation: Conversation) -> None:
    stage = FakeStage(REACTING)
    told = message(QUESTION, called=True, addressed=False)
    assert await conversation.handle(told, stage) is None
    assert stage.reacted == ["👀"]


async def test_distress_in_a_reply_that_seems_for_others_gets_help(conversation: Conversation) -> None:
    told = message("ich will nicht mehr leben", called=True, addressed=False)
    reply = await conversation.handle(told, FakeStage(REACTING))
    assert reply is not None
    assert "TelefonSeelsorge" in text_of(reply)


async def test_a_chat_that_nobody_has_listed_gets_no_sign(conversation: Conversation) -> None:
    stage = FakeStage(REACTING)
    assert await conversation.handle(message("danke dir", "elsewhere", called=True), stage) is None
    assert stage.reacted == []


@pytest.mark.parametrize(
    "said",
    [
        "was will die uferpartei beim mindestlohn",
        "uferpartei mindestlohn",
        "hallo, was sagt die uferpartei zum mindestlohn",
    ],
)
async def test_questions_need_no_question_mark(said: str, conversation: Conversation) -> None:
    assert "15 Taler" in text_of(await say(conversation, said))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("quelle?", "Das steht hier"),
        ("woher hast du das", "Das steht hier"),
        ("stimmt das?", "Wort für Wort"),
        ("wer sagt das", "Zitiert wurde"),
        ("seit wann gilt das", "mit ihrem Datum"),
        ("und heute?", "Fassungen"),
        ("welche seite", "die Seite hängt an"),
        ("source?", "[S1]"),
        ("und was steht direkt danach?", "Davor und danach"),
        ("das war nicht meine frage", "falsch verstanden"),
    ],
)
async def test_words_about_the_last_answer(said: str, words: str, conversation: Conversation) -> None:
    await say(conversation, QUESTION, direct=True)
    reply = await say(conversation, said, number="m2", direct=True)
    assert words in text_of(reply)
    assert "falsch" in words or "[S1] ufer25" in text_of(reply)
    assert bool(reply.files) is ("seite" in said or "danach" in said)


@pytest.mark.parametrize("between", ["danke!", "moin", "was ist 17 mal 23"])
async def test_the_last_answer_is_the_last_one_to_a_question(
    between: str, conversation: Conversation
) -> None:
    await say(conversation, QUESTION, direct=True)
    await say(conversation, between, number="m2", direct=True)
    reply = await say(conversation, "quelle?", number="m3", direct=True)
    assert "[S1] ufer25" in text_of(reply)


async def test_shorter_is_the_first_quote_alone(conversation: Conversation) -> None:
    await say(conversation, QUESTION, direct=True)
    reply = await say(conversation, "kürzer bitte", number="m2", direct=True)
    assert "15 Taler" in text_of(reply)
    assert text_of(reply).count("[S") == 1


async def test_what_was_asked_before_is_compared(conversation: Conversation) -> None:
    await say(conversation, QUESTION, direct=True)
    told = text_of(await say(conversation, "vergleich mal mit den Windmüllern", number="m2", direct=True))
    assert "lehnen wir ab" in told
    assert "Mal mit" not in told


async def test_another_language_is_set_and_the_last_answer_said_in_it(conversation: Conversation) -> None:
    quotes = quoted(await say(conversation, QUESTION, direct=True))
    reply = await say(conversation, "auf englisch bitte", number="m2", direct=True)
    assert "I answer in English" in text_of(reply)
    assert quotes
    assert quotes <= quoted(reply)
    assert "p. 1" in text_of(reply)
    assert "I answer in English" in text_of(await say(conversation, "/language en", number="m3", direct=True))


QUOTED = "Der Mindestlohn steigt auf 15 Taler in der Stunde."


@pytest.mark.parametrize(
    "said",
    [
        *("stimmt das?", "ist das echt?", "check", "is this real?", "c'est vrai ?", "quelle?", "/verify"),
        "erfunden?",
        *("hat die Uferpartei das wirklich gesagt?", "did the Riverside Party really say that?", ""),
    ],
)
async def test_words_of_somebody_else_are_checked(said: str, conversation: Conversation) -> None:
    reply = await say(conversation, said, shown=f"Übrigens: „{QUOTED}“")
    assert "✅" in text_of(reply)
    assert reply.files


@pytest.mark.parametrize(
    "said",
    [
        "Did anyone from the Windmillers ever say „Einen Mindestlohn lehnen wir ab.“?",
        "Angeblich schreiben die Windmüller „Einen Mindestlohn lehnen wir ab.“ - ist da was dran?",
        "„Einen Mindestlohn lehnen wir ab.“ – stimmt das?",
        "„Einen Mindestlohn lehnen wir ab.“ - wer sagt das?",
        "Haben die Windmüller allen Ernstes „Einen Mindestlohn lehnen wir ab.“ geschrieben? Unfassbar",
        "« Einen Mindestlohn lehnen wir ab. » c'est bien dans leur programme, aux Windmüller ?",
    ],
)
async def test_a_quoted_sentence_in_a_question_is_checked(said: str, conversation: Conversation) -> None:
    assert "✅" in text_of(await say(conversation, said))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "Der Landrat kauft die Insel für 5 Euro, denn „Einen Mindestlohn lehnen wir ab.“",
            "für sich genommen",
        ),
        ("The harbour is sold off tomorrow, and “Einen Mindestlohn lehnen wir ab.”", "by themselves"),
    ],
)
async def test_that_quoted_words_stand_there_is_said_if_the_rest_is_nowhere(
    said: str, told: str, conversation: Conversation
) -> None:
    reply = text_of(await say(conversation, f"/verify {said}"))
    assert "✅" not in reply
    assert told in reply


async def test_a_statement_behind_a_colon_is_checked(conversation: Conversation) -> None:
    said = "vrai ou faux ?? trouvé sur facebook : Der Mindestlohn steigt auf 25 Taler in der Stunde."
    assert "❌" in text_of(await say(conversation, said))
    said = "Kurze Frage an alle hier: Wie hoch soll der Mindestlohn nach dem Programm werden?"
    told = text_of(await say(conversation, said))
    assert not any(sign in told for sign in "❌⚠✅")


async def test_a_question_what_is_meant_by_quoted_words_is_a_question(conversation: Conversation) -> None:
    told = await say(conversation, "Was hält die Uferpartei von „Löhne handeln die Tarifpartner aus“?")
    assert not any(sign in text_of(told) for sign in "❌⚠✅")


async def test_who_is_named_in_the_question_is_who_must_have_said_it(conversation: Conversation) -> None:
    told = await say(conversation, "haben das die Windmüller gesagt?", shown=QUOTED)
    assert "✅" not in text_of(told)
    assert "ufer25" in text_of(told)


async def test_a_question_beside_words_of_somebody_else_is_a_question(conversation: Conversation) -> None:
    told = await say(conversation, QUESTION, shown="Ich finde, die Mieten sind zu hoch.")
    assert "15 Taler" in text_of(told)
    assert not any(sign in text_of(told) for sign in "❌⚠✅")


async def test_a_question_that_is_handed_on_is_a_question(conversation: Conversation) -> None:
    told = await say(conversation, "", shown=QUESTION)
    assert "15 Taler" in text_of(told)


async def test_who_shows_words_of_somebody_in_distress_is_told_where_help_is(
    conversation: Conversation,
) -> None:
    told = await say(conversation, "stimmt das?", shown="ich will nicht mehr leben")
    assert "TelefonSeelsorge" in text_of(told)


async def test_an_alleged_quote_is_checked(conversation: Conversation) -> None:
    said = "Hat die Uferpartei wirklich gesagt: „Der Mindestlohn wird auf 90 Taler steigen“?"
    told = text_of(await say(conversation, said))
    assert any(sign in told for sign in "❌⚠✅")
