"""Whether a quote can be on given pages at all, judging by their letters alone.

Alignment needs words with positions; to rule a quote out takes only the pages' letters, which are small
enough to keep in memory. Whatever alignment finds without a hint passes, by the same rules: the letters of
the whole quote, of its two ends or of all its parts, else a window around a place that its n-grams vote for
and that contains enough of its words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise

from core.domain.pages import WrittenPage
from core.evidence.index import MISSING
from core.evidence.page_breaks import BREAK_CHARACTERS
from core.evidence.quoted import Quoted
from core.evidence.raised import has_raised
from core.evidence.repair import LONG_RUN, NEAR_SHARE, QUOTED_SHARE, voted_places, window_of
from core.evidence.skeleton import copied_skeleton, skeleton, written_skeleton

_EDGE = 300
"""Maximum letters of a word that may cross a window's edge."""


@dataclass(frozen=True, slots=True)
class PageLetters:
    """The letters of page `number` in each view of it, that of the body first."""

    number: int
    readings: tuple[str, str, str, str]

    @classmethod
    def of(cls, page: WrittenPage) -> "PageLetters":
        """The letters of `page`."""
        letters = list(map(written_skeleton, page.texts, page.note_chars))
        body, framed = "".join(compress(letters, page.is_text)), "".join(letters)
        if not (any(page.note_chars) or any(map(has_raised, page.texts))):
            return cls(page.number, (body, framed, body, framed))
        digits = list(map(copied_skeleton, page.texts, page.note_chars))
        return cls(page.number, (body, framed, "".join(compress(digits, page.is_text)), "".join(digits)))


def may_be_verbatim(quote: Quoted, pages: Sequence[PageLetters]) -> bool:
    """Whether aligning `quote` with `pages` (ascending) may find it verbatim."""
    return any(_exactly(quote, text) for text in {_running(pages, kind) for kind in range(4)})


def may_be_near(quote: Quoted, pages: Sequence[PageLetters]) -> bool:
    """Whether aligning a quote that is not verbatim may find the words it was made from."""
    return _nearly(quote, _running(pages, 0))


def _running(pages: Sequence[PageLetters], kind: int) -> str:
    """One view's reading of the pages."""
    gaps = ("" if after.number == page.number + 1 else MISSING for page, after in pairwise(pages))
    pieces = (page.readings[kind] + gap for page, gap in zip(pages, [*gaps, ""], strict=True))
    return "".join(pieces)


def _exactly(quote: Quoted, text: str) -> bool:
    letters = quote.skeleton
    ends = letters[:BREAK_CHARACTERS], letters[-BREAK_CHARACTERS:]
    return (
        letters in text
        or (len(letters) >= 2 * BREAK_CHARACTERS and all(end in text for end in ends))
        or (len(quote.parts) > 1 and all(part.skeleton in text for part in quote.parts))
    )


def _nearly(quote: Quoted, text: str) -> bool:
    words = [skeleton(word) for word in quote.words]
    runs = ["".join(words[at : at + LONG_RUN]) for at in range(len(words) - LONG_RUN + 1)]
    return any(_enough(words, runs, len(quote.skeleton), window) for window in _windows(quote.skeleton, text))


def _windows(letters: str, text: str) -> Iterator[str]:
    for place in voted_places(letters, text):
        low, high = window_of(len(letters), place, len(text))
        yield text[max(low - _EDGE, 0) : high + _EDGE]


def _enough(words: Sequence[str], runs: Sequence[str], letters: int, window: str) -> bool:
    """Whether the window contains enough of the words for a verdict other than absent."""
    there = [word for word in words if word in window]
    return (
        sum(map(len, there)) >= QUOTED_SHARE * letters
        or len(there) >= len(words) - max(1, len(words) // NEAR_SHARE)
        or any(run in window for run in runs)
    )
