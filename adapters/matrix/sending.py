"""Sends events to rooms, encrypted if the room is, and decides which of the members' devices get the keys."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from nio import AsyncClient
from nio.crypto import OlmDevice

from adapters.matrix import session
from adapters.matrix.homeserver import Homeserver, checked, path, translating
from adapters.matrix.session import is_signed, only_key
from core.errors import Refused, Unavailable

SEND_S = 120.0


Trust = Literal["all", "verified"]
PINS_FILE = "identities.json"

Json = dict[str, Any]


def vouched_devices(user_id: str, keys: Json, pinned: str | None) -> tuple[str | None, dict[str, Json]]:
    """The user's master key and the devices it vouches for, from an answer of `/keys/query`.

    The chain: the master key (the `pinned` one, where one was seen before) signed the self-signing key, which
    signed the device. If any link is broken, no device is trusted.
    """
    master_key = keys.get("master_keys", {}).get(user_id)
    signing_key = keys.get("self_signing_keys", {}).get(user_id)
    master = only_key(master_key, user_id=user_id, usage="master")
    signing = only_key(signing_key, user_id=user_id, usage="self_signing")
    if master is None or signing is None or (pinned is not None and pinned != master):
        return None, {}
    if not is_signed(signing_key, user_id=user_id, by=master):
        return None, {}
    devices = keys.get("device_keys", {}).get(user_id, {})
    return master, {
        device_id: device
        for device_id, device in devices.items()
        if is_signed(device, user_id=user_id, by=signing)
        and device.get("user_id") == user_id
        and device.get("device_id") == device_id
    }


def _is_same(device: OlmDevice, published: Json | None) -> bool:
    """Whether the device that receives the keys is the one that was vouched for."""
    if published is None:
        return False
    keys = published.get("keys", {})
    return bool(
        keys.get(f"ed25519:{device.id}") == device.ed25519
        and keys.get(f"curve25519:{device.id}") == device.curve25519
    )


class TrustPolicy:
    """`all`: every device of every member. `verified`: those their own user cross-signed; the identity
    seen first is remembered, and a user whose identity changed gets nothing until the operator forgets it.

    Every device is marked either way: nio's own marks are permanent, and outlive a change of the setting.
    """

    def __init__(self, client: AsyncClient, trust: Trust, folder: Path) -> None:
        self._client = client
        self._trust = trust
        self._pins = folder / PINS_FILE
        self.left_out = 0
        """Devices of members that got no keys the last time."""

    async def apply(self, user_ids: Iterable[str]) -> None:
        """Mark the devices of the members before a new key is shared."""
        self.left_out = await self._mark(sorted(set(user_ids)))

    async def vouches_for(self, event: Any, room_id: str) -> bool:
        """Whether an event of an encrypted room is what it seems: always with `all`; with `verified` only
        from a device that its user cross-signed. A homeserver can put anything else into a room."""
        if self._trust == "all":
            return True
        if not event.decrypted:
            return False
        client = self._client
        if client.should_query_keys:
            with translating():
                checked(await client.keys_query())
        await self._mark([event.sender])
        device = client.device_store.device_from_sender_key(event.sender, event.sender_key)
        session = client.olm.inbound_group_store.get(room_id, event.sender_key, event.session_id)
        return bool(
            device is not None
            and session is not None
            and client.olm.is_device_verified(device)
            and session.ed25519 == device.ed25519
            and not session.forwarding_chain
        )

    async def _mark(self, members: list[str]) -> int:
        """Mark a user's devices; returns how many are not trusted."""
        if self._trust == "all":
            for device in self._devices(members):
                self._client.ignore_device(device)  # nio's word for: shares keys unverified
            return 0
        vouched = await self._vouched(members)
        left_out = 0
        for device in self._devices(members):
            if _is_same(device, vouched.get((device.user_id, device.id))):
                self._client.verify_device(device)
            else:
                self._client.blacklist_device(device)
                left_out += 1
        return left_out

    def _devices(self, members: list[str]) -> list[OlmDevice]:
        own = self._client.device_id
        devices = [
            device for user in members for device in self._client.device_store.active_user_devices(user)
        ]
        return [device for device in devices if device.id != own]

    async def _vouched(self, members: list[str]) -> dict[tuple[str, str], Json]:
        body: Json = {"device_keys": {member: [] for member in members}}
        keys = await Homeserver(self._client).call("POST", path("keys", "query"), body)
        pins = session.read_private(self._pins) or {}
        seen = dict(pins)
        vouched: dict[tuple[str, str], Json] = {}
        for member in members:
            master, devices = vouched_devices(member, keys, pins.get(member))
            if master is not None:
                seen[member] = master
            vouched |= {(member, device_id): device for device_id, device in devices.items()}
        if seen != pins:
            session.write_private(self._pins, seen)
        return vouched


class MatrixSender:
    """Sends events, one at a time per room: sharing a key and using it must not be separated."""

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
        """Send an event; returns its id. The homeserver answers a repeated transaction with the same event,
        even if encrypted again."""
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
        """Make sure that every trusted device of every member has the key for the next event."""
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
        finally:  # nio leaves it behind when it fails, and waits for it forever the next time
            if sharing := client.sharing_session.pop(room_id, None):
                sharing.set()
        if self._reachable(room_id) - response.users_shared_with:  # nio considers it shared nevertheless
            client.olm.outbound_group_sessions.pop(room_id, None)
            raise Unavailable("platform.unreachable", "the key did not reach all devices")

    def _reachable(self, room_id: str) -> set[tuple[str, str]]:
        """The users and devices that can and should receive a key."""
        client = self._client
        return {
            (user_id, device.id)
            for user_id in client.rooms[room_id].users
            for device in client.device_store.active_user_devices(user_id)
            if device.id != client.device_id
            and not client.olm.is_device_blacklisted(device)
            and client.olm.session_store.get(device.curve25519)
        }
