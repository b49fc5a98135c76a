"""Raised and lowered digits: exponents are part of a number or unit, footnote marks never are.

Raised digits are an exponent after a power's base (10⁶, 2³², 4²=16), a unit (m², s⁻¹), a variable (x²) and
inside a word (H²O); anywhere else they are a footnote mark. Only the adjacent characters decide, so words can
be processed one by one.
"""

import re
import unicodedata

RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RUN = rf"[⁺⁻]?[{RAISED_DIGITS}]+"
_LETTER = rf"[^\W\d_{RAISED_DIGITS}]"
_POWER = re.compile(
    rf"(?<![\d.,])10(?P<ten>{_RUN})|(?<![\d.,])2(?P<two>[{RAISED_DIGITS}]{{2,}})"
    rf"|(?<=\d)(?P<negative>⁻[{RAISED_DIGITS}]+)|(?<=\d)(?P<calculated>{_RUN})(?=[=·×])"
)
_OF_UNIT = re.compile(
    rf"(?<!{_LETTER})(?:(?:[fpnµμmcdhk]?m|s|ft|yd)(?P<unit>⁻[{RAISED_DIGITS}]+|[²³])|CO(?P<gas>²)"
    rf"|[xyzn](?P<variable>{_RUN}))|(?<={_LETTER})(?P<inner>[{RAISED_DIGITS}]+)(?={_LETTER})",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    rf"(?P<before>\d?)(?<![{RAISED_DIGITS}])(?P<top>[{RAISED_DIGITS}]+)[/⁄∕](?P<below>[₀-₉\d]+)"
)
_LETTER_MARK = re.compile(rf"(?<={_LETTER}{{3}})[ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ](?!\w)")
_SPECIAL = re.compile("[\u00b2\u00b3\u00b9\u1d43-\u1dbf\u2070-\u2089]")
_MARKS = re.compile(rf"[{RAISED_DIGITS}]+")
_LAST_MARKS = re.compile(
    rf"[⁽(]?[{RAISED_DIGITS}]+(?:[,;/–-][{RAISED_DIGITS}]+)*[⁾)]?[.,;:!?)\]»«“”\"'’‘…]*$"
)
_LONGEST_MARKS = 64
"""Maximum characters at a word's end that are searched for marks."""
_RAISE_DIGITS = str.maketrans("0123456789", RAISED_DIGITS)
_RAISE = str.maketrans("0123456789+-−–", RAISED_DIGITS + "⁺⁻⁻⁻")
_LOWERED_DIGITS = {0x2080 + digit: str(digit) for digit in range(10)}
_LOWER = {ord(sign): unicodedata.normalize("NFKC", sign) for sign in RAISED_DIGITS + "⁺"} | {0x207B: "-"}


def raised(text: str) -> str:
    """Digits and signs of `text` as superscript characters."""
    return text.translate(_RAISE)


def with_marks(text: str, note_chars: int) -> str:
    """A page's word as it looks: the digits among its last `note_chars` characters raised."""
    if not note_chars:
        return text
    cut = len(text) - note_chars
    return text[:cut] + text[cut:].translate(_RAISE_DIGITS)


def plain(text: str, of_units: str = "") -> str:
    """`text` with its exponents, lowered digits and fractions in plain characters ("m2", "10^6", "CO2",
    "1/2"); any remaining raised digits are footnote marks. Letters used as footnote marks are removed.
    `of_units` is inserted before the exponents of units and variables."""
    if text.isascii() or not _SPECIAL.search(text):
        return text
    text = _FRACTION.sub(_fraction, text).translate(_LOWERED_DIGITS)
    text = _POWER.sub(lambda match: _lowered(match, "^"), text)
    text = _OF_UNIT.sub(lambda match: _lowered(match, of_units), text)
    return _LETTER_MARK.sub("", text)


def _fraction(match: re.Match[str]) -> str:
    between = " " if match["before"] else ""
    below = match["below"].translate(_LOWERED_DIGITS)
    return f"{match['before']}{between}{match['top'].translate(_LOWER)}/{below}"


def _lowered(match: re.Match[str], sign: str) -> str:
    group = match.lastgroup or ""
    start = match.start(group) - match.start()
    return match[0][:start] + sign + match[group].translate(_LOWER)


def note_chars(text: str) -> int:
    """How many of a word's last characters are footnote marks and the punctuation after them."""
    if text.isascii():
        return 0
    last = plain(text)[-_LONGEST_MARKS:]
    match = _LAST_MARKS.search(last)
    return len(last) - match.start() if match else 0


def copied(text: str) -> str:
    """A word (`with_marks`) as it is copied from a PDF reader: footnote marks after a word become plain
    digits ("Euro3"). After anything a digit could belong to ("2030³", "3a²", "20 %²") they stay marks."""
    text = plain(text)
    cut = len(text) - note_chars(text)
    before = text[:cut]
    if any(map(str.isnumeric, before)) or not any(map(str.isalpha, before)):
        return text
    return before + text[cut:].translate(_LOWER)


def has_raised(text: str) -> bool:
    """Whether `text` contains raised or lowered characters."""
    return not text.isascii() and bool(_SPECIAL.search(text))


def marks_of(text: str) -> list[tuple[str, str]]:
    """Each footnote mark of `text`, with the text between it and the previous one."""
    text = plain(text)
    found, at = [], 0
    for match in _MARKS.finditer(text):
        found.append((text[at : match.start()], match[0]))
        at = match.end()
    return found
