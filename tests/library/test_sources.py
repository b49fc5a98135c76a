"""Which sources there are, when they are looked at, and what is suspicious."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.library.sources.jobs import next_run, planner
from core.domain.documents import Document, DocumentFields
from core.domain.ids import document_id
from core.domain.registry import RegisteredDocument
from core.errors import Broken, Refused, Unavailable
from core.library.sources import Size, interval, is_gone, named, retry_at, scheduled, with_jitter

NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)  # a Sunday
URL = "https://example.org/a.pdf"


def fields(title: str = "A", **stated: object) -> DocumentFields:
    return DocumentFields(title=title, language="de", **stated)  # type: ignore[arg-type]


def document(key: str = URL, **stated: object) -> Document:
    return Document(
        id=document_id("public", key), collection="public", key=key, file="a.pdf", fields=fields(**stated)
    )


def row(file: str | None = None, **stated: object) -> RegisteredDocument:
    listed = fields(**{"source_uri": URL, "schedule": "every 1h", **stated})
    return RegisteredDocument(key=file or URL, collection="public", fields=listed, file=file, url=URL)


class TestScheduled:
    def test_a_document_with_address_and_schedule(self) -> None:
        one = document(source_uri=URL, schedule="every 6h", mirrors=("https://mirror.example/a.pdf",))
        found = scheduled([one], [])
        assert [(source.id, source.document) for source in found] == [(one.id, one)]
        assert found[0].urls == (URL, "https://mirror.example/a.pdf")

    def test_a_listed_one_that_is_not_there_yet(self) -> None:
        found = scheduled([], [row()])
        assert [(source.document, source.row) for source in found] == [(None, row())]

    def test_a_manifest_has_the_last_word(self) -> None:
        one = document(source_uri=URL, schedule="every 6h")
        assert [source.schedule for source in scheduled([one], [row()])] == ["every 1h"]
        assert scheduled([one], [row(schedule=None)]) == []

    def test_others(self) -> None:
        without = document(source_uri=URL)
        own_file = document("a.pdf", source_uri=URL, schedule="every 6h")
        assert scheduled([without], []) == []
        assert scheduled([own_file], []) == []
        assert scheduled([], [row("a.pdf")]) == []

    def test_by_name(self) -> None:
        sources = scheduled([document(source_uri=URL, schedule="every 6h")], [])
        for name in (sources[0].id, "a", "A", URL):
            assert named(name, sources) == sources[0]
        with pytest.raises(Refused) as caught:
            named("b", sources)
        assert caught.value.key == "document.unknown"
        with pytest.raises(Refused) as caught:
            named("a", [*sources, *scheduled([], [row(title="A")])])
        assert caught.value.key == "document.ambiguous"


class TestPlans:
    @pytest.mark.parametrize(
        ("schedule", "at"),
        [
            ("every 30m", NOW + timedelta(minutes=30)),
            ("every 6h", NOW + timedelta(hours=6)),
            ("every 2 d", NOW + timedelta(days=2)),
            ("0 4 * * *", datetime(2026, 3, 2, 4, tzinfo=UTC)),
            ("*/20 * * * *", datetime(2026, 3, 1, 12, 40, tzinfo=UTC)),
            ("15 6 * * mon-fri", datetime(2026, 3, 2, 6, 15, tzinfo=UTC)),
            ("0 0 1 */3 *", datetime(2026, 4, 1, tzinfo=UTC)),
        ],
    )
    def test_next_run(self, schedule: str, at: datetime) -> None:
        assert next_run(schedule, NOW) == at

    @pytest.mark.parametrize(
        "schedule", ["every 0h", "every week", "99 4 * * *", "a b c d e", "0 0 31 2 *", "", "* * *"]
    )
    def test_what_is_no_schedule(self, schedule: str) -> None:
        assert interval(schedule) is None
        with pytest.raises(Refused) as caught:
            next_run(schedule, NOW)
        assert caught.value.key == "schedule.invalid"

    @given(st.integers(1, 9999), st.floats(0, 1, exclude_max=True))
    def test_jitter_is_late_and_small(self, minutes: int, chance: float) -> None:
        planned = NOW + timedelta(minutes=minutes)
        late = with_jitter(planned, NOW, chance) - planned
        assert timedelta(0) <= late <= min(timedelta(minutes=10), timedelta(minutes=minutes) / 10)

    def test_with_jitter(self) -> None:
        assert planner(lambda: 0.5)("every 1h", NOW) == NOW + timedelta(hours=1, minutes=3)


class TestRetries:
    PLANNED = NOW + timedelta(days=1)

    def after(self, failures: int, planned: datetime = PLANNED, wanted_s: float = 1.0) -> timedelta:
        error = Unavailable("url.server", retry_after_s=wanted_s)
        return retry_at(error, failures, now=NOW, planned=planned) - NOW

    def test_soon_and_then_less_often(self) -> None:
        minutes = [self.after(failures).total_seconds() / 60 for failures in range(1, 6)]
        assert minutes == [5, 10, 20, 40, 80]

    def test_never_later_than_planned(self) -> None:
        assert self.after(40) == timedelta(days=1)

    def test_a_source_looked_at_often_is_spared(self) -> None:
        assert self.after(40, NOW + timedelta(minutes=30)) == timedelta(hours=6)

    def test_not_before_the_server_wants_it(self) -> None:
        assert self.after(1, wanted_s=7200) == timedelta(hours=2)

    @pytest.mark.parametrize("error", [Refused("url.status", status=403), Broken("file.store")])
    def test_what_does_not_pass_waits_for_its_time(self, error: Exception) -> None:
        assert retry_at(error, 1, now=NOW, planned=self.PLANNED) == self.PLANNED  # type: ignore[arg-type]


@pytest.mark.parametrize(("status", "gone"), [(404, True), (410, True), (403, False), (451, False)])
def test_what_is_gone(status: int, gone: bool) -> None:
    assert is_gone(Refused("url.status", status=status)) is gone
    assert not is_gone(Unavailable("url.server", status=status))


@pytest.mark.parametrize(
    ("before", "now", "suspicious"),
    [
        ((80, 90_000), (79, 91_000), False),
        ((80, 90_000), (40, 45_000), False),
        ((80, 90_000), (39, 89_000), True),
        ((80, 90_000), (80, 44_999), True),
        ((1, 500), (1, 100), True),
        ((1, 0), (1, 0), False),
    ],
)
def test_what_has_shrunk(before: tuple[int, int], now: tuple[int, int], suspicious: bool) -> None:
    old = Size(pages=before[0], characters=before[1])
    assert Size(pages=now[0], characters=now[1]).shrank_from(old) is suspicious
