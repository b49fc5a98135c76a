"""Slack's events, commands and pressed buttons as messages: pure translation, no calls."""

import re
from datetime import UTC, datetime
from typing import Any

from adapters.slack.api import Json, SlackAccount
from adapters.slack.manifest import COMMANDS, SHORTCUT, commands
from core.domain.messages import Attachment, IncomingMessage, MessageKind, MessageRef
from core.search.group_talk import HeardLine, TalkTurn, ThreadTalk, calls_bot

PLATFORM = "slack"

SPOKEN = frozenset({None, "file_share", "thread_broadcast", "me_message"})
"""Subtypes of messages that people write; other ones are the workspace's notices."""

_LEFT = ("channel_left", "group_left", "channel_deleted", "group_deleted", "channel_archive", "group_archive")
_EMOJI = {
    "+1": "👍",
    "thumbsup": "👍",
    "-1": "👎",
    "thumbsdown": "👎",
    "heart": "❤",
    "white_check_mark": "✅",
    "x": "❌",
}
LATEST = 253_402_300_799.0
"""The end of the year 9999, which is that of the calendar."""
_TIMESTAMP = re.compile(r"\d{1,12}\.\d{1,9}")


# Converts Slack's markup to the plain text that people typed
# (docs.slack.dev/messaging/formatting-message-text).

_MARKUP = re.compile(r"<((?:[@#!]|[a-z][a-z0-9+.-]*:)[^<>]*)>")
_NAMED = re.compile(r"<(?:@|!(?=here|channel|everyone|subteam))([^<>|]+)")
_SPECIAL = {"!channel": "@channel", "!here": "@here", "!everyone": "@everyone"}


def mentions(text: str, me: SlackAccount) -> bool:
    """Whether `text` names the app."""
    return f"<@{me.user}>" in text or f"<@{me.user}|" in text


def heard(text: str, me: SlackAccount, *, ours: bool) -> HeardLine:
    """`text` in a channel, and whom it names; `ours`: the app takes part in its thread."""
    own = next((name for name in (f"<@{me.user}>", f"<@{me.user}|") if name in text), None)
    return HeardLine(
        text=plain(text, me),
        before_name=None if own is None else plain(text[: text.index(own)], me),
        names_others=any(name != me.user for name in _NAMED.findall(text)),
        in_thread=ours,
    )


def plain(text: str, me: SlackAccount) -> str:
    """`text` without mentions of the app, and with everything else as displayed."""
    own = rf"<@{re.escape(me.user)}(?:\|[^<>]*)?>"
    text = re.sub(rf"^\s*{own}[\s,:]*", "", text)
    text = re.sub(rf"(?<! ) *{own}", "", text)  # from the first space, not from each of them
    return _unescaped(_MARKUP.sub(lambda found: _read(found[1]), text)).strip()


def _read(content: str) -> str:
    target, bar, label = content.partition("|")
    if target.startswith("@"):
        return f"@{label or 'user'}"  # a person's id must not be disclosed
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return _SPECIAL.get(target.partition("^")[0], label)
    if not bar or label == target:
        return target
    return label if target.endswith(label) else f"{label} ({target})"


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def is_timestamp(text: str | None) -> bool:
    """Whether `text` can be the id of a message."""
    return text is not None and _TIMESTAMP.fullmatch(text) is not None


def time_of(timestamp: str) -> datetime:
    """When a message was written, according to its id."""
    return datetime.fromtimestamp(min(float(timestamp), LATEST), tz=UTC)


def is_direct(channel: str) -> bool:
    """Whether only one person and the app are in it."""
    return channel.startswith("D")


def written(event: Json) -> Json:
    """The message itself: that of an edit is inside."""
    return event.get("message", {}) if event.get("subtype") == "message_changed" else event


def thread_of(event: Json) -> str | None:
    """The thread of a channel that a person's message replies in; the message that opened it does not."""
    message = written(event)
    thread: str | None = message.get("thread_ts")
    return None if is_direct(event["channel"]) or thread == message.get("ts") else thread


async def said(
    event: Json, me: SlackAccount, *, ours: bool, talk: ThreadTalk | None = None, parent: Json | None = None
) -> IncomingMessage | None:
    """What a person's message or edit says; `ours`: the app takes part in its thread, `talk`: what was said
    there, `parent`: what opened it. None for what is not for the app: talk among people, notices, other apps,
    unfolded links. An edit that turns away from the app takes the message back."""
    if event.get("type") == "app_mention" and "edited" in event:
        return None  # Slack also reports the edit as "message_changed", with the previous text
    message = written(event)
    if not _is_spoken(event, message, me):
        return None
    attachments = _attachments(message)
    if event.get("type") == "app_mention" and message.get("files"):
        return None  # file names are only in the same message as "message"
    direct = is_direct(event["channel"])
    line = heard(message.get("text", ""), me, ours=ours)
    addressed = direct or await (talk or ThreadTalk()).is_for_bot(*_turn(event["channel"], message), line)
    edit = message is not event
    if not addressed and not attachments:
        return (
            taken_back(event, me, at=message["edited"]["ts"]) if edit and _was_for(event, me, ours) else None
        )
    at = message["edited"]["ts"] if edit else message["ts"]
    return IncomingMessage(
        ref=_ref(me, event["channel"], message["ts"], _thread(message, direct)),
        sender=message["user"],
        text=line.text,
        addressed=addressed,
        received_at=time_of(at),
        event=_event(event["channel"], message["ts"], at if edit else ""),
        kind=MessageKind.EDIT if edit else MessageKind.MESSAGE,
        called=not edit and calls_bot(line),
        direct=direct,
        shown=_shown(message, parent, me),
        shown_files=_attachments(parent) if parent and parent.get("user") != me.user else (),
        attachments=attachments,
    )


def _shown(message: Json, parent: Json | None, me: SlackAccount) -> str:
    """Somebody else's words that a message shares or is posted below."""
    shared = [each.get("text", "") for each in message.get("attachments", []) if each.get("is_msg_unfurl")]
    above = parent or {}
    if above.get("user") != me.user and not mentions(above.get("text", ""), me):
        shared.append(above.get("text", ""))
    return next((plain(text, me) for text in shared if text), "")


def deleted(event: Json) -> str | None:
    """The message that an event reports as deleted. One with replies leaves a tombstone."""
    if event.get("subtype") == "message_deleted":
        return str(event.get("deleted_ts"))
    message = written(event)
    return str(message.get("ts")) if message.get("subtype") == "tombstone" else None


def taken_back(event: Json, me: SlackAccount, *, at: str = "") -> IncomingMessage | None:
    """A person's message that was deleted, or edited `at` into one not for the app."""
    before: Json = event.get("previous_message") or {}
    message = deleted(event) or str(written(event).get("ts"))
    if not is_timestamp(message) or before.get("bot_id") or before.get("user") == me.user:
        return None
    told = str(event.get("event_ts"))
    stamp = at or (told if is_timestamp(told) else message)
    direct = is_direct(event["channel"])
    return IncomingMessage(
        ref=_ref(me, event["channel"], message, _thread(before | {"ts": message}, direct)),
        sender=before.get("user") or "",
        text="",
        addressed=True,
        received_at=time_of(stamp),
        event=_event(event["channel"], message, at or "deleted"),
        kind=MessageKind.EDIT,
        direct=direct,
    )


def _was_for(event: Json, me: SlackAccount, ours: bool) -> bool:
    """Whether the edited message may have been for the app."""
    before = event.get("previous_message") or {}
    return ours or "text" not in before or mentions(before["text"], me)


def _turn(channel: str, message: Json) -> tuple[tuple[str, str], TalkTurn]:
    """The thread that a message is in or opens, and its position there."""
    thread = (channel, str(_thread(message, direct=False)))
    return thread, TalkTurn(message=message["ts"], speaker=message["user"], at=time_of(message["ts"]))


def _is_spoken(event: Json, message: Json, me: SlackAccount) -> bool:
    if message.get("subtype") not in SPOKEN or not is_timestamp(message.get("ts")):
        return False
    if message.get("bot_id") or message.get("user") in (None, "", me.user, "USLACKBOT"):
        return False
    return message is event or _is_edited(event)


def _is_edited(event: Json) -> bool:
    """Whether a person changed the text; Slack also reports unfurled links this way."""
    before, now = event.get("previous_message", {}), event["message"]
    return "ts" in now.get("edited", {}) and before.get("text") != now.get("text")


def _thread(message: Json, direct: bool) -> str | None:
    """Where the answer goes: in a channel, the thread below the message."""
    return message.get("thread_ts") or (None if direct else message["ts"])


def _event(*names: str) -> str:
    return ":".join(name for name in names if name)


def _attachments(message: Json) -> tuple[Attachment, ...]:
    """Files that can be fetched: not deleted ones or those beyond the workspace's limit."""
    return tuple(
        Attachment(id=file["id"], name=file.get("name") or file["id"], size=file.get("size"))
        for file in message.get("files", [])
        if file.get("mode") not in ("tombstone", "hidden_by_limit")
    )


def commanded(body: Json, me: SlackAccount, now: datetime, prefix: str = "") -> IncomingMessage:
    """A slash command as a message: the text after `/fundstelle` is our command, `/jurisdiction` is used as
    is; `prefix` is what the workspace put before both."""
    name, text = body["command"], body.get("text", "").strip()
    name = dict(zip(commands(prefix), COMMANDS, strict=True)).get(name, name)
    words = f"/{text.removeprefix('/') or 'help'}" if name == COMMANDS[0] else f"{name} {text}".strip()
    return IncomingMessage(
        ref=_ref(me, body["channel_id"], "", None),
        sender=body["user_id"],
        text=plain(words, me),
        addressed=True,
        received_at=now,
        event=_event("command", body["trigger_id"]),
        direct=is_direct(body["channel_id"]),
    )


def shortcut(body: Json, me: SlackAccount, now: datetime) -> IncomingMessage | None:
    """The shortcut "check this quote", chosen in the menu of a message, as the command to check its words, in
    its thread; None for another one."""
    if body.get("callback_id") != SHORTCUT:
        return None
    channel, message = body["channel"]["id"], body["message"]
    direct = is_direct(channel)
    return IncomingMessage(
        ref=_ref(me, channel, "", _thread(message, direct)),
        sender=body["user"]["id"],
        text="/verify",
        addressed=True,
        received_at=now,
        event=_event("shortcut", body["trigger_id"]),
        direct=direct,
        shown=plain(message.get("text", ""), me),
        shown_files=_attachments(message),
    )


def pressed(body: Json, me: SlackAccount, now: datetime) -> IncomingMessage | None:
    """A pressed button as a message; None for other elements below a message."""
    action, container = body["actions"][0], body.get("container", {})
    if action.get("type") != "button" or "value" not in action or not container.get("message_ts"):
        return None
    channel, message = container["channel_id"], container["message_ts"]
    direct = is_direct(channel)
    thread = container.get("thread_ts") or body.get("message", {}).get("thread_ts")
    return IncomingMessage(
        ref=_ref(me, channel, message, thread or (None if direct else message)),
        sender=body["user"]["id"],
        text=action["value"],
        addressed=True,
        received_at=now,
        event=_event("press", message, body["user"]["id"], action["action_ts"]),
        kind=MessageKind.BUTTON,
        direct=direct,
        reply_to=message,
    )


def happened(event: Json, event_id: str, me: SlackAccount) -> IncomingMessage | None:
    """A reaction to one of the app's messages, or a change of its membership in a channel."""
    kind = event.get("type", "")
    if kind == "reaction_added":
        return _reaction(event, event_id, me)
    if kind == "channel_id_changed":
        ref = _ref(me, event["old_channel_id"], "", None)
        return _change(MessageKind.MOVED, ref, event, event_id, text=event["new_channel_id"])
    own = event.get("user") == me.user
    if kind == "member_joined_channel" and own:
        ref = _ref(me, event["channel"], "", None)
        return _change(MessageKind.JOINED, ref, event, event_id, sender=event.get("inviter", ""))
    if kind in _LEFT or (kind == "member_left_channel" and own):
        return _change(MessageKind.LEFT, _ref(me, event["channel"], "", None), event, event_id)
    return None


def _reaction(event: Json, event_id: str, me: SlackAccount) -> IncomingMessage | None:
    item = event.get("item", {})
    if item.get("type") != "message" or event.get("item_user") != me.user or event.get("user") == me.user:
        return None
    name = event["reaction"].partition("::")[0]  # without skin tone
    ref = _ref(me, item["channel"], item["ts"], None)
    return _change(
        MessageKind.REACTION,
        ref,
        event,
        event_id,
        text=_EMOJI.get(name, f":{name}:"),
        sender=event["user"],
        reply_to=item["ts"],
        direct=is_direct(item["channel"]),
    )


def _change(kind: MessageKind, ref: MessageRef, event: Json, event_id: str, **more: Any) -> IncomingMessage:
    values: dict[str, Any] = {"sender": "", "text": ""} | more
    at = time_of(event["event_ts"])
    return IncomingMessage(ref=ref, addressed=True, received_at=at, event=event_id, kind=kind, **values)


def _ref(me: SlackAccount, channel: str, message: str, thread: str | None) -> MessageRef:
    return MessageRef(platform=PLATFORM, workspace=me.team, chat=channel, thread=thread, message=message)
