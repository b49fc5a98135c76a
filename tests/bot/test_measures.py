"""What the operator counts: by state, and of nobody."""

from dataclasses import replace
from datetime import timedelta

import pytest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from bot.library.scoping import ScopeOptions
from bot.wiring.composition import Composition
from core.domain.answers import Outcome, Rejected
from core.domain.ids import TraceId, VersionId
from core.domain.ingestion import CheckResult, Hold, HoldReason, SourceState
from core.domain.journal import ChatKey, Feedback, FeedbackVerdict, Pseudonym
from core.domain.models import Completion
from core.domain.records import Recheck, RecordTexts, Settled
from core.domain.scope import Missing
from core.errors import Unavailable
from tests.support.journal_examples import cited
from tests.support.refreshing import id_of, listed
from tests.support.repository import ROOT
from tests.support.world import NOW, World, populated

QUESTION = "Wie hoch ist der Mindestlohn, den die Uferpartei will?"
CHAT = ChatKey(platform="matrix", workspace="", chat="!geheim:example.org")


async def families(app: Composition) -> dict[str, Metric]:
    text = (await app.measures.exposition()).decode()
    return {family.name: family for family in text_string_to_metric_families(text)}


async def samples(app: Composition) -> dict[str, float]:
    """Every sample as its line has it."""
    text = (await app.measures.exposition()).decode()
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


async def test_every_metric_has_a_type_and_says_what_it_is() -> None:
    for family in (await families(World().app)).values():
        assert family.documentation
        assert family.type in ("counter", "gauge", "histogram")


async def test_each_state_is_counted() -> None:
    world = World()
    urls = [f"https://example.org/{name}.pdf" for name in ("held", "failing", "due")]
    rows = tuple(listed(url, title=url) for url in urls)
    await world.library.save_registry(replace(await world.library.registry(), documents=rows))
    hold = Hold(reason=HoldReason.SHRANK, at=NOW)
    later = NOW + timedelta(hours=1)
    seen = NOW - timedelta(minutes=30)
    for url, state in (
        (urls[0], SourceState(document=id_of(), result=CheckResult.HELD, hold=hold, next_run=later)),
        (
            urls[1],
            SourceState(
                document=id_of(), result=CheckResult.FAILED, next_run=later, checked_at=seen, failures=3
            ),
        ),
    ):
        await world.sources.save_source(replace(state, document=id_of(url)))
    await world.journal.record(cited("t1", "v1"))
    for person, verdict in (("p1", FeedbackVerdict.WRONG), ("p2", FeedbackVerdict.WRONG)):
        feedback = Feedback(trace=TraceId("t1"), person=Pseudonym(person), verdict=verdict, at=NOW)
        await world.journal.give_feedback(feedback)
    settled = Settled(
        trace=TraceId("t1"),
        label="S1",
        version=VersionId("v2"),
        since=NOW,
        outcome=Recheck.CHANGED,
        said="Neu.",
        chat=Pseudonym("c"),
        reply="k",
    )
    await world.app.corrections.settle([settled], [], [], at=NOW)
    expected = {
        'fundstelle_feedback{verdict="useful"}': 0,
        'fundstelle_feedback{verdict="wrong"}': 2,
        'fundstelle_feedback{verdict="wrong_page"}': 0,
        "fundstelle_records_lost_total": 0,
        "fundstelle_index_lacking_documents": 0,
        "fundstelle_correction_messages": 1,
        "fundstelle_sources": 3,
        'fundstelle_sources_not_in_order{state="held"}': 1,
        'fundstelle_sources_not_in_order{state="failing"}': 1,
        'fundstelle_sources_not_in_order{state="due"}': 1,
        f'fundstelle_source_age_seconds{{document="{id_of(urls[1])}"}}': 1800,
        f'fundstelle_source_last_result{{document="{id_of(urls[1])}",result="failed"}}': 1,
        f'fundstelle_source_failures{{document="{id_of(urls[1])}"}}': 3,
        f'fundstelle_source_failures{{document="{id_of(urls[2])}"}}': 0,
        'fundstelle_store_up{store="database"}': 1,
        'fundstelle_store_up{store="index"}': 1,
        "fundstelle_ready": 0,
    }
    found = await samples(world.app)
    assert {name: found.get(name) for name in expected} == expected
    assert found["fundstelle_disk_free_bytes"] < found["fundstelle_disk_size_bytes"]


async def test_the_index_is_counted_against_the_database() -> None:
    world = await populated()
    before = await samples(world.app)
    for collection, documents in (("public", 5), ("internal", 1)):
        assert before[f'fundstelle_documents{{collection="{collection}"}}'] == documents
        kept, indexed = (
            before[f'fundstelle_passages{{collection="{collection}",store="{store}"}}']
            for store in ("database", "index")
        )
        assert kept == indexed > 0
    edition = (await world.library.holdings())[0]
    await world.index.remove_version(edition.collection, edition.version)
    after = await samples(world.app)
    assert after["fundstelle_index_lacking_documents"] == 1
    name = f'fundstelle_passages{{collection="{edition.collection}",store="index"}}'
    assert before[name] - after[name] == edition.passages


async def test_answers_are_counted_by_outcome_and_platform() -> None:
    world = await populated(threshold=None)
    await world.app.questions.ask(QUESTION, ScopeOptions(), chat=CHAT)
    await world.app.questions.ask("Was kostet ein Luftschiff auf dem Mond?", ScopeOptions())
    found = await samples(world.app)
    counts = {name: value for name, value in found.items() if name.startswith("fundstelle_answers_total")}
    assert sum(counts.values()) == 2
    assert sum(value for name, value in counts.items() if 'platform="matrix"' in name) == 1
    assert sum(value for name, value in counts.items() if 'platform="command line"' in name) == 1
    stages = {name for name in found if name.startswith("fundstelle_answer_stage_seconds_count")}
    for stage in ("scope", "embed", "rank", "expand", "total"):
        assert found[f'fundstelle_answer_stage_seconds_count{{stage="{stage}"}}'] == 2, stages
    silent = sum(value for name, value in found.items() if name.startswith("fundstelle_silences_total"))
    assert silent == sum(value for name, value in counts.items() if 'outcome="no_evidence"' in name)


@pytest.mark.parametrize(
    ("notices", "missing", "reason"),
    [
        ((), (), "unsure"),
        ((), (Missing(kind="party", name="Nebelpartei"),), "missing"),
        (("notice.model_abstained",), (), "abstained"),
    ],
)
async def test_why_nothing_was_said(
    notices: tuple[str, ...], missing: tuple[Missing, ...], reason: str
) -> None:
    world = World()
    record = replace(cited("t1", "v1"), outcome=Outcome.NO_EVIDENCE, notices=notices, missing=missing)
    world.app.metrics.answered(record)
    assert (await samples(world.app))[f'fundstelle_silences_total{{reason="{reason}"}}'] == 1


async def test_what_models_do_is_counted_and_what_they_wrote_is_not_repeated() -> None:
    world = World()
    metrics = world.app.metrics
    rejected = (
        Rejected(what="quote", text="GEHEIM", why="absent"),
        Rejected(what="claim", text="GEHEIM", why="unsupported: GEHEIM"),
    )
    texts = RecordTexts(question="GEHEIM", rejected=rejected)
    metrics.answered(replace(cited("t1", "v1"), texts=texts, notices=("notice.model_unverified",)), "slack")
    done = Completion(
        text="GEHEIM",
        model="openai/x",
        structured=True,
        prompt_tokens=70,
        completion_tokens=7,
        cost_usd=None,
        seconds=1.0,
    )
    metrics.model_called("openai/x", done, 1.0)
    metrics.model_called("openai/x", Unavailable("model.timeout", "GEHEIM"), 30.0)
    found = await samples(world.app)
    expected = {
        'fundstelle_rejected_total{reason="absent"}': 1,
        'fundstelle_rejected_total{reason="unsupported"}': 1,
        'fundstelle_fallbacks_total{reason="unverified"}': 1,
        'fundstelle_model_calls_total{model="openai/x"}': 2,
        'fundstelle_model_failures_total{model="openai/x",reason="model.timeout"}': 1,
        'fundstelle_model_tokens_total{direction="prompt",model="openai/x"}': 70,
        'fundstelle_model_tokens_total{direction="completion",model="openai/x"}': 7,
        'fundstelle_model_call_seconds_count{model="openai/x"}': 2,
    }
    assert {name: found.get(name) for name in expected} == expected
    assert "GEHEIM" not in (await world.app.measures.exposition()).decode()


async def test_the_operators_can_read_what_each_counts() -> None:
    text = (ROOT / "docs" / "operators" / "monitoring.md").read_text(encoding="utf-8")
    names = [name for name in await families(World().app) if name.startswith("fundstelle_")]
    assert len(names) > 30
    assert [name for name in names if f"`{name}" not in text] == []
