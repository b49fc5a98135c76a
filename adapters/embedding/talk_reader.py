"""The packaged reader of talk: a line of a group and what was said before it through the encoder's layers
together, trained to say whether the line is for the bot (`training/`). Nothing leaves the machine."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from adapters.embedding.reader import make_reader
from adapters.embedding.trained_model import TrainedModel
from adapters.embedding.unigram import UnigramTokenizer
from adapters.embedding.workers import EncoderWorkers
from core.ports.reading import TalkReader

BEFORE_TOKENS, LINE_TOKENS = 200, 56
"""Tokens of what was said before, of which the last count, and of the line, of which the first do."""

WEIGHTS = "talk.npz"

REVISION = 2
"""Raise it with every new file of weights, and with another graph: what was made is then made anew."""

NAME = f"fundstelle-talk-{REVISION}"


class PackagedTalkReader(TalkReader):
    """Odds of lines, one by one. For `models_dir` and `tokenizer` see TrainedModel."""

    def __init__(self, models_dir: Path, *, tokenizer: Callable[[], UnigramTokenizer] | None = None) -> None:
        self._workers = EncoderWorkers(NAME, 1)
        self._model = TrainedModel(NAME, models_dir, partial(make_reader, weights=WEIGHTS), tokenizer)

    async def odds(self, before: str, line: str) -> float:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        return await self._workers.question(lambda: self._odds(before, line))

    async def warm_up(self) -> None:
        """Load the model."""
        await self.odds("", "warm up")

    def _odds(self, before: str, line: str) -> float:
        heard, said = pair(self._model.tokens, before, line)
        ids = np.array([heard + said], np.int64)
        parts = np.array([[0] * len(heard) + [1] * len(said)], np.int64)
        return float(self._model.run({"input_ids": ids, "parts": parts})[0, 0])


def pair(tokens: Callable[[str], list[int]], before: str, line: str) -> tuple[list[int], list[int]]:
    """The tokens of both that are read, each with its special ones."""
    first, *rest = tokens(f"query: {before}")
    return [first, *rest[-BEFORE_TOKENS:]], tokens(line)[1:][:LINE_TOKENS]
