"""Feedback becomes candidate rows of a question set."""

from pathlib import Path

import pytest

from bot.answers.records.recorder import candidates, judged
from bot.presentation.views.records import JudgedView
from core.errors import Refused
from core.evaluation import read_questions
from tests.support.chats import conversation_over, say
from tests.support.world import populated


async def test_a_useful_answer_gives_gold_and_a_wrong_one_waits_for_a_person(tmp_path: Path) -> None:
    app = (await populated()).app
    conversation = conversation_over(app, tmp_path)
    useful = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?")
    wrong = await say(conversation, "Was sagen die Windmüller zum Mindestlohn?")
    await say(conversation, f"/feedback useful {useful.trace}")
    await say(conversation, f"/feedback wrong {wrong.trace}")
    found = await judged(app.journal)
    assert [JudgedView.showing(item).verdict for item in found] == ["useful", "wrong"]
    rows = await candidates(found, app.library)
    assert rows[0]["answerable"] is True
    assert rows[0]["gold"][0]["file"] == "ufer25.pdf"
    assert "15 Taler" in rows[0]["gold"][0]["quote"]
    assert (rows[1]["answerable"], rows[1]["gold"]) == (None, [])


async def test_a_person_who_is_forgotten_leaves_no_question(tmp_path: Path) -> None:
    app = (await populated()).app
    conversation = conversation_over(app, tmp_path)
    reply = await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?")
    await say(conversation, f"/feedback useful {reply.trace}")
    await say(conversation, "/forget")
    found = await judged(app.journal)
    assert [JudgedView.showing(item).question for item in found] == [None]
    assert await candidates(found, app.library) == []


def test_rows_that_nobody_has_judged_are_not_measured(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text('{"id": "1", "language": "en", "question": "What?", "answerable": null, "gold": []}\n')
    with pytest.raises(Refused, match="answerable"):
        read_questions(file.read_text())
