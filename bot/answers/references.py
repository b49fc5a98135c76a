"""What a section cites, what cites it and what implements it, as `fundstelle references` lists it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.library.scoping import ScopeOptions, Scoping
from core.answering.entries import bounded
from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.passages import Edge, Provision, ReferenceKind, Section, Unresolved
from core.domain.scope import Scope
from core.errors import Refused
from core.library.edges import CrossReferences
from core.library.printed_pages import labels_of, printed_pages
from core.library.references import SectionReference, ids_in_other_units, label, parse_section_references
from core.ports.clock import Clock
from core.ports.library import Library

IMPLEMENTING = frozenset({ReferenceKind.DERIVED_FROM, ReferenceKind.AMENDS, ReferenceKind.SUPERSEDES})
"""Kinds that are more than a mention."""

MAX_SECTION = 200
"""Maximum characters of a section's name."""
LISTED_LOST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A provision at the end of a path of edges, its location, and the words of the reference. `printed` are
    the numbers on its pages."""

    end: Provision
    section: Section | None
    pages: tuple[int, ...]
    kind: ReferenceKind
    trail: tuple[str, ...]
    text: str
    printed: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Referenced:
    """Everything known about one section of one document."""

    provision: Provision
    section: Section | None
    pages: tuple[int, ...]
    cites: tuple[Listed, ...]
    cited_by: tuple[Listed, ...]
    implemented_by: tuple[Listed, ...]
    unresolved: tuple[Unresolved, ...]
    printed: tuple[str | None, ...] = ()


class References:
    """Looks up references for people."""

    def __init__(self, *, library: Library, scoping: Scoping, clock: Clock) -> None:
        self._library = library
        self._scoping = scoping
        self._clock = clock
        self._references = CrossReferences(library)

    async def of(self, section: str, options: ScopeOptions, *, depth: int = 1) -> list[Referenced]:
        """The section of that name in every document of `options`. References come from and lead to all
        documents of its collections and place. Raises Refused for anything that is not a section."""
        section = bounded(section, MAX_SECTION)
        parsed = parse_section_references(section, "de") or parse_section_references(section, "en")
        if not parsed:
            detail = f"{section!r} names no section; write for example 'Section 4', 'Rule 3(2)' or 'Art. 20'"
            raise Refused("references.no_section", detail, section=section)
        scope = await self._scoping.scope(options)
        around = await self._scoping.scope(
            ScopeOptions(
                jurisdiction=options.jurisdiction,
                collections=options.collections,
                as_of=options.as_of,
                configured=options.configured,
            )
        )
        names = self._scoping.within(scope.collections)
        today = self._clock.today()
        every = await self._library.editions(around, on=today)
        reach = [edition for edition in every if names.admits(around, edition)]
        chosen = await self._library.editions(scope, on=today)
        chosen = [edition for edition in chosen if names.admits(scope, edition)]
        meant = await self._meant(parsed[0], chosen)
        return [await self._referenced(provision, reach, depth) for provision in meant]

    async def _meant(self, reference: SectionReference, editions: Sequence[Edition]) -> list[Provision]:
        """The provision in each of `editions` that has it; the sign "§" stands for whatever unit a law has if
        none of them has a paragraph of that number."""
        found = [
            Provision(edition=edition, section=reference.id, path=reference.path)
            for edition in editions
            if await self._has(edition, reference.id)
        ]
        if found or reference.kind != "par":
            return found
        return [
            Provision(edition=edition, section=section, path=reference.path)
            for edition in editions
            for section in ids_in_other_units(reference)
            if await self._has(edition, section)
        ]

    async def unresolved(self, collections: Sequence[str]) -> list[Unresolved]:
        """Unresolvable references in the documents of `collections`."""
        scope = Scope(collections=tuple(collections))
        editions = await self._library.editions(scope, on=self._clock.today())
        return await self._references.unresolved(editions)

    async def _has(self, edition: Edition, section: str) -> bool:
        return bool(await self._library.section_family(edition.version.id, section))

    async def _referenced(self, provision: Provision, reach: Sequence[Edition], depth: int) -> Referenced:
        out = await self._paths(provision, reach, depth, citing=False)
        into = await self._paths(provision, reach, depth, citing=True)
        family = await self._library.section_family(provision.edition.version.id, provision.section or "")
        lost = await self._references.unresolved(reach, of=provision)
        pages = tuple(sorted({page for passage in family for page in passage.pages}))
        return Referenced(
            provision=provision,
            section=family[0].section,
            pages=pages,
            printed=await self._printed(provision.edition.version.id, pages),
            cites=await self._listed(out, citing=False),
            cited_by=await self._listed([p for p in into if p[0].kind not in IMPLEMENTING], citing=True),
            implemented_by=await self._listed([p for p in into if p[0].kind in IMPLEMENTING], citing=True),
            unresolved=tuple(lost),
        )

    async def _paths(
        self, start: Provision, reach: Sequence[Edition], depth: int, *, citing: bool
    ) -> list[tuple[Edge, ...]]:
        """Paths of at most `depth` edges from `start`, one to each provision, nearest first."""
        found: dict[tuple[VersionId, str | None, tuple[str, ...]], tuple[Edge, ...]] = {}
        frontier: list[tuple[Edge, ...]] = [()]
        for _ in range(depth):
            longer: list[tuple[Edge, ...]] = []
            for path in frontier:
                there = _end(path[-1], citing) if path else start
                for edge in await self._step(there, reach, citing=citing, exact=not path):
                    end = _end(edge, citing)
                    key = (end.edition.version.id, end.section, end.path)
                    if key not in found and key[:2] != (start.edition.version.id, start.section):
                        found[key] = (*path, edge)
                        longer.append(found[key])
            frontier = longer
        return list(found.values())

    async def _step(
        self, there: Provision, reach: Sequence[Edition], *, citing: bool, exact: bool
    ) -> list[Edge]:
        if there.section is None:
            return []
        step = self._references.incoming if citing else self._references.outgoing
        edges = await step(there, reach)
        return [e for e in edges if not exact or _within(there.path, (e.target if citing else e.source).path)]

    async def _listed(self, paths: Sequence[tuple[Edge, ...]], *, citing: bool) -> tuple[Listed, ...]:
        return tuple([await self._one(path, citing=citing) for path in paths])

    async def _one(self, path: tuple[Edge, ...], *, citing: bool) -> Listed:
        edge, end = path[-1], _end(path[-1], citing)
        family = await self._library.section_family(end.edition.version.id, end.section or "")
        holding = []
        if edge.reference.ordinal is not None:
            source = edge.source.edition.version.id
            holding = await self._library.passages_at(source, [edge.reference.ordinal])
        shown = holding if citing and holding else family[:1]
        words = holding[0].text[edge.reference.start : edge.reference.end] if holding else ""
        pages = shown[0].pages if shown else ()
        return Listed(
            end=end,
            section=family[0].section if family else None,
            pages=pages,
            printed=await self._printed(shown[0].version, pages) if shown else (),
            kind=edge.kind,
            trail=trail_of(path, citing=citing),
            text=" ".join(words.split()),
        )

    async def _printed(self, version: VersionId, pages: Sequence[int]) -> tuple[str | None, ...]:
        return labels_of(version, pages, await printed_pages([(version, pages)], self._library))


def trail_of(path: Sequence[Edge], *, citing: bool) -> tuple[str, ...]:
    """The provisions of a path, from citing to cited."""
    if citing:
        steps = [path[0].target, *(edge.source for edge in path)][::-1]
    else:
        steps = [path[0].source, *(edge.target for edge in path)]
    return tuple(label(step) for step in steps)


def _end(edge: Edge, citing: bool) -> Provision:
    return edge.source if citing else edge.target


def _within(asked: tuple[str, ...], there: tuple[str, ...]) -> bool:
    """Whether one is a part of the other: Section 4(2) and Section 4(2)(l), or the section as a whole."""
    shorter = min(len(asked), len(there))
    return asked[:shorter] == there[:shorter]


def lost_in_words(lost: Sequence[Unresolved]) -> str:
    """Unresolvable references by document; other laws that are named are only counted."""
    by_file: dict[str, list[str]] = {}
    for row in lost:
        if row.why != "document":
            what = "its act" if row.why == "parent" else label(row.target)
            by_file.setdefault(row.edition.document.file, []).append(what)
    elsewhere = sum(row.why == "document" for row in lost)
    parts = [f"{file}: {_counted(names)}" for file, names in sorted(by_file.items())]
    if elsewhere:
        parts.append(f"{elsewhere} to other laws")
    return "; ".join(parts)


def _counted(names: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(names))
    more = f" and {len(distinct) - LISTED_LOST} more" if len(distinct) > LISTED_LOST else ""
    return f"{len(names)} ({', '.join(distinct[:LISTED_LOST])}{more})"
