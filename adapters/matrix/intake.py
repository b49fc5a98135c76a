"""Turns room events into our messages; events not meant for the bot are dropped."""

from dataclasses import dataclass, replace

from adapters.matrix.events import (
    Bot,
    MessageContent,
    Related,
    content_of,
    incident,
    is_command,
    membership,
    normalised_emoji,
    ref,
    related,
    said,
    time_of,
    unnamed,
)
from adapters.matrix.relations import REMEMBERED, Event, Original, Relations
from core.domain.messages import IncomingMessage, MessageKind, MessageRef
from core.recent import Recent
from core.search.group_talk import HeardLine, TalkTurn, ThreadTalk, calls_bot


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room the bot is in. `direct`: with one other person only."""

    id: str
    direct: bool


class EventTranslator:
    """Translates the events of rooms. Raises Unavailable where the homeserver could not be asked."""

    def __init__(self, bot: Bot, relations: Relations, talk: ThreadTalk | None = None) -> None:
        self._bot = bot
        self._relations = relations
        self._talk = talk or ThreadTalk()
        self._for_bot = Recent[str, bool](REMEMBERED)

    async def message(self, event: Event, room: Room) -> IncomingMessage | None:
        """The event as a message; None if it is not one, or not for the bot."""
        kind = event.get("type")
        if kind == "m.room.member":
            return self._of_member(event, room)
        self._relations.seen(event)
        if event.get("sender") == self._bot.user_id or _is_redacted(event):
            return None
        if kind == "m.room.message":
            return await self._of_message(event, room)
        if kind == "m.reaction":
            return await self._of_reaction(event, room)
        if kind == "m.room.redaction":
            return self._of_redaction(event, room)
        if kind == "m.room.tombstone" and event.get("state_key") == "":
            successor = content_of(event).get("replacement_room")
            return incident(event, room.id, MessageKind.MOVED, text=str(successor or ""))
        return None

    def _of_member(self, event: Event, room: Room) -> IncomingMessage | None:
        if event.get("state_key") != self._bot.user_id:
            return None
        before, now = membership(event)
        if now == "join" and before != "join":
            return incident(event, room.id, MessageKind.JOINED)
        if now in ("leave", "ban") and before == "join":
            return incident(event, room.id, MessageKind.LEFT)
        return None

    async def _of_message(self, event: Event, room: Room) -> IncomingMessage | None:
        links = related(event)
        if links.replaces is not None:
            return await self._of_edit(event, links.replaces, room)
        spoken = said(content_of(event), self._bot)
        if spoken is None:
            return None
        place = self._place(room, str(event["event_id"]), links.thread)
        line = await self._line(spoken, links, event, room)
        addressed = await self._is_addressed(line, links, event, room, place)
        called = calls_bot(line)
        self._for_bot[place.message] = addressed or called or bool(spoken.attachments)
        message = _message(
            event, place, spoken, room, addressed=addressed, called=called, reply_to=links.reply_to
        )
        if message is None or links.reply_to is None or line.replies_to_bot:
            return message
        shown = await self._relations.content(room.id, links.reply_to, self._bot)
        return replace(message, shown=shown.text, shown_files=shown.attachments)

    async def _of_edit(self, event: Event, target: str, room: Room) -> IncomingMessage | None:
        """An edit as a message: only the author may edit a message; homeservers leave that check to clients.
        What turns away from the bot is taken back."""
        original = await self._relations.original(room.id, target)
        new = content_of(event).get("m.new_content")
        if original is None or original.sender != event.get("sender") or not isinstance(new, dict):
            return None
        spoken = said(new, self._bot)
        if spoken is None:
            return self._taken_back(event, target, original, room)
        links = Related(thread=original.thread, reply_to=original.reply_to)
        place = self._place(room, target, original.thread)
        line = await self._line(spoken, links, event, room)
        addressed = await self._is_addressed(line, links, event, room, place)
        message = _message(event, place, spoken, room, addressed=addressed, reply_to=original.reply_to)
        if message is None:
            return self._taken_back(event, target, original, room)
        self._for_bot[target] = True
        return replace(message, kind=MessageKind.EDIT)

    async def _of_reaction(self, event: Event, room: Room) -> IncomingMessage | None:
        links = related(event)
        if links.reacts_to is None or not await self._relations.is_own(room.id, links.reacts_to):
            return None
        answer = await self._relations.original(room.id, links.reacts_to)
        place = ref(room.id, str(event["event_id"]), answer.thread if answer else None)
        spoken = MessageContent(text=normalised_emoji(links.key), mentions=True)
        message = _message(event, place, spoken, room, addressed=True, reply_to=links.reacts_to)
        return None if message is None else replace(message, kind=MessageKind.REACTION)

    def _of_redaction(self, event: Event, room: Room) -> IncomingMessage | None:
        """A redaction as a message: a deleted question is an edit to nothing."""
        target = event.get("redacts") or content_of(event).get("redacts")
        if not isinstance(target, str):
            return None
        return self._taken_back(event, target, self._relations.remembered(target), room)

    def _taken_back(
        self, event: Event, target: str, original: Original | None, room: Room
    ) -> IncomingMessage | None:
        """A message saying that `target` no longer asks anything. None for what is remembered as conversation
        among people; for messages from before the start, the journal knows whether they were answered."""
        if original is not None and original.sender == self._bot.user_id:
            return None
        thread = None if original is None else original.thread
        self._talk.taken_back((room.id, thread or target), target)
        if self._for_bot.get(target) is False:
            return None
        place = self._place(room, target, thread)
        spoken = MessageContent(text="", mentions=True)
        reply_to = None if original is None else original.reply_to
        message = _message(event, place, spoken, room, addressed=True, reply_to=reply_to)
        return None if message is None else replace(message, kind=MessageKind.EDIT)

    async def _is_addressed(
        self, line: HeardLine, links: Related | Original, event: Event, room: Room, place: MessageRef
    ) -> bool:
        if room.direct:
            return True
        thread = (room.id, str(place.thread))
        turn = TalkTurn(message=place.message, speaker=str(event["sender"]), at=time_of(event))
        if is_command(line.text):
            self._talk.heard(thread, replace(turn, asked=True))
            return True
        if await self._talk.is_for_bot(thread, turn, line):
            return True
        if links.thread is None or not await self._is_ours(room, links.thread, thread, turn, line):
            return False
        return await self._talk.is_for_bot(thread, turn, replace(line, in_thread=True))

    async def _is_ours(
        self, room: Room, root: str, thread: tuple[str, str], turn: TalkTurn, line: HeardLine
    ) -> bool:
        """Whether the bot takes part in the thread. Where only the homeserver knows, it is asked about lines
        that are for the bot by their words, if it does."""
        if self._relations.wrote_in(root):
            return True
        perhaps = await self._talk.is_for_bot(thread, turn, replace(line, in_thread=True))
        ours = perhaps and await self._relations.takes_part(room.id, root)
        if not ours:
            self._talk.heard(thread, turn)
        return ours

    async def _line(
        self, spoken: MessageContent, links: Related | Original, event: Event, room: Room
    ) -> HeardLine:
        """What is said, and to whom. Clients mention the person they reply to without any name in the
        text."""
        replied = None if links.reply_to is None else await self._relations.original(room.id, links.reply_to)
        to_bot = replied is not None and replied.sender == self._bot.user_id
        to_other = replied is not None and replied.sender not in (self._bot.user_id, event.get("sender"))
        named = spoken.mentions and (spoken.before_name is not None or not to_bot)
        answered = frozenset({replied.sender} if replied else ()) - spoken.linked
        return HeardLine(
            text=unnamed(spoken.text, self._bot),
            before_name=(spoken.before_name or "") if named else None,
            names_others=bool(spoken.others - answered),
            replies_to_bot=to_bot,
            replies_to_other=to_other,
        )

    def _place(self, room: Room, message: str, thread: str | None) -> MessageRef:
        """In rooms of several people a question opens a thread of its own; with one person there is only
        one conversation."""
        opened = None if room.direct else message
        return ref(room.id, message, thread or opened)


def _message(
    event: Event,
    place: MessageRef,
    spoken: MessageContent,
    room: Room,
    *,
    addressed: bool,
    reply_to: str | None,
    called: bool = False,
) -> IncomingMessage | None:
    if not (addressed or called or spoken.attachments):
        return None
    return IncomingMessage(
        ref=place,
        sender=str(event["sender"]),
        text=spoken.text,
        addressed=addressed,
        received_at=time_of(event),
        event=str(event["event_id"]),
        called=called,
        direct=room.direct,
        reply_to=reply_to,
        attachments=spoken.attachments,
    )


def _is_redacted(event: Event) -> bool:
    unsigned = event.get("unsigned")
    return isinstance(unsigned, dict) and "redacted_because" in unsigned
