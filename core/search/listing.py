"""Which documents a scope lets through, and for which side of a comparison they stand."""

from collections.abc import Iterable, Mapping, Sequence

from core.domain.documents import POLITICAL_TYPES, WANTED_TYPES, Document, Edition
from core.domain.ids import VersionId
from core.domain.registry import Registry
from core.domain.scope import Scope
from core.registry.registry import Places, PlaceTree
from core.search.editions import years_of
from core.search.plan import SearchPlan
from core.search.roles import PartyTree


def admits(scope: Scope, edition: Edition, registry: Registry) -> bool:
    """Whether the place and party filters of `scope` let an edition through: a place with what stands
    above it and `global` documents, a party with its members; and inner papers of which nobody has said yet
    for which place or whose they are."""
    in_place = PlaceTree(registry).allows(scope.jurisdictions, edition)
    return in_place and PartyTree(registry).any_speaks(edition, scope.parties)


def stands_for(group: Scope, edition: Edition, speaking: Mapping[str, frozenset[VersionId]]) -> bool:
    """Whether an edition is one of the party, place, document or year that a comparison's `group` stands
    for; `speaking` as of its plan. What has no editions of its own counts for every year."""
    document = edition.document
    if group.editions and document.series and not years_of(edition) & set(group.editions):
        return False
    if group.documents and document.id not in group.documents:
        return False
    if group.parties:
        return any(
            edition.version.id in speaking[party] if party in speaking else party in document.fields.parties
            for party in group.parties
        )
    return bool(group.documents or group.editions) or document.fields.jurisdiction in group.jurisdictions


def silent_groups(plan: SearchPlan, quoted: Iterable[Edition]) -> tuple[Scope, ...]:
    """The sides of a comparison for which none of the `quoted` editions stands; none where nothing is
    compared."""
    if len(plan.groups) < 2:
        return ()
    editions = tuple(quoted)
    return tuple(
        group for group in plan.groups if not any(stands_for(group, each, plan.speaking) for each in editions)
    )


def side_name(group: Scope, documents: Iterable[Document], places: Places) -> str:
    """What a side of a comparison is called: its parties, else its document, its year or its place. Titles
    are looked for among `documents`."""
    titles = dict.fromkeys(item.fields.title for item in documents if item.id in group.documents)
    years = [str(year) for year in group.editions]
    return " / ".join(group.parties or titles or years or map(places.name, group.jurisdictions))


def said_elsewhere(edition: Edition, places: Sequence[str]) -> bool:
    """Whether a party says it for another place than those that were set; law and guidance of what stands
    above a place hold there all the same."""
    fields = edition.document.fields
    if edition.document.place_is_open:
        return False
    return bool(places) and fields.jurisdiction not in places and fields.doc_type in POLITICAL_TYPES


def only_wanted(edition: Edition, plan: SearchPlan) -> bool:
    """Whether a document says what parties want where nobody's wishes are asked for, one party's or those of
    several: then what holds comes first."""
    asked_for = plan.detected.parties or plan.scope.parties or plan.scope.documents or len(plan.groups) > 1
    return not asked_for and edition.document.fields.doc_type in WANTED_TYPES
