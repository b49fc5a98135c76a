"""Question sets and metrics; every rate includes the number of questions behind it. Pure.

Neutrality is measured, too: the same question about another party is handled the same way. A party's own
texts decide how many quotes there are and what they say; how the question is understood, where it searches,
how many quotes it may show, and the order of parties named together must not depend on the party.
"""

import json
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.domain.scope import Scope
from core.errors import Refused
from core.evidence.skeleton import skeleton


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The place of an answer: base name of the file, 1-based PDF page, the words."""

    file: str
    page: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetQuestion:
    """A question of a set. `all_needed`: every gold page has to be found, not any."""

    id: str
    corpus: str
    language: str
    jurisdiction: str | None
    party: str | None
    question: str
    answerable: bool
    gold: tuple[Gold, ...]
    all_needed: bool
    kind: str


def read_questions(text: str) -> list[SetQuestion]:
    """The questions of a set in JSON Lines. Raises Refused("questions.invalid") naming the line."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            found.append(_read(line, number))
    if not found:
        raise Refused("questions.invalid", "the question set holds no question")
    return found


def _read(line: str, number: int) -> SetQuestion:
    try:
        row = json.loads(line)
        gold = tuple(
            Gold(file=str(item["file"]), page=int(item["page"]), quote=str(item.get("quote", "")))
            for item in row.get("gold", [])
        )
        return SetQuestion(
            id=str(row["id"]),
            corpus=str(row.get("corpus", "")),
            language=str(row["language"]),
            jurisdiction=row.get("jurisdiction"),
            party=row.get("party"),
            question=str(row["question"]),
            answerable=_decided(row["answerable"]),
            gold=gold,
            all_needed=row.get("gold_mode", "any") == "all",
            kind=str(row.get("kind", "")),
        )
    except (json.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        detail = f"line {number} is no question: {error!r}"
        raise Refused("questions.invalid", detail, line=number) from error


def _decided(value: object) -> bool:
    """The judgement, true or false; a row that nobody has judged yet cannot be measured."""
    if not isinstance(value, bool):
        raise ValueError("answerable must be true or false")
    return value


Place = tuple[str, int]
"""Base name of a file and 1-based PDF page."""
SHARED = 0.5
"""Minimum share of the shorter text's letters that both texts have in one unbroken run."""

HELD = 0.6
"""Minimum share of one quote's words that the other must have for both to contain the same answer."""
HELD_WORDS = 4
"""Minimum words that two quotes must share to contain the same answer, whatever the proportion; all words of
a shorter gold quote."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `of` questions."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """Share, 0 to 1; 0 if there are no questions."""
        return self.hits / self.of if self.of else 0.0

    def interval(self, z: float = 1.96) -> tuple[float, float]:
        """95 % interval (Wilson, J. Am. Stat. Assoc. 22, 1927)."""
        if not self.of:
            return 0.0, 1.0
        n, p = self.of, self.value
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Language model usage for an answer. `usd` is None if a price is unknown."""

    prompt_tokens: int
    completion_tokens: int
    usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What a system did with a question.

    `hits`: places of the ranked hits (a hit over two pages has two); `citations`: places of the citations in
    order, `quotes` their words; `claims`: sentences shown, `labelled` those of them whose labels all belong
    to citations shown; `places`: jurisdictions of all hits and citations, `allowed` those that the scope
    permits (None: all). `outcome` is the answer's; `usage` is None if no model was called, `drafted`: one was
    asked to write, `fell_back`: its text is not shown. `cited_parties` are quoted, `named_parties` only named
    as having something on the topic as well; none for a question that names a party.
    """

    question: SetQuestion
    hits: tuple[tuple[Place, ...], ...]
    citations: tuple[tuple[Place, ...], ...]
    quotes: tuple[str, ...]
    exact_quotes: int
    highlights: int
    claims: int
    labelled: int
    outcome: str
    silent: bool
    confidence: float
    places: frozenset[str]
    allowed: frozenset[str] | None
    seconds: float
    usage: Usage | None = None
    drafted: bool = False
    fell_back: bool = False
    cited_parties: frozenset[str] = frozenset()
    named_parties: frozenset[str] = frozenset()


def first_rank(question: SetQuestion, ranked: Sequence[Sequence[Place]]) -> int | None:
    """1-based rank of the first entry on a gold page; if all gold pages are needed, the rank at which the
    last of them appears; None if that never happens."""
    wanted = {(gold.file, gold.page) for gold in question.gold}
    left = set(wanted)
    for rank, places in enumerate(ranked, start=1):
        left -= set(places)
        if len(left) < len(wanted) and (not question.all_needed or not left):
            return rank
    return None


def hit_at(observed: Iterable[Observed], k: int) -> Rate:
    """Answerable questions with a gold page among the first `k` hits."""
    return _rate(first_rank(item.question, item.hits[:k]) is not None for item in answerable(observed))


def mean_reciprocal_rank(observed: Iterable[Observed]) -> float:
    """Mean of 1/rank of the first gold page among the hits, 0 if there is none."""
    ranks = [first_rank(item.question, item.hits) for item in answerable(observed)]
    return sum(1 / rank for rank in ranks if rank) / len(ranks) if ranks else 0.0


def cited_at(observed: Iterable[Observed], k: int) -> Rate:
    """Answerable questions with a citation on a gold page among the first `k` citations."""
    return _rate(first_rank(item.question, item.citations[:k]) is not None for item in answerable(observed))


def quotes_exact(observed: Iterable[Observed]) -> Rate:
    """Citations whose quote is the source's own text on the page named."""
    items = list(observed)
    return Rate(sum(item.exact_quotes for item in items), sum(len(item.citations) for item in items))


def highlights_checked(observed: Iterable[Observed]) -> Rate:
    """Citations whose highlights were read back and match the quote."""
    items = list(observed)
    return Rate(sum(item.highlights for item in items), sum(len(item.citations) for item in items))


def citation_precision(observed: Iterable[Observed], *, words: bool = False) -> Rate:
    """Citations shown that are on a gold page (with `words`: and contain a gold quote's words). Any citation
    for a question without an answer is wrong."""
    pairs = [(item.question, *cited) for item in observed for cited in _cited(item)]
    return _rate(
        any(_meets(gold, places, quote, words) for gold in question.gold) for question, places, quote in pairs
    )


def citation_recall(observed: Iterable[Observed], *, words: bool = False) -> Rate:
    """Gold places that were cited (with `words`: by their words). If any gold place suffices, a question
    counts as one place."""
    found: list[bool] = []
    for item in answerable(observed):
        met = [any(_meets(gold, *cited, words) for cited in _cited(item)) for gold in item.question.gold]
        found += met if item.question.all_needed else [any(met)]
    return _rate(found)


def quote_rank(item: Observed) -> int | None:
    """1-based rank of the first quote shown that contains the answer; None if none does."""
    cited = enumerate(_cited(item), start=1)
    return next((rank for rank, (places, quote) in cited if holds_answer(item.question, places, quote)), None)


def quote_right(observed: Iterable[Observed], k: int) -> Rate:
    """Answerable questions for which one of the first `k` quotes shown contains the answer."""
    return _rate((quote_rank(item) or k + 1) <= k for item in answerable(observed))


def quote_share(observed: Iterable[Observed]) -> Rate:
    """Quotes shown for answerable questions that contain the answer."""
    return _rate(
        holds_answer(item.question, places, quote)
        for item in answerable(observed)
        for places, quote in _cited(item)
    )


def holds_answer(question: SetQuestion, places: Sequence[Place], quote: str) -> bool:
    """Whether a quote shown at `places` contains one of the question's gold quotes, on its page."""
    return any((gold.file, gold.page) in places and holds(quote, gold.quote) for gold in question.gold)


def grouped(observed: Iterable[Observed], by: str) -> dict[str, list[Observed]]:
    """The questions by their `kind`, `language` or `corpus`, in the order of the names."""
    groups: dict[str, list[Observed]] = {}
    for item in observed:
        groups.setdefault(str(getattr(item.question, by)), []).append(item)
    return dict(sorted(groups.items()))


def answered_rightly(observed: Iterable[Observed]) -> Rate:
    """Answers shown that cite a gold page (all of them if all are needed)."""
    return _rate(first_rank(item.question, item.citations) is not None for item in observed if item.citations)


def labels_known(observed: Iterable[Observed]) -> Rate:
    """Sentences shown whose labels all belong to citations shown with them."""
    items = list(observed)
    return Rate(sum(item.labelled for item in items), sum(item.claims for item in items))


def fallbacks(observed: Iterable[Observed]) -> Rate:
    """Questions that a model was asked to answer without its answer being good enough to show."""
    return _rate(item.fell_back for item in observed if item.drafted or item.fell_back)


def outcomes(observed: Iterable[Observed]) -> dict[str, int]:
    """The number of questions per outcome."""
    return dict(Counter(item.outcome for item in observed))


def usage(observed: Iterable[Observed]) -> Usage:
    """The sum over all questions; its price is None if any price is unknown."""
    every = [item.usage for item in observed if item.usage is not None]
    prices = [each.usd for each in every if each.usd is not None]
    return Usage(
        prompt_tokens=sum(each.prompt_tokens for each in every),
        completion_tokens=sum(each.completion_tokens for each in every),
        usd=sum(prices) if len(prices) == len(every) else None,
    )


def silent_rightly(observed: Iterable[Observed]) -> Rate:
    """Unanswerable questions met with silence or "no source"."""
    return _rate(item.silent for item in observed if not item.question.answerable)


def silent_wrongly(observed: Iterable[Observed]) -> Rate:
    """Answerable questions met with silence."""
    return _rate(item.silent for item in answerable(observed))


def abstention_precision(observed: Iterable[Observed]) -> Rate:
    """Silences that were right, among all silences."""
    return _rate(not item.question.answerable for item in observed if item.silent)


def scope_violations(observed: Iterable[Observed]) -> Rate:
    """Questions with a hit or citation from a place outside their scope."""
    return _rate(bool(item.allowed is not None and item.places - item.allowed) for item in observed)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of `values` lie (nearest rank); 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def answerable(observed: Iterable[Observed]) -> list[Observed]:
    """The observations whose question has an answer."""
    return [item for item in observed if item.question.answerable]


def _cited(item: Observed) -> list[tuple[tuple[Place, ...], str]]:
    return list(zip(item.citations, item.quotes, strict=True))


def _meets(gold: Gold, places: Sequence[Place], quote: str, words: bool) -> bool:
    return (gold.file, gold.page) in places and (not words or overlaps(quote, gold.quote))


def _rate(outcomes: Iterable[bool]) -> Rate:
    values = list(outcomes)
    return Rate(sum(values), len(values))


def holds(shown: str, wanted: str) -> bool:
    """Whether the quote `shown` contains the answer in the gold quote `wanted`: one has at least 60 % of the
    other's words, and they share at least 4 words."""
    one, other = _words(shown), _words(wanted)
    shorter = min(one.total(), other.total())
    least = min(HELD_WORDS, other.total())
    return bool(other) and (one & other).total() >= max(HELD * shorter, least)


def _words(text: str) -> Counter[str]:
    return Counter(word for word in map(skeleton, text.split()) if word)


def overlaps(shown: str, wanted: str, least: float = SHARED) -> bool:
    """Whether `shown` and `wanted` are largely the same stretch of a document: they share an unbroken run of
    at least half (or `least`) of the shorter one's letters and digits."""
    return runs_through(letters(shown), letters(wanted), least)


def runs_through(one: str, other: str, least: float) -> bool:
    """Like `overlaps`, for two results of `letters`."""
    short, long = sorted((one, other), key=len)
    run = math.ceil(least * len(short))
    return bool(short) and any(short[at : at + run] in long for at in range(len(short) - run + 1))


def letters(text: str) -> str:
    """The letters and digits of a text, ignoring case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a question was understood, without the party's name. `scope` has no parties in it, `parties` is
    their number; `language` is that of our own wording."""

    kind: str
    language: str
    parties: int
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetryTurn:
    """A question asked about one party. `sentences` is the number shown; without a model each is one quote,
    with one each has at least one quote."""

    party: str
    question: str
    form: Form
    outcome: str
    sentences: int
    quotes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """A question about two parties, asked in both orders. `way` is "ask" or "compare"; `equal`: the
    same rows in the same order with the same quotes and labels."""

    way: str
    question: str
    equal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetryRound:
    """A question of a set about every party: `turns` begin with the question as it was written. `quota`
    is how many sentences an answer may show, whoever it is about."""

    id: str
    quota: int
    turns: tuple[SymmetryTurn, ...]
    ordered: tuple[Ordered, ...]

    @property
    def swapped(self) -> tuple[SymmetryTurn, ...]:
        """The turns about the other parties."""
        return self.turns[1:]

    def departures(self) -> list[SymmetryTurn]:
        """The swapped turns that were understood differently from the question as written."""
        return [turn for turn in self.swapped if turn.form != self.turns[0].form]


def same_form(rounds: Iterable[SymmetryRound]) -> Rate:
    """Swapped questions that were understood like the question as written."""
    found = list(rounds)
    asked = sum(len(each.swapped) for each in found)
    return Rate(asked - sum(len(each.departures()) for each in found), asked)


def within_quota(rounds: Iterable[SymmetryRound]) -> Rate:
    """Questions, swapped or not, that showed no more than the quota."""
    held = [turn.sentences <= each.quota for each in rounds for turn in each.turns]
    return Rate(sum(held), len(held))


def same_order(rounds: Iterable[SymmetryRound], way: str) -> Rate:
    """Pairs of parties whose answer does not depend on who is named first."""
    held = [pair.equal for each in rounds for pair in each.ordered if pair.way == way]
    return Rate(sum(held), len(held))


def same_outcome(rounds: Iterable[SymmetryRound]) -> Rate:
    """Swapped questions with the same outcome as the question as written. This depends on the parties' texts,
    so there is no target; a large difference between parties is worth a look."""
    held = [turn.outcome == each.turns[0].outcome for each in rounds for turn in each.swapped]
    return Rate(sum(held), len(held))


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A party's totals over all rounds: questions asked about it, answered, and quotes shown."""

    party: str
    asked: int
    answered: int
    quotes: int


def shares(rounds: Iterable[SymmetryRound]) -> list[Share]:
    """Every party's share, by name."""
    turns = [turn for each in rounds for turn in each.turns]
    return [
        Share(
            party=name,
            asked=len(own),
            answered=sum(turn.quotes > 0 for turn in own),
            quotes=sum(turn.quotes for turn in own),
        )
        for name in sorted({turn.party for turn in turns})
        if (own := [turn for turn in turns if turn.party == name])
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """How often a party was chosen by questions that name none: quoted, or only named as having something on
    the topic as well. `passages` counts those of its documents, `share` is their share of all parties'."""

    party: str
    cited: int
    named: int
    passages: int
    share: float


def of_any_party(observed: Iterable[Observed]) -> list[Observed]:
    """The questions that name no party and are answered from parties' documents."""
    return [each for each in observed if each.cited_parties]


def chosen(observed: Iterable[Observed], passages: Mapping[str, int]) -> list[Chosen]:
    """Every party with passages, by name."""
    open_to_all, all_passages = of_any_party(observed), sum(passages.values())
    return [
        Chosen(
            party=name,
            cited=sum(name in each.cited_parties for each in open_to_all),
            named=sum(name in each.named_parties for each in open_to_all),
            passages=count,
            share=count / all_passages if all_passages else 0.0,
        )
        for name, count in sorted(passages.items())
    ]
