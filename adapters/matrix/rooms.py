"""Who can read a room, and who may invite the bot. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.messages import Exposure

CLOSED_JOIN_RULES = frozenset({"invite"})
CLOSED_HISTORY = frozenset({"shared", "invited", "joined"})


def server_of(user_id: str) -> str:
    """The homeserver in a user id: `@name:server`."""
    return user_id.partition(":")[2]


def may_invite(user_id: str, patterns: Iterable[str]) -> bool:
    """Whether a pattern names the user, or as `*:server` the user's homeserver. Nothing else matches."""
    return any(
        pattern == user_id or (pattern.startswith("*:") and pattern[2:] == server_of(user_id) != "")
        for pattern in patterns
    )


def is_guest(user_id: str) -> bool:
    """Whether the user has no account: Synapse gives guests numbers as names, and nobody else."""
    return user_id.partition(":")[0].removeprefix("@").isdecimal()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomState:
    """What decides who reads a room. None where the room does not say."""

    join_rule: str | None
    history: str | None
    members: tuple[str, ...]

    @property
    def direct(self) -> bool:
        """Only the bot and one more are in the room or invited to it."""
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
    """Closed: by invitation only, nobody else reads along, no guest is in it, all are from `servers`. A state
    event that is missing counts as its default in the specification; what is unknown counts as open.

    `guest_access` says nothing here: the preset for private rooms sets "can_join", and by invitation only
    means guests too."""
    why = _why_open(room, servers)
    return Exposure(closed=why is None, direct=room.direct, why_open=why)


def _why_open(room: RoomState, servers: Iterable[str]) -> str | None:
    if room.join_rule not in CLOSED_JOIN_RULES:
        return "chat.public"
    if (room.history or "shared") not in CLOSED_HISTORY:
        return "chat.world_readable"
    if any(is_guest(member) for member in room.members):
        return "chat.guests"
    if any(server_of(member) not in set(servers) for member in room.members):
        return "chat.shared"
    return None
