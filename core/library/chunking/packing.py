"""Packing sentences into passages and small windows."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.domain.pages import Word
from core.domain.passages import PassageDraft, PassageKind, Picture, Section
from core.language.sentences import sentences
from core.library.chunking.layout import Paragraph, ParagraphRole
from core.library.chunking.text import spans_of

TARGET_WORDS = 180
"""Approximate number of words in a passage."""
OVERLAP_WORDS = 40
"""Approximate number of words repeated, in whole sentences, at the start of the next passage of running
text."""
WINDOW_WORDS = 60
"""Approximate number of words in a small window."""
MIN_CHARACTERS = 100
"""Shorter passages join a neighbour."""

_WINDOW_ENOUGH = 45
_WINDOW_SENTENCES = 3
_WINDOW_REST = 12
_REST_WORDS = 45
_MAX_WORDS = 250
_CHARACTERS_PER_TOKEN = 64
"""Upper bound for any text; anything beyond need not be counted."""

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True, eq=False)
class PackedSentence:
    """A sentence: characters `start` to `end` of a paragraph's text."""

    paragraph: Paragraph
    start: int
    end: int
    words: int


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Pieces that become one passage; `kind` is set if it is neither a section's nor running text; `picture`
    if they are a caption."""

    pieces: tuple[PackedSentence, ...]
    heading: str
    section: Section | None = None
    kind: PassageKind | None = None
    picture: Picture | None = None

    @property
    def words(self) -> int:
        """Total words of all pieces."""
        return sum(piece.words for piece in self.pieces)

    @property
    def characters(self) -> int:
        """Total characters of all pieces."""
        return sum(piece.end - piece.start for piece in self.pieces)


def pieces_of(paragraph: Paragraph, language: str) -> list[PackedSentence]:
    """The sentences of a paragraph; a heading or a table row is one piece."""
    text = paragraph.text
    if paragraph.role in {ParagraphRole.HEADING, ParagraphRole.ROW}:
        return [PackedSentence(paragraph, 0, len(text), len(paragraph.flow.words))]
    return [
        PackedSentence(paragraph, start, end, text.count(" ", start, end) + 1)
        for start, end in paragraph.sentences or sentences(text, language)
    ]


def pack_running(pieces: Sequence[PackedSentence]) -> list[tuple[PackedSentence, ...]]:
    """Windows of about `TARGET_WORDS`, each beginning with the last sentences of the previous one."""
    packed: list[list[PackedSentence]] = []
    current: list[PackedSentence] = []
    words = fresh = 0
    for i, piece in enumerate(pieces):
        if fresh and words + piece.words > TARGET_WORDS and not _short_rest(pieces, i, words):
            packed.append(current)
            current = _overlap(current)
            words, fresh = sum(p.words for p in current), 0
        current = [*current, piece]
        words += piece.words
        fresh += piece.words
    if fresh:
        packed.append(current)
    return [tuple(group) for group in packed]


def _short_rest(pieces: Sequence[PackedSentence], at: int, words: int) -> bool:
    """Whether the rest is too short for a separate passage and fits in."""
    rest = 0
    for piece in pieces[at:]:
        rest += piece.words
        if rest > _REST_WORDS or words + rest > _MAX_WORDS:
            return False
    return True


def _overlap(pieces: Sequence[PackedSentence]) -> list[PackedSentence]:
    """The last whole sentences, about `OVERLAP_WORDS` long, not reaching back past a heading or a table
    row."""
    taken: list[PackedSentence] = []
    words = 0
    for piece in reversed(pieces):
        if (
            piece.paragraph.role in {ParagraphRole.HEADING, ParagraphRole.ROW}
            or words + piece.words > 1.3 * OVERLAP_WORDS
        ):
            break
        taken.insert(0, piece)
        words += piece.words
        if words >= OVERLAP_WORDS / 2:
            break
    return taken if len(taken) < len(pieces) else []


def pack_units(groups: Sequence[Sequence[PackedSentence]]) -> list[tuple[PackedSentence, ...]]:
    """Numbered parts of a section, packed without overlap; a part is cut only if it is itself too long."""
    if sum(piece.words for group in groups for piece in group) <= _MAX_WORDS:
        return [tuple(piece for group in groups for piece in group)]
    packed: list[tuple[PackedSentence, ...]] = []
    current: tuple[PackedSentence, ...] = ()
    for group in groups:
        words = sum(piece.words for piece in group)
        if current and sum(piece.words for piece in current) + words > TARGET_WORDS:
            packed.append(current)
            current = ()
        if words > _MAX_WORDS:
            parts = _pack_long(group)
            packed += parts[:-1]
            current = parts[-1]
        else:
            current = (*current, *group)
    return [*packed, current] if current else packed


def _pack_long(pieces: Sequence[PackedSentence]) -> list[tuple[PackedSentence, ...]]:
    packed: list[tuple[PackedSentence, ...]] = []
    current: tuple[PackedSentence, ...] = ()
    for i, piece in enumerate(pieces):
        words = sum(p.words for p in current)
        if current and words + piece.words > TARGET_WORDS and not _short_rest(pieces, i, words):
            packed.append(current)
            current = ()
        current = (*current, piece)
    return [*packed, current]


def join_fragments(packed: Sequence[Packed]) -> list[Packed]:
    """The passages, with those under `MIN_CHARACTERS` merged into the previous one (in the same section if
    possible) or the next."""
    joined: list[Packed] = []
    carried: tuple[PackedSentence, ...] = ()
    for item in packed:
        merged = Packed((*carried, *item.pieces), item.heading, item.section)
        carried = ()
        if merged.characters >= MIN_CHARACTERS:
            joined.append(merged)
        elif joined and _belongs(joined[-1], merged):
            joined[-1] = Packed((*joined[-1].pieces, *merged.pieces), joined[-1].heading, joined[-1].section)
        elif merged.section is None:
            carried = merged.pieces
        else:
            joined.append(merged)
    if carried and joined:
        joined[-1] = Packed((*joined[-1].pieces, *carried), joined[-1].heading, joined[-1].section)
    elif carried:
        joined.append(Packed(carried, packed[-1].heading, packed[-1].section))
    return joined


def _belongs(before: Packed, item: Packed) -> bool:
    heads = item.pieces[0].paragraph.role is ParagraphRole.HEADING
    same = (before.section.id if before.section else None) == (item.section.id if item.section else None)
    return same and not heads and before.words < _MAX_WORDS


def drafts(packed: Sequence[Packed], count_tokens: CountTokens, max_tokens: int) -> list[PassageDraft]:
    """The passages, none over `max_tokens` (heading included): longer ones are halved. A single overlong word
    is kept, without its heading."""
    made: list[Packed | PassageDraft] = list(packed)
    while waiting := [item for item in made if isinstance(item, Packed)]:
        written = [_draft(item) for item in waiting]
        counts = count_tokens([_embedded(draft)[: _CHARACTERS_PER_TOKEN * max_tokens] for draft in written])
        settled = {
            id(item): [draft] if count <= max_tokens else _halves(item) or [replace(draft, heading="")]
            for item, draft, count in zip(waiting, written, counts, strict=True)
        }
        made = [part for item in made for part in (settled.get(id(item)) or [item])]
    return [item for item in made if isinstance(item, PassageDraft)]


def _embedded(draft: PassageDraft) -> str:
    return f"{draft.heading}\n{draft.text}" if draft.heading else draft.text


def _halves(item: Packed) -> list[Packed]:
    """Two passages of about the same length, cut between pieces; a single piece is cut between words; none if
    it is one word."""
    pieces = item.pieces if len(item.pieces) > 1 else _cut_piece(item.pieces[0])
    if len(pieces) == 1:
        return []
    words, at = pieces[0].words, 1
    while at < len(pieces) - 1 and words < item.words / 2:
        words += pieces[at].words
        at += 1
    return [replace(item, pieces=part) for part in (pieces[:at], pieces[at:])]


def _cut_piece(piece: PackedSentence) -> tuple[PackedSentence, ...]:
    text = piece.paragraph.text
    cut = text.find(" ", (piece.start + piece.end) // 2, piece.end)
    if cut < 0:
        cut = text.rfind(" ", piece.start, piece.end)
    if cut < 0:
        return (piece,)
    bounds = ((piece.start, cut), (cut + 1, piece.end))
    return tuple(PackedSentence(piece.paragraph, a, b, text.count(" ", a, b) + 1) for a, b in bounds)


def _draft(item: Packed) -> PassageDraft:
    text: list[str] = []
    ranges: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    numbers: list[int] = []
    words: list[Word] = []
    length = 0
    for paragraph, group in _by_paragraph(item.pieces):
        start, end = group[0].start, group[-1].end
        ranges += [(piece.start - start + length, piece.end - start + length) for piece in group]
        others += [
            (max(first, start) - start + length, min(last, end) - start + length)
            for first, last in paragraph.others
            if first < end and start < last
        ]
        text.append(paragraph.text[start:end])
        length += end - start + 1
        first = bisect_right(paragraph.flow.starts, start) - 1
        last = bisect_left(paragraph.flow.starts, end)
        numbers += paragraph.flow.pages[first:last]
        words += paragraph.flow.words[first:last]
    return PassageDraft(
        spans=spans_of(numbers, words),
        text="\n".join(text),
        heading=item.heading,
        kind=item.kind or (PassageKind.SECTION if item.section else PassageKind.PROSE),
        section=item.section,
        windows=_windows(ranges, [piece.words for piece in item.pieces]),
        picture=item.picture,
        others=tuple(others),
    )


def _by_paragraph(pieces: Sequence[PackedSentence]) -> list[tuple[Paragraph, list[PackedSentence]]]:
    groups = groupby(pieces, key=lambda piece: id(piece.paragraph))
    return [(found[0].paragraph, found) for found in (list(group) for _, group in groups)]


def _windows(ranges: Sequence[tuple[int, int]], words: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """One to three sentences of about `WINDOW_WORDS`; a short rest joins the previous window."""
    windows: list[tuple[int, int]] = []
    start, held, count = 0, 0, 0
    for i, (first, last) in enumerate(ranges):
        if count == 0:
            start = first
        held, count = held + words[i], count + 1
        following = words[i + 1] if i + 1 < len(words) else 0
        full = held >= _WINDOW_ENOUGH or (count == _WINDOW_SENTENCES and held >= _WINDOW_REST)
        if full or held + following > 1.5 * WINDOW_WORDS or i + 1 == len(ranges):
            if i + 1 == len(ranges) and held < _WINDOW_REST and windows:
                windows[-1] = (windows[-1][0], last)
            else:
                windows.append((start, last))
            held, count = 0, 0
    return tuple(windows)
