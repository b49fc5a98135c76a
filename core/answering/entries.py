"""Validation of outside input: only text that can be stored, and no more than is processed."""

from core.errors import Refused
from core.message_keys import ErrorKey

MAX_QUOTE = 10_000
"""Maximum characters of a quote to verify or highlight; it is aligned word by word, page after page."""

UNREADABLE = dict.fromkeys((0, *range(0xD800, 0xE000)), "\ufffd")
"""NUL and lone surrogates, which no database, encoder or file name accepts."""


def bounded(text: str, limit: int, key: ErrorKey = "info.too_long") -> str:
    """`text` with U+FFFD in place of invalid characters. Raises Refused(`key`) if it has more than `limit`
    characters."""
    if len(text) > limit:
        detail = f"the text is too long: it has {len(text)} characters, at most {limit} are possible"
        raise Refused(key, detail, length=len(text), limit=limit)
    return text.translate(UNREADABLE)


def checked(text: str, limit: int) -> str:
    """`bounded` text without the white space around it. Raises Refused also if it is empty."""
    text = text.strip()
    if not text:
        raise Refused("info.empty", "the question is empty; write one")
    return bounded(text, limit)
