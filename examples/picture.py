"""Draws the README's picture from a real answer: `python -m examples.picture ANSWER.json OUT.png`.

`ANSWER.json` is what `fundstelle ask QUESTION --out DIR --json` printed.
"""

import html
import json
import sys
from pathlib import Path
from typing import Any

import pymupdf

WIDTH, HEIGHT, MARGIN = 900, 560, 28
DPI = 140
CSS = """
* { font-family: sans-serif; color: #1f2328; }
.question { font-size: 17px; background-color: #dcefff; padding: 10px; }
.quote { font-size: 15px; margin-top: 16px; }
.label { color: #0b5cad; font-weight: bold; }
.source { font-size: 11px; color: #57606a; margin-top: 12px; }
.command { font-family: monospace; font-size: 11px; color: #57606a; margin-bottom: 10px; }
"""


def main() -> None:
    """Read the answer, draw, write the picture."""
    answer = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    picture = draw(answer)
    Path(sys.argv[2]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[2]).write_bytes(picture)


def draw(answer: dict[str, Any]) -> bytes:
    """PNG: the question and its first quote on the left, the highlighted page on the right."""
    citation = answer["citations"][0]
    with pymupdf.open() as canvas, pymupdf.open(citation["attachment"]) as page:
        sheet = canvas.new_page(width=WIDTH, height=HEIGHT)
        sheet.draw_rect(sheet.rect, fill=(0.965, 0.973, 0.98), color=None)
        left = pymupdf.Rect(MARGIN, MARGIN, WIDTH * 0.52, HEIGHT - MARGIN)
        sheet.insert_htmlbox(left, text(answer, citation), css=CSS)
        right = pymupdf.Rect(WIDTH * 0.56, MARGIN, WIDTH - MARGIN, HEIGHT - MARGIN)
        drawn = page[0].get_pixmap(dpi=DPI)
        placed = fitted(right, drawn.width / drawn.height)
        sheet.insert_image(placed, pixmap=drawn)
        sheet.draw_rect(placed, color=(0.8, 0.82, 0.85), width=0.7)
        png: bytes = sheet.get_pixmap(dpi=DPI).tobytes("png")
        return png


def text(answer: dict[str, Any], citation: dict[str, Any]) -> str:
    """The left side as HTML."""
    printed = f" (printed {citation['printed_page']})" if citation["printed_page"] else ""
    label = f"<span class='label'>[{citation['label']}]</span>"
    title, file = html.escape(citation["document"]["title"]), html.escape(Path(citation["attachment"]).name)
    return (
        f"<p class='command'>fundstelle ask</p><p class='question'>{html.escape(answer['question'])}</p>"
        f"<p class='quote'>“{html.escape(citation['quote'])}” {label}</p>"
        f"<p class='source'>{label} {title}, PDF page {citation['page']}{printed}<br/>"
        f"{file}, highlight checked</p>"
    )


def fitted(box: pymupdf.Rect, ratio: float) -> pymupdf.Rect:
    """The largest rectangle of that width to height in `box`, in its middle."""
    width = min(box.width, box.height * ratio)
    height = width / ratio
    x, y = box.x0 + (box.width - width) / 2, box.y0 + (box.height - height) / 2
    return pymupdf.Rect(x, y, x + width, y + height)


if __name__ == "__main__":
    main()
