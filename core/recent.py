"""Bounded caches: a mapping that forgets old entries, and a cache of recently made values."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """The last `most` values by key. The oldest entries are dropped; storing a value again keeps it
    longer."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)


class LastMade(Generic[K, V]):
    """The last `most` values made. The key has to contain everything that `make` uses, and need not be
    hashable; comparing keys made of the same objects is fastest. Threads may request different values
    concurrently."""

    def __init__(self, make: Callable[[K], V], most: int = 1) -> None:
        self._make = make
        self._most = most
        self._kept: tuple[tuple[K, V], ...] = ()

    def of(self, key: K) -> V:
        """The value made from `key`."""
        kept = self._kept
        for known, value in kept:
            if known == key:
                return value
        made = self._make(key)
        self._kept = ((key, made), *kept)[: self._most]
        return made
