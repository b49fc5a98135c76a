"""Inline queries through the real client library: what is offered, to whom, and what of it is kept."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.telegram.platform import TelegramPlatform
from bot.answers.inline import FRESH_S
from bot.answers.links import Links
from bot.delivery import inline as lane_of_inline
from bot.delivery.inline import ChatsFirst, QuietLane
from bot.settings.platforms import HttpSettings, TelegramSettings
from core.domain.messages import Finding, InlineAnswer, InlineQuery
from tests.support.chat_harness import eventually
from tests.support.telegram_harness import TelegramHarness, platform
from tests.support.telegram_server import TelegramServer
from tests.support.whole_bot import WholeBot, text_of
from tests.support.world import UFER_2025, World, populated

CANARY = "KANARIENVOGEL"
QUOTE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
BASE = "https://bot.example"
Json = dict[str, Any]


class InlineHarness(TelegramHarness):
    """The adapter with inline mode on; `world` gives the lane."""

    world: World

    def made(self) -> TelegramPlatform:
        return platform(self.server, lane=self.world.app.inline_lane)


@pytest.fixture
async def bot(telegram_server: TelegramServer, tmp_path: Path) -> AsyncIterator[WholeBot]:
    async for each in _served(telegram_server, tmp_path, HttpSettings()):
        yield each


@pytest.fixture
async def public(telegram_server: TelegramServer, tmp_path: Path) -> AsyncIterator[WholeBot]:
    """With page links."""
    async for each in _served(telegram_server, tmp_path, HttpSettings(public_url=BASE)):
        yield each


async def _served(server: TelegramServer, folder: Path, http: HttpSettings) -> AsyncIterator[WholeBot]:
    world = await populated()
    telegram = TelegramSettings(inline=True, inline_jurisdiction="xv")
    world.use(world.app.settings.model_copy(update={"telegram": telegram, "http": http}))
    harness = InlineHarness(server)
    harness.world = world
    whole = WholeBot(harness, world, folder)
    await harness.start()
    await server.do("world", supports_inline=True)
    try:
        yield whole
    finally:
        await whole.stop()
        await harness.close()


def said(answer: Json) -> list[str]:
    return [each["input_message_content"]["message_text"] for each in answer["results"]]


def starts(answer: Json) -> list[str]:
    """All start parameters of an answer."""
    rows = [row for each in answer["results"] for row in each["reply_markup"]["inline_keyboard"]]
    links = [button["url"] for row in rows for button in row if "start=" in button["url"]]
    return [answer["button"]["start_parameter"], *(link.partition("start=")[2] for link in links)]


async def inline(bot: WholeBot, query: str, **more: str) -> Json:
    chats: Any = bot.harness
    found: Json = await chats.inline(query, **more)
    return found


async def test_proven_quotes_are_offered_with_party_document_and_page(bot: WholeBot) -> None:
    answer = await inline(bot, "mindestlohn uferpartei")
    (first, *_) = answer["results"]
    assert QUOTE in said(answer)[0]
    assert "ufer25" in said(answer)[0]
    assert "S. 1" in said(answer)[0] or "Seite 1" in said(answer)[0]
    assert "ufer25" in first["title"]
    assert QUOTE[:30] in first["description"]
    assert len(answer["results"]) <= 5
    assert all("wind25" not in each for each in said(answer))
    assert {each["type"] for each in first["input_message_content"]["entities"]} <= {"blockquote", "bold"}
    assert first["input_message_content"]["link_preview_options"] == {"is_disabled": True}
    assert "thumbnail_url" not in first


async def test_with_a_public_address_the_strip_is_shown(public: WholeBot) -> None:
    answer = await inline(public, "mindestlohn uferpartei")
    (first, *_) = answer["results"]
    assert first["thumbnail_url"].startswith(f"{BASE}/p/")
    assert first["thumbnail_url"].endswith("/card.jpg")
    page = first["thumbnail_url"].removesuffix("/card.jpg")
    assert first["input_message_content"]["link_preview_options"]["url"] == page
    assert page in [row[0]["url"] for row in first["reply_markup"]["inline_keyboard"]]


@pytest.mark.parametrize("query", ["mindestlohn", f"plan {CANARY}", "geheime Plan", f"{CANARY} Mindestlohn"])
@pytest.mark.parametrize("by", ["ann", "staff1"])
async def test_nothing_internal_is_offered_to_anybody(public: WholeBot, query: str, by: str) -> None:
    chats: Any = public.harness
    group = await chats.group()
    person = await chats.server.do("person", name=by)
    await public.serve(staff=[group], people=[str(person)])
    answer = await inline(public, query, by=by)
    told = json.dumps({name: each for name, each in answer.items() if name != "query"}, ensure_ascii=False)
    assert CANARY.casefold() not in told.casefold().replace(query.casefold(), "")
    assert "intern.pdf" not in told
    assert "Strategie" not in told
    links: Links = public.world.app.links
    for start in starts(answer):
        opened, _ = await links.started(start)
        assert {each.citation.edition.document.collection for each in opened} <= {"public"}
    kept = repr(public.world.app.page_links.kept) + repr(public.world.app.page_links.answers)  # type: ignore[attr-defined]
    assert CANARY not in kept


async def test_a_start_link_opens_the_quotes_with_their_pages_in_private(bot: WholeBot) -> None:
    """Also where nobody has listed the chat: they are public."""
    answer = await inline(bot, "mindestlohn uferpartei")
    whole, one, *_ = starts(answer)
    assert all(len(each) <= 64 for each in starts(answer))
    await bot.serve()
    private = await bot.harness.direct()
    await bot.harness.say(private, f"/start {whole}")
    shown = await bot.shown(private, QUOTE, files=1)
    assert "/id" not in text_of(shown)
    await bot.harness.say(private, f"/start {one}")
    await bot.shown(private, QUOTE, files=1, after=len(shown))


async def test_a_start_link_to_a_quote_that_changed_says_what_stands_now(bot: WholeBot) -> None:
    answer = await inline(bot, "mindestlohn uferpartei")
    one = starts(answer)[1]
    world = bot.world
    raised = UFER_2025.replace("15 Taler", "17 Taler")
    world.originals.contents["ufer25.pdf"] = raised
    world.clock.at += timedelta(days=1)
    await world.add("ufer25.pdf", raised, jurisdiction="xv", parties=("Uferpartei",))
    await bot.serve()
    private = await bot.harness.direct()
    await bot.harness.say(private, f"/start {one}")
    shown = await bot.shown(private, QUOTE, files=1)
    assert "Dort heißt es" in text_of(shown)
    assert "17 Taler" in text_of(shown)


async def test_a_start_link_ends_with_its_term_and_with_its_document(bot: WholeBot) -> None:
    answer = await inline(bot, "mindestlohn uferpartei")
    links = bot.world.app.links
    for start in starts(answer):
        opened, _ = await links.started(start)
        assert opened
        assert (await links.started(start[:-1]))[0] == ()
        assert (await replace(links, days=1, clock=_Later(links.clock)).started(start))[0] == ()
    document = opened[0].citation.edition.document.id
    await bot.world.library.withdraw(document, at=bot.world.clock.now())
    await bot.serve()
    private = await bot.harness.direct()
    await bot.harness.say(private, f"/start {starts(answer)[1]}")
    shown = await bot.shown(private, "")
    assert QUOTE not in text_of(shown)
    assert not any(each.files for each in shown)


class _Later:
    """A clock two days ahead."""

    def __init__(self, clock: Any) -> None:
        self._clock = clock

    def now(self) -> Any:
        return self._clock.now() + timedelta(days=2)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._clock, name)


@pytest.mark.parametrize(("language", "word"), [("de", "Thema"), ("en", "topic"), ("fr", "sujet")])
async def test_an_empty_query_gets_help_in_the_language_of_the_app(
    bot: WholeBot, language: str, word: str
) -> None:
    answer = await inline(bot, "", language=language)
    assert word in answer["results"][0]["title"]
    assert answer["is_personal"]
    assert answer["cache_time"] == 0


async def test_where_nothing_is_found_one_line_leads_to_the_private_chat(bot: WholeBot) -> None:
    answer = await inline(bot, "Was kostet die Zugspitzbahn in Bolivien?")
    assert answer["results"] == []
    assert answer["button"]["text"]
    await bot.serve()
    private = await bot.harness.direct()
    await bot.harness.say(private, f"/start {answer['button']['start_parameter']}")
    await bot.shown(private, "/")


@pytest.mark.parametrize(
    "query",
    [
        "mindestlohn drachenflieger",
        "mindestlohn drachenfliger",
        "mindestlohn piratenpartei",
        "Mindestlohn Piratenpatei",
        "mindestlohn wolkenpartei",
        "Was sagt die SPD zum Mindestlohn?",
        "mindestlohn spd grüne",
        "minimum wage pirate party",
        "mindestlohn zentrum",
    ],
)
async def test_no_party_is_offered_for_one_without_a_source(bot: WholeBot, query: str) -> None:
    answer = await inline(bot, query)
    assert answer["results"] == []
    assert "Keine Quelle" in answer["button"]["text"] or "No source" in answer["button"]["text"]


@pytest.mark.parametrize("other", ["drachenflieger", "piratenpartei", "wolkenpartei", "spd"])
async def test_beside_one_without_a_source_only_the_other_is_offered(bot: WholeBot, other: str) -> None:
    for query in (f"mindestlohn uferpartei {other}", f"mindestlohn {other}, uferpartei"):
        answer = await inline(bot, query)
        assert [QUOTE in each and "Keine Quelle" in each for each in said(answer)] == [True]


async def test_what_may_be_kept_is_the_same_for_everybody(bot: WholeBot) -> None:
    """Telegram hands what it keeps to others: only where it is not personal, and not for long."""
    answer = await inline(bot, "mindestlohn uferpartei", language="de")
    assert answer["cache_time"] <= FRESH_S
    assert not answer["is_personal"]
    quotes = bot.world.app.inline_quotes
    made = [
        await quotes.answer(
            InlineQuery(id="1", person=person, text="mindestlohn uferpartei", language=language)
        )
        for person, language in (("1", "de"), ("2", "fr"), ("3", ""))
    ]
    assert made[0] == made[1] == made[2]
    for text in ("", "ich will nicht mehr leben"):
        personal = await quotes.answer(InlineQuery(id="1", person="1", text=text))
        assert (personal.for_all, personal.keep_s) == (False, 0)


async def test_distress_is_met_with_help_and_never_with_quotes(bot: WholeBot) -> None:
    answer = await inline(bot, "ich will nicht mehr leben")
    assert answer["results"] == []
    assert "Hilfe" in answer["button"]["text"]
    await bot.serve()
    private = await bot.harness.direct()
    await bot.harness.say(private, f"/start {answer['button']['start_parameter']}")
    await bot.shown(private, "TelefonSeelsorge")


async def test_markup_of_documents_is_not_active(bot: WholeBot) -> None:
    poison = (
        "Der Fährpreis sinkt, siehe https://evil.example/x und t.me/evil, @everyone #weg /ban <b>fett</b>."
    )
    await bot.world.add("gift.pdf", f"Fähre\n\n{poison}", jurisdiction="xv", parties=("Uferpartei",))
    answer = await inline(bot, "Fährpreis uferpartei")
    assert any("Fährpreis" in each for each in said(answer))
    chats: Any = bot.harness
    group = await chats.group()
    number = next(n for n, each in enumerate(said(answer)) if "Fährpreis" in each)
    message = await chats.server.do("choose", chat=int(group), query=answer["query"], result=number)
    alive = {entity["type"] for entity in message["entities"]}
    assert alive <= {"blockquote", "bold", "code", "pre", "italic"}
    assert "evil.example" not in json.dumps(message.get("reply_markup", {}))


async def test_nothing_of_the_words_is_stored(bot: WholeBot, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    await bot.serve()
    await inline(bot, "mindestlohn uferpartei xyzzy")
    world = bot.world
    assert "xyzzy" not in caplog.text
    assert not any("xyzzy" in repr(vars(each)) for each in (world.journal, world.app.page_links))
    assert bot.harness.inbox.messages == []


async def test_a_newer_query_of_a_person_takes_the_place_of_the_older() -> None:
    made, answered = list[str](), list[str]()
    gate = asyncio.Event()

    async def make(query: InlineQuery) -> InlineAnswer:
        made.append(query.text)
        await gate.wait()
        return InlineAnswer(button=query.text)

    async def take(answer: InlineAnswer) -> None:
        answered.append(answer.button)

    lane = QuietLane(make, lambda query: InlineAnswer(), ChatsFirst())
    lane.take(_asked("tempo"), take)

    async def begun() -> bool:
        return made == ["tempo"]

    await eventually(begun)
    lane.take(_asked("tempol"), take)
    lane.take(_asked("tempolimit"), take)
    lane.take(_asked("rente", person="2"), take)
    gate.set()

    async def done() -> bool:
        return len(answered) == 2

    await eventually(done)
    assert answered == ["tempolimit", "rente"]
    assert "tempol" not in made
    await lane.end()


async def test_chats_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is under way ends when a chat is answered; who waits too long is told."""
    monkeypatch.setattr(lane_of_inline, "PATIENCE_S", 0.5)
    chats, begun, ended, answered = ChatsFirst(), asyncio.Event(), asyncio.Event(), list[str]()

    async def make(query: InlineQuery) -> InlineAnswer:
        if not ended.is_set():
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
        return InlineAnswer(button=query.text)

    async def take(answer: InlineAnswer) -> None:
        answered.append(answer.button)

    async def count(number: int) -> None:
        async def there() -> bool:
            return len(answered) == number

        await eventually(there)

    lane = QuietLane(make, lambda query: InlineAnswer(button="busy"), chats)
    lane.take(_asked("first"), take)
    await begun.wait()
    with chats.chat():
        await ended.wait()
        await count(1)
    lane.take(_asked("second"), take)
    await count(2)
    assert answered == ["busy", "second"]
    await lane.end()


async def test_one_person_cannot_flood_the_lane() -> None:
    answered = list[str]()

    async def make(query: InlineQuery) -> InlineAnswer:
        return InlineAnswer(button=query.text)

    async def take(answer: InlineAnswer) -> None:
        answered.append(answer.button)

    lane = QuietLane(make, lambda query: InlineAnswer(), ChatsFirst())
    for number in range(lane_of_inline.PER_MINUTE + 20):
        lane.take(_asked(str(number)), take)
    lane.take(_asked("other", person="2"), take)

    async def done() -> bool:
        return "other" in answered

    await eventually(done)
    assert len(answered) == 1  # of the first person only the last one admitted was left, and it was overtaken
    await lane.end()


async def test_off_is_off(telegram_server: TelegramServer) -> None:
    assert (await populated()).app.inline_lane is None
    telegram_server.ask("reset")
    lane = QuietLane(None, None, ChatsFirst())  # type: ignore[arg-type]
    for given, botfather, ok in ((None, True, True), (lane, True, True), (lane, False, False)):
        telegram_server.ask("world", supports_inline=botfather)
        made = platform(telegram_server, lane=given)
        (found,) = _inline(await made.check())
        assert found.ok is ok
        await made.close()


def _inline(found: list[Finding]) -> list[Finding]:
    return [each for each in found if "inline" in each.what]


def _asked(text: str, person: str = "1") -> InlineQuery:
    return InlineQuery(id=text, person=person, text=text)
