"""An answer checked from outside, by means other than those that made it."""

import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterator

from core.domain.answers import Answer, Citation
from core.evidence.skeleton import skeleton
from core.ports.library import Library

_NUMBER = re.compile(r"\d+")
_DENIAL = re.compile(
    r"\b(?:nicht|kein\w*|nie|niemals|ohne|no|not|never|without|none|lehn\w+|abgelehnt)\b", re.IGNORECASE
)
_LIVE = re.compile(r"https?:|www\.|javascript:|tg:|\.example|@\w|<[!@#]|\]\(|(?:^|\s)/[a-z]", re.IGNORECASE)
_LABEL = re.compile(r"[\[(【{<]\s*[SFs]\s*\d+\s*[\])】}>]|\[\d+\]")


async def exact(citation: Citation, library: Library) -> bool:
    """Whether the quote is the text under its spans, and consecutive words of its pages."""
    pages = [await library.page(citation.edition.version.id, number) for number in citation.quote.pages]
    text = " ".join(" ".join(page.text.split()) for page in pages if page is not None)
    said = " ".join(citation.quote.text.split())
    return said in text and " ".join((await _spans(citation, library)).split()) == said


async def exact_in_print(citation: Citation, library: Library) -> bool:
    """The same for typeset pages, whose lines end in hyphens: letter by letter under the spans."""
    said = skeleton(citation.quote.text)
    return bool(said) and skeleton(await _spans(citation, library)) == said


async def _spans(citation: Citation, library: Library) -> str:
    found = [
        (await library.page(citation.edition.version.id, span.page), span) for span in citation.quote.spans
    ]
    return " ".join(page.text[span.start : span.end] for page, span in found if page is not None)


async def faults(
    answer: Answer,
    library: Library,
    is_exact: Callable[[Citation, Library], Awaitable[bool]] = exact,
) -> list[str]:
    """The faults of a shown answer; empty if there are none."""
    quotes = {item.label: item.quote.text for item in answer.citations}
    found = [
        f"quote not on its page: {c.quote.text}" for c in answer.citations if not await is_exact(c, library)
    ]
    if len(quotes) != len(answer.citations):
        found.append("a label for two quotes")
    for claim in answer.claims:
        unknown = set(claim.labels) - set(quotes)
        if unknown or not claim.labels:
            found.append(f"labels without citation: {claim}")
            continue
        found += claim_faults(claim.text, " ".join(quotes[label] for label in claim.labels))
    return found


def claim_faults(claim: str, quotes: str) -> Iterator[str]:
    """Numbers and denials that the quotes lack, and anything else that must not be in a claim."""
    said = unicodedata.normalize("NFKC", claim)
    for number in set(_NUMBER.findall(said)) - set(_NUMBER.findall(quotes)):
        yield f"number {number}: {claim}"
    if bool(_DENIAL.search(said)) and not _DENIAL.search(quotes):
        yield f"denial: {claim}"
    if _LIVE.search(said):
        yield f"address: {claim}"
    if _LABEL.search(said):
        yield f"label: {claim}"
