"""Every quotation of a text of one's own, such as the draft of an article, checked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.answers.alleged import quotations
from bot.answers.questions import Questions
from bot.library.scoping import ScopeOptions
from core.answering.quote_check import QuoteCheck
from core.errors import FundstelleError, Refused

MOST_QUOTATIONS = 100
"""Maximum quotations of a text."""

_END = re.compile(r"[.!?:]\s+(?=[^\W\d_])|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuotation:
    """A quotation from `start` to `end` (exclusive) of the text, its marks included; what was looked at is
    `said`, the words with what their sentence says of whose they are. Either `check` or `error` is there."""

    start: int
    end: int
    said: str
    check: QuoteCheck | None = None
    error: FundstelleError | None = None


async def checked_draft(questions: Questions, text: str, options: ScopeOptions) -> list[CheckedQuotation]:
    """All quotations of `text` in their order. Raises Refused for too many, and as `Questions.verify` for
    `options`."""
    found = list(with_sentences(text))
    if len(found) > MOST_QUOTATIONS:
        detail = f"the text has {len(found)} quotations; send parts with {MOST_QUOTATIONS} at most"
        raise Refused("text.too_large", detail)
    await questions.searched.within(options)
    checked = []
    for start, end, said in found:
        try:
            check = await questions.verify(said, options, overheard=True)
        except Refused as error:
            checked.append(CheckedQuotation(start=start, end=end, said=said, error=error))
        else:
            checked.append(CheckedQuotation(start=start, end=end, said=said, check=check))
    return checked


def with_sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each quotation stands, and the part of its sentence without other quotations."""
    places = quotations(text)
    ends = [0, *(end for _, end in places)]
    begins = [*(start for start, _ in places), len(text)]
    for number, (start, end) in enumerate(places):
        before, behind = text[ends[number] : start], text[end : begins[number + 1]]
        stops = [each.end() for each in _END.finditer(before) if not each[0].startswith(":")]
        stop = _END.search(behind)
        finished = (
            text[end - 2 : end - 1] in ".!?" and behind[:1].isspace() and not behind.lstrip()[:1].islower()
        )
        after = "" if finished else behind[: stop.start() + 1] if stop else behind
        yield start, end, f"{before[stops[-1] if stops else 0 :]}{text[start:end]}{after}".strip()
