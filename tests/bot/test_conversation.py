"""The conversation in a small world: questions, commands, scopes; what others may not see."""

import asyncio
import re
import tomllib
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.answers.questions import Questions
from bot.chat.conversation import Conversation
from bot.chat.questions import FOLLOW_UP, MONOLOGUE
from bot.settings.platforms import ChatSettings
from core.domain.documents import DocumentType
from core.domain.messages import Attachment, Exposure, MessageKind, Reply
from core.domain.rich_text import Style, rich
from tests.support.chats import conversation_over, message, say
from tests.support.fake_stage import EVERYTHING, FakeStage
from tests.support.world import UFER_2025, World, populated


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    return conversation_over((await populated()).app, tmp_path)


def text(reply: Reply) -> str:
    return "\n".join(reply.blocks)


async def test_a_question_gets_quotes_and_pages(conversation):
    reply = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?")
    assert "Der Mindestlohn steigt auf 15 Taler in der Stunde." in text(reply)
    assert any(block.startswith("Uferpartei · Mindestlohn\n„") for block in reply.blocks)
    assert "ufer25 (Stand 1. Mai 2025), S. 1" in text(reply)
    assert 1 <= len(reply.files) <= 3
    assert all(file.path.exists() for file in reply.files)
    assert reply.files[0].name == "uferpartei-ufer25-s1.pdf"


async def test_the_newest_edition_answers_unless_a_year_is_named(conversation):
    now = await say(conversation, "Wie viele Wohnungen will die Uferpartei bauen?")
    then = await say(conversation, "Wie viele Wohnungen wollte die Uferpartei 2021 bauen?")
    assert "6.000" in text(now)
    assert "4.000" not in text(now)
    assert "4.000" in text(then)
    assert "6.000" not in text(then)


async def test_a_party_without_documents_is_named(conversation):
    reply = await say(conversation, "Was sagen die Drachenflieger zum Mindestlohn?")
    assert "Keine Quelle in der Bibliothek für die Drachenflieger" in text(reply)
    assert reply.files == ()


async def test_the_jurisdiction_of_a_chat_decides(conversation):
    question = "Was kostet die Anmeldung eines Hausboots?"
    assert "Hochau (xv-ho)" in text(await say(conversation, "/jurisdiction xv-ho"))
    reply = await say(conversation, question)
    assert "90 Taler" in text(reply)
    assert "40 Taler" not in text(reply)
    await say(conversation, "/ort Seemoor")
    reply = await say(conversation, question)
    assert "40 Taler" in text(reply)
    assert "90 Taler" not in text(reply)


async def test_a_place_in_the_question_wins_over_the_chat(conversation):
    await say(conversation, "/jurisdiction xv-ho")
    reply = await say(conversation, "Was kostet die Anmeldung eines Hausboots in Seemoor?")
    assert "40 Taler" in text(reply)
    assert "90 Taler" not in text(reply)


async def test_chats_do_not_share_what_they_set(conversation):
    await say(conversation, "/jurisdiction xv-ho", chat="staff-room")
    assert "Kein Ort ist gesetzt" in text(await say(conversation, "/ort"))


async def test_an_internal_paper_is_for_its_chat_only(conversation):
    question = "Was steht im Plan KANARIENVOGEL zum Mindestlohn?"
    public = await say(conversation, question)
    assert "KANARIENVOGEL" not in text(public)
    assert not any("intern" in file.caption for file in public.files)
    assert "KANARIENVOGEL" in text(await say(conversation, question, chat="staff-room"))
    assert "intern" not in text(await say(conversation, "/sources"))
    assert "intern" in text(await say(conversation, "/sources", chat="staff-room"))


async def test_an_internal_page_cannot_be_fetched_by_name(conversation):
    reply = await say(conversation, "/page intern.pdf 1")
    assert reply.files == ()
    assert "gibt es nicht" in text(reply) or "no document" in text(reply)


async def test_an_unknown_chat_gets_help_and_ids_only(conversation):
    reply = await say(conversation, "Was steht im Plan KANARIENVOGEL?", chat="somewhere")
    assert "KANARIENVOGEL" not in text(reply)
    assert "somewhere" in text(reply)
    assert "somewhere" in text(await say(conversation, "/id", chat="somewhere"))
    assert "/ort" in text(await say(conversation, "/help", chat="somewhere"))
    assert await conversation.handle(message("/sources", "somewhere"), FakeStage()) is None, "it stands above"
    assert "somewhere" in text(await say(conversation, "/sources", chat="somewhere else"))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/kaffee", "kaffee"),
        ("/jurisdiction xv-hoo", "xv-ho"),
        ("/party Uverpartei", "Uferpartei"),
        ("/verify", "verify"),
        ("/ask", "ask"),
        ("/page", "page"),
        ("/page ufer25.pdf 9", "9"),
        ("/page uffer25.pdf 1", "ufer25"),
        ("/language xx", "language clear"),
        ("/about", "https://example.org/source"),
        ("/help", "/jurisdiction"),
        ("/ort list", "xv-se"),
    ],
)
async def test_every_command_says_what_to_do(conversation, line, says):
    assert says in text(await say(conversation, line))


async def test_a_party_can_be_set_and_cleared(conversation):
    await say(conversation, "/party Windmillers")
    reply = await say(conversation, "Was ist mit dem Mindestlohn?")
    assert "lehnen wir ab" in text(reply)
    assert "15 Taler" not in text(reply)
    assert "Gesucht bei den Windmüllern" in text(reply)
    await say(conversation, "/party clear")
    everywhere = text(await say(conversation, "Was ist mit dem Mindestlohn?"))
    assert "Gesucht" not in everywhere  # what was searched is said once, and where it is not plain


async def test_a_party_that_the_question_names_comes_before_the_one_that_is_set(conversation):
    await say(conversation, "/party Windmillers")
    other = text(await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?"))
    assert "15 Taler" in other
    assert "lehnen wir ab" not in other
    assert "wind25" in text(await say(conversation, "/sources"))
    assert "15 Taler" in text(await say(conversation, "Welche Partei will 15 Taler Mindestlohn?"))


async def test_what_the_party_of_a_chat_keeps_back_is_said(conversation):
    question = "Was kostet die Anmeldung eines Hausboots in Hochau?"
    assert "90 Taler" in text(await say(conversation, question))
    await say(conversation, "/party Windmillers")
    kept_back = text(await say(conversation, question))
    assert "90 Taler" not in kept_back
    assert "In diesem Chat wird nur bei den Windmüllern gesucht" in kept_back
    assert "/partei weg" in kept_back
    own = text(await say(conversation, "Was sagen die Windmüller zum Mindestlohn?"))
    assert "In diesem Chat" not in own


async def test_that_the_place_of_a_chat_has_no_source_is_said_once(conversation):
    lacking = "Keine Quelle in der Bibliothek für Hochau selbst"
    await say(conversation, "/jurisdiction xv-ho")
    assert lacking in text(await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?"))
    assert lacking not in text(await say(conversation, "Was sagen die Windmüller zum Mindestlohn?"))
    named = await say(conversation, "Was sagt die Uferpartei in Hochau zum Mindestlohn?")
    assert lacking in text(named), "who asks for the place has to hear it"
    other = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?", thread="t2")
    assert lacking in text(other), "another thread was not told"


async def test_where_another_party_was_searched_is_said(conversation):
    await say(conversation, "/party Windmillers")
    for _ in range(2):
        other = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?")
        assert "Gesucht bei der Uferpartei" in text(other)
    own = await say(conversation, "Was sagen die Windmüller zum Mindestlohn?")
    assert "Gesucht" not in text(own)


async def test_a_translation_is_said_to_be_none_of_the_sources_words(conversation):
    english = "/verify Uferpartei: The minimum wage for all employees rises to fifteen thalers an hour."
    assert "a translation is never verbatim" in text(await say(conversation, english))
    german = "/verify Uferpartei: Alle Fahrräder werden ab dem kommenden Frühling kostenlos repariert."
    assert "Übersetzung" not in text(await say(conversation, german))


async def test_what_stands_behind_a_label_is_sent_again_on_request(conversation):
    answer = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?", direct=True)
    reply = await say(conversation, "/page S1", direct=True)
    assert text(reply).startswith("[S1]")
    assert [file.path for file in reply.files] == [answer.files[0].path]
    assert "S1" in text(await say(conversation, "seite S9", direct=True))
    assert "S9" in text(await say(conversation, "/seite [s9]", direct=True))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/jurisdiction list", "Places:"),
        ("/ort liste", "Orte:"),
        ("/page S", "Write the document"),
        ("/seite S", "Schreiben Sie Dokument"),
        ("/sprache de", "auf Deutsch"),
    ],
)
async def test_a_command_is_answered_in_the_language_of_its_word(conversation, line, says):
    assert says in text(await say(conversation, line))


async def test_commands_by_the_name_that_all_chats_know_are_answered_in_the_language_of_theirs(conversation):
    await say(conversation, "Was sagen die Windmüller zum Mindestlohn?")
    assert "Orte:" in text(await say(conversation, "/jurisdiction list"))
    assert "Places:" in text(await say(conversation, "/place list"))
    asked = "/ask What do the Windmillers say about the minimum wage?"
    assert "p. 1" in text(await say(conversation, asked))


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("hilfe", "Befehle"),
        ("aide", "Commandes"),
        ("help", "Commands"),
        ("hallo", "Hallo!"),
        ("salut", "Bonjour"),
    ],
)
async def test_one_word_is_answered_in_its_language(conversation, said, answered):
    assert answered in text(await say(conversation, said))


async def test_a_word_of_several_languages_is_answered_in_that_of_its_chat(conversation):
    await say(conversation, "Quel est le montant du salaire minimum par heure ?")
    assert "Écrivez" in text(await say(conversation, "/page", number="m2"))


async def test_our_words_follow_the_language_of_the_question_or_of_the_chat(conversation):
    english = await say(conversation, "What do the Windmillers say about the minimum wage?")
    assert "Quotes are taken word for word" in text(english)
    await say(conversation, "/language de")
    german = await say(conversation, "What do the Windmillers say about the minimum wage?")
    assert "S. 1" in text(german)


async def test_a_quote_can_be_verified(conversation):
    real = await say(conversation, "/verify Der Mindestlohn steigt auf 15 Taler in der Stunde.")
    assert "Wörtlich" in text(real)
    assert len(real.files) == 1
    false = await say(conversation, "/verify Der Mindestlohn steigt auf 19 Taler in der Stunde.")
    assert text(false).startswith("❌ So nicht. Das Dokument sagt:")
    block = rich(false.blocks[1])
    assert [block.text[start:end] for start, end in block.ranges(Style.STRUCK)] == ["19"]
    assert [block.text[start:end] for start, end in block.ranges(Style.BOLD)] == ["15"]
    assert "Die Zahl ist eine andere." in block.text


async def test_the_nearest_words_of_who_is_named_come_first(conversation):
    """Both parties speak of the minimum wage; the one that is named is shown, and who says it if not they."""
    said = "Uferpartei: Der Mindestlohn sinkt auf 15 Taler in der Stunde."
    named = await say(conversation, f"/verify {said}")
    assert "ufer25" in text(named)
    real = await say(conversation, "/verify Windmüller: Der Mindestlohn steigt auf 15 Taler in der Stunde.")
    assert text(real).startswith("❌ Echt, aber nicht von dort. Die Worte stehen hier: Uferpartei")


async def test_altered_words_of_another_are_said_to_stand_elsewhere(conversation):
    altered = "Der Mindestlohn steigt auf 19 Taler in der Stunde."
    elsewhere = "Dort, woher diese Worte sein sollen, steht nichts Ähnliches; nur hier."
    assert elsewhere in text(await say(conversation, f"/verify Windmüller: {altered}"))
    assert elsewhere not in text(await say(conversation, f"/verify Uferpartei: {altered}", number="2"))
    assert elsewhere not in text(await say(conversation, f"/verify {altered}", number="3"))


@pytest.mark.parametrize(
    "lead_in", ["Die Uferpartei:", "Laut Uferpartei:", "Im Programm der Uferpartei steht:", "Jemand schrieb:"]
)
async def test_what_leads_in_to_a_quote_is_none_of_its_words(conversation, lead_in):
    words = "„Der Mindestlohn steigt auf 19 Taler in der Stunde.“"
    said = text(await say(conversation, f"/verify {lead_in} {words}"))
    assert said.startswith(text(await say(conversation, f"/verify {words}", number="2")))
    assert said.startswith("❌ So nicht. Das Dokument sagt:")


async def test_greetings_get_help_not_quotes(conversation):
    reply = await say(conversation, "Hallo!")
    assert reply.files == ()
    assert "Hallo" in text(reply)


async def test_an_empty_or_endless_question_gets_a_word(conversation):
    assert "2000" in text(await say(conversation, "Warum? " * 400))


async def test_a_fault_becomes_a_message_and_goes_to_the_log(conversation, monkeypatch, caplog):
    async def breaks(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(Questions, "ask", breaks)
    reply = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?")
    assert "schiefgegangen" in text(reply)
    assert "secret" not in text(reply)
    assert "could not be handled" in caplog.text


UNDERSTOOD = "Mindestlohn?"
MINIMUM_WAGE = "Was sagt die Uferpartei zum Mindestlohn?"


async def test_a_follow_up_belongs_to_its_thread(conversation):
    await say(conversation, MINIMUM_WAGE, thread="t1")
    follow_up = "Und die Windmüller?"
    followed = text(await say(conversation, follow_up, thread="t1", number="m2"))
    assert "lehnen wir ab" in followed
    assert UNDERSTOOD in followed
    assert UNDERSTOOD not in text(await say(conversation, follow_up, thread="t2", number="m3"))


async def test_what_was_meant_instead_takes_the_place_of_what_was_asked(conversation):
    await say(conversation, MINIMUM_WAGE)
    instead = text(await say(conversation, "nein, ich meinte die Windmüller", number="m2"))
    assert "lehnen wir ab" in instead
    assert UNDERSTOOD in instead


async def test_a_topic_that_was_meant_instead_is_asked_alone(conversation):
    await say(conversation, "Was kostet die Anmeldung eines Hausboots in Seemoor?")
    instead = text(await say(conversation, "nein, ich meinte den Mindestlohn", number="m2"))
    assert "lehnen wir ab" in instead
    assert "Hausboot" not in instead


async def test_a_person_goes_on_where_there_are_no_threads(conversation):
    await say(conversation, MINIMUM_WAGE)
    follow_up = "Und die Windmüller?"
    assert UNDERSTOOD in text(await say(conversation, follow_up, number="m2"))
    assert UNDERSTOOD not in text(await say(conversation, follow_up, number="m3", sender="ben"))
    hidden = {"number": "m4", "sender": ""}
    await say(conversation, MINIMUM_WAGE, **hidden)
    assert UNDERSTOOD not in text(await say(conversation, follow_up, **hidden | {"number": "m5"}))
    whole = await say(conversation, "Was kostet die Anmeldung eines Hausboots in Seemoor?", number="m6")
    assert "40 Taler" in text(whole)
    assert UNDERSTOOD not in text(whole)


async def test_a_person_goes_on_in_a_new_thread_but_not_in_that_of_others(conversation):
    await say(conversation, MINIMUM_WAGE, number="m1", thread="m1")
    follow_up = "Und die Windmüller?"
    assert UNDERSTOOD in text(await say(conversation, follow_up, number="m2", thread="m2"))
    assert UNDERSTOOD not in text(await say(conversation, follow_up, number="m4", thread="m3"))


async def test_a_person_goes_on_for_minutes_only(conversation):
    await say(conversation, MINIMUM_WAGE)
    conversation.clock.at += MONOLOGUE + timedelta(seconds=1)
    assert UNDERSTOOD not in text(await say(conversation, "Und die Windmüller?", number="m2"))


async def test_new_forgets_what_a_person_asked(conversation):
    await say(conversation, MINIMUM_WAGE)
    await say(conversation, "/new", number="m2")
    assert UNDERSTOOD not in text(await say(conversation, "Und die Windmüller?", number="m3"))


async def test_a_party_that_is_set_holds_from_the_next_question_on(conversation):
    await say(conversation, MINIMUM_WAGE)
    await say(conversation, "/party Windmillers", number="m2")
    reply = text(await say(conversation, "Was ist mit dem Mindestlohn?", number="m3"))
    assert UNDERSTOOD not in reply
    assert "lehnen wir ab" in reply


async def test_a_question_in_a_chat_that_is_not_listed_gets_the_lines_that_list_it(conversation):
    reply = text(await say(conversation, MINIMUM_WAGE, "somewhere"))
    assert '[[chat]]\nplatform = "console"\nid = "somewhere"\naudience = "public"' in reply
    assert {"/hilfe", "/id"} <= {*reply.replace(".", " ").split()}  # commands as they are typed


HARBOURS = [
    f"Hafen {name}\n\nEin Hausboot zahlt im Hafen {name} eine Gebühr von {fee} Talern. Die Gebühr ist am"
    f" Kai {name} zu zahlen. Wer nicht zahlt, verliert seinen Platz."
    for fee, name in enumerate(("Alt", "Neu", "Nord", "Ost", "West", "Mitte", "Anger", "Bruch"), start=20)
]
HARBOUR_FEE = "Welche Gebühr zahlt ein Hausboot im Hafen?"


@pytest.fixture
async def harbours(tmp_path: Path) -> Conversation:
    world = await populated()
    await world.add("haefen.pdf", *HARBOURS, jurisdiction="xv", doc_type=DocumentType.GUIDANCE)
    return conversation_over(world.app, tmp_path)


@pytest.mark.parametrize("more", ["Und was noch?", "mehr?", "more?", "und warum?", "Pourquoi ?"])
async def test_more_is_never_what_was_said_already(harbours, more):
    conversation = harbours
    first = await say(conversation, HARBOUR_FEE)
    seen = quoted(first)
    for number in range(2, 12):
        further = await say(conversation, more, number=f"m{number}")
        assert not seen & quoted(further)
        assert further.trace is None
        if not quoted(further):
            break
        seen |= quoted(further)
    else:
        raise AssertionError("it never ends")
    assert len(seen) > len(quoted(first))


async def test_the_word_more_alone_shows_further_places_when_no_page_is_left(harbours):
    seen = quoted(await say(harbours, HARBOUR_FEE, direct=True))
    for number in range(2, 12):
        reply = await say(harbours, "mehr", number=f"m{number}", direct=True)
        if quoted(reply):
            break
    assert quoted(reply) - seen


async def test_asked_why_it_shows_the_sentences_beside_the_quote_once(harbours):
    await say(harbours, HARBOUR_FEE)
    reply = await say(harbours, "und warum wollen die das?", number="m2")
    assert "Davor und danach" in text(reply)
    assert "ist am Kai" in text(reply)
    assert reply.files
    assert "Davor und danach" not in text(await say(harbours, "warum?", number="m3"))


def quoted(reply: Reply) -> set[str]:
    return set(re.findall(r"[„“«]\s*(.+?)\s*[“”»]", text(reply)))


async def test_an_offered_place_is_called_by_its_number_where_there_are_no_buttons(harbours):
    conversation = harbours
    stage = FakeStage(capabilities=replace(EVERYTHING, buttons=False, command_prefix="!"))
    answer = await say(conversation, HARBOUR_FEE, stage=stage)
    told = await say(conversation, f"/feedback wrong {answer.trace}", stage=stage, number="m2")
    assert "1. " in text(told)
    assert "!seite 1, !seite 2" in text(told)
    page = await say(conversation, "/seite 1", stage=stage, number="m3")
    assert len(page.files) == 1


async def test_an_offered_place_has_a_button(harbours):
    conversation = harbours
    answer = await say(conversation, HARBOUR_FEE)
    told = await say(conversation, f"/feedback wrong {answer.trace}", number="m2")
    commands = [button.command for row in told.buttons for button in row]
    assert len(commands) == len(re.findall(r"(?m)^\d\. ", text(told))) > 0
    assert (await say(conversation, commands[0], number="m3")).files


async def test_new_forgets_the_thread(conversation):
    await say(conversation, MINIMUM_WAGE, thread="t1")
    await say(conversation, "/new", thread="t1", number="m2")
    reply = await say(conversation, "Und die Windmüller?", thread="t1", number="m3")
    assert UNDERSTOOD not in text(reply)


async def test_a_thread_is_not_carried_into_another_chat(conversation):
    await say(conversation, "Was steht im Plan KANARIENVOGEL zum Mindestlohn?", "staff-room", direct=True)
    reply = await say(conversation, "Und was noch?", direct=True, number="m2")
    assert "KANARIENVOGEL" not in text(reply)


OPEN = Exposure(closed=False, direct=False, why_open="chat.public")


@pytest.mark.parametrize("exposure", [OPEN, None], ids=["open", "unconfirmed"])
async def test_a_staff_chat_that_others_read_is_refused_with_a_word_why(conversation, exposure):
    reply = await say(
        conversation, "Was steht im Plan KANARIENVOGEL?", "staff-room", FakeStage(exposures=[exposure])
    )
    assert "KANARIENVOGEL" not in text(reply)
    assert "mitlesen" in text(reply)
    assert reply.files == ()


async def test_a_chat_that_opens_while_the_answer_is_made_does_not_get_it(conversation):
    closed = Exposure(closed=True, direct=False)
    stage = FakeStage(exposures=[closed, OPEN])
    reply = await say(conversation, "Was steht im Plan KANARIENVOGEL?", "staff-room", stage)
    assert "KANARIENVOGEL" not in text(reply)
    assert reply.files == ()


async def test_what_a_staff_chat_is_told_is_bound_to_what_it_may_see(conversation):
    for words in ("Was steht im Plan KANARIENVOGEL?", "/sources", "/page intern.pdf 99"):
        assert (await say(conversation, words, "staff-room")).collections == ("public", "internal"), words
    assert (await say(conversation, "/help", "staff-room")).collections == ()
    refusal = await say(conversation, "/sources", "staff-room", FakeStage(exposures=[OPEN]))
    assert refusal.collections == ()
    assert (await say(conversation, MINIMUM_WAGE)).collections == ()


async def test_the_limits_count_questions_not_help(tmp_path):
    conversation = conversation_over((await populated()).app, tmp_path, user_per_minute=2)
    for _ in range(2):
        assert "15 Taler" in text(await say(conversation, MINIMUM_WAGE))
    for _ in range(3):
        assert "/ort" in text(await say(conversation, "/help"))
    assert "60 Sekunden" in text(await say(conversation, MINIMUM_WAGE))
    assert "15 Taler" in text(await say(conversation, MINIMUM_WAGE, sender="bert"))


async def test_the_first_answer_says_where_privacy_is_explained(conversation):
    assert "/datenschutz" in text(await say(conversation, MINIMUM_WAGE))
    assert "/datenschutz" not in text(await say(conversation, MINIMUM_WAGE))
    privacy = await say(conversation, "/privacy")
    assert privacy.private
    assert "90" in text(privacy)


async def test_an_edited_question_is_answered_in_place(conversation):
    earlier = tuple(message("", number=f"b{n}").ref for n in range(3))
    stage = FakeStage(answered=earlier)
    reply = await say(conversation, MINIMUM_WAGE, stage=stage, kind=MessageKind.EDIT)
    assert reply.replaces == "b0"
    assert [ref.message for ref in reply.deletes] == ["b1", "b2"]
    stage.capabilities = replace(EVERYTHING, edits=False)
    reply = await say(conversation, MINIMUM_WAGE + " ", stage=stage, kind=MessageKind.EDIT)
    assert reply.replaces is None
    assert [ref.message for ref in reply.deletes] == ["b0", "b1", "b2"]


async def test_an_edit_that_changes_nothing_is_not_answered_again(conversation):
    assert await conversation.handle(message(MINIMUM_WAGE), FakeStage()) is not None
    edit = message(MINIMUM_WAGE, kind=MessageKind.EDIT, event="e2")
    assert await conversation.handle(edit, FakeStage()) is None
    changed = replace(edit, text="Was sagen die Windmüller zum Mindestlohn?", event="e3")
    assert await conversation.handle(changed, FakeStage()) is not None


async def test_a_question_taken_back_takes_its_answer_along(conversation):
    earlier = (message("", number="b0").ref,)
    gone = message("", kind=MessageKind.EDIT)
    reply = await conversation.handle(gone, FakeStage(answered=earlier))
    assert (reply.blocks, reply.deletes) == ((), earlier)
    assert await conversation.handle(gone, FakeStage()) is None


async def test_a_question_behind_a_slash_is_a_question_and_an_unknown_word_is_none(conversation):
    assert "15 Taler" in text(await say(conversation, "/" + MINIMUM_WAGE))
    assert "kaffee" in text(await say(conversation, "/kaffee"))
    assert "kaffee" in text(await say(conversation, "/kaffee bitte"))


async def test_an_edit_repeats_no_command_that_changes_something(conversation):
    edit = message("/jurisdiction xv-ho", kind=MessageKind.EDIT)
    assert await conversation.handle(edit, FakeStage()) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"addressed": False},
        {"kind": MessageKind.REACTION, "text": "🦆"},
        {"kind": MessageKind.LEFT},
        {"kind": MessageKind.MOVED, "text": "other"},
    ],
)
async def test_what_asks_nothing_gets_no_reply(conversation, fields):
    assert await conversation.handle(replace(message(MINIMUM_WAGE), **fields), FakeStage()) is None


async def test_a_chat_that_was_left_starts_anew(conversation):
    await say(conversation, "/jurisdiction xv-ho")
    await conversation.handle(replace(message(""), kind=MessageKind.LEFT), FakeStage())
    assert "Kein Ort" in text(await say(conversation, "/ort"))


async def test_joining_says_what_the_bot_can_do(conversation):
    reply = await say(conversation, "", kind=MessageKind.JOINED, addressed=False, sender="")
    head, title, *examples = text(reply).split("\n")
    assert head.startswith("Hallo!")
    assert len(examples) == 3
    for number, example in enumerate(examples):
        answer = await say(conversation, example.removeprefix("- "), number=f"e{number}")
        assert quoted(answer), (title, example)


async def test_the_first_word_to_somebody_is_in_one_language(conversation):
    reply = await say(conversation, "", kind=MessageKind.JOINED, addressed=False)
    assert "/datenschutz" in text(reply)
    assert "/privacy" not in text(reply)


async def test_a_chat_that_is_not_set_up_gets_the_lines_that_would_do_it(conversation):
    joined = {"kind": MessageKind.JOINED, "addressed": False, "sender": ""}
    reply = await say(conversation, "", 'some"where', **joined)
    settings = tomllib.loads(str(reply.blocks[-1]))["chat"]
    assert settings == [{"platform": "console", "id": 'some"where', "audience": "public"}]
    assert ChatSettings.model_validate(settings[0])


async def test_a_chat_hears_which_language_holds(conversation):
    assert "language of the question" in text(await say(conversation, "/language"))
    await say(conversation, "/sprache de")
    assert "auf Deutsch" in text(await say(conversation, "/language", number="m2"))


async def test_places_are_offered_as_buttons(conversation):
    reply = await say(conversation, "/jurisdiction")
    commands = [button.command for row in reply.buttons for button in row]
    assert "/jurisdiction xv-ho" in commands
    assert "/jurisdiction clear" in commands
    assert all(len(command.encode()) <= 60 for command in commands)


async def test_an_answer_can_be_judged_and_explained_by_buttons(conversation):
    commands = [button.command for row in (await say(conversation, MINIMUM_WAGE)).buttons for button in row]
    assert len(commands) >= 4
    assert all(len(command.encode()) <= 60 for command in commands)
    for command in commands:
        assert text(await say(conversation, command, kind=MessageKind.BUTTON))


async def test_settings_outlive_the_conversation_object(conversation, tmp_path):
    await say(conversation, "/jurisdiction xv-ho")
    again = replace(conversation, _running={}, _handlers={})
    assert "Hochau" in text(await say(again, "/ort"))


async def test_an_answer_can_be_cancelled_by_who_asked(conversation, monkeypatch):
    started, ended = asyncio.Event(), asyncio.Event()

    async def slow(*_, **__):
        started.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    monkeypatch.setattr(Questions, "ask", slow)
    task = asyncio.create_task(say(conversation, MINIMUM_WAGE))
    await started.wait()
    stop = message("/cancel", number="m2")
    assert conversation.is_urgent(stop)
    other = await conversation.cancel(replace(stop, sender="bert"), FakeStage())
    assert "An nichts von Ihnen" in text(other)
    assert not ended.is_set()
    await conversation.cancel(stop, FakeStage())
    assert "Angehalten" in text(await task)
    assert ended.is_set()


async def test_who_takes_a_question_back_stops_its_answer(conversation, monkeypatch):
    """Of the message alone, and of nothing that changes something."""
    begun, all_begun, gate = [], asyncio.Event(), asyncio.Event()

    async def slow(request, command):
        begun.append(command.name)
        if len(begun) == 3:
            all_begun.set()
        await gate.wait()
        return Reply(blocks=(command.name,))

    monkeypatch.setitem(conversation._handlers, "ask", slow)
    monkeypatch.setitem(conversation._handlers, "jurisdiction", slow)
    asked = {number: message(MINIMUM_WAGE, number=number) for number in ("m1", "m2")}
    asked["m3"] = message("/jurisdiction xv-ho", number="m3")
    tasks = {
        number: asyncio.create_task(conversation.handle(each, FakeStage())) for number, each in asked.items()
    }
    await all_begun.wait()
    for number in ("m1", "m3"):
        conversation.take_back(message("", number=number, kind=MessageKind.EDIT))
    await asyncio.wait([tasks["m1"]])
    assert not tasks["m2"].done()
    gate.set()
    said = {number: text(await task) for number, task in tasks.items()}
    assert said["m1"] not in ("ask", "jurisdiction")
    assert said["m2"].startswith("ask")
    assert said["m3"].startswith("jurisdiction")


async def test_a_shutdown_is_not_a_cancellation(conversation, monkeypatch):
    started = asyncio.Event()

    async def slow(*_, **__):
        started.set()
        await asyncio.sleep(3600)

    monkeypatch.setattr(Questions, "ask", slow)
    task = asyncio.create_task(say(conversation, MINIMUM_WAGE))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_after_a_mention_commands_need_no_slash(conversation):
    assert "/jurisdiction" in text(await say(conversation, "help"))
    assert "lehnen wir ab" in text(await say(conversation, "compare Mindestlohn"))
    assert "Hochau" in text(await say(conversation, "jurisdiction xv-ho"))


async def test_why_and_feedback_mean_the_answer_replied_to_or_the_threads_last(conversation):
    reply = await say(conversation, MINIMUM_WAGE, direct=True)
    reasons = text(await say(conversation, "/why", direct=True))
    assert "Gesucht bei der Uferpartei." in reasons
    assert "Wort für Wort" in reasons
    assert str(reply.trace) not in reasons
    assert str(reply.trace) in text(await say(conversation, "/why details", direct=True))
    assert "no record" in text(await say(conversation, "/why", chat="staff-room", direct=True))
    await say(conversation, "/feedback wrong", direct=True)
    (feedback,) = await conversation.journal.feedback()
    assert (feedback.trace, feedback.verdict.value) == (reply.trace, "wrong")


async def test_a_reaction_is_a_word_on_the_answer_it_hangs_on(conversation):
    reply = await say(conversation, MINIMUM_WAGE, direct=True)
    reaction = await say(conversation, "👎", kind=MessageKind.REACTION, direct=True)
    assert reaction.private
    (feedback,) = await conversation.journal.feedback()
    assert (feedback.trace, feedback.verdict.value) == (reply.trace, "wrong")


async def test_the_record_of_another_chat_is_not_shown(conversation):
    inner = await say(conversation, "Was steht im Plan KANARIENVOGEL?", "staff-room", sender="sam")
    await say(conversation, "/help")
    public = await say(conversation, f"/why {inner.trace}")
    unknown = await say(conversation, "/why trace-99999")
    assert text(public).replace(str(inner.trace), "") == text(unknown).replace("trace-99999", "")
    outer = await say(conversation, MINIMUM_WAGE)
    assert str(outer.trace) in text(
        await say(conversation, f"/why {outer.trace} details", "staff-room", sender="sam")
    )
    assert str(outer.trace) not in text(await say(conversation, f"/why {outer.trace}", "staff-room"))


def test_follow_ups_are_remembered_for_hours_not_days():
    assert timedelta(minutes=30) <= FOLLOW_UP <= timedelta(hours=12)


async def test_proven_claims_are_shown_while_a_model_writes_but_not_where_others_may_come_in(
    conversation, monkeypatch
):
    real = Questions.ask

    async def writing(app, question, options, *, progress=None, **more):
        answer = await real(app, question, options, **more)
        if progress is not None:
            await progress(answer.claims[:1], answer.citations[:1])
        return answer

    monkeypatch.setattr(Questions, "ask", writing)
    shown = {}
    for name, chat, can in (
        ("public", "public-room", EVERYTHING),
        ("staff", "staff-room", EVERYTHING),
        ("no edits", "public-room", replace(EVERYTHING, edits=False)),
    ):
        stage = FakeStage(capabilities=can)
        await say(conversation, MINIMUM_WAGE, chat, stage)
        shown[name] = stage.said
    assert "[S1]" in shown["public"][0]
    assert "wird noch geschrieben" in shown["public"][0]
    assert shown["staff"] == shown["no edits"] == []


@pytest.mark.parametrize(
    ("wanted", "endings"),
    [("pdf", [".pdf"]), ("bild", [".jpg"]), ("both", [".jpg", ".pdf"]), ("anfrage", []), ("weg", [".pdf"])],
)
async def test_a_chat_says_which_files_it_wants(conversation, wanted, endings):
    assert "PDF" in text(await say(conversation, "/dateien"))
    await say(conversation, f"/dateien {wanted}")
    reply = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?")
    assert [Path(file.name).suffix for file in reply.files] == endings
    assert all(file.name.startswith("uferpartei-ufer25-s1.") for file in reply.files)
    more = [button.command for row in reply.buttons for button in row if button.command.startswith("/more")]
    assert bool(more) == (wanted == "anfrage")


async def test_unknown_files_are_refused_with_a_word(conversation):
    assert "dateien beides" in text(await say(conversation, "/dateien alles"))


@pytest.mark.parametrize("everything", ["alle", "all", "tous", "alle Parteien", "all parties", "weg"])
async def test_all_parties_is_no_name_of_one(conversation, everything):
    await say(conversation, "/party Uferpartei")
    assert "allen Parteien" in text(await say(conversation, f"/partei {everything}"))
    assert text(await say(conversation, "/partei")) == "Keine Partei ist gesetzt."


@pytest.mark.parametrize("everywhere", ["alle", "all places", "partout", "überall"])
async def test_everywhere_is_no_name_of_a_place(conversation, everywhere):
    assert "allen Orten" in text(await say(conversation, f"/ort {everywhere}"))


async def test_who_asks_all_parties_gets_them_side_by_side_and_may_go_on(conversation):
    reply = await say(conversation, "Was sagen die Parteien zum Mindestlohn?")
    assert {"Uferpartei", "Windmüller"} <= set(re.findall("Uferpartei|Windmüller", text(reply)))
    assert [file.name for file in reply.files] == ["vergleich-mindestlohn.pdf"]
    further = text(await say(conversation, "und die Uferpartei?", number="2"))
    assert "15 Taler" in further
    assert "Tarifpartner" not in further


@pytest.mark.parametrize("remark", ["that can't be right", "on a déjà vu ça", "Echt jetzt?", "haha"])
async def test_a_remark_is_no_question_and_nothing_goes_on_from_it(conversation, remark):
    await say(conversation, MINIMUM_WAGE)
    told = await conversation.handle(message(remark, number="2"), FakeStage())
    assert told is None or not told.files
    further = text(await say(conversation, "und die Windmüller?", number="3"))
    assert "Mindestlohn" in further
    assert remark not in further


@pytest.mark.parametrize("question", ["Mindestlohn, oder?", "Die Uferpartei will das, oder?"])
async def test_what_names_something_is_a_question_however_it_is_said(conversation, question):
    assert "nicht nach einer Frage" not in text(await say(conversation, question))


async def test_a_follow_up_is_never_answered_with_the_same_quotes_where_there_are_others(harbours):
    first = await say(harbours, HARBOUR_FEE)
    again = await say(harbours, "und für Hausboote?", number="2")
    assert not quoted(first) & quoted(again)
    assert "selbst" in text(again) or quoted(again)


@pytest.fixture
async def of_parties(tmp_path):
    """A chat on the programmes of two parties."""
    world = await World(threshold=0.0).with_registry()
    await world.add("ufer25.pdf", UFER_2025, parties=("Uferpartei",), jurisdiction="xv")
    low = "Löhne\n\nEinen höheren Mindestlohn lehnen wir ab, weil er den Betrieben schadet."
    await world.add(
        "wind25.pdf", low, "Wege\n\nDie Wege bleiben.", parties=("Windmüller",), jurisdiction="xv"
    )
    return conversation_over(world.app, tmp_path)


async def test_the_bare_name_of_a_topic_asks_all_parties(of_parties):
    named = await say(of_parties, "Mindestlohn")
    assert {"Uferpartei", "Windmüller"} <= set(re.findall("Uferpartei|Windmüller", text(named)))
    assert [file.name for file in named.files] == ["vergleich-mindestlohn.pdf"]
    assert "15 Taler" in text(await say(of_parties, "und die Uferpartei?", number="2"))


@pytest.mark.parametrize(
    "before", ["/partei Uferpartei", "/ort Hochau", "Was will die Uferpartei bei den Mieten?"]
)
async def test_what_the_chat_has_set_or_spoken_of_comes_before_all_parties(of_parties, before):
    await say(of_parties, before)
    reply = await say(of_parties, "Mindestlohn", number="2")
    assert not any(file.name.startswith("vergleich-") for file in reply.files)


@pytest.mark.parametrize("name", ["Uferpartei", "Hochau", "§ 4", "Mindestlohngesetz", "ufer25.pdf"])
async def test_a_bare_name_that_is_no_topic_of_parties_is_no_comparison(of_parties, name):
    reply = await say(of_parties, name)
    assert not any(file.name.startswith("vergleich-") for file in reply.files)


async def test_who_asks_all_parties_where_one_has_written_gets_its_answer(tmp_path):
    world = await World(threshold=0.0).with_registry()
    await world.add("ufer25.pdf", UFER_2025, parties=("Uferpartei",), jurisdiction="xv")
    reply = await say(conversation_over(world.app, tmp_path), "Was sagen die Parteien zum Mindestlohn?")
    assert "15 Taler" in text(reply)


async def test_what_is_in_no_language_is_answered_in_that_of_its_chat(conversation):
    await say(conversation, "Was sagen die Windmüller zum Mindestlohn?")
    unknown = text(await say(conversation, "/verbergen plan.pdf"))
    assert unknown.startswith("Den Befehl verbergen gibt es nicht")
    assert text(await say(conversation, "/hide")).startswith("Den Befehl hide gibt es nicht")
    refused = message("", attachments=(Attachment(id="f1", name="plan.pdf", size=100),))
    assert text(await conversation.handle(refused, FakeStage())).startswith("Hier nehme ich keine Dateien")


async def test_an_unknown_command_with_fields_is_no_question(conversation):
    said = text(await say(conversation, '/ergaenze plan.pdf ort="Hochau" partei=Uferpartei'))
    assert said.startswith("Den Befehl ergaenze gibt es nicht")


@pytest.mark.parametrize("beside", ["hier", "bitte", "see below", "voilà"])
async def test_a_word_beside_a_file_is_no_question(conversation, beside: str) -> None:
    sent = message(beside, attachments=(Attachment(id="f1", name="plan.pdf", size=100),))
    assert not (await conversation.handle(sent, FakeStage())).files
    asked = replace(sent, text="Was sagen die Windmüller zum Mindestlohn?")
    assert "lehnen wir ab" in text(await conversation.handle(asked, FakeStage()))


async def test_a_follow_up_that_asks_how_much_gets_quotes_that_say_it(harbours):
    first = await say(harbours, HARBOUR_FEE)
    again = await say(harbours, "wie viel genau?", number="2")
    assert quoted(again)
    assert all("Talern" in each for each in quoted(again))
    assert not quoted(again) <= quoted(first)  # what was quoted before stands behind what was not
    assert again.trace is not None
