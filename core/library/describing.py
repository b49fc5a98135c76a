"""Guesses what a document is from its title and first pages, for a person to confirm."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import date
from functools import cache
from pathlib import PurePath

from core.domain.documents import STATUTORY_TYPES, DocumentFields, DocumentType
from core.domain.pages import Page
from core.domain.registry import Jurisdiction, Registry
from core.language.languages import every
from core.language.patterns import pattern
from core.language.words import DocumentTypeWords
from core.library.chunking.numbering import FORMATS, best_sequence
from core.library.chunking.text import page_lines
from core.registry.detection import Detector
from core.registry.names import NameKind, fold
from core.registry.usual_parties import with_usual

FIRST_PAGES = 3
TITLE_WEIGHT = 3
_SAMPLE = 6_000
_HEADS = [each for each in FORMATS if each.named]
_OF_PARTIES = (
    *(DocumentType.MANIFESTO, DocumentType.BASIC_PROGRAMME, DocumentType.CAMPAIGN, DocumentType.MOTION),
    DocumentType.COALITION_AGREEMENT,
)
_HEAD = 600
"""Number of characters at the start of a file that are examined."""
_TYPES = tuple(
    (DocumentType(field.name), pattern(f"{{document_types.{field.name}}}"))
    for field in fields(DocumentTypeWords)
)


@dataclass(frozen=True, slots=True)
class PrintedDate:
    """A date to the precision printed: `written` is 2025-03-12, 2025-03 or 2025, and `day` the first day that
    this may mean."""

    day: date
    written: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Guessed fields; None or empty without evidence."""

    jurisdiction: str | None = None
    party: str | None = None
    doc_type: DocumentType | None = None
    valid_from: PrintedDate | None = None


def describe(title: str, pages: Sequence[Page], detector: Detector) -> Description:
    """A description from `title` and the first of `pages`. A name counts if it is mentioned more often than
    any other; the title counts as several mentions."""
    opening = "\n".join(page.text for page in pages[:FIRST_PAGES])[:_SAMPLE]
    counts: dict[NameKind, Counter[str]] = {NameKind.PARTY: Counter(), NameKind.PLACE: Counter()}
    for line in (*(title,) * TITLE_WEIGHT, *opening.splitlines()):
        for mention in detector.detect(line).mentions:
            counts[mention.kind][mention.key] += 1
    return Description(
        jurisdiction=_leader(counts[NameKind.PLACE]),
        party=_leader(counts[NameKind.PARTY]),
        doc_type=_type(title) or _type(opening[:_HEAD]),
        valid_from=date_of(title, opening.splitlines()),
    )


EVIDENT = 3
"""Number of mentions (file name and title count as several) that identify a document's party or place."""
_SPOKEN_IN = {"de": "de", "fr": "fr"}
"""The country whose parties are meant if no place is given. English is spoken in many countries, so those of
all countries apply."""


class FileDescriber:
    """Derives from files the fields that are so evident that nobody needs to be asked: party, place, type and
    date. Parties are those of `registry` and well-known ones."""

    def __init__(self, registry: Registry, known_places: Iterable[Jurisdiction]) -> None:
        self._registry = registry
        self._places = Detector(registry, (), known_places)
        self._parties: dict[str, Detector] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def evident(self, file: str, fields: DocumentFields, pages: Sequence[Page], today: date) -> Description:
        """The evident fields of a file. Place and year are those in the file name or title, which alone
        identify law; a future year is not taken for the start of validity. A party must also be named there,
        or the document be of a type that parties write, and be mentioned far more often than others in the
        file name, title and first pages. Law has no party."""
        name = PurePath(file).stem.replace("_", " ").replace("-", " ").lower()
        called = (name, fields.title)
        opening = "\n".join(page.text for page in pages[:FIRST_PAGES])[:_SAMPLE]
        place = _leader(_mentioned((name.title(), fields.title), self._places, NameKind.PLACE))
        kind = next(filter(None, map(_type, called)), None)
        if kind is None and (seems := _type(opening[:_HEAD])) not in STATUTORY_TYPES:
            kind = seems
        if kind is None and _is_in_provisions(pages):
            kind = DocumentType.RULES
        party = None
        if kind not in STATUTORY_TYPES:
            party = self._party(called, opening, fields.jurisdiction or place, fields.language, kind)
        if party and place:  # only the party's name may have it: "Bündnis Deutschland"
            rest = [fold(each).replace(fold(party), " ").title() for each in called]
            place = _leader(_mentioned(rest, self._places, NameKind.PLACE))
        printed = date_of(" ".join(called), ())
        return Description(
            jurisdiction=fields.jurisdiction or place,
            party=party,
            doc_type=kind,
            valid_from=printed if printed and printed.day <= today else None,
        )

    def names_of(self, party: str) -> tuple[str, ...]:
        """Other names of a party recognised in a file."""
        return self._names[party]

    def _party(
        self,
        called: tuple[str, ...],
        opening: str,
        place: str | None,
        language: str,
        kind: DocumentType | None,
    ) -> str | None:
        country = place.partition("-")[0] if place else _SPOKEN_IN.get(language, "")
        if country not in self._parties:
            registry = with_usual(self._registry, country)
            self._parties[country] = Detector(registry, ())
            self._names |= {party.name: party.aliases for party in registry.parties}
        detector = self._parties[country]
        named = _mentioned(called, detector, NameKind.PARTY)
        head = _mentioned(opening[:_HEAD].splitlines(), detector, NameKind.PARTY)
        counts = _mentioned((*(called * TITLE_WEIGHT), *opening.splitlines()), detector, NameKind.PARTY)
        (party, most), (_, others) = [*counts.most_common(2), ("", 0), ("", 0)][:2]
        theirs = kind in _OF_PARTIES
        begins = party in named or (party in head and theirs)
        return party if begins and most >= max(EVIDENT, (2 if theirs else 3) * others) else None


def _is_in_provisions(pages: Sequence[Page]) -> bool:
    """Whether a document is made of provisions whose heads say what they are ("§ 3", "Article 3"): bare
    numbers are those of chapters, too."""
    return bool(best_sequence([line for page in pages for line in page_lines(page)], _HEADS, "section"))


def _mentioned(lines: Iterable[str], detector: Detector, kind: NameKind) -> Counter[str]:
    mentions = (mention for line in lines for mention in detector.detect(line).mentions)
    return Counter(mention.key for mention in mentions if mention.kind is kind)


def _leader(counts: Counter[str]) -> str | None:
    """The name mentioned most, unless there is a tie."""
    first = counts.most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None
    return first[0][0]


def _type(text: str) -> DocumentType | None:
    """The type whose keyword comes first in `text`."""
    matches = [(match.start(), kind) for kind, words in _TYPES if (match := words().search(text.lower()))]
    return min(matches, key=lambda item: item[0])[1] if matches else None


# The date that a document gives for itself: "Stand: 12. März 2025", "adopted on May 3, 2024", "2025".

_LONGEST_LINE = 400
"""Maximum characters of a line that is searched for a date."""
_ALONE = 6
"""Maximum words of a line with a stand-alone date ("Berlin, 12 May 2025"): running text has more."""
_CUE = pattern(r"(?i)\b(?:{dates.cues})\b")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_ISO = re.compile(r"(?<!\d)((?:19|20)\d{2})-(\d{2})-(\d{2})(?!\d)")
_POINTED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d{2})(?!\d)")


def date_of(title: str, lines: Iterable[str]) -> PrintedDate | None:
    """A document's date: from its title; from a line that states it ("Stand", "adopted"); from the only day
    in a line of its own; else from the only year in its title."""
    named = _only(dates_in(title))
    if named is not None and len(named.written) > len("2025"):
        return named
    cued, alone = [], []
    for line in lines:
        dates = dates_in(line)
        if dates and _CUE().search(line[:_LONGEST_LINE]):
            cued += dates
        elif len(line.split()) <= _ALONE:
            alone += dates
    days = [each for each in alone if len(each.written) > len("2025")]
    return (cued[0] if cued else None) or _only(days) or named or _only(_years(title))


def dates_in(line: str) -> list[PrintedDate]:
    """The days and months in `line`, most precise first."""
    line = line[:_LONGEST_LINE]
    days = [_day(*map(int, match.groups())) for match in _ISO.finditer(line)]
    days += [_day(int(year), int(month), int(day)) for day, month, year in _POINTED.findall(line)]
    months: list[PrintedDate | None] = []
    for number, month in enumerate(_months(), start=1):
        for match in month.finditer(line):
            day = match["before"] or match["behind"]
            printed = _day(int(match["year"]), number, int(day) if day else None)
            (days if day else months).append(printed)
    return [each for each in (*days, *months) if each is not None]


def _years(title: str) -> list[PrintedDate]:
    return [PrintedDate(date(int(year), 1, 1), year) for year in _YEAR.findall(title)]


def _only(found: Iterable[PrintedDate]) -> PrintedDate | None:
    """The only date; None if there is none, or several differ."""
    unique = {each.written: each for each in found}
    return next(iter(unique.values())) if len(unique) == 1 else None


def _day(year: int, month: int, day: int | None) -> PrintedDate | None:
    """The date; None if no such day exists."""
    try:
        first = date(year, month, day or 1)
    except ValueError:
        return None
    return PrintedDate(first, f"{first:%Y-%m-%d}" if day else f"{first:%Y-%m}")


@cache
def _months() -> tuple[re.Pattern[str], ...]:
    """Patterns for a day in each month, or the month itself, in the words of every language."""
    names = zip(*(language.dates.months for language in every()), strict=True)
    return tuple(
        re.compile(
            rf"(?i)(?:(?<!\d)(?P<before>\d{{1,2}})(?:\.|st|nd|rd|th|er)?\s+(?:of\s+)?)?"
            rf"\b(?:{'|'.join(same)})\.?,?\s+"
            rf"(?:(?P<behind>\d{{1,2}})(?:st|nd|rd|th)?,\s+)?(?P<year>(?:19|20)\d{{2}})(?!\d)"
        )
        for same in names
    )
