"""What we send, in Slack's terms: pure translation, no calls.

Texts go out as rich text, whose elements say what they are: what is text is shown as it stands, whatever
signs are in it, and only an element that says it is a link can be clicked
(docs.slack.dev/reference/block-kit/blocks/rich-text-block). Notifications show the plain `text` beside it,
where markup is escaped.
"""

import re
from collections.abc import Iterator

from adapters.slack.api import Json
from core.domain.messages import Button, Capabilities, Outgoing, Recovery

COMMAND = "/fundstelle"
METADATA = "fundstelle_part"

CAPABILITIES = Capabilities(
    max_text=10_000,
    max_caption=800,
    max_file_bytes=1_000_000_000,
    threads=True,
    edits=True,
    buttons=True,
    typing=True,
    max_files=10,
    max_download_bytes=1_000_000_000,
    private=True,
    previews=False,
    deletes=True,
    recovery=Recovery.LOOK_UP,
    command_prefix=f"{COMMAND} ",
)
"""One message stays under 12,000 characters, with the captions of ten files as well
(docs.slack.dev/reference/methods/chat.postMessage). Slack shows pages of PDFs by itself: no previews."""

MAX_NOTIFICATION = 800  # under 4,000 when every sign is escaped
MAX_LABEL = 75
MAX_ELEMENT = 3000
_LINK = re.compile(r"https://[^\s<>\"'«»„“”]+")
_AFTER = ".,;:!?"
_JOINER = "\u2060"
"""Stands in addresses that are to stay dead."""


def length(text: str) -> int:
    """UTF-16 code units; nothing is escaped."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def shown(part: Outgoing) -> str:
    """The text of a part: captions of its files stand below it."""
    captions = "\n".join(file.caption or file.name for file in part.files)
    return "\n\n".join(text for text in (part.text, captions) if text)


def message(part: Outgoing) -> Json:
    """Arguments that show the text and buttons of a part as they are, unfold nothing and alert nobody."""
    return {
        "text": notification(shown(part)),
        "blocks": blocks(part),
        "unfurl_links": False,
        "unfurl_media": False,
        "link_names": False,
        "parse": "none",
    }


def blocks(part: Outgoing) -> list[Json]:
    """The text, marked with the key of the part, and the buttons in their rows."""
    section = {"type": "rich_text_section", "elements": [*_elements(shown(part))]}
    rows = [_row(number, row) for number, row in enumerate(part.buttons)]
    return [{"type": "rich_text", "block_id": part.key, "elements": [section]}, *rows]


def _elements(text: str) -> Iterator[Json]:
    end = 0
    for start, link in _links(text):
        yield from _texts(text[end:start])
        yield {"type": "link", "url": link.replace("|", "%7C"), "text": link}
        end = start + len(link)
    yield from _texts(text[end:])


def _links(text: str) -> Iterator[tuple[int, str]]:
    for found in _LINK.finditer(text):
        link = found[0].rstrip(_AFTER)
        if link.endswith(")") and "(" not in link:
            link = link.rstrip(f"{_AFTER})")
        if _JOINER not in found[0] and len(link) > len("https://"):
            yield found.start(), link


def _texts(text: str) -> Iterator[Json]:
    for start in range(0, len(text), MAX_ELEMENT):
        yield {"type": "text", "text": text[start : start + MAX_ELEMENT]}


def _row(number: int, buttons: tuple[Button, ...]) -> Json:
    elements = [
        {
            "type": "button",
            "action_id": f"press-{number}-{column}",
            "text": {"type": "plain_text", "text": button.label[:MAX_LABEL], "emoji": False},
            "value": button.command,
        }
        for column, button in enumerate(buttons)
    ]
    return {"type": "actions", "elements": elements}


def notification(text: str) -> str:
    """The beginning of `text` with Slack's own signs escaped."""
    begun = text if len(text) <= MAX_NOTIFICATION else text[: MAX_NOTIFICATION - 1] + "…"
    return begun.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") or "…"


def metadata(part: Outgoing) -> Json:
    """What tells later that a message shows the part."""
    return {"event_type": METADATA, "event_payload": {"key": part.key}}


def shows(found: Json, key: str) -> bool:
    """Whether a message of a channel is the one of the part with `key`."""
    if found.get("metadata", {}).get("event_payload", {}).get("key") == key:
        return True
    return any(block.get("block_id") == key for block in found.get("blocks", []))
