"""Days are those of the people: what is "today" between midnight in Berlin, in Chicago and in UTC."""

import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.database.database import Database
from adapters.database.library import SqlLibrary
from bot.library.lifecycle import Keeper
from bot.library.sources.jobs import next_run, planner
from bot.presentation.i18n import Texts
from bot.settings.sections import SystemZone, zone_of
from bot.settings.tree import load
from core.domain.answers import Answer
from core.domain.documents import DocumentType
from core.domain.scope import Scope
from core.errors import Broken
from core.ports.library import Library
from tests.support.databases import sqlite_url
from tests.support.fake_library import FakeLibrary
from tests.support.library_examples import document, page, passage, version
from tests.support.world import FixedClock, World

BERLIN, CHICAGO = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Chicago")
PUBLIC = Scope(collections=("public",))
EVENING = datetime(2025, 6, 1, 23, 30, tzinfo=UTC)
"""The first of June in UTC and in Chicago, the second in Berlin."""
NIGHT = datetime(2025, 6, 2, 3, 30, tzinfo=UTC)
"""The second of June in UTC and in Berlin, the first in Chicago."""

OLD = "Gebühren\n\nDie Anmeldung eines Hausboots kostet 40 Taler im Jahr und wird vom Wasseramt erhoben."
NEW = OLD.replace("40 Taler", "90 Taler")


@pytest.fixture
def machine_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Puts the machine into a zone."""
    before = os.environ.get("TZ")

    def put(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield put
    if before is None:
        monkeypatch.delenv("TZ", raising=False)
    else:
        monkeypatch.setenv("TZ", before)
    time.tzset()


async def law(moment: datetime, zone: tzinfo) -> World:
    """A law of which another edition holds from the second of June on."""
    world = await World(clock=FixedClock(moment, zone)).with_registry()
    same = {"jurisdiction": "xv", "doc_type": DocumentType.ACT, "series": "fees", "title": "Gebührengesetz"}
    await world.add("alt.pdf", OLD, valid_from=date(2020, 1, 1), **same)
    await world.add("neu.pdf", NEW, valid_from=date(2025, 6, 2), **same)
    return world


async def answered(world: World) -> Answer:
    asked = await world.app.asker.answered("Was kostet die Anmeldung eines Hausboots?", scope=PUBLIC)
    return asked.answer


@pytest.mark.parametrize(
    ("moment", "zone", "file"),
    [
        (EVENING, UTC, "alt.pdf"),
        (EVENING, BERLIN, "neu.pdf"),
        (EVENING, CHICAGO, "alt.pdf"),
        (NIGHT, UTC, "neu.pdf"),
        (NIGHT, BERLIN, "neu.pdf"),
        (NIGHT, CHICAGO, "alt.pdf"),
    ],
)
async def test_the_law_of_the_day_holds(moment: datetime, zone: tzinfo, file: str) -> None:
    answer = await answered(await law(moment, zone))
    assert [item.edition.document.file for item in answer.citations] == [file]


@pytest.mark.parametrize(("zone", "told"), [(UTC, False), (BERLIN, True), (CHICAGO, False)])
async def test_a_text_that_ended_today_is_said_to_be_over(zone: tzinfo, told: bool) -> None:
    world = await World(clock=FixedClock(EVENING, zone)).with_registry()
    await world.add("alt.pdf", OLD, doc_type=DocumentType.ACT, valid_to=date(2025, 6, 1))
    found = {notice.key for notice in (await answered(world)).notices}
    shown = (await answered(world)).citations
    assert not shown or ("notice.no_longer_in_force" in found) is told
    assert bool(shown) or told


@pytest.fixture(params=["fake", "sqlite"])
async def libraries(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[Callable[[tzinfo], Library]]:
    if request.param == "fake":
        yield FakeLibrary
        return
    database = await Database.open(sqlite_url(tmp_path / "days.db"))
    yield lambda zone: SqlLibrary(database, zone)
    await database.close()


@pytest.mark.parametrize(("zone", "number"), [(UTC, 2), (BERLIN, 1), (CHICAGO, 2)])
async def test_a_day_ends_at_its_own_midnight(
    libraries: Callable[[tzinfo], Library], zone: tzinfo, number: int
) -> None:
    library = libraries(zone)
    of = document()
    await library.save_document(of)
    first = version(of, "one", seen=EVENING - timedelta(days=9))
    second = version(of, "two", number=2, seen=EVENING)
    for each in (first, second):
        await library.add_version(each, [page()], [passage(each)])
        await library.activate(each.id, at=each.seen_from)
    for day, expected in ((date(2025, 6, 1), number), (date(2025, 6, 2), 2), (date.min, 1)):
        (found,) = await library.editions(replace(PUBLIC, as_of=day), on=date(2025, 6, 9))
        assert found.version.number == expected


@pytest.mark.parametrize(
    ("schedule", "zone", "now", "hour"),
    [
        ("0 4 * * *", UTC, EVENING, datetime(2025, 6, 2, 4, tzinfo=UTC)),
        ("0 4 * * *", BERLIN, EVENING, datetime(2025, 6, 2, 2, tzinfo=UTC)),
        ("0 4 * * *", CHICAGO, EVENING, datetime(2025, 6, 2, 9, tzinfo=UTC)),
        ("0 4 * * *", BERLIN, datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, 3, tzinfo=UTC)),
        ("0 1 2 6 *", BERLIN, datetime(2025, 5, 1, tzinfo=UTC), datetime(2025, 6, 1, 23, tzinfo=UTC)),
        ("every 6h", BERLIN, EVENING, EVENING + timedelta(hours=6)),
    ],
)
def test_hours_of_schedules_are_those_of_the_zone(
    schedule: str, zone: tzinfo, now: datetime, hour: datetime
) -> None:
    assert next_run(schedule, now, zone) == hour
    assert planner(lambda: 0.0, zone)(schedule, now) == hour


async def test_indexes_are_built_at_night_where_the_people_are() -> None:
    morning = datetime(2025, 6, 1, 7, 30, tzinfo=UTC)
    for zone, quiet in ((UTC, False), (BERLIN, False), (CHICAGO, True)):
        world = await law(morning, zone)
        keeper = Keeper(world.app.document_lifecycle, world.clock)
        await world.app.document_lifecycle.remove("alt.pdf")
        world.clock.at += timedelta(days=31)
        assert (await keeper.once() == ("public",)) is quiet


def test_moments_are_told_as_clocks_show_them() -> None:
    texts = Texts("de", zone=BERLIN)
    assert texts.day_of(EVENING) == date(2025, 6, 2)
    assert texts.day(EVENING) == "2. Juni 2025, 01:30 CEST"
    assert Texts("de").day(EVENING) == "1. Juni 2025, 23:30 UTC"


class TestSetting:
    def test_a_zone_by_its_name(self, tmp_path: Path) -> None:
        (tmp_path / "fundstelle.toml").write_text('time_zone = "America/Chicago"\n', encoding="utf-8")
        assert load(data=tmp_path).settings.zone == CHICAGO

    @pytest.mark.parametrize("name", ["Berlin", "Europe", "../zone", "/etc/localtime", "CEST", "ä"])
    def test_what_is_no_name(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "fundstelle.toml").write_text(f'time_zone = "{name}"\n', encoding="utf-8")
        with pytest.raises(Broken) as caught:
            load(data=tmp_path)
        assert "Europe/Berlin" in caught.value.detail

    def test_nothing_said_is_the_zone_of_the_machine(
        self, machine_in: Callable[[str], None], tmp_path: Path
    ) -> None:
        zone = load(data=tmp_path).settings.zone
        for name, day in (("Europe/Berlin", 2), ("America/Chicago", 1), ("UTC", 1), ("", 1)):
            machine_in(name)
            assert FixedClock(EVENING, zone).today() == date(2025, 6, day)

    def test_the_machine_may_write_its_zone_as_posix_does(self, machine_in: Callable[[str], None]) -> None:
        machine_in("CET-1CEST,M3.5.0,M10.5.0/3")
        assert FixedClock(EVENING, zone_of("")).today() == date(2025, 6, 2)
        winter = datetime(2025, 1, 1, tzinfo=UTC)
        assert next_run("0 4 * * *", winter, zone_of("")) == winter + timedelta(hours=3)

    def test_the_zone_of_the_machine_is_like_any_other(self, machine_in: Callable[[str], None]) -> None:
        machine_in("Europe/Berlin")

        @given(st.integers(0, 2_100_000_000))
        def same(seconds: int) -> None:
            moment = datetime.fromtimestamp(seconds, UTC)
            here, there = moment.astimezone(SystemZone()), moment.astimezone(BERLIN)
            assert here.replace(tzinfo=None) == there.replace(tzinfo=None)
            assert here.utcoffset() == there.utcoffset()
            assert here.timestamp() == moment.timestamp()

        same()
        assert SystemZone().utcoffset(datetime.min.replace(tzinfo=UTC)) is not None
        assert SystemZone().utcoffset(datetime.max.replace(tzinfo=UTC)) is not None
