"""Whose words an alleged quote is said to be, by what stands before it ("NAME:", "laut NAME") or
behind it ("(NAME)", "sagt NAME").

Only texts are read here; whether the registry knows a name is for those who hold it.
"""

import re
from dataclasses import dataclass
from functools import cache

from core.evidence.guards import is_negation
from core.evidence.skeleton import skeleton
from core.evidence.speech import OPENING
from core.language.patterns import words
from core.registry.names import fold

MOST_WORDS, LONGEST = 6, 80
"""Words and characters of a name."""

_MOST_BEFORE = 14
"""Words before a quote; more are a text of their own."""
_MOST_BEFORE_UNSURE = 5
"""The same where the words before may be a part of the quote."""
_LEAST_QUOTED, _MOST_BEHIND = 3, 6
"""Words of a quote with something behind it, which may have as many words as the quote, or so many."""
_MOST_SMALL = 2
"""Words of a name that is written in small letters."""

_WORD = re.compile(r"[^\W_]+(?:[-–&/.][^\W_]+)*")
_PARTING = re.compile(r"[^\w\s'’.]")
_BEHIND = ".,;:!?…)"
_EDGES = " \n\t.,!?…()[]–—-"
_SIGNING = tuple("([–—-")
"""What stands before the name of whoever is quoted."""
_BRACKETS = re.compile(r"(?s)(.*\S)\s*\(([^()\n]+)\)\W*")
_CORRECTED = re.compile(
    r"\W*(?:nicht|not|non|pas|ce n['’]est pas)\b[^:]*?,?\s(?:sondern|but|mais)\s(?P<other>[^:]+)",
    re.IGNORECASE,
)
_LISTS = ("attribution.around", "names.articles", "names.frame", "topics.asking")


@dataclass(frozen=True, slots=True)
class LedIn:
    """What stands before an alleged quote, or where that is `behind` it, and the quote. `sure`: a colon and
    quotation marks part them; else what stands there may as well belong to it ("Wohnen: ...")."""

    before: str
    words: str
    sure: bool
    behind: bool = False


def led_in(text: str) -> LedIn | None:
    """`text` in what leads in to a quote, or says behind it whose it is, and the quote; None where it is
    nothing but a quote."""
    return _led_in(text) or _led_out(text.strip())


def _led_out(text: str) -> LedIn | None:
    end = max((n for n, letter in enumerate(text) if letter in OPENING), default=0)
    quote, behind = text[: end + 1], text[end + 1 :].strip(_EDGES)
    if text.startswith(OPENING) and behind and text[end + 1] not in ":;":
        quoted, said = (len(_WORD.findall(each)) for each in (quote, behind))
        one = quoted >= _LEAST_QUOTED and not any(mark in quote[1:-1] for mark in OPENING)
        signed = text[end + 1 :].lstrip().startswith(_SIGNING)
        named = one and said <= max(quoted, _MOST_BEHIND)
        return LedIn(behind, quote, sure=signed, behind=True) if named else None
    bracketed = None if text.startswith(OPENING) else _BRACKETS.fullmatch(text)
    return bracketed and LedIn(bracketed[2].strip(), bracketed[1], sure=False, behind=True)


def _led_in(text: str) -> LedIn | None:
    at = next((n for n, letter in enumerate(text) if letter in OPENING), len(text))
    before, marked = text[:at].strip(), text[at:].strip()
    if before and marked and _is_closed(marked):
        return LedIn(before.rstrip(" :,"), marked, sure=before.endswith(":"))
    before, _, behind = text.partition(":")
    if not before.strip() or not behind[:1].isspace() or any(mark in before for mark in OPENING):
        return None
    return LedIn(before.strip(), behind.strip(), sure=behind.strip().startswith(OPENING))


def is_frame(before: str, names: str) -> bool:
    """Whether what stands round a quote only says whose it is: names, words that stand round them, and one
    word more, which may say how it was said; nothing that denies. `names` is `before` without known names."""
    words = [word[0] for word in _WORD.finditer(names)]
    if any(is_negation(skeleton(word[0])) for word in _WORD.finditer(before)):
        return False
    others = [word for word in words if _is_other(word) and not word[0].isupper() and not word[0].isdigit()]
    return len(_WORD.findall(before)) <= _MOST_BEFORE and len(others) <= 1


def corrected(before: str) -> str:
    """Of whom the words are said to be where somebody else is named first ("nicht X, sondern Y")."""
    found = _CORRECTED.match(before)
    return found["other"].strip() if found else before


def name_in(led: LedIn, before: str) -> str:
    """The name of whom the words are said to be, as it is written in `before`: what stands before a quote,
    without names that are known. Empty where there is none."""
    found = [*_WORD.finditer(before)]
    most = _MOST_BEFORE if led.sure else _MOST_BEFORE_UNSURE
    if len(_WORD.findall(led.before)) > most:
        return ""
    if not any(letter.isupper() for letter in led.before):
        others = [word for word in found if _is_other(word[0]) and not word[0].isdigit()]
        return _spelt(before, others) if len(others) <= _MOST_SMALL else ""
    return _spelt(before, max(_runs(before, found), key=len, default=[]))


def _runs(before: str, found: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Words written large that stand beside each other, with the small words that names have inside. A first
    word is large anyway: before an unknown verb it is no name."""
    runs: list[list[re.Match[str]]] = [[]]
    for number, word in enumerate(found):
        large = word[0][0].isupper() or word[0][0].isdigit()
        following = found[number + 1][0] if number + 1 < len(found) else ""
        begins = number == 0 and following[:1].islower() and _is_other(following)
        if number and _PARTING.search(before, found[number - 1].end(), word.start()):
            runs.append([])
        if _is_other(word[0]) and large and not begins:
            runs[-1].append(word)
        elif not (runs[-1] and fold(word[0]) in words("registered.links")):
            runs.append([])
    return [run for run in runs if run and not all(word[0].isdigit() for word in run)]


def _spelt(text: str, name: list[re.Match[str]]) -> str:
    spelt = text[name[0].start() : name[-1].end()] if name else ""
    return spelt if len(name) <= MOST_WORDS and len(spelt) <= LONGEST else ""


def _is_other(word: str) -> bool:
    """Whether `word` is none of those that stand round names."""
    return fold(word) not in _around()


@cache
def _around() -> frozenset[str]:
    return frozenset(fold(word) for name in _LISTS for word in words(name))


def _is_closed(marked: str) -> bool:
    """Whether the quote that begins with a mark is all there is: another mark ends it, or it has no other."""
    return marked.rstrip(_BEHIND).endswith(OPENING) or not any(mark in marked[1:] for mark in OPENING)
