"""Sending: topics, albums, edits, pace, and what happens when it is unknown whether something arrived."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from core.domain.messages import Attachment, Button, MessageRef, Outgoing, ReplyFile
from core.errors import Broken, FundstelleError, Refused, Unavailable
from tests.support.chat_harness import RecordingInbox
from tests.support.telegram_harness import TelegramHarness, platform
from tests.support.telegram_server import TelegramServer

PDF = b"%PDF-1.4"


def ref(chat: object, thread: object = None, message: object = "") -> MessageRef:
    return MessageRef(
        platform="telegram",
        workspace="",
        chat=str(chat),
        thread=None if thread is None else str(thread),
        message=str(message),
    )


def part(to: MessageRef, text: str = "An answer. [S1]", **more: Any) -> Outgoing:
    return Outgoing(key="k-0", to=to, text=text, **more)


def too_many(seconds: int) -> dict[str, Any]:
    said = f"Too Many Requests: retry after {seconds}"
    return {"status": 429, "description": said, "parameters": {"retry_after": seconds}}


def files(folder: Path, count: int) -> tuple[ReplyFile, ...]:
    made = [folder / f"{number}.pdf" for number in range(count)]
    for path in made:
        path.write_bytes(PDF)
    return tuple(ReplyFile(name=path.name, caption=f"{path.name}, see @you", path=path) for path in made)


async def test_answers_go_to_their_topic(chats: TelegramHarness) -> None:
    forum = await chats.server.do("chat", kind="supergroup", is_forum=True)
    topic = await chats.server.do("topic", chat=forum)
    await chats.platform.send(part(ref(forum, topic)))
    (shown,) = await chats.shown(str(forum))
    assert shown.thread == str(topic)
    await chats.server.do("close_topic", chat=forum, topic=topic)
    with pytest.raises(Refused) as refused:
        await chats.platform.send(part(ref(forum, topic)))
    assert refused.value.key == "chat.topic_gone"


async def test_a_question_that_is_gone_gets_its_answer_in_the_chat(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    await chats.platform.send(part(ref(chat, message=999)))
    (shown,) = await chats.shown(chat)
    assert shown.reply_to is None


@pytest.mark.parametrize("count", [1, 2])
async def test_files_come_with_their_thumbnails(chats: TelegramHarness, tmp_path: Path, count: int) -> None:
    picture = tmp_path / "page.jpg"
    pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 320, 128)).save(picture)
    shown = [replace(file, thumbnail=picture) for file in files(tmp_path, count)]
    gone = replace(shown[0], thumbnail=tmp_path / "gone.jpg")
    chat = await chats.direct()
    for sent in (tuple(shown), (gone,)):  # without its thumbnail a file arrives all the same
        assert len(await chats.platform.send(part(ref(chat), "Pages:", files=sent))) == len(sent)


async def test_an_album_of_ten_with_captions(chats: TelegramHarness, tmp_path: Path) -> None:
    chat = await chats.direct()
    ids = await chats.platform.send(part(ref(chat), "Pages:", files=files(tmp_path, 10)))
    (shown,) = await chats.shown(chat)
    assert shown.ids == ids
    assert len(ids) == 10
    assert shown.files[0].caption == "Pages:\n\n0.pdf, see @you"
    assert shown.files[9].caption == "9.pdf, see @you"
    assert shown.mentions == ()


async def test_one_file_carries_buttons_and_an_album_none(chats: TelegramHarness, tmp_path: Path) -> None:
    chat = await chats.direct()
    buttons = ((Button(label="Wrong page", command="page wrong"),),)
    await chats.platform.send(part(ref(chat), files=files(tmp_path, 1), buttons=buttons))
    assert (await chats.shown(chat))[0].buttons == (("page wrong",),)
    with pytest.raises(ValueError, match="no buttons"):
        await chats.platform.send(part(ref(chat), files=files(tmp_path, 2), buttons=buttons))


async def test_a_replacement_of_what_is_gone_is_said_anew(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    (first,) = await chats.platform.send(part(ref(chat)))
    await chats.platform.delete(ref(chat, message=first))
    (second,) = await chats.platform.send(part(ref(chat), "Another answer.", replaces=first))
    assert second != first
    assert [shown.text for shown in await chats.shown(chat)] == ["Another answer."]


async def test_short_waits_are_sat_out(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    await chats.server.do("fault", method="sendMessage", kind="refuse", **too_many(1))
    await chats.platform.send(part(ref(chat)))
    assert len(await chats.shown(chat)) == 1


@pytest.mark.parametrize(("seconds", "times"), [(30, 1), (1, 2)])
async def test_long_waits_are_handed_back(
    chats: TelegramHarness, monkeypatch: pytest.MonkeyPatch, seconds: int, times: int
) -> None:
    monkeypatch.setattr("adapters.telegram.errors.asyncio.sleep", _at_once)
    chat = await chats.direct()
    await chats.server.do("fault", method="sendMessage", kind="refuse", times=times, **too_many(seconds))
    with pytest.raises(Unavailable) as waiting:
        await chats.platform.send(part(ref(chat)))
    assert (waiting.value.key, waiting.value.retry_after_s) == ("platform.busy", seconds)
    assert await chats.shown(chat) == []


async def _at_once(seconds: float) -> None:
    """Nobody waits in tests."""


FAULTS: list[tuple[dict[str, Any], str, int]] = [
    ({"kind": "lost"}, "platform.uncertain", 1),
    ({"kind": "refuse", "status": 502, "description": "Bad Gateway"}, "platform.unreachable", 0),
    ({"kind": "refuse", "status": 413, "description": "Request Entity Too Large"}, "chat.too_large", 0),
    (
        {
            "kind": "refuse",
            "status": 400,
            "description": "Bad Request: not enough rights to send text messages",
        },
        "chat.forbidden",
        0,
    ),
    ({"kind": "refuse", "status": 401, "description": "Unauthorized"}, "platform.token", 0),
]


@pytest.mark.parametrize(("fault", "key", "shown"), FAULTS)
async def test_faults_are_told_apart(
    chats: TelegramHarness, fault: dict[str, Any], key: str, shown: int
) -> None:
    chat = await chats.direct()
    await chats.server.do("fault", method="sendMessage", **fault)
    with pytest.raises(FundstelleError) as caught:
        await chats.platform.send(part(ref(chat)))
    assert caught.value.key == key
    assert len(await chats.shown(chat)) == shown


async def test_a_server_that_is_not_there(server: TelegramServer) -> None:
    bot = platform(server, api_base="http://127.0.0.1:9/bot")
    with pytest.raises(Unavailable) as caught:
        await bot.send(part(ref(5)))
    assert caught.value.key == "platform.unreachable"
    (finding,) = await bot.check()
    assert not finding.ok
    assert "api_base" in finding.advice
    await bot.close()


async def test_old_messages_cannot_be_taken_back(chats: TelegramHarness) -> None:
    chat = await chats.direct()
    (first,) = await chats.platform.send(part(ref(chat)))
    await chats.server.do("world", clock_ahead_s=49 * 3600)
    with pytest.raises(Refused) as refused:
        await chats.platform.delete(ref(chat, message=first))
    assert refused.value.key == "chat.cannot_delete"


async def test_a_group_that_moved_says_where_to(chats: TelegramHarness) -> None:
    group = await chats.server.do("chat", kind="group")
    moved_to = await chats.server.do("migrate", chat=group)
    with pytest.raises(Refused) as refused:
        await chats.platform.send(part(ref(group)))
    assert (refused.value.key, refused.value.values) == ("chat.moved", {"to": str(moved_to)})


async def test_files_that_are_gone_or_too_large(chats: TelegramHarness, tmp_path: Path) -> None:
    chat = await chats.direct()
    await chats.say(chat, files=[("a.pdf", PDF)], text="")
    (attachment,) = (await chats.inbox.next()).attachments
    await chats.server.do("forget_file", file_id=attachment.id)
    with pytest.raises(Refused) as gone:
        await chats.platform.fetch(attachment, tmp_path, max_bytes=100)
    assert gone.value.key == "upload.gone"
    large = Attachment(id="any", name="a.pdf", size=20_000_001)
    with pytest.raises(Refused) as refused:
        await chats.platform.fetch(large, tmp_path, max_bytes=10**9)
    assert (refused.value.key, refused.value.values["limit"]) == ("upload.too_large", 20_000_000)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        (".hidden", "hidden"),
        ("a\x00b\n.pdf", "a_b_.pdf"),
        ("Wahl programm (2031).pdf", "Wahl programm (2031).pdf"),
        ("...", "upload"),
        ("x" * 300 + ".pdf", "x" * 120 + ".pdf"),
    ],
)
async def test_files_get_safe_names(chats: TelegramHarness, tmp_path: Path, name: str, safe: str) -> None:
    chat = await chats.direct()
    await chats.say(chat, "", files=[(name, PDF)])
    (attachment,) = (await chats.inbox.next()).attachments
    fetched = await chats.platform.fetch(attachment, tmp_path, max_bytes=100)
    assert fetched == tmp_path / safe


@pytest.mark.parametrize(
    ("kind", "more", "why"),
    [
        ("supergroup", {"username": "open_house"}, "chat.username"),
        ("supergroup", {"linked": -1001234567890}, "chat.shared"),
        ("channel", {}, "chat.public"),
        ("group", {}, None),
        ("supergroup", {}, None),
    ],
)
async def test_who_reads_along(
    chats: TelegramHarness, kind: str, more: dict[str, Any], why: str | None
) -> None:
    chat = await chats.server.do("chat", kind=kind, **more)
    exposure = await chats.platform.exposure(ref(chat))
    assert (exposure.closed, exposure.why_open, exposure.direct) == (why is None, why, False)


async def test_a_chat_that_cannot_be_looked_at_is_refused(chats: TelegramHarness) -> None:
    with pytest.raises(Refused):
        await chats.platform.exposure(ref(-1))
    chat = await chats.direct()
    await chats.server.do("fault", method="getChat", kind="hang_up")
    with pytest.raises(Unavailable):
        await chats.platform.exposure(ref(chat))


async def test_doctor_names_what_is_wrong(server: TelegramServer) -> None:
    server.ask("world", webhook="https://example.test/hook")
    bot = platform(server)
    told = [finding for finding in await bot.check() if finding.advice and "privacy" not in finding.what]
    assert [(finding.what, finding.ok) for finding in told] == [
        ("Telegram: a webhook is set", False),
        ("Telegram: the commands in en are not registered as they are now", True),
    ]
    await bot.close()


@pytest.mark.parametrize(("privacy", "word"), [(True, "on"), (False, "off")])
async def test_doctor_knows_the_privacy_mode(chats: TelegramHarness, privacy: bool, word: str) -> None:
    await chats.server.do("world", privacy=privacy)
    (finding,) = [f for f in await chats.platform.check() if "privacy mode" in f.what]
    assert f"privacy mode {word}" in finding.what
    assert ("/setprivacy" in finding.advice) is privacy


async def test_doctor_and_serve_know_a_wrong_token(server: TelegramServer) -> None:
    bot = platform(server, token="7000001:AAwrongwrongwrongwrongwrongwrong")
    (finding,) = await bot.check()
    assert not finding.ok
    assert "@BotFather" in finding.advice
    with pytest.raises(Broken) as broken:
        await bot.run(RecordingInbox())
    assert broken.value.key == "platform.token"
    await bot.close()
