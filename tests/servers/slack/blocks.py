"""Blocks as docs.slack.dev/reference/block-kit describes them; sizes by slack_sdk's own models."""

import warnings
from typing import Any

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block

from tests.servers.slack.refusals import Refusal, Violation

Json = dict[str, Any]
MAX_BLOCKS = 50
MAX_SIGNS = 12_000
MAX_TEXT = 4_000
ALERTING = ("user", "usergroup", "broadcast", "channel", "team")
_BUTTON = {"type", "text", "action_id", "value", "style", "url", "accessibility_label"}


def check(blocks: list[Json]) -> None:
    """Refuse what Slack calls invalid_blocks, and what we have no business to send."""
    if len(blocks) > MAX_BLOCKS:
        raise Violation("invalid_blocks", f"more than {MAX_BLOCKS} blocks")
    for block in blocks:
        _check_model(block)
        _SHAPES.get(block["type"], _unknown)(block)
    ids = [block["block_id"] for block in blocks if "block_id" in block]
    if len(ids) != len(set(ids)):
        raise Violation("invalid_blocks", "a block_id stands twice")
    if sum(block["type"] == "table" for block in blocks) > 1:
        raise Violation("only_one_table_allowed", "one table in a message")
    if sum(len(text(block)) for block in blocks) > MAX_SIGNS:
        raise Violation("msg_blocks_too_long", "more than 12,000 characters")


def _check_model(block: Json) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            parsed = Block.parse(block)
            assert parsed is not None
            parsed.validate_json()
    except (SlackObjectFormationError, UserWarning, AssertionError, TypeError) as error:
        raise Violation("invalid_blocks", str(error)) from None


def _unknown(block: Json) -> None:
    raise Violation("invalid_blocks", f"blocks of type {block['type']} are not modelled", status=501)


def _rich_text(block: Json) -> None:
    if set(block) - {"type", "block_id", "elements"} or not block["elements"]:
        raise Violation("invalid_blocks", "rich_text: elements, and a block_id")
    for section in block["elements"]:
        if section.get("type") not in _SECTIONS or not section.get("elements"):
            raise Violation("invalid_blocks", "rich_text: sections that are not empty")
        for element in section["elements"]:
            _rich_element(element)


def _rich_element(element: Json) -> None:
    kind, style = element.get("type"), element.get("style", {})
    if kind == "text":
        sound = set(element) <= {"type", "text", "style"} and isinstance(element["text"], str)
        sound = sound and bool(element["text"])
    elif kind == "link":
        sound = set(element) <= {"type", "url", "text", "style"}
        sound = sound and element.get("url", "").startswith("https://")
        sound = sound and "|" not in element["url"] and " " not in element["url"]
    else:
        sound = kind in ALERTING  # tests see whom it alerts
    if not sound or not all(name in _STYLES and on is True for name, on in style.items()):
        raise Violation("invalid_blocks", f"rich_text: not an element: {element}")


def _context(block: Json) -> None:
    if set(block) - {"type", "block_id", "elements"} or not 1 <= len(block["elements"]) <= 10:
        raise Violation("invalid_blocks", "context: 1 to 10 elements")
    for element in block["elements"]:
        if element.get("type") != "plain_text" or set(element) - {"type", "text", "emoji"}:
            raise Violation("invalid_blocks", "context: plain_text only is modelled")
        if not 1 <= len(element["text"]) <= 3000:
            raise Violation("invalid_blocks", "context: a text of 1-3,000 characters")


def _table(block: Json) -> None:
    if set(block) - {"type", "block_id", "rows", "column_settings"} or not 1 <= len(block["rows"]) <= 100:
        raise Violation("invalid_blocks", "table: 1 to 100 rows")
    for row in block["rows"]:
        if not 1 <= len(row) <= 20 or len(row) != len(block["rows"][0]):
            raise Violation("invalid_blocks", "table: 1 to 20 cells in a row, the same in each")
        for cell in row:
            if cell.get("type") != "rich_text":
                raise Violation("invalid_blocks", "table: rich_text cells only are modelled")
            _rich_text(cell)


def _actions(block: Json) -> None:
    elements = block["elements"]
    if not elements:
        raise Violation("invalid_blocks", "actions: no elements")
    for element in elements:
        if element.get("type") != "button" or set(element) - _BUTTON:
            raise Violation("invalid_blocks", "actions: buttons only are modelled")
        label, value = element["text"], element.get("value", "")
        if label.get("type") != "plain_text" or not 1 <= len(label["text"]) <= 75:
            raise Violation("invalid_blocks", "button: a plain_text of 1-75 characters")
        if len(value) > 2000 or not 1 <= len(element.get("action_id", "")) <= 255:
            raise Violation("invalid_blocks", "button: value up to 2,000, action_id up to 255 characters")
    ids = [element["action_id"] for element in elements]
    if len(ids) != len(set(ids)):
        raise Violation("invalid_blocks", "actions: an action_id stands twice")


def _plain(text: Any, most: int) -> None:
    if (
        not isinstance(text, dict)
        or text.get("type") != "plain_text"
        or set(text) - {"type", "text", "emoji"}
    ):
        raise Violation("invalid_blocks", "plain_text only is modelled")
    if not 1 <= len(text["text"]) <= most:
        raise Violation("invalid_blocks", f"a text of 1-{most} characters")


def _section_block(block: Json) -> None:
    if set(block) - {"type", "block_id", "text"}:
        raise Violation("invalid_blocks", "section: a text only is modelled")
    _plain(block["text"], 3000)


def _image(block: Json) -> None:
    if set(block) - {"type", "block_id", "image_url", "alt_text", "title"}:
        raise Violation("invalid_blocks", "image: image_url and alt_text")
    sound = block["image_url"].startswith("https://") and len(block["image_url"]) <= 3000
    if not sound or not 1 <= len(block["alt_text"]) <= 2000:
        raise Violation("invalid_blocks", "image: an https address, and words for who does not see it")


def _input(block: Json) -> None:
    element = block["element"]
    if set(block) - {"type", "block_id", "label", "element", "optional"}:
        raise Violation("invalid_blocks", "input: label and element")
    _plain(block["label"], 2000)
    _plain(element["placeholder"], 150)
    if element["type"] == "plain_text_input":
        return
    if element["type"] != "multi_static_select" or ("options" in element) == ("option_groups" in element):
        raise Violation("invalid_blocks", "input: a text, or a menu with options or groups of them")
    groups = element.get("option_groups", [{"options": element.get("options")}])
    if not 1 <= len(groups) <= 100:
        raise Violation("invalid_blocks", "menu: 1-100 groups")
    for group in groups:
        if "label" in group:
            _plain(group["label"], 75)
        if not 1 <= len(group["options"]) <= 100:
            raise Violation("invalid_blocks", "menu: 1-100 options in a group")
        for option in group["options"]:
            _plain(option["text"], 75)
            if not 1 <= len(option["value"]) <= 150:
                raise Violation("invalid_blocks", "option: a value of 1-150 characters")


_VIEWS = {
    "home": {"type", "blocks", "private_metadata", "callback_id"},
    "modal": {"type", "blocks", "private_metadata", "callback_id", "title", "submit", "close"},
}
_IN_VIEWS = ("rich_text", "actions", "context", "input", "section", "image")
_IN_PREVIEWS = ("section", "image", "context")


def check_view(view: Json, kind: str) -> None:
    """Refuse a view that Slack would not show (docs.slack.dev/reference/views)."""
    if view.get("type") != kind or set(view) - _VIEWS[kind] or not 1 <= len(view["blocks"]) <= 100:
        raise Violation("invalid_arguments", f"a {kind} view with 1-100 blocks")
    if len(view.get("private_metadata", "")) > 3000:
        raise Violation("invalid_arguments", "private_metadata up to 3,000 characters")
    for name in ("title", "submit", "close") if kind == "modal" else ():
        _plain(view[name], 24)
    for block in view["blocks"]:
        if block["type"] not in _IN_VIEWS:
            raise Violation("invalid_blocks", f"no {block['type']} in a view")
        _check_model(block)
        _SHAPES[block["type"]](block)
    ids = [block["block_id"] for block in view["blocks"] if "block_id" in block]
    if len(ids) != len(set(ids)):
        raise Violation("invalid_blocks", "a block_id stands twice")


def check_preview(preview: Json, *, pictures: bool) -> None:
    """Refuse the preview of a link that Slack would not show; its picture Slack fetches at once."""
    if set(preview) != {"blocks"} or not preview["blocks"]:
        raise Violation("invalid_arguments", "unfurls: blocks")
    for block in preview["blocks"]:
        if block["type"] not in _IN_PREVIEWS:
            raise Violation("invalid_blocks", f"no {block['type']} in a preview")
        _check_model(block)
        _SHAPES[block["type"]](block)
        if block["type"] == "image" and not pictures:
            raise Refusal("invalid_blocks")


_SHAPES = {"rich_text": _rich_text, "actions": _actions, "context": _context, "table": _table}
_SHAPES |= {"section": _section_block, "image": _image, "input": _input}
_SECTIONS = ("rich_text_section", "rich_text_quote", "rich_text_preformatted")
_STYLES = ("bold", "italic", "strike", "code")


def elements(block: Json) -> list[Json]:
    """What shows words in a block, in order."""
    if block["type"] == "context":
        return list(block["elements"])
    if block["type"] == "section":
        return [block["text"]]
    if block["type"] == "table":
        return [element for row in block["rows"] for cell in row for element in elements(cell)]
    if block["type"] != "rich_text":
        return []
    return [element for section in block["elements"] for element in section["elements"]]


def text(block: Json) -> str:
    """What people read; quotations and code end their line."""
    if block["type"] == "table":
        return "\n\n".join("\n".join(map(text, row)) for row in block["rows"])
    if block["type"] != "rich_text":
        return _words(elements(block))
    said = [_words(section["elements"]) for section in block["elements"]]
    ends = ["" if section["type"] == "rich_text_section" else "\n" for section in block["elements"]]
    return "".join(map("".join, zip(said, [*ends[:-1], ""], strict=True)))


def _words(shown: list[Json]) -> str:
    return "".join(each.get("text", each.get("url", "")) for each in shown)


def alerted(message: Json) -> list[str]:
    """Whom a message alerts: elements of its blocks, and markup in its text."""
    found = [each["type"] for block in message.get("blocks", []) for each in elements(block)]
    said = message.get("text", "")
    markup = [sign for sign in ("<!", "<@", "<#") if sign in said]
    return [kind for kind in found if kind in ALERTING] + markup
