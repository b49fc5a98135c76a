"""Whose words are quoted for a named party: its own, its alliance's, or a member's.

An alliance speaks through its own programme, or one shared by all its members. If there is none, its members
are quoted; if a party has none of its own, its alliance's is quoted. Since neither is the same, a notice says
so.
"""

from collections.abc import Iterable, Sequence

from core.domain.answers import NAMES_BETWEEN, Citation, Notice
from core.domain.documents import POLITICAL_TYPES
from core.domain.registry import Registry
from core.message_keys import NoticeKey
from core.search.listing import stands_for
from core.search.plan import SearchPlan
from core.search.roles import PartyTree


def alliance_notices(
    plan: SearchPlan, citations: Sequence[Citation], registry: Registry
) -> tuple[Notice, ...]:
    """A notice for each named party for which an alliance's or a member's words are quoted."""
    groups = plan.groups if len(plan.groups) > 1 else (plan.scope,)
    quoted = [
        (group.parties, [item for item in citations if stands_for(group, item.edition, plan.speaking)])
        for group in groups
    ]
    return notices_for(quoted, registry)


def notices_for(
    quoted: Iterable[tuple[Sequence[str], Sequence[Citation]]], registry: Registry
) -> tuple[Notice, ...]:
    """The same for pairs of parties, one or those that speak with the same documents, and what is quoted for
    them. Quoting all members of an alliance together needs no notice."""
    tree, found = PartyTree(registry), []
    for party, parties, citations in ((party, row, items) for row, items in quoted for party in row):
        told: dict[tuple[NoticeKey, str], list[str]] = {}
        for item in citations:
            fields = item.edition.document.fields
            said = tree.instead_of(party, fields.parties) if fields.doc_type in POLITICAL_TYPES else ()
            together = any(tree.members(each) and {*tree.members(each)} <= {*parties} for each in said)
            if said and not together:
                key: NoticeKey = "notice.of_members" if tree.members(party) else "notice.of_alliance"
                told.setdefault((key, NAMES_BETWEEN.join(said)), []).append(item.label)
        for (key, others), labels in told.items():
            shown = ", ".join(f"[{label}]" for label in labels)
            values = {"name": party, "others": others, "labels": shown}
            found.append(Notice(key=key, values=values, labels=tuple(labels)))
        quoted_of = {name for key, others in told for name in others.split(NAMES_BETWEEN)}
        if quoted_of and (left := [each for each in tree.members(party) if each not in quoted_of]):
            values = {"name": party, "others": NAMES_BETWEEN.join(left)}
            found.append(Notice(key="notice.members_unquoted", values=values))
    return tuple(found)
