"""A tiny cross encoder as a folder of real files: a word of the text that stands in the question as well
counts for it, every other word against it."""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WORDS = ("toll", "ferry", "ferries", "lower", "free", "school", "garden", "the")
SEPARATOR = "[SEP]"


def tiny_cross_encoder(folder: Path) -> Path:
    """Write the files of one that likes "toll"."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = {word: n for n, word in enumerate(("[PAD]", "[UNK]", SEPARATOR, *WORDS))}
    weights = np.zeros((len(vocabulary), 1), np.float32)
    weights[vocabulary["toll"]] = 3.0
    weights[vocabulary["ferry"]] = 1.0
    weights[vocabulary["school"]] = weights[vocabulary["garden"]] = -3.0
    (folder / "model.onnx").write_bytes(_graph(weights).SerializeToString())
    _write_tokenizer(folder, vocabulary)
    return folder


def _graph(weights: np.ndarray) -> onnx.ModelProto:
    """logits[b, 1] = the sum of the words' weights where the mask is on."""
    nodes = [
        helper.make_node("Gather", ["weights", "input_ids"], ["each"], axis=0),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
        helper.make_node("Mul", ["each", "column"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "words"], ["logits"], keepdims=0),
    ]
    ids = [
        helper.make_tensor_value_info(n, TensorProto.INT64, ["b", "s"])
        for n in ("input_ids", "attention_mask")
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        ids,
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", 1])],
        [
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.array([2], np.int64), "last"),
            numpy_helper.from_array(np.array([1], np.int64), "words"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def _write_tokenizer(folder: Path, vocabulary: dict[str, int]) -> None:
    from tokenizers import Tokenizer, normalizers, pre_tokenizers
    from tokenizers.models import WordLevel

    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "sep_token": SEPARATOR}
    files = {
        "config.json": {"pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 512, **special},
        "special_tokens_map.json": special,
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
