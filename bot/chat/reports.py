"""Reports in chats: comparisons, motions, summaries and checks of drafts, as text, with their pages and
tables."""

import asyncio
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import dropwhile, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.answers.drafts import Drafts
from bot.answers.reports import Comparisons, Summarising
from bot.chat.cited_pages import MAX_PAGES, CitedPages, rest_of
from bot.chat.command_table import Command, handles
from bot.chat.request import RecentAnswers, Request, SmallPrint, said
from bot.chat.uploads import check_size
from bot.files import write_file
from bot.library.scoping import KnownNames, Scoping
from bot.presentation.attachments import Attacher, short_title
from bot.presentation.i18n import Texts, languages, typed
from bot.presentation.results import Tabled
from bot.presentation.views.answers import draft_view
from bot.presentation.wording.checks import draft_markdown, draft_table, note
from bot.presentation.wording.comparisons import table_blocks
from core.answering.reports.comparisons import Comparison
from core.answering.reports.motions import MotionReport
from core.domain.messages import Attachment, Button, Reply, ReplyFile
from core.domain.rich_text import RichText, small
from core.domain.summaries import Summary, SummaryDraft
from core.errors import Refused

MAX_BYTES = 20_000_000
"""Maximum bytes of a motion's file."""

FILES = (".pdf", ".txt", ".md")
_LONG = "{0,200}"
"""Maximum characters of a quoted name; an unlimited search for its closing mark takes seconds in a long
text."""
_QUOTED = rf"\"[^\"\n]{_LONG}\"|“[^”\n]{_LONG}”|„[^“”\n]{_LONG}[“”]|«[^»\n]{_LONG}»|'[^'\n]{_LONG}'"
_QUOTED_VALUE = re.compile(rf"({_QUOTED})(?=[\s,;]|$)")
_LAST_WITHIN = 300
_MARKS = "\"“”„«»'"
_MOST_OPTIONS = 40
"""Maximum options before and after a motion: each is looked up, and a message has room for thousands."""
_MOST_WORDS = 6
"""Maximum words of a name that is not in quotation marks."""


@cache
def _option_before() -> re.Pattern[str]:
    return re.compile(rf"\s*({_names()})=(?=\S)", re.IGNORECASE)


@cache
def _option_behind() -> re.Pattern[str]:
    return re.compile(rf"(?:^|\s)({_names()})=({_QUOTED}|[^=\n\"“„«]{{1,120}})$", re.IGNORECASE)


def _names() -> str:
    return "|".join((*typed("mover"), *typed("jurisdiction")))


@dataclass(slots=True)
class MotionWords:
    """The motion's text and the options around it, as written."""

    text: str
    movers: list[str] = field(default_factory=list)
    jurisdiction: str | None = None

    def take(self, option: str, value: str) -> None:
        """Record an option; several movers are separated by commas."""
        if option.lower() in typed("jurisdiction"):
            self.jurisdiction = value
        else:
            self.movers += [name.strip() for name in value.split(",") if name.strip()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """A motion to report on. `movers` are canonical names, `jurisdiction` is a code."""

    text: str
    jurisdiction: str
    movers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MotionInput:
    """Reads a motion from a chat's message."""

    comparisons: Comparisons
    scoping: Scoping

    async def read(self, request: Request, rest: str) -> Motion | None:
        """The motion in a message, as text after the command or as its first file; None if it has neither.
        The place is the one named, else the chat's. Raises Refused for a file that cannot be read, for
        unknown parties or places, and if no place is known."""
        said = await self.words(request, rest)
        text = said.text
        if request.message.attachments:
            text = await self._file_text(request, request.message.attachments[0])
        if not text:
            return None
        place = said.jurisdiction or request.state.jurisdiction or request.chat.jurisdiction
        if not place:
            detail = "say where it is moved: jurisdiction=CODE, or set the chat's place"
            raise Refused("motion.no_place", detail)
        names = self._names(request)
        return Motion(
            text=text,
            jurisdiction=names.jurisdiction(place),
            movers=tuple(dict.fromkeys(names.party(name) for name in said.movers)),
        )

    async def words(self, request: Request, rest: str) -> MotionWords:
        """The text and the options around it."""
        return await asyncio.to_thread(motion_words, rest, self._names(request).knows)

    def _names(self, request: Request) -> KnownNames:
        return self.scoping.within(request.chat.collections)

    async def _file_text(self, request: Request, attachment: Attachment) -> str:
        if Path(attachment.name).suffix.lower() not in FILES:
            detail = f"{attachment.name} is no motion that can be read; send a PDF or a text file"
            raise Refused("motion.file", detail, name=attachment.name)
        with TemporaryDirectory(prefix="fundstelle-") as folder:  # nobody needs the file once it is read
            path = await request.stage.fetch(attachment, Path(folder), max_bytes=MAX_BYTES)
            return await self.comparisons.file_text(path)


def motion_words(rest: str, known: Callable[[str], bool]) -> MotionWords:
    """The text and options of `rest`. `known` says whether words are the name of a party or place, which
    shows where a name of several words ends."""
    said = MotionWords(rest.strip())
    for _ in range(_MOST_OPTIONS):
        first = _option_before().match(said.text)
        if first is None:
            break
        value, said.text = _value(said.text[first.end() :], known)
        said.take(first[1], value)
    last: list[tuple[str, str]] = []
    while (found := _last(said.text, len(last))) and not _goes_on(found[2], known):
        last.append((found[1], found[2].strip(_MARKS).strip()))
        said.text = said.text[: found.start()].rstrip()
    for option, value in reversed(last):
        said.take(option, value)
    return said


def _last(text: str, taken: int) -> "re.Match[str] | None":
    return _option_behind().search(text, max(0, len(text) - _LAST_WITHIN)) if taken < _MOST_OPTIONS else None


def _goes_on(value: str, known: Callable[[str], bool]) -> bool:
    """Whether the text after an option is more than a name."""
    if value[0] in _MARKS or known(value) or " " not in value:
        return False
    return any(
        name.rstrip().endswith((".", "!", "?")) or len(name.split()) > _MOST_WORDS
        for name in value.split(",")
    )


def _value(text: str, known: Callable[[str], bool], most: int = _MOST_OPTIONS) -> tuple[str, str]:
    """The value at the beginning of `text`, and the rest: a quoted text, else the longest known name, else a
    word; further ones after commas."""
    if quoted := _QUOTED_VALUE.match(text):
        value, rest = quoted[1].strip(_MARKS), text[quoted.end() :]
    else:
        value, rest = _unquoted(text, known)
    if most > 1 and rest.lstrip().startswith(",") and known(value):
        more, rest = _value(rest.lstrip()[1:].lstrip(), known, most - 1)
        value = f"{value}, {more}"
    return value, rest.lstrip(" ;\t\n")


def _unquoted(text: str, known: Callable[[str], bool]) -> tuple[str, str]:
    line = text.split("\n", 1)[0]
    ends = [match.end() for match in islice(re.finditer(r"\S+", line), _MOST_WORDS)]
    for end in reversed(ends):
        name = line[:end].rstrip(",;:.")
        if "," not in name and known(name):
            return name, text[len(name) :].lstrip(":.")
    first = re.match(r"[^\s,;]+", text)
    return (first[0], text[first.end() :]) if first else ("", text)


MORE = "+"
"""Typed before the topic of a comparison or motion: all quotes, or all parties."""

LONGEST_BUTTON = 64
"""Maximum bytes of a button's command on every platform (Telegram's callback data)."""


@dataclass(frozen=True, slots=True)
class ComparisonCommands:
    """The commands that compare parties or places."""

    comparisons: Comparisons
    motions: MotionInput
    attacher: Attacher
    recent: RecentAnswers
    small_print: SmallPrint

    @handles("compare")
    async def _compare(self, request: Request, command: Command) -> Reply:
        """The text decides who is compared; a party set for the chat does not count here."""
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
        """A comparison of those named in `question`, else of all parties (`without` those already quoted),
        for the place given with it as `jurisdiction=PLACE`; `more`: all quotes. The bot's own words are in
        the chat's language, else in `language`, else in the question's. Raises Refused if there are fewer
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
        """`request` with the bot's own words in the language of its report: a message is in one language."""
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
    """The unknown name in a list like "rents, Riverside Party, Nobody": it follows a topic and a known name.
    Empty if there is none."""
    joining = "|".join(Texts(language)("answer.and") for language in languages())
    topic, *listed = (each.strip() for each in re.split(rf",|\s(?:{joining})\s", text))
    if knows(topic) or "," not in text:
        return ""
    after = dropwhile(lambda each: not knows(each), listed)
    return next((each for each in after if each and not knows(each)), "")


def _with_more(content: Reply, request: Request, question: str, count: int) -> Reply:
    """How to get the further quotes: by a button, or by a line to type if there are no buttons or the command
    is too long for one."""
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
