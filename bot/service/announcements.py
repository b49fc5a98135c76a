"""Unsolicited announcements to staff: a source vanished, changed its kind, shrank or fails."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.chat.guard import bound_to, check_exposure
from bot.delivery.outbox import Outbox
from bot.delivery.shared_files import SharedFiles
from bot.library.sources.jobs import choice
from bot.presentation.presenter import Presenter
from bot.settings.platforms import ChatSettings
from core.domain.ids import DocumentId
from core.domain.ingestion import HoldReason
from core.domain.messages import Button, MessageRef, Reply
from core.errors import FundstelleError
from core.ports.chat import ChatPlatform
from core.ports.clock import Clock
from core.ports.journal import Journal
from core.ports.library import Library

HELD = {f"source.{reason.value}": reason for reason in HoldReason}
"""Keys of the texts about changes that need a decision."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Announcer:
    """Announces things in the staff chats that may see the document or collection concerned, and nowhere
    else."""

    library: Library
    presenter: Presenter
    journal: Journal
    clock: Clock
    files: SharedFiles
    chats: Sequence[ChatSettings]
    platforms: Mapping[str, ChatPlatform]

    async def tell(self, key: str, values: Mapping[str, str | int | float]) -> None:
        """Queue a message for each such chat; `values["document"]` is the document's id, or
        `values["collection"]` says whose it is. Anything else is left to the log."""
        document = await self.library.document(DocumentId(str(values.get("document", ""))))
        collection = document.collection if document else values.get("collection")
        if not collection:
            _LOG.warning("nobody could be told: %s", key)
            return
        for chat in self.chats:
            if chat.audience == "staff" and collection in chat.collections:
                await self._say(chat, key, values)

    async def _say(self, chat: ChatSettings, key: str, values: Mapping[str, str | int | float]) -> None:
        platform = self.platforms.get(chat.platform)
        if platform is None:
            return
        to = place_of(chat)
        try:
            check_exposure(await platform.exposure(to))
        except FundstelleError as error:
            _LOG.warning("a staff chat was not told %s: %s", key, error.key)
            return
        texts = self.presenter.texts(chat.language)
        now = self.clock.now()
        about = values.get("document"), values.get("file")
        stamp = "\n".join(map(str, (chat.platform, chat.id, key, *about, now.isoformat())))
        name = hashlib.sha256(stamp.encode()).hexdigest()[:24]
        blocks: tuple[str, ...] = (texts(key, **values),)
        buttons: tuple[tuple[Button, ...], ...] = ()
        reason = HELD.get(key)
        if reason is not None:
            prefix = platform.capabilities.command_prefix
            words, row = choice(str(values["document"]), reason, texts, prefix)
            blocks, buttons = (*blocks, words), (row,)
        reply = Reply(blocks=blocks, buttons=buttons, language=texts.language, collections=bound_to(chat))
        outbox = Outbox(self.journal, self.clock, self.presenter, self.files)
        await outbox.enqueue(platform, reply, to, name)


def place_of(chat: ChatSettings) -> MessageRef:
    """A listed chat as the destination of a message that is not a reply."""
    workspace, _, name = chat.id.rpartition("/") if chat.platform == "slack" else ("", "", chat.id)
    return MessageRef(platform=chat.platform, workspace=workspace, chat=name, thread=None, message="")
