"""What `doctor` says of the journal: what waits, what went wrong, when old data was last removed."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from core.domain.journal import Backlog

LONGEST_WAIT = timedelta(minutes=10)
"""A message that waits longer has nobody who works on it."""

LAST_PURGE = timedelta(days=1)

Line = tuple[str, bool, str, str]
"""Name, whether it is in order, what was found, what to do."""


def journal_lines(backlog: Backlog, now: datetime) -> Iterator[Line]:
    """A line each about inbox, outbox and retention."""
    yield _inbox(backlog, now)
    yield _outbox(backlog, now)
    yield _retention(backlog, now)


def _inbox(backlog: Backlog, now: datetime) -> Line:
    found = f"{backlog.waiting} waiting{_age(backlog.oldest_waiting, now)}, {backlog.working} in work"
    found += f", {backlog.dead} dead letters"
    stuck = backlog.oldest_waiting is not None and now - backlog.oldest_waiting > LONGEST_WAIT
    advice = "start `fundstelle serve`, or see in its log what holds it up" if stuck else ""
    if backlog.dead:
        advice = "`fundstelle letters` lists them, `fundstelle letters --retry LETTER` tries one again"
    return "inbox", not advice, found, advice


def _outbox(backlog: Backlog, now: datetime) -> Line:
    found = f"{backlog.pending} to send{_age(backlog.oldest_pending, now)}, {backlog.sending} on the way"
    found += f", {backlog.failed} dead letters, {backlog.unknown} of which nobody knows whether they arrived"
    lost = backlog.failed + backlog.unknown
    advice = (
        "`fundstelle letters` says why; mend what it names, then `fundstelle letters --retry LETTER`"
        if lost
        else ""
    )
    return "outbox", not advice, found, advice


def _retention(backlog: Backlog, now: datetime) -> Line:
    if backlog.purged_at is None:
        return "retention", True, "nothing was kept yet", ""
    late = now - backlog.purged_at > LAST_PURGE
    advice = "`fundstelle serve` removes what is over once an hour, and so does every answer" if late else ""
    return "retention", True, f"old data last removed {_ago(now - backlog.purged_at)} ago", advice


def _age(oldest: datetime | None, now: datetime) -> str:
    return f" (the oldest for {_ago(now - oldest)})" if oldest and oldest < now else ""


def _ago(span: timedelta) -> str:
    minutes = int(span.total_seconds() // 60)
    if minutes < 120:
        return f"{max(0, minutes)} min"
    return f"{minutes // 60} h" if minutes < 60 * 48 else f"{minutes // (60 * 24)} days"
