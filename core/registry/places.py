"""The hierarchy of places, and at which level parties speak."""

from collections.abc import Collection, Iterable

from core.domain.documents import GLOBAL, Edition
from core.domain.registry import Registry


class PlaceTree:
    """Parents of places: as the registry states, else implied by the code (`de-nw` -> `de`)."""

    def __init__(self, registry: Registry) -> None:
        self._parents = {row.code: row.parent for row in registry.jurisdictions if row.parent}
        self._registered = {row.code for row in registry.jurisdictions}
        self._unions = {parent for code, parent in self._parents.items() if "-" not in code}

    def is_registered(self, code: str) -> bool:
        """The place has a row of its own."""
        return code in self._registered

    def parent(self, code: str) -> str | None:
        """What stands directly above `code`; None at the top."""
        return self._parents.get(code) or (code.rpartition("-")[0] or None)

    def above(self, code: str) -> tuple[str, ...]:
        """Everything above `code`, nearest first. A circle in the registry ends where it closes."""
        found: list[str] = []
        current = self.parent(code)
        while current and current not in found and current != code:
            found.append(current)
            current = self.parent(current)
        return tuple(found)

    def reach(self, code: str) -> frozenset[str]:
        """`code` and what stands above it."""
        return frozenset((code, *self.above(code)))

    def allows(self, places: Collection[str], edition: Edition) -> bool:
        """`edition` holds at one of `places`: there, above, or everywhere; or nobody has said yet where it
        does. Without places everything does."""
        own = edition.document.fields.jurisdiction
        anywhere = own == GLOBAL or edition.document.place_is_open
        return not places or anywhere or any(own in self.reach(place) for place in places)

    def highest(self, codes: Iterable[str]) -> frozenset[str]:
        """The places of the highest level: countries before unions of countries before parts of countries."""
        distinct = set(codes)
        level = min((self._level(code) for code in distinct), default=0)
        return frozenset(code for code in distinct if self._level(code) == level)

    def deepest(self, codes: Iterable[str]) -> tuple[str, ...]:
        """`codes` without those that stand above another of them, in the order given."""
        distinct = tuple(dict.fromkeys(codes))
        covered = {parent for code in distinct for parent in self.above(code)}
        return tuple(code for code in distinct if code not in covered)

    def _level(self, code: str) -> int:
        depth = code.count("-")
        return 2 * depth if depth else int(code in self._unions)
