"""What the app says: once, in its place, for whom it is meant."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.slack import sending
from core.domain.messages import Button, IncomingMessage, MessageRef, Outgoing, ReplyFile
from core.errors import Refused, Unavailable
from tests.support.chat_harness import eventually
from tests.support.slack_harness import WORKING, SlackHarness

PDF = b"%PDF-1.4\n"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.slack.api.RETRY_S", 0.05)


async def asked(chats: SlackHarness, chat: str) -> IncomingMessage:
    before = len(chats.inbox.messages)
    await chats.say(chat, chats.asking("What?"))
    return await chats.inbox.next(after=before)


def part(to: MessageRef, text: str = "An answer.", key: str = "k-0", **more: Any) -> Outgoing:
    return Outgoing(key=key, to=to, text=text, **more)


def pages(folder: Path, count: int) -> tuple[ReplyFile, ...]:
    paths = [folder / f"S{number}.pdf" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_bytes(PDF + b"%" * number)
    return tuple(
        ReplyFile(name=path.name, caption=f"[S{n}] p. {n}", path=path) for n, path in enumerate(paths)
    )


@pytest.mark.parametrize("kind", ["lost", "hang_up"])
@pytest.mark.parametrize("files", [0, 2])
async def test_what_may_have_arrived_is_looked_for_and_not_said_twice(
    chats: SlackHarness, tmp_path: Path, kind: str, files: int
) -> None:
    message = await asked(chats, await chats.group())
    method = "files.completeUploadExternal" if files else "chat.postMessage"
    await chats.server.do("fault", method=method, kind=kind)
    told = part(message.ref, "" if files else "An answer.", files=pages(tmp_path, files))
    with pytest.raises(Unavailable) as uncertain:
        await chats.platform.send(told)
    assert uncertain.value.key == "platform.uncertain"
    await asyncio.sleep(0.1)  # files are shared a moment later
    ids = await chats.platform.send(told)
    (shown,) = await chats.shown(message.ref.chat)
    assert shown.ids == ids
    assert len(shown.files) == files


async def test_after_a_restart_it_is_found_by_its_key(chats: SlackHarness, tmp_path: Path) -> None:
    message = await asked(chats, await chats.group())
    text, album = part(message.ref), part(message.ref, "", "k-1", files=pages(tmp_path, 2))
    said = [await chats.platform.send(each) for each in (text, album)]
    await chats.stop()
    await chats.start()
    assert [await chats.platform.look_up(each) for each in (text, album)] == said
    assert await chats.platform.look_up(part(message.ref, key="k-2")) is None


async def test_in_a_direct_chat_as_well(chats: SlackHarness) -> None:
    chat = await chats.direct()
    await chats.say(chat, "What?")
    message = await chats.inbox.next()
    ids = await chats.platform.send(part(message.ref))
    assert await chats.platform.look_up(part(message.ref)) == ids
    assert (await chats.shown(chat))[0].thread is None


async def test_what_only_one_person_sees(chats: SlackHarness) -> None:
    message = await asked(chats, await chats.group())
    whisper = part(message.ref, "For you alone.", recipient=message.sender)
    await chats.platform.send(whisper)
    assert await chats.shown(message.ref.chat) == []
    (seen,) = await chats.server.do("ephemeral", chat=message.ref.chat)
    assert (seen["seen"], seen["user"]) == ("For you alone.", message.sender)
    assert seen["thread_ts"] == message.ref.thread
    with pytest.raises(Refused):
        await chats.platform.look_up(whisper)


async def test_private_files_go_to_the_persons_own_chat(chats: SlackHarness, tmp_path: Path) -> None:
    private = await chats.direct()
    message = await asked(chats, await chats.group())
    files = part(message.ref, "", files=pages(tmp_path, 1), recipient=message.sender)
    ids = await chats.platform.send(files)
    assert await chats.shown(message.ref.chat) == []
    (shown,) = await chats.shown(private)
    assert shown.ids == ids
    assert await chats.platform.look_up(files) == ids


async def test_in_a_direct_chat_private_is_what_everything_is(chats: SlackHarness) -> None:
    chat = await chats.direct()
    await chats.say(chat, "What?")
    message = await chats.inbox.next()
    await chats.platform.send(part(message.ref, "For you alone.", recipient=message.sender))
    assert [shown.text for shown in await chats.shown(chat)] == ["For you alone."]


async def test_a_file_without_a_caption_has_its_name(chats: SlackHarness, tmp_path: Path) -> None:
    message = await asked(chats, await chats.group())
    path = tmp_path / "page.pdf"
    path.write_bytes(PDF)
    await chats.platform.send(part(message.ref, "", files=(ReplyFile(name="p.pdf", caption="", path=path),)))
    assert [shown.text for shown in await chats.shown(message.ref.chat)] == ["p.pdf"]


async def answered(chats: SlackHarness, folder: Path, **more: Any) -> Outgoing:
    message = await asked(chats, await chats.group())
    return part(message.ref, files=uncaptioned(folder), **more)


def uncaptioned(folder: Path) -> tuple[ReplyFile, ...]:
    return tuple(replace(file, caption="") for file in pages(folder, 2))


async def seen(chats: SlackHarness, told: Outgoing) -> list[tuple[str, int]]:
    return [(shown.text, len(shown.files)) for shown in await chats.shown(told.to.chat)]


async def test_text_and_files_are_one_message_with_buttons(chats: SlackHarness, tmp_path: Path) -> None:
    told = await answered(chats, tmp_path, buttons=((Button(label="Yes", command="yes"),),))
    ids = await chats.platform.send(told)
    (shown,) = await chats.shown(told.to.chat)
    assert (shown.ids, shown.text, shown.buttons) == (ids, "An answer.", (("yes",),))
    assert (shown.thread, len(shown.files)) == (told.to.thread, 2)
    assert await chats.platform.look_up(told) == ids


async def test_an_edited_text_keeps_its_files(chats: SlackHarness, tmp_path: Path) -> None:
    told = await answered(chats, tmp_path)
    (first,) = await chats.platform.send(told)
    await chats.platform.send(part(told.to, "Corrected.", "k-1", replaces=first))
    assert await seen(chats, told) == [("Corrected.", 2)]


async def test_the_longest_text_goes_with_files(chats: SlackHarness, tmp_path: Path) -> None:
    told = replace(await answered(chats, tmp_path), text="Fähre 🚢 " * 1100)
    await chats.platform.send(told)
    assert [files for _, files in await seen(chats, told)] == [2]


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", "files.completeUploadExternal"])
@pytest.mark.parametrize("error", ["blocked_file_type", "ratelimited"])
async def test_a_text_does_not_wait_for_files_that_fail(
    chats: SlackHarness, tmp_path: Path, method: str, error: str
) -> None:
    told = await answered(chats, tmp_path)
    await chats.server.do("fault", method=method, kind="refuse", status=200, error=error)
    with pytest.raises((Refused, Unavailable)):
        await chats.platform.send(told)
    assert await seen(chats, told) == [("An answer.", 0)]
    ids = await chats.platform.send(told)
    assert [shown.ids for shown in await chats.shown(told.to.chat)] == [(each,) for each in ids]
    assert [files for _, files in await seen(chats, told)] == [0, 2]
    assert await chats.platform.look_up(told) == ids


async def test_a_text_told_before_the_process_began_is_not_told_again(
    chats: SlackHarness, tmp_path: Path
) -> None:
    told = await answered(chats, tmp_path)
    fault = {"method": "files.getUploadURLExternal", "kind": "refuse", "status": 200, "error": "not_now"}
    await chats.server.do("fault", **fault)
    with pytest.raises(Refused):
        await chats.platform.send(told)
    await chats.stop()
    await chats.start()
    await chats.platform.send(told)
    assert [files for _, files in await seen(chats, told)] == [0, 2]


async def test_what_slack_never_takes_together_comes_apart(chats: SlackHarness, tmp_path: Path) -> None:
    told = await answered(chats, tmp_path)
    fault = {"method": "files.completeUploadExternal", "kind": "refuse", "status": 200}
    await chats.server.do("fault", error="internal_error", **fault)
    with pytest.raises(Unavailable):
        await chats.platform.send(told)
    assert await seen(chats, told) == []  # it may come still
    await chats.platform.send(told)
    assert [files for _, files in await seen(chats, told)] == [0, 2]


async def test_words_do_not_wait_for_files_that_slack_does_not_show(
    chats: SlackHarness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "FOUND_AFTER_S", (0.01,))
    await chats.server.do("world", sharing_s=60)
    told = await answered(chats, tmp_path)
    with pytest.raises(Unavailable):
        await chats.platform.send(told)
    assert await seen(chats, told) == [("An answer.", 0)]
    await chats.server.do("world", sharing_s=0.0)
    monkeypatch.setattr(sending, "FOUND_AFTER_S", (0.5,))
    await chats.platform.send(told)
    assert [files for _, files in await seen(chats, told)] == [0, 2]


async def test_files_that_slack_shares_late_are_named_by_their_own_ids(
    chats: SlackHarness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "FOUND_AFTER_S", (0.01,))
    await chats.server.do("world", sharing_s=0.2)
    message = await asked(chats, await chats.group())
    ids = await chats.platform.send(part(message.ref, "", files=pages(tmp_path, 2)))
    assert len(ids) == 2
    assert all(identity.startswith("F") for identity in ids)


async def test_files_are_taken_back_with_their_message(chats: SlackHarness, tmp_path: Path) -> None:
    message = await asked(chats, await chats.group())
    (shown,) = await chats.platform.send(part(message.ref, "", files=pages(tmp_path, 3)))
    assert len(await chats.server.do("files")) == 3
    gone = MessageRef(
        platform="slack",
        workspace=message.ref.workspace,
        chat=message.ref.chat,
        thread=message.ref.thread,
        message=shown,
    )
    await chats.platform.delete(gone)
    assert await chats.server.do("files") == []
    assert await chats.shown(message.ref.chat) == []


async def test_files_known_by_their_own_ids_are_taken_back(
    chats: SlackHarness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "FOUND_AFTER_S", ())
    message = await asked(chats, await chats.group())
    (file,) = await chats.platform.send(part(message.ref, "", files=pages(tmp_path, 1)))
    await chats.platform.delete(
        MessageRef(
            platform="slack",
            workspace=message.ref.workspace,
            chat=message.ref.chat,
            thread=message.ref.thread,
            message=file,
        )
    )
    assert await chats.server.do("files") == []


async def test_an_edit_takes_the_buttons_away(chats: SlackHarness) -> None:
    message = await asked(chats, await chats.group())
    buttons = ((Button(label="Yes", command="yes"),),)
    (first,) = await chats.platform.send(part(message.ref, buttons=buttons))
    await chats.platform.send(part(message.ref, "Settled.", "k-1", replaces=first))
    (shown,) = await chats.shown(message.ref.chat)
    assert (shown.text, shown.buttons) == ("Settled.", ())


async def test_what_cannot_be_edited_any_more_is_said_anew(chats: SlackHarness) -> None:
    message = await asked(chats, await chats.group())
    (ids,) = [await chats.platform.send(part(message.ref, "Anew.", replaces="1700000000.000100"))]
    assert [shown.ids for shown in await chats.shown(message.ref.chat)] == [ids]


async def test_a_short_wait_is_sat_out_and_a_long_one_handed_on(chats: SlackHarness) -> None:
    message = await asked(chats, await chats.group())
    await chats.server.do("fault", method="chat.postMessage", kind="refuse", status=429, wait_s=0)
    await chats.platform.send(part(message.ref))
    await chats.server.do("fault", method="chat.postMessage", kind="refuse", status=429, wait_s=30)
    with pytest.raises(Unavailable) as busy:
        await chats.platform.send(part(message.ref, key="k-1"))
    assert (busy.value.key, busy.value.retry_after_s) == ("platform.busy", 30)
    await chats.server.do("fault", method="chat.postMessage", kind="refuse", status=429, wait_s=0, times=2)
    with pytest.raises(Unavailable):
        await chats.platform.send(part(message.ref, key="k-2"))
    assert len(await chats.shown(message.ref.chat)) == 1


@pytest.mark.parametrize(("change", "key"), [({"archived": True}, "chat.forbidden")])
async def test_where_nothing_may_be_written(chats: SlackHarness, change: dict[str, Any], key: str) -> None:
    message = await asked(chats, await chats.group())
    await chats.server.do("set", chat=message.ref.chat, **change)
    with pytest.raises(Refused) as refused:
        await chats.platform.send(part(message.ref))
    assert refused.value.key == key


async def signs(chats: SlackHarness, chat: str) -> tuple[list[str], list[str]]:
    found = await chats.server.do("signs", chat=chat)
    return [each["status"] for each in found["statuses"]], [each["name"] for each in found["reactions"]]


async def asked_on(chats: SlackHarness) -> IncomingMessage:
    first = await asked(chats, await chats.group())
    await chats.say(first.ref.chat, "And for islanders?", thread=first.ref.thread)
    return await chats.inbox.next(after=1)


async def test_a_status_shows_in_a_thread_that_goes_on_that_it_is_at_work(chats: SlackHarness) -> None:
    message = await asked_on(chats)

    async def shown() -> bool:
        return (await signs(chats, message.ref.chat))[0] == [WORKING]

    async with chats.platform.busy(message.ref):
        await eventually(shown)
    assert await signs(chats, message.ref.chat) == ([WORKING, ""], [])


async def test_a_reaction_shows_it_where_no_thread_is_open_yet(chats: SlackHarness) -> None:
    message = await asked(chats, await chats.group())

    async def shown() -> bool:
        return (await signs(chats, message.ref.chat))[1] == ["hourglass_flowing_sand"]

    async with chats.platform.busy(message.ref):
        await eventually(shown)
    assert await signs(chats, message.ref.chat) == ([], [])


async def test_a_reaction_where_no_status_may_be_shown(chats: SlackHarness) -> None:
    await chats.server.do("world", has_status=False)
    message = await asked_on(chats)

    async def shown() -> bool:
        return (await signs(chats, message.ref.chat))[1] == ["hourglass_flowing_sand"]

    for _ in range(2):
        async with chats.platform.busy(message.ref):
            await eventually(shown)
        assert await signs(chats, message.ref.chat) == ([], [])
    tried = [call for call in await chats.server.do("calls") if call["method"].startswith("assistant")]
    assert len(tried) == 1


async def test_an_answer_does_not_wait_for_its_sign_to_go(
    chats: SlackHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.slack.platform.ENDS_S", 0.05)
    message = await asked(chats, await chats.group())
    await chats.server.do("fault", method="reactions.remove", kind="delay", seconds=1.5)

    async def shown() -> bool:
        return bool((await signs(chats, message.ref.chat))[1])

    async def gone() -> bool:
        return not await shown()

    async with chats.platform.busy(message.ref):
        await eventually(shown)
    assert await shown()
    await eventually(gone)


async def test_a_slash_command_has_no_place_for_a_sign(chats: SlackHarness) -> None:
    chat = await chats.group()
    await chats.server.do("command", chat=chat, command="/fundstelle", text="sources")
    message = await chats.inbox.next()
    async with chats.platform.busy(message.ref):
        await asyncio.sleep(0.05)
    assert await signs(chats, chat) == ([], [])
