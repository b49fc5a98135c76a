"""What is between the letters: symbols and punctuation that change what the same words say.

Two texts with the same skeleton are compared place by place, a place being the number of letters before it:

- symbols (ticks, crosses, arrows, comparison and other mathematical signs, emoji) are the same; bullets,
  ticks and other affirming or neutral signs may be left out;
- what is a question in one is a question in the other;
- a sentence ends in both where it ends in one;
- commas, dashes and full stops are not moved, and none is added or dropped beside a negation.

Quotation marks, brackets, hyphens, dots of abbreviations and the kind of dash make no difference.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.evidence.figures import typed
from core.evidence.guards import is_negation, word_lists
from core.evidence.skeleton import BULLETS, skeleton
from core.language.sentences import abbreviations

_TOKEN = re.compile(r"(\s*)(\S+)")
_WORD = re.compile(r"[^\W_]+")
_DASHES = "‐‑‒–—―−-"
_LEADERS = re.compile(r"(?:\.\s?){4,}")
_STOP = re.compile(r"[.!?…؟。！？]")
_QUESTION = re.compile(r"[?؟？⁇⁈⁉❓❔]")
_CLAUSE = re.compile(rf"[!?…,;:؟。！？]|\s[{_DASHES}]+(?=\s)")
_BREAK = re.compile(rf"[.!?…,;:؟。！？()\[\]{_DASHES}]")
_MARK = re.compile(rf"[.!?…,;:؟。！？–—―]|\s[{_DASHES}]+(?=\s)")
_ROMAN = re.compile(r"[ivxlc]+|\d+")
_QUOTED_LINE = re.compile(r"^>\s+(?=[^\W\d_])", re.MULTILINE)
"""What e-mail and Markdown put before quoted lines; before a number it means "more than"."""
_BINNEN_I = re.compile(r"(?<=[a-zäöüß])(?=In(?:nen)?\b)")
_DOTTED = re.compile(r"(?<![\w.])(?:[A-Z]\.){2,}")
_INSIDE_WORD = re.compile(r"[()\[\]*:_/·]+-?|-?[()\[\]]+")
_TURNS_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069\u200f\u061c]")
_QUOTE = re.compile("[\"'„“”«»‚‘’‹›]")
_OPENS_QUOTE = re.compile("\\s[(\\[]?(?:[\"'„“”«»‚‘‹›]+|[«‹]\\s)$")
_CLOSES_QUOTE = re.compile("(?:[\"'„“”«»‘’‹›]+|\\s[»›])[.,;:!?)]*\\s")
_SLASH = re.compile("[/⁄∕]")
_BRACKETED = re.compile(r"[(\[]-?$"), re.compile(r"-?[)\]]")
_DASHED = re.compile(r"[-‐‑–−]")
_RANGE_DASH = re.compile(r"[–−]")
_PAUSE = re.compile(r"[,;]")
_APART = frozenset(["re", "un", "co", "pre"])
"""English prefixes that a hyphen may set apart from what would be another word: "re-sign", "un-ionised"."""
_DAY = re.compile(
    r"mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
    r"|(?:mon|tue|wed|thu|fri|sat|sun)(?:days?|sday|nesday|rsday|urday)?"
    r"|(?:lun|mar|mer|jeu|ven|sam|dim)(?:di|credi|dredi|edi|anche)?"
)
"""Days of the week and their abbreviations."""
_OTHER_WITH_SS = ("masse", "massen", "busse", "bussen", "floss", "schoss")
"""Words that are others with "ß"; compounds hardly are ("gleichermassen", "Geldbusse")."""
_FEW_WORDS = 3
_ABBREVIATION = 5
_UNITS = frozenset(
    [
        "w",
        "kw",
        "mw",
        "gw",
        "tw",
        "wh",
        "kwh",
        "mwh",
        "gwh",
        "twh",
        "g",
        "mg",
        "kg",
        "t",
        "m",
        "mm",
        "cm",
        "km",
        "nm",
        "l",
        "ml",
        "hl",
        "s",
        "ms",
        "b",
        "kb",
        "mb",
        "gb",
        "tb",
        "bit",
        "mbit",
        "gbit",
        "hz",
        "khz",
        "mhz",
        "ghz",
        "pa",
        "hpa",
        "kpa",
        "mpa",
        "v",
        "kv",
        "mv",
        "a",
        "ma",
        "k",
        "c",
        "f",
        "j",
        "kj",
        "mj",
        "n",
        "kn",
        "db",
    ]
)
_IGNORED = frozenset("|¦~−⁄∕∙⋅∗∼∣∶⁺⁻₊₋�™") | frozenset(map(chr, range(0x2500, 0x25A0)))
"""Not significant: table rules, look-alikes of dashes, slashes and dots, signs in superscripts."""
_OPTIONAL = frozenset("✓★☆✦✧✪✫✯❖→■□▪▫●○◦◆◇◉◌◘◙⬛⬜⚫⚪❏❐❑❒❍✶✱✲❋✿❀☞☛👉©®℗℠№ℹ")
"""May be omitted: bullets, and signs that affirm or point onwards."""
_OPENING = "".join(BULLETS) + " \t\n"
"""May precede a quote that was noted down as a list item."""
_LISTING = frozenset("■□▪▫●○◦◆◇◉◌◘◙⬛⬜⚫⚪❏❐❑❒❍❖✦✧")
"""May be added: meaningless list signs."""
_SAME = {
    **dict.fromkeys("✓✔☑✅🗸", "✓"),
    **dict.fromkeys("✗✘❌✕✖❎☒🗙🗴", "✗"),
    **dict.fromkeys("↑⬆⇧⇑▲△▴", "↑"),
    **dict.fromkeys("↓⬇⇩⇓▼▽▾", "↓"),
    **dict.fromkeys("→➔➜➝➞➢➣➤➡⇒⟶►▶▷▸▹", "→"),
}


@dataclass(frozen=True, slots=True)
class Gap:
    """The marks between two words, the words' skeletons, and whether a capital or digit follows.

    `place` counts the preceding letters.
    """

    place: int
    marks: str
    before: str
    after: str
    opens: bool

    @property
    def parts(self) -> bool:
        """Whether clauses or sentences are separated here; a dot after an abbreviation or ordinal does not
        count."""
        return bool(_CLAUSE.search(self.marks)) or (
            "." in self.marks and not _has_dot_of_its_own(self.before)
        )

    @property
    def ends_sentence(self) -> bool:
        """Whether a sentence certainly ends here."""
        return self.opens and self.parts and bool(_STOP.search(self.marks))

    def breaks_like(self, other: "Gap") -> bool:
        """Whether anything here can separate clauses; a paragraph end is like a sentence end."""
        return bool(_BREAK.search(self.marks)) or self._ends_paragraph_like(other)

    def marked_like(self, other: "Gap") -> bool:
        """Whether there is a comma, dash or full stop here, one for each comma of `other`; brackets, hyphens
        and blanks to fill in don't count."""
        commas = other.marks.count(",")
        fewer = commas > 1 and self.marks.count(",") < commas
        return (bool(_MARK.search(self.marks)) and not fewer) or self._ends_paragraph_like(other)

    def _ends_paragraph_like(self, other: "Gap") -> bool:
        return "\n" in self.marks and other.ends_sentence

    @property
    def beside_negation(self) -> bool:
        """Whether the previous or next word is a negation."""
        return is_negation(self.before) or is_negation(self.after)


def conflicts(claimed: str, source: str) -> list[int]:
    """Places where `claimed` differs from `source` in marks that change the meaning, ascending.

    Both have the same skeleton; newlines in `source` separate paragraphs. Linear in the length of the texts.
    """
    claimed = claimed.lstrip(_OPENING)
    if not _QUOTED_LINE.search(source):
        claimed = _QUOTED_LINE.sub("", claimed)
    claimed, source = (_BINNEN_I.sub("*", typed(text)) for text in (claimed, source))
    ours, theirs = ({gap.place: gap for gap in _gaps(text)} for text in (claimed, source))
    found = {
        place
        for place in ours.keys() | theirs.keys()
        if _symbols_differ(_marks(ours, place), _marks(theirs, place))
        or _asks(_marks(ours, place)) != _asks(_marks(theirs, place))
    }
    lost, added = _unmatched(theirs, ours, Gap.breaks_like), _unmatched(ours, theirs, Gap.breaks_like)
    other = [
        place for gaps, places in ((theirs, lost), (ours, added)) for place in places if _turns(gaps[place])
    ]
    words = written_otherwise(claimed, source)
    return sorted(
        found.union(
            _moved(ours, theirs),
            other,
            _inside(ours, theirs),
            _ironic(ours, theirs),
            _joined_otherwise(ours, theirs),
            words,
        )
    )


def _inside(ours: dict[int, Gap], theirs: dict[int, Gap]) -> Iterator[int]:
    """Places inside a word of one text where the other has a sign: "(un)zulässig", "Bürger*innen"; and where
    a sign that reverses the writing direction was added."""
    for one, other in ((ours, theirs), (theirs, ours)):
        for place, gap in one.items():
            letters = gap.before[-1:].isalpha() and gap.after[:1].isalpha()
            if place not in other and letters and _INSIDE_WORD.fullmatch(gap.marks):
                yield place
    yield from (
        place
        for place, gap in ours.items()
        if _TURNS_DIRECTION.search(gap.marks.replace(_marks(theirs, place), ""))
    )


def _joined_otherwise(ours: dict[int, Gap], theirs: dict[int, Gap]) -> Iterator[int]:
    """Places where one text has the stroke of a ratio or an alternative ("€/m²", "A/B"), the dash of a range
    ("Mo–Fr") or the hyphen that makes another word ("re-sign"), and the other does not; and negations that
    only one text brackets ("(nicht) erlaubt")."""
    for one, other in ((ours, theirs), (theirs, ours)):
        for place, gap in one.items():
            if not (gap.before and gap.after):
                continue
            if place not in other:
                if _DASHED.fullmatch(gap.marks) and _parts_prefix(gap):
                    yield place
                continue
            marks = other[place].marks
            lost = _SLASH.search(gap.marks) and not _SLASH.search(marks) and not _DASHED.search(marks)
            if lost and not gap.after.startswith("in"):  # "Bürger/in", "Bürger*in"
                yield place
            tight = _DASHED.fullmatch(gap.marks.strip(" .")) and not _DASHED.search(marks)
            if tight and (_PAUSE.search(marks) or _RANGE_DASH.fullmatch(gap.marks) or _is_range(gap)):
                yield place
    yield from (
        place
        for place in ours.keys() & theirs.keys()
        if _brackets_denial(ours, place) is not _brackets_denial(theirs, place)
    )


def _parts_prefix(gap: Gap) -> bool:
    """Whether a hyphen sets a prefix apart that is not set apart for two vowels' sake ("re-elect")."""
    vowels = gap.before[-1:] in "aeiou" and gap.after[:1] in "aeiou"
    return gap.before in _APART and (not vowels or gap.after == "op")


def _is_range(gap: Gap) -> bool:
    months = word_lists().months
    return all(word in months or _DAY.fullmatch(word) for word in (gap.before, gap.after))


def _brackets_denial(gaps: dict[int, Gap], place: int) -> bool:
    """Whether a bracket that has only a negation or a negative prefix begins at `place`."""
    gap, lists = gaps[place], word_lists()
    if gap.after not in lists.negations | lists.negative_prefixes or not _BRACKETED[0].search(gap.marks):
        return False
    closes = gaps.get(place + len(gap.after))
    return closes is not None and bool(_BRACKETED[1].match(closes.marks))


def _ironic(ours: dict[int, Gap], theirs: dict[int, Gap]) -> Iterator[int]:
    """Places where one text puts a few words in quotation marks and the other does not."""
    for one, other in ((ours, theirs), (theirs, ours)):
        opened = -1
        places = [place for place in sorted(one) if one[place].before and one[place].after]
        for n, place in enumerate(places):
            marks = one[place].marks
            if _OPENS_QUOTE.search(marks):
                opened = n
            elif opened >= 0 and n - opened <= _FEW_WORDS and _CLOSES_QUOTE.match(marks):
                first, last = places[opened], place
                if not any(_QUOTE.search(_marks(other, each)) for each in (first, last)):
                    yield first
                opened = -1


def _moved(ours: dict[int, Gap], theirs: dict[int, Gap]) -> list[int]:
    """Places of marks that moved from one place to another. A bracket, a hyphen or a blank excuses a mark
    that was only dropped or only added, not one that was moved there or away from there."""
    gone, come = _unmatched(theirs, ours, Gap.marked_like), _unmatched(ours, theirs, Gap.marked_like)
    return gone + come if gone and come else []


def _turns(gap: Gap) -> bool:
    """Whether a mark in only one of the texts changes the meaning, wherever the other marks are."""
    return gap.ends_sentence or gap.beside_negation


def around(text: str, place: int) -> str:
    """The words beside `place` with what is between them, on one line as written."""
    shown: list[str] = []
    count = 0
    for written in text.split():
        start, count = count, count + len(skeleton(written))
        if start <= place <= count:
            shown.append(written)
    return " ".join(shown)


def marks_between(text: str) -> Iterator[tuple[int, str]]:
    """What is between the words of `text`, with the number of letters before it."""
    return ((gap.place, gap.marks) for gap in _gaps(text) if gap.before and gap.after)


def written_otherwise(claimed: str, source: str) -> Iterator[int]:
    """Places of units and abbreviations whose letter case differs: "mW" for "MW", "us" for "US". The case of
    a text entirely in capitals means nothing; nor does that of abbreviations in a text without capitals whose
    other words have lost theirs ("die spd in bayern")."""
    ours, theirs = (dict(_placed(_DOTTED.sub(_without_dots, text))) for text in (claimed, source))
    shouted = any(len(words) > 1 and " ".join(words.values()).isupper() for words in (ours, theirs))
    lost = [word for place, word in theirs.items() if word.istitle() and ours.get(place, word).islower()]
    typed_small = bool(lost) and " ".join(ours.values()).islower()
    before = ""
    for place, word in theirs.items():
        other = ours.get(place, word)
        unit = before[-1:].isdigit() and "".join(filter(str.isalpha, word.lower())) in _UNITS
        if _case(word) != _case(other) and not shouted:
            short = any(1 < len(each) <= _ABBREVIATION and each.isupper() for each in (word, other))
            beside = _capitals_beside(theirs, place) or _capitals_beside(ours, place)
            letters = skeleton(word)
            capitals = unit and (word.isupper() or other.isupper()) and _is_one_in_capitals(letters)
            if not capitals and (unit or (short and not beside and not typed_small)):
                yield place
        if not shouted and ("ß" in word) is not ("ß" in other) and skeleton(word) in _OTHER_WITH_SS:
            yield place
        before = word


def _is_one_in_capitals(unit: str) -> bool:
    """Whether the capitals of a unit are not those of another: "T", "K", "S", "GB" and "KN" are."""
    return unit == "l" or (len(unit) > 1 and unit[0] != "m" and "w" not in unit and unit[-1] not in "bn")


def _without_dots(initials: re.Match[str]) -> str:
    return initials[0].replace(".", "")


def _case(word: str) -> list[bool]:
    return [letter.isupper() for letter in word if letter.isalpha()]


def _capitals_beside(words: dict[int, str], place: int) -> bool:
    """Whether the next word is also in capitals: a heading, a name, emphasis."""
    places = [*words]
    at = places.index(place) if place in words else -1
    beside = [words[places[n]] for n in (at - 1, at + 1) if at >= 0 and 0 <= n < len(places)]
    return any(len(word) > 1 and word.isupper() for word in beside)


def _placed(text: str) -> Iterator[tuple[int, str]]:
    """Words as written, by the number of letters before them."""
    place = 0
    for written, word in _pieces(text):
        if word:
            yield place, written
            place += len(word)


def _asks(marks: str) -> bool:
    return bool(_QUESTION.search(marks))


def _marks(gaps: dict[int, Gap], place: int) -> str:
    return gaps[place].marks if place in gaps else ""


def _unmatched(gaps: dict[int, Gap], others: dict[int, Gap], alike: Callable[[Gap, Gap], bool]) -> list[int]:
    """Places inside the text where one text separates clauses and the other has nothing `alike`."""
    return [
        place
        for place, gap in gaps.items()
        if gap.parts and gap.before and gap.after and not (place in others and alike(others[place], gap))
    ]


def _has_dot_of_its_own(word: str) -> bool:
    return len(word) == 1 or word in abbreviations() or bool(_ROMAN.fullmatch(word))


def _symbols_differ(claimed: str, source: str) -> bool:
    """Whether a symbol was added, replaced, or omitted although it is meaningful."""
    theirs = _symbols(source)
    for symbol in _symbols(claimed):
        for other in theirs:
            if other == symbol:
                break
            if other not in _OPTIONAL:
                return True
        else:
            if symbol not in _LISTING:
                return True
    return any(other not in _OPTIONAL for other in theirs)


def _symbols(marks: str) -> Iterator[str]:
    return (_SAME.get(c, c) for c in unicodedata.normalize("NFKC", marks) if _is_symbol(c))


@lru_cache(maxsize=4096)
def _is_symbol(character: str) -> bool:
    """Whether it is a mathematical or other symbol (Unicode categories Sm, So); currency signs belong to
    `figures`."""
    return unicodedata.category(character) in ("Sm", "So") and character not in _IGNORED


def _gaps(text: str) -> Iterator[Gap]:
    """What is between the words and at the text's edges."""
    marks, before, place = "", "", 0
    for written, word in _pieces(_LEADERS.sub(" ", text)):
        if word:
            opens = written[:1].isupper() or written[:1].isdigit()
            yield Gap(place, marks, before, word, opens=opens)
            marks, before, place = "", word, place + len(word)
        else:
            marks += written
    yield Gap(place, marks, before, "", opens=False)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Words as written with their skeletons, and what is between them with "".

    Words whose skeleton is not composed of their letters' skeletons (combining marks) stay whole.
    """
    for match in _TOKEN.finditer(text):
        yield match[1], ""
        token, whole = match[2], skeleton(match[2])
        words = [(word.start(), word.end(), skeleton(word[0])) for word in _WORD.finditer(token)]
        if sum(len(word) for _, _, word in words) != len(whole):
            words = [(0, len(token), whole)]
        end = 0
        for start, after, word in words:
            yield token[end:start], ""
            yield token[start:after], word
            end = after
        yield token[end:], ""
