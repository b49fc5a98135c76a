"""The contained process: opens one file at a time and answers requests until its socket closes.

Started by `pool` in a fresh interpreter with an empty environment; receives files as open descriptors, never
as paths. Imports everything it will need before it gives its rights up.
"""

import array
import gc
import os
import socket
import sys
from base64 import b64decode
from typing import Any

import pymupdf

from adapters.containment import contain, limit_cpu
from adapters.pymupdf import content, highlight, pictures, reading, sight
from adapters.pymupdf.characters import bake, boxes_of_text
from adapters.pymupdf.highlight import sheet_pdf, table_pdf
from adapters.pymupdf.protocol import (
    FrameKind,
    PdfError,
    WorkerLimits,
    decode_json,
    encode_page,
    receive,
    send,
    send_json,
)
from adapters.pymupdf.rectangles import corners
from core.domain.pages import PageReading

_OUT_OF_MEMORY = ("malloc", "calloc", "realloc", "out of memory", "bad_alloc")


class Worker:
    """Requests on one open document."""

    def __init__(self, sock: socket.socket, limits: WorkerLimits) -> None:
        self._socket = sock
        self._limits = limits
        self._document: Any = None
        self._everything: Any = None

    def serve(self) -> None:
        """Answer requests until the parent closes the socket."""
        while True:
            try:
                kind, payload, descriptors = self._receive()
            except EOFError:
                return
            if kind is not FrameKind.REQUEST:
                return
            self._answer(decode_json(payload), descriptors)

    def _receive(self) -> tuple[FrameKind, bytes, list[int]]:
        """One request; a file descriptor comes with a byte of its own before it."""
        first, ancillary, _, _ = self._socket.recvmsg(1, socket.CMSG_SPACE(4))
        if not first:
            raise EOFError
        descriptors = array.array("i")
        for _, _, data in ancillary:
            descriptors.frombytes(data[:4])
        return *receive(self._socket, self._limits.max_file), descriptors.tolist()

    def _answer(self, request: dict[str, Any], descriptors: list[int]) -> None:
        limit_cpu(self._limits.cpu_seconds(int(request["pages"])))
        try:
            self._do(request, descriptors)
            send_json(self._socket, FrameKind.DONE, {})
        except PdfError as error:
            send_json(self._socket, FrameKind.ERROR, {"key": error.key, "detail": error.detail})
        except MemoryError as error:
            self._fail("pdf.too_large", error)
        except Exception as error:  # the boundary: PyMuPDF raises many kinds of errors
            self._fail("pdf.too_large" if _is_memory(error) else "pdf.broken", error)

    def _fail(self, key: str, error: BaseException) -> None:
        detail = f"{type(error).__name__}: {error}"[:300]
        send_json(self._socket, FrameKind.ERROR, {"key": key, "detail": detail})

    def _do(self, request: dict[str, Any], descriptors: list[int]) -> None:
        match request["do"]:
            case "open":
                self._open(descriptors[0])
            case "read":
                self._read(request["first"], request["last"])
            case "page" | "doubt" | "lines" | "notes":
                self._quoted(request)
            case "picture":
                wanted = request["page"], request["dpi"], request["turn"]
                send(self._socket, FrameKind.BYTES, pictures.picture(self._document, *wanted))
            case "layers":
                layers = {
                    int(page): (b64decode(text), turn) for page, (text, turn) in request["layers"].items()
                }
                send(self._socket, FrameKind.BYTES, pictures.with_layers(self._document, layers))
                self._close()  # it is a different document now
            case "cutout":
                box = tuple(map(float, request["box"]))
                send(self._socket, FrameKind.BYTES, pictures.cutout(self._document, request["page"], box))
            case "preview":
                send(self._socket, FrameKind.BYTES, highlight.picture(self._document, request["most_bytes"]))
            case "strip":
                send(self._socket, FrameKind.BYTES, pictures.strip(self._document, request["pixels"]))
            case "table" | "sheet":
                send(self._socket, FrameKind.BYTES, _typeset(request))

    def _open(self, descriptor: int) -> None:
        """Open the file and send its facts."""
        self._close()
        with os.fdopen(descriptor, "rb") as file:
            data = file.read()
        self._document = filled_pdf(data)
        if self._document.get_ocgs():
            self._everything = filled_pdf(data)
            _show_all_layers(self._everything)
        send_json(self._socket, FrameKind.INFO, describe(self._document))

    def _read(self, first: int, last: int) -> None:
        """Send pages `first` to `last`. A page that cannot be read comes empty, with a note."""
        for number in range(first, last + 1):
            try:
                page = self._read_page(number)
            except reading.FAILURES as error:
                if _is_memory(error):
                    raise
                page = reading.broken_page(number)
                send_json(self._socket, FrameKind.INFO, {"broken_page": number})
            if len(page.page.text) > self._limits.max_page_characters:
                raise PdfError("pdf.too_large", f"page {number} has {len(page.page.text)} characters")
            send(self._socket, FrameKind.PAGE, encode_page(page))

    def _read_page(self, number: int) -> PageReading:
        """A page, read again after mending if MuPDF dropped some of its content."""
        content.forget_complaints()
        page = reading.read_page(self._document, number, self._everything)
        if content.complained() and content.mend(self._document, number):
            if self._everything is not None:
                content.mend(self._everything, number)
            page = reading.read_page(self._document, number, self._everything)
        return page

    def _quoted(self, request: dict[str, Any]) -> None:
        """What has to do with a quote."""
        match request["do"]:
            case "page":
                self._page(request)
            case "doubt":
                self._doubt(request)
            case "lines":
                self._lines(request)
            case "notes":
                send(self._socket, FrameKind.BYTES, highlight.with_notes(self._document, request["notes"]))
                self._close()

    def _doubt(self, request: dict[str, Any]) -> None:
        """Send why words cannot be seen."""
        words = _boxes(request["words"])
        look = sight.look_on(self._document, request["page"], words, scan=request["scan"])
        send_json(self._socket, FrameKind.INFO, look._asdict())

    def _lines(self, request: dict[str, Any]) -> None:
        """Send a picture of the lines of words, to be read by somebody else."""
        words = _boxes(request["words"])
        picture, held = pictures.lines_of(self._document, request["page"], words, request["wanted"])
        send_json(self._socket, FrameKind.INFO, {"words": held})
        send(self._socket, FrameKind.BYTES, picture)

    def _page(self, request: dict[str, Any]) -> None:
        """Send the one-page PDF of a page with its marks."""
        marks = [tuple(mark) for mark in request["marks"]]
        seen = {tuple(place) for place in request["seen"]}
        darker = [tuple(mark) for mark in request["darker"]]
        drawn = highlight.Marks(marks, darker)
        wanted = request["page"], drawn, request["expected"]
        made = highlight.one_page(self._document, *wanted, raster=request["raster"], seen=seen)
        facts = made._asdict()
        pdf = facts.pop("pdf")
        send_json(self._socket, FrameKind.INFO, facts)
        send(self._socket, FrameKind.BYTES, pdf)

    def _close(self) -> None:
        for document in (self._document, self._everything):
            if document is not None:
                document.close()
        self._document = self._everything = None
        pymupdf.TOOLS.store_shrink(100)


def _boxes(places: list[list[float]]) -> list[tuple[float, float, float, float]]:
    return [(float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in places]


def _typeset(request: dict[str, Any]) -> bytes:
    """A PDF of ours that needs no document."""
    if request["do"] == "table":
        return table_pdf(request["title"], request["columns"], request["rows"], request["notes"])
    pages = [b64decode(page) if page else None for page in request["one_page_pdfs"]]
    return sheet_pdf(request["captions"], pages)


def _is_memory(error: BaseException) -> bool:
    """Whether MuPDF failed for lack of memory: it says so in words only."""
    return any(word in str(error) for word in _OUT_OF_MEMORY)


def open_pdf(data: bytes) -> Any:
    """Open a PDF. Raises PdfError: not_a_pdf, encrypted, empty, broken."""
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
    except (pymupdf.FileDataError, pymupdf.EmptyFileError) as error:
        reason = error.__cause__ or error
        key = "pdf.too_large" if _is_memory(reason) else "pdf.broken"
        raise PdfError(key, f"the file cannot be opened: {reason}") from error
    if not document.is_pdf:
        raise PdfError("pdf.not_a_pdf", "the content is of another type than PDF")
    if document.needs_pass:
        raise PdfError("pdf.encrypted", "the file needs a password; save it without one")
    if document.page_count < 1:
        raise PdfError("pdf.empty", "the file has no page")
    _refuse_placeholders(document)
    return document


def filled_pdf(data: bytes) -> Any:
    """Open a PDF, with what is typed into its fields as a part of the pages. Raises as `open_pdf`."""
    document = open_pdf(data)
    try:
        bake(document)
    except reading.FAILURES as error:
        if _is_memory(error):
            raise
        document.close()
        document = open_pdf(data)
    return document


def _refuse_placeholders(document: Any) -> None:
    """Raises PdfError for a file whose only page says that the document is elsewhere: in attachments, or in a
    form that hardly any program shows (XFA)."""
    catalog = document.pdf_catalog()
    if document.page_count > 1:
        return
    if document.xref_get_key(catalog, "Collection")[0] != "null" and document.embfile_count():
        count = document.embfile_count()
        raise PdfError("pdf.portfolio", f"a portfolio; its {count} documents are attached: take them out")
    form = document.xref_get_key(catalog, "AcroForm/XFA")[0] != "null"
    bare = document.xref_get_key(catalog, "AcroForm/Fields")[1].strip() in ("[]", "[ ]", "null")
    if form and (bare or document.xref_get_key(catalog, "NeedsRendering")[1] == "true"):
        raise PdfError("pdf.xfa", "a form that only Adobe's programs show (XFA): print it into a PDF there")


def _show_all_layers(document: Any) -> None:
    """Forget the states of optional content groups (ISO 32000-1, 8.11), before any page is loaded."""
    document.xref_set_key(document.pdf_catalog(), "OCProperties", "null")


def describe(document: Any) -> dict[str, Any]:
    """Facts of a whole file: pages, title, warnings."""
    metadata = document.metadata or {}
    warnings = {"owner_locked": 1} if metadata.get("encryption") else {}
    if attached := document.embfile_count():
        warnings["attachments"] = attached
    if boxes := boxes_of_text(document):
        warnings["text_boxes"] = boxes
    if document.is_repaired:
        warnings["repaired"] = 1
    return {"pages": document.page_count, "title": metadata.get("title") or None, "warnings": warnings}


def main() -> None:
    """Entry point: `worker.main()` with the socket's descriptor and the limits as arguments."""
    sock = socket.socket(fileno=int(sys.argv[1]))
    limits = WorkerLimits(**decode_json(sys.argv[2].encode()))
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    _warm_up()
    held = contain(limits.address_space)
    send_json(sock, FrameKind.INFO, {"held": held})
    gc.freeze()
    Worker(sock, limits).serve()


def _warm_up() -> None:
    """Use everything once that loads lazily: nothing can be opened later."""
    document = pymupdf.open()
    page = document.new_page(width=144, height=36)  # a small one is drawn immediately
    page.insert_text((36, 24), "Fundstelle")
    data = document.tobytes()
    document.close()
    document = open_pdf(data)
    read = reading.read_page(document, 1)
    box = corners(read.page.words[0].box)
    sight.look_on(document, 1, [box], scan=False)
    pictures.lines_of(document, 1, [box], [0])
    for raster in (False, True):
        made = highlight.one_page(document, 1, highlight.Marks([box]), ["Fundstelle"], raster=raster)
        highlight.picture(open_pdf(made.pdf))
        pictures.strip(open_pdf(made.pdf), 100)
    pictures.cutout(document, 1, box)
    table_pdf("„Ж中“", ["Fundstelle"], [["…"]], [])
    sheet_pdf(["„Ж中“", ""], [made.pdf, None])
