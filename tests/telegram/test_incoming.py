"""Telegram's updates as messages."""

import itertools
from datetime import UTC, datetime
from typing import Any

import pytest
from telegram import Update

from adapters.telegram.incoming import TelegramAccount, converted, converted_one
from core.domain.messages import Attachment, IncomingMessage, MessageKind
from tests.servers.telegram.texts import parsed

ME = TelegramAccount(id=7000001, username="Fundstelle_bot")
NOW = datetime(2031, 1, 1, tzinfo=UTC)
ANN = {"id": 5, "is_bot": False, "first_name": "Ann"}
OWN = {"id": ME.id, "is_bot": True, "first_name": "F", "username": ME.username}
OTHER = {"id": 9, "is_bot": True, "first_name": "O", "username": "other_bot"}
GROUP = {"id": -100123, "type": "supergroup", "title": "G"}
FORUM = GROUP | {"is_forum": True}
DIRECT = {"id": 5, "type": "private", "first_name": "Ann"}
SENT = 1_900_000_000
_numbers = itertools.count(1)


def message(text: str = "", chat: dict[str, Any] = GROUP, **more: Any) -> dict[str, Any]:
    base = {"message_id": 70, "date": SENT, "chat": chat, "from": ANN}
    shown = {"text": text, "entities": parsed(text, None, None)[1]} if text else {}
    return base | shown | more


def update(kind: str, content: dict[str, Any]) -> Update:
    return Update.de_json({"update_id": next(_numbers), kind: content}, None)


def said(*args: Any, **more: Any) -> IncomingMessage | None:
    return converted_one(update("message", message(*args, **more)), ME, NOW)


def handed_over(*args: Any, **more: Any) -> IncomingMessage:
    found = said(*args, **more)
    assert found is not None
    return found


ADDRESSED = {
    "@fundstelle_bot What about ferries?": "What about ferries?",
    "@fundstelle_bot, what about ferries?": "what about ferries?",
    "What about ferries, @fundstelle_bot": "What about ferries,",
    "What does @fundstelle_bot say?": "What does say?",
    "🚢 @fundstelle_bot ferries?": "🚢 ferries?",
    "/ask@fundstelle_bot What about ferries?": "/ask What about ferries?",
    "/ask What about ferries?": "/ask What about ferries?",
}


@pytest.mark.parametrize("text", ADDRESSED)
def test_mentions_and_commands_are_for_the_bot(text: str) -> None:
    found = said(text)
    assert found is not None
    assert (found.text, found.addressed, found.direct) == (ADDRESSED[text], True, False)
    assert (found.sender, found.ref.chat, found.ref.message) == ("5", "-100123", "70")
    assert found.received_at == datetime.fromtimestamp(SENT, UTC)


@pytest.mark.parametrize("text", ["What about ferries?", "/ask@other_bot What about ferries?", "/ what?", ""])
def test_other_talk_is_not(text: str) -> None:
    assert said(text) is None


def test_a_mention_by_name_of_an_account_is_for_the_bot() -> None:
    entity = {"type": "text_mention", "offset": 0, "length": 4, "user": OWN}
    assert handed_over("Fund what about ferries?", entities=[entity]).text == "what about ferries?"


def test_everything_in_private_is() -> None:
    found = handed_over("What about ferries?", DIRECT)
    assert (found.addressed, found.direct) == (True, True)


def test_other_bots_are_not_heard() -> None:
    assert said("/ask What about ferries?", **{"from": OTHER}) is None
    assert said("/ask What about ferries?", **{"from": OWN}) is None


def test_hidden_people_are_heard_without_a_name() -> None:
    for hidden in (GROUP, {"id": -1005, "type": "channel", "title": "C"}):
        found = handed_over("/ask What?", **{"from": OTHER, "sender_chat": hidden})
        assert found.sender == ""


def test_posts_that_a_channel_forwards_by_itself_are_not_heard() -> None:
    assert said("/ask What?", sender_chat=GROUP, is_automatic_forward=True) is None


def test_replies_to_the_bot_are_for_it() -> None:
    found = handed_over("And islanders?", reply_to_message=message("An answer.") | {"from": OWN})
    assert (found.addressed, found.reply_to) == (True, "70")
    assert said("And islanders?", reply_to_message=message("A word.")) is None


def test_topics_of_forums_are_threads_and_other_threads_are_not() -> None:
    opened = message(chat=FORUM) | {
        "from": OWN,
        "forum_topic_created": {"name": "T", "icon_color": 7322096},
        "message_id": 60,
    }
    topic = {"message_thread_id": 60, "is_topic_message": True, "reply_to_message": opened}
    found = handed_over("/ask What?", FORUM, **topic)
    assert (found.ref.thread, found.reply_to) == ("60", None)
    assert said("What?", FORUM, **topic) is None  # said in a topic that the bot opened, not to it
    assert handed_over("/ask What?", message_thread_id=60).ref.thread is None


DOCUMENT = {"file_id": "F1", "file_unique_id": "U1", "file_name": "a.pdf", "file_size": 9}


def test_uploads_are_handed_over_with_their_caption() -> None:
    found = handed_over(caption="party=SPD", document=DOCUMENT)
    assert (found.text, found.addressed) == ("party=SPD", False)
    assert found.attachments == (Attachment(id="F1", name="a.pdf", size=9),)


def test_an_album_is_one_message() -> None:
    album = [
        update(
            "message",
            message(message_id=80 + n, media_group_id="A", document=DOCUMENT)
            | ({"caption": "party=SPD"} if n == 1 else {}),
        )
        for n in range(3)
    ]
    other = update("message", message("/ask What?"))
    found = converted([album[0], album[1], other, album[2]], ME, NOW)
    assert [len(one.attachments) for one in found] == [3, 0]
    assert (found[0].text, found[0].ref.message) == ("party=SPD", "80")
    assert found[0].event == str(album[0].update_id)


def test_an_edit_is_of_the_message() -> None:
    content = message("/ask What?", edit_date=SENT + 60)
    found = converted_one(update("edited_message", content), ME, NOW)
    assert found is not None
    assert (found.kind, found.ref.message) == (MessageKind.EDIT, "70")
    assert found.received_at == datetime.fromtimestamp(SENT + 60, UTC)


def test_an_edit_away_from_the_bot_takes_the_message_back() -> None:
    found = converted_one(update("edited_message", message("Lunch?", edit_date=SENT + 60)), ME, NOW)
    assert found is not None
    assert (found.taken_back, found.addressed, found.ref.message, found.text) == (True, True, "70", "")
    moving = message(location={"latitude": 1.0, "longitude": 2.0}, edit_date=SENT + 60)
    assert converted_one(update("edited_message", moving), ME, NOW) is None
    assert said("Lunch?") is None


def test_a_press_is_the_command_of_the_button() -> None:
    query = {"id": "1", "from": ANN, "chat_instance": "1", "data": "wrong 12", "message": message("x")}
    found = converted_one(update("callback_query", query), ME, NOW)
    assert found is not None
    assert (found.kind, found.text, found.reply_to, found.sender) == (
        MessageKind.BUTTON,
        "wrong 12",
        "70",
        "5",
    )
    assert found.received_at == NOW
    hidden = {"message_id": 70, "chat": GROUP, "date": 0}  # too old for Telegram to show
    old = converted_one(update("callback_query", query | {"message": hidden}), ME, NOW)
    assert old is not None
    assert old.reply_to == "70"


def reaction(old: list[str], new: list[str], **who: Any) -> Update:
    def signs(emoji: list[str]) -> list[dict[str, str]]:
        return [{"type": "emoji", "emoji": sign} for sign in emoji]

    content = {"chat": GROUP, "message_id": 70, "date": SENT} | (who or {"user": ANN})
    return update("message_reaction", content | {"old_reaction": signs(old), "new_reaction": signs(new)})


def test_a_reaction_is_the_sign_that_came_new() -> None:
    found = converted_one(reaction(["👎"], ["👎", "👍🏽"]), ME, NOW)
    assert found is not None
    assert (found.kind, found.text, found.reply_to) == (MessageKind.REACTION, "👍", "70")
    assert converted_one(reaction(["👎"], []), ME, NOW) is None


def test_reactions_of_hidden_people_have_no_sender() -> None:
    found = converted_one(reaction([], ["❤️"], actor_chat=GROUP), ME, NOW)
    assert found is not None
    assert (found.sender, found.text) == ("", "❤")


def membership(before: dict[str, Any], after: dict[str, Any]) -> IncomingMessage | None:
    content = {"chat": GROUP, "from": ANN, "date": SENT}
    content |= {"old_chat_member": {"user": OWN} | before, "new_chat_member": {"user": OWN} | after}
    return converted_one(update("my_chat_member", content), ME, NOW)


RESTRICTED = dict.fromkeys(
    (
        "can_change_info", "can_invite_users", "can_pin_messages", "can_send_messages", "can_send_polls",
        "can_send_other_messages", "can_add_web_page_previews", "can_manage_topics", "can_send_audios",
        "can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes",
        "can_send_voice_notes", "can_edit_tag", "can_react_to_messages",
    ),
    True,
) | {"status": "restricted", "until_date": 0}  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ({"status": "left"}, {"status": "member"}, MessageKind.JOINED),
        ({"status": "kicked", "until_date": 0}, {"status": "member"}, MessageKind.JOINED),
        ({"status": "left"}, RESTRICTED | {"is_member": True}, MessageKind.JOINED),
        ({"status": "member"}, {"status": "left"}, MessageKind.LEFT),
        ({"status": "member"}, {"status": "kicked", "until_date": 0}, MessageKind.LEFT),
        ({"status": "member"}, RESTRICTED | {"is_member": False}, MessageKind.LEFT),
    ],
)
def test_coming_and_going(before: dict[str, Any], after: dict[str, Any], kind: MessageKind) -> None:
    found = membership(before, after)
    assert found is not None
    assert (found.kind, found.ref.chat, found.sender) == (kind, "-100123", "5")


def test_other_changes_of_membership_are_none() -> None:
    assert membership({"status": "member"}, RESTRICTED | {"is_member": True}) is None


def test_a_group_that_becomes_a_supergroup_has_moved() -> None:
    old = {"id": -77, "type": "group", "title": "G"}
    found = handed_over(chat=old, migrate_to_chat_id=-100123)
    assert (found.kind, found.text, found.ref.chat) == (MessageKind.MOVED, "-100123", "-77")
    assert said(migrate_from_chat_id=-77) is None


@pytest.mark.parametrize("kind", ["channel_post", "edited_channel_post"])
def test_posts_of_channels_are_none(kind: str) -> None:
    channel = {"id": -1005, "type": "channel", "title": "C"}
    content = message("/ask What?", channel, sender_chat=channel)
    assert converted_one(update(kind, content), ME, NOW) is None


def test_words_of_others_that_are_replied_to_or_quoted_are_shown() -> None:
    other = message("Mieten runter! 15 Taler mehr.")
    entity = {"type": "mention", "offset": 0, "length": 15}
    asked = {"entities": [entity], "reply_to_message": other}
    assert handed_over("@fundstelle_bot stimmt das?", **asked).shown == "Mieten runter! 15 Taler mehr."
    quote = {"text": "15 Taler mehr.", "position": 15}
    assert handed_over("@fundstelle_bot stimmt das?", **asked, quote=quote).shown == "15 Taler mehr."
    own = {"reply_to_message": message("An answer.") | {"from": OWN}}
    assert handed_over("stimmt das?", **own).shown == ""


def test_what_is_handed_on_in_private_is_shown_and_not_said() -> None:
    origin = {"type": "hidden_user", "sender_user_name": "Ann", "date": SENT}
    found = handed_over("15 Taler mehr.", DIRECT, forward_origin=origin)
    assert (found.text, found.shown) == ("", "15 Taler mehr.")


def test_photos_and_voices_are_files_for_the_bot_where_it_is_called() -> None:
    sizes = [
        {"file_id": name, "file_unique_id": f"u{name}", "width": 9, "height": 9}
        for name in ("small", "large")
    ]
    photo = {"photo": sizes, "caption": "stimmt das?"}
    found = handed_over("", DIRECT, **photo)
    assert [(each.id, each.name) for each in found.attachments] == [("large", "ularge.jpg")]
    voice = {"voice": {"file_id": "v", "file_unique_id": "uv", "duration": 3}}
    assert [each.name for each in handed_over("", DIRECT, **voice).attachments] == ["uv.ogg"]
    assert said("", **photo) is None
    assert said("", **voice) is None
