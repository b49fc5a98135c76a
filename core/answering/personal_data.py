"""Personal data in messages: found by rules, withheld from models and from records.

Numbers count only if their checksum is right or they can be dialled; numbers written as amounts or after
"section", "Nr." and the like never do. Encoders on this machine see the question unchanged. Checksums:
python-stdnum; telephone numbers: phonenumbers (Google's libphonenumber).
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from stdnum import iban, luhn
from stdnum.de import idnr, stnr
from stdnum.in_ import aadhaar, pan

from core.language.patterns import pattern


class DatumKind(StrEnum):
    """The kind of a piece of personal data."""

    EMAIL = "email"
    LINK = "link"  # containing a name, a password or parameters, or pointing to somebody's profile
    HANDLE = "handle"  # of a person in a chat or a social network
    PHONE = "phone"
    IBAN = "iban"
    CARD = "card"  # credit or debit card
    TAX_ID = "tax_id"  # German Steuer-IdNr. or Steuernummer, Indian PAN
    INSURANCE = "insurance"  # number of the German pension insurance
    AADHAAR = "aadhaar"
    ADDRESS = "address"  # street and house number


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDatum:
    """Personal data in characters `start` to `end` of a text."""

    kind: DatumKind
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """Whether personal data in questions may be sent to models and kept in records."""

    to_models: bool = False
    in_records: bool = False

    def for_models(self, text: str) -> str:
        """`text` as a model may see it."""
        return text if self.to_models else redacted(text)

    def for_records(self, text: str) -> str:
        """`text` as it may be stored."""
        return text if self.in_records else redacted(text)


KEPT_BACK = Privacy()
"""The default: nothing personal is passed on or stored."""


def personal_data(text: str) -> tuple[PersonalDatum, ...]:
    """Personal data in `text`, in order, without overlaps; of two that overlap, the first finder's counts."""
    found: list[PersonalDatum] = []
    for datum in _candidates(text):
        at = bisect_left(found, datum.end, key=lambda other: other.start)
        if at == 0 or found[at - 1].end <= datum.start:
            found.insert(at, datum)
    return tuple(found)


def warm_up() -> None:
    """Load what the first text with a telephone number needs."""
    personal_data("+49 30 1234567")


def redacted(text: str) -> str:
    """`text` with `[email]`, `[phone]` and so on in place of personal data."""
    parts, at = [], 0
    for datum in personal_data(text):
        parts += [text[at : datum.start], f"[{datum.kind.value}]"]
        at = datum.end
    return "".join([*parts, text[at:]])


_AT = r"(?:@|\s?[(\[](?:{personal.at})[)\]]\s?)"
_DOT = r"(?:\.|\s?[(\[](?:{personal.dot})[)\]]\s?)"
_EMAIL = rf"(?<![\w@.+%'-])[\w.+%'-]{{1,64}}{_AT}[\w-]+(?:{_DOT}[\w-]+)+"
_PROFILES = r"(?:facebook|instagram|linkedin|tiktok|twitter|x|threads|github|xing)\.com|t\.me|wa\.me"
_LINK = (
    r"\b[a-z][a-z0-9+.-]{1,20}://(?:[^\s/?#]*@\S+|[^\s?#]{0,1000}[?#]\S+)"
    rf"|\b(?:https?://)?(?:www\.)?(?:{_PROFILES})/[\w.@/+-]+"
)
_HANDLE = r"<@[\w|.-]+>|(?<![\w@./])@[a-z_][\w.-]*\w(?::[\w.-]+\w)?"
_INSURANCE = r"(?<!\w)\d{2}\s?\d{6}\s?[A-Z]\s?\d{3}(?!\w)"
_IBAN = r"(?<!\w)[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]){11,30}"
_CARD = r"(?<![\w.,])(?:[2-6]\d{13,18}|[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{5})(?!\w)"
_AADHAAR = r"(?<![\w.,])[2-9]\d{3}([ -]?)\d{4}\1\d{4}(?!\w)"
_PAN = r"(?<!\w)[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?!\w)"
_TAX_ID = r"(?<![\w.,])[1-9]\d{10}(?!\w)"
_SPACED_TAX_ID = r"(?<![\w.,])[1-9]\d \d{3} \d{3} \d{3}(?!\w)"
_TAX_NUMBER = r"(?<![\w.,])\d{2,3}/\d{3,4}/\d{4,5}(?!\w)"
_ADDRESS = (
    r"(?<!\w)(?:[A-ZÄÖÜ][\w-]{0,40} ){0,2}[A-ZÄÖÜ][\w-]{0,40}"
    r"(?:{personal.street_endings}) \d{1,3} ?[a-z]?"
    r"(?![\w%])"
)
_POSTCODE = r"(?:,? (?:D-)?\d{5} [A-ZÄÖÜ][\w-]+)"
_NUMBER_FIRST_ADDRESS = r"(?<!\w)\d{1,4}[a-zA-Z]?,? (?:[A-Z][\w'-]+ ){1,3}(?:{personal.streets})\b\.?"
_STREET_FIRST_ADDRESS = (
    r"(?<!\w)\d{1,4}(?: ?[a-z]{1,3})?,? (?:{personal.streets_in_front})"
    r" (?:[\w'’-]{1,40} ){0,4}[A-ZÀ-Ý][\w'’-]+"
)
_LIVES = pattern(r"\b(?:{personal.lives})\b[^.?!]{0,40}$", re.IGNORECASE)
_TAXED = pattern(r"(?:{personal.taxed})[^?!]{0,40}$", re.IGNORECASE)
_COUNTED_BEFORE = pattern(r"(?:[€$£₹§]|\b(?:{personal.counted_before})\b)[.:]?\s*$", re.IGNORECASE)
_COUNTED_AFTER = pattern(r"\s*(?:[€$£₹%]|(?:{personal.counted_after})\b)", re.IGNORECASE)
_ASKED_FOR = pattern(r"\b(?:{personal.asked_for})\b[^?!]{0,25}$", re.IGNORECASE)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[., ']\d{3})+|[1-9]\d?(?:[., ]\d{2})+[., ]\d{3}")
_DATE = re.compile(r"\d{1,2}([./-] ?)\d{1,2}\1\d{2,4}(?!\d)|\d{4}-\d\d-\d\d(?!\d)")
_DATE_LENGTH = 12
"""Characters of the longest date: an apparent number may be its end."""
_REGIONS = ("DE", "IN", "AT", "CH", "GB")
"""Regions to which a number without a country code may belong, in the order tried."""
_DIALLABLE = re.compile(r"\d(?:[^\w,]{0,4}\d){6}")
"""Seven consecutive digits, with any separators except commas."""
_CONTEXT = 120
"""Characters before a number that may say what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """A pattern for `kind`; a match counts only if `holds` accepts it."""

    kind: DatumKind
    pattern: Callable[[], re.Pattern[str]]
    holds: Callable[[re.Match[str]], bool]


def _always(_: re.Match[str]) -> bool:
    return True


def _uncounted(match: re.Match[str]) -> bool:
    """Whether it is neither an amount nor the number of a provision or document, unless the preceding words
    ask for a number."""
    if _COUNTED_AFTER().match(match.string, match.end()):
        return False
    return not _stands_before(_COUNTED_BEFORE, match) or _stands_before(_ASKED_FOR, match)


def _stands_before(context: Callable[[], re.Pattern[str]], match: re.Match[str]) -> bool:
    """Whether the words before a match show that."""
    return bool(context().search(match.string, max(0, match.start() - _CONTEXT), match.start()))


def _with_checksum(valid: Callable[[str], bool]) -> Callable[[re.Match[str]], bool]:
    return lambda match: _uncounted(match) and valid(re.sub(r"[ -]", "", match[0]))


def _after_context(
    context: Callable[[], re.Pattern[str]], valid: Callable[[str], bool]
) -> Callable[[re.Match[str]], bool]:
    return lambda match: _stands_before(context, match) and valid(match[0])


def insurance_number(text: str) -> bool:
    """Whether `text` (12 characters) is a number of the German pension insurance with the right check
    digit: § 4 VKVV, letter as two digits, weights 2 1 2 5 7 1 2 1 2 1 2 1, cross sums, modulo 10."""
    letter = f"{ord(text[8]) - ord('A') + 1:02}"
    digits = [int(digit) for digit in text[:8] + letter + text[9:11]]
    weighted = (d * w for d, w in zip(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True))
    return sum(value // 10 + value % 10 for value in weighted) % 10 == int(text[11])


def _rule(
    kind: DatumKind, shape: str, holds: Callable[[re.Match[str]], bool], flags: re.RegexFlag = re.NOFLAG
) -> _Rule:
    return _Rule(kind=kind, pattern=pattern(shape, flags), holds=holds)


_RULES = (
    _rule(DatumKind.LINK, _LINK, _always, re.IGNORECASE),
    _rule(DatumKind.EMAIL, _EMAIL, _always, re.IGNORECASE),
    _rule(DatumKind.HANDLE, _HANDLE, _always, re.IGNORECASE),
    _rule(DatumKind.INSURANCE, _INSURANCE, _with_checksum(insurance_number)),
    _rule(DatumKind.CARD, _CARD, _with_checksum(luhn.is_valid)),
    _rule(DatumKind.AADHAAR, _AADHAAR, _with_checksum(aadhaar.is_valid)),
    _rule(DatumKind.TAX_ID, _PAN, _with_checksum(pan.is_valid)),
    _rule(DatumKind.TAX_ID, _TAX_ID, _with_checksum(idnr.is_valid)),
    _rule(DatumKind.TAX_ID, _SPACED_TAX_ID, _after_context(_TAXED, idnr.is_valid)),
    _rule(DatumKind.TAX_ID, _TAX_NUMBER, _after_context(_TAXED, stnr.is_valid)),
    _rule(DatumKind.ADDRESS, _ADDRESS + _POSTCODE, _always),
    _rule(DatumKind.ADDRESS, _ADDRESS, _after_context(_LIVES, bool)),
    _rule(DatumKind.ADDRESS, _NUMBER_FIRST_ADDRESS, _after_context(_LIVES, bool)),
    _rule(DatumKind.ADDRESS, _STREET_FIRST_ADDRESS, _after_context(_LIVES, bool)),
)


def _candidates(text: str) -> Iterator[PersonalDatum]:
    """The results of each finder, most reliable finder first."""
    yield from _ibans(text)
    for rule in _RULES:
        for match in rule.pattern().finditer(text):
            if rule.holds(match):
                yield PersonalDatum(kind=rule.kind, start=match.start(), end=match.end())
    yield from _phones(text)


def _ibans(text: str) -> Iterator[PersonalDatum]:
    """Account numbers; capitalised words after one are not part of it."""
    for match in re.finditer(_IBAN, text):
        for end in range(match.end(), match.start() + 14, -1):
            if iban.is_valid(text[match.start() : end]) and not text[end : end + 1].isalnum():
                yield PersonalDatum(kind=DatumKind.IBAN, start=match.start(), end=end)
                break


def _phones(text: str) -> Iterator[PersonalDatum]:
    """Numbers that can be dialled, with a country code or in national format."""
    if not _DIALLABLE.search(text):
        return
    from phonenumbers import Leniency, PhoneNumberMatcher  # takes 0.1 s, and few questions need it

    for region in _REGIONS:
        for found in PhoneNumberMatcher(text, region, leniency=Leniency.VALID):
            match = re.compile(re.escape(found.raw_string)).match(text, found.start)
            if match and _dialled(match):
                yield PersonalDatum(kind=DatumKind.PHONE, start=found.start, end=found.end)


def _dialled(match: re.Match[str]) -> bool:
    """Whether it is not a sum, a date or the number of a provision, judging by its form and the surrounding
    words."""
    if match[0].startswith(("+", "00")):
        return True
    return not (_THOUSANDS.fullmatch(match[0]) or _in_date(match)) and _uncounted(match)


def _in_date(match: re.Match[str]) -> bool:
    """Whether a match begins with a date, or is the end of one ("01.01.1699")."""
    if _DATE.match(match[0]):
        return True
    before = max(0, match.start() - _DATE_LENGTH)
    return any(date.end() == match.end() for date in _DATE.finditer(match.string, before, match.end()))
