"""Slack behind the port of chat platforms."""

import logging
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from adapters.slack import outgoing
from adapters.slack.api import SlackApi
from adapters.slack.busy import Busy
from adapters.slack.checking import findings
from adapters.slack.downloads import download
from adapters.slack.exposure import Exposures
from adapters.slack.incoming import PLATFORM
from adapters.slack.receiving import SlackReceiver
from adapters.slack.sending import SlackSender
from adapters.slack.threads import Threads
from core.domain.contact import Contact
from core.domain.messages import Attachment, Capabilities, Exposure, Finding, MessageRef, Outgoing
from core.domain.rich_text import Block
from core.ports.chat import Inbox
from core.ports.clock import Clock
from core.ports.reading import TalkReader

_SILENT = logging.CRITICAL + 1


class SlackPlatform:
    """An app of Slack's in one workspace, by its `bot_token`. It receives in Socket Mode by `app_token`, else
    by `receive` what `signing_secret` signs. `invite` is what people read who use a command where the app
    is not, `working` what stands behind its name while it is at work. `api_base` names another Web API,
    `command_prefix` stands before the slash commands; `talk_reader` reads whom a line in a thread is for."""

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
        self._receiver = SlackReceiver(
            self._api,
            self._threads,
            clock=clock,
            invite=invite,
            command_prefix=command_prefix,
            logger=logger,
            contact=self.contact,
            **self._tokens,
        )

    @property
    def capabilities(self) -> Capabilities:
        """What an app may send and get."""
        return outgoing.capabilities(self._command_prefix)

    def length(self, text: Block) -> int:
        """UTF-16 code units; nothing is escaped."""
        return outgoing.length(text)

    async def run(self, inbox: Inbox) -> None:
        """Catch up and receive until cancelled."""
        await self._receiver.run(inbox)

    async def receive(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
        """A signed request: status and text to answer with; JSON where it begins with a brace. Raises
        Unavailable where Slack has to try again."""
        return await self._receiver.receive(headers, body)

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """One message, or one with all files of the part."""
        sent = await self._sender.send(part)
        self._threads.join(part.to.chat, part.to.thread)
        return sent

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:
        """Messages of the app carry the key of what they show."""
        return await self._sender.look_up(part)

    async def delete(self, message: MessageRef) -> None:
        """With the files that the message shows."""
        await self._sender.delete(message)

    def busy(self, to: MessageRef) -> AbstractAsyncContextManager[None]:
        """A status in the thread that goes on, else a reaction to the question."""
        return self._busy.sign(to)

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        """Download by the link that only the token opens."""
        return await download(self._api, attachment, into, max_bytes=max_bytes)

    async def exposure(self, chat: MessageRef) -> Exposure:
        """Closed: private, shared with no other organisation, no guests."""
        return await self._exposures.of(chat.chat)

    async def check(self) -> list[Finding]:
        """Token, scopes, the way in."""
        return await findings(self._api, command_prefix=self._command_prefix, **self._tokens)

    async def close(self) -> None:
        """End the connections."""
        await self._busy.end()
        await self._api.close()


def hush() -> logging.Logger:
    """Keep the libraries from logging: addresses of Socket Mode hold a ticket, answers hold what people
    wrote. What matters of it is logged here, without either."""
    for name in ("slack_sdk", "slack_bolt", "fundstelle.slack"):
        logging.getLogger(name).setLevel(_SILENT)
    return logging.getLogger("fundstelle.slack")
