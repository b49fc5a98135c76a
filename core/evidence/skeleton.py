"""The skeleton of a text: what remains if case, punctuation, spacing and typography are ignored."""

import re
import unicodedata
from functools import lru_cache

from core.domain.pages import Word

# Raised and lowered digits: exponents are part of a number or unit, footnote marks never are.
#
# Raised digits are an exponent after a power's base (10⁶, 2³², 4²=16), a unit (m², s⁻¹), a variable (x²)
# and inside a word (H²O); anywhere else they are a footnote mark. Only the adjacent characters decide, so
# words can be processed one by one.


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
_LETTER_MARK = re.compile(
    rf"(?<={_LETTER}{{3}}|{_LETTER}{{2}}[.,;:!?)»”])(?:[ⁱᵛˣ]{{2,5}}|[ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ])(?!\w)"
)
_SPECIAL = re.compile("[\u00b2\u00b3\u00b9\u02b0-\u02b8\u02e1-\u02e3\u1d43-\u1dbf\u2070-\u2089]")
_MARKS = re.compile(rf"[{RAISED_DIGITS}]+")
_LAST_MARKS = re.compile(
    rf"[⁽(]?[{RAISED_DIGITS}]+(?:[,;/–-][{RAISED_DIGITS}]+)*[⁾)]?[.,;:!?)\]»«“”\"'’‘…]*$"
)
_IN_BRACKETS = re.compile(r"(?<=[^\W\d_]{2})[.,;:!?)»”\"'’]*(?P<mark>(?:\[\d{1,3}\])+[.,;:!?)»«“”\"'’‘…]*)$")
"""Marks in square brackets that stand right behind a word: "every quarter.[3]"."""
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
    """A page's word as it looks: the digits among its last `note_chars` characters raised, unless they stand
    in brackets."""
    cut = len(text) - note_chars
    if not note_chars or text[cut] == "[":
        return text
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
    if "[" in text and (found := _IN_BRACKETS.search(text[-_LONGEST_MARKS:])):
        return len(found["mark"])
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


_INVISIBLE_MARKS = [0x34F, *range(0xFE00, 0xFE10)]  # grapheme joiner, variation selectors: category M


class _LettersDigitsMarks(dict[int, int | None]):
    """A `str.translate` table that keeps letters, digits and combining marks, filled as it is used."""

    def __missing__(self, code: int) -> int | None:
        kept = code if unicodedata.category(chr(code))[0] in "LNM" else None
        self[code] = kept
        return kept


_KEEP = _LettersDigitsMarks(dict.fromkeys([*map(ord, RAISED_DIGITS), *_INVISIBLE_MARKS]))


def skeleton(text: str) -> str:
    """The skeleton of a text: NFKC, case folded, only letters, digits and marks (Unicode categories L, N, M).

    Raised digits that are footnote marks are dropped: NFKC (UAX #15) would turn them into numbers, as it
    would turn an acute accent used as a quotation mark into a combining one. Exponents stay, as plain digits
    (`core.evidence.skeleton`). Spaces are removed, so hyphenation, ligatures, quotes and dashes make no
    difference.
    """
    if text.isascii():
        return text.lower().translate(_KEEP)
    folded = unicodedata.normalize("NFKC", plain(text).translate(_KEEP)).casefold()
    return unicodedata.normalize("NFKC", folded.translate(_KEEP))


@lru_cache(maxsize=65536)
def written_skeleton(text: str, note_chars: int = 0) -> str:
    """Skeleton of a word of a page whose last `note_chars` characters are a footnote mark, without the mark;
    empty for mere punctuation."""
    cut = len(text) - note_chars
    return skeleton(text[:cut] if text[cut:].startswith("[") else with_marks(text, note_chars))


@lru_cache(maxsize=65536)
def copied_skeleton(text: str, note_chars: int = 0) -> str:
    """Like `written_skeleton`, for the word as copied from a PDF reader: with the digits of a footnote mark
    after it."""
    return skeleton(copied(with_marks(text, note_chars)))


def word_skeleton(word: Word) -> str:
    """Skeleton of a page's word without its footnote marks."""
    return written_skeleton(word.text, word.note_chars)


# List signs: characters that open an item without meaning anything, and glyphs that plain text cannot
# represent.


PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
"""Private-use characters: their appearance depends on the font (Unicode, chapter 23.5)."""
BULLETS = frozenset(
    "•·∙⋅‣⁃◦▪▫■□▢▣▤▥▦▧▨▩▬▭▮▯▰▱●○◉◌◍◎◘◙◆◇◈❖◼◻◾◽⬛⬜⚫⚪⬤⬥⬦⬧⬩⯀⯁⯃⯄🔹🔸🔷🔶"
    "►▶▸▹▷▻➔➙➛➜➝➞➟➠➡➢➣➤➥➦➧➨➩➪➫➬➭➮➯➱➲➳➵➸➺➻➼➽➾⮕⯈☛☞👉❏❐❑❒❍❘❙❚★☆⭐✦✧✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❉❊❋♦♣♠"
)
"""Signs that can only be bullets at the start of a line."""
TICKS = frozenset("✓✔☑✅🗸☐")
"""List signs that are meaningful beside a different one or a cross."""
CROSSES = frozenset("✗✘✕✖❌❎☒🗴🗷")
DASHES = frozenset("-–—‐‑−*→⇒⟶»›>")
"""Signs that open items but are part of sentences elsewhere."""


def without_private(text: str) -> str:
    """`text` without private-use characters."""
    return text if text.isascii() else PRIVATE.sub("", text)


def is_private(text: str) -> bool:
    """Whether it consists only of private-use characters."""
    return bool(text) and not text.isascii() and not without_private(text)
