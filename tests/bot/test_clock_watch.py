"""A clock that is wrong is told, and nothing is deleted by it."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.answers.records.recorder import Recorder
from bot.presentation.i18n import ENGLISH
from bot.service.checks import State
from bot.service.diagnosis import server_addresses
from bot.service.watches import ClockWatch, clock_check
from bot.settings.platforms import SlackSettings, TelegramSettings
from bot.settings.sections import LlmSettings, QdrantSettings
from bot.settings.tree import Settings, load
from core.domain.ids import TraceId
from core.domain.journal import Retention
from core.errors import Broken
from tests.support.fake_journal import FakeJournal
from tests.support.fake_platform import ManualClock
from tests.support.world import populated

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ALIKE, DAYS, YEARS = timedelta(seconds=-40), timedelta(days=2), timedelta(days=4000)


class Asked:
    """Servers with their clocks, and how often they were asked."""

    def __init__(self, *ahead: timedelta) -> None:
        self.ahead = {f"host{number}": by for number, by in enumerate(ahead)}
        self.times = 0

    async def __call__(self) -> Mapping[str, timedelta]:
        self.times += 1
        return self.ahead


def watch(written: datetime | None, servers: Asked) -> ClockWatch:
    async def told() -> datetime | None:
        return written

    return ClockWatch(ManualClock(NOW), nobody, told, servers)


async def nobody() -> datetime | None:
    """There is no server."""
    return None


@pytest.mark.parametrize("written", [None, NOW, NOW - DAYS, NOW + timedelta(minutes=9)])
async def test_nobody_is_asked_while_the_times_fit(written: datetime | None) -> None:
    servers = Asked(YEARS)
    await watch(written, servers).require()
    assert servers.times == 0


@pytest.mark.parametrize(
    ("written", "ahead", "wrong"),
    [
        (NOW + YEARS, (), True),  # set back, and nobody says otherwise
        (NOW + YEARS, (-YEARS,), True),
        (NOW + YEARS, (ALIKE,), False),  # it was wrong when that was written
        (NOW - YEARS, (YEARS,), True),  # set forward
        (NOW - YEARS, (ALIKE,), False),  # a long pause
        (NOW - YEARS, (), False),
        (NOW - YEARS, (ALIKE, ALIKE, YEARS), False),
    ],
)
async def test_servers_decide(written: datetime, ahead: tuple[timedelta, ...], wrong: bool) -> None:
    done = []

    async def work() -> None:
        done.append(1)

    careful = watch(written, Asked(*ahead)).careful(work)
    if not wrong:
        await careful()
        assert done == [1]
        return
    with pytest.raises(Broken, match="nothing is deleted until the clock is set") as caught:
        await careful()
    assert (caught.value.key, done) == ("clock.wrong", [])


@pytest.mark.parametrize(("apart", "wrong"), [(ALIKE, False), (DAYS, True), (-DAYS, True)])
async def test_the_databases_server_decides_at_once(apart: timedelta, wrong: bool) -> None:
    """Others have written their times by that clock, and a term of theirs would end two days too early."""
    servers = Asked()

    async def there() -> datetime | None:
        return NOW + apart

    async def written() -> datetime | None:
        return NOW

    watched = ClockWatch(ManualClock(NOW), there, written, servers)
    if not wrong:
        await watched.require()
        return
    with pytest.raises(Broken, match="by the database's server") as caught:
        await watched.require()
    assert caught.value.key == "clock.wrong"


@pytest.mark.parametrize("name", ["retention", "collection", "tidying"])
async def test_whatever_deletes_asks_first(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await populated()

    async def there() -> datetime | None:
        return world.app.clock.now() - DAYS

    monkeypatch.setattr(world.app.source_journal, "server_time", there)
    wired = world.use(load(data=tmp_path).settings)
    (work,) = (each.work for each in wired._library_work() if each.name == name)
    with pytest.raises(Broken) as caught:
        await work()
    assert caught.value.key == "clock.wrong"
    with pytest.raises(Broken):
        await wired.document_lifecycle.collect()


async def test_records_outlive_a_clock_that_is_wrong() -> None:
    """They all lie in its future, and counted as over."""
    journal, clock, servers = FakeJournal(), ManualClock(NOW), Asked()
    watched = ClockWatch(clock, nobody, lambda: _purged_at(journal), servers)

    def recorder() -> Recorder:
        return Recorder(journal, clock, Retention(), lambda: TraceId("t"), check_clock=watched.require)

    assert await recorder().purge_if_due() is not None
    clock.time = NOW - YEARS
    with pytest.raises(Broken):
        await recorder().purge_if_due()
    servers.ahead = {"there": ALIKE}
    assert await recorder().purge_if_due() is not None


async def _purged_at(journal: FakeJournal) -> datetime | None:
    return (await journal.backlog()).purged_at


@pytest.mark.parametrize(
    ("ahead", "state", "said"),
    [
        ({"a.example": ALIKE, "b.example": -ALIKE}, State.OK, "a.example, b.example"),
        (
            {"a.example": -DAYS},
            State.FAIL,
            "12:00 UTC according to this machine, but not elsewhere: a.example 2026-03-03 12:00",
        ),
        (
            {"a.example": DAYS, "b.example": ALIKE},
            State.WARN,
            "b.example, but not according to a.example 2026-02-27",
        ),
    ],
)
def test_doctor_compares(ahead: dict[str, timedelta], state: State, said: str) -> None:
    (check,) = clock_check(ahead, NOW, ENGLISH)
    assert check.state is state
    assert said in check.message
    assert bool(check.advice) == (state is not State.OK)
    assert clock_check({}, NOW, ENGLISH) == []


def test_whoever_is_talked_to_anyway_is_asked() -> None:
    settings = Settings(
        telegram=TelegramSettings(token=SecretStr("1:k")),
        slack=SlackSettings(bot_token=SecretStr("xoxb-k"), signing_secret=SecretStr("s")),
        qdrant=QdrantSettings(url="http://127.0.0.1:6333"),
        llm=LlmSettings(model="m", api_base="https://models.example/v1"),
    )
    assert server_addresses(Settings()) == []
    assert server_addresses(settings) == [
        "https://api.telegram.org",
        "https://slack.com",
        "https://models.example/v1",
    ]
