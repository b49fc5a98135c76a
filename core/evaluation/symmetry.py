"""Measures neutrality: the same question about another party is handled the same way. Pure.

A party's own texts decide how many quotes there are and what they say. The following must not depend on the
party: how the question is understood, where it searches, how many quotes it may show, and the order of
parties named together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.domain.scope import Scope
from core.evaluation.metrics import Observed, Rate


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
