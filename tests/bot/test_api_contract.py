"""The interface keeps to its own description, whatever is sent to it."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import negative_data_rejection, positive_data_acceptance
from schemathesis.config import SchemathesisConfig

from bot.http.endpoint import HttpEndpoint, listening
from core.domain.access import AccessToken, TokenRole, token_digest
from tests.support.world import NOW, populated

SECRET = "fst_contract"
TOKEN = AccessToken(
    name="contract",
    role=TokenRole.PUBLISHER,
    collections=("public",),
    per_minute=1_000_000,
    created_at=NOW,
    expires_at=None,
)


async def serve(ready: "list[Any]", begun: threading.Event) -> None:
    """A small world, until it is told to stop."""
    world, stop = await populated(), asyncio.Event()
    await world.app.access.add(TOKEN, token_digest(SECRET))
    measures = world.app.measures
    endpoint = HttpEndpoint(
        standing=measures.lookout.look, exposition=measures.exposition, mounts=world.app.http_mounts
    )
    async with listening(endpoint, "127.0.0.1", 0) as port:
        ready += [port, asyncio.get_running_loop(), stop]
        begun.set()
        await stop.wait()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where it is served, by a thread of its own. Wrong tokens are part of the game."""
    patched = pytest.MonkeyPatch()
    patched.setattr("bot.http.tokens.WRONG_PER_MINUTE", 1_000_000)
    ready: list[Any] = []
    begun = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(serve(ready, begun)))
    thread.start()
    assert begun.wait(600)
    port, loop, stop = ready
    yield f"http://127.0.0.1:{port}/v1"
    loop.call_soon_threadsafe(stop.set)
    thread.join(30)
    patched.undo()


def is_sent_whole(case: schemathesis.Case, address: str) -> bool:
    """Whether every parameter of the query is in the address: of an empty list nothing is sent, which nobody
    can refuse."""
    url = requests.Request(**case.as_transport_kwargs(base_url=address)).prepare().url or ""
    return set(case.query or {}) <= set(parse_qs(urlsplit(url).query, keep_blank_values=True))


@pytest.mark.parametrize("mode", GenerationMode)
def test_nothing_is_found(address: str, mode: GenerationMode) -> None:
    config = SchemathesisConfig.from_dict(
        {"checks": {"negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 405, 413, 422]}}}
    )
    described = schemathesis.openapi.from_url(f"{address}/openapi.json", config=config)
    operations = [each.ok() for each in described.get_all_operations()]
    assert len(operations) == 8
    for operation in operations:

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(suppress_health_check=list(HealthCheck))
        def kept(case: schemathesis.Case) -> None:
            # what fits the description may still name a place or a document that there is not
            excluded = [positive_data_acceptance]
            if not is_sent_whole(case, address):
                excluded.append(negative_data_rejection)
            case.call_and_validate(
                base_url=address,
                headers={"Authorization": f"Bearer {SECRET}"},
                excluded_checks=excluded,
                timeout=600,  # nothing is said about time
            )

        kept()
