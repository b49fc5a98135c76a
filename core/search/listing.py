"""Which documents a scope lets through, for listings."""

from core.domain.documents import GLOBAL, Edition
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.search.places import PlaceTree
from core.search.roles import PartyTree


def admits(scope: Scope, edition: Edition, registry: Registry) -> bool:
    """Whether the place and party filters of `scope` let an edition through: a place with what stands
    above it and `global` documents, a party with its members."""
    tree = PlaceTree(registry)
    places = {place for code in scope.jurisdictions for place in tree.reach(code)}
    in_place = not places or edition.document.fields.jurisdiction in places | {GLOBAL}
    return in_place and (not scope.parties or PartyTree(registry).any_speaks(edition, scope.parties))
