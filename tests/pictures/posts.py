"""What the bot posted in a chat, as the platform's clients get it: entities, blocks and formatted bodies as
they were really sent, and what clients make of them in HTML."""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from tests.support.matrix_harness import MatrixHarness
from tests.support.matrix_people import Person
from tests.support.slack_harness import SlackHarness
from tests.support.telegram_harness import TelegramHarness

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedFile:
    """A file beside a text. `preview` is the picture that came with it; a picture is its own."""

    name: str
    content: bytes
    preview: bytes = b""
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message; `body` is HTML. Those with the same `album` are shown as one."""

    id: str
    body: str
    files: tuple[PostedFile, ...] = ()
    buttons: tuple[tuple[str, ...], ...] = ()
    edited: bool = False
    threaded: bool = False
    by: str = ""
    """Who wrote it; nobody: the bot."""


async def telegram_posts(chats: TelegramHarness, chat: str) -> list[Post]:
    """The bot's messages, entities drawn."""
    return [await _telegram(chats, each) for each in await chats.server.do("shown", chat=int(chat))]


async def _telegram(chats: TelegramHarness, message: Json) -> Post:
    files = []
    if document := message.get("document"):
        thumbnail = document.get("thumbnail")
        content, preview = [
            base64.b64decode(await chats.server.do("file", file_id=each["file_id"])) if each else b""
            for each in (document, thumbnail)
        ]
        files.append(PostedFile(name=document["file_name"], content=content, preview=preview))
    said = "text" if "text" in message else "caption"
    entities = message.get("entities", message.get("caption_entities", []))
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return Post(
        id=str(message["message_id"]),
        body=entities_drawn(message.get(said, ""), entities),
        files=tuple(files),
        buttons=tuple(tuple(button["text"] for button in row) for row in rows),
        edited="edit_date" in message,
    )


_ENTITIES = {
    "bold": "strong",
    "italic": "em",
    "strikethrough": "del",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "text_link": "a",
    "url": "a",
}


def entities_drawn(text: str, entities: Sequence[Mapping[str, Any]]) -> str:
    """A text of Telegram's as HTML; offsets are UTF-16 code units, and entities stand in each other."""
    units = text.encode("utf-16-le")
    drawn = [each for each in entities if each["type"] in _ENTITIES]
    opening = sorted(drawn, key=lambda each: (each["offset"], -each["length"]))
    bounds = sorted({0, len(units) // 2, *(at for each in drawn for at in _ends(each))})
    out: list[str] = []
    open_: list[Mapping[str, Any]] = []
    for at, to in zip(bounds, [*bounds[1:], bounds[-1]], strict=True):
        while open_ and _ends(open_[-1])[1] <= at:
            out.append(f"</{_ENTITIES[open_.pop()['type']]}>")
        for each in opening:
            if each["offset"] == at:
                out.append(f"<{_ENTITIES[each['type']]}>")
                open_.append(each)
        out.append(_lines(units[at * 2 : to * 2].decode("utf-16-le")))
    return re.sub(r"(<br>)?</blockquote>(<br>)?", "</blockquote>", "".join(out))


def _ends(entity: Mapping[str, Any]) -> tuple[int, int]:
    return entity["offset"], entity["offset"] + entity["length"]


def _lines(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br>")


async def slack_posts(chats: SlackHarness, chat: str) -> list[Post]:
    """The app's messages, blocks drawn."""
    return [await _slack(chats, each) for each in await chats.server.do("shown", chat=chat)]


async def _slack(chats: SlackHarness, message: Json) -> Post:
    files = []
    for file in message.get("files", []):
        content = base64.b64decode(await chats.server.do("file", file_id=file["id"]))
        files.append(PostedFile(name=file["name"], content=content))
    rows = [block["elements"] for block in message["blocks"] if block["type"] == "actions"]
    return Post(
        id=message["ts"],
        body="".join(block_drawn(block) for block in message["blocks"]),
        files=tuple(files),
        buttons=tuple(tuple(button["text"]["text"] for button in row) for row in rows),
        edited="edited" in message,
        threaded="thread_ts" in message,
    )


_SECTIONS = {
    "rich_text_section": "p",
    "rich_text_quote": "blockquote",
    "rich_text_preformatted": "pre",
}


def block_drawn(block: Json) -> str:
    """A block of Slack's as HTML; buttons are drawn apart. Raises KeyError for a kind that is new here."""
    kind = block["type"]
    if kind == "rich_text":
        return "".join(_section(each) for each in block["elements"])
    if kind == "context":
        return f"<small>{''.join(_lines(each['text']) for each in block['elements'])}</small>"
    if kind == "table":
        rows = ("".join(f"<td>{_cell(cell)}</td>" for cell in row) for row in block["rows"])
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
    return {"actions": "", "divider": "<hr>"}[kind]


def _cell(cell: Json) -> str:
    return "".join(_inline(each) for section in cell["elements"] for each in section["elements"])


def _section(section: Json) -> str:
    words = "".join(_inline(each) for each in section["elements"])
    return f"<{_SECTIONS[section['type']]}>{words.removesuffix('<br>')}</{_SECTIONS[section['type']]}>"


_STYLES = {"bold": "strong", "italic": "em", "strike": "del", "code": "code"}


def _inline(element: Json) -> str:
    words = _lines(element.get("text", element.get("url", "")))
    if element["type"] == "link":
        words = f"<a>{words}</a>"
    for style in element.get("style", {}):
        words = f"<{_STYLES[style]}>{words}</{_STYLES[style]}>"
    return words


async def matrix_posts(chats: MatrixHarness, chat: str) -> list[Post]:
    """The bot's events, edits in place, formatted bodies as they are."""
    person = await chats.person("ann")
    events = [each for each in await person.history(chat) if each["sender"] == chats.bot.user_id]
    edits = {
        event["content"]["m.relates_to"]["event_id"]: event["content"]["m.new_content"]
        for event in events
        if _relation(event) == "m.replace"
    }
    shown = [each for each in events if each["type"] == "m.room.message" and each["content"].get("msgtype")]
    return [await _matrix(person, each, edits) for each in shown if _relation(each) != "m.replace"]


def _relation(event: Json) -> str:
    return str(event["content"].get("m.relates_to", {}).get("rel_type", ""))


async def _matrix(person: Person, event: Json, edits: Mapping[str, Json]) -> Post:
    content = edits.get(event["event_id"], event["content"])
    files, body = [], content.get("formatted_body") or _lines(content["body"])
    if "url" in content:
        info = content.get("info", {})
        preview = await person.download(info["thumbnail_url"]) if "thumbnail_url" in info else b""
        caption = body if content["body"] != content["filename"] else ""
        file = PostedFile(
            name=content["filename"], content=await person.open(content), preview=preview, caption=caption
        )
        files, body = [file], ""
    return Post(
        id=event["event_id"],
        body=body,
        files=tuple(files),
        edited=event["event_id"] in edits,
        threaded=_relation(event) == "m.thread",
    )
