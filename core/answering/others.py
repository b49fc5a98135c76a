"""Which parties other than those quoted have something on a question's topic, and whether an earlier edition
has. Only a few quotes are shown, from those found first, which depends on the length and wording of
programmes. Who else mentions the topic is looked up in every party's documents separately, so that it does
not depend on that; what a party says about it is not reported (decision 0030).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from core.domain.answers import NAMES_BETWEEN, Answer, Notice
from core.domain.documents import POLITICAL_TYPES, Edition
from core.domain.passages import Passage
from core.domain.registry import Registry
from core.domain.search import QuestionKind
from core.language.terms import held, terms
from core.ports.library import Library
from core.search.editions import years_of
from core.search.plan import SearchPlan, SearchResult
from core.search.searcher import Searcher

_MOST = 2 / 3
"""Minimum share of a topic's words named in a passage about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """Where else passages name the topic: parties that are not quoted, in registry order (`told`, if the
    question asks nobody in particular); those of them to ask next, one for each programme valid where the
    first quote is, in turn; the year of the edition before that quote's."""

    told: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    earlier: int | None = None

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The parties mentioned as having something on it as well."""
        values = {"name": NAMES_BETWEEN.join(self.told)}
        return (Notice(key="notice.others_too", values=values),) if self.told else ()


async def others_on(
    answer: Answer, result: SearchResult, searcher: Searcher, library: Library, today: date, *, on: bool
) -> Others:
    """Empty if no party is quoted or sides are compared; if somebody in particular is asked, only the
    follow-ups, with `on`."""
    quoted, plan, topic = quoted_parties(answer), result.plan, result.subject.terms
    nobody = _asks_nobody(plan)
    if not (topic and answer.citations) or not (nobody or (on and _asks_one(plan))):
        return Others()
    spoken: dict[tuple[str, ...], list[Edition]] = defaultdict(list)
    if quoted:
        place = answer.citations[0].edition.document.fields.jurisdiction
        for edition in result.searched if nobody else result.reach:
            same_place = nobody or edition.document.fields.jurisdiction == place
            whose = speaking(edition)
            if same_place and whose and quoted.union(plan.scope.parties).isdisjoint(whose):
                spoken[whose].append(edition)
    before = await _edition_before(answer, plan, library, today) if on else None
    groups = [*spoken.values(), *([[before]] if before else [])]
    if not groups:
        return Others()
    written = result.subject.written
    nearest = await searcher.nearest(result.subject.text, " ".join(result.subject.words), written, groups)
    found = [any(_is_on(topic, passage, written) for passage in passages) for passages in nearest]
    saying = [whose for whose, says in zip(spoken, found, strict=False) if says]
    registry = await library.registry(plan.scope.collections)
    return Others(
        told=tuple(_in_order({party for whose in saying for party in whose}, registry)) if nobody else (),
        next=_in_turn(answer, [whose for whose in saying if _holds_beside(answer, spoken[whose])], registry),
        earlier=_year(before) if before and found[-1] else None,
    )


def _holds_beside(answer: Answer, editions: Iterable[Edition]) -> bool:
    """Whether one of `editions` is for the place of the first quote, to which follow-ups refer."""
    place = answer.citations[0].edition.document.fields.jurisdiction
    return any(edition.document.fields.jurisdiction == place for edition in editions)


def _in_turn(answer: Answer, saying: Sequence[tuple[str, ...]], registry: Registry) -> tuple[str, ...]:
    """One party for each programme: those that the registry lists after the one quoted first, then those
    before it. So a chain of follow-ups reaches all of them, and none is always the next."""
    first = next(iter(speaking(answer.citations[0].edition)), "")
    listed = _in_order({first, *(_in_order({*whose}, registry)[0] for whose in saying)}, registry)
    at = listed.index(first)
    return tuple(party for party in (*listed[at + 1 :], *listed[:at]) if party)


async def _edition_before(answer: Answer, plan: SearchPlan, library: Library, today: date) -> Edition | None:
    """The edition before the one quoted first, if the question asks for none."""
    quoted = answer.citations[0].edition
    if not quoted.document.series or plan.scope.editions or plan.scope.as_of or plan.scope.documents:
        return None
    older = [
        each
        for each in await library.editions(plan.scope, on=today)
        if (each.document.collection, each.document.series)
        == (quoted.document.collection, quoted.document.series)
        and _year(each) < _year(quoted)
        and _year(each) not in years_of(quoted)
    ]
    return max(older, key=_year, default=None)


def _year(edition: Edition) -> int:
    """The year from which it is valid, 0 if unknown."""
    held_from = edition.document.fields.valid_from
    return held_from.year if held_from else 0


def quoted_parties(answer: Answer) -> frozenset[str]:
    """The parties whose words an answer quotes."""
    return frozenset(party for item in answer.citations for party in speaking(item.edition))


def others_named(answer: Answer) -> frozenset[str]:
    """The parties that an answer names as having something on its topic as well."""
    told = (notice.values["name"] for notice in answer.notices if notice.key == "notice.others_too")
    return frozenset(name for names in told for name in names.split(NAMES_BETWEEN))


def speaking(edition: Edition) -> tuple[str, ...]:
    """The parties whose words a political document contains."""
    fields = edition.document.fields
    return fields.parties if fields.doc_type in POLITICAL_TYPES else ()


def _asks_nobody(plan: SearchPlan) -> bool:
    """Whether a question names no party and no document and compares nothing."""
    named = plan.detected.parties or plan.scope.parties or plan.scope.documents
    return not named and len(plan.groups) < 2 and plan.kind is not QuestionKind.COMPARE


def _asks_one(plan: SearchPlan) -> bool:
    """Whether a question asks one party, and no document or edition of it, which others need not have."""
    stated = plan.scope.documents or plan.scope.editions
    return len(plan.scope.parties) == 1 and not stated and len(plan.groups) < 2


def _is_on(topic: frozenset[str], passage: Passage, language: str) -> bool:
    passage_terms = terms(passage.embedded_text, language)
    return sum(held(term, passage_terms) for term in topic) >= _MOST * len(topic)


def _in_order(parties: set[str], registry: Registry) -> Sequence[str]:
    """The parties in registry order, with those it lacks last, by name."""
    listed = [row.name for row in registry.parties if row.name in parties]
    return [*listed, *sorted(parties.difference(listed))]
