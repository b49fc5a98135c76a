"""Turns message keys into text, and has the words that people type, in each language with files in `locales`.
Names of parties and places are values of texts: with article and case where a text puts them into a sentence,
bare in headings and lists.
"""

import logging
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from functools import cache
from importlib.resources import files
from string import Formatter

from bot.presentation.escaping import defused
from core.domain.registry import KnownPlace, Registry
from core.language.name_forms import Case, NameForms, case_behind, drawn_together, forms, is_elided
from core.registry.names import fold
from core.registry.towns import town_name

_PLACE = re.compile(r"(?P<start>^|(?<=\) )|(?P<word>\b[^\W\d_]+) )\{(?P<name>\w+)\}")
"""Matches, in a text, the beginning, the words for singular and plural, or a word, and the name after it."""


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name with the information needed to use it in sentences. `rest` follows it: " (2013)"; `spoken` are
    the names by language if they differ."""

    name: str
    aliases: tuple[str, ...] = ()
    party: bool = False
    rest: str = ""
    spoken: tuple[tuple[str, str], ...] = ()

    def in_language(self, language: str) -> "NameRow":
        """The name as speakers of a language say it, if known."""
        return replace(self, name=dict(self.spoken).get(language, self.name))

    def forms(self, language: str) -> NameForms:
        """Its forms in a language, all defused."""
        found = forms(self.name, self.aliases, language, party=self.party)
        return NameForms(tuple(defused(each) + self.rest for each in found.cases), found.plural)


class Named(str):
    """One or several names, as in lists: "SPD, Volt". It can be used wherever a text is expected."""

    __slots__ = ("rows",)
    rows: tuple[NameRow, ...]

    def __new__(cls, rows: Iterable[NameRow], between: str = ", ") -> "Named":
        """The names of `rows`, all defused."""
        rows = tuple(rows)
        made = super().__new__(cls, between.join(defused(row.name) + row.rest for row in rows))
        made.rows = rows
        return made

    def spoken(self, language: str) -> "Named":
        """The same names as speakers of a language say them."""
        return Named(row.in_language(language) for row in self.rows)

    def plural(self, language: str) -> bool:
        """Whether it takes a plural verb."""
        return len(self.rows) != 1 or self.rows[0].forms(language).plural


def in_sentences(
    text: str, values: Mapping[str, object], language: str, joining: str
) -> tuple[str, dict[str, str]]:
    """`text` with placeholders for the names among `values`, and their inflected forms. A name is a subject
    at the beginning of the text, after the words for singular and plural and after "and"; after a preposition
    it has its case; elsewhere it is unchanged. `joining` precedes the last of several."""
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
    """The names that a registry has for parties and places; `known` are places that need no row there; a
    place is named in each language if the registry uses the name of one of the languages."""

    def __init__(self, registry: Registry, known: Iterable[KnownPlace] = ()) -> None:
        self._known = {row.code: row for row in known}
        self.use(registry)

    def use(self, registry: Registry) -> None:
        """Use the names of `registry` from now on."""
        self._places = {row.code: row for row in registry.jurisdictions}
        self._parties = {row.name: NameRow(row.name, row.aliases, party=True) for row in registry.parties}

    def places(self, *codes: str) -> Named:
        """Places by their codes, which are shown for unknown places."""
        return Named(map(self._place, codes))

    def _place(self, code: str) -> NameRow:
        known = self._known.get(code)
        row = self._places.get(code, known)
        if row is None:
            return NameRow(town_name(code) or code)
        usual = known and fold(row.name) in map(fold, (known.name, *known.aliases))
        return NameRow(row.name, row.aliases, spoken=known.spoken if known and usual else ())

    def parties(self, *names: str) -> Named:
        """Parties by their names; a bracket after a name stays there: "SPD (2013)"."""
        return Named(map(self._party, names))

    def _party(self, name: str) -> NameRow:
        whole, bracket, year = name.partition(" (")
        first, slash, others = whole.partition("/")
        row = self._parties.get(name) or self._parties.get(whole) or self._parties.get(first)
        if row is not None and slash and row.name == first:  # parties with one programme: "CDU/CSU"
            bracket = f"{slash}{others}{bracket}"
        return NameRow(name) if row is None else replace(row, rest=bracket + year if row.name != name else "")


Value = str | int | float | date
"""A value that can be inserted into a text; dates are written as in its language."""

OWN_VALUES = frozenset(
    {"source", "lines", "prefix", "platform", "chat", "user", "trace", "id", "command", "commands"}
)
"""Values written by the operator, or ids or commands to be copied; all others may contain text from a
document or a person."""


UNBREAKABLE = "\N{NO-BREAK SPACE}"

NO_VALUE = "…"
"""Placeholder for a missing value in a text; the log reports it."""

_PLURAL = re.compile(r"\((\w+):([^|()]*)\|([^|()]*)\)")
"""In a text: the singular and plural words for a value."""

_COUNTED_KEYS: Mapping[object, str] = {0: "{}_none", 1: "{}_one"}
"""Suffixes of separate texts, by the value of `count`."""

_LOG = logging.getLogger(__name__)


@cache
def languages() -> tuple[str, ...]:
    """The languages that the bot speaks: English, then those beside it."""
    names = (path.name for path in files("bot.presentation").joinpath("locales").iterdir())
    found = {name.removesuffix(".toml") for name in names if name.count(".") == 1}
    return ("en", *sorted(found - {"en"}))


@cache
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language, by dotted key."""
    texts: dict[str, str] = {}
    for name in (f"{language}.toml", f"chat.{language}.toml", f"cli.{language}.toml"):
        for group, entries in _locale(name).items():
            texts.update({f"{group}.{key}": value for key, value in entries.items()})
    return {key: _unbroken(text, texts) for key, text in texts.items()}


def _unbroken(text: str, texts: Mapping[str, str]) -> str:
    """`text` with non-breaking spaces before and after the signs that its language sets apart."""
    for sign in texts["typography.apart_before"].split():
        text = text.replace(f" {sign}", f"{UNBREAKABLE}{sign}")
    for sign in texts["typography.apart_behind"].split():
        text = text.replace(f"{sign} ", f"{sign}{UNBREAKABLE}")
    return text


@cache
def words_of(command: str, table: str = "commands") -> Mapping[str, tuple[str, ...]]:
    """The words that people type for `command`, by language; `slash_only` are those that need their slash."""
    return {language: _words(language, table, command) for language in languages()}


@cache
def typed(name: str) -> tuple[str, ...]:
    """The words that people type after a command for `name`, in all languages."""
    return tuple(word for language in languages() for word in _words(language, "typed", name))


def _words(language: str, table: str, name: str) -> tuple[str, ...]:
    return tuple(_locale(f"words.{language}.toml")[table].get(name, "").split())


@cache
def _locale(name: str) -> dict[str, dict[str, str]]:
    text = files("bot.presentation").joinpath("locales", name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def placeholders(text: str) -> frozenset[str]:
    """The names of the placeholders in `text`."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


class _Values(dict[str, str | int | float]):
    """The values of one text. A missing one is only logged: people still get the text."""

    def __init__(self, key: str, values: Mapping[str, str | int | float], *, live: bool) -> None:
        super().__init__((name, value if live else _safe(name, value)) for name, value in values.items())
        self._key = key

    def __missing__(self, name: str) -> str:
        _LOG.error("the text %s has no value for %s", self._key, name)
        return NO_VALUE


class Texts:
    """Texts of one language; a language that we do not speak falls back to English. `live`: values stay as
    they are, for a terminal, where nothing in them can come alive. Moments are shown in the time of
    `zone`."""

    def __init__(self, language: str, *, live: bool = False, zone: tzinfo = UTC) -> None:
        self._live = live
        self._zone = zone
        self.language = language if language in languages() else "en"

    def __call__(self, key: str, /, **given: Value) -> str:
        """The text of `key` with its values filled in and defused; the key itself if there is none. With a
        `count` of one it is the text of `key`_one, if there is one, with none that of `key`_none. There is
        always a text, whatever the values."""
        texts = catalogue(self.language)
        values = {name: self._plain(value) for name, value in given.items()}
        text = texts.get(_COUNTED_KEYS.get(values.get("count"), "{}").format(key), texts.get(key))
        if text is None:
            _LOG.error("there is no text %s", key)
            return key
        known: dict[str, str | int | float] = dict(_Values(key, values, live=self._live))
        text, names = in_sentences(text, values, self.language, texts["answer.and"])
        filled = _Values(key, {**known, **names}, live=True)
        return _counted(text, values, self.language).format_map(filled)

    def day(self, day: date) -> str:
        """A date as written in the language: "12. Januar 2026"; of a moment the time as well."""
        texts = catalogue(self.language)
        day = day.astimezone(self._zone) if isinstance(day, datetime) else day
        numbers = {"day": day.day, "year": day.year}
        month = texts["date.months"].split()[day.month - 1]
        date_text = _counted(texts["date.day"], numbers, self.language).format(**numbers, month=month)
        timed = isinstance(day, datetime)
        return (
            texts["date.time"].format(day=date_text, time=f"{day:%H:%M}", zone=f"{day:%Z}")
            if timed
            else date_text
        )

    def day_of(self, moment: datetime) -> date:
        """The day of a moment in the readers' time zone."""
        return moment.astimezone(self._zone).date()

    def month(self, day: date) -> str:
        """The month of `day`, if the day is unknown: "Januar 2026"."""
        return f"{catalogue(self.language)['date.months'].split()[day.month - 1]} {day.year}"

    def _plain(self, value: Value) -> str | int | float:
        if isinstance(value, Named):
            return value.spoken(self.language)
        return self.day(value) if isinstance(value, date) else value

    def takes(self, key: str, names: Iterable[str]) -> bool:
        """Whether there is a text for `key` that needs no values other than `names`."""
        return self.has(key) and placeholders(catalogue(self.language)[key]) <= frozenset(names)

    def has(self, key: str) -> bool:
        """Whether there is a text for `key`."""
        return key in catalogue(self.language)


ENGLISH = Texts("en", live=True)
"""English texts, for programs and for terminals without another language."""


def _counted(text: str, values: Mapping[str, object], language: str) -> str:
    """`text` with the words that go with its numbers and names: `(count:page|pages)`."""
    return _PLURAL.sub(lambda word: word[2 if _is_one(values.get(word[1]), language) else 3], text)


def _is_one(value: object, language: str) -> bool:
    if isinstance(value, Named):
        return not value.plural(language)
    return str(value) in catalogue(language)["plural.singular"].split()


def _safe(name: str, value: str | int | float) -> str | int | float:
    return defused(value) if isinstance(value, str) and name not in OWN_VALUES else value
