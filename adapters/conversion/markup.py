"""HTML from anywhere to the little HTML that is typeset: known elements without attributes, and their text.

What a browser would not show (scripts, styles, templates, comments, hidden elements) is left out, so that it
cannot reach the index. Nothing is ever fetched: there is no element left that could name an address. Runs in
the child.
"""

import re
from html.parser import HTMLParser


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEPT = _names(
    "h1 h2 h3 h4 h5 h6 p br ul ol li table tr th td b strong i em u sub sup blockquote pre hr dl dt dd"
)
BLOCKS = _names("div section article main header footer aside address figure figcaption fieldset")
"""Become paragraphs of their own."""
DROPPED = _names(
    "script style template noscript svg math iframe object embed head select textarea button nav "
    "canvas audio video datalist dialog"
)
VOID = _names("br hr img input meta link source wbr col area base track param embed")
IMPLIED = _names("p li td th tr dt dd")
"""End where the next one of their kind begins (HTML, 13.1.2.4)."""
MAX_DEPTH = 60
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_ESCAPED = {"&": "<span>&amp;</span>", "<": "&lt;", ">": "&gt;"}


def shown(text: str) -> str:
    """HTML that shows `text` as it is. MuPDF reads references in running text twice, so an ampersand stands
    apart from what could make it one."""
    return "".join(_ESCAPED.get(character, character) for character in text if _can_be_shown(character))


def _can_be_shown(character: str) -> bool:
    return character.isprintable() or character in "\n\t\u00a0\u2009\u202f"


class _Rebuilder(HTMLParser):
    """Rewrites what it keeps. `title` is the document's own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.title = ""
        self._open: list[tuple[str, str]] = []  # element, what closes it
        self._unseen = 0  # depth of the elements left out

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            if tag in KEPT and not self._unseen:
                self.parts.append(f"<{tag}/>")
            return
        if tag in IMPLIED and self._open and self._open[-1][0] == tag:
            self.handle_endtag(tag)
        unseen = self._unseen or tag in DROPPED or _is_hidden(dict(attrs))
        if unseen:
            self._unseen += 1
        written = not unseen and len(self._open) < MAX_DEPTH
        name = tag if tag in KEPT else "div" if tag in BLOCKS else ""
        if written and name:
            self.parts.append(f"<{name}>")
        self._open.append((tag, f"</{name}>" if written and name else ""))

    def handle_endtag(self, tag: str) -> None:
        if not any(tag == element for element, _ in self._open):
            return
        while self._open:
            element, closing = self._open.pop()
            self._unseen = max(0, self._unseen - 1)
            self.parts.append(closing)
            if element == tag:
                return

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        if self._unseen:
            if any(element == "title" for element, _ in self._open[-1:]):
                self.title += data
            return
        self.parts.append(shown(data))

    def finished(self) -> str:
        """Close what is still open."""
        self.parts += [closing for _, closing in reversed(self._open)]
        self._open.clear()
        return "".join(self.parts)


def _is_hidden(attributes: dict[str, str | None]) -> bool:
    if "hidden" in attributes or (attributes.get("aria-hidden") or "").lower() == "true":
        return True
    return bool(_HIDDEN.search(attributes.get("style") or ""))


def rebuilt(html: str) -> tuple[str, str]:
    """The HTML that is typeset, and the title that the document states ("" if none)."""
    parser = _Rebuilder()
    parser.feed(html)
    parser.close()
    body = parser.finished()
    return body, " ".join(parser.title.split())[:300]
