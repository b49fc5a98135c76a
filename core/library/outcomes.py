"""Outcomes of ingesting a file: receipts for success, refusal and failure."""

import logging
import uuid

from core.domain.documents import Document, DocumentVersion
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.message_keys import ErrorKey

NO_TIME = {"total": 0.0, "read": 0.0, "embed": 0.0, "ocr": 0.0}
"""Timings of a file that took no time; reading includes text recognition (ocr)."""

_LOG = logging.getLogger(__name__)


def receipt(
    file: str,
    document: Document,
    version: DocumentVersion,
    status: IngestStatus,
    seconds: dict[str, float] | None = None,
) -> IngestReceipt:
    """The receipt for a version that is in the library."""
    return IngestReceipt(
        file=file,
        status=status,
        document=document.id,
        title=document.fields.title,
        pages=version.pages,
        pages_ocr=version.pages_ocr,
        pages_without_text=version.pages_without_text,
        passages=version.passages,
        hidden_characters=version.hidden_characters,
        warnings=version.warnings,
        seconds=seconds or dict(NO_TIME),
    )


def refusal(file: str, error: FundstelleError) -> IngestReceipt:
    """The receipt for a file that was not ingested; if its pages were examined, with the findings."""
    return IngestReceipt(
        file=file,
        status=IngestStatus.REFUSED,
        error=(error.key, error.detail or error.key),
        warnings=tuple(str(error.values.get("warnings", "")).split()),
        seconds=dict(NO_TIME),
    )


def error_of(receipt: IngestReceipt, otherwise: ErrorKey, **values: str) -> FundstelleError:
    """The error of a receipt, with key `otherwise` if it has none. Errors that the operator has to fix stay
    `Broken`."""
    key, detail = receipt.error or (otherwise, "")
    return (Broken if receipt.trace else Refused)(key, detail, **values)


def is_failure(error: BaseException) -> bool:
    """Whether an error is a failure rather than a cancellation or exit: panics in Rust code are
    `BaseException`s of a class that cannot be imported."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def outcome_of(file: str, error: BaseException) -> IngestReceipt:
    """The receipt for a file whose reading or indexing raised `error`. Unexpected errors, and those the
    operator has to fix, are logged under the receipt's trace."""
    if isinstance(error, Refused | Unavailable):
        return refusal(file, error)
    trace = uuid.uuid4().hex
    _LOG.error("a document was left out, trace %s", trace, exc_info=error)
    key: ErrorKey = error.key if isinstance(error, FundstelleError) else "ingest.failed"
    what = str(error) if isinstance(error, FundstelleError) else f"reading it failed ({type(error).__name__})"
    return IngestReceipt(
        file=file,
        status=IngestStatus.REFUSED,
        error=(key, f"{what}; the log has more under {trace}"),
        trace=trace,
        seconds=dict(NO_TIME),
    )
