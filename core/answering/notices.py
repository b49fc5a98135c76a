"""Notices shown along with an answer.

An alliance speaks through its own programme, or one shared by all its members. If there is none, its members
are quoted; if a party has none of its own, its alliance's is quoted. Since neither is the same, a notice says
so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.answering.labels import addresses
from core.answering.personal_data import Privacy, personal_data
from core.domain.answers import NAMES_BETWEEN, Answer, Citation, Notice, Rejected
from core.domain.documents import GLOBAL, POLITICAL_TYPES, Edition
from core.domain.pages import Doubt, TextSource
from core.domain.registry import Registry
from core.domain.scope import lacking_places
from core.domain.search import Hit, QuestionKind
from core.message_keys import NoticeKey
from core.registry.registry import PartyTree, Places
from core.search.listing import side_name, silent_groups, stands_for
from core.search.plan import SearchPlan, SearchResult

PLACES_BETWEEN = ", "
"""Separates the codes of places in a notice's value."""

FILE_ERRORS = "pdf."
"""Prefixes of the reasons why a page cannot be examined (`Sight.objection`)."""

UNSEEN = frozenset(doubt.value for doubt in Doubt if doubt.refuses)
"""Why a reader of its page does not see a quote (`Sight.objection`)."""

CUT_OFF = "pages.cut_off:"
"""Warning about a version of which only the first pages were read."""


def notices_of(citations: Sequence[Citation], *, doubtful: bool) -> tuple[Notice, ...]:
    """Notices about the citations of an answer."""
    found = []
    if doubtful:
        found.append(Notice(key="notice.low_confidence"))
    scanned = tuple(item.label for item in citations if item.text_source is TextSource.OCR)
    if scanned:
        found.append(Notice(key="notice.ocr_source", labels=scanned))
    found += compare_notices(citations)
    places = {item.edition.document.fields.jurisdiction for item in citations}
    if len(places - {None, "global"}) > 1:
        found.append(Notice(key="notice.several_places"))
    return tuple(found)


def compare_notices(citations: Sequence[Citation]) -> tuple[Notice, ...]:
    """Notices that the letters of some quotes look unusual on their pages."""
    labels = tuple(item.label for item in citations if item.quote.compare)
    return (Notice(key="notice.compare_picture", labels=labels),) if labels else ()


def unproven_notices(
    hits: Sequence[Hit], cited: Sequence[Citation | Rejected], plan: SearchPlan
) -> tuple[Notice, ...]:
    """Notices that the closest match to the question cannot be proven on its page; none in comparisons. The
    next best sentence would be a wrong answer."""
    best = cited[0] if cited and len(plan.groups) < 2 else None
    if not isinstance(best, Rejected) or best.why not in UNSEEN:
        return ()
    passage, edition = hits[0].passage, hits[0].edition
    values = {"title": edition.document.fields.title, "page": str(passage.pages[0])}
    return (Notice(key="notice.unproven", values=values),)


def opening_notices(question: str, plan: SearchPlan, privacy: Privacy) -> tuple[Notice, ...]:
    """Notices about the question: how it was understood, and what was left out of it."""
    return (*understood_as(question, plan), *privacy_notices(question, privacy))


def privacy_notices(question: str, privacy: Privacy) -> tuple[Notice, ...]:
    """Notices that personal data was withheld from models or from records."""
    if (privacy.to_models and privacy.in_records) or not personal_data(question):
        return ()
    if privacy.to_models:
        return (Notice(key="notice.personal_data.records"),)
    return (Notice(key="notice.personal_data.models" if privacy.in_records else "notice.personal_data"),)


def understood_as(question: str, plan: SearchPlan) -> tuple[Notice, ...]:
    """Notices how a follow-up was understood; none if repeating it would create a link or mention
    somebody."""
    standalone = plan.question.asked
    if standalone == question or addresses(standalone):
        return ()
    return (Notice(key="notice.understood_as", values={"question": standalone}),)


def side_notices(result: SearchResult, answer: Answer) -> tuple[Notice, ...]:
    """Notices about how the cited provisions are related (conflicts, references), which ones are from other
    places, and what could not be quoted because its page is unavailable."""
    conflict = conflict_notices(result.plan, answer.citations)
    above = notices_from_above(result.plan, answer.citations)
    elsewhere = notices_from_elsewhere(result.plan, answer.citations)
    named = notices_named_elsewhere(result, answer.citations)
    undecided = notices_unconfirmed(result.plan, answer.citations)
    withheld = notices_of_unreadable(item.why for item in answer.rejected)
    return (
        *conflict,
        *path_notices(answer.citations, result.hits),
        *above,
        *elsewhere,
        *named,
        *undecided,
        *withheld,
    )


def is_unreadable(why: str) -> bool:
    """Whether a quote was held back because the file of its page is missing or broken."""
    return why.startswith(FILE_ERRORS)


def notices_of_unreadable(whys: Iterable[str]) -> tuple[Notice, ...]:
    """Notices that some of what was held back for these reasons is in missing or broken files: silence would
    suggest that there is nothing."""
    return (Notice(key="notice.pages.unreadable"),) if any(map(is_unreadable, whys)) else ()


def notices_unconfirmed(plan: SearchPlan, citations: Sequence[Citation]) -> tuple[Notice, ...]:
    """A notice for each document quoted for a question about a party or place although nobody has confirmed
    its party or place."""
    found: dict[str, list[str]] = {}
    for item in citations:
        document = item.edition.document
        of_anybody = plan.scope.parties and document.speaker_is_open
        if of_anybody or (plan.scope.jurisdictions and document.place_is_open):
            found.setdefault(document.fields.title, []).append(item.label)
    return tuple(
        Notice(key="notice.unconfirmed", values={"title": title}, labels=tuple(labels))
        for title, labels in found.items()
    )


def notices_from_above(plan: SearchPlan, citations: Sequence[Citation]) -> tuple[Notice, ...]:
    """Notices that quotes apply to a place above the one asked about; none in comparisons, or if it is
    already said that the place has no source."""
    places = plan.scope.jurisdictions
    if len(plan.groups) > 1 or not places or lacking_places(plan.missing).intersection(places):
        return ()
    above = [item for item in citations if item.edition.document.fields.jurisdiction not in (*places, None)]
    above = [item for item in above if item.edition.document.fields.jurisdiction != GLOBAL]
    if not above:
        return ()
    codes = dict.fromkeys(item.edition.document.fields.jurisdiction or "" for item in above)
    labels = tuple(item.label for item in above)
    values = {"place": PLACES_BETWEEN.join(places), "above": PLACES_BETWEEN.join(codes)}
    if len(above) == len(citations):
        return (Notice(key="notice.only_from_above", values=values, labels=labels),)
    named = ", ".join(f"[{label}]" for label in labels)
    return (Notice(key="notice.from_above", values={**values, "labels": named}, labels=labels),)


def notices_from_elsewhere(plan: SearchPlan, citations: Sequence[Citation]) -> tuple[Notice, ...]:
    """Notices where all quotes apply, if they are rules of places that nobody asked about: those in a
    different language from the question, since "Wie hoch darf die Kaution sein?" may not mean India, and
    those quoted for a question that may name another place ("in Köln")."""
    scope = plan.scope
    if len(plan.groups) > 1 or scope.jurisdictions or scope.parties or scope.documents or not citations:
        return ()
    quoted = [item.edition.document.fields for item in citations]
    somewhere = plan.question.somewhere
    foreign = all(fields.language != plan.language for fields in quoted)
    if any(fields.parties for fields in quoted) or not (foreign or somewhere):
        return ()
    codes = dict.fromkeys(fields.jurisdiction for fields in quoted)
    if not {None, GLOBAL}.isdisjoint(codes):
        return ()
    values = {"above": PLACES_BETWEEN.join(code for code in codes if code)}
    key: NoticeKey = "notice.of_places" if somewhere else "notice.no_place_asked"
    return (Notice(key=key, values=values, labels=tuple(item.label for item in citations)),)


def notices_named_elsewhere(result: SearchResult, citations: Sequence[Citation]) -> tuple[Notice, ...]:
    """A notice that the words asked about stand only in documents for other places or earlier elections."""
    if result.elsewhere is None:
        return ()
    labels = tuple(each.label for each in citations if each.edition.version.id in result.elsewhere.versions)
    word = ", ".join(result.elsewhere.words)
    return (Notice(key="notice.named_elsewhere", values={"word": word}, labels=labels),) if labels else ()


def conflict_notices(plan: SearchPlan, citations: Sequence[Citation]) -> tuple[Notice, ...]:
    """Notices for a question about a conflict: that provisions are shown side by side without deciding
    between them, or that there is only one side."""
    if plan.kind is not QuestionKind.CONFLICT or not citations:
        return ()
    sides = {_side(plan, item) for item in citations}
    key: NoticeKey = "notice.side_by_side" if len(sides) > 1 else "notice.one_side_only"
    return (Notice(key=key, labels=tuple(item.label for item in citations)),)


def silent_sides(plan: SearchPlan, citations: Sequence[Citation]) -> tuple[Notice, ...]:
    """A notice for each party or place of a comparison that has documents of which nothing is quoted."""
    documents = [item.edition.document for item in citations]
    silent = silent_groups(plan, (item.edition for item in citations))
    one_party = len({group.parties for group in plan.groups}) == 1  # its editions are compared
    found = []
    for group in silent:
        if one_party and group.editions:
            group = replace(group, parties=(), documents=())
        name = side_name(group, documents, Places(Registry()))
        kind = {"kind": "jurisdiction"} if name in group.jurisdictions else {}
        if name:
            found.append(Notice(key="notice.group_silent", values={"name": name, **kind}))
    return tuple(found)


def _side(plan: SearchPlan, citation: Citation) -> object:
    """The side a citation speaks for: one of the named sides, or else its provision."""
    if len(plan.groups) > 1:
        return next((side for side in plan.groups if stands_for(side, citation.edition, plan.speaking)), None)
    return citation.edition.document.id, citation.section.id if citation.section else None


def cut_off_notices(editions: Sequence[Edition]) -> tuple[Notice, ...]:
    """A notice for each document of which some pages are not in the library."""
    found = {}
    for edition in editions:
        for warning in edition.version.warnings:
            if warning.startswith(CUT_OFF):
                values = {"title": edition.document.fields.title, "pages": warning.removeprefix(CUT_OFF)}
                found[edition.document.id] = Notice(key="notice.pages.cut_off", values=values)
    return tuple(found.values())


def path_notices(citations: Sequence[Citation], hits: Sequence[Hit]) -> tuple[Notice, ...]:
    """A notice for each path of references ("Rule 3 -> Section 4") that led to what is cited."""
    trails = {hit.passage.id: hit.trail for hit in hits if hit.trail}
    labels: dict[tuple[str, ...], list[str]] = {}
    for citation in citations:
        if citation.passage in trails:
            labels.setdefault(trails[citation.passage], []).append(citation.label)
    return tuple(
        Notice(key="notice.cross_reference", values={"path": " -> ".join(trail)}, labels=tuple(named))
        for trail, named in labels.items()
    )


def alliance_notices(
    plan: SearchPlan, citations: Sequence[Citation], registry: Registry
) -> tuple[Notice, ...]:
    """A notice for each named party for which an alliance's or a member's words are quoted."""
    groups = plan.groups if len(plan.groups) > 1 else (plan.scope,)
    quoted = [
        (group.parties, [item for item in citations if stands_for(group, item.edition, plan.speaking)])
        for group in groups
    ]
    return alliance_notices_of(quoted, registry)


def alliance_notices_of(
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
