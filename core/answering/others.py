"""Which parties beside those quoted have something on what a question is about that names none of them.

A few quotes are shown, of whoever was found first, and there the length and the wording of a programme count.
Who else speaks of it is looked up in every party's documents by itself, so that it does not depend on them;
what a party says of it is not told (decision 0030).
"""

from collections import defaultdict
from collections.abc import Sequence

from core.domain.answers import Answer, Notice, Outcome
from core.domain.documents import POLITICAL_TYPES, Edition
from core.domain.passages import Passage
from core.domain.registry import Registry
from core.domain.search import QuestionKind
from core.language.terms import held, terms
from core.ports.library import Library
from core.search.plan import SearchPlan, SearchResult
from core.search.searcher import Searcher

NAMES_BETWEEN = ", "
"""Between the names of parties in a notice's value."""

_MOST = 2 / 3
"""Share of the words of a topic that a passage about it names at least."""


async def others_too(
    answer: Answer, result: SearchResult, searcher: Searcher, library: Library
) -> tuple[Notice, ...]:
    """A notice that names, as the registry lists them, the parties of which nothing is quoted and that have
    a passage which names the topic; nothing where no party is quoted, one was named or sides are compared."""
    quoted = quoted_parties(answer)
    if not quoted or answer.outcome is not Outcome.GROUNDED or not _asks_nobody(result.plan):
        return ()
    spoken: dict[tuple[str, ...], list[Edition]] = defaultdict(list)
    for edition in result.searched:
        if (whose := speaking(edition)) and not quoted.issuperset(whose):
            spoken[whose].append(edition)
    topic, written = result.subject.terms, result.subject.written
    if not topic or not spoken:
        return ()
    words = " ".join(result.subject.words)
    nearest = await searcher.nearest(result.subject.text, words, written, list(spoken.values()))
    saying = {
        party
        for whose, passages in zip(spoken, nearest, strict=True)
        if any(_is_on(topic, passage, written) for passage in passages)
        for party in whose
    }
    named = _in_order(saying - quoted, await library.registry(result.plan.scope.collections))
    if not named:
        return ()
    return (Notice(key="notice.others_too", values={"name": NAMES_BETWEEN.join(named)}),)


def quoted_parties(answer: Answer) -> frozenset[str]:
    """The parties whose words an answer quotes."""
    return frozenset(party for item in answer.citations for party in speaking(item.edition))


def others_named(answer: Answer) -> frozenset[str]:
    """The parties that an answer names as having something on its topic as well."""
    told = (notice.values["name"] for notice in answer.notices if notice.key == "notice.others_too")
    return frozenset(name for names in told for name in names.split(NAMES_BETWEEN))


def speaking(edition: Edition) -> tuple[str, ...]:
    """The parties whose words a political document has."""
    fields = edition.document.fields
    return fields.parties if fields.doc_type in POLITICAL_TYPES else ()


def _asks_nobody(plan: SearchPlan) -> bool:
    """Whether a question names no party and no document and compares nothing."""
    named = plan.detected.parties or plan.scope.parties or plan.scope.documents
    return not named and len(plan.groups) < 2 and plan.kind is not QuestionKind.COMPARE


def _is_on(topic: frozenset[str], passage: Passage, language: str) -> bool:
    said = terms(passage.embedded_text, language)
    return sum(held(term, said) for term in topic) >= _MOST * len(topic)


def _in_order(parties: set[str], registry: Registry) -> Sequence[str]:
    """As the registry lists them, and what it lacks last, by name."""
    listed = [row.name for row in registry.parties if row.name in parties]
    return [*listed, *sorted(parties.difference(listed))]
