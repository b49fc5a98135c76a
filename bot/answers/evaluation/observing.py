"""Running question sets through search and answer."""

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bot.answers.questions import Questions
from bot.library.scoping import ScopeOptions, Scoping
from bot.presentation.attachments import Attacher
from bot.presentation.views.problems import Failures
from core.answering.others import others_named, quoted_parties, speaking
from core.domain.answers import Answer, Citation, Outcome, Verdict
from core.domain.documents import GLOBAL, Edition
from core.domain.models import Completion, ModelMessage
from core.evaluation.metrics import Observed, Place, Usage
from core.evaluation.questions import SetQuestion
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex
from core.ports.library import Library
from core.ports.models import LanguageModel, OnText
from core.search.editions import current
from core.search.plan import SearchResult

HITS = 10
"""Hits examined per question."""

FALLBACK = "notice.model_"
"""Prefix of the keys of notices saying why a model's answer is not shown."""

DECLINED = "notice.model_abstained"
"""Key of the notice that a model found no answer and is believed, which is not a fallback."""


class Meter:
    """Counts calls until they are taken."""

    def __init__(self) -> None:
        self._calls: list[Completion] = []

    def over(self, model: LanguageModel) -> LanguageModel:
        """`model`, its calls counted here."""
        return _Metered(model, self._calls)

    def take(self) -> Usage | None:
        """The calls since the last `take`, None if there were none. The price is None if one is unknown;
        calls that ended without an answer have no bill and are not in it."""
        calls = list(self._calls)
        self._calls.clear()
        if not calls:
            return None
        prices = [call.cost_usd for call in calls if call.cost_usd is not None]
        return Usage(
            prompt_tokens=sum(call.prompt_tokens for call in calls),
            completion_tokens=sum(call.completion_tokens for call in calls),
            usd=sum(prices) if len(prices) == len(calls) else None,
        )


class _Metered:
    def __init__(self, model: LanguageModel, calls: list[Completion]) -> None:
        self._model = model
        self._calls = calls

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def max_context_tokens(self) -> int:
        return self._model.max_context_tokens

    async def warm_up(self) -> None:
        await self._model.warm_up()

    async def complete(
        self,
        messages: Sequence[ModelMessage],
        *,
        collections: Sequence[str],
        schema: Mapping[str, object] | None = None,
        max_tokens: int = 1024,
        deadline_s: float = 60.0,
        on_text: OnText | None = None,
    ) -> Completion:
        done = await self._model.complete(
            messages,
            collections=collections,
            schema=schema,
            max_tokens=max_tokens,
            deadline_s=deadline_s,
            on_text=on_text,
        )
        self._calls.append(done)
        return done


async def observe(
    service: Questions,
    attacher: Attacher,
    questions: Sequence[SetQuestion],
    progress: Callable[[int, int], None],
    *,
    answerer: str | None = None,
    meter: Meter | None = None,
    failures: Failures,
) -> list[Observed]:
    """Ask every question of a set; its jurisdiction is used as the option, its party is not.
    `answerer` as in `Asker.answered`; `meter` counts the calls of the models. A question that cannot be
    asked is noted in `failures`, and the others are asked. Raises Refused for an answerer that is not
    there."""
    found: list[Observed] = []
    await service.check_answerer(answerer)  # a missing one is not the question's fault
    await service.warm_up()
    with tempfile.TemporaryDirectory() as folder:
        for done, question in enumerate(questions, start=1):
            to = Path(folder) / str(done)
            asked = _observe(service, attacher, question, answerer, meter or Meter(), to)
            observed = await failures.tried(question.id, asked)
            found += [observed] if observed is not None else []
            progress(done, len(questions))
    return found


async def _observe(
    service: Questions,
    attacher: Attacher,
    question: SetQuestion,
    answerer: str | None,
    meter: Meter,
    folder: Path,
) -> Observed:
    options = ScopeOptions(jurisdiction=question.jurisdiction)
    result = await service.search(question.question, options, k=HITS)
    meter.take()  # the search above is not part of the answer
    answer = await service.ask(question.question, options, answerer=answerer)
    usage = meter.take()
    attached = await attacher.attach(answer.citations, folder, previews=False)
    exact = [await _is_exact(service.library, citation) for citation in answer.citations]
    editions = [hit.edition for hit in result.hits] + [item.edition for item in answer.citations]
    labels = {item.label for item in answer.citations}
    named = bool(result.plan.detected.parties or result.plan.scope.parties)
    return Observed(
        question=question,
        hits=tuple(_places(hit.edition, hit.passage.pages) for hit in result.hits),
        citations=tuple(_places(item.edition, item.quote.pages) for item in answer.citations),
        quotes=tuple(item.quote.text for item in answer.citations),
        exact_quotes=sum(exact),
        highlights=sum(item.checked for item in attached.values()),
        claims=len(answer.claims),
        labelled=sum(bool(claim.labels) and labels.issuperset(claim.labels) for claim in answer.claims),
        outcome=answer.outcome.value,
        silent=_is_silent(answer, question),
        confidence=answer.confidence,
        places=frozenset(_place(edition) for edition in editions),
        allowed=_allowed(service.searched.scoping, result),
        seconds=answer.seconds["total"],
        usage=usage,
        drafted=answer.drafting is not None,
        fell_back=fell_back(answer),
        cited_parties=frozenset() if named else quoted_parties(answer),
        named_parties=frozenset() if named else others_named(answer),
    )


async def passages_of_parties(service: Questions) -> dict[str, int]:
    """The number of current passages of each party's documents; joint documents count for each party."""
    scope, today = await service.searched.scoping.scope(ScopeOptions()), service.clock.today()
    counts: Counter[str] = Counter()
    for edition in current(await service.library.editions(scope, on=today), today):
        counts.update(dict.fromkeys(speaking(edition), edition.version.passages))
    return dict(counts)


def fell_back(answer: Answer) -> bool:
    """Whether a model should have answered and something else is shown instead."""
    keys = [notice.key for notice in answer.notices]
    return any(key.startswith(FALLBACK) and key != DECLINED for key in keys)


def _places(edition: Edition, pages: Sequence[int]) -> tuple[Place, ...]:
    return tuple((edition.document.file, page) for page in pages)


def _place(edition: Edition) -> str:
    return edition.document.fields.jurisdiction or ""


def _is_silent(answer: Answer, question: SetQuestion) -> bool:
    """Whether it is silence; for a question without an answer, saying that there is no source also counts."""
    if not question.answerable and answer.missing:
        return True
    return answer.outcome is not Outcome.GROUNDED


def _allowed(scoping: Scoping, result: SearchResult) -> frozenset[str] | None:
    asked = result.plan.scope.jurisdictions
    if not asked:
        return None
    places = scoping.within(result.plan.scope.collections).places
    chain = {place for code in asked for place in (code, *places.ancestors(code))}
    return frozenset(chain | {GLOBAL})


async def _is_exact(library: Library, citation: Citation) -> bool:
    """Whether the quote shown is word for word on the pages named, verified again from the pages."""
    pages = await library.pages_at(citation.edition.version.id, citation.quote.pages)
    found = align(citation.quote.text, DocumentIndex(pages))
    return found.verdict is Verdict.VERBATIM
