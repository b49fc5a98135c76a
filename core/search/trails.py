"""Paths of references in words, and what they lead to in front of what a search has found. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from core.domain.references import Edge, Provision
from core.domain.search import Hit
from core.library.references import SectionReference, format_reference


def trail_of(path: Sequence[Edge], end: Provision, language: str) -> tuple[str, ...]:
    """The provisions of a path that ends at `end`, from what cites to what is cited."""
    if end is path[-1].source:
        steps = [path[0].target, *(edge.source for edge in path)][::-1]
    else:
        steps = [path[0].source, *(edge.target for edge in path)]
    return tuple(_label(step, language) for step in steps)


def _label(provision: Provision, language: str) -> str:
    reference = SectionReference(id=provision.section or "", path=provision.path)
    return format_reference(reference, language)


def with_crossed(ranked: Sequence[Sequence[Hit]], crossed: Sequence[Hit]) -> list[list[Hit]]:
    """`ranked` with what references lead to in front of everything; its scores are made to say so."""
    if not crossed:
        return [list(hits) for hits in ranked]
    ids = {hit.passage.id: hit for hits in ranked for hit in hits}
    best = max((hit.score for hit in ids.values()), default=0.0)
    raised = [
        replace(
            hit,
            score=best + 1.0 - 0.1 * rank,
            scores=ids[hit.passage.id].scores if hit.passage.id in ids else {},
            found_by=(*hit.found_by, *(ids[hit.passage.id].found_by if hit.passage.id in ids else ())),
        )
        for rank, hit in enumerate(crossed)
    ]
    taken = {hit.passage.id for hit in raised}
    rest = [[hit for hit in hits if hit.passage.id not in taken] for hits in ranked]
    homes = [{hit.edition.version.id for hit in hits} for hits in ranked]
    for hit in reversed(raised):
        home = next((n for n, versions in enumerate(homes) if hit.edition.version.id in versions), 0)
        rest[home].insert(0, hit)
    return rest
