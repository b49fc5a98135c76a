"""What Telegram makes of a text: its length, its markup, and what comes alive in it by itself.

Rules from core.telegram.org/bots/api#formatting-options and #messageentity.
"""

import re
from html import unescape
from typing import Any

from tests.servers.telegram.refusals import Violation

Entity = dict[str, Any]

MAX_TEXT = 4096
MAX_CAPTION = 1024
_SINGLE = ("code", "pre")  # can hold no other entity and be part of a quotation only (fix_entities in tdlib)

_TAG_SIGN = "[\\w\u200c\u00b7\u0d80-\u0dff]"

_AUTOMATIC = {
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "url": re.compile(
        r"(?:https?|tg|ton|tonsite|ftp)://[^\s<>]+"
        r"|(?<![\w@.-])(?:[\w-]+\.)+(?:com|org|net|info|de|eu|at|ch|io|me|dog|test)\b(?:/[^\s<>]*)?",
        re.IGNORECASE,
    ),
    "mention": re.compile(r"(?<![\w])@[A-Za-z0-9_]{2,32}\b"),
    "hashtag": re.compile(rf"(?<!{_TAG_SIGN})#(?={_TAG_SIGN}*[^\W\d_]){_TAG_SIGN}{{1,256}}(?!#)"),
    "cashtag": re.compile(r"(?<![\w$])\$(?:1INCH|[A-Z]{1,8})\b(?:@[A-Za-z0-9_]+)?"),
    "bot_command": re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![/<>])"),
}
_TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "code": "code", "pre": "pre",
    "blockquote": "blockquote", "tg-spoiler": "spoiler",
}  # fmt: skip
_TAG = re.compile(r"<(/?)([A-Za-z-]+)((?:\s[^<>]*)?)>|[<>]")


def units(text: str) -> int:
    """UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def parsed(text: str, parse_mode: str | None, entities: list[Entity] | None) -> tuple[str, list[Entity]]:
    """The text as it shows, and all its entities, those that come by themselves included."""
    if parse_mode and entities:
        raise Violation("Bad Request: entities and parse_mode exclude each other")
    if parse_mode and parse_mode != "HTML":
        raise Violation(f"parse mode {parse_mode} is not modelled", status=501)
    shown, given = _html(text) if parse_mode else (text, list(entities or []))
    _check_places(shown, given)
    shown, given = _cleaned(shown, given)
    return shown, sorted(given + _automatic(shown, given), key=lambda entity: entity["offset"])


def _cleaned(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """The text without what Telegram drops (clean_input_string of github.com/tdlib/td), entities moved."""

    def clean(piece: str) -> str:
        return re.sub(
            r"[\x00-\x09\x0b\x0c\x0e-\x1f]", " ", re.sub("[\r\u2028-\u202e\u0333\u033f\u030a]", "", piece)
        )

    def moved(place: int) -> int:
        return units(clean(text.encode("utf-16-le")[: 2 * place].decode("utf-16-le")))

    placed = []
    for entity in entities:
        start, end = moved(entity["offset"]), moved(entity["offset"] + entity["length"])
        placed.append(entity | {"offset": start, "length": end - start})
    return clean(text), [entity for entity in placed if entity["length"]]


def check_length(text: str, limit: int, what: str) -> None:
    """Refuse what is too long, and a message without text."""
    if units(text) > limit:
        raise Violation(f"Bad Request: {what} is too long")
    if what == "message" and not text.strip():
        raise Violation("Bad Request: message text is empty")


def _html(text: str) -> tuple[str, list[Entity]]:
    shown, open_tags, entities, at = "", [], [], 0
    for found in _TAG.finditer(text):
        shown += _plain(text[at : found.start()])
        at = found.end()
        name = (found[2] or "").lower()
        if name not in _TAGS:
            raise Violation(f"Bad Request: can't parse entities: Unsupported start tag at {found.start()}")
        if not found[1]:
            open_tags.append((name, units(shown)))
        elif not open_tags or open_tags[-1][0] != name:
            raise Violation(f"Bad Request: can't parse entities: Unmatched end tag at {found.start()}")
        else:
            start = open_tags.pop()[1]
            entities.append({"type": _TAGS[name], "offset": start, "length": units(shown) - start})
    if open_tags:
        raise Violation(f"Bad Request: can't parse entities: Can't find end tag of {open_tags[-1][0]}")
    return shown + _plain(text[at:]), [entity for entity in entities if entity["length"]]


def _plain(piece: str) -> str:
    if re.search(r"&(?!(?:lt|gt|amp|quot|#\d+|#x[0-9a-fA-F]+);)", piece):
        raise Violation("Bad Request: can't parse entities: & must be escaped")
    return unescape(piece)


def _check_places(text: str, entities: list[Entity]) -> None:
    encoded = text.encode("utf-16-le")
    for entity in entities:
        start, end = entity["offset"], entity["offset"] + entity["length"]
        if start < 0 or entity["length"] < 1 or 2 * end > len(encoded):
            raise Violation("Bad Request: entity beyond the text")
        try:
            encoded[2 * start : 2 * end].decode("utf-16-le")
        except UnicodeDecodeError:
            raise Violation("Bad Request: entity in the middle of a character") from None
    for entity in entities:
        others = [other for other in entities if other is not entity and _meet(entity, other)]
        if entity["type"] in _SINGLE and not all(_quotes(other, entity) for other in others):
            raise Violation("Bad Request: code can hold no other entity and be part of none")
        if entity["type"] == "blockquote" and any(other["type"] == "blockquote" for other in others):
            raise Violation("Bad Request: quotations stand in no other")
    if len(entities) > 100:
        raise Violation("Bad Request: more than 100 entities, the others are ignored")


def _automatic(text: str, given: list[Entity]) -> list[Entity]:
    found: list[Entity] = []
    for kind, pattern in _AUTOMATIC.items():
        for match in pattern.finditer(text):
            entity = {"type": kind, "offset": units(text[: match.start()]), "length": units(match[0])}
            held = [other for other in given if other["type"] in (*_SINGLE, "text_link", "text_mention")]
            if not any(_meet(entity, other) for other in held + found):
                found.append(entity)
    return found


def _quotes(one: Entity, other: Entity) -> bool:
    """Whether `one` is a quotation that holds all of `other`."""
    start, end = one["offset"], one["offset"] + one["length"]
    within = start <= other["offset"] and other["offset"] + other["length"] <= end
    return bool(one["type"] == "blockquote" and within)


def _meet(one: Entity, other: Entity) -> bool:
    return bool(
        one["offset"] < other["offset"] + other["length"] and other["offset"] < one["offset"] + one["length"]
    )
