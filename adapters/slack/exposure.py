"""Who can read a channel now, as Slack says."""

import asyncio
import time

from adapters.slack.api import PAGE, Json, SlackApi
from core.domain.messages import Exposure
from core.errors import Refused

MAX_MEMBERS = 250
"""A larger channel cannot be looked through within Slack's pace: it counts as not confirmed."""

KEPT_S = 60.0
"""How long it is remembered what kind of account a person has."""

_SHARED = ("is_shared", "is_ext_shared", "is_org_shared", "is_pending_ext_shared", "pending_shared")
_AT_ONCE = 8
_GUEST = ("is_restricted", "is_ultra_restricted", "is_stranger")


class Exposures:
    """Asks about channels; only the kinds of accounts are remembered, for a minute."""

    def __init__(self, api: SlackApi) -> None:
        self._api = api
        self._full: dict[str, tuple[bool, float]] = {}

    async def of(self, channel: str) -> Exposure:
        """Raises Unavailable or Refused where it cannot be confirmed."""
        found = await self._api.call(self._api.web.conversations_info, channel=channel)
        info: Json = found["channel"]
        if info.get("is_im"):
            full = await self._is_full(info["user"])
            return Exposure(closed=full, direct=True, why_open=None if full else "chat.guests")
        why = _why_open(info) or await self._guests(channel)
        return Exposure(closed=why is None, direct=False, why_open=why)

    async def _guests(self, channel: str) -> str | None:
        members = await self._members(channel)
        gate = asyncio.Semaphore(_AT_ONCE)

        async def is_full(user: str) -> bool:
            async with gate:
                return await self._is_full(user)

        own = (await self._api.me()).user
        others = [is_full(user) for user in members if user != own]
        return None if all(await asyncio.gather(*others)) else "chat.guests"

    async def _members(self, channel: str) -> list[str]:
        members: list[str] = []
        cursor = None
        while len(members) <= MAX_MEMBERS:
            found = await self._api.call(
                self._api.web.conversations_members, channel=channel, limit=PAGE, cursor=cursor
            )
            members += found["members"]
            cursor = found.get("response_metadata", {}).get("next_cursor")
            if not cursor:
                break
        if len(members) > MAX_MEMBERS:
            raise Refused("chat.unknown", f"the channel has more than {MAX_MEMBERS} members")
        return members

    async def _is_full(self, user: str) -> bool:
        """Whether it is an account of the own organisation that is not a guest's."""
        known, until = self._full.get(user, (False, 0.0))
        if time.monotonic() < until:
            return known
        found = await self._api.call(self._api.web.users_info, user=user)
        full = await self._is_own(found["user"])
        if len(self._full) > 40 * MAX_MEMBERS:
            self._full.clear()
        self._full[user] = (full, time.monotonic() + KEPT_S)
        return full

    async def _is_own(self, user: Json) -> bool:
        me = await self._api.me()
        enterprise = user.get("enterprise_user", {}).get("enterprise_id", "")
        inside = user.get("team_id") == me.team or (me.enterprise != "" and enterprise == me.enterprise)
        return inside and not any(user.get(name) for name in _GUEST)


def _why_open(info: Json) -> str | None:
    if not (info.get("is_private") or info.get("is_mpim")):
        return "chat.public"
    return "chat.shared" if any(info.get(name) for name in _SHARED) else None
