"""Whether stretches with a quote's letters also have its figures, symbols and stops."""

from collections.abc import Sequence

from core.evidence.figures import figures, same_figures
from core.evidence.index import DocumentIndex, Stretch, View
from core.evidence.punctuation import conflicts
from core.evidence.quoted import Quoted


def same_marks(quote: Quoted, index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> bool:
    """Whether numbers, symbols and stops are those of the stretches, which have the same letters."""
    same = same_figures(figures_of(index, view, stretches), quote.figures, index.language)
    return same and not differing_marks(quote.text, index, view, stretches)


def differing_marks(text: str, index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> list[int]:
    """Places where symbols and stops of `text` are not those of the stretches, which have the same letters.

    List signs may be left out or stand there as they are.
    """
    without = conflicts(text, index.paragraphs(view, stretches))
    if not without:
        return []
    return sorted(set(without) & set(conflicts(text, index.paragraphs(view, stretches, signs=True))))


def figures_of(index: DocumentIndex, view: View, stretches: Sequence[Stretch]) -> tuple[str, ...]:
    """Numbers and symbols of the stretches in order."""
    return figures(" ".join(index.plain_text(view, stretch) for stretch in stretches))
