"""A language model in memory, for tests of use cases: returns the scripted answers."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.models import Completion, ModelMessage
from core.errors import FundstelleError, Refused
from core.ports.models import OnText
from tests.support.scripted_answers import Mode, Prompt, content, is_judging, verdicts

PIECE = 40
"""Number of characters by which a streamed answer grows."""


@dataclass(slots=True)
class FakeModel:
    """`answer` takes precedence over `mode`, `error` over both. `asked` collects the messages of every call.
    `writers` are the models that answer successive calls, as with fallbacks; after them it is `name`. As a
    judge it accepts all claims, or those for which `believes` (claim, quotes) is true; `judged` collects the
    messages of these calls."""

    mode: Mode = Mode.PROPER
    answer: Callable[[Prompt, Mapping[str, object] | None], str] | None = None
    error: FundstelleError | None = None
    collections: frozenset[str] = frozenset({"public"})
    structured: bool = True
    name: str = "fake"
    max_context_tokens: int = 6000
    asked: list[tuple[ModelMessage, ...]] = field(default_factory=list)
    judged: list[tuple[ModelMessage, ...]] = field(default_factory=list)
    writers: tuple[str, ...] = ()
    believes: Callable[[str, tuple[str, ...]], bool] = lambda claim, quotes: True

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
        if not set(collections) <= self.collections:
            raise Refused("model.not_approved", "the fake may not see these collections")
        if self.error is not None:
            raise self.error
        prompt = Prompt(texts=tuple(message.text for message in messages))
        judging = is_judging(prompt)
        (self.judged if judging else self.asked).append(tuple(messages))
        wanted = schema if self.structured else None
        if judging:
            text = verdicts(prompt, self.believes)
        else:
            text = self.answer(prompt, wanted) if self.answer else content(self.mode, prompt, wanted)
        if on_text is not None:
            await _spoken(text, on_text)
        return Completion(
            text=text,
            model=dict(enumerate(self.writers, start=1)).get(len(self.asked), self.name),
            structured=wanted is not None,
            prompt_tokens=sum(len(item.split()) for item in prompt.texts),
            completion_tokens=len(text.split()),
            cost_usd=None,
            seconds=0.0,
        )

    async def warm_up(self) -> None:
        """There is nothing to load."""


async def _spoken(text: str, on_text: OnText) -> None:
    for end in range(PIECE, len(text) + PIECE, PIECE):
        on_text(text[:end])
        await asyncio.sleep(0)
