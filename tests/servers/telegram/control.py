"""What tests do to the world: people act, things break, and a look at what the bot did."""

import base64
import itertools
from typing import Any

from aiogram import types

from tests.servers.telegram.api import Api
from tests.servers.telegram.schema import sound
from tests.servers.telegram.texts import parsed
from tests.servers.telegram.world import BOT, Chat, Json, World, membership


class Control:
    """One method per verb of the control interface; arguments and results are JSON."""

    def __init__(self, world: World, api: Api, faults: dict[str, list[Json]], calls: list[Json]) -> None:
        self._world = world
        self._api = api
        self._faults = faults
        self._calls = calls
        self._numbers = itertools.count(1)

    async def chat(self, kind: str = "supergroup", announce: bool = False, **more: Any) -> int:
        """A new chat of a type; `announce` tells the bot that it was taken in."""
        chat = self._world.new_chat(kind, **more)
        if announce:
            await self._membership(chat, "left", chat.status)
        return chat.id

    async def topic(self, chat: int) -> int:
        return self._world.topic(self._world.chats[chat])

    async def close_topic(self, chat: int, topic: int) -> None:
        self._world.chats[chat].topics[topic] = False

    async def say(
        self,
        chat: int,
        text: str = "",
        by: str = "ann",
        reply_to: int | None = None,
        thread: int | None = None,
        files: list[Json] | None = None,
        age_s: int = 0,
        entities: list[Json] | None = None,
    ) -> list[int]:
        """A person says something; several files are an album. Returns the ids of the messages."""
        place, sender = self._world.chats[chat], self._world.user(by)
        more = self._reply(place, reply_to, thread) | ({"date": self._world.now() - age_s} if age_s else {})
        contents = self._contents(text, files or [], entities)
        messages = [self._world.post(place, sender, content | more, thread) for content in contents]
        for message in messages:
            if self._world.reaches_bot(place, message):
                await self._tell("message", message, types.Message)
        return [message["message_id"] for message in messages]

    def _reply(self, chat: Chat, reply_to: int | None, thread: int | None) -> Json:
        replied = reply_to if reply_to is not None else thread
        if replied is None:
            return {}
        return {
            "reply_to_message": {k: v for k, v in chat.messages[replied].items() if k != "reply_to_message"}
        }

    def _contents(self, text: str, files: list[Json], given: list[Json] | None) -> list[Json]:
        shown, entities = parsed(text, None, given)
        if not files:
            return [{"text": shown, "entities": entities}]
        album = {"media_group_id": f"14{next(self._numbers):015}"} if len(files) > 1 else {}
        documents = [{"document": self._file(file)} | album for file in files]
        documents[0] |= {"caption": shown, "caption_entities": entities} if shown else {}
        return documents

    def _file(self, file: Json) -> Json:
        content = base64.b64decode(file["content"])
        return self._world.new_file(file["name"], content, file.get("size")).document()

    async def edit(self, chat: int, message: int, text: str) -> None:
        """A person changes a message."""
        edited = self._world.chats[chat].messages[message]
        shown, entities = parsed(text, None, None)
        edited |= {"text": shown, "entities": entities, "edit_date": self._world.now()}
        if self._world.reaches_bot(self._world.chats[chat], edited):
            await self._tell("edited_message", edited, types.Message)

    async def press(self, chat: int, message: int, data: str, by: str = "ann") -> str:
        """A person presses a button; returns the query's id."""
        shown = self._world.chats[chat].messages[message]
        rows = shown["reply_markup"]["inline_keyboard"]
        assert data in [button["callback_data"] for row in rows for button in row]
        query = f"88{next(self._numbers):016}"
        self._world.queries[query] = False
        pressed = {"id": query, "from": self._world.user(by), "message": shown, "chat_instance": "1"}
        await self._tell("callback_query", pressed | {"data": data}, types.CallbackQuery)
        return query

    async def answered(self, query: str) -> bool:
        return self._world.queries[query]

    async def react(self, chat: int, message: int, emoji: list[str], by: str = "ann") -> None:
        """A person reacts; bots learn of it in private and as administrators only."""
        place = self._world.chats[chat]
        if place.type != "private" and place.status != "administrator":
            return
        new = [{"type": "emoji", "emoji": sign} for sign in emoji]
        reaction = {
            "chat": place.json(),
            "message_id": message,
            "date": self._world.now(),
            "old_reaction": [],
        }
        reaction |= {"actor_chat": place.json()} if by == "anonymous" else {"user": self._world.user(by)}
        await self._tell("message_reaction", reaction | {"new_reaction": new}, types.MessageReactionUpdated)

    async def inline(self, query: str, by: str = "ann", language: str = "") -> str:
        """A person types behind the bot's name in some chat; returns the query's id. Telegram answers from
        its own memory what it may (`cache_time`, `is_personal`)."""
        assert self._world.supports_inline, "inline mode is off at BotFather's"
        person = self._world.user(by) | ({"language_code": language} if language else {})
        known = self._world.remembered(query, person["id"])
        number = f"inline{next(self._numbers)}"
        if known is not None:
            self._world.inline[number] = known
            return number
        self._world.inline[number] = None
        asked = {"id": number, "from": person, "query": query, "offset": "", "chat_type": "group"}
        await self._tell("inline_query", asked, types.InlineQuery)
        return number

    async def person(self, name: str) -> int:
        """The id of a person."""
        return int(self._world.user(name)["id"])

    async def offered(self, query: str) -> Json | None:
        """What a person sees of a query, None as long as there is nothing."""
        return self._world.inline[query]

    async def choose(self, chat: int, query: str, result: int) -> Json:
        """A person sends a result to a chat: the message as it stands there."""
        offer = (self._world.inline[query] or {})["results"][result]
        content = offer["input_message_content"]
        text, entities = parsed(content["message_text"], None, content.get("entities"))
        said = {"text": text, "entities": entities, "via_bot": BOT}
        said |= {name: offer[name] for name in ("reply_markup",) if name in offer}
        return self._world.post(self._world.chats[chat], self._world.user("ann"), said)

    async def set(self, chat: int, **values: Any) -> None:
        """Change something of a chat without an update: username, linked, status..."""
        for name, value in values.items():
            assert hasattr(self._world.chats[chat], name)
            setattr(self._world.chats[chat], name, value)

    async def member(self, chat: int, status: str) -> None:
        """The bot's membership changes, with an update."""
        place = self._world.chats[chat]
        before, place.status = place.status, status
        await self._membership(place, before, status)

    async def _membership(self, chat: Chat, before: str, after: str) -> None:
        changed = {"chat": chat.json(), "from": self._world.user("ann"), "date": self._world.now()}
        changed |= {"old_chat_member": membership(before), "new_chat_member": membership(after)}
        await self._tell("my_chat_member", changed, types.ChatMemberUpdated)

    async def migrate(self, chat: int) -> int:
        """A group becomes a supergroup; returns its new id."""
        old, new = self._world.chats[chat], self._world.new_chat("supergroup")
        old.moved_to = new.id
        ann = self._world.user("ann")
        moved = self._world.post(old, ann, {"migrate_to_chat_id": new.id})
        await self._tell("message", moved, types.Message)
        await self._tell(
            "message", self._world.post(new, ann, {"migrate_from_chat_id": old.id}), types.Message
        )
        return new.id

    async def _tell(self, kind: str, content: Json, model: type[Any]) -> None:
        await self._world.updates.put(kind, dict(sound(model, content)))

    async def put(self, kind: str, content: Json) -> None:
        """Any update, as it is."""
        await self._world.updates.put(kind, content)

    async def world(self, **values: Any) -> None:
        """Change something of the world: privacy, webhook, clock_ahead_s."""
        for name, value in values.items():
            assert hasattr(self._world, name)
            setattr(self._world, name, value)

    async def again(self, copies: int = 1, seed: int | None = None) -> None:
        await self._world.updates.again(copies, seed)

    async def hold(self, held: bool) -> None:
        """Keep updates back, or let them go."""
        self._world.updates.held = held
        await self._world.updates.wake()

    async def drop(self, count: int) -> None:
        """Lose the next updates."""
        self._world.updates.dropping = count

    async def fault(self, method: str, kind: str, times: int = 1, **more: Any) -> None:
        """Break the next calls of a method: `refuse` (status, description, parameters), `hang_up` before
        it is carried out, `lost` after, `delay` (seconds)."""
        assert kind in ("refuse", "hang_up", "lost", "delay")
        self._faults.setdefault(method, []).extend([{"kind": kind, **more}] * times)

    async def shown(self, chat: int) -> list[Json]:
        """The bot's messages in a chat."""
        return [m for m in self._world.chats[chat].messages.values() if m["from"]["id"] == BOT["id"]]

    async def file(self, file_id: str) -> str:
        """A file's content in base64."""
        return base64.b64encode(self._world.files[file_id].content).decode()

    async def forget_file(self, file_id: str) -> None:
        del self._world.files[file_id]

    async def reactions(self, chat: int, message: int) -> list[str]:
        """The bot's to a message."""
        return self._world.chats[chat].reactions.get(message, [])

    async def actions(self, chat: int) -> int:
        return len([action for action in self._api.actions if action["chat"] == chat])

    async def calls(self) -> list[Json]:
        return self._calls

    async def violations(self, clear: bool = False) -> list[Json]:
        """Calls that no client should make."""
        found = [call for call in self._calls if call["violation"]]
        if clear:
            for call in found:
                call["violation"] = False
        return found

    async def waiting(self) -> int:
        """Updates that the bot has not acknowledged."""
        return len(self._world.updates.waiting)

    async def commands(self) -> Json:
        return self._world.commands
