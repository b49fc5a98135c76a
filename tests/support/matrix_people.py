"""People on a homeserver, as their clients act: over its API, without any code of the adapter."""

import asyncio
import contextlib
from typing import Any, Self
from urllib.parse import quote, urlsplit

import aiohttp
from nio import AsyncClient, AsyncClientConfig, MatrixRoom, MegolmEvent, RoomSendResponse
from nio import Event as Event_
from nio.crypto import OlmDevice
from nio.crypto.attachments import decrypt_attachment, encrypt_attachment
from nio.event_builders import ToDeviceMessage
from nio.store import SqliteMemoryStore

from tests.servers.matrix.homeserver import Account, Synapse
from tests.support.chat_harness import eventually

Event = dict[str, Any]


class Person:
    """Somebody with a client that does not encrypt."""

    def __init__(self, server: Synapse, account: Account, session: aiohttp.ClientSession, token: str) -> None:
        self.server = server
        self.user_id = account.user_id
        self._session = session
        self._token = token
        self._sent = 0

    @classmethod
    async def arrive(cls, server: Synapse, name: str) -> Self:
        account = server.account(name)
        session = aiohttp.ClientSession()
        login = {
            "type": "m.login.password",
            "identifier": {"type": "m.id.user", "user": account.user_id},
            "password": account.password,
        }
        async with session.post(f"{server.url}/_matrix/client/v3/login", json=login) as response:
            token = (await response.json())["access_token"]
        return cls(server, account, session, token)

    async def leave(self) -> None:
        await self._session.close()

    async def call(self, method: str, address: str, body: Event | None = None, **query: str) -> Any:
        async with self._session.request(
            method,
            f"{self.server.url}/_matrix/client/{address}",
            json=body,
            params=query,
            headers={"Authorization": f"Bearer {self._token}"},
        ) as response:
            answer = await response.json()
            assert response.status < 400, answer
            return answer

    def room_content(self) -> Event:
        """How this person makes rooms."""
        return {"preset": "private_chat"}

    async def new_room(self, *invited: str, **content: Any) -> str:
        body = {**self.room_content(), "invite": list(invited), **content}
        return str((await self.call("POST", "v3/createRoom", body))["room_id"])

    async def join(self, room: str) -> None:
        await self.call("POST", f"v3/rooms/{quote(room)}/join", {})

    async def members(self, room: str) -> set[str]:
        return set((await self.call("GET", f"v3/rooms/{quote(room)}/joined_members"))["joined"])

    async def send(self, room: str, content: Event, kind: str = "m.room.message") -> str:
        self._sent += 1
        address = f"v3/rooms/{quote(room)}/send/{kind}/{self._sent}"
        return str((await self.call("PUT", address, content))["event_id"])

    async def set_state(self, room: str, kind: str, content: Event, key: str = "") -> None:
        await self.call("PUT", f"v3/rooms/{quote(room)}/state/{kind}/{quote(key)}", content)

    async def redact(self, room: str, event: str) -> None:
        self._sent += 1
        await self.call("PUT", f"v3/rooms/{quote(room)}/redact/{quote(event)}/{self._sent}", {})

    async def kick(self, room: str, user_id: str) -> None:
        await self.call("POST", f"v3/rooms/{quote(room)}/kick", {"user_id": user_id})

    async def history(self, room: str) -> list[Event]:
        page = await self.call("GET", f"v3/rooms/{quote(room)}/messages", dir="f", limit="1000")
        events: list[Event] = page["chunk"]
        return events

    async def typing(self, room: str) -> list[str]:
        """Who is typing right now."""
        answer = await self.call("GET", "v3/sync", timeout="0")
        ephemeral = answer["rooms"]["join"].get(room, {}).get("ephemeral", {}).get("events", [])
        found = [event["content"]["user_ids"] for event in ephemeral if event["type"] == "m.typing"]
        return list(found[-1]) if found else []

    async def attach(self, content: bytes, name: str) -> Event:
        """Upload a file; returns what a message needs to show it."""
        return {"url": await self.upload(content, name)}

    async def open(self, content: Event) -> bytes:
        """The file that a message shows."""
        return await self.download(content["url"])

    async def upload(self, content: bytes, name: str) -> str:
        async with self._session.post(
            f"{self.server.url}/_matrix/media/v3/upload",
            data=content,
            params={"filename": name},
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/pdf"},
        ) as response:
            return str((await response.json())["content_uri"])

    async def download(self, uri: str) -> bytes:
        parts = urlsplit(uri)
        async with self._session.get(
            f"{self.server.url}/_matrix/client/v1/media/download/{parts.netloc}{parts.path}",
            headers={"Authorization": f"Bearer {self._token}"},
        ) as response:
            assert response.status == 200
            return await response.read()


class EncryptingPerson(Person):
    """Somebody whose client encrypts: nio's own, with a device and a store of its own."""

    client: AsyncClient
    read: dict[str, Event]
    _keys: dict[str, str]
    _listening: asyncio.Task[None]

    @classmethod
    async def arrive(cls, server: Synapse, name: str) -> Self:
        person = await super().arrive(server, name)
        config = AsyncClientConfig(encryption_enabled=True, store=SqliteMemoryStore)
        person.client = AsyncClient(server.url, person.user_id, config=config)
        whoami = await person.call("GET", "v3/account/whoami")
        person.client.restore_login(person.user_id, whoami["device_id"], person._token)
        person.read = {}
        person._keys = {}
        person.client.add_event_callback(person._remember, Event_)
        await person.client.keys_upload()
        person._listening = asyncio.create_task(person.client.sync_forever(timeout=1000, full_state=True))
        return person

    def _remember(self, room: MatrixRoom, event: Event_) -> None:
        if not isinstance(event, MegolmEvent):
            self.read[event.event_id] = event.source

    async def leave(self) -> None:
        self._listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._listening
        await self.client.close()
        self.client.store.database.close()
        await super().leave()

    def room_content(self) -> Event:
        algorithm = {"algorithm": "m.megolm.v1.aes-sha2"}
        encryption = {"type": "m.room.encryption", "state_key": "", "content": algorithm}
        return {"preset": "private_chat", "initial_state": [encryption]}

    async def send(self, room: str, content: Event, kind: str = "m.room.message") -> str:
        async def knows_members() -> bool:
            known = self.client.rooms.get(room)
            return known is not None and set(known.users) >= await self.members(room)

        await eventually(knows_members)
        self._keep_key(room)
        response = await self.client.room_send(room, kind, content, ignore_unverified_devices=True)
        assert isinstance(response, RoomSendResponse), response
        return str(response.event_id)

    def _keep_key(self, room: str) -> None:
        """The key as it is before the first message: it opens all that follow."""
        if self.client.olm.should_share_group_session(room) and room in self.client.rooms:
            self.client.olm.create_outbound_group_session(room)
            session = self.client.olm.outbound_group_sessions[room]
            self._keys[session.id] = session.session_key

    async def history(self, room: str) -> list[Event]:
        """What everybody sees, as soon as all of it could be decrypted."""
        events = [event for event in await super().history(room) if event["content"]]
        closed = {event["event_id"] for event in events if event["type"] == "m.room.encrypted"}

        async def all_read() -> bool:
            return closed <= self.read.keys()

        await eventually(all_read)
        return [self.read[event["event_id"]] if event["event_id"] in closed else event for event in events]

    async def give_key(self, room: str, device: OlmDevice) -> None:
        """Share the key of a room's messages with another device."""
        olm = self.client.olm
        (session,) = [session for session in olm.inbound_group_store if session.room_id == room]
        key = {
            "algorithm": "m.megolm.v1.aes-sha2",
            "room_id": room,
            "session_id": session.id,
            "session_key": self._keys[session.id],
        }
        await self.client.keys_claim({device.user_id: [device.id]})
        closed = olm._olm_encrypt(olm.session_store.get(device.curve25519), device, "m.room_key", key)
        await self.client.to_device(ToDeviceMessage("m.room.encrypted", device.user_id, device.id, closed))

    async def attach(self, content: bytes, name: str) -> Event:
        closed, keys = encrypt_attachment(content)
        return {"file": {**keys, "url": await self.upload(closed, name)}}

    async def open(self, content: Event) -> bytes:
        file = content["file"]
        closed = await self.download(file["url"])
        return bytes(decrypt_attachment(closed, file["key"]["k"], file["hashes"]["sha256"], file["iv"]))
