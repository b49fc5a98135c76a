"""What `serve` says of itself over HTTP."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.files.folder import FolderFiles
from bot.http import endpoint
from bot.http.endpoint import MAX_BODY, HttpEndpoint, listening
from bot.service.standing import Lookout
from bot.settings.platforms import HttpSettings
from bot.telemetry.metrics import Metrics
from core.domain.journal import OutgoingReply
from core.domain.messages import Contact, Outgoing
from core.domain.models import Completion
from core.errors import Broken, Unavailable
from tests.support.fake_journal import FakeJournal
from tests.support.fake_platform import FakePlatform, ManualClock
from tests.support.world import World

PLATFORM = FakePlatform()
COMPLETION = Completion(
    text="{}",
    model="openai/x",
    structured=True,
    prompt_tokens=70,
    completion_tokens=7,
    cost_usd=None,
    seconds=1.0,
)


class Served:
    """An endpoint that listens, and what it looks at."""

    endpoint: HttpEndpoint
    address: str

    def __init__(self) -> None:
        self.journal = FakeJournal()
        self.clock = ManualClock()
        self.platforms = {"telegram": FakePlatform(), "slack": FakePlatform(name="slack")}
        for platform in self.platforms.values():
            platform.contact.made(self.clock.now())
        self.broken: dict[str, Broken] = {}
        self.metrics = Metrics()
        self.world = World(journal=self.journal)
        self.events: list[tuple[str, bytes]] = []
        self.fault: Unavailable | None = None
        self.works_s = 0.0
        self.free = asyncio.Event()
        self.free.set()
        self.lookout = Lookout(
            journal=self.journal,
            upkeep=self.world.app.upkeep,
            store=FolderFiles(Path("no folder")),
            clock=self.clock,
            platforms=self.platforms,
            broken=self.broken,
            heard_at=lambda platform: None,
            metrics=self.metrics,
        )
        self.lookout.since = self.clock.now()

    async def take(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
        if self.fault is not None:
            raise self.fault
        await asyncio.sleep(self.works_s)
        await self.free.wait()
        self.events.append((headers["x-slack-signature"], body))
        return 200, "challenge"

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
    measures = replace(found.world.app.measures, lookout=found.lookout)
    found.endpoint = HttpEndpoint(
        standing=found.lookout.look,
        exposition=measures.exposition,
        events=found.take if request.param else None,
    )
    async with listening(found.endpoint, "127.0.0.1", 0) as port:
        found.address = f"http://127.0.0.1:{port}"
        yield found


async def test_it_is_alive_before_it_is_ready(served: Served) -> None:
    served.lookout.since = None
    assert await served.get("/livez") == (200, "alive\n")
    assert (await served.get("/readyz"))[0] == 503
    served.lookout.since = served.clock.now()
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
    served.lookout.since = served.clock.now()
    assert (await served.get("/readyz"))[0] == 200


async def test_a_platform_that_is_not_served_is_named(served: Served) -> None:
    served.broken["slack"] = Broken("platform.token", "the token of slack is wrong")
    served.platforms["slack"].contact.lost("platform.token")
    status, text = await served.get("/readyz")
    assert status == 200
    assert text == "ready\nslack is not served: platform.token, see the log\n"
    assert 'fundstelle_platform_served{platform="slack"} 0.0' in (await served.get("/metrics"))[1]


async def test_a_platform_that_is_served_again_is_named_no_more(served: Served) -> None:
    served.broken["slack"] = Broken("platform.token", "somebody in between has said so")
    served.platforms["slack"].contact.made(served.clock.now())
    assert await served.get("/readyz") == (200, "ready\n")
    assert 'fundstelle_platform_served{platform="slack"} 1.0' in (await served.get("/metrics"))[1]


async def test_it_is_not_ready_where_no_platform_is_reachable(served: Served) -> None:
    served.platforms["slack"].contact.lost("platform.unreachable")
    served.clock.advance(seconds=90.7)
    assert await served.get("/readyz") == (
        200,
        "ready\nslack is not reachable: platform.unreachable, last reached 0:01:30 ago\n",
    )
    served.platforms["telegram"].contact = Contact()
    status, text = await served.get("/readyz")
    assert status == 503
    assert text.splitlines()[:3] == [
        "not ready",
        "no platform is reachable",
        "telegram is not reachable: platform.starting, not reached so far",
    ]
    text = (await served.get("/metrics"))[1]
    assert 'fundstelle_platform_reachable{platform="telegram"} 0.0' in text
    assert 'fundstelle_platform_contact_age_seconds{platform="slack"} 90.7' in text
    assert "fundstelle_ready 0.0" in text


async def test_a_model_that_does_not_answer_is_named_until_it_does(served: Served) -> None:
    served.metrics.model_called("openai/x", Unavailable("model.unavailable", "secret detail"), 2.0)
    assert await served.get("/readyz") == (
        200,
        "ready\nthe model openai/x did not answer its last call: model.unavailable\n",
    )
    served.metrics.model_called("openai/x", COMPLETION, 1.0)
    assert await served.get("/readyz") == (200, "ready\n")


async def test_metrics_count_and_name_nobody(served: Served) -> None:
    await served.journal.accept([PLATFORM.message("Geheimnis", sender="anna")], at=served.clock.now())
    part = Outgoing(key="k", to=PLATFORM.message("x").ref, text="Geheimnis")
    await served.journal.enqueue([OutgoingReply(parts=(part,))], at=served.clock.now())
    served.clock.advance(seconds=90)
    status, text = await served.get("/metrics")
    assert status == 200
    assert 'fundstelle_messages{state="waiting"} 1.0' in text
    assert 'fundstelle_parts{state="pending"} 1.0' in text
    assert "fundstelle_oldest_messages_seconds 90.0" in text
    assert "fundstelle_ready 1.0" in text
    assert not any(word in text for word in ("Geheimnis", "anna", "c1"))


async def test_without_a_store_it_is_not_ready_and_says_which(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise Unavailable("database.unavailable", "secret detail")

    served.metrics.record_lost()
    for owner, name, store in (
        (served.world.library, "holdings", "index"),
        (served.journal, "backlog", "database"),
    ):
        monkeypatch.setattr(owner, name, broken)
        missing = f"the {store} does not answer: database.unavailable"
        assert await served.get("/readyz") == (503, f"not ready\n{missing}\n")
        status, text = await served.get("/metrics")
        assert status == 200
        assert f'fundstelle_store_up{{store="{store}"}} 0.0' in text
        assert "fundstelle_records_lost_total 1.0" in text
    assert (await served.get("/livez"))[0] == 200


async def test_a_store_that_goes_away_while_it_is_counted(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise Unavailable("database.unavailable", "secret detail")

    monkeypatch.setattr(served.journal, "feedback", broken)
    status, text = await served.get("/metrics")
    assert status == 200
    assert "fundstelle_build_info" in text
    assert "fundstelle_feedback{" not in text


async def test_events_of_slack_are_acknowledged_once_they_are_written_down(served: Served) -> None:
    assert await served.post("/slack/events", b"{}") == (200, "challenge")
    assert served.events == [("v0=1", b"{}")]
    served.fault = Unavailable("database.busy", "locked")
    assert (await served.post("/slack/events", b"{}"))[0] == 503
    assert (await served.post("/slack/events", b"x" * (MAX_BODY + 1)))[0] == 413


async def test_connections_that_ask_for_nothing_shut_nobody_out(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "WAIT_S", 0.3)
    host, port = served.address.removeprefix("http://").split(":")
    silent = [await asyncio.open_connection(host, int(port)) for _ in range(endpoint.MOST_REQUESTS + 20)]
    unfinished = (b"", b"GET / HT", b"POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1")
    for number, (_, writer) in enumerate(silent[:60]):
        writer.write(unfinished[number % 3])
    assert await served.get("/livez") == (200, "alive\n")
    assert await served.post("/slack/events", b"{}") == (200, "challenge")
    async with asyncio.timeout(30):
        for reader, writer in silent:
            assert await reader.read() == b""
            writer.close()


async def test_a_connection_whose_answer_takes_long_stays(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "WAIT_S", 0.05)
    served.works_s = 0.5
    assert await served.post("/slack/events", b"{}") == (200, "challenge")


async def test_health_is_answered_while_all_else_is_busy(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "MOST_REQUESTS", 2)
    served.free.clear()
    waiting = [asyncio.create_task(served.post("/slack/events", b"{}")) for _ in range(3)]
    done, rest = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert [each.result()[0] for each in done] == [503]
    assert (await served.get("/metrics"))[0] == 503
    assert (await served.get("/livez"), (await served.get("/readyz"))[0]) == ((200, "alive\n"), 200)
    served.free.set()
    assert [(await each)[0] for each in rest] == [200, 200]
    assert (await served.get("/metrics"))[0] == 200


@pytest.mark.parametrize(
    ("proxies", "said", "seen"),
    [
        (("127.0.0.0/8",), "198.51.100.7", "198.51.100.7"),
        (("127.0.0.0/8",), "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (("127.0.0.1", "192.0.2.0/24"), "198.51.100.7, 192.0.2.8", "198.51.100.7"),
        (("192.0.2.0/24",), "198.51.100.7", "127.0.0.1"),
        ((), "198.51.100.7", "127.0.0.1"),
    ],
)
async def test_only_a_named_proxy_says_who_asks(
    served: Served, proxies: tuple[str, ...], said: str, seen: str
) -> None:
    async def asker(request: Request) -> Response:
        assert request.client is not None
        return PlainTextResponse(request.client.host)

    stated = HttpSettings(proxies=proxies).proxies
    asked = replace(served.endpoint, mounts={"/who": Starlette(routes=[Route("/", asker)])})
    async with (
        listening(asked, "127.0.0.1", 0, proxies=stated) as port,
        aiohttp.ClientSession(headers={"X-Forwarded-For": said}) as session,
        session.get(f"http://127.0.0.1:{port}/who/") as response,
    ):
        assert await response.text() == seen


def test_the_machine_itself_is_a_proxy_unless_said_otherwise() -> None:
    assert HttpSettings().proxies == ("127.0.0.1", "::1")
    for wrong in ("*", "proxy.example", "192.0.2.7/24", ""):
        with pytest.raises(ValidationError, match="is no address or network"):
            HttpSettings(proxies=(wrong,))


@pytest.mark.parametrize("served", [False], indirect=True)
async def test_without_slack_there_is_no_place_for_its_events(served: Served) -> None:
    assert (await served.post("/slack/events", b"{}"))[0] == 404
