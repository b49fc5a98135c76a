"""What became of a file: receipts of what got in, of what was refused and of what failed."""

import logging
import uuid

from core.domain.documents import Document, DocumentVersion
from core.domain.ingestion import IngestReceipt, IngestStatus
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.message_keys import ErrorKey

NO_TIME = {"total": 0.0, "read": 0.0, "embed": 0.0, "ocr": 0.0}
"""Seconds of a file that took none; reading includes text recognition (ocr)."""

_LOG = logging.getLogger(__name__)


def receipt(
    file: str,
    document: Document,
    version: DocumentVersion,
    status: IngestStatus,
    seconds: dict[str, float] | None = None,
) -> IngestReceipt:
    """What to report of a version that is in the library."""
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
    """What to report of a file that did not get in; where its pages were looked at, with what was found."""
    return IngestReceipt(
        file=file,
        status=IngestStatus.REFUSED,
        error=(error.key, error.detail or error.key),
        warnings=tuple(str(error.values.get("warnings", "")).split()),
        seconds=dict(NO_TIME),
    )


def error_of(receipt: IngestReceipt, otherwise: ErrorKey, **values: str) -> FundstelleError:
    """The error that a receipt tells of, `otherwise` being its key where it tells of none. What the operator
    has to mend stays the operator's."""
    key, detail = receipt.error or (otherwise, "")
    return (Broken if receipt.trace else Refused)(key, detail, **values)


def is_failure(error: BaseException) -> bool:
    """Whether an error is about the work and not about its end: panics of Rust code are `BaseException`s, of
    a class that cannot be imported."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def outcome_of(file: str, error: BaseException) -> IngestReceipt:
    """What to report of a file whose reading or indexing raised `error`. What nobody foresaw, and what the
    operator has to mend, is logged under the receipt's trace."""
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
