"""One-page PDFs and previews of an answer's citations, and names of files made for people."""

import asyncio
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.files import write_file
from bot.presentation.i18n import Texts, languages
from core.domain.answers import Citation
from core.domain.documents import DocumentFields, Edition
from core.domain.pages import Box, HighlightedPage, Page, SheetSide
from core.domain.passages import PassageKind, Picture, Span
from core.domain.rich_text import Table
from core.errors import Broken, Refused
from core.evidence.marks import marks
from core.language.identification import detect
from core.ports.library import Library
from core.ports.pdf import PdfToolkit
from core.ports.storage import Originals

TRUSTED = "public"
"""Pages of every other collection are sent as pictures, which contain only what is visible."""

STRIP_PIXELS, THUMBNAIL_PIXELS = 1000, 320
"""Width of the picture of a quote, and of a file's thumbnail: Telegram accepts 320 at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """Files of one citation: a PDF per page, the preview of the first, whether all marks were read back, and
    the picture of the figure if one is cited."""

    pages: tuple[Path, ...]
    preview: Path | None
    checked: bool
    figure: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files worth looking at: the pages, and the figure."""
        return self.pages if self.figure is None else (*self.pages, self.figure)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFile:
    """A page with all its quotes marked; `labels` name the quotes, `printed` is its printed number, `figures`
    are the pictures of those that are figures, by label."""

    labels: tuple[str, ...]
    edition: Edition
    page: int
    printed: str | None
    path: Path
    thumbnail: Path | None
    checked: bool
    figures: tuple[tuple[str, Path], ...] = ()


class Attacher:
    """Writes the cited pages, with the quotes highlighted."""

    def __init__(self, *, library: Library, originals: Originals, pdf: PdfToolkit) -> None:
        self._library = library
        self._originals = originals
        self._pdf = pdf

    async def attach(
        self, citations: Sequence[Citation], folder: Path | None, *, prefix: str = "", previews: bool = True
    ) -> dict[str, Attached]:
        """Files of `citations` in `folder`, by label; none without a folder. Raises Broken if the folder
        cannot be written."""
        if folder is None:
            return {}
        make_folder(folder)
        found = await asyncio.gather(*(self._files(item, folder, prefix, previews) for item in citations))
        return dict(zip((item.label for item in citations), found, strict=True))

    async def _files(self, citation: Citation, folder: Path, prefix: str, previews: bool) -> Attached:
        stem = f"{prefix}{citation.label}-{short_title(citation.edition.document.fields.title)}"
        made = await asyncio.gather(
            *(
                self.page(citation.edition, page, citation.quote.spans, citation.carrying)
                for page in citation.quote.pages
            )
        )
        paths = tuple(folder / f"{stem}-p{page}.pdf" for page in citation.quote.pages)
        for path, page in zip(paths, made, strict=True):
            await asyncio.to_thread(write_file, path, page.pdf)
        preview = paths[0].with_suffix(".png") if previews else None
        if preview is not None:
            await asyncio.to_thread(write_file, preview, await self._pdf.preview(made[0].pdf))
        figure = await self._figure(citation, folder, prefix)
        checked = all(page.checked for page in made)
        return Attached(pages=paths, preview=preview, checked=checked, figure=figure)

    async def _figure(self, citation: Citation, folder: Path, prefix: str = "") -> Path | None:
        """The picture of the figure whose caption `citation` quotes, as a file; None if it is not a figure,
        or no picture can be made: the page shows it all the same."""
        picture = await self._picture(citation)
        if picture is None:
            return None
        try:
            made = await self._pdf.cutout(await self._whole(citation.edition), picture)
        except Refused:
            return None
        title = short_title(citation.edition.document.fields.title)
        path = folder / f"{prefix}{title}-p{picture.page}-{citation.label}.png"
        await asyncio.to_thread(write_file, path, made)
        return path

    async def _picture(self, citation: Citation) -> Picture | None:
        """The position of the figure in the cited version."""
        if citation.kind is not PassageKind.FIGURE or citation.passage is None:
            return None
        for passage in await self._library.passages([citation.passage]):
            if passage.version == citation.edition.version.id:
                return passage.picture
        return None

    async def merged(
        self,
        citations: Sequence[Citation],
        folder: Path,
        *,
        first: int = 0,
        limit: int,
        thumbnails: bool = False,
    ) -> list[PageFile]:
        """The pages of `citations`, each once, in the order cited: `limit` of them from the `first` on
        (0-based). Raises Broken if the folder cannot be written."""
        wanted = pages_of(citations)[first : first + limit]
        if wanted:
            make_folder(folder)
        return list(await asyncio.gather(*(self._page_file(cited, folder, thumbnails) for cited in wanted)))

    async def _page_file(self, cited: "CitedPage", folder: Path, thumbnails: bool) -> PageFile:
        made = await self.page(cited.edition, cited.page, cited.spans, cited.carrying)
        stem = f"{'-'.join(cited.labels)}-{short_title(cited.edition.document.fields.title)}-p{cited.page}"
        path = folder / f"{stem}.pdf"
        await asyncio.to_thread(write_file, path, made.pdf)
        thumbnail = await self.strip(path, THUMBNAIL_PIXELS) if thumbnails else None
        figures = [(item.label, await self._figure(item, folder)) for item in cited.figures]
        return PageFile(
            labels=cited.labels,
            edition=cited.edition,
            page=cited.page,
            printed=cited.printed,
            path=path,
            thumbnail=thumbnail,
            checked=made.checked,
            figures=tuple([(label, path) for label, path in figures if path is not None]),
        )

    async def strip(self, page: Path, pixels: int = STRIP_PIXELS) -> Path:
        """A picture of the highlighted part of a finished page, beside its file."""
        made = await self._pdf.strip(await asyncio.to_thread(page.read_bytes), pixels=pixels)
        path = page.with_name(f"{page.stem}-{pixels}.jpg")
        await asyncio.to_thread(write_file, path, made)
        return path

    async def page(
        self, edition: Edition, number: int, spans: Sequence[Span], carrying: Sequence[Span] = ()
    ) -> HighlightedPage:
        """The one-page PDF of page `number` with the parts of `spans` on it marked, `carrying` darker; marks
        are in the order of `spans`, since pictures of the page begin at the first. Raises
        Refused("pages.unreadable") if the kept file is lost or damaged."""
        page = await self._library.page(edition.version.id, number)
        page_spans = [span for span in spans if span.page == number]
        boxes, words = marks(page, page_spans) if page is not None else ([], [])
        darker, strong = marks(page, carrying) if page is not None else ([], [])
        return await self._pdf.highlighted_page(
            await self._whole(edition),
            number,
            _first(boxes, page, page_spans),
            expected=words,
            darker=_first(darker, page, carrying) if strong != words else (),
            raster=edition.document.collection != TRUSTED,
        )

    async def _whole(self, edition: Edition) -> Path:
        """The PDF with the pages of `edition`; never one of other bytes."""
        path = await self._originals.pages(edition.version.original)
        if path is None:
            title = edition.document.fields.title
            detail = f"the kept file of {title} is lost or damaged; see fundstelle doctor"
            raise Refused("pages.unreadable", detail, title=title)
        return path

    async def table(self, table: Table, folder: Path, stem: str) -> Path:
        """The table as a PDF in `folder`. Raises Broken if it cannot be written."""
        make_folder(folder)
        file = folder / f"{stem}.pdf"
        try:
            await asyncio.to_thread(write_file, file, await self._pdf.table(table))
        except OSError as error:
            detail = f"cannot write {file}: {error}; choose another --out"
            raise Broken("out.unwritable", detail) from error
        return file

    async def sheet(self, sides: Sequence[SheetSide]) -> bytes:
        """A sheet with one-page PDFs side by side."""
        return await self._pdf.sheet(sides)


def _first(boxes: Sequence[Box], page: Page | None, spans: Sequence[Span]) -> list[Box]:
    """The marks of `spans` in the order of the page, except that those of the first one come first."""
    if page is None:
        return list(boxes)
    first, _ = marks(page, spans[:1])
    return sorted(boxes, key=lambda box: not any(_meet(box, each) for each in first))


def _meet(one: Box, other: Box) -> bool:
    across = one.x0 < other.x1 and other.x0 < one.x1
    return across and one.y0 < other.y1 and other.y0 < one.y1


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPage:
    """A page with everything that is quoted from it; `figures` are those whose caption begins on it."""

    edition: Edition
    page: int
    labels: tuple[str, ...]
    spans: tuple[Span, ...]
    printed: str | None = None
    carrying: tuple[Span, ...] = ()
    figures: tuple[Citation, ...] = ()


def pages_of(citations: Sequence[Citation]) -> list[CitedPage]:
    """The pages of `citations`, each once, in the order cited."""
    found: dict[tuple[str, int], CitedPage] = {}
    for item in citations:
        for at, number in enumerate(item.quote.pages):
            key = (item.edition.version.id, number)
            known = found.get(key) or CitedPage(edition=item.edition, page=number, labels=(), spans=())
            begins = item.kind is PassageKind.FIGURE and number == item.quote.pages[0]
            found[key] = replace(
                known,
                printed=item.printed_labels[at] if at < len(item.printed_labels) else known.printed,
                figures=(*known.figures, item) if begins else known.figures,
                labels=tuple(dict.fromkeys((*known.labels, item.label))),
                spans=(*known.spans, *(span for span in item.quote.spans if span.page == number)),
                carrying=(*known.carrying, *(span for span in item.carrying if span.page == number)),
            )
    return list(found.values())


def short_title(title: str) -> str:
    """A title as part of a file name: letters, digits and dashes, 40 characters at most, whole words."""
    plain = re.sub(r"[^\w]+", "-", title, flags=re.UNICODE).strip("-_").lower()
    if len(plain) > 40 and plain[40] != "-":
        plain = plain[:40].rpartition("-")[0] or plain
    return plain[:40].strip("-") or "page"


def make_folder(folder: Path) -> None:
    """Make a folder for files that people asked for. Raises Broken if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Broken("out.unwritable", f"cannot write to {folder}: {error}; choose another --out") from error


def page_name_of(fields: DocumentFields, page: str, texts: Texts) -> str:
    """The file name of a page without extension: party, title, and printed page number."""
    return f"{_stem(fields) or texts('file.page')}-{texts('file.page_sign')}{slug(page)}"


def _stem(fields: DocumentFields) -> str:
    who = " ".join(fields.parties)
    return slug(fields.title if slug(who) in slug(fields.title) else f"{who} {fields.title}")


def is_page_of(fields: DocumentFields, name: str) -> bool:
    """Whether a file name is that of a page of the document with this title: as generated, or as sent."""
    signs = "|".join({re.escape(Texts(language)("file.page_sign")) for language in languages()})
    sent = rf"{re.escape(_stem(fields))}-(?:{signs})(?:\d+|[ivxlcdm]+)(?:-[a-z0-9]+)*\.[a-z]+"
    return f"-{short_title(fields.title)}-p" in name or re.fullmatch(sent, name) is not None


def unique(names: Sequence[str]) -> list[str]:
    """Unique names for the files of one message: duplicates are numbered."""
    found: list[str] = []
    for name in names:
        again = names[: len(found)].count(name)
        found.append(f"{name}-{again + 1}" if again else name)
    return found


# Names of files made for people: their kind and subject in words, cut between words.

LONGEST = 48
"""Maximum characters of a name, excluding its kind."""

_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "œ": "oe"})

_ACCENT = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")


def file_stem(kind: str, topic: str, language: str) -> str:
    """`kind` and the subject of `topic`: "vergleich-mindestlohn"; without function words of the bot's
    `language` or of the topic's."""
    from core.question.subject import sought

    own = sought(topic, detect(topic)[0])
    named = [word for word in sought(topic, language) if word in own]
    return "-".join([kind, *_words(named, LONGEST - len(kind))])


def _words(words: Iterable[str], room: int) -> list[str]:
    """As many of `words`, in plain lower-case letters, as there is room for."""
    kept: list[str] = []
    for word in words:
        plain = unicodedata.normalize("NFKD", word.lower().translate(_LETTERS))
        plain = re.sub(r"[^a-z0-9]+", "", plain)
        room -= len(plain) + 1
        if room < 0:
            break
        kept += [plain] if plain else []
    return kept


def slug(text: str) -> str:
    """`text` in lower-case letters, digits and dashes; as many words as fit, the first one cut if it does
    not."""
    composed = unicodedata.normalize("NFC", text).lower().translate(_LETTERS)
    plain = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", composed)))
    words = re.sub(r"[^\w]+|_+", " ", plain).split()
    stem = ""
    for word in words:
        if stem and len(stem) + 1 + len(word) > LONGEST:
            break
        stem = f"{stem}-{word}" if stem else word[:LONGEST]
    return stem
