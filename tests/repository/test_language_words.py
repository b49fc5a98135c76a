"""Rules of a language are data (`core/language/`): few lines of code have words of German, English or French.

Counted is a line of `bot`, `core` or `adapters` with a word that text is matched against: in a string that is
a pattern (it has an alternative, a group or a class), or that stands in a comparison, a set, or a call like
`startswith`. A word is one of three letters at least that `core/language/*.toml` has. Counted as well is each
line with any string that has a letter which English has not, or that has no blank and one of the commonest
German words.

Not counted are names of our own or of a protocol: what the code has as a member of a `Literal`, as an
enumeration's value or as a field, what has a dot or an underscore in it, and the adapters to platforms,
models, databases and file formats, which match no prose. A table's keys are only counted by their letters.
"""

import ast
import re
import tomllib
from collections.abc import Iterator

from tests.support.repository import ROOT

MOST = 200
ROOMS = ("bot", "core", "adapters/embedding", "adapters/ocr", "adapters/pymupdf", "adapters/files")
_MATCHING = {
    *("compile", "search", "match", "fullmatch", "sub", "split", "findall", "finditer", "startswith"),
    *("endswith", "removeprefix", "removesuffix", "frozenset", "partition", "rpartition"),
}
_PATTERN = re.compile(r"\w\|\w|\(\?|\\[bswdWDS]")
_FOREIGN = re.compile("[äöüßéèàç]")
_SMALL_WORD = re.compile(
    r"\b(?:der|das|und|oder|nicht|mit|von|für|zum|zur|dem|ist|sind|wird|werden|eine?|keine?|bis|seit|wenn"
    r"|auch|nach|beim|über|unter|gemäß|sowie|soweit|jedoch|kann|muss|soll|darf|wir|ich)\b"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_SYNTAX = re.compile(r"\\[a-zA-Z]|\(\?P<\w+>|\(\?[a-z]+\)|\[[^\]]*\]|\{[^}]*\}")


def _vocabulary() -> set[str]:
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "core" / "language").glob("*.toml"))]
    values = " ".join(text for each in texts for text in _strings(tomllib.loads(each)))
    return {word.casefold() for word in _WORD.findall(_SYNTAX.sub(" ", values))}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def _own_names(trees: list[ast.Module]) -> set[str]:
    """Members of literals, values of enumerations, names of fields."""
    names: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id == "Literal"
        ):
            names |= {str(each.value) for each in ast.walk(node.slice) if isinstance(each, ast.Constant)}
        elif isinstance(node, ast.ClassDef):
            names |= {
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            }
            values = (each.value for each in node.body if isinstance(each, ast.Assign))
            names |= {str(each.value) for each in values if isinstance(each, ast.Constant)}
    return names


def _strings_of_code(tree: ast.Module) -> Iterator[tuple[ast.Constant, bool]]:
    """Each string but for docstrings, and whether text is matched against it."""
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        said = isinstance(above.get(node), ast.Expr)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not said:
            yield node, bool(_PATTERN.search(node.value)) or _in_a_match(node, above)


def _in_a_match(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    while not isinstance(node, ast.stmt):
        node, before = above[node], node
        if isinstance(node, ast.Set | ast.Compare):
            return True
        if isinstance(node, ast.Subscript | ast.Dict):
            return False
        if isinstance(node, ast.Call) and before is not node.func:
            called = node.func
            return (
                called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            ) in _MATCHING
    return False


def _is_a_name(text: str, names: set[str]) -> bool:
    return text in names or re.fullmatch(r"[\w/-]*[._][\w./-]*", text) is not None


def _is_foreign(text: str) -> bool:
    if _FOREIGN.search(text) and re.search("[a-z]", text):
        return True
    return " " not in text.strip() and _SMALL_WORD.search(text) is not None


def _lines(node: ast.Constant, source: list[str]) -> Iterator[tuple[int, str]]:
    """Number and text of each line of a string."""
    if node.lineno == node.end_lineno:
        yield node.lineno, str(node.value)
        return
    for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        yield number, source[number - 1].partition("  # ")[0]


def lines_with_words() -> list[str]:
    """Each line that is counted, as file:number."""
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    trees = {path: ast.parse(path.read_text("utf-8")) for path in files}
    vocabulary, names = _vocabulary(), _own_names(list(trees.values()))
    found: set[tuple[str, int]] = set()
    for path, tree in trees.items():
        source = path.read_text("utf-8").splitlines()
        for node, matched in _strings_of_code(tree):
            if _is_a_name(str(node.value), names):
                continue
            for number, text in _lines(node, source):
                words = {word.casefold() for word in _WORD.findall(_SYNTAX.sub(" ", text))}
                if _is_foreign(text) or (matched and words & vocabulary):
                    found.add((str(path.relative_to(ROOT)), number))
    return [f"{path}:{number}" for path, number in sorted(found)]


def test_few_lines_of_code_have_words_of_a_language() -> None:
    found = lines_with_words()
    assert 0 < len(found) <= MOST, found
