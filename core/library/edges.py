"""Resolves references to edges: which document and section each one leads to, in both directions.

Edges are resolved on demand, among the editions that the asker may see: re-ingesting a document or adding one
later requires no new references, and nothing leads out of a scope.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence

from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.passages import Edge, Instrument, Provision, Reference, ReferenceKind, Unresolved
from core.domain.registry import Derivation
from core.library.cross_references import recognise_missing
from core.library.references import parse_section_references
from core.ports.library import Library
from core.registry import titles

_WORD = re.compile(r"[^\W_]+")
_LITTLE = frozenset(
    {"the", "of", "and", "on", "for", "der", "die", "das", "des", "und", "act", "no", "eu", "ec"}
)
_SHORTEST_STEM = 6


class Instruments:
    """Which of some editions a reference means."""

    def __init__(self, editions: Sequence[Edition]) -> None:
        self._by_key: dict[str, list[Edition]] = defaultdict(list)
        for edition in editions:
            self._by_key[edition.document.key].append(edition)
        self._editions = editions
        self._called: dict[str, list[Edition]] = {}

    def target(self, reference: Reference, source: Edition) -> Edition | None:
        """The edition whose section `reference` in `source` names; None if it is not among them."""
        fields = source.document.fields
        match reference.instrument:
            case Instrument.OWN:
                return source
            case Instrument.PARENT:
                return self.keyed(fields.derived_from, source)
            case Instrument.AMENDED:
                return self.keyed(fields.amends or fields.derived_from, source)
            case Instrument.NAMED:
                return self._named(reference.name or "", source)

    def keyed(self, key: str | None, source: Edition) -> Edition | None:
        """The edition with `key`, preferably in the same collection."""
        found = self._by_key.get(key, []) if key else []
        return min(found, key=lambda edition: _distance(edition, source), default=None)

    def _named(self, name: str, source: Edition) -> Edition | None:
        if name not in self._called:
            self._called[name] = [edition for edition in self._editions if is_called(edition, name)]
        return min(self._called[name], key=lambda edition: _distance(edition, source), default=None)


def _distance(edition: Edition, source: Edition) -> tuple[bool, bool, bool, str]:
    """Rank among several documents of the same name: the source itself, its parent, one in its collection."""
    document, origin = edition.document, source.document
    own = document.id == origin.id
    parent = document.key == origin.fields.derived_from
    return (not own, not parent, document.collection != origin.collection, document.id)


def is_called(edition: Edition, name: str) -> bool:
    """Whether `name`, as written in a text, is approximately the document's title, or another name for it."""
    fields = edition.document.fields
    wanted, held = _words(name), _words(fields.title)
    if not wanted:
        return False
    if titles.is_called(fields, name):
        return True
    if len(wanted) == 1 and name.isupper():
        return name.casefold() in held
    found = sum(any(_alike(word, other) for other in held) for word in wanted)
    undated = [word for word in held if not word.isdigit()]
    return found == len(wanted) and 2 * len(wanted) >= len(undated)


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _LITTLE]


def _alike(one: str, other: str) -> bool:
    """Whether they are the same except for an ending, as in "Grundgesetzes"."""
    stem = max(_SHORTEST_STEM, min(len(one), len(other)))
    return one == other or (one[:stem] == other[:stem] and abs(len(one) - len(other)) <= 2)


def kind_of(reference: Reference, source: Edition, target: Edition) -> ReferenceKind:
    """The kind of an edge, determined by the relation between the documents."""
    if reference.kind is ReferenceKind.SUPERSEDES or source.document.id == target.document.id:
        return reference.kind
    fields = source.document.fields
    if target.document.key == fields.amends:
        return ReferenceKind.AMENDS
    if target.document.key == fields.derived_from:
        return ReferenceKind.DERIVED_FROM
    return ReferenceKind.REFERENCES


class CrossReferences:
    """Edges between provisions of given editions."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: set[VersionId] = set()
        self._sections: dict[tuple[VersionId, str], bool] = {}

    async def outgoing(self, provision: Provision, editions: Sequence[Edition]) -> list[Edge]:
        """The edges from `provision` to `editions`, in the order of its text."""
        await self._prepare(editions)
        source = provision.edition
        found = await self._library.references_from([source.version.id], provision.section)
        found += _derivations(
            await self._derivations(editions),
            [source],
            source_section=provision.section or "",
            editions=editions,
        )
        return await self._edges(found, editions)

    async def incoming(self, provision: Provision, editions: Sequence[Edition]) -> list[Edge]:
        """The edges from `editions` to `provision`, in the order of the documents."""
        await self._prepare(editions)
        section = provision.section or ""
        found = await self._library.references_to([e.version.id for e in editions], [section])
        found += _derivations(
            await self._derivations(editions), editions, target_section=section, editions=editions
        )
        edges = await self._edges(found, editions)
        return [edge for edge in edges if edge.target.edition.document.id == provision.edition.document.id]

    async def unresolved(
        self, editions: Sequence[Edition], *, of: Provision | None = None
    ) -> list[Unresolved]:
        """References in `editions` (or only in the section `of`) to sections that do not exist or documents
        that are not among them. Other laws cited by name ("the Companies Act, 2013") have `why`
        "document"."""
        await self._prepare(editions)
        versions = [of.edition.version.id] if of else [edition.version.id for edition in editions]
        references = await self._library.references_from(versions, of.section if of else None)
        found = []
        for reference, source, target in await asyncio.to_thread(_settled, references, editions):
            if why := await self._why_lost(reference, target):
                found.append(Unresolved(edition=source, reference=reference, why=why))
        return found

    async def _why_lost(self, reference: Reference, target: Edition | None) -> str | None:
        if target is None:
            return "document" if reference.instrument is Instrument.NAMED else "parent"
        return None if await self._exists(target, reference.target) else "section"

    async def _edges(self, references: Sequence[Reference], editions: Sequence[Edition]) -> list[Edge]:
        """`references` with their targets; unresolvable ones are left out."""
        found = []
        for reference, source, target in await asyncio.to_thread(_settled, references, editions):
            if target and await self._exists(target, reference.target):
                found.append(
                    Edge(
                        source=Provision(edition=source, section=reference.section, path=reference.path),
                        target=Provision(
                            edition=target, section=reference.target, path=reference.target_path
                        ),
                        kind=kind_of(reference, source, target),
                        reference=reference,
                    )
                )
        return found

    async def _exists(self, edition: Edition, section: str) -> bool:
        key = (edition.version.id, section)
        if key not in self._sections:
            self._sections[key] = bool(await self._library.section_family(*key))
        return self._sections[key]

    async def _derivations(self, editions: Sequence[Edition]) -> tuple[Derivation, ...]:
        """The derivations stated for the collections of `editions`."""
        sight = {edition.document.collection for edition in editions}
        return (await self._library.registry(sight)).derivations

    async def _prepare(self, editions: Sequence[Edition]) -> None:
        """Find references of versions that were ingested before references were stored."""
        fresh = [edition for edition in editions if edition.version.id not in self._known]
        await recognise_missing(self._library, fresh)
        self._known.update(edition.version.id for edition in fresh)


def _settled(
    references: Sequence[Reference], editions: Sequence[Edition]
) -> list[tuple[Reference, Edition, Edition | None]]:
    """Those of `references` whose source is among `editions`, with their source and target editions. Run it
    in a thread, since each name is compared with every title."""
    by_version = {edition.version.id: edition for edition in editions}
    instruments = Instruments(editions)
    found = [(reference, by_version.get(reference.version)) for reference in references]
    return [(each, source, instruments.target(each, source)) for each, source in found if source]


def _derivations(
    rows: Sequence[Derivation],
    sources: Sequence[Edition],
    *,
    editions: Sequence[Edition],
    source_section: str | None = None,
    target_section: str | None = None,
) -> list[Reference]:
    """The registry's pairs that start in `sources` as references; None means any section."""
    by_key = defaultdict(list)
    for edition in sources:
        by_key[edition.document.key].append(edition)
    titles = {edition.document.key: edition.document.fields.title for edition in editions}
    return [
        Reference(
            version=edition.version.id,
            ordinal=None,
            section=normalised(row.section),
            kind=ReferenceKind.DERIVED_FROM,
            instrument=Instrument.PARENT
            if edition.document.fields.derived_from == row.source
            else Instrument.NAMED,
            name=titles.get(row.source),
            target=normalised(row.source_section),
        )
        for row in rows
        for edition in by_key.get(row.document, ())
        if source_section in (None, normalised(row.section))
        and target_section in (None, normalised(row.source_section))
    ]


def normalised(section: str) -> str:
    """A section id as a person may write it: `Rule 3`, `§ 5` or the id itself."""
    if re.fullmatch(r"[a-z]+:\w+", section):
        return section
    parsed = parse_section_references(section, "en")
    return parsed[0].id if parsed else section
