"""Reports in chats: comparisons, motions and summaries, as text, with their pages and tables."""

from dataclasses import dataclass, replace

from bot.answers import Comparisons, Summarising
from bot.chat.cited_pages import CitedPages, rest_of
from bot.chat.commands import Command, handles
from bot.chat.motions import MotionInput
from bot.chat.request import ReplyContent, Request, said
from bot.presentation.i18n import typed
from bot.presentation.results import Tabled
from bot.presentation.wording import table_blocks
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.messages import ReplyFile


@dataclass(frozen=True, slots=True)
class ComparisonCommands:
    """The commands that set parties or places side by side."""

    comparisons: Comparisons
    motions: MotionInput
    pages: CitedPages

    @handles("compare")
    async def _compare(self, request: Request, command: Command) -> ReplyContent:
        """Who is compared is what the text names; a party that the chat has set does not count here."""
        if not command.rest:
            return said(request.texts("command.usage_compare"))
        made = await self.comparisons.compare(
            command.rest,
            replace(request.options, chat_parties=()),
            language=request.state.language,
            asked_by=request.person,
            chat=request.key,
        )
        return await self._tabled(request, made, "compare.table")

    @handles("motion")
    async def _motion(self, request: Request, command: Command) -> ReplyContent:
        motion = await self.motions.read(request, command.rest)
        if motion is None:
            return said(request.texts("command.usage_motion"))
        made = await self.comparisons.motion(
            motion.text,
            replace(request.options, chat_parties=()),
            jurisdiction=motion.jurisdiction,
            movers=motion.movers,
            asked_by=request.person,
            chat=request.key,
        )
        return await self._tabled(request, made, "command.motion_table")

    async def _tabled(
        self, request: Request, made: Tabled[Comparison] | Tabled[MotionReport], caption: str
    ) -> ReplyContent:
        """A report as text, as a file, and the first of its pages."""
        citations = made.report.citations
        file = await self.comparisons.write_table(made.table, request.folder)
        whole = ReplyFile(name=file.name, caption=request.texts(caption), path=file)
        rest = rest_of(request, made.trace, citations)
        return ReplyContent(
            blocks=(*table_blocks(made.table), *rest.blocks),
            buttons=(rest.buttons,) if rest.buttons else (),
            files=(whole, *await self.pages.files(request, citations)),
            trace=made.trace,
        )


@dataclass(frozen=True, slots=True)
class SummaryCommands:
    """The command for summaries of topics."""

    summaries: Summarising
    pages: CitedPages

    @handles("summary")
    async def _summary(self, request: Request, command: Command) -> ReplyContent:
        word, _, rest = command.rest.partition(" ")
        rest = rest.strip()
        if not command.rest or (word in typed("list") and not rest):
            listed = await self.summaries.list(request.chat.collections)
            return said(*self.summaries.list_blocks(listed, request.texts))
        if word in typed("show") and rest:
            shown = await self.summaries.show(rest, request.chat.collections)
        else:
            topic = rest if word in typed("new") and rest else command.rest
            shown = await self.summaries.new(topic, request.options, person=request.person)
        blocks = self.summaries.blocks(shown, request.texts)
        return ReplyContent(blocks=tuple(blocks), files=await self.pages.files(request, shown.citations))
