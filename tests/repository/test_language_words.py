"""Rules of a language are data (`core/language/`): few lines of code have German words.

Counted is a line of `bot`, `core` or `adapters` with a string, no docstring, that has a letter which German
has and English has not, or that has no blank and one of the commonest German words.
English words are not counted: a message or a key cannot be told from a rule by its letters.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.repository import ROOT

MOST = 45
_SMALL_WORD = re.compile(
    r"\b(?:der|das|und|oder|nicht|mit|von|für|zum|zur|dem|ist|sind|wird|werden|eine?|keine?|bis|seit|wenn"
    r"|auch|nach|beim|über|unter|gemäß|sowie|soweit|jedoch|kann|muss|soll|darf|wir|ich)\b"
)


def german_lines(file: Path) -> Iterator[int]:
    """Numbers of the lines, each once for each string that is counted."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in said:
            continue
        if isinstance(node.value, str) and _is_german(node.value):
            yield node.lineno


def _is_german(text: str) -> bool:
    if re.search("[äöüß]", text) and re.search("[a-z]", text):
        return True
    return " " not in text.strip() and _SMALL_WORD.search(text) is not None


def test_few_lines_of_code_have_german_words() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}"
        for room in ("bot", "core", "adapters")
        for file in sorted((ROOT / room).rglob("*.py"))
        for line in sorted(set(german_lines(file)))
    ]
    assert 0 < len(found) <= MOST, found
