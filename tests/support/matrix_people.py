"""People on a homeserver, as their clients act: over its API, without any code of the adapter."""

from typing import Any, Self
from urllib.parse import quote, urlsplit

import aiohttp

from tests.servers.matrix.homeserver import Account, Synapse

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

    async def new_room(self, *invited: str, **content: Any) -> str:
        body = {"preset": "private_chat", "invite": list(invited), **content}
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
