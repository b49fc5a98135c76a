"""References to numbered units of statutes, as people write them: "§ 5 Abs. 2", "Section 11(4)(a)".

The ids are those of `core.domain.passages.Section`: `section:11`, `rule:3`, `art:6`, `par:5` (German `§ 5`),
and `regulation:4`, `recital:26`, `schedule:1`, `form:b`. Letters in a number are lower case: `art:16a`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.domain.passages import Provision, Section

NO_SECTION = "(no section)"
WITHIN = "@"
"""Separates the number and the chapter in an id if each chapter has its own numbering: "par:1@Teil B"."""

UNITS = ("section", "art", "par", "rule", "regulation", "clause", "number")
"""The units that laws number; the sign "§" may stand for each of them."""

_HEADS: tuple[tuple[str, str], ...] = (
    ("par", r"§§?"),
    ("section", r"[Ss]ections?|SECTIONS?|[Ss]ecs?\.?|ss?\.(?=\s?\d)|[Ss]ektion(?:en)?"),
    ("rule", r"[Rr]ules?|RULES?|[Rr]egeln?"),
    ("regulation", r"[Rr]egulations?|[Rr]egs?\."),
    ("art", r"[Aa]rticles?|ARTICLES?|[Aa]rtikeln?|[Aa]rtikels|ARTIKEL|[Aa]rts?\.|Arts?"),
    ("recital", r"[Rr]ecitals?|[Ee]rwägungsgr(?:und|ünden?)|ErwGr?\.?"),
    ("schedule", r"[Ss]chedules?|SCHEDULE|[Aa]nlagen?|[Aa]nhang"),
    ("form", r"Forms?|FORM|Formular"),
    ("number", r"Ziffern?|Ziff\.|[Bb]estimmung|[Kk]lausel"),
)
_GERMAN_HEADS: tuple[tuple[str, str], ...] = (("section", r"[Aa]bschnitte?n?"),)

_NUMBER = r"(?!(?:19|20)\d\d/\d)\d{1,4}(?:[A-Za-z]{1,2})?(?![\w.]{0,40}\d|\w)"
_PARTS = r"\d{1,4}(?:\.(?!(?:19|20)\d\d(?!\d))\d{1,4}){1,5}[a-z]?(?![\w.]{0,40}\d|\w)"
"""Matches a multi-part number: "5.2", but not a date."""
_CODE = r"[LRDA]\.?\s?\*{0,2}\s?\d{1,4}(?:-\d{1,4}){0,5}(?!\w|-\d)"
"""Matches the number of an article of a French code: "L. 121-1"."""
_HYPHENED = r"\d{1,4}(?:-\d{1,4}){1,5}(?!\w|[.-]\d)"
_COMPOSITE = re.compile(rf"{_CODE}|{_PARTS}")
_SINGULAR = re.compile(r"(?<!§)§\s*$|(?:[Aa]rticle|[Ss]ection|[Ss]ec\.|[Rr]ule|[Rr]egulation|[Aa]rt\.)\s*$")
_YEAR = re.compile(r"(?:19|20)\d\d(?!\w|\s?\(\d)")
_AMOUNT = re.compile(r"\s?(?:[%‰€$£₹]|(?:Euro|EUR|Prozent|percent|per\scent|dollars?|pounds?|rupees)\b)")
_ROMAN = r"[IVXL]{1,7}(?!\w)"
_LABEL = r"['\"‘“(]?(?:[A-Z]{1,2}|(?!(?:19|20)\d\d)\d{1,4}|[IVXL]{1,7})(?!\w)['\"’”)]?"
_LATIN = re.compile(
    r"(\d{1,4})(?:er|re)(?!\w)|(\d{1,4}\s?(?:bis|ter|quater|quinquies|sexies|septies|octies))(?!\w)"
)
_HYPHENED_PATTERN = re.compile(_HYPHENED)
_NUMBER_PATTERN = re.compile(_NUMBER)
_LABEL_PATTERN = re.compile(_LABEL)
_JOINT = re.compile(
    r"\s*(?:,|;|&|/|und|and|sowie|oder|or|bis|to|through|[-–—]|,\s*(?:und|and|oder|or))\s*"
    r"(?:§§?\s*|[Aa]rt(?:ikel|icle|\.)\s*|[Ss]ec(?:tion|\.)\s*|[Rr]ule\s*|[Rr]egulation\s*)?(?=\d)"
)
_RANGE = re.compile(r"\s*(?:bis|to|through|[-–—])\s*")
_BRACKET = re.compile(r"\s?\(\s?(\d{1,3}|[A-Za-z]{1,2}|[ivxlIVXL]{1,6})\s?\)")
_NAMED = re.compile(
    r",?\s*(?:(?P<level>Abs(?:atz|\.)?|[Pp]ara(?:graphe?|\.)?|[Aa]linéa|[Ss]ub-?section|[Ss]ub-?rule|[Nn](?:umme)?r\.?|Ziff(?:er|\.)|Z\.|[Nn]o\.|"
    r"[Bb]uchst(?:abe|\.)|[Ll]it(?:era|\.)?|[Pp]oint|[Cc]lause|[Ss]ub-?clause)"
    r"|(?P<sentence>S(?:atz|\.)|[Ss]entence)|(?P<half>(?:UAbs|Unterabs)(?:atz|\.)|Halbs(?:atz|\.)|Hs\.|Alt(?:ernative|\.)))"
    r"\s*\(?(?P<value>\d{1,3}[a-z]?|[ivxl]{1,6}|[A-Za-z]{1,2})\)?(?!\w)"
)
_PRONOUN = re.compile(r"\s+I(?:['’]|\s+(?!\w*[A-Z]\w*[A-Z])[^\W\d])")
_CONJUNCTIONS = re.compile(r"\b(?:und|and|sowie|oder|or|bis|to|through)\b")
_HIGH = 1000
_ENGLISH = frozenset({"section", "rule", "regulation"})
_ROMAN_PATH = re.compile(r"\s+(?P<roman>[IVX]{1,6})(?!\w)(?:\s+(?P<sentence>\d{1,2})(?!\w))?")
_FOLLOWING = re.compile(r"\s*ff?\.(?!\w)")
_INSTRUMENT = re.compile(
    r",?\s+(?:(?:of|in) the\s+|der\s+|des\s+|im\s+)?"
    r"(?P<name>(?!Abs|UAbs|Unterabs)(?=\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ])[A-ZÄÖÜ][A-Za-zÄÖÜäöü-]{1,9})(?!\w)"
)
_BEFORE = re.compile(
    r"(?:(?:[Ss]ub-?section|[Ss]ub-?rule|[Cc]lause|[Ss]ub-?clause|[Pp]oint|[Ii]tem|[Pp]aragraph|[Pp]ara\.?|Absatz|Abs\.|"
    r"Nummer|Nr\.|Buchstabe|Buchst\.|Satz)\s*\(?(?:\d{1,3}|[A-Za-z]{1,4})\)?\s+(?:of|des|der|von|in|im)\s+)+$"
)
_BEFORE_VALUE = re.compile(r"(\S+?)\s*\(?(\d{1,3}|[A-Za-z]{1,4})\)?\s+(?:of|des|der|von|in|im)\s")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50}
_MAX_RANGE = 20
_ENGLISH_WORDS = {"par": "§", "art": "Article", "number": "No."}
_GERMAN_WORDS = {
    "par": "§",
    "art": "Art.",
    "recital": "Erwägungsgrund",
    "schedule": "Anlage",
    "annex": "Anhang",
    "appendix": "Anhang",
    "form": "Formular",
    "question": "Frage",
    "number": "Ziffer",
}
_UNDIVIDED = frozenset({"schedule", "annex", "appendix", "form", "question"})
"""Units with an internal numbering of their own, which people cite as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionReference:
    """A reference in a text.

    `id` is the section's; `path` its sub-divisions as in `Section.path` (paragraph, number, letter);
    `sentence` the sentence ("Satz 1") if one is named; `instrument` the abbreviated statute named with it
    ("GG", "GDPR"); `start`/`end` its position in the text (not compared).
    """

    id: str
    path: tuple[str, ...] = ()
    sentence: int | None = None
    instrument: str | None = None
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def kind(self) -> str:
        """`section`, `rule`, `regulation`, `art`, `par`, `recital`, `schedule` or `form`."""
        return self.id.partition(":")[0]

    @property
    def number(self) -> str:
        """The part after the kind: `11`, `16a`."""
        return number_of(self.id)

    @property
    def chapter(self) -> str:
        """The chapter with its own numbering of sections; "" if there is none."""
        return self.id.partition(WITHIN)[2]


def ids_in_other_units(reference: SectionReference) -> list[str]:
    """The ids of `reference` if a law uses another name for its provisions: `rule:4` for "§ 4"."""
    return [f"{kind}:{reference.number}" for kind in UNITS if kind != reference.kind]


def number_of(section: str) -> str:
    """The number in a section's id: `11`, `16a`."""
    return section.partition(":")[2].partition(WITHIN)[0]


def section_id(kind: str, number: str) -> str:
    """The normalised id: `art`, `16A` -> `art:16a`. Roman numbers of schedules become Arabic."""
    number = number.strip("'\"‘’“”() ").replace(" ", "")
    if kind == "art":
        number = re.sub(r"^([LRDAlrda])\.?\*{0,2}(?=\d)", r"\1", number)
    if kind == "schedule" and re.fullmatch(_ROMAN, number):
        number = str(roman_value(number))
    return f"{kind}:{number.casefold()}"


def roman_value(numeral: str) -> int:
    """The value of a Roman numeral made of I, V, X and L."""
    digits = [_ROMAN_DIGITS[letter] for letter in numeral.casefold()]
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))


def article_value(number: str) -> int:
    """The value of an article's number in Roman numerals, or of "premier"."""
    return 1 if number.casefold() == "premier" else roman_value(number)


def parse_section_references(text: str, language: str) -> list[SectionReference]:
    """The references in `text`, in order. `language` ("de" or "en") decides words that exist in both
    languages."""
    pattern = _GERMAN_PATTERN if language == "de" else _PATTERN
    references: list[SectionReference] = []
    for match in pattern.finditer(text):
        if not references or match.start() >= references[-1].end:
            references.extend(_references_at(text, match, language))
    return references


def _head_pattern(heads: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    numbered = [(kind, words) for kind, words in heads if kind not in {"schedule", "form"}]
    labelled = [(kind, words) for kind, words in heads if kind in {"schedule", "form"}]
    alternatives = [
        f"(?P<{kind}{n}>{words})\\s*(?={_NUMBER}|{_PARTS}|{_CODE})"
        for n, (kind, words) in enumerate(numbered)
    ]
    alternatives += [f"(?P<{kind}{n}>{words})\\s+(?={_LABEL})" for n, (kind, words) in enumerate(labelled)]
    return re.compile(r"(?<![\w-])(?:" + "|".join(alternatives) + ")")


_PATTERN = _head_pattern(_HEADS)
_GERMAN_PATTERN = _head_pattern(_HEADS + _GERMAN_HEADS)


def _references_at(text: str, head: re.Match[str], language: str) -> Iterator[SectionReference]:
    """The reference after `head`, and those of a list: "§§ 5, 6 und 8"."""
    name = next(key for key, value in head.groupdict().items() if value)
    kind = name.rstrip("0123456789")
    before = _path_before(text, head.start())
    start = head.start() - (len(before[0]) if before else 0)
    if kind in {"schedule", "form"}:
        label = _LABEL_PATTERN.match(text, head.end())
        if label:
            yield SectionReference(id=section_id(kind, label[0]), start=start, end=label.end())
        return
    if kind in _ENGLISH and _YEAR.match(text, head.end()):  # "the Rules 2016"; § 2016 and Article 2016 exist
        return
    first = _one(text, kind, head.end(), start, language)
    if before and first:
        first = _with_path(first, first.path + before[1])
    if first:
        yield first
        yield from _list_members(text, kind, first, language)


def _list_members(
    text: str, kind: str, previous: SectionReference, language: str
) -> Iterator[SectionReference]:
    while joint := _JOINT.match(text, previous.end):
        member = _one(text, kind, joint.end(), joint.end(), language)
        if member is None or _is_no_member(text, joint, previous):
            return
        if _RANGE.match(joint[0]) and previous.number.isdigit() and member.number.isdigit():
            low, high = int(previous.number) + 1, int(member.number)
            for number in range(low, min(high, low + _MAX_RANGE)):
                yield SectionReference(
                    id=f"{kind}:{number}", instrument=member.instrument, start=joint.start(), end=member.end
                )
        yield member
        previous = member


def _is_no_member(text: str, joint: re.Match[str], previous: SectionReference) -> bool:
    """Whether the number after `joint` is an amount or a year: "Art. 5, 1949 beschlossen"."""
    number = _NUMBER_PATTERN.match(text, joint.end())
    if number is None or _AMOUNT.match(text, number.end()):
        return True
    says_so = any(map(str.isalpha, _CONJUNCTIONS.sub("", joint[0]))) or "§" in joint[0]
    is_high = int(re.sub(r"\D", "", previous.number) or 0) >= _HIGH
    return bool(_YEAR.match(text, joint.end())) and not says_so and not is_high


def _one(text: str, kind: str, at: int, start: int, language: str) -> SectionReference | None:
    """The reference whose number is at `at`."""
    number = _COMPOSITE.match(text, at) or _NUMBER_PATTERN.match(text, at)
    if language != "de" and _SINGULAR.search(text, max(0, at - 20), at):  # "§ 60-200"; "§§ 5-7" is a range
        number = _HYPHENED_PATTERN.match(text, at) or number
    if kind == "art" and language != "de":
        number = _LATIN.match(text, at) or number
    if number is None:
        return None
    may_be_pronoun = language != "de" or kind in _ENGLISH
    path, sentence, end = _path_after(text, number.end(), may_be_pronoun=may_be_pronoun)
    if following := _FOLLOWING.match(text, end):
        end = following.end()
    instrument = _INSTRUMENT.match(text, end)
    return SectionReference(
        id=section_id(kind, next(filter(None, number.groups()), number[0])),
        path=path,
        sentence=sentence,
        instrument=instrument["name"] if instrument else None,
        start=start,
        end=instrument.end() if instrument else end,
    )


def _path_after(text: str, at: int, *, may_be_pronoun: bool) -> tuple[tuple[str, ...], int | None, int]:
    """Sub-divisions written after the number, the sentence, and where they end."""
    path: list[str] = []
    sentence: int | None = None
    while True:
        if match := _BRACKET.match(text, at):
            path.append(match[1].casefold())
        elif match := _NAMED.match(text, at):
            if match["level"]:
                path.append(match["value"].casefold())
            elif match["sentence"] and match["value"].isdigit():
                sentence = int(match["value"])
        elif may_be_pronoun and _PRONOUN.match(text, at):
            return tuple(path), sentence, at
        elif not path and (match := _ROMAN_PATH.match(text, at)) and len(match["roman"]) < 5:
            path.append(str(roman_value(match["roman"])))
            sentence = int(match["sentence"]) if match["sentence"] else None
        else:
            return tuple(path), sentence, at
        at = match.end()


def _path_before(text: str, at: int) -> tuple[str, tuple[str, ...]] | None:
    """Sub-divisions written before the head ("clause (a) of sub-section (4) of"), outermost first."""
    match = _BEFORE.search(text[max(0, at - 120) : at])
    if match is None:
        return None
    values = [value for level, value in _BEFORE_VALUE.findall(match[0]) if level != "Satz"]
    return match[0], tuple(value.casefold() for value in reversed(values))


def _with_path(reference: SectionReference, path: tuple[str, ...]) -> SectionReference:
    return SectionReference(
        id=reference.id,
        path=path,
        sentence=reference.sentence,
        instrument=reference.instrument,
        start=reference.start,
        end=reference.end,
    )


def format_reference(reference: SectionReference, language: str) -> str:
    """The reference as written in `language`: "§ 5 Abs. 2 Satz 1 BGB", "Section 11(4)(a)".

    Sections and rules keep their English form in German text, paragraphs (`§`) their German one in English.
    """
    german = reference.kind == "par" or (language == "de" and reference.kind == "art")
    body = _german_path(reference) if german else _english_path(reference)
    text = f"{_head_word(reference.kind, language)} {_shown_number(reference)}{body}".strip()
    text = f"{reference.chapter}, {text}" if reference.chapter else text
    return f"{text} {reference.instrument}" if reference.instrument else text


def provision_name(section: Section, language: str) -> str:
    """A section, or the sub-division of it that its path names, as people cite it: "Art. 20 Abs. 4",
    "Section 19(4)", "Annex A"."""
    kind, _, number = section.id.partition(":")
    if kind in _UNDIVIDED:
        word = _GERMAN_WORDS.get(kind, kind.capitalize()) if language == "de" else kind.capitalize()
        return f"{word} {number.upper() if number.isalpha() else number}".strip()
    return format_reference(SectionReference(id=section.id, path=section.path), language)


def _shown_number(reference: SectionReference) -> str:
    if reference.kind in {"section", "rule", "regulation", "form"}:
        return reference.number.upper()
    if code := re.match(r"([lrda])(?=\d)", reference.number):
        return f"{code[1].upper()}. {reference.number[1:]}"
    return re.sub(r"(?<=\d)(?=(?:bis|ter|qu|se|oc))", " ", reference.number)


def _head_word(kind: str, language: str) -> str:
    words = _GERMAN_WORDS if language == "de" else _ENGLISH_WORDS
    return words.get(kind, kind.capitalize())


def _english_path(reference: SectionReference) -> str:
    path = "".join(f"({part.rstrip('.')})" for part in reference.path)
    return f"{path} sentence {reference.sentence}" if reference.sentence else path


def _german_path(reference: SectionReference) -> str:
    names = _german_levels(reference.path)
    parts = [f"{name} {value.rstrip('.')}" for name, value in zip(names, reference.path, strict=True)]
    if reference.sentence:
        parts.insert(1 if names[:1] == ["Abs."] else 0, f"Satz {reference.sentence}")
    return "".join(f" {part}" for part in parts)


def _german_levels(path: tuple[str, ...]) -> list[str]:
    levels: list[str] = []
    for value in path:
        if not value[0].isdigit():
            levels.append("Buchst.")
        else:
            levels.append("Nr." if levels or value.endswith(".") else "Abs.")
    return levels


def label(provision: Provision) -> str:
    """The name of a provision in the language of its document."""
    if provision.section is None:
        return NO_SECTION
    reference = SectionReference(id=provision.section, path=provision.path)
    return format_reference(reference, provision.edition.document.fields.language)
