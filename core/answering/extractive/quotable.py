"""The stretches of a passage that may be quoted: sentences, rows of tables, captions; no headings, no
formalities, nothing that the document says in somebody else's name."""

import re

from core.answering.extractive.statements import headings, is_formal
from core.domain.passages import PassageKind
from core.domain.search import Hit
from core.evidence.exact import MIN_CHARACTERS
from core.evidence.skeleton import skeleton
from core.language.sentences import sentences

_LINE = re.compile(r"[^\n]+")
_MIN_CHARACTERS = 25
_MAX_WORDS = 120


def quotable(hit: Hit) -> list[tuple[int, int]]:
    """The (start, end) ranges of the passage's text that may be quoted, in order: 25 characters at least,
    120 words at most."""
    text = hit.passage.text
    if hit.passage.kind is PassageKind.TABLE:
        found = _rows_of(hit)
    elif hit.passage.kind is PassageKind.FIGURE and len(text.split()) <= _MAX_WORDS:
        found = [(0, len(text))]  # a caption is said as a whole
    else:
        named = headings(text, cover=hit.passage.ordinal == 0)
        found = [
            (start, end)
            for start, end in sentences(text, hit.edition.document.fields.language)
            if not any(first <= start < last for first, last in named)
        ]
    return [
        (start, end)
        for start, end in found
        if end - start >= _MIN_CHARACTERS
        and len(text[start:end].split()) <= _MAX_WORDS
        and (hit.passage.kind is PassageKind.TABLE or not is_formal(text[start:end]))
        and not hit.passage.says_of_others(start, end)
    ]


def _rows_of(hit: Hit) -> list[tuple[int, int]]:
    """The rows of a table, each whole; rows too short to prove go with the next, very long ones by sentences.
    What names the columns says nothing by itself."""
    text = hit.passage.text
    found: list[tuple[int, int]] = []
    start = -1
    for line in _LINE.finditer(text):
        start = line.start() if start < 0 else start
        row = text[start : line.end()]
        if len(skeleton(row)) < MIN_CHARACTERS or len(row) < _MIN_CHARACTERS:
            continue
        if len(row.split()) > _MAX_WORDS:
            found += [
                (start + first, start + end)
                for first, end in sentences(row, hit.edition.document.fields.language)
            ]
        elif row not in hit.passage.heading:
            found.append((start, line.end()))
        start = -1
    if start >= 0 and found:
        found[-1] = (found[-1][0], len(text))
    return found
