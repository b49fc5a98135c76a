"""Uploads and the other commands of staff, in a small world."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat.conversation import Conversation
from bot.chat.receipts import warning_text
from bot.chat.upload_fields import read_fields
from bot.chat.uploads import JOB, UploadQueue, broken_jobs
from bot.delivery.sender import cancelled
from bot.presentation.escaping import WORD_JOINER
from bot.presentation.i18n import Texts
from core.domain.answers import Outcome
from core.domain.ids import TraceId, document_id
from core.domain.ingestion import CheckResult, Hold, HoldReason, SourceState
from core.domain.journal import OutgoingReply
from core.domain.messages import Attachment, Outgoing
from core.domain.pages import PageTrouble
from core.domain.scope import Scope
from core.errors import Refused
from tests.support.chat_harness import eventually
from tests.support.chats import conversation_over, message, say, uploads_over
from tests.support.fake_pdf import text_reading
from tests.support.fake_stage import EVERYTHING, FakeStage
from tests.support.journal_examples import record
from tests.support.refreshing import listed
from tests.support.world import NOW, World, populated

PLAN = Attachment(id="f1", name="plan.pdf", size=100)
PAPER = b"Wahlprogramm 2026 der Uferpartei in Hochau\nBrunnen bauen wir in jedem Dorf bis zum Jahr 2030."


@pytest.fixture
async def world() -> World:
    return await populated()


@pytest.fixture
def queue(world: World, tmp_path: Path) -> UploadQueue:
    return uploads_over(world.app, tmp_path)


@pytest.fixture
def conversation(world: World, queue: UploadQueue, tmp_path: Path) -> Conversation:
    return conversation_over(world.app, tmp_path, queue)


def without_buttons() -> FakeStage:
    return FakeStage(capabilities=replace(EVERYTHING, buttons=False))


def text(reply) -> str:
    return "\n".join(map(str, reply.blocks)).replace(WORD_JOINER, "")


async def upload(
    conversation, queue, caption="", chat="staff-room", sender="sam", files=(PLAN,), thread=None, **stage
):
    """Send files, and have them read; what is said at once and what in the end."""
    shown = FakeStage(files={file.id: PAPER for file in files}, **stage)
    sent = message(caption, chat, sender=sender, attachments=files, thread=thread)
    reply = await conversation.handle(sent, shown)
    done = []
    for job in await queue.waiting():
        done.append(await queue.work(job, shown))
        await queue.drop(job)
    return reply, done


@pytest.fixture(autouse=True)
def papers(world: World) -> None:
    world.pdf.documents["plan.pdf"] = text_reading(PAPER.decode())
    world.pdf.documents["other.pdf"] = text_reading("Ein zweites Papier über Brücken und nur über Brücken.")


QUESTION = "Wie viele Brunnen bauen wir in jedem Dorf?"


async def test_an_upload_is_found_in_its_chat_and_nowhere_else(conversation, queue, world):
    taken, (receipt,) = await upload(conversation, queue)
    assert "internal" in text(taken)
    assert "plan" in text(receipt)
    assert "internal" in text(receipt)
    assert "Brunnen bauen wir" in text(await say(conversation, QUESTION, "staff-room"))
    public = await say(conversation, QUESTION)
    assert "Brunnen bauen wir" not in text(public)
    assert not any("plan" in file.name for file in public.files)
    (entry,) = await world.journal.audit_entries()
    assert (entry.action.value, entry.values) == ("ingest", {"collection": "internal", "status": "indexed"})
    assert entry.actor == world.journal.pseudonyms.person("console", "", "sam")
    assert "plan" not in text(await say(conversation, "/sources"))


async def test_a_scan_that_is_not_read_is_refused_with_what_became_of_it(conversation, queue, world):
    pages = text_reading("", "")
    unread = tuple(replace(page, trouble=PageTrouble.SCAN) for page in pages.pages)
    world.pdf.documents["plan.pdf"] = replace(pages, pages=unread, warnings=(("ocr.unsure", 2),))
    _, (receipt,) = await upload(conversation, queue)
    said = text(receipt).splitlines()
    assert "keine Seite enthält lesbaren Text" in said[0]
    assert said[1:] == [warning_text("ocr.unsure:2", Texts("de"))], "once, not again as pictures of text"


async def test_the_receipt_guesses_and_a_button_takes_the_guess(conversation, queue, world):
    _, (receipt,) = await upload(conversation, queue)
    guessed = ("Hochau", "Uferpartei", Texts("de")("kind.manifesto"))
    assert all(name in text(receipt) for name in guessed)
    assert "xv-ho" not in text(receipt)
    ((button,),) = receipt.buttons
    assert len(button.command.encode()) <= 60
    await say(conversation, button.command, "staff-room", sender="sam")
    (document,) = [item for item in await world.library.documents(["internal"]) if item.file == "plan.pdf"]
    assert document.fields.jurisdiction == "xv-ho"
    assert document.fields.parties == ("Uferpartei",)
    assert document.fields.doc_type.value == "manifesto"


async def test_a_caption_sets_the_fields(conversation, queue, world):
    caption = 'jurisdiction=xv-se party="Windmillers" type=campaign date=1.3.2026 title="Der Plan"'
    _, (receipt,) = await upload(conversation, queue, caption)
    (document,) = [item for item in await world.library.documents(["internal"]) if item.file == "plan.pdf"]
    assert (document.fields.jurisdiction, document.fields.parties) == ("xv-se", ("Windmüller",))
    assert document.fields.title == "Der Plan"
    assert str(document.fields.valid_from) == "2026-03-01"
    assert receipt.buttons == ()


async def test_several_files_come_with_one_receipt_and_the_bad_ones_are_named(conversation, queue, world):
    large = Attachment(id="f2", name="large.pdf", size=2_000_000)
    note = Attachment(id="f3", name="note.txt", size=10)
    _, (receipt,) = await upload(conversation, queue, files=(PLAN, large, note))
    assert [name in text(receipt) for name in ("plan", "large.pdf", "note.txt")] == [True] * 3
    assert len(receipt.blocks) == 3


async def test_the_same_file_twice_is_said(conversation, queue):
    await upload(conversation, queue)
    _, (receipt,) = await upload(conversation, queue)
    assert "unverändert" in text(receipt) or "unchanged" in text(receipt)


@pytest.mark.parametrize(
    ("chat", "sender", "caption", "says"),
    [
        ("public-room", "sam", "", None),
        ("staff-room", "anna", "", "staff"),
        ("staff-room", "sam", "jurisdiction=xv-hoo", "xv-ho"),
        ("staff-room", "sam", "colour=red", "colour"),
        ("staff-room", "sam", "date=31.2.2026", "31.2.2026"),
    ],
)
async def test_who_may_not_or_errs_adds_nothing(conversation, queue, world, chat, sender, caption, says):
    before = await world.library.documents()
    reply, done = await upload(conversation, queue, caption, chat, sender)
    assert done == []
    assert says is None or says in text(reply)
    assert await world.library.documents() == before


async def test_a_file_after_a_confirmed_guess_gets_a_receipt_of_its_own(conversation, queue):
    await upload(conversation, queue)
    later = message("", "staff-room", number="m2", sender="sam", attachments=(PLAN,))
    assert queue.batches.joined(later) is not None
    await say(conversation, "/describe plan.pdf place=xv-se", "staff-room", sender="sam")
    assert queue.batches.joined(later) is None


async def test_publishing_is_a_copy_that_can_be_taken_back(conversation, queue):
    await upload(conversation, queue)
    refused = await say(conversation, "/publish plan.pdf", "staff-room", sender="sam")
    assert "publisher" in text(refused)
    published = text(await say(conversation, "/publish plan.pdf", "staff-room", sender="pia"))
    assert "/zuruecknehmen plan.pdf" in published
    assert "Brunnen bauen wir" in text(await say(conversation, QUESTION))
    await say(conversation, "/unpublish plan.pdf", "staff-room", sender="pia")
    assert "Brunnen bauen wir" not in text(await say(conversation, QUESTION))
    assert "Brunnen bauen wir" in text(await say(conversation, QUESTION, "staff-room"))


async def test_a_public_copy_is_no_line_of_its_own_and_shows_no_id(conversation, queue):
    await upload(conversation, queue)
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    for command in ("/documents", "/sources", "/unpublish"):
        said = text(await say(conversation, command, "staff-room", sender="pia"))
        assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}", said), command
    listed = text(await say(conversation, "/documents", "staff-room", sender="pia"))
    assert listed.count("plan.") == 1
    assert re.search(r"plan\S*pdf\), \w+, public", listed)


async def test_staff_removes_their_own_papers_and_publishers_the_public_ones(conversation, world):
    assert "publisher" in text(await say(conversation, "/remove ufer25.pdf", "staff-room", sender="sam"))
    await say(conversation, "/remove intern.pdf", "staff-room", sender="sam")
    await say(conversation, "/remove ufer25.pdf", "staff-room", sender="pia")
    files = {document.file for document in await world.library.documents()}
    assert not files & {"intern.pdf", "ufer25.pdf"}
    actions = [entry.action.value for entry in await world.journal.audit_entries()]
    assert actions == ["remove", "remove"]


async def test_documents_and_the_library_are_listed_for_staff(conversation, queue):
    await say(conversation, "Wie hoch ist der Mond über Hochau?", "staff-room", sender="sam")
    listed = text(await say(conversation, "/documents", "staff-room", sender="sam"))
    assert "intern.pdf" in listed
    assert "ufer25.pdf" in listed
    library = text(await say(conversation, "/library", "staff-room", sender="sam"))
    assert "internal: 1" in library
    assert "public: 5" in library


async def test_the_library_tells_of_scheduled_documents_that_the_chat_may_see(conversation, world):
    rows = []
    for collection in ("public", "elsewhere"):
        url = f"https://example.org/{collection}.pdf"
        row = replace(listed(url, title=f"Programm {collection}"), collection=collection)
        hold = Hold(reason=HoldReason.VANISHED, at=world.app.clock.now(), values={"status": 404})
        state = SourceState(document=document_id(collection, url), result=CheckResult.HELD, hold=hold)
        await world.sources.save_source(state)
        rows.append(row)
    await world.library.save_registry(replace(await world.library.registry(), documents=tuple(rows)))
    library = text(await say(conversation, "/library", "staff-room", sender="sam"))
    assert "1 document is fetched" in library
    assert "Programm public" in library
    assert "404" in library
    assert "elsewhere" not in library


async def test_reading_again_says_what_became_of_it(conversation, queue):
    await upload(conversation, queue)
    again = text(await say(conversation, "/reingest plan.pdf", "staff-room", sender="sam"))
    assert "unchanged" in again or "unverändert" in again


async def test_a_job_outlives_a_stop(conversation, queue, world, tmp_path):
    sent = message("", "staff-room", sender="sam", attachments=(PLAN,))
    await conversation.handle(sent, FakeStage(files={"f1": PAPER}))
    again = uploads_over(world.app, tmp_path)
    (job,) = await again.waiting()
    assert job.message == sent
    assert "plan" in text(await again.work(job, FakeStage(files={"f1": PAPER})))


@pytest.mark.parametrize(
    ("caption", "rest"), [("", ""), ("see here party=SPD please", "see here please"), ('title="A b" x', "x")]
)
def test_words_that_are_no_field_are_left(caption, rest):
    assert read_fields(caption, collection="internal").rest == rest


def test_a_german_date_a_year_and_an_iso_date_are_dates():
    for written in ("28.9.2025", "2025-09-28"):
        assert str(read_fields(f"date={written}", collection="x").options.valid_from) == "2025-09-28"
    assert str(read_fields("date=2025", collection="x").options.valid_from) == "2025-01-01"
    written_out = read_fields('datum="28. September 2025" art=Wahlprogramm', collection="x").options
    assert (str(written_out.valid_from), written_out.doc_type) == ("2025-09-28", "manifesto")
    with pytest.raises(Refused):
        read_fields("pages=none", collection="x")


async def test_what_was_removed_can_be_brought_back_by_whom_it_belongs_to(conversation, world):
    await say(conversation, "/remove intern.pdf", "staff-room", sender="sam")
    assert world.index._collections["internal"]
    await say(conversation, "/restore intern.pdf", "staff-room", sender="sam")
    assert [item.key for item in await world.library.documents(["internal"])] == ["intern.pdf"]
    await say(conversation, "/remove ufer25.pdf", "staff-room", sender="pia")
    refused = text(await say(conversation, "/restore ufer25.pdf", "staff-room", sender="sam"))
    assert "ufer25" in refused
    assert "ufer25.pdf" not in {item.key for item in await world.library.documents()}


async def test_removing_says_until_when_it_can_be_undone(conversation):
    said = text(await say(conversation, "/remove intern.pdf", "staff-room", sender="sam"))
    assert "1 July 2025" in said


async def test_the_receipt_is_answered_with_what_is_right(conversation, queue, world):
    _, (receipt,) = await upload(conversation, queue, thread="t1")
    for text_said, fields in (
        ("jurisdiction=xv-se", {"reply_to": "r1"}),
        ('party="Windmillers"', {"thread": "t1"}),
    ):
        if "reply_to" in fields:
            await posted(world, receipt.trace, "r1")
        assert "plan" in text(await say(conversation, text_said, "staff-room", sender="sam", **fields))
    (document,) = [item for item in await world.library.documents(["internal"]) if item.file == "plan.pdf"]
    assert (document.fields.jurisdiction, document.fields.parties) == ("xv-se", ("Windmüller",))


async def test_fields_that_answer_nothing_or_in_public_change_nothing(conversation, queue, world):
    await upload(conversation, queue)
    before = await world.library.documents()
    await say(conversation, "jurisdiction=xv-se", "staff-room", sender="sam")
    await say(conversation, "jurisdiction=xv-se", sender="sam", reply_to="r1")
    assert await world.library.documents() == before


async def posted(
    world: World, trace: str, number: str, chat: str = "staff-room", thread: str | None = None
) -> None:
    """A message of the bot stands in a chat under `trace`."""
    part = Outgoing(key=f"k-{number}", to=message("", chat, thread=thread).ref, text="receipt")
    reply = OutgoingReply(parts=(part,), trace=TraceId(trace))
    await world.journal.enqueue([reply], at=NOW)
    item = await world.journal.claim_part("console", at=NOW)
    assert item is not None
    await world.journal.sent(item, [number], at=NOW)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b"\xff\xfe", b'{"id": "../elsewhere"}'], ids=repr
)
async def test_a_job_that_cannot_be_read_is_set_aside(
    queue: UploadQueue, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = queue.folder / "damaged" / JOB
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(content)
    assert await queue.waiting() == []
    assert await queue.waiting() == []
    assert await broken_jobs(queue.store) == ["damaged"]
    assert [entry.getMessage() for entry in caplog.records] == [
        "a job of an upload is damaged and was set aside: uploads/damaged/job.json"
    ]


@pytest.mark.parametrize(
    "asked",
    ["Was sagt die Uferpartei zu Brunnen im Dorf?", "Wie viele Brunnen bauen wir in jedem Dorf in Seemoor?"],
)
async def test_an_unconfirmed_upload_answers_questions_about_any_party_and_place(conversation, queue, asked):
    await upload(conversation, queue, "title=Strategie")
    reply = text(await say(conversation, asked, "staff-room"))
    assert "Brunnen bauen wir" in reply
    assert "Noch hat niemand bestätigt, von wem Strategie ist" in reply
    assert "Brunnen bauen wir" not in text(await say(conversation, asked))
    fields = 'title=Strategie jurisdiction=xv-ho party="Windmillers"'
    await say(conversation, f"/describe plan.pdf {fields}", "staff-room", sender="sam")
    assert "Brunnen bauen wir" not in text(await say(conversation, asked, "staff-room"))


async def test_correcting_fields_corrects_the_public_copy(conversation, queue, world):
    await upload(conversation, queue)
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    said = text(await say(conversation, "/describe plan.pdf jurisdiction=xv-se", "staff-room", sender="pia"))
    assert "öffentliche Kopie" in said
    public = {item.file: item.fields for item in await world.library.documents(["public"])}
    assert public["plan.pdf"].jurisdiction == "xv-se"
    said = text(await say(conversation, "/describe plan.pdf jurisdiction=xv-ho", "staff-room", sender="sam"))
    assert "/veroeffentlichen plan.pdf" in said, "what is public is the publishers' to change"
    public = {item.file: item.fields for item in await world.library.documents(["public"])}
    assert public["plan.pdf"].jurisdiction == "xv-se"


async def test_a_guessed_date_is_the_one_that_is_printed(conversation, queue, world):
    world.pdf.documents["plan.pdf"] = text_reading(PAPER.decode() + "\nBeschlossen am 12. März 2026")
    _, (receipt,) = await upload(conversation, queue)
    assert "12. März 2026" in text(receipt)


async def test_threads_are_told_when_a_copy_is_unpublished(conversation, queue, world):
    await upload(conversation, queue)
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    answer = await say(conversation, QUESTION)
    await posted(world, answer.trace, "a1", "public-room")
    _, (receipt,) = await upload(conversation, queue)
    assert "1 Antwort zitiert sie" in text(receipt)
    said = text(await say(conversation, "/unpublish plan.pdf", "staff-room", sender="pia"))
    assert "1 Antwort" in said
    item = await world.journal.claim_part("console", at=NOW)
    assert (item.part.to.chat, item.part.to.message) == ("public-room", "a1")
    assert "nicht mehr öffentlich" in item.part.text
    assert "Das Zitat daraus" in item.part.text


async def test_a_thread_of_two_answers_is_told_once_when_a_copy_is_unpublished(conversation, queue, world):
    await upload(conversation, queue)
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    for number in ("a1", "a2"):
        answer = await say(conversation, QUESTION, thread="th", number=f"q{number}")
        await posted(world, answer.trace, number, "public-room", thread="th")
    said = text(await say(conversation, "/unpublish plan.pdf", "staff-room", sender="pia"))
    assert "2 Antworten" in said
    item = await world.journal.claim_part("console", at=NOW)
    assert "Die Zitate daraus" in item.part.text
    assert await world.journal.claim_part("console", at=NOW) is None


async def test_what_is_public_in_an_older_version_is_said(conversation, queue, world):
    await upload(conversation, queue)
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    world.pdf.documents["plan.pdf"] = text_reading(PAPER.decode() + "\nUnd noch ein Satz.")
    world.originals.contents["plan.pdf"] = "other bytes"
    shown = FakeStage(files={"f1": PAPER})
    await conversation.handle(
        message("", "staff-room", sender="sam", attachments=(PLAN,), number="m2"), shown
    )
    receipt = await queue.work((await queue.waiting())[0], shown)
    assert "ältere Fassung" in text(receipt)
    assert "/veroeffentlichen plan.pdf" in text(receipt)
    assert any(button.command.startswith("/publish ") for row in receipt.buttons for button in row)


async def test_files_sent_one_by_one_are_told_in_one_receipt(conversation, queue):
    await upload(conversation, queue)
    other = Attachment(id="f2", name="other.pdf", size=100)
    shown = FakeStage(files={"f2": PAPER})
    second = message("", "staff-room", sender="sam", attachments=(other,), number="m2")
    assert (await conversation.handle(second, shown)).blocks == ()
    (job,) = await queue.waiting()
    assert job.first.ref.message == "m1"
    receipt = await queue.work(job, shown)
    assert "2 Dateien" in text(receipt)
    assert "plan (plan.pdf)" in text(receipt)
    assert "other (other.pdf)" in text(receipt)
    elsewhere = replace(second, sender="pia", ref=replace(second.ref, message="m3"))
    assert (await conversation.handle(elsewhere, shown)).blocks != ()


async def test_a_guess_is_confirmed_by_a_word(conversation, queue, world):
    _, (receipt,) = await upload(conversation, queue, capabilities=replace(EVERYTHING, buttons=False))
    assert "/ja übernimmt es" in text(receipt)
    await say(conversation, "!ja", "staff-room", sender="sam")
    (document,) = [item for item in await world.library.documents(["internal"]) if item.file == "plan.pdf"]
    assert (document.fields.jurisdiction, document.fields.parties) == ("xv-ho", ("Uferpartei",))
    assert "nichts zu bestätigen" in text(await say(conversation, "/yes", "staff-room", sender="sam"))


@pytest.mark.parametrize("word", ["ja", "Ja!", "yes", "oui"])
async def test_a_guess_is_confirmed_by_a_bare_word(conversation, queue, world, word):
    await upload(conversation, queue)
    await say(conversation, word, "staff-room", sender="sam")
    (document,) = [item for item in await world.library.documents(["internal"]) if item.file == "plan.pdf"]
    assert (document.fields.jurisdiction, document.fields.parties) == ("xv-ho", ("Uferpartei",))


async def test_a_bare_word_confirms_nothing_where_staff_do_not_speak(conversation):
    assert await conversation.handle(message("ja", sender="anna"), FakeStage()) is None


async def test_what_does_not_count_yet_is_told_as_long_as_it_does_not(conversation, queue):
    _, (guessed,) = await upload(conversation, queue)
    assert "zählen erst, wenn sie bestätigt sind" in text(guessed)
    await say(conversation, "ja", "staff-room", sender="sam")
    _, (again,) = await upload(conversation, queue)
    assert "unverändert" in text(again)
    assert "bestätigt" not in text(again)
    assert "ab sofort" not in text(again)


async def test_what_is_taken_back_is_named(conversation):
    question = "Was sagt die Uferpartei zum Mindestlohn?"
    await say(conversation, question, "staff-room", sender="sam")
    taken = text(await say(conversation, "/widerrufen", "staff-room", sender="sam"))
    assert f"Antwort auf: {question}" in taken
    assert "0 " not in taken


async def test_unanswered_questions_that_are_not_listed_are_counted(conversation, world):
    listed = record("a" * 32, outcome=Outcome.NO_EVIDENCE, scope=Scope(collections=("public",)), at=NOW)
    gone = replace(listed, trace=TraceId("b" * 32), texts=None)
    for each in (listed, gone):
        await world.journal.record(each)
    told = text(await say(conversation, "/bibliothek", "staff-room", sender="sam"))
    assert "2 Fragen ohne Antwort" in told
    assert "… und 1 weitere" in told


async def test_where_nothing_is_removed_nothing_is_to_be_brought_back(conversation):
    told = text(await say(conversation, "/wiederherstellen", "staff-room", sender="sam"))
    assert "nichts entfernt" in told


@pytest.mark.parametrize("command", ["remove", "describe", "restore", "reingest"])
async def test_a_command_without_a_name_lists_what_is_possible(conversation, command):
    if command == "restore":
        await say(conversation, "/remove intern.pdf", "staff-room", sender="sam")
    reply = await say(conversation, f"/{command}", "staff-room", sender="sam")
    assert "- " not in text(reply), "a button is enough"
    typed = await say(conversation, f"/{command}", "staff-room", without_buttons(), sender="sam")
    assert f"/{command} intern.pdf" in text(typed)
    assert typed.buttons == ()
    assert "ufer25" not in text(typed), "what is public is the publishers' to change"
    ((button,),) = reply.buttons
    assert button.label == "intern.pdf"
    assert "Refused" not in text(await say(conversation, button.command, "staff-room", sender="sam"))


async def test_publishing_without_a_name_lists_what_is_not_public_yet(conversation, queue):
    await upload(conversation, queue)
    reply = await say(conversation, "/publish", "staff-room", sender="pia")
    typed = await say(conversation, "/publish", "staff-room", without_buttons(), sender="pia")
    said = set(re.findall(r"/veroeffentlichen \S+", text(typed)))
    assert {"/veroeffentlichen intern.pdf", "/veroeffentlichen plan.pdf"} <= said
    assert {button.label for row in reply.buttons for button in row} == {"intern.pdf", "plan.pdf"}
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    left = await say(conversation, "/publish", "staff-room", sender="pia")
    assert [button.label for row in left.buttons for button in row] == ["intern.pdf"]
    taken = await say(conversation, "/unpublish", "staff-room", without_buttons(), sender="pia")
    assert "plan.pdf" in text(taken)
    assert "intern.pdf" not in text(taken)


async def test_a_file_in_a_public_room_is_told_where_to_go(conversation, queue):
    reply, done = await upload(conversation, queue, chat="public-room", sender="sam")
    assert "staff chat" in text(reply)
    assert done == []
    asked = message("Was sagt die Uferpartei zum Mindestlohn?", attachments=(PLAN,))
    assert "15 Taler" in text(await conversation.handle(asked, FakeStage()))
    unasked = message("", attachments=(PLAN,), addressed=False)
    assert await conversation.handle(unasked, FakeStage()) is None


async def test_a_receipt_is_in_the_language_of_the_room(conversation, queue):
    await say(conversation, "What does the Riverside Party say about wages?", "staff-room", sender="anna")
    _, (receipt,) = await upload(conversation, queue, "title=Strategie")
    assert "1 page, 1 passage" in text(receipt)


async def test_what_is_typed_of_two_documents_with_one_file_means_each(conversation, queue, world):
    await upload(conversation, queue)
    await say(conversation, "/publish plan.pdf", "staff-room", sender="pia")
    pressed = await say(conversation, "/remove", "staff-room", sender="pia")
    labels = [button.label for row in pressed.buttons for button in row]
    assert len(labels) == len(set(labels))
    reply = text(await say(conversation, "/remove", "staff-room", without_buttons(), sender="pia"))
    typed = [line[line.index("/entfernen ") :] for line in reply.split("\n") if "/entfernen " in line]
    assert len(typed) == len(set(typed)) == len(await world.library.documents())
    assert typed.count("/entfernen plan.pdf") == 1
    (copy,) = [
        item.id
        for item in await world.library.documents()
        if (item.file, item.collection) == ("plan.pdf", "public")
    ]
    await say(conversation, f"/remove {copy}", "staff-room", sender="pia")
    left = [item.collection for item in await world.library.documents() if item.file == "plan.pdf"]
    assert left == ["internal"]


async def test_jobs_that_wait_in_another_store_are_taken_along(conversation, queue, world, tmp_path):
    """In the data folder, of whoever has moved the files into object storage since."""
    sent = message("", "staff-room", sender="sam", attachments=(PLAN,))
    stage, told = FakeStage(files={"f1": PAPER}), []
    await conversation.handle(sent, stage)
    moved = uploads_over(world.app, tmp_path / "elsewhere")
    moved.earlier = queue.store

    async def stage_of(_):
        return stage

    async def post(of, reply, first):
        told.append((of, text(reply)))

    async def is_told():
        return bool(told)

    running = asyncio.create_task(moved.run(stage_of, post))
    await eventually(is_told)
    await cancelled([running])
    ((of, said),) = told
    assert of == sent
    assert "plan.pdf" in said
    assert await queue.waiting() == []
