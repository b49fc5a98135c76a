"""What an answer's thread should hear of quotes that read otherwise now, and what that settles. Pure."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.domain.corrections import Moved, Recheck, Rechecked, Settled
from core.domain.ids import TraceId
from core.domain.journal import Pseudonym
from core.domain.messages import MessageRef
from core.domain.records import AnswerRecord

BUNDLED = 10
"""Maximum corrections in one message."""


class Told(StrEnum):
    """The delivery state of a correction."""

    SENT = "sent"  # queued for its thread
    WAITS = "waits"  # later: the chat reached its hourly limit, or cannot be reached or confirmed now
    UNHEARD = "unheard"  # posted nowhere, or its chat does not want or may not get it


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A quote that reads differently now, and whether its thread is told."""

    found: Rechecked
    told: Told


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRound:
    """One look at all answers: citations that stand as they were, and those that do not."""

    kept: int
    corrections: tuple[Correction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DueCorrection:
    """What an answer's thread should hear, and what is settled with it."""

    record: AnswerRecord
    to: MessageRef
    language: str
    news: tuple[Rechecked, ...]
    settled: tuple[Settled, ...]
    moved: tuple[Moved, ...]


def bundles(dues: Sequence[DueCorrection]) -> list[list[DueCorrection]]:
    """What goes into one message each: answers stay whole."""
    found: list[list[DueCorrection]] = []
    size = BUNDLED
    for due in dues:
        if size + len(due.news) > BUNDLED:
            found.append([])
            size = 0
        found[-1].append(due)
        size += len(due.news)
    return found


def outcome_of(
    found: Sequence[Rechecked], news: Sequence[Rechecked]
) -> tuple[tuple[Settled, ...], tuple[Moved, ...]]:
    """What is settled of an answer's citations. Those whose words stand somewhere point there from now
    on, and nothing else is said of them unless that is news, or they point there already."""
    settled, moved = list[Settled](), list[Moved]()
    for item in found:
        stands = item.outcome is Recheck.KEPT and item.now is not None
        back = item.was.version == item.edition.version.id
        if item.now is not None and stands and not back:
            now = item.was.moved(item.now)
            moved.append(Moved(trace=item.trace, was=item.was, now=now))
        if not stands or back or item in news:
            settled.append(
                Settled(
                    trace=item.trace,
                    label=item.was.label,
                    version=item.edition.version.id,
                    since=item.since,
                    outcome=item.outcome,
                )
            )
    return tuple(settled), tuple(moved)


def settled_by(item: Settled, told: Mapping[tuple[TraceId, str], str], chat: Pseudonym, key: str) -> Settled:
    """`item` with what the chat was told of it, if anything."""
    said = told.get((item.trace, item.label))
    return item if said is None else replace(item, said=said, chat=chat, reply=key)


def key_of(bundle: Sequence[DueCorrection]) -> str:
    """A key that is the same for the same corrections, whichever process finds them."""
    named = sorted(
        f"{item.trace}\n{item.label}\n{item.version}\n{item.since.isoformat()}"
        for due in bundle
        for item in due.settled
    )
    return "c" + hashlib.sha256("\n".join(named).encode()).hexdigest()[:24]
