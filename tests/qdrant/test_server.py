"""The index on a server: what the client raises comes out as ours, all of it; local mode on disk."""

import inspect
import socket
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import httpx
import pytest
from qdrant_client import AsyncQdrantClient
from qdrant_client.common import client_exceptions
from qdrant_client.http import exceptions as http_exceptions

from adapters.qdrant.codec import store_name
from adapters.qdrant.server import ServerIndex, server_errors, translated
from core.domain.ids import LibraryId, VersionId
from core.domain.search import Within
from core.errors import Broken, FundstelleError, Refused, Unavailable
from tests.support.index_points import LIBRARY, PRIMARY, SECONDARY, points, question, version

A = version("a")


def exceptions_in(module: ModuleType) -> set[type[Exception]]:
    classes = {kind for _, kind in inspect.getmembers(module, inspect.isclass)}
    return {kind for kind in classes if issubclass(kind, Exception)}


def instances(kind: type[Exception]) -> Iterator[Exception]:
    """Instances of an exception class of the client or its transport, made as these make them."""
    if kind is http_exceptions.UnexpectedResponse:
        for status in range(300, 600):
            yield http_exceptions.UnexpectedResponse(status, "reason", b"content", httpx.Headers())
    elif kind is http_exceptions.ResponseHandlingException:
        yield http_exceptions.ResponseHandlingException(httpx.ConnectError("refused"))
        yield http_exceptions.ResponseHandlingException(ValueError("not the JSON of a Qdrant server"))
    elif kind is client_exceptions.ResourceExhaustedResponse:
        yield client_exceptions.ResourceExhaustedResponse("slow down", 7)
    elif issubclass(kind, httpx.HTTPStatusError):
        request = httpx.Request("GET", "http://localhost")
        yield kind("message", request=request, response=httpx.Response(500, request=request))
    elif issubclass(
        kind, httpx.StreamConsumed | httpx.ResponseNotRead | httpx.RequestNotRead | httpx.StreamClosed
    ):
        yield kind()
    else:
        yield kind("message")


FOREIGN = sorted(
    {
        *exceptions_in(http_exceptions),
        *exceptions_in(client_exceptions),
        *exceptions_in(httpx),
        ValueError,
        TypeError,
        RuntimeError,
        KeyError,
        OSError,
        TimeoutError,
    },
    key=lambda kind: kind.__qualname__,
)


@pytest.mark.parametrize("kind", FOREIGN, ids=lambda kind: kind.__qualname__)
def test_every_foreign_error_is_translated(kind: type[Exception]) -> None:
    for foreign in instances(kind):
        with pytest.raises((Unavailable, Broken)) as caught, server_errors():
            raise foreign
        assert caught.value.key.startswith("index.")
        assert caught.value.detail
        assert caught.value.__cause__ is foreign


def test_the_list_of_foreign_errors_is_not_empty() -> None:
    assert {http_exceptions.UnexpectedResponse, httpx.ReadTimeout} <= set(FOREIGN)


def page(status: int) -> Exception:
    """Of a proxy in between."""
    text = b"<!DOCTYPE html><html><body>Please sign in to the network</body></html>"
    return http_exceptions.UnexpectedResponse(status, "", text, httpx.Headers())


def test_our_own_errors_pass_as_they_are() -> None:
    with pytest.raises(Refused) as caught, server_errors():
        raise Refused("some.key")
    assert caught.value.key == "some.key"


@pytest.mark.parametrize(
    ("foreign", "kind", "key"),
    [
        (httpx.ConnectError("refused"), Unavailable, "index.unreachable"),
        (http_exceptions.ResponseHandlingException(httpx.ReadTimeout("")), Unavailable, "index.unreachable"),
        (client_exceptions.ResourceExhaustedResponse("", 7), Unavailable, "index.busy"),
        (http_exceptions.UnexpectedResponse(503, "", b"", httpx.Headers()), Unavailable, "index.busy"),
        (http_exceptions.UnexpectedResponse(401, "", b"", httpx.Headers()), Broken, "index.denied"),
        (http_exceptions.UnexpectedResponse(403, "", b"", httpx.Headers()), Broken, "index.denied"),
        (http_exceptions.UnexpectedResponse(400, "", b"", httpx.Headers()), Broken, "index.failed"),
        (ValueError("Collection x not found"), Broken, "index.failed"),
        (http_exceptions.ResponseHandlingException(ValueError("no JSON")), Unavailable, "index.unreachable"),
        (page(401), Unavailable, "index.unreachable"),
        (page(404), Unavailable, "index.unreachable"),
    ],
)
def test_who_can_act(foreign: Exception, kind: type[FundstelleError], key: str) -> None:
    error = translated(foreign)
    assert isinstance(error, kind)
    assert error.key == key


def test_the_server_says_when_to_come_back() -> None:
    error = translated(client_exceptions.ResourceExhaustedResponse("slow down", 7))
    assert isinstance(error, Unavailable)
    assert error.retry_after_s == 7


async def test_a_server_that_is_down() -> None:
    with socket.socket() as taken:  # a bound port on which nobody listens
        taken.bind(("127.0.0.1", 0))
        index = ServerIndex.connect(
            f"http://127.0.0.1:{taken.getsockname()[1]}",
            api_key=None,
            prefix="t",
            library=LIBRARY,
            primary=PRIMARY,
            secondary=SECONDARY,
        )
        calls = [
            lambda: index.upsert("public", points(1, of=A)),
            lambda: index.candidates("public", [question(1)], Within(versions=(A,)), limit=3),
            lambda: index.sample("public", size=3),
            lambda: index.remove_version("public", A),
            lambda: index.count("public"),
            lambda: index.counts("public"),
        ]
        for call in calls:
            with pytest.raises(Unavailable) as caught:
                await call()
            assert caught.value.key == "index.unreachable"
        await index.close()


def test_an_url_that_is_none() -> None:
    with pytest.raises(Broken):
        ServerIndex.connect(
            "ftp://example.org",
            api_key=None,
            prefix="t",
            library=LIBRARY,
            primary=PRIMARY,
            secondary=SECONDARY,
        )


async def test_local_mode_on_disk_keeps_points(tmp_path: Path) -> None:
    def opened() -> ServerIndex:
        client = AsyncQdrantClient(path=str(tmp_path / "local"))
        return ServerIndex(
            client, prefix="t", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY, local=True
        )

    first = opened()
    await first.upsert("public", points(5, of=A))
    await first.close()
    second = opened()
    assert await second.counts("public") == {A: 5}
    await second.close()


async def test_prefixes_keep_rebuilds_apart() -> None:
    client = AsyncQdrantClient(":memory:")
    old = ServerIndex(client, prefix="old", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY, local=True)
    new = ServerIndex(client, prefix="new", library=LIBRARY, primary=PRIMARY, secondary=SECONDARY, local=True)
    await old.upsert("public", points(5, of=A))
    assert await new.count("public") == 0
    await new.upsert("public", points(2, of=A))
    assert await old.count("public") == 5
    await new.close()


async def test_libraries_on_one_server_never_meet() -> None:
    client = AsyncQdrantClient(":memory:")
    mine, other = (
        ServerIndex(client, prefix="t", library=name, primary=PRIMARY, secondary=SECONDARY, local=True)
        for name in (LIBRARY, LibraryId("b" * 32))
    )
    await mine.upsert("public", points(5, of=A))
    assert await other.counts("public") == {}
    await other.upsert("public", points(2, of=A))
    await other.remove_version("public", A)
    assert await mine.counts("public") == {A: 5}
    await mine.close()


async def test_points_without_an_owner_go_to_the_library_whose_they_are() -> None:
    client = AsyncQdrantClient(":memory:")

    def index(name: str, *known: VersionId) -> ServerIndex:
        async def versions(collection: str) -> set[VersionId]:
            return set(known) if collection == "public" else set()

        return ServerIndex(
            client,
            prefix="t",
            library=LibraryId(name),
            primary=PRIMARY,
            secondary=SECONDARY,
            known_versions=versions,
            local=True,
        )

    before = index("x")
    await before.upsert("public", points(5, of=A))
    old = f"t-{store_name('public')}"
    await copied(client, f"{before._name('public')}-{PRIMARY}-{SECONDARY}", old)
    assert await index("stranger", version("b")).counts("public") == {}
    owner = index("owner", A)
    assert await owner.counts("public") == {A: 5}
    assert await index("second", A).counts("public") == {}, "it belongs to somebody now"
    await owner.upsert("public", points(7, of=A))
    assert await index("owner").counts("public") == {A: 7}, "a new process finds it again"
    await owner.close()


async def copied(client: AsyncQdrantClient, source: str, target: str) -> None:
    """A server's collection under the name it had before they carried their library's id."""
    local = client._client
    local.collections[target] = local.collections[source]  # type: ignore[attr-defined]
