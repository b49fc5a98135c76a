"""What `serve` says of itself over HTTP."""

from collections.abc import AsyncIterator, Mapping
from datetime import datetime

import aiohttp
import pytest

from bot.service.http import MAX_BODY, HttpEndpoint, listening
from core.domain.journal import OutgoingReply
from core.domain.messages import Outgoing
from core.errors import Unavailable
from tests.support.fake_journal import FakeJournal
from tests.support.fake_platform import FakePlatform, ManualClock

PLATFORM = FakePlatform()


class Served:
    """An endpoint that listens, and what it is told."""

    def __init__(self) -> None:
        self.journal = FakeJournal()
        self.clock = ManualClock()
        self.since: datetime | None = self.clock.now()
        self.served = {"telegram": True}
        self.events: list[tuple[str, bytes]] = []
        self.fault: Unavailable | None = None

    async def take(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
        if self.fault is not None:
            raise self.fault
        self.events.append((headers["X-Slack-Signature"], body))
        return 200, "challenge"

    async def measures(self) -> Mapping[str, float]:
        if self.fault is not None:
            raise self.fault
        return {"fundstelle_sources": 1234567}

    async def get(self, path: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.get(f"{self.address}{path}") as response:
            return response.status, await response.text()

    async def post(self, path: str, body: bytes) -> tuple[int, str]:
        headers = {"X-Slack-Signature": "v0=1"}
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self.address}{path}", data=body, headers=headers) as response,
        ):
            return response.status, await response.text()


@pytest.fixture(params=[True])
async def served(request: pytest.FixtureRequest) -> AsyncIterator[Served]:
    found = Served()
    endpoint = HttpEndpoint(
        found.journal,
        found.clock,
        ready_since=lambda: found.since,
        served=lambda: found.served,
        measures=found.measures,
        events=found.take if request.param else None,
    )
    runner, port = await listening(endpoint, "127.0.0.1", 0)
    found.address = f"http://127.0.0.1:{port}"
    yield found
    await runner.cleanup()


async def test_it_is_alive_before_it_is_ready(served: Served) -> None:
    served.since = None
    assert await served.get("/livez") == (200, "alive\n")
    assert (await served.get("/readyz"))[0] == 503
    served.since = served.clock.now()
    assert await served.get("/readyz") == (200, "ready\n")


async def test_a_message_that_waits_for_long_says_that_nothing_moves(served: Served) -> None:
    await served.journal.accept([PLATFORM.message("1")], at=served.clock.now())
    served.clock.advance(minutes=9)
    assert (await served.get("/readyz"))[0] == 200
    served.clock.advance(minutes=2)
    assert (await served.get("/readyz"))[0] == 503


async def test_what_came_while_it_was_stopped_waits_since_the_start(served: Served) -> None:
    await served.journal.accept([PLATFORM.message("1")], at=served.clock.now())
    served.clock.advance(hours=20)
    served.since = served.clock.now()
    assert (await served.get("/readyz"))[0] == 200


async def test_a_platform_that_is_not_served_is_named(served: Served) -> None:
    served.served["slack"] = False
    status, text = await served.get("/readyz")
    assert status == 200
    assert "slack is not served" in text
    assert 'fundstelle_platform_served{platform="slack"} 0' in (await served.get("/metrics"))[1]


async def test_metrics_count_and_name_nobody(served: Served) -> None:
    await served.journal.accept([PLATFORM.message("Geheimnis", sender="anna")], at=served.clock.now())
    part = Outgoing(key="k", to=PLATFORM.message("x").ref, text="Geheimnis")
    await served.journal.enqueue([OutgoingReply(parts=(part,))], at=served.clock.now())
    served.clock.advance(seconds=90)
    status, text = await served.get("/metrics")
    assert status == 200
    assert 'fundstelle_messages{state="waiting"} 1' in text
    assert 'fundstelle_parts{state="pending"} 1' in text
    assert "fundstelle_oldest_messages_seconds 90" in text
    assert "fundstelle_ready 1" in text
    assert "fundstelle_sources 1234567" in text
    assert not any(word in text for word in ("Geheimnis", "anna", "c1"))


async def test_without_its_journal_it_is_not_ready(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken() -> None:
        raise Unavailable("database.unavailable", "secret detail")

    served.fault = Unavailable("database.unavailable", "secret detail")
    assert await served.get("/metrics") == (503, "database.unavailable\n")
    monkeypatch.setattr(served.journal, "backlog", broken)
    for path in ("/readyz", "/metrics"):
        assert await served.get(path) == (503, "database.unavailable\n")
    assert (await served.get("/livez"))[0] == 200


async def test_events_of_slack_are_acknowledged_once_they_are_written_down(served: Served) -> None:
    assert await served.post("/slack/events", b"{}") == (200, "challenge")
    assert served.events == [("v0=1", b"{}")]
    served.fault = Unavailable("database.busy", "locked")
    assert (await served.post("/slack/events", b"{}"))[0] == 503
    assert (await served.post("/slack/events", b"x" * (MAX_BODY + 1)))[0] == 413


@pytest.mark.parametrize("served", [False], indirect=True)
async def test_without_slack_there_is_no_place_for_its_events(served: Served) -> None:
    assert (await served.post("/slack/events", b"{}"))[0] == 404
