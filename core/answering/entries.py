"""What comes in from outside: text that can be kept, and no more of it than is considered."""

from core.errors import Refused
from core.message_keys import ErrorKey

MAX_QUOTE = 10_000
"""Characters of a quote to verify or to mark; it is aligned word by word with page after page."""

UNREADABLE = dict.fromkeys((0, *range(0xD800, 0xE000)), "\ufffd")
"""NUL and halves of characters: no database, no encoder and no file name takes them."""


def bounded(text: str, limit: int, key: ErrorKey = "info.too_long") -> str:
    """`text` with U+FFFD for what is no character. Raises Refused(`key`) if it has more than `limit`
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
