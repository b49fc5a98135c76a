"""Finding a statute's sections by their numbers.

Every format of section heads yields candidates; the best increasing sequence of them (dynamic programming
over number and position) is the statute's. Lists inside sections, tables of sections and forms have numbers
too, but no sequence so long, so evenly set and with so much text in between.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from core.library.chunking.text import Line
from core.library.references import WITHIN, article_value, section_id

_DIGITS = r"(?P<number>\d{1,4})"
_NUMBER = (
    rf"{_DIGITS}(?:(?:er|re)\b|(?P<letter>[a-zA-Z]{{1,2}})\b|(?![a-zA-Z])"
    r"(?:\s(?P<apart>(?!I\s)[a-zA-Z])(?=\s*(?:$|[^\w\s'’]|[A-ZÄÖÜ])))?)"
)
"""After a space, a letter belongs to the number only if no sentence continues: "§ 5 a Titel", but not
"Section 18 a person"."""
_LATIN = r"(?P<latin>\s?(?:bis|ter|quater|quinquies|sexies|septies|octies)\b)?"
"""Suffixes after the number of French and Swiss articles."""
_LATINS = ("", *["bis", "ter", "quater", "quinquies", "sexies", "septies", "octies"])
_LETTER = r"(?P<letter>[A-Z]{0,2}|[a-z]?)"
_PREFIX = r"(?:[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{1,9}\s)?"
NOT_A_HEAD = re.compile(
    r"(?:Abs|Absatz|Nr|Satz|Buchst|und|oder|bis|of|to|and|or|in|S\.|GG|GDPR|DSGVO|BGB|HGB|TFEU|AEUV|shall|above|below)\b"
    r"|[,;)/]|\.\d|[a-zäöü]|(?:\(\w{1,4}\)\s?)+(?:[a-zäöü,;.)/]|$)"
)
"""What follows a number that is merely a reference."""
_TITLE_DASH = re.compile(r".{3,200}?[.:]?\s?[-–—―]+")
_GAP_LIMIT = 5
_GAP_COST = 0.5
_NAMED_GAP_COST = 0.25
_START_COST = 0.4
_SCHEDULE_COST = 5.0
_LITTLE_TEXT = 12
_LITTLE_TEXT_COST = 1.9
_MIN_SECTIONS = 3
_MIN_COVERAGE = 0.6
_COLUMN_PT = 6.0
_STYLED = 1.5
_MUCH_TEXT = 40
"""Minimum words below a bare number that is a head without a title."""
_TITLE_WORDS = 14
_MIN_HEADS = 0.5
_ANEW, _OFTEN = 2, 4
_SAME = 0.98
_LARGER = 1.08
_MIN_TABLE = 5
_TABLE_WORDS = 16
_MAX_ANNEXES = 40
SCHEDULE = re.compile(
    r"(?:THE\s+)?(?P<ordinal>(?:FIRST|SECOND|THIRD|FOURTH|FIFTH|SIXTH|SEVENTH|EIGHTH|NINTH|TENTH)\s+)?"
    r"(?P<kind>SCHEDULE|Schedule|ANNEXURE|Annexure|ANNEXE|Annexe|ANNEX|Annex|APPENDIX|Appendix|FORM|Form|Anlage|ANLAGE"
    r"|Anhang|ANHANG)(?![^\W\d_])"
    r"\s*[-–—:]?\s*['\"‘’“”(\[]{0,2}\s?(?P<number>[A-Z]{1,2}|[IVXL]{1,6}|\d{1,3}[a-z]?)?\s?['\"‘’“”)\]]{0,2}"
    r"(?:\s*(?:[:.–—-]|\(|\[|zu\b|to\b).*|\s(?P<title>[A-ZÄÖÜÉ][^.;:]*))?"
)
_OF_PROVISION = re.compile(r"^[^(]{4,16}\((?:zu|to)\s")
"""An annex states in brackets to which provisions it belongs, however many: "Anlage 1b (zu § 1 Nr. 2 und §
7)"."""
_SEE_RULE = re.compile(r"[\[(]\s?[Ss]ee\s(?:sub-?)?(?:rule|section|clause|regulation)")


@dataclass(frozen=True, slots=True)
class Mark:
    """A possible section head at line `line` (index). `rest` is what follows the number there; `named`: the
    head says what it is ("Article 12") and is not a bare number; `chapter` distinguishes it from others of
    the same number if every chapter restarts the numbering; `whole`: a multi-part number."""

    line: int
    kind: str
    number: int
    letter: str
    rest: str
    quality: float
    named: bool
    chapter: str = ""
    whole: str = ""

    @property
    def key(self) -> tuple[int, int, str]:
        """Sort key for sections: 16, 16a, 16b, 17."""
        latin = self.letter.strip()
        return self.number, _LATINS.index(latin) if latin in _LATINS else 0, self.letter

    @property
    def label(self) -> str:
        """Number and letter, or the whole number if it has several parts."""
        return self.whole or f"{self.number}{self.letter}"

    @property
    def section_id(self) -> str:
        """The id of the section that it begins."""
        number = section_id(self.kind, self.label)
        return f"{number}{WITHIN}{self.chapter}" if self.chapter else number


@dataclass(frozen=True, slots=True)
class Format:
    """A format of heads. `kind` is that of the id; "" means the document's own (section, rule). `named`: the
    head says what it is, so it counts more than a bare number."""

    kind: str
    pattern: re.Pattern[str]
    named: bool


def _format(kind: str, pattern: str, named: bool = True) -> Format:
    return Format(kind, re.compile(pattern), named)


FORMATS: tuple[Format, ...] = (
    _format(
        "art",
        rf"{_PREFIX}(?:Article|ARTICLE|Artikel|ARTIKEL|Art\.?|ART\.?)\s*"
        rf"(?:{_NUMBER}{_LATIN}|(?P<roman>[Pp]remier|PREMIER))\b\.?(?P<rest>.*)",
    ),
    _format(
        "art",
        r"(?:Article|ARTICLE|Artikel|ARTIKEL|Art\.?|ART\.?)\s*(?P<roman>[IVXL]{1,7})\b\.?(?P<rest>.*)",
    ),
    _format("par", rf"{_PREFIX}§\s*{_NUMBER}\b\.?(?P<rest>.*)"),
    _format("section", rf"(?:Section|SECTION|Sec\.|SEC\.)\s*{_NUMBER}\b[.:]?(?P<rest>.*)"),
    _format("rule", rf"(?:Rule|RULE)\s*{_NUMBER}\b[.:]?\s*[-–—]?(?P<rest>.*)"),
    _format("clause", rf"(?:Clause|CLAUSE)\s*{_NUMBER}\b[.:]?\s*[-–—]?(?P<rest>.*)"),
    _format("number", rf"(?:Ziffer|Ziff\.|Bestimmung|Klausel)\s*{_NUMBER}\b[.:]?\s*[-–—]?(?P<rest>.*)"),
    _format("regulation", rf"(?:Regulation|REGULATION)\s*{_NUMBER}\b[.:]?\s*[-–—]?(?P<rest>.*)"),
    _format("", rf"{_DIGITS}\s?{_LETTER}\s?\.(?!\d)(?P<rest>.*)", named=False),
    _format("", rf"{_DIGITS}{_LETTER}\s?[-–—](?!\s?\d)(?P<rest>.*)", named=False),
    _format(
        "",
        _DIGITS + r"(?P<letter>[A-Z]{0,2})\s(?=[A-Z][a-z]+(?:\s[a-z]|\s?$))(?P<rest>.*)",
        named=False,
    ),
)
"""In order of preference if sequences have equal scores."""

RECITAL = _format("recital", rf"\({_DIGITS}(?P<letter>)\)(?P<rest>.*)")
QUESTION = _format(
    "question",
    rf"(?:Q(?:uestion|\.)?\s*|Frage\s*)?{_DIGITS}(?P<letter>[A-Z]?)\s?[.):](?!\d)(?P<rest>.*)",
)


def best_sequence(lines: Sequence[Line], formats: Iterable[Format], own_kind: str) -> list[Mark]:
    """The most plausible increasing sequence of heads in `lines`; empty if there is none."""
    schedules = schedule_starts(lines)
    best = _best_format(lines, formats, own_kind, schedules)
    before = next((at for at in schedules if best and at < best[0].line), None)
    if before is not None:  # an annexed contract may have more clauses than the rules it is annexed to
        return _best_format(lines[:before], formats, own_kind, []) or best
    return best


def table_of_sections(lines: Sequence[Line]) -> tuple[int, int]:
    """The range of a table of sections without page numbers: heads in order with no text between; empty if
    there is none."""
    for form in FORMATS:
        run: list[Mark] = []
        for mark in _candidates(lines, form, ""):
            if mark.number == 1 or (run and 0 < mark.number - run[-1].number <= _GAP_LIMIT):
                run = [*run, mark] if mark.number > 1 else [mark]
        words = sum(len(line.words) for line in lines[run[0].line : run[-1].line + 1]) if run else 0
        if len(run) >= _MIN_TABLE and words <= _TABLE_WORDS * len(run):
            return run[0].line, run[-1].line + 1
    return 0, 0


def _best_format(
    lines: Sequence[Line], formats: Iterable[Format], own_kind: str, schedules: Sequence[int]
) -> list[Mark]:
    best: list[Mark] = []
    best_score = 0.0
    for form in formats:
        marks = _candidates(lines, form, own_kind)
        chain = _without_annex(_sequence(lines, marks, schedules), lines, marks, schedules)
        likely = plausible(chain) and (form.named or _head_something(chain, lines))
        score = len(chain) * _coverage(chain) * (1.3 if form.named else 1.0) if likely else 0.0
        if score > best_score:
            best, best_score = chain, score
    return best


def _head_something(chain: Sequence[Mark], lines: Sequence[Line]) -> bool:
    """Whether bare numbers are heads: most have a title or much text below; list items have neither."""
    words = _words_before(lines)
    ends = [mark.line for mark in chain[1:]]
    long = sum(words[end] - words[mark.line] >= _MUCH_TEXT for mark, end in zip(chain, ends, strict=False))
    titled = sum(_has_title(mark, lines) for mark in chain)
    return max(long + 1, titled) >= _MIN_HEADS * len(chain)


def _has_title(mark: Mark, lines: Sequence[Line]) -> bool:
    if mark.quality >= _STYLED or _TITLE_DASH.match(mark.rest):
        return True
    following = lines[mark.line + 1].text[:1] if mark.line + 1 < len(lines) else ""
    short = 0 < len(mark.rest.split()) <= _TITLE_WORDS and mark.rest[-1] not in ".,;:"
    return (short or not mark.rest) and (following.isupper() or following in '([„“"')


def _without_annex(
    chain: list[Mark], lines: Sequence[Line], marks: Sequence[Mark], schedules: Sequence[int]
) -> list[Mark]:
    """`chain` up to the first annex with its own numbering from 1, into which it would otherwise run."""
    for at in schedules[:_MAX_ANNEXES]:
        before = [mark for mark in chain if mark.line < at]
        after = {mark.line for mark in chain[len(before) :]}
        if len(before) >= _MIN_SECTIONS and after:
            own = _sequence(lines, [mark for mark in marks if mark.line >= at], [])
            if own and own[0].number == 1 and after <= {mark.line for mark in own}:
                return before
    return chain


def plausible(chain: Sequence[Mark]) -> bool:
    """Whether a sequence is long and complete enough to be a statute's sections, or those of an excerpt."""
    if len(chain) < _MIN_SECTIONS:
        return False
    if chain[0].number <= _MIN_SECTIONS:
        return _coverage(chain) >= _MIN_COVERAGE
    return chain[0].named and all(each.number - one.number <= 1 for one, each in pairwise(chain))


def _coverage(chain: Sequence[Mark]) -> float:
    """Share of the numbers up to the last that were found."""
    return len({mark.number for mark in chain}) / chain[-1].number if chain and chain[-1].number else 0.0


def _candidates(lines: Sequence[Line], form: Format, own_kind: str) -> list[Mark]:
    """The lines that could be heads in one format."""
    found = []
    for i, line in enumerate(lines):
        text = line.text
        match = form.pattern.match(text) if text[:1] not in "abcdefghijklmnopqrstuvwxyz" else None
        if match:
            rest = match["rest"].strip()
            quality = _quality(rest, lines[i + 1].text if i + 1 < len(lines) else "", form.named)
            if quality > 0:
                groups = match.groupdict()
                letter = groups.get("letter") or groups.get("apart") or groups.get("latin") or ""
                roman = groups.get("roman")
                number = article_value(roman) if roman else int(match["number"])
                label = number, " ".join(letter.casefold().split())
                found.append(Mark(i, form.kind or own_kind, *label, rest, quality, form.named))
    return found


def candidates_of(lines: Sequence[Line], like: Mark, own_kind: str) -> list[Mark]:
    """The lines that could be heads in a format of the kind of `like`."""
    forms = [form for form in FORMATS if (form.kind or own_kind) == like.kind and form.named == like.named]
    found: dict[int, Mark] = {}
    for form in forms:
        for mark in _candidates(lines, form, own_kind):
            found.setdefault(mark.line, mark)
    return [found[at] for at in sorted(found)]


def sequence_of(lines: Sequence[Line], marks: Sequence[Mark]) -> list[Mark]:
    """The best increasing sequence of `marks`, candidates of a part of `lines`."""
    return _sequence(lines, marks, [])


def _quality(rest: str, following: str, named: bool) -> float:
    """How much a line looks like a head, judging by what follows the number."""
    if not rest:
        return 1.6 if named else (1.0 if following[:1].isupper() or following[:1] == "(" else 0.3)
    if named and NOT_A_HEAD.match(rest):
        return 0.0
    if rest.startswith("("):
        return 1.5
    if _TITLE_DASH.match(rest):
        return 1.6
    opening = rest.lstrip("-–—: ")[:1] if named else rest[0]
    if not opening.isupper() and opening not in tuple("[\"'“‘„*"):
        return 0.3
    return 1.2


def _sequence(lines: Sequence[Line], marks: Sequence[Mark], schedules: Sequence[int]) -> list[Mark]:
    """The best chain; computed twice, the second time preferring heads positioned like the others."""
    words = _words_before(lines)
    crossed = _counts_before(len(lines), schedules)
    first = _best_chain(marks, words, crossed)
    if len(first) < _MIN_SECTIONS:
        return first
    again = _compared(marks, first, [line.x0 for line in lines])
    return _best_chain(again, words, crossed)


def _compared(marks: Sequence[Mark], first: Sequence[Mark], lefts: Sequence[float]) -> list[Mark]:
    """`marks` scored by whether their position and look match most heads of the `first` chain."""
    columns = Counter(round(lefts[mark.line] / _COLUMN_PT) for mark in first)
    usual = {column + d for column, n in columns.items() if n >= 0.15 * len(first) for d in (-1, 0, 1)}
    styled = sum(mark.quality >= _STYLED for mark in first) >= 0.3 * len(first)
    return [
        replace(
            mark,
            quality=mark.quality
            + (0.4 if round(lefts[mark.line] / _COLUMN_PT) in usual else 0.0)
            - (0.6 if styled and mark.quality < _STYLED else 0.0),
        )
        for mark in marks
    ]


def _words_before(lines: Sequence[Line]) -> list[int]:
    counts = [0]
    for line in lines:
        counts.append(counts[-1] + len(line.words))
    return counts


def _counts_before(length: int, positions: Sequence[int]) -> list[int]:
    at = set(positions)
    counts = [0]
    for i in range(length):
        counts.append(counts[-1] + (i in at))
    return counts


@dataclass(slots=True, eq=False)
class _Step:
    mark: Mark
    score: float
    before: "_Step | None"


def _best_chain(marks: Sequence[Mark], words: Sequence[int], crossed: Sequence[int]) -> list[Mark]:
    """The best chain by dynamic programming; for each number the best and the latest step are kept as
    predecessors."""
    kept: dict[int, list[_Step]] = defaultdict(list)
    best: _Step | None = None
    for mark in marks:
        step = _Step(mark, mark.quality - _START_COST * max(0, mark.number - 1), None)
        for number in range(mark.number - _GAP_LIMIT - 1, mark.number + 1):
            for before in kept.get(number, ()):
                score = before.score + _gain(before.mark, mark, words, crossed)
                if score > step.score and before.mark.key < mark.key:
                    step = _Step(mark, score, before)
        previous = kept[mark.number]
        kept[mark.number] = [max([*previous, step], key=lambda s: s.score), step]
        if best is None or step.score > best.score:
            best = step
    chain: list[Mark] = []
    while best is not None:
        chain.append(best.mark)
        best = best.before
    return chain[::-1]


def _gain(before: Mark, mark: Mark, words: Sequence[int], crossed: Sequence[int]) -> float:
    """What `mark` adds to a chain that ends with `before`."""
    gap = max(0, mark.number - before.number - 1)
    gain = mark.quality - (_NAMED_GAP_COST if mark.named else _GAP_COST) * gap
    if words[mark.line] - words[before.line] < _LITTLE_TEXT:
        gain -= 0.3 if mark.named else _LITTLE_TEXT_COST
    if mark.letter and mark.number != before.number:
        gain -= 0.3
    return gain - _SCHEDULE_COST * (crossed[mark.line] - crossed[before.line])


def schedule_starts(lines: Sequence[Line]) -> list[int]:
    """Where schedules, annexes and forms begin (indexes)."""
    usual = median(line.size for line in lines) if lines else 0.0
    named = [i for i, line in enumerate(lines) if _is_schedule(line, large=line.size >= _LARGER * usual)]
    named = _without_lists(lines, named)
    near = {i + d for i in named for d in range(1, 4)}
    return sorted({*named, *(i for i, line in enumerate(lines) if _opens_annex(line) and i not in near)})


def _without_lists(lines: Sequence[Line], starts: Sequence[int]) -> list[int]:
    """`starts` without those in a list of schedules: consecutive lines that recur later."""
    words = _words_before(lines)
    names = [" ".join(lines[at].text.casefold().split()[:2]) for at in starts]
    listed = set()
    for n in range(len(starts) - 1):
        if words[starts[n + 1]] - words[starts[n]] <= _LITTLE_TEXT and names[n] != names[n + 1]:
            listed |= {n, n + 1}
    return [at for n, at in enumerate(starts) if n not in listed or names[n] not in names[n + 1 :]]


def begins_anew(lines: Sequence[Line], chain: Sequence[Mark]) -> bool:
    """Whether bare numbers in the position and style of `chain` restart repeatedly: these are lists under
    headings, whose numbers identify no provision. Numbers in chapters restart nowhere else."""
    if not chain or chain[0].named or chain[0].whole:
        return False
    annexed = next((at for at in schedule_starts(lines) if at > chain[0].line), len(lines))
    own = {mark.line for mark in chain}
    places = Counter(_place(lines[mark.line]) for mark in chain)
    (column, size), _ = places.most_common(1)[0]
    marks = candidates_of(lines[:annexed], chain[0], chain[0].kind)
    titled = {mark.line for mark in marks if _has_title(mark, lines)}
    again = [
        mark.line
        for mark in marks
        if mark.number == 1 and mark.line not in own
        if abs(_place(lines[mark.line])[0] - column) <= 1 and lines[mark.line].size > _SAME * size
    ]
    alike = titled.intersection(again) if 2 * len(titled & own) > len(chain) else again
    return len(alike) >= _ANEW or len(again) >= max(_OFTEN, len(chain) / 2)


def _place(line: Line) -> tuple[int, float]:
    """Column and size of a line."""
    return round(line.x0 / _COLUMN_PT), round(line.size, 1)


def is_list(lines: Sequence[Line], chain: Sequence[Mark]) -> bool:
    """Whether all bare numbers of `chain` are under one heading in larger type, and other headings follow."""
    if not chain or chain[0].named or chain[0].whole or any(mark.chapter for mark in chain):
        return False
    size = lines[chain[0].line].size
    annexed = next((at for at in schedule_starts(lines) if at > chain[-1].line), len(lines))
    larger = [at for at, line in enumerate(lines[:annexed]) if line.size >= _LARGER * size]
    inside = any(chain[0].line < at < chain[-1].line for at in larger)
    return not inside and sum(at > chain[-1].line for at in larger) >= _ANEW


def _is_schedule(line: Line, *, large: bool) -> bool:
    """Whether the line is the title of a schedule, an annex or a form; in `large` type with any title of its
    own."""
    if len(line.words) > (_TITLE_WORDS if large else 9) and not _OF_PROVISION.search(line.text):
        return False
    match = SCHEDULE.fullmatch(line.text)
    if match is None or (match["title"] and not match["kind"].isupper() and not large):
        return False
    return bool(match["number"] or match["ordinal"] or match["kind"].isupper())


def _opens_annex(line: Line) -> bool:
    """Whether the line refers an annexed form to its rule: "[See rule 3]"."""
    return len(line.words) <= 9 and bool(_SEE_RULE.match(line.text))


# Sub-divisions of a section: which of (4)(a)(ii) a paragraph is in.


_MARKER = re.compile(
    r"(?P<open>\(?)\s?(?P<value>\d{1,3}[a-z]?|z[a-z]|Z[A-Z]|(?P<same>[a-zA-Z])(?P=same)?|[ivxl]{1,6}|[IVXL]{1,6})\s?(?P<close>[.)])(?=\s|\(|$|[A-Z“\"‘])"
)
_PAGE = re.compile(r"\s\d")
"""Matches a letter and a number that are not a marker: "S. 469", "p. 3"."""
_ROMAN = re.compile(r"(?:x{0,3})(?:ix|iv|v?i{0,3})")
_MAX_DEPTH = 4
_FIRST = frozenset({"1", "a", "i"})


@dataclass(slots=True)
class Levels:
    """The path through a section's sub-divisions. Every style of marker is a separate level, in the order of
    first use. `nesting`: a list that restarts after a later item is nested inside it."""

    nesting: bool = False
    _stack: list[tuple[str, str]] = field(default_factory=list)

    @property
    def path(self) -> tuple[str, ...]:
        """The current markers, outermost first, such as ("4", "a")."""
        return tuple(value for _, value in self._stack)

    @property
    def certain(self) -> tuple[str, ...]:
        """The certain part of the path: a list that restarts may be inside the earlier one or next to it."""
        styles = [style for style, _ in self._stack]
        anew = next((style for style in styles if style.endswith("+")), None)
        return self.path[: styles.index(anew.rstrip("+"))] if anew else self.path

    @property
    def around(self) -> tuple[str, ...]:
        """What certainly contains a paragraph without a marker: it may continue the last item, or whatever
        contains the list. A number in brackets counts paragraphs, which are not lists."""
        holds = len(self._stack) > 1 or self.counts_paragraphs
        return self.certain[:1] if holds else ()

    @property
    def counts_paragraphs(self) -> bool:
        """Whether the outermost marker is a paragraph's, "(2)", rather than a list's."""
        return bool(self._stack) and self._stack[0][0] == "()1"

    def enter(self, text: str) -> int | None:
        """Follow the markers that `text` begins with; returns the depth of the first (0 = outermost), else
        None."""
        depth: int | None = None
        at = 0
        while (match := _MARKER.match(text, at)) and not (at and match["open"] != "("):
            if match["close"] == "." and match["value"].isalpha() and _PAGE.match(text, match.end()):
                break
            entered = self._place(match["open"] + match["close"], match["value"])
            depth = entered if depth is None else depth
            at = match.end()
            while text[at : at + 1] == " ":
                at += 1
        return depth

    def _place(self, brackets: str, value: str) -> int:
        style = self._style(brackets, value)
        if self.nesting and (self._begins_anew(style, value) or self._is_next(style + "+", value)):
            style += "+"
        styles = [known for known, _ in self._stack]
        depth = styles.index(style) if style in styles else min(len(styles), _MAX_DEPTH - 1)
        self._stack[depth:] = [(style, value.casefold())]
        return depth

    def _begins_anew(self, style: str, value: str) -> bool:
        """Whether `value` is a first item while the list of `style` is at a later one."""
        gone_on = dict(self._stack).get(style, "a") not in _FIRST
        return gone_on and value.casefold() in _FIRST and not self._is_next(style, value)

    def _is_next(self, style: str, value: str) -> bool:
        """Whether `value` follows the last item of the list of `style`."""
        before = dict(self._stack).get(style, "")
        if before.isdigit() and value.isdigit():
            return int(before) + 1 == int(value)
        return len(before) == len(value) == 1 and ord(before) + 1 == ord(value.casefold())

    def _style(self, brackets: str, value: str) -> str:
        """The marker's style by brackets and alphabet: `(i)` after `(h)` is a letter, otherwise a Roman
        numeral."""
        if value[0].isdigit():
            return brackets + "1"
        letter, roman = (
            brackets + ("A" if value.isupper() else "a"),
            brackets + ("I" if value.isupper() else "i"),
        )
        if not _ROMAN.fullmatch(value.casefold()):
            return letter
        known = dict(self._stack)
        if roman in known and value.casefold() != "i":
            return roman
        before = known.get(letter, "")
        follows = len(value) == 1 and len(before) == 1 and ord(before) + 1 == ord(value.casefold())
        return letter if follows else roman


def opens_level(text: str) -> bool:
    """Whether the text begins with a marker such as `(1)`, `a)` or `1.`."""
    return bool(_MARKER.match(text))
