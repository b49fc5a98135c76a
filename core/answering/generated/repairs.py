"""Asking a model again: what was rejected in its answer and why, in words, so that it can be repaired.

The model's own words are presented to it as data only: in one line, without labels and fences.
"""

from collections.abc import Iterator, Sequence

from core.answering.generated.sources import data
from core.answering.generated.verification import Verified
from core.domain.answers import Rejected

_REASONS = {
    "absent": "this quote stands in none of the passages; copy one word for word",
    "altered": "this quote says something else than the passage; copy it word for word",
    "cut": "this quote leaves out words that deny or limit; copy whole sentences",
    "struck": "these words are struck out there; copy what is valid",
    "reported": "there these are somebody else's words; copy what the document says itself",
    "too_short": "this quote is too short to prove anything; copy the whole sentence, or the next one, too",
    "too_long": "this quote is too long; copy the sentence that counts, 80 words at most",
    "unsupported": "its quote does not say {}; write what the quote says, or add the quote that says it",
    "turned": "it says no where its quote does not, or the other way round",
    "contradicts": "it says something else than its quote ({}); write what the quote says",
    "conflict": "call provisions contradictory only if both are quoted",
    "foreign_name": "neither its quote nor the document it stands in names {}",
    "mixed_sources": "it mixes two places or two parties; write one claim for each",
    "address": "write no links, addresses or mentions",
    "other_language": "it is not in the language named below",
    "unrelated": "its quote is about something else",
}
"""Instructions by rejection reason; reasons missing here cannot be repaired by rewording."""

_DENIED = "its quote denies what it affirms: {}; write that it is denied"
_MOST = 6
_REJECTED = "Your last answer was not accepted. Repair what can be repaired, leave out what no passage says:"
_ACCEPTED = "Accepted; write it again with its quote:"
_FORM = "Your last answer could not be read. Answer with the JSON object only."
_SILENT = "Write at least one claim for each party or place that has a passage about it."


def repairable(verified: Verified) -> bool:
    """Whether asking again may help: nothing could be read, or something was rejected that can be
    reworded."""
    return not verified.written or any(_reason(item) for item in verified.rejected)


def repairs(verified: Verified) -> str:
    """What to say when asking again: every rejected quote or claim with its reason, and what to keep."""
    if not verified.written:
        return f"{_FORM}\n\n"
    wrong = [line for item in verified.rejected if (line := _line(item))]
    kept = [f"- {_ACCEPTED} “{data(item.text)}”" for item in verified.proven]
    lines = [_REJECTED, *wrong[:_MOST], *kept[:_MOST], *([_SILENT] if verified.silent else [])]
    return "\n".join(lines) + "\n\n"


def reasons(rejected: Sequence[Rejected]) -> Iterator[str]:
    """The reason of each, without details."""
    return (item.why.partition(":")[0] for item in rejected)


def _line(item: Rejected) -> str:
    reason = _reason(item)
    return f"- {item.what} “{data(item.text)}”: {reason}" if reason else ""


def _reason(item: Rejected) -> str:
    kind, _, particulars = item.why.partition(": ")
    words = _REASONS.get(kind, "") if item.what in ("quote", "claim") else ""
    if kind == "unsupported" and particulars.startswith("not: "):
        words, particulars = _DENIED, particulars.removeprefix("not: ")
    return words.replace("{}", f"“{data(particulars)}”")
