"""Quotes shown while they are written, and answers that end in time or when nobody waits for them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from core.answering.asker import Asker
from core.answering.generated.drafts import read_written
from core.answering.generated.generation import GenerationSettings
from core.domain.answers import Citation, Claim, Outcome
from core.domain.models import Completion, ModelMessage
from core.domain.scope import Scope
from core.errors import Unavailable
from core.ports.models import OnText
from tests.support.bad_models import HABITS, writing_asker, written
from tests.support.fake_model import FakeModel
from tests.support.scripted_answers import Mode
from tests.support.shown_answers import claim_faults
from tests.support.world import populated

SCOPE = Scope(collections=("public",))
UFER = "Was will die Uferpartei beim Mindestlohn?"
WAGE = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
HOMES = "Wir bauen jedes Jahr 6.000 neue Wohnungen in den Städten am Fluss."
CLAIM = "Die Uferpartei will 15 Taler Mindestlohn in der Stunde."
SHORT_S = 0.3

Seen = list[tuple[tuple[Claim, ...], tuple[Citation, ...]]]


async def asker(model: FakeModel, **settings: float) -> Asker:
    return writing_asker(await populated(), model, GenerationSettings(retries=0, **settings))  # type: ignore[arg-type]


def test_only_whole_claims_are_read() -> None:
    text = written([("One claim.", "S1", "A quote of it."), ("Another claim.", "S2", "Its quote.")])
    read = [len(read_written(text[:end]).claims) for end in range(len(text) + 1)]
    assert read == sorted(read)
    assert (read[0], read[len(text) // 2], read[-1]) == (0, 1, 2)


def test_only_whole_lines_are_read() -> None:
    lines = 'Tolls fall. "We will lower the toll to 3 crowns." [S1]\nTolls rise. "We will raise it'
    assert [claim.text for claim in read_written(lines).claims] == ["Tolls fall."]


class WatchedModel(FakeModel):
    """Writes claim by claim, the next one when somebody has seen what there was."""

    def __init__(self, claims: list[tuple[str, str, str]], waits: Sequence[int]) -> None:
        super().__init__(answer=lambda prompt, schema: written(claims))
        self.parts = [written(claims[:number])[: -len("], ")] for number in waits]
        self.seen = asyncio.Event()

    async def complete(  # type: ignore[override]
        self, messages: Sequence[ModelMessage], *, on_text: OnText | None = None, **options: object
    ) -> Completion:
        for part in self.parts if on_text is not None else ():
            on_text(part)
            await self.seen.wait()
            self.seen.clear()
        return await FakeModel.complete(self, messages, **options)  # type: ignore[arg-type]


async def test_quotes_come_one_by_one_and_only_when_proven() -> None:
    claims = [(CLAIM, "S1", WAGE), ("Der Mindestlohn steigt auf 99 Taler.", "S1", WAGE), (HOMES, "S1", HOMES)]
    seen: Seen = []
    model = WatchedModel(claims, waits=(1, 3))

    def look(*shown: object) -> None:
        seen.append(shown)  # type: ignore[arg-type]
        model.seen.set()

    answer = (await (await asker(model)).answered(UFER, scope=SCOPE, progress=look)).answer
    assert [[claim.text for claim in shown] for shown, _ in seen] == [[WAGE], [WAGE, HOMES]]
    plain = tuple(replace(each, key_words=()) for each in answer.citations)  # drawn bold once all are there
    assert seen[-1][1] == plain
    assert [claim.text for claim in answer.claims] == [CLAIM, HOMES]  # in its own words only when judged


@pytest.mark.parametrize("habit", [*HABITS, *(mode.value for mode in Mode)])
async def test_nothing_unproven_is_ever_seen(habit: str) -> None:
    seen: Seen = []
    model = FakeModel(answer=HABITS.get(habit))
    if habit not in HABITS:
        model.mode = Mode(habit)
    await (await asker(model)).answered(UFER, scope=SCOPE, progress=lambda *shown: seen.append(shown))
    for claims, citations in seen:
        quotes = {item.label: item.quote.text for item in citations}
        for claim in claims:
            assert list(claim_faults(claim.text, " ".join(quotes[label] for label in claim.labels))) == []


async def test_who_looks_may_be_asynchronous_and_may_fail() -> None:
    seen: list[int] = []
    claims = [(CLAIM, "S1", WAGE), (HOMES, "S1", HOMES)]
    model = WatchedModel(claims, waits=(1,))

    async def look(claims: tuple[Claim, ...], citations: tuple[Citation, ...]) -> None:
        seen.append(len(claims))
        model.seen.set()
        await asyncio.sleep(0)
        raise Unavailable("platform.busy")

    answer = (await (await asker(model)).answered(UFER, scope=SCOPE, progress=look)).answer
    assert len(answer.claims) == 2
    assert seen == [1]


class SlowModel(FakeModel):
    """Writes a claim, then nothing more."""

    async def complete(
        self,
        messages: Sequence[ModelMessage],
        *,
        collections: Sequence[str],
        schema: Mapping[str, object] | None = None,
        max_tokens: int = 1024,
        deadline_s: float = 60.0,
        on_text: OnText | None = None,
    ) -> Completion:
        if on_text is not None:
            on_text(written([(CLAIM, "S1", WAGE)])[:-1])
        await asyncio.Event().wait()
        raise AssertionError


async def test_at_the_deadline_quotes_are_shown() -> None:
    seen: Seen = []
    answer = (
        await (await asker(SlowModel(), deadline_s=SHORT_S)).answered(
            UFER, scope=SCOPE, progress=lambda *shown: seen.append(shown)
        )
    ).answer
    assert [claim.text for claim in seen[-1][0]] == [WAGE]
    assert (answer.answerer, answer.outcome) == ("extractive", Outcome.GROUNDED)
    assert [notice.key for notice in answer.notices][:1] == ["notice.model_unavailable"]


async def test_a_search_that_took_the_whole_time_leaves_none_to_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = FakeModel()
    slow = await asker(model, deadline_s=SHORT_S)
    search = slow._searcher.search

    async def late(*args: object, **options: object) -> object:
        await asyncio.sleep(SHORT_S)
        return await search(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(slow._searcher, "search", late)
    answer = (await slow.answered(UFER, scope=SCOPE)).answer
    assert answer.answerer == "extractive"
    assert "notice.model_unavailable" in [notice.key for notice in answer.notices]


@pytest.mark.parametrize("watched", [False, True])
async def test_a_cancelled_question_leaves_no_task(watched: bool) -> None:
    before = asyncio.all_tasks()
    progress: Callable[..., None] | None = (lambda *_: None) if watched else None
    asking = asyncio.create_task((await asker(SlowModel())).answered(UFER, scope=SCOPE, progress=progress))
    await asyncio.sleep(SHORT_S)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
