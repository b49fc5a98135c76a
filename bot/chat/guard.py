"""Who may do what, where, and how often. All decisions are based on settings and the chat's live state, by
stable ids, never on the text of a message."""

import json
import math
from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from bot.chat.command_table import SPECS, Role
from bot.chat.memory import ChatMemory, Remembered
from bot.chat.request import Request
from bot.settings.platforms import ChatSettings, LimitSettings, RoleSettings
from core.domain.journal import ChatKey, Pseudonym
from core.domain.messages import Exposure, IncomingMessage, MessageRef, Reply
from core.domain.rich_text import code
from core.errors import FundstelleError, Refused
from core.message_keys import ErrorKey
from core.ports.clock import SKEW
from core.ports.processes import Admissions, Window


class Gate(StrEnum):
    """The gates that can refuse a command, in order."""

    CHAT = "chat"  # the chat is not in the settings
    EXPOSURE = "exposure"  # people other than the chat's invited members can read it
    AUDIENCE = "audience"  # the command belongs in a staff chat
    ROLE = "role"  # the person is not entitled


class Guard:
    """The gates. `open_to_all`: a chat that is not listed counts as public."""

    def __init__(
        self, chats: Sequence[ChatSettings], roles: Sequence[RoleSettings], *, open_to_all: bool = False
    ) -> None:
        self._chats: dict[tuple[str, str], ChatSettings] = {(chat.platform, chat.id): chat for chat in chats}
        self._roles: dict[tuple[str, str], Role] = {}
        for row in roles:
            held = self._roles.get((row.platform, row.user), Role.ANYONE)
            self._roles[row.platform, row.user] = max(held, Role[row.role.upper()])
        self._open = open_to_all

    def chat(self, ref: MessageRef) -> ChatSettings | None:
        """The settings of a chat; None for one that gets /help and /id only."""
        listed = self._chats.get((ref.platform, ref.listed_chat))
        if listed is None and self._open:
            return nothing_listed(ref)
        return listed

    def serves(self, ref: MessageRef) -> bool:
        """Whether a chat of the workspace of `ref` is in the settings."""
        inside = f"{ref.workspace}/"
        return self._open or any(
            platform == ref.platform and name.startswith(inside) for platform, name in self._chats
        )

    def role(self, message: IncomingMessage) -> Role:
        """The sender's role. Somebody hidden by the platform has no particular role."""
        platform, sender = message.ref.platform, message.sender
        if not sender:
            return Role.ANYONE
        names = (sender, f"{message.ref.workspace}/{sender}")
        return max(self._roles.get((platform, name), Role.ANYONE) for name in names)

    def keeps_no_files(self, ref: MessageRef) -> bool:
        """Whether a listed chat is not one that staff send files to."""
        chat = self.chat(ref)
        return chat is not None and chat.audience != "staff"

    def needs_exposure(self, ref: MessageRef) -> bool:
        """Whether the chat may see more than the public, so that its live state has to be checked."""
        chat = self.chat(ref)
        return chat is not None and is_inner(chat)

    def check(self, command: str, message: IncomingMessage, exposure: Exposure | None) -> ChatSettings:
        """The settings of the chat, if the sender may use `command` there; an unlisted chat sees nothing.
        `exposure` is the platform's current answer, None if it was not asked. Raises Refused("guard.<gate>")
        naming the gate."""
        rule = SPECS[command]
        chat = self.chat(message.ref)
        if chat is None:
            if rule.anywhere:
                return nothing_listed(message.ref)
            raise refused(Gate.CHAT, chat=message.ref.listed_chat)
        if is_inner(chat) and not rule.anywhere:
            check_exposure(exposure)
        if rule.staff_chat and chat.audience != "staff":
            raise refused(Gate.AUDIENCE, command=command)
        if self.role(message) < rule.role:
            raise refused(Gate.ROLE, command=command, role=rule.role.name.lower())
        return chat

    def check_sending(self, to: MessageRef, collections: Sequence[str], exposure: Exposure) -> None:
        """Check that something made for a chat that sees `collections`, more than the public, may still be
        sent there. Raises Refused("delivery....") if settings or members have changed since."""
        chat = self.chat(to)
        if chat is None or not set(collections) <= set(chat.collections):
            raise Refused("delivery.not_entitled", "the settings do not let this chat see it any more")
        if not exposure.closed:
            raise Refused("delivery.chat_open", f"others can read the chat now: {exposure.why_open}")


def listing(ref: MessageRef) -> str:
    """The lines of the settings that list the chat of `ref`, to be copied."""
    row = {"platform": ref.platform, "id": ref.listed_chat, "audience": "public"}
    return "\n".join(["[[chat]]", *(f"{name} = {json.dumps(value)}" for name, value in row.items())])


def nothing_listed(ref: MessageRef) -> ChatSettings:
    """The settings of a chat that has none: public."""
    return ChatSettings.model_validate({"platform": ref.platform, "id": ref.listed_chat})


def is_inner(chat: ChatSettings) -> bool:
    """Whether a chat sees more than the public does."""
    return chat.audience == "staff" or chat.collections != ("public",)


def bound_to(chat: ChatSettings) -> tuple[str, ...]:
    """The collections that a chat has to be entitled to, and closed, when something made for it is sent
    later; none if the public may read it."""
    return chat.collections if is_inner(chat) else ()


def check_exposure(exposure: Exposure | None) -> None:
    """Raises Refused("guard.exposure") unless only invited people from the bot's own organisation can read
    along."""
    if exposure is None or not exposure.closed:
        why = exposure.why_open if exposure and exposure.why_open else "chat.unknown"
        raise refused(Gate.EXPOSURE, why=why)


_REFUSALS: Mapping[Gate, ErrorKey] = {
    Gate.CHAT: "guard.chat",
    Gate.EXPOSURE: "guard.exposure",
    Gate.AUDIENCE: "guard.audience",
    Gate.ROLE: "guard.role",
}


def refused(gate: Gate, **values: str) -> Refused:
    """The refusal that names its gate."""
    return Refused(_REFUSALS[gate], f"refused by the gate {gate}: {values}", gate=gate.value, **values)


def refused_role(role: Role) -> Refused:
    """The refusal of a command that needs `role`."""
    return refused(Gate.ROLE, role=role.name.lower())


# Chats not listed in the settings.

_AGAIN = timedelta(minutes=10)


class UnlistedChats:
    """Remembers which of them were recently told so, to avoid repeating it under every line."""

    def __init__(self, memory: ChatMemory) -> None:
        self._told = Remembered[datetime](memory, "told to be unlisted", datetime)

    def replied(self, error: FundstelleError, request: Request, refusal: Reply) -> Reply | None:
        """The `refusal` for `error`. An unlisted chat gets the settings lines to list it, or None if they
        were shown above."""
        if error.key != "guard.chat":
            return refusal
        told = self._told.get(request.key)
        if told is not None and request.now - told < _AGAIN:
            return None
        self._told.put(request.key, value=request.now)
        return replace(refusal, blocks=(*refusal.blocks, code(listing(request.message.ref))))


MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
HOUR = 3600  # seconds
TOLD_EVERY = MINUTE
"""How often a person is notified of the same limit."""

_MANY = 10_000


@dataclass(frozen=True, slots=True)
class _Window:
    """At most `most` in `span`; `key` identifies who is counted, `name` is the key of the refusal."""

    name: ErrorKey
    key: Hashable
    span: timedelta
    most: int


class RateLimits:
    """Sliding windows over the times of admitted questions; the time is an argument. If several processes
    answer, the windows are `shared`, and so is their clock."""

    def __init__(
        self, settings: LimitSettings, shared: Admissions | None = None, memory: ChatMemory | None = None
    ) -> None:
        self._settings = settings
        self._shared = shared
        self._admitted: dict[tuple[str, Hashable], deque[datetime]] = {}
        self._told = Remembered[datetime](memory or ChatMemory(), "told of limits", datetime)

    async def admitted(self, person: Pseudonym, chat: Pseudonym, now: datetime) -> None:
        """Like `admit`, for all processes if there are several. Raises Unavailable or Broken if the database
        is unavailable."""
        if self._shared is None:
            self.admit(person, chat, now)
            return
        stated = self._settings
        full = await self._shared.admit(
            person,
            chat,
            (
                Window(name="limit.user_minute", span=MINUTE, most=stated.user_per_minute, person=person),
                Window(name="limit.user_day", span=DAY, most=stated.user_per_day, person=person),
                Window(name="limit.chat_minute", span=MINUTE, most=stated.chat_per_minute, chat=chat),
                Window(name="limit.day", span=DAY, most=stated.day),
            ),
        )
        if full is not None:
            window, wait = full
            raise _refusal(window.name, window.most, wait)

    def admit(self, person: Hashable, chat: Hashable, now: datetime) -> None:
        """Count a question. Raises Refused("limit.<window>") where a window is full; then nothing is
        counted."""
        windows = (
            _Window("limit.user_minute", person, MINUTE, self._settings.user_per_minute),
            _Window("limit.user_day", person, DAY, self._settings.user_per_day),
            _Window("limit.chat_minute", chat, MINUTE, self._settings.chat_per_minute),
            _Window("limit.day", None, DAY, self._settings.day),
        )
        counted = [(window, self._live(window, now)) for window in windows]
        for window, times in counted:
            if len(times) >= window.most:
                raise _refusal(window.name, window.most, times[0] + window.span - now)
        for _, times in counted:
            times.append(now)
        self._tidy(now)

    def is_news(self, refusal: Refused, person: Pseudonym, chat: ChatKey, now: datetime) -> bool:
        """Whether to tell a person about this limit in this chat: not again within the time named then, at
        most a minute. Marks them as told."""
        told = self._told.get(chat, refusal.key, person)
        if told is not None and now < told <= now + TOLD_EVERY:
            return False
        wait = timedelta(seconds=float(refusal.values.get("seconds", TOLD_EVERY.total_seconds())))
        until = now + min(wait, TOLD_EVERY)
        self._told.put(chat, refusal.key, person, value=until, person=person)
        return True

    def _live(self, window: _Window, now: datetime) -> deque[datetime]:
        times = self._admitted.setdefault((window.name, window.key), deque())
        while times and times[0] <= now - window.span:
            times.popleft()
        while times and times[-1] > now + SKEW:  # the clock was wrong then
            times.pop()
        return times

    def _tidy(self, now: datetime) -> None:
        """Forget people who have not asked for a day, so that memory stays bounded."""
        if len(self._admitted) > _MANY:
            self._admitted = {
                key: times for key, times in self._admitted.items() if times and times[-1] > now - DAY
            }


def _refusal(name: ErrorKey, most: int, wait: timedelta) -> Refused:
    seconds = max(1, math.ceil(wait.total_seconds()))
    detail = f"{name} of {most} is reached"
    return Refused(name, detail, limit=most, seconds=seconds, hours=math.ceil(seconds / HOUR))
