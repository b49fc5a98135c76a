"""A head that reads the text around an alleged quote in addition to the rules (`core.registry.attribution`),
since words are denied, mocked, retracted or attributed in more ways than rules foresee.
`benchmarks/train_frames.py` trains it.

All party names are replaced by the same word, and the quote is left out.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.errors import FundstelleError
from core.ports.models import Embedder
from core.question.heads import packaged, plain
from core.question.turns import PARTY, masked

WEIGHTS = Path(__file__).with_name("frames.npz")

DENIES, SAYS = 2.0, -6.0
"""Log-odds above which a frame denies the words in it, and below which it says whose they are; in between the
rules decide."""

CHANGES, REMARKS = 1.0, -1.25
"""Log-odds above which everything written around a quote changes it, and below which it only says whose it
is, asks about it or judges it, whatever the rules say; in between they decide."""

MARKED = -0.5
"""Log-odds below which a whole sentence in quotation marks is checked alone, which is told, if the document
does not have what stands around it."""

QUOTE = "„…“"
"""Replaces the quote."""

_WORDS = re.compile(rf"{QUOTE}|{PARTY.lower()}|[^\W_]+|[?!,:.…–]")
_QUOTED = re.compile(r"[„“«\"]\s?…\s?[“”»\"]")


class FrameReader:
    """Reads frames. `encoders` must be those that the head was trained with; with others it finds nothing."""

    def __init__(self, encoders: Sequence[Embedder] = ()) -> None:
        self._encoders = packaged(WEIGHTS).usable(encoders)

    async def odds(self, frame: str) -> float:
        """The log-odds that a masked `frame` says that nobody said the words, or not so, or no longer; 0.0 if
        unknown."""
        if not self._encoders:
            return 0.0
        try:
            vectors = [await encoder.query(plain(frame)) for encoder in self._encoders]
        except FundstelleError:  # answering runs into it as well, and reports it
            return 0.0
        text = plain(frame)
        return float(np.logaddexp.reduce(packaged(WEIGHTS).odds(text, vectors, placed(text))))


def placed(frame: str) -> set[str]:
    """The words and signs of a frame, and runs of up to three, by the side of the quote they are on: features
    that encoders hardly see."""
    words = _WORDS.findall(frame)
    quote = words.index(QUOTE) if QUOTE in words else len(words)
    return {
        f"{'behind' if at > quote else 'before'} {' '.join(words[at : at + size])}"
        for size in (1, 2, 3)
        for at in range(len(words) - size + 1)
    }


def masked_frame(frame: str) -> str:
    """A frame as the head reads it, from one with "@" in place of parties."""
    return masked(_QUOTED.sub(QUOTE, frame.replace("@", PARTY)), ())
