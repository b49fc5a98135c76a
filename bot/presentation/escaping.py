"""Defuses foreign text so that no chat makes it clickable: no link, mention or command. Text by documents,
models and people is shown word for word, but a quote from a poisoned document could contain a link or alert a
whole room. After every character that makes an address one, an invisible word joiner (U+2060) is inserted:
the words read the same and break at the same places, and programs that look for addresses find none. Attached
pages, and quotes and claims in `--json`, have the text without it.
"""

import re
from dataclasses import replace

from core.answering.entries import UNREADABLE
from core.domain.rich_text import RichText

WORD_JOINER = "\u2060"

_NEXT = rf"(?=[^\s{WORD_JOINER}])"
_NO_FIGURE = rf"(?=[^\s\d{WORD_JOINER}])"
_SIGN = re.compile(
    rf"""
      (?<=\w)[.。．｡](?=[^\W\d_])         # example.org, t.me: no name ends in a figure
    | (?<=\d)\.(?=\d{{1,3}}\.\d{{1,3}}\.\d)   # 192.0.2.1
    | (?<=[a-z]):{_NEXT} | :{_NO_FIGURE}   # https://, mailto:, tel:, #room:server, localhost:80
    | [@＠]{_NEXT}                         # mail, mentions, Matrix ids
    | \#(?=[^\W\d])                       # rooms and tags
    | <(?=[!@\#/a-z])                      # Slack's <!channel>, HTML
    | \](?=\()                             # Markdown
    | /(?=/) | (?<!\w)/(?=\w)              # //example.org, commands
    | \+(?=\d[\d\s()/.-]{{5,}}\d)          # telephone numbers
    """,
    re.IGNORECASE | re.VERBOSE,
)


_ORDER = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that reverse the direction of the following text: with one of them a title could show another
label or page."""


def defused_marks(text: RichText) -> RichText:
    """`text` as returned by `defused`, with its marks moved along."""
    shown, at, places = defused(text.text), 0, []
    for sign in text.text:
        places.append(at)
        while at < len(shown) and shown[at] == WORD_JOINER != sign:
            at += 1
        at += 0 if _ORDER.match(sign) else 1
    places.append(len(shown))
    moved = (replace(mark, start=places[mark.start], end=places[mark.end]) for mark in text.marks)
    return RichText(shown, tuple(moved))


def defused(text: str) -> str:
    """`text` with a word joiner after anything a client could make live, without direction-changing
    characters, and with U+FFFD for invalid characters; idempotent."""
    return _SIGN.sub(lambda sign: sign[0] + WORD_JOINER, _ORDER.sub("", text.translate(UNREADABLE)))


def clean(text: str) -> str:
    """`text` for a page that escapes its markup: without word joiners and direction-changing characters, and
    with U+FFFD for invalid characters."""
    return _ORDER.sub("", text.translate(UNREADABLE)).replace(WORD_JOINER, "")
