"""Who reads what stands round an alleged quote beside the rules (`core.registry.attribution`): a head, since
words are denied, mocked, taken back or ascribed to somebody in more ways than rules foresee.
`benchmarks/train_frames.py` trains it.

All names of parties are read as one and the same, and the quote is left out.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.errors import FundstelleError
from core.ports.embedding import Embedder
from core.question.heads import packaged, plain
from core.question.turns import PARTY, masked

WEIGHTS = Path(__file__).with_name("frames.npz")

DENIES, SAYS = 2.0, -4.0
"""Logarithms of the odds from which on a frame denies the words in it, and up to which it says whose they
are; between them the rules decide."""

QUOTE = "„…“"
"""Stands for the quote."""

_QUOTED = re.compile(r"[„“«\"]\s?…\s?[“”»\"]")


class FrameReader:
    """Reads frames. `encoders` are those that the head was trained over; with others it finds nothing."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        self._encoders = packaged(WEIGHTS).usable(encoders)

    async def odds(self, frame: str) -> float:
        """The logarithm of the odds that a masked `frame` says of the words that nobody said them, or not so,
        or not any more; 0.0 where nothing is known."""
        if not self._encoders:
            return 0.0
        try:
            vectors = [await encoder.query(plain(frame)) for encoder in self._encoders]
        except FundstelleError:  # whoever answers runs into it as well, and says so
            return 0.0
        return float(np.logaddexp.reduce(packaged(WEIGHTS).odds(plain(frame), vectors)))


def masked_frame(frame: str) -> str:
    """A frame as the head reads it, of one in which "@" stands for parties."""
    return masked(_QUOTED.sub(QUOTE, frame.replace("@", PARTY)), ())
