"""The quotations in a running text, as people mark them, and their surroundings, which contain the
attribution. Only marks and positions are read here; `attribution` reads from `before` and `behind` whose the
words are said to be. And remarks that people put around a quote and that are not part of it.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from core.evidence.left_out import leads_into
from core.evidence.text import tokens_of
from core.language.identification import detect
from core.language.patterns import pattern, words
from core.language.sentences import sentences
from core.registry.attribution import names_paper, turns
from core.registry.names import tokens

MOST_PARAGRAPHS, LONGEST = 8, 4000
"""Maximum paragraphs and characters of a quotation; a mark whose counterpart is further away counts as
unpaired."""
MOST_FRAMED = 2000
"""Maximum quotations whose surroundings are read; any further ones are left out."""
_LONGEST_BEFORE = 1000
"""Maximum characters before a quotation in which the start of its sentence is sought."""
_MOST_BEHIND = 14
"""Maximum words of a line below a quotation that says whose it is."""
_SCARE, _LONGEST_TITLE = 2, 6
"""Maximum words in scare quotes, and of a title."""
_DEEPEST = 2
"""Maximum nesting depth of quotations of a kind."""

_MARK = re.compile(r",,(?=\w)|``|''|<<|>>|[„“”‟\"«»‹›‚‘’']")
_CLOSERS = {
    **dict.fromkeys(("„", ",,"), ("“", "”", "‟", '"', "''")),
    **dict.fromkeys(("“", "”", "‟", '"'), ("”", "“", '"')),
    "``": ("''", '"', "”"),
    "«": ("»",),
    "»": ("«",),
    "<<": (">>",),
    ">>": ("<<",),
    "‹": ("›",),
    "›": ("‹",),
    "‚": ("‘", "’", "'"),
    "‘": ("’", "'"),
    "'": ("'", "’"),
}
_ANYWHERE = ("„", ",,", "``")
"""Marks that always open."""
_GUILLEMETS = ("«", "»", "<<", ">>", "‹", "›")
_SINGLE = ("‚", "‘", "'", "‹", "›")
_APOSTROPHES = ("‘", "'")
"""Marks whose counterpart is also an apostrophe."""
_ELIDED = re.compile(r"(?:s|n|ne|nen|t|tis|twas|em|cause|\d)\b")
_CAN_STAND_BEFORE = re.compile(r"[\s(\[{–—/:\-„“«»‚‘\"'>]")
_PUNCTUATED = re.compile(r"[\n.,;:!?)]|$")
_BRACKET = re.compile(r"\s*[.,;:!?]?\s*[(\[](?P<inner>[^()\[\]\n]{2,160})[)\]]")
_LAST_BRACKET = re.compile(r"\s*[(\[](?P<inner>[^()\[\]]{2,160})[)\]]\.?\s*$")
_LAST_DASH = re.compile(r"(?<=[.!?…])[\"”“»«]?\s[–—]\s[^.!?\n]{2,120}$")
_SOURCE = pattern(r"\s*(?:[–—-]{1,2}\s*|[(\[]|(?:{quoting.sources})\s?:\s*)(?P<said>[^\n]+?)[)\]]?\s*")
_DASH = re.compile(r"\s*[–—-]{1,2}\s*(?P<said>[^\n]+)")
_CLAUSE = re.compile(r"\s*,?\s*(?P<said>[^\W\d_][^\n]*)")
_QUOTED_LINE = re.compile(r"\s*>\s?")
_BEGINS = re.compile(r"[„“”\"«»‚‘'(\[]*(?:[A-ZÄÖÜÀ-Þ]|\d)")
_ENDS = re.compile(r"[.!?…:][\"'“”»«’‘)\]]*$")
_LONGEST_END = 20
"""Number of characters that contain a sentence's end and the marks after it."""
_JOINS = pattern(r"[\s,;/&]*(?:(?:{quoting.joining})\b)?[\s,;:–—-]*", re.IGNORECASE)
_GOES_ON = pattern(r"\b(?:{quoting.going_on})(?!\w)", re.IGNORECASE)
_CALLED = pattern(r"\b(?:{quoting.calling})\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Characters `start` to `end` of a text; `set_off`: its source sets it off as a quotation."""

    start: int
    end: int
    set_off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """The characters `start` to `end` of the text, marks included, and the quoted `words`.

    `before` is the part of the sentence that introduces them, `behind` what follows them in it and may give
    their source; `signed`: that is in brackets or after a dash. `goes_on`: its source is that of the previous
    quotation. `statement`: words without marks that a page is said to contain.
    """

    start: int
    end: int
    words: str
    before: str = ""
    behind: str = ""
    signed: bool = False
    goes_on: bool = False
    statement: bool = False

    @property
    def is_short(self) -> bool:
        """Whether it may be a name or a mocked word: nothing is alleged by it unless it is attributed."""
        return len(self.words.split()) <= _SCARE


@dataclass(frozen=True, slots=True, order=True)
class _Stretch:
    """A quotation with its marks, and the words in it."""

    start: int
    end: int
    first: int
    last: int


def quotations(text: str, paragraphs: Sequence[Paragraph]) -> list[Quotation]:
    """The first `MOST_FRAMED` quotations in `text`, whose lines are `paragraphs`, in order. A document's
    title is not a quotation ("the programme 'A Clear Signal'")."""
    blocks = [*_blocks(text, paragraphs)]
    begins = [one.start for one in blocks]

    def is_free(place: int) -> bool:
        number = bisect_right(begins, place)
        return not number or blocks[number - 1].end <= place

    found = sorted([*(each for each in _marked(text) if is_free(each.start)), *blocks])
    lines = _Lines(paragraphs)
    framed: list[Quotation] = []
    for number, each in enumerate(found[:MOST_FRAMED]):
        since = framed[-1].end if framed else 0
        until = found[number + 1].start if number + 1 < len(found) else len(text)
        made = _Surroundings(text, lines, each, since, until).framed()
        if not _is_title(made):
            framed.append(made)
    return framed


def _is_title(found: Quotation) -> bool:
    """Whether the words in marks are the title of a document or the name of something else."""
    words = found.words.split()
    if _CALLED().search(found.before) and len(words) <= _LONGEST_TITLE:
        return True
    if _ENDS.search(found.words) or len(words) > _LONGEST_TITLE or found.words[:1].islower():
        return False
    last = found.before.split()[-1:]
    return bool(last) and not last[0].endswith((":", ",")) and names_paper(last[0])


# Marks


def _marked(text: str) -> Iterator[_Stretch]:
    """The text between marks; single marks around a word or two do not count."""
    at = 0
    while (opening := _MARK.search(text, at)) is not None:
        at = opening.end()
        closing = _closing(text, opening) if _opens(text, opening) else None
        if closing is None:
            continue
        if opening[0] in _SINGLE and len(text[opening.end() : closing[0]].split()) <= _SCARE:
            continue
        yield _Stretch(opening.start(), closing[1], opening.end(), closing[0])
        at = closing[1]


def _opens(text: str, mark: re.Match[str]) -> bool:
    before, after = _neighbours(text, mark)
    if mark[0] not in _CLOSERS or not after:
        return False
    if mark[0] in _GUILLEMETS:
        return not before.isalnum()
    if after.isspace() or (mark[0] == "'" and _ELIDED.match(text, mark.end())):
        return False
    return mark[0] in _ANYWHERE or not before or bool(_CAN_STAND_BEFORE.match(before))


def _neighbours(text: str, mark: re.Match[str]) -> tuple[str, str]:
    """The characters before and after a mark, if there are any."""
    return text[max(0, mark.start() - 1) : mark.start()], text[mark.end() : mark.end() + 1]


def _closes(text: str, mark: re.Match[str], opening: str) -> bool:
    before, after = _neighbours(text, mark)
    if mark[0] not in _CLOSERS[opening]:
        return False
    return mark[0] in _GUILLEMETS or not (before.isspace() or after.isalpha())


def _closing(text: str, opening: re.Match[str]) -> tuple[int, int] | None:
    """Start and end of the closing mark; the end of the paragraph if it was forgotten."""
    kind, depth, possessive = opening[0], 0, None
    lines, counted = 0, opening.end()
    for mark in _MARK.finditer(text, opening.end(), opening.end() + LONGEST):
        lines += text.count("\n", counted, mark.start())
        counted = mark.start()
        if lines >= MOST_PARAGRAPHS or (lines and possessive):
            break
        if lines and text[mark.start() - 1] == "\n" and mark[0] in (kind, *_CLOSERS[kind]):
            continue  # each of its paragraphs opens anew
        if _closes(text, mark, kind):
            if not depth and not _is_possessive(text, mark, kind):
                return mark.span()
            possessive = mark.span() if not depth else None
            depth = max(0, depth - 1)
        elif mark[0] == kind and _opens(text, mark):
            if lines or depth >= _DEEPEST:
                break  # nobody has closed the one before
            depth += 1
    return possessive or _forgotten(text, opening)


def _is_possessive(text: str, mark: re.Match[str], opening: str) -> bool:
    """Whether a mark may be an apostrophe at the end of a word: "the workers' rights"."""
    ends_in_s = text[mark.start() - 1].casefold() == "s"
    return opening in _APOSTROPHES and ends_in_s and not _PUNCTUATED.match(text, mark.end())


def _forgotten(text: str, opening: re.Match[str]) -> tuple[int, int] | None:
    """The end of the paragraph, if the rest of it may be a quotation without its last mark."""
    longest = opening.end() + LONGEST
    line = text.find("\n", opening.end(), longest + 1)
    line = min(len(text), longest + 1) if line < 0 else line
    if line > longest or opening[0] in _SINGLE:
        return None
    rest = text[opening.end() : line].rstrip()
    ends = _ENDS.search(rest, max(0, len(rest) - _LONGEST_END))
    return (line, line) if ends and len(rest.split(None, _SCARE)) > _SCARE else None


# Paragraphs that are quotations


def _blocks(text: str, paragraphs: Sequence[Paragraph]) -> Iterator[_Stretch]:
    """The quotations that are paragraphs of their own, without their signature."""
    number = 0
    while number < len(paragraphs):
        last = number
        while last < len(paragraphs) and _is_set_off(text, paragraphs, last):
            last += 1
        for first, end in _apart(text, paragraphs, number, last):
            yield _block(text, paragraphs[first:end])
        number = max(last, number + 1)


def _apart(text: str, paragraphs: Sequence[Paragraph], first: int, end: int) -> Iterator[tuple[int, int]]:
    """The quotations in consecutive set-off paragraphs. In a plain text an empty line separates them; a file
    does not show it: there each is a quotation of whole sentences, unless all have one source below them."""
    begun, signed = first, _is_source(text, paragraphs[end - 1]) if end - first > 1 else False
    for number in range(first + 1, end):
        own, above = paragraphs[number], paragraphs[number - 1]
        if own.set_off and above.set_off:
            said = text[above.start : above.end]
            whole = _ENDS.search(said) is not None and not said.rstrip().endswith(":")
            ended = whole or _LAST_BRACKET.search(said) is not None
            parted = not signed and ended and _BEGINS.match(text, own.start) is not None
        else:
            parted = text.count("\n", above.end, own.start) > 1
        if parted and not _is_source(text, own):
            yield begun, number
            begun = number
    if begun < end:
        yield begun, end


def _is_set_off(text: str, paragraphs: Sequence[Paragraph], number: int) -> bool:
    """Whether a paragraph is set off by its file, by ">", or by a colon before it and a source at its end."""
    own = paragraphs[number]
    if own.set_off or text.startswith(">", own.start):
        return True
    above = text[paragraphs[number - 1].start : paragraphs[number - 1].end] if number else ""
    said = text[own.start : own.end]
    source = _LAST_BRACKET.search(said) if above.rstrip().endswith(":") and not _MARK.match(said) else None
    return bool(source and _ENDS.search(said[: source.start()]) and any(map(str.isdigit, source["inner"])))


def _is_source(text: str, paragraph: Paragraph) -> bool:
    """Whether a paragraph only gives the source of the one above it."""
    said = _QUOTED_LINE.sub("", text[paragraph.start : paragraph.end], count=1)
    return _SOURCE().fullmatch(said) is not None


def _block(text: str, own: Sequence[Paragraph]) -> _Stretch:
    if len(own) > 1 and _is_source(text, own[-1]):
        own = own[:-1]
    start, end = own[0].start, own[-1].end
    for signature in (_LAST_BRACKET, _LAST_DASH):
        found = signature.search(text[start:end])
        end = start + found.start() if found and found.start() else end
    sign = _QUOTED_LINE.match(text, start)
    first = sign.end() if sign else start
    opening, closing = _MARK.match(text, first), re.search(r"[“”\"«»‘’'›‹]\s*$", text[first:end])
    if opening and closing and opening[0] in _CLOSERS:
        inner = opening.end(), first + closing.start()
        if inner[0] < inner[1] and not _MARK.search(text[inner[0] : inner[1]]):
            return _Stretch(start, end, *inner)
    return _Stretch(start, end, first, end)


# What surrounds them


@dataclass(frozen=True)
class _Lines:
    """The lines of a text, looked up by offset."""

    paragraphs: Sequence[Paragraph]

    @cached_property
    def _starts(self) -> list[int]:
        return [each.start for each in self.paragraphs]

    def number_at(self, place: int) -> int:
        """The number of the line that contains an offset; 0 if none does."""
        number = max(0, bisect_right(self._starts, place) - 1)
        return number if self.paragraphs[number].end >= place else 0

    def behind(self, place: int) -> Paragraph | None:
        """The first line that begins after an offset."""
        number = bisect_right(self._starts, place)
        return self.paragraphs[number] if number < len(self.paragraphs) else None


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """A quotation in its text; `since` is where the previous one ends, `until` where the next one begins."""

    text: str
    lines: _Lines
    found: _Stretch
    since: int
    until: int

    def framed(self) -> Quotation:
        """The quotation with its surroundings."""
        words = self.text[self.found.first : self.found.last]
        after, signed = self._sequel()
        before = self._before()
        return Quotation(
            start=self.found.start,
            end=self.found.end,
            words="\n".join(map(_without_sign, words.split("\n"))).strip(),
            before=before,
            behind=after,
            signed=signed,
            goes_on=self._goes_on(before, after, signed),
        )

    def _is_below_another(self) -> bool:
        """Whether it is set off directly below another set-off quotation."""
        number = self.lines.number_at(self.found.start)
        near = self.lines.paragraphs[max(0, number - 1) : number + 1]
        return len(near) > 1 and all(each.set_off or self.text.startswith(">", each.start) for each in near)

    def _before(self) -> str:
        """Its introduction: from its own sentence, or the last one above if that ends in a colon."""
        start = self.found.start
        number = self.lines.number_at(start)
        own = self.lines.paragraphs[number]
        near = max(own.start, start - _LONGEST_BEFORE)
        begins = max(near + _last_sentence(self.text[near:start]), min(self.since, start))
        before = self.text[begins:start].strip()
        if before or not number or self.text[own.start : start].strip():
            return before
        above = self.lines.paragraphs[number - 1]
        preceding = self.text[max(above.start, self.since) : above.end].rstrip()
        return preceding[_last_sentence(preceding) :] if preceding.endswith(":") else ""

    def _sequel(self) -> tuple[str, bool]:
        """What follows it and may give its source, and whether that is separate from the sentence."""
        line = self.text.find("\n", self.found.end)
        rest = self.text[self.found.end : min(len(self.text) if line < 0 else line, self.until)]
        if bracket := _BRACKET.match(rest):
            return bracket["inner"].strip(), True
        if dash := _DASH.match(rest):
            return _first_sentence(dash["said"]), True
        if rest.strip(" .,;:!?"):
            clause = _CLAUSE.match(rest)
            return (_first_sentence(clause["said"]) if clause and clause["said"][0].islower() else ""), False
        below = self.lines.behind(self.found.end)
        if below is None or below.start >= self.until:
            return "", False
        source = _SOURCE().fullmatch(self.text[below.start : below.end])
        short = source is not None and len(source["said"].split()) <= _MOST_BEHIND
        return (source["said"].strip(), True) if source and short else ("", False)

    def _goes_on(self, before: str, behind: str, signed: bool) -> bool:
        """Whether its source is that of the previous one: between them is only a joining word or the end of
        the other's sentence, or the text says that it continues."""
        if not self.since:
            return False
        between = self.text[self.since : self.found.start]
        if _GOES_ON().search(before) or (signed and _GOES_ON().match(behind)):
            return True
        if not between.strip(" \n>") and not behind and self._is_below_another():
            return True
        if "\n" in between or (before and not _JOINS().fullmatch(before)):
            return False
        ended = between.strip(" ,–—-")
        complete = sentences(ended, detect(ended)[0]) if ended else []
        return bool(_JOINS().fullmatch(between)) or (not behind and len(complete) == 1 and ended[0].islower())


def _without_sign(line: str) -> str:
    """A further paragraph of a quotation, without its repeated opening mark or its ">"."""
    line = _QUOTED_LINE.sub("", line, count=1)
    mark = _MARK.match(line)
    if mark is None or mark[0] in _APOSTROPHES or _MARK.search(line, mark.end()):
        return line
    return line[mark.end() :].lstrip()


def _last_sentence(before: str) -> int:
    """Where the last sentence of `before` begins; its end if that sentence is complete."""
    found = sentences(f"{before.rstrip()} X", detect(before)[0]) if before.strip() else []
    return min(found[-1][0], len(before)) if found else len(before)


def _first_sentence(text: str) -> str:
    found = sentences(text, detect(text)[0])
    return text[found[0][0] : found[0][1]].rstrip(" .!?") if found else ""


_MOST_WORDS = 14
"""Maximum words of a remark; more are a separate text."""
_MOST_JUDGING = 8
"""The same for a remark with an opinion on the words ("and that is a good thing")."""
_MOST_EXCLAIMED = 3
_LEAST_ASKED = 3
"""Minimum words of a question before the quoted words; fewer may be a name ("X? ...")."""
_SEPARATE = re.compile(r"\s*(?:[,;:…(]|[–—-]{1,2}\s|[.!?]+(?=\s))|\s*\n")
"""Separators between a remark and quoted words without a full stop."""
_EDGES = ' \n\t.,;:!?…()–—-„“”"«»'
_STOPPED = re.compile(r"[.!?…]\W*$")
_JUDGING = pattern(r"(?:{remarks.joining})?\s?(?:{remarks.judging})(?!\w)", re.IGNORECASE)
_SINGULAR = pattern(r"\b(?:{voices.singular})\b", re.IGNORECASE)
_FEELING = pattern(r"\b(?:{remarks.feeling})\b", re.IGNORECASE)
_SAYING = pattern(r"(?:{voices.saying}|{attribution.standing})\b", re.IGNORECASE)


_SAID_SOMEWHERE = pattern(r"\b(?:{voices.saying}|{attribution.standing})\b", re.IGNORECASE)
_OF_WORDS = pattern(r"(?<!\w)(?:{remarks.of_words})(?!\w)", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(
    r"(?:(?<=\w{4})\.[)\]]*\s+(?=[^\W\d_a-zäöüéèàç])"
    r"|(?<![!?…])(?:[!?…]|(?<!\.)\.{2,}+)++[)\]]*\s+(?=\S))"
)
"""Possessive, and never begun within a run of signs: a row of dots would take twice as long with each dot."""


def remarks_round(before: str, quoted: str, behind: str) -> tuple[str, str]:
    """The remarks before and after the words `quoted` (with their marks): separate sentences, or set apart by
    a sign, that ask about the words or give an opinion on them. Empty if the text there may continue the
    quoted sentence or give its source."""
    begins = next(filter(str.isalnum, quoted), "")
    if not (begins.isupper() or begins.isdigit()):
        return "", ""
    leads = before.rstrip().endswith((":", ".", "!", "?", "…", "–", "—")) and _is_remark(before, leading=True)
    stopped = bool(_STOPPED.search(quoted)) and behind[:1].isspace()
    follows = (stopped or _SEPARATE.match(behind)) and _is_remark(behind)
    return before if leads else "", behind if follows else ""


def without_asides(before: str, names_source: Callable[[str], bool]) -> str:
    """The text before a quote without sentences that speak neither of the words nor of who said them, and
    name no source: "Come on, people.". The last one, which leads to the quote, stays."""
    ends = [0, *(found.end() for found in _SENTENCE_ENDS.finditer(before)), len(before)]
    *own, last = [before[start:end] for start, end in pairwise(ends)]
    return "".join(each for each in own if _speaks_of_words(each) or names_source(each)) + last


def _speaks_of_words(sentence: str) -> bool:
    """Whether a sentence may say whose words are quoted, or whether they are true."""
    said = [word.folded for word in tokens(sentence)]
    if len(said) <= _MOST_EXCLAIMED or "?" in sentence or any(map(str.isdigit, sentence)):
        return True
    untrue = not words("attribution.untrue").isdisjoint(said)
    return untrue or bool(_SAID_SOMEWHERE().search(sentence) or _OF_WORDS().search(sentence))


def goes_on(behind: str) -> bool:
    """Whether the words after a quote continue its sentence, or say to whom or when it applies."""
    following = [word.folded for word in tokens(behind)]
    adds = not words("remarks.going_on").isdisjoint(following[:1])
    return (adds or not words("remarks.applying").isdisjoint(following[:3])) and not _judges(
        behind, following
    )


def _is_remark(around: str, *, leading: bool = False) -> bool:
    """Whether `around` is a remark; an introduction to the words is not one if it may be a name ("X:
    ...")."""
    text = around.strip(_EDGES)
    folded = [word.folded for word in tokens(text)]
    if not 0 < len(folded) <= _MOST_WORDS or any(letter.isdigit() for letter in text):
        return False
    if not words("remarks.promising").isdisjoint(folded) or _SAYING().match(text):
        return False
    if leading and turns(text, behind=False):
        return False
    if _judges(text, folded) or (_SINGULAR().search(text) and _FEELING().search(text)):
        return True
    if goes_on(text):
        return False
    if "?" in around and not (leading and len(folded) < _LEAST_ASKED):
        return True
    exclaims = len(folded) == 1 or (
        len(folded) <= _MOST_EXCLAIMED and folded[0] in words("remarks.exclaiming")
    )
    return exclaims and not leading and not _turns(text)


def _judges(text: str, said: Sequence[str]) -> bool:
    judging = _JUDGING().match(text.lstrip(_EDGES))
    if judging is None or len(said) > _MOST_JUDGING or not words("remarks.narrowing").isdisjoint(said):
        return False
    return not _turns(text)


def _turns(text: str) -> bool:
    """Whether `text` denies or limits something."""
    limited = leads_into(tokens_of((word, False, False) for word in text.split())) is not None
    return limited or turns(text, behind=True)
