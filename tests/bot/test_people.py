"""Requests that come by letter: everything is found by the platform's id, and gone when it was erased."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.people import _lines as person_lines
from bot.cli.root import app
from bot.settings.tree import load
from bot.wiring.services import records
from core.domain.journal import (
    AuditAction,
    AuditEntry,
    ChatKey,
    ChatState,
    Feedback,
    FeedbackVerdict,
    OutgoingReply,
    Pseudonym,
)
from core.domain.messages import Attachment, MessageKind, Outgoing
from core.domain.records import KeptText, PersonFile, RecordTexts
from tests.support.fake_platform import FakePlatform
from tests.support.journal_examples import cited

NOW = datetime.now(UTC)
TEXTS = ("What about ANNAS QUESTION?", "ANNAS ANSWER", "ANNAS QUERY", "BERTS QUESTION")
CHAT = ChatKey(platform="telegram", workspace="", chat="4711")


async def _used(data: Path) -> None:
    """Two people have used the bot."""
    platform = FakePlatform()
    async with records(load(data=data).settings) as kept:
        journal = kept.journal
        anna, bert = (journal.pseudonyms.person("telegram", "", user) for user in ("4711", "815"))
        for person, user, text in ((anna, "4711", TEXTS[0]), (bert, "815", TEXTS[3])):
            message = platform.message(text, chat=user, sender=user)
            await journal.accept([replace(message, event=f"e{user}")], at=NOW)
            item = await journal.claim(at=NOW)
            assert item is not None
            part = Outgoing(key=f"k{user}", to=message.ref, text=TEXTS[1] if person == anna else "else")
            await journal.finish(item, at=NOW, replies=[OutgoingReply(parts=(part,), person=person)])
            sending = await journal.claim_part("telegram", at=NOW)
            assert sending is not None
            await journal.sent(sending, ["m1"], at=NOW)
            record = replace(cited(f"t{user}", "v1"), at=NOW, person=person)
            texts = RecordTexts(question=text, queries=(TEXTS[2],) if person == anna else ())
            await journal.record(replace(record, texts=texts))
        await journal.give_feedback(
            Feedback(trace=record.trace, person=anna, verdict=FeedbackVerdict.USEFUL, at=NOW)
        )
        await journal.first_notice(anna, at=NOW)
        await journal.save_chat_state(CHAT, ChatState(language="de"), at=NOW)
        await journal.audit(
            AuditEntry(at=NOW, actor=anna, action=AuditAction.PUBLISH, subject="d1", values={})
        )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    asyncio.run(_used(tmp_path))
    role = '[[role]]\nplatform = "telegram"\nuser = "4711"\nrole = "staff"\n'
    (tmp_path / "fundstelle.toml").write_text(role)
    return tmp_path


def person(data: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["person", *arguments, "--data", str(data)])
    return done.exit_code, done.output


def exported(data: Path, name: str = "telegram:4711") -> dict[str, object]:
    status, said = person(data, "export", name, "--json")
    assert status == 0
    found: dict[str, object] = json.loads(said)
    return found


def counts(found: dict[str, object]) -> dict[str, int]:
    return {name: len(value) for name, value in found.items() if isinstance(value, list) and value}


def test_everything_is_found_by_the_platforms_id(data: Path) -> None:
    found = exported(data)
    assert counts(found) == {"messages": 1, "replies": 1, "answers": 1, "feedback": 1, "actions": 1}
    assert found["told_at"]
    assert found["settings"] == {"jurisdiction": None, "parties": [], "language": "de", "corrections": True}
    text = json.dumps(found)
    assert [words in text for words in TEXTS] == [True, True, True, False]
    status, said = person(data, "export", "telegram:4711")
    assert status == 0
    assert TEXTS[0] in said
    assert "7 things are kept about telegram:4711" in said


@pytest.mark.parametrize(
    ("text", "files", "said"),
    [
        ("hello", (), "hello"),
        ("hello", ("a.pdf", "b.pdf"), "hello  [a.pdf, b.pdf]"),
        ("", ("a.pdf",), "[a.pdf]"),
        ("", (), "(no text)"),
        (None, (), "(the content is gone)"),
    ],
)
def test_only_what_was_there_is_said_to_be_gone(text: str | None, files: tuple[str, ...], said: str) -> None:
    kept = KeptText(at=NOW, state="done", text=text, files=files)
    empty = PersonFile(**dict.fromkeys(LISTS, ()), told_at=None, state=None)
    (message,) = person_lines(replace(empty, messages=(kept,)))
    (reply,) = person_lines(replace(empty, replies=(kept,)))
    assert message.endswith(f"{NOW:%Y-%m-%d %H:%M}  {said}")
    assert reply.endswith(f"{NOW:%Y-%m-%d %H:%M}  {said}")


LISTS = ("messages", "replies", "answers", "feedback", "threads", "summaries", "subscriptions", "actions")


def test_a_message_of_a_file_alone_has_lost_nothing(data: Path) -> None:
    async def sent() -> None:
        async with records(load(data=data).settings) as kept:
            message = FakePlatform().message("", chat="4711", sender="4711")
            joined = replace(message, event="joined", kind=MessageKind.JOINED)
            file = (Attachment(id="f", name="plan.pdf"),)
            await kept.journal.accept([joined, replace(message, event="file", attachments=file)], at=NOW)

    asyncio.run(sent())
    _, said = person(data, "export", "telegram:4711")
    assert "is gone" not in said
    assert "  [plan.pdf]" in said
    assert "  (no text)" in said


def test_who_never_wrote_has_nothing(data: Path) -> None:
    found = exported(data, "matrix:@anna:example.org")
    assert counts(found) == {}
    assert (found["told_at"], found["settings"]) == (None, None)


def test_what_was_erased_is_in_no_file_any_more(data: Path) -> None:
    status, said = person(data, "erase", "telegram:4711", "--json")
    assert status == 0
    done = json.loads(said)
    assert {row["what"]: row["count"] for row in done["kept"]} == {
        "answers": 1,
        "feedback": 1,
        "actions": 1,
        "roles": 1,
        "events": None,
        "backups": None,
        "platform": None,
        "request": None,
    }
    assert all(row["why"] for row in done["kept"])
    assert done["erased"] > 4
    assert counts(exported(data)) == {"actions": 1}
    assert counts(exported(data, "telegram:815"))["messages"] == 1
    whole = b"".join(path.read_bytes() for path in data.glob("fundstelle.sqlite3*"))
    assert [words.encode() in whole for words in TEXTS] == [False, False, False, True]


def test_that_it_was_done_is_kept_and_not_for_whom(data: Path) -> None:
    person(data, "export", "telegram:4711")
    status, said = person(data, "erase", "telegram:4711")
    assert status == 0
    assert "what remains:" in said

    async def entries() -> tuple[list[AuditEntry], Pseudonym]:
        async with records(load(data=data).settings) as kept:
            anna = kept.journal.pseudonyms.person("telegram", "", "4711")
            return await kept.journal.audit_entries(), anna

    (erased, asked, _), anna = asyncio.run(entries())
    assert [entry.action for entry in (erased, asked)] == [AuditAction.ERASE, AuditAction.EXPORT]
    for entry in (erased, asked):
        assert (entry.subject, entry.values["platform"]) == ("person", "telegram")
        assert anna != entry.actor
        assert "4711" not in str(entry)


@pytest.mark.parametrize("name", ["4711", "telegram:", ":4711", "slack:U123", "slack:T1/", ""])
def test_what_is_no_id_is_told(data: Path, name: str) -> None:
    status, said = person(data, "erase", name)
    assert status == 2
    assert "PLATFORM:USER" in said


def test_a_private_chat_is_named_where_it_is_not_known(data: Path) -> None:
    status, said = person(data, "erase", "slack:T1/U1", "--json")
    assert status == 0
    assert "private_chat" in {row["what"] for row in json.loads(said)["kept"]}
    status, said = person(data, "erase", "slack:T1/U1", "--chat", "T1/D1", "--json")
    assert status == 0
    assert "private_chat" not in {row["what"] for row in json.loads(said)["kept"]}
