"""Messages of the app: shown, found again, changed and taken back."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress

from adapters.slack import outgoing
from adapters.slack.api import Json, SlackApi
from adapters.slack.errors import LIBRARY_ERRORS, translation
from adapters.slack.incoming import is_direct, is_timestamp
from core.domain.messages import MessageRef, Outgoing, ReplyFile
from core.errors import Refused, Unavailable

FOUND_AFTER_S = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Pauses while Slack shares uploaded files."""

MAX_PAGES = 5


class SlackSender:
    """Sends for one app. Parts of which nobody knows whether they arrived are looked for before they are
    sent again."""

    def __init__(self, api: SlackApi) -> None:
        self._api = api
        self._uncertain: set[str] = set()

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """Ids of the messages that show the part."""
        if part.replaces and not part.files:
            return await self._edit(part, part.replaces)
        if part.key in self._uncertain:
            arrived = await self.look_up(part)
            self._uncertain.discard(part.key)
            if arrived is not None:
                return arrived
        try:
            return await self._post(part)
        except Unavailable as fault:
            if fault.key == "platform.uncertain" and not _is_private(part):
                self._uncertain.add(part.key)
            raise

    async def _post(self, part: Outgoing) -> tuple[str, ...]:
        if part.files:
            return await self._post_files(part)
        if _is_private(part):
            return await self._whisper(part)
        said = await self._api.show(
            self._api.web.chat_postMessage,
            channel=part.to.chat,
            thread_ts=part.to.thread,
            metadata=outgoing.metadata(part),
            **outgoing.message(part),
        )
        return (said["ts"],)

    async def _whisper(self, part: Outgoing) -> tuple[str, ...]:
        """For the recipient's eyes; Slack keeps no such message."""
        content = outgoing.message(part)
        for name in ("unfurl_links", "unfurl_media"):
            del content[name]
        said = await self._api.show(
            self._api.web.chat_postEphemeral,
            channel=part.to.chat,
            user=part.recipient,
            thread_ts=part.to.thread,
            **content,
        )
        return (said["message_ts"],)

    async def _edit(self, part: Outgoing, message: str) -> tuple[str, ...]:
        content = outgoing.message(part)
        for name in ("unfurl_links", "unfurl_media"):
            del content[name]
        try:
            await self._api.call(self._api.web.chat_update, channel=part.to.chat, ts=message, **content)
        except Refused as refused:
            if refused.key != "chat.gone":
                raise
            return await self._post(part)
        return (message,)

    async def _post_files(self, part: Outgoing) -> tuple[str, ...]:
        """All files as one message. Where only one person may see them, in their own chat with the app."""
        channel, thread = part.to.chat, part.to.thread
        if _is_private(part):
            channel, thread = await self._private_chat(part), None
        uploaded = [await self._upload(file) for file in part.files]
        await self._api.show(
            self._api.web.files_completeUploadExternal,
            files=uploaded,
            channel_id=channel,
            thread_ts=thread,
            blocks=json.dumps(outgoing.blocks(part)),
        )
        for pause in FOUND_AFTER_S:
            await asyncio.sleep(pause)
            found = await self._found(part, channel, thread)
            if found is not None:
                return found
        return tuple(str(file["id"]) for file in uploaded)

    async def _private_chat(self, part: Outgoing) -> str:
        opened = await self._api.call(self._api.web.conversations_open, users=part.recipient)
        return str(opened["channel"]["id"])

    async def _upload(self, file: ReplyFile) -> dict[str, str | None]:
        content = await asyncio.to_thread(file.path.read_bytes)
        place = await self._api.call(
            self._api.web.files_getUploadURLExternal, filename=file.name, length=len(content)
        )
        try:
            async with self._api.session.post(
                place["upload_url"], data=content, allow_redirects=False
            ) as response:
                taken = response.status == 200
        except LIBRARY_ERRORS as error:
            raise translation(error) from None
        if not taken:
            raise Unavailable("platform.unreachable", "Slack did not take an uploaded file")
        return {"id": place["file_id"], "title": file.name}

    async def look_up(self, part: Outgoing) -> tuple[str, ...] | None:
        """The message that shows the part. Raises Refused where only one person could see it."""
        if not _is_private(part):
            return await self._found(part, part.to.chat, part.to.thread)
        if not part.files:
            raise Refused("delivery.unknown", "what only one person sees cannot be looked for")
        return await self._found(part, await self._private_chat(part), None)

    async def _found(self, part: Outgoing, channel: str, thread: str | None) -> tuple[str, ...] | None:
        async for message in self._messages(channel, thread, _since(part)):
            if outgoing.shows(message, part.key):
                return (str(message["ts"]),)
        return None

    def _messages(self, channel: str, thread: str | None, since: str) -> AsyncIterator[Json]:
        asked = {"channel": channel, "oldest": since, "include_all_metadata": True}
        web = self._api.web
        if thread is not None:
            return self._api.pages(web.conversations_replies, "messages", most=MAX_PAGES, ts=thread, **asked)
        return self._api.pages(web.conversations_history, "messages", most=MAX_PAGES, **asked)

    async def delete(self, message: MessageRef) -> None:
        """Take a message back, with its files; or a file by itself, where `send` knew no message of it."""
        if not is_timestamp(message.message):
            return await self._delete_file(message.message)
        for file in await self._files(message):
            await self._delete_file(file)
        try:
            await self._api.call(self._api.web.chat_delete, channel=message.chat, ts=message.message)
        except Refused as refused:
            if refused.key != "chat.gone":
                raise

    async def _files(self, message: MessageRef) -> list[str]:
        only = {"latest": message.message, "oldest": message.message, "inclusive": True, "limit": 1}
        web = self._api.web
        with suppress(Refused):
            if message.thread is None:
                found = await self._api.call(web.conversations_history, channel=message.chat, **only)
            else:
                only["limit"] = 2  # Slack puts the first message of the thread before it
                found = await self._api.call(
                    web.conversations_replies, channel=message.chat, ts=message.thread, **only
                )
            shown = [each for each in found["messages"] if each["ts"] == message.message]
            return [file["id"] for each in shown for file in each.get("files", [])]
        return []

    async def _delete_file(self, file: str) -> None:
        try:
            await self._api.call(self._api.web.files_delete, file=file)
        except Refused as refused:
            if refused.key != "upload.gone":
                raise


def _is_private(part: Outgoing) -> bool:
    """Whether others would see it; in a direct chat there is nobody else."""
    return part.recipient is not None and not is_direct(part.to.chat)


def _since(part: Outgoing) -> str:
    """No older than what it answers."""
    return part.to.message if is_timestamp(part.to.message) else "0"
