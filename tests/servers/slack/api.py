"""The methods of the Web API that are modelled."""

from collections.abc import Callable
from typing import Any

from tests.servers.slack import blocks
from tests.servers.slack.refusals import Refusal, Violation
from tests.servers.slack.rules import check_scope
from tests.servers.slack.world import BOT_ID, BOT_USER, KINDS, TEAM, Channel, File, Json, World

Tell = Callable[[Json], None]


class Api:
    """The app's side of the world. `tell` delivers an event."""

    def __init__(self, world: World, tell: Tell) -> None:
        self._world = world
        self._tell = tell
        self._uploads: dict[str, File] = {}

    def call(self, name: str, values: Json) -> Json:
        """The result of a checked call."""
        found: Json = getattr(self, name.replace(".", "_"))(values)
        return found

    def _in(self, name: str, identity: str) -> Channel:
        channel = self._world.joined(identity)
        check_scope(name, KINDS[channel.kind], self._world.scopes)
        return channel

    def auth_test(self, values: Json) -> Json:
        own = {"user": "fundstelle", "user_id": BOT_USER, "bot_id": BOT_ID}
        return own | {"team": "Workspace", "team_id": TEAM, "url": self._world.address}

    def assistant_threads_setStatus(self, values: Json) -> Json:  # noqa: N802 - Slack's name
        channel = self._in("assistant.threads.setStatus", values["channel_id"])
        if not self._world.has_status:
            raise Refusal("not_allowed_token_type")
        channel.statuses.append(values)
        return {}

    def chat_postMessage(self, values: Json) -> Json:  # noqa: N802
        channel = self._writable("chat.postMessage", values)
        self._check_content(values)
        if values.get("unfurl_links", True) or values.get("unfurl_media", True):
            raise Violation("invalid_arguments", "links would unfold")
        names = ("text", "blocks", "thread_ts", "metadata")
        message = self._post(channel, {name: values[name] for name in names if name in values})
        return {"channel": channel.id, "ts": message["ts"], "message": message}

    def chat_postEphemeral(self, values: Json) -> Json:  # noqa: N802
        channel = self._writable("chat.postEphemeral", values)
        self._check_content(values)
        if values["user"] not in channel.members:
            raise Refusal("user_not_in_channel")
        channel.ephemeral.append(values | {"ts": self._world.stamp()})
        return {"message_ts": channel.ephemeral[-1]["ts"]}

    def chat_update(self, values: Json) -> Json:
        channel = self._in("chat.update", values["channel"])
        self._check_content(values)
        message = self._own(channel, values["ts"], "cant_update_message")
        before = dict(message)
        message |= {name: values[name] for name in ("text", "blocks", "metadata") if name in values}
        message["edited"] = {"user": BOT_USER, "ts": self._world.stamp()}
        changed = {"subtype": "message_changed", "message": message, "previous_message": before}
        self._tell_message(channel, changed | {"hidden": True, "ts": message["edited"]["ts"]})
        return {"channel": channel.id, "ts": message["ts"], "text": message["text"]}

    def chat_delete(self, values: Json) -> Json:
        channel = self._in("chat.delete", values["channel"])
        self._own(channel, values["ts"], "cant_delete_message")
        del channel.messages[values["ts"]]
        self._tell_message(
            channel, {"subtype": "message_deleted", "deleted_ts": values["ts"], "ts": self._world.stamp()}
        )
        return {"channel": channel.id, "ts": values["ts"]}

    def chat_unfurl(self, values: Json) -> Json:
        check_scope("chat.unfurl", "", self._world.scopes)
        whole = {"channel", "ts"} <= set(values), {"unfurl_id", "source"} <= set(values)
        if sum(whole) != 1:
            raise Violation("invalid_arguments", "channel and ts, or unfurl_id and source")
        if not values["unfurls"]:
            raise Violation("missing_unfurls", "nothing to unfold")
        for each in values["unfurls"].values():
            blocks.check_preview(each, pictures=self._world.has_pictures)
        shown = self._world.shared(values)
        if shown is None:
            raise Refusal("cannot_unfurl_url")
        shown["unfurls"] = values["unfurls"]
        return {}

    def views_publish(self, values: Json) -> Json:
        if values["user_id"] not in self._world.users:
            raise Refusal("user_not_found")
        blocks.check_view(values["view"], "home")
        self._world.homes[values["user_id"]] = values["view"]
        return {"view": values["view"]}

    def views_open(self, values: Json) -> Json:
        if values["trigger_id"] not in self._world.triggers:
            raise Refusal("expired_trigger_id")
        self._world.triggers.discard(values["trigger_id"])
        blocks.check_view(values["view"], "modal")
        view = values["view"] | {"id": f"V0{self._world.number()}"}
        self._world.forms[view["id"]] = view
        return {"view": view}

    def conversations_info(self, values: Json) -> Json:
        channel = self._world.channel(values["channel"])
        check_scope("conversations.info", KINDS[channel.kind], self._world.scopes)
        return {"channel": channel.json()}

    def conversations_members(self, values: Json) -> Json:
        channel = self._in("conversations.members", values["channel"])
        return _page("members", channel.members, values)

    def conversations_open(self, values: Json) -> Json:
        if values["users"] not in self._world.users:
            raise Refusal("user_not_found")
        for channel in self._world.channels.values():
            if channel.kind == "im" and channel.user == values["users"]:
                return {"channel": {"id": channel.id}}
        members = [values["users"], BOT_USER]
        opened = self._world.new_channel("im", private=True, members=members, user=values["users"])
        return {"channel": {"id": opened.id}}

    def conversations_history(self, values: Json) -> Json:
        channel = self._in("conversations.history", values["channel"])
        shown = [m for m in channel.messages.values() if _is_root(m) and _within(m, values)]
        newest_first = sorted(shown, key=lambda each: float(each["ts"]), reverse=True)
        return _page("messages", [_seen(each, values) for each in newest_first], values)

    def conversations_replies(self, values: Json) -> Json:
        channel = self._in("conversations.replies", values["channel"])
        root = channel.messages.get(values["ts"])
        if root is None:
            raise Refusal("thread_not_found")
        replies = [m for m in channel.messages.values() if m.get("thread_ts") == root["ts"] and m is not root]
        found = [root, *(each for each in replies if _within(each, values))]
        return _page("messages", [_seen(each, values) for each in found], values)

    def files_getUploadURLExternal(self, values: Json) -> Json:  # noqa: N802
        check_scope("files.getUploadURLExternal", "", self._world.scopes)
        file = self._world.new_file(values["filename"], values["length"], BOT_USER)
        self._uploads[file.id] = file
        return {"upload_url": f"{self._world.address}/upload/v1/{file.id}", "file_id": file.id}

    def receive_upload(self, identity: str, content: bytes) -> None:
        """What comes to an upload URL."""
        file = self._uploads.get(identity)
        if file is None or file.length != len(content):
            raise Violation("upload_failed", "an unknown upload, or another length than announced")
        file.content = content

    def files_completeUploadExternal(self, values: Json) -> Json:  # noqa: N802
        check_scope("files.completeUploadExternal", "", self._world.scopes)
        files = [self._uploaded(each) for each in values["files"]]
        if "channel_id" in values:
            channel = self._writable(
                "files.completeUploadExternal", {"channel": values["channel_id"]} | values
            )
            blocks.check(values.get("blocks", []))
            content = {"subtype": "file_share", "text": "", "blocks": values.get("blocks", [])}
            thread = {"thread_ts": values["thread_ts"]} if "thread_ts" in values else {}
            self._world.share_later(lambda: self._share(channel, content | thread, files))
        return {"files": [{"id": file.id, "title": file.title} for file in files]}

    def _share(self, channel: Channel, content: Json, files: list[File]) -> None:
        """What was deleted meanwhile is not shared any more."""
        left = [file.json(self._world.address) for file in files if file.id in self._world.files]
        if left:
            self._post(channel, content | {"files": left, "upload": True})

    def _uploaded(self, given: Json) -> File:
        if set(given) - {"id", "title"}:
            raise Violation("invalid_arguments", "files: id and title")
        file = self._uploads.get(given["id"])
        if file is None:
            raise Refusal("file_not_found")
        if file.content is None or file.shared:
            raise Violation("invalid_arguments", "a file that was not uploaded, or is completed already")
        file.shared, file.title = True, given.get("title", file.name)
        return file

    def files_info(self, values: Json) -> Json:
        check_scope("files.info", "", self._world.scopes)
        return {"file": self._file(values["file"]).json(self._world.address)}

    def files_delete(self, values: Json) -> Json:
        check_scope("files.delete", "", self._world.scopes)
        if self._file(values["file"]).user != BOT_USER:
            raise Refusal("cant_delete_file")
        del self._world.files[values["file"]]
        return {}

    def _file(self, identity: str) -> File:
        if identity not in self._world.files:
            raise Refusal("file_not_found")
        return self._world.files[identity]

    def reactions_add(self, values: Json) -> Json:
        channel = self._in("reactions.add", values["channel"])
        if values["timestamp"] not in channel.messages:
            raise Refusal("message_not_found")
        if values in channel.reactions:
            raise Refusal("already_reacted")
        channel.reactions.append(values)
        return {}

    def reactions_remove(self, values: Json) -> Json:
        channel = self._in("reactions.remove", values["channel"])
        if values not in channel.reactions:
            raise Refusal("no_reaction")
        channel.reactions.remove(values)
        return {}

    def users_conversations(self, values: Json) -> Json:
        wanted = values.get("types", "public_channel").split(",")
        kinds = {"public_channel": "channel", "private_channel": "group", "mpim": "mpim", "im": "im"}
        for kind in wanted:
            check_scope("users.conversations", KINDS[kinds[kind]], self._world.scopes)
        found = [
            channel.json()
            for channel in self._world.channels.values()
            if BOT_USER in channel.members and channel.kind in {kinds[kind] for kind in wanted}
        ]
        return _page("channels", found, values)

    def users_info(self, values: Json) -> Json:
        check_scope("users.info", "", self._world.scopes)
        if values["user"] not in self._world.users:
            raise Refusal("user_not_found")
        return {"user": self._world.users[values["user"]]}

    def _writable(self, name: str, values: Json) -> Channel:
        channel = self._in(name, values["channel"])
        if channel.archived:
            raise Refusal("is_archived")
        thread = values.get("thread_ts")
        if thread is not None and (
            thread not in channel.messages or channel.messages[thread].get("thread_ts", thread) != thread
        ):
            raise Refusal("thread_not_found")
        return channel

    def _check_content(self, values: Json) -> None:
        if not (values.get("text") or values.get("blocks")):
            raise Violation("no_text", "neither text nor blocks")
        if not values.get("text"):
            raise Violation("invalid_arguments", "without text notifications are empty")
        if len(values["text"]) > blocks.MAX_TEXT:
            raise Violation("msg_too_long", "text is longer than 4,000 characters")
        blocks.check(values.get("blocks", []))

    def _own(self, channel: Channel, timestamp: str, otherwise: str) -> Json:
        message = channel.messages.get(timestamp)
        if message is None:
            raise Refusal("message_not_found")
        if message["user"] != BOT_USER:
            raise Refusal(otherwise)
        return message

    def _post(self, channel: Channel, content: Json) -> Json:
        message = self._world.post(channel, BOT_USER, {"bot_id": BOT_ID, **content})
        self._tell_message(channel, message)
        return message

    def _tell_message(self, channel: Channel, message: Json) -> None:
        about = {"type": "message", "channel": channel.id, "channel_type": channel.kind}
        self._tell(message | about | {"event_ts": message["ts"]})


def _is_root(message: Json) -> bool:
    return message.get("thread_ts", message["ts"]) == message["ts"]


def _within(message: Json, values: Json) -> bool:
    """Between oldest and latest; the ends only if they are inclusive."""
    at = float(message["ts"])
    oldest, latest = float(values.get("oldest", 0)), float(values.get("latest", "inf"))
    return oldest <= at <= latest if values.get("inclusive") else oldest < at < latest


def _seen(message: Json, values: Json) -> Json:
    kept = values.get("include_all_metadata", False)
    return {name: value for name, value in message.items() if kept or name != "metadata"}


def _page(key: str, entries: list[Any], values: Json) -> Json:
    start = int(values.get("cursor") or 0)
    end = start + values.get("limit", 100)
    following = str(end) if end < len(entries) else ""
    return {key: entries[start:end], "response_metadata": {"next_cursor": following}}
