"""Provisions that a question names: "Art. 20 GG", "section 18 of the Real Estate Act", "What is a promoter?"

A named provision is not a matter of similarity: it is the section of that number in the document meant, or it
does not exist. The document follows from the question ("GG"), or else from the scope, the thread, or the fact
that only one has such a section.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.documents import STATUTORY_TYPES, Edition
from core.domain.ids import DocumentId, VersionId
from core.domain.passages import Passage, Section
from core.domain.scope import Missing
from core.domain.search import Hit, QuestionKind
from core.language.patterns import pattern
from core.language.terms import shared, terms
from core.library.chunking.text import page_spans
from core.library.edges import is_called
from core.library.references import UNITS, WITHIN, SectionReference, ids_in_other_units, provision_name
from core.library.subdivisions import Part, headed, parts_of, within
from core.ports.library import Library
from core.ports.models import Embedder
from core.registry import titles
from core.registry.names import fold, tokens
from core.registry.titles import abbreviations, aliases_of
from core.search.plan import NamedProvision, SearchResult
from core.search.ranking import Asked, speaks_of

_ANNEXED = ("schedule", "annex")
_SIGNS = ("par", "number")
"""Mere signs ("§", "Ziffer"): if no law has such a unit, the one it does have is meant."""
_MOST = 6
"""Maximum provisions per question: a range may name many."""

_MOST_READ = 3000
"""Maximum passages searched for the heading of a provision that no document has as a section."""

_MOSTLY = 0.5

_LONG_WORD = 5

_LEVEL = pattern(r"(?:sub|{asked.levels})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The provisions that a question names, best first, and those that do not exist. `whole`: it only asks
    for their wording."""

    provisions: tuple[NamedProvision, ...] = ()
    missing: tuple[Missing, ...] = ()
    whole: bool = False

    def told_in(self, result: SearchResult) -> SearchResult:
        """`result` with its findings about named provisions."""
        missing = (*result.missing, *self.missing)
        return replace(result, missing=missing, provisions=self.provisions, whole=self.whole)


class Provisions:
    """Finds named provisions."""

    def __init__(self, library: Library, encoders: Sequence[Embedder]) -> None:
        self._library = library
        self._terms = DefinedTerms(library, encoders)

    async def named(
        self, asked: Asked, editions: Sequence[Edition], remembered: Sequence[DocumentId] = ()
    ) -> Named:
        """The provisions that `asked` names in the searched `editions`; `remembered` are the documents that
        the thread was about."""
        if asked.sections.references:
            return await self._by_number(asked, editions, remembered)
        for term in asked.sections.terms(_name_words(editions)):
            defining = await self._terms.defining(term, asked.plan.language, editions)
            if found := tuple(_nearest(defining, asked, ())[:_MOST]):
                return Named(provisions=found, whole=True)
        return Named()

    async def meant(self, asked: Asked, named: Named, crossed: Sequence[Hit]) -> Named:
        """`named`, or what references lead to from there if the question asks for that: what implements a
        section, the penalty for violating it."""
        bearing = asked.sections.bearing
        own = tuple(each for each in named.provisions if _answers_itself(asked.plan.kind, each))
        if asked.plan.kind is QuestionKind.CROSS_REFERENCE and not (bearing and bearing.under):
            own = ()
        if own or not crossed:
            return replace(named, provisions=own or named.provisions)
        led = [await self._led_to(hit) for hit in crossed]
        first = named.provisions if bearing and bearing.points else ()
        return replace(named, provisions=(*first, *led), whole=False)

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
        editions: Sequence[Edition],
        remembered: Sequence[DocumentId],
    ) -> Named:
        stated = [edition for edition in editions if edition.document.id in asked.sections.names.documents]
        stated = stated or beside(asked.sections.neighbours, editions)
        found: list[NamedProvision] = []
        missing: dict[Missing, None] = {}
        whole = True
        for reference in _with_instruments(asked)[:_MOST]:
            own = _called(reference, editions)
            chosen = own or ([] if reference.instrument and not own else stated or editions)
            held = await self._held(reference, chosen, named=bool(own or stated))
            if not held and reference.kind in _SIGNS:
                held = await self._held(reference, chosen, named=True)
            without = [each for each in chosen if each not in [one.edition for one in held]]
            counted = [each for each in without if not held or own or stated or _is_spoken_of(each, asked)]
            held += await self._in_chapters(reference, counted, asked)
            about = held
            if not (own or stated) and len(editions) > 1:
                about = [each for each in held if _is_about(each, asked, remembered)]
            provisions = _nearest(about, asked, remembered)
            if not held:
                other = None if own else reference.instrument
                provisions = await self._headed(reference, chosen or editions, other)
            found += provisions
            spoken_of = [each.edition for each in provisions or held] or chosen
            whole = whole and _asks_for_nothing_else(asked, spoken_of, _chapter_words(provisions))
            unknown = reference.instrument is not None and not (own or stated)
            if not provisions and unknown:
                missing[Missing(kind="instrument", name=reference.instrument or "")] = None
            elif not provisions and (own or stated or whole or len(editions) == 1):
                missing[Missing(kind="section", name=_shown(reference, own or stated or editions, asked))] = (
                    None
                )
        return Named(provisions=tuple(found), missing=tuple(missing), whole=whole)

    async def _in_chapters(
        self, reference: SectionReference, editions: Sequence[Edition], asked: Asked
    ) -> list[NamedProvision]:
        """The provision in documents whose chapters restart numbering: in the chapter named next to it, else
        in every chapter with that number."""
        found: list[NamedProvision] = []
        ids = _ids(reference, named=True)
        left = _MOST_READ
        for edition in editions:
            left -= edition.version.passages
            if left < 0:
                break
            families: dict[str, list[Passage]] = {}
            every = range(edition.version.passages)
            for passage in await self._library.passages_at(edition.version.id, every):
                section = passage.section.id if passage.section else ""
                if WITHIN in section and section.partition(WITHIN)[0] in ids:
                    families.setdefault(section, []).append(passage)
            said = {each: own for each, own in families.items() if _is_said(each.partition(WITHIN)[2], asked)}
            for family in (said or families).values():
                path = _path_in(family, reference.path)
                if path is not None:
                    found.append(NamedProvision(edition=edition, family=tuple(family), path=path))
        return found

    async def _headed(
        self, reference: SectionReference, editions: Sequence[Edition], law: str | None
    ) -> list[NamedProvision]:
        """The provision headed only by a line of text, in documents whose sections were not recognised; for a
        `law` that is not a document, only if the line names it ("§ 1004 BGB")."""
        found: list[NamedProvision] = []
        left = _MOST_READ
        for edition in editions:
            left -= edition.version.passages
            if left < 0:
                break
            passages = await self._library.passages_at(edition.version.id, range(edition.version.passages))
            under = await asyncio.to_thread(headed, reference, passages, law)
            if under is not None:
                pages = await self._library.pages_at(edition.version.id, under.passage.pages)
                only = replace(
                    under.passage,
                    text=under.passage.text[under.start : under.end],
                    spans=page_spans(under.passage, under.start, under.end, pages),
                    section=under.head.section,
                    windows=(),
                    others=(),
                )
                path = _path_in((only,), reference.path)
                if path is not None:
                    found.append(NamedProvision(edition=edition, family=(only,), path=path))
        return found[:_MOST]

    async def _held(
        self, reference: SectionReference, editions: Sequence[Edition], *, named: bool
    ) -> list[NamedProvision]:
        """The provision in each of `editions` that has it. In a document that is `named`, "section" may also
        mean what it calls an article."""
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


def _is_spoken_of(edition: Edition, asked: Asked) -> bool:
    """Whether a question contains a long word of the document's title."""
    title = {word.folded for word in tokens(edition.document.fields.title) if len(word.folded) >= _LONG_WORD}
    return not title.isdisjoint(asked.sections.words)


def _is_said(chapter: str, asked: Asked) -> bool:
    """Whether a question names a chapter: "§ 3 in Teil B"."""
    words_of = r"\W+".join(map(re.escape, chapter.split()))
    return (
        bool(chapter)
        and re.search(rf"(?<!\w){words_of}(?!\w)", asked.sections.text, re.IGNORECASE) is not None
    )


def _chapter_words(provisions: Iterable[NamedProvision]) -> set[str]:
    """The folded words of the chapters that number their sections separately."""
    sections = (each.family[0].section for each in provisions)
    names = (section.id.partition(WITHIN)[2] for section in sections if section)
    return {word.folded for name in names for word in tokens(name)}


def _answers_itself(kind: QuestionKind, provision: NamedProvision) -> bool:
    """Whether a named provision itself contains what a question of `kind` asks for, so that no citing
    provision is needed."""
    return speaks_of(kind, " ".join(passage.text for passage in provision.family))


def _with_instruments(asked: Asked) -> list[SectionReference]:
    """The references with the names after or before them, in any letter case ("art 5 gg"); the name after the
    last of a list applies to all: "Art. 1 bis 3 GG"."""
    found: list[SectionReference] = []
    after: SectionReference | None = None
    for reference in reversed(asked.sections.references):
        if reference.instrument is None and after and after.kind == reference.kind:
            reference = replace(reference, instrument=after.instrument)
        found.append(reference)
        after = reference
    return found[::-1]


def _ids(reference: SectionReference, *, named: bool) -> list[str]:
    if reference.kind in _ANNEXED:
        return [reference.id, *(f"{kind}:{reference.number}" for kind in _ANNEXED if kind != reference.kind)]
    others = ids_in_other_units(reference) if named and reference.kind in UNITS else ()
    return [reference.id, *others]


def _path_in(family: Sequence[Passage], path: tuple[str, ...]) -> tuple[str, ...] | None:
    """The sub-division of `path` that the section has, as far as its text sets it out line by line; None if
    the section numbers its sub-divisions and lacks that number."""
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
    """Whether there are markers inside a line ("...; or (b) ...")."""
    text = "\n".join(passage.text for passage in family)
    return all(re.search(rf"(?<!\w){re.escape(mark)}\s?[.)]", text, re.IGNORECASE) for mark in rest)


def _nearest(
    found: Sequence[NamedProvision], asked: Asked, remembered: Sequence[DocumentId]
) -> list[NamedProvision]:
    """Of the documents that have the provision, those that are meant: from the thread, of the place asked
    about, with more of their title in the question; then the more comprehensive first."""
    for meant in (
        [each for each in found if each.edition.document.id in remembered],
        [
            each
            for each in found
            if each.edition.document.fields.jurisdiction in asked.plan.scope.jurisdictions
        ],
    ):
        found = meant or found
    named = [{word.folded for word in tokens(each.edition.document.fields.title)} for each in found]
    common: set[str] = set.intersection(*named) if named else set()
    said = asked.sections.words - common
    shares = [len(title & said) for title in named]
    kept = [each for each, share in zip(found, shares, strict=True) if share == max(shares)]
    return sorted(kept, key=lambda each: -each.edition.version.passages)


def _asks_for_nothing_else(asked: Asked, editions: Sequence[Edition], chapters: set[str]) -> bool:
    """Whether the question has nothing besides the provision, names of places and documents, words of the
    titles of `editions` and of `chapters`, and words around them."""
    left = asked.sections.beside - _name_words(editions) - chapters
    return asked.plan.kind is not QuestionKind.CROSS_REFERENCE and all(
        word.isdigit() or len(word) == 1 or _LEVEL().fullmatch(word) for word in left
    )


def _is_about(provision: NamedProvision, asked: Asked, remembered: Sequence[DocumentId]) -> bool:
    """Whether a provision of a document that nobody named has most of the words asked for beside its number:
    Article 5 of whatever is at hand does not answer for the North Atlantic Treaty."""
    fields = provision.edition.document.fields
    left = " ".join(
        word
        for word in asked.sections.beside - _name_words([provision.edition])
        if len(word) > 1 and not word.isdigit() and not _LEVEL().fullmatch(word)
    )
    if provision.edition.document.id in remembered or not left:
        return True
    text = "\n".join(f"{passage.heading}\n{passage.text}" for passage in provision.family)
    return shared(terms(left, fields.language), terms(text, fields.language)) > _MOSTLY


def _name_words(editions: Iterable[Edition]) -> set[str]:
    """The folded words of the names of `editions`."""
    fields = [each.document.fields for each in editions]
    return {
        word.folded for each in fields for name in (each.title, *aliases_of(each)) for word in tokens(name)
    }


def _shown(reference: SectionReference, editions: Sequence[Edition], asked: Asked) -> str:
    """A provision that does not exist, as people write it, with its document if there is one."""
    name = provision_name(Section(id=reference.id, title="", path=reference.path), asked.plan.language)
    if len({edition.document.id for edition in editions}) == 1:
        return f"{name} · {editions[0].document.fields.title}"
    return f"{name} {reference.instrument}" if reference.instrument else name


def beside(neighbours: Iterable[tuple[str, str]], editions: Sequence[Edition]) -> list[Edition]:
    """The editions that a single word next to a provision (after or before it) names; or the only one whose
    title contains the word after it, or that the last word of a name can mean there ("Article 31 of our
    constitution")."""
    for after, before in neighbours:
        for word in filter(None, (after, before)):
            if named := _by_name(word, editions):
                return named
        titled = [each for each in editions if after and titles.is_titled(each.document.fields, after)]
        for only in (titled, _of_kind(fold(after), editions) if after else []):
            if len(only) == 1:
                return only
    return []


def _by_name(name: str, editions: Sequence[Edition]) -> list[Edition]:
    return [
        each
        for each in editions
        if titles.is_called(each.document.fields, name)
        or name.upper() in abbreviations(each.document.fields.title)
    ]


def _of_kind(word: str, editions: Sequence[Edition]) -> list[Edition]:
    """The editions with a name of several words that ends in `word`."""
    names = ((each, tokens(name)) for each in editions for name in aliases_of(each.document.fields))
    return list(dict.fromkeys(each for each, name in names if len(name) > 1 and name[-1].folded == word))


def _called(reference: SectionReference, editions: Sequence[Edition]) -> list[Edition]:
    """The editions that the abbreviation after a reference may mean."""
    name = reference.instrument
    if not name:
        return []
    return [
        each
        for each in editions
        if is_called(each, name) or name in abbreviations(each.document.fields.title)
    ]


# Terms that statutes define: "What is a promoter?", "Wie ist „Einwilligung“ definiert?".

ALIKE = 0.55
"""Cosine of the first encoder above which a term in another language counts as the same, if all encoders rank
it first."""

_UNITS = ("section", "art", "par", "rule", "regulation")
_QUOTED = r"""["“”„‟«»‘’‚'\u2018\u2019]{1,2}\s?(?P<term>[^"“”„«»‘’‚'\n]{2,60}?)\s?["“”«»‘’']{1,2}"""
_OPENING = re.compile(rf"\W*(?:\(?\w{{1,5}}[.)]\s*)*{_QUOTED}")
_WITHIN = pattern(rf"{_QUOTED}\s+(?:{{asked.defines}})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Definition:
    """A defined term, in the section `section` of its document, and the sub-division that defines it."""

    term: str
    section: str
    path: tuple[str, ...]


class DefinedTerms:
    """Finds the provisions that define a term. Caches what versions define. `encoders` recognise terms in
    other languages."""

    def __init__(self, library: Library, encoders: Sequence[Embedder]) -> None:
        self._library = library
        self._encoders = encoders
        self._defined: dict[VersionId, tuple[Definition, ...]] = {}

    async def defining(self, term: str, language: str, editions: Sequence[Edition]) -> list[NamedProvision]:
        """The provisions of `editions` that define `term`, which is in `language`."""
        found = []
        for edition in editions:
            fields = edition.document.fields
            if fields.doc_type not in STATUTORY_TYPES:
                continue
            known = await self._definitions(edition)
            meant = [each for each in known if _same_term(each.term, term)]
            if not meant and fields.language != language:
                meant = await self._translated(term, known)
            found += [await self._provision(edition, each) for each in meant]
        return found

    async def _provision(self, edition: Edition, definition: Definition) -> NamedProvision:
        family = await self._library.section_family(edition.version.id, definition.section)
        return NamedProvision(edition=edition, family=tuple(family), path=definition.path)

    async def _translated(self, term: str, known: Sequence[Definition]) -> list[Definition]:
        """The equivalent of `term` in the language of `known`, if all encoders agree on it."""
        if not known:
            return []
        best: set[str] = set()
        likeness = 1.0
        names = list(dict.fromkeys(each.term for each in known))
        for encoder in self._encoders:
            vectors, asked = await asyncio.gather(encoder.passages(names), encoder.query(term))
            scores = vectors @ asked
            best.add(names[int(scores.argmax())])
            likeness = min(likeness, float(scores.max()))
        return [each for each in known if each.term in best] if len(best) == 1 and likeness >= ALIKE else []

    async def _definitions(self, edition: Edition) -> tuple[Definition, ...]:
        version = edition.version.id
        if version not in self._defined:
            passages = await self._library.passages_at(version, range(edition.version.passages))
            families: dict[str, list[Passage]] = {}
            for passage in passages:
                if passage.section is not None and passage.section.id.partition(":")[0] in _UNITS:
                    families.setdefault(passage.section.id, []).append(passage)
            found = (definition for family in families.values() for definition in _definitions_in(family))
            self._defined[version] = tuple(dict.fromkeys(found))
        return self._defined[version]


def _same_term(one: str, other: str) -> bool:
    """Whether two spellings are the same term, singular or plural."""
    mine, theirs = ([word.folded for word in tokens(text)] for text in (one, other))
    return len(mine) == len(theirs) and all(
        a == b or _plural(a, b) for a, b in zip(mine, theirs, strict=True)
    )


def _plural(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if short.endswith("y") and long == f"{short[:-1]}ies":
        return True
    return long.startswith(short) and long[len(short) :] in {"s", "es", "e", "n", "en", "er"}


def _definitions_in(family: Sequence[Passage]) -> list[Definition]:
    """The terms that the passages of one section define: quoted at the beginning of a line, or before a word
    that defines."""
    section = family[0].section if family else None
    if section is None:
        return []
    parts = [part for part in parts_of(family) if not part.head]
    opened = [(match["term"], part) for part in parts if (match := _OPENING.match(_text(family, part)))]
    if len(opened) < 2 and not any(_WITHIN().search(_text(family, part)) for part in parts):
        opened = []
    inside = [(each["term"], part) for part in parts for each in _WITHIN().finditer(_text(family, part))]
    return [Definition(term, section.id, part.path) for term, part in [*opened, *inside]]


def _text(family: Sequence[Passage], part: Part) -> str:
    return family[part.passage].text[part.start : part.end]
