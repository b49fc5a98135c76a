"""Prose of Markdown files at 120 columns; `python -m tests.support.markdown` reflows what is longer."""

import re
import textwrap
from itertools import takewhile
from pathlib import Path

from tests.support.repository import ROOT, tracked

WIDTH = 120
LONGEST_SPAN = 80
"""Code and links' texts up to this length stay on one line."""

DATA = ("examples/texts", "core/answering/generated/prompts", "benchmarks/own_words")
"""Texts that are read by programs, line by line."""

_FENCE = re.compile(r"\s*(```|~~~)")
_ITEM = re.compile(r"\s*([-*+]|\d+[.)])\s+")
_OTHER = re.compile(r"\s*$|\s*[|#<>]|\s*\[[^\]]+\]:|\s*-{3,}\s*$|\s*={3,}\s*$")
_SPAN = re.compile(r"`[^`]+`|\[[^\]`]+\]\(")
_MISREAD = re.compile(r"\s*([-+*]|\d+[.)]|#+|>|\|)(\s|$)")
"""Beginnings that a line of prose must not have."""


def files() -> list[Path]:
    """Markdown files for people."""
    found = (path for path in tracked() if path.suffix == ".md")
    return [path for path in found if not path.relative_to(ROOT).as_posix().startswith(DATA)]


def reflowed(text: str) -> str:
    """`text` with paragraphs and list items rewrapped if a line is too long; tables, code, headings and HTML
    stay unchanged."""
    lines, out, fenced = text.split("\n"), list[str](), False
    at = 0
    while at < len(lines):
        line = lines[at]
        fenced ^= bool(_FENCE.match(line))
        if fenced or _is_no_prose(line):
            out.append(line)
            at += 1
            continue
        more = takewhile(lambda item: not _is_no_prose(item) and not _ITEM.match(item), lines[at + 1 :])
        block = [line, *more]
        out += _wrapped(block) if any(len(item) > WIDTH for item in block) else block
        at += len(block)
    return "\n".join(out)


def _is_no_prose(line: str) -> bool:
    return bool(_FENCE.match(line) or _OTHER.match(line))


def _wrapped(block: list[str]) -> list[str]:
    """A wrapped block; unchanged if a break is significant or a line would be misread."""
    item = _ITEM.match(block[0])
    first = item[0] if item else block[0][: len(block[0]) - len(block[0].lstrip())]
    text = " ".join([block[0][len(first) :], *(line.strip() for line in block[1:])])
    kept = _SPAN.sub(
        lambda span: span[0].replace(" ", "\0") if len(span[0]) <= LONGEST_SPAN else span[0], text
    )
    made = textwrap.wrap(
        kept,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
    hard = any(line.endswith(("  ", "\\")) for line in block[:-1])
    return block if hard or any(map(_MISREAD.match, made[1:])) else [line.replace("\0", " ") for line in made]


if __name__ == "__main__":
    for path in files():
        path.write_text(reflowed(path.read_text(encoding="utf-8")), encoding="utf-8")
