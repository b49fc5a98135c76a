"""Locates a quote within its section (Section 19, sub-section (4)) for the names of citations."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from core.domain.answers import Answer, Citation
from core.domain.passages import Passage
from core.evidence.index import GAP
from core.evidence.skeleton import skeleton
from core.library.subdivisions import Part, common_path, parts_of
from core.ports.library import Library


async def divided(library: Library, answer: Answer) -> Answer:
    """`answer`, with each citation in a numbered section given the path of the innermost sub-division that
    contains its quote."""
    return replace(answer, citations=tuple([await _divided(library, each) for each in answer.citations]))


async def _divided(library: Library, citation: Citation) -> Citation:
    section = citation.section
    if section is None:
        return citation
    family = await library.section_family(citation.edition.version.id, section.id)
    return replace(citation, section=replace(section, path=path_of(citation.quote.text, family)))


def path_of(quote: str, family: Sequence[Passage]) -> tuple[str, ...]:
    """The innermost sub-division that certainly contains all pieces of `quote`, an outermost list item with
    its full stop ("2."); () if that is the section itself or the words are not found in it."""
    parts = parts_of(family)
    letters = [skeleton(family[part.passage].text[part.start : part.end]) for part in parts]
    ends = list(accumulate(map(len, letters)))
    whole = "".join(letters)
    touched: list[Part] = []
    for piece in quote.split(f" {GAP} "):
        said = skeleton(piece)
        at = whole.find(said) if said else -1
        if at >= 0:
            touched += parts[bisect_right(ends, at) : bisect_right(ends, at + len(said) - 1) + 1]
    path = common_path(touched)
    listed = path and path[0].isdigit() and any(part.listed for part in touched)
    return (f"{path[0]}.", *path[1:]) if listed else path
