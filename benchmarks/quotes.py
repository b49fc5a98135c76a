"""What benchmarks of quotes share: documents, random passages, and what comparable systems do."""

import platform
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import pymupdf

from core.domain.pages import Box, Page, Word
from core.domain.passages import Span
from core.evidence.index import DocumentIndex
from core.library.furniture import mark_furniture
from examples.build import build

FOLDERS = {"manifestos": "de", "statutes": "en"}


@dataclass(frozen=True)
class Paper:
    """A document and its language."""

    path: Path
    language: str
    pages: tuple[Page, ...] = field(repr=False)

    @cached_property
    def index(self) -> DocumentIndex:
        """The whole document's."""
        return DocumentIndex(self.pages)

    @cached_property
    def words(self) -> str:
        """All words by single spaces, case folded: what the usual way looks in."""
        return f" {' '.join(usual_words(' '.join(page.text for page in self.pages)))} "


@dataclass(frozen=True)
class Drawn:
    """A random passage: neighbouring words of one page."""

    paper: Paper
    page: Page
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """As a reader writes it down."""
        return " ".join(word.text for word in self.words)

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.page.number, self.words[0].start, self.words[-1].end)


def papers(data: Path, *, at_most: int = 1000) -> list[Paper]:
    """The documents of `data` that have a text layer, furniture marked."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    found = []
    for folder, language in FOLDERS.items():
        for path in sorted((data / folder).glob("*.pdf"))[:at_most]:
            own = "de" if path.name.startswith("de_") else language
            found.append(Paper(path, own, mark_furniture(read(path))))
    return found


def example_papers(folder: Path) -> list[Paper]:
    """The documents of the example library, which is built into `folder`."""
    registry = tomllib.loads(build(folder).read_text(encoding="utf-8"))
    return [
        Paper(folder / item["file"], item["language"], mark_furniture(read(folder / item["file"])))
        for item in registry["document"]
    ]


def read(path: Path) -> tuple[Page, ...]:
    """Words and boxes as PyMuPDF yields them."""
    with pymupdf.open(path) as document:
        return tuple(_page(page) for page in document)


def _page(source: pymupdf.Page) -> Page:
    source.remove_rotation()
    words: list[Word] = []
    text, before = "", (-1, -1)
    for x0, y0, x1, y1, written, block, line, _ in source.get_text("words", sort=False):
        if words:
            text += " " if before == (block, line) else "\n" if before[0] == block else "\n\n"
        start = len(text)
        text += written
        words.append(
            Word(text=written, start=start, end=len(text), box=Box(x0, y0, x1, y1), block=block, line=line)
        )
        before = (block, line)
    width, height = source.rect.width, source.rect.height
    return Page(
        number=source.number + 1,
        label=None,
        width=width,
        height=height,
        rotation=0,
        text=text,
        words=tuple(words),
    )


def draw(
    chance: random.Random, papers: Sequence[Paper], *, words: tuple[int, int] = (20, 80)
) -> Iterator[Drawn]:
    """Random passages without end: every document equally often, body words only, whole words only."""
    while True:
        paper = chance.choice(papers)
        page = chance.choice(paper.pages)
        body = [word for word in page.words if word.is_text]
        length = chance.randint(*words)
        if len(body) < length + 2:
            continue
        at = chance.randrange(len(body) - length)
        drawn = tuple(body[at : at + length])
        if any(c.isalpha() for c in drawn[0].text) and sum(c.isalpha() for w in drawn for c in w.text) > 60:
            yield Drawn(paper, page, drawn)


def usual_words(text: str) -> list[str]:
    """Words as the usual way compares them: letters and digits, case folded."""
    return re.findall(r"\w+", text.casefold())


def usual_accepts(quote: str, paper: Paper) -> bool:
    """The usual rule: the whole quote or any 5 of its words in a row stand in the document."""
    words = usual_words(quote)
    runs = (words[i : i + 5] for i in range(max(len(words) - 4, 1)))
    return any(f" {' '.join(run)} " in paper.words for run in runs)


def heading(title: str) -> str:
    """Title, machine and date."""
    return f"{title}\n{platform.machine()}, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}"
