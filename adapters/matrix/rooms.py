"""Who can read a room, who may invite the bot, and how it answers invitations."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nio import AsyncClient, InviteMemberEvent

from adapters.matrix.homeserver import Homeserver, path
from core.domain.messages import Exposure
from core.errors import FundstelleError, Unavailable

CLOSED_JOIN_RULES = frozenset({"invite"})
CLOSED_HISTORY = frozenset({"shared", "invited", "joined"})
ANSWER_ATTEMPTS = 5

log = logging.getLogger(__name__)


def server_of(user_id: str) -> str:
    """The homeserver in a user id: `@name:server`."""
    return user_id.partition(":")[2]


def may_invite(user_id: str, patterns: Iterable[str]) -> bool:
    """Whether a pattern names the user, or as `*:server` the user's homeserver. Nothing else matches."""
    return any(
        pattern == user_id or (pattern.startswith("*:") and pattern[2:] == server_of(user_id) != "")
        for pattern in patterns
    )


def _is_guest(user_id: str) -> bool:
    """Whether the user is a guest without an account: Synapse gives only guests numeric names."""
    return user_id.partition(":")[0].removeprefix("@").isdecimal()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomState:
    """What decides who can read a room. None if the room does not specify it."""

    join_rule: str | None
    history: str | None
    members: tuple[str, ...]

    @property
    def direct(self) -> bool:
        """Whether only the bot and one other person are in the room or invited to it."""
        return len(self.members) == 2


def room_state(events: Sequence[Mapping[str, Any]]) -> RoomState:
    """Read from the current state events of a room; `members` are in it or invited."""
    state = {(event.get("type"), event.get("state_key")): event.get("content") for event in events}

    def value(kind: str, key: str) -> str | None:
        content = state.get((kind, ""))
        found = content.get(key) if isinstance(content, dict) else None
        return found if isinstance(found, str) else None

    return RoomState(
        join_rule=value("m.room.join_rules", "join_rule"),
        history=value("m.room.history_visibility", "history_visibility"),
        members=tuple(
            str(key)
            for (kind, key), content in state.items()
            if kind == "m.room.member"
            and isinstance(content, dict)
            and content.get("membership") in ("join", "invite")
        ),
    )


def exposure(room: RoomState, servers: Iterable[str]) -> Exposure:
    """Who can read a room. It is closed where people come by invitation only, nobody else reads along, no
    guest is in it, all are from `servers`. A state event that is missing counts as its default in the
    specification; what is unknown counts as open.

    `guest_access` says nothing here: the preset for private rooms sets "can_join", and by invitation only
    means guests too."""
    why = _why_open(room, servers)
    return Exposure(closed=why is None, direct=room.direct, why_open=why)


def _why_open(room: RoomState, servers: Iterable[str]) -> str | None:
    if room.join_rule not in CLOSED_JOIN_RULES:
        return "chat.public"
    if (room.history or "shared") not in CLOSED_HISTORY:
        return "chat.world_readable"
    if any(_is_guest(member) for member in room.members):
        return "chat.guests"
    if any(server_of(member) not in set(servers) for member in room.members):
        return "chat.shared"
    return None


@dataclass(slots=True, kw_only=True)
class Invitation:
    """An invitation that is not answered yet. `inviter` is "" if the homeserver does not say."""

    inviter: str
    attempts: int = 0


class Invitations:
    """Answers invitations; one that fails for now is tried a few times and holds up nothing else."""

    def __init__(self, client: AsyncClient, allowed: tuple[str, ...]) -> None:
        self._user_id = client.user_id
        self._homeserver = Homeserver(client)
        self._allowed = allowed
        self._open: dict[str, Invitation] = {}

    def note(self, room_id: str, state: list[Any]) -> None:
        """Record an invitation, with the few state events that the homeserver shows."""
        inviters = [
            str(event.sender)
            for event in state
            if isinstance(event, InviteMemberEvent)
            and event.state_key == self._user_id
            and event.membership == "invite"
        ]
        self._open[room_id] = Invitation(inviter=inviters[-1] if inviters else "")

    async def answer(self) -> None:
        """Join or decline the open invitations."""
        for room_id, invitation in list(self._open.items()):
            if await self._answered(room_id, invitation):
                del self._open[room_id]

    async def _answered(self, room_id: str, invitation: Invitation) -> bool:
        welcome = may_invite(invitation.inviter, self._allowed)
        try:
            await self._homeserver.call("POST", path("rooms", room_id, "join" if welcome else "leave"), {})
        except FundstelleError as error:
            invitation.attempts += 1
            if isinstance(error, Unavailable) and invitation.attempts < ANSWER_ATTEMPTS:
                return False
            log.warning("an invitation could not be answered: %s", error.detail)
        else:
            log.info("an invitation was %s", "accepted" if welcome else "refused")
        return True
