"""The methods of the Bot API that are modelled; every other one of the 185 answers 501."""

import re
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from tests.servers.telegram.refusals import Refusal, Violation
from tests.servers.telegram.schema import Call, Upload
from tests.servers.telegram.texts import MAX_CAPTION, MAX_TEXT, check_length, parsed
from tests.servers.telegram.updates import Superseded
from tests.servers.telegram.world import BOT, OUTSIDE, Chat, File, Json, World, jpeg_size, membership

EMOJI = "👍👎❤🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🙏👌🕊🤡🐳🌚💯🤣⚡🏆💔🤨😐😈😴😭🤓👻👀🙈😇🤝✍🤗🫡🆒😘💊🙊😎👾😡"
"""Some of what bots may react with (core.telegram.org/bots/api#reactiontypeemoji)."""

MAX_DOWNLOAD = 20_000_000
MAX_THUMBNAIL = 320
TWO_DAYS_S = 48 * 3600


class Api:
    """The bot's side of the world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.actions: list[Json] = []
        self._methods: dict[str, Callable[[Json, dict[str, Upload]], Awaitable[Any]]] = {
            re.sub("_(.)", lambda found: found[1].upper(), name): getattr(self, name)
            for name in dir(self)
            if re.fullmatch(r"(?:get|set|send|edit|delete|answer)_\w+", name)
        }

    async def call(self, call: Call) -> Any:
        """The result of a checked call."""
        if call.method not in self._methods:
            raise Violation(f"{call.method} is not modelled", status=501)
        return await self._methods[call.method](call.values, call.uploads)

    async def get_me(self, values: Json, uploads: dict[str, Upload]) -> Json:
        return self._world.me()

    async def get_updates(self, values: Json, uploads: dict[str, Upload]) -> list[Json]:
        if self._world.webhook:
            raise Refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        if not 1 <= values.get("limit", 100) <= 100:
            raise Violation("Bad Request: limit must be 1-100")
        try:
            return await self._world.updates.get(
                *(values.get(name) for name in ("offset", "limit", "timeout", "allowed_updates"))
            )
        except Superseded:
            raise Refusal(409, "Conflict: terminated by other getUpdates request") from None

    async def delete_webhook(self, values: Json, uploads: dict[str, Upload]) -> bool:
        self._world.webhook = ""
        return True

    async def get_webhook_info(self, values: Json, uploads: dict[str, Upload]) -> Json:
        waiting = len(self._world.updates.waiting)
        return {"url": self._world.webhook, "has_custom_certificate": False, "pending_update_count": waiting}

    async def set_my_commands(self, values: Json, uploads: dict[str, Upload]) -> bool:
        commands = values["commands"]
        for command in commands:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
                raise Violation("Bad Request: BOT_COMMAND_INVALID")
            if not 1 <= len(command["description"]) <= 256:
                raise Violation("Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
        if len(commands) > 100:
            raise Violation("Bad Request: BOT_COMMANDS_TOO_MUCH")
        self._world.commands[self._language(values)] = commands
        return True

    async def get_my_commands(self, values: Json, uploads: dict[str, Upload]) -> list[Json]:
        return self._world.commands.get(self._language(values), [])

    def _language(self, values: Json) -> str:
        language = values.get("language_code", "")
        if not re.fullmatch(r"(?:[a-z]{2})?", language):
            raise Violation("Bad Request: invalid language code")
        if "scope" in values:
            raise Violation("scopes of commands are not modelled", status=501)
        return str(language)

    async def send_message(self, values: Json, uploads: dict[str, Upload]) -> Json:
        content = self._text(values)
        return self._show(values, content)

    async def send_document(self, values: Json, uploads: dict[str, Upload]) -> Json:
        file = self._with_thumbnail(values, values.get("document", "attach://document"), uploads)
        return self._show(values, {"document": file.document()} | self._caption(values))

    async def send_media_group(self, values: Json, uploads: dict[str, Upload]) -> list[Json]:
        media = values["media"]
        if not 2 <= len(media) <= 10:
            raise Violation("Bad Request: an album has 2-10 files")
        kinds = {item["type"] for item in media}
        if kinds - {"photo", "video"} and len(kinds) > 1:
            raise Violation("Bad Request: documents can't be mixed with other media types")
        if kinds != {"document"}:
            raise Violation("albums of other things than documents are not modelled", status=501)
        contents = [self._caption(item) for item in media]  # all are checked before one is shown
        files = [self._with_thumbnail(item, item["media"], uploads) for item in media]
        group = str(13_000_000_000 + id(media) % 10**9)
        return [
            self._show(values, {"document": file.document(), "media_group_id": group} | content)
            for file, content in zip(files, contents, strict=True)
        ]

    async def edit_message_text(self, values: Json, uploads: dict[str, Upload]) -> Json:
        chat = self._chat(values)
        content = self._text(values) | self._keyboard(values)
        message = chat.messages.get(values.get("message_id", 0))
        if message is None:
            raise Refusal(400, "Bad Request: message to edit not found")
        if message["from"]["id"] != BOT["id"]:
            raise Refusal(400, "Bad Request: message can't be edited")
        if "text" not in message:
            raise Refusal(400, "Bad Request: there is no text in the message to edit")
        kept = {name: message.get(name) for name in ("text", "entities", "reply_markup")}
        if kept == {name: content.get(name) for name in kept}:
            raise Refusal(400, f"Bad Request: message is not modified: {_SAME}")
        for name in kept:
            message.pop(name, None)
        message |= content | {"edit_date": self._world.now()}
        return message

    async def delete_message(self, values: Json, uploads: dict[str, Upload]) -> bool:
        chat = self._chat(values)
        message = chat.messages.get(values["message_id"])
        if message is None:
            raise Refusal(400, "Bad Request: message to delete not found")
        old = self._world.now() - message["date"] > TWO_DAYS_S
        if chat.status != "administrator" and (old or message["from"]["id"] != BOT["id"]):
            raise Refusal(400, "Bad Request: message can't be deleted")
        del chat.messages[values["message_id"]]
        return True

    async def send_chat_action(self, values: Json, uploads: dict[str, Upload]) -> bool:
        chat = self._chat(values)
        if values["action"] not in ("typing", "upload_document", "upload_photo"):
            raise Violation("Bad Request: wrong parameter action in request")
        self._thread(chat, values)
        self.actions.append({"chat": chat.id, "action": values["action"]})
        return True

    async def set_message_reaction(self, values: Json, uploads: dict[str, Upload]) -> bool:
        """A bot puts one reaction at most (core.telegram.org/bots/api#setmessagereaction)."""
        chat, reactions = self._chat(values), values.get("reaction", [])
        if values["message_id"] not in chat.messages:
            raise Refusal(400, "Bad Request: message to react not found")
        if len(reactions) > 1 or any(each.get("emoji") not in EMOJI for each in reactions):
            raise Violation("Bad Request: REACTION_INVALID")
        chat.reactions[values["message_id"]] = [each["emoji"] for each in reactions]
        return True

    async def answer_callback_query(self, values: Json, uploads: dict[str, Upload]) -> bool:
        if len(values.get("text", "")) > 200:
            raise Violation("Bad Request: MESSAGE_TOO_LONG")
        if self._world.queries.get(values["callback_query_id"]) is not False:
            raise Refusal(
                400, "Bad Request: query is too old and response timeout expired or query ID is invalid"
            )
        self._world.queries[values["callback_query_id"]] = True
        return True

    async def answer_inline_query(self, values: Json, uploads: dict[str, Upload]) -> bool:
        """At most 50 results with ids of their own, and a button that leads to a private chat or an app."""
        number, results = values["inline_query_id"], values["results"]
        asked = next((u["inline_query"] for u in self._world.updates.history if _is_query(u, number)), None)
        if asked is None or self._world.inline.get(number) is not None:
            raise Refusal(
                400, "Bad Request: query is too old and response timeout expired or query ID is invalid"
            )
        ids = [each["id"] for each in results]
        if (
            len(ids) > 50
            or len(set(ids)) < len(ids)
            or not all(1 <= len(each.encode()) <= 64 for each in ids)
        ):
            raise Violation("Bad Request: RESULT_ID_INVALID")
        for each in results:
            self._check_article(each)
        button = values.get("button")
        if button is not None and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", button.get("start_parameter", "")):
            raise Violation("Bad Request: START_PARAM_INVALID")
        self._world.remember(number, asked["query"], asked["from"]["id"], values)
        return True

    def _check_article(self, result: Json) -> None:
        if result["type"] != "article":
            raise Violation("results of other types than article are not modelled", status=501)
        if not result["title"].strip():
            raise Violation("Bad Request: article must have title")
        content = result["input_message_content"]
        text, _ = parsed(content["message_text"], content.get("parse_mode"), content.get("entities"))
        check_length(text, MAX_TEXT, "message")
        rows = result.get("reply_markup", {}).get("inline_keyboard", [])
        for button in (button for row in rows for button in row):
            if not button["text"].strip() or not button.get("url", "").startswith("https://"):
                raise Violation("Bad Request: BUTTON_URL_INVALID")

    async def get_file(self, values: Json, uploads: dict[str, Upload]) -> Json:
        file = self._world.files.get(values["file_id"])
        if file is None:
            raise Refusal(400, "Bad Request: wrong file_id or the file is temporarily unavailable")
        if file.size > MAX_DOWNLOAD:
            raise Refusal(400, "Bad Request: file is too big")
        known = {"file_id": file.id, "file_unique_id": f"u{file.id}", "file_size": file.size}
        return known | {"file_path": f"documents/{file.id}"}

    async def get_chat(self, values: Json, uploads: dict[str, Upload]) -> Json:
        chat = self._chat(values)
        full = chat.json() | {
            "accent_color_id": 0,
            "max_reaction_count": 11,
            "accepted_gift_types": _NO_GIFTS,
        }
        full |= {"active_usernames": [chat.username]} if chat.username else {}
        return full | ({"linked_chat_id": chat.linked} if chat.linked else {})

    async def get_chat_member(self, values: Json, uploads: dict[str, Upload]) -> Json:
        chat = self._chat(values)
        if values["user_id"] != BOT["id"]:
            raise Violation("other members are not modelled", status=501)
        return membership(chat.status)

    # What several methods share

    def _chat(self, values: Json) -> Chat:
        chat = self._world.chats.get(values.get("chat_id", 0))
        if chat is None:
            raise Refusal(400, "Bad Request: chat not found")
        if chat.moved_to is not None:
            said = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refusal(400, said, migrate_to_chat_id=chat.moved_to)
        if chat.status in OUTSIDE:
            where = f"bot is {OUTSIDE[chat.status]}" if chat.status == "left" else "bot was kicked from"
            said = (
                f"{where} the {chat.type} chat" if chat.type != "private" else "bot was blocked by the user"
            )
            raise Refusal(403, f"Forbidden: {said}")
        return chat

    def _text(self, values: Json) -> Json:
        if "inline_message_id" in values:
            raise Violation("inline messages are not modelled", status=501)
        text, entities = parsed(values["text"], values.get("parse_mode"), values.get("entities"))
        check_length(text, MAX_TEXT, "message")
        off = values.get("link_preview_options", {}).get("is_disabled", False)
        return (
            {"text": text}
            | _unless_empty("entities", entities)
            | {"link_preview_options": {"is_disabled": off}}
        )

    def _caption(self, values: Json) -> Json:
        caption = values.get("caption", "")
        text, entities = parsed(caption, values.get("parse_mode"), values.get("caption_entities"))
        check_length(text, MAX_CAPTION, "caption")
        return _unless_empty("caption", text) | _unless_empty("caption_entities", entities)

    def _keyboard(self, values: Json) -> Json:
        markup = values.get("reply_markup")
        if markup is None:
            return {}
        for button in (button for row in markup.get("inline_keyboard", []) for button in row):
            data = button.get("callback_data")
            if data is None or not 1 <= len(data.encode()) <= 64:
                raise Violation("Bad Request: BUTTON_DATA_INVALID")
            if not button["text"].strip():
                raise Violation("Bad Request: text buttons are allowed only with text")
        return {"reply_markup": markup}

    def _thread(self, chat: Chat, values: Json) -> int | None:
        thread = values.get("message_thread_id")
        if thread is None:
            return None
        if thread not in chat.topics:
            raise Refusal(400, "Bad Request: message thread not found")
        if not chat.topics[thread]:
            raise Refusal(400, "Bad Request: TOPIC_CLOSED")
        return int(thread)

    def _reply(self, chat: Chat, values: Json) -> Json:
        wanted = values.get("reply_parameters")
        if wanted is None:
            return {}
        replied = chat.messages.get(wanted.get("message_id", 0))
        if replied is None and not wanted.get("allow_sending_without_reply"):
            raise Refusal(400, "Bad Request: message to be replied not found")
        return (
            {"reply_to_message": {k: v for k, v in replied.items() if k != "reply_to_message"}}
            if replied
            else {}
        )

    def _show(self, values: Json, content: Json) -> Json:
        chat = self._chat(values)
        thread = self._thread(chat, values)
        more = self._keyboard(values) | self._reply(chat, values)
        return self._world.post(chat, BOT, content | more, thread)

    def _with_thumbnail(self, values: Json, value: str, uploads: dict[str, Upload]) -> File:
        """The file `value`, with the picture that stands for it. Telegram takes JPEGs of 320 pixels at most
        (core.telegram.org/bots/api#senddocument) and drops any other."""
        file = self._uploaded(value, uploads)
        given = values.get("thumbnail", "attach://thumbnail")
        if str(given).removeprefix("attach://") in uploads:
            picture = self._uploaded(given, uploads)
            with suppress(struct.error, IndexError):
                file.thumbnail = picture if max(jpeg_size(picture.content)) <= MAX_THUMBNAIL else None
        return file

    def _uploaded(self, value: str, uploads: dict[str, Upload]) -> File:
        if value in self._world.files:
            return self._world.files[value]
        upload = uploads.get(str(value).removeprefix("attach://"))
        if upload is None or not upload.content:
            raise Violation("Bad Request: there is no such file in the request, or it is empty")
        return self._world.new_file(upload.name, upload.content)


def _is_query(update: Json, number: str) -> bool:
    return bool(update.get("inline_query", {}).get("id") == number)


_SAME = (
    "specified new message content and reply markup are exactly the same as a current content and reply "
    "markup of the message"
)
_NO_GIFTS = dict.fromkeys(
    ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"), False
)


def _unless_empty(name: str, value: Any) -> Json:
    return {name: value} if value else {}
