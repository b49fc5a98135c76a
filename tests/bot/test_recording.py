"""Every answer leaves a record, and says later how it came about."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.answers.records.recorder import LOCAL, Recorder
from bot.answers.records.why import record_text, recorded_citations
from bot.library.scoping import ScopeOptions
from bot.presentation.i18n import Texts, languages
from bot.presentation.views.encoding import encoded
from bot.presentation.views.records import RecordView
from bot.service.diagnosis import journal_lines
from bot.settings.sections import RetentionSettings
from core.answering.personal_data import Privacy
from core.domain.answers import Outcome
from core.domain.documents import VersionStatus
from core.domain.ids import TraceId, VersionId
from core.domain.journal import Backlog, Pseudonym, Retention
from core.domain.records import AnswerRecord, RecordKind
from core.errors import Refused, Unavailable
from core.ports.clock import Clock
from tests.support.fake_journal import FakeJournal
from tests.support.journal_examples import key, record
from tests.support.world import World, populated

QUESTION = "Was sagt die Uferpartei zum Mindestlohn?"
PUBLIC = ScopeOptions(collections=("public",))
PERSON = Pseudonym("somebody")


@pytest.fixture
async def world() -> World:
    return await populated()


async def kept(world: World, trace: str) -> AnswerRecord:
    found = await world.journal.answer(TraceId(trace))
    assert found is not None
    return found


async def test_an_answer_is_recorded_as_it_was_given(world: World) -> None:
    answer = await world.app.questions.ask(QUESTION, PUBLIC, asked_by=PERSON, chat=key())
    found = await kept(world, answer.trace)
    assert (found.kind, found.outcome, found.confidence) == (
        RecordKind.ANSWER,
        answer.outcome,
        answer.confidence,
    )
    assert (found.person, found.chat) == (PERSON, world.journal.pseudonyms.chat(key()))
    assert found.texts is not None
    assert found.texts.question == QUESTION
    assert found.texts.queries == answer.queries
    assert found.claims == answer.claims
    assert [(item.label, item.quote) for item in found.citations] == [
        (item.label, item.quote.text) for item in answer.citations
    ]
    assert any(hit.in_context and hit.passage == found.citations[0].passage for hit in found.hits)
    assert found.versions == tuple(dict.fromkeys(item.edition.version.id for item in answer.citations))
    assert found.seconds == answer.seconds


async def test_silence_is_recorded(world: World) -> None:
    world = await populated(threshold=1.0)
    answer = await world.app.questions.ask(QUESTION, PUBLIC)
    (found,) = await world.journal.unanswered(since=datetime(2025, 1, 1, tzinfo=UTC))
    assert (found.trace, found.outcome, found.person) == (answer.trace, Outcome.NO_EVIDENCE, LOCAL)


async def test_comparisons_and_motions_are_recorded(world: World) -> None:
    compared = await world.app.comparisons.compare("Mindestlohn", PUBLIC, asked_by=PERSON, chat=key())
    found = await kept(world, compared.trace)
    assert (found.kind, found.person) == (RecordKind.COMPARISON, PERSON)
    assert [item.label for item in found.citations] == [item.label for item in compared.report.citations]
    motion = "Der Landtag fordert, den Mindestlohn auf 15 Taler zu erhöhen."
    reported = await world.app.comparisons.motion(
        motion, PUBLIC, jurisdiction="xv", movers=["Uferpartei"], asked_by=PERSON, chat=key()
    )
    found = await kept(world, reported.trace)
    assert found.kind is RecordKind.MOTION
    assert found.texts is not None
    assert found.texts.question == motion
    assert len(found.citations) == len(reported.report.citations)


MAIL = "Schreibt mir an anna.muster@example.org: was sagt die Uferpartei zum Mindestlohn?"


@pytest.mark.parametrize("allowed", [False, True])
async def test_personal_data_is_not_kept_unless_allowed(world: World, allowed: bool) -> None:
    world.app.recorder.privacy = Privacy(in_records=allowed)
    answer = await world.app.questions.ask(MAIL, PUBLIC)
    texts = (await kept(world, answer.trace)).texts
    assert texts is not None
    assert ("anna.muster" in str(texts)) is allowed


async def test_texts_that_are_never_kept(world: World) -> None:
    world.app.recorder.retention = RetentionSettings(question_hours=0).terms
    answer = await world.app.questions.ask(QUESTION, PUBLIC)
    found = await kept(world, answer.trace)
    assert found.texts is None
    assert "Mindestlohn" not in str(replace(found, claims=(), citations=(), hits=()))


class BrokenJournal(FakeJournal):
    """Cannot be written to."""

    async def record(self, record: AnswerRecord) -> None:
        raise Unavailable("database.busy", "another process writes to the database; try again")


async def test_an_answer_is_not_lost_with_its_record(world: World, caplog: pytest.LogCaptureFixture) -> None:
    world.app.recorder.journal = BrokenJournal()
    answer = await world.app.questions.ask(QUESTION, PUBLIC)
    assert answer.outcome is Outcome.GROUNDED
    assert world.app.metrics.registry.get_sample_value("fundstelle_records_lost_total") == 1
    (said,) = [entry for entry in caplog.records if entry.levelno == logging.ERROR]
    assert answer.trace in said.getMessage()
    assert "database.busy" in said.getMessage()
    assert "Mindestlohn" not in caplog.text


@dataclass
class MovingClock(Clock):
    time: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time


class CountingJournal(FakeJournal):
    purges = 0

    async def purge(self, retention: Retention, *, at: datetime) -> Any:
        self.purges += 1
        return await super().purge(retention, at=at)


async def test_old_data_goes_once_an_hour() -> None:
    journal, clock = CountingJournal(), MovingClock()

    def recorder() -> Recorder:
        return Recorder(journal, clock, Retention(), lambda: TraceId("t"))

    first = recorder()
    assert await first.purge_if_due() is not None
    for minutes, expected in ((10, 1), (59, 1), (60, 2), (61, 2)):
        clock.time = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
        await first.purge_if_due()
        await recorder().purge_if_due()  # another process looks when it was done
        assert journal.purges == expected


def test_terms_as_they_are_stated() -> None:
    terms = RetentionSettings(delivery_hours=240, question_hours=1, answer_days=3).terms
    assert (terms.delivery, terms.dead_letters) == (timedelta(hours=240), timedelta(hours=240))
    assert (terms.texts, terms.answers) == (timedelta(hours=1), timedelta(days=3))
    assert RetentionSettings().terms == Retention()
    with pytest.raises(ValueError, match="question_hours"):
        RetentionSettings(question_hours=25, answer_days=1)


async def test_why_tells_what_has_become_of_the_sources(world: World) -> None:
    answer = await world.app.questions.ask(QUESTION, PUBLIC)
    found = await world.app.questions.why(f" {answer.trace}\n")
    assert set(found.statuses.values()) == {VersionStatus.ACTIVE}
    assert len(await recorded_citations(found.record, world.library)) == len(answer.citations)
    assert tuple(await recorded_citations(found.record, world.library)) == answer.citations
    for document in await world.library.documents():
        await world.app.document_lifecycle.remove(document.id)
    found = await world.app.questions.why(answer.trace)
    assert VersionStatus.ACTIVE not in found.statuses.values()
    assert await recorded_citations(found.record, world.library) == []
    with pytest.raises(Refused) as caught:
        await world.app.questions.why("no such trace")
    assert caught.value.key == "why.unknown"


FULL = record()
STANDING = {VersionId("v1"): VersionStatus.SUPERSEDED}


@pytest.mark.parametrize("language", languages())
def test_a_record_in_words(language: str) -> None:
    text = "\n\n".join(record_text(FULL, Texts(language), STANDING))
    shown = (
        "Was sagt § 4?",
        "Paragraph 4",
        "answer\N{WORD JOINER}@1",
        "Satzung",
        "3-4",
        "2.50",
        "dense, pinned",
    )
    for part in (
        *shown,
        "§ 3 -> § 4",
        "numbers: Nein.",
        "numbers 1",
        "[S1]",
        "Ja, so ist es.",
        "search 0.10",
        "llm",
    ):
        said = text.replace("\N{WORD JOINER}", "").replace("\N{NO-BREAK SPACE}:", ":")
        assert part.replace("\N{WORD JOINER}", "") in said, part
    assert "why." not in text
    assert Texts(language)("why.version_superseded") in text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "bare",
    [
        lambda: replace(FULL, texts=None),
        lambda: replace(
            FULL, plan=None, model=None, hits=(), claims=(), citations=(), rejected=0, seconds={}
        ),
        *(lambda kind=kind: replace(FULL, kind=kind) for kind in RecordKind),
        *(lambda outcome=outcome: replace(FULL, outcome=outcome) for outcome in Outcome),
    ],
)
def test_a_record_in_words_without_much(language: str, bare: Callable[[], AnswerRecord]) -> None:
    text = "\n\n".join(record_text(bare(), Texts(language), {}))
    assert "why." not in text
    assert "None" not in text


@pytest.mark.parametrize("status", [*VersionStatus, None])
@pytest.mark.parametrize("language", languages())
def test_every_status_has_words(status: VersionStatus | None, language: str) -> None:
    text = "\n".join(record_text(FULL, Texts(language), {VersionId("v1"): status}))
    assert "why." not in text


def test_nothing_in_a_record_is_live() -> None:
    hostile = "see https://example.org @channel <!here>"
    texts = FULL.texts
    assert texts is not None
    poisoned = replace(
        FULL, texts=replace(texts, question=hostile, queries=(hostile,)), notices=(), claims=(), citations=()
    )
    text = "\n".join(record_text(poisoned, Texts("en"), {}))
    assert not any(live in text for live in ("https://", "@channel", "<!here"))


def test_a_record_as_json() -> None:
    found = json.loads(encoded(RecordView.showing(FULL, statuses=STANDING)))
    assert (found["question"], found["queries"]) == ("Was sagt § 4?", ["§ 4", "Paragraph 4"])
    assert found["citations"][0]["version_status"] == "superseded"
    assert found["hits"][0]["scores"] == {"dense": 0.9, "lexical": 7.0}
    assert found["rejected_items"] == [{"what": "claim", "text": "Nein.", "reason": "numbers"}]
    gone = RecordView.showing(replace(FULL, texts=None), statuses={}).json_object
    assert [gone[name] for name in ("question", "queries", "outputs", "rejected_items")] == [None] * 4
    assert gone["citations"][0]["version_status"] == "gone"


NOW = datetime(2026, 1, 2, tzinfo=UTC)
IDLE = Backlog(
    waiting=0,
    working=0,
    dead=0,
    pending=0,
    sending=0,
    failed=0,
    unknown=0,
    oldest_waiting=None,
    oldest_pending=None,
    purged_at=None,
)


def not_in_order(**fields: Any) -> list[str]:
    return [name for name, ok, _, _ in journal_lines(replace(IDLE, **fields), NOW) if not ok]


def test_what_doctor_says_of_the_journal() -> None:
    assert not_in_order() == []
    assert not_in_order(waiting=3, oldest_waiting=NOW - timedelta(minutes=9)) == []
    assert not_in_order(waiting=3, oldest_waiting=NOW - timedelta(minutes=11)) == ["inbox"]
    assert not_in_order(dead=1) == ["inbox"]
    assert not_in_order(failed=1) == not_in_order(unknown=1) == ["outbox"]
    late = replace(
        IDLE, purged_at=NOW - timedelta(days=3), waiting=2, oldest_waiting=NOW - timedelta(hours=3)
    )
    lines = {name: (found, advice) for name, _, found, advice in journal_lines(late, NOW)}
    assert lines["inbox"][0].startswith("2 waiting (the oldest for 3 h)")
    assert lines["retention"][0] == "old data last removed 3 days ago"
    assert lines["retention"][1]
