"""Ports for files other than PDFs with text: scans and other formats, also by plug-ins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.domain.pages import Orientation, PageLayer, RecognisedText


class PagePictures(Protocol):
    """Renders pages as pictures and adds the text found in them to the PDF; in contained processes."""

    async def picture(self, path: Path, page: int, *, dpi: int, turn: int = 0) -> bytes:
        """Greyscale PNG of 1-based `page` of the PDF `path` as displayed, rotated by `turn` degrees
        clockwise, and deskewed if it was scanned at an angle. Raises Refused."""

    async def with_layers(self, path: Path, layers: Mapping[int, PageLayer]) -> bytes:
        """The PDF `path` with each page in `layers` (1-based) replaced by a colour picture under its text;
        the other pages are unchanged. Raises Refused."""


class TextRecogniser(Protocol):
    """Finds the text in the picture of a page (OCR), in contained processes."""

    async def name(self) -> str:
        """Program, version and languages. Raises Refused, saying what to install if something is missing."""

    async def recognise(self, picture: bytes, *, dpi: int) -> RecognisedText:
        """The text of a PNG of `dpi` dots per inch. Raises Refused."""

    async def orientation(self, picture: bytes, *, dpi: int) -> Orientation:
        """The orientation of the text in such a PNG. Raises Refused."""


class LineRecogniser(Protocol):
    """Reads lines of text in a picture, in contained processes."""

    async def lines(self, picture: bytes) -> str:
        """The text of a PNG that contains only lines of text. Raises Refused."""


class WarnedPdf(bytes):
    """A PDF made by a converter, with warnings about it: message keys with counts."""

    warnings: tuple[tuple[str, int], ...] = ()


class Converter(Protocol):
    """Converts files of other formats to PDF, in contained processes."""

    async def convert(self, path: Path, kind: str, name: str) -> bytes:
        """The PDF of the file at `path`. `kind` is `StoredFile.kind`; a file's content determines its kind;
        only plain texts are distinguished by the extension of `name`. May return a `WarnedPdf`. Raises
        Refused."""


class Commenter(Protocol):
    """Puts comments into Word files, in contained processes."""

    async def commented(self, path: Path, notes: Sequence[tuple[str, str]]) -> bytes:
        """The file at `path` with a comment for each of `notes`: words of its text, in order, with the
        comment on them. Words that are not in it are commented on at its beginning. Raises Refused."""


class VirusScanner(Protocol):
    """Looks for malicious content in files."""

    async def infection(self, path: Path) -> str | None:
        """What was found in the file at `path`, None if nothing. Raises Unavailable if that cannot be
        determined."""

    async def version(self) -> str:
        """Program and signatures. Raises Unavailable."""


class Quarantine(Protocol):
    """Files set aside for an operator to inspect."""

    async def keep(self, path: Path, *, name: str, reason: str) -> str:
        """Set aside a copy of the file at `path` under `name`; returns its location. Raises Broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginContext:
    """What a plug-in is constructed with. `options` come from its table `[plugins.options.NAME]`; `folder` is
    its own folder in the data folder and may not exist yet; `threads` is the number of processor cores it may
    use."""

    name: str
    options: Mapping[str, str]
    folder: Path
    threads: int


class ConverterPlugin(Converter, Protocol):
    """Converts files with certain extensions to PDF, taking precedence over the built-in readers. It runs in
    this process: one that reads files from strangers has to contain itself."""

    @property
    def endings(self) -> frozenset[str]:
        """File name extensions in lower case, with the dot."""
