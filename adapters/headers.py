"""Parses server headers: untrusted times, sizes and validators, brought within bounds."""

import math
import re
import time
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz

from core.errors import LONGEST_WAIT_S

SOONEST_S = 1.0
"""Minimum wait before asking again, whatever the header says."""

_SECONDS = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?")
_DIGITS = re.compile(r"[0-9]{1,18}")
_MARK = re.compile(r"[\x20-\x7e]{1,1024}")


def retry_after(stated: object, otherwise: float, *, now: float | None = None) -> float:
    """Seconds from `SOONEST_S` to `LONGEST_WAIT_S` until a server wants to be asked again: by a number or a
    date (RFC 9110, section 10.2.3); `otherwise` if it is neither. `now` is in seconds since 1970."""
    text = str(stated if stated is not None else "").strip()
    return bounded(float(text) if _SECONDS.fullmatch(text) else _until(text, now), otherwise)


def bounded(seconds: object, otherwise: float) -> float:
    """`seconds` limited to `SOONEST_S` to `LONGEST_WAIT_S`; `otherwise` if they are not a number."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds != seconds:
        return otherwise
    return float(min(max(seconds, SOONEST_S), LONGEST_WAIT_S))


def _until(said: str, now: float | None) -> float | None:
    """Seconds until an HTTP date; infinite past the year 9999."""
    parts = parsedate_tz(said[:64])
    if parts is None:
        return None
    try:
        return mktime_tz(parts) - (time.time() if now is None else now)
    except (ValueError, OverflowError):
        return math.inf if parts[0] > 9999 else None


def size(stated: object) -> int | None:
    """The number of bytes in a Content-Length, None if there is none."""
    text = str(stated if stated is not None else "").strip()
    return int(text) if _DIGITS.fullmatch(text) else None


def mark(headers: Mapping[str, str], name: str) -> str | None:
    """A header to be sent back later (ETag, Last-Modified), None if it is missing, too long, or contains
    characters not allowed in a request."""
    value = headers.get(name)
    return value if value is not None and _MARK.fullmatch(value) else None
