"""What the operator hears where the cross encoder's files are not there, and that no thread is kept busy."""

from pathlib import Path

import pytest

from adapters.embedding.fastembed_models import CrossEncoderReranker
from core.errors import Broken, Unavailable
from tests.support.cross_encoder import tiny_cross_encoder


@pytest.mark.parametrize("model", ["", "no/such-model", "Xenova/ms-marco-MiniLM-L-6-v2"])
async def test_a_model_that_is_not_there_is_not_fetched(model: str, tmp_path: Path) -> None:
    with pytest.raises(Broken) as caught:
        await CrossEncoderReranker(model, cache_dir=tmp_path).warm_up()
    assert caught.value.key == "rerank.model_missing"


async def test_a_folder_without_its_files(tmp_path: Path) -> None:
    folder = tiny_cross_encoder(tmp_path / "tiny")
    (folder / "model.onnx").unlink()
    with pytest.raises(Broken) as caught:
        await CrossEncoderReranker(str(folder), cache_dir=tmp_path).rank(
            "a", ["b"], collections=[], deadline_s=60
        )
    assert caught.value.key == "rerank.model_missing"


async def test_too_late_is_said(tmp_path: Path) -> None:
    reranker = CrossEncoderReranker(str(tiny_cross_encoder(tmp_path / "tiny")), cache_dir=tmp_path)
    await reranker.warm_up()
    with pytest.raises(Unavailable) as caught:
        await reranker.rank("toll", ["the toll"] * 200_000, collections=[], deadline_s=0.01)
    assert caught.value.key == "rerank.timeout"
    found = await reranker.rank("toll", ["the school", "the toll"], collections=[], deadline_s=60)
    assert [item.index for item in found] == [1, 0]
