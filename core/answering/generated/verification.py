"""Verifies a model's draft: the result is claims with the quotes that support them.

Nothing here trusts the model: labels come from where the quotes are found, quotes are replaced with the
source's own text, claims are admitted only with quotes that support them (see `claims`).

The model is told what was rejected and why, so that it can be repaired; its own words are presented to it as
data only: in one line, without labels and fences.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.answering.generated.claims import ClaimGuard, repeated
from core.answering.generated.drafts import Draft, DraftClaim
from core.answering.generated.quotes import FoundQuote, NotFound, QuoteFinder, SourcePages
from core.answering.generated.sources import Source, data
from core.answering.labels import Labels, labels_of_field, plain, without_labels
from core.domain.answers import Citation, Claim, Rejected, Verdict
from core.domain.scope import Scope
from core.search.listing import silent_groups, stands_for
from core.search.plan import SearchPlan

SHOWN = 300
"""Maximum characters stored of something rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """A claim with the quotes that support it. `paraphrase`: it is in a model's own words, without any
    detected contradiction to the quotes."""

    text: str
    quotes: tuple[FoundQuote, ...]
    paraphrase: bool = False

    def quoted(self) -> tuple["Proven", ...]:
        """Its quotes in its place, each as a claim of its own."""
        if not self.paraphrase:
            return (self,)
        return tuple(Proven(text=found.quote.text, quotes=(found,)) for found in self.quotes)


@dataclass(slots=True, kw_only=True)
class Verified:
    """The result of verifying a draft. `written` counts its claims, `carried` those with a quote that was
    found; `silent` are the parties or places of a comparison that no proven claim is about."""

    proven: list[Proven] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    written: int = 0
    carried: int = 0
    silent: tuple[Scope, ...] = ()
    looked_beyond: bool = False

    @property
    def share(self) -> float:
        """Share of the claims supported by a quote, in the model's words or the quote's."""
        return self.carried / self.written if self.written else 0.0

    @property
    def rank(self) -> tuple[int, float, int]:
        """The larger, the better."""
        return -len(self.silent), self.share, self.carried

    def reject(self, what: str, text: str, why: str) -> None:
        """Record a rejection."""
        self.rejected.append(rejection(what, text, why))


def rejection(what: str, text: str, why: str) -> Rejected:
    """A rejected item and the reason, short enough for a record."""
    return Rejected(what=what, text=plain(text)[:SHOWN], why=plain(why)[:SHOWN])


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Verifies drafts that were made from `sources`. Their `pages` may still be loading while a model writes.
    The groups of `plan` are the parties or places of a comparison (several) or the whole scope; at most
    `limit` claims are kept."""

    finder: QuoteFinder
    sources: tuple[Source, ...]
    pages: asyncio.Future[SourcePages]
    guard: ClaimGuard
    plan: SearchPlan
    limit: int

    async def verify(self, draft: Draft, verified: Verified | None = None) -> Verified:
        """The proven claims of `draft` and all that was rejected, added to `verified`."""
        verified = verified or Verified()
        verified.written += len(draft.claims)
        for claim in draft.claims:
            await self._verify(claim, verified)
        verified.proven = distinct(verified.proven)
        verified.silent = self._silent(verified.proven)
        return verified

    async def _verify(self, claim: DraftClaim, verified: Verified) -> None:
        labels = labels_of_field(claim.label, {source.label for source in self.sources})
        if claim.label and not labels:
            verified.reject("label", claim.label, "unknown")
        quotes = []
        for text in claim.quotes or (claim.text,):
            found = await self._quote(text, labels, verified)
            if isinstance(found, NotFound):
                verified.reject("quote", text, found.why)
                continue
            quotes.append(found)
            if labels and (found.source is None or found.source.label not in labels):
                verified.reject("label", ", ".join(labels), "relabelled")
        await asyncio.to_thread(self._admit, without_labels(claim.text), quotes, verified)

    async def _quote(self, text: str, labels: Sequence[str], verified: Verified) -> FoundQuote | NotFound:
        pages = await asyncio.shield(self.pages)
        found = await asyncio.to_thread(pages.find, text, labels)
        if isinstance(found, NotFound) and found.why in (Verdict.ABSENT, Verdict.ALTERED):
            found = await self._beyond(text, labels, verified) or found
        if isinstance(found, FoundQuote) and self.guard.foreign_addresses(found.quote.text, [found]):
            return NotFound(why="address")
        return await self.finder.seen(found) if isinstance(found, FoundQuote) else found

    async def _beyond(self, text: str, labels: Sequence[str], verified: Verified) -> FoundQuote | None:
        """The quote on another page of the named document; only once per draft, as reading one takes long."""
        named = [source for source in self.sources if source.label in labels]
        if not named or verified.looked_beyond:
            return None
        verified.looked_beyond = True
        return await self.finder.elsewhere(text, named[0])

    def _admit(self, text: str, quotes: Sequence[FoundQuote], verified: Verified) -> None:
        """Admit a claim; if it may not be shown, its quotes are kept on their own."""
        if not quotes:
            verified.reject("claim", text, "no_quote")
            return
        verified.carried += 1
        written = Proven(text=text, quotes=tuple(quotes), paraphrase=True)
        if objection := self.guard.objection(text, quotes):
            verified.reject("claim", text, objection)
            verified.proven += written.quoted()
        elif repeated(text, quotes):
            verified.proven += written.quoted()
        else:
            verified.proven.append(written)

    def shown(self, proven: Sequence[Proven]) -> list[Proven]:
        """The claims to show: in a comparison those of the first party or place first, with the same
        number for each at most."""
        groups = self.plan.groups
        if len(groups) < 2:
            return list(proven[: self.limit])
        each = max(1, self.limit // len(groups))
        rest, chosen = list(proven), []
        for group in groups:
            own = [item for item in rest if self._is_of(item, group)]
            chosen += own[:each]
            rest = [item for item in rest if item not in own]
        return chosen

    def _silent(self, proven: Sequence[Proven]) -> tuple[Scope, ...]:
        quoted = [found.edition for item in proven for found in item.quotes]
        return silent_groups(self.plan, quoted)

    def _is_of(self, item: Proven, group: Scope) -> bool:
        """Whether a claim is about what `group` stands for."""
        return any(stands_for(group, found.edition, self.plan.speaking) for found in item.quotes)


def distinct(proven: Sequence[Proven]) -> list[Proven]:
    """The claims without repeated texts, and without separate quotes that already accompany a claim."""
    first = {item.text: item for item in reversed(proven)}
    beside = {found.place for item in proven if item.paraphrase for found in item.quotes}
    return [
        item
        for item in reversed(first.values())
        if item.paraphrase or any(found.place not in beside for found in item.quotes)
    ]


def cited(proven: Sequence[Proven]) -> tuple[tuple[Citation, ...], tuple[Claim, ...]]:
    """Citations with labels in the order of their first use (S text, F tables and figures), one per quote."""
    citations: dict[object, Citation] = {}
    numbering = Labels()
    claims = []
    for item in proven:
        labels = []
        for found in item.quotes:
            if found.place not in citations:
                citations[found.place] = found.citation(numbering.next(found.kind))
            labels.append(citations[found.place].label)
        claims.append(Claim(text=item.text, labels=tuple(dict.fromkeys(labels))))
    return tuple(citations.values()), tuple(claims)


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
