"""Passages: the units that are embedded, found and cited; and the references between their sections."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.documents import Edition
from core.domain.ids import PassageId, VersionId
from core.domain.pages import Box


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (exclusive) of the text of 1-based PDF page `page`."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A numbered unit of a statute, or a heading of a programme.

    `id` is normalised and stable for one version, for example `rule:3`, `section:11`, `art:6`, `par:5`
    (German `§ 5`); `path` holds the sub-divisions a passage starts in, such as `("4", "a")` for subsection
    (4)(a). `hierarchy` names the levels above: part, chapter.
    """

    id: str
    title: str
    path: tuple[str, ...] = ()
    hierarchy: tuple[str, ...] = ()


class PassageKind(StrEnum):
    """What a passage was cut from."""

    PROSE = "prose"
    SECTION = "section"
    TABLE = "table"
    FIGURE = "figure"


@dataclass(frozen=True, slots=True)
class Picture:
    """The part of 1-based PDF page `page` that shows a figure, in the coordinates of its words."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageDraft:
    """A passage as a chunker yields it, before its version is known. `text` is the source's words with
    line-end hyphens resolved and single spaces; paragraphs are separated by a newline.

    `heading` is prepended to the text for embedding (title, hierarchy). `windows` are (start, end) character
    ranges of `text`, each one to three sentences. `picture` is the figure that the text refers to. `others`
    are the (start, end) ranges of `text` that the document attributes to somebody else.
    """

    spans: tuple[Span, ...]
    text: str
    heading: str
    kind: PassageKind
    section: Section | None
    windows: tuple[tuple[int, int], ...]
    picture: Picture | None = None
    others: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage of a version. `ordinal` counts from 0 in document order, so the neighbours of
    passage n are n-1 and n+1; `spans` are in reading order, at most one per stretch of a page."""

    id: PassageId
    version: VersionId
    ordinal: int
    spans: tuple[Span, ...]
    text: str
    heading: str
    kind: PassageKind
    section: Section | None
    windows: tuple[tuple[int, int], ...]
    picture: Picture | None = None
    others: tuple[tuple[int, int], ...] = ()

    def says_of_others(self, start: int, end: int) -> bool:
        """Whether most of the characters `start` to `end` of the text are somebody else's words."""
        shared = sum(max(0, min(end, last) - max(start, first)) for first, last in self.others)
        return 2 * shared > end - start

    def own_parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """The parts of characters `start` to `end` that are the document's own words."""
        parts: list[tuple[int, int]] = []
        for first, last in [*sorted(self.others), (end, end)]:
            own = self.text[start : min(first, end)]
            if own.strip():
                parts.append((start + len(own) - len(own.lstrip()), start + len(own.rstrip())))
            start = max(start, last)
        return parts

    @property
    def pages(self) -> tuple[int, ...]:
        """The PDF pages that the passage covers, ascending, without repetition."""
        return tuple(sorted({span.page for span in self.spans}))

    @property
    def embedded_text(self) -> str:
        """The input of the encoders: heading and text."""
        return f"{self.heading}\n{self.text}" if self.heading else self.text


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
