"""Whether what a quote omits from its sentence changes what the rest says: a denial, a condition, a question
mark, or an attribution to somebody else.

The words, with their sources, are in `data/left_out.toml`. All languages apply at once, as in `guards`.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from core.domain.answers import LeftOut
from core.evidence.guards import word_lists
from core.evidence.skeleton import skeleton
from core.evidence.text import CLOSING, Token, in_quotation_marks

_NEAR_VERB = 7
"""Maximum words between a verb of saying and its "that", or what is said."""
_NEAR_OBJECT = 4
_CLAUSE_START = 4
_RIGHT_BEHIND = 2
_CLAUSE_WORDS = 14
_VERB_REACH = 30
"""Maximum words between a verb and its particle."""


@dataclass(frozen=True, slots=True)
class TurningWords:
    """Skeletons grouped by the effect of omitting them. Stems begin a word, phrases are sequences of
    words."""

    denying: frozenset[str]
    denying_stems: tuple[str, ...]
    denying_phrases: tuple[tuple[str, ...], ...]
    evaluating: frozenset[str]
    separable: tuple[tuple[str, str], ...]
    free_particles: frozenset[str]
    joining: frozenset[str]
    opposing: frozenset[str]
    bounds: tuple[tuple[str, ...], ...]
    limiting: frozenset[str]
    limiting_stems: tuple[str, ...]
    limiting_ends: tuple[str, ...]
    limiting_phrases: tuple[tuple[str, ...], ...]
    hearsay: frozenset[str]
    hearsay_phrases: tuple[tuple[str, ...], ...]
    reporting_stems: tuple[str, ...]
    speaking: frozenset[str]
    so_says: frozenset[str]
    attributive: tuple[tuple[str, ...], ...]
    manner: tuple[tuple[str, ...], ...]
    done_in_a_manner: frozenset[str]
    that: frozenset[str]
    doubt: frozenset[str]
    doubting: frozenset[str]
    subjunctive: frozenset[str]
    inverting: frozenset[str]
    inverting_anywhere: frozenset[str]
    inverting_behind: frozenset[str]
    inverting_in_clauses: frozenset[str]
    first_not_verbs: frozenset[str]
    subjects: frozenset[str]
    subjects_of_any: frozenset[str]
    amounts_before: frozenset[str]
    bounds_before: tuple[tuple[str, ...], ...]
    comparing: frozenset[str]
    units_behind: frozenset[str]
    ourselves: frozenset[str]


@lru_cache(maxsize=1)
def _turning_words() -> TurningWords:
    """The lists of all languages together."""
    text = files("core.evidence").joinpath("data", "left_out.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text).values()

    def words(name: str) -> frozenset[str]:
        return frozenset(skeleton(word) for table in tables for word in table[name])

    def phrases(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(map(skeleton, item.split())) for table in tables for item in table[name])

    return TurningWords(
        denying=word_lists().negations | words("denying") | words("rejecting"),
        denying_stems=tuple(words("denying_stems") | words("rejecting_stems")),
        denying_phrases=phrases("denying_phrases"),
        evaluating=words("evaluating"),
        separable=tuple(
            (skeleton(verb), skeleton(particle)) for table in tables for verb, particle in table["separable"]
        ),
        free_particles=words("free_particles"),
        joining=words("joining"),
        opposing=words("opposing"),
        bounds=phrases("bounds"),
        limiting=words("limiting"),
        limiting_stems=tuple(words("limiting_stems")),
        limiting_ends=tuple(words("limiting_ends")),
        limiting_phrases=phrases("limiting_phrases"),
        hearsay=words("hearsay"),
        hearsay_phrases=phrases("hearsay_phrases"),
        reporting_stems=tuple(words("reporting_stems")),
        speaking=words("speaking"),
        so_says=words("so_says"),
        attributive=phrases("attributive"),
        manner=phrases("manner"),
        done_in_a_manner=words("done_in_a_manner"),
        that=words("that"),
        doubt=words("doubt"),
        doubting=words("doubting"),
        subjunctive=words("subjunctive"),
        inverting=words("inverting"),
        inverting_anywhere=words("inverting_anywhere"),
        inverting_behind=words("inverting_behind"),
        inverting_in_clauses=words("inverting_in_clauses"),
        first_not_verbs=words("first_not_verbs"),
        subjects=words("subjects") | words("subjects_of_any"),
        subjects_of_any=words("subjects_of_any"),
        amounts_before=words("amounts_before"),
        bounds_before=phrases("bounds_before"),
        comparing=words("comparing"),
        units_behind=words("units_behind"),
        ourselves=words("ourselves"),
    )


def turned_by(tokens: Sequence[Token]) -> LeftOut | None:
    """The effect of the words that a quote omits from its sentence; None if there is none.

    Before and after the quote only words up to a semicolon count, unless the text beyond it begins with such
    a word. The caller handles the question mark: a claimed text may have it although the words lack it.
    """
    reach = _reach(tokens)
    if _denies(tokens, reach):
        return LeftOut.DENIES
    if _limits(tokens, reach):
        return LeftOut.LIMITS
    return _doubts(tokens, reach) or _reports(tokens, reach)


def leads_into(tokens: Sequence[Token]) -> LeftOut | None:
    """The effect of a list's lead-in on its items."""
    manner = _manner(tokens)
    done = _turning_words().done_in_a_manner if manner else frozenset()
    tokens = tokens[: len(tokens) - manner]
    everything = range(len(tokens))
    if _denies(tokens, [i for i in everything if tokens[i].skeleton not in done]):
        return LeftOut.DENIES
    if _limits(tokens, everything[-_CLAUSE_WORDS // 2 :]):
        return LeftOut.LIMITS
    if any(_is_reporting(tokens, i) for i in everything):
        return LeftOut.REPORTS
    return None


def _reach(tokens: Sequence[Token]) -> list[int]:
    """The omitted words that bear on the quote: those between its parts, and those around it up to a
    semicolon."""
    kept = [i for i, token in enumerate(tokens) if token.kept]
    if not kept:
        return []
    first, last = kept[0], kept[-1]
    before = max((i + 1 for i in range(first) if tokens[i].ends == ";"), default=0)
    after = next((i + 1 for i in range(last, len(tokens)) if tokens[i].ends == ";"), len(tokens))
    tail = [*range(last + 1, after), *range(after, min(after + _CLAUSE_START, len(tokens)))]
    inside = [i for i in range(first, last) if not tokens[i].kept]
    return [*range(before, first), *inside, *tail]


def _denies(tokens: Sequence[Token], reach: Sequence[int]) -> bool:
    words = _turning_words()
    for i in reach:
        word = tokens[i].skeleton
        if _only_bounds(tokens, i):
            continue
        if (word in words.denying and word not in words.opposing) or word.startswith(words.denying_stems):
            return True
        if _phrase_at(tokens, i, words.denying_phrases) or _evaluates(tokens, i):
            return True
        if word in words.opposing and _object_kept(tokens, i):
            return True
        if any(_parted(tokens, i, *pair) for pair in words.separable):
            return True
    return False


def _manner(tokens: Sequence[Token]) -> int:
    """Number of words in "in the following manner" at the end of a lead-in, 0 if it ends otherwise. The
    object of a verb like "withdraw" is in such a lead-in itself ("may withdraw the sums in the following
    manner"), and the items say how; something forbidden or opposed remains so."""
    ends = (
        phrase
        for phrase in _turning_words().manner
        if len(phrase) <= len(tokens) and _phrase_at(tokens, len(tokens) - len(phrase), (phrase,))
    )
    return max(map(len, ends), default=0)


def _evaluates(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word condemns what follows it ("it would be irresponsible to ...")."""
    words = _turning_words()
    if tokens[at].skeleton not in words.evaluating:
        return False
    after = tokens[at + 1 :]
    joined = tokens[at].ends == "," or bool(after and after[0].skeleton in (words.that | {"to", "for"}))
    return joined and any(token.kept for token in after)


def _only_bounds(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word begins a bound of an amount ("but not less than 90"), separate from the quote and
    entirely outside it: that qualifies the amount and denies nothing in the quote."""
    if not _phrase_at(tokens, at, _turning_words().bounds):
        return False
    beside = any(token.kept for token in tokens[max(at - 1, 0) : at + 2])
    sides = {any(token.kept for token in side) for side in (tokens[:at], tokens[at:])}
    return not beside and sides == {True, False}


def _object_kept(tokens: Sequence[Token], at: int) -> bool:
    """Whether the quote has what follows the preposition at `at`; in a lead-in everything does."""
    if any(token.kept for token in tokens):
        return any(token.kept for token in tokens[at + 1 : at + 1 + _NEAR_OBJECT])
    return len(tokens) - at <= _NEAR_OBJECT


def _parted(tokens: Sequence[Token], at: int, verb: str, particle: str) -> bool:
    """Whether the word at `at` is half of a separable verb whose other half is in the same sentence. A
    particle that is just a preposition ("ab 2030") does not count."""
    word = tokens[at].skeleton
    if word == particle and _ends_clause(tokens, at):
        return any(
            tokens[i].skeleton.startswith(verb) for i in _nearby(tokens, range(at - 1, at - _VERB_REACH, -1))
        )
    if not word.startswith(verb):
        return False
    after = _nearby(tokens, range(at + 1, at + _VERB_REACH))
    return any(tokens[i].skeleton == particle and _ends_clause(tokens, i) for i in after)


def _ends_clause(tokens: Sequence[Token], at: int) -> bool:
    """Whether a particle is in a particle's position rather than a preposition's; English ones can be
    anywhere."""
    words = _turning_words()
    if tokens[at].skeleton in words.free_particles or not tokens[at].text[-1:].isalnum():
        return True
    return at + 1 == len(tokens) or tokens[at + 1].skeleton in words.joining


def _nearby(tokens: Sequence[Token], places: range) -> Iterator[int]:
    """Those of `places` up to the end of the sentence."""
    for i in places:
        if not 0 <= i < len(tokens) or (places.step < 0 and tokens[i].ends in (*".!?;",)):
            return
        yield i
        if tokens[i].ends in (*".!?;",):
            return


def _limits(tokens: Sequence[Token], reach: Sequence[int]) -> bool:
    words = _turning_words()
    return any(
        tokens[i].skeleton in words.limiting
        or tokens[i].skeleton.startswith(words.limiting_stems)
        or tokens[i].skeleton.endswith(words.limiting_ends)
        or _phrase_at(tokens, i, words.limiting_phrases)
        or _begins_condition(tokens, i)
        or _cuts_amount(tokens, i)
        for i in reach
    )


def _phrase_at(tokens: Sequence[Token], at: int, phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(
        tokens[at].skeleton == phrase[0]
        and tuple(token.skeleton for token in tokens[at : at + len(phrase)]) == phrase
        for phrase in phrases
    )


def _doubts(tokens: Sequence[Token], reach: Sequence[int]) -> LeftOut | None:
    """The effect of omitting half of an indirect question: "whether" in the clause whose rest is quoted, or
    doubt before it."""
    first = next((i for i, token in enumerate(tokens) if token.kept), 0)
    if any(i < first and tokens[i].skeleton in _turning_words().doubting for i in reach):
        return LeftOut.ASKS
    for i in range(first - 1, max(first - _CLAUSE_WORDS, 0) - 1, -1):
        if tokens[i].skeleton in _turning_words().doubt:
            return LeftOut.ASKS
        if tokens[i].ends in (",", ";", ":") and i < first - 1:
            return None
    return None


def _reports(tokens: Sequence[Token], reach: Sequence[int]) -> LeftOut | None:
    words = _turning_words()
    said = any(
        tokens[i].skeleton in words.hearsay
        or _phrase_at(tokens, i, words.hearsay_phrases)
        or _is_reporting(tokens, i)
        for i in reach
    )
    return LeftOut.REPORTS if said or in_quotation_marks(tokens) else None


def _is_reporting(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word at `at` attributes the quote to others, who say, think or want it: before the quote
    with "that" or a colon or close to it, after it directly behind its comma. What "we" say is the
    source's."""
    words = _turning_words()
    word = tokens[at].skeleton
    if not word.startswith(words.reporting_stems) and word not in words.so_says:
        return False
    if at and _phrase_at(tokens, at - 1, words.attributive):
        return False
    around = tokens[max(at - 2, 0) : at + 3]
    if any(token.skeleton in words.ourselves and not token.kept for token in around):
        return False
    if any(token.kept for token in tokens[at + 1 :]) or not any(token.kept for token in tokens):
        return word not in words.so_says and _introduces(tokens, at)
    last = max(i for i, token in enumerate(tokens) if token.kept)
    if word in words.so_says:
        follows = tokens[at + 1].skeleton if at + 1 < len(tokens) else ""
        return at == last + 1 and tokens[last].ends == "," and follows not in (words.that | {"wie"})
    if word not in words.speaking:
        return False
    if len(tokens) - at <= _CLAUSE_START and tokens[at - 1].ends == ",":
        return True
    return at - last <= _CLAUSE_START and (tokens[last].ends in ",?!" or tokens[last].text[-1:] in CLOSING)


def _introduces(tokens: Sequence[Token], at: int) -> bool:
    words = _turning_words()
    for i in range(at, min(at + 1 + _NEAR_VERB, len(tokens))):
        if (i > at and tokens[i].skeleton in words.that) or tokens[i].ends == ":":
            return True
        if tokens[i].kept:
            close = i - at <= _RIGHT_BEHIND and tokens[at].skeleton in words.speaking
            return close or any(
                t.kept and t.skeleton in words.subjunctive for t in tokens[i : i + _NEAR_VERB]
            )
    return False


def hides_question(tokens: Sequence[Token], claimed: str) -> bool:
    """Whether the sentence is a question and the quote `claimed` does not show that."""
    asks = bool(tokens) and "?" in tokens[-1].text[-3:]
    return asks and not (tokens[-1].kept and "?" in claimed[-4:])


# Conditions without a conjunction, and amounts separated from their parts.
#
# A verb that comes first makes a clause a condition ("Steigt der Preis, ...", "Should the owner fail, ..."):
# Duden, Die Grammatik, 9th edition 2016, Verberstsatz; Quirk et al. 1985, 15.36.

_VERB_END = re.compile(r".{2,}(?:t|te|ten|en|ern|eln)")
_PARTING = ",:;–—"
_NEAR_NUMBER = 2
"""Maximum words within a phrase such as "100 thalers less"."""
_NUMBER = re.compile(r"\d")


def _begins_condition(tokens: Sequence[Token], at: int) -> bool:
    """Whether the verb at `at` begins a conditional clause that the rest depends on."""
    words = _turning_words()
    if "?" in tokens[-1].text[-3:] or at + 1 >= len(tokens):
        return False
    word, opens = tokens[at].skeleton, not at or tokens[at - 1].ends in tuple(_PARTING)
    subject = tokens[at + 1].skeleton in words.subjects
    if word in words.inverting_anywhere and subject:
        return True
    if not opens:
        return False
    if word in words.inverting_behind and subject and not any(token.kept for token in tokens[at:]):
        return True
    if at and tokens[at - 1].ends == ",":
        return word in words.inverting_in_clauses and subject and _goes_on(tokens, at)
    if word in words.inverting:
        return (subject or tokens[at + 1].text[:1].isupper()) and _goes_on(tokens, at)
    return _is_verb(tokens[at]) and _has_subject(tokens[at + 1]) and _goes_on(tokens, at)


def _is_verb(token: Token) -> bool:
    """Whether the word may be a German verb that begins a sentence."""
    word = token.skeleton
    begins = token.text.lstrip("„“\"'»(")[:1].isupper() and token.text[-1:].isalpha()
    return begins and word not in _turning_words().first_not_verbs and bool(_VERB_END.fullmatch(word))


def _has_subject(behind: Token) -> bool:
    """Whether the word after such a verb begins a subject; "Sie" makes it a request."""
    return behind.skeleton in _turning_words().subjects_of_any and behind.text != "Sie"


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Whether the clause ends with a comma and the sentence continues with what is kept, perhaps
    partially."""
    comma = next((i for i in range(at + 1, len(tokens)) if tokens[i].ends == ","), None)
    return comma is not None and any(token.kept for token in tokens[comma + 1 :])


def _cuts_amount(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word at `at` belongs to an amount of which the quote has only a part: "up to" before it, or
    "million" after it."""
    words = _turning_words()
    word, before = tokens[at].skeleton, tokens[max(at - 1, 0)]
    pair = (before.skeleton, word)
    if (word in words.amounts_before or pair in words.bounds_before) and at + 1 < len(tokens):
        return tokens[at + 1].kept and _counts(tokens[at + 1])
    if not at or not before.kept:
        return False
    if word in words.comparing:
        return any(token.kept and _counts(token) for token in tokens[max(at - _NEAR_NUMBER, 0) : at])
    return word in words.units_behind and _counts(before)


def _counts(token: Token) -> bool:
    """Whether the word is a number or goes with one."""
    return bool(_NUMBER.search(token.text)) or token.skeleton in _turning_words().units_behind
