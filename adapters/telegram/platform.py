"""Telegram behind the port of chat platforms."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from telegram import Bot, BotCommand, ChatFullInfo, Message
from telegram.constants import ChatAction, ChatType
from telegram.error import BadRequest, TelegramError
from telegram.ext import ExtBot
from telegram.request import HTTPXRequest

from adapters.disk import check_size, safe_name
from adapters.telegram import outgoing
from adapters.telegram.errors import (
    BotApiRequest,
    PatientRateLimiter,
    is_not_modified,
    translated,
    translated_sending,
)
from adapters.telegram.incoming import PLATFORM, TelegramAccount
from adapters.telegram.polling import Poller
from core.asides import Asides
from core.domain.messages import Attachment, Capabilities, Contact, Exposure, Finding, MessageRef, Outgoing
from core.domain.rich_text import Block
from core.errors import Broken, FundstelleError, Refused
from core.ports.chat import Inbox, InlineLane
from core.ports.clock import Clock
from core.retrying import until_available

API = "https://api.telegram.org/bot"
FILES = "https://api.telegram.org/file/bot"
TYPING_EVERY_S = 4.5
"""The indicator disappears after 5 s (core.telegram.org/bots/api#sendchataction)."""

REGISTER_S = 5.0
SIGNS_END_S = 0.3
_TIMEOUT_S = 20.0
_UPLOAD_TIMEOUT_S = 120.0
_SILENT = logging.CRITICAL + 1
_LOG = logging.getLogger(__name__)
READ_TIMEOUT_S = 60.0


# Telegram's part of `doctor`, and its knowledge of commands.

_TOKEN = re.compile(r"\d+:[\w-]+", re.ASCII)
"""core.telegram.org/bots/api#authorizing-your-bot"""

Commands = Mapping[str, Sequence[tuple[str, str]]]
"""Per language (ISO 639-1) the names of commands without slash, with descriptions; the first language is
shown to everybody whose own is not among them."""


async def register(bot: Bot, commands: Commands) -> None:
    """Show `commands` to people who type a slash."""
    with translated():
        for number, (language, listed) in enumerate(commands.items()):
            shown = [BotCommand(name, description) for name, description in listed]
            if number == 0:
                await bot.set_my_commands(shown)
            await bot.set_my_commands(shown, language_code=language)


def _check_form(token: str) -> None:
    """Raises Broken("platform.token") for an impossible token: in a URL, it would make Telegram seem
    unreachable forever."""
    if not _TOKEN.fullmatch(token):
        detail = "[telegram] token has not the form 123456:ABC-DEF...: take it from @BotFather again"
        raise Broken("platform.token", detail)


async def _findings(bot: Bot, commands: Commands, *, inline: bool) -> list[Finding]:
    """What is in order and what is not."""
    try:
        return await _looked_at(bot, commands, inline=inline)
    except FundstelleError as error:
        what = "Telegram: token" if error.key == "platform.token" else "Telegram: cannot be asked"
        return [Finding(ok=False, what=what, advice=error.sentence)]


async def _looked_at(bot: Bot, commands: Commands, *, inline: bool) -> list[Finding]:
    _check_form(bot.token)
    with translated():
        await bot.initialize()
        me = await bot.get_me()
    return [
        Finding(ok=True, what=f"Telegram: token of @{me.username}"),
        _privacy(reads_all=bool(me.can_read_all_group_messages)),
        _joining(may_join=bool(me.can_join_groups)),
        *_inline(may=bool(me.supports_inline_queries), wanted=inline),
        await _webhook(bot),
        await _registered(bot, commands),
    ]


def _privacy(*, reads_all: bool) -> Finding:
    if reads_all:
        return Finding(ok=True, what="Telegram: privacy mode off, mentions and uploads in groups arrive")
    return Finding(  # Telegram's default, and a legitimate choice: questions by command work
        ok=True,
        what="Telegram: privacy mode on, in groups only commands and replies to the bot arrive",
        advice="For mentions and uploads in groups write /setprivacy to @BotFather, choose the bot and "
        "Disable, then remove the bot from its groups and add it again; or make it an administrator.",
    )


def _joining(*, may_join: bool) -> Finding:
    if may_join:
        return Finding(ok=True, what="Telegram: may be added to groups")
    return Finding(
        ok=False,
        what="Telegram: may not be added to groups",
        advice="Write /setjoingroups to @BotFather, choose the bot and Enable.",
    )


def _inline(*, may: bool, wanted: bool) -> list[Finding]:
    """Inline queries need both sides: BotFather's switch and ours."""
    if may == wanted:
        return [Finding(ok=True, what="Telegram: inline queries are answered")] if wanted else []
    if wanted:
        return [
            Finding(
                ok=False,
                what="Telegram: [telegram] inline is on, but no inline query arrives",
                advice="Write /setinline to @BotFather, choose the bot and type a hint such as: topic party",
            )
        ]
    return [
        Finding(
            ok=True,
            what="Telegram: @BotFather has inline mode on, but [telegram] inline is off",
            advice="Set [telegram] inline = true, or write /setinline to @BotFather and then /empty.",
        )
    ]


async def _webhook(bot: Bot) -> Finding:
    with translated():
        elsewhere = bool((await bot.get_webhook_info()).url)
    return Finding(
        ok=not elsewhere,
        what="Telegram: updates are polled, no webhook" if not elsewhere else "Telegram: a webhook is set",
        advice="Another program receives with this token; `fundstelle serve` takes its webhook away when it "
        "starts. Give each program a bot of its own."
        if elsewhere
        else "",
    )


async def _registered(bot: Bot, commands: Commands) -> Finding:
    for language, listed in commands.items():
        with translated():
            known = await bot.get_my_commands(language_code=language)
        if [(command.command, command.description) for command in known] != list(listed):
            return Finding(  # which is also the case before the first start
                ok=True,
                what=f"Telegram: the commands in {language} are not registered as they are now",
                advice="Start `fundstelle serve`: it registers them.",
            )
    return Finding(ok=True, what="Telegram: commands registered")


class TelegramPlatform:
    """A Telegram bot, given its `token`. `commands` are shown to people who type a slash. `api_base` and
    `file_base` name another Bot API server (both end before the token). Inline queries go to `lane`, where
    there is one."""

    name = PLATFORM

    def __init__(
        self,
        *,
        token: str,
        commands: Commands,
        clock: Clock,
        api_base: str = "",
        file_base: str = "",
        lane: InlineLane | None = None,
    ) -> None:
        hush()
        self.contact = Contact()
        self._commands = commands
        self._clock = clock
        self._lane = lane
        self._bot: Bot = ExtBot(
            token,
            base_url=api_base or API,
            base_file_url=file_base or FILES,
            request=_request(connections=16),
            get_updates_request=_request(connections=1),
            rate_limiter=PatientRateLimiter(),
        )
        self._starting = asyncio.Lock()
        self._signs = Asides()

    @property
    def capabilities(self) -> Capabilities:
        return outgoing.CAPABILITIES

    def length(self, text: Block) -> int:
        """UTF-16 code units; nothing is escaped."""
        return outgoing.length(text)

    async def run(self, inbox: Inbox) -> None:
        me = await until_available("connecting to Telegram", self._begin)
        registering = asyncio.create_task(self._register())
        try:
            await asyncio.wait([registering], timeout=REGISTER_S)
            await Poller(self._bot, inbox, self._clock, me, self.contact, self._lane).run()
        finally:
            registering.cancel()

    async def _begin(self) -> TelegramAccount:
        with self.contact.tried(self._clock.now):
            await self._connect()
            with translated():
                await self._bot.delete_webhook()
        return TelegramAccount(id=self._bot.id, username=self._bot.username)

    async def _register(self) -> None:
        try:
            await until_available(
                "registering commands with Telegram", partial(register, self._bot, self._commands)
            )
        except FundstelleError as error:
            _LOG.error("the commands could not be registered: %s (%s)", error.key, error.detail)

    async def _connect(self) -> None:
        async with self._starting:
            _check_form(self._bot.token)
            with translated():
                await self._bot.initialize()

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """One call of the Bot API, so that a part arrives whole or not at all. Raises ValueError for an
        album with buttons: Telegram has none."""
        if len(part.files) > 1 and part.buttons:
            raise ValueError("an album carries no buttons: they belong to a text")
        await self._connect()
        if part.replaces and not part.files:
            return await self._edit(part, part.replaces)
        return await self._post(part)

    async def _edit(self, part: Outgoing, message: str) -> tuple[str, ...]:
        try:
            with translated():
                await self._edit_text(part, message)
        except Refused as refused:
            if refused.key != "chat.gone":
                raise
            return () if part.amends else await self._post(part)
        return (message,)

    async def _edit_text(self, part: Outgoing, message: str) -> None:
        text, entities = outgoing.drawn(part.said)
        try:
            await self._bot.edit_message_text(
                text,
                chat_id=outgoing.chat_id(part.to),
                message_id=int(message),
                entities=entities,
                link_preview_options=outgoing.NO_PREVIEW,
                reply_markup=outgoing.keyboard(part.buttons),
            )
        except BadRequest as error:
            if not is_not_modified(error):
                raise

    async def _post(self, part: Outgoing) -> tuple[str, ...]:
        contents = [await asyncio.to_thread(outgoing.Contents.of, file) for file in part.files]
        with translated_sending():
            if len(part.files) > 1:
                sent = await self._bot.send_media_group(
                    outgoing.chat_id(part.to),
                    outgoing.album(part, contents),
                    message_thread_id=outgoing.topic(part.to),
                    reply_parameters=outgoing.replying_to(part.to),
                )
            elif part.files:
                sent = (await self._post_file(part, contents[0]),)
            else:
                sent = (await self._post_text(part),)
        return tuple(str(message.message_id) for message in sent)

    async def _post_text(self, part: Outgoing) -> Message:
        text, entities = outgoing.drawn(part.said)
        return await self._bot.send_message(
            outgoing.chat_id(part.to),
            text,
            entities=entities,
            link_preview_options=outgoing.NO_PREVIEW,
            message_thread_id=outgoing.topic(part.to),
            reply_parameters=outgoing.replying_to(part.to),
            reply_markup=outgoing.keyboard(part.buttons),
        )

    async def _post_file(self, part: Outgoing, content: outgoing.Contents) -> Message:
        ((caption, entities),) = outgoing.captions(part)
        return await self._bot.send_document(
            outgoing.chat_id(part.to),
            content.file,
            filename=part.files[0].name,
            thumbnail=content.thumbnail,
            caption=caption,
            caption_entities=entities,
            disable_content_type_detection=True,
            message_thread_id=outgoing.topic(part.to),
            reply_parameters=outgoing.replying_to(part.to),
            reply_markup=outgoing.keyboard(part.buttons),
        )

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:  # noqa: ARG002 - the port's signature
        """None: bots cannot read what a chat shows."""
        return None

    async def delete(self, message: MessageRef) -> None:
        """Possible for 48 hours (core.telegram.org/bots/api#deletemessage), longer for administrators.
        Raises Refused("chat.cannot_delete") after that."""
        await self._connect()
        try:
            with translated():
                await self._bot.delete_message(outgoing.chat_id(message), int(message.message))
        except Refused as refused:
            if refused.key != "chat.gone":
                raise

    async def react(self, to: MessageRef, emoji: str) -> None:
        """Set a reaction; repeating it changes nothing."""
        await self._connect()
        with translated():
            await self._bot.set_message_reaction(outgoing.chat_id(to), int(to.message), emoji)

    @asynccontextmanager
    async def busy(self, to: MessageRef) -> AsyncIterator[None]:
        async with self._signs.beside(self._type(to)):
            yield

    async def _type(self, to: MessageRef) -> None:
        while True:
            with suppress(FundstelleError), translated():
                await self._connect()
                await self._bot.send_chat_action(
                    outgoing.chat_id(to), ChatAction.TYPING, message_thread_id=outgoing.topic(to)
                )
            await asyncio.sleep(TYPING_EVERY_S)

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """Download an attachment of up to 20 MB, Telegram's limit for bots."""
        await self._connect()
        limit = min(max_bytes, self.capabilities.max_download_bytes or max_bytes)
        return await download(self._bot, attachment, into, max_bytes=limit)

    async def exposure(self, chat: MessageRef) -> Exposure:
        """Who can read a chat. Closed is a private chat, or a group that has no public name, no place on the
        map and no channel whose readers write in it."""
        await self._connect()
        with translated():
            found = await self._bot.get_chat(outgoing.chat_id(chat))
        return _exposure(found)

    async def check(self) -> list[Finding]:
        return await _findings(self._bot, self._commands, inline=self._lane is not None)

    async def close(self) -> None:
        await self._signs.end(within_s=SIGNS_END_S)
        with suppress(TelegramError):
            await self._bot.shutdown()


def hush() -> None:
    """Keep the libraries from logging: httpx logs URLs, which contain the token, python-telegram-bot what
    people wrote. Relevant events are logged here, without either."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("telegram").setLevel(_SILENT)


def _exposure(chat: ChatFullInfo) -> Exposure:
    if chat.type == ChatType.PRIVATE:
        return Exposure(closed=True, direct=True)
    if chat.type == ChatType.CHANNEL:
        return Exposure(closed=False, direct=False, why_open="chat.public")
    if chat.username or chat.active_usernames:
        return Exposure(closed=False, direct=False, why_open="chat.username")
    if chat.location is not None:
        return Exposure(closed=False, direct=False, why_open="chat.public")
    if chat.linked_chat_id is not None:
        return Exposure(closed=False, direct=False, why_open="chat.shared")
    return Exposure(closed=True, direct=False)


def _request(*, connections: int) -> HTTPXRequest:
    return BotApiRequest(
        connection_pool_size=connections,
        connect_timeout=_TIMEOUT_S,
        read_timeout=_TIMEOUT_S,
        write_timeout=_TIMEOUT_S,
        pool_timeout=_TIMEOUT_S,
        media_write_timeout=_UPLOAD_TIMEOUT_S,
    )


async def download(bot: Bot, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
    """The attachment as a file in the folder `into`. Raises Refused("upload.too_large"),
    Refused("upload.gone") or Unavailable."""
    check_size(attachment.size, max_bytes, attachment)
    with translated():
        file = await bot.get_file(attachment.id)
    check_size(file.file_size, max_bytes, attachment)
    with translated():
        content = bytes(await file.download_as_bytearray(read_timeout=READ_TIMEOUT_S))
    check_size(len(content), max_bytes, attachment)
    path = into / safe_name(attachment.name)
    await asyncio.to_thread(path.write_bytes, content)
    return path
