"""Whether what a quote leaves out of its sentence turns what the rest says: a denial, a condition, a question
mark, or that somebody else is said to have said it.

The words stand in `data/left_out.toml`, with their sources. All languages hold at once, as in `guards`.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from core.domain.answers import LeftOut
from core.evidence.guards import word_lists
from core.evidence.skeleton import skeleton

_CLOSING = "\"'”“»«’‘)]"
_NEAR_VERB = 7
"""Words between a verb of saying and the "that" that belongs to it, or what is said."""
_NEAR_OBJECT = 4
_CLAUSE_START = 4
_RIGHT_BEHIND = 2
_CLAUSE_WORDS = 14
_VERB_REACH = 30
"""Words between a verb and its particle."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the sentence: as written, its skeleton, and whether the quote has it."""

    text: str
    skeleton: str
    kept: bool

    @property
    def ends(self) -> str:
        """Its last character, closing marks aside."""
        return self.text.rstrip(_CLOSING)[-1:]


@dataclass(frozen=True, slots=True)
class _Words:
    """Skeletons by what their loss does. Stems begin a word, phrases are words in a row."""

    denying: frozenset[str]
    denying_stems: tuple[str, ...]
    separable: tuple[tuple[str, str], ...]
    free_particles: frozenset[str]
    joining: frozenset[str]
    opposing: frozenset[str]
    bounds: tuple[tuple[str, ...], ...]
    limiting: frozenset[str]
    limiting_stems: tuple[str, ...]
    limiting_phrases: tuple[tuple[str, ...], ...]
    hearsay: frozenset[str]
    hearsay_phrases: tuple[tuple[str, ...], ...]
    reporting_stems: tuple[str, ...]
    speaking: frozenset[str]
    so_says: frozenset[str]
    that: frozenset[str]
    doubt: frozenset[str]
    ourselves: frozenset[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    text = files("core.evidence").joinpath("data", "left_out.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text).values()

    def words(name: str) -> frozenset[str]:
        return frozenset(skeleton(word) for table in tables for word in table[name])

    def phrases(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(map(skeleton, item.split())) for table in tables for item in table[name])

    return _Words(
        denying=word_lists().negations | words("denying") | words("rejecting"),
        denying_stems=tuple(words("denying_stems") | words("rejecting_stems")),
        separable=tuple(
            (skeleton(verb), skeleton(particle)) for table in tables for verb, particle in table["separable"]
        ),
        free_particles=words("free_particles"),
        joining=words("joining"),
        opposing=words("opposing"),
        bounds=phrases("bounds"),
        limiting=words("limiting"),
        limiting_stems=tuple(words("limiting_stems")),
        limiting_phrases=phrases("limiting_phrases"),
        hearsay=words("hearsay"),
        hearsay_phrases=phrases("hearsay_phrases"),
        reporting_stems=tuple(words("reporting_stems")),
        speaking=words("speaking"),
        so_says=words("so_says"),
        that=words("that"),
        doubt=words("doubt"),
        ourselves=words("ourselves"),
    )


def turned_by(tokens: Sequence[Token]) -> LeftOut | None:
    """What the words of one sentence do that a quote of it leaves out; None if nothing of the kind.

    Before and behind the quote a semicolon ends what counts, unless what follows it begins with such a
    word. The question mark is the caller's: a claimed text may have it where the words lack it.
    """
    reach = _reach(tokens)
    if _denies(tokens, reach):
        return LeftOut.DENIES
    if _limits(tokens, reach):
        return LeftOut.LIMITS
    return _doubts(tokens) or _reports(tokens, reach)


def leads_into(tokens: Sequence[Token]) -> LeftOut | None:
    """What the lead-in of a list does to its items."""
    everything = range(len(tokens))
    if _denies(tokens, everything):
        return LeftOut.DENIES
    if _limits(tokens, everything[-_CLAUSE_WORDS // 2 :]):
        return LeftOut.LIMITS
    if any(_is_reporting(tokens, i) for i in everything):
        return LeftOut.REPORTS
    return None


def _reach(tokens: Sequence[Token]) -> list[int]:
    """Words left out that bear on the quote: those between its parts, and outside up to a semicolon."""
    kept = [i for i, token in enumerate(tokens) if token.kept]
    if not kept:
        return []
    first, last = kept[0], kept[-1]
    before = max((i + 1 for i in range(first) if tokens[i].ends == ";"), default=0)
    behind = next((i + 1 for i in range(last, len(tokens)) if tokens[i].ends == ";"), len(tokens))
    tail = [*range(last + 1, behind), *range(behind, min(behind + _CLAUSE_START, len(tokens)))]
    inside = [i for i in range(first, last) if not tokens[i].kept]
    return [*range(before, first), *inside, *tail]


def _denies(tokens: Sequence[Token], reach: Sequence[int]) -> bool:
    words = _words()
    for i in reach:
        said = tokens[i].skeleton
        if _only_bounds(tokens, i):
            continue
        if (said in words.denying and said not in words.opposing) or said.startswith(words.denying_stems):
            return True
        if said in words.opposing and _object_kept(tokens, i):
            return True
        if any(_parted(tokens, i, *pair) for pair in words.separable):
            return True
    return False


def _only_bounds(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word begins a bound of an amount ("but not less than 90"), apart from the quote and all
    outside it: that says more of the amount, and denies nothing of what is quoted."""
    if not _phrase_at(tokens, at, _words().bounds):
        return False
    beside = any(token.kept for token in tokens[max(at - 1, 0) : at + 2])
    sides = {any(token.kept for token in side) for side in (tokens[:at], tokens[at:])}
    return not beside and sides == {True, False}


def _object_kept(tokens: Sequence[Token], at: int) -> bool:
    """Whether the quote has what stands behind the preposition at `at`; in a lead-in all stands behind it."""
    if any(token.kept for token in tokens):
        return any(token.kept for token in tokens[at + 1 : at + 1 + _NEAR_OBJECT])
    return len(tokens) - at <= _NEAR_OBJECT


def _parted(tokens: Sequence[Token], at: int, verb: str, particle: str) -> bool:
    """Whether the word at `at` is one half of a separable verb and the other stands in the same sentence. A
    particle that is only a preposition ("ab 2030") is none."""
    said = tokens[at].skeleton
    if said == particle and _ends_clause(tokens, at):
        return any(
            tokens[i].skeleton.startswith(verb) for i in _nearby(tokens, range(at - 1, at - _VERB_REACH, -1))
        )
    if not said.startswith(verb):
        return False
    behind = _nearby(tokens, range(at + 1, at + _VERB_REACH))
    return any(tokens[i].skeleton == particle and _ends_clause(tokens, i) for i in behind)


def _ends_clause(tokens: Sequence[Token], at: int) -> bool:
    """Whether a particle stands where one does, not a preposition; English ones stand anywhere."""
    words = _words()
    if tokens[at].skeleton in words.free_particles or not tokens[at].text[-1:].isalnum():
        return True
    return at + 1 == len(tokens) or tokens[at + 1].skeleton in words.joining


def _nearby(tokens: Sequence[Token], places: range) -> Iterator[int]:
    """Those of `places` up to where the sentence ends."""
    for i in places:
        if not 0 <= i < len(tokens) or (places.step < 0 and tokens[i].ends in (*".!?;",)):
            return
        yield i
        if tokens[i].ends in (*".!?;",):
            return


def _limits(tokens: Sequence[Token], reach: Sequence[int]) -> bool:
    words = _words()
    return any(
        tokens[i].skeleton in words.limiting
        or tokens[i].skeleton.startswith(words.limiting_stems)
        or _phrase_at(tokens, i, words.limiting_phrases)
        for i in reach
    )


def _phrase_at(tokens: Sequence[Token], at: int, phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(
        tokens[at].skeleton == phrase[0]
        and tuple(token.skeleton for token in tokens[at : at + len(phrase)]) == phrase
        for phrase in phrases
    )


def _doubts(tokens: Sequence[Token]) -> LeftOut | None:
    """Half of an indirect question: "whether" in the clause whose rest is quoted."""
    first = next((i for i, token in enumerate(tokens) if token.kept), 0)
    for i in range(first - 1, max(first - _CLAUSE_WORDS, 0) - 1, -1):
        if tokens[i].skeleton in _words().doubt:
            return LeftOut.ASKS
        if tokens[i].ends in (",", ";", ":") and i < first - 1:
            return None
    return None


def _reports(tokens: Sequence[Token], reach: Sequence[int]) -> LeftOut | None:
    words = _words()
    said = any(
        tokens[i].skeleton in words.hearsay
        or _phrase_at(tokens, i, words.hearsay_phrases)
        or _is_reporting(tokens, i)
        for i in reach
    )
    return LeftOut.REPORTS if said else None


def _is_reporting(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word at `at` says of others that they say, think or want what the quote says: before it
    with "that" or a colon or close to it, behind it right after its comma. What "we" say is the source's."""
    words = _words()
    said = tokens[at].skeleton
    if not said.startswith(words.reporting_stems) and said not in words.so_says:
        return False
    around = tokens[max(at - 2, 0) : at + 3]
    if any(token.skeleton in words.ourselves and not token.kept for token in around):
        return False
    if any(token.kept for token in tokens[at + 1 :]) or not any(token.kept for token in tokens):
        return said not in words.so_says and _introduces(tokens, at)
    last = max(i for i, token in enumerate(tokens) if token.kept)
    if said in words.so_says:
        return at == last + 1 and tokens[last].ends == ","
    close = at - last <= _CLAUSE_START and said in words.speaking
    return close and (tokens[last].ends in ",?!" or tokens[last].text[-1:] in _CLOSING)


def _introduces(tokens: Sequence[Token], at: int) -> bool:
    words = _words()
    for i in range(at, min(at + 1 + _NEAR_VERB, len(tokens))):
        if (i > at and tokens[i].skeleton in words.that) or tokens[i].ends == ":":
            return True
        if tokens[i].kept:
            return i - at <= _RIGHT_BEHIND and tokens[at].skeleton in words.speaking
    return False


def hides_question(tokens: Sequence[Token], claimed: str) -> bool:
    """Whether the sentence asks and the quote `claimed` does not show it."""
    asks = bool(tokens) and "?" in tokens[-1].text[-3:]
    return asks and not (tokens[-1].kept and "?" in claimed[-4:])


def tokens_of(words: Iterator[tuple[str, bool, bool]]) -> list[Token]:
    """Tokens of (text, kept, rest of the word before) in order; a word cut at a line's end is one."""
    found: list[Token] = []
    for text, kept, rest in words:
        if rest and found:
            whole = found[-1].text.rstrip("-\u00ad\u2010\u2011") + text
            found[-1] = Token(whole, skeleton(whole), found[-1].kept or kept)
        else:
            found.append(Token(text, skeleton(text), kept))
    return found
