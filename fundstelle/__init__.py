"""Answers with the page: verbatim quotes from a library of documents. `fundstelle.open` opens a library.

Its names are imported on first use. In the wheel everything is inside this package. In a working tree `bot`,
`core`, `adapters` and `migrations` are beside it; there, `fundstelle.core` is the same module as `core`.
"""

import ast
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

_TREE = Path(__file__).resolve().parents[1]
if (_TREE / "pyproject.toml").is_file():
    sys.path.insert(0, str(_TREE))  # other projects have packages with these names, too
    from fundstelle._tree import Beside

    sys.meta_path.insert(0, Beside())

if TYPE_CHECKING:
    from core.answering.quote_check import QuoteCheck
    from core.domain.answers import Answer, Citation, Claim, Notice, Outcome, Quote, Verdict
    from core.domain.documents import Document, DocumentFields, DocumentType, DocumentVersion, Edition
    from core.domain.ingestion import IngestReceipt, IngestStatus
    from core.domain.passages import Passage
    from core.domain.search import Hit
    from core.errors import Broken, FundstelleError, Refused, Unavailable
    from core.search.plan import SearchResult
    from fundstelle.library import BlockingLibrary, Library, open, open_blocking  # noqa: A004
else:

    def __getattr__(name: str) -> object:
        """The names imported above for type checkers, imported when first used."""
        if name in __all__:
            for node in ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
                    globals()[name] = getattr(import_module(node.module), name)
                    return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Answer",
    "BlockingLibrary",
    "Broken",
    "Citation",
    "Claim",
    "Document",
    "DocumentFields",
    "DocumentType",
    "DocumentVersion",
    "Edition",
    "FundstelleError",
    "Hit",
    "IngestReceipt",
    "IngestStatus",
    "Library",
    "Notice",
    "Outcome",
    "Passage",
    "Quote",
    "QuoteCheck",
    "Refused",
    "SearchResult",
    "Unavailable",
    "Verdict",
    "main",
    "open",
    "open_blocking",
]


def main() -> None:
    """Entry point of the console script."""
    from bot.cli import main as run

    run()
