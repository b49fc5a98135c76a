"""What we send, in Slack's terms: pure translation, no calls.

Texts go out as rich text, whose elements say what they are: what is text is shown as it stands, whatever
signs are in it, and only an element that says it is a link can be clicked
(docs.slack.dev/reference/block-kit/blocks/rich-text-block). Notifications show the plain `text` beside it,
where markup is escaped.
"""

from dataclasses import replace

from adapters.slack.api import Json
from adapters.slack.drawing import drawn
from adapters.slack.scopes import COMMANDS, commands
from core.domain.messages import Button, Capabilities, Outgoing, Recovery
from core.domain.rich_text import Block, RichText, joined

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
    text_with_files=True,
    max_download_bytes=1_000_000_000,
    private=True,
    previews=False,
    deletes=True,
    recovery=Recovery.LOOK_UP,
    command_prefix=f"{COMMANDS[0]} ",
)
"""One message stays under 12,000 characters, with the captions of ten files as well
(docs.slack.dev/reference/methods/chat.postMessage). Slack shows pages of PDFs by itself: no previews."""

MAX_NOTIFICATION = 800  # under 4,000 when every sign is escaped
MAX_LABEL = 75


def capabilities(command_prefix: str) -> Capabilities:
    """The same where the workspace has put a prefix before the app's commands."""
    return replace(CAPABILITIES, command_prefix=f"{commands(command_prefix)[0]} ")


def length(text: Block) -> int:
    """UTF-16 code units; nothing is escaped."""
    return len(str(text).encode("utf-16-le", "surrogatepass")) // 2


def shown(part: Outgoing) -> RichText:
    """The text of a part: captions of its files stand below it. Slack shows the names of files by
    itself; they are said where there is nothing else to say, for a message needs words to be found by."""
    captions: Block = ", ".join(file.name for file in part.files)
    if any(file.caption for file in part.files):
        captions = joined(file.said if file.caption else file.name for file in part.files)
    elif part.text:
        captions = ""
    return joined([text for text in (part.said, captions) if text], "\n\n")


def message(part: Outgoing) -> Json:
    """Arguments that show the text and buttons of a part as they are, unfold nothing and alert nobody."""
    return {
        "text": notification(shown(part).text),
        "blocks": blocks(part),
        "unfurl_links": False,
        "unfurl_media": False,
        "link_names": False,
        "parse": "none",
    }


def blocks(part: Outgoing) -> list[Json]:
    """The text, marked with the key of the part, and the buttons in their rows."""
    said = drawn(shown(part), part.key)
    return [*said, *(_row(number, row) for number, row in enumerate(part.buttons))]


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
