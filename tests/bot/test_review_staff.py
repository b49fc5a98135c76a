"""What staff can bring about unmeant: documents taken for each other, names that reach everybody."""

from pathlib import Path

import pytest

from bot.chat.conversation import Conversation
from bot.chat.guard import Guard
from bot.chat.uploads import UploadQueue
from bot.presentation.escaping import WORD_JOINER
from bot.settings.platforms import ChatSettings
from core.domain.messages import Attachment
from tests.support.chats import CHATS, ROLES, conversation_over, message, say, uploads_over
from tests.support.fake_pdf import text_reading
from tests.support.fake_stage import FakeStage
from tests.support.world import World, populated

PAPER = b"Wahlprogramm 2026 der Uferpartei in Hochau\nBrunnen bauen wir in jedem Dorf bis zum Jahr 2030."
OTHER = "Ein zweites Papier über Brücken und nur über Brücken."
HERE = {"chat": "staff-room", "sender": "sam"}


@pytest.fixture
async def world() -> World:
    world = await populated()
    world.pdf.documents["plan.pdf"] = text_reading(PAPER.decode())
    world.pdf.documents["ufer25.pdf"] = text_reading(PAPER.decode())
    return world


@pytest.fixture
def queue(world: World, tmp_path: Path) -> UploadQueue:
    return uploads_over(world.app, tmp_path)


@pytest.fixture
def conversation(world: World, queue: UploadQueue, tmp_path: Path) -> Conversation:
    return conversation_over(world.app, tmp_path, queue)


def text(reply) -> str:
    return "\n".join(map(str, reply.blocks)).replace(WORD_JOINER, "")


async def upload(conversation, queue, *names: str, caption: str = ""):
    files = tuple(Attachment(id=f"f{n}", name=name) for n, name in enumerate(names))
    stage = FakeStage(files={file.id: PAPER for file in files})
    sent = message(caption, "staff-room", sender="sam", attachments=files)
    reply = await conversation.handle(sent, stage)
    done = []
    for job in await queue.waiting():
        done.append(await queue.work(job, stage))
        await queue.drop(job)
    return reply, done


async def test_a_published_paper_is_no_version_of_a_public_one_of_the_same_file_name(
    conversation, queue, world
):
    await upload(conversation, queue, "ufer25.pdf", caption='title="Ein anderer Plan"')
    before = {item.id: item for item in await world.library.documents(["public"])}
    said = await say(conversation, "/publish ufer25.pdf", "staff-room", sender="pia")
    assert "Ein anderer Plan" in text(said)
    after = {item.id: item for item in await world.library.documents(["public"])}
    assert {known: after[known] for known in before} == before
    (copy,) = [item for known, item in after.items() if known not in before]
    assert copy.fields.title == "Ein anderer Plan"
    await say(conversation, "/unpublish ufer25.pdf", "staff-room", sender="pia")
    assert {item.id: item for item in await world.library.documents(["public"])} == before


async def test_taking_back_what_was_never_published_removes_no_other_document(conversation, queue, world):
    await upload(conversation, queue, "ufer25.pdf", caption='title="Ein anderer Plan"')
    before = await world.library.documents(["public"])
    said = await say(conversation, "/unpublish ufer25.pdf", "staff-room", sender="pia")
    assert "public" in text(said)
    assert await world.library.documents(["public"]) == before


async def test_a_copy_follows_its_document_when_it_is_published_again(conversation, queue, world):
    await upload(conversation, queue, "plan.pdf")
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    count = len(await world.library.documents(["public"]))
    await say(conversation, '/describe plan.pdf title="Der neue Plan"', **HERE)
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    public = await world.library.documents(["public"])
    assert len(public) == count
    assert "Der neue Plan" in {item.fields.title for item in public}


@pytest.mark.parametrize("command", ["", '/describe intern.pdf party="Geheime Liste"'])
async def test_a_party_that_nobody_registered_is_refused_and_known_to_nobody(
    conversation, queue, world, command
):
    """Its name would be looked for in everybody's questions, and offered to them."""
    if command:
        said = await say(conversation, command, **HERE)
    else:
        said, done = await upload(conversation, queue, "plan.pdf", caption='party="Geheime Liste"')
        assert done == []
    assert "Geheime Liste" in text(said)
    assert "Geheime Liste" not in {party.name for party in (await world.library.registry()).parties}
    assert "Geheime Liste" not in text(await say(conversation, "/party Geheime List"))


async def test_two_files_of_one_name_are_not_taken_for_versions(conversation, queue, world):
    _, (receipt,) = await upload(conversation, queue, "plan.pdf", "plan.pdf")
    assert len(receipt.blocks) == 2
    (document,) = [item for item in await world.library.documents(["internal"]) if item.file == "plan.pdf"]
    assert len(await world.library.versions(document.id)) == 1


async def test_a_staff_chat_whose_collection_is_still_empty_can_ask(world, queue, tmp_path):
    empty = ChatSettings(
        id="new-room", audience="staff", collections=("public", "drafts"), upload_to="drafts"
    )
    conversation = conversation_over(world.app, tmp_path)
    conversation.guard = Guard((*CHATS, empty), ROLES)
    for asked in ("Was sagt die Uferpartei zum Mindestlohn?", "/sources", "/verify " + OTHER):
        said = text(await say(conversation, asked, "new-room", sender="sam"))
        assert "drafts" not in said
        assert "internal" not in said
    assert "15 Taler" in text(
        await say(conversation, "Was sagt die Uferpartei zum Mindestlohn?", "new-room", sender="sam")
    )


async def test_why_a_file_was_refused_is_said_in_the_language_of_the_chat(conversation, queue):
    _, (receipt,) = await upload(conversation, queue, "note.pdf", caption="bitte aufnehmen, danke")
    assert "die Datei ist kein PDF" in text(receipt)


TO_COME = "Das neue Hallenbad in Hochau\nBaubeginn ist\n1. März 2031\nDas Hallenbad kostet 30 Millionen Euro."


async def test_a_day_to_come_is_asked_about_and_not_taken_with_a_yes(conversation, queue, world):
    world.pdf.documents["bad.pdf"] = text_reading(TO_COME)
    stage = FakeStage(files={"f0": TO_COME.encode()})
    sent = message("", "staff-room", sender="sam", attachments=(Attachment(id="f0", name="bad.pdf"),))
    await conversation.handle(sent, stage)
    (job,) = await queue.waiting()
    receipt = await queue.work(job, stage)
    assert "datum=2031-03-01" in text(receipt)
    await say(conversation, "yes", "staff-room", sender="sam")
    found = await say(conversation, "Was kostet das Hallenbad?", "staff-room", sender="sam")
    assert "30 Millionen" in text(found)


async def test_what_does_not_hold_yet_is_named_by_receipt_and_answer(conversation, queue, world):
    world.pdf.documents["bad.pdf"] = text_reading(TO_COME)
    _, (receipt,) = await upload(conversation, queue, "bad.pdf", caption="date=2031-03-01")
    assert "gilt erst ab dem 1. März 2031" in text(receipt)
    found = await say(conversation, "Was kostet das Hallenbad?", "staff-room", sender="sam")
    assert "2031" in text(found)
    described = await say(conversation, "/describe bad.pdf date=2020-01-01", "staff-room", sender="sam")
    assert "2031" not in text(described)
