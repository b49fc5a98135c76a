"""Asking the questions of a set: each on its own, about every other party, and about two parties in both
orders."""

import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr, ValidationError

from bot.answers.answerers import CLAIMS
from bot.answers.questions import Questions
from bot.answers.reports import Comparisons
from bot.library.scoping import ScopeOptions, Scoping
from bot.presentation.attachments import Attacher
from bot.presentation.views.problems import Failures
from bot.settings.tree import Settings
from core.answering.forms import EXTRACTIVE, LLM
from core.answering.others import others_named, quoted_parties, speaking
from core.domain.answers import Answer, Citation, Outcome, Verdict
from core.domain.documents import GLOBAL, Edition
from core.domain.models import Completion, ModelMessage
from core.errors import Refused
from core.evaluation import (
    Form,
    Observed,
    Ordered,
    Place,
    SetQuestion,
    SymmetryRound,
    SymmetryTurn,
    Usage,
)
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex
from core.language.languages import of
from core.ports.library import Library
from core.ports.models import LanguageModel, OnText
from core.registry.names import replaced
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
        """`model`, with its calls counted here."""
        return _Metered(model, self._calls)

    def take(self) -> Usage | None:
        """The calls since the last `take`, None if there were none. The price is None if one is unknown;
        calls that ended without an answer have no bill and are not included."""
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
    """Ask every question of a set; its jurisdiction is used as the option, its party is not. `answerer` as in
    `Asker.answered`; `meter` counts the calls of the models. A question that cannot be asked is noted in
    `failures`, and the others are asked. Raises Refused for a missing answerer."""
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
        places=frozenset(edition.document.fields.jurisdiction or "" for edition in editions),
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
    """Whether a model should have answered but something else is shown instead."""
    keys = [notice.key for notice in answer.notices]
    return any(key.startswith(FALLBACK) and key != DECLINED for key in keys)


def _places(edition: Edition, pages: Sequence[int]) -> tuple[Place, ...]:
    return tuple((edition.document.file, page) for page in pages)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Swappable:
    """A question that names one party of the library. `stretches` are the positions of the name, `others` the
    other parties with a document where that party has one, starting with the next by name."""

    row: SetQuestion
    party: str
    stretches: tuple[tuple[int, int], ...]
    others: tuple[str, ...]

    @property
    def options(self) -> ScopeOptions:
        """The scope that the question is asked in."""
        return ScopeOptions(jurisdiction=self.row.jurisdiction)

    def about(self, *parties: str) -> str:
        """The question with `parties` substituted."""
        joined = f" {of(self.row.language).follow_ups.conjunction} ".join(parties)
        return replaced(self.row.question, self.stretches, joined)


async def symmetry(
    service: Questions,
    comparisons: Comparisons,
    questions: Sequence[SetQuestion],
    progress: Callable[[int, int], None],
    *,
    citations: int,
    answerer: str | None = None,
    failures: Failures,
) -> list[SymmetryRound]:
    """A round for every question of the set that names one party of the library. `citations` is the setting:
    maximum quotes in an answer. `answerer` as in `Asker.answered`. A question that cannot be asked is noted
    in `failures`."""
    writes = service.asker.generator(answerer) is not None
    quota = CLAIMS if writes else citations
    asking = _Asking(service=service, comparisons=comparisons, quota=quota, answerer=answerer)
    found = [
        each
        for row in questions
        if (each := await failures.tried(row.id, swappable(service, row))) is not None
    ]
    rounds: list[SymmetryRound] = []
    for done, each in enumerate(found, start=1):
        made = await failures.tried(each.row.id, asking.round(each))
        rounds += [made] if made is not None else []
        progress(done, len(found))
    return rounds


async def swappable(service: Questions, row: SetQuestion) -> Swappable | None:
    """The question as one whose party can be swapped; None if it names no party, several, or one
    without a document, or if there is no other."""
    scope = await service.searched.scoping.scope(ScopeOptions(jurisdiction=row.jurisdiction))
    editions = await service.library.editions(scope, on=service.clock.today())
    registry = service.searched.scoping.within(scope.collections).registry
    detected = service.searcher.read(row.question, registry, editions).names
    if len(detected.parties) != 1:
        return None
    party = detected.parties[0].key
    documents = [edition.document.fields for edition in editions if edition.document.fields.parties]
    places = {fields.jurisdiction for fields in documents if party in fields.parties}
    rivals = {name for fields in documents if fields.jurisdiction in places for name in fields.parties}
    stretches = tuple((each.start, each.end) for each in detected.mentions if each.key == party)
    others = sorted(rivals - {party}, key=lambda name: (name < party, name))
    if party not in rivals or not others:
        return None
    return Swappable(row=row, party=party, stretches=stretches, others=tuple(others))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    service: Questions
    comparisons: Comparisons
    quota: int
    answerer: str | None

    async def round(self, asked: Swappable) -> SymmetryRound:
        """The question as written, about every other party, and about its party beside the next one."""
        questions = [(asked.party, asked.row.question)]
        questions += [(name, asked.about(name)) for name in asked.others]
        return SymmetryRound(
            id=asked.row.id,
            quota=self.quota,
            turns=tuple([await self._turn(party, text, asked) for party, text in questions]),
            ordered=await self._pairs(asked, (asked.party, asked.others[0])),
        )

    async def _turn(self, party: str, question: str, asked: Swappable) -> SymmetryTurn:
        answer = await self.service.ask(question, asked.options, answerer=self.answerer)
        form = Form(
            kind=answer.kind.value,
            language=answer.language,
            parties=len(answer.scope.parties),
            scope=replace(answer.scope, parties=()),
        )
        return SymmetryTurn(
            party=party,
            question=question,
            form=form,
            outcome=answer.outcome.value,
            sentences=len(answer.claims),
            quotes=len(answer.citations),
        )

    async def _pairs(self, asked: Swappable, parties: tuple[str, str]) -> tuple[Ordered, ...]:
        forth, back = parties, parties[::-1]
        compared = [await self._compared(asked, order) for order in (forth, back)]
        answered = [await self._answered(asked, order) for order in (forth, back)]
        return tuple(
            Ordered(way=way, question=asked.about(*forth), equal=one == other)
            for way, (one, other) in (("compare", compared), ("ask", answered))
        )

    async def _compared(self, asked: Swappable, parties: tuple[str, ...]) -> Hashable:
        """The rows of a comparison, in order."""
        options = replace(asked.options, jurisdiction=None, parties=parties)
        places = (asked.row.jurisdiction,) if asked.row.jurisdiction else ()
        made = await self.comparisons.compare(asked.about(*parties), options, places)
        return tuple(
            (row.side.name, row.status, tuple(_cited(each) for each in row.citations))
            for row in made.report.rows
        )

    async def _answered(self, asked: Swappable, parties: tuple[str, ...]) -> Hashable:
        """The quotes that an answer shows, in order."""
        answer = await self.service.ask(asked.about(*parties), asked.options, answerer=self.answerer)
        return answer.outcome, tuple(_cited(each) for each in answer.citations)


def _cited(citation: Citation) -> Hashable:
    return citation.label, citation.edition.version.id, citation.quote.spans


# Variants of the settings, to be compared: `NAME:key=value,key=value`.

ANSWERER = "answerer"
"""The only key that is not a setting: who answers."""

_NEXT = re.compile(r",(?=[a-z_][\w.]*=)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A way to answer: `answerer` as in `Asker.answered` (None: as the settings have it), `settings` with the
    changes made, and `changes` as they may be shown (dotted name to value, secrets hidden)."""

    name: str
    answerer: str | None
    settings: Settings
    changes: dict[str, str]


def variant(text: str, settings: Settings) -> Variant:
    """The variant of `settings` that `text` describes: a name, and after a colon changes separated by
    commas. A key is `answerer` or the dotted name of a setting in a table, a value TOML or plain text. A
    variant called `extractive` or `llm` has that answerer unless it says otherwise.
    Raises Refused("variant.invalid")."""
    name, _, rest = text.partition(":")
    name = name.strip()
    if not name:
        raise _invalid(text, "it has no name")
    answerer = name if name in (EXTRACTIVE, LLM) else None
    changes: dict[str, str] = {}
    for part in _NEXT.split(rest) if rest.strip() else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise _invalid(text, f"{part!r} is not KEY=VALUE")
        if key == ANSWERER:
            answerer = _answerer(text, value)
            continue
        settings = _changed(settings, key, value, text)
        changes[key] = _shown(settings, key)
    return Variant(name=name, answerer=answerer, settings=settings, changes=changes)


def _answerer(text: str, value: str) -> str:
    if value not in (EXTRACTIVE, LLM):
        raise _invalid(text, f"{ANSWERER} is {EXTRACTIVE} or {LLM}, not {value!r}")
    return value


def _changed(settings: Settings, key: str, value: str, text: str) -> Settings:
    table, *path = key.split(".")
    section = getattr(settings, table, None) if table in type(settings).model_fields else None
    if not isinstance(section, BaseModel) or not path:
        raise _invalid(text, f"{key} is no setting in a table, such as answer.citations")
    try:
        return settings.model_copy(update={table: _with(section, path, _value(value))})
    except KeyError:
        raise _invalid(text, f"there is no setting {key}; see `fundstelle settings`") from None
    except ValidationError as error:
        raise _invalid(text, "; ".join(f"{key}: {item['msg']}" for item in error.errors())) from None


def _with(section: BaseModel, path: list[str], value: object) -> BaseModel:
    """`section` with the value at `path`, validated. Raises KeyError for a name that is not there."""
    name, *rest = path
    if name not in type(section).model_fields:
        raise KeyError(name)
    inner = getattr(section, name)
    if rest:
        if not isinstance(inner, BaseModel):
            raise KeyError(name)
        value = _with(inner, rest, value)
    return type(section).model_validate({**dict(section), name: value})


def _value(text: str) -> Any:
    """`text` parsed as TOML, or as plain text if it isn't."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _shown(settings: Settings, key: str) -> str:
    found: Any = settings
    for name in key.split("."):
        found = getattr(found, name)
    return str(found) if isinstance(found, str | SecretStr) else repr(found)


def _invalid(text: str, why: str) -> Refused:
    return Refused("variant.invalid", f"--variant {text!r}: {why}")
