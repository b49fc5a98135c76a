"""The index on a server, by the wire: what is asked for, repaired, repeated and refused."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from adapters.qdrant.codec import INDEXED, store_name
from adapters.qdrant.server import ServerIndex
from adapters.qdrant.tuning import PRESETS, Preset, tuning_of
from core.domain.documents import DocumentFields
from core.domain.search import QueryVectors, SparseVector, Within
from core.errors import Broken, Unavailable
from core.library.indexing import RETIRED, keys_of
from core.search.scoped_index import ScopedIndex
from tests.support.index_points import LIBRARY, PRIMARY, SECONDARY, points, question, version
from tests.support.qdrant_server import QdrantStandIn, serving

A = version("a")
ALIAS = f"t-{LIBRARY}-{store_name('public')}"
MADE = f"{ALIAS}-{PRIMARY}-{SECONDARY}"


@asynccontextmanager
async def connected(url: str, **others: Any) -> AsyncIterator[ServerIndex]:
    sizes = {"primary": PRIMARY, "secondary": SECONDARY}
    index = ServerIndex.connect(url, prefix="t", library=LIBRARY, **{"api_key": None, **sizes, **others})
    yield index
    await index.close()


@pytest.mark.parametrize("preset", list(PRESETS))
async def test_presets_say_how_a_collection_is_kept(preset: Preset) -> None:
    server = QdrantStandIn()
    async with serving(server) as url, connected(url, tuning=PRESETS[preset]) as index:
        await index.upsert("public", points(3, of=A))
        await index.candidates("public", [question(1)], Within(keys={}), limit=3)
    made, tuning = server.made[MADE], PRESETS[preset]
    assert made["shard_number"] == tuning.shards
    assert made["replication_factor"] == tuning.replicas
    assert made["write_consistency_factor"] == tuning.confirmed
    assert made["strict_mode_config"]["enabled"] is True
    assert ("quantization_config" in made) == tuning.is_quantised
    memory = {params.get("memory") for params in made["vectors"].values()}
    assert memory == ({"cold"} if tuning.is_quantised else {None})
    assert set(server.indexes[MADE]) == set(INDEXED)
    assert {field for field, params in server.indexes[MADE].items() if params.get("is_tenant")} == {"place"}


def test_copies_confirm_a_write_up_to_two() -> None:
    assert tuning_of("cluster", shards=6, replicas=3) == replace(PRESETS["cluster"], shards=6, replicas=3)
    assert tuning_of("cluster", replicas=1).confirmed == 1


async def test_what_a_crash_left_undone_and_what_settings_change_is_made_up_for() -> None:
    server = QdrantStandIn()
    async with serving(server) as url:
        async with connected(url) as index:
            await index.upsert("public", points(4, of=A))
        server.indexes[MADE].clear()  # it ended between the collection and its indexes
        async with connected(url, tuning=PRESETS["cluster"]) as again:
            assert await again.counts("public") == {A: 4}
        assert set(server.indexes[MADE]) == set(INDEXED)
        [(_, changes)] = server.changes
        assert changes["params"] == {"replication_factor": 2, "write_consistency_factor": 2}
        assert changes["quantization_config"]["turbo"]["bits"] == "bits4"
        async with connected(url, tuning=replace(PRESETS["cluster"], shards=1)) as third:
            assert await third.count("public") == 4
        assert len(server.changes) == 1, "nothing differs any more"


async def test_a_crash_between_collection_and_alias() -> None:
    server = QdrantStandIn()
    async with serving(server) as url:
        async with connected(url) as index:
            await index._create(MADE, "public")
        async with connected(url) as again:
            assert await again.count("public") == 0
            await again.upsert("public", points(4, of=A))
            assert await again.count("public") == 4
        assert list(server.made) == [MADE]


async def test_other_encoders_get_a_collection_of_their_own_behind_the_same_alias() -> None:
    server = QdrantStandIn()
    async with serving(server) as url:
        async with connected(url) as index:
            await index.upsert("public", points(4, of=A))
        wider = [replace(p, primary=np.ones(PRIMARY + 1, np.float32)) for p in points(2, of=A)]
        async with connected(url, primary=PRIMARY + 1) as other:
            assert await other.count("public") == 0, "what others have embedded cannot be asked"
            await other.upsert("public", wider)
            assert await other.count("public") == 2
        aliases = {
            each.alias_name: each.collection_name for each in (await server.local.get_aliases()).aliases
        }
        assert aliases == {ALIAS: f"{ALIAS}-{PRIMARY + 1}-{SECONDARY}"}
        assert set(server.made) == {MADE, aliases[ALIAS]}, "the former one is left to whoever runs the server"


async def test_a_collection_of_an_earlier_version_is_used_as_it_is_or_refused_with_words() -> None:
    server = QdrantStandIn()
    async with serving(server) as url:
        async with connected(url) as index:
            await index._create(ALIAS, "public")  # before there were aliases
            await index.upsert("public", points(4, of=A))
            assert await index.count("public") == 4
        assert list(server.made) == [ALIAS]
        async with connected(url, primary=PRIMARY + 1) as other:
            with pytest.raises(Broken, match="delete it, or choose another") as caught:
                await other.count("public")
        assert caught.value.key == "index.dimension"


@pytest.mark.parametrize("said", ["1.17.9", "1.9.0", "0.11.0"])
async def test_a_server_that_is_too_old_is_refused(said: str) -> None:
    async with serving(QdrantStandIn(version=said)) as url, connected(url) as index:
        with pytest.raises(Broken, match="upgrade it") as caught:
            await index.count("public")
    assert caught.value.key == "index.version"


@pytest.mark.parametrize("said", ["1.18.0", "1.20.3-dev", "2.0.0", "dev"])
async def test_newer_servers_are_not(said: str) -> None:
    async with serving(QdrantStandIn(version=said)) as url, connected(url) as index:
        assert await index.count("public") == 0


async def test_a_wrong_key_is_said_at_once() -> None:
    server = QdrantStandIn(api_key="right")
    async with serving(server) as url:
        async with connected(url, api_key="wrong") as index:
            with pytest.raises(Broken) as caught:
                await index.count("public")
        assert caught.value.key == "index.denied"
        assert len(server.requests) == 1
        async with connected(url, api_key="right") as index:
            assert await index.count("public") == 0


async def test_what_fails_for_a_moment_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.retrying._pause_s", lambda _: 0.0)
    server = QdrantStandIn()
    async with serving(server) as url, connected(url) as index:
        await index.upsert("public", points(4, of=A))
        server.failing += [503, 429]
        await index.upsert("public", points(6, of=A))
        assert await index.count("public") == 6
        server.failing += [500, 502]
        await index.remove_version("public", A)
        assert await index.count("public") == 0
        server.failing += [503, 503, 503]
        with pytest.raises(Unavailable):
            await index.count("public")
        server.failing += [400]
        with pytest.raises(Broken):
            await index.count("public")
        assert not server.failing


async def test_a_collection_that_somebody_deletes_is_made_again() -> None:
    server = QdrantStandIn()
    async with serving(server) as url, connected(url) as index:
        await index.upsert("public", points(4, of=A))
        await server.local.delete_collection(MADE)
        assert await index.count("public") == 0
        await index.upsert("public", points(3, of=A))
        assert await index.count("public") == 3


async def test_a_request_is_no_larger_for_20000_documents() -> None:
    """With vectors of the size they really have; each request is one vector of the question."""
    rng, server, sizes = np.random.default_rng(1), QdrantStandIn(), {"primary": 384, "secondary": 512}

    def unit(size: int) -> Any:
        drawn = rng.standard_normal(size).astype(np.float32)
        return drawn / np.linalg.norm(drawn)

    stored = {
        version(f"v{number}"): keys_of(
            DocumentFields(title="Programme", language="de", jurisdiction=f"DE-{number % 50}")
        )
        for number in range(400)
    }
    async with serving(server) as url, connected(url, **sizes) as engine:
        index = ScopedIndex(engine)
        [pattern] = points(1, of=A)
        await index.upsert(
            "public",
            [
                replace(
                    pattern,
                    passage=name,
                    version=name,
                    keys=keys,
                    primary=unit(384),
                    secondary=unit(512),
                    windows=unit(512)[None],
                )
                for name, keys in stored.items()
            ],
        )
        await index.counts("public")
        seen = index._seen["public"]
        library = stored | {
            version(f"w{n}"): {**keys_of(DocumentFields(title="x", language="de"))} for n in range(19_600)
        }
        library |= {version(f"old {number}"): RETIRED for number in range(20_000)}
        seen.carried.update(library)  # as if there were so many
        scope = [name for name, keys in library.items() if keys["current"] == ("yes",)]
        assert len(scope) == 20_000
        server.requests.clear()
        words = SparseVector(indices=tuple(range(40)), values=(1.0,) * 40)
        asked = QueryVectors(primary=unit(384), secondary=unit(512), lexical=words)
        [found] = await index.candidates("public", [asked], scope, limit=100)
        assert len(found) >= 100
    sent = [size for _, path, size in server.requests if path.endswith("/query/batch")]
    assert len(sent) == 4 + 4
    assert max(sent) < 20_000


def certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """A certificate for 127.0.0.1 that signs itself, and the server's side of it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "qdrant.test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    ca, pair = folder / "ca.pem", folder / "pair.pem"
    ca.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pair.write_bytes(private + ca.read_bytes())
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(pair)
    return ca, tls


async def test_tls_with_a_ca_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.retrying._pause_s", lambda _: 0.0)
    ca, tls = certificate(tmp_path)
    async with serving(QdrantStandIn(), tls) as url:
        async with connected(url, ca_file=ca) as index:
            await index.upsert("public", points(2, of=A))
            assert await index.count("public") == 2
        async with connected(url) as stranger:
            with pytest.raises(Unavailable, match="certificate"):
                await stranger.count("public")
    for content in (None, "no certificate"):
        wrong = tmp_path / "wrong.pem"
        if content:
            wrong.write_text(content)
        with pytest.raises(Broken) as caught:
            ServerIndex.connect(
                url, api_key=None, prefix="t", library=LIBRARY, primary=1, secondary=1, ca_file=wrong
            )
        assert caught.value.key == "index.ca_file"
