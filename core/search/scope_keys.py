"""From the versions that may be found to the few keys that admit them.

A filter by keys stays small however many versions a scope has. It may admit a few others, which are then
excluded by id; whether it admits a version is computed from the keys that its points carry now, so that keys
which are missing or out of date cost time and never a hit.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.search import Held, ScopeKeys, Within
from core.library.indexing import NO, RETIRED, YES, keys_of
from core.search.editions import current

FEW = 32
"""Maximum number of versions listed by id, for inclusion or exclusion."""

VALUES = 32
"""Maximum number of values of a field in a filter."""


def wanted_keys(
    editions: Sequence[Edition], held: Mapping[VersionId, Held], today: date
) -> dict[VersionId, ScopeKeys]:
    """The keys that the points of every held version should carry. `editions` are those with an active
    version; others are not for questions about today."""
    now = {edition.version.id for edition in current(editions, today)}
    read = {
        edition.version.id: keys_of(edition.document.fields, is_current=edition.version.id in now)
        for edition in editions
    }
    return {
        version: read.get(version) or {**(each.keys or RETIRED), "current": NO}
        for version, each in held.items()
    }


def within_of(versions: Sequence[VersionId], carried: Mapping[VersionId, ScopeKeys]) -> Within | None:
    """The filter that admits exactly `versions` among all those with `carried` keys, or None if that takes
    more than a few ids. Versions without known keys are admitted by id."""
    if len(versions) <= FEW:
        return Within(versions=tuple(versions))
    by_keys = [version for version in versions if version in carried]
    by_id = [version for version in versions if version not in carried]
    if len(by_id) > FEW or not by_keys:
        return None
    lapsed = [version for version in by_keys if carried[version]["current"] != YES]
    if len(lapsed) + len(by_id) <= FEW:  # all the others are current
        by_keys = [version for version in by_keys if carried[version]["current"] == YES]
        by_id += lapsed
    chosen = set(versions)
    keys, others = _narrowed(by_keys, [each for each in carried if each not in chosen], carried)
    if len(others) > FEW:
        return None
    return Within(keys=keys, versions=tuple(by_id), but_not=tuple(others))


def _narrowed(
    versions: Iterable[VersionId], others: list[VersionId], carried: Mapping[VersionId, ScopeKeys]
) -> tuple[ScopeKeys, list[VersionId]]:
    """Fields and values that all `versions` have, if they exclude any of `others`; and those of `others` that
    remain."""
    said: dict[str, set[str]] = defaultdict(set)
    for version in versions:
        for field, values in carried[version].items():
            said[field].update(values)
    keys: dict[str, tuple[str, ...]] = {}
    for field, all_said in sorted(said.items(), key=lambda item: len(item[1])):
        left = [other for other in others if not all_said.isdisjoint(carried[other][field])]
        if len(all_said) <= VALUES and len(left) < len(others):
            keys[field], others = tuple(sorted(all_said)), left
    return keys, others
