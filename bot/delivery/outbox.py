"""Puts replies into the durable outbox: in parts that fit their platform, with keys that are sent once."""

import hashlib
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.delivery.sender import OutboxSender
from bot.delivery.shared_files import SharedFiles
from bot.presentation.presenter import Presenter
from core.domain.ids import TraceId
from core.domain.journal import OutgoingReply
from core.domain.messages import (
    NUMBERS,
    Button,
    Capabilities,
    IncomingMessage,
    MessageRef,
    Outgoing,
    Reply,
    ReplyFile,
)
from core.domain.rich_text import Block, RichText, rich, small
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from core.ports.journal import Journal

# Fitting a reply into the messages of a platform: what belongs together stays together.

Length = Callable[[Block], int]

_LOG = logging.getLogger(__name__)

_LABELS = re.compile(r"(?:\s*\[[SF]\d{1,3}\])+\s*$")
_LABELS_WITHIN = 400
"""Characters at the end of a block that are searched for its labels: the search is quadratic."""
_BREAKS = ("\n", ". ", " ", "")
_GAP = "\n\n"
IN_A_ROW = 2
"""Maximum follow-ups side by side."""


def fit(
    reply: Reply,
    to: MessageRef,
    capabilities: Capabilities,
    length: Length,
    *,
    key: str,
    recipient: str | None = None,
    too_large: Callable[[ReplyFile], str] = lambda file: file.name,
) -> list[Outgoing]:
    """The parts of a reply to the message `to` in the order they are sent; their keys begin with `key`. A
    file that is too large for the platform becomes a line made by `too_large`."""
    files, left_out = _sendable(reply.files, capabilities)
    numbered = () if capabilities.buttons else reply.follow_ups
    blocks = [*reply.blocks, *(too_large(file) for file in left_out), *_numbered(numbered, capabilities)]
    texts = pack(blocks, capabilities.max_text, length)
    size = capabilities.max_files or len(files) or 1
    albums = [files[start : start + size] for start in range(0, len(files), size)]
    said = [Outgoing(key="", to=to, text=each.text, marks=each.marks) for each in texts]
    said += [
        Outgoing(key="", to=to, text="", files=_captioned(album, capabilities, length)) for album in albums
    ]
    if said and texts:
        buttons = (*_rows(reply.follow_ups), *reply.buttons) if capabilities.buttons else _rows(numbered)
        asks = bool(reply.offers)
        said[len(texts) - 1] = replace(said[len(texts) - 1], buttons=buttons, asks=asks)
        if capabilities.edits:
            said[0] = replace(
                said[0], replaces=reply.replaces, instead_of=reply.instead_of, amends=reply.amends
            )
    only = recipient if reply.private and capabilities.private else None
    if texts and albums and only is None:
        said = _together(said, len(texts), capabilities, length)
    said = [Outgoing(key="", to=message, text="", deletes=True) for message in reply.deletes] + said
    return [
        replace(
            part,
            key=f"{key}-{n}",
            recipient=only,
            collections=reply.collections,
            language=reply.language,
        )
        for n, part in enumerate(said)
    ]


def _rows(buttons: Sequence[Button]) -> tuple[tuple[Button, ...], ...]:
    """Button rows that are not too narrow for their labels."""
    return tuple(tuple(buttons[start : start + IN_A_ROW]) for start in range(0, len(buttons), IN_A_ROW))


def _numbered(buttons: Sequence[Button], capabilities: Capabilities) -> list[Block]:
    """Lists what the digits stand for that are used as reactions, or typed where there are no reactions."""
    if not capabilities.reactions:
        lines = [f"{number}. {button.label}" for number, button in enumerate(buttons, start=1)]
        return [small("\n".join(lines))] if lines else []
    told = [f"{number} {button.label}" for number, button in zip(NUMBERS, buttons, strict=False)]
    return [small(" · ".join(told))] if told else []


def _together(said: list[Outgoing], texts: int, capabilities: Capabilities, length: Length) -> list[Outgoing]:
    """The last text and the first files as one part, if the platform shows them in one message and it is a
    new one."""
    text, album = said[texts - 1], said[texts]
    captions = sum(length(file.said) + length(_GAP) for file in album.files)
    room = capabilities.max_text is None or length(text.said) + captions <= capabilities.max_text
    if not (capabilities.text_with_files and room) or text.replaces or text.instead_of:
        return said
    return [*said[: texts - 1], replace(text, files=album.files), *said[texts + 1 :]]


def pack(blocks: Sequence[Block], limit: int | None, length: Length) -> list[RichText]:
    """`blocks` joined into as few texts of at most `limit` as their order allows. A block is split only if it
    is too long for a text of its own; then each piece keeps the labels at the block's end."""
    texts: list[RichText] = []
    for block in (rich(block) for block in blocks):
        for piece in _pieces(block, limit, length) if block.text.strip() else ():
            joined = texts[-1] + _GAP + piece if texts else piece
            if texts and (limit is None or length(joined) <= limit):
                texts[-1] = joined
            else:
                texts.append(piece)
    return texts


def _pieces(block: RichText, limit: int | None, length: Length) -> Iterator[RichText]:
    if limit is None or length(block) <= limit:
        yield block
        return
    found = _LABELS.search(block.text, max(0, len(block.text) - _LABELS_WITHIN))
    labels = " " + found[0].strip() if found and length(found[0]) < limit // 2 else ""
    rest = block.part(0, found.start()) if found and labels else block
    while rest.text:
        if length(rest + labels) <= limit:
            yield rest + labels
            return
        cut = _cut(rest, labels, limit, length)
        yield rest.part(0, len(rest.text[:cut].rstrip())) + labels
        rest = rest.part(len(rest.text) - len(rest.text[cut:].lstrip()))


def _cut(text: RichText, labels: str, limit: int, length: Length) -> int:
    """Where to split `text`: after the last line, sentence or word that ends within the limit without leaving
    a scrap, else after the last character."""
    low, high = 1, len(text.text)
    while low < high:
        middle = (low + high + 1) // 2
        if length(text.part(0, middle) + labels) <= limit:
            low = middle
        else:
            high = middle - 1
    for sign in _BREAKS:
        at = text.text.rfind(sign, 0, low) + len(sign)
        if at > low // 2:
            return at
    return low


def _sendable(
    files: Sequence[ReplyFile], capabilities: Capabilities
) -> tuple[list[ReplyFile], list[ReplyFile]]:
    limit = capabilities.max_file_bytes
    if limit is None:
        return list(files), []
    fits = [file for file in files if file.path.stat().st_size <= limit]
    return fits, [file for file in files if file not in fits]


def _captioned(
    album: Sequence[ReplyFile], capabilities: Capabilities, length: Length
) -> tuple[ReplyFile, ...]:
    limit = capabilities.max_caption
    captions = [shortened(file.said, limit, length) for file in album]
    return tuple(
        replace(file, caption=caption.text, marks=caption.marks)
        for file, caption in zip(album, captions, strict=True)
    )


def shortened(block: Block, limit: int | None, length: Length) -> RichText:
    """`block`, or as much of it as fits, followed by an ellipsis."""
    text = rich(block)
    if limit is None or length(text) <= limit:
        return text
    while text.text and length(text + "…") > limit:
        text = text.part(0, -max(1, (length(text + "…") - limit) // 2))
    return text.part(0, len(text.text.rstrip())) + "…"


@dataclass(frozen=True, slots=True)
class Outbox:
    """The destination of replies. `senders` are those of this process, by platform."""

    journal: Journal
    clock: Clock
    presenter: Presenter
    files: SharedFiles
    senders: Mapping[str, OutboxSender] = field(default_factory=dict)

    async def outgoing(self, platform: ChatPlatform, message: IncomingMessage, reply: Reply) -> OutgoingReply:
        """Queue the reply to a message, whose sender can have it forgotten. Its files are stored; if that
        fails, it says so instead."""
        ref, people = message.ref, self.journal.pseudonyms
        person = people.person(ref.platform, ref.workspace, message.sender) if message.sender else None
        key, sender = reply_key(message), message.sender
        found = in_parts(reply, ref, platform, self.presenter, key=key, recipient=sender)
        try:
            found = await self.files.kept(found)
        except FundstelleError as error:
            _LOG.error("the files of a reply could not be stored: %s (%s)", error.key, error.detail)
            blocks = (*reply.blocks, self.presenter.error(error, reply.language))
            without = replace(reply, blocks=blocks, files=())
            found = in_parts(without, ref, platform, self.presenter, key=key, recipient=sender)
        return replace(found, person=person)

    async def enqueue(
        self, platform: ChatPlatform, reply: Reply, to: MessageRef, key: str, *, forget: bool = False
    ) -> None:
        """Queue a message in addition to a reply; one with the same key is sent only once. `forget`: erase it
        once it is sent."""
        queued = await self.files.kept(in_parts(reply, to, platform, self.presenter, key=key))
        await self.journal.enqueue([queued], at=self.clock.now(), forget=forget)
        self.wake()

    def wake(self) -> None:
        """Wake the senders; a reply may delete messages on platforms other than its own."""
        for sender in self.senders.values():
            sender.wake()


def in_parts(
    reply: Reply,
    to: MessageRef,
    platform: ChatPlatform,
    presenter: Presenter,
    *,
    key: str,
    recipient: str | None = None,
) -> OutgoingReply:
    """A reply as parts that fit its platform; the only way into the outbox. A file that is too large becomes
    a line, in the language of the reply."""
    words = presenter.texts(reply.language)
    parts = fit(
        reply,
        to,
        platform.capabilities,
        platform.length,
        key=key,
        recipient=recipient,
        too_large=lambda file: words("command.file_too_large", name=file.name),
    )
    return OutgoingReply(parts=tuple(parts), trace=TraceId(reply.trace) if reply.trace else None)


def reply_key(message: IncomingMessage, *kind: str, every: bool = False) -> str:
    """The prefix of the keys of the parts that answer a message; with `every`, that of all its edits too."""
    ref = message.ref
    first = _digest(ref.platform, ref.workspace, ref.chat, ref.message, *kind)[:20]
    return first if every else f"{first}-{_digest(message.event)[:8]}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
