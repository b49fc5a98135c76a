"""Matrix as a chat platform."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from nio import AsyncClient

from adapters.matrix import contents
from adapters.matrix.contents import Media
from adapters.matrix.events import Bot
from adapters.matrix.homeserver import Homeserver, checked, path, translating
from adapters.matrix.intake import EventTranslator
from adapters.matrix.receiving import MatrixReceiver, Undecryptable, exposure, opened, room_state, server_of
from adapters.matrix.relations import Relations
from adapters.matrix.sending import MatrixSender, Trust, TrustPolicy
from adapters.matrix.session import (
    Account,
    CrossSigning,
    ensure_signed,
    findings,
    kept_keys,
    new_client,
    sign_in,
)
from core.asides import Asides
from core.domain.messages import (
    NUMBERS,
    Attachment,
    Capabilities,
    Contact,
    Exposure,
    Finding,
    MessageRef,
    Outgoing,
)
from core.domain.rich_text import Block
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.chat import Inbox
from core.ports.clock import Clock
from core.ports.models import TalkReader
from core.retrying import until_available
from core.search.group_talk import ThreadTalk

READY_S = 60.0
"""How long a message to send waits for the first answer of the homeserver after a start."""

SIGNS_END_S = 0.3
EMOJI_LOOK = "\ufe0f"
"""Variation selector that clients send with keycap digits."""
TYPING_MS = 30_000
TYPING_EVERY_S = 20.0
TYPING_S = 10.0
"""How long the homeserver may take to show it: it is gone after `TYPING_MS` by itself."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A login and the services using it."""

    client: AsyncClient
    homeserver: Homeserver
    relations: Relations
    trust: TrustPolicy
    sender: MatrixSender
    media: Media
    undecryptable: Undecryptable

    async def close(self) -> None:
        """End the connections and close the crypto store; the login stays."""
        await _closed(self.client)


async def _new_link(account: Account, folder: Path, *, trust: Trust, key_wait_s: float) -> Link:
    """Log in, publish the device's keys and cross-sign it. Raises Unavailable and Broken."""
    client = new_client(account, folder, encryption=True)
    try:
        await sign_in(client, account, folder)
        with translating():
            if client.should_upload_keys:
                checked(await client.keys_upload())
        await _cross_sign(client, folder, account.password)
        homeserver, media = Homeserver(client), Media(client)
        await media.read_limit()
    except BaseException:
        await _closed(client)
        raise
    policy = TrustPolicy(client, trust, folder)
    return Link(
        client=client,
        homeserver=homeserver,
        relations=Relations(homeserver, client.user_id, partial(opened, client)),
        trust=policy,
        sender=MatrixSender(client, policy),
        media=media,
        undecryptable=Undecryptable(client, key_wait_s),
    )


async def _cross_sign(client: AsyncClient, folder: Path, password: str) -> None:
    """Cross-sign the device; on failure the bot starts anyway, and `doctor` says what to do."""
    try:
        outcome = await ensure_signed(client, kept_keys(folder), password)
    except (Refused, Broken) as error:
        log.warning("the bot's device could not be cross-signed: %s", error.detail)
        return
    if outcome is not CrossSigning.SIGNED:
        log.warning("the bot's device is not cross-signed (%s)", outcome.value)


async def _closed(client: AsyncClient) -> None:
    await client.close()
    if client.store is not None:
        client.store.database.close()


class MatrixPlatform:
    """The bot's account on a homeserver. `folder` holds login, crypto store and cross-signing keys.
    `servers` are the homeservers of the own organisation, besides the bot's. `key_wait_s`: how long a
    message waits for the key that opens it; `talk_reader` reads whom a line in a thread is for."""

    name = "matrix"

    def __init__(
        self,
        account: Account,
        folder: Path,
        *,
        clock: Clock,
        invites: tuple[str, ...] = (),
        servers: tuple[str, ...] = (),
        trust: Trust = "all",
        key_wait_s: float = 60.0,
        talk_reader: TalkReader | None = None,
    ) -> None:
        self.contact = Contact()
        self._account = account
        self._folder = folder
        self._clock = clock
        self._invites = invites
        self._servers = {server_of(account.user_id), *servers}
        self._trust: Trust = trust
        self._key_wait_s = key_wait_s
        self._talk = ThreadTalk(talk_reader)
        self._link: Link | None = None
        self._linking = asyncio.Lock()
        self._ready = asyncio.Event()
        self._signs = Asides()

    @property
    def capabilities(self) -> Capabilities:
        """The limit of files is the homeserver's, known once the bot is logged in."""
        return contents.capabilities(None if self._link is None else self._link.media.limit)

    def length(self, text: Block) -> int:
        """Bytes in the JSON of an event."""
        return contents.length(text)

    async def run(self, inbox: Inbox) -> None:
        link, name = await until_available("connecting to Matrix", self._introduced)
        bot = Bot(user_id=self._account.user_id, name=name)
        receiver = MatrixReceiver(
            link.client,
            EventTranslator(bot, link.relations, self._talk),
            link.undecryptable,
            invites=self._invites,
            clock=self._clock,
            ready=self._ready,
            trust=link.trust,
            contact=self.contact,
        )
        try:
            await receiver.run(inbox)
        except Broken as error:
            if error.key == "platform.token":  # the next attempt logs in again
                await self.close()
            raise

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """The ids of the events: the text first, then each file, every event with its own transaction. The
        files are uploaded meanwhile."""
        link = await self._ready_link()
        encrypt = link.sender.is_encrypted(part.to.chat)
        uploads = [asyncio.create_task(link.media.upload(file, encrypt=encrypt)) for file in part.files]
        try:
            shown = await _said(link, part, uploads)
        finally:
            for upload in uploads:
                upload.cancel()
            await asyncio.gather(*uploads, return_exceptions=True)
        for event_id in shown:
            link.relations.wrote(event_id, part.to.thread)
        self._talk.wrote((part.to.chat, str(part.to.thread)), asks=part.asks)
        if shown and part.buttons:
            self._signs.start(self._offer(replace(part.to, message=shown[0]), sum(map(len, part.buttons))))
        return tuple(shown)

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:  # noqa: ARG002 - the port's signature
        """None: never called, since sending again is harmless."""
        return None

    async def delete(self, message: MessageRef) -> None:
        link = await self._ready_link()
        address = path("rooms", message.chat, "redact", message.message, f"delete-{message.message}")
        try:
            await link.homeserver.call("PUT", address, {})
        except Refused as error:
            if error.key != "chat.gone":
                raise

    async def react(self, to: MessageRef, emoji: str) -> None:
        """React to a message; reactions are unencrypted even in encrypted rooms, as in other clients."""
        link = await self._ready_link()
        relation = {"rel_type": "m.annotation", "event_id": to.message, "key": emoji}
        address = path("rooms", to.chat, "send", "m.reaction", f"react-{emoji.encode().hex()}-{to.message}")
        await link.homeserver.call("PUT", address, {"m.relates_to": relation})

    async def _offer(self, to: MessageRef, count: int) -> None:
        """Add digits to tap, as far as the homeserver accepts them: people can add others themselves."""
        for number in NUMBERS[:count]:
            await self.react(to, f"{number[0]}{EMOJI_LOOK}{number[1:]}")

    @asynccontextmanager
    async def busy(self, to: MessageRef) -> AsyncIterator[None]:
        """Show a typing indicator until the context ends, without waiting long at its end."""
        async with self._signs.beside(self._type(to.chat)):
            yield

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        return await (await self._linked()).media.download(attachment, into, max_bytes)

    async def exposure(self, chat: MessageRef) -> Exposure:
        """Who can read the room, from its current state. The homeserver still shows the last state to users
        who were removed."""
        link = await self._linked()
        state = room_state(await link.homeserver.call("GET", path("rooms", chat.chat, "state")))
        if link.client.user_id not in state.members:
            raise Refused("chat.left", "the bot is not in this room")
        return exposure(state, self._servers)

    async def check(self) -> list[Finding]:
        """The findings for `doctor`, without opening the crypto store where no bot is running in this
        process."""
        if self._link is not None:
            link = self._link
            found = await findings(link.homeserver, link.client.user_id, link.client.device_id, self._folder)
            return [*found, *self._findings_of_run(link)]
        client = new_client(self._account, self._folder, encryption=False)
        try:
            await sign_in(client, self._account, self._folder)
            return await findings(Homeserver(client), client.user_id, client.device_id, self._folder)
        except FundstelleError as error:
            return [Finding(ok=False, what="Matrix: login", advice=error.detail)]
        finally:
            await client.close()

    async def close(self) -> None:
        await self._signs.end(within_s=SIGNS_END_S)
        link, self._link = self._link, None
        self._ready.clear()
        if link is not None:
            await link.close()

    async def _linked(self) -> Link:
        async with self._linking:
            if self._link is None:
                self._link = await _new_link(
                    self._account, self._folder, trust=self._trust, key_wait_s=self._key_wait_s
                )
            return self._link

    async def _ready_link(self) -> Link:
        """The login once the rooms are known: after the first sync response."""
        link = await self._linked()
        try:
            async with asyncio.timeout(READY_S):
                await self._ready.wait()
        except TimeoutError as error:
            raise Unavailable("platform.unreachable", "the rooms are not known yet") from error
        return link

    async def _introduced(self) -> tuple[Link, str]:
        with self.contact.tried(self._clock.now):
            link = await self._linked()
            return link, await self._display_name(link)

    async def _display_name(self, link: Link) -> str:
        try:
            answer = await link.homeserver.call("GET", path("profile", link.client.user_id, "displayname"))
        except Refused:  # it has none
            return ""
        return str(answer.get("displayname") or "")

    async def _type(self, room: str) -> None:
        try:
            while await self._typing(room, {"typing": True, "timeout": TYPING_MS}):  # noqa: ASYNC110
                await asyncio.sleep(TYPING_EVERY_S)
        finally:
            await self._typing(room, {"typing": False})

    async def _typing(self, room: str, body: dict[str, Any]) -> bool:
        try:
            async with asyncio.timeout(TYPING_S):
                link = await self._linked()
                await link.homeserver.call("PUT", path("rooms", room, "typing", link.client.user_id), body)
        except (FundstelleError, TimeoutError):
            return False
        return True

    def _findings_of_run(self, link: Link) -> list[Finding]:
        lost, left_out = link.undecryptable.lost, link.trust.left_out
        return [
            Finding(
                ok=lost == 0,
                what=f"Matrix: {lost} messages could not be decrypted since the start",
                advice="" if lost == 0 else "their senders should log out and in again, or ask once more",
            ),
            Finding(
                ok=left_out == 0,
                what=f"Matrix: {left_out} devices got no keys (trust = {self._trust})",
                advice="" if left_out == 0 else 'their users should verify them, or set trust = "all"',
            ),
        ]


async def _is_gone(link: Link, room: str, event: str) -> bool:
    """Whether an event was redacted: what replaces it would be shown by clients that know no replacements,
    and kept by the homeserver."""
    try:
        found = await link.homeserver.call("GET", path("rooms", room, "event", event))
    except Refused as error:
        if error.key != "chat.gone":
            raise
        return True
    return "redacted_because" in found.get("unsigned", {})


async def _said(
    link: Link, part: Outgoing, uploads: Sequence[asyncio.Task[tuple[str, int, dict[str, Any] | None]]]
) -> list[str]:
    """Send the events of a part one after the other while its files are being uploaded; returns their ids."""
    room, shown = part.to.chat, list[str]()
    said, attached = contents.transactions(part)
    if part.amends and part.replaces is not None and await _is_gone(link, room, part.replaces):
        return shown
    if part.replaces is not None:
        await link.sender.event(room, contents.replacement(part.said, part.replaces), said)
        shown.append(part.replaces)
    elif part.text:
        shown.append(await link.sender.event(room, contents.notice(part.said, part.to), said))
    for file, transaction, upload in zip(part.files, attached, uploads, strict=True):
        uri, size, keys = await upload
        content = contents.attachment(file, part.to, uri=uri, size=size, keys=keys)
        shown.append(await link.sender.event(room, content, transaction))
    return shown
