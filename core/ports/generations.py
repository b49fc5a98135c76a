"""The port of index generations: which encoders made the index that questions are answered from."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexGeneration:
    """An index of the library made by certain `encoders` (their names). `setting` is that of `[encoders]` by
    which the first of them is found again, `place` what tells its index from others of the same library.
    `since`: when it was last chosen to answer from; None for one that never was."""

    encoders: str
    setting: str
    place: str
    since: datetime | None = None


class IndexGenerations(Protocol):
    """The generations of a library's index."""

    async def all(self) -> list[IndexGeneration]:
        """The one that answers first, then those that did, then those being built."""
        ...

    async def begin(self, generation: IndexGeneration) -> IndexGeneration:
        """Note a new one; that of the same encoders if there is one."""
        ...

    async def answer_from(self, encoders: str, *, at: datetime) -> None:
        """Questions are answered from this one from now on, by whoever begins after this."""
        ...

    async def forget(self, encoders: str) -> None:
        """It is no more."""
        ...


def answering(generations: Sequence[IndexGeneration]) -> IndexGeneration | None:
    """The one that questions are answered from."""
    return next((each for each in generations if each.since is not None), None)
