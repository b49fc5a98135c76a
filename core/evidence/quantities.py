"""Quantities and dates in a text by their value, however written: "zehn Prozent" is "10 %"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from core.evidence.guards import WordLists, word_lists
from core.evidence.skeleton import skeleton

_NUMBER = re.compile(
    r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?(?![.,'’]?\d)|\d+(?:[.,'’]\d+)*|[½⅓⅔¼¾]"
)
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_NUMBER = 300
_TOKEN = re.compile(rf"{_NUMBER.pattern}|{_WORD.pattern}|[%‰$€£₹¥]")
_VULGAR = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
}
_COMPOUND_ENDING = re.compile(
    r"(?:e?[nrsm]?|s?te[nrsm]?|jährig\w*|monatig\w*|tägig\w*|stündig\w*|fach\w*|mal|malig\w*|prozentig\w*)"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written, the values it may mean ("1.500": 1500 or 1.5), its unit (%, pp for percentage
    points, €, $, £, ₹ or "") and its position in the text."""

    text: str
    values: frozenset[Fraction]
    unit: str = ""
    span: tuple[int, int] = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Date:
    """A date as written; unspecified parts are 0."""

    text: str
    day: int
    month: int
    year: int

    def stated_by(self, other: "Date") -> bool:
        """Whether `other` says everything this date says."""
        mine, theirs = (self.day, self.month, self.year), (other.day, other.month, other.year)
        return all(part in (0, stated) for part, stated in zip(mine, theirs, strict=True))


def dates(text: str) -> list[Date]:
    """Dates in figures (1.2.2025, 2025-02-01) and with a month's name (1. Februar 2025, May 1, 2025)."""
    return [date for date, _ in dated(text)]


def dated(text: str) -> Iterator[tuple[Date, re.Match[str]]]:
    """The dates of `text`, each with where it stands."""
    months = word_lists().months
    for match in _date_pattern().finditer(text):
        part = {name: value for name, value in match.groupdict().items() if value}

        def number(*names: str, part: dict[str, str] = part) -> int:
            return next((int(part[name]) for name in names if name in part), 0)

        named = next((part[name] for name in ("de", "en", "alone") if name in part), None)
        if named and _is_word(named, match):
            continue
        month = months[skeleton(named)] if named else number("m1", "m2")
        day, year = number("d1", "d2", "d3", "d4"), number("y1", "y2", "y3", "y4", "y5")
        if month <= _MONTHS and day <= _DAYS:
            yield Date(match.group(), day, month, year), match


_MONTHS, _DAYS = 12, 31
_WORDS_TOO = frozenset({"may", "march", "august", "mar", "sept"})
"""Months that are other words in lower case: "section 19 may"."""
_PROVISION = re.compile(
    r"(?:§§?|\b(?:(?:sub-?)?(?:section|rule|clause|paragraph)|article|regulation|schedule|chapter|part|item|point"
    r"|number|annex|form|page|table|step|artikel|ziffer|nummer|absatz|abschnitt|sec|art|para|reg|abs|nr|no|s)s?\b\.?)"
    r"\s*(?:\d{1,4}[a-z]?(?:\(\w{1,4}\))*\s*(?:,|and|or|to|und|oder|bis|[-–])\s*){0,20}$",
    re.IGNORECASE,
)
_LOOKED_BACK = 120


def _is_word(month: str, match: re.Match[str]) -> bool:
    """Whether a possible month is an ordinary word of the sentence, as "may" often is."""
    written = match.groupdict()
    if written["y3"] or written["y4"] or written["alone"] or not (written["d3"] or written["d4"]):
        return False
    if written["d3"] and _PROVISION.search(
        match.string[max(0, match.start() - _LOOKED_BACK) : match.start()]
    ):
        return True
    return month in _WORDS_TOO and not written["ordinal"] and not written["ordinal2"]


def _date_pattern() -> re.Pattern[str]:
    names = "|".join(sorted(word_lists().months, key=len, reverse=True))
    return re.compile(
        rf"\b(?P<d1>\d{{1,2}})\.\s?(?P<m1>\d{{1,2}})\.\s?(?P<y1>\d{{4}})\b"
        rf"|\b(?P<y2>\d{{4}})-(?P<m2>\d{{2}})-(?P<d2>\d{{2}})\b"
        rf"|\b(?P<d3>\d{{1,2}})(?P<ordinal>\.|st|nd|rd|th|er)?\s+(?:of\s+|day\s+of\s+)?(?P<de>{names})\b,?(?:\s+(?P<y3>\d{{4}})\b)?"
        rf"|\b(?P<en>{names})\s+(?P<d4>\d{{1,2}})(?P<ordinal2>st|nd|rd|th)?\b(?:,?\s+(?P<y4>\d{{4}})\b)?"
        rf"|\b(?P<alone>{names})\s+(?P<y5>\d{{4}})\b",
        re.IGNORECASE,
    )


def quantities(text: str, language: str | None = None) -> list[Quantity]:
    """Numbers outside dates, in figures and words, multiplied by their scale, in order.

    `language` decides what "1.500" means; None allows both readings. "ein", "a" and "one" as articles don't
    count as numbers.
    """
    for _, match in dated(text):
        text = text[: match.start()] + " " * len(match.group()) + text[match.end() :]
    tokens = list(_TOKEN.finditer(text))
    lists = word_lists()
    found: list[Quantity] = []
    i = 0
    while i < len(tokens):
        values, used = _number_at(tokens, i, lists, language)
        if used:
            unit, used_by_unit = _unit(tokens, i, i + used, lists)
            used += used_by_unit
            last = tokens[i + used - 1]
            span = (tokens[i].start(), last.end())
            found.append(Quantity(text[slice(*span)], values, unit, span))
        i += max(used, 1)
    return found


def _number_at(
    tokens: list[re.Match[str]], i: int, lists: WordLists, language: str | None
) -> tuple[frozenset[Fraction], int]:
    """Values of the number that begins at token `i`, and its length in tokens (0: no number)."""
    first = tokens[i].group()
    if not _NUMBER.fullmatch(first):
        value, used = _spelled(_run(tokens, i, lists), lists, is_french=_is_french(tokens, i, language))
        return frozenset({value}), used
    values, used = _figure_values(first, language), 1
    if _MILLIONS.match(tokens[i].string, tokens[i].end()) and i and tokens[i - 1].group() in _CURRENCIES:
        return frozenset(value * 10**6 for value in values), 2
    while (
        i + used < len(tokens)
        and (scale := lists.scales.get(skeleton(tokens[i + used].group())))
        and (_gap(tokens, i + used).isspace() or tokens[i + used].group() in _ABBREVIATED)
    ):
        values = frozenset(value * scale for value in values)
        used += 1
    return values, used


_ABBREVIATED = frozenset({"bn", "mn"})
_CURRENCIES = frozenset("$€£₹¥")
_MILLIONS = re.compile(r"m(?!\w)")
"""Behind an amount of money: "£2m"."""


def _gap(tokens: list[re.Match[str]], i: int) -> str:
    """The text between token `i` and the previous one."""
    return tokens[i].string[tokens[i - 1].end() : tokens[i].start()]


def _run(tokens: list[re.Match[str]], i: int, lists: WordLists) -> list[str]:
    """Skeletons of the words from token `i` on that only spaces and hyphens separate; "one thousand, two
    hundred" has a comma."""
    words = [skeleton(tokens[i].group())]
    for at in range(i + 1, min(i + _LONGEST, len(tokens))):
        gap = _gap(tokens, at)
        large = gap.strip() == "," and lists.scales.get(words[-1], 0) >= _THOUSAND
        if not (_JOINED.fullmatch(gap) or large):
            break
        word = skeleton(tokens[at].group())
        words.append(word if gap.isspace() else _ORDINALS.get(word, word))
    return words


_LONGEST = 16
"""Maximum words in a spelled-out number."""
_JOINED = re.compile(r"\s+|[-‐‑\u00ad]\s?")
_THOUSAND = 1000
_FRENCH = frozenset(
    {
        "le",
        "la",
        "les",
        "est",
        "et",
        "dans",
        "une",
        "aux",
        "sont",
        "avec",
        "qui",
        "ne",
        "pas",
        "il",
        "elle",
        "nous",
    }
)


def _is_french(tokens: list[re.Match[str]], i: int, language: str | None) -> bool:
    """Whether "cent" and "sept" at token `i` are French: in a French text, or if all words belong to a
    number; never in "5 cent" or "per cent"."""
    if i and (_NUMBER.fullmatch(tokens[i - 1].group()) or skeleton(tokens[i - 1].group()) == "per"):
        return False
    if language is not None:
        return language == "fr"
    words = {skeleton(token.group()) for token in tokens}
    return bool(words & _FRENCH) or words <= _FRENCH_VOCABULARY


def _spelled(words: Sequence[str], lists: WordLists, *, is_french: bool) -> tuple[Fraction, int]:
    """Value and length in words of the spelled-out number at the beginning; (0, 0) if there is none.

    "two hundred and fifty thousand": values under 1000 accumulate until a larger scale multiplies them.
    """
    whole, length = _french_number(words)
    if length and (is_french or not _is_ambiguous(words[:length])):
        return Fraction(whole), length
    total, current, used = Fraction(0), Fraction(0), 0
    for i, word in enumerate(words):
        value, scale = _word_value(word, lists, current, total), lists.scales.get(word)
        if value is not None:
            if not _joins(current, value):
                break
            current += value
        elif scale is None:
            if used == i and ((word in ("and", "und") and current >= 100) or (word == "and" and total)):
                continue
            break
        elif 1 < scale <= 100:
            current = max(current, Fraction(1)) * scale
        else:
            total, current = total + max(current, Fraction(1)) * scale, Fraction(0)
        used = i + 1
    return total + current, used


def _word_value(word: str, lists: WordLists, current: Fraction, total: Fraction) -> int | None:
    """Value of a word that continues a number: an article counts after others ("hundred and one")."""
    if word in lists.values and (_tens(current) or (word in _ONES and (current or total))):
        return lists.values[word]
    return number_word(word, lists)


_ONES = frozenset({"one", "eins"})
_ORDINALS = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fourth": "four",
    "fifth": "five",
    "sixth": "six",
    "seventh": "seven",
    "eighth": "eight",
    "ninth": "nine",
}
"""Endings of an ordinal after a hyphen: "twenty-third" is 23, not a third of 20."""


def _tens(current: Fraction) -> bool:
    return 20 <= current % 100 <= 90 and current % 10 == 0


def _joins(current: Fraction, value: int) -> bool:
    """Whether `value` continues the number so far: units after tens, less than 100 after hundreds."""
    if _tens(current):
        return value < 10
    return current == 0 or (current % 100 == 0 and value < 100)


def number_word(word: str, lists: WordLists) -> int | None:
    """Value of a number word given as a skeleton; German compounds are split ("zweihundertfünfzig")."""
    if word in _ARTICLES:
        return None
    if word in lists.values:
        return lists.values[word]
    if word in lists.scales:
        return None
    if word.endswith(_TEENTH) and word.removesuffix("th") in lists.values:
        return lists.values[word.removesuffix("th")]
    return _compound(word)


_ARTICLES = frozenset({"ein", "eins", "eine", "einen", "einem", "einer", "eines", "one", "a", "an"})
_TEENTH = "teenth"
_STEMS = {"ein": 1, "sech": 6, "sieb": 7}


_PLAIN = "einfach"
"""Simple, not single."""


def _compound(word: str) -> int | None:
    """A German number in one word, with an ending such as -jährig, or None."""
    if word.startswith(_PLAIN):
        return None
    parts = word_lists("de").values | _STEMS | {"hundert": 100, "tausend": 1000}
    total, current, at, pieces = 0, 0, 0, 0
    while at < len(word):
        piece = next((p for p in sorted(parts, key=len, reverse=True) if word.startswith(p, at)), None)
        if piece is None:
            if word.startswith("und", at) and pieces:
                at += 3
                continue
            break
        value = parts[piece]
        if value == 1000:
            total, current = total + max(current, 1) * 1000, 0
        else:
            current = max(current, 1) * 100 if value == 100 else current + value
        at += len(piece)
        pieces += 1
    ending = _COMPOUND_ENDING.fullmatch(word, at)
    enough = pieces > 1 or (pieces == 1 and at < len(word) and len(word) - at > 2)
    return total + current if enough and ending else None


def _figure_values(text: str, language: str | None) -> frozenset[Fraction]:
    """The values that a number in figures may have."""
    if text in _VULGAR:
        return frozenset({_VULGAR[text]})
    if (
        len(text) > _LONGEST_NUMBER
    ):  # it stands for itself: evaluating it takes forever, and nobody calculates with it
        return frozenset({_itself(text)})
    plain, grouped = re.subn(r"['’ \u00a0\u2009\u202f]", "", text)
    conventions = {"de": (".", ","), "en": (",", ".")}
    if grouped:  # the one remaining sign separates the fraction
        plain = plain.replace(",", ".")
        conventions = {"en": (",", ".")}
    readings = {
        name: reading
        for name, (thousands, decimal) in conventions.items()
        if (reading := _reading(plain, thousands, decimal)) is not None
    }
    if language in readings:
        return frozenset({readings[language]})
    return frozenset(readings.values()) or frozenset({_itself(text)})


def _itself(text: str) -> Fraction:
    """The value of something that no convention reads as a number, such as "2.1.3": it equals only itself."""
    return Fraction(int.from_bytes(text.encode(), "big"))


def _reading(text: str, thousands: str, decimal: str) -> Fraction | None:
    whole, _, fraction = text.partition(decimal)
    if not (fraction.isdecimal() or fraction == "") or text.count(decimal) > 1:
        return None
    groups = whole.split(thousands)
    if not all(g.isdecimal() for g in groups) or any(len(g) not in (2, 3) for g in groups[1:]):
        return None
    if len(groups) > 1 and (len(groups[-1]) != 3 or len(groups[0]) > 3 or groups[0].startswith("0")):
        return None
    return Fraction(f"{''.join(groups)}.{fraction or '0'}")


def _unit(tokens: list[re.Match[str]], first: int, end: int, lists: WordLists) -> tuple[str, int]:
    """The unit after or before a number, and how many of the following tokens belong to it."""
    after = [skeleton(t.group()) or t.group() for t in tokens[end : end + 2]]
    if len(after) == 2 and "".join(after) in lists.units:  # "percentage points" before "percentage"
        return lists.units["".join(after)], 2
    if after and (unit := _as_unit(after[0], lists)):
        return unit, 1
    before = (skeleton(tokens[first - 1].group()) or tokens[first - 1].group()) if first else ""
    return (_as_unit(before, lists) if before not in ("%", "‰") else ""), 0


def _as_unit(word: str, lists: WordLists) -> str:
    return word if word in "%‰$€£₹¥" else lists.units.get(word, "")


# French numbers in words, of France, Belgium and Switzerland: "soixante-dix", "septante", "nonante-neuf".

_FRENCH_WORDS = "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
_FRENCH_UNITS = {word: value for value, word in enumerate(_FRENCH_WORDS.split(), start=1)} | {"une": 1}
_FRENCH_TENS = {
    "vingt": 20,
    "trente": 30,
    "quarante": 40,
    "cinquante": 50,
    "soixante": 60,
    "septante": 70,
    "huitante": 80,
    "octante": 80,
    "nonante": 90,
}
_HUNDRED = frozenset({"cent", "cents"})
_SCALES = {"mille": 1000, "million": 10**6, "millions": 10**6, "milliard": 10**9, "milliards": 10**9}
_ALONE = frozenset({"un", "une", "six", "sept", "cent", "cents", *_SCALES})
_TOGETHER = frozenset({"six", "cent", "cents"})
"""Words that also belong to other languages, alone and combined."""
_FRENCH_VOCABULARY = frozenset({*_FRENCH_UNITS, *_FRENCH_TENS, *_HUNDRED, *_SCALES, "zéro", "et", "vingts"})
_ORDINAL = re.compile(r"(.{2,}?)i[eè]mes?")
_FRENCH_STEMS = {"quatr": "quatre", "cinqu": "cinq", "neuv": "neuf", "mill": "mille"} | {
    word[:-1]: word for word in (*_FRENCH_UNITS, *_FRENCH_TENS) if word.endswith("e") and word != "une"
}


def _french_number(words: Sequence[str]) -> tuple[int, int]:
    """Value and length in words of the number at the beginning of `words` (lower case); (0, 0) if there is
    none. An ordinal at the end counts as its number ("soixante-dixième"); "un" and "une" alone are
    articles."""
    words = [_cardinal(word) if at else word for at, word in enumerate(words)]
    if words[:1] == ["zéro"]:
        return 0, 1
    total, at = 0, 0
    largest = 10**12
    while at < len(words):
        value, used = _below_thousand(words, at)
        scale = _SCALES.get(words[at + used]) if at + used < len(words) else None
        if scale is None or scale >= largest:
            total, at = total + value, at + used
            break
        total, at, largest = total + max(value, 1) * scale, at + used + 1, scale
    return (0, 0) if words[:at] in (["un"], ["une"]) else (total, at)


def _is_ambiguous(words: Sequence[str]) -> bool:
    """Whether no word of a number is exclusively French: "six cents" may be a price in English."""
    return _TOGETHER.issuperset(words) or (len(words) == 1 and words[0] in _ALONE)


def _cardinal(word: str) -> str:
    found = _ORDINAL.fullmatch(word)
    return _FRENCH_STEMS.get(found[1], found[1]) if found else word


def _below_thousand(words: Sequence[str], at: int) -> tuple[int, int]:
    value, used = _below_hundred(words, at)
    if value < 10 and _word(words, at + used) in _HUNDRED and value != 1:
        rest, more = _below_hundred(words, at + used + 1)
        return max(value, 1) * 100 + rest, used + 1 + more
    return value, used


def _below_hundred(words: Sequence[str], at: int) -> tuple[int, int]:
    first, second = _word(words, at), _word(words, at + 1)
    if first == "quatre" and second in ("vingt", "vingts"):
        rest, used = _below_twenty(words, at + 2)
        return 80 + rest, 2 + used
    if first in _FRENCH_TENS:
        joint = 2 if second == "et" and _word(words, at + 2) in ("un", "une", "onze") else 1
        rest, used = _below_twenty(words, at + joint)
        if rest >= 10 and first not in ("soixante",):
            rest, used = 0, 0
        return (_FRENCH_TENS[first] + rest, joint + used) if used else (_FRENCH_TENS[first], 1)
    return _below_twenty(words, at)


def _below_twenty(words: Sequence[str], at: int) -> tuple[int, int]:
    value, following = _FRENCH_UNITS.get(_word(words, at), 0), _FRENCH_UNITS.get(_word(words, at + 1), 0)
    if value == 10 and 7 <= following <= 9:
        return 10 + following, 2
    return value, 1 if value else 0


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""
