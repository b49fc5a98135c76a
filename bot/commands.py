"""The command grammar, the same on every platform: `/name rest of the line`."""

import re
from dataclasses import dataclass

PREFIXES = ("/", "!")
"""Slash where the platform has commands, exclamation mark where a slash belongs to the client."""

NAMES = {
    "ask": ("ask", "frage", "fragen"),
    "jurisdiction": ("jurisdiction", "ort", "place"),
    "party": ("party", "partei"),
    "compare": ("compare", "vergleich", "vergleiche"),
    "verify": ("verify", "pruefen", "prüfen", "zitat"),
    "sources": ("sources", "quellen"),
    "page": ("page", "seite"),
    "language": ("language", "sprache"),
    "new": ("new", "neu"),
    "about": ("about", "ueber", "über"),
    "help": ("help", "hilfe", "start"),
}
"""Canonical names with the words people may type, English and German."""

_BY_WORD = {word: name for name, words in NAMES.items() for word in words}
_COMMAND = re.compile(r"^[/!](?P<word>[^\W_]+)(?:@\w+)?(?:\s+(?P<rest>.*))?$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """A command as typed. `name` is canonical, or None for an unknown `word`; `rest` is what follows."""

    name: str | None
    word: str
    rest: str


def parse(text: str) -> Command | None:
    """The command that `text` is, or None for a question."""
    match = _COMMAND.match(text.strip())
    if match is None:
        return None
    word = match["word"].lower()
    return Command(name=_BY_WORD.get(word), word=word, rest=(match["rest"] or "").strip())
