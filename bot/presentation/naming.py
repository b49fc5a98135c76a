"""Names of files that are made for people: what it is and what about, in words, cut between them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from bot.presentation.i18n import Texts
from core.answering.extractive.terms import sought
from core.domain.documents import DocumentFields

LONGEST = 48
"""Characters of a name, without what tells the kind."""

_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "œ": "oe"})

_ACCENT = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")


def file_stem(kind: str, topic: str, language: str) -> str:
    """`kind` and what `topic`, a text in `language`, is about: "vergleich-mindestlohn"."""
    return "-".join([kind, *_words(sought(topic, language), LONGEST - len(kind))])


def _words(words: Iterable[str], room: int) -> list[str]:
    """As many of `words`, in plain small letters, as there is room for."""
    kept: list[str] = []
    for word in words:
        plain = unicodedata.normalize("NFKD", word.lower().translate(_LETTERS))
        plain = re.sub(r"[^a-z0-9]+", "", plain)
        room -= len(plain) + 1
        if room < 0:
            break
        kept += [plain] if plain else []
    return kept


def page_name_of(fields: DocumentFields, page: str, texts: Texts) -> str:
    """The name of a page's file without its ending: party, title, and the page as its print numbers it."""
    who = " ".join(fields.parties)
    title = fields.title if slug(who) in slug(fields.title) else f"{who} {fields.title}"
    return f"{slug(title) or texts('file.page')}-{texts('file.page_sign')}{slug(page)}"


def unique(names: Sequence[str]) -> list[str]:
    """Names that tell files of one message apart: what stands there twice is counted."""
    found: list[str] = []
    for name in names:
        again = names[: len(found)].count(name)
        found.append(f"{name}-{again + 1}" if again else name)
    return found


def slug(text: str) -> str:
    """`text` in small letters, digits and dashes; as many words as fit, the first one cut where it does
    not."""
    composed = unicodedata.normalize("NFC", text).lower().translate(_LETTERS)
    plain = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", composed)))
    words = re.sub(r"[^\w]+|_+", " ", plain).split()
    said = ""
    for word in words:
        if said and len(said) + 1 + len(word) > LONGEST:
            break
        said = f"{said}-{word}" if said else word[:LONGEST]
    return said
