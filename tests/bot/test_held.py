"""Held changes of sources, decided in a staff chat: by whom, of what, and what is kept of it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.chat.conversation import Conversation
from bot.library.sources.jobs import LEASE
from bot.presentation.escaping import WORD_JOINER
from core.domain.ids import DocumentId
from core.domain.ingestion import CheckResult, Hold, HoldReason, SourceState
from core.domain.journal import AuditAction
from core.domain.messages import MessageKind
from core.domain.registry import RegisteredDocument
from tests.support.chats import conversation_over, say, uploads_over
from tests.support.refreshing import id_of, listed
from tests.support.world import NOW, World, populated, request

URL = "https://example.org/{}.pdf"


@pytest.fixture
async def world() -> World:
    return await populated()


@pytest.fixture
def conversation(world: World, tmp_path: Path) -> Conversation:
    queue = uploads_over(world.app, tmp_path)
    return conversation_over(world.app, tmp_path, queue)


async def held(world: World, collection: str, reason: HoldReason = HoldReason.VANISHED) -> DocumentId:
    """A scheduled document of a collection, its change held."""
    url = URL.format(collection)
    row: RegisteredDocument = replace(listed(url, title=f"Plan {collection}"), collection=collection)
    registry = await world.library.registry()
    await world.library.save_registry(replace(registry, documents=(*registry.documents, row)))
    file = f"{collection}-plan.pdf"
    world.originals.contents[file] = file
    await world.add(file, "Wir bauen jedes Jahr neue Brunnen im Dorf.")
    (receipt,) = await world.ingest(replace(request(file, collection=collection), key=url, fields=row.fields))
    assert receipt.document is not None
    values = {"status": 404} if reason is HoldReason.VANISHED else {"before": 9, "now": 1, "part": 3}
    hold = Hold(reason=reason, at=NOW, sha256="ab", values=values)
    state = SourceState(document=receipt.document, result=CheckResult.HELD, hold=hold)
    await world.sources.save_source(state)
    return receipt.document


async def told(conversation: Conversation, text: str, sender: str = "sam", **fields: object) -> str:
    reply = await say(conversation, text, "staff-room", sender=sender, **fields)
    return "\n".join(reply.blocks).replace(WORD_JOINER, "")


async def state_of(world: World, document: DocumentId) -> SourceState:
    state = await world.sources.source(document)
    assert state is not None
    return state


async def audited(world: World) -> list[tuple[AuditAction, str, str]]:
    entries = await world.journal.audit_entries()
    return [(entry.action, entry.subject, entry.values["held"]) for entry in entries]


async def test_a_document_that_nobody_fetches_is_not_unknown(conversation, world):
    await world.add("bylaws.pdf", "Wir bauen jedes Jahr neue Brunnen im Dorf.")
    assert "not fetched on a schedule" in await told(conversation, "/library run bylaws.pdf")
    assert "wird nicht nach Plan geholt" in await told(
        conversation, "/bibliothek annehmen bylaws.pdf", number="m2"
    )
    assert "There is no document nothing.pdf" in await told(
        conversation, "/library run nothing.pdf", number="m3"
    )


async def test_approved_where_no_scheduler_runs_it_is_done_at_once(conversation, world):
    document = await held(world, "internal")
    text = await told(conversation, "/library approve Plan internal")
    assert "approved and carried out" in text or "angenommen und ausgeführt" in text
    gone = await world.library.document(document)
    assert gone is not None
    assert gone not in await world.library.documents()
    assert await audited(world) == [(AuditAction.APPROVE, document, "vanished")]


async def test_approved_where_one_runs_it_is_left_to_that(conversation, world):
    document = await held(world, "internal")
    await world.sources.take_lease(LEASE, "other", term=timedelta(minutes=1))
    assert "half a minute" in await told(conversation, f"/library approve {document}")
    state = await state_of(world, document)
    assert (state.approved, state.next_run) == (True, NOW)
    assert await world.library.document(document) in await world.library.documents()


async def test_rejected_it_is_not_asked_about_again(conversation, world):
    document = await held(world, "internal", HoldReason.SHRANK)
    assert "bleibt, wie es ist" in await told(conversation, "/bibliothek ablehnen internal-plan.pdf")
    state = await state_of(world, document)
    assert (state.hold, state.dismissed) == (None, "shrank:ab")
    assert await audited(world) == [(AuditAction.REJECT, document, "shrank")]


async def test_what_is_public_is_the_publishers_to_decide(conversation, world):
    document = await held(world, "public")
    await told(conversation, f"/library approve {document}")
    assert (await state_of(world, document)).approved is False
    assert await audited(world) == []
    await told(conversation, f"/library approve {document}", sender="pia")
    assert await audited(world) == [(AuditAction.APPROVE, document, "vanished")]


async def test_a_chat_decides_only_on_what_it_sees(conversation, world):
    document = await held(world, "elsewhere")
    for name in (document, "Plan elsewhere", URL.format("elsewhere")):
        text = await told(conversation, f"/library reject {name}", sender="pia")
        assert "elsewhere.pdf" not in text.replace(name, "")
    assert (await state_of(world, document)).hold is not None
    assert await audited(world) == []


@pytest.mark.parametrize("sender", ["anna", ""])
async def test_nobody_else_decides(conversation, world, sender):
    document = await held(world, "internal")
    await told(conversation, f"/library approve {document}", sender=sender)
    assert (await state_of(world, document)).approved is False
    reply = await say(conversation, f"/library approve {document}", "public-room", sender="pia")
    assert "Plan" not in "\n".join(reply.blocks)
    assert (await state_of(world, document)).approved is False


async def test_a_button_decides_and_the_list_names_the_choice(conversation, world):
    document = await held(world, "internal")
    listed_now = await told(conversation, "/library")
    assert f"/library approve {document}" in listed_now
    command = f"/library reject {document}"
    assert len(command.encode()) <= 60
    await told(conversation, command, kind=MessageKind.BUTTON)
    assert (await state_of(world, document)).hold is None


async def test_the_status_names_next_and_last_looks(conversation, world):
    document = await held(world, "internal", HoldReason.SHRANK)
    await held(world, "elsewhere")
    state = replace(await state_of(world, document), checked_at=NOW, next_run=NOW + timedelta(hours=6))
    await world.sources.save_source(state)
    for word in ("/status", "/library"):
        text = await told(conversation, word)
        assert (
            "- Plan internal: next check 1 June 2025, 18:00 UTC, last 1 June 2025, 12:00 UTC: held back"
            in text
        )
        assert "elsewhere" not in text


async def test_a_source_is_looked_at_now(conversation, world):
    document = await held(world, "internal", HoldReason.SHRANK)
    assert "Plan internal: held" in await told(conversation, "/library run internal-plan.pdf")
    await world.sources.take_lease(LEASE, "other", term=timedelta(minutes=1))
    assert "half a minute" in await told(conversation, f"/library run {document}")
    assert (await state_of(world, document)).next_run == NOW
    await held(world, "elsewhere")
    assert "no document" in await told(conversation, "/library run Plan elsewhere")
    assert await audited(world) == []


async def test_what_cannot_be_decided_is_said(conversation, world):
    await held(world, "internal", HoldReason.SHRANK)
    assert "Name the document" in await told(conversation, "/library approve")
    await told(conversation, "/library reject Plan internal")
    assert "is waiting for a decision" in await told(conversation, "/library reject Plan internal")
    assert "no document" in await told(conversation, "/library reject nothing.pdf")


async def test_what_cannot_be_taken_over_stays_held(conversation, world, tmp_path):
    document = await held(world, "internal", HoldReason.SHRANK)
    state = await state_of(world, document)
    assert state.hold is not None
    (tmp_path / "bytes").write_bytes(b"no document")
    world.originals.kept.add(str(tmp_path / "bytes"))
    await world.sources.save_source(
        replace(state, hold=replace(state.hold, original=str(tmp_path / "bytes")))
    )
    text = await told(conversation, f"/library approve {document}")
    assert "could not be carried out (file.unsupported)" in text
    assert (await state_of(world, document)).hold is not None


async def test_where_the_held_file_is_lost_the_source_is_asked_anew(conversation, world):
    document = await held(world, "internal", HoldReason.SHRANK)
    state = await state_of(world, document)
    assert state.hold is not None
    await world.sources.save_source(replace(state, hold=replace(state.hold, original="lost.pdf")))
    assert "could not be carried out" in await told(conversation, f"/library approve {document}")
    now = await state_of(world, document)
    assert now.hold is not None
    assert now.hold.reason is HoldReason.VANISHED


def test_the_id_of_the_examples_is_as_long_as_any() -> None:
    assert len(id_of()) == 36
