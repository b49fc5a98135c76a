"""What a document says of itself on its first pages: that it is a draft, by whom it was decided, from when it
holds."""

import re
from collections.abc import Iterable
from itertools import zip_longest

from core.language.patterns import pattern

FIRST_PAGES = (1, 2, 3)
"""Where a document says so."""
_LEAST, _MOST = 2, 30
"""Words of such a line; a longer one is about something else, one word alone may be anything."""
_FOLDED = re.IGNORECASE
_DRAFT = pattern(r"(?<![\w-])(?:{lapsed.drafts})(?![\w-])", _FOLDED)
_SETTLED = pattern(r"(?<![\w-])(?:{lapsed.settled})(?![\w-])", _FOLDED)
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def lines_on_status(pages: Iterable[str]) -> list[str]:
    """The lines of a document's first pages that say what it is, likeliest first: that it is a draft, then
    when it was decided or holds."""
    lines = [line for page in pages for line in _lines(page)]
    drafts = [line for line in lines if _DRAFT().search(line)]
    return [*drafts, *(line for line in lines if line not in drafts and _says_when(line))]


def _says_when(line: str) -> bool:
    return bool(_SETTLED().search(line) and _DATED.search(line))


def _lines(page: str) -> list[str]:
    """The lines of a page, each with the next one if it is too short to say when."""
    lines = [" ".join(line.split()) for line in page.splitlines() if line.strip()]
    joined = [
        f"{line} {behind}" if _SETTLED().search(line) and not _DATED.search(line) else line
        for line, behind in zip_longest(lines, lines[1:], fillvalue="")
    ]
    return [line for line in joined if _LEAST <= len(line.split()) <= _MOST]
