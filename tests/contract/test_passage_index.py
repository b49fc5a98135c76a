"""What every passage index must do: the fake, the embedded one, the client's local mode, that behind the wire
of a server, a server.

The server's turn comes where FUNDSTELLE_TEST_QDRANT_URL names one.
"""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from qdrant_client import AsyncQdrantClient

from adapters.qdrant.edge import EdgeIndex
from adapters.qdrant.server import ServerIndex
from adapters.qdrant.tuning import PRESETS, Tuning
from core.domain.documents import DocumentFields, DocumentType
from core.domain.ids import VersionId
from core.domain.search import Candidate, Held, IndexPoint, QueryVectors, ScopeKeys, Space, SparseVector
from core.errors import Broken
from core.library.indexing import RETIRED, keys_of, packed, unpacked
from core.ports.index import PassageIndex, PassageStore
from core.search.scope_keys import FEW
from core.search.scoped_index import ScopedIndex
from tests.support.fake_index import FakeIndex, exact_scores, inverse_document_frequency
from tests.support.index_points import LIBRARY, PRIMARY, SECONDARY, points, question, version
from tests.support.qdrant_server import QdrantStandIn, serving

TOLERANCE = 1e-3  # float16 keeps cosines to about 3e-4
QUANTISED = 0.1
"""How near the last of the best a vector may be to be taken for one of them by 4 bits a dimension."""
A, B, C = version("a"), version("b"), version("c")


@pytest.fixture(params=["fake", "edge", "local", "wire", *(f"server {preset}" for preset in PRESETS)])
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[PassageIndex]:
    if request.param.startswith("server"):
        # Each shard counts for itself how rare a word is; scores are exact in one.
        async with server_index(replace(PRESETS[request.param.split()[1]], shards=1)) as served:
            yield served
        return
    if request.param == "wire":
        async with serving(QdrantStandIn()) as url:
            wired = ServerIndex.connect(
                url, api_key=None, prefix="test", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY
            )
            yield ScopedIndex(wired)
            await wired.close()
        return
    built = {"fake": FakeIndex, "edge": lambda: edge_index(tmp_path), "local": local_index}[request.param]()
    yield built
    await built.close()


def edge_index(folder: Path) -> ScopedIndex:
    return ScopedIndex(EdgeIndex(folder / "index", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY))


def local_index() -> ScopedIndex:
    client = AsyncQdrantClient(":memory:")
    return ScopedIndex(
        ServerIndex(client, prefix="test", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY, local=True)
    )


class server_index:  # noqa: N801 (used like a function)
    """An index on the server of the environment, its collections removed afterwards. Copies need a cluster
    that has so many nodes."""

    def __init__(self, tuning: Tuning) -> None:
        self.tuning = tuning

    async def __aenter__(self) -> ScopedIndex:
        url = os.environ.get("FUNDSTELLE_TEST_QDRANT_URL")
        if not url:
            pytest.skip("FUNDSTELLE_TEST_QDRANT_URL names no Qdrant server")
        self.prefix = f"test-{uuid.uuid4().hex[:8]}"
        self.client = AsyncQdrantClient(url=url, check_compatibility=False)  # the product checks versions
        if self.tuning.replicas > 1:
            status = await self.client.cluster_status()
            if len(getattr(status, "peers", ())) < self.tuning.replicas:
                await self.client.close()
                pytest.skip(f"FUNDSTELLE_TEST_QDRANT_URL has fewer than {self.tuning.replicas} nodes")
        return ScopedIndex(
            ServerIndex(
                self.client,
                prefix=self.prefix,
                library=LIBRARY,
                primary=PRIMARY,
                secondary=SECONDARY,
                tuning=self.tuning,
            )
        )

    async def __aexit__(self, *_: object) -> None:
        for found in (await self.client.get_collections()).collections:
            if found.name.startswith(self.prefix):
                await self.client.delete_collection(found.name)
        await self.client.close()


def assert_exact(
    found: list[Candidate],
    query: QueryVectors,
    stored: list[IndexPoint],
    admitted: set[str],
    limit: int,
    *,
    near: float = TOLERANCE,
) -> None:
    """`found` is the union of the best of each space, but for those `near` the last of them, and its scores
    are those of exact maths."""
    idf = inverse_document_frequency([point.lexical for point in stored])
    exact = {p.passage: exact_scores(query, p, idf) for p in stored if p.version in admitted}
    scores = {candidate.passage: candidate.scores for candidate in found}
    assert len(scores) == len(found)
    for passage, by_space in scores.items():
        assert by_space == pytest.approx(exact[passage], abs=TOLERANCE)
    bars = {space: bar(exact, space, limit) for space in Space}
    for passage, by_space in exact.items():
        if any(by_space[space] > bars[space] + near for space in Space):
            assert passage in scores, "one of the best of a space is missing"
        if all(by_space[space] < bars[space] - near for space in Space):
            assert passage not in scores, "no space has it among its best"


def bar(exact: dict[str, dict[Space, float]], space: Space, limit: int) -> float:
    """The score of the last of the best `limit`; what does not match at all is none of them."""
    ranked = sorted((by_space[space] for by_space in exact.values()), reverse=True)
    matching = ranked if space is not Space.LEXICAL else [score for score in ranked if score > 0]
    return matching[limit - 1] if len(matching) >= limit else (TOLERANCE * 2 if matching != ranked else -2.0)


@pytest.mark.parametrize("seed", range(4))
async def test_candidates_are_the_best_of_each_space_with_exact_scores(
    index: PassageIndex, seed: int, request: pytest.FixtureRequest
) -> None:
    coarse = any(f"server {preset}" in request.node.callspec.id for preset in ("large", "cluster"))
    near = QUANTISED if coarse else TOLERANCE
    stored = [*points(70, of=A, seed=seed), *points(50, of=B, seed=seed), *points(40, of=C, seed=seed)]
    await index.upsert("public", stored)
    queries = [question(seed), question(seed + 100, lexical=False), question(seed + 200)]
    for limit in (1, 7, 1000):
        found = await index.candidates("public", queries, [A, B], limit=limit)
        assert len(found) == 3
        for candidates, query in zip(found, queries, strict=True):
            assert_exact(candidates, query, stored, {A, B}, limit, near=near)


async def test_no_terms_no_lexical_score(index: PassageIndex) -> None:
    mute = replace(points(1, of=A)[0], lexical=SparseVector(indices=(), values=()))
    await index.upsert("public", [mute, *points(5, of=B)])
    nothing = replace(question(1), lexical=SparseVector(indices=(), values=()))
    found = await index.candidates("public", [question(1), nothing], [A, B], limit=10)
    scores = {candidate.passage: candidate.scores for candidate in found[0]}
    assert scores[mute.passage][Space.LEXICAL] == 0.0
    assert {candidate.scores[Space.LEXICAL] for candidate in found[1]} == {0.0}
    assert len(found[1]) == 6


async def test_versions_that_have_a_word_are_found_however_often_others_say_it(index: PassageIndex) -> None:
    def worded(of: VersionId, count: int, *words: int) -> list[IndexPoint]:
        terms = SparseVector(indices=words, values=(0.5,) * len(words))
        return [replace(each, lexical=terms) for each in points(count, of=of)]

    await index.upsert("public", [*worded(A, 400, 7), *worded(B, 20, 8), *worded(C, 20, 9)])
    await index.upsert("public", worded(version("b2"), 1, 7, 9))
    for asked, within, expected in (
        ((7,), (A, B, C, version("b2")), {A, version("b2")}),
        ((7, 8), (B, C, version("b2")), {B, version("b2")}),
        ((6,), (A, B, C), set()),
        ((), (A, B, C), set()),
        ((7,), (), set()),
    ):
        query = SparseVector(indices=asked, values=(1.0,) * len(asked))
        assert await index.mentioning("public", query, within) == expected
        assert await index.mentioning("nowhere", query, within) == set()


async def test_words_alone_find_only_passages_that_have_them(index: PassageIndex) -> None:
    nothing = np.zeros(0, dtype=np.float32)
    stored = [
        replace(each, lexical=SparseVector(indices=(n % 5,), values=(1.0,)))
        for n, each in enumerate(points(20, of=A))
    ]
    await index.upsert("public", stored)
    asked = [SparseVector(indices=words, values=(1.0,) * len(words)) for words in ((3,), (9,), ())]
    queries = [QueryVectors(primary=nothing, secondary=nothing, lexical=each) for each in asked]
    found = await index.candidates("public", queries, [A], limit=3)
    assert [len(each) for each in found] == [3, 0, 0]
    having = {each.passage for each in stored if each.lexical.indices == (3,)}
    assert {each.passage for each in found[0]} < having
    for each in found[0]:
        assert each.scores[Space.LEXICAL] > 0
        assert {each.scores[space] for space in Space if space is not Space.LEXICAL} == {0.0}


async def test_the_filter_never_lets_another_version_through(index: PassageIndex) -> None:
    for name in (A, B, C):
        await index.upsert("public", points(30, of=name))
    for admitted in ([A], [B, C], [A, version("unknown")]):
        found = await index.candidates("public", [question(3)], admitted, limit=50)
        assert {candidate.version for candidate in found[0]} == set(admitted) - {version("unknown")}


async def test_hundreds_of_versions(index: PassageIndex) -> None:
    names = [version(f"v{number}") for number in range(300)]
    await index.upsert("public", [point for name in names for point in points(1, of=name)])
    found = await index.candidates("public", [question(3)], names[:250], limit=400)
    assert {candidate.version for candidate in found[0]} == set(names[:250])
    assert set(await index.counts("public")) == set(names)


def keyed(number: int) -> tuple[VersionId, ScopeKeys]:
    """The version `number` of a library of two languages, four places, two types and old and new papers."""
    fields = DocumentFields(
        title=f"Programme {2010 + number % 3}" if number % 5 else "Rules",
        language="de" if number % 2 else "en",
        jurisdiction=("DE", "DE-BE", "AT", None)[number % 4],
        parties=("A", "B")[: number % 3],
        doc_type=DocumentType.ACT if number % 5 == 0 else DocumentType.MANIFESTO,
    )
    return version(f"k{number}"), keys_of(fields, is_current=number % 7 > 0)


KEYED = dict(keyed(number) for number in range(150))
SCOPES = {
    "all": lambda _: True,
    "one language": lambda keys: keys["language"] == ("de",),
    "two places today": lambda keys: keys["place"][0] in ("DE", "DE-BE") and keys["current"] == ("yes",),
    "a year": lambda keys: "2011" in keys["year"],
    "a party": lambda keys: "B" in keys["party"],
    "no law": lambda keys: keys["type"] != ("act",),
    "what no keys tell": lambda keys: hash_of(keys) % 2 == 0,
}


def hash_of(keys: ScopeKeys) -> int:
    return sum(map(ord, repr(sorted(keys.items()))))


@pytest.mark.parametrize("state", ["keyed", "not keyed", "half keyed", "other keys", "not seen"])
async def test_scopes_find_the_same_whatever_keys_points_carry(index: PassageIndex, state: str) -> None:
    stored = [
        replace(point, keys={} if state == "not keyed" else keys)
        for name, keys in KEYED.items()
        for point in points(3, of=name, seed=sum(map(ord, name)))
    ]
    await index.upsert("public", stored)
    if state == "half keyed":
        await index.set_keys("public", dict.fromkeys([*KEYED][::9], RETIRED))
        await index.upsert("public", [replace(each, keys={}) for each in stored[1::12]])
    if state != "not seen":
        assert await index.counts("public") == dict.fromkeys(KEYED, 3)
    if state == "other keys":  # written by another process since the index was looked at
        strangers = [replace(p, keys=keyed(1)[1]) for p in points(40, of=version("stranger"))]
        await store_of(index).upsert("public", strangers)
        stored += strangers
    queries = [question(1), question(2, lexical=False)]
    for admits in SCOPES.values():
        wanted = [name for name, keys in KEYED.items() if admits(keys)]
        assert len(wanted) > FEW
        found = await index.candidates("public", queries, wanted, limit=20)
        for candidates, query in zip(found, queries, strict=True):
            assert_exact(candidates, query, stored, set(wanted), 20)
        words = SparseVector(indices=(1, 2), values=(1.0, 1.0))
        having = {each.version for each in stored if {1, 2} & set(each.lexical.indices)}
        assert await index.mentioning("public", words, wanted) == having & set(wanted)


def store_of(index: PassageIndex) -> PassageIndex | PassageStore:
    return index._store if isinstance(index, ScopedIndex) else index


async def test_keys_are_set_without_touching_vectors(index: PassageIndex) -> None:
    name, keys = keyed(3)
    stored = [*points(5, of=name), *points(5, of=A)]
    await index.upsert("public", stored)
    assert await index.held("public") == {name: Held(points=5), A: Held(points=5)}
    await index.set_keys("public", {name: keys, version("unknown"): keys})
    assert await index.held("public") == {name: Held(points=5, keys=keys), A: Held(points=5)}
    await index.set_keys("public", {name: RETIRED})
    assert (await index.held("public"))[name] == Held(points=5, keys=RETIRED)
    await index.set_keys("nowhere", {name: keys})
    assert await index.held("nowhere") == {}
    found = await index.candidates("public", [question(3)], [name, A], limit=10)
    assert_exact(found[0], question(3), stored, {name, A}, 10)


async def test_nothing_to_search(index: PassageIndex) -> None:
    assert await index.candidates("nowhere", [question(1), question(2)], [A], limit=5) == [[], []]
    await index.upsert("public", points(3, of=A))
    assert await index.candidates("public", [question(1), question(2)], [], limit=5) == [[], []]
    assert await index.candidates("public", [question(1)], [B], limit=5) == [[]]
    assert await index.candidates("public", [question(1)], [A], limit=0) == [[]]
    assert await index.candidates("public", [], [A], limit=5) == []


async def test_an_unknown_collection_is_empty_and_stays_so(index: PassageIndex) -> None:
    assert await index.count("nowhere") == 0
    assert await index.count("nowhere", A) == 0
    assert await index.counts("nowhere") == {}
    assert await index.sample("nowhere", size=5) is None
    await index.remove_version("nowhere", A)
    await index.optimise("nowhere")
    assert await index.count("nowhere") == 0


async def test_upsert_of_nothing(index: PassageIndex) -> None:
    await index.upsert("public", [])
    assert await index.count("public") == 0
    assert await index.sample("public", size=5) is None
    assert await index.candidates("public", [question(1)], [A], limit=5) == [[]]


async def test_upsert_replaces(index: PassageIndex) -> None:
    first, second = points(10, of=A, seed=1), points(10, of=A, seed=2)
    await index.upsert("public", first)
    await index.upsert("public", second)
    assert await index.count("public") == 10
    found = await index.candidates("public", [question(1, lexical=False)], [A], limit=10)
    assert_exact(found[0], question(1, lexical=False), second, {A}, 10)


async def test_all_points_come_back_page_by_page(index: PassageIndex) -> None:
    mute = replace(points(1, of=C)[0], lexical=SparseVector(indices=(), values=()))
    stored = {point.passage: point for point in [*points(23, of=A), *points(9, of=B), mute]}
    await index.upsert("public", list(stored.values()))
    found: list[IndexPoint] = []
    start, pages = None, 0
    while start is not None or not pages:
        page, start = await index.points("public", start=start, limit=10)
        found += unpacked(packed(page))
        pages += 1
    assert pages == 4
    assert [point.passage for point in found] == sorted(stored)
    for point in found:
        was = stored[point.passage]
        assert point.version == was.version
        for mine, its in (
            (point.primary, was.primary),
            (point.secondary, was.secondary),
            (point.windows, was.windows),
        ):
            np.testing.assert_allclose(mine, its, atol=TOLERANCE)
        assert point.lexical.indices == was.lexical.indices
        assert point.lexical.values == pytest.approx(was.lexical.values)
    assert await index.points("nowhere", limit=10) == ([], None)


async def test_remove_version(index: PassageIndex) -> None:
    await index.upsert("public", [*points(12, of=A), *points(8, of=B)])
    await index.remove_version("public", A)
    await index.remove_version("public", A)
    await index.remove_version("public", C)
    assert await index.count("public") == 8
    assert await index.count("public", A) == 0
    assert await index.count("public", B) == 8
    assert set(await index.counts("public")) == {B}
    found = await index.candidates("public", [question(1)], [A, B], limit=20)
    assert {candidate.version for candidate in found[0]} == {B}
    await index.upsert("public", points(3, of=A))
    assert set(await index.counts("public")) == {A, B}


async def test_optimising_changes_no_result(index: PassageIndex, request: pytest.FixtureRequest) -> None:
    # A server counts the words of removed points until it has rewritten their segment.
    on_server = "server" in request.node.callspec.id
    stored = points(40, of=A)
    await index.upsert("public", [*stored, *points(40, of=B)])
    await index.remove_version("public", B)
    await index.optimise("public")
    assert await index.count("public") == 40
    query = question(1, lexical=not on_server)
    found = await index.candidates("public", [query], [A], limit=6)
    assert_exact(found[0], query, stored, {A}, 6)
    await index.upsert("public", points(5, of=C))
    assert set(await index.counts("public")) == {A, C}


async def test_collections_are_separate(index: PassageIndex) -> None:
    names = ["public", "Public", "internal/board", "öffentlich", "内部", "a b", "a-b", "..", "x" * 200]
    for number, name in enumerate(names, start=1):
        await index.upsert(name, points(number, of=A, seed=number))
    assert [await index.count(name) for name in names] == list(range(1, len(names) + 1))
    await index.remove_version("public", A)
    assert await index.count("public") == 0
    assert await index.count("Public") == 2


async def test_sample_is_deterministic_and_complete(index: PassageIndex) -> None:
    stored = [*points(30, of=A), *points(30, of=B)]
    await index.upsert("public", stored)
    sample, again = await index.sample("public", size=20), await index.sample("public", size=20)
    assert sample is not None
    assert again is not None
    chosen = sorted(stored, key=lambda point: point.passage)[:20]
    np.testing.assert_allclose(sample.primary, np.stack([p.primary for p in chosen]), atol=TOLERANCE)
    np.testing.assert_allclose(sample.secondary, np.stack([p.secondary for p in chosen]), atol=TOLERANCE)
    np.testing.assert_allclose(sample.windows, np.concatenate([p.windows for p in chosen]), atol=TOLERANCE)
    assert sample.owners.tolist() == [row for row, p in enumerate(chosen) for _ in p.windows]
    np.testing.assert_array_equal(sample.windows, again.windows)
    everything = await index.sample("public", size=1000)
    assert everything is not None
    assert everything.primary.shape == (60, PRIMARY)
    assert await index.sample("public", size=0) is None


async def test_searches_during_writes_see_whole_versions_they_ask_for(index: PassageIndex) -> None:
    await index.upsert("public", points(60, of=A))

    async def write() -> None:
        for number in range(6):
            await index.upsert("public", points(25, of=B, seed=number))
        await index.remove_version("public", B)

    async def search(number: int) -> set[str]:
        found = await index.candidates("public", [question(number)], [A], limit=60)
        assert len(found[0]) == 60
        return {candidate.version for candidate in found[0]}

    results = await asyncio.gather(write(), *(search(number) for number in range(12)))
    assert all(versions == {A} for versions in results[1:])
    assert await index.count("public") == 60


@pytest.mark.parametrize("broken", ["dense", "second", "windows", "no window", "not finite"])
async def test_vectors_of_another_shape_are_refused(index: PassageIndex, broken: str) -> None:
    if isinstance(index, FakeIndex):
        pytest.skip("the fake takes any shape: tests of the search use small vectors")
    good = points(1, of=A)[0]
    bad = {
        "dense": replace(good, primary=good.primary[:-1]),
        "second": replace(good, secondary=np.ones(SECONDARY + 1, np.float32)),
        "windows": replace(good, windows=good.windows[:, 1:]),
        "no window": replace(good, windows=good.windows[:0]),
        "not finite": replace(good, primary=np.full(PRIMARY, np.nan, np.float32)),
    }[broken]
    with pytest.raises(Broken) as caught:
        await index.upsert("public", [bad])
    assert caught.value.key == "index.dimension"
    await index.upsert("public", [good])
    assert await index.count("public") == 1
