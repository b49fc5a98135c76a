"""Whether what a quote leaves out of its sentence changes nothing, where the rules of `core.evidence` find
neither that it does nor that it does not: reasons, remarks and further statements are worded in too many ways
for rules. A network weighs the words left out as they are read in their sentence, those beside them, and what
both say. Its training data were mostly written by people who had not seen the code
(`benchmarks/train_cuts.py`)."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.domain.answers import LeftOut, Setting
from core.domain.search import Vector
from core.errors import FundstelleError
from core.ports.models import Embedder, WordEncoder
from core.question.carried import Stretch, words_of
from core.question.heads import Floats, Network, plain

WEIGHTS = Path(__file__).with_name("cuts.npz")

SURE = 0.5
"""Log-odds from which words left out change nothing; all that are left out must have them."""

DENYING, LEAST_DENYING = 1.5, 4
"""The same if one of the words denies something, and the words that each run must have then: a lone "not"
denies what is left."""

READ = 800
"""Maximum characters of sentences that are judged: about what the encoder of words reads."""

_BEFORE = ",;:–-("
_LONG = 20


class CutJudge:
    """Judges with the encoders that the network was trained with; with others or none, no cut is harmless."""

    def __init__(self, words: WordEncoder | None = None, texts: Embedder | None = None) -> None:
        known = words is not None and texts is not None and (words.name, texts.name) == packaged()[0]
        self._encoders = (words, texts) if known else None

    async def harmless(self, setting: Setting) -> bool:
        """Whether the words that a quote lacks of its sentences in `setting` change nothing."""
        words, texts = self._encoders or (None, None)
        if words is None or texts is None:
            return False
        try:
            read = await read_cut(words, texts, setting.text, setting.left_out)
        except FundstelleError:  # verifying runs into it as well, and reports it
            return False
        denied = setting.why is LeftOut.DENIES
        few = denied and any(
            len(setting.text[start:end].split()) < LEAST_DENYING for start, end in setting.left_out
        )
        bound = DENYING if denied else SURE
        return read is not None and not few and bool((packaged()[1].odds(read) > bound).all())


@cache
def packaged() -> tuple[tuple[str, str], Network]:
    """The names of the encoders, and the network shipped with the bot."""
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        words, texts = map(str, kept["encoders"])
        return (words, texts), Network.stored(kept)


async def read_cut(
    words: WordEncoder, texts: Embedder, text: str, left_out: Sequence[Stretch]
) -> Floats | None:
    """What is read of each run of words of `text` that are left out: (runs, n); None if there are none, or if
    it is too long."""
    said = words_of(text, ())
    runs = _runs(said, left_out)
    if not runs or len(text) > READ:
        return None
    _, vectors = await words.words((), [word for word, *_ in said])
    kept = np.ones(len(said), bool)
    for start, end in runs:
        kept[start:end] = False
    rest = " ".join(word for (word, *_), own in zip(said, kept, strict=True) if own)
    lacking = [text[said[start][1] : said[end - 1][2]] for start, end in runs]
    *meant, of_rest = await texts.passages([plain(each) for each in (*lacking, rest)])
    return np.stack(
        [
            _features([word for word, *_ in said], vectors, kept, run, (own, of_rest))
            for run, own in zip(runs, meant, strict=True)
        ]
    )


def _runs(said: Sequence[tuple[str, int, int]], left_out: Sequence[Stretch]) -> list[tuple[int, int]]:
    """Which words are left out, each run with the signs beside it, wherever the quote ends: its comma is the
    sentence's."""
    lacking = [any(start < stop and at < end for at, stop in left_out) for _, start, end in said]
    signs = [not any(sign.isalnum() for sign in word) for word, *_ in said]
    for order in (range(1, len(said)), range(len(said) - 2, -1, -1)):
        for at in order:
            beside = at - 1 if order.step > 0 else at + 1
            lacking[at] = lacking[at] or (signs[at] and lacking[beside])
    runs = [[at for at, _ in run] for own, run in groupby(enumerate(lacking), lambda each: each[1]) if own]
    return [(run[0], run[-1] + 1) for run in runs if not all(signs[at] for at in run)]


def _features(
    said: Sequence[str],
    vectors: Vector,
    kept: NDArray[np.bool_],
    run: tuple[int, int],
    meant: tuple[Vector, Vector],
) -> Floats:
    """What is read of the words `run` that are left out of `said`: (n,)."""
    start, end = run
    own, rest = vectors[start:end], vectors[kept].mean(axis=0) if kept.any() else np.zeros_like(vectors[0])
    letters = "".join(said[start:end])
    first, last = not kept[:start].any(), not kept[end:].any()
    told = [first, last, not (first or last), min(end - start, _LONG) / _LONG, np.log1p(end - start)]
    told += [bool(re.search(r"\d", letters)), *(letters.startswith(sign) for sign in _BEFORE)]
    told += [letters.endswith(sign) for sign in (":", ",", ".", ")")]
    vector, of_rest = meant
    read = (own.mean(axis=0), own.max(axis=0), own[0], own[-1], rest)
    return np.concatenate(
        [np.array(told, np.float32), *read, vector, of_rest, len(vector) * vector * of_rest]
    )
