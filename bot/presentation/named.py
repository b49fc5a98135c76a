"""Names of parties and places as values of our texts: with article and case where a text puts them into a
sentence, bare in headings and lists."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.presentation.escaping import defused
from core.domain.registry import KnownPlace, Registry
from core.language.name_forms import Case, NameForms, case_behind, drawn_together, forms, is_elided
from core.registry.names import fold

_PLACE = re.compile(r"(?P<start>^|(?<=\) )|(?P<word>\b[^\W\d_]+) )\{(?P<name>\w+)\}")
"""In a text: the beginning, or the words for singular and plural, or a word, and the name behind it."""


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name with what tells how it stands in sentences. `rest` stands behind it: " (2013)"; `spoken` are the
    names by language where they differ."""

    name: str
    aliases: tuple[str, ...] = ()
    party: bool = False
    rest: str = ""
    spoken: tuple[tuple[str, str], ...] = ()

    def in_language(self, language: str) -> "NameRow":
        """As people of a language say it, where that is known."""
        return replace(self, name=dict(self.spoken).get(language, self.name))

    def forms(self, language: str) -> NameForms:
        """Its forms in a language, all defused."""
        found = forms(self.name, self.aliases, language, party=self.party)
        return NameForms(tuple(defused(each) + self.rest for each in found.cases), found.plural)


class Named(str):
    """One name or several, as they stand in lists: "SPD, Volt". Where only a text is expected it is that."""

    __slots__ = ("rows",)
    rows: tuple[NameRow, ...]

    def __new__(cls, rows: Iterable[NameRow], between: str = ", ") -> "Named":
        """The names of `rows`, all defused."""
        rows = tuple(rows)
        made = super().__new__(cls, between.join(defused(row.name) + row.rest for row in rows))
        made.rows = rows
        return made

    def spoken(self, language: str) -> "Named":
        """The same names as people of a language say them."""
        return Named(row.in_language(language) for row in self.rows)

    def plural(self, language: str) -> bool:
        """Whether it takes a plural verb."""
        return len(self.rows) != 1 or self.rows[0].forms(language).plural


def in_sentences(
    text: str, values: Mapping[str, object], language: str, joining: str
) -> tuple[str, dict[str, str]]:
    """`text` with places for the names among `values` as they stand there, and what comes into these places.
    A name is a subject at the beginning of the text, behind the words for singular and plural and behind
    "and"; behind a preposition it has its case; elsewhere it stays as it is. `joining` stands before the last
    of several."""
    filled: dict[str, str] = {}

    def placed(found: re.Match[str]) -> str:
        value, word = values.get(found["name"]), found["word"]
        subject = not word or word.lower() == joining
        case = Case.NOMINATIVE if subject else case_behind(word.lower(), language)
        if isinstance(value, str) and not isinstance(value, Named):  # the title of a document
            elided = word is not None and is_elided(word, value, language)
            return f"{word[:-1]}'{{{found['name']}}}" if elided else found[0]
        if not isinstance(value, Named) or case is None:
            return found[0]
        each = [row.forms(language).cases[case] for row in value.rows]
        first = drawn_together(word, each[0], language) if word else each[0]
        said = _enumerated([first, *each[1:]], joining)
        key = f"{found['name']}_{len(filled)}_"
        filled[key] = said[:1].upper() + said[1:] if found.start() == 0 and not word else said
        return f"{{{key}}}"

    return _PLACE.sub(placed, text), filled


def _enumerated(names: Sequence[str], joining: str) -> str:
    return f" {joining} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


class Names:
    """The names that a registry has for parties and places; `known` are places that need no row there, and
    that are said in each language where the registry calls them as one of the languages does."""

    def __init__(self, registry: Registry, known: Iterable[KnownPlace] = ()) -> None:
        self._known = {row.code: row for row in known}
        self.use(registry)

    def use(self, registry: Registry) -> None:
        """Use the names of `registry` from now on."""
        self._places = {row.code: row for row in registry.jurisdictions}
        self._parties = {row.name: NameRow(row.name, row.aliases, party=True) for row in registry.parties}

    def places(self, *codes: str) -> Named:
        """Places by their codes, which stand for those that nobody knows."""
        return Named(map(self._place, codes))

    def _place(self, code: str) -> NameRow:
        known = self._known.get(code)
        row = self._places.get(code, known)
        if row is None:
            return NameRow(code)
        usual = known and fold(row.name) in map(fold, (known.name, *known.aliases))
        return NameRow(row.name, row.aliases, spoken=known.spoken if known and usual else ())

    def parties(self, *names: str) -> Named:
        """Parties by their names; what stands in brackets behind one stays there: "SPD (2013)"."""
        return Named(map(self._party, names))

    def _party(self, name: str) -> NameRow:
        whole, bracket, year = name.partition(" (")
        first, slash, others = whole.partition("/")
        row = self._parties.get(name) or self._parties.get(whole) or self._parties.get(first)
        if row is not None and slash and row.name == first:  # parties with one programme: "CDU/CSU"
            bracket = f"{slash}{others}{bracket}"
        return NameRow(name) if row is None else replace(row, rest=bracket + year if row.name != name else "")
