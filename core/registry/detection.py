"""What a question names: parties, places, documents and years, and in which role.

A name may say where to look ("in Gujarat", "laut SPD") or what the question is about ("talks about Ukraine",
"ein Verbot der AfD"). The role later decides whether it narrows the search, so it is derived here from the
words before the name; nothing is dropped yet.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations

from core.domain.documents import GLOBAL, Document
from core.domain.ids import DocumentId
from core.domain.registry import Jurisdiction, KnownPlace, Registry
from core.language.languages import every
from core.language.name_forms import NameForms, forms
from core.language.patterns import pattern
from core.language.patterns import words as spoken
from core.registry.names import (
    PROGRAMME_WORD,
    Mention,
    Name,
    NameKind,
    NameMatcher,
    adjective_language,
    fold,
    is_ordinary,
    tokens,
)
from core.registry.slips import party_slips, slips, vocabulary
from core.registry.strangers import Stranger, strangers
from core.registry.titles import aliases_of, coalition_names, colour_of
from core.registry.towns import SEATS, town_name, towns_in
from core.registry.usual_parties import every_name, usual_names


class NameRole(StrEnum):
    """The role of a name in its sentence."""

    SOURCE = "source"  # where to look: "in Gujarat", "laut SPD", "Münsters CDU"
    TOPIC = "topic"  # what the question is about: "with China", "gegen die AfD"
    PLAIN = "plain"  # neither is evident: "does the FDP want"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A party (canonical name) or place (code) with the strongest role it has in the question."""

    key: str
    role: NameRole


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedYear:
    """A year. `edition`: written so that it can only mean an edition or election ("2025 programme",
    "Bundestagswahl 2025", "SPD (2025)"); otherwise it counts only if such an edition exists. `point_in_time`:
    "bis 2030", "since 2013", "Agenda 2010": never an edition."""

    year: int
    edition: bool
    point_in_time: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """Everything a question names, in its order. `party_question`: it asks which party, naming none;
    `coalition`: it mentions a coalition or its agreement (`agreement`: explicitly). `mentions` are the
    parties and places with their positions, `titles` the documents, `strangers` unregistered parties.
    `unasked`: where it names parties that it does not ask, which are none of these."""

    parties: tuple[Named, ...] = ()
    places: tuple[Named, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    years: tuple[NamedYear, ...] = ()
    party_question: bool = False
    coalition: bool = False
    agreement: bool = False
    mentions: tuple[Mention, ...] = ()
    titles: tuple[Mention, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    unasked: tuple[tuple[int, int], ...] = ()

    @property
    def asks_only_strangers(self) -> bool:
        """Whether only unregistered parties are asked; others may be mentioned."""
        return bool(self.strangers) and all(party.role is NameRole.TOPIC for party in self.parties)

    @property
    def names(self) -> tuple[tuple[int, int], ...]:
        """The (start, end) of parties and places named by separate words, not in compounds."""
        return tuple((each.start, each.end) for each in self.mentions if not each.tail)

    @property
    def place_names(self) -> tuple[tuple[int, int], ...]:
        """Where places are named by separate words."""
        places = (each for each in self.mentions if not each.tail and each.kind is NameKind.PLACE)
        return tuple((each.start, each.end) for each in places)

    @property
    def topic_names(self) -> tuple[tuple[int, int], ...]:
        """Where places are named as a topic, by the words before them."""
        topics = {each.key for each in self.places if each.role is NameRole.TOPIC}
        return tuple((each.start, each.end) for each in self.mentions if each.key in topics)

    @property
    def party_names(self) -> tuple[tuple[int, int], ...]:
        """Where parties are named by separate words, registered or not."""
        parties = (each for each in self.mentions if not each.tail and each.kind is NameKind.PARTY)
        registered = tuple((each.start, each.end) for each in parties)
        return registered + tuple((each.start, each.end) for each in self.strangers)

    @property
    def party_stretches(self) -> frozenset[tuple[int, int]]:
        """Where parties are named, including in compounds."""
        compounds = (each for each in self.mentions if each.tail and each.kind is NameKind.PARTY)
        return frozenset(self.party_names) | {(each.start, each.end) for each in compounds}


_PARTY_QUESTION = pattern(r"\b(?:{registered.party_asked})")
_COALITION = pattern(r"\b(?:{registered.coalition})")
_AGREEMENT = pattern("{registered.agreement}")
_YEAR = pattern(r"(?<![\d.,/])(?:19|20)\d\d(?![\d/]|[.,]\d|\s*(?:€|%|{registered.behind_amounts}))")
_ELECTION = pattern("{registered.elections}")


EUROPEAN_UNION = "eu"
_SHORTEST_PLACE = 4
_LONGEST_PARTY = 4
"""Maximum words of a party's name that letter case does not matter for."""
_AND = re.compile(r"\s+(?:and|und|et|&)\s+")
"""Between the parts of a place's name that are names of it."""
_BEFORE_NAMES = 60
"""Characters before a town from which its role is read."""
_DIRECTION = re.compile(r"(?:north|south|east|west|nord|süd|ost|cent|zent|mittel|haut|bas)", re.IGNORECASE)
"""Begins a place name that could be a part of any place."""


class Detector:
    """Finds the names in questions. Build once per registry and set of documents."""

    def __init__(
        self, registry: Registry, documents: Sequence[Document], known_places: Iterable[Jurisdiction] = ()
    ) -> None:
        known_places = tuple(known_places)
        self._holds_everywhere = any(
            document.fields.jurisdiction in (GLOBAL, EUROPEAN_UNION) for document in documents
        )
        self._known_places = {
            fold(text): (row.name, *row.aliases)
            for row in known_places
            for text in (row.name, *row.aliases)
            if len(text) > _SHORTEST_PLACE
        }
        self._parts_of_places = _parts_of_places(registry)
        names = [*_party_names(registry), *_place_names(registry, documents, known_places)]
        taken = {fold(name.text) for name in names}
        names += [name for name in document_names(documents) if fold(name.text) not in taken]
        taken |= {fold(name.text) for name in names}
        names += [name for name in _colour_names(registry) if fold(name.text) not in taken]
        self._matcher = NameMatcher(names)
        self._party_writings = [name.text for name in names if name.kind is NameKind.PARTY]
        self._party_words = {
            tuple(word.folded for word in tokens(text)): text for text in self._party_writings if " " in text
        }
        written = [
            (text, party) for party, texts in usual_names(registry, perhaps=True).items() for text in texts
        ]
        written += [(name.text, name.key) for name in reversed(names) if name.kind is NameKind.PARTY]
        self._written = {tuple(word.folded for word in tokens(text)): key for text, key in written}
        self._called = {name.key: name.text for name in reversed(names)}
        self._places_of = {
            party.name: {doc.fields.jurisdiction for doc in documents if party.name in doc.fields.parties}
            for party in registry.parties
        }
        self._aliases = {party.name: party.aliases for party in registry.parties}
        self._countries = frozenset(code.partition("-")[0] for code in _codes(registry, documents))
        registered = (name.text for name in names if name.kind is not NameKind.DOCUMENT)
        well_known = (name for name in every_name().values() if " " not in name)
        self._spellings = vocabulary((*well_known, *registered))
        self._titles = vocabulary(name.text for name in names if name.kind is NameKind.DOCUMENT)

    def detect(self, question: str) -> Detection:
        """The names in `question` with their roles."""
        mentions = self._mentions(question)
        parties = [m for m in mentions if m.kind is NameKind.PARTY]
        places = [m for m in mentions if m.kind is NameKind.PLACE]
        titles = [m for m in mentions if m.kind is NameKind.DOCUMENT]
        folded = fold(question)
        return Detection(
            parties=_strongest((m.key, _party_role(m)) for m in parties),
            places=_strongest((m.key, _place_role(m, question)) for m in places),
            documents=tuple(dict.fromkeys(DocumentId(m.key) for m in titles)),
            years=tuple(_years(question, mentions)),
            party_question=not parties and bool(_PARTY_QUESTION().search(folded)),
            coalition=bool(_COALITION().search(folded) or _AGREEMENT().search(folded)),
            agreement=bool(_AGREEMENT().search(folded)),
            mentions=(*parties, *places),
            titles=tuple(titles),
            strangers=self._strangers(question, mentions),
        )

    def _mentions(self, question: str) -> list[Mention]:
        """The names in `question`, towns that nobody has registered among them."""
        mentions = self._matcher.find(question)
        for start, end, town in towns_in(question, self._countries):
            code = self._parts_of_places.get(fold(question[start:end]), town)
            unsaid = self.is_elsewhere(code) and (self._holds_everywhere or code in SEATS)
            if not unsaid and not any(each.start < end and start < each.end for each in mentions):
                before = tuple(
                    each.folded for each in tokens(question[max(0, start - _BEFORE_NAMES) : start])
                )
                mentions.append(Mention(NameKind.PLACE, code, start, end, before=before))
        return mentions

    def _strangers(self, question: str, mentions: Iterable[Mention]) -> tuple[Stranger, ...]:
        named = [(each.start, each.end) for each in mentions]
        return strangers(question, named, self._party_writings, self._countries)

    def mended(self, question: str) -> str:
        """`question` with misspelt names of parties, well-known ones too, of places and documents corrected
        if unambiguous ("Linkspatei")."""
        question = self._with_parties(question)
        named = [(each.start, each.end) for each in self._mentions(question)]
        for start, end, meant in reversed([*slips(question, self._spellings, named)]):
            text = question[:start] + meant + question[end:]
            mentions = self._matcher.find(text)
            found = [(each.start, each.end) for each in mentions]
            found += [(each.start, each.end) for each in self._strangers(text, mentions)]
            if any(begin <= start < stop for begin, stop in found):
                question = text
        return self._with_titles(question)

    def maybe_parties(self, question: str) -> list[tuple[int, int, str]]:
        """Where words of `question` that `detect` takes for something else are what a party is called,
        whatever their letter case, and the key of that."""
        taken = [(each.start, each.end) for each in self._mentions(question)]
        words, at, found = tokens(question), 0, []
        while at < len(words):
            lengths = (
                size
                for size in range(min(_LONGEST_PARTY, len(words) - at), 0, -1)
                if tuple(word.folded for word in words[at : at + size]) in self._written
            )
            size = next(lengths, 0)
            if size:
                start, end = words[at].start, words[at + size - 1].end
                if not any(first < end and start < last for first, last in taken):
                    key = self._written[tuple(word.folded for word in words[at : at + size])]
                    found.append((start, end, key))
            at += size or 1
        return found

    def _with_parties(self, question: str) -> str:
        """`question` with slips in party names of several words corrected, unless several are possible, or a
        well-known party has that name."""
        named = [(each.start, each.end) for each in self._matcher.find(question)]
        others = strangers(question, named)
        named += [(each.start, each.end) for each in others if fold(each.name) in every_name()]
        corrections = [*party_slips(question, self._party_words, named)]
        for start, end, meant in sorted(corrections, reverse=True):
            if sum(begin < end and start < stop for begin, stop, _ in corrections) == 1:
                question = question[:start] + meant + question[end:]
        return question

    def _with_titles(self, question: str) -> str:
        """`question` with the words of a document's title corrected if they then make up the whole title."""
        named = [(each.start, each.end) for each in self._matcher.find(question)]
        text, begins = question, []
        for start, end, meant in [*slips(question, self._titles, named)]:
            begins.append(start + len(text) - len(question))
            text = text[: begins[-1]] + meant + text[end + len(text) - len(question) :]
        titles = [each for each in self._matcher.find(text) if each.kind is NameKind.DOCUMENT]
        whole = all(any(each.start <= at < each.end for each in titles) for at in begins)
        return text if whole else question

    def beside(self, parties: Sequence[str]) -> list[str]:
        """The other parties, as in the registry, with documents for the places for which `parties` have
        some."""
        places = {place for name in parties for place in self._places_of.get(name, ())}
        return [name for name, own in self._places_of.items() if name not in parties and own & places]

    def is_elsewhere(self, place: str) -> bool:
        """Whether a place, by its code, is in a country that the library does not cover."""
        return place.partition("-")[0] not in self._countries

    def is_town(self, place: str) -> bool:
        """Whether a place, by its code, is a town that nobody has registered."""
        return place not in self._called and town_name(place) is not None

    @property
    def holds_everywhere(self) -> bool:
        """Whether there are documents that apply everywhere."""
        return self._holds_everywhere

    def is_place(self, word: str) -> bool:
        """Whether `word` is the name of a well-known place, in any country."""
        return fold(word) in self._known_places and not _DIRECTION.match(word)

    def place_names(self, word: str) -> tuple[str, ...]:
        """The names of a well-known place in all languages; `word` alone if it is none."""
        return self._known_places.get(fold(word), (word,))

    def called(self, key: str) -> str:
        """The display name of a party, place or document that questions may name; `key` as in their
        mentions."""
        return self._called.get(key) or town_name(key) or key

    def party_forms(self, key: str, language: str) -> NameForms:
        """The forms of a party's name in sentences."""
        return forms(self._called[key], self._aliases.get(key, ()), language, party=True)


def _strongest(found: Iterable[tuple[str, NameRole]]) -> tuple[Named, ...]:
    order = {NameRole.SOURCE: 0, NameRole.PLAIN: 1, NameRole.TOPIC: 2}
    roles: dict[str, NameRole] = {}
    for key, role in found:
        roles[key] = min(roles.get(key, role), role, key=order.__getitem__)
    return tuple(Named(key=key, role=role) for key, role in roles.items())


def nearest_preposition(before: Sequence[str]) -> str:
    """The word before the name, skipping articles; merged forms ("zur") count as prepositions."""
    for word in reversed(before):
        if word not in spoken("names.articles") or word in spoken("names.merged"):
            return word
    return ""


def _party_role(mention: Mention) -> NameRole:
    if mention.tail:
        return NameRole.SOURCE if PROGRAMME_WORD().search(mention.tail) else NameRole.TOPIC
    return (
        NameRole.TOPIC
        if nearest_preposition(mention.before) in spoken("names.party_topic")
        else NameRole.PLAIN
    )


def _place_role(mention: Mention, question: str) -> NameRole:
    preposition = nearest_preposition(mention.before)
    if preposition in spoken("names.place_source") or re.match(r"['’]s\b", question[mention.end :]):
        return NameRole.SOURCE
    return NameRole.TOPIC if preposition in spoken("names.place_topic") else NameRole.PLAIN


def _party_names(registry: Registry) -> Iterable[Name]:
    """The names of parties in the registry and in common use."""
    written = {fold(text) for party in registry.parties for text in (party.name, *party.aliases)}
    usual = usual_names(registry)
    for party in registry.parties:
        for text in (party.name, *party.aliases):
            yield Name(text, NameKind.PARTY, party.name)
            yield from (Name(paper, NameKind.PARTY, party.name) for paper in _papers_of(text))
            for bare in _without_article(text):
                if fold(bare) == fold(text) or fold(bare) not in written:
                    yield Name(bare, NameKind.PARTY, party.name)
        for text in usual.get(party.name, ()):
            yield Name(text, NameKind.PARTY, party.name, rank=1)


def _colour_names(registry: Registry) -> Iterable[Name]:
    """Several parties by their colours: "Rot-Grün"."""
    parties: dict[str, str] = {}
    for party in registry.parties:
        if colour := colour_of(party.name):
            parties.setdefault(colour, party.name)
    for size in (2, 3):
        for colours in permutations(parties, size):
            yield from (Name("-".join(colours), NameKind.PARTY, parties[each], rank=1) for each in colours)


def _without_article(party: str) -> Iterable[str]:
    """Names such as "Linke" for "Die Linke", "Grüne" for "GRÜNE": adjectives used for people. A common noun
    ("Die Mitte") would match anything."""
    article, _, word = party.rpartition(" ")
    bare = word.capitalize() if word.isupper() else word
    if article and article not in spoken("registered.capital_articles"):
        return
    if bare != party and bare.isalpha() and adjective_language(bare.lower()):
        yield from {bare, bare.removesuffix("n")} if bare.endswith("en") else (bare,)


def _papers_of(party: str) -> Iterable[str]:
    """Names such as "Green manifesto" for "Green party": the adjective alone would match anything green."""
    name, _, last = party.rpartition(" ")
    for language in every():
        if name and last.casefold() in language.registered.party:
            yield from (f"{name} {paper}" for paper in language.registered.party_papers)


def _place_names(
    registry: Registry, documents: Sequence[Document], known: Iterable[Jurisdiction]
) -> Iterable[Name]:
    """Names of registered places; countries; and first subdivisions of countries that the library covers, or
    that are themselves countries. A registry row adds to a place's common names: "India" does not hide
    "Indien"."""
    countries = {code.partition("-")[0] for code in _codes(registry, documents)}
    for row in registry.jurisdictions:
        for text in (row.name, *row.aliases):
            yield Name(text, NameKind.PLACE, row.code)
    parts = defaultdict(set)
    for row in registry.jurisdictions:
        for text in (row.name, *row.aliases):
            for part in _AND.split(text) if _AND.search(text) else ():
                parts[part].add(row.code)
    yield from (
        Name(part, NameKind.PLACE, min(codes), rank=2)
        for part, codes in parts.items()
        if len(codes) == 1 and not is_ordinary(part)
    )
    for row in known:
        country, _, rest = row.code.partition("-")
        is_known_country = isinstance(row, KnownPlace) and row.is_country
        if rest and country not in countries and not is_known_country:
            continue
        for text in (row.name, *row.aliases):
            yield Name(text, NameKind.PLACE, row.code, rank=2 if rest else 1)


def _parts_of_places(registry: Registry) -> dict[str, str]:
    """The registered places by the words of their names that only one of them has: "Daman" is meant as
    "Daman and Diu"."""
    places: dict[str, set[str]] = defaultdict(set)
    for row in registry.jurisdictions:
        for text in (row.name, *row.aliases):
            for word in tokens(text):
                places[word.folded].add(row.code)
    return {word: next(iter(codes)) for word, codes in places.items() if len(codes) == 1}


def _codes(registry: Registry, documents: Sequence[Document]) -> set[str]:
    """The codes of places that the library covers."""
    registered = {row.code for row in registry.jurisdictions}
    return registered | {d.fields.jurisdiction for d in documents if d.fields.jurisdiction}


def document_names(documents: Sequence[Document]) -> list[Name]:
    """The names of documents: title, gazette number and aliases; common names and shorter forms of the title
    if only one document has them, but not for editions of a series, which differ only in their years. A
    coalition is named by its colours in all its editions."""
    full: list[Name] = []
    short: list[Name] = []
    for document in documents:
        fields = document.fields
        stated = [text for text in (fields.title, fields.reference, *fields.aliases) if text]
        full += [
            Name(
                text,
                NameKind.DOCUMENT,
                document.id,
                ordinary=text not in fields.aliases and is_ordinary(text),
            )
            for text in stated
        ]
        others = coalition_names(fields) if document.series else aliases_of(fields)
        short += [
            Name(text, NameKind.DOCUMENT, document.id, rank=1, ordinary=is_ordinary(text))
            for text in others
            if text not in stated
        ]
    # a name counts where all who have it share a title (copies in several collections) or a series
    titles = {document.id: document.series or fold(document.fields.title) for document in documents}
    pairs = [(fold(name.text), titles[DocumentId(name.key)]) for name in short]
    holders, namesakes = Counter(text for text, _ in pairs), Counter(pairs)
    return full + [name for name, own in zip(short, pairs, strict=True) if holders[own[0]] == namesakes[own]]


def _years(question: str, mentions: Sequence[Mention]) -> Iterable[NamedYear]:
    words = tokens(question)
    ends = {m.end for m in mentions if m.kind is NameKind.PARTY}
    for match in _YEAR().finditer(_fold_keeping_length(question)):
        index = next((i for i, word in enumerate(words) if word.start == match.start()), None)
        if index is None or any(m.start <= match.start() < m.end for m in mentions):
            continue
        before = [word.folded for word in words[max(0, index - 3) : index]]
        after = [word.folded for word in words[index + 1 : index + 4]]
        party_before = index > 0 and (
            words[index - 1].end in ends
            or (index > 1 and words[index - 2].end in ends and before[-1] in spoken("names.of_year"))
        )
        edition = party_before or _beside_election(before, after)
        in_paper = _ELECTION().fullmatch(_first_said(after))  # "im Jahr 2021 im Programm"
        point = not (edition or in_paper) and bool(before) and before[-1] in spoken("names.point_in_time")
        yield NamedYear(year=int(match[0]), edition=edition, point_in_time=point)


def _beside_election(before: Sequence[str], after: Sequence[str]) -> bool:
    following = _first_said(after)
    return bool(
        _ELECTION().fullmatch(_first_said(reversed(before)))
        or (after and after[0] == following and _ELECTION().fullmatch(following))
    )


def _first_said(words: Iterable[str]) -> str:
    """The first of `words` that is not a preposition or an article, "" if there is none."""
    return next((word for word in words if word not in spoken("names.neutral")), "")


def _fold_keeping_length(text: str) -> str:
    """`text` in lower case, character for character."""
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
