"""The whole bot on one platform's harness: real adapter, delivery and conversation over a small world."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adapters.files.folder import FolderFiles
from bot.delivery.delivery import Delivery
from bot.settings.platforms import ChatSettings, LimitSettings, RoleSettings
from bot.wiring.composition import Composition
from core.domain.messages import IncomingMessage
from core.ports.chat import ChatPlatform, Inbox
from tests.support.chat_harness import ChatHarness, RecordingInbox, Shown, eventually
from tests.support.world import World


class Attached:
    """The harness's adapter, whichever runs now; its messages come through the harness."""

    def __init__(self, harness: ChatHarness) -> None:
        self._harness = harness
        self.inbox: asyncio.Future[Inbox] = asyncio.get_running_loop().create_future()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._harness.platform, name)

    async def run(self, inbox: Inbox) -> None:
        self.inbox.set_result(inbox)
        await asyncio.Event().wait()


class DeliveringInbox(RecordingInbox):
    """Passes everything on to the bot before it is acknowledged; anything that arrives before it serves is
    only recorded."""

    def __init__(self, attached: Attached) -> None:
        super().__init__()
        self._attached = attached

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        if self._attached.inbox.done():
            await self._attached.inbox.result().accept(messages, cursor=cursor)
        await super().accept(messages, cursor=cursor)


class ServedChats:
    """Delivery and conversation of some services behind a harness, whose adapter is the real one."""

    def __init__(self, harness: ChatHarness, folder: Path) -> None:
        self.harness = harness
        self._folder = folder
        self._works: list[asyncio.Task[None]] = []
        self.attached = Attached(harness)
        harness.inbox = DeliveringInbox(self.attached)

    def named(
        self,
        *,
        public: Sequence[str] = (),
        staff: Sequence[str] = (),
        people: Sequence[str] = (),
        **more: Any,
    ) -> dict[str, Any]:
        """Settings that list these chats, with `more` of each; `people` are staff, by their ids."""
        team = getattr(self.harness, "workspace", "")
        public, staff = (
            [f"{team}/{chat}" if team else chat for chat in listed] for listed in (public, staff)
        )
        name: Any = self.harness.platform.name
        both = ("public", "internal")
        chats = [ChatSettings(platform=name, id=chat, **more) for chat in public]
        chats += [
            ChatSettings(
                platform=name, id=chat, audience="staff", collections=both, upload_to="internal", **more
            )
            for chat in staff
        ]
        roles = [RoleSettings(platform=name, user=user, role="publisher") for user in people]
        limits = LimitSettings(user_per_minute=1000, chat_per_minute=1000)
        return {"chat": tuple(chats), "role": tuple(roles), "limits": limits}

    async def begin(self, app: Composition) -> None:
        """Let these services answer from now on."""
        app.transit = FolderFiles(self._folder)
        uploads = app.uploads(app.transit, self._folder / "uploads")
        conversation = app.conversation(self._folder / "outgoing", uploads)
        platform: ChatPlatform = self.attached  # type: ignore[assignment]
        delivery = Delivery(
            journal=app.journal,
            conversation=conversation,
            platforms={self.harness.platform.name: platform},
            clock=app.clock,
            files=app.shared_files,
            workers=2,
            max_waiting=100,
        )
        self._works = [
            asyncio.create_task(delivery.run()),
            asyncio.create_task(uploads.run(delivery.stage, delivery.post)),
        ]
        await self.attached.inbox

    async def stop(self) -> None:
        for work in self._works:
            work.cancel()
        for work in self._works:
            with contextlib.suppress(asyncio.CancelledError):
                await work

    async def shown(self, chat: str, words: str, *, files: int = 0, after: int = 0) -> list[Shown]:
        """The bot's messages in a chat after its first `after`, once `words` and `files` files are among
        them."""
        found: list[Shown] = []

        async def there() -> bool:
            found[:] = (await self.harness.shown(chat))[after:]
            text = text_of(found)
            return words in text and sum(len(item.files) for item in found) >= files

        try:
            await eventually(there)
        except TimeoutError:
            raise AssertionError(f"{words!r} with {files} files is not in {found}") from None
        return found


class WholeBot(ServedChats):
    """Starts with `serve`, once the chats are there that its settings name."""

    def __init__(self, harness: ChatHarness, world: World, folder: Path) -> None:
        super().__init__(harness, folder)
        self.world = world

    async def serve(
        self, *, public: Sequence[str] = (), staff: Sequence[str] = (), people: Sequence[str] = ()
    ) -> None:
        """Serve these chats; `people` are staff, by the platform's ids."""
        named = self.named(public=public, staff=staff, people=people)
        await self.begin(self.world.use(self.world.app.settings.model_copy(update=named)))


def text_of(shown: Sequence[Shown]) -> str:
    """Everything said, as people read it."""
    parts = [part for item in shown for part in (item.text, *(file.caption for file in item.files))]
    return "\n".join(parts).replace("\u2060", "")
