"""Encrypted rooms, keys that last, and whom they are given to, against a real homeserver."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from nio.crypto import OlmDevice

from adapters.matrix import session
from adapters.matrix.homeserver import RETRY_AFTER_S
from adapters.matrix.session import (
    KEYS_FILE,
    CrossSigningKeys,
    is_signed,
    only_key,
    public_key,
    signed_by,
)
from core.domain.messages import Outgoing, ReplyFile
from core.errors import Unavailable
from tests.servers.matrix.homeserver import Synapse
from tests.support.chat_harness import eventually
from tests.support.matrix_harness import EncryptedMatrixHarness
from tests.support.matrix_people import EncryptingPerson, Person

PDF = b"%PDF-1.4\n" + bytes(range(256)) * 40


@asynccontextmanager
async def encrypted(server: Synapse, **options: Any) -> AsyncIterator[EncryptedMatrixHarness]:
    harness = EncryptedMatrixHarness(server, **options)
    await harness.start()
    try:
        yield harness
    finally:
        await harness.close()


@pytest.fixture
async def chats(synapse: Synapse) -> AsyncIterator[EncryptedMatrixHarness]:
    async with encrypted(synapse) as harness:
        yield harness


async def ann_of(chats: EncryptedMatrixHarness) -> EncryptingPerson:
    ann = await chats.person("ann")
    assert isinstance(ann, EncryptingPerson)
    return ann


def until(true: Callable[[], bool]) -> Awaitable[None]:
    async def ask() -> bool:
        return true()

    return eventually(ask)


async def test_question_answer_and_files_are_encrypted_both_ways(
    chats: EncryptedMatrixHarness, tmp_path: Path
) -> None:
    room = await chats.direct()
    await chats.say(room, "What about the toll?", files=[("motion.pdf", PDF)])
    message = await chats.inbox.next()
    (attachment,) = message.attachments
    fetched = await chats.platform.fetch(attachment, tmp_path, max_bytes=len(PDF))
    assert fetched.read_bytes() == PDF
    page = ReplyFile(name="page.pdf", caption="[S1] p. 4", path=fetched)
    await chats.platform.send(Outgoing(key="k", to=message.ref, text="It falls. [S1]", files=(page,)))
    answer, file = await chats.shown(room)
    assert answer.text == "It falls. [S1]"
    assert [(shown.name, shown.content, shown.caption) for shown in file.files] == [
        ("page.pdf", PDF, "[S1] p. 4")
    ]
    ann = await ann_of(chats)
    on_the_server = [event for event in await Person.history(ann, room) if event["sender"] != ann.user_id]
    kinds = [event["type"] for event in on_the_server]
    assert kinds == ["m.room.member", "m.room.encrypted", "m.room.encrypted"]
    assert b"It falls" not in repr(on_the_server).encode()


async def test_a_part_sent_twice_stands_there_once(chats: EncryptedMatrixHarness, tmp_path: Path) -> None:
    room = await chats.direct()
    await chats.say(room, "What about the toll?")
    message = await chats.inbox.next()
    path = tmp_path / "page.pdf"
    path.write_bytes(PDF)
    page = ReplyFile(name="page.pdf", caption="[S1]", path=path)
    part = Outgoing(key="answer-1", to=message.ref, text="It falls.", files=(page,))
    first = await chats.platform.send(part)
    await chats.stop()
    await chats.start()  # a new process has new keys: what it encrypts is another ciphertext
    assert await chats.platform.send(part) == first
    assert len(await chats.shown(room)) == 2


async def test_keys_survive_a_restart_and_nothing_is_taken_twice(chats: EncryptedMatrixHarness) -> None:
    room = await chats.direct()
    await chats.say(room, "Before the stop?")
    await chats.inbox.next()
    await chats.stop()
    await chats.say(room, "While it was away?")
    await chats.start()
    await chats.say(room, "After the start?")
    await until(lambda: len(chats.inbox.messages) == 3)
    said = [message.text for message in chats.inbox.messages]
    assert said == ["Before the stop?", "While it was away?", "After the start?"]


async def published(ann: Person, user_id: str) -> dict[str, Any]:
    answer = await ann.call("POST", "v3/keys/query", {"device_keys": {user_id: []}})
    assert isinstance(answer, dict)
    return answer


async def test_the_bots_device_is_cross_signed_once_and_for_all(chats: EncryptedMatrixHarness) -> None:
    bot, ann = chats.bot.user_id, await ann_of(chats)

    async def chain() -> tuple[Any, ...]:
        keys = await published(ann, bot)
        master = only_key(keys["master_keys"][bot], user_id=bot, usage="master")
        signing = only_key(keys["self_signing_keys"][bot], user_id=bot, usage="self_signing")
        ((device_id, device),) = keys["device_keys"][bot].items()
        assert master is not None
        assert signing is not None
        assert is_signed(keys["self_signing_keys"][bot], user_id=bot, by=master)
        assert is_signed(device, user_id=bot, by=signing)
        return master, signing, device_id, device["keys"], device["signatures"]

    first = await chain()
    await chats.stop()
    await chats.start()
    assert await chain() == first
    findings = await chats.platform.check()
    assert "Matrix: cross-signing" in [finding.what for finding in findings if finding.ok]


async def test_foreign_cross_signing_keys_are_left_alone(chats: EncryptedMatrixHarness) -> None:
    ann, bot = await ann_of(chats), chats.bot.user_id
    await chats.stop()
    before = (await published(ann, bot))["master_keys"][bot]
    session.write_private(chats.bot.store / KEYS_FILE, CrossSigningKeys.fresh().seeds())
    await chats.start()
    assert (await published(ann, bot))["master_keys"][bot] == before
    (finding,) = [
        finding for finding in await chats.platform.check() if finding.what == "Matrix: cross-signing"
    ]
    assert not finding.ok
    assert "another client" in finding.advice


async def cross_sign(person: EncryptingPerson) -> CrossSigningKeys:
    """As the person's client does when they set up their identity and verify this device."""
    keys = CrossSigningKeys.fresh()
    await person.call("POST", "v3/keys/device_signing/upload", keys.published(person.user_id))
    device_id = person.client.device_id
    device = (await published(person, person.user_id))["device_keys"][person.user_id][device_id]
    device.pop("unsigned", None)
    signature = signed_by(keys.self_signing, device, person.user_id)
    await person.call("POST", "v3/keys/signatures/upload", {person.user_id: {device_id: signature}})
    return keys


async def test_verified_gives_keys_to_devices_that_their_users_signed(synapse: Synapse) -> None:
    async with encrypted(synapse, trust="verified") as chats:
        ann = await ann_of(chats)
        await cross_sign(ann)
        room = await chats.group()  # bob's device is signed by nobody
        bob = await chats.person("bob")
        assert isinstance(bob, EncryptingPerson)
        await chats.say(room, chats.asking("What about the toll?"))
        message = await chats.inbox.next()
        await chats.platform.send(Outgoing(key="k", to=message.ref, text="It falls."))
        assert [shown.text for shown in await chats.shown(room)] == ["It falls."]
        said = [event["event_id"] for event in await Person.history(bob, room)][-1]
        await asyncio.sleep(0.5)
        assert said not in bob.read
        advice = [finding.advice for finding in await chats.platform.check() if not finding.ok]
        assert advice == ['their users should verify them, or set trust = "all"']


async def test_verified_takes_nothing_from_devices_that_nobody_signed(synapse: Synapse) -> None:
    async with encrypted(synapse, trust="verified") as chats:
        ann = await ann_of(chats)
        await cross_sign(ann)
        room = await chats.group()
        await chats.say(room, chats.asking("first"))
        to = (await chats.inbox.next()).ref
        await chats.platform.send(Outgoing(key="k", to=to, text="Now the devices are known."))
        await chats.say(room, chats.asking("from a device of nobody"), by="bob")
        await Person.send(ann, room, {"msgtype": "m.text", "body": chats.asking("not even encrypted")})
        await chats.say(room, chats.asking("last"))
        await until(lambda: chats.inbox.messages[-1].text == "last")
        assert [message.text for message in chats.inbox.messages] == ["first", "last"]


async def test_an_identity_that_changed_gets_no_keys(synapse: Synapse) -> None:
    async with encrypted(synapse, trust="verified") as chats:
        ann = await ann_of(chats)
        keys = await cross_sign(ann)
        other = public_key(CrossSigningKeys.fresh().master)
        session.write_private(chats.bot.store / "identities.json", {ann.user_id: other})
        room = await chats.direct()
        link = await chats.platform._linked()
        await chats.say(room, "Do you trust me?")
        await ann.call("PUT", f"v3/rooms/{room}/state/m.room.name/", {"name": "later than the question"})
        await until(lambda: link.client.rooms[room].name == "later than the question")
        assert chats.inbox.messages == []
        assert public_key(keys.master) != other
        await link.trust.apply([ann.user_id])
        assert link.trust.left_out == 1


async def device_of(chats: EncryptedMatrixHarness, person: EncryptingPerson) -> OlmDevice:
    def known() -> bool:
        return chats.bot.user_id in person.client.device_store.users

    await until(known)
    (device,) = person.client.device_store.active_user_devices(chats.bot.user_id)
    return device


async def test_a_message_waits_for_its_key(chats: EncryptedMatrixHarness) -> None:
    room = await chats.direct()
    ann = await ann_of(chats)
    ann.client.blacklist_device(await device_of(chats, ann))
    link = await chats.platform._linked()
    await chats.say(room, "Closed at first?")
    await until(lambda: link.undecryptable.waits)
    await chats.stop()  # what waits is not behind the cursor: another process would wait for it, too
    await chats.start()
    link = await chats.platform._linked()
    await until(lambda: link.undecryptable.waits)
    await ann.give_key(room, await device_of(chats, ann))
    message = await chats.inbox.next()
    assert message.text == "Closed at first?"
    await until(lambda: not link.undecryptable.waits)


async def test_what_never_gets_a_key_is_counted_and_holds_up_nothing(synapse: Synapse) -> None:
    async with encrypted(synapse, key_wait_s=0.3) as chats:
        room = await chats.direct()
        ann = await ann_of(chats)
        device = await device_of(chats, ann)
        ann.client.blacklist_device(device)
        await chats.say(room, "Closed for ever?")
        link = await chats.platform._linked()
        await until(lambda: link.undecryptable.lost == 1)
        ann.client.unblacklist_device(device)
        ann.client.ignore_device(device)
        ann.client.invalidate_outbound_session(room)
        await chats.say(room, "Open?")
        assert (await chats.inbox.next()).text == "Open?"
        failed = [finding for finding in await chats.platform.check() if not finding.ok]
        assert [finding.what for finding in failed] == [
            "Matrix: 1 messages could not be decrypted since the start"
        ]


async def test_malformed_events_stop_nothing(chats: EncryptedMatrixHarness) -> None:
    room = await chats.direct()
    ann = await ann_of(chats)
    link = await chats.platform._linked()
    own_key = link.client.olm.account.identity_keys["curve25519"]
    broken = {
        "algorithm": "m.olm.v1.curve25519-aes-sha2",
        "sender_key": "A" * 43,
        "ciphertext": {own_key: {"type": 0, "body": "!!! no base64 !!!"}},
    }
    messages = {"messages": {chats.bot.user_id: {"*": broken}}}
    await ann.call("PUT", "v3/sendToDevice/m.room.encrypted/x1", messages)
    megolm = {
        "algorithm": "m.megolm.v1.aes-sha2",
        "sender_key": "?",
        "session_id": "?",
        "device_id": "?",
        "ciphertext": "?",
    }
    await Person.send(ann, room, megolm, "m.room.encrypted")
    await Person.send(ann, room, {"algorithm": 7}, "m.room.encrypted")
    await chats.say(room, "Still there?")
    assert (await chats.inbox.next()).text == "Still there?"


async def test_an_answer_whose_key_reached_nobody_is_not_sent(
    chats: EncryptedMatrixHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await chats.direct()
    await chats.say(room, "What about the toll?")
    message = await chats.inbox.next()
    link = await chats.platform._linked()
    share = link.client.olm.share_group_session_parallel

    def to_nobody(*args: Any, **kwargs: Any) -> Any:
        for sharing_with, _ in share(*args, **kwargs):
            yield sharing_with, {"messages": "no object: the homeserver refuses"}

    monkeypatch.setattr(link.client.olm, "share_group_session_parallel", to_nobody)
    part = Outgoing(key="k", to=message.ref, text="It falls.")
    with pytest.raises(Unavailable) as unavailable:
        await chats.platform.send(part)
    assert unavailable.value.retry_after_s <= RETRY_AFTER_S
    monkeypatch.undo()
    await chats.platform.send(part)
    assert [shown.text for shown in await chats.shown(room)] == ["It falls."]
