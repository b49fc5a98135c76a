"""The loop that receives: one answer of the homeserver, one transaction of the inbox; and who can read a
room, who may invite the bot, and how it answers invitations.

nio moves its own position in the stream before anything is handled, and keeps it in memory here; where the
bot goes on after a restart is the cursor that the inbox took together with the messages.
"""

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from nio import AsyncClient, InviteMemberEvent, MegolmEvent, MessageDirection, RoomInfo, SyncResponse
from nio.exceptions import EncryptionError

from adapters.matrix.events import membership, time_of
from adapters.matrix.homeserver import Homeserver, checked, of_response, path, translating
from adapters.matrix.intake import EventTranslator, Room
from adapters.matrix.sending import TrustPolicy
from core.domain.messages import Contact, Exposure, IncomingMessage
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.chat import Inbox
from core.ports.clock import Clock
from core.recent import Recent
from core.retrying import until_available

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


POLL_MS = 30_000
POLL_WAITING_MS = 2_000
"""Shorter poll while an event is waiting for its key, so that its timeout is noticed."""

FIRST_SYNC_S = 180.0
CATCH_UP = timedelta(hours=24)
BEGINNING = datetime.fromtimestamp(0, tz=UTC)
PAGE = 100
MAX_PAGES = 50
"""Maximum pages fetched for a gap in one room: 5,000 events."""

SPOKEN = ("m.room.message", "m.room.encrypted", "m.reaction")

TIMELINE = 50
"""Events of a room in one answer; what is left out is fetched page by page."""

Event = dict[str, Any]
MOST_WAITING = 1_000
"""Maximum events waiting at the same time; further ones are given up at once."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event that waits for its key until `until` (monotonic seconds); it came after `since`."""

    event: MegolmEvent
    room: str
    until: float
    since: str


class Undecryptable:
    """Waits `wait_s` for the key of an event, and asks for it once. `lost` counts what stayed closed."""

    def __init__(self, client: AsyncClient, wait_s: float) -> None:
        self._client = client
        self._wait_s = wait_s
        self._waiting: dict[str, Waiting] = {}
        self._asked = Recent[str, bool](MOST_WAITING)
        self._opened: set[str] = set()
        self.lost = 0

    def cursor(self, next_batch: str) -> str:
        """Where to resume after a restart: before anything that may still be decrypted."""
        closed = [waiting for event_id, waiting in self._waiting.items() if event_id not in self._opened]
        return closed[0].since if closed else next_batch

    @property
    def waits(self) -> bool:
        """Whether something may still be decrypted."""
        return bool(self._waiting.keys() - self._opened)

    async def hold(self, event: MegolmEvent, room: str, since: str) -> None:
        """Keep an event until its key comes. Own events of an earlier device need no opening."""
        if event.sender == self._client.user_id or event.event_id in self._waiting:
            return
        until = time.monotonic() + (self._wait_s if len(self._waiting) < MOST_WAITING else 0.0)
        self._waiting[event.event_id] = Waiting(event, room, until, since)
        if event.session_id not in self._asked:
            self._asked[event.session_id] = True
            await self._ask(event)

    def opened(self) -> list[tuple[str, Any]]:
        """Room and decrypted event for each that can be read by now; repeated until settled."""
        found: list[tuple[str, Any]] = []
        for event_id, waiting in self._waiting.items():
            plain = self._plain(waiting)
            if plain is not None:
                found.append((waiting.room, plain))
                self._opened.add(event_id)
        return found

    def give_up(self) -> None:
        """Wait no longer for what waited long enough."""
        now = time.monotonic()
        for event_id, waiting in list(self._waiting.items()):
            if event_id not in self._opened and waiting.until <= now:
                del self._waiting[event_id]
                self.lost += 1
                log.warning("an encrypted message could not be read: no key came (%d so far)", self.lost)

    def settle(self) -> None:
        """Forget what was decrypted: it has been stored."""
        for event_id in self._opened:
            self._waiting.pop(event_id, None)
        self._opened.clear()

    def _plain(self, waiting: Waiting) -> Any:
        try:
            event = self._client.decrypt_event(waiting.event)
        except EncryptionError:
            return None
        return event if isinstance(event.source, dict) and "sender" in event.source else None

    async def _ask(self, event: MegolmEvent) -> None:
        """Ask the device that wrote it (nio's own request goes to the bot's devices only)."""
        client = self._client
        request = event.as_key_request(event.sender, client.device_id, event.session_id, event.device_id)
        try:
            with translating():
                await client.to_device(request)
        except FundstelleError:
            log.warning("the request for a key could not be sent")


def opened(client: AsyncClient, event: Event, room: str) -> Event:
    """An event of a room as it was before encryption, {} where its key is missing."""
    if event.get("type") != "m.room.encrypted":
        return event
    closed = MegolmEvent.from_dict(event)
    if not isinstance(closed, MegolmEvent):
        return {}
    closed.room_id = room
    try:
        plain = client.decrypt_event(closed)
    except EncryptionError:
        return {}
    return plain.source if isinstance(plain.source, dict) else {}


class MatrixReceiver:
    """Receives until it is cancelled. `ready` is set when the state of all rooms is known."""

    def __init__(
        self,
        client: AsyncClient,
        intake: EventTranslator,
        undecryptable: Undecryptable,
        *,
        invites: tuple[str, ...],
        clock: Clock,
        ready: asyncio.Event,
        trust: TrustPolicy,
        contact: Contact,
    ) -> None:
        self._client = client
        self._intake = intake
        self._undecryptable = undecryptable
        self._invitations = Invitations(client, invites)
        self._clock = clock
        self._ready = ready
        self._trust = trust
        self._contact = contact

    async def run(self, inbox: Inbox) -> None:
        """Receive from the inbox's cursor on; temporary failures are retried with the same cursor."""
        since = saved = await inbox.cursor()
        full = True
        while True:
            received = partial(self._received, since, full)
            response, messages = await until_available("receiving from Matrix", received)
            self._undecryptable.give_up()
            cursor = self._undecryptable.cursor(response.next_batch)
            if messages or cursor != saved:
                accept = partial(inbox.accept, messages, cursor=cursor)
                await until_available("keeping what came from Matrix", accept)
                saved = cursor
            self._undecryptable.settle()
            since, full = response.next_batch, False
            self._ready.set()
            await self._chores()

    async def _received(self, since: str | None, full: bool) -> tuple[SyncResponse, list[IncomingMessage]]:
        with self._contact.tried(self._clock.now):
            response = await self._synced(since, full)
        messages: list[IncomingMessage] = []
        for room_id, info in response.rooms.join.items():
            messages += await self._of_room(room_id, info, since)
        for room_id, info in response.rooms.leave.items():
            self._client.rooms.pop(room_id, None)
            messages += await self._translated(room_id, _sources(_whole(info.timeline.events)))
        for room_id, event in self._undecryptable.opened():
            if await self._is_credible(event, room_id):
                messages += await self._translated(room_id, [event.source])
        for room_id, invited in response.rooms.invite.items():
            self._invitations.note(room_id, invited.invite_state)
        await self._invitations.answer()
        return response, messages

    async def _synced(self, since: str | None, full: bool) -> SyncResponse:
        client = self._client
        client.next_batch = ""  # nio would skip an answer that it saw before a failure
        poll = POLL_WAITING_MS if self._undecryptable.waits else POLL_MS
        with translating():
            async with asyncio.timeout(FIRST_SYNC_S):
                response = await client.sync(
                    timeout=0 if full else poll,
                    sync_filter=_filter(1 if since is None else TIMELINE),
                    since=since,
                    full_state=full,
                )
        if not isinstance(response, SyncResponse):
            error = of_response(response)
            passing = Unavailable("platform.unreachable", error.detail)
            raise error if isinstance(error, Broken | Unavailable) else passing
        return response

    async def _of_room(self, room_id: str, info: RoomInfo, since: str | None) -> list[IncomingMessage]:
        """The messages in a room since `since`, but none from before the bot joined."""
        if since is None:  # the first start: everything is older than the bot
            return []
        events = _whole(info.timeline.events)
        joined = _index_of_joining(_sources(events), self._client.user_id)
        if joined is not None:
            events = events[joined:]
        elif info.timeline.limited:
            events = await self._gap(room_id, info.timeline.prev_batch, since) + events
        in_state = [
            event for event in _sources(_whole(info.state)) if _is_joining(event, self._client.user_id)
        ]
        joined_at = max((time_of(event) for event in in_state), default=BEGINNING)
        plain: list[Event] = []
        for event in (event for event in events if time_of(event.source) >= joined_at):
            if not isinstance(event, MegolmEvent):
                plain += [event.source] if await self._is_credible(event, room_id) else []
            elif not self._is_late(event.source):
                await self._undecryptable.hold(event, room_id, since)
        return await self._translated(room_id, plain)

    async def _is_credible(self, event: Any, room_id: str) -> bool:
        """Whether an unencrypted event is plausible: only messages are encrypted; reactions and state events
        never are."""
        room = self._client.rooms.get(room_id)
        if room is None or not room.encrypted or event.source.get("type") != "m.room.message":
            return True
        return await self._trust.vouches_for(event, room_id)

    async def _gap(self, room_id: str, start: str | None, since: str) -> list[Any]:
        """What the homeserver left out between `since` and `start`, oldest first."""
        found: list[Any] = []
        for _ in range(MAX_PAGES):
            if not start:
                break
            try:
                with translating():
                    response = await self._client.room_messages(
                        room_id, start, end=since, direction=MessageDirection.back, limit=PAGE
                    )
                page = checked(response)
            except (Refused, Broken) as error:  # permanent failure: use what is available
                log.warning("older messages of a room could not be read: %s", error.detail)
                break
            chunk = _whole(page.chunk)
            found += chunk
            if not chunk or self._is_late(chunk[-1].source):
                break
            start = page.end
        return found[::-1]

    async def _translated(self, room_id: str, events: list[Event]) -> list[IncomingMessage]:
        known = self._client.rooms.get(room_id)
        room = Room(id=room_id, direct=known is not None and known.member_count == 2)
        messages, late = [], 0
        for event in events:
            if event.get("type") in SPOKEN and self._is_late(event):
                late += 1
            elif (message := await self._intake.message(event, room)) is not None:
                messages.append(message)
        if late:
            log.warning("%d events of a room were older than 24 hours and left out", late)
        return messages

    def _is_late(self, event: Event) -> bool:
        return time_of(event) < self._clock.now() - CATCH_UP

    async def _chores(self) -> None:
        """Send what nio has pending between two responses; failures are due again next time."""
        client = self._client
        await self._invitations.answer()
        try:
            with translating():
                await client.send_to_device_messages()
                if client.should_upload_keys:
                    checked(await client.keys_upload())
                if client.should_query_keys:
                    checked(await client.keys_query())
                if client.should_claim_keys:
                    checked(await client.keys_claim(client.get_users_for_key_claiming()))
        except FundstelleError as error:
            log.warning("keys could not be exchanged: %s", error.detail)


def _filter(timeline: int) -> dict[str, Any]:
    return {
        "presence": {"types": []},
        "account_data": {"types": []},
        "room": {"timeline": {"limit": timeline}, "ephemeral": {"types": []}, "account_data": {"types": []}},
    }


def _whole(events: list[Any]) -> list[Any]:
    """The valid events: everything else relies on ids and sender."""
    return [
        event
        for event in events
        if isinstance(getattr(event, "source", None), dict)
        and isinstance(event.source.get("event_id"), str)
        and isinstance(event.source.get("sender"), str)
    ]


def _sources(events: list[Any]) -> list[Event]:
    return [event.source for event in events]


def _is_joining(event: Event, user_id: str) -> bool:
    if event.get("type") != "m.room.member" or event.get("state_key") != user_id:
        return False
    before, now = membership(event)
    return now == "join" and before != "join"


def _index_of_joining(events: list[Event], user_id: str) -> int | None:
    """Of the last joining; of the invitation before it where that is there: what was said in between was
    said to the bot."""
    found = [index for index, event in enumerate(events) if _is_joining(event, user_id)]
    if not found:
        return None
    invited = [index for index, event in enumerate(events[: found[-1]]) if _is_invitation(event, user_id)]
    return invited[-1] if invited else found[-1]


def _is_invitation(event: Event, user_id: str) -> bool:
    return (
        event.get("type") == "m.room.member"
        and event.get("state_key") == user_id
        and membership(event)[1] == "invite"
    )
