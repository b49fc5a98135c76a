"""What is chosen from a passage: a sentence, and the stretch around it that is shown with it."""

from dataclasses import dataclass
from datetime import date

from core.domain.search import Hit

Range = tuple[int, int]
"""A character range of a passage's text, end exclusive."""


@dataclass(frozen=True, slots=True)
class Closeness:
    """How close the nearest sentences of all passages are to the question: mean cosine of the best `CLOSEST`,
    by encoder A (`primary`) and B (`secondary`)."""

    primary: float = 0.0
    secondary: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """A sentence chosen from `hit`: characters `start` to `end` of its passage's text. `closeness` is that of
    the passages it was chosen from; `spare`: shown only if no better one can be proven; `titled`: its heading
    should be shown; `parts`: what is shown, the sentence and its surroundings, in order (empty: the sentence
    alone); `read`: the reader's score, None if it was not read; `lead`: the lead of its score over the best
    one elsewhere, None if the reader ranked nothing or another sentence was first; `day`: the day on which it
    has to be valid, None for any; `barred`: the ranges of the passage's text that may not be shown, under
    headings over lapsed or others' statements; `parties`: those whose columns are shown if a table has
    columns for several; `column`: the only one shown of a row, with its first cell."""

    hit: Hit
    start: int
    end: int
    score: float
    similarity: float
    overlap: float
    closeness: Closeness = Closeness()
    spare: bool = False
    titled: bool = False
    parts: tuple[Range, ...] = ()
    read: float | None = None
    lead: float | None = None
    day: date | None = None
    barred: tuple[Range, ...] = ()
    parties: tuple[str, ...] = ()
    column: str = ""

    @property
    def text(self) -> str:
        """The sentence as the passage has it."""
        return self.hit.passage.text[self.start : self.end]

    @property
    def shown(self) -> str:
        """Everything that is shown, one sentence per line."""
        text = self.hit.passage.text
        return "\n".join(text[start:end] for start, end in self.parts) or self.text
