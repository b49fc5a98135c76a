"""What becomes of a look at a source."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.web.source import WebSource
from bot.presentation.escaping import WORD_JOINER
from bot.presentation.i18n import Texts
from core.domain.documents import VersionStatus
from core.domain.ingestion import CheckResult, HoldReason, SourceState
from core.errors import Refused, Unavailable
from tests.support.refreshing import URL, Refreshed, id_of, listed, pdf_of, programme
from tests.support.web_server import Site, rules, server

MIRROR = "https://mirror.example/programme.pdf"
HTML = b"<!doctype html><html><body>Moved</body></html>"
BUSY = Unavailable("url.server", "the server answers with status 503")
GONE = Refused("url.status", "the server answers with status 410", status=410)


@pytest.fixture
async def world(tmp_path: Path) -> Refreshed:
    """A listed programme of ten pages at its address, not fetched yet."""
    world = await Refreshed(tmp_path).listing(listed())
    world.source.web[URL] = programme(10)
    return world


@pytest.fixture
async def fetched(world: Refreshed) -> Refreshed:
    """The same, in the library."""
    assert (await world.check()).result is CheckResult.INDEXED
    world.source.requests.clear()
    world.clock.pass_(hours=6)
    return world


class TestChanges:
    async def test_a_listed_document_is_taken_in(self, world: Refreshed) -> None:
        state = await world.check()
        assert state.result is CheckResult.INDEXED
        assert state.checked_at == world.clock.now()
        assert state.next_run == world.clock.now() + timedelta(hours=6)
        document = await world.document()
        assert document is not None
        assert (document.fields.title, document.file) == ("Programm", "programme.pdf")
        assert await world.journal.source(id_of()) == state

    async def test_unchanged_costs_one_request_and_nothing_is_parsed(self, tmp_path: Path) -> None:
        site = Site()
        site.put("/programme.pdf", programme(10))
        async with server(site.answer) as port:
            url = f"http://example.org:{port}/programme.pdf"
            world = await Refreshed(tmp_path).listing(listed(url))
            web = WebSource(max_bytes=10**6, rules=rules(port), sleep=lambda _: asyncio.sleep(0))
            refresher = world.reading_from(web)
            first = await refresher.check(id_of(url))
            assert first.result is CheckResult.INDEXED
            site.requests.clear()
            site.sent = world.pdf.parsed = 0
            world.clock.pass_(hours=6)
            state = await refresher.check(id_of(url))
        assert state.result is CheckResult.UNCHANGED
        assert site.requests == ["/programme.pdf"]
        assert site.sent == 0
        assert world.pdf.parsed == 0

    async def test_the_same_bytes_without_a_revision(self, fetched: Refreshed) -> None:
        before = await fetched.journal.source(id_of())
        assert before is not None
        await fetched.journal.save_source(replace(before, revision=None))
        fetched.pdf.parsed = 0
        state = await fetched.check()
        assert state.result is CheckResult.UNCHANGED
        assert fetched.source.requests == [(URL, False)]
        assert fetched.pdf.parsed == 0

    async def test_other_bytes_become_a_new_version(self, fetched: Refreshed) -> None:
        fetched.source.web[URL] = programme(11, "Mieten")
        state = await fetched.check()
        assert state.result is CheckResult.UPDATED
        versions = await fetched.library.versions(id_of())
        assert [each.status for each in versions] == [VersionStatus.ACTIVE, VersionStatus.SUPERSEDED]
        assert fetched.told == []

    async def test_other_fields_in_the_manifest(self, fetched: Refreshed) -> None:
        await fetched.listing(listed(title="Wahlprogramm", schedule="every 1h"))
        await fetched.jobs.fetch_listed([listed()])
        fetched.pdf.parsed = 0
        state = await fetched.check()
        document = await fetched.document()
        assert document is not None
        assert document.fields.title == "Wahlprogramm"
        assert fetched.pdf.parsed == 0
        assert state.next_run == fetched.clock.now() + timedelta(hours=1)

    async def test_a_removed_document_is_not_fetched(self, fetched: Refreshed) -> None:
        await fetched.ingester.remove(id_of())
        with pytest.raises(Refused) as caught:
            await fetched.check()
        assert caught.value.key == "document.unknown"
        assert await fetched.jobs.listed() == []

    async def test_one_worker_per_source(self, world: Refreshed) -> None:
        states = await asyncio.gather(*(world.check() for _ in range(5)))
        assert [state.result for state in states].count(CheckResult.INDEXED) == 1
        assert world.pdf.parsed == 1


class TestMirrors:
    async def test_are_tried_in_order(self, tmp_path: Path) -> None:
        world = await Refreshed(tmp_path).listing(listed(mirrors=(MIRROR, "https://third.example/")))
        world.source.web |= {URL: BUSY, MIRROR: programme(3)}
        assert (await world.check()).result is CheckResult.INDEXED
        assert [url for url, _ in world.source.requests] == [URL, MIRROR]

    async def test_gone_everywhere_is_gone(self, tmp_path: Path) -> None:
        world = await Refreshed(tmp_path).listing(listed(mirrors=(MIRROR,)))
        world.source.web[URL] = programme(3)
        await world.check()
        del world.source.web[URL]
        state = await world.check()
        assert state.hold is not None
        assert state.hold.reason is HoldReason.VANISHED

    async def test_gone_in_one_place_and_unclear_in_another(self, tmp_path: Path) -> None:
        world = await Refreshed(tmp_path).listing(listed(mirrors=(MIRROR,)))
        world.source.web[URL] = programme(3)
        await world.check()
        world.source.web |= {URL: GONE, MIRROR: BUSY}
        state = await world.check()
        assert (state.result, state.error, state.hold) == (CheckResult.FAILED, "url.server", None)


SUSPICIOUS = [
    (GONE, HoldReason.VANISHED, {"status": 410}),
    (HTML, HoldReason.OTHER_KIND, {"before": "pdf", "now": "html"}),
    (programme(4), HoldReason.SHRANK, {"before": 10, "now": 4, "part": 38}),
    (pdf_of(*"abcdefghij"), HoldReason.SHRANK, {"before": 10, "now": 10, "part": 1}),
]


class TestHolds:
    @pytest.mark.parametrize(("found", "reason", "values"), SUSPICIOUS)
    async def test_what_is_suspicious_is_held(
        self,
        fetched: Refreshed,
        found: bytes | Refused,
        reason: HoldReason,
        values: dict[str, str | int],
    ) -> None:
        before = await fetched.active()
        fetched.source.web[URL] = found
        state = await fetched.check()
        assert state.result is CheckResult.HELD
        assert state.hold is not None
        assert state.hold.reason is reason
        named = {"title": "Programm", "url": URL, "document": id_of()}
        assert [key for key, _ in fetched.told] == [f"source.{reason.value}"]
        said = fetched.told[0][1]
        assert said.pop("part", 0) == pytest.approx(values.pop("part", 0), abs=2)
        assert said == named | values
        assert await fetched.active() == before
        assert len(await fetched.library.versions(id_of())) == 1

    @pytest.mark.parametrize("found", [each[0] for each in SUSPICIOUS])
    async def test_people_are_told_once(self, fetched: Refreshed, found: bytes | Refused) -> None:
        fetched.source.web[URL] = found
        await fetched.check()
        parsed = fetched.pdf.parsed
        fetched.clock.pass_(hours=6)
        assert (await fetched.check()).result is CheckResult.HELD
        assert len(fetched.told) == 1
        assert fetched.pdf.parsed == parsed

    async def test_an_approved_change_is_taken_over(self, fetched: Refreshed) -> None:
        fetched.source.web[URL] = programme(4)
        await fetched.check()
        await fetched.jobs.approve(await fetched.jobs.find("Programm"))
        fetched.source.requests.clear()
        state = await fetched.check()
        assert (state.result, state.hold, state.approved) == (CheckResult.UPDATED, None, False)
        assert [key for key, _ in fetched.told] == ["source.shrank", "source.approved"]
        active = await fetched.active()
        assert active is not None
        assert active.pages == 4
        assert fetched.source.requests == []
        fetched.clock.pass_(hours=6)
        assert (await fetched.check()).result is CheckResult.UNCHANGED
        assert fetched.source.requests == [(URL, True)]

    async def test_an_approved_removal(self, fetched: Refreshed) -> None:
        fetched.source.web[URL] = GONE
        await fetched.check()
        await fetched.jobs.approve(await fetched.jobs.find(URL))
        await fetched.check()
        assert await fetched.library.documents() == []
        assert [key for key, _ in fetched.told] == ["source.vanished", "source.removed"]
        assert await fetched.journal.source(id_of()) is None
        assert await fetched.jobs.listed() == []

    async def test_what_cannot_be_read_stays_held_though_approved(self, fetched: Refreshed) -> None:
        fetched.source.web[URL] = HTML
        await fetched.check()
        await fetched.jobs.approve(await fetched.jobs.find(id_of()))
        state = await fetched.check()
        assert (state.result, state.error) == (CheckResult.FAILED, "file.unsupported")
        assert state.hold is not None
        assert state.hold.original is not None
        held = await fetched.originals.whole(state.hold.original)
        assert held is not None
        assert held.read_bytes() == HTML
        assert not state.approved

    @pytest.mark.parametrize("found", [each[0] for each in SUSPICIOUS])
    async def test_a_rejected_change_is_not_asked_about_again(
        self, fetched: Refreshed, found: bytes | Refused
    ) -> None:
        kept = fetched.kept()
        fetched.source.web[URL] = found
        await fetched.check()
        await fetched.jobs.reject(await fetched.jobs.find("Programm"))
        assert fetched.kept() == kept
        parsed = fetched.pdf.parsed
        for _ in range(2):
            fetched.clock.pass_(hours=6)
            state = await fetched.check()
            assert (state.result, state.hold) == (CheckResult.UNCHANGED, None)
        assert len(fetched.told) == 1
        assert fetched.pdf.parsed == parsed
        active = await fetched.active()
        assert active is not None
        assert active.pages == 10

    async def test_another_change_after_a_rejected_one_is_asked_about(self, fetched: Refreshed) -> None:
        for pages in (4, 3):
            fetched.source.web[URL] = programme(pages)
            assert (await fetched.check()).result is CheckResult.HELD
            await fetched.jobs.reject(await fetched.jobs.find("Programm"))
        assert len(fetched.told) == 2

    @pytest.mark.parametrize("found", [each[0] for each in SUSPICIOUS])
    async def test_a_source_that_is_in_order_again(self, fetched: Refreshed, found: bytes | Refused) -> None:
        kept = fetched.kept()
        fetched.source.web[URL] = found
        await fetched.check()
        fetched.source.web[URL] = programme(10)
        state = await fetched.check()
        assert (state.result, state.hold) == (CheckResult.UNCHANGED, None)
        assert [key for key, _ in fetched.told][1:] == ["source.recovered"]
        assert fetched.kept() == kept

    async def test_one_that_vanishes_again_is_asked_about_again(self, fetched: Refreshed) -> None:
        for _ in range(2):
            fetched.source.web[URL] = GONE
            assert (await fetched.check()).result is CheckResult.HELD
            await fetched.jobs.reject(await fetched.jobs.find("Programm"))
            fetched.source.web[URL] = programme(10)
            assert (await fetched.check()).result is CheckResult.UNCHANGED
        assert [key for key, _ in fetched.told] == ["source.vanished"] * 2

    async def test_nothing_to_decide(self, fetched: Refreshed) -> None:
        source = await fetched.jobs.find("Programm")
        for decide in (fetched.jobs.approve, fetched.jobs.reject):
            with pytest.raises(Refused) as caught:
                await decide(source)
            assert caught.value.key == "job.nothing_held"

    async def test_a_new_document_is_not_suspicious(self, world: Refreshed) -> None:
        world.source.web[URL] = GONE
        state = await world.check()
        assert (state.result, state.error, state.hold) == (CheckResult.FAILED, "url.status", None)


class TestFailures:
    async def test_a_passing_one_is_tried_again_soon(self, fetched: Refreshed) -> None:
        fetched.source.web[URL] = BUSY
        waits = []
        for _ in range(5):
            state = await fetched.check()
            assert state.next_run is not None
            waits.append((state.next_run - fetched.clock.now()).total_seconds() / 60)
            fetched.clock.time = state.next_run
        assert waits == [5, 10, 20, 40, 80]
        assert state.failures == 5
        assert [key for key, _ in fetched.told] == ["source.failing"]
        fetched.source.web[URL] = programme(10)
        state = await fetched.check()
        assert (state.result, state.failures, state.error) == (CheckResult.UNCHANGED, 0, None)

    async def test_another_one_waits_for_its_time_and_people_are_told_once(self, fetched: Refreshed) -> None:
        fetched.source.web[URL] = Refused("url.status", "status 403", status=403)
        for _ in range(3):
            state = await fetched.check()
            assert state.next_run == fetched.clock.now() + timedelta(hours=6)
        assert fetched.told == [
            (
                "source.failing",
                {"title": "Programm", "url": URL, "document": id_of(), "error": "status 403", "failures": 1},
            )
        ]

    async def test_a_file_that_is_refused(self, fetched: Refreshed) -> None:
        fetched.source.web[URL] = pdf_of("encrypted")
        state = await fetched.check()
        assert (state.result, state.error) == (CheckResult.FAILED, "pdf.encrypted")
        assert await fetched.active() is not None

    async def test_a_schedule_that_cannot_be_read(self, tmp_path: Path) -> None:
        world = await Refreshed(tmp_path).listing(listed(schedule="61 * * * *"))
        world.source.web[URL] = programme(2)
        state = await world.check()
        assert (state.next_run, state.error) == (None, "schedule.invalid")
        assert await world.active() is not None


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("source.vanished", {"status": 404}),
        ("source.other_kind", {"before": "pdf", "now": "html"}),
        ("source.shrank", {"before": 80, "now": 2, "part": 3}),
        ("source.failing", {"error": "status 403", "failures": 1}),
        ("source.recovered", {}),
        ("source.approved", {}),
        ("source.removed", {}),
        ("source.file_vanished", {"file": "a.pdf", "folder": "/srv"}),
        ("source.file_refused", {"file": "a.pdf", "error": "encrypted"}),
    ],
)
def test_people_can_be_told(language: str, key: str, values: dict[str, str | int]) -> None:
    named = {"title": "Programm", "url": URL, "document": "id", **values}
    text = Texts(language)(key, **named).replace(WORD_JOINER, "")
    assert text != key
    assert all(str(value) in text for value in values.values())


class TestJobs:
    async def test_are_due_until_looked_at(self, world: Refreshed) -> None:
        assert [job.is_due(world.clock.now()) for job in await world.jobs.listed()] == [True]
        await world.check()
        assert [job.is_due(world.clock.now()) for job in await world.jobs.listed()] == [False]
        world.clock.pass_(days=30)
        assert [job.is_due(world.clock.now()) for job in await world.jobs.listed()] == [True]

    async def test_run_now(self, fetched: Refreshed) -> None:
        await fetched.check()
        await fetched.jobs.request(await fetched.jobs.find("Programm"))
        assert [job.is_due(fetched.clock.now()) for job in await fetched.jobs.listed()] == [True]

    async def test_what_is_approved_during_a_look_stays_approved(self, fetched: Refreshed) -> None:
        """Another process approves while this one asks the server."""
        fetched.source.web[URL] = GONE
        await fetched.check()
        plain = fetched.source.fetch

        async def slowly(url: str, **condition: object) -> object:
            await fetched.journal.approve(id_of(), at=fetched.clock.now())
            return await plain(url, **condition)  # type: ignore[arg-type]

        fetched.source.fetch = slowly  # type: ignore[method-assign, assignment]
        await fetched.check()
        state = await fetched.journal.source(id_of())
        assert isinstance(state, SourceState)
        assert state.approved


@pytest.mark.parametrize(
    "fault", [ValueError("year"), OverflowError(), OSError(28, "full"), RecursionError()]
)
async def test_whatever_goes_wrong_is_kept_and_tried_again_later(tmp_path: Path, fault: Exception) -> None:
    world = await Refreshed(tmp_path).listing(listed())
    world.source.web[URL] = fault
    state = await world.check()
    assert (state.result, state.error, state.failures) == (CheckResult.FAILED, "source.unexpected", 1)
    (job,) = await world.jobs.listed()
    assert not job.is_due(world.clock.now())
    assert job.is_due(world.clock.now() + timedelta(minutes=5))
    assert (await world.check()).failures == 2


async def test_a_server_that_wants_to_be_left_alone_for_ever_is_asked_tomorrow(tmp_path: Path) -> None:
    world = await Refreshed(tmp_path).listing(listed())
    world.source.web[URL] = Unavailable("url.server", "status 503", retry_after_s=float("inf"))
    state = await world.check()
    assert state.next_run == world.clock.now() + timedelta(days=1)
