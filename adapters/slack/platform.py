"""Slack behind the port of chat platforms."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from adapters.disk import check_size, safe_name
from adapters.slack import outgoing
from adapters.slack.api import LIBRARY_ERRORS, PAGE, Json, SlackApi, translated, translation
from adapters.slack.catching_up import Threads
from adapters.slack.incoming import PLATFORM, is_timestamp
from adapters.slack.manifest import APP_SCOPE, LINK_SCOPES, SCOPES, commands
from adapters.slack.receiving import SlackReceiver
from adapters.slack.sending import SlackSender
from adapters.slack.surfaces import SlackSurfaces
from core.asides import Asides
from core.domain.messages import (
    NOTED,
    SEEN,
    Attachment,
    Capabilities,
    Contact,
    Exposure,
    Finding,
    MessageRef,
    Outgoing,
)
from core.domain.rich_text import Block
from core.errors import FundstelleError, Refused, Unavailable
from core.ports.chat import Inbox, Surfaces
from core.ports.clock import Clock
from core.ports.models import TalkReader

_SILENT = logging.CRITICAL + 1


# The busy indicator: a status in an existing thread, else a reaction to the question.

REACTION = "hourglass_flowing_sand"
STATUS_AGAIN_S = 90.0
"""Slack removes the status after 2 minutes (docs.slack.dev/reference/methods/assistant.threads.setStatus)."""

ENDS_S = 1.0
"""Maximum wait for the indicator to disappear."""

SIGNS_CLOSE_S = 0.3
NAMES = {NOTED: "+1", SEEN: "eyes"}
"""Slack's names for our reactions."""

HOST = "files.slack.com"
"""The only host besides the Web API's that receives the token."""

_CHUNK = 1 << 16


class Busy:
    """`words` follow the app's name: "is looking it up"."""

    def __init__(self, api: SlackApi, words: str) -> None:
        self._api = api
        self._words = words
        self._has_status = True
        self._signs = Asides()

    @asynccontextmanager
    async def sign(self, to: MessageRef) -> AsyncIterator[None]:
        """Show the indicator inside the context; never fails."""
        async with self._signs.beside(self._show(to), ends_s=ENDS_S):
            yield

    async def end(self) -> None:
        """Stop showing the indicator."""
        await self._signs.end(within_s=SIGNS_CLOSE_S)

    async def _show(self, to: MessageRef) -> None:
        if not is_timestamp(to.message):
            return  # a slash command: there is no message to show it on
        with suppress(FundstelleError):
            if self._has_status and to.thread not in (None, to.message):  # whoever reads there has it open
                await self._show_status(to)
            await self._react(to)

    async def _show_status(self, to: MessageRef) -> None:
        """Show the status until cancelled; ends by itself if the app may not show one."""
        try:
            while True:
                await self._set_status(to, self._words)
                await asyncio.sleep(STATUS_AGAIN_S)
        except Unavailable:
            raise
        except FundstelleError as error:
            self._has_status = error.key == "chat.left"
        except asyncio.CancelledError:
            await self._set_status(to, "")
            raise

    async def _set_status(self, to: MessageRef, words: str) -> None:
        await self._api.call(
            self._api.web.assistant_threads_setStatus, channel_id=to.chat, thread_ts=to.thread, status=words
        )

    async def _react(self, to: MessageRef) -> None:
        where = {"channel": to.chat, "timestamp": to.message, "name": REACTION}
        try:
            await self._api.call(self._api.web.reactions_add, **where)
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await self._api.call(self._api.web.reactions_remove, **where)
            raise


class SlackPlatform:
    """An app of Slack's in one workspace, by its `bot_token`. It receives in Socket Mode by `app_token`, else
    by `receive` what `signing_secret` signs. `invite` is what people read who use a command where the app
    is not, `working` what stands behind its name while it is at work. `api_base` names another Web API,
    `command_prefix` stands before the slash commands; `talk_reader` reads whom a line in a thread is for.
    `surfaces` is what is shown beside messages; `links`: previews of links among it."""

    name = PLATFORM

    def __init__(
        self,
        *,
        bot_token: str,
        app_token: str,
        signing_secret: str,
        clock: Clock,
        invite: str,
        working: str,
        api_base: str = "",
        command_prefix: str = "",
        talk_reader: TalkReader | None = None,
        surfaces: Surfaces | None = None,
        links: bool = False,
    ) -> None:
        logger = hush()
        self.contact = Contact()
        self._command_prefix = command_prefix
        self._tokens = {"app_token": app_token, "signing_secret": signing_secret}
        self._api = SlackApi(token=bot_token, base=api_base, logger=logger)
        self._threads = Threads(self._api, talk_reader)
        self._sender = SlackSender(self._api, began=clock.now())
        self._busy = Busy(self._api, working)
        self._exposures = Exposures(self._api)
        self._surfaces = SlackSurfaces(
            self._api, surfaces, exposure=self._exposures.of, command_prefix=command_prefix
        )
        self._links = links
        self._receiver = SlackReceiver(
            self._api,
            self._threads,
            clock=clock,
            invite=invite,
            command_prefix=command_prefix,
            logger=logger,
            contact=self.contact,
            surfaces=self._surfaces,
            **self._tokens,
        )

    @property
    def capabilities(self) -> Capabilities:
        return outgoing.capabilities(self._command_prefix)

    def length(self, text: Block) -> int:
        """Length in UTF-16 code units; nothing is escaped."""
        return outgoing.length(text)

    async def run(self, inbox: Inbox) -> None:
        await self._receiver.run(inbox)

    async def receive(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
        """Handle a signed request; returns the status and text of the response, JSON if it begins with a
        brace. Raises Unavailable if Slack has to retry."""
        return await self._receiver.receive(headers, body)

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """Send a part; returns the ids of what was sent: one message, or one with all files of the part."""
        sent = await self._sender.send(part)
        self._threads.join(part.to.chat, part.to.thread, asks=part.asks)
        return sent

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:
        """The ids under which a part is already shown: the app's messages carry its key."""
        return await self._sender.look_up(part)

    async def delete(self, message: MessageRef) -> None:
        await self._sender.delete(message)

    async def react(self, to: MessageRef, emoji: str) -> None:
        """Raises Refused for a slash command, which is no message."""
        if not is_timestamp(to.message):
            raise Refused("chat.gone", "a slash command cannot be reacted to")
        await self._api.call(
            self._api.web.reactions_add, channel=to.chat, timestamp=to.message, name=NAMES[emoji]
        )

    def busy(self, to: MessageRef) -> AbstractAsyncContextManager[None]:
        """A status in an existing thread, else a reaction to the question."""
        return self._busy.sign(to)

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """The attachment, downloaded by the link that only the token opens."""
        return await download(self._api, attachment, into, max_bytes=max_bytes)

    async def exposure(self, chat: MessageRef) -> Exposure:
        """Who can read a channel: it is closed if private, without guests and not shared."""
        return await self._exposures.of(chat.chat)

    async def check(self) -> list[Finding]:
        return await findings(
            self._api, command_prefix=self._command_prefix, links=self._links, **self._tokens
        )

    async def close(self) -> None:
        await self._busy.end()
        await self._surfaces.close()
        await self._api.close()


def hush() -> logging.Logger:
    """Keep the libraries from logging: Socket Mode addresses contain a ticket, responses contain what people
    wrote. Relevant events are logged here, without either."""
    for name in ("slack_sdk", "slack_bolt", "fundstelle.slack"):
        logging.getLogger(name).setLevel(_SILENT)
    return logging.getLogger("fundstelle.slack")


async def download(api: SlackApi, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
    """The attachment as a file in the folder `into`. Raises Refused("upload.too_large"),
    Refused("upload.gone") or Unavailable."""
    check_size(attachment.size, max_bytes, attachment)
    file: Json = (await api.call(api.web.files_info, file=attachment.id))["file"]
    check_size(file.get("size"), max_bytes, attachment)
    url = file.get("url_private_download") or file.get("url_private") or ""
    if not may_see_token(url, api.base):
        raise _gone(attachment)
    path = into / safe_name(file.get("name") or attachment.name)
    try:
        await _save(api, url, path, attachment, max_bytes, html="html" in file.get("mimetype", ""))
    except LIBRARY_ERRORS as error:
        path.unlink(missing_ok=True)
        raise translation(error) from None
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


async def _save(
    api: SlackApi, url: str, path: Path, attachment: Attachment, max_bytes: int, *, html: bool
) -> None:
    """Save the file; the token is sent to this address only, never along a redirect."""
    async with api.session.get(url, headers=api.authorization, allow_redirects=False) as response:
        _check_answer(response, attachment, html=html)
        size = 0
        with path.open("wb") as target:
            async for chunk in response.content.iter_chunked(_CHUNK):
                size += len(chunk)
                check_size(size, max_bytes, attachment)
                await asyncio.to_thread(target.write, chunk)


def _check_answer(response: aiohttp.ClientResponse, attachment: Attachment, *, html: bool) -> None:
    if response.status == 429 or response.status >= 500:
        raise Unavailable("platform.unreachable", "Slack does not hand the file out at the moment")
    page = response.content_type == "text/html"  # without permission to read files Slack shows its login page
    if response.status != 200 or (page and not html):
        raise _gone(attachment)


def may_see_token(url: str, base: str) -> bool:
    """Whether `url` is one of Slack's files, or on the server that `base` names instead of Slack."""
    asked, own = urlsplit(url), urlsplit(base)
    if base:
        return (asked.scheme, asked.netloc) == (own.scheme, own.netloc)
    return asked.scheme == "https" and asked.hostname == HOST and asked.port in (None, 443)


def _gone(attachment: Attachment) -> Refused:
    return Refused(
        "upload.gone", "Slack does not hand the file out: it must be sent again", name=attachment.name
    )


# Slack's part of `doctor`.

_PAGE = "on the app's page at api.slack.com/apps"


async def findings(
    api: SlackApi, *, app_token: str, signing_secret: str, command_prefix: str, links: bool
) -> list[Finding]:
    """The findings, good and bad."""
    names = commands(command_prefix)
    try:
        granted, name = await _token(api)
    except FundstelleError as error:
        what = "Slack: bot token" if error.key == "platform.token" else "Slack: cannot be asked"
        return [Finding(ok=False, what=what, advice=error.sentence)]
    return [
        Finding(ok=True, what=f"Slack: bot token of @{name}"),
        *_scopes(granted, SCOPES | LINK_SCOPES if links else SCOPES),
        await _way_in(api, app_token, signing_secret),
        Finding(
            ok=True,
            what=f"Slack: whether {' and '.join(names)} are registered cannot be asked",
            advice=f"Type {names[0]} help in a chat with the app; if Slack does not know it, paste what "
            f"`fundstelle init slack --manifest` prints under App Manifest, {_PAGE}.",
        ),
    ]


async def _token(api: SlackApi) -> tuple[frozenset[str], str]:
    _ = api.session
    with translated():
        response = await api.web.auth_test()
    granted = str(response.headers.get("x-oauth-scopes", ""))
    return frozenset(scope.strip() for scope in granted.split(",")), str(response.get("user", ""))


def _scopes(granted: frozenset[str], needed: Mapping[str, str]) -> list[Finding]:
    missing = [scope for scope in needed if scope not in granted]
    if not missing:
        return [Finding(ok=True, what="Slack: all scopes granted")]
    return [
        Finding(
            ok=False,
            what=f"Slack: scope {scope} is missing",
            advice=f"It is needed {needed[scope]}: add it under OAuth & Permissions, Bot Token Scopes, "
            f"{_PAGE}, and install the app again.",
        )
        for scope in missing
    ]


async def _way_in(api: SlackApi, app_token: str, signing_secret: str) -> Finding:
    if not app_token:
        return _signed(signing_secret)
    try:
        await api.call(api.web.apps_connections_open, app_token=app_token)
    except FundstelleError as error:
        return Finding(
            ok=False,
            what="Slack: Socket Mode cannot be opened",
            advice=f"{error.sentence} Make an app-level token with {APP_SCOPE} under Basic Information, "
            f"and switch Socket Mode on, {_PAGE}.",
        )
    return Finding(ok=True, what="Slack: Socket Mode opens")


def _signed(signing_secret: str) -> Finding:
    if not signing_secret:
        return Finding(
            ok=False,
            what="Slack: no way for events to come in",
            advice="Set [slack] app_token (Socket Mode) or signing_secret (signed events over [http]).",
        )
    return Finding(
        ok=True,
        what="Slack: signed events are taken at /slack/events",
        advice="Slack must reach it over https: put that address under Event Subscriptions, Slash Commands "
        f"and Interactivity {_PAGE}.",
    )


# Who can read a channel now, according to Slack.

MAX_MEMBERS = 250
"""A larger channel cannot be checked within Slack's rate limits and counts as not confirmed."""

ACCOUNT_KEPT_S = 60.0
"""How long the kind of a person's account is cached."""

_SHARED = ("is_shared", "is_ext_shared", "is_org_shared", "is_pending_ext_shared", "pending_shared")
_AT_ONCE = 8
_GUEST = ("is_restricted", "is_ultra_restricted", "is_stranger")


class Exposures:
    """Asks about channels; only the kinds of accounts are cached, for a minute."""

    def __init__(self, api: SlackApi) -> None:
        self._api = api
        self._full: dict[str, tuple[bool, float]] = {}

    async def of(self, channel: str) -> Exposure:
        """Raises Unavailable or Refused if it cannot be confirmed."""
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
        """Whether it is a non-guest account of the own organisation."""
        known, until = self._full.get(user, (False, 0.0))
        if time.monotonic() < until:
            return known
        found = await self._api.call(self._api.web.users_info, user=user)
        full = await self._is_own(found["user"])
        if len(self._full) > 40 * MAX_MEMBERS:
            self._full.clear()
        self._full[user] = (full, time.monotonic() + ACCOUNT_KEPT_S)
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
