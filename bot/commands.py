"""The command grammar, the same on every platform: `/name rest of the line`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.i18n import Texts

PREFIXES = ("/", "!")
"""Slash where the platform has commands, exclamation mark where a slash belongs to the client."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "ask": ("ask", "frage", "fragen"),
    "jurisdiction": ("jurisdiction", "ort", "place"),
    "party": ("party", "partei"),
    "compare": ("compare", "vergleich", "vergleiche"),
    "verify": ("verify", "pruefen", "prüfen", "zitat"),
    "motion": ("motion", "antrag"),
    "references": ("references", "verweise"),
    "summary": ("summary", "zusammenfassung"),
    "sources": ("sources", "quellen"),
    "page": ("page", "seite"),
    "why": ("why", "warum"),
    "language": ("language", "sprache"),
    "corrections": ("corrections", "korrekturen"),
    "new": ("new", "neu"),
    "cancel": ("cancel", "abbrechen"),
    "feedback": ("feedback", "rueckmeldung", "rückmeldung"),
    "more": ("more", "mehr"),
    "privacy": ("privacy", "datenschutz"),
    "forget": ("forget", "vergessen"),
    "id": ("id",),
    "about": ("about", "ueber", "über"),
    "help": ("help", "hilfe", "start"),
    "documents": ("documents", "dokumente"),
    "describe": ("describe", "angaben"),
    "remove": ("remove", "entfernen"),
    "restore": ("restore", "wiederherstellen"),
    "publish": ("publish", "veroeffentlichen", "veröffentlichen"),
    "unpublish": ("unpublish", "zuruecknehmen", "zurücknehmen"),
    "reingest": ("reingest", "neueinlesen"),
    "library": ("library", "bibliothek", "status"),
    "retract": ("retract", "widerrufen"),
}
"""Canonical names with the words people may type, English and German."""

MENU = (
    *("ask", "jurisdiction", "party", "compare", "verify", "motion", "references", "summary", "sources"),
    *("page", "why", "language", "new", "cancel", "privacy", "id", "help", "about"),
)
"""Commands that platforms offer while people type."""

_ENGLISH = frozenset({*NAMES, "place", "start", "status"})

STAFF = (
    *("documents", "describe", "remove", "restore", "publish", "unpublish", "reingest", "library", "retract"),
)
"""Commands that only staff have; they are listed in staff chats."""

_WHOLE = (
    "new",
    "cancel",
    "sources",
    "privacy",
    "forget",
    "id",
    "about",
    "help",
    "documents",
    "library",
    "why",
    "retract",
    "more",
)
_LEADING = ("ask", "compare", "verify", "jurisdiction", "summary", "motion", "references", "feedback")
_ONE_WORD = ("jurisdiction", "feedback")
_LEADING_STAFF = ("remove", "restore", "publish", "unpublish", "reingest", "retract", "describe")
_CANONICAL = frozenset({*_LEADING, *_LEADING_STAFF})
_DOCUMENT = r"\S+|[\"„“].+|.+\.\w{2,4}"
_SHAPES: Mapping[str, str] = {
    "ask": r".+",
    "compare": r".+",
    "verify": r".+",
    "summary": r".+",
    "references": r".*\d.*",
    "motion": r".*\b(?:mover|antragsteller|jurisdiction|ort)=.+",
    "jurisdiction": r"\S+",
    "party": r"(?-i:[A-ZÄÖÜ0-9])\S*|[\"„“].+|clear|weg",
    "language": r"de|en|clear|weg",
    "corrections": r"on|off|an|aus",
    "feedback": r"useful|wrong|wrong_page",
    "page": r"(?:\S+|.+\.\w{2,4})\s\d{1,4}|\[?[SF]\d{1,3}\]?",
    "describe": r".+=.+|\S+ \*",
    "library": r"(?:approve|reject|run|annehmen|ablehnen|holen)\s.+",
    **dict.fromkeys(("remove", "restore", "publish", "unpublish", "reingest", "retract"), _DOCUMENT),
}
"""What has to stand behind a command's other words (German, or not listed above) to need no slash: they
begin questions, too ("Antrag auf Wohngeld", "party funding")."""
_RUNNING = frozenset({"ask", "compare", "verify", "summary", "motion", "references"})
"""Commands with sentences behind them."""
_ONLY_WITH_SLASH = frozenset({"pruefen", "prüfen", "place"})
_BY_WORD = {word: name for name, words in NAMES.items() for word in words}
_COMMAND = re.compile(r"^[/!](?P<word>[^\W_]+)(?:@\w+)?(?:\s+(?P<rest>.*))?$", re.DOTALL)
_BARE = re.compile(r"^(?P<word>[^\W_]+)(?:\s+(?P<rest>.*))?$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """A command as typed. `name` is canonical, or None for an unknown `word`; `rest` is what follows."""

    name: str | None
    word: str
    rest: str


def parse(text: str, *, bare: bool = False) -> Command | None:
    """The command that `text` is, or None for a question. `bare`: the bot was mentioned, so a command may
    stand without its slash (slash commands cannot be typed everywhere). A question that merely begins
    with such a word stays a question."""
    text = text.strip()
    match = _COMMAND.match(text)
    if match is None:
        return _bare(text) if bare else None
    word = match["word"].lower()
    return Command(name=_BY_WORD.get(word), word=word, rest=(match["rest"] or "").strip())


def _bare(text: str) -> Command | None:
    match = _BARE.match(text)
    if match is None:
        return None
    word, rest = match["word"].lower(), (match["rest"] or "").strip()
    name = _BY_WORD.get(word)
    whole = name in _WHOLE and not rest
    leading = word in (*_LEADING, *_LEADING_STAFF) and rest and not rest.endswith("?")
    if word in _ONE_WORD and " " in rest:
        leading = False
    found = whole or leading or (word not in _CANONICAL and _has_shape(name, word, rest))
    return Command(name=name, word=word, rest=rest) if found else None


def _has_shape(name: str | None, word: str, rest: str) -> bool:
    if name is None or name not in _SHAPES or word in _ONLY_WITH_SLASH or rest.endswith("?"):
        return False
    return re.fullmatch(_SHAPES[name], rest, re.DOTALL | re.IGNORECASE) is not None


def language_of(command: Command) -> str | None:
    """The language that a command is written in; None where running text behind it tells better: names,
    codes and labels tell nothing."""
    if command.rest and command.name in _RUNNING:
        return None
    return "en" if command.name is None or command.word in _ENGLISH else "de"


def offered(language: str) -> list[tuple[str, str]]:
    """The commands to offer to people of a language: the word to type in plain letters, and what it does."""
    texts = Texts(language)
    return [(_word(name, language), texts(f"menu.{name}")) for name in MENU]


def _word(name: str, language: str) -> str:
    """The word of a language where there is one that every platform takes."""
    words = [word for word in NAMES[name] if word.isascii()]
    foreign = [word for word in words if (word in _ENGLISH) != (language == "en")]
    return next((word for word in words if word not in foreign), name)
