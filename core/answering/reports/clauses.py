"""One sentence of a motion: what only opens it, and the demands that it joins."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from core.language.patterns import pattern

LEAST_WORDS = 3
"""Words of a demand that stands in one sentence with others."""

_OPENING = pattern(r"^\s*(?:{motions.openings})\s*", re.IGNORECASE)
_MOST_OPENINGS = 4
_ELIDED = re.compile(r"['’].*")
_JOINED = pattern(r"\s*;\s*|\s+(?:{motions.joining})\s+", re.IGNORECASE)
_AND = r"(?:\s*,\s*(?:(?:{motions.conjunctions})\s+)?|\s+(?:{motions.conjunctions})\s+)"
_FURTHER = pattern(rf"{_AND}(?=({{motions.further}}))", re.IGNORECASE)
_AND_MORE = pattern(_AND, re.IGNORECASE)
_NEW_CLAUSE = pattern(r"[A-ZÄÖÜ]|(?:{motions.articles})\b")
_LISTED = pattern(rf"{_AND}(?=(?:{{motions.articles}})\s)", re.IGNORECASE)
_DEMANDING = pattern(r"\b(?:{motions.demanding})\b(?![,:])", re.IGNORECASE)
_LAST_VERB = pattern(r"\b(?:{motions.last_verbs}|{motions.infinitives})$")
_INFINITIVE = pattern(r"\b(?:{motions.infinitives})$")
_BETWEEN = pattern(r"\s*,?\s+(?:{motions.conjunctions})\s+", re.IGNORECASE)
_VERB = pattern(r"\b(?:{motions.verbs})\b", re.IGNORECASE)
_TAIL = pattern(r"\s*[,;]?(?:\s+(?:{motions.conjunctions}))?\s*$", re.IGNORECASE)


def without_opening(text: str) -> str:
    """`text` without the formulas that lead into a demand ("The council may resolve:"); as it is where too
    little would be left."""
    for _ in range(_MOST_OPENINGS):
        shorter = _OPENING().sub("", text, count=1)
        if shorter == text or len(shorter.split()) < 2:
            break
        text = shorter
    return text


def without_tail(text: str) -> str:
    """`text` without what ties it to the next point (", and")."""
    return _TAIL().sub("", text)


def clauses(sentence: str) -> list[str]:
    """The demands that a sentence joins, where each of them has words enough for one: behind semicolons and
    "as well as", conjunctions that come again ("that ..., that ..."), infinitives at the end of a clause,
    in lists of what "we demand", and between two main clauses."""
    parts = [sentence]
    for cuts, least in _WAYS:
        parts = [each for part in parts for each in _apart(part, cuts(part), least)]
    return parts


Cut = tuple[int, int]
"""Where two demands are joined: characters of what stands between them."""


def _apart(sentence: str, cuts: Iterable[Cut], least: int) -> list[str]:
    """`sentence` at the cuts that leave words enough on both sides."""
    parts, start = [], 0
    for first, end in cuts:
        if min(len(sentence[start:first].split()), len(sentence[end:].split())) >= least:
            parts.append(sentence[start:first])
            start = end
    return [part.strip(" ,") for part in (*parts, sentence[start:])]


def _joints(sentence: str) -> list[Cut]:
    return [match.span() for match in _JOINED().finditer(sentence)]


def _conjunctions(sentence: str) -> Iterator[Cut]:
    """Before a conjunction that has stood in the sentence already."""
    for match in _FURTHER().finditer(sentence):
        if _first_word(match[1]) in map(_first_word, sentence[: match.start()].split()):
            yield match.span()


def _first_word(text: str) -> str:
    """In small letters, what is elided put in ("d'ouvrir": "de")."""
    return _ELIDED.sub("e", text.lower().split()[0], count=1)


def _infinitives(sentence: str) -> list[Cut]:
    """Behind verbs at the end of their clauses, where the sentence ends with one as well."""
    if not _ends_with_verb(sentence):
        return []
    found = (match.span() for match in _AND_MORE().finditer(sentence))
    return [cut for cut in found if _is_behind_verb(sentence[: cut[0]], sentence[cut[1] :])]


def _listed(sentence: str) -> Sequence[Cut]:
    """Between the things that "we demand", where there are three at least."""
    found = [match.span() for match in _LISTED().finditer(sentence)]
    said = _DEMANDING().search(sentence)
    return found if said and len(found) > 1 and said.end() < found[0][0] else ()


def _main_clauses(sentence: str) -> Sequence[Cut]:
    """Between clauses each of which has a verb that demands."""
    cuts = [match.span() for match in _BETWEEN().finditer(sentence)]
    edges = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(sentence)]
    demanding = all(_VERB().search(sentence, start, end) for start, end in zip(*edges, strict=True))
    return cuts if demanding else ()


def _is_behind_verb(before: str, behind: str) -> bool:
    """Whether a clause ends: with an infinitive that shows as one, or before what only begins a clause."""
    if _OPENING().fullmatch(f"{before},"):
        return False
    sure = _INFINITIVE().search(before) is not None
    return sure or bool(_ends_with_verb(before) and _NEW_CLAUSE().match(behind))


def _ends_with_verb(text: str) -> bool:
    return _LAST_VERB().search(text.rstrip(" .!?\"'“”»«")) is not None


_WAYS: tuple[tuple[Callable[[str], Iterable[Cut]], int], ...] = (
    (_joints, LEAST_WORDS),
    (_conjunctions, LEAST_WORDS),
    (_infinitives, 2),
    (_listed, LEAST_WORDS),
    (_main_clauses, LEAST_WORDS),
)
"""How demands are joined, and how many words each has then at least."""
