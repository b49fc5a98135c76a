"""How well a provision that references lead to answers the question."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.passages import Passage
from core.domain.references import Edge, Provision, ReferenceKind
from core.domain.search import Hit
from core.library.references import SectionReference, parse_section_references
from core.search.bearings import PROVISIONS, Bearing
from core.search.ranking import Asked
from core.search.wording import speaks_of_penalty

_OWN_START = 2.0

OWN_END = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedProvision:
    """A provision reached: the edges that lead to it (nearest first) and how well it fits."""

    end: Provision
    path: tuple[Edge, ...]
    score: float


def end_of(edge: Edge, bearing: Bearing) -> Provision:
    """Where an edge leads when followed as the question does."""
    return edge.source if bearing.citing else edge.target


def kind_of_unit(section: str | None) -> str:
    """What a section is by its id: "section", "rule", "form"; empty for none."""
    return (section or "").partition(":")[0]


def scored(
    paths: Sequence[tuple[Edge, ...]], named: SectionReference, bearing: Bearing
) -> list[ReachedProvision]:
    """How well each path answers: the kind of edge and unit, the sub-division named, mentions."""
    ends = [end_of(path[-1], bearing) for path in paths]
    mentions = Counter((end.edition.version.id, end.section) for end in ends)
    found = []
    for path, end in zip(paths, ends, strict=True):
        edge = path[0]
        named_end = edge.target if bearing.citing else edge.source
        score = 1.5 * (kind_of_unit(end.section) in PROVISIONS)
        score += 1.0 * (edge.kind is ReferenceKind.DERIVED_FROM)
        score += _same_path(named.path, named_end.path)
        score += 0.2 * min(3, mentions[end.edition.version.id, end.section] - 1)
        found.append(ReachedProvision(end=end, path=path, score=score))
    return found


def _same_path(asked: tuple[str, ...], there: tuple[str, ...]) -> float:
    """Whether the sub-division asked about is the one that the reference names or stands in."""
    if not asked or not there:
        return 0.5
    if there[: len(asked)] == asked:
        return 2.0
    return 1.2 if asked[: len(there)] == there else -1.0


def nearness(found: ReachedProvision, asked: Asked) -> float:
    """Documents of the place asked about, over those that stand above it."""
    places = asked.plan.scope.jurisdictions
    edge = found.path[0]
    start = edge.target if found.end is found.path[-1].source else edge.source
    return sum(
        weight * (end.edition.document.fields.jurisdiction in places)
        for end, weight in ((start, _OWN_START), (found.end, OWN_END))
    )


def punishes(asked: Asked, passage: Passage) -> bool:
    """Whether question and passage both speak of a penalty."""
    return speaks_of_penalty(asked.plan.queries[0]) and speaks_of_penalty(passage.text)


def is_titled_after(passage: Passage, named: SectionReference) -> bool:
    """Whether the title of the section names the provision ("Penalty for contravening section 3")."""
    title = passage.section.title if passage.section else ""
    return any(each.id == named.id for each in parse_section_references(title, "en"))


def likeness_of(ranked: Sequence[Sequence[Hit]]) -> dict[str, float]:
    """For each passage found by the search how near it is to the best one, 0 to 1."""
    hits = [hit for group in ranked for hit in group]
    if not hits:
        return {}
    low, high = min(hit.score for hit in hits), max(hit.score for hit in hits)
    return {hit.passage.id: (hit.score - low) / ((high - low) or 1.0) for hit in hits}
