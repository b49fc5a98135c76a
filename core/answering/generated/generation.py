"""The generative answerer: a model writes claims with quotes, and only what is proven is let through."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.generated.claims import ClaimGuard
from core.answering.generated.drafts import SCHEMA
from core.answering.generated.judge import Judge, Relation
from core.answering.generated.previews import OnClaims, Preview
from core.answering.generated.quotes import QuoteFinder, SourcePages
from core.answering.generated.session import DraftSession, Generated
from core.answering.generated.sources import (
    language_name,
    load_prompt,
    missing_line,
    passage_block,
    sources_of,
)
from core.answering.generated.verification import Verifier, repairs
from core.answering.labels import plain
from core.answering.personal_data import KEPT_BACK, Privacy
from core.answering.sight import TRUSTING, Sight
from core.domain.models import Completion, ModelMessage
from core.domain.registry import Jurisdiction
from core.domain.scope import Missing
from core.errors import FundstelleError
from core.language import identification
from core.ports.library import Library
from core.ports.models import LanguageModel, OnText
from core.registry.detection import Detector
from core.registry.registry import Places
from core.search.plan import SearchResult

UNUSABLE: Final = "model.unusable"
"""The error for settings that can never work: reported at once, not worked around in every answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings:
    """A model is asked again up to `retries` times within one deadline (seconds) if fewer than `enough` of
    its claims are proven and those rejected can be repaired. At most `claims` are shown; a prompt has at most
    `passages`, of at most `max_context_tokens` in total, or fewer if the model accepts fewer."""

    retries: int = 2
    deadline_s: float = 60.0
    max_tokens: int = 1200
    claims: int = 6
    enough: float = 0.5
    max_context_tokens: int = 6000
    passages: int = 12


class Generator:
    """Answers with a language model's claims, as far as they are proven. `prompt` names its file."""

    def __init__(
        self,
        *,
        model: LanguageModel,
        library: Library,
        known_places: Iterable[Jurisdiction] = (),
        settings: GenerationSettings | None = None,
        prompt: str = "answer",
        judge: Judge | None = None,
        relation: Relation | None = None,
        privacy: Privacy = KEPT_BACK,
        sight: Sight = TRUSTING,
    ) -> None:
        """Without a `judge` nothing is shown in the model's own words: it only chooses and orders quotes."""
        self._model = model
        self._judge = judge
        self._relation = relation or Relation()
        self._library = library
        self._known_places = tuple(known_places)
        self._settings = settings or GenerationSettings()
        self._finder = QuoteFinder(library, sight)
        self._prompt = load_prompt(prompt)
        self._privacy = privacy

    async def warm_up(self) -> None:
        """Load what the model's first call would load; if that is missing, the first call says so. Raises
        Broken("model.unusable")."""
        try:
            await self._model.warm_up()
        except FundstelleError as error:
            if error.key == UNUSABLE:
                raise

    @property
    def token_budget(self) -> int:
        """Maximum tokens of passages to request from the search."""
        return min(self._model.max_context_tokens, self._settings.max_context_tokens)

    @property
    def passages(self) -> int:
        """Maximum passages to request from the search."""
        return self._settings.passages

    @property
    def attempts(self) -> int:
        """Maximum number of times the model is asked for one answer."""
        return 1 + self._settings.retries

    async def generate(
        self,
        question: str,
        result: SearchResult,
        *,
        spent_s: float = 0.0,
        used: int = 0,
        on_claims: OnClaims | None = None,
    ) -> Generated:
        """The proven part of what the model answers to `question` from the context of `result`. A failing
        model is not an error, but recorded in `failure`; one that can never be asked is:
        Broken("model.unusable"). `spent_s` of the deadline and `used` of the attempts are already used up.
        `on_claims` receives claims as soon as they are written and proven."""
        if not result.context:
            return Generated(abstained=True)
        pages = asyncio.create_task(self._pages(result))
        try:
            session = await self._session(question, result, pages)
            session.started -= spent_s
            await self._tried(session, used, on_claims)
        finally:
            pages.cancel()
            await asyncio.gather(pages, return_exceptions=True)
        proven = await session.judged(self._judge, self._relation, self.left_s(session.started))
        return session.outcome(proven, self._prompt.id, self._model.name)

    async def _pages(self, result: SearchResult) -> SourcePages:
        """The pages for verification, prepared while the model writes."""
        pages = await self._finder.over(sources_of(result.context))
        await asyncio.to_thread(identification.load)
        return pages

    async def _tried(self, session: "DraftSession", used: int, on_claims: OnClaims | None) -> None:
        try:
            await self._attempts(session, used, on_claims)
        except FundstelleError as error:
            if error.key == UNUSABLE:
                raise
            session.failure = error.key
        except TimeoutError:
            session.failure = "model.timeout"

    async def _attempts(self, session: "DraftSession", used: int, on_claims: OnClaims | None) -> None:
        async with asyncio.timeout(self.left_s(session.started)):
            note = ""
            for _ in range(self.attempts - used):
                if self.left_s(session.started) <= 0:
                    raise TimeoutError
                completion = await self._complete_with_preview(session, note, on_claims)
                if not await session.take(completion, self._settings.enough):
                    return
                note = repairs(session.last)

    async def _complete_with_preview(
        self, session: "DraftSession", note: str, on_claims: OnClaims | None
    ) -> Completion:
        if on_claims is None:
            return await self._complete(session, note)
        preview = Preview(session.verifier, on_claims)
        async with preview.watching():
            return await self._complete(session, note, preview.hear)

    async def _complete(
        self, session: "DraftSession", note: str, on_text: OnText | None = None
    ) -> Completion:
        return await self._model.complete(
            session.messages(note),
            collections=session.collections,
            schema=SCHEMA,
            max_tokens=self._settings.max_tokens,
            deadline_s=max(self.left_s(session.started), 0.1),
            on_text=on_text,
        )

    def left_s(self, started: float) -> float:
        """Seconds left of the deadline of an answer begun at `started` (`time.monotonic`)."""
        return self._settings.deadline_s - (time.monotonic() - started)

    async def _session(
        self, question: str, result: SearchResult, pages: asyncio.Future[SourcePages]
    ) -> "DraftSession":
        registry = await self._library.registry(result.plan.scope.collections)
        places = Places(registry, self._known_places)
        sources = sources_of(result.context)
        documents = [source.hit.edition.document for source in sources]
        names = await asyncio.to_thread(Detector, registry, documents, self._known_places)
        block = passage_block(sources, places.name)
        missing = missing_line([_missing(item, places) for item in result.missing])
        language = result.plan.language
        asked = plain(await asyncio.to_thread(self._privacy.for_models, question))

        def messages(note: str) -> Sequence[ModelMessage]:
            return self._prompt.messages(
                passages=block,
                missing=missing,
                note=note,
                language=language_name(language),
                question=asked,
                claims=str(self._settings.claims),
            )

        verifier = Verifier(
            finder=self._finder,
            sources=sources,
            pages=pages,
            guard=ClaimGuard(registry=registry, names=names, language=language),
            plan=result.plan,
            limit=self._settings.claims,
        )
        return DraftSession(messages=messages, verifier=verifier, places=places)


def _missing(item: Missing, places: Places) -> str:
    name = places.name(item.name) if item.kind == "jurisdiction" else item.name
    return f"{name} ({item.kind})"
