"""What language models had to do: every call counted, whatever it was for."""

from collections.abc import Mapping, Sequence

from core.domain.models import Completion, ModelMessage
from core.evaluation.metrics import Usage
from core.ports.models import LanguageModel, OnText


class Meter:
    """Counts calls until they are taken."""

    def __init__(self) -> None:
        self._calls: list[Completion] = []

    def over(self, model: LanguageModel) -> LanguageModel:
        """`model`, its calls counted here."""
        return _Metered(model, self._calls)

    def take(self) -> Usage | None:
        """The calls since the last time, None if there were none. The price is None if one is unknown; calls
        that ended without an answer have no bill and are not in it."""
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
