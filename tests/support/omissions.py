"""Quotes that leave something out of their sentence, for measuring the verdicts on them.

The word lists here are the generator's own and know nothing of the guards' in `core/evidence/data`. A quote
is made from the words of one whole sentence; planted text gets its own sentence around it.
"""

import random
import re
from collections.abc import Callable, Sequence

Omission = Callable[[random.Random, Sequence[str]], str | None]
"""(chance, words of a sentence) -> a quote that leaves some of them out, or None where it cannot be done."""

Planted = tuple[str, str]
"""The page's text, and the quote of it."""

_MARKS = ["...", "[...]", "…", "[…]", "(...)"]
_LETTERS = 24
_PART_LETTERS = 10

_DENIAL = re.compile(
    r"(?:nicht|nichts|nie|niemals|niemand(?:em|en|es)?|kein(?:e|er|es|en|em)?|keinesfalls|keineswegs|weder|nirgends"
    r"|ohne|not|no|never|neither|nor|nobody|nothing|none|nowhere|cannot|without|(?:do|does|did|is|are|was|were|has|have"
    r"|ca|wo|would|should|could|must)n['’]t)",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?:wenn|falls|sofern|soweit|solange|vorausgesetzt|if|unless)", re.IGNORECASE)
_EXCEPTION = re.compile(
    r"(?:außer|ausgenommen|ausnahme|ausnahmen|ausnahmsweise|nur|lediglich|ausschließlich|vorbehaltlich|except|excluding"
    r"|only|solely|save|unless)",
    re.IGNORECASE,
)
_REJECTION = re.compile(
    r"(?:lehn(?:en|t|te)|ablehn(?:en|t)|abgelehnt|verbiet(?:en|et)|verboten|untersagt|verhinder(?:n|t)"
    r"|verweiger(?:n|t)|verzichte(?:n|t)|abschaffen|abgeschafft|beende(?:n|t)|stoppen|ausgeschlossen|aufgehoben|reject(?:s|ed)?"
    r"|refuse[sd]?|prohibit(?:s|ed)?|forbidden|fails?|failed|prevent(?:s|ed)?|revoke[ds]?|oppose[sd]?|abolish(?:ed)?)",
    re.IGNORECASE,
)


def elisions() -> dict[str, Omission]:
    """Quotes with an ellipsis that swallow what turns them."""
    return {
        "elided denial, alone": lambda chance, words: _elided(chance, words, _DENIAL, (0, 0)),
        "elided denial, near": lambda chance, words: _elided(chance, words, _DENIAL, (1, 5)),
        "elided denial, far": lambda chance, words: _elided(chance, words, _DENIAL, (7, 20)),
        "elided, denial behind": lambda chance, words: _elided_before(chance, words, _DENIAL),
        "elided, denial before": lambda chance, words: _elided_behind(chance, words, _DENIAL),
        "elided condition": lambda chance, words: _elided(chance, words, _CONDITION, (0, 8)),
        "elided exception": lambda chance, words: _elided(chance, words, _EXCEPTION, (0, 8)),
        "elided rejection": lambda chance, words: _elided(chance, words, _REJECTION, (0, 8)),
    }


def cuts() -> dict[str, Omission]:
    """Quotes cut so that what turns them is gone."""
    return {
        "cut before denial": lambda chance, words: _cut_before(chance, words, _DENIAL),
        "cut behind denial": lambda chance, words: _cut_behind(chance, words, _DENIAL),
        "cut before condition": lambda chance, words: _cut_before(chance, words, _CONDITION),
        "cut behind condition": lambda chance, words: _cut_behind(chance, words, _CONDITION),
        "cut before exception": lambda chance, words: _cut_before(chance, words, _EXCEPTION),
        "cut before rejection": lambda chance, words: _cut_before(chance, words, _REJECTION),
        "half a question": _half_question,
    }


def only_denial_elided(words: Sequence[str]) -> str | None:
    """The sentence with "[...]" in place of its only denial; None if it has none or several, or too few words
    on a side."""
    places = _places(words, _DENIAL)
    if len(places) != 1:
        return None
    kept = words[: places[0]], words[places[0] + 1 :]
    if any(_letters(part) < _PART_LETTERS for part in kept) or sum(map(_letters, kept)) < _LETTERS:
        return None
    return " [...] ".join(" ".join(part) for part in kept)


def cuts_at_denials(words: Sequence[str]) -> list[str]:
    """The sentence up to each of its denials, and from behind each on, where enough is left."""
    kept = [part for at in _places(words, _DENIAL) for part in (words[:at], words[at + 1 :])]
    return [" ".join(part) for part in kept if _letters(part) >= _LETTERS]


def _bare(word: str) -> str:
    return word.strip(".,;:!?()[]\"'„“”»«‚‘’–-")


def _places(words: Sequence[str], kind: re.Pattern[str]) -> list[int]:
    return [i for i, word in enumerate(words) if kind.fullmatch(_bare(word))]


def _letters(words: Sequence[str]) -> int:
    return sum(c.isalnum() for word in words for c in word)


def _joined(chance: random.Random, *parts: Sequence[str]) -> str | None:
    if any(_letters(part) < _PART_LETTERS for part in parts) or sum(map(_letters, parts)) < _LETTERS:
        return None
    return f" {chance.choice(_MARKS)} ".join(" ".join(part) for part in parts)


def _elided(
    chance: random.Random, words: Sequence[str], kind: re.Pattern[str], around: tuple[int, int]
) -> str | None:
    places = _places(words, kind)
    if not places:
        return None
    at = chance.choice(places)
    first, end = at - chance.randint(*around), at + 1 + chance.randint(*around)
    return _joined(chance, words[: max(first, 0)], words[end:])


def _inner(chance: random.Random, words: Sequence[str]) -> tuple[int, int] | None:
    """A gap of a few words with something left on both sides."""
    if len(words) < 7:
        return None
    first = chance.randint(2, len(words) - 4)
    end = min(first + chance.randint(1, 8), len(words) - 2)
    return first, end


def _elided_before(chance: random.Random, words: Sequence[str], kind: re.Pattern[str]) -> str | None:
    """An ellipsis, and the quote ends before what turns it."""
    places = _places(words, kind)
    kept = words[: chance.choice(places)] if places else []
    gap = _inner(chance, kept)
    return _joined(chance, kept[: gap[0]], kept[gap[1] :]) if gap else None


def _elided_behind(chance: random.Random, words: Sequence[str], kind: re.Pattern[str]) -> str | None:
    """An ellipsis, and the quote begins behind what turns it."""
    places = _places(words, kind)
    kept = words[chance.choice(places) + 1 :] if places else []
    gap = _inner(chance, kept)
    return _joined(chance, kept[: gap[0]], kept[gap[1] :]) if gap else None


def _whole(words: Sequence[str]) -> str | None:
    return " ".join(words) if _letters(words) >= _LETTERS else None


def _cut_before(chance: random.Random, words: Sequence[str], kind: re.Pattern[str]) -> str | None:
    places = _places(words, kind)
    return _whole(words[: chance.choice(places)]) if places else None


def _cut_behind(chance: random.Random, words: Sequence[str], kind: re.Pattern[str]) -> str | None:
    places = _places(words, kind)
    return _whole(words[chance.choice(places) + 1 :]) if places else None


def _half_question(chance: random.Random, words: Sequence[str]) -> str | None:
    if not words[-1].endswith("?") or len(words) < 6:
        return None
    first = chance.choice([0, chance.randint(0, 2)])
    return _whole(words[first : chance.randint(len(words) - 4, len(words) - 1)])


_MATRICES = {
    "de": [
        "Es ist eine Lüge, dass",
        "Die Gegner behaupten, dass",
        "Es stimmt nicht, dass",
        "Der Verband fordert, dass",
        "Angeblich gilt:",
        "Manche glauben, dass",
        "Die Zeitung schrieb:",
        "Der Minister versprach, dass",
        "Es ist ein Märchen, dass",
        "Die Opposition sagt:",
        "Wir bestreiten, dass",
        "Niemand behauptet, dass",
        "Es heißt immer wieder, dass",
        "Kritiker meinen, dass",
        "Wir lehnen die Forderung ab, dass",
        "Nach Ansicht der Gegner gilt:",
        "Offen ist, ob",
        "Der Vorwurf lautet, dass",
        "Die Behauptung, dass",
        "Laut Gutachten eines Verbandes gilt:",
    ],
    "en": [
        "It is a lie that",
        "The opponents claim that",
        "It is not true that",
        "The association demands that",
        "It is alleged that",
        "Some people believe that",
        "The newspaper wrote:",
        "The minister promised that",
        "It is a myth that",
        "Critics say that",
        "We deny that",
        "Nobody claims that",
        "According to the opponents",
        "Others argue that",
        "We reject the idea that",
        "In the view of the opponents",
        "It is doubtful whether",
        "The allegation that",
        "The lobby suggests that",
        "We asked whether",
    ],
}
_TAILS = {
    "de": [
        ", behaupten die Gegner.",
        ", so die Kritiker.",
        ", meint der Verband.",
        ": Das ist falsch.",
        ", heißt es bei der Konkurrenz.",
        " - das lehnen wir ab.",
        ", was wir ablehnen.",
    ],
    "en": [
        ", the opponents claim.",
        ", critics say.",
        ", or so they argue.",
        " - which is false.",
        ", says the lobby.",
        ", which we reject.",
    ],
}
_LEAD_INS = {
    "de": [
        "Wir lehnen ab:",
        "Nicht erlaubt ist:",
        "Verboten sind:",
        "Wir sind gegen:",
        "Keine Förderung gibt es für:",
        "Wir verzichten auf:",
        "Wir verhindern:",
        "Abschaffen werden wir:",
        "Ausgeschlossen sind:",
        "Die anderen Parteien behaupten:",
    ],
    "en": [
        "No person shall:",
        "We reject:",
        "The following are prohibited:",
        "A promoter shall not -",
        "We oppose:",
        "It is forbidden:",
        "Nothing in this Act shall -",
        "The opponents claim:",
        "No authority may -",
        "The Board may refuse:",
    ],
}
_SIGNS = ["• ", "– ", "- ", "(a) ", "1. ", "a) "]


def reported(chance: random.Random, language: str, words: Sequence[str]) -> Planted | None:
    """A sentence put into the mouth of others, before it or behind it, quoted as the source's own."""
    said = " ".join(words).rstrip(".,;:!?")
    if _letters(words) < _LETTERS or "?" in said:
        return None
    if chance.random() < 0.7:
        return f"{chance.choice(_MATRICES[language])} {said}.", said
    return f"{said}{chance.choice(_TAILS[language])}", said


def led_into(
    chance: random.Random, language: str, words: Sequence[str], others: Sequence[Sequence[str]]
) -> Planted | None:
    """An item of a list whose lead-in denies it, quoted without that."""
    if _letters(words) < _LETTERS:
        return None
    items = [" ".join(item).rstrip(".,;:!?") for item in (*others, words)]
    chance.shuffle(items)
    sign, end = chance.choice(_SIGNS), chance.choice(["", ";", ","])
    lines = [_numbered(sign, n) + item + end for n, item in enumerate(items)]
    return "\n".join([chance.choice(_LEAD_INS[language]), *lines]), " ".join(words).rstrip(".,;:!?")


def _numbered(sign: str, n: int) -> str:
    return sign.replace("a", "abcdefgh"[n]).replace("1", str(n + 1))
