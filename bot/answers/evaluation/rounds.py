"""Asking a set's questions about every other party, and about two parties in both orders."""

import re
import tomllib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, SecretStr, ValidationError

from bot.answers.answerers import CLAIMS
from bot.answers.comparisons import Comparisons
from bot.answers.questions import Questions
from bot.library.scoping import ScopeOptions
from bot.presentation.views.problems import Failures
from bot.settings.tree import Settings
from core.answering.forms import EXTRACTIVE, LLM
from core.domain.answers import Citation
from core.errors import Refused
from core.evaluation.questions import SetQuestion
from core.evaluation.symmetry import Form, Ordered, SymmetryRound, SymmetryTurn
from core.language.languages import of
from core.registry.names import replaced


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
    """A round for every question of the set that names one party of the library. `citations` is the
    setting: quotes in an answer at most. `answerer` as in `Asker.answered`. A question that cannot be asked
    is noted in `failures`."""
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
        """What an answer shows, in order."""
        answer = await self.service.ask(asked.about(*parties), asked.options, answerer=self.answerer)
        return answer.outcome, tuple(_cited(each) for each in answer.citations)


def _cited(citation: Citation) -> Hashable:
    return citation.label, citation.edition.version.id, citation.quote.spans


# Variants of the settings, to be set side by side: `NAME:key=value,key=value`.

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
