"""Where a claim says something else than the quote it is said to rest on.

No understanding, only structure: words that turn a statement into its opposite (`data/contrasts.toml`), and
what the numbers of both count. Poles have the same names in all languages, so that a claim may be in another
one than its quote. What finds no contradiction here is not proven by that; a judge reads it next.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.evidence.contrasts import (
    Pole,
    actors,
    axes,
    clause_borders,
    patterns,
    poles,
    speaks_of_documents,
)
from core.evidence.guards import word_lists
from core.evidence.quantities import Quantity, quantities
from core.evidence.skeleton import skeleton
from core.language.sentences import sentences

_STEM = 5
_LEAST_STEM = 4
_REACH = 60
"""Characters before a number in which what bounds it stands."""
_BEHIND = 30
_WORDS_BEFORE = 5
_WORDS_TOGETHER = 2
_YEAR = re.compile(r"(?:19|20|21)\d\d")
_WORDS_BETWEEN = 4
"""Words between a number and a bound behind it at most."""
_WORD = re.compile(r"[^\W\d_]+")


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
        QuotedText(text=part, language=quote.language)
        for quote in quotes
        for start, end in sentences(quote.text, quote.language)
        for part in quote.text[start:end].split("; ")
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
    denied = _denies(claim, language), any(_denies(quote.text, quote.language) for quote in quotes)
    found = []
    if denied[0] == denied[1]:
        for axis in axes():
            mine, theirs = said[axis], given[axis]
            if mine and theirs and not mine & theirs:
                found.append(_difference("opposite", mine, theirs))
    if not _denies_modal(claim, language) and not any(_denies_modal(q.text, q.language) for q in quotes):
        found += _modality_differs(said["modality"], given["modality"])
    found += _tense_differs(said["tense"], given["tense"])
    found += _quantity_differs(said["quantity"], given["quantity"], any(denied))
    if not said["condition"] and any(_drops_condition(claim, quote) for quote in quotes):
        found.append("condition: none / if")
    return found


def _drops_condition(claim: str, quote: QuotedText) -> bool:
    """Whether the quote names a condition of which the claim has neither the words nor the number."""
    for match in patterns("condition", quote.language)["if"].finditer(quote.text):
        clause = re.split(r"[,.;:]\s", quote.text[match.start() :])[0]
        stems = _stems(clause)
        kept = stems & _stems(claim)
        counted = {value for each in quantities(clause, quote.language) for value in each.values}
        repeated = {value for each in quantities(claim) for value in each.values}
        if 3 * len(kept) < max(1, len(stems)) and not counted & repeated:
            return True
    return False


def _modality_differs(mine: frozenset[str], theirs: frozenset[str]) -> list[str]:
    """A duty for what may or should be, a permission for a duty, or what is only considered for decided."""
    firm = mine - {Pole.TENTATIVE}
    other_modal = bool(theirs) and (
        (Pole.MUST in mine and Pole.MUST not in theirs) or (firm == {Pole.MAY} and Pole.MAY not in theirs)
    )
    undecided = (Pole.TENTATIVE in theirs) != (Pole.TENTATIVE in mine)
    if other_modal or (undecided and (Pole.TENTATIVE in theirs or Pole.MUST in theirs)):
        return [_difference("modality", mine, theirs)]
    return []


def _denies_modal(text: str, language: str) -> bool:
    return patterns("denied_modal", language)["words"].search(text) is not None


def _tense_differs(mine: frozenset[str], theirs: frozenset[str]) -> list[str]:
    if {Pole.DONE} == mine and Pole.AHEAD in theirs and Pole.DONE not in theirs:
        return [_difference("tense", mine, theirs)]
    if {Pole.AHEAD} == mine and Pole.DONE in theirs and Pole.AHEAD not in theirs:
        return [_difference("tense", mine, theirs)]
    return []


def _quantity_differs(mine: frozenset[str], theirs: frozenset[str], denied: bool) -> list[str]:
    """A claim may be less than its quote says of all; it may not be more, or leave out that it holds of
    some only."""
    added = mine & {Pole.ALL, Pole.ONLY, Pole.MOST} - theirs
    if Pole.SOME in mine and Pole.ALL in theirs and Pole.SOME not in theirs:
        added |= {Pole.SOME}
    dropped = theirs & {Pole.SOME, Pole.MOST, Pole.ABOUT} - mine
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
        bounds = [other.bounds for other in equal if other.bounds is not None]
        if one.bounds is not None and bounds and not any(_bounds_agree(one.bounds, each) for each in bounds):
            found.append(_difference("bound", one.bounds, bounds[0]))
        if not any(_periods_agree(one.periods, other.periods) for other in equal):
            found.append(_difference("period", one.periods, equal[0].periods))
        if same_language and _belongs_elsewhere(one, equal, theirs, quotes):
            found.append(f"number: {one.quantity.text}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A number with what stands around it."""

    quantity: Quantity
    bounds: frozenset[str] | None
    """None for a number of a pair ("from 6 to 15") and for a time before something."""
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
        place = re.compile(rf"(?<!\w){re.escape(quantity.text)}").search(text, at)
        start = place.start() if place else text.find(quantity.text, at)
        at = start + len(quantity.text)
        spans.append((start, at))
    placed = []
    for number, (quantity, (start, end)) in enumerate(zip(found, spans, strict=True)):
        if _is_year(quantity) or _names_provision(text[:start], language):
            continue
        left = max(
            (stop for stop in (stop for _, stop in spans[:number]) if _apart(text[stop:start])), default=0
        )
        right = next((begin for begin, _ in spans[number + 1 :] if _apart(text[end:begin])), len(text))
        paired = any(not _apart(text[stop:start]) for _, stop in spans[:number]) or any(
            not _apart(text[end:begin]) for begin, _ in spans[number + 1 :]
        )
        before = text[max((stop for _, stop in spans[:number]), default=0) : start][-_REACH:]
        behind = text[end : min((begin for begin, _ in spans[number + 1 :]), default=len(text))][:_BEHIND]
        placed.append(
            _Placed(
                quantity=quantity,
                bounds=None
                if paired or _counts_back(behind, language)
                else _bounds(before, behind, language),
                periods=poles("period", f"{quantity.text}{behind}", language),
                stems=_stems_around(clause_borders()[0], text[left:start], text[end:right]),
                clause=_stems_around(clause_borders()[1], text[:start], text[end:]),
            )
        )
    return placed


def _is_year(quantity: Quantity) -> bool:
    return not quantity.unit and bool(_YEAR.fullmatch(quantity.text))


def _names_provision(before: str, language: str) -> bool:
    """Whether the number behind `before` is that of a section or the like, and counts nothing."""
    last = before.split()[-1:]
    return bool(last) and patterns("reference", language)["words"].fullmatch(last[0]) is not None


def _counts_back(behind: str, language: str) -> bool:
    """Whether a time is counted back from something: "at least a day before" is "no later than that"."""
    return "before" in poles("opposites.time", behind, language)


def _apart(between: str) -> bool:
    """Whether two numbers with `between` between them have neighbours of their own; "3 to 5" have not."""
    return len(between.split()) > _WORDS_TOGETHER


def _stems_around(border: re.Pattern[str], before: str, behind: str) -> tuple[str, ...]:
    """Stems of the words between the nearest borders on either side."""
    near = (*_stems_in_order(border.split(before)[-1]), *_stems_in_order(border.split(behind)[0]))
    return tuple(dict.fromkeys(near))


def _bounds(before: str, behind: str, language: str) -> frozenset[str]:
    """What bounds a number: the last bound among the few words before it, and what follows it."""
    clause = re.split(r"[.;:!?]\s|,\s", before)[-1]
    near = " ".join(clause.rstrip(" $£€").split()[-_WORDS_BEFORE:])
    found = {
        pole: max(match.end() for match in pattern.finditer(near))
        for pole, pattern in patterns("bound", language).items()
        if pattern.search(near)
    }
    lasts = bool(poles("period", " ".join(behind.split()[:1]), language))  # "over five years" is no bound
    for pole, pattern in patterns("bound_next", language).items():
        if not (lasts and pole == Pole.MORE) and any(
            " " not in near[match.end() :].strip() for match in pattern.finditer(near)
        ):
            found.setdefault(pole, len(near))
    named = {max(found, key=lambda pole: found[pole])} if found else set()
    farther = " ".join(clause.split()[-_WORDS_BEFORE - 1 :])
    denied = bool(patterns("turning_bound", language)["words"].search(farther))  # "not ... more than"
    if Pole.MORE in named and (Pole.MOST in found or denied):
        named = {Pole.MOST}
    if Pole.LESS in named and (Pole.LEAST in found or denied):
        named = {Pole.LEAST}
    for pole, pattern in patterns("bound_behind", language).items():
        if (match := pattern.search(behind)) and behind[: match.start()].count(" ") <= _WORDS_BETWEEN:
            named = {pole}
    return frozenset(named)


_UPWARDS, _DOWNWARDS = frozenset({Pole.LEAST, Pole.MORE}), frozenset({Pole.MOST, Pole.LESS})


def _bounds_agree(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Bounds of one direction are taken for the same: "from 18", "over 17", "at least 18"."""
    return mine == theirs or any(mine & way and theirs & way for way in (_UPWARDS, _DOWNWARDS))


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
    first = one.stems[0]
    if max(others, default=0) > own and not any(_held(first, other.stems) for other in equal):
        return True
    if own > 1 or any(_held(first, other.clause) for other in equal):
        return False
    elsewhere = frozenset().union(*(_stems(quote.text) for quote in quotes))
    return _held(first, elsewhere) or all(set(one.clause).isdisjoint(other.clause) for other in equal)


def _held(stem: str, stems: Iterable[str]) -> bool:
    return any(stem[:_LEAST_STEM] == other[:_LEAST_STEM] for other in stems)


def _actors_differ(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    """An actor of the claim whom no quote names, where a quote names one whom the claim does not."""
    mine = _actors(claim, language)
    theirs = frozenset().union(*(_actors(quote.text, quote.language) for quote in quotes))
    if mine - theirs and theirs - mine:
        return [_difference("actor", mine - theirs, theirs - mine)]
    return []


def _actors(text: str, language: str) -> frozenset[str]:
    return frozenset(name for name, pattern in actors(language) if pattern.search(text))


def _denies(text: str, language: str) -> bool:
    return any(skeleton(word) in word_lists(language).negations for word in _WORD.findall(text))


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stems_in_order(text))


def _stems_in_order(text: str) -> list[str]:
    """Of the words that are neither short nor there for the grammar."""
    words = (skeleton(item) for item in _WORD.findall(text))
    guarded = word_lists().guarded
    return [
        word[:_STEM]
        for word in words
        if len(word) >= _LEAST_STEM and word not in guarded and not speaks_of_documents(word)
    ]


def _difference(what: str, mine: Iterable[str], theirs: Iterable[str]) -> str:
    return f"{what}: {', '.join(sorted(mine)) or 'none'} / {', '.join(sorted(theirs)) or 'none'}"


_AXES = ("modality", "tense", "quantity", "condition")


def _poles(text: str, language: str) -> dict[str, frozenset[str]]:
    """The poles that `text` names, by group."""
    return {group: poles(group, text, language) for group in (*axes(), *_AXES)}


def _poles_of(quotes: Sequence[QuotedText]) -> dict[str, frozenset[str]]:
    each = [_poles(quote.text, quote.language) for quote in quotes]
    return {group: frozenset().union(*(one[group] for one in each)) for group in each[0]}
