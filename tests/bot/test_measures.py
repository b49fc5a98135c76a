"""What the operator counts of the library: by state, and of nobody."""

from dataclasses import replace
from datetime import timedelta

from core.domain.corrections import Recheck, Settled
from core.domain.ids import TraceId, VersionId
from core.domain.journal import Feedback, FeedbackVerdict, Pseudonym
from core.domain.sources import CheckResult, Hold, HoldReason, SourceState
from tests.support.journal_examples import cited
from tests.support.refreshing import id_of, listed
from tests.support.repository import ROOT
from tests.support.world import NOW, World


async def test_of_an_empty_library_all_are_nought() -> None:
    assert set((await World().app.measures.values()).values()) == {0}


async def test_each_state_is_counted() -> None:
    world = World()
    urls = [f"https://example.org/{name}.pdf" for name in ("held", "failing", "due")]
    rows = tuple(listed(url, title=url) for url in urls)
    await world.library.save_registry(replace(await world.library.registry(), documents=rows))
    hold = Hold(reason=HoldReason.SHRANK, at=NOW)
    later = NOW + timedelta(hours=1)
    for url, state in (
        (urls[0], SourceState(document=id_of(), result=CheckResult.HELD, hold=hold, next_run=later)),
        (urls[1], SourceState(document=id_of(), result=CheckResult.FAILED, next_run=later)),
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
    world.app.recorder.lost = 4
    world.app.recorder.rejections.update(["unsupported", "absent", "unsupported"])
    assert await world.app.measures.values() == {
        'fundstelle_feedback{verdict="useful"}': 0,
        'fundstelle_feedback{verdict="wrong"}': 2,
        'fundstelle_feedback{verdict="wrong_page"}': 0,
        "fundstelle_records_lost_total": 4,
        'fundstelle_rejected_total{reason="absent"}': 1,
        'fundstelle_rejected_total{reason="unsupported"}': 2,
        "fundstelle_index_lacking_documents": 0,
        "fundstelle_correction_messages": 1,
        "fundstelle_sources": 3,
        'fundstelle_sources_not_in_order{state="held"}': 1,
        'fundstelle_sources_not_in_order{state="failing"}': 1,
        'fundstelle_sources_not_in_order{state="due"}': 1,
    }


async def test_the_operators_can_read_what_each_counts() -> None:
    text = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    names = {name.partition("{")[0] for name in await World().app.measures.values()}
    assert {name for name in names if f"`{name}" not in text} == set()
