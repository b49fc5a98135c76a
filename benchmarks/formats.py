"""Other formats: are the sentences of generated documents found, and highlighted, after they became PDFs?

    python -m benchmarks.formats [--documents 10] [--seed 1]

Documents are generated with headings, paragraphs of German and English words, numbers and symbols, and are
written as DOCX, ODT, HTML and Markdown. Every sentence is looked for word for word in the pages read
(`found`), and marked there (`highlighted`: the toolkit has read the words under the marks back). With
LibreOffice installed, DOCX is converted by it as well.
"""

import argparse
import asyncio
import os
import platform
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from adapters.conversion.converter import DocumentConverter, Office
from adapters.files.originals import FileOriginals
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Box, DocumentReading, Page, Word
from core.evidence.skeleton import skeleton
from core.library.formats import FileReader
from tests.support.office_files import docx, html, odt

Blocks = Sequence[tuple[str, str]]
WORDS = """
Gemeinde Straße Übergang Wohnung fünf Prozent Steuer öffentliche Förderung jährlich
der die das und für mit ohne council housing shall levy annual within public transport
clean water the of and for at least not more than § 3 Abs. 2 1.250,50 € 12,5 %
(vorläufig) „Zukunft“ – Müll & Abwasser R&D <Anlage> 2026/27 co-operation
""".split()  # noqa: SIM905 - read as text


def blocks(dice: random.Random) -> Blocks:
    """A document of headings and paragraphs of sentences."""
    made: list[tuple[str, str]] = []
    for section in range(dice.randint(3, 8)):
        made.append(("Heading1", f"{section + 1}. {' '.join(dice.choices(WORDS[:10], k=3))}"))
        for _ in range(dice.randint(2, 5)):
            made.append(("", " ".join(sentence(dice) for _ in range(dice.randint(2, 6)))))
    return made


def sentence(dice: random.Random) -> str:
    """Ten to thirty words that end in a number of their own."""
    return f"{' '.join(dice.choices(WORDS, k=dice.randint(10, 30)))} {dice.randrange(10**6)}."


def markdown(parts: Blocks) -> bytes:
    """The same as Markdown, what would be markup escaped."""
    escaped = ((style, text.replace("<", "\\<").replace("&", "\\&")) for style, text in parts)
    return "\n\n".join(f"# {text}" if style else text for style, text in escaped).encode()


def run_of(pages: Sequence[Page], text: str) -> tuple[Page, list[Word]] | None:
    """The words of `text`, one after the other, on one of `pages`."""
    wanted = [skeleton(word) for word in text.split() if skeleton(word)]
    for page in pages:
        words = [word for word in page.words if skeleton(word.text)]
        texts = [skeleton(word.text) for word in words]
        for at in (at for at, first in enumerate(texts) if first == wanted[0]):
            if texts[at : at + len(wanted)] == wanted:
                return page, words[at : at + len(wanted)]
    return None


def lines(words: Sequence[Word]) -> list[Box]:
    """A box for each line of the words."""
    found: dict[tuple[int, int], list[Box]] = {}
    for word in words:
        found.setdefault((word.block, word.line), []).append(word.box)
    return [
        Box(min(b.x0 for b in row), min(b.y0 for b in row), max(b.x1 for b in row), max(b.y1 for b in row))
        for row in found.values()
    ]


async def score(
    kit: PyMuPdfToolkit, shown: Path, reading: DocumentReading, sentences: Sequence[str]
) -> tuple[int, int]:
    """How many sentences are found, and highlighted."""
    pages = [item.page for item in reading.pages]
    found = marked = 0
    for text in sentences:
        match = run_of(pages, text)
        if match is not None:
            page, words = match
            found += 1
            expected = [word.text for word in words]
            made = await kit.highlighted_page(shown, page.number, lines(words), expected=expected)
            marked += made.marked
    return found, marked


async def measure(
    name: str, ending: str, write: Callable[[Blocks], bytes], office: Office | None, count: int, seed: int
) -> str:
    """A row of the table."""
    dice, kit = random.Random(seed), PyMuPdfToolkit(workers=1)
    total = found = marked = across = 0
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        originals = FileOriginals(Path(folder) / "originals")
        reader = FileReader(kit, originals, converter=DocumentConverter(office))
        for number in range(count):
            parts = blocks(dice)
            path = Path(folder) / f"{number}.{ending}"
            path.write_bytes(write(parts))
            started = time.perf_counter()
            seen = await originals.inspect(path)
            read = await reader.read(path, seen, name=path.name, max_pages=None, steps=_silent)
            seconds += time.perf_counter() - started
            sentences = [text for style, text in parts if not style]
            whole = [part + "." for text in sentences for part in text[:-1].split(". ") if len(part) > 60]
            ends = {id(text): run_of([item.page for item in read.reading.pages], text) for text in whole}
            split = [text for text in whole if ends[id(text)] is None and _runs_over(read.reading, text)]
            shown = await originals.pages(seen.original)
            assert shown is not None
            got = await score(kit, shown, read.reading, whole)
            total, found, marked = total + len(whole) - len(split), found + got[0], marked + got[1]
            across += len(split)
    await kit.close()
    return (
        f"{name:<20} {count:>9} {total:>9} {across:>11} {found / total:>6.3f} {marked / total:>11.3f} "
        f"{seconds / count:>7.1f}"
    )


def _runs_over(reading: DocumentReading, text: str) -> bool:
    """Whether it stands there over a page break: quotes may, but these are not marked here."""
    everything = "".join(skeleton(item.page.text) for item in reading.pages)
    return skeleton(text) in everything


def _silent(*_: object) -> None:
    """Progress that nobody watches."""


async def main(count: int, seed: int) -> None:
    """Print the table."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, {datetime.now(UTC):%F}")
    print("format               documents sentences over a break  found highlighted  s/file")
    rows: list[tuple[str, str, Callable[[Blocks], bytes], Office | None]] = [
        ("DOCX", "docx", docx, None),
        ("ODT", "odt", odt, None),
        ("HTML", "html", html, None),
        ("Markdown", "md", markdown, None),
    ]
    if Office().installed:
        rows.append(("DOCX, LibreOffice", "docx", docx, Office()))
    for name, ending, write, office in rows:
        print(await measure(name, ending, write, office, count, seed), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asyncio.run(main(options.documents, options.seed))
