"""Finds where a claim contradicts the quote it is based on, from structure alone:

words that turn a statement into its opposite (`data/contrasts.toml`), and what the numbers in both count.
Poles have the same names in all languages, so claim and quote may be in different ones. Finding no
contradiction here proves nothing; a judge checks the claim next.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.evidence.contrasts import (
    Pole,
    axes,
    clause_borders,
    measures,
    mild_denials,
    patterns,
    poles,
    restricts,
    speaks_of_documents,
    without_bounds,
)
from core.evidence.guards import word_lists
from core.evidence.quantities import Quantity, quantities
from core.evidence.skeleton import skeleton
from core.language.sentences import sentences

_STEM = 5
_LEAST_STEM = 4
_REACH = 60
"""Characters before a number in which its bound is looked for."""
_BEHIND = 30
_WORDS_BEFORE = 5
_WORDS_TOGETHER = 2
_YEAR = re.compile(r"(?:19|20|21)\d\d")
_WORDS_BETWEEN = 4
"""Maximum number of words between a number and a bound after it."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedText:
    """The text of a quote and its language (ISO 639-1)."""

    text: str
    language: str


_Poles = Mapping[str, frozenset[str]]


def contradictions(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    """How `claim`, in `language`, contradicts `quotes`, as "what: claimed / quoted"; empty if no
    contradiction is found. "what" is opposite, modality, deadline, tense, quantity, condition, bound, period,
    measure, number or actor."""
    nearest = _nearest(claim, language, quotes)
    found = _poles_differ(claim, language, nearest)
    found += _numbers_differ(claim, language, quotes)
    found += _actors_differ(claim, language, nearest)
    return found


def _nearest(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[QuotedText]:
    """The clauses of each quote that the claim refers to; the whole quote if that is unclear."""
    if any(quote.language != language for quote in quotes):
        return list(quotes)
    stems, nearest = _stems(claim), []
    for quote in quotes:
        pieces = [
            QuotedText(text=part, language=quote.language)
            for start, end in sentences(quote.text, quote.language)
            for part in clause_borders()[1].split(quote.text[start:end])
        ]
        near = [len(stems & _stems(piece.text)) for piece in pieces]
        best = max(near, default=0)
        nearest += [p for p, count in zip(pieces, near, strict=True) if count >= max(1, best - 1)]
    return nearest or list(quotes)


def _poles_differ(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    said, given = _poles(claim, language), _poles_of(quotes)
    found = _opposed(claim, language, quotes, said, given)
    found += _refused(claim, language, quotes, said)
    if not _denies_modal(claim, language) and not any(_denies_modal(q.text, q.language) for q in quotes):
        # "only adults may": one must be an adult
        needed = {Pole.NEEDED} if Pole.ONLY in given["quantity"] else set()
        found += _modality_differs(said["modality"], given["modality"] | needed)
    if {said["deadline"], given["deadline"]} == _ENDS:
        found.append(_difference("deadline", said["deadline"], given["deadline"]))
    found += _tense_differs(said["tense"], given["tense"])
    if not _denies_firmly(claim, language):
        found += _quantity_differs(said["quantity"], given, quotes)
    return found + _conditions_differ(claim, language, quotes, said, given)


def _opposed(
    claim: str, language: str, quotes: Sequence[QuotedText], said: _Poles, given: _Poles
) -> list[str]:
    """The axes on which claim and quotes, or the clause nearest to the claim, say the opposite."""
    compared = set(axes())
    if Pole.ONLY in said["quantity"] ^ given["quantity"]:  # "allowed on Sundays only": otherwise forbidden
        compared.remove("opposites.permission")
    pairs = _part(claim, language, quotes, sorted(compared))
    if _denies(claim, language) == any(_denies(quote.text, quote.language) for quote in quotes):
        pairs += [(said[axis], given[axis]) for axis in sorted(compared)]
    differing = [(mine, theirs) for mine, theirs in pairs if mine and theirs and not mine & theirs]
    return [_difference("opposite", mine, theirs) for mine, theirs in differing]


def _refused(claim: str, language: str, quotes: Sequence[QuotedText], said: _Poles) -> list[str]:
    """Whether a quote refuses or denies and the claim does not."""
    refuses = _denies(claim, language) or restricts(claim) or _rejects(claim) or poles("refusing", claim, "")
    if refuses:
        return []
    if any(poles("refusing", quote.text, quote.language) for quote in quotes):
        return ["opposite: none / refused"]
    return ["opposite: none / denied"] if _one_part_denies(quotes) and not said["condition"] else []


def _conditions_differ(
    claim: str, language: str, quotes: Sequence[QuotedText], said: _Poles, given: _Poles
) -> list[str]:
    same_language = all(quote.language == language for quote in quotes)
    found = []
    if same_language and not _denies(claim, language) and not said["condition"]:
        found += ["condition: none / if" for quote in quotes if _drops_condition(claim, quote)][:1]
    regardless = poles("regardless", claim, "")
    always = "words" in regardless or (regardless and given["condition"])
    if always and not any(poles("regardless", quote.text, "") for quote in quotes):
        found.append("condition: regardless / none")
    return found


def _part(
    claim: str, language: str, quotes: Sequence[QuotedText], compared: Iterable[str]
) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The poles, on the axes `compared`, of the claim and of the clause that shares the most words with it:
    "A is cut, B is raised"."""
    stems = _stems(claim)
    parts = [(part, quote.language) for quote in quotes for part in clause_borders()[0].split(quote.text)]
    shared = [len(stems & _stems(part)) for part, _ in parts]
    best = max(shared, default=0)
    if best <= 1 or shared.count(best) > 1:
        return []
    part, written = parts[shared.index(best)]
    if _denies(without_bounds(claim), language) != _denies(without_bounds(part), written):
        return []
    return [(poles(axis, claim, language), poles(axis, part, written)) for axis in compared]


def _one_part_denies(quotes: Sequence[QuotedText]) -> bool:
    """Whether there is one quote with one clause, and it denies or forbids something."""
    text, language = quotes[0].text.strip(" ."), quotes[0].language
    if len(quotes) > 1 or len(clause_borders()[0].split(text)) > 1 or poles("condition", text, language):
        return False
    bare = without_bounds(text)
    return _denies(bare, language) != _forbids(text, language) and not _denies_twice(bare, language)


def _forbids(text: str, language: str) -> bool:
    return "forbidden" in poles("opposites.permission", text, language)


def _drops_condition(claim: str, quote: QuotedText) -> bool:
    """Whether the clause that the claim refers to has a condition of which the claim has no word and no
    number."""
    if patterns("conditioned", quote.language)["words"].search(claim):
        return False
    clauses = clause_borders()[1].split(quote.text)
    stems = _stems(claim)
    clause = max(clauses, key=lambda part: len(stems & _stems(part)))
    for match in patterns("condition", quote.language)["if"].finditer(clause):
        condition = re.split(r"[,.;:]\s", clause[match.start() :])[0]
        rest = clause.replace(condition, " ")
        counted = {value for each in quantities(condition, quote.language) for value in each.values}
        repeated = {value for each in quantities(claim) for value in each.values}
        if not stems & _stems(condition) - _stems(rest) and not counted & repeated:
            return True
    return False


def _modality_differs(mine: frozenset[str], theirs: frozenset[str]) -> list[str]:
    """Contradictions in modality: a permission or recommendation turned into a duty, a duty into a
    permission, or something under consideration into a decision."""
    firm = mine - {Pole.TENTATIVE, Pole.NEEDED, Pole.ENTITLED}
    if Pole.TENTATIVE in mine & theirs:
        return []
    other_modal = bool(theirs - {Pole.TENTATIVE, Pole.NEEDED}) and (
        (Pole.MUST in mine and not theirs & {Pole.MUST, Pole.NEEDED})
        or (firm == {Pole.MAY} and not theirs & {Pole.MAY, Pole.ENTITLED})
    )
    if other_modal or (Pole.TENTATIVE in theirs and not mine & {Pole.TENTATIVE, Pole.MAY}):
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


def _quantity_differs(mine: frozenset[str], given: _Poles, quotes: Sequence[QuotedText]) -> list[str]:
    """Contradictions in quantifiers: a claim may say less than its quote says of all; it must not say more,
    or omit that something applies to some only. "Only" may stand for any other restriction in a quote."""
    theirs = given["quantity"]
    denied = any(_denies(quote.text, quote.language) for quote in quotes)
    restricted = denied or bool(given["condition"]) or Pole.NEEDED in given["modality"]
    added = mine & ({Pole.ALL} if restricted else {Pole.ALL, Pole.ONLY}) - theirs
    added -= frozenset().union(*(poles("quantity_loosely", quote.text, quote.language) for quote in quotes))
    if Pole.ALL in theirs and not theirs & {Pole.SOME, Pole.MOST}:
        added |= mine & {Pole.MOST, Pole.SOME}
    dropped = theirs & {Pole.SOME, Pole.MOST, Pole.ABOUT} - mine
    if added or (dropped and not (theirs - dropped) & mine):
        return [_difference("quantity", mine, theirs)]
    return []


def _numbers_differ(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    """Contradictions in the bounds, periods and neighbours of the numbers that claim and quotes share."""
    mine = placed(claim, language)
    theirs = [each for quote in quotes for each in placed(quote.text, quote.language)]
    same_language = all(quote.language == language for quote in quotes)
    found = []
    for one in mine:
        equal = [other for other in theirs if one.equals(other)]
        if not equal:
            continue
        bounds = [other.bound for other in equal if other.bound is not None and other.turned == one.turned]
        bound = one.bound if len(bounds) == len(equal) else None
        if bound is not None and not any(map(bound.agrees, bounds)):
            found.append(f"bound: {bound.way or 'none'} / {bounds[0].way or 'none'}")
        if not any(_periods_agree(one.periods, other.periods) for other in equal):
            found.append(_difference("period", one.periods, equal[0].periods))
        if not any(_periods_agree(one.measures, other.measures) for other in equal):
            found.append(_difference("measure", one.measures, equal[0].measures))
        if same_language and _belongs_elsewhere(one, equal, theirs):
            found.append(f"number: {one.quantity.text}")
    return found


def _turned(text: str, language: str) -> str:
    """What in `text` may invert a bound: "no more than six" allowed, "more than six" forbidden."""
    bare = without_bounds(text)
    if _denies(bare, language) or _forbids(bare, language):
        return "denied"
    return Pole.ONLY if Pole.ONLY in poles("quantity", bare, language) else ""


@dataclass(frozen=True, slots=True)
class _Bound:
    """The direction in which a number is bounded ("": it is not), and the directions of words that may bound
    it."""

    way: str
    loosely: frozenset[str]

    def agrees(self, other: "_Bound") -> bool:
        """Whether both may mean the same."""
        if self.way and other.way:
            return self.way == other.way
        if not self.way and not other.way and self.loosely and other.loosely:
            return bool(self.loosely & other.loosely)
        return self.way in ("", *other.loosely) and other.way in ("", *self.loosely)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A number with its surroundings."""

    quantity: Quantity
    bound: "_Bound | None"
    """The number's bound; None for a number in a pair ("from 6 to 15"), a time of day or a time before
    something."""
    turned: str
    """What in its clause may invert the bound: "denied", "only" or ""."""
    periods: frozenset[str]
    measures: frozenset[str]
    stems: tuple[str, ...]
    """Stems of the words nearest to it, in order."""

    def counts_like(self, other: "Placed") -> bool:
        """Whether both have the same unit, and the same period or none."""
        return self.quantity.unit == other.quantity.unit and self.periods == other.periods

    def equals(self, other: "Placed") -> bool:
        """Whether both may be the same amount."""
        return self.quantity.unit == other.quantity.unit and bool(
            self.quantity.values & other.quantity.values
        )


def placed(text: str, language: str) -> list[Placed]:
    """The numbers of `text`, but for years and those that name a provision, in order."""
    found = quantities(text, language)
    spans = [quantity.span for quantity in found]
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
        after = text[end : min((begin for begin, _ in spans[number + 1 :]), default=len(text))][:_BEHIND]
        placed.append(
            Placed(
                quantity=quantity,
                bound=None
                if paired or _counts_otherwise(after, language)
                else _bound(before, after, language),
                turned=_turned(_around(clause_borders()[1], text[:start], text[end:]), language),
                periods=poles("period", f"{quantity.text}{after}", language),
                measures=measures(after, language),
                stems=_stems_around(clause_borders()[0], text[left:start], text[end:right]),
            )
        )
    return placed


def _is_year(quantity: Quantity) -> bool:
    return not quantity.unit and bool(_YEAR.fullmatch(quantity.text))


def _names_provision(before: str, language: str) -> bool:
    """Whether the number after `before` identifies a section or the like, and is no quantity."""
    last = before.split()[-1:]
    return bool(last) and patterns("reference", language)["words"].fullmatch(last[0]) is not None


def _counts_otherwise(after: str, language: str) -> bool:
    """Whether it is a time of day, or counts back from something: "at least a day before" means "no
    later"."""
    clock = patterns("clock", language)["words"].match(after.lstrip())
    return clock is not None or "before" in poles("opposites.time", after, language)


def _apart(between: str) -> bool:
    """Whether two numbers separated by `between` have neighbours of their own, unlike "3 to 5"."""
    return len(between.split()) > _WORDS_TOGETHER


def _stems_around(border: re.Pattern[str], before: str, after: str) -> tuple[str, ...]:
    """Stems of the words between the nearest borders on either side."""
    return tuple(dict.fromkeys(stems_in_order(_around(border, before, after))))


def _around(border: re.Pattern[str], before: str, behind: str) -> str:
    return f"{border.split(before)[-1]} {border.split(behind)[0]}"


def _bound(before: str, after: str, language: str) -> _Bound:
    """A number's bound: the last one among the few words before it, and any after it. Bounds in one direction
    count as the same: "from 18", "over 17", "at least 18"."""
    clause = re.split(r"[.;:!?]\s|,\s", before)[-1].rstrip(" $£€")
    near = " ".join(clause.split()[-_WORDS_BEFORE:])
    firm = [
        (match.end(), match.start(), pole)
        for pole, pattern in patterns("bound", language).items()
        for match in pattern.finditer(near)
        if near[match.end() :].count(" ") <= _WORDS_TOGETHER
    ]
    if not poles("period", " ".join(after.split()[:1]), language):  # "over five years" is no bound
        firm += [
            (match.end(), match.start(), pole)
            for pole, pattern in patterns("bound_next", language).items()
            for match in pattern.finditer(near)
            if not near[match.end() :].strip()
        ]
    way = ""
    if firm:
        _, start, way = max(firm)
        if patterns("turning_bound", language)["words"].search(near[:start]):
            way = _OTHER_WAY.get(way, way)
    for pole, pattern in patterns("bound_behind", language).items():
        if (match := pattern.search(after)) and after[: match.start()].count(" ") <= _WORDS_BETWEEN:
            way = pole
    return _Bound(way, poles("bound_loosely", clause, language) | poles("bound_next", near, language))


_OTHER_WAY = {"up": "down", "down": "up"}


def _periods_agree(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return not mine or not theirs or bool(mine & theirs)


def _belongs_elsewhere(one: Placed, equal: Sequence[Placed], theirs: Sequence[Placed]) -> bool:
    """Whether the words around a number of the claim surround a different number in the quotes; at least two
    words, if that number counts the same thing."""
    if not one.stems or one.bound is None or any(_held(one.stems[0], other.stems) for other in equal):
        return False
    near = set(one.stems)
    own = max(len(near.intersection(other.stems)) for other in equal)
    others = [other for other in theirs if other not in equal]
    like = max((len(near.intersection(other.stems)) for other in others if other.counts_like(one)), default=0)
    unlike = max((len(near.intersection(other.stems)) for other in others), default=0)
    return like > max(own, 1) or unlike > own + 1


def _held(stem: str, stems: Iterable[str]) -> bool:
    return any(stem[:_LEAST_STEM] == other[:_LEAST_STEM] for other in stems)


def _actors_differ(claim: str, language: str, quotes: Sequence[QuotedText]) -> list[str]:
    """An actor in the claim whom no quote names, if a quote names one whom the claim does not."""
    mine = poles("actors", claim, language)
    theirs = frozenset().union(*(poles("actors", quote.text, quote.language) for quote in quotes))
    if mine - theirs and theirs - mine:
        return [_difference("actor", mine - theirs, theirs - mine)]
    return []


def _rejects(text: str) -> bool:
    """Whether a word in `text` rejects or ends something."""
    return any(skeleton(word) in word_lists().rejections for word in _WORD.findall(text))


def _denies(text: str, language: str) -> bool:
    return bool(_denials(text, language))


def _denials(text: str, language: str) -> frozenset[str]:
    return word_lists(language).negations.intersection(map(skeleton, _WORD.findall(text)))


def _denies_firmly(text: str, language: str) -> bool:
    return bool(_denials(text, language) - mild_denials())


def _denies_twice(text: str, language: str) -> bool:
    """Whether `text` denies that something happens without another: "nobody without a ticket"."""
    denying = _denials(text, language)
    return bool(denying & mild_denials()) and bool(denying - mild_denials())


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems_in_order(text))


def stems_in_order(text: str) -> list[str]:
    """Stems of the words in order, without short and function words."""
    words = (skeleton(item) for item in _WORD.findall(text))
    guarded = word_lists().guarded
    return [
        word[:_STEM]
        for word in words
        if len(word) >= _LEAST_STEM and word not in guarded and not speaks_of_documents(word)
    ]


def _difference(what: str, mine: Iterable[str], theirs: Iterable[str]) -> str:
    return f"{what}: {', '.join(sorted(mine)) or 'none'} / {', '.join(sorted(theirs)) or 'none'}"


_AXES = ("modality", "tense", "quantity", "condition", "deadline")
_ENDS = {frozenset({"earliest"}), frozenset({"latest"})}


def _poles(text: str, language: str) -> dict[str, frozenset[str]]:
    """The poles that `text` names, by group."""
    return {group: poles(group, text, language) for group in (*axes(), *_AXES)}


def _poles_of(quotes: Sequence[QuotedText]) -> dict[str, frozenset[str]]:
    each = [_poles(quote.text, quote.language) for quote in quotes]
    return {group: frozenset().union(*(one[group] for one in each)) for group in each[0]}
