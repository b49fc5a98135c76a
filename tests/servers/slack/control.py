"""What tests do to the workspace: people act, things break, and a look at what the app did."""

import asyncio
import base64
from typing import Any

from tests.servers.slack import blocks
from tests.servers.slack.delivery import Delivery
from tests.servers.slack.world import APP, BOT_ID, BOT_USER, TEAM, Channel, File, Json, Limit, World


class Control:
    """One method per verb of the control interface; arguments and results are JSON."""

    def __init__(
        self, world: World, delivery: Delivery, faults: dict[str, list[Json]], calls: list[Json]
    ) -> None:
        self._world = world
        self._delivery = delivery
        self._faults = faults
        self._calls = calls

    def _tell(self, event: Json) -> None:
        self._delivery.event(event, f"Ev0{self._world.number()}")

    async def chat(self, kind: str = "group", people: list[str] | None = None, announce: bool = False) -> str:
        """A new channel with people and the app; `announce` tells the app that it was taken in."""
        members = [self._world.user(name) for name in people or ["ann", "ben"]]
        user = members[0] if kind == "im" else ""
        private = kind != "channel"
        channel = self._world.new_channel(kind, private=private, members=[*members, BOT_USER], user=user)
        if announce:
            await self.join(channel.id)
        return channel.id

    async def join(self, chat: str) -> None:
        """The app is taken in."""
        channel = self._world.channels[chat]
        if BOT_USER not in channel.members:
            channel.members.append(BOT_USER)
        inviter = self._world.user("ann")
        notice = {"subtype": "channel_join", "text": f"<@{BOT_USER}> has joined", "inviter": inviter}
        message = self._world.post(channel, BOT_USER, notice)
        self._tell_message(channel, message)
        self._membership("member_joined_channel", channel, inviter=inviter)

    async def leave(self, chat: str) -> None:
        """The app is removed."""
        channel = self._world.channels[chat]
        channel.members.remove(BOT_USER)
        kind = "group_left" if channel.private else "channel_left"
        self._tell({"type": kind, "channel": chat, "actor_id": self._world.user("ann")} | self._at())

    def _membership(self, kind: str, channel: Channel, **more: str) -> None:
        about = {"type": kind, "user": BOT_USER, "channel": channel.id, "team": TEAM}
        self._tell(about | {"channel_type": channel.id[0]} | more | self._at())

    def _at(self) -> Json:
        return {"event_ts": self._world.stamp()}

    async def user(self, name: str, **more: Any) -> str:
        """The id of a person, with such an account."""
        return self._world.user(name, **more)

    async def say(
        self,
        chat: str,
        text: str = "",
        by: str = "ann",
        thread: str | None = None,
        files: list[Json] | None = None,
        age_s: float = 0,
        **more: Any,
    ) -> str:
        """A person says something, in markup as their client sends it. Returns the message's id."""
        channel, user = self._world.channels[chat], self._world.user(by)
        content: Json = {"text": text, "client_msg_id": self._world.number()} | more
        if thread:  # or a reply in it
            content["thread_ts"] = channel.messages[thread].get("thread_ts", thread)
        if files:
            shared = [self._file(file, user).json(self._world.address) for file in files]
            content |= {"subtype": "file_share", "files": shared, "upload": True}
        message = self._world.post(channel, user, content, age_s)
        self._tell_message(channel, message)
        if f"<@{BOT_USER}>" in text and channel.kind != "im" and BOT_USER in channel.members:
            self._tell_mention(channel, message)
        return str(message["ts"])

    def _tell_message(self, channel: Channel, message: Json) -> None:
        if BOT_USER in channel.members:
            about = {"channel": channel.id, "channel_type": channel.kind, "event_ts": message["ts"]}
            self._tell(message | about)

    def _tell_mention(self, channel: Channel, message: Json) -> None:
        names = ("user", "text", "ts", "team", "thread_ts", "client_msg_id", "edited")
        event = {"type": "app_mention", "channel": channel.id, "event_ts": message["ts"]}
        event |= {name: message[name] for name in names if name in message}
        ids = [{"id": file["id"]} for file in message.get("files", [])]
        self._tell(event | ({"files": ids} if ids else {}))

    def _file(self, given: Json, user: str) -> File:
        content = base64.b64decode(given["content"])
        file = self._world.new_file(given["name"], given.get("size", len(content)), user)
        file.content = content
        return file

    async def edit(self, chat: str, message: str, text: str) -> None:
        """A person changes a message. Where it names the app then, Slack tells the mention as well."""
        channel = self._world.channels[chat]
        shown = channel.messages[message]
        before = dict(shown)
        shown |= {"text": text, "edited": {"user": shown["user"], "ts": self._world.stamp()}}
        self._changed(channel, dict(shown), before)
        if f"<@{BOT_USER}>" in text and channel.kind != "im" and BOT_USER in channel.members:
            self._tell_mention(channel, shown)

    async def unfurl(self, chat: str, message: str) -> None:
        """Slack unfolds a link of a person's message."""
        channel = self._world.channels[chat]
        before = dict(channel.messages[message])
        channel.messages[message]["attachments"] = [{"title": "A page", "id": 1}]
        self._changed(channel, dict(channel.messages[message]), before)

    def _changed(self, channel: Channel, message: Json, before: Json) -> None:
        about = {"type": "message", "subtype": "message_changed", "hidden": True, "channel": channel.id}
        about |= {"channel_type": channel.kind, "ts": self._world.stamp(), **self._at()}
        self._tell(about | {"message": message, "previous_message": before})

    async def remove_message(self, chat: str, message: str) -> None:
        """A person deletes a message. One with replies leaves a stone in its place."""
        channel = self._world.channels[chat]
        before = channel.messages.pop(message)
        if before.get("reply_count"):
            names = ("type", "ts", "thread_ts", "reply_count", "latest_reply")
            stone = {name: before[name] for name in names} | {"subtype": "tombstone", "user": "USLACKBOT"}
            channel.messages[message] = stone | {"text": "This message was deleted.", "hidden": True}
            self._changed(channel, dict(channel.messages[message]), before)
            return
        about = {"type": "message", "subtype": "message_deleted", "hidden": True, "channel": chat}
        about |= {"channel_type": channel.kind, "ts": self._world.stamp(), **self._at()}
        self._tell(about | {"deleted_ts": message, "previous_message": before})

    async def command(self, chat: str, command: str, text: str, by: str = "ann") -> Any:
        """A person types a slash command; what comes back to them at once."""
        channel, user = self._world.channels[chat], self._world.user(by)
        number = self._world.number()
        payload = {"token": "verification", "team_id": TEAM, "team_domain": "workspace", "api_app_id": APP}
        payload |= {"channel_id": chat, "channel_name": channel.json().get("name", "directmessage")}
        payload |= {"user_id": user, "user_name": by, "command": command, "text": text}
        payload |= {
            "response_url": f"{self._world.address}/response/{number}",
            "is_enterprise_install": "false",
        }
        return await self._delivery.command(payload | {"trigger_id": self._world.trigger()})

    async def press(self, chat: str, message: str, value: str, by: str = "ann") -> None:
        """A person presses a button of the app."""
        channel, user = self._world.channels[chat], self._world.user(by)
        shown = channel.messages[message]
        buttons = [each for row in _rows(shown) for each in row if each["value"] == value]
        action = buttons[0] | {"block_id": "generated", "action_ts": self._world.stamp()}
        container = {"type": "message", "message_ts": message, "channel_id": chat, "is_ephemeral": False}
        container |= {"thread_ts": shown["thread_ts"]} if "thread_ts" in shown else {}
        payload = {"type": "block_actions", "user": {"id": user, "username": by, "team_id": TEAM}}
        payload |= {"api_app_id": APP, "team": {"id": TEAM, "domain": "workspace"}, "container": container}
        payload |= {"channel": {"id": chat, "name": "name"}, "message": shown, "actions": [action]}
        payload |= {"response_url": f"{self._world.address}/response/0", "trigger_id": self._world.number()}
        await self._delivery.interaction(payload)

    def _interaction(self, kind: str, by: str, **more: Any) -> Json:
        user = {"id": self._world.user(by), "name": by, "username": by, "team_id": TEAM}
        about: Json = {"type": kind, "user": user, "api_app_id": APP, "token": "verification"}
        about |= {"team": {"id": TEAM, "domain": "workspace"}, "trigger_id": self._world.trigger()}
        return about | {"is_enterprise_install": False, "enterprise": None} | more

    async def open_home(self, by: str = "ann", tab: str = "home") -> None:
        """A person opens a tab of the app (docs.slack.dev/reference/events/app_home_opened)."""
        user = self._world.user(by)
        chats = [each.id for each in self._world.channels.values() if each.kind == "im" and each.user == user]
        event = {"type": "app_home_opened", "user": user, "tab": tab, **self._at()}
        self._tell(event | ({"channel": chats[0]} if chats else {}))

    async def home(self, by: str = "ann") -> Json:
        """What a person's Home tab shows."""
        return self._world.homes.get(self._world.user(by), {})

    async def press_home(self, by: str = "ann") -> None:
        """A person presses the button of their Home tab."""
        view = self._world.homes[self._world.user(by)]
        button = next(block for block in view["blocks"] if block["type"] == "actions")["elements"][0]
        action = button | {"block_id": "generated", "action_ts": self._world.stamp()}
        container = {"type": "view", "view_id": "V0HOME"}
        payload = self._interaction("block_actions", by, container=container, actions=[action], view=view)
        await self._delivery.interaction(payload)

    async def forms(self) -> list[Json]:
        """The forms that were opened."""
        return [*self._world.forms.values()]

    async def submit(self, view: str, topic: str, chosen: list[str], by: str = "ann") -> Any:
        """A person sends a form; what comes back to it at once
        (docs.slack.dev/reference/interaction-payloads/view-interactions-payload)."""
        options = [{"text": {"type": "plain_text", "text": name}, "value": name} for name in chosen]
        values = {
            "topic": {"topic": {"type": "plain_text_input", "value": topic}},
            "parties": {"parties": {"type": "multi_static_select", "selected_options": options}},
        }
        shown = self._world.forms[view] | {"state": {"values": values}}
        payload = self._interaction("view_submission", by, view=shown, response_urls=[])
        return await self._delivery.interaction(payload)

    async def link(self, chat: str, url: str, by: str = "ann", source: str = "") -> str:
        """A person posts a link whose host the app has named (docs.slack.dev/reference/events/link_shared).
        Returns the message's id."""
        channel, user = self._world.channels[chat], self._world.user(by)
        message = self._world.post(channel, user, {"text": f"<{url}>"})
        message["unfurl_id"] = f"Uxxxxxxx-{self._world.number()}"
        link = {"url": url, "domain": url.split("/")[2]}
        event = {"type": "link_shared", "user": user, "channel": chat, "message_ts": message["ts"]}
        event |= {"links": [link], "is_bot_user_member": BOT_USER in channel.members, **self._at()}
        self._tell(event | ({"unfurl_id": message["unfurl_id"], "source": source} if source else {}))
        return str(message["ts"])

    async def unfurls(self, chat: str, message: str) -> Json:
        """What stands below the links of a message."""
        found: Json = self._world.channels[chat].messages[message].get("unfurls", {})
        return found

    async def shortcut(self, chat: str, message: str, callback_id: str, by: str = "ann") -> None:
        """A person chooses a shortcut of the app in the menu of a message, in any channel of theirs
        (docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload)."""
        channel, user, number = self._world.channels[chat], self._world.user(by), self._world.number()
        payload = {"type": "message_action", "token": "verification", "callback_id": callback_id}
        payload |= {"trigger_id": f"{number}.1.abc", "action_ts": self._world.stamp(), "message_ts": message}
        payload |= {"response_url": f"{self._world.address}/response/{chat}"}
        payload |= {"team": {"id": TEAM, "domain": "workspace"}, "is_enterprise_install": False}
        payload |= {"channel": {"id": chat, "name": "name"}, "message": channel.messages[message]}
        payload |= {"user": {"id": user, "name": by, "username": by, "team_id": TEAM}, "enterprise": None}
        await self._delivery.interaction(payload)

    async def react(self, chat: str, message: str, name: str, by: str = "ann") -> None:
        """A person reacts to a message."""
        item = {"type": "message", "channel": chat, "ts": message}
        author = self._world.channels[chat].messages[message]["user"]
        event = {"type": "reaction_added", "user": self._world.user(by), "reaction": name}
        self._tell(event | {"item": item, "item_user": author} | self._at())

    async def set(self, chat: str, **values: Any) -> None:
        """Change a channel without an event: private, archived, or a flag such as is_ext_shared."""
        channel = self._world.channels[chat]
        for name, value in values.items():
            if hasattr(channel, name):
                setattr(channel, name, value)
            else:
                channel.flags[name] = value

    async def member(self, chat: str, name: str, **account: Any) -> None:
        """One more person in a channel, with such an account."""
        self._world.channels[chat].members.append(self._world.user(name, **account))

    async def event(self, **event: Any) -> None:
        """Any event, as it is."""
        self._tell(event | self._at())

    async def world(self, **values: Any) -> None:
        """Change something of the workspace: has_status, sharing_s."""
        for name, value in values.items():
            assert hasattr(self._world, name)
            setattr(self._world, name, value)

    async def delivery(self, **values: Any) -> None:
        """How events are delivered: address of the app, tries, ack_s, dropping."""
        for name, value in values.items():
            assert hasattr(self._delivery, name)
            setattr(self._delivery, name, value)

    async def revoke(self, scope: str) -> None:
        self._world.scopes.discard(scope)

    async def hold(self) -> None:
        """Keep events back."""
        self._delivery.held = []

    async def release(self, seed: int | None = None) -> None:
        """Let events go, shuffled for a `seed`."""
        self._delivery.release(seed)

    async def again(self, copies: int = 1, seed: int | None = None) -> None:
        """Deliver everything once more."""
        self._delivery.again(copies, seed)

    async def cut(self, politely: bool = False) -> None:
        """End the connection; politely as Slack does it when a server is taken out."""
        for socket in [*self._delivery.sockets]:
            if politely:
                await socket.send_json({"type": "disconnect", "reason": "refresh_requested"})
            else:
                await socket.close()

    async def connections(self) -> int:
        return len(self._delivery.sockets)

    async def fault(self, method: str, kind: str, times: int = 1, **more: Any) -> None:
        """Break the next calls of a method: `refuse` (status, error, wait_s), `hang_up` before it is carried
        out, `lost` after, `delay` (seconds), `page` (a proxy's, with status and type of content)."""
        assert kind in ("refuse", "hang_up", "lost", "delay", "page")
        self._faults.setdefault(method, []).extend([{"kind": kind, **more}] * times)

    async def limit(self, method: str, calls: int, per_s: float = 60) -> None:
        """Slack's limit of a method, in the time that `advance` lets pass."""
        self._world.limits[method] = Limit(calls, per_s)

    async def advance(self, seconds: float) -> None:
        """Let time pass for the limits."""
        self._world.passed_s += seconds

    async def shown(self, chat: str) -> list[Json]:
        """The app's messages in a channel, with what they alert and whether links may unfold."""
        channel = self._world.channels[chat]
        await asyncio.sleep(0)
        own = [m for m in channel.messages.values() if m.get("bot_id") == BOT_ID and "blocks" in m]
        return [m | {"seen": _text(m), "alerted": blocks.alerted(m), "rows": _rows(m)} for m in own]

    async def ephemeral(self, chat: str) -> list[Json]:
        """What single people were shown."""
        return [m | {"seen": _text(m)} for m in self._world.channels[chat].ephemeral]

    async def signs(self, chat: str) -> Json:
        """Statuses so far and reactions that stand."""
        channel = self._world.channels[chat]
        return {"statuses": channel.statuses, "reactions": channel.reactions}

    async def file(self, file_id: str) -> str:
        """A file's content in base64; nothing for one that was taken back meanwhile."""
        file = self._world.files.get(file_id)
        return base64.b64encode(file.content or b"" if file else b"").decode()

    async def files(self) -> list[str]:
        return list(self._world.files)

    async def forget_file(self, file_id: str) -> None:
        del self._world.files[file_id]

    async def calls(self) -> list[Json]:
        return self._calls

    async def violations(self, clear: bool = False) -> list[Json]:
        """Calls that no client should make."""
        found = [call for call in self._calls if call["violation"]]
        found += [{"ack": why} for why in self._delivery.bad_acks]
        if clear:
            self._delivery.bad_acks.clear()
            for call in self._calls:
                call["violation"] = False
        return found


def _text(message: Json) -> str:
    return "\n".join(text for block in message.get("blocks", []) if (text := blocks.text(block)))


def _rows(message: Json) -> list[list[Json]]:
    return [block["elements"] for block in message.get("blocks", []) if block["type"] == "actions"]
