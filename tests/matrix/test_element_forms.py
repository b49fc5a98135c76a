"""Messages as Element X, Element Web and older clients write them.

The forms are those of the specification (1.7 "User and room mentions", 1.13 "Rich replies") and of what has
been reported of the clients: Element X puts Markdown links into the plain text, Element Web's rich text
editor the link of its pill, and the author of what is replied to is mentioned without being named.
"""

from typing import Any

import pytest

from adapters.matrix.events import Bot
from adapters.matrix.intake import EventTranslator, Room
from adapters.matrix.relations import Relations
from core.domain.messages import IncomingMessage, MessageKind
from core.search.group_talk import ThreadTalk
from tests.support.fake_reading import AsksByItsMark

BOT = Bot(user_id="@bot:example.org", name="Fundstelle")
ANN, BEN = "@ann:example.org", "@ben:example.org"
ROOM = Room(id="!room:example.org", direct=False)
TO = "https://matrix.to/#/"
PILL = f'<a href="{TO}{BOT.user_id}">Fundstelle</a>'
ANNS, OWN = "$anns", "$own"
QUOTE = f'<mx-reply><blockquote><a href="{TO}{ROOM.id}/{ANNS}">In reply to</a> <a href="{TO}{ANN}">{ANN}</a>'
Json = dict[str, Any]


class Homeserver:
    """Shows what Ann has said, and an answer of the bot."""

    async def call(self, method: str, path: str) -> Json:
        ours = path.endswith("own")
        return event(OWN if ours else ANNS, BOT.user_id if ours else ANN, {"body": "The toll falls."})


def event(number: str, sender: str, content: Json) -> Json:
    return {
        "type": "m.room.message",
        "event_id": number,
        "sender": sender,
        "origin_server_ts": 1_900_000_000_000,
        "content": {"msgtype": "m.text"} | content,
    }


def html(body: str, formatted: str) -> Json:
    return {"body": body, "format": "org.matrix.custom.html", "formatted_body": formatted}


def mentions(*users: str) -> Json:
    return {"m.mentions": {"user_ids": list(users)}}


def reply(to: str) -> Json:
    return {"m.relates_to": {"m.in_reply_to": {"event_id": to}}}


async def heard(content: Json) -> IncomingMessage | None:
    relations = Relations(Homeserver(), BOT.user_id)  # type: ignore[arg-type]
    translator = EventTranslator(BOT, relations, ThreadTalk(AsksByItsMark()))
    return await translator.message(event("$new", BEN, content), ROOM)


NAMED = {
    "Element X on Android": html(f"[{BOT.user_id}]({TO}{BOT.user_id}) the toll?", f"{PILL} the toll?"),
    "Element X on iOS": html(f"[Fundstelle]({TO}{BOT.user_id}) the toll?", f"{PILL} the toll?"),
    "Element Web": html("Fundstelle: the toll?", f"{PILL}: the toll?"),
    "Element Web without a colon": html("Fundstelle the toll?", f"{PILL} the toll?"),
    "Element Web, rich text": html(
        f'<a data-mention-type="user" href="{TO}{BOT.user_id}" contenteditable="false">Fundstelle</a>'
        " the toll?",
        f"{PILL} the toll?",
    ),
}


@pytest.mark.parametrize("content", NAMED.values(), ids=NAMED)
@pytest.mark.parametrize("told", [True, False], ids=["m.mentions", "pill only"])
async def test_the_bot_is_named(content: Json, told: bool) -> None:
    """Clients from before 1.7 link to people and set no m.mentions."""
    message = await heard(content | (mentions(BOT.user_id) if told else {}))
    assert message is not None
    assert (message.addressed, message.text) == (True, "the toll?")


REPLIES = {
    "Element X": html(f"[Fundstelle]({TO}{BOT.user_id}) is it true?", f"{PILL} is it true?"),
    "Element X, named last": html(f"Is it true, [Fundstelle]({TO}{BOT.user_id})?", f"Is it true, {PILL}?"),
    "Element Web with the words replied to": html(
        f"> <{ANN}> The toll falls.\n\nFundstelle is it true?",
        f"{QUOTE}<br>The toll falls.</blockquote></mx-reply>{PILL} is it true?",
    ),
}


@pytest.mark.parametrize("content", REPLIES.values(), ids=REPLIES)
@pytest.mark.parametrize("told", [True, False], ids=["m.mentions", "pill only"])
async def test_a_reply_to_somebody_names_the_bot(content: Json, told: bool) -> None:
    """Whoever is replied to is mentioned, too, and not spoken to."""
    said = content | reply(ANNS) | (mentions(ANN, BOT.user_id) if told else {})
    message = await heard(said)
    assert message is not None
    assert (message.addressed, message.shown) == (True, "The toll falls.")
    assert "true" in message.text
    assert ">" not in message.text


async def test_a_reply_to_the_bot_needs_no_name() -> None:
    message = await heard({"body": "And for islanders?"} | reply(OWN) | mentions(BOT.user_id))
    assert message is not None
    assert (message.addressed, message.text, message.shown) == (True, "And for islanders?", "")


OTHERS = {
    "a reply to somebody": {"body": "Is it?"} | reply(ANNS) | mentions(ANN),
    "a reply to who named the bot": html(
        f"> <{ANN}> Fundstelle the toll?\n\nIs it?",
        f"{QUOTE}<br>{PILL} the toll?</blockquote></mx-reply>Is it?",
    )
    | reply(ANNS),
    "a mention of somebody else": html(
        f"[Ann]({TO}{ANN}) the toll?", f'<a href="{TO}{ANN}">Ann</a> the toll?'
    )
    | mentions(ANN),
    "somebody is told of the bot": html(
        f"[Ann]({TO}{ANN}) just ask [Fundstelle]({TO}{BOT.user_id})!",
        f'<a href="{TO}{ANN}">Ann</a> just ask {PILL}!',
    )
    | mentions(ANN, BOT.user_id),
    "somebody else is asked in a reply": html(
        f"[Cem]({TO}@cem:example.org) what does [Fundstelle]({TO}{BOT.user_id}) say?",
        f'<a href="{TO}@cem:example.org">Cem</a> what does {PILL} say?',
    )
    | reply(ANNS)
    | mentions(ANN, "@cem:example.org", BOT.user_id),
}


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
async def test_what_people_say_to_each_other_is_theirs(content: Json) -> None:
    message = await heard(content)
    assert message is None or not message.addressed


async def test_an_edit_is_read_from_what_replaces_the_message() -> None:
    relations = Relations(Homeserver(), BOT.user_id)  # type: ignore[arg-type]
    translator = EventTranslator(BOT, relations, ThreadTalk(AsksByItsMark()))
    await translator.message(event("$q", BEN, NAMED["Element X on iOS"] | mentions(BOT.user_id)), ROOM)
    new = html(f"[Fundstelle]({TO}{BOT.user_id}) the fare?", f"{PILL} the fare?") | mentions(BOT.user_id)
    content = html(f"* [Fundstelle]({TO}{BOT.user_id}) the fare?", f"* {PILL} the fare?") | {
        "m.mentions": {},
        "m.new_content": {"msgtype": "m.text"} | new,
        "m.relates_to": {"rel_type": "m.replace", "event_id": "$q"},
    }
    edit = await translator.message(event("$e", BEN, content), ROOM)
    assert edit is not None
    assert (edit.kind, edit.text, edit.ref.message) == (MessageKind.EDIT, "the fare?", "$q")


async def test_a_picture_is_sent_with_the_question_below_it() -> None:
    content = html(f"[{BOT.user_id}]({TO}{BOT.user_id}) is it true?", f"{PILL} is it true?")
    picture = {"msgtype": "m.image", "filename": "poster.jpg", "url": "mxc://example.org/abc"}
    message = await heard(content | picture | mentions(BOT.user_id))
    assert message is not None
    assert (message.addressed, message.text) == (True, "is it true?")
    assert [each.name for each in message.attachments] == ["poster.jpg"]
