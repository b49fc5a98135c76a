"""Telegram's pace: 20 messages a minute in a group, and nobody waits for another group's turn."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.errors import WINDOW_S, GroupPace
from core.domain.messages import MessageRef, Outgoing, ReplyFile
from core.errors import Unavailable
from tests.support.telegram_harness import TelegramHarness


def test_twenty_messages_a_minute_and_group() -> None:
    pace = GroupPace(limit=20)
    assert [pace.wait(-1, 1, float(second)) for second in range(20)] == [0.0] * 20
    assert pace.wait(-1, 1, 30.0) == pytest.approx(30.0)
    assert pace.wait(-2, 1, 30.0) == 0.0
    assert pace.wait(-1, 1, 60.0) == 0.0
    assert pace.wait(-1, 2, 60.5) == pytest.approx(1.5)


def test_an_album_counts_its_files() -> None:
    pace = GroupPace(limit=20)
    assert pace.wait(-1, 10, 0.0) == 0.0
    assert pace.wait(-1, 10, 1.0) == 0.0
    assert pace.wait(-1, 1, 2.0) == pytest.approx(58.0)
    assert pace.wait(-1, 10, 60.0) == 0.0


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(1, 10)), max_size=60))
def test_never_more_than_the_limit_in_a_minute(steps: list[tuple[float, int]]) -> None:
    pace, now, shown = GroupPace(limit=20), 0.0, []
    for pause, messages in steps:
        now += pause
        wait = pace.wait(-1, messages, now)
        if wait:
            now += wait + 1e-6  # whoever waits as told gets the turn
            assert pace.wait(-1, messages, now) == 0.0
        shown += [now] * messages
        assert sum(1 for at in shown if at > now - WINDOW_S + 1e-6) <= 20


def test_many_groups_are_forgotten() -> None:
    pace = GroupPace()
    for chat in range(1, 3000):
        pace.wait(-chat, 1, float(chat))
    assert len(pace._sent) < 1100


async def test_a_busy_group_keeps_no_other_chat_waiting(chats: TelegramHarness, tmp_path: Path) -> None:
    page = tmp_path / "a.pdf"
    page.write_bytes(b"%PDF-1.4")
    group, other = await chats.group(), await chats.group()
    files = tuple(ReplyFile(name=f"{n}.pdf", caption="", path=page) for n in range(10))

    def part(chat: str, text: str = "", files: tuple[ReplyFile, ...] = ()) -> Outgoing:
        to = MessageRef(platform="telegram", workspace="", chat=chat, thread=None, message="")
        return Outgoing(key="k", to=to, text=text, files=files)

    await chats.platform.send(part(group, files=files))
    await chats.platform.send(part(group, files=files))
    with pytest.raises(Unavailable) as waiting:
        await chats.platform.send(part(group, "One more"))
    assert waiting.value.key == "platform.busy"
    assert 50 < waiting.value.retry_after_s <= 60
    await chats.platform.send(part(other, "At once"))
    assert [shown.text for shown in await chats.shown(other)] == ["At once"]
