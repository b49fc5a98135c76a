"""Pages made from plain text, as a reader of PDFs would yield them."""

import re

from core.domain.pages import Box, Page, Word

_NOTE = re.compile(r"\^\{(\d+)\}$")
_CHAR_PT, _LINE_PT, _TOP_PT, _LEFT_PT = 5.0, 12.0, 60.0, 50.0


def paper(*texts: str, first: int = 1) -> list[Page]:
    """One page per text, numbered from `first`."""
    return [page(text, number) for number, text in enumerate(texts, first)]


def page(text: str, number: int = 1) -> Page:
    """A page: lines are lines, empty lines part blocks, a line beginning with `~` is furniture, and
    `word^{12}` is a word with the footnote mark 12."""
    words: list[Word] = []
    out, row = "", 0
    for block, paragraph in enumerate(text.strip("\n").split("\n\n")):
        for line, written in enumerate(paragraph.split("\n")):
            furniture = written.startswith("~")
            x = _LEFT_PT
            for raw in written.lstrip("~").split():
                note = _NOTE.search(raw)
                plain = raw[: note.start()] + note[1] if note else raw
                out += _separator(words, block, line)
                box = Box(
                    x, _TOP_PT + row * _LINE_PT, x + _CHAR_PT * len(plain), _TOP_PT + (row + 1) * _LINE_PT
                )
                words.append(
                    Word(
                        text=plain,
                        start=len(out),
                        end=len(out) + len(plain),
                        box=box,
                        block=block,
                        line=line,
                        note_chars=len(note[1]) if note else 0,
                        furniture=furniture,
                    )
                )
                out += plain
                x = box.x1 + _CHAR_PT
            row += 1
    return Page(number=number, label=None, width=595, height=842, rotation=0, text=out, words=tuple(words))


def _separator(words: list[Word], block: int, line: int) -> str:
    if not words:
        return ""
    if words[-1].block != block:
        return "\n\n"
    return " " if words[-1].line == line else "\n"
