"""Pictures shown to the bot, such as posters: their text is recognised and checked."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.answers import Verdict
from core.domain.messages import Attachment
from core.library.formats import FileReader
from core.ports.storage import Originals

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".tif", ".tiff", ".bmp")
VOICES = (".ogg", ".oga", ".opus", ".m4a", ".mp3", ".wav", ".aac")
MOST_BYTES = 10_000_000
LEAST_SURE = 0.2
"""Minimum mean confidence of text read from a picture: misread text is in no document."""

MOST_SENTENCES, MOST_STARTS = 3, 3
LEAST_WORDS = 4
"""Minimum words of a sentence to check: fewer are a name or a slogan."""

BEST = (Verdict.VERBATIM, Verdict.TYPO, Verdict.NEAR, Verdict.CUT, Verdict.REPORTED, Verdict.MISATTRIBUTED)
"""Verdicts on where a sentence may begin, best first; all others rank lower."""

_ENDS = re.compile(r"[.!?…][\"'“”»«’)]*$")
_BEGINS = re.compile(r"[\"'„“«»(]*[A-ZÄÖÜÉÈÀ0-9]")


def is_picture(attachment: Attachment) -> bool:
    """Whether a file is a picture, by its name."""
    return attachment.name.lower().endswith(PICTURES)


def is_voice(attachment: Attachment) -> bool:
    """Whether a file is a voice recording, by its name."""
    return attachment.name.lower().endswith(VOICES)


@dataclass(frozen=True, slots=True)
class PictureReader:
    """Reads the text in pictures. `originals_in` keeps files made from them in a folder."""

    files: FileReader
    originals_in: Callable[[Path], Originals]

    async def words(self, path: Path) -> str:
        """The text in the picture at `path`, line by line; "" if nothing can be read. Raises Refused."""
        originals = self.originals_in(path.parent / "read")
        seen = await originals.keep(path)
        scans = self.files.scans and replace(self.files.scans, min_confidence=LEAST_SURE)
        reader = replace(self.files, originals=originals, scans=scans)
        read = await reader.read(path, seen, name=path.name, max_pages=1, steps=lambda *_: None)
        return "\n".join(page.page.text.strip() for page in read.reading.pages).strip()


def sentences_on(text: str) -> list[Sequence[str]]:
    """The longest sentences of recognised `text`, in order, each in its possible readings: a line above it
    may be a title, so its beginning is uncertain."""
    found = [read for lines in _ending(text) if (read := [*_readings(lines)])]
    longest = sorted(found, key=lambda each: len(each[0]), reverse=True)[:MOST_SENTENCES]
    return [each for each in found if each in longest]


def _ending(text: str) -> Iterator[list[str]]:
    """The lines of `text` up to each that ends a sentence."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        lines.append(line)
        if _ENDS.search(line):
            yield lines
            lines = []
    yield lines


def _readings(lines: Sequence[str]) -> Iterator[str]:
    """The tails of `lines` that begin where a sentence may begin."""
    starts = [number for number, line in enumerate(lines) if _BEGINS.match(line)][:MOST_STARTS]
    for start in starts:
        joined_text = re.sub(r"(?<=\w)-\n(?=[a-zäöü])", "", "\n".join(lines[start:])).replace("\n", " ")
        if len(joined_text.split()) >= LEAST_WORDS:
            yield joined_text
