"""A language model with fallbacks: the port `LanguageModel` over LiteLLM.

LiteLLM speaks to the providers; which endpoint is asked next is decided here, because approval, budget,
time and what an endpoint can do are known for each one.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence

from adapters.litellm.budget import DailyBudget
from adapters.litellm.calling import Call, Caller, EndpointRequest, Unusable
from adapters.litellm.endpoint import Endpoint
from adapters.litellm.errors import TIMEOUT, UNUSABLE, failure, worst
from core.domain.models import Completion, MessageRole, ModelMessage
from core.errors import Broken, FundstelleError, Refused, Unavailable
from core.ports.models import OnText

REST_S = 20.0
PROBE = (ModelMessage(speaker=MessageRole.USER, text="Answer with the word OK."),)
PROBE_TOKENS = 64

_LOG = logging.getLogger(__name__)

Answer = Completion | FundstelleError
Heard = Callable[[str, Answer, float], None]
"""Hears the name of a model, what a call of it has come to, and its seconds."""


class LiteLlmModel:
    """Endpoints in the order they are asked. LiteLLM is imported at the first call or by `warm_up`."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        *,
        budget: DailyBudget | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        heard: Heard | None = None,
    ) -> None:
        """`heard` is told of every call's end. Raises Broken("model.none") without an endpoint."""
        if not endpoints:
            raise Broken("model.none", "no model is configured; set model under [llm]")
        self.endpoints = tuple(endpoints)
        self._caller = Caller(endpoints, budget=budget, monotonic=monotonic)
        self._monotonic = monotonic
        self._heard = heard
        self._rests_until: dict[Endpoint, float] = {}

    @property
    def name(self) -> str:
        """Name of the first model, as in the settings."""
        return self.endpoints[0].model

    @property
    def max_context_tokens(self) -> int:
        """Tokens of passages that fit every endpoint, so that a fallback can take the same prompt."""
        return min(endpoint.context_tokens for endpoint in self.endpoints)

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
        """See the port."""
        approved = self._approved(collections)
        call = self._call(messages, schema, max_tokens, deadline_s, on_text)
        answer: Answer = Unavailable("model.timeout", f"no model answered within {deadline_s:g} s")
        try:
            async with asyncio.timeout(deadline_s):
                answer = await self._first_answer(approved, call)
        except TimeoutError:
            pass  # `answer` says so; raised outside the handler, nothing foreign hangs on to it
        if isinstance(answer, FundstelleError):
            raise answer
        return answer

    async def try_each(self) -> list[tuple[str, Answer]]:
        """Ask every endpoint one tiny question: its name and host, and the answer or what is wrong."""
        await self._caller.load()
        results = []
        for endpoint in self.endpoints:
            call = self._call(PROBE, None, PROBE_TOKENS, endpoint.timeout_s)
            results.append((endpoint.shown, await self._bounded(endpoint, call, last=True)))
        return results

    async def warm_up(self) -> None:
        """See the port: imports LiteLLM."""
        known = await self._caller.load()
        faults = [
            failure(UNUSABLE, each, why.why) for each, why in known.items() if isinstance(why, Unusable)
        ]
        if faults:
            raise worst(faults)

    async def close(self) -> None:
        """Close all connections."""
        await self._caller.close()

    def _call(
        self,
        messages: Sequence[ModelMessage],
        schema: Mapping[str, object] | None,
        max_tokens: int,
        seconds: float,
        on_text: OnText | None = None,
    ) -> Call:
        now = self._monotonic()
        return Call(
            messages=messages,
            schema=schema,
            max_tokens=max_tokens,
            started=now,
            until=now + seconds,
            on_text=on_text,
        )

    def _approved(self, collections: Sequence[str]) -> list[Endpoint]:
        wanted = frozenset(collections)
        approved = [endpoint for endpoint in self.endpoints if wanted <= endpoint.collections]
        if not approved:
            names = ", ".join(sorted(wanted))
            raise Refused("model.not_approved", f"no model may see {names}; see collections under [llm]")
        return approved

    async def _first_answer(self, approved: Sequence[Endpoint], call: Call) -> Answer:
        await self.warm_up()
        order = sorted(approved, key=self._is_resting)
        failures = []
        for endpoint in order:
            answer = await self._bounded(endpoint, call, last=endpoint is order[-1])
            if isinstance(answer, Completion):
                self._rests_until.pop(endpoint, None)
                return answer
            if isinstance(answer, Unavailable):
                self._rests_until[endpoint] = self._monotonic() + REST_S
            failures.append(answer)
        return worst(failures)

    def _is_resting(self, endpoint: Endpoint) -> bool:
        """An endpoint that has just failed is asked last for a while: not everybody waits for it again."""
        return self._rests_until.get(endpoint, float("-inf")) > self._monotonic()

    async def _bounded(self, endpoint: Endpoint, call: Call, *, last: bool) -> Answer:
        """One endpoint in its time; while another may follow, at most half of what is left."""
        left = call.until - self._monotonic()
        limit = min(endpoint.timeout_s, left if last else left / 2)
        answer: Answer = failure(TIMEOUT, endpoint, f"{limit:.1f} s")
        begun = self._monotonic()
        try:
            async with asyncio.timeout(limit):
                answer = await self._caller.ask(EndpointRequest(endpoint=endpoint, call=call, last=last))
        except TimeoutError:
            pass  # `answer` says so
        except asyncio.CancelledError:
            if self._monotonic() >= call.until:  # else nobody waits for it any more: no fault of the model's
                self._note(endpoint, answer, begun)
            raise
        self._note(endpoint, answer, begun)
        return answer

    def _note(self, endpoint: Endpoint, answer: Answer, begun: float) -> None:
        if isinstance(answer, FundstelleError):  # in words of ours: no key, no text of anybody's
            level = logging.ERROR if isinstance(answer, Broken) else logging.WARNING
            _LOG.log(level, "%s", answer.detail)
        if self._heard is not None:
            self._heard(endpoint.model, answer, self._monotonic() - begun)
