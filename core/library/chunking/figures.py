"""Figures: their captions become passages of their own, the labels drawn in them leave the running text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.pages import Box, Page, Region, RegionKind, Word
from core.domain.passages import PassageKind, Picture
from core.evidence.text import Vocabulary
from core.library.chunking.layout import Paragraph
from core.library.chunking.packing import Packed, pieces_of
from core.library.chunking.tables import Insets, heading_above
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
            words = tuple(page.words[i] for i in sorted(region.caption) if page.words[i].is_text)
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
    packed: Sequence[Packed], figures: Sequence[Figure], vocabulary: Vocabulary, title: str, language: str
) -> list[Packed]:
    """`packed` with the captions as passages of their own, each behind the text that begins before it, whose
    section it has."""
    insets = Insets(packed)
    for figure in figures:
        caption = _paragraph(figure, vocabulary)
        if not caption.text:
            continue
        before = insets.before(figure.place)
        inset = Packed(
            tuple(pieces_of(caption, language)),
            heading_above(before, figure.place, title, language),
            before.section if before else None,
            PassageKind.FIGURE,
            Picture(figure.page.number, figure.box),
        )
        insets.put(figure.place, inset)
    return insets.made()


def _paragraph(figure: Figure, vocabulary: Vocabulary) -> Paragraph:
    made = Paragraph(page_lines(figure.page, figure.caption))
    made.flow = flow(made.lines, vocabulary)
    return made
