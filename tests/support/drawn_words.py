"""Words that a message quotes, strikes, or has in bold or in a table, read from the platform's server."""

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import Any

Json = dict[str, Any]
Drawn = tuple[str, str]
"""A way of drawing, and the words drawn so."""

_TAGS = {"blockquote": "quote", "strong": "bold", "del": "struck", "td": "cell"}
_SECTIONS = {"rich_text_quote": "quote"}
_STYLES = {"bold": "bold", "strike": "struck"}
_ENTITIES = {"blockquote": "quote", "bold": "bold", "strikethrough": "struck"}


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Drawn] = []
        self._open: list[tuple[str, list[str]]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append((tag, [])) if tag != "br" else None

    def handle_data(self, data: str) -> None:
        for _, words in self._open:
            words.append(data)

    def handle_endtag(self, tag: str) -> None:
        name, words = self._open.pop()
        assert name == tag, "tags that do not match"
        if name in _TAGS:
            self.found.append((_TAGS[name], "".join(words)))


def of_html(body: str) -> frozenset[Drawn]:
    """Of the HTML of a Matrix event."""
    parser = _Html()
    parser.feed(body)
    parser.close()
    return frozenset(parser.found)


def of_blocks(blocks: Sequence[Json]) -> frozenset[Drawn]:
    """Of a message of Slack's."""
    return frozenset(drawn for block in blocks for drawn in _of_block(block))


def _of_block(block: Json) -> Iterator[Drawn]:
    for cell in (cell for row in block.get("rows", []) for cell in row):
        yield "cell", _words(element for section in cell["elements"] for element in section["elements"])
        yield from _of_block(cell)
    for section in block["elements"] if block["type"] == "rich_text" else ():
        if section["type"] in _SECTIONS:
            yield _SECTIONS[section["type"]], _words(section["elements"])
        for element in section["elements"]:
            yield from ((_STYLES[how], element["text"]) for how in element.get("style", {}) if how in _STYLES)


def _words(elements: Any) -> str:
    return "".join(element.get("text", "") for element in elements)


def of_entities(text: str, entities: Sequence[Json]) -> frozenset[Drawn]:
    """Of a message of Telegram's, which counts in UTF-16."""
    units = text.encode("utf-16-le")
    found = [
        (_ENTITIES[each["type"]], units[2 * each["offset"] : 2 * (each["offset"] + each["length"])])
        for each in entities
        if each["type"] in _ENTITIES
    ]
    return frozenset((kind, words.decode("utf-16-le")) for kind, words in found)
