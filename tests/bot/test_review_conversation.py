"""Who reads along, who is hidden, what is tried again: the seams of the conversation."""

from pathlib import Path

import pytest

from bot.answers.questions import Questions
from bot.chat.conversation import Conversation
from bot.chat.guard import Guard
from bot.presentation.escaping import WORD_JOINER
from bot.settings.platforms import ChatSettings
from core.domain.messages import Attachment, Exposure, MessageKind
from core.errors import Refused, Unavailable
from tests.support.chats import CHATS, ROLES, conversation_over, message, say, uploads_over
from tests.support.fake_pdf import text_reading
from tests.support.fake_stage import FakeStage
from tests.support.live_text import live
from tests.support.world import World, populated

WAGE = "Was sagt die Uferpartei zum Mindestlohn?"
CLOSED, OPEN = (
    Exposure(closed=True, direct=False),
    Exposure(closed=False, direct=False, why_open="chat.guests"),
)


@pytest.fixture
async def world() -> World:
    return await populated()


@pytest.fixture
def conversation(world: World, tmp_path: Path) -> Conversation:
    return conversation_over(world.app, tmp_path)


def text(reply) -> str:
    return "\n".join(reply.blocks).replace(WORD_JOINER, "")


@pytest.mark.parametrize("command", ["/help", "/id", "/about", "/privacy", "/forget"])
async def test_what_may_be_asked_anywhere_is_answered_where_others_read_along(conversation, command):
    said = await say(conversation, command, "staff-room", FakeStage(exposures=[OPEN]), sender="sam")
    assert "others could read" not in text(said)
    assert "andere könnten mitlesen" not in text(said)


async def test_a_refusal_that_names_documents_is_not_said_once_others_read_along(conversation):
    stage = FakeStage(exposures=[CLOSED, OPEN])
    said = await say(conversation, "/page inter.pdf 1", "staff-room", stage, sender="sam")
    assert "intern.pdf" not in text(said)
    assert "Did you mean" not in text(said)
    stays = await say(conversation, "/page inter.pdf 1", "staff-room", sender="sam")
    assert "Did you mean intern?" in text(stays)


async def test_an_edit_that_could_not_be_finished_is_answered_when_it_is_tried_again(
    conversation, monkeypatch
):
    await say(conversation, "Was sagen die Windmüller zum Mindestlohn?")
    edit = message(WAGE, kind=MessageKind.EDIT, event="e2")
    state, failures = conversation.journal.chat_state, iter([True])

    async def fails_once(key):
        if next(failures, False):
            raise Unavailable("database.unavailable", "busy")
        return await state(key)

    monkeypatch.setattr(conversation.journal, "chat_state", fails_once)
    with pytest.raises(Unavailable):
        await conversation.handle(edit, FakeStage())
    reply = await conversation.handle(edit, FakeStage())
    assert reply is not None
    assert "15 Taler" in text(reply)


async def test_a_reaction_to_what_is_no_answer_gets_no_word(conversation):
    reaction = message("👍", kind=MessageKind.REACTION, reply_to="of-somebody-else")
    assert await conversation.handle(reaction, FakeStage()) is None


async def test_a_flood_of_questions_makes_no_flood_of_refusals(world, tmp_path):
    conversation = conversation_over(world.app, tmp_path, user_per_minute=2)
    replies = [await conversation.handle(message(WAGE, number=f"m{n}"), FakeStage()) for n in range(20)]
    assert [reply is not None for reply in replies] == [True] * 3 + [False] * 17
    assert "60" in text(replies[2])
    assert "15 Taler" in text(await say(conversation, WAGE, sender="bert"))


async def test_who_is_hidden_shares_no_quota_and_no_oblivion_with_the_hidden_of_other_chats(world, tmp_path):
    conversation = conversation_over(world.app, tmp_path, user_per_minute=1)
    conversation.guard = Guard((*CHATS, ChatSettings(id="other-room")), ROLES)
    here = await say(conversation, WAGE, sender="")
    there = await say(conversation, WAGE, "other-room", sender="")
    assert "15 Taler" in text(there)
    await say(conversation, "/forget", "other-room", sender="")
    assert (await world.journal.answer(here.trace)).texts is not None
    assert (await world.journal.answer(there.trace)).texts is None


async def test_an_unfinished_draft_makes_room_for_the_word_that_there_is_no_answer(conversation, monkeypatch):
    async def breaks(app, question, options, *, progress=None, **more):
        await progress((), ())
        raise Refused("info.empty", "nothing")

    monkeypatch.setattr(Questions, "ask", breaks)
    assert (await say(conversation, WAGE)).replaces == "progress"


async def test_an_edited_question_shows_no_draft_beside_the_answer_it_replaces(conversation, monkeypatch):
    real, given = Questions.ask, []

    async def asks(app, question, options, *, progress=None, **more):
        given.append(progress)
        return await real(app, question, options, **more)

    monkeypatch.setattr(Questions, "ask", asks)
    await say(conversation, WAGE, kind=MessageKind.EDIT)
    await say(conversation, WAGE, number="m2")
    assert given[0] is None
    assert given[1] is not None


async def test_a_reply_in_a_group_does_not_go_on_with_what_somebody_else_was_told(conversation):
    await say(conversation, WAGE, reply_to="x1", number="m1")
    other = await say(conversation, "Und die Windmüller?", reply_to="x2", number="m2", sender="bert")
    fresh = await say(conversation, "Und die Windmüller?", number="m3", sender="carl")
    assert other.blocks[0] == fresh.blocks[0]


@pytest.mark.parametrize("later", [OPEN, None])
async def test_a_receipt_is_not_said_to_those_who_came_after_the_upload(world, tmp_path, later):
    world.pdf.documents["plan.pdf"] = text_reading("Wahlprogramm mit dem Decknamen KRANICH und mehr Worten.")
    queue = uploads_over(world.app, tmp_path)
    conversation = conversation_over(world.app, tmp_path, queue)
    stage = FakeStage(files={"f1": b"x"}, exposures=[CLOSED, CLOSED, later])
    files = (Attachment(id="f1", name="plan.pdf"),)
    sent = message('title="KRANICH"', "staff-room", sender="sam", attachments=files)
    await conversation.handle(sent, stage)
    (job,) = await queue.waiting()
    with pytest.raises(Refused) as refused:
        await queue.work(job, stage)
    assert refused.value.key == "guard.exposure"


async def test_a_page_whose_marks_could_not_be_proven_says_so(world, conversation, monkeypatch):
    attacher = world.app.attacher
    real = attacher.page

    async def unmarked(edition, number, spans, carrying=()):
        return await real(edition, number, ())

    marked = await say(conversation, WAGE)
    monkeypatch.setattr(attacher, "page", unmarked)
    plain = await say(conversation, WAGE)
    assert "ohne Markierung" in plain.files[0].caption
    assert "ohne Markierung" not in marked.files[0].caption


async def test_the_passages_offered_after_a_wrong_answer_are_not_live(conversation, world):
    told = "Mindestlohn: Alles steht bei @channel und auf https://evil.example im Netz."
    await world.add(
        "evil25.pdf",
        told,
        title="@channel https://evil.example",
        parties=("Uferpartei",),
        jurisdiction="xv",
    )
    reply = await say(conversation, WAGE)
    said = await say(conversation, f"/feedback wrong {reply.trace}")
    assert "@" in "\n".join(said.blocks)
    assert live("\n".join(said.blocks)) == []


async def test_a_motion_can_be_sent_as_a_file_and_is_not_kept(conversation, tmp_path):
    """Nobody had made the folder that the file was to be fetched into."""
    stage = FakeStage(files={"f1": b"Wir fordern einen Mindestlohn von 15 Talern in der Stunde."})
    file = Attachment(id="f1", name="antrag.txt")
    said = await say(conversation, "/antrag mover=Uferpartei ort=xv-ho", stage=stage, attachments=(file,))
    assert "Mindestlohn" in text(said)
    assert said.files
    assert not list(tmp_path.rglob("antrag.txt"))
