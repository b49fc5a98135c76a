"""What is remembered of late: a mapping that forgets, so that no memory grows without end, and one value."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """The last `most` values by key. What was put in longest ago is forgotten; putting a value in again keeps
    it longer."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)


class LastMade(Generic[K, V]):
    """The last `most` values made. The key has to hold everything that `make` uses, and need not be hashable;
    keys of the same objects are compared quickest. Threads may ask for different values at once."""

    def __init__(self, make: Callable[[K], V], most: int = 1) -> None:
        self._make = make
        self._most = most
        self._kept: tuple[tuple[K, V], ...] = ()

    def of(self, key: K) -> V:
        """The value made of `key`."""
        kept = self._kept
        for known, value in kept:
            if known == key:
                return value
        made = self._make(key)
        self._kept = ((key, made), *kept)[: self._most]
        return made
