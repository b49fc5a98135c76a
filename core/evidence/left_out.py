"""Whether what a quote leaves out of its sentence turns what the rest says: a denial, a condition, a question
mark, or that somebody else is said to have said it.

The words are those of `turning_words`.
"""

from collections.abc import Iterator, Sequence

from core.domain.answers import LeftOut
from core.evidence.conditions import begins_condition, cuts_amount
from core.evidence.speech import in_quotation_marks
from core.evidence.tokens import CLOSING, Token
from core.evidence.turning_words import turning_words

_NEAR_VERB = 7
"""Words between a verb of saying and the "that" that belongs to it, or what is said."""
_NEAR_OBJECT = 4
_CLAUSE_START = 4
_RIGHT_BEHIND = 2
_CLAUSE_WORDS = 14
_VERB_REACH = 30
"""Words between a verb and its particle."""


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
    return _doubts(tokens, reach) or _reports(tokens, reach)


def leads_into(tokens: Sequence[Token]) -> LeftOut | None:
    """What the lead-in of a list does to its items."""
    manner = _manner(tokens)
    done = turning_words().done_in_a_manner if manner else frozenset()
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
    words = turning_words()
    for i in reach:
        said = tokens[i].skeleton
        if _only_bounds(tokens, i):
            continue
        if (said in words.denying and said not in words.opposing) or said.startswith(words.denying_stems):
            return True
        if _phrase_at(tokens, i, words.denying_phrases) or _evaluates(tokens, i):
            return True
        if said in words.opposing and _object_kept(tokens, i):
            return True
        if any(_parted(tokens, i, *pair) for pair in words.separable):
            return True
    return False


def _manner(tokens: Sequence[Token]) -> int:
    """Words of "in the following manner" at the end of a lead-in, 0 where it ends otherwise. What a verb like
    "withdraw" is about stands in such a lead-in itself ("may withdraw the sums in the following manner"), and
    the items say how; what is forbidden or opposed in a manner stays so."""
    ends = (
        phrase
        for phrase in turning_words().manner
        if len(phrase) <= len(tokens) and _phrase_at(tokens, len(tokens) - len(phrase), (phrase,))
    )
    return max(map(len, ends), default=0)


def _evaluates(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word condemns what follows it ("it would be irresponsible to ...")."""
    words = turning_words()
    if tokens[at].skeleton not in words.evaluating:
        return False
    behind = tokens[at + 1 :]
    joined = tokens[at].ends == "," or bool(behind and behind[0].skeleton in (words.that | {"to", "for"}))
    return joined and any(token.kept for token in behind)


def _only_bounds(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word begins a bound of an amount ("but not less than 90"), apart from the quote and all
    outside it: that says more of the amount, and denies nothing of what is quoted."""
    if not _phrase_at(tokens, at, turning_words().bounds):
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
    words = turning_words()
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
    words = turning_words()
    return any(
        tokens[i].skeleton in words.limiting
        or tokens[i].skeleton.startswith(words.limiting_stems)
        or tokens[i].skeleton.endswith(words.limiting_ends)
        or _phrase_at(tokens, i, words.limiting_phrases)
        or begins_condition(tokens, i)
        or cuts_amount(tokens, i)
        for i in reach
    )


def _phrase_at(tokens: Sequence[Token], at: int, phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(
        tokens[at].skeleton == phrase[0]
        and tuple(token.skeleton for token in tokens[at : at + len(phrase)]) == phrase
        for phrase in phrases
    )


def _doubts(tokens: Sequence[Token], reach: Sequence[int]) -> LeftOut | None:
    """Half of an indirect question: "whether" in the clause whose rest is quoted, or doubt before it."""
    first = next((i for i, token in enumerate(tokens) if token.kept), 0)
    if any(i < first and tokens[i].skeleton in turning_words().doubting for i in reach):
        return LeftOut.ASKS
    for i in range(first - 1, max(first - _CLAUSE_WORDS, 0) - 1, -1):
        if tokens[i].skeleton in turning_words().doubt:
            return LeftOut.ASKS
        if tokens[i].ends in (",", ";", ":") and i < first - 1:
            return None
    return None


def _reports(tokens: Sequence[Token], reach: Sequence[int]) -> LeftOut | None:
    words = turning_words()
    said = any(
        tokens[i].skeleton in words.hearsay
        or _phrase_at(tokens, i, words.hearsay_phrases)
        or _is_reporting(tokens, i)
        for i in reach
    )
    return LeftOut.REPORTS if said or in_quotation_marks(tokens) else None


def _is_reporting(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word at `at` says of others that they say, think or want what the quote says: before it
    with "that" or a colon or close to it, behind it right after its comma. What "we" say is the source's."""
    words = turning_words()
    said = tokens[at].skeleton
    if not said.startswith(words.reporting_stems) and said not in words.so_says:
        return False
    if at and _phrase_at(tokens, at - 1, words.attributive):
        return False
    around = tokens[max(at - 2, 0) : at + 3]
    if any(token.skeleton in words.ourselves and not token.kept for token in around):
        return False
    if any(token.kept for token in tokens[at + 1 :]) or not any(token.kept for token in tokens):
        return said not in words.so_says and _introduces(tokens, at)
    last = max(i for i, token in enumerate(tokens) if token.kept)
    if said in words.so_says:
        follows = tokens[at + 1].skeleton if at + 1 < len(tokens) else ""
        return at == last + 1 and tokens[last].ends == "," and follows not in (words.that | {"wie"})
    if said not in words.speaking:
        return False
    if len(tokens) - at <= _CLAUSE_START and tokens[at - 1].ends == ",":
        return True
    return at - last <= _CLAUSE_START and (tokens[last].ends in ",?!" or tokens[last].text[-1:] in CLOSING)


def _introduces(tokens: Sequence[Token], at: int) -> bool:
    words = turning_words()
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
    """Whether the sentence asks and the quote `claimed` does not show it."""
    asks = bool(tokens) and "?" in tokens[-1].text[-3:]
    return asks and not (tokens[-1].kept and "?" in claimed[-4:])
