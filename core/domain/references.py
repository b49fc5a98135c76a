"""Cross-references from a provision of one document to a provision of the same or another one."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.documents import Edition
from core.domain.ids import VersionId


class ReferenceKind(StrEnum):
    """What a reference does."""

    REFERENCES = "references"  # names the other provision
    DERIVED_FROM = "derived_from"  # implements it: rules to the act they are made under
    AMENDS = "amends"
    SUPERSEDES = "supersedes"


class Instrument(StrEnum):
    """Whose provision is named, judging by the words used; the document is resolved when the reference is
    followed."""

    OWN = "own"  # the document's own: "rule 3 of these rules", or unspecified in a document that has rules
    PARENT = "parent"  # the document it is derived from: "section 4 of the Act" in rules
    AMENDED = "amended"  # the document it amends: "the principal Act"
    NAMED = "named"  # another one by name: "section 5 of the Companies Act, 2013", "Art. 20 GG"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference as written.

    It occupies characters `start` to `end` of passage `ordinal` of `version`, in `section` (None outside
    sections) at `path`; it points to section id `target` and `target_path` within it. `name` is the name of a
    NAMED instrument. `ordinal` is None for a pair stated only in the registry.
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
    """A section (or a place in it) of an edition. `section` is None for text before the first one."""

    edition: Edition
    section: str | None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A reference with a known target: `kind` follows from the relation between the two documents."""

    source: Provision
    target: Provision
    kind: ReferenceKind
    reference: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """A reference that could not be resolved. `why` is "section" (the document has no such section), "parent"
    (the parent is not stated or not in the library) or "document" (no document of that name)."""

    edition: Edition
    reference: Reference
    why: str

    @property
    def target(self) -> Provision:
        """The target, as if it were in this document."""
        return Provision(edition=self.edition, section=self.reference.target, path=self.reference.target_path)
