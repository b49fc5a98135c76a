"""What is said in place of an answer, and where doubts stand."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.answering.asker import Asker
from core.domain.answers import Answer, Outcome
from core.domain.scope import Scope
from tests.support.chats import conversation_over, say
from tests.support.fake_stage import FakeStage
from tests.support.world import World, populated

SCOPE = Scope(collections=("public",))
QUESTION = "Was sagt die Uferpartei zum Mindestlohn?"


async def asked(world: World) -> tuple[Answer, str]:
    asker: Asker = world.app.asker
    answer = (await asker.answered(QUESTION, scope=SCOPE)).answer
    return answer, world.app.presenter.answer_text(answer)


async def test_in_place_of_an_answer_stands_what_was_looked_for_and_how_the_nearest_pages_begin() -> None:
    answer, said = await asked(replace(await populated(), threshold=1.0))
    assert answer.outcome is Outcome.NO_EVIDENCE
    assert "Gesucht habe ich nach: Mindestlohn" in said
    assert 0 < len(answer.nearest) <= 3
    assert len({(item.edition.version.id, item.page) for item in answer.nearest}) == len(answer.nearest)
    for item in answer.nearest:
        title, under = item.edition.document.fields.title, f", {item.under}" if item.under else ""
        assert f"{title}{under}, S. {item.page}: „{item.begins}“" in said


async def test_a_year_that_says_where_was_searched_was_not_looked_for() -> None:
    world = replace(await populated(), threshold=1.0)
    said = (
        await world.app.asker.answered("Was ist mit dem Mindestlohn im Programm 2025?", scope=SCOPE)
    ).answer
    assert "2025" not in said.sought
    assert "Mindestlohn" in said.sought


@pytest.mark.parametrize(("sure", "level"), [(0.45, "gering"), (0.6, "mittel"), (0.9, "hoch")])
async def test_doubts_stand_above_the_quotes(sure: float, level: str) -> None:
    world = await populated()
    answer, _ = await asked(replace(world, threshold=0.0))
    doubt = [item for item in answer.notices if item.key == "notice.low_confidence"]
    kept = [item for item in answer.notices if item not in doubt]
    low = [replace(*doubt)] if doubt else []
    answer = replace(answer, confidence=sure, notices=(*kept, *low) if sure < 0.5 else tuple(kept))
    said = world.app.presenter.answer_text(answer)
    assert f"Sicherheit: {level}" in said
    above = said.startswith("Keine Stelle beantwortet das eindeutig")
    assert above == bool(low and sure < 0.5)
    assert said.count("Keine Stelle beantwortet das eindeutig") == above


async def test_nearest_pages_come_on_request(tmp_path: Path) -> None:
    world = replace(await populated(), threshold=1.0)
    conversation = conversation_over(world.app, tmp_path)
    reply = await say(conversation, QUESTION, stage=FakeStage())
    commands = [button.command for row in reply.buttons for button in row]
    pages = [command for command in commands if command.startswith("/page ")]
    assert 0 < len(pages) <= 3
    page = await say(conversation, pages[0], number="m2")
    assert [file.name for file in page.files] == [f"uferpartei-ufer25-s{pages[0].rpartition(' ')[2]}.pdf"]
