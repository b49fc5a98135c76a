"""Receives events, acknowledging nothing before it is stored.

Bolt acknowledges first and works then, so a crash loses what it works on; here a middleware in front of all
listeners puts messages into the inbox, and its answer is the acknowledgement. What is not acknowledged within
3 seconds Slack delivers again with the same ids (docs.slack.dev/apis/events-api, "Retries").
"""

import asyncio
import logging
import math
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import Clock as SignatureClock
from slack_sdk.signature import SignatureVerifier
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.slack.api import LIBRARY_ERRORS, Json, SlackAccount, SlackApi, translated
from adapters.slack.catching_up import UNREADABLE, CatchUp, Threads
from adapters.slack.incoming import (
    commanded,
    deleted,
    happened,
    mentions,
    pressed,
    said,
    shortcut,
    taken_back,
    thread_of,
    written,
)
from adapters.slack.surfaces import SlackSurfaces
from core.domain.messages import Contact, IncomingMessage, MessageKind
from core.errors import FundstelleError, Refused, Unavailable
from core.ports.chat import Inbox
from core.ports.clock import Clock
from core.retrying import until_available
from core.search.group_talk import ThreadTalk

ASK_S = 2.0
"""How long a query to Slack may delay an acknowledgement."""

CONNECT_S = 30.0
WATCH_S = 1.0
LOST_S = 20.0
"""A connection that the library does not restore within this time is reopened."""

TICK_S = 60.0
_LOG = logging.getLogger(__name__)


class SlackReceiver:
    """Receives for one app. `invite` is shown to people who use a command where the app is not a member."""

    def __init__(
        self,
        api: SlackApi,
        threads: Threads,
        *,
        clock: Clock,
        app_token: str,
        signing_secret: str,
        invite: str,
        command_prefix: str,
        logger: logging.Logger,
        contact: Contact,
        surfaces: SlackSurfaces,
    ) -> None:
        self._api = api
        self._surfaces = surfaces
        self._threads = threads
        self._clock = clock
        self._app_token = app_token
        self._invite = invite
        self._command_prefix = command_prefix
        self._logger = logger
        self._contact = contact
        self._verifier = _verifier(signing_secret, clock) if signing_secret else None
        self._catch_up = CatchUp(api, threads, clock)
        self._inbox: Inbox | None = None
        self._app: AsyncApp | None = None
        self._order = asyncio.Lock()

    async def run(self, inbox: Inbox) -> None:
        """Until cancelled. Raises Broken where the operator must act."""
        me = await until_available("connecting to Slack", self._introduced)
        receiving = until_available("receiving from Slack", partial(self._receive, inbox, me))
        try:
            await _first_of(receiving, self._catch_up.run(inbox, me))
        finally:
            self._inbox = None

    async def _introduced(self) -> SlackAccount:
        with self._contact.tried(self._clock.now):
            return await self._api.me()

    async def _receive(self, inbox: Inbox, me: SlackAccount) -> None:
        self._app = self._app or self._bolt(me)
        self._inbox = inbox
        if self._app_token:
            await self._by_socket(self._app, inbox)
        await self._look()
        self._catch_up.want()
        await self._tick(inbox)

    def _bolt(self, me: SlackAccount) -> AsyncApp:
        async def authorized() -> AuthorizeResult:
            return AuthorizeResult(enterprise_id=None, team_id=me.team, bot_user_id=me.user)

        app = AsyncApp(
            name="fundstelle.slack",  # Bolt silences the logger of this name like its own
            logger=self._logger,
            client=None,
            signing_secret="",
            authorize=authorized,
            request_verification_enabled=False,  # `receive` has verified it
            ignoring_self_events_enabled=False,
            attaching_function_token_enabled=False,
        )

        async def taken(body: Json) -> BoltResponse:
            return await self._take(body, me)

        app.use(taken)
        return app

    async def _by_socket(self, app: AsyncApp, inbox: Inbox) -> None:
        with self._contact.tried(self._clock.now):
            opened = await self._api.call(self._api.web.apps_connections_open, app_token=self._app_token)
        handler = AsyncSocketModeHandler(
            app, self._app_token, logger=self._logger, web_client=self._api.web, ping_interval=5
        )
        handler.client.wss_uri = opened["url"]
        try:
            with self._contact.tried(self._clock.now):
                await self._connect(handler)
            self._catch_up.want()
            await self._watch(handler, inbox)
        finally:
            with suppress(*LIBRARY_ERRORS):
                await handler.client.close()  # type: ignore[no-untyped-call]

    async def _connect(self, handler: AsyncSocketModeHandler) -> None:
        try:
            with translated():
                async with asyncio.timeout(CONNECT_S):
                    await handler.client.connect()  # type: ignore[no-untyped-call]
        except Unavailable:
            raise Unavailable("platform.unreachable", "Slack's Socket Mode cannot be reached") from None

    async def _watch(self, handler: AsyncSocketModeHandler, inbox: Inbox) -> None:
        """The library connects again by itself; what was said meanwhile is caught up. Raises Unavailable
        where it does not get there."""
        loop = asyncio.get_running_loop()
        lost: float | None = None
        ticked, session = loop.time(), handler.client.current_session
        while True:
            await asyncio.sleep(WATCH_S)
            if not await handler.client.is_connected():
                self._contact.lost("platform.unreachable")
                lost = loop.time() if lost is None else lost
                if loop.time() - lost > LOST_S:
                    raise Unavailable("platform.unreachable", "the connection to Slack was lost")
                continue
            self._contact.made(self._clock.now())
            if handler.client.current_session is not session:
                self._catch_up.want()
            lost, session = None, handler.client.current_session
            if loop.time() - ticked > TICK_S:
                await self._catch_up.tick(inbox)
                ticked = loop.time()

    async def _tick(self, inbox: Inbox) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            await self._look()
            await self._catch_up.tick(inbox)

    async def _look(self) -> None:
        """Poll Slack if it calls us over HTTP, where its silence means nothing."""
        with self._contact.tried(self._clock.now):
            await self._api.call(self._api.web.auth_test)

    async def receive(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
        """Handle a signed request from Slack; returns status and text of the response. Raises Unavailable if
        nothing could be written: then Slack has to retry."""
        if self._verifier is None:
            return 404, "signed events are not configured\n"
        if not _is_signed(self._verifier, headers, body):
            return 401, "the signature is not right\n"
        if self._app is None:
            raise Unavailable("platform.starting", "Slack is not served yet")
        try:
            request = AsyncBoltRequest(body=body.decode(), headers=dict(headers))
        except (ValueError, AttributeError, TypeError):  # the library also accepts non-objects
            return 400, "this is no request of Slack's\n"
        response = await self._app.async_dispatch(request)
        challenge = request.body.get("challenge") if request.body.get("type") == "url_verification" else None
        return response.status, str(challenge) if challenge else response.body

    async def _take(self, body: Json, me: SlackAccount) -> BoltResponse:
        """Everything that Slack delivers comes through here sequentially, so that messages stay in order.
        They are passed on in order, and stored together if there are many. The response is the
        acknowledgement."""
        if self._inbox is None:
            return BoltResponse(status=503, body="starting")
        try:
            async with self._order:
                answer, written = await self._taken(body, me, self._inbox)
            if written is not None:
                await written
            return answer
        except FundstelleError as error:
            _LOG.warning("an event of Slack's was not taken over: %s", error.key)
            self._catch_up.want()  # Slack retries, but not for long
            return BoltResponse(status=503, body="try again")
        except UNREADABLE as error:
            _LOG.error("an event was dropped: it is not as Slack describes it (%s)", type(error).__name__)
            return BoltResponse(status=200, body="")

    async def _taken(
        self, body: Json, me: SlackAccount, inbox: Inbox
    ) -> tuple[BoltResponse, "asyncio.Task[None] | None"]:
        """The answer, which is true as soon as the task has ended."""
        if "command" in body and not await self._is_in(body["channel_id"]):
            return _answer({"response_type": "ephemeral", "text": self._invite}), None
        if body.get("type") == "message_action" and not await self._is_in(body["channel"]["id"]):
            return _answer({}), asyncio.create_task(self._invited(body["response_url"]))
        beside = self._surfaces.taken(body, me, self._clock.now(), inbox)
        if beside is not None:
            message = beside.message
            return _answer(beside.answer), asyncio.create_task(inbox.accept([message])) if message else None
        message, written = await self._message(body, me), None
        if message is not None:
            if message.addressed and message.kind is not MessageKind.REACTION and not message.taken_back:
                self._threads.join(message.ref.chat, message.ref.thread)
            written = asyncio.create_task(inbox.accept([message]))
        return _answer({"response_type": "in_channel"} if "command" in body else {}), written

    async def _message(self, body: Json, me: SlackAccount) -> IncomingMessage | None:
        if "command" in body:
            return commanded(body, me, self._clock.now(), self._command_prefix)
        if body.get("type") == "block_actions":
            return pressed(body, me, self._clock.now())
        if body.get("type") == "message_action":
            return shortcut(body, me, self._clock.now())
        event: Json = body.get("event", {})
        if event.get("type") not in ("message", "app_mention"):
            return happened(event, body.get("event_id", ""), me)
        if deleted(event) is not None:
            gone = taken_back(event, me)
            if gone is not None:
                self._threads.taken_back(gone.ref)
            return gone
        ours, parent = await self._is_ours(event, me), await self._parent(event, me)
        return await said(event, me, ours=ours, talk=self._threads.talk, parent=parent)

    async def _parent(self, event: Json, me: SlackAccount) -> Json | None:
        """The message that opened the thread, if a message there names the app, which has not written there
        yet."""
        thread = thread_of(event)
        named = mentions(written(event).get("text", ""), me)
        if thread is None or not named or self._threads.known(event["channel"], thread):
            return None
        try:
            async with asyncio.timeout(ASK_S):
                return await self._threads.first(event["channel"], thread)
        except (TimeoutError, FundstelleError):
            return None

    async def _is_ours(self, event: Json, me: SlackAccount) -> bool:
        thread = thread_of(event)
        if thread is None or mentions(event.get("text", ""), me):
            return False
        if self._threads.known(event["channel"], thread) is None:
            alone = ThreadTalk(self._threads.talk.reader)
            if await said(event, me, ours=True, talk=alone) is None:
                return False  # not a question by its words: no need to ask Slack
        try:
            async with asyncio.timeout(ASK_S):
                return await self._threads.ours(event["channel"], thread, me)
        except TimeoutError:
            raise Unavailable("platform.unreachable", "Slack does not say whose thread it is") from None

    async def _invited(self, address: str) -> None:
        """Tell who chose a shortcut, and nobody else, that the app is not in the channel: only this address
        of Slack's, which belongs to the choice, takes words there."""
        with translated():
            await AsyncWebhookClient(address, timeout=math.ceil(ASK_S)).send(
                text=self._invite, response_type="ephemeral"
            )

    async def _is_in(self, channel: str) -> bool:
        """Whether the app is in the channel; assumed if Slack does not answer in time, since answering will
        show it."""
        try:
            async with asyncio.timeout(ASK_S):
                found = await self._api.call(self._api.web.conversations_info, channel=channel)
        except (TimeoutError, Unavailable):
            return True
        except Refused:
            return False
        return any(found["channel"].get(name) for name in ("is_im", "is_mpim", "is_member"))


def _answer(content: Json) -> BoltResponse:
    return BoltResponse(status=200, body=content or "")


async def _first_of(*works: Coroutine[Any, Any, None]) -> None:
    """Run `works` beside each other until one of them ends, as that one does."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _verifier(secret: str, clock: Clock) -> SignatureVerifier:
    class Ours(SignatureClock):
        def now(self) -> float:
            return clock.now().timestamp()

    return SignatureVerifier(secret, Ours())


def _is_signed(verifier: SignatureVerifier, headers: Mapping[str, str], body: bytes) -> bool:
    """Signed within the last 5 minutes (docs.slack.dev/authentication/verifying-requests-from-slack)."""
    plain: dict[str, Any] = dict(headers)
    try:
        return verifier.is_valid_request(body, plain)
    except (TypeError, ValueError):  # a non-numeric time, a non-ASCII signature
        return False
