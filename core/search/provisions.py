"""Provisions that a question names: "Art. 20 GG", "section 18 of the Real Estate Act", "What is a promoter?"

A provision named is no matter of likeness: it is the section of that number in the document that is meant, or
it does not exist. Which document that is, the question says ("GG"), or else the scope, the thread, or that
only one has such a section.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.documents import STATUTORY_TYPES, Edition
from core.domain.ids import DocumentId, VersionId
from core.domain.passages import Passage, Section
from core.domain.scope import Missing
from core.domain.search import Hit, NamedProvision, QuestionKind, SearchResult
from core.language.patterns import pattern, words
from core.library.definitions import Definition, definitions_in
from core.library.edges import is_called
from core.library.references import SectionReference, provision_name
from core.library.subdivisions import parts_of, within
from core.ports.library import Library
from core.registry.detection import Detection
from core.registry.names import tokens
from core.registry.titles import abbreviations
from core.search.ranking import Asked
from core.search.wording import speaks_of

_UNITS = ("section", "art", "par", "rule", "regulation")
_ANNEXED = ("schedule", "annex")
_MOST = 6
"""Provisions of one question at most: a range may name many."""

_DEFINED = pattern(
    r"^\W*(?:{asked.defining_before})\s+(?P<term>.{2,80}?)(?:\s+(?:{asked.defining_behind}))?\W*$",
    re.IGNORECASE,
)
_ARTICLE = pattern(r"^(?:(?:{follow_ups.articles}|{provisions.articles})\s+)+", re.IGNORECASE)
_UNDER = pattern(r"\s+(?:{scope.sources})\s*$", re.IGNORECASE)
_QUOTES = " \"'“”„‘’‚«»?!."


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The provisions that a question names, best first, and what of it does not exist. `whole`: it asks for
    nothing but what they say."""

    provisions: tuple[NamedProvision, ...] = ()
    missing: tuple[Missing, ...] = ()
    whole: bool = False

    def told_in(self, result: SearchResult) -> SearchResult:
        """`result` with what it is to say of named provisions."""
        missing = (*result.missing, *self.missing)
        return replace(result, missing=missing, provisions=self.provisions, whole=self.whole)


class Provisions:
    """Finds named provisions. Keeps what versions define."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._defined: dict[VersionId, tuple[Definition, ...]] = {}

    async def named(
        self,
        asked: Asked,
        detection: Detection,
        editions: Sequence[Edition],
        remembered: Sequence[DocumentId] = (),
    ) -> Named:
        """What `asked` names in `editions`, those searched; `detection` is of its reading, `remembered` are
        the documents that the thread was about."""
        if asked.references:
            return await self._by_number(asked, detection, editions, remembered)
        term = term_of(_without_titles(asked.reading, detection))
        found = await self._defining(term, asked, editions) if term else ()
        return Named(provisions=found, whole=True) if found else Named()

    async def meant(self, named: Named, crossed: Sequence[Hit], kind: QuestionKind) -> Named:
        """`named`, or what references lead to from there where the question is about that: what carries a
        section out, the penalty for not obeying it."""
        if kind is not QuestionKind.CROSS_REFERENCE:
            own = tuple(each for each in named.provisions if answers_itself(kind, each))
            if own or not crossed:
                return replace(named, provisions=own or named.provisions)
        led = [await self._led_to(hit) for hit in crossed]
        return replace(named, provisions=tuple(led), whole=False) if led else named

    async def _led_to(self, hit: Hit) -> NamedProvision:
        section = hit.passage.section
        family = [hit.passage]
        if section is not None:
            family = await self._library.section_family(hit.passage.version, section.id)
        begins = next((n for n, each in enumerate(family) if each.id == hit.passage.id), 0)
        return NamedProvision(edition=hit.edition, family=tuple(family), path=(), begins=begins)

    async def _by_number(
        self,
        asked: Asked,
        detection: Detection,
        editions: Sequence[Edition],
        remembered: Sequence[DocumentId],
    ) -> Named:
        whole = _asks_for_nothing_else(asked, detection)
        stated = [edition for edition in editions if edition.document.id in detection.documents]
        found: list[NamedProvision] = []
        missing: dict[Missing, None] = {}
        for reference in _with_instruments(asked.references)[:_MOST]:
            own = _called(reference, editions)
            chosen = own or ([] if reference.instrument and not own else stated or editions)
            held = await self._held(reference, chosen, named=bool(own or stated))
            provisions = _nearest(held, asked, remembered)
            found += provisions
            if not provisions and (own or stated or whole or len(editions) == 1):
                missing[Missing(kind="section", name=_shown(reference, own or stated or editions, asked))] = (
                    None
                )
        return Named(provisions=tuple(found), missing=tuple(missing), whole=whole)

    async def _held(
        self, reference: SectionReference, editions: Sequence[Edition], *, named: bool
    ) -> list[NamedProvision]:
        """The provision in each of `editions` that has it. In a document that is `named` people may say
        "section" for what it calls an article."""
        found = []
        for edition in editions:
            for section in _ids(reference, named=named):
                family = await self._library.section_family(edition.version.id, section)
                if family and family[0].text.strip():
                    path = _path_in(family, reference.path)
                    if path is not None:
                        found.append(NamedProvision(edition=edition, family=tuple(family), path=path))
                    break
        return found

    async def _defining(
        self, term: str, asked: Asked, editions: Sequence[Edition]
    ) -> tuple[NamedProvision, ...]:
        """The provisions that define `term`, those of the place asked about first."""
        found = []
        for edition in editions:
            if edition.document.fields.doc_type not in STATUTORY_TYPES:
                continue
            for definition in await self._definitions(edition):
                if _same_term(definition.term, term):
                    family = await self._library.section_family(edition.version.id, definition.section)
                    found.append(NamedProvision(edition=edition, family=tuple(family), path=definition.path))
        return tuple(_nearest(found, asked, ()))[:_MOST]

    async def _definitions(self, edition: Edition) -> tuple[Definition, ...]:
        version = edition.version.id
        if version not in self._defined:
            passages = await self._library.passages_at(version, range(edition.version.passages))
            families: dict[str, list[Passage]] = {}
            for passage in passages:
                if passage.section is not None and passage.section.id.partition(":")[0] in _UNITS:
                    families.setdefault(passage.section.id, []).append(passage)
            found = (definition for family in families.values() for definition in definitions_in(family))
            self._defined[version] = tuple(dict.fromkeys(found))
        return self._defined[version]


def answers_itself(kind: QuestionKind, provision: NamedProvision) -> bool:
    """Whether a provision that is named holds what a question of `kind` asks for, so that nothing that cites
    it has to."""
    return speaks_of(kind, " ".join(passage.text for passage in provision.family))


def term_of(question: str) -> str | None:
    """The term whose definition `question` asks for, None if it asks for something else."""
    match = _DEFINED().match(question.strip())
    if match is None:
        return None
    term = _UNDER().sub("", match["term"].strip(_QUOTES))
    term = _ARTICLE().sub("", term.strip(_QUOTES)).strip(_QUOTES)
    return term if 1 <= len(tokens(term)) <= 6 else None


def _same_term(one: str, other: str) -> bool:
    """Whether two writings are one term, singular or plural."""
    mine, theirs = ([word.folded for word in tokens(text)] for text in (one, other))
    return len(mine) == len(theirs) and all(
        a == b or _plural(a, b) for a, b in zip(mine, theirs, strict=True)
    )


def _plural(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if short.endswith("y") and long == f"{short[:-1]}ies":
        return True
    return long.startswith(short) and long[len(short) :] in {"s", "es", "e", "n", "en", "er"}


def _with_instruments(references: Sequence[SectionReference]) -> list[SectionReference]:
    """What stands behind the last of a list is said of all: "Art. 1 bis 3 GG"."""
    found: list[SectionReference] = []
    behind: SectionReference | None = None
    for reference in reversed(references):
        if reference.instrument is None and behind and behind.kind == reference.kind:
            reference = replace(reference, instrument=behind.instrument)
        found.append(reference)
        behind = reference
    return found[::-1]


def _called(reference: SectionReference, editions: Sequence[Edition]) -> list[Edition]:
    """The editions that the abbreviation behind a reference may mean."""
    name = reference.instrument
    if not name:
        return []
    return [
        each
        for each in editions
        if is_called(each, name) or name in abbreviations(each.document.fields.title)
    ]


def _ids(reference: SectionReference, *, named: bool) -> list[str]:
    kinds = [reference.kind]
    if reference.kind in _ANNEXED:
        kinds += [kind for kind in _ANNEXED if kind != reference.kind]
    elif named and reference.kind in _UNITS:
        kinds += [kind for kind in _UNITS if kind != reference.kind]
    return [f"{kind}:{reference.number}" for kind in kinds]


def _path_in(family: Sequence[Passage], path: tuple[str, ...]) -> tuple[str, ...] | None:
    """The sub-division of `path` that the section has; as much of it as is set out line by line; None where
    the section counts its sub-divisions and has none of that number."""
    parts = parts_of(family)
    for length in range(len(path), 0, -1):
        if within(parts, path[:length]):
            return path[:length] if _has_rest(family, path[length:]) else None
    if not path or _has_rest(family, path):
        return ()
    counted = {part.path[0] for part in parts if part.path}
    lines = [part for part in parts if not part.head]
    if not counted and path[0].isdigit() and int(path[0]) <= len(lines):
        return ()
    return None


def _has_rest(family: Sequence[Passage], rest: tuple[str, ...]) -> bool:
    """Whether markers that open no line stand inside one ("...; or (b) ...")."""
    text = "\n".join(passage.text for passage in family)
    return all(re.search(rf"(?<!\w){re.escape(mark)}\s?[.)]", text, re.IGNORECASE) for mark in rest)


def _nearest(
    found: Sequence[NamedProvision], asked: Asked, remembered: Sequence[DocumentId]
) -> list[NamedProvision]:
    """Of the documents that have the provision those that are meant: of the thread, of the place asked about,
    with more of its title in the question; then the more comprehensive first."""
    for meant in (
        [each for each in found if each.edition.document.id in remembered],
        [
            each
            for each in found
            if each.edition.document.fields.jurisdiction in asked.plan.scope.jurisdictions
        ],
    ):
        found = meant or found
    titles = [{word.folded for word in tokens(each.edition.document.fields.title)} for each in found]
    common: set[str] = set.intersection(*titles) if titles else set()
    said = {word.folded for word in tokens(asked.reading)} - common
    shares = [len(title & said) for title in titles]
    kept = [each for each, share in zip(found, shares, strict=True) if share == max(shares)]
    return sorted(kept, key=lambda each: -each.edition.version.passages)


def _asks_for_nothing_else(asked: Asked, detection: Detection) -> bool:
    """Whether nothing is left of the question beside the provision, names and words that frame them."""
    taken = [(each.start, each.end) for each in asked.references]
    taken += [(each.start, each.end) for each in (*detection.titles, *detection.mentions)]
    rest = _without(asked.reading, taken)
    return asked.plan.kind is not QuestionKind.CROSS_REFERENCE and all(
        word.folded in words("asked.frame") or word.folded.isdigit() or len(word.folded) == 1
        for word in tokens(rest)
    )


def _without(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    for start, end in sorted(set(stretches), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def _without_titles(text: str, detection: Detection) -> str:
    places = [each for each in detection.mentions if not each.tail]
    return " ".join(_without(text, [(each.start, each.end) for each in (*detection.titles, *places)]).split())


def _shown(reference: SectionReference, editions: Sequence[Edition], asked: Asked) -> str:
    """A provision that does not exist, as people write it, with the document where it is one."""
    name = provision_name(Section(id=reference.id, title="", path=reference.path), asked.plan.language)
    if len({edition.document.id for edition in editions}) == 1:
        return f"{name} · {editions[0].document.fields.title}"
    return f"{name} {reference.instrument}" if reference.instrument else name
