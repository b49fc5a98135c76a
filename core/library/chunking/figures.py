"""Figures: their captions become passages of their own, the labels drawn in them leave the running text."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.pages import Box, Page, Region, RegionKind, Word
from core.domain.passages import PassageDraft, PassageKind, Picture
from core.evidence.text import Vocabulary
from core.library.chunking.layout import Paragraph
from core.library.chunking.packing import CountTokens, Packed, drafts, pieces_of
from core.library.chunking.text import flow
from core.library.lines import page_lines

Regions = Mapping[int, Sequence[Region]]
"""Tables and figures by the number of their page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of `page` and the words of its caption, at least one."""

    page: Page
    box: Box
    caption: tuple[Word, ...]

    @property
    def place(self) -> tuple[int, int]:
        """Page and character where the caption begins."""
        return self.page.number, self.caption[0].start


def figures_of(pages: Sequence[Page], regions: Regions) -> list[Figure]:
    """The figures of `pages` whose captions are no page furniture, in document order."""
    found = []
    for page in pages:
        for region in regions.get(page.number, ()):
            words = tuple(page.words[i] for i in sorted(region.caption) if not page.words[i].furniture)
            if region.kind is RegionKind.FIGURE and words:
                found.append(Figure(page=page, box=region.box, caption=words))
    return sorted(found, key=lambda figure: figure.place)


def running_words(page: Page, figures: Sequence[Figure]) -> Sequence[Word]:
    """The words of a page without the captions of `figures` and what is written in them."""
    here = [figure for figure in figures if figure.page is page]
    if not here:
        return page.words
    captions = {word.start for figure in here for word in figure.caption}
    return [
        word
        for word in page.words
        if word.start not in captions and not any(_holds(figure.box, word.box) for figure in here)
    ]


def _holds(box: Box, inner: Box) -> bool:
    """Whether the middle of `inner` is in `box`."""
    x, y = (inner.x0 + inner.x1) / 2, (inner.y0 + inner.y1) / 2
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def with_figures(
    made: Sequence[PassageDraft],
    figures: Sequence[Figure],
    vocabulary: Vocabulary,
    language: str,
    count_tokens: CountTokens,
    max_tokens: int,
) -> list[PassageDraft]:
    """`made`, the passages of the text in document order, with those of the captions behind the passages in
    which they stand, whose headings they take over."""
    places = [(draft.spans[0].page, draft.spans[0].start) for draft in made]
    behind: dict[int, list[PassageDraft]] = {}
    for figure in figures:
        at = bisect_right(places, figure.place)
        heading = made[max(0, at - 1)].heading if made else ""
        behind.setdefault(at, []).extend(
            _passages(figure, heading, vocabulary, language, count_tokens, max_tokens)
        )
    mixed = list(behind.get(0, ()))
    for at, draft in enumerate(made, start=1):
        mixed += [draft, *behind.get(at, ())]
    return mixed


def _passages(
    figure: Figure,
    heading: str,
    vocabulary: Vocabulary,
    language: str,
    count_tokens: CountTokens,
    max_tokens: int,
) -> list[PassageDraft]:
    """The caption as a passage, or as several where it is too long for one."""
    paragraph = Paragraph(page_lines(figure.page, figure.caption))
    paragraph.flow = flow(paragraph.lines, vocabulary)
    if not paragraph.text:
        return []
    packed = Packed(tuple(pieces_of(paragraph, language)), heading)
    picture = Picture(figure.page.number, figure.box)
    return [
        replace(draft, kind=PassageKind.FIGURE, picture=picture)
        for draft in drafts([packed], count_tokens, max_tokens)
    ]
