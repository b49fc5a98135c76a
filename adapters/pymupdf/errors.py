"""Errors inside the worker, and the keys the parent takes from it."""


class PdfError(Exception):
    """Why a file or a request is refused: a message key and an English detail."""

    def __init__(self, key: str, detail: str) -> None:
        super().__init__(detail)
        self.key = key
        self.detail = detail


KEYS = frozenset(
    {
        "pdf.not_a_pdf",
        "pdf.encrypted",
        "pdf.empty",
        "pdf.broken",
        "pdf.too_slow",
        "pdf.too_large",
        "pdf.no_such_page",
    }
)
"""Message keys of everything that can be wrong with a PDF."""
