"""The sign of being at work: a status in a thread that goes on, else a reaction to the question."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from adapters.slack.api import SlackApi
from adapters.slack.incoming import is_timestamp
from core.asides import Asides
from core.domain.messages import MessageRef
from core.errors import FundstelleError, Unavailable

REACTION = "hourglass_flowing_sand"
AGAIN_S = 90.0
"""Slack takes the status away after 2 minutes
(docs.slack.dev/reference/methods/assistant.threads.setStatus)."""

ENDS_S = 1.0
"""Whoever waits for the sign to go away waits no longer than this."""

CLOSES_S = 0.3


class Busy:
    """`words` follow the app's name: "is looking it up"."""

    def __init__(self, api: SlackApi, words: str) -> None:
        self._api = api
        self._words = words
        self._has_status = True
        self._signs = Asides()

    @asynccontextmanager
    async def sign(self, to: MessageRef) -> AsyncIterator[None]:
        """Shown while the context lasts; never fails."""
        async with self._signs.beside(self._show(to), ends_s=ENDS_S):
            yield

    async def end(self) -> None:
        """No sign is shown any more."""
        await self._signs.end(within_s=CLOSES_S)

    async def _show(self, to: MessageRef) -> None:
        if not is_timestamp(to.message):
            return  # a slash command: there is no message to show it at
        with suppress(FundstelleError):
            if self._has_status and to.thread not in (None, to.message):  # who reads there has it open
                await self._show_status(to)
            await self._react(to)

    async def _show_status(self, to: MessageRef) -> None:
        """Until cancelled; ends by itself where the app may show none."""
        try:
            while True:
                await self._set_status(to, self._words)
                await asyncio.sleep(AGAIN_S)
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
