"""The ports of files that are no PDF with text: scans and other formats."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from core.domain.pages import Orientation, PageLayer, RecognisedText


class PagePictures(Protocol):
    """Pages as pictures, and the way back of the text found in them; in contained processes."""

    async def picture(self, path: Path, page: int, *, dpi: int, turn: int = 0) -> bytes:
        """PNG in grey of 1-based `page` of the PDF `path` as it is shown, turned by `turn` degrees clockwise,
        its lines made level if it was scanned askew. Raises Refused."""
        ...

    async def with_layers(self, path: Path, layers: Mapping[int, PageLayer]) -> bytes:
        """The PDF `path`, its pages that are keys of `layers` (1-based) as such pictures in colour, with the
        text over them; the others as they are. Raises Refused."""
        ...


class TextRecogniser(Protocol):
    """Finds the text in the picture of a page (OCR), in contained processes."""

    async def name(self) -> str:
        """Program, version and languages. Raises Refused, saying what to install, if something is missing."""
        ...

    async def recognise(self, picture: bytes, *, dpi: int) -> RecognisedText:
        """The text of a PNG of `dpi` dots per inch. Raises Refused."""
        ...

    async def orientation(self, picture: bytes, *, dpi: int) -> Orientation:
        """How the text of such a PNG lies. Raises Refused."""
        ...


class LineRecogniser(Protocol):
    """Reads lines of text in a picture, in contained processes."""

    async def lines(self, picture: bytes) -> str:
        """The text of a PNG that holds nothing but lines of text. Raises Refused."""
        ...


class WarnedPdf(bytes):
    """A PDF that a converter made and of which something is to be said: message keys with counts."""

    warnings: tuple[tuple[str, int], ...] = ()


class Converter(Protocol):
    """Makes PDFs of files of other formats, in contained processes."""

    async def convert(self, path: Path, kind: str, name: str) -> bytes:
        """The PDF of the file at `path`. `kind` is `StoredFile.kind`; its content says what a file is, only
        plain texts are told apart by the ending of `name`. May be a `WarnedPdf`. Raises Refused."""
        ...


class VirusScanner(Protocol):
    """Looks for malicious content in files."""

    async def infection(self, path: Path) -> str | None:
        """What was found in the file at `path`, None if nothing. Raises Unavailable if nobody can tell."""
        ...

    async def version(self) -> str:
        """Program and signatures. Raises Unavailable."""
        ...


class Quarantine(Protocol):
    """Files set aside until an operator has looked at them."""

    async def keep(self, path: Path, *, name: str, reason: str) -> str:
        """Set a copy of the file at `path` aside, known as `name`; returns where it lies. Raises Broken."""
        ...
