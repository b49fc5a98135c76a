"""What a text recogniser says of cited letters that nothing in the file vouches for."""

import asyncio
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from unicodedata import normalize

from rapidfuzz.distance import Levenshtein

from adapters.pymupdf.unsure import Unsure
from core.errors import Refused
from core.ports.files import LineRecogniser

TIMEOUT_S = 1.5
"""For the lines of one quote on one page; afterwards the answer is as it is without recognition."""
MAX_OTHER = 0.4
"""Share of the letters that may be recognised as others; with more, the picture cannot be read."""
_FEW = 2  # letters that may be others in any line
_ALIKE = ("0oqc", "1iljrtf7", "s5", "z2", "b6", "g9q", "uv", "ceo", "nh", "b8", "38")
"""Characters that recognition takes for each other."""
_MOST = 50_000


class SecondOpinion:
    """Asks a recogniser. Glyphs (by their fonts' programs) and places are considered once."""

    def __init__(self, recogniser: LineRecogniser) -> None:
        self._recogniser = recogniser
        self._looked_at: set[tuple[str, str]] = set()
        self._said: dict[Hashable, bool] = {}

    def open(self, unsure: Sequence[Unsure]) -> list[Unsure]:
        """Those of the letters that are worth a look and that nobody has looked at yet."""
        new = (each for each in unsure if not each.glyph or (each.glyph, each.text) not in self._looked_at)
        return [each for each in new if _is_telling(each)]

    def known(self, place: Hashable) -> bool | None:
        """What was said of the words of a place before."""
        return self._said.get(place)

    async def disagrees(
        self, place: Hashable, picture: bytes, words: Sequence[tuple[int, str]], unsure: Sequence[Unsure]
    ) -> bool:
        """Whether the picture of `words` (their indices and letters, in reading order) shows another letter
        than one of `unsure`, and its strokes are nearer to that, or it does so again and again. False where
        it cannot be read in time. `place` tells it from all other words."""
        shown: Mapping[tuple[int, int], str] = {}
        with suppress(Refused, TimeoutError):
            shown = _shown(words, await asyncio.wait_for(self._recogniser.lines(picture), TIMEOUT_S))
        said = any(_is_other(each, shown) for each in unsure) or _repeatedly(unsure, shown)
        if len(self._said) >= _MOST:
            self._said.clear()
        self._said[place] = said
        if not said and len(self._looked_at) < _MOST:
            self._looked_at |= {(each.glyph, each.text) for each in unsure if each.glyph}
        return said


def _is_telling(letter: Unsure) -> bool:
    """Whether recognition could tell the letter from one of its rivals: not a letter from a digit, nor two
    letters that it takes for each other. A digit is always worth a look."""
    rivals = [each for each in _folded(letter.rivals) if each.isdigit() == letter.text.isdigit()]
    return letter.text.isdigit() or any(not _alike(_folded(letter.text), each) for each in rivals)


def _is_other(letter: Unsure, shown: Mapping[tuple[int, int], str]) -> bool:
    """Whether another letter, or another digit, was recognised in its place, which its strokes are nearer to.
    Raised and small digits are read as letters easily."""
    seen = shown.get((letter.word, letter.place), "")
    return seen.isdigit() == letter.text.isdigit() and seen != "" and seen in _folded(letter.rivals)


def _repeatedly(unsure: Sequence[Unsure], shown: Mapping[tuple[int, int], str]) -> bool:
    """Whether a glyph was recognised more than once, each time as the same other letter, not one alike."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in unsure:
        if seen := shown.get((each.word, each.place)):
            found.setdefault((each.glyph, _folded(each.text)), []).append(seen)
    return any(
        len(seen) > 1 and len(set(seen)) == 1 and not _alike(text, seen[0])
        for (_, text), seen in found.items()
    )


def _alike(one: str, other: str) -> bool:
    return one == other or any(one in group and other in group for group in _ALIKE)


def _shown(words: Sequence[tuple[int, str]], read: str) -> dict[tuple[int, int], str]:
    """What was recognised in the place of each letter; empty where the picture cannot be read."""
    places = [(word, place) for word, text in words for place in range(len(text))]
    said, seen = _folded("".join(text for _, text in words)), _folded("".join(filter(str.isalnum, read)))
    if Levenshtein.distance(said, seen) > max(_FEW, MAX_OTHER * len(said)):
        return {}
    return dict(_pairs(places, said, seen))


def _pairs(places: Sequence[tuple[int, int]], said: str, seen: str) -> Iterator[tuple[tuple[int, int], str]]:
    for step in Levenshtein.opcodes(said, seen):
        if step.tag in ("equal", "replace"):
            for i, j in zip(
                range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True
            ):
                yield places[i], seen[j]


def _folded(text: str) -> str:
    """Small letters without accents, one for each."""
    return "".join((normalize("NFD", character)[0].lower() or character)[0] for character in text)
