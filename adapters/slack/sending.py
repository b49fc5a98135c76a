"""Sends, finds, edits and deletes the app's messages."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from adapters.slack import outgoing
from adapters.slack.api import LIBRARY_ERRORS, Json, SlackApi, translation
from adapters.slack.incoming import is_direct, is_timestamp, time_of
from core.domain.messages import MessageRef, Outgoing, ReplyFile
from core.errors import Refused, Unavailable

FOUND_AFTER_S = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Pauses while waiting for Slack to share uploaded files."""

MAX_PAGES = 5
UNCERTAIN: Final = "platform.uncertain"


class SlackSender:
    """Sends for one app, running since `began`. Parts that may have arrived are looked for before they are
    sent again. Text and files form one message, which Slack shows once it has processed the files; if that
    fails, the text is sent separately and the files follow."""

    def __init__(self, api: SlackApi, *, began: datetime) -> None:
        self._api = api
        self._began = began
        self._uncertain: dict[str, list[Json]] = {}
        self._told: dict[str, str] = {}

    async def send(self, part: Outgoing) -> tuple[str, ...]:
        """Send a part; returns the ids of the messages that show it."""
        if part.replaces and not part.files:
            return await self._edit(part, part.replaces)
        uploaded = self._uncertain.get(part.key)
        if uploaded is not None or self._is_from_before(part):
            arrived = await self.look_up(part)
            if arrived is not None:
                self._is_done(part)
                return arrived
        try:
            sent = await self._post(part, uploaded)
        except Unavailable as fault:
            if fault.key == UNCERTAIN and not _is_private(part):
                self._uncertain.setdefault(part.key, [])
            raise
        self._is_done(part)
        return sent

    def _is_done(self, part: Outgoing) -> None:
        self._uncertain.pop(part.key, None)
        self._told.pop(part.key, None)

    def _is_from_before(self, part: Outgoing) -> bool:
        """Whether the text of a part with files may have been sent before this process started."""
        asked = part.to.message
        whole = part.text and part.files and not _is_private(part)
        return bool(whole) and is_timestamp(asked) and time_of(asked) < self._began

    async def _post(self, part: Outgoing, before: Sequence[Json] | None = None) -> tuple[str, ...]:
        if part.files:
            return await self._post_files(part, before)
        if _is_private(part):
            return await self._whisper(part)
        return (await self._say(part),)

    async def _say(self, part: Outgoing) -> str:
        said = await self._api.show(
            self._api.web.chat_postMessage,
            channel=part.to.chat,
            thread_ts=part.to.thread,
            metadata=outgoing.metadata(part),
            **outgoing.message(part),
        )
        return str(said["ts"])

    async def _whisper(self, part: Outgoing) -> tuple[str, ...]:
        """Send to the recipient only; Slack does not keep such messages."""
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
            return () if part.amends else await self._post(part)
        return (message,)

    async def _post_files(self, part: Outgoing, before: Sequence[Json] | None) -> tuple[str, ...]:
        """All files as one message, with the text of the part where that was not told. Where only one person
        may see them, in their own chat with the app. `before` was uploaded in an attempt that failed."""
        if before is not None:  # Slack may never accept them together
            await self._withdraw(before)
            await self._tell(part)
        told = self._told.get(part.key)
        rest = replace(part, text="", marks=(), buttons=()) if told else part
        uploaded = list[Json]()
        if not _is_private(part):
            self._uncertain[part.key] = uploaded
        try:
            for file in part.files:
                uploaded.append(await self._upload(file))
            found = await self._shared(rest, uploaded)
        except (Refused, Unavailable) as fault:
            if fault.key != UNCERTAIN:
                await self._tell(part)
            raise
        if found is None and rest.text:
            await self._withdraw(uploaded)
            await self._tell(part)
            raise Unavailable("platform.unreachable", "Slack has taken files and does not show them")
        if found is None:
            found = tuple(str(file["id"]) for file in uploaded)
        return found if told is None or told in found else (told, *found)

    async def _tell(self, part: Outgoing) -> None:
        """Send the text of a part separately, once."""
        if part.text and part.key not in self._told and not _is_private(part):
            self._told[part.key] = await self._say(replace(part, files=()))

    async def _shared(self, part: Outgoing, uploaded: Sequence[Json]) -> tuple[str, ...] | None:
        """Share what was uploaded; the messages that show it, None where there is none for seconds. The
        library would put the text into the address, which is too short for it."""
        channel, thread = await self._place(part)
        content = {"files": json.dumps(uploaded), "blocks": json.dumps(outgoing.blocks(part))}
        place = {"channel_id": channel} | ({"thread_ts": thread} if thread else {})
        await self._api.show(
            self._api.web.api_call, api_method="files.completeUploadExternal", data=content | place
        )
        for pause in FOUND_AFTER_S:
            await asyncio.sleep(pause)
            found = await self._found(part, channel, thread)
            if found is not None:
                return found
        return None

    async def _withdraw(self, uploaded: Sequence[Json]) -> None:
        """Withdraw files that Slack has not shared yet, so that it does not share them later."""
        for file in uploaded:
            with suppress(Refused):
                await self._delete_file(str(file["id"]))

    async def _place(self, part: Outgoing) -> tuple[str, str | None]:
        """Channel and thread of the files of a part."""
        if _is_private(part):
            return await self._api.private_chat(part.recipient), None
        return part.to.chat, part.to.thread

    async def _upload(self, file: ReplyFile) -> Json:
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
        """The messages that show the part. Raises Refused if only one person could see it."""
        if _is_private(part) and not part.files:
            raise Refused("delivery.unknown", "what only one person sees cannot be looked for")
        return await self._found(part, *await self._place(part))

    async def _found(self, part: Outgoing, channel: str, thread: str | None) -> tuple[str, ...] | None:
        """The ids found, in order. A text whose files are missing is remembered as told."""
        messages = self._messages(channel, thread, _since(part))
        shown = [message async for message in messages if outgoing.shows(message, part.key)]
        ids = tuple(sorted((str(message["ts"]) for message in shown), key=float))
        if part.files and not any(message.get("files") for message in shown):
            self._told |= {part.key: ids[0]} if ids else {}
            return None
        return ids or None

    def _messages(self, channel: str, thread: str | None, since: str) -> AsyncIterator[Json]:
        asked: dict[str, Any] = {"channel": channel, "oldest": since, "include_all_metadata": True}
        web = self._api.web
        if thread is not None:
            return self._api.pages(web.conversations_replies, "messages", most=MAX_PAGES, ts=thread, **asked)
        return self._api.pages(web.conversations_history, "messages", most=MAX_PAGES, **asked)

    async def delete(self, message: MessageRef) -> None:
        """Delete a message with its files, or just a file if `send` knew no message for it."""
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
                only["limit"] = 2  # Slack prepends the first message of the thread
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
    """Whether it is for one person only although others are in the chat, unlike in a direct chat."""
    return part.recipient is not None and not is_direct(part.to.chat)


def _since(part: Outgoing) -> str:
    """Lower time bound for the search: not older than what it answers."""
    return part.to.message if is_timestamp(part.to.message) else "0"
