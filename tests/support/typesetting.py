"""Pages as a PDF reader would give them, set in a plain typewriter face: every character half an em wide."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.pages import Box, Page, Word

WIDTH, HEIGHT = 600.0, 800.0


@dataclass(frozen=True, slots=True)
class Set:
    """One line set at `x`, `y` in type of `size` points. `block` numbers the PDF's blocks."""

    text: str
    x: float
    y: float
    size: float = 10.0
    block: int = 0


def page(number: int, lines: Iterable[Set], *, rotation: int = 0) -> Page:
    """A page of these lines, in this reading order. Superscript digits count as footnote marks."""
    words: list[Word] = []
    text = ""
    previous: Set | None = None
    for index, line in enumerate(lines):
        x = line.x
        for position, token in enumerate(line.text.split(" ")):
            if text:
                text += " " if position else ("\n" if previous and previous.block == line.block else "\n\n")
            written = token.translate(_PLAIN)
            box = Box(x, line.y, x + len(written) * line.size / 2, line.y + line.size * 1.2)
            notes = len(token) - len(token.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹"))
            words.append(
                Word(
                    text=written,
                    start=len(text),
                    end=len(text) + len(written),
                    box=box,
                    block=line.block,
                    line=index,
                    note_chars=notes,
                )
            )
            text += written
            x = box.x1 + line.size / 2
        previous = line
    made = Page(
        number=number, label=None, width=WIDTH, height=HEIGHT, rotation=0, text=text, words=tuple(words)
    )
    return _turned(made, rotation) if rotation else made


_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def _turned(upright: Page, rotation: int) -> Page:
    """The same page stored unrotated, to be displayed rotated clockwise by `rotation`."""
    width, height = upright.width, upright.height

    def stored(box: Box) -> Box:
        if rotation == 90:
            return Box(box.y0, width - box.x1, box.y1, width - box.x0)
        if rotation == 180:
            return Box(width - box.x1, height - box.y1, width - box.x0, height - box.y0)
        return Box(height - box.y1, box.x0, height - box.y0, box.x1)

    sides = (height, width) if rotation in {90, 270} else (width, height)
    words = tuple(replace(word, box=stored(word.box)) for word in upright.words)
    return replace(upright, width=sides[0], height=sides[1], rotation=rotation, words=words)


def column(
    texts: Sequence[str],
    *,
    x: float = 60.0,
    y: float = 100.0,
    width: int = 80,
    size: float = 10.0,
    first_block: int = 0,
) -> list[Set]:
    """Paragraphs set in lines of at most `width` characters, a line's height of space between them."""
    lines: list[Set] = []
    for block, text in enumerate(texts, start=first_block):
        for line in wrapped(text, width):
            lines.append(Set(line, x, y, size, block))
            y += 1.2 * size
        y += 1.2 * size
    return lines


def wrapped(text: str, width: int) -> list[str]:
    """Greedy line breaking; `\u00ac` marks where a word may be cut with a hyphen."""
    lines, current = [], ""
    for token in text.split():
        plain = token.replace("¬", "")
        if not current or len(current) + 1 + len(plain) <= width:
            current = f"{current} {plain}".strip()
            continue
        head, cut, tail = token.partition("¬")
        if cut and len(current) + 2 + len(head) <= width:
            lines.append(f"{current} {head}-")
            current = tail.replace("¬", "")
        else:
            lines.append(current)
            current = plain
    return [*lines, current] if current else lines


def count_words(texts: Sequence[str]) -> list[int]:
    """A token counter: words and two more."""
    return [len(text.split()) + 2 for text in texts]
