"""Checks a user's own text, such as a speech or a leaflet: every quotation in it, and every "page N of X
says"."""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.answers.alleged import claimed_places
from bot.answers.questions import Questions
from bot.library.scoping import ScopeOptions
from bot.presentation.results import DraftItem, DraftReport
from core.answering.quote_check import QuoteCheck
from core.answering.quote_places import Claimed
from core.domain.answers import Verdict
from core.domain.pages import PageNote
from core.errors import FundstelleError, Refused
from core.evidence.marks import marks
from core.evidence.text import legible
from core.language.identification import detect
from core.language.patterns import pattern
from core.language.sentences import sentences
from core.library.cutting import Draft, draft_of
from core.library.formats import FileReader
from core.ports.files import Commenter
from core.ports.pdf import PdfToolkit
from core.ports.storage import Originals
from core.registry.attribution import says
from core.registry.quotations import Paragraph, Quotation, quotations

MOST_PAGES, MOST_QUOTATIONS = 300, 300
"""Maximum pages read, and quotations checked; the others are counted."""

_LEAST_STATED = 3
"""Minimum words of an alleged statement of a page."""

_THAT = pattern(r",?\s*\b(?:{voices.that})\b['’]?\s*|:\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """Checks drafts. `originals_in` keeps files made from them in a folder that is deleted once they are
    read; `own` reads the formats that need no office program, since that loses set-off quotations."""

    questions: Questions
    own: FileReader
    files: FileReader
    originals_in: Callable[[Path], Originals]
    pdf: PdfToolkit
    commenter: Commenter

    async def check(self, path: Path, options: ScopeOptions, *, name: str = "") -> DraftReport:
        """The checks of the file at `path`, known as `name`. Raises Refused for a file that cannot be read,
        and for unknown places, parties, collections or documents to look in."""
        name = name or path.name
        draft = await self._read(path, name)
        found = await _found(draft)
        looked_at = found[:MOST_QUOTATIONS]
        checks = await self.questions.verify_each(looked_at, options)
        items = [_item(draft, *each) for each in zip(looked_at, checks, strict=True)]
        listed = [each for each in items if each.check is None or not _is_mere(each.quotation, each.check)]
        kept = tuple(replace(each, number=number) for number, each in enumerate(listed, start=1))
        return DraftReport(file=name, draft=draft, items=kept, omitted=len(found) - len(looked_at))

    async def annotated(
        self, path: Path, report: DraftReport, notes: Sequence[str], markdown: str
    ) -> tuple[bytes, str]:
        """The file with `notes` on each item, and its extension: comments in a Word file, notes in a PDF, for
        any other file the report in `markdown`. Raises Refused."""
        ending = Path(report.file).suffix.lower()
        if ending == ".docx":
            notes_by_words = [
                (item.quotation.words, note) for item, note in zip(report.items, notes, strict=True)
            ]
            return await self.commenter.commented(path, notes_by_words), ending
        if ending == ".pdf":
            return await self.pdf.noted(path, [*_page_notes(report, notes)]), ending
        return markdown.encode(), ".md"

    async def _read(self, path: Path, name: str) -> Draft:
        with TemporaryDirectory(prefix="fundstelle-") as folder:
            originals = self.originals_in(Path(folder))
            seen = await originals.keep(path)
            for files in (self.own, self.files):
                try:
                    read = await replace(files, originals=originals).read(
                        path, seen, name=name, max_pages=MOST_PAGES, steps=lambda *_: None
                    )
                    break
                except Refused as refused:
                    if refused.key != "file.needs_office" or files is self.files:
                        raise
        return draft_of(read.reading.pages)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuotation:
    """A quotation from `start` to `end` (exclusive) of a text, its marks included; `said` are its words. It
    has either `check` or `error`."""

    start: int
    end: int
    said: str
    check: QuoteCheck | None = None
    error: FundstelleError | None = None


async def checked_draft(questions: Questions, text: str, options: ScopeOptions) -> list[CheckedQuotation]:
    """All quotations in a plain `text`, in order; its lines are paragraphs. Raises Refused for too many, and
    like `Questions.verify` for `options`."""
    lines = [Paragraph(each.start(), each.end()) for each in re.finditer(r"[^\n]+", text)]
    found = await asyncio.to_thread(quotations, text, lines)
    if len(found) > MOST_QUOTATIONS:
        detail = f"the text has {len(found)} quotations; send parts with {MOST_QUOTATIONS} at most"
        raise Refused("text.too_large", detail)
    checked = await questions.verify_each(found, options)
    return [
        CheckedQuotation(start=each.start, end=each.end, said=each.words, error=check)
        if isinstance(check, Refused)
        else CheckedQuotation(start=each.start, end=each.end, said=each.words, check=check)
        for each, check in zip(found, checked, strict=True)
        if isinstance(check, Refused) or not _is_mere(each, check)
    ]


async def _found(draft: Draft) -> list[Quotation]:
    """The quotations and statements, in order."""
    return await asyncio.to_thread(lambda: sorted(_all(draft), key=lambda each: each.start))


def _all(draft: Draft) -> Iterator[Quotation]:
    found = quotations(draft.text, draft.paragraphs)
    yield from (
        replace(each, words=legible(each.words), before=legible(each.before), behind=legible(each.behind))
        for each in found
    )
    for paragraph in draft.paragraphs:
        if not paragraph.set_off:
            yield from _stated(draft.text, paragraph.start, paragraph.end, found)


def _stated(text: str, first: int, last: int, found: Sequence[Quotation]) -> Iterator[Quotation]:
    """Statements without quotation marks about what a page says."""
    statement = text[first:last]
    if claimed_places(statement).pages is None:
        return
    for start, end in sentences(statement, detect(statement)[0]):
        sentence = statement[start:end]
        if any(each.start < first + end and first + start < each.end for each in found):
            continue
        for before, words, at in _parts(sentence):
            if claimed_places(before).pages and says(before) and len(words.split()) >= _LEAST_STATED:
                begin = first + start + at
                yield Quotation(
                    start=begin, end=begin + len(words), words=words, before=before, statement=True
                )
                break


def _parts(sentence: str) -> Iterator[tuple[str, str, int]]:
    """The ways to split a sentence into attribution and statement, and where the statement begins."""
    if that := _THAT().search(sentence):
        yield sentence[: that.start()], sentence[that.end() :].rstrip(" .!"), that.end()
    words, comma, after = sentence.rpartition(", ")
    if comma:
        yield after, words, 0


def _is_mere(quotation: Quotation, check: QuoteCheck) -> bool:
    """Whether nothing is alleged: a word or two in quotation marks without a named source or page."""
    if not quotation.is_short:
        return False
    claimed = check.claimed
    placed = claimed.page or claimed.sections or claimed.documents
    led = quotation.before.endswith(":") or quotation.signed
    return not (placed or (led and claimed != Claimed())) and check.verdict is Verdict.TOO_SHORT


def _item(draft: Draft, quotation: Quotation, check: QuoteCheck | Refused) -> DraftItem:
    spans = draft.spans(quotation.start, quotation.end)
    error = check if isinstance(check, Refused) else None
    return DraftItem(
        number=0,
        quotation=quotation,
        page=spans[0].page if spans else 1,
        check=None if isinstance(check, Refused) else check,
        error=error,
    )


def _page_notes(report: DraftReport, notes: Sequence[str]) -> Iterator[PageNote]:
    pages = {page.number: page for page in report.draft.pages}
    for item, text in zip(report.items, notes, strict=True):
        spans = report.draft.spans(item.quotation.start, item.quotation.end)
        for number in dict.fromkeys(span.page for span in spans):
            boxes, _ = marks(pages[number], spans)
            yield PageNote(page=number, boxes=tuple(boxes), text=text, warns=not item.stands)
