"""Asking a set's questions about every other party, and about two parties in both orders."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

from bot.answers.answerers import CLAIMS
from bot.answers.comparisons import Comparisons
from bot.answers.questions import Questions
from bot.library.scoping import ScopeOptions
from bot.presentation.views import Failures
from core.domain.answers import Citation
from core.evaluation.questions import SetQuestion
from core.evaluation.symmetry import Form, Ordered, SymmetryRound, SymmetryTurn
from core.language.languages import of
from core.registry.names import replaced


@dataclass(frozen=True, slots=True, kw_only=True)
class Swappable:
    """A question that names one party of the library. `stretches` are where it does so, `others` the
    further parties with a document where that party has one, from the next one by name on."""

    row: SetQuestion
    party: str
    stretches: tuple[tuple[int, int], ...]
    others: tuple[str, ...]

    @property
    def options(self) -> ScopeOptions:
        """The scope that the question is asked in."""
        return ScopeOptions(jurisdiction=self.row.jurisdiction)

    def about(self, *parties: str) -> str:
        """The question about `parties` instead."""
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
        """The rows of a comparison, in their order."""
        options = replace(asked.options, jurisdiction=None, parties=parties)
        places = (asked.row.jurisdiction,) if asked.row.jurisdiction else ()
        made = await self.comparisons.compare(asked.about(*parties), options, places)
        return tuple(
            (row.side.name, row.status, tuple(_cited(each) for each in row.citations))
            for row in made.report.rows
        )

    async def _answered(self, asked: Swappable, parties: tuple[str, ...]) -> Hashable:
        """What an answer shows, in its order."""
        answer = await self.service.ask(asked.about(*parties), asked.options, answerer=self.answerer)
        return answer.outcome, tuple(_cited(each) for each in answer.citations)


def _cited(citation: Citation) -> Hashable:
    return citation.label, citation.edition.version.id, citation.quote.spans
