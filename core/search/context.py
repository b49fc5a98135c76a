"""The context of an answer: the best passages, pinned sections, their neighbours, a token budget."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.domain.ids import PassageId
from core.domain.passages import Passage
from core.domain.search import Hit
from core.library.references import SectionReference, roman_value
from core.ports.library import Library
from core.ports.models import Embedder
from core.search.expansion import document_order, interleaved, joined_text, within_budget
from core.search.ranking import Asked
from core.search.scope import Group
from core.search.settings import SearchSettings

_EXPANDED_HITS = 3
_NUMBER = re.compile(r"([0-9]+)\s?([a-z]*)")
_ROMAN = re.compile(r"(?=[ivxl])((?:xl|l?x{0,3})(?:ix|iv|v?i{0,3}))([a-z]?)")
_LATIN = ("", "bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies")
_NUMERIC, _ALPHABETIC = 0, 1

_Rank = tuple[int, int, tuple[int, int, str]]
"""Kind of the label, its number, and the suffix of an inserted one."""


class ContextBuilder:
    """Chooses the passages that an answer may be made from."""

    def __init__(self, library: Library, counter: Embedder, settings: SearchSettings) -> None:
        self._library = library
        self._counter = counter
        self._settings = settings

    async def build(
        self,
        asked: Asked,
        ranked: Sequence[Sequence[Hit]],
        groups: Sequence[Group],
        *,
        budget: int,
        passages: int,
    ) -> tuple[tuple[Hit, ...], str]:
        """Hits in document order and their joined text. Pinned sections come first, neighbours and the rest
        of sections only if the hits do not fill all places."""
        places = max(passages, self._settings.quota * len(ranked))
        chosen = interleaved(ranked, places)
        pinned = _with_rank(await self.pinned(asked, groups), ranked)
        chosen += await self._surroundings(chosen, places - len(chosen))
        first = {hit.passage.id for hit in pinned}
        hits = pinned + [hit for hit in chosen if hit.passage.id not in first]
        tokens = self._counter.count_tokens([hit.passage.text for hit in hits])
        ordered = document_order(within_budget(hits, tokens, budget))
        return tuple(ordered), joined_text(ordered)

    async def pinned(self, asked: Asked, groups: Sequence[Group]) -> list[Hit]:
        """The passages with the sections named in the question, in the documents searched."""
        found: dict[PassageId, Hit] = {}
        for reference in asked.sections.references:
            for edition in (edition for group in groups for edition in group.editions):
                family = await self._library.section_family(edition.version.id, reference.id)
                if family:
                    passage = holding(family, reference)
                    found[passage.id] = Hit(passage=passage, edition=edition, score=0.0, found_by=("pinned",))
        return list(found.values())[: self._settings.pinned]

    async def _surroundings(self, hits: Sequence[Hit], places: int) -> list[Hit]:
        """Neighbours, then the rest of the section, of the best hits; at most `places`."""
        if places <= 0:
            return []
        known = {hit.passage.id for hit in hits}
        found: dict[PassageId, Hit] = {}
        for hit in hits[:_EXPANDED_HITS]:
            for how, passages in (
                ("neighbour", await self._neighbours(hit)),
                ("family", await self._family(hit)),
            ):
                for passage in passages:
                    if passage.id not in known:
                        beside = Hit(passage=passage, edition=hit.edition, score=hit.score, found_by=(how,))
                        found.setdefault(passage.id, beside)
        return list(found.values())[: min(places, self._settings.expanded)]

    async def _neighbours(self, hit: Hit) -> list[Passage]:
        ordinal = hit.passage.ordinal
        return await self._library.passages_at(hit.passage.version, (ordinal - 1, ordinal + 1))

    async def _family(self, hit: Hit) -> list[Passage]:
        section = hit.passage.section
        return await self._library.section_family(hit.passage.version, section.id) if section else []


def _with_rank(pinned: Sequence[Hit], ranked: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Pinned hits, with score and spaces if the search found them as well."""
    known = {hit.passage.id: hit for group in ranked for hit in group}
    return [
        replace(found, found_by=(*found.found_by, *hit.found_by))
        if (found := known.get(hit.passage.id))
        else hit
        for hit in pinned
    ]


def holding(family: Sequence[Passage], reference: SectionReference) -> Passage:
    """The passage of a section that contains the sub-division of `reference`: the last one that does not
    start after it."""
    starts = [(passage, passage.section.path) for passage in family if passage.section is not None]
    known = [path for _, path in starts]
    before = [passage for passage, path in starts if not starts_behind(path, reference.path, known)]
    return before[-1] if before else family[0]


def starts_behind(path: Sequence[str], wanted: Sequence[str], known: Iterable[Sequence[str]]) -> bool:
    """Whether text starting with the sub-division `path` starts after all of `wanted`, or is unrelated
    because their labels are of different kinds. `known` are the paths of the whole section: its neighbours
    show whether (i) is a letter or a number."""
    for depth, (one, other) in enumerate(zip(path, wanted, strict=False)):
        if one == other:
            continue
        above = tuple(wanted[:depth])
        beside = {each[depth] for each in known if len(each) > depth and tuple(each[:depth]) == above}
        roman = _counts_in_roman({*beside, other})
        mine, theirs = _rank(one, roman=roman), _rank(other, roman=roman)
        return mine[0] != theirs[0] or mine > theirs
    return len(path) > len(wanted)


def _counts_in_roman(labels: Iterable[str]) -> bool:
    """Whether the labels of a list are Roman numerals. Single letters alone don't show it, and are in the
    same order either way: i, v, x."""
    labels = [label for label in labels if not _NUMBER.fullmatch(label)]
    return all(map(_ROMAN.fullmatch, labels)) and any(len(label) > 1 for label in labels)


def _rank(label: str, *, roman: bool) -> _Rank:
    if number := _NUMBER.fullmatch(label):
        return _NUMERIC, int(number[1]), _inserted(number[2])
    if roman and (numeral := _ROMAN.fullmatch(label)):
        return _NUMERIC, roman_value(numeral[1]), _inserted(numeral[2])
    return _ALPHABETIC, 0, (len(label), 0, label)


def _inserted(suffix: str) -> tuple[int, int, str]:
    """The sort key of a provision inserted after a number: 1, 1a, 1b, 1aa; 1, 1bis, 1ter."""
    if suffix in _LATIN:
        return 0, _LATIN.index(suffix), ""
    return len(suffix), 0, suffix
