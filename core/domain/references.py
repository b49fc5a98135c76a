"""Cross-references: what a provision of one document says about a provision of this or another one."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.documents import Edition
from core.domain.ids import VersionId


class ReferenceKind(StrEnum):
    """What a reference does."""

    REFERENCES = "references"  # names the other provision
    DERIVED_FROM = "derived_from"  # carries it out: rules to the act they are made under
    AMENDS = "amends"
    SUPERSEDES = "supersedes"


class Instrument(StrEnum):
    """Whose provision is named, by the words used; which document that is, is settled when it is read."""

    OWN = "own"  # the document's own: "rule 3 of these rules", or nothing said and it has rules
    PARENT = "parent"  # what it is derived from: "section 4 of the Act" in rules
    AMENDED = "amended"  # what it amends: "the principal Act"
    NAMED = "named"  # another one by name: "section 5 of the Companies Act, 2013", "Art. 20 GG"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference as it stands in a text.

    It stands in characters `start` to `end` of passage `ordinal` of `version`, in `section` (None
    outside of sections) at `path`; it names section id `target` and, in it, `target_path`. `name` is
    how a NAMED instrument is called. `ordinal` is None for a pair that only the registry states.
    """

    version: VersionId
    ordinal: int | None
    section: str | None
    path: tuple[str, ...] = ()
    kind: ReferenceKind = ReferenceKind.REFERENCES
    instrument: Instrument = Instrument.OWN
    name: str | None = None
    target: str
    target_path: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision:
    """A section (or a place in it) of an edition. `section` is None for what stands before the first one."""

    edition: Edition
    section: str | None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A reference whose target is known: `kind` is settled by what the target's document is to the
    source's."""

    source: Provision
    target: Provision
    kind: ReferenceKind
    reference: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """A reference that leads nowhere. `why` is "section" (the document has no such section), "parent" (it
    is not stated or not in the library) or "document" (no document of that name)."""

    edition: Edition
    reference: Reference
    why: str

    @property
    def target(self) -> Provision:
        """What it names, as if this document had it."""
        return Provision(edition=self.edition, section=self.reference.target, path=self.reference.target_path)
