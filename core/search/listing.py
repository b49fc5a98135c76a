"""Which side of a comparison documents represent."""

from collections.abc import Iterable, Mapping, Sequence

from core.domain.documents import POLITICAL_TYPES, WANTED_TYPES, Document, Edition
from core.domain.ids import VersionId
from core.domain.scope import Scope
from core.registry.registry import Places
from core.search.editions import years_of
from core.search.plan import SearchPlan


def stands_for(group: Scope, edition: Edition, speaking: Mapping[str, frozenset[VersionId]]) -> bool:
    """Whether an edition belongs to the party, place, document or year that a comparison's `group`
    represents; `speaking` comes from its plan. Documents without editions count for every year."""
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
    """The sides of a comparison that none of the `quoted` editions represents; none if nothing is
    compared."""
    if len(plan.groups) < 2:
        return ()
    editions = tuple(quoted)
    return tuple(
        group for group in plan.groups if not any(stands_for(group, each, plan.speaking) for each in editions)
    )


def side_name(group: Scope, documents: Iterable[Document], places: Places) -> str:
    """The name of a side of a comparison: its parties, else its document, its year or its place. Titles are
    looked for among `documents`."""
    titles = dict.fromkeys(item.fields.title for item in documents if item.id in group.documents)
    years = [str(year) for year in group.editions]
    return " / ".join(group.parties or titles or years or map(places.name, group.jurisdictions))


def said_elsewhere(edition: Edition, places: Sequence[str]) -> bool:
    """Whether it is a party's statement for a place other than those set; law and guidance from above a place
    apply there all the same."""
    fields = edition.document.fields
    if edition.document.place_is_open:
        return False
    return bool(places) and fields.jurisdiction not in places and fields.doc_type in POLITICAL_TYPES


def only_wanted(edition: Edition, plan: SearchPlan) -> bool:
    """Whether a document says what parties want although the question does not ask for the wishes of one or
    several parties: then the law comes first."""
    asked_for = plan.detected.parties or plan.scope.parties or plan.scope.documents or len(plan.groups) > 1
    return not asked_for and edition.document.fields.doc_type in WANTED_TYPES
