"""Falsified and honest variants of a quote that differ in symbols and stops only.

The tables here are the generator's own and know nothing of those in `core/evidence`.
"""

import random
import re
from collections.abc import Callable

Marked = Callable[[random.Random, list[str]], tuple[list[str], list[str]] | None]
"""(chance, words of a passage) -> (words of a source, words of a false quote of it), or None."""

_PAIRS = {
    "tick and cross": ["✓✗", "✔✘", "☑☒", "✅❌", "✓☒", "✔❌"],
    "arrows": ["↑↓", "⬆⬇", "↗↘", "⇧⇩", "▲▼", "→←", "⇑⇓"],
    "comparison": ["≤≥", "<>", "=≠", "≈≠", "⊂⊃", "∈∉", "∧∨", "≪≫"],
    "emoji": ["👍👎", "😀😡", "🙂🙁", "💚💔", "🔼🔽", "🟢🔴", "📈📉"],
}


def marked() -> dict[str, Marked]:
    """All classes: symbols that a source is given, stops that it has."""
    symbols: dict[str, Marked] = {
        name: lambda chance, words, pairs=pairs: _symbol(chance, words, pairs)
        for name, pairs in _PAIRS.items()
    }
    return symbols | {
        "sentence end moved": _moved_end,
        "question for statement": _question,
        "comma moved": _moved_comma,
    }


def _symbol(chance: random.Random, words: list[str], pairs: list[str]) -> tuple[list[str], list[str]] | None:
    """Two symbols in the source; in the quote one replaces the other, they are swapped, or one is added."""
    if len(words) < 8:
        return None
    one, other = chance.sample(chance.choice(pairs), 2)
    first, second = sorted(chance.sample(range(1, len(words)), 2))
    source = [*words[:first], one, *words[first:second], other, *words[second:]]
    falsified = list(source)
    way = chance.choice(["replaced", "exchanged", "added"])
    if way == "replaced":
        falsified[first] = other
    elif way == "exchanged":
        falsified[first], falsified[second + 1] = other, one
    else:
        at = chance.choice([i for i in range(1, len(source)) if i not in (first, first + 1)])
        falsified.insert(at, one if at <= second else other)
    return (source, falsified) if source != falsified else None


def _ends(words: list[str]) -> list[int]:
    """Places inside of words that end a sentence."""
    return [
        i
        for i in range(2, len(words) - 2)
        if re.fullmatch(r"[a-zäöüß]{4,}\.", words[i]) and re.match(r"[A-ZÄÖÜ][a-zäöü]{2,}", words[i + 1])
    ]


def _moved_end(chance: random.Random, words: list[str]) -> tuple[list[str], list[str]] | None:
    ends = _ends(words)
    if not ends:
        return None
    at = chance.choice(ends)
    to = chance.choice([at - 1, at + 1])
    if not words[to][-1].isalpha():
        return None
    falsified = list(words)
    falsified[at] = words[at][:-1]
    falsified[to] = words[to] + "."
    if chance.random() < 0.7:
        falsified[to + 1] = falsified[to + 1][:1].upper() + falsified[to + 1][1:]
    return list(words), falsified


def _question(chance: random.Random, words: list[str]) -> tuple[list[str], list[str]] | None:
    ends = [i for i in range(2, len(words)) if re.fullmatch(r"[^\W\d_]{4,}[.?]", words[i])]
    if not ends:
        return None
    at = chance.choice(ends)
    mark = "." if words[at].endswith("?") else "?"
    return list(words), [*words[:at], words[at][:-1] + mark, *words[at + 1 :]]


def _moved_comma(chance: random.Random, words: list[str]) -> tuple[list[str], list[str]] | None:
    commas = [i for i in range(1, len(words) - 2) if re.fullmatch(r"[^\W\d_]+,", words[i])]
    if not commas:
        return None
    at = chance.choice(commas)
    to = chance.choice([at - 1, at + 1])
    if not words[to].isalpha():
        return None
    falsified = list(words)
    falsified[at], falsified[to] = words[at][:-1], words[to] + ","
    return list(words), falsified


def honest_marks(chance: random.Random, words: list[str]) -> tuple[str, str]:
    """(kind, text): the same words with other marks that say the same."""
    kind = chance.choice(list(_HONEST))
    return kind, _HONEST[kind](chance, list(words))


def _without_last_mark(_: random.Random, words: list[str]) -> str:
    return " ".join(words).rstrip(".,;:–- ")


def _exclaimed(_: random.Random, words: list[str]) -> str:
    return " ".join([*words[:-1], words[-1].rstrip(".,;:") + ("" if words[-1].endswith(("?", "!")) else "!")])


def _other_brackets(_: random.Random, words: list[str]) -> str:
    return " ".join(words).replace("(", "[").replace(")", "]")


def _closed_up(_: random.Random, words: list[str]) -> str:
    return re.sub(r"\b([a-zA-Z])\. (?=[a-zA-Z]\.)", r"\1.", " ".join(words))


def _spaced_marks(chance: random.Random, words: list[str]) -> str:
    return re.sub(
        r"(?<=[^\W\d_])([,;:!?])(?= )", lambda m: chance.choice([" ", "\u202f", ""]) + m[1], " ".join(words)
    )


def _typewriter(_: random.Random, words: list[str]) -> str:
    text = re.sub("[„“”«»]", '"', " ".join(words))
    return re.sub("[‚‘’]", "'", text).replace("–", "-").replace("…", "...")


_HONEST: dict[str, Callable[[random.Random, list[str]], str]] = {
    "last mark left out": _without_last_mark,
    "last mark exclaims": _exclaimed,
    "other brackets": _other_brackets,
    "abbreviations closed up": _closed_up,
    "spaces before marks": _spaced_marks,
    "typewriter": _typewriter,
    "lines": lambda chance, words: "".join(word + chance.choice([" ", " ", "\n", " \r\n"]) for word in words),
}
