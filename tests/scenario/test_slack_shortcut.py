"""The shortcut "check this quote" in the menu of a Slack message, through Slack's own payload."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.slack.manifest import SHORTCUT
from tests.scenario.test_whole_bot import QUESTION, QUOTE
from tests.support.chat_harness import eventually
from tests.support.slack_harness import INVITE, SlackHarness
from tests.support.slack_server import SlackServer
from tests.support.whole_bot import WholeBot, text_of
from tests.support.world import populated


@pytest.fixture
async def bot(slack_server: SlackServer, tmp_path: Path) -> AsyncIterator[WholeBot]:
    harness = SlackHarness(slack_server)
    whole = WholeBot(harness, await populated(), tmp_path)
    await harness.start()
    try:
        yield whole
    finally:
        await whole.stop()
        await harness.close()


@pytest.mark.parametrize(("words", "verdict"), [(QUOTE, "✅"), (QUOTE.replace("15", "18"), "❌")])
async def test_a_message_is_checked_below_it(bot: WholeBot, words: str, verdict: str) -> None:
    server = bot.harness.server  # type: ignore[attr-defined]
    group = await bot.harness.group()
    await bot.serve(public=[group])
    said = await bot.harness.say(group, f"Uferpartei: {words}", by="bob")
    await server.do("shortcut", chat=group, message=said, callback_id=SHORTCUT)
    shown = await bot.shown(group, verdict)
    assert "15 Taler" in text_of(shown)
    assert {item.thread for item in shown} == {said}


async def test_a_question_is_checked_not_asked(bot: WholeBot) -> None:
    server = bot.harness.server  # type: ignore[attr-defined]
    private = await bot.harness.direct()
    await bot.serve(public=[private])
    said = await bot.harness.say(private, "Was sagt die Uferpartei zum Mindestlohn?")
    first = await bot.shown(private, QUOTE, files=1)
    await server.do("shortcut", chat=private, message=said, callback_id=SHORTCUT)
    assert QUOTE not in text_of(await bot.shown(private, "Nicht gefunden", after=len(first)))


async def test_who_is_where_the_app_is_not_is_told_to_invite_it(bot: WholeBot) -> None:
    server = bot.harness.server  # type: ignore[attr-defined]
    group = await bot.harness.group()
    await bot.serve(public=[group])
    said = await bot.harness.say(group, QUOTE, by="bob")
    await bot.harness.remove_bot(group)
    await server.do("shortcut", chat=group, message=said, callback_id=SHORTCUT)

    async def told() -> bool:
        return [item["text"] for item in await server.do("ephemeral", chat=group)] == [INVITE]

    await eventually(told)


async def test_another_shortcut_is_nothing(bot: WholeBot) -> None:
    server = bot.harness.server  # type: ignore[attr-defined]
    group = await bot.harness.group()
    await bot.serve(public=[group])
    said = await bot.harness.say(group, QUOTE, by="bob")
    await server.do("shortcut", chat=group, message=said, callback_id="somebody_elses")
    await bot.harness.say(group, bot.harness.asking(QUESTION))
    assert "✅" not in text_of(await bot.shown(group, QUOTE, files=1))
