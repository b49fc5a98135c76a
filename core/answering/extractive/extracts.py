"""What is chosen from a passage: a sentence, and the stretch round it that is shown with it."""

from dataclasses import dataclass

from core.domain.search import Hit

Range = tuple[int, int]
"""Characters of a passage's text, the first and the one behind the last."""


@dataclass(frozen=True, slots=True)
class Closeness:
    """How close the nearest sentences of all passages come to the question: mean cosine of the best
    `CLOSEST`, by encoder A (`primary`) and B (`secondary`)."""

    primary: float = 0.0
    secondary: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """A sentence chosen from `hit`: characters `start` to `end` of its passage's text. `closeness` is
    that of the passages it was chosen from; `spare`: to be shown only if no better one can be proven;
    `titled`: its heading is to be shown;
    `parts`: what is shown, the sentence and what surrounds it, in order (empty: the sentence alone);
    `read`: what the reader says of it, None if it has not read it; `lead`: how far its score stands above the
    best one elsewhere, None where the reader has ranked nothing or another sentence was first."""

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

    @property
    def text(self) -> str:
        """The sentence as the passage has it."""
        return self.hit.passage.text[self.start : self.end]

    @property
    def shown(self) -> str:
        """All that is shown, the sentences a line each."""
        text = self.hit.passage.text
        return "\n".join(text[start:end] for start, end in self.parts) or self.text
