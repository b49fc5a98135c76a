"""From an alleged quote to the source's own words, and what the alleged quote is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.answers import Difference, Quote, Verdict
from core.domain.passages import Span
from core.evidence.exact import MIN_CHARACTERS, find_exact
from core.evidence.index import DocumentIndex
from core.evidence.quoted import Quoted
from core.evidence.repair import best_comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """What an alleged quote is (every verdict but misattributed).

    `quote` is the source's own text where it stands, also for an altered quote (the words it was made
    from); None for too_short and absent. `coverage` is the share of the alleged quote's letters that
    stand there, 0 to 1.
    """

    verdict: Verdict
    quote: Quote | None = None
    differences: tuple[Difference, ...] = ()
    coverage: float = 0.0

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where the quote stands; empty where there is none."""
        return self.quote.spans if self.quote else ()

    @property
    def citable(self) -> bool:
        """Whether the quote may be shown as a citation: verbatim, typo or near."""
        return self.verdict in (Verdict.VERBATIM, Verdict.TYPO, Verdict.NEAR)


def align(text: str, index: DocumentIndex, *, hint: Sequence[Span] = ()) -> Alignment:
    """Find the alleged quote `text` in the pages of `index`.

    `hint` says where it should stand (a passage's spans, in reading order); it decides between
    repeated texts and never keeps the quote from being found elsewhere in the pages. Pages the hint
    names but the index lacks are ignored.
    """
    quote = Quoted(text)
    if len(quote.skeleton) < MIN_CHARACTERS:
        return Alignment(verdict=Verdict.TOO_SHORT)
    found = find_exact(quote, index, hint)
    if found is not None:
        return Alignment(
            verdict=Verdict.VERBATIM, quote=index.quote(found.view, found.stretches), coverage=1.0
        )
    return _repaired(quote, index, hint)


def _repaired(quote: Quoted, index: DocumentIndex, hint: Sequence[Span]) -> Alignment:
    comparison = best_comparison(quote, index, hint)
    verdict = comparison.verdict() if comparison else None
    if comparison is None or verdict is None:
        return Alignment(verdict=Verdict.ABSENT)
    return Alignment(
        verdict=verdict,
        quote=index.quote(comparison.view, (comparison.stretch,)),
        differences=comparison.differences(),
        coverage=comparison.coverage,
    )
