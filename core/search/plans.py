"""Search plans: of a question whose scope is known, of one group by itself, and what is looked for."""

from collections import Counter
from collections.abc import Sequence

from core.domain.documents import Edition
from core.domain.scope import Detected
from core.domain.search import QuestionKind, SearchPlan
from core.domain.threads import ThreadContext
from core.registry.detection import Detector
from core.search.content import content_of, narrowing_stretches
from core.search.language import prevailing_language, question_language
from core.search.rewrites import Rewritable
from core.search.scope import Group, Resolution, ScopeQuery

_NAMED = 8
"""Documents named to whoever finds other wordings, at most."""


def plan_of(
    question: str, request: ScopeQuery, resolution: Resolution, thread: ThreadContext | None, quota: int
) -> SearchPlan:
    """The plan of `question` in the scope it has. `quota` hits at least go to each of several groups."""
    kind, several = request.kind, len(resolution.groups) > 1
    if several and kind is QuestionKind.FACT:
        kind = QuestionKind.COMPARE
    fallback = thread.language if thread else prevailing_language(resolution.editions)
    return SearchPlan(
        queries=(question,),
        language=question_language(question, fallback, request.detection.names),
        kind=kind,
        scope=resolution.scope,
        groups=tuple(group.scope for group in resolution.groups),
        detected=resolution.detected,
        missing=resolution.missing,
        quota=quota if several else 0,
        speaking=resolution.speaking,
    )


def rewritable_of(plan: SearchPlan, resolution: Resolution) -> Rewritable:
    """What whoever finds other wordings must know of the question."""
    languages = Counter(edition.document.fields.language for edition in resolution.editions)
    return Rewritable(
        question=plan.queries[0],
        kind=plan.kind,
        language=plan.language,
        languages=tuple(language for language, _ in languages.most_common()),
        collections=plan.scope.collections,
        documents=_named(resolution.editions),
    )


def _named(editions: Sequence[Edition]) -> tuple[str, ...]:
    """Titles and types of a few documents, one of each type first."""
    fields = [edition.document.fields for edition in editions]
    by_type = {item.doc_type: item for item in reversed(fields)}
    chosen = dict.fromkeys([*by_type.values(), *fields])
    return tuple(f"{item.title} ({item.doc_type.value.replace('_', ' ')})" for item in chosen)[:_NAMED]


def contents_of(plan: SearchPlan, detector: Detector, resolution: Resolution) -> tuple[str, ...]:
    """The queries of `plan` without the names that narrow the search already."""
    scope, places = resolution.scope, resolution.detected.jurisdictions
    return tuple(
        content_of(query, narrowing_stretches(detector.detect(query), scope.parties, places, scope.documents))
        for query in plan.queries
    )


def names_in(content: str, detector: Detector | None) -> tuple[tuple[str, str], ...]:
    """How `content` names parties and places by words of their own, and their keys."""
    found = detector.detect(content).mentions if detector else ()
    return tuple((content[each.start : each.end], each.key) for each in found if not each.tail)


def plan_of_group(content: str, language: str, group: Group) -> SearchPlan:
    """The plan of searching one group by itself."""
    return SearchPlan(
        queries=(content,),
        language=language,
        kind=QuestionKind.FACT,
        scope=group.scope,
        groups=(group.scope,),
        detected=Detected(),
        missing=(),
    )
