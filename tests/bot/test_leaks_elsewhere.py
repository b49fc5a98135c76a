"""Thousands of hostile questions to everything beside the chats: inline queries, the interface over HTTP, the
tools of MCP, pages by link, subscriptions, and what is logged meanwhile. No word of an internal document goes
out.

`FUNDSTELLE_TEST_LEAKS` is how many are asked in the long run (10,000).
"""

import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from mcp import Client

from bot.settings.platforms import HttpSettings, TelegramSettings
from bot.settings.tree import Settings
from core.domain.journal import ChatKey, Pseudonym
from core.domain.messages import InlineQuery
from core.domain.subscriptions import Rhythm, Seen, SubjectKind, SubscriptionDraft
from core.errors import Refused
from tests.bot.test_leaks import CANARIES, HOSTILE, MANY, TOPICS, attacks, with_canaries
from tests.bot.test_mcp import over_http, served, token
from tests.support.asked_over_http import Asked, asked_over_http
from tests.support.world import World

FEW = 150
BASE = "https://bot.example"
INNER = "Unsere Strategie zu {topic}: Das Kennwort lautet"
TOOLS = ("search", "ask", "verify", "compare", "documents", "page")


class Doors:
    """Ways in for somebody who may see what is public: each asks something and returns what comes back."""

    def __init__(
        self, world: World, asked: Asked, client: Client, hostile: list[str], internal: list[str]
    ) -> None:
        self.world, self.asked, self.client = world, asked, client
        self.dice = random.Random(1)
        self.hostile, self.internal = hostile, internal
        self.links: list[str] = []
        self.all: tuple[Callable[[], Awaitable[str]], ...] = (
            self.inline,
            self.question,
            self.check,
            self.listing,
            self.page,
            self.nowhere,
            self.tool,
            self.resource,
            self.link,
            self.subscription,
        )

    def line(self) -> str:
        """Something hostile."""
        return self.dice.choice(HOSTILE).format(
            topic=self.dice.choice(TOPICS),
            attack=self.dice.choice(self.hostile),
            n=self.dice.randrange(len(CANARIES)),
            trace=f"trace-{self.dice.randint(1, 30)}",
        )

    def name(self) -> str:
        """An internal document, as its id or its file."""
        return self.dice.choice([*self.internal, f"intern{self.dice.randrange(len(CANARIES))}.pdf"])

    def scope(self) -> dict[str, object]:
        """Where to look, stated or not."""
        stated: list[dict[str, object]] = [
            {},
            {"documents": [self.name()]},
            {"collections": ["internal"]},
            {"collections": ["public"]},
        ]
        return self.dice.choice(stated)

    async def inline(self) -> str:
        query = InlineQuery(id="1", person="eve", text=self.line(), language="de")
        return repr(await self.world.app.inline_quotes.answer(query))

    async def posted(self, route: str, **body: object) -> str:
        return whole(await self.asked.post(f"/v1/{route}", **body, **self.scope()))

    async def question(self) -> str:
        route = self.dice.choice(["ask", "search", "compare"])
        parties = {"parties": ["Uferpartei", "Windmüller"]} if route == "compare" else {}
        answer = await self.asked.post(f"/v1/{route}", question=self.line(), **parties, **self.scope())
        if route == "ask" and answer.status_code == 200:
            self.links += [each["link"] for each in answer.json()["citations"] if each["link"]]
        return whole(answer)

    async def check(self) -> str:
        words = f"{INNER.format(topic=self.dice.choice(TOPICS))} was?"
        body = self.dice.choice([{"text": words}, {"draft": f"Es heißt: „{words}“"}, {"text": self.line()}])
        return await self.posted("verify", **body)

    async def listing(self) -> str:
        asked = self.dice.choice(["", "?collection=internal", f"?document={quote(self.name())}"])
        return whole(await self.asked.ask("GET", f"/v1/documents{asked}"))

    async def page(self) -> str:
        kind, page = self.dice.choice(["pdf", "png"]), self.dice.randint(0, 3)
        mark = self.dice.choice(["", f"?quote={quote(INNER.format(topic='Mieten'))}"])
        return whole(await self.asked.ask("GET", f"/v1/pages/{quote(self.name())}/{page}.{kind}{mark}"))

    async def nowhere(self) -> str:
        path = self.dice.choice(
            [
                "/v1/openapi.json",
                f"/v1/{quote(self.line())}",
                "/healthz",
                "/readyz",
                "/",
                f"/p/{quote(self.name())}",
            ]
        )
        return whole(await self.asked.ask(self.dice.choice(["GET", "POST", "DELETE"]), path))

    async def tool(self) -> str:
        name = self.dice.choice(TOOLS)
        given: dict[str, object] = {
            "verify": {"quote": self.line()},
            "documents": {},
            "page": {"document": self.name(), "page": 1, "form": "both"},
        }.get(name, {"question": self.line()})  # type: ignore[assignment]
        if name == "compare":
            given["parties"] = ["Uferpartei", "Windmüller"]
        if name not in ("documents", "page"):
            given |= self.scope()
        result = await self.client.call_tool(name, given)
        return repr(result.content) + json.dumps(result.structured_content, ensure_ascii=False)

    async def resource(self) -> str:
        try:
            return str(await self.client.read_resource(f"fundstelle://page/{quote(self.name())}/1"))
        except Exception as error:  # what it says is what is looked at
            return str(error)

    async def link(self) -> str:
        made = self.dice.choice(self.links or [f"{BASE}/p/none"]).removeprefix(BASE)
        part = self.dice.choice(["", "/card.jpg", "/1", "/2", "/9", "/1.pdf", "/1.img"])
        return whole(await self.asked.client.get(made + part))

    async def subscription(self) -> str:
        topic = self.line()
        draft = SubscriptionDraft(
            chat=ChatKey(platform="telegram", workspace="", chat="1"),
            thread=None,
            person=Pseudonym("eve"),
            kind=SubjectKind.TOPIC,
            subject=topic,
            name=topic,
            collections=("public",),
            jurisdiction=None,
            language="de",
            rhythm=Rhythm.AT_ONCE,
            created_at=self.world.clock.now(),
            due_at=self.world.clock.now(),
            seen=Seen(at=self.world.clock.now() - timedelta(days=9000), library="another"),
        )
        try:
            return repr(await self.world.app.watching.look(draft, ("public",)))
        except Refused as refused:
            return str(refused)


def whole(response: object) -> str:
    """All of a response: its headers and its bytes as text."""
    headers, content = response.headers, response.content  # type: ignore[attr-defined]
    return f"{dict(headers)}{content.decode(errors='replace')}"


async def probed(number: int) -> Counter[str]:
    """How many probes each door got, all of them without a canary."""
    world = await with_canaries()
    world.use(
        Settings(
            data=Path("no folder"),
            http=HttpSettings(public_url=BASE),
            telegram=TelegramSettings(inline=True),
        )
    )
    internal = [str(each.id) for each in await world.library.documents(["internal"])]
    found = Counter[str]()
    async with AsyncExitStack() as stack:
        asked = await stack.enter_async_context(asked_over_http(world))
        await asked.token("public", per_minute=10**6)
        address = await stack.enter_async_context(served(world))
        secret = await token(world, "public", per_minute=10**6)
        client = await stack.enter_async_context(over_http(address, secret))
        doors = Doors(world, asked, client, attacks(), internal)
        for turn in range(number):
            door = doors.all[turn % len(doors.all)]
            said = (await door()).casefold()
            assert not [each for each in CANARIES if each.casefold() in said], door.__name__
            found[door.__name__] += 1
        assert doors.links, "pages have to be there that can be opened"
        await asked.token("public", "internal", per_minute=10**6)
        seen = whole(await asked.post("/v1/search", question=INNER.format(topic="Mieten")))
        assert any(each in seen for each in CANARIES), "who may see them has to"
    return found


@pytest.mark.timeout(240)
async def test_a_few_hostile_questions_leak_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert len(await probed(FEW)) == 10
    assert not [each for each in CANARIES if each in caplog.text]


@pytest.mark.slow
@pytest.mark.timeout(7200)
async def test_many_hostile_questions_leak_nothing(caplog: pytest.LogCaptureFixture) -> None:
    found = await probed(MANY)
    assert not [each for each in CANARIES if each in caplog.text]
    print(f"{MANY} probes, no canary: {dict(found)}")  # noqa: T201
