"""Quotes shown while a model still writes: each one found on its page before it is seen. The model's own
words are shown in the end only, when they have been judged.

What is seen may still be replaced: by a better attempt, or by quotes where too little can be proven. The
answer that is returned in the end is the only one that counts.
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
    """Reads what a model has written so far and tells what is proven of it."""

    def __init__(self, verifier: Verifier, tell: OnClaims) -> None:
        self._verifier = verifier
        self._tell: OnClaims | None = tell
        self._text = ""
        self._changed = asyncio.Event()
        self._closed = False
        self._known: dict[DraftClaim, tuple[Proven, ...]] = {}
        self._told: tuple[Claim, ...] = ()

    def hear(self, text: str) -> None:
        """Take note of all that is written so far; it is read when there is time."""
        self._text = text
        self._changed.set()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Tell within this context; a message that is on its way when it ends is waited for."""
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
        """In the passages given only; other pages are considered in the end."""
        verified = await self._verifier.verify(Draft(claims=(claim,)), Verified(looked_beyond=True))
        return tuple(quote for item in verified.proven for quote in item.quoted())

    async def _pass_on(self, claims: tuple[Claim, ...], citations: tuple[Citation, ...]) -> None:
        """A platform that cannot show them gets the answer in the end all the same."""
        if self._tell is None:
            return
        try:
            told = self._tell(claims, citations)
            if told is not None:
                await told
        except FundstelleError:
            self._tell = None
