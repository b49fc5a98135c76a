"""What is said beside an answer that a model has written, or could not write."""

from collections.abc import Mapping

from core.answering.generated.session import Generated
from core.domain.answers import Notice
from core.message_keys import NoticeKey

_FAILURES: Mapping[str, NoticeKey] = {
    "model.not_approved": "notice.model_not_approved",
    "model.budget": "notice.model_budget",
}

MOSTLY = 0.5
"""Share of a model's claims that, proven, are shown however unsure the search was: the model has read the
passages in view of the question."""


def confidence_of(sure: float, generated: Generated) -> float:
    """Confidence in a written answer: that of what was found, less for what could not be proven. Half
    of it hangs on the share of claims that were."""
    return sure * (0.5 + 0.5 * generated.share)


def fallback_notice(generated: Generated) -> Notice:
    """Why the answer consists of quotes only although there is a model."""
    if generated.failure:
        return Notice(key=_FAILURES.get(generated.failure, "notice.model_unavailable"))
    return Notice(key="notice.model_abstained" if generated.abstained else "notice.model_unverified")


def silence_notices(generated: Generated) -> tuple[Notice, ...]:
    """The parties or places of a comparison that nothing could be said about."""
    return tuple(Notice(key="notice.group_silent", values={"name": name}) for name in generated.silent)
