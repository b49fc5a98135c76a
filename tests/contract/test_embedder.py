"""What every dense encoder must do: the fake, encoder A, encoder B."""

import asyncio

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from core.ports.models import Embedder
from tests.support.encoders import models_dir
from tests.support.fake_embedder import FakeEmbedder

TEXTS = [
    "Wir wollen die Mieten in angespannten Wohnungsmärkten wirksam begrenzen.",
    "Die Mieten sollen in Städten mit Wohnungsnot begrenzt werden.",
    "The promoter shall deposit seventy per cent. of the amounts realised in a separate account.",
    "§ 5 Abs. 2",
    "",
]


@pytest.fixture(scope="module")
def embedders() -> dict[str, Embedder]:
    models = models_dir()
    return {"fake": FakeEmbedder(), "e5": E5Embedder(models), "use": UseEmbedder(models)}


@pytest.fixture(params=["fake", "e5", "use"])
def embedder(request: pytest.FixtureRequest, embedders: dict[str, Embedder]) -> Embedder:
    return embedders[request.param]


async def test_vectors_have_unit_length_and_the_stated_shape(embedder: Embedder) -> None:
    vectors = await embedder.passages(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    query = await embedder.query("Mieten begrenzen")
    assert query.shape == (embedder.dimension,)
    assert query.dtype == np.float32
    assert np.linalg.norm(query) == pytest.approx(1.0, abs=1e-5)


async def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert (await embedder.passages([])).shape == (0, embedder.dimension)
    assert embedder.count_tokens([]) == []


async def test_a_vector_depends_on_its_text_alone(embedder: Embedder) -> None:
    together = await embedder.passages(TEXTS)
    backwards = (await embedder.passages(TEXTS[::-1]))[::-1]
    alone = np.concatenate([await embedder.passages([text]) for text in TEXTS])
    np.testing.assert_array_equal(together, backwards)
    np.testing.assert_array_equal(together, alone)


async def test_related_texts_are_nearer(embedder: Embedder) -> None:
    query = await embedder.query("Mieten begrenzen")
    scores = (await embedder.passages(TEXTS)) @ query
    assert scores[:2].min() > scores[2:4].max()


async def test_progress_ends_with_all_texts_done(embedder: Embedder) -> None:
    seen: list[tuple[int, int]] = []
    await embedder.passages(TEXTS, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(TEXTS), len(TEXTS))
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


async def test_text_beyond_the_limit_is_cut_off_but_counted(embedder: Embedder) -> None:
    words = ["haus"] * (embedder.max_tokens - 10)
    long = " ".join([*words, *["baum"] * 400])
    longer = long + " garten" * 400
    counts = embedder.count_tokens([long, longer])
    assert embedder.max_tokens < counts[0] < counts[1]
    same = await embedder.passages([long, longer])
    np.testing.assert_array_equal(same[0], same[1])


def test_counts_do_not_depend_on_the_other_texts(embedder: Embedder) -> None:
    texts = [*TEXTS, "haus " * 3000]
    assert embedder.count_tokens(texts) == [embedder.count_tokens([text])[0] for text in texts]
    assert all(count >= 2 for count in embedder.count_tokens(texts))


async def test_questions_are_answered_while_passages_are_encoded(embedder: Embedder) -> None:
    finished: list[str] = []

    async def encode() -> None:
        await embedder.passages(TEXTS * 20)
        finished.append("passages")

    async def ask() -> None:
        await embedder.query("Mieten")
        finished.append("query")

    task = asyncio.create_task(encode())
    await asyncio.sleep(0)
    await ask()
    await task
    assert finished[0] == "query" or isinstance(embedder, FakeEmbedder)


async def test_documents_share_the_threads(embedder: Embedder) -> None:
    alone = await embedder.passages(TEXTS)
    for vectors in await asyncio.gather(*(embedder.passages(TEXTS) for _ in range(3))):
        np.testing.assert_array_equal(vectors, alone)


async def test_encoding_can_be_cancelled_and_goes_on_afterwards(embedder: Embedder) -> None:
    task = asyncio.create_task(embedder.passages(TEXTS * 50))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert (await embedder.passages(TEXTS)).shape[0] == len(TEXTS)


async def test_names_tell_encoders_apart(embedders: dict[str, Embedder]) -> None:
    assert len({embedder.name for embedder in embedders.values()}) == len(embedders)
