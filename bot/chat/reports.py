"""Reports in chats: comparisons, motions and summaries, as text, with their pages and tables."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from itertools import dropwhile

from bot.answers.comparisons import Comparisons
from bot.answers.summaries import Summarising
from bot.chat.cited_pages import MAX_PAGES, CitedPages, rest_of
from bot.chat.command_table import Command, handles
from bot.chat.motions import MotionInput
from bot.chat.request import RecentAnswers, Request, SmallPrint, said
from bot.presentation.attachments import Attacher
from bot.presentation.i18n import Texts, languages, typed
from bot.presentation.results import Tabled
from bot.presentation.wording.tables import table_blocks
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.messages import Button, Reply, ReplyFile
from core.domain.rich_text import RichText, small
from core.domain.summaries import Summary, SummaryDraft

MORE = "+"
"""Typed before the topic of a comparison or motion: all quotes, or all parties."""

LONGEST_BUTTON = 64
"""Maximum bytes of a button's command on every platform (Telegram's callback data)."""


@dataclass(frozen=True, slots=True)
class ComparisonCommands:
    """The commands that set parties or places side by side."""

    comparisons: Comparisons
    motions: MotionInput
    attacher: Attacher
    recent: RecentAnswers
    small_print: SmallPrint

    @handles("compare")
    async def _compare(self, request: Request, command: Command) -> Reply:
        """Who is compared is what the text names; a party that the chat has set does not count here."""
        more, question = _more(command.rest)
        if not question:
            return said(request.hint("command.usage_compare"))
        names = self.comparisons.searched.scoping.within(request.chat.collections)
        if unknown := _unknown_name(question, names.knows):
            names.party(unknown)  # refuses it, with what may have been meant
        return await self.side_by_side(request, question, more=more)

    async def side_by_side(
        self,
        request: Request,
        question: str,
        *,
        more: bool = False,
        without: Collection[str] = (),
        language: str = "",
    ) -> Reply:
        """What those whom `question` names say, else all parties (`without` those that have spoken already),
        for the place that stands beside it as `jurisdiction=PLACE`; `more`: all quotes. Our own words are in
        the chat's language, else in `language`, else in the question's. Raises Refused where there are less
        than two."""
        words = await self.motions.words(request, question)
        made = await self.comparisons.compare(
            words.text or question,
            replace(
                request.options, chat_parties=(), jurisdiction=words.jurisdiction, parties=tuple(words.movers)
            ),
            without=without,
            language=request.state.language or language,
            all_quotes=more,
            asked_by=request.person,
            chat=request.key,
        )
        request = self._in_language(request, made.report.language)
        content = await self._tabled(request, made, "compare.table")
        again = made.report.again if words.text == question else question
        further = 0 if more else len(made.report.further)
        return _with_more(content, request, again, further) if further else content

    def _in_language(self, request: Request, language: str) -> Request:
        """`request` with our own words in the language of its report: a message is in one language."""
        return replace(request, texts=self.comparisons.texts.words(language))

    @handles("motion")
    async def _motion(self, request: Request, command: Command) -> Reply:
        more, rest = _more(command.rest)
        motion = await self.motions.read(request, rest)
        if motion is None:
            return said(request.hint("command.usage_motion"))
        made = await self.comparisons.motion(
            motion.text,
            replace(request.options, chat_parties=()),
            jurisdiction=motion.jurisdiction,
            movers=motion.movers,
            others=more,
            language=request.state.language,
            asked_by=request.person,
            chat=request.key,
        )
        request = self._in_language(request, made.report.language)
        content = await self._tabled(request, made, "command.motion_table")
        if not made.report.others:
            return content
        prefix = request.stage.capabilities.command_prefix
        return replace(
            content, blocks=(*content.blocks, small(request.texts("motion.all_by", prefix=prefix)))
        )

    async def _tabled(
        self, request: Request, made: Tabled[Comparison] | Tabled[MotionReport], caption: str
    ) -> Reply:
        """A report as text and as a file; its pages come on request."""
        file = await self.attacher.table(made.table, request.folder, made.stem)
        whole = ReplyFile(name=file.name, caption=request.texts(caption), path=file)
        rest = rest_of(request, made.trace, made.report.citations, shown=0)
        self.recent.keep(request, made.trace)
        told = not self.small_print.is_due(request)  # a table ends like every answer
        shown = replace(made.table, notes=made.table.notes[:-1]) if told else made.table
        return Reply(
            blocks=(*table_blocks(shown, request.stage.capabilities.max_text), *rest.blocks),
            buttons=(rest.buttons,) if rest.buttons else (),
            files=(whole,),
            trace=made.trace,
        )


def _more(rest: str) -> tuple[bool, str]:
    """Whether a command asks for everything ("+ minimum wage"), and its topic."""
    stripped = rest.removeprefix(MORE)
    return stripped != rest, stripped.strip()


def _unknown_name(text: str, knows: Callable[[str], bool]) -> str:
    """Of "rents, Riverside Party, Nobody" the name that nobody has: what stands in a list behind a topic and
    a name that is one. Empty where there is none."""
    joining = "|".join(Texts(language)("answer.and") for language in languages())
    topic, *listed = (each.strip() for each in re.split(rf",|\s(?:{joining})\s", text))
    if knows(topic) or "," not in text:
        return ""
    behind = dropwhile(lambda each: not knows(each), listed)
    return next((each for each in behind if each and not knows(each)), "")


def _with_more(content: Reply, request: Request, question: str, count: int) -> Reply:
    """How the further quotes come: by a button, or by a line that is typed where there are none or the button
    would hold too much."""
    command, can = f"/compare {MORE} {question}", request.stage.capabilities
    if can.buttons and len(command.encode()) <= LONGEST_BUTTON:
        button = Button(label=request.texts("compare.more", count=count), command=command)
        return replace(content, buttons=((button,), *content.buttons))
    by_line = request.texts("compare.more_by", prefix=can.command_prefix, question=question)
    return replace(content, blocks=(*content.blocks, small(by_line)))


@dataclass(frozen=True, slots=True)
class SummaryCommands:
    """The command for summaries of topics."""

    summaries: Summarising
    pages: CitedPages
    small_print: SmallPrint

    @handles("summary")
    async def _summary(self, request: Request, command: Command) -> Reply:
        word, _, rest = command.rest.partition(" ")
        rest = rest.strip()
        if not command.rest or (word in typed("list") and not rest):
            listed = await self.summaries.list(request.chat.collections)
            return said(*self.summaries.texts.listing(listed, request.texts))
        if word in typed("pages") and rest:
            shown = await self.summaries.show(rest, request.chat.collections)
            limit = request.stage.capabilities.max_files or MAX_PAGES * 3
            files = await self.pages.files(request, shown.citations, limit=limit, captions=True)
            return Reply(blocks=(), files=files)
        if word in typed("show") and rest:
            shown = await self.summaries.show(rest, request.chat.collections)
        else:
            topic = rest if word in typed("new") and rest else command.rest
            shown = await self.summaries.new(topic, request.options, person=request.person)
        due = self.small_print.is_due(request)
        blocks = self.summaries.texts.blocks(shown, request.texts, disclaimer=due)
        return said(*blocks, *_pages_line(request, shown.summary))


def _pages_line(request: Request, summary: SummaryDraft) -> list[RichText]:
    """How to get the pages of a stored summary."""
    if not isinstance(summary, Summary):
        return []
    prefix = request.stage.capabilities.command_prefix
    return [small(request.texts("summary.pages", prefix=prefix, id=summary.id))]
