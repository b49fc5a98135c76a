"""The small markup of the example texts: front matter, blocks and inline styles.

A text starts with TOML between `+++` lines. Blocks are separated by empty lines:

    # Chapter        ## Heading       - bullet       > panel (one or several lines)
    | a | b |        table rows, the first one is the head
    [^3]: a footnote, referred to as `[^3]`
    @bars 2016: 9 | 2018: 17    a chart of bars, its caption in the next line
    @landscape       what follows, up to the next chapter, stands on a rotated page

Inline: `**bold**`, `*italic*`, `[^3]`.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

_INLINE = re.compile(r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|\[\^(?P<note>\d+)\]")


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of one word in one face: "roman", "bold", "italic" or "note" (a superscript mark)."""

    text: str
    face: str


Word = tuple[Piece, ...]
"""Pieces without white space between them."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a text. `kind`: chapter, heading, paragraph, bullet, panel, table, figure or landscape."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A parsed source: its front matter, its blocks, its footnotes by number."""

    front: dict[str, str]
    blocks: tuple[Block, ...]
    notes: dict[str, str]


def words(text: str, face: str = "roman") -> list[Word]:
    """Split inline markup into words, each made of pieces; `face` is that of unmarked text."""
    pieces: list[Piece] = []
    at = 0
    for match in _INLINE.finditer(text):
        pieces.append(Piece(text[at : match.start()], face))
        pieces.append(Piece(match[match.lastgroup or 0], match.lastgroup or face))
        at = match.end()
    pieces.append(Piece(text[at:], face))
    result: list[list[Piece]] = [[]]
    for piece in pieces:
        for number, part in enumerate(re.split(r"[ \n]+", piece.text)):
            if number:
                result.append([])
            if part:
                result[-1].append(Piece(part, piece.face))
    return [tuple(word) for word in result if word]


def parse(path: Path) -> Text:
    """Read a source file. Raises ValueError where the front matter is missing."""
    _, front, body = path.read_text(encoding="utf-8").split("+++\n", 2)
    blocks: list[Block] = []
    notes: dict[str, str] = {}
    for chunk in re.split(r"\n\s*\n", body.strip()):
        if note := re.match(r"\[\^(\d+)\]:\s*", chunk):
            notes[note[1]] = _joined(chunk[note.end() :])
        else:
            blocks += _blocks(chunk)
    return Text(front=tomllib.loads(front), blocks=tuple(blocks), notes=notes)


def cells(table: str) -> list[list[str]]:
    """The rows of a table block."""
    return [[cell.strip() for cell in row.strip("| ").split("|")] for row in table.splitlines()]


def bars(figure: str) -> tuple[list[tuple[str, float]], str]:
    """The bars of a figure block, name and height, and its caption."""
    drawn, _, caption = figure.partition("\n")
    pairs = (bar.partition(":") for bar in drawn.split("|"))
    return [(name.strip(), float(value)) for name, _, value in pairs], _joined(caption)


def _blocks(chunk: str) -> list[Block]:
    if chunk.startswith("- "):
        return [
            Block("bullet", _joined(item)) for item in re.split(r"^- ", chunk, flags=re.M) if item.strip()
        ]
    for mark, kind in (("@landscape", "landscape"), ("## ", "heading"), ("# ", "chapter")):
        if chunk.startswith(mark):
            return [Block(kind, _joined(chunk[len(mark) :]))]
    if chunk.startswith("> "):
        return [Block("panel", _joined(re.sub(r"^> ?", "", chunk, flags=re.M)))]
    if chunk.startswith("@bars "):
        return [Block("figure", chunk.removeprefix("@bars "))]
    if chunk.startswith("|"):
        return [Block("table", chunk)]
    return [Block("paragraph", _joined(chunk))]


def _joined(text: str) -> str:
    return " ".join(text.split())
