"""Events into rooms, encrypted where the room is."""

import asyncio
from typing import Any

from nio import AsyncClient

from adapters.matrix.errors import checked, translating
from adapters.matrix.trust import TrustPolicy
from core.errors import Refused, Unavailable

SEND_S = 120.0


class MatrixSender:
    """Sends events, one at a time in a room: sharing a key and using it must not be torn apart."""

    def __init__(self, client: AsyncClient, trust: TrustPolicy) -> None:
        self._client = client
        self._trust = trust
        self._locks: dict[str, asyncio.Lock] = {}

    def is_encrypted(self, room_id: str) -> bool:
        """Whether the room is encrypted. Raises Refused("chat.left") where the bot is not in it."""
        room = self._client.rooms.get(room_id)
        if room is None:
            raise Refused("chat.left", "the bot is not in this room")
        return bool(room.encrypted)

    async def event(self, room_id: str, content: dict[str, Any], transaction: str) -> str:
        """The id of the event. The homeserver answers the same transaction twice with the same event, even
        if it was encrypted again."""
        encrypted = self.is_encrypted(room_id)
        async with self._locks.setdefault(room_id, asyncio.Lock()):
            with translating():
                async with asyncio.timeout(SEND_S):
                    if encrypted:
                        await self._share_key(room_id)
                    response = await self._client.room_send(
                        room_id, "m.room.message", content, tx_id=transaction
                    )
        return str(checked(response).event_id)

    async def _share_key(self, room_id: str) -> None:
        """See to it that every trusted device of every member has the key of what comes next."""
        client = self._client
        room = client.rooms[room_id]
        if not room.members_synced:
            checked(await client.joined_members(room_id))
        if client.should_query_keys:
            checked(await client.keys_query())
        if not client.olm.should_share_group_session(room_id):
            return
        await self._trust.apply(room.users)
        if missing := client.get_missing_sessions(room_id):
            checked(await client.keys_claim(missing))
        try:
            response = checked(await client.share_group_session(room_id))
        finally:  # nio leaves it behind when it fails, and waits for it for ever the next time
            if sharing := client.sharing_session.pop(room_id, None):
                sharing.set()
        if self._reachable(room_id) - response.users_shared_with:  # nio takes it for shared nevertheless
            client.olm.outbound_group_sessions.pop(room_id, None)
            raise Unavailable("platform.unreachable", "the key did not reach all devices")

    def _reachable(self, room_id: str) -> set[tuple[str, str]]:
        """Users and devices that can be sent a key and shall have it."""
        client = self._client
        return {
            (user_id, device.id)
            for user_id in client.rooms[room_id].users
            for device in client.device_store.active_user_devices(user_id)
            if device.id != client.device_id
            and not client.olm.is_device_blacklisted(device)
            and client.olm.session_store.get(device.curve25519)
        }
