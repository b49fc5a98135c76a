"""Translates outgoing messages to Slack's terms; pure, no calls.

Texts go out as rich text, whose elements say what they are: what is text is shown as it stands, whatever
signs are in it, and only an element that says it is a link can be clicked
(docs.slack.dev/reference/block-kit/blocks/rich-text-block). Notifications show the plain `text` beside it,
where markup is escaped.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from adapters.slack.api import Json
from adapters.slack.manifest import COMMANDS, commands
from core.domain.messages import Button, Capabilities, Outgoing, Recovery
from core.domain.rich_text import Block, Paragraph, RichText, Style, cells, joined, paragraphs, runs

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
    reactions=True,
    previews=False,
    deletes=True,
    recovery=Recovery.LOOK_UP,
    command_prefix=f"{COMMANDS[0]} ",
)
"""One message stays below 12,000 characters, including the captions of ten files
(docs.slack.dev/reference/methods/chat.postMessage). Slack shows pages of PDFs by itself: no previews."""

MAX_NOTIFICATION = 800  # below 4,000 if every character is escaped
MAX_LABEL = 75
MAX_ELEMENT = 3000
MAX_ROWS, MAX_CELLS = 100, 20
MAX_SMALL = 10
"""Maximum stretches of small type as separate blocks: a message has at most 50 blocks."""

_LINK = re.compile(r"https://[^\s<>\"'«»„“”]+")
_AFTER = ".,;:!?"
_JOINER = "\u2060"
"""Inserted into addresses that must not become links."""

_STYLES = {Style.HEADING: "bold", Style.BOLD: "bold", Style.STRUCK: "strike", Style.SMALL: "italic"}
_LINES: dict[Style | None, str] = {Style.QUOTE: "rich_text_quote", Style.CODE: "rich_text_preformatted"}


def capabilities(command_prefix: str) -> Capabilities:
    """The capabilities with the workspace's prefix for commands."""
    return replace(CAPABILITIES, command_prefix=f"{commands(command_prefix)[0]} ")


def length(text: Block) -> int:
    """UTF-16 code units; nothing is escaped."""
    return len(str(text).encode("utf-16-le", "surrogatepass")) // 2


def shown(part: Outgoing) -> RichText:
    """The text of a part: captions of its files stand below it. Slack shows file names itself; they are added
    if there is no other text, since a message needs words to be found by."""
    captions: Block = ", ".join(file.name for file in part.files)
    if any(file.caption for file in part.files):
        captions = joined(file.said if file.caption else file.name for file in part.files)
    elif part.text:
        captions = ""
    return joined([text for text in (part.said, captions) if text], "\n\n")


def message(part: Outgoing) -> Json:
    """Arguments that show the text and buttons of a part literally, without unfurling links or alerting
    anybody."""
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
    """The beginning of `text` with Slack's special characters escaped."""
    begun = text if len(text) <= MAX_NOTIFICATION else text[: MAX_NOTIFICATION - 1] + "…"
    return begun.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") or "…"


def metadata(part: Outgoing) -> Json:
    """Metadata that later identifies the message showing the part."""
    return {"event_type": METADATA, "event_payload": {"key": part.key}}


def shows(found: Json, key: str) -> bool:
    """Whether a message of a channel is the one of the part with `key`."""
    if found.get("metadata", {}).get("event_payload", {}).get("key") == key:
        return True
    return any(block.get("block_id") == key for block in found.get("blocks", []))


def drawn(text: RichText, key: str) -> list[Json]:
    """Blocks that show `text`, the first one named `key`; small type and tables are separate blocks."""
    whole = [*paragraphs(text)]
    tables = [each for each in whole if each.style is Style.TABLE and _is_drawable(each.text)][:1]
    small = [each for each in whole if each.style is Style.SMALL][:MAX_SMALL]
    blocks: list[Json] = []
    for alone, group in groupby(whole, lambda each: any(each is own for own in (*tables, *small))):
        if alone:
            blocks += [_table(each.text) if each in tables else _context(each.text) for each in group]
        else:
            blocks.append({"type": "rich_text", "elements": _sections([*group])})
    return [block | ({} if number else {"block_id": key}) for number, block in enumerate(blocks)]


def _context(text: RichText) -> Json:
    return {
        "type": "context",
        "elements": [{"type": "plain_text", "text": text.text[:MAX_ELEMENT], "emoji": False}],
    }


def _is_drawable(text: RichText) -> bool:
    """Whether Slack can show the table: one per message, with limited rows and cells, all rows of equal
    length."""
    rows = cells(text)
    return 0 < len(rows) <= MAX_ROWS and len({*map(len, rows)}) == 1 and 0 < len(rows[0]) <= MAX_CELLS


def _table(text: RichText) -> Json:
    rows = [
        [{"type": "rich_text", "elements": [_section("rich_text_section", cell)]} for cell in row]
        for row in cells(text)
    ]
    return {"type": "table", "rows": rows, "column_settings": [{"is_wrapped": True}] * len(rows[0])}


def _sections(group: Sequence[Paragraph]) -> list[Json]:
    """Text and headings as sections, with quotations and code in between; a section before one of these ends
    with a line break, as in Slack's own clients."""
    found: list[Json] = []
    text = RichText("")
    for each in group:
        gap = "\n" if each.gap and (found or text) else ""
        if kind := _LINES.get(each.style):
            if text or gap:
                found.append(_section("rich_text_section", text + ("\n" if text else "") + gap))
            found.append(_section(kind, each.text))
            text = RichText("")
        else:
            own = each.text.styled(each.style) if each.style else each.text
            text = text + ("\n" if text else "") + gap + own
    return [*found, _section("rich_text_section", text)] if text else found


def _section(kind: str, text: RichText) -> Json:
    return {"type": kind, "elements": [*_elements(text)] or [{"type": "text", "text": " "}]}


def _elements(text: RichText) -> Iterator[Json]:
    for run in runs(text):
        how = {_STYLES[each]: True for each in sorted(run.styles) if each in _STYLES}
        styled: Json = {"style": how} if how else {}
        if run.to.startswith("https://"):
            yield {"type": "link", "url": run.to.replace("|", "%7C"), "text": run.text, **styled}
        else:
            for each in _with_links(run.text):
                yield each | styled


def _with_links(text: str) -> Iterator[Json]:
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
