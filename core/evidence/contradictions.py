"""Where a claim says something else than the quote it is said to rest on.

No understanding, only structure: words that turn a statement into its opposite (`data/contrasts.toml`), and
what the numbers of both count. Poles have the same names in all languages, so that a claim may be in another
one than its quote. What finds no contradiction here is not proven by that; a judge reads it next.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from core.evidence.guards import word_lists
from core.evidence.quantities import Quantity, quantities
from core.evidence.skeleton import skeleton
from core.language.languages import tags
from core.language.sentences import sentences

_STEM = 5
_LEAST_STEM = 4
_REACH = 60
"""Characters before a number in which what bounds it stands."""
_BEHIND = 30
_WORD = re.compile(r"[^\W\d_]+")
_PART = re.compile(r"[.;:,!?](?:\s|$)|\b(?:und|and|et|sowie|while|während|tandis)\b")
_MAIN_CLAUSE = re.compile(r"[.;!?](?:\s|$)|,\s(?:und|and|et|sowie|while|während|tandis)\b")
_SPEAKING_OF_THE_DOCUMENT = frozenset(
    {
        "parte",
        "party",
        "parti",
        "progr",
        "manif",
        "geset",
        "docum",
        "dokum",
        "there",
        "accor",
        "nach",
        "laut",
        "this",
        "diese",
    }
)
"""Stems of words with which a claim says whose words it has."""
_COMPARATOR_BEHIND = {
    "least": r"\s*(?:\S+ ){0,2}(?:oder|or|ou|und|and|et) (?:mehr|more|darüber|above|over|plus)\b",
    "most": r"\s*(?:\S+ ){0,2}(?:oder|or|ou) (?:weniger|less|fewer|moins)\b",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedText:
    """The text of a quote and its language (ISO 639-1)."""

    text: str
    language: str


def contradictions(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    """What `claim`, in `language`, says otherwise than `quotes`, as "what: claimed / quoted"; empty where
    nothing of the kind is found. "what" is opposite, modality, tense, quantity, condition, bound, period,
    number or actor."""
    nearest = _nearest(claim, language, quotes)
    found = _poles_differ(claim, language, nearest)
    found += _numbers_differ(claim, language, quotes)
    if all(quote.language == language for quote in quotes):
        found += _actors_differ(claim, language, nearest)
    return found


def _nearest(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[QuotedText]:
    """The sentence of the quotes that the claim speaks of; all of them where that cannot be told."""
    pieces = [
        QuotedText(text=quote.text[start:end], language=quote.language)
        for quote in quotes
        for start, end in sentences(quote.text, quote.language)
    ]
    if any(piece.language != language for piece in pieces):
        return list(quotes)
    stems = _stems(claim)
    near = [len(stems & _stems(piece.text)) for piece in pieces]
    best = max(near, default=0)
    if best < 1:
        return list(quotes)
    return [piece for piece, count in zip(pieces, near, strict=True) if count == best]


def _poles_differ(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    said, given = _poles(claim, language), _poles_of(quotes)
    denied = _denies(claim), any(_denies(quote.text) for quote in quotes)
    found = []
    if denied[0] == denied[1]:
        for axis in _contrasts()["opposites"]:
            mine, theirs = said["opposites"][axis], given["opposites"][axis]
            if mine and theirs and not mine & theirs:
                found.append(_difference("opposite", mine, theirs))
    if not any(denied):
        mine, theirs = said["modality"]["modality"], given["modality"]["modality"]
        if "must" in mine and theirs and "must" not in theirs:
            found.append(_difference("modality", mine, theirs))
        if mine == {"may"} and theirs and "may" not in theirs:
            found.append(_difference("modality", mine, theirs))
    found += _tense_differs(said["tense"]["tense"], given["tense"]["tense"])
    found += _quantity_differs(said["quantity"]["quantity"], given["quantity"]["quantity"], any(denied))
    if not said["condition"]["condition"] and any(_drops_condition(claim, quote) for quote in quotes):
        found.append("condition: none / if")
    return found


def _drops_condition(claim: str, quote: QuotedText) -> bool:
    """Whether the quote names a condition of which the claim has neither the words nor the number."""
    folded = quote.text.casefold()
    for match in _patterns("condition", quote.language)["if"].finditer(folded):
        clause = re.split(r"[,.;:]\s", folded[match.start() :])[0]
        stems = _stems(clause)
        kept = stems & _stems(claim)
        counted = {value for each in quantities(clause, quote.language) for value in each.values}
        repeated = {value for each in quantities(claim) for value in each.values}
        if 2 * len(kept) < max(1, len(stems)) and not counted & repeated:
            return True
    return False


def _tense_differs(mine: frozenset[str], theirs: frozenset[str]) -> list[str]:
    if {"done"} == mine and "ahead" in theirs and "done" not in theirs:
        return [_difference("tense", mine, theirs)]
    if {"ahead"} == mine and "done" in theirs and "ahead" not in theirs:
        return [_difference("tense", mine, theirs)]
    return []


def _quantity_differs(mine: frozenset[str], theirs: frozenset[str], denied: bool) -> list[str]:
    """A claim may be less than its quote says of all; it may not be more, or leave out that it holds of
    some only."""
    added = mine & {"all", "only", "most"} - theirs
    dropped = theirs & {"some", "most", "about"} - mine
    if (added and not denied) or (dropped and not (theirs - dropped) & mine):
        return [_difference("quantity", mine, theirs)]
    return []


def _numbers_differ(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    """Bounds, periods and neighbours of the numbers that claim and quotes share."""
    mine = _placed(claim, language)
    theirs = [each for quote in quotes for each in _placed(quote.text, quote.language)]
    same_language = all(quote.language == language for quote in quotes)
    found = []
    for one in mine:
        equal = [other for other in theirs if one.equals(other)]
        if not equal:
            continue
        if not any(_bounds_agree(one.bounds, other.bounds) for other in equal):
            found.append(_difference("bound", one.bounds, equal[0].bounds))
        if not any(_periods_agree(one.periods, other.periods) for other in equal):
            found.append(_difference("period", one.periods, equal[0].periods))
        if same_language and _belongs_elsewhere(one, equal, theirs, quotes):
            found.append(f"number: {one.quantity.text}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A number with what stands around it."""

    quantity: Quantity
    bounds: frozenset[str]
    periods: frozenset[str]
    stems: tuple[str, ...]
    """Of the words nearest to it, in order."""
    clause: tuple[str, ...]
    """Of the words of the main clause in which it stands."""

    def equals(self, other: "_Placed") -> bool:
        return self.quantity.unit == other.quantity.unit and bool(
            self.quantity.values & other.quantity.values
        )


def _placed(text: str, language: str) -> list[_Placed]:
    found, at, spans = quantities(text, language), 0, []
    for quantity in found:
        start = text.find(quantity.text, at)
        at = start + len(quantity.text)
        spans.append((start, at))
    placed = []
    for number, (quantity, (start, end)) in enumerate(zip(found, spans, strict=True)):
        left = max((stop for _, stop in spans[:number]), default=0)
        right = min((begin for begin, _ in spans[number + 1 :]), default=len(text))
        before, behind = text[max(left, start - _REACH) : start], text[end : min(right, end + _BEHIND)]
        placed.append(
            _Placed(
                quantity=quantity,
                bounds=_bounds(before, behind, language),
                periods=frozenset(_group_poles("period", f"{quantity.text}{behind}", language)),
                stems=_stems_around(_PART, text[left:start], text[end:right]),
                clause=_stems_around(_MAIN_CLAUSE, text[:start], text[end:]),
            )
        )
    return placed


def _stems_around(border: re.Pattern[str], before: str, behind: str) -> tuple[str, ...]:
    """Stems of the words between the nearest borders on either side."""
    near = (*_stems_in_order(border.split(before)[-1]), *_stems_in_order(border.split(behind)[0]))
    return tuple(dict.fromkeys(near))


def _bounds(before: str, behind: str, language: str) -> frozenset[str]:
    """What bounds a number: the last bound of its clause, and what follows it."""
    clause = re.split(r"[.;:!?]\s|,\s", before)[-1]
    found = {
        pole: max(match.end() for match in pattern.finditer(clause.casefold()))
        for pole, pattern in _patterns("bound", language).items()
        if pattern.search(clause.casefold())
    }
    poles = {max(found, key=lambda pole: found[pole])} if found else set()
    denied = _denies(clause)  # "not ... more than" bounds from above
    if "more" in poles and ("most" in found or denied):
        poles = {"most"}
    if "less" in poles and ("least" in found or denied):
        poles = {"least"}
    for pole, shape in _COMPARATOR_BEHIND.items():
        if re.match(shape, behind.casefold()):
            poles = {pole}
    if re.match(r"\s*(?:\S+ ){0,3}nicht (?:übersteigen|überschreiten)", behind.casefold()):
        poles = {"most"}
    return frozenset(poles)


def _bounds_agree(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return mine == theirs


def _periods_agree(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return not mine or not theirs or bool(mine & theirs)


def _belongs_elsewhere(
    one: _Placed, equal: Sequence[_Placed], theirs: Sequence[_Placed], quotes: Sequence[QuotedText]
) -> bool:
    """Whether the words around a number of the claim stand around another number of the quotes, or what it
    begins with stands in another clause than the number, or nothing around it does."""
    if not one.stems:
        return False
    own = max(len(set(one.stems) & set(other.stems)) for other in equal)
    others = [len(set(one.stems) & set(other.stems)) for other in theirs if other not in equal]
    if max(others, default=0) > own:
        return True
    first = next((stem for stem in one.stems if stem not in _SPEAKING_OF_THE_DOCUMENT), "")
    if not first or any(_held(first, other.clause) for other in equal):
        return False
    elsewhere = frozenset().union(*(_stems(quote.text) for quote in quotes))
    return _held(first, elsewhere) or (own == 0 and any(other.stems for other in equal))


def _held(stem: str, stems: Iterable[str]) -> bool:
    return any(stem[:_LEAST_STEM] == other[:_LEAST_STEM] for other in stems)


def _actors_differ(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    """An actor of the claim whom no quote names, where a quote names one whom the claim does not."""
    mine = _actors(claim, language)
    theirs = frozenset().union(*(_actors(quote.text, quote.language) for quote in quotes))
    if mine - theirs and theirs - mine:
        return [_difference("actor", mine - theirs, theirs - mine)]
    first_mine, first_theirs = (
        _first_actor(claim, language),
        {actor for quote in quotes if (actor := _first_actor(quote.text, quote.language))},
    )
    if first_mine and first_theirs and first_mine not in first_theirs and len(mine) == 1 < len(theirs):
        return [f"actor: {first_mine} / {', '.join(sorted(first_theirs))}"]
    return []


def _actors(text: str, language: str) -> frozenset[str]:
    folded = text.casefold()
    return frozenset(name for name, pattern in _actor_patterns(language) if pattern.search(folded))


def _first_actor(text: str, language: str) -> str:
    folded = text.casefold()
    places = [
        (match.start(), name)
        for name, pattern in _actor_patterns(language)
        if (match := pattern.search(folded))
    ]
    return min(places)[1] if places else ""


def _denies(text: str) -> bool:
    return any(skeleton(word) in word_lists().negations for word in _WORD.findall(text))


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stems_in_order(text))


def _stems_in_order(text: str) -> list[str]:
    """Of the words that are neither short nor there for the grammar."""
    words = (skeleton(item) for item in _WORD.findall(text))
    return [word[:_STEM] for word in words if len(word) >= _LEAST_STEM and word not in word_lists().guarded]


def _difference(what: str, mine: Iterable[str], theirs: Iterable[str]) -> str:
    return f"{what}: {', '.join(sorted(mine)) or 'none'} / {', '.join(sorted(theirs)) or 'none'}"


_Poles = Mapping[str, Mapping[str, frozenset[str]]]


def _poles(text: str, language: str) -> _Poles:
    """The poles that `text` names, by group and axis; a group of one axis has its own name for it."""
    groups = _contrasts()
    found = {
        "opposites": {axis: _group_poles(f"opposites.{axis}", text, language) for axis in groups["opposites"]}
    }
    for group in ("modality", "tense", "quantity", "condition"):
        found[group] = {group: _group_poles(group, text, language)}
    return found


def _poles_of(quotes: Sequence[QuotedText]) -> _Poles:
    all_poles = [_poles(quote.text, quote.language) for quote in quotes]
    return {
        group: {axis: frozenset().union(*(each[group][axis] for each in all_poles)) for axis in axes}
        for group, axes in all_poles[0].items()
    }


@lru_cache(maxsize=4096)
def _group_poles(group: str, text: str, language: str) -> frozenset[str]:
    folded = text.casefold()
    return frozenset(pole for pole, pattern in _patterns(group, language).items() if pattern.search(folded))


@cache
def _patterns(group: str, language: str) -> Mapping[str, re.Pattern[str]]:
    """The patterns of a group's poles; of all languages for one that has none."""
    table: Any = _contrasts()
    for name in group.split("."):
        table = table[name]
    return {pole: _whole_words(_alternatives(words, language)) for pole, words in table.items()}


@cache
def _actor_patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    actors = _contrasts()["actors"]
    chosen = actors[language] if language in actors else [each for own in actors.values() for each in own]
    return tuple((shape.partition("|")[0], _whole_words(shape)) for shape in chosen)


def _alternatives(words: Mapping[str, str], language: str) -> str:
    return words[language] if language in tags() else "|".join(words.values())


def _whole_words(shape: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{shape})(?!\w)")


@cache
def _contrasts() -> Mapping[str, Any]:
    text = files("core.evidence").joinpath("data", "contrasts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
