"""Files as the library reads and cuts them, without a library."""

from collections.abc import Sequence

from adapters.conversion.child import answer
from adapters.pymupdf.protocol import decode_page, encode_page
from adapters.pymupdf.reading import read_page
from adapters.pymupdf.worker import open_pdf
from core.domain.documents import DocumentFields, DocumentType
from core.domain.ids import VersionId
from core.domain.pages import DocumentReading, Page
from core.domain.passages import Passage
from core.library.cutting import cut_document
from core.library.repairs import number


def read(data: bytes, kind: str, ending: str) -> DocumentReading:
    """The library's reading of a file."""
    document = open_pdf(answer(data, kind, ending, office=False)[1])
    pages = [decode_page(encode_page(read_page(document, n + 1))) for n in range(document.page_count)]
    return DocumentReading(pages=tuple(pages), total_pages=len(pages))


def read_and_cut(
    data: bytes, kind: str, ending: str, language: str = "de"
) -> tuple[Sequence[Page], tuple[Passage, ...]]:
    """The pages and passages of a programme of the Uferpartei."""
    readings = read(data, kind, ending).pages
    fields = DocumentFields(
        title="Im Fluss", language=language, doc_type=DocumentType.MANIFESTO, parties=("Uferpartei",)
    )
    pages, cut = cut_document(readings, fields, lambda texts: [len(text) // 4 for text in texts])
    return pages, number(cut.passages, VersionId("v"), "")
