"""What `doctor` says of the journal: what waits, what went wrong, when old data was last removed."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from bot.presentation import Texts
from bot.presentation.i18n import ENGLISH
from bot.service.checks import Line
from core.domain.journal import Backlog
from core.domain.stamps import SKEW

LONGEST_WAIT = timedelta(minutes=10)
"""A message that waits longer has nobody who works on it."""

LAST_PURGE = timedelta(days=1)


def journal_lines(backlog: Backlog, now: datetime, texts: Texts = ENGLISH) -> Iterator[Line]:
    """A line each about inbox, outbox and retention."""
    yield _inbox(backlog, now, texts)
    yield _outbox(backlog, now, texts)
    yield _retention(backlog, now, texts)
    yield _clock(backlog, now, texts)


def _inbox(backlog: Backlog, now: datetime, texts: Texts) -> Line:
    age = _age(backlog.oldest_waiting, now, texts)
    counts = {"waiting": backlog.waiting, "working": backlog.working, "dead": backlog.dead}
    found = texts("doctor.inbox", age=age, **counts)
    stuck = backlog.oldest_waiting is not None and now - backlog.oldest_waiting > LONGEST_WAIT
    advice = texts("doctor.start_serve") if stuck else ""
    if backlog.dead:
        advice = texts("doctor.list_letters")
    return "inbox", not advice, found, advice


def _outbox(backlog: Backlog, now: datetime, texts: Texts) -> Line:
    age = _age(backlog.oldest_pending, now, texts)
    lost = {"failed": backlog.failed, "unknown": backlog.unknown}
    found = texts("doctor.outbox", pending=backlog.pending, age=age, sending=backlog.sending, **lost)
    advice = texts("doctor.see_letters") if any(lost.values()) else ""
    return "outbox", not advice, found, advice


def _retention(backlog: Backlog, now: datetime, texts: Texts) -> Line:
    if backlog.purged_at is None:
        return "retention", True, texts("doctor.nothing_kept"), ""
    late = now - backlog.purged_at > LAST_PURGE
    advice = texts("doctor.serve_removes") if late else ""
    return "retention", True, texts("doctor.purged", time=_ago(now - backlog.purged_at, texts)), advice


def _clock(backlog: Backlog, now: datetime, texts: Texts) -> Line:
    """Times that were written down are not to come."""
    stamps = (backlog.purged_at, backlog.oldest_waiting, backlog.oldest_pending)
    ahead = max((stamp - now for stamp in stamps if stamp is not None), default=timedelta())
    time = f"{now:%Y-%m-%d %H:%M} UTC"
    if ahead <= SKEW:
        return "clock", True, time, ""
    return (
        "clock",
        False,
        texts("doctor.clock_back", time=time, span=_ago(ahead, texts)),
        texts("doctor.set_clock"),
    )


def _age(oldest: datetime | None, now: datetime, texts: Texts) -> str:
    return texts("doctor.oldest", time=_ago(now - oldest, texts)) if oldest and oldest < now else ""


def _ago(span: timedelta, texts: Texts) -> str:
    minutes = int(span.total_seconds() // 60)
    if minutes < 120:
        return f"{max(0, minutes)} min"
    return f"{minutes // 60} h" if minutes < 60 * 48 else texts("doctor.days", count=minutes // (60 * 24))
