"""Programmes, guidance and other running text: windows under their headings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.library.chunking.layout import Paragraph, ParagraphRole
from core.library.chunking.packing import Packed, PackedSentence, pack_running, pieces_of

_ENOUGH_WORDS = 60
_HEADING_CHARACTERS = 90
TRAIL = 3
"""Number of headings put before a passage: the innermost ones."""
_DEEPEST = 12
"""Maximum depth of headings: ever smaller type sizes are not a hierarchy."""
_EVERYWHERE = 0.5
_BOOK_WORDS = 2000
SEPARATOR = " › "


@dataclass(slots=True)
class Trail:
    """The current headings, highest first, each with its depth."""

    stack: list[tuple[float, str]] = field(default_factory=list)

    def above(self, depth: float) -> list[str]:
        """The headings above one of `depth`."""
        return [text for rank, text in self.stack if rank < depth - 0.01]

    def enter(self, depth: float, text: str) -> None:
        """Enter a heading; those of the same or a lower rank end."""
        above = [item for item in self.stack if item[0] < depth - 0.01]
        self.stack = [*above[: _DEEPEST - 1], (depth, text)]


def heading_of(title: str, names: Sequence[str]) -> str:
    """The text put before a passage: the document's title and the last headings, shortened."""
    return SEPARATOR.join(shortened(name) for name in (title, *names[-TRAIL:]) if name)


def shortened(name: str) -> str:
    """A heading of at most `_HEADING_CHARACTERS`, cut at a word boundary."""
    if len(name) <= _HEADING_CHARACTERS:
        return name
    return name[:_HEADING_CHARACTERS].rsplit(" ", 1)[0] + " …"


@dataclass(slots=True, eq=False)
class _Region:
    """The text under one heading, including the heading itself."""

    above: tuple[str, ...]
    inside: tuple[str, ...]
    pieces: list[PackedSentence]


def pack_prose(paragraphs: Sequence[Paragraph], title: str, language: str) -> list[Packed]:
    """Passages of running text. A heading begins a new one unless the previous one is short."""
    packed: list[Packed] = []
    regions = _merged(_regions(paragraphs, language))
    everywhere = _everywhere(regions)
    for region in regions:
        for group in pack_running(region.pieces):
            names = region.above if group[0] is region.pieces[0] else region.inside
            packed.append(Packed(group, heading_of(title, [n for n in names if n not in everywhere])))
    return packed


def _everywhere(regions: Sequence[_Region]) -> frozenset[str]:
    """Headings above most of the text, such as the cover's, which distinguish nothing."""
    words: Counter[str] = Counter()
    for region in regions:
        words.update(dict.fromkeys(region.inside, sum(piece.words for piece in region.pieces)))
    total = sum(piece.words for region in regions for piece in region.pieces)
    if total < _BOOK_WORDS:
        return frozenset()
    return frozenset(name for name, count in words.items() if count > _EVERYWHERE * total)


def _regions(paragraphs: Sequence[Paragraph], language: str) -> list[_Region]:
    trail = Trail()
    regions = [_Region((), (), [])]
    for paragraph in paragraphs:
        pieces = pieces_of(paragraph, language)
        if paragraph.role is ParagraphRole.HEADING:
            above = tuple(trail.above(paragraph.depth))
            trail.enter(paragraph.depth, paragraph.text)
            inside = tuple(text for _, text in trail.stack)
            if _only_headings(regions[-1]):
                regions[-1].inside = inside
                regions[-1].pieces += pieces
            else:
                regions.append(_Region(above, inside, pieces))
        else:
            regions[-1].pieces += pieces
    return [region for region in regions if region.pieces]


def _only_headings(region: _Region) -> bool:
    return bool(region.pieces) and all(
        piece.paragraph.role is ParagraphRole.HEADING for piece in region.pieces
    )


def _merged(regions: Sequence[_Region]) -> list[_Region]:
    """The regions, with short ones merged so that every passage has substance."""
    merged: list[_Region] = []
    for region in regions:
        if merged and sum(piece.words for piece in merged[-1].pieces) < _ENOUGH_WORDS:
            merged[-1].pieces += region.pieces
            merged[-1].inside = region.inside
        else:
            merged.append(region)
    return merged
