"""What Slack shows beside messages: the Home tab, the form for comparisons, previews of our own links."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.slack.platform import SlackPlatform
from bot.settings.platforms import HttpSettings
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from core.domain.ids import TraceId
from core.domain.records import Recheck, Settled
from core.domain.registry import Manifest, Party
from core.ports.chat import Surfaces
from tests.scenario.test_whole_bot import QUESTION, QUOTE
from tests.servers.slack import blocks
from tests.support.chat_harness import eventually
from tests.support.journal_examples import cited
from tests.support.slack_harness import INVITE, SlackHarness, platform
from tests.support.slack_server import SlackServer
from tests.support.whole_bot import WholeBot, text_of
from tests.support.world import REGISTRY, World, populated

BASE = "https://bot.example/library"
CANARY = "KANARIENVOGEL"
MARKUP = f"<!channel> <@U1> *{CANARY}* <https://evil.example|click> `x` & _y_"
Json = dict[str, Any]


@dataclass
class Later:
    """The surfaces of services that are there once the bot serves."""

    app: Composition | None = None

    def __getattr__(self, name: str) -> Any:
        assert self.app is not None
        return getattr(self.app.chat_surfaces(), name)


class Harness(SlackHarness):
    """An app with a Home tab, forms and previews."""

    def __init__(self, server: SlackServer) -> None:
        super().__init__(server)
        self.later = Later()

    def made(self) -> SlackPlatform:
        surfaces: Surfaces = self.later  # type: ignore[assignment]
        return platform(self.server, surfaces=surfaces)


class Bot(WholeBot):
    """The whole bot with links to public pages."""

    harness: Harness

    async def begin(self, app: Composition) -> None:
        self.harness.later.app = app
        await super().begin(app)

    async def do(self, verb: str, **values: Any) -> Any:
        return await self.harness.server.do(verb, **values)

    async def home(self, *, after: Json | None = None) -> str:
        """The words of ann's Home tab once it is not what it was."""
        found: list[Json] = []

        async def there() -> bool:
            found[:] = [await self.do("home")]
            return bool(found[0]) and found[0] != after

        await eventually(there)
        assert blocks.alerted(found[0]) == []
        return "\n".join(blocks.text(each) for each in found[0]["blocks"])

    async def form(self, count: int = 1) -> Json:
        """The form opened last, once there are `count`."""

        async def there() -> bool:
            return len(await self.do("forms")) == count

        await eventually(there)
        return dict((await self.do("forms"))[-1])


async def linked() -> World:
    world = await populated()
    http = HttpSettings.model_validate({"public_url": BASE})
    world.use(Settings(data=world.app.settings.data, http=http))
    return world


@pytest.fixture
async def bot(slack_server: SlackServer, tmp_path: Path) -> AsyncIterator[Bot]:
    slack_server.ask("reset")
    harness = Harness(slack_server)
    whole = Bot(harness, await linked(), tmp_path)
    await harness.start()
    try:
        yield whole
    finally:
        await whole.stop()
        await harness.close()
    assert slack_server.ask("violations", clear=True) == []


async def add_internal(bot: Bot) -> None:
    await bot.world.add("geheim.pdf", f"Ein {CANARY} singt im Keller.", title=CANARY, collection="internal")


async def test_home_lists_what_is_public_and_what_can_be_asked(bot: Bot) -> None:
    await add_internal(bot)
    private = await bot.harness.direct()
    await bot.serve(public=[private])
    await bot.do("open_home")
    said = await bot.home()
    assert "ufer25" in said
    assert "/fundstelle hilfe" in said
    assert CANARY not in said


async def test_home_is_public_to_whoever_has_no_chat_of_their_own(bot: Bot) -> None:
    """A workspace is served by its channels; a person of it sees what they all see."""
    await add_internal(bot)
    await bot.harness.direct()
    group = await bot.harness.group()
    await bot.serve(staff=[group])
    await bot.do("open_home")
    said = await bot.home()
    assert "ufer25" in said
    assert CANARY not in said
    assert (await bot.do("home"))["blocks"][-1]["type"] != "actions"  # they cannot compare there


@pytest.mark.parametrize("guest", [False, True])
async def test_home_shows_what_is_internal_where_the_persons_own_chat_may_see_it(
    bot: Bot, guest: bool
) -> None:
    await add_internal(bot)
    private = await bot.harness.direct()
    if guest:
        await bot.do("user", name="ann", is_restricted=True)
    await bot.serve(staff=[private])
    await bot.do("open_home")
    assert (CANARY in await bot.home()) is not guest


async def test_home_of_an_unknown_workspace_says_how_it_is_set_up_and_nothing_else(bot: Bot) -> None:
    private = await bot.harness.direct()
    await bot.serve()
    await bot.do("open_home")
    said = await bot.home()
    assert f'id = "T0WORKSPACE/{private}"' in said
    assert "ufer25" not in said


async def test_the_tab_with_messages_publishes_nothing(bot: Bot) -> None:
    private = await bot.harness.direct()
    await bot.serve(public=[private])
    await bot.do("open_home", tab="messages")
    await bot.harness.say(private, QUESTION)
    await bot.shown(private, QUOTE, files=1)
    assert await bot.do("home") == {}


async def test_home_tells_in_which_public_documents_quotes_have_changed(bot: Bot) -> None:
    await add_internal(bot)
    private = await bot.harness.direct()
    world = bot.world
    for number, title in enumerate(("ufer25", CANARY)):
        held = await world.library.documents(["public", "internal"])
        document = next(each for each in held if each.fields.title == title)
        (version,) = await world.library.versions(document.id)
        trace = TraceId(f"t{number}")
        await world.journal.record(cited(trace, "v0"))
        found = Settled(
            trace=trace,
            label="S1",
            version=version.id,
            since=world.clock.now(),
            outcome=Recheck.CHANGED,
            said="Was da jetzt steht.",
        )
        assert await world.app.corrections.settle([found], [], [], at=world.clock.now() - timedelta(days=2))
    await bot.serve(public=[private])
    await bot.do("open_home")
    said = await bot.home()
    assert "30. Mai 2025: 1 Zitat einer früheren Antwort lautet jetzt anders" in said
    assert CANARY not in said
    assert "Was da jetzt steht" not in said  # whose question it answered is nobody's business


async def test_markup_of_documents_and_registries_is_text(bot: Bot) -> None:
    await bot.world.add("boese.pdf", QUOTE, title=MARKUP)
    private = await bot.harness.direct()
    await bot.serve(public=[private])
    await bot.do("open_home")
    assert CANARY in await bot.home()
    view = await bot.do("home")
    elements = [each for block in view["blocks"] for each in blocks.elements(block)]
    assert {each["type"] for each in elements} <= {"text", "plain_text"}
    assert "mrkdwn" not in json.dumps(view)


async def test_the_button_on_home_opens_a_form_whose_result_is_posted_privately(bot: Bot) -> None:
    private = await bot.harness.direct()
    await bot.serve(public=[private])
    await bot.do("open_home")
    await bot.home()
    await bot.do("press_home")
    form = await bot.form()
    assert names(form) == ["Drachenflieger", "Uferpartei", "Windmüller"]
    assert await bot.do("submit", view=form["id"], topic="Mindestlohn", chosen=names(form)[1:]) is None
    said = text_of(await bot.shown(private, "Windmüller"))
    assert "15 Taler" in said
    assert "lehnen wir ab" in said


@pytest.mark.parametrize("word", ["compare", "vergleich", "/compare"])
async def test_the_bare_command_opens_the_form_whose_result_is_posted_in_its_channel(
    bot: Bot, word: str
) -> None:
    group = await bot.harness.group()
    await bot.serve(public=[group])
    assert not await bot.do("command", chat=group, command="/fundstelle", text=word)
    form = await bot.form()
    await bot.do(
        "submit", view=form["id"], topic="Mindestlohn", chosen=["Uferpartei", "Windmüller"], by="ben"
    )
    assert "lehnen wir ab" in text_of(await bot.shown(group, "15 Taler"))


async def test_a_form_without_parties_compares_all_and_with_one_says_why_not(bot: Bot) -> None:
    group = await bot.harness.group()
    await bot.serve(public=[group])
    await bot.do("command", chat=group, command="/fundstelle", text="compare")
    form = await bot.form()
    refused = await bot.do("submit", view=form["id"], topic="Mindestlohn", chosen=["Uferpartei"])
    assert refused["response_action"] == "errors"
    assert "zwei oder mehr" in refused["errors"]["parties"]
    await bot.do("submit", view=form["id"], topic="Mindestlohn", chosen=[])
    assert "15 Taler" in text_of(await bot.shown(group, "lehnen wir ab"))


async def test_the_form_sent_twice_is_answered_once(bot: Bot) -> None:
    group = await bot.harness.group()
    await bot.serve(public=[group])
    await bot.do("command", chat=group, command="/fundstelle", text="compare")
    form = await bot.form()
    for _ in range(3):
        await bot.do("submit", view=form["id"], topic="Mindestlohn", chosen=[])
    first = await bot.shown(group, "lehnen wir ab")
    await bot.harness.say(group, bot.harness.asking(QUESTION))
    await bot.shown(group, QUOTE, files=1, after=len(first))
    assert text_of(await bot.harness.shown(group)).count("lehnen wir ab") == 1


@pytest.mark.parametrize("stranger", [False, True])
async def test_parties_of_internal_registries_are_to_choose_from_where_nobody_else_reads(
    bot: Bot, stranger: bool
) -> None:
    secret = Party(name=CANARY)
    manifests = (
        Manifest(name="open", collections=("public",), parties=REGISTRY.parties),
        Manifest(name="ours", collections=("internal",), parties=(secret,)),
    )
    registry = replace(REGISTRY, parties=(*REGISTRY.parties, secret), manifests=manifests)
    bot.world.app = replace(bot.world.app, registry=registry)
    group = await bot.harness.group()
    if stranger:
        await bot.do("member", chat=group, name="eve", is_stranger=True)
    await bot.serve(staff=[group])
    await bot.do("command", chat=group, command="/fundstelle", text="compare")
    assert (CANARY in names(await bot.form())) is not stranger


async def test_where_nothing_is_answered_no_form_opens(bot: Bot) -> None:
    group = await bot.harness.group()
    await bot.serve()
    await bot.do("command", chat=group, command="/fundstelle", text="compare")
    await bot.shown(group, "[[chat]]")
    assert await bot.do("forms") == []


async def test_a_form_that_slack_does_not_open_is_told_in_words(bot: Bot) -> None:
    group = await bot.harness.group()
    await bot.serve(public=[group])
    await bot.do("fault", method="views.open", kind="refuse", error="expired_trigger_id")
    await bot.do("command", chat=group, command="/fundstelle", text="compare")
    await bot.shown(group, "/fundstelle ")


async def test_a_command_where_the_app_is_not_opens_nothing(bot: Bot) -> None:
    group = await bot.harness.group()
    await bot.serve(public=[group])
    await bot.harness.remove_bot(group)
    said = await bot.do("command", chat=group, command="/fundstelle", text="compare")
    assert said["text"] == INVITE
    assert await bot.do("forms") == []


def names(form: Json) -> list[str]:
    """The parties to choose from."""
    menu = form["blocks"][1]["element"]
    return [each["value"] for each in menu["options"]]


# Previews of links


async def link(bot: Bot, chat: str) -> str:
    """A link that an answer has given."""
    await bot.harness.say(chat, QUESTION)
    await bot.shown(chat, QUOTE, files=1)
    posted = json.dumps(await bot.do("shown", chat=chat))
    return re.findall(rf"{BASE}/p/[\w-]+", posted)[0]


async def unfolded(bot: Bot, chat: str, url: str, **more: Any) -> Json:
    message = await bot.do("link", chat=chat, url=url, **more)
    found: list[Json] = []

    async def there() -> bool:
        found[:] = [await bot.do("unfurls", chat=chat, message=message)]
        return bool(found[0])

    await eventually(there)
    return found[0]


@pytest.mark.parametrize("source", ["", "conversations_history", "composer"])
@pytest.mark.parametrize("ending", ["", "/1", "/1.pdf", "?utm=x", "#here"])
async def test_a_link_shows_the_quote_its_source_and_its_lines(bot: Bot, source: str, ending: str) -> None:
    private = await bot.harness.direct()
    group = await bot.harness.group()
    await bot.serve(public=[private])
    url = f"{await link(bot, private)}{ending}"
    preview = (await unfolded(bot, group, url, source=source))[url]
    section, image, context = preview["blocks"]
    assert QUOTE in section["text"]["text"]
    assert "ufer25" in context["elements"][0]["text"]
    assert image["image_url"] == f"{BASE}/p/{url.removeprefix(f'{BASE}/p/')[: -len(ending) or None]}/card.jpg"


async def test_where_the_picture_cannot_be_fetched_words_are_shown(bot: Bot) -> None:
    private = await bot.harness.direct()
    await bot.serve(public=[private])
    url = await link(bot, private)
    await bot.do("world", has_pictures=False)
    preview = (await unfolded(bot, private, url))[url]
    assert [each["type"] for each in preview["blocks"]] == ["section", "context"]


async def test_links_of_others_unknown_ids_and_what_is_public_no_more_show_nothing(bot: Bot) -> None:
    private = await bot.harness.direct()
    app_settings = {"public": [private]}
    await bot.serve(**app_settings)  # type: ignore[arg-type]
    known = await link(bot, private)
    taken = [
        await bot.do("link", chat=private, url=url)
        for url in (
            f"{BASE}/p/unknown",
            f"{BASE}/p/",
            f"{BASE}/q/x",
            f"{BASE.replace('bot.', 'evil.')}/p/{known.rpartition('/')[2]}",
        )
    ]
    (document,) = [
        each for each in await bot.world.library.documents(["public"]) if each.fields.title == "ufer25"
    ]
    again = (await unfolded(bot, private, known))[known]
    assert again["blocks"]
    await bot.world.library.withdraw(document.id, at=bot.world.clock.now())
    taken.append(await bot.do("link", chat=private, url=known))
    await bot.harness.say(private, "/help")
    await bot.shown(private, "/fundstelle ")
    for message in taken:
        assert await bot.do("unfurls", chat=private, message=message) == {}


async def test_a_quote_of_an_internal_document_has_no_link_to_unfold(bot: Bot) -> None:
    await add_internal(bot)
    private = await bot.harness.direct()
    await bot.serve(staff=[private])
    await bot.harness.say(private, "Was singt im Keller?")
    shown = await bot.shown(private, "Keller", files=1)
    assert f"{BASE}/p/" not in text_of(shown)
