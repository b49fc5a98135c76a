"""The attempts of a model at one question, and their outcome."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from core.answering.generated.drafts import read_draft
from core.answering.generated.judge import Judge, JudgedClaim, Judgement, Related, Relation
from core.answering.generated.verification import (
    Proven,
    Verified,
    Verifier,
    cited,
    distinct,
    rejection,
    repairable,
)
from core.domain.answers import Citation, Claim, Drafting, Notice, Rejected
from core.domain.models import Completion, ModelMessage
from core.evidence.contradictions import QuotedText
from core.message_keys import NoticeKey
from core.registry.registry import Places
from core.search.listing import side_name

_FAILURES: Mapping[str, NoticeKey] = {
    "model.not_approved": "notice.model_not_approved",
    "model.budget": "notice.model_budget",
}

MOSTLY = 0.5
"""Share of proven claims from which a model's answer is shown however unsure the search was: the model has
read the passages for this question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """What is left of a model's answer. `share` of its claims was proven; `failure` is the error's key if no
    model answered; `abstained`: the model says that the passages contain no answer; `silent` are the names of
    the parties or places of a comparison without a claim."""

    claims: tuple[Claim, ...] = ()
    citations: tuple[Citation, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    share: float = 0.0
    failure: str | None = None
    abstained: bool = False
    silent: tuple[str, ...] = ()
    drafting: Drafting | None = None

    @property
    def answerer(self) -> str:
        """The answer's `answerer`: the model that wrote, possibly a fallback."""
        return f"llm:{self.drafting.model if self.drafting else ''}"


@dataclass(slots=True, kw_only=True)
class DraftSession:
    """The attempts at one question; the best one counts. The model sees the same passages that its answer is
    checked against."""

    messages: Callable[[str], Sequence[ModelMessage]]
    verifier: Verifier
    places: Places
    started: float = field(default_factory=time.monotonic)
    completions: list[Completion] = field(default_factory=list)
    writer: str = ""
    """The model that wrote the attempt that counts."""
    best: Verified = field(default_factory=Verified)
    last: Verified = field(default_factory=Verified)
    rejected: list[Rejected] = field(default_factory=list)
    abstained: bool = False
    failure: str | None = None
    judgement: Judgement = field(default_factory=Judgement)

    @property
    def collections(self) -> tuple[str, ...]:
        """The collections of the passages: only models approved for all of them may see them."""
        return tuple(sorted({s.hit.edition.document.collection for s in self.verifier.sources}))

    async def take(self, completion: Completion, enough: float) -> bool:
        """Verify what the model wrote; returns whether to ask again."""
        draft = read_draft(completion.text)
        insists = any(completion.text == earlier.text for earlier in self.completions)
        verified = self.last = await self.verifier.verify(draft)
        if not self.completions or verified.rank > self.best.rank:
            self.best, self.writer = verified, completion.model
        self.completions.append(completion)
        self.rejected += verified.rejected
        self.abstained = draft.abstains
        complete = not verified.silent or len(self.completions) > 1  # a side may have nothing to say
        good = bool(verified.proven) and verified.share >= enough and complete
        return not (good or draft.abstains or insists) and repairable(verified)

    async def judged(self, judge: Judge | None, relation: Relation, deadline_s: float) -> list[Proven]:
        """What is finally shown: quotes, and claims that `relation` finds related to their quotes and `judge`
        finds stated in them. Without a judge, only quotes."""
        proven = self.verifier.shown([] if self.abstained else self.best.proven)  # its last word counts
        written = [item for item in proven if item.paraphrase]
        foreign: set[str] = set()
        if judge is not None:
            asked = [self._related(item) for item in written]
            foreign = {written[index].text for index in await relation.unrelated(asked)}
            written = [item for item in written if item.text not in foreign]
            claims = [
                JudgedClaim(text=item.text, quotes=tuple(found.quote.text for found in item.quotes))
                for item in written
            ]
            self.judgement = await judge.judge(claims, collections=self.collections, deadline_s=deadline_s)
        stated = {written[index].text for index in self.judgement.stated}
        why = "not_stated" if self.judgement.completion else "unjudged"
        self.rejected += [rejection("claim", text, "unrelated") for text in sorted(foreign)]
        self.rejected += [rejection("claim", item.text, why) for item in written if item.text not in stated]
        shown = [(item,) if item.text in stated else item.quoted() for item in proven]
        return distinct([item for items in shown for item in items])

    def _related(self, item: Proven) -> Related:
        language = self.verifier.guard.language
        written = ((found.quote.text, found.edition.document.fields.language) for found in item.quotes)
        quotes = tuple(QuotedText(text=text, language=own or language) for text, own in written)
        return Related(text=item.text, language=language, quotes=quotes)

    def outcome(self, proven: Sequence[Proven], prompt: str, model: str) -> Generated:
        """The answer that shows `proven`."""
        citations, claims = cited(proven)
        documents = [source.hit.edition.document for source in self.verifier.sources]
        return Generated(
            claims=claims,
            citations=citations,
            rejected=tuple(dict.fromkeys(self.rejected)),
            share=self.best.share,
            failure=None if claims else self.failure,
            abstained=self.abstained,
            silent=tuple(side_name(group, documents, self.places) for group in self.best.silent),
            drafting=self._drafting(prompt, model),
        )

    def _drafting(self, prompt: str, model: str) -> Drafting:
        completions = [*self.completions, *([self.judgement.completion] if self.judgement.completion else [])]
        costs = [item.cost_usd for item in completions if item.cost_usd is not None]
        return Drafting(
            model=self.writer or model,
            prompt=prompt,
            outputs=tuple(item.text for item in self.completions),
            judgement=self.judgement.completion.text if self.judgement.completion else "",
            prompt_tokens=sum(item.prompt_tokens for item in completions),
            completion_tokens=sum(item.completion_tokens for item in completions),
            cost_usd=sum(costs) if completions and len(costs) == len(completions) else None,
        )


def confidence_of(sure: float, generated: Generated) -> float:
    """Confidence in a written answer: that of the search result, reduced for unproven claims. Half of it
    depends on the share of proven ones."""
    return sure * (0.5 + 0.5 * generated.share)


def fallback_notice(generated: Generated) -> Notice:
    """A notice why the answer consists only of quotes although there is a model."""
    if generated.failure:
        return Notice(key=_FAILURES.get(generated.failure, "notice.model_unavailable"))
    return Notice(key="notice.model_abstained" if generated.abstained else "notice.model_unverified")


def silence_notices(generated: Generated) -> tuple[Notice, ...]:
    """Notices about the parties or places of a comparison about which nothing could be said."""
    return tuple(Notice(key="notice.group_silent", values={"name": name}) for name in generated.silent)
