"""What passes between people and the bot, the same on every platform: messages, forms, inline queries, and
whether a platform responds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.domain.ids import VersionId
from core.domain.rich_text import Block, Mark, RichText
from core.errors import Broken, Unavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRef:
    """Where a message is. `chat` is unique within `platform` and `workspace`."""

    platform: str
    workspace: str
    chat: str
    thread: str | None
    message: str

    @property
    def listed_chat(self) -> str:
        """The chat's id as in the settings: TEAM/CHANNEL if the platform has workspaces."""
        return f"{self.workspace}/{self.chat}" if self.workspace else self.chat


class MessageKind(StrEnum):
    """What happened. A button press or a reaction arrives as the command it stands for, in `text`."""

    MESSAGE = "message"
    EDIT = "edit"  # `ref.message` is the edited message, `text` its new content ("": deleted)
    BUTTON = "button"  # `text` is the button's command, `reply_to` the message it is attached to
    REACTION = "reaction"  # `text` is the command the reaction stands for, or the emoji itself
    JOINED = "joined"  # the bot was added to the chat
    LEFT = "left"  # the bot was removed from the chat, or the chat is gone
    MOVED = "moved"  # the chat's id has changed to `text`


ANSWERED = (MessageKind.MESSAGE, MessageKind.EDIT, MessageKind.BUTTON, MessageKind.JOINED)
"""Kinds that get a reply in words, so that other messages queue behind them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came with a message. `id` is what the platform needs to fetch it (opaque; may hold keys of
    an encrypted file); `size` (bytes) and `name` are the sender's claims."""

    id: str
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """A message as delivered by a platform. `event` is unique within platform and workspace and stays the
    same on redelivery. `text` omits the mention that addresses the bot and has all other platform markup
    resolved to plain text. `addressed`: it is meant for the bot; `called`: it names the bot or replies to it,
    whatever its content. `direct`: only the sender and the bot are in the chat. `reply_to` is the message it
    answers, `shown` are somebody else's words that it replies to, quotes or forwards, `shown_files` the files
    of the message that it replies to. `sender` is a stable id (empty where the platform hides it: anonymous
    admins, channel posts)."""

    ref: MessageRef
    sender: str
    text: str
    addressed: bool
    received_at: datetime
    event: str = ""
    kind: MessageKind = MessageKind.MESSAGE
    called: bool = False
    direct: bool = False
    reply_to: str | None = None
    shown: str = ""
    shown_files: tuple[Attachment, ...] = ()
    attachments: tuple[Attachment, ...] = ()

    @property
    def taken_back(self) -> bool:
        """Whether the author has deleted `ref.message`, or edited it so that it no longer asks anything."""
        return self.kind is MessageKind.EDIT and not self.text.strip() and not self.attachments


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFile:
    """A file to send: a page, or a picture of a quote or figure; `marks` format the caption. `thumbnail` is a
    small JPEG for platforms that show one."""

    name: str
    caption: str
    path: Path
    marks: tuple[Mark, ...] = ()
    thumbnail: Path | None = None

    @property
    def said(self) -> RichText:
        """The caption as rich text."""
        return RichText(self.caption, self.marks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button. Pressing it sends `command` (at most 60 bytes of UTF-8) back as the text of a message."""

    label: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply to a message: blocks of text, which may only be split between blocks, and files. `buttons` come
    in rows; `follow_ups` are shown above them, with numbers if the platform has no buttons. `offers` are the
    suggestions after "Did you mean": "yes" takes the only one, a number or a name one of several; their
    commands may be longer than a button's. `trace` names the answer it shows. `replaces` is the bot's own
    message that the reply replaces if the platform can edit; `instead_of` is the key prefix of an earlier
    reply, whose first message it then replaces, once that was sent. `amends`: it only changes what `replaces`
    shows, and nothing is sent if somebody has deleted that. `private`: visible to the sender alone if the
    platform supports that. `deletes` are the bot's own messages to delete first. `language` is that of its
    words. `collections` are those that its chat must be entitled to, and closed, when it is sent; empty:
    anybody may read it."""

    blocks: tuple[Block, ...]
    files: tuple[ReplyFile, ...] = ()
    buttons: tuple[tuple[Button, ...], ...] = ()
    follow_ups: tuple[Button, ...] = ()
    offers: tuple[Button, ...] = ()
    trace: str | None = None
    replaces: str | None = None
    instead_of: str | None = None
    amends: bool = False
    private: bool = False
    deletes: tuple[MessageRef, ...] = ()
    language: str = ""
    collections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A part of a reply that fits into one platform message (an album of files counts as one). `key` is
    unique but stays the same in every attempt to send it: [a-z0-9-], at most 40 characters. `text` is plain,
    and `marks` style it: the platform does the escaping. `recipient` (a sender's id) is set if only one
    person may see it. `deletes`: nothing is sent, and the bot's own message `to.message` is deleted.
    `instead_of`, `amends`, `language` and `collections` as in Reply. `asks`: it asks a question that may be
    answered in a word or two."""

    key: str
    to: MessageRef
    text: str
    files: tuple[ReplyFile, ...] = ()
    buttons: tuple[tuple[Button, ...], ...] = ()
    replaces: str | None = None
    instead_of: str | None = None
    amends: bool = False
    recipient: str | None = None
    deletes: bool = False
    collections: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    asks: bool = False
    language: str = ""

    @property
    def said(self) -> RichText:
        """The text as rich text."""
        return RichText(self.text, self.marks)


class Recovery(StrEnum):
    """How to recover a part that was being sent when the process ended."""

    RESEND = "resend"  # resending with the same key shows it only once
    LOOK_UP = "look_up"  # the platform can be asked whether it arrived
    FLAG = "flag"  # unknowable: it is not sent again, and the operator is told


NUMBERS = ("1\u20e3", "2\u20e3", "3\u20e3", "4\u20e3", "5\u20e3", "6\u20e3", "7\u20e3", "8\u20e3", "9\u20e3")
"""Reactions that stand in for buttons on platforms without them; without variation selectors."""

NOTED, SEEN = "👍", "👀"
"""The bot's reactions: to thanks, and to messages that ask it nothing. Every platform supports them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a platform supports; None means no limit. `max_text` and `max_caption` are in the unit of
    `ChatPlatform.length`; `max_files` fit in one message, and `text_with_files` says whether text can
    accompany them; `files_at_once` pages are sent with an answer unasked if each is a message of its own;
    `command_prefix` is what people type before a command. `private`: a reply can be shown to one person in a
    chat only. `reactions`: the bot can react to messages. `previews`: a picture of the quote helps beside a
    page and accompanies a single one; `thumbnails`: files are shown with a small picture."""

    max_text: int | None
    max_caption: int | None
    max_file_bytes: int | None
    threads: bool
    edits: bool
    buttons: bool
    typing: bool
    max_files: int | None = None
    text_with_files: bool = False
    files_at_once: int | None = None
    max_download_bytes: int | None = None
    private: bool = False
    reactions: bool = False
    previews: bool = False
    thumbnails: bool = False
    deletes: bool = False
    recovery: Recovery = Recovery.FLAG
    command_prefix: str = "/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """Who can read a chat right now, according to the platform. `closed`: only invited people from the bot's
    own organisation. Otherwise `why_open` is a message key: "chat.public", "chat.shared", "chat.guests",
    "chat.username", "chat.world_readable", "chat.unencrypted"..."""

    closed: bool
    direct: bool
    why_open: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of a platform's self-check for `doctor`: `ok`, what was looked at, and what to do."""

    ok: bool
    what: str
    advice: str = ""


@dataclass(slots=True)
class Contact:
    """A platform's connection state, which it updates while receiving. `at`: when it last responded, None for
    never; `error`: the key of the failure since then, "" while it responds."""

    at: datetime | None = None
    error: str = "platform.starting"

    def made(self, at: datetime) -> None:
        """Record that it responded."""
        self.at, self.error = at, ""

    def lost(self, key: str) -> None:
        """Record that it does not respond, or rejects the bot."""
        self.error = key

    @contextmanager
    def tried(self, now: Callable[[], datetime]) -> Iterator[None]:
        """Record how the exchange inside the context ends."""
        try:
            yield
        except (Broken, Unavailable) as error:
            self.lost(error.key)
            raise
        self.made(now())


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """What a person sees of the bot before they have asked anything. `compare` labels the button that opens
    the form for comparisons; empty if they may not compare."""

    blocks: tuple[Block, ...]
    compare: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonForm:
    """The form for comparisons: its words, and the `names` of parties to choose from. `too_few` is shown if
    only one is chosen."""

    title: str
    topic: str
    example: str
    parties: str
    all_of_them: str
    submit: str
    close: str
    too_few: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPreview:
    """A public link to a cited page: the quote, its source, what has become of it since, and the address of a
    picture of its lines."""

    quote: str
    source: str
    since: tuple[str, ...]
    picture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedQuotes:
    """How many quotes in earlier answers were found to read differently in `version`, or to be gone, and
    when."""

    version: VersionId
    at: datetime
    changed: int
    gone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineQuery:
    """An inline query. `id` is used to answer it, `person` is a stable id; `language` is that of the person's
    app and may be empty."""

    id: str
    person: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineOffer:
    """A choice for an inline query. `title` and `summary` are shown while choosing, `text` is posted in the
    chat when it is chosen. `start` opens it in a private chat; `link` is its public page, with the address of
    its `picture`."""

    title: str
    summary: str
    text: RichText
    start: str = ""
    link: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineAnswer:
    """The choices for an inline query. The `button` above them opens a private chat with `start`. `for_all`:
    the answer is the same for anybody who types the same words, so the platform may show it to others for
    `keep_s` seconds; otherwise only to the person. `page` and `private` are the labels of the buttons on a
    chosen result."""

    offers: tuple[InlineOffer, ...] = ()
    button: str = ""
    start: str = ""
    for_all: bool = False
    keep_s: int = 0
    page: str = ""
    private: str = ""


class CallName(StrEnum):
    """The name of a `ChatPlatform` method."""

    SEND = "send"
    DELETE = "delete"
    REACT = "react"
    BUSY = "busy"  # until it is dropped
    FETCH = "fetch"
    EXPOSURE = "exposure"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallArguments:
    """Arguments of these methods."""

    to: MessageRef | None = None
    part: Outgoing | None = None
    emoji: str = ""
    attachment: Attachment | None = None
    max_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformCall:
    """A call of a platform by another process; `id` is the store's."""

    id: int
    name: CallName
    arguments: CallArguments


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """The result of a call: what the method returns (a file as its key in the store), or `error`, one of our
    errors as plain values."""

    messages: tuple[str, ...] = ()
    exposure: Exposure | None = None
    file: str = ""
    error: dict[str, Any] | None = None
