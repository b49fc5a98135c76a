"""Names of files that are made for people: what it is and what about, in words, cut between them."""

import re
import unicodedata
from collections.abc import Iterable

from core.answering.extractive.terms import sought
from core.language.identification import detect

LONGEST = 48
"""Characters of a name, without what tells the kind."""

_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "œ": "oe"})

_ACCENT = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")


def file_stem(kind: str, topic: str, language: str) -> str:
    """`kind` and what `topic` is about: "vergleich-mindestlohn"; neither little words of `language`, our own,
    nor of the one that it is in."""
    own = sought(topic, detect(topic)[0])
    said = [word for word in sought(topic, language) if word in own]
    return "-".join([kind, *_words(said, LONGEST - len(kind))])


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
