"""Quotes shown while a model is still writing: each is found on its page before it is shown. The model's own
words are shown only at the end, once they have been judged.

A preview may still be replaced: by a better attempt, or by quotes if too little can be proven. Only the final
answer counts.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from core.answering.generated.drafts import Draft, DraftClaim, read_written
from core.answering.generated.verification import Proven, Verified, Verifier, cited
from core.domain.answers import Citation, Claim
from core.errors import FundstelleError

OnClaims = Callable[[tuple[Claim, ...], tuple[Citation, ...]], Awaitable[None] | None]
"""Called with all verified claims so far and their citations; the labels of a claim do not change while an
answer grows."""


class Preview:
    """Reads what a model has written so far and reports what is proven."""

    def __init__(self, verifier: Verifier, tell: OnClaims) -> None:
        self._verifier = verifier
        self._tell: OnClaims | None = tell
        self._text = ""
        self._changed = asyncio.Event()
        self._closed = False
        self._known: dict[DraftClaim, tuple[Proven, ...]] = {}
        self._told: tuple[Claim, ...] = ()

    def hear(self, text: str) -> None:
        """Take the text written so far; it is processed when there is time."""
        self._text = text
        self._changed.set()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Report within this context; on exit, wait for a message in flight."""
        watch = asyncio.create_task(self._watch())
        try:
            yield
            self._closed = True
            self._changed.set()
            await watch
        finally:
            watch.cancel()

    async def _watch(self) -> None:
        while not self._closed:
            await self._changed.wait()
            self._changed.clear()
            if not self._closed:
                await self._read(self._text)

    async def _read(self, text: str) -> None:
        drafted = read_written(text).claims
        for claim in drafted:
            if claim not in self._known:
                self._known[claim] = await self._proven(claim)
        proven = {item.text: item for claim in drafted for item in self._known[claim]}
        citations, claims = cited(self._verifier.shown(list(proven.values())))
        if claims and claims != self._told:
            self._told = claims
            await self._pass_on(claims, citations)

    async def _proven(self, claim: DraftClaim) -> tuple[Proven, ...]:
        """The claims proven in the given passages only; other pages are considered at the end."""
        verified = await self._verifier.verify(Draft(claims=(claim,)), Verified(looked_beyond=True))
        return tuple(quote for item in verified.proven for quote in item.quoted())

    async def _pass_on(self, claims: tuple[Claim, ...], citations: tuple[Citation, ...]) -> None:
        """Pass claims on; a platform that cannot show them still gets the answer in the end."""
        if self._tell is None:
            return
        try:
            reported = self._tell(claims, citations)
            if reported is not None:
                await reported
        except FundstelleError:
            self._tell = None
