"""Checks the texts of one's own that staff send: the verdicts as a table, and the file with its annotations.
The file is made no document of the library."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.answers.drafts import Drafts
from bot.chat.command_table import Command, handles
from bot.chat.request import Request, said
from bot.chat.uploads import check_size
from bot.files import write_file
from bot.presentation.attachments import short_title
from bot.presentation.wording.drafts import draft_markdown, draft_table, note
from bot.presentation.wording.tables import table_blocks
from bot.presentation.wording.views import draft_view
from core.domain.messages import Reply, ReplyFile


@dataclass(frozen=True, slots=True)
class DraftCommands:
    """The command that checks a draft. `max_bytes` of a file."""

    drafts: Drafts
    max_bytes: int

    @handles("check")
    async def _check(self, request: Request, _: Command) -> Reply:
        message, can, texts = request.message, request.stage.capabilities, request.texts
        attachment = next(iter((*message.attachments, *message.shown_files)), None)
        if attachment is None:
            return said(request.hint("command.usage_check"))
        limit = min(self.max_bytes, can.max_download_bytes or self.max_bytes)
        check_size(attachment, limit)
        with TemporaryDirectory(prefix="fundstelle-") as folder:  # nobody needs the file once it is checked
            path = await request.stage.fetch(attachment, Path(folder), max_bytes=limit)
            report = await self.drafts.check(path, request.options, name=attachment.name)
            view = draft_view(report)
            notes = [note(item, texts) for item in view.items]
            content, ending = await self.drafts.annotated(path, report, notes, draft_markdown(view, texts))
        blocks = table_blocks(draft_table(view, texts), can.max_text)
        name = f"{short_title(Path(attachment.name).stem)}-{texts('draft.file')}{ending}"
        made = request.folder / name
        await asyncio.to_thread(write_file, made, content)
        file = ReplyFile(name=name, caption=texts("draft.annotated"), path=made)
        return Reply(blocks=tuple(blocks), files=(file,) if view.items else ())
