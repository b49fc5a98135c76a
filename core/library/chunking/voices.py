"""Whose words a sentence contains: detects what a document says in somebody else's name.

A sentence seldom shows that by itself. Its context does: the marks of a quotation over several sentences, how
it is set off, the name under a testimony, the heading over a list of what others want, the label of a myth,
the answer to a thesis, the reporting sentence before it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise, takewhile

from core.evidence.skeleton import skeleton
from core.evidence.text import legible
from core.language.patterns import pattern
from core.language.sentences import sentences
from core.library.chunking.attribution import Speakers, is_in_our_name, is_named_other, is_of_others
from core.library.chunking.layout import Paragraph, ParagraphRole
from core.library.chunking.refutations import (
    attributes,
    calls_its_own,
    disagrees,
    goes_on_itself,
    means_several,
    opens,
    opens_clause,
    refutes,
    speaks_itself,
    tells_what_came,
)

_CLOSERS = {"„": "“”", "“": "”“", "”": "”", "‟": "”", "»": "«", "«": "»", '"': '"'}
_MIXED = frozenset('“”"')
"""Closes any other mark in the same paragraph."""
_BEFORE = frozenset(" \n\t([–—-/:\u00a0\u202f")
_LONGEST = 3_000
"""Maximum characters of a quotation; a mark not closed within them is stray."""
_TELLING_WORDS = 4
_NAME_WORDS = 14
_HEADING_WORDS = 12
_LABEL_WORDS = 4
_REPEATED = 20
"""Minimum characters of a skeleton that is not repeated by chance."""
_TURN_PARAGRAPHS = 3
"""Maximum paragraphs of a speaker before the document answers."""
_MOST_TOLD = 10
"""Maximum sentences reported from others before the document calls them wrong."""
_INDENTED, _INDENTED_SHARE = 300, 0.4
"""Number of words, and share of a document's words, above which being set off means nothing."""
_STOP = re.compile(r"[.!?…:;][\"'”“»«’)\]]*$")
_NUMBER_ALONE = re.compile(r"\W*[^\W\d]{0,2}\d{1,3}\W*")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_ALONE = re.compile(r"\W{0,3}[„“\"«»][^„“”\"«»]+[“”\"«»]\W{0,2}", re.DOTALL)
_MARK = re.compile('[„“”"»«‟]')
_I = re.IGNORECASE

_OWN = pattern(r"\b(?:{voices.own})", _I)
_OURS = pattern(r"\b(?:{voices.ourselves})\b", _I)
_MINE = pattern(r"\b(?:{voices.singular})\b", _I)
_LABEL = pattern(r"^\W*(?:{voices.labels})(?:\s+(?:nr\.?\s*|no\.?\s*|n°\s*)?\d+)?\s*(?:[:–—-]|[.)]?$)", _I)
_ANSWER = pattern(r"^\W*(?:{voices.answers})(?:\s+\d+)?\s*(?:[:–—-]|\b)", _I)
_POSITION = pattern(r"^\W*(?:{voices.answer_labels})\b", _I)
_THESIS = pattern(r"^\W*(?:{voices.theses})(?:\s+\d+)?\s*(?:[:–—-]|[.)]?$)", _I)
_REJECTION = pattern(
    r"^\W*(?:(?:{voices.answer_labels})\s*[:–—-]?\s*)?\W*(?:{voices.rejections})"
    r"(?:\W*$|\s*[.;:!–—]|,?\s(?:{voices.why_not})\b)",
    _I,
)
_DOUBTS = pattern(r"^\W*(?:{voices.refuting}|{voices.objecting})", _I)
_CONTRASTS = pattern(r"^\W*(?:{voices.contrasting})", _I)
_COUNTERS = pattern(r"\b(?:{voices.contrasting}|{voices.objecting})", _I)
_POINTS = pattern(r"\b(?:{voices.pointing})\b", _I)
_DOUBTED = pattern(r"\W*(?:{voices.doubting})\s+", _I)
_MEANS_US = pattern(r"\b(?:{voices.our}|uns|us|nous)\b(?=\W*$)", _I)
_SOURCE = pattern(r"\W*(?:{voices.sources})\b", _I)
_NAMED = re.compile(r"^\W*(?P<who>[^\W\d]+(?: [^\W\d]+){0,2})\s?:\s+(?P<said>\S)")
_TURN = re.compile(
    r"^\W*(?P<who>[A-ZÄÖÜÉ][\w'’-]+(?: (?:de[rsu]?|of|the|la|[A-ZÄÖÜÉ][\w'’-]*)){0,3})\s?:\s+(?=[\w«„“\"])"
)
_ROLED_TURN = re.compile(
    r"^\W*(?P<who>[A-ZÄÖÜÉ][\w.'’-]+(?: [A-ZÄÖÜÉ][\w.'’-]+){0,3}"
    r"(?: \([^)]{2,40}\)|, [^:.!?]{2,40}))\s?:\s+(?=[\w«„“\"])"
)
"""Matches a turn of somebody named with an office or a body."""
_ADDRESSES = pattern(r"(?:{voices.addressing})\b")
_FAVOURS = pattern(r"\W*(?:{voices.favouring})\W*", _I)
_LETTER = pattern(r"^\W*(?P<to>(?:{voices.salutations})\b[^.!?:]{0,60}?)[,!:–—](?:\s|$)", _I)
_FAREWELL = pattern(r"^\W*(?:{voices.farewells})\b", _I)
_TO_MEMBERS = pattern(r"\b(?:{voices.members})", _I)
_DASHED = re.compile(r"[–—→⇒-]\s")
_MOST_WRITTEN = 30
"""Maximum sentences of a letter."""
_READER = pattern(r"\W*(?:{voices.somebody})\b", _I)
_NOTES = pattern(r"^\W*(?:{voices.notes})\b", _I)
_US = pattern(r"^\W*(?:{voices.ourselves}|{voices.answers})\W*$", _I)
_SPEAKS = pattern(r"\b(?:{voices.saying})\b(?!-)", _I)
_INDIRECT = pattern(r"\b(?:{voices.subjunctive}|{voices.that})\b")
_SUBJUNCTIVE = pattern(r"\b(?:{voices.subjunctive})\b")
_NAME = r"[A-ZÄÖÜÉ][\w.'’-]*(?:\s+(?:von|van|de|zu|der|[A-ZÄÖÜÉ][\w.'’-]*)){0,3}"
_SIGNED = re.compile(
    rf"^\W*(?:[–—-]\s*|\(){_NAME}\s*(?:\(\d{{2}}\))?(?P<more>,[^.!?]{{2,90}})?[).]*$"
    rf"|^{_NAME}\s*(?:,\s*\d{{2}}\b[^.!?]{{0,90}}|\(\d{{2}}\)[^.!?]{{0,90}})$"
)
_UNDER = re.compile(r"\W*(?:[–—―~]|--?|\()\s*\w")
"""Signs that introduce a name below a quotation."""
_SIGNED_BEHIND = re.compile(
    rf"[.!?…][“”\"«»]*\s*(?:[–—-]\s*|\(){_NAME}(?:\s*\(\d{{2}}\))?(?:,[^.!?]{{2,90}})?[).]*$"
)


@dataclass(slots=True, eq=False)
class _Sentence:
    """A sentence: its paragraph's number, its range there, and its start in the whole text. `told_from` is
    where the words of others that it introduces begin."""

    paragraph: int
    start: int
    end: int
    at: int
    text: str
    others: bool = False
    quoted: bool = False
    told_from: int = -1

    @property
    def until(self) -> int:
        """Its end in the whole text."""
        return self.at + self.end - self.start


@dataclass(eq=False)
class _Reading:
    """The paragraphs in order, and their sentences."""

    paragraphs: Sequence[Paragraph]
    speakers: Speakers
    text: str = ""
    sentences: list[_Sentence] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)  # the first sentence of each paragraph

    @cached_property
    def indents(self) -> bool:
        """Whether so much is set off that this means nothing."""
        words = [(_words(each.text), each.set_off) for each in self.paragraphs]
        set_off = sum(count for count, is_set_off in words if is_set_off)
        return set_off > max(_INDENTED, _INDENTED_SHARE * sum(count for count, _ in words))

    @cached_property
    def running(self) -> str:
        """The skeleton of the text that is not set off."""
        return skeleton("\n".join(each.text for each in self.paragraphs if not each.set_off))

    def is_ours(self, name: str) -> bool:
        """Whether the person named is the document's party or speaks for it, according to the name or a
        sentence containing it."""
        if self.speakers.is_own(name):
            return True
        found = re.search(_NAME, name)
        if found is None or " " not in found[0]:
            return False
        pattern = re.compile(rf"\b{re.escape(found[0])}\b")
        told = (each.text for each in self.sentences if not self.paragraphs[each.paragraph].set_off)
        return any(self.speakers.is_own(text) for text in told if pattern.search(text))

    def is_running(self, paragraph: int) -> bool:
        """Whether it is running text and not set off."""
        own = self.paragraphs[paragraph]
        return own.role is ParagraphRole.TEXT and not (own.listed or own.set_off)

    def of(self, paragraph: int) -> list[_Sentence]:
        """The sentences of a paragraph."""
        if not 0 <= paragraph < len(self.paragraphs):
            return []
        ends = [*self.firsts[1:], len(self.sentences)]
        return self.sentences[self.firsts[paragraph] : ends[paragraph]]


def mark_others(paragraphs: Sequence[Paragraph], language: str, names: Sequence[str] = ()) -> None:
    """Set `others` of each paragraph: the ranges of its text that are somebody else's words. `names` are
    those of the document's author (`own_names`). Linear."""
    reading = _read(paragraphs, language, Speakers(tuple(names), language == "de"))
    for rule in _RULES:
        rule(reading)
    for number, paragraph in enumerate(paragraphs):
        said = [
            (each.start if each.others else each.start + each.told_from, each.end)
            for each in reading.of(number)
            if each.others or each.told_from >= 0
        ]
        paragraph.others = tuple(_joined(said))


def names_claims(name: str) -> bool:
    """Whether a column of this name contains false claims ("Myth")."""
    return bool(_LABEL().search(name))


def names_theses(name: str) -> bool:
    """Whether a column of this name contains theses to agree or disagree with."""
    return bool(_THESIS().search(name))


def names_answers(name: str) -> bool:
    """Whether a column of this name contains the document's answers."""
    return bool(_ANSWER().search(name) or _POSITION().search(name))


def names_notes(name: str) -> bool:
    """Whether a column of this name contains comments on a row, whoever makes them ("Reason")."""
    return bool(_NOTES().search(name))


def names_us(name: str) -> bool:
    """Whether a column of this name contains what "we" say."""
    return bool(_US().search(name))


def rejects(text: str) -> bool:
    """Whether an answer is "no"."""
    return bool(_REJECTION().search(text))


def _read(paragraphs: Sequence[Paragraph], language: str, speakers: Speakers) -> _Reading:
    reading = _Reading(paragraphs, speakers)
    parts, at = [], 0
    for number, paragraph in enumerate(paragraphs):
        text = paragraph.text
        reading.firsts.append(len(reading.sentences))
        if paragraph.role in (ParagraphRole.HEADING, ParagraphRole.ROW):
            found = [(0, len(text))]
        else:
            found = paragraph.sentences = list(sentences(text, language))
        for start, end in found:
            reading.sentences.append(_Sentence(number, start, end, at + start, _plain(text[start:end])))
        parts.append(text)
        at += len(text) + 1
    reading.text = "\n".join(parts)
    return reading


def _plain(text: str) -> str:
    """`text` with ligatures resolved, which would hide words from every rule."""
    return legible(text) if _LIGATURE.search(text) else text


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges with adjacent ones merged."""
    found: list[tuple[int, int]] = []
    for start, end in ranges:
        if found and start - found[-1][1] <= 1:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _is_short(paragraph: Paragraph) -> bool:
    """Whether it is a heading for what follows, by its role or its looks."""
    text = paragraph.text
    looks = len(text.split()) <= _HEADING_WORDS and not (paragraph.listed or _STOP.search(text))
    return paragraph.role is ParagraphRole.HEADING or looks or text.rstrip().endswith(":")


def _words(text: str) -> int:
    return len(text.split())


# Quotations


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of quotations, including the marks; unpaired marks are ignored."""
    opened = -1
    for found in _MARK.finditer(text):
        at, mark = found.start(), found[0]
        before = text[at - 1] if at else " "
        behind = text[at + 1] if at + 1 < len(text) else " "
        opens = mark == "„" or (before in _BEFORE and (not behind.isspace() or mark in "«»"))
        closes = not before.isspace() or (mark in "«»" and not behind.isalnum())
        if opened >= 0 and at - opened > _LONGEST:
            opened = -1
        if opened < 0:
            opened = at if opens else -1
        elif closes and not (behind.isalnum() and before in _BEFORE) and _closes(text, opened, at):
            yield opened, at + 1
            opened = -1
        elif mark == text[opened] and opens and before != "\n":
            opened = at  # the previous one was never closed


def _closes(text: str, opened: int, at: int) -> bool:
    """Whether the mark at `at` is of the kind that closes the one at `opened`; in a different paragraph it
    must be at the end of a sentence."""
    alike = text[at] in _CLOSERS[text[opened]]
    if "\n" not in text[opened:at]:
        return alike or (text[at] in _MIXED and text[opened] in '„“”"‟')
    return alike and _ends_sentence(text, at)


def _ends_sentence(text: str, at: int) -> bool:
    return text[:at].rstrip(" \u00a0\u202f")[-1:] in tuple(".!?…") or text[at + 1 : at + 2] in (
        ".",
        "!",
        "?",
        ",",
    )


def _quotations(reading: _Reading) -> None:
    for start, end in _spans(reading.text):
        if _words(reading.text[start:end]) < _TELLING_WORDS:
            continue
        touched = [each for each in reading.sentences if each.at < end and start < each.until]
        crossed = {each.paragraph for each in touched[1:]}
        if any(reading.paragraphs[n].role is ParagraphRole.HEADING for n in crossed):
            continue
        inside = [each for each in touched if each.at >= start - 1 and min(end, each.until) - each.at > 2]
        if (
            not inside
            or not _ends_sentence(reading.text, end - 1)
            or _is_own(reading, touched[0], start, end)
        ):
            continue
        for each in inside:
            each.quoted = True
        if len(touched) > 1 or _is_attributed(reading, inside[0]):
            _mark(inside)
            if touched[0] is not inside[0]:
                touched[0].told_from = start - touched[0].at


def _quoted_alone(reading: _Reading) -> None:
    """Mark sentences that consist of a quotation where there are several: objections with a reply each. One
    that speaks of "us", or also occurs without marks, is a motto."""
    alone = [
        each
        for each in reading.sentences
        if each.quoted and _ALONE.fullmatch(each.text) and not _OURS().search(each.text)
    ]
    if len(alone) > 1:
        _mark(each for each in alone if not (_is_repeated(reading, each) or _is_below_ours(reading, each)))


def _is_repeated(reading: _Reading, sentence: _Sentence) -> bool:
    return reading.running.count(skeleton(sentence.text)) > 1


def _is_below_ours(reading: _Reading, sentence: _Sentence) -> bool:
    """Whether it stands directly below a heading that speaks of "us"."""
    above = reading.paragraphs[sentence.paragraph - 1] if sentence.paragraph else None
    return above is not None and above.role is ParagraphRole.HEADING and is_in_our_name(above.text)


def _is_own(reading: _Reading, first: _Sentence, start: int, end: int) -> bool:
    """Whether the text before a quotation, or after it in the same sentence, shows that its words are the
    document's own: its motto, the wording of a rule."""
    frame = _plain(reading.text[first.at : start])
    if _words(frame) < 1:
        before = _plain(reading.text[max(0, first.at - 300) : first.at]).rstrip()
        frame = re.split(r"(?<=[.!?])\s|\n(?=[^\n]*\n)", before)[-1] if before.endswith(":") else ""
    line = reading.text.find("\n", end)
    behind = _plain(reading.text[end : line if line >= 0 else len(reading.text)][:80])
    stop = re.search(r"[.!?]", behind)
    behind = behind[: stop.start()] if stop else behind
    named = reading.speakers.is_own(frame) or reading.speakers.is_own(behind)
    return bool(named or _OWN().search(frame) or _OWN().search(behind))


def _is_attributed(reading: _Reading, sentence: _Sentence) -> bool:
    """Whether a one-sentence quotation is introduced, refuted or in the first person."""
    if _words(sentence.text) <= _TELLING_WORDS or not _STOP.search(sentence.text):
        return False
    number = reading.sentences.index(sentence)
    before = reading.sentences[number - 1] if number else None
    behind = next((each for each in reading.sentences[number + 1 : number + 2]), None)
    introduced = (
        before is not None and before.text.rstrip().endswith(":") and bool(_SPEAKS().search(before.text))
    )
    refuted = behind is not None and bool(_DOUBTS().search(behind.text))
    return introduced or refuted or bool(_MINE().search(sentence.text))


# Labels, headings and lists


def _labelled(reading: _Reading) -> None:
    """Mark the text from "Myth:" up to "Fact:"."""
    claiming = False
    since = 0
    for each in reading.sentences:
        if _LABEL().search(each.text):
            claiming, since = True, each.paragraph
            each.others = _words(each.text) > _TELLING_WORDS
        elif _ANSWER().search(each.text) or _NAMED.match(each.text) or each.paragraph > since + 1:
            claiming = False
        elif claiming:
            each.others = not (_OURS().search(each.text) or _DOUBTS().search(each.text))
            claiming = each.others


def _under_headings(reading: _Reading) -> None:
    """Mark the text under a heading that attributes it to others, until the next heading of its rank."""
    kind, depth, by_role, contrasted = "", 0.0, False, False
    answered = _answered_headings(reading)
    for number, paragraph in enumerate(reading.paragraphs):
        if _is_short(paragraph):
            ends = paragraph.depth <= depth + 0.01 if paragraph.role is ParagraphRole.HEADING else not by_role
            told = "rejecting" if number in answered else _kind_of(_plain(paragraph.text), reading.speakers)
            if told:
                kind, depth, contrasted = told, paragraph.depth, False
                by_role = paragraph.role is ParagraphRole.HEADING
                continue
            if kind and ends and not paragraph.text.rstrip().endswith(":"):
                kind = ""
        own = reading.of(number)
        if kind and not paragraph.listed and _is_own_behind(reading, own):
            continue
        if kind == "rejecting":
            contrasted = _mark_rejected(own, contrasted and not paragraph.listed)
        else:
            _mark_under(kind, own)
        if paragraph.listed and (turned := _last_line(own, reading.speakers)) is not None:
            own[-1].others, kind, depth, by_role = False, turned, 0.0, False


def _mark_under(kind: str, own: Sequence[_Sentence]) -> None:
    if kind == "testimony":
        _mark_testimony(own)
    elif kind == "dropped":
        _mark(own)
    elif kind == "answered" and any(_DASHED.match(each.text) for each in own):
        _mark(takewhile(lambda each: not _DASHED.match(each.text), own))


def _last_line(own: Sequence[_Sentence], speakers: Speakers) -> str | None:
    """The kind of a heading that was read as the end of an item ("Pro", "Against"); None if there is none."""
    if len(own) < 2 or _words(own[-1].text) > 1 or _STOP.search(own[-1].text):
        return None
    return "" if _FAVOURS().fullmatch(own[-1].text) else _kind_of(own[-1].text, speakers) or None


def _is_own_behind(reading: _Reading, own: Sequence[_Sentence]) -> bool:
    """Whether a paragraph under a heading over others' words is the document's answer: the others' words
    precede it in quotation marks, and it has neither marks nor a first person."""
    if not own or any(_has_quotation(each) or _MINE().search(each.text) for each in own):
        return False
    before = reading.of(own[0].paragraph - 1)
    return any(map(_has_quotation, before)) and reading.is_running(own[0].paragraph)


def _has_quotation(sentence: _Sentence) -> bool:
    return sentence.quoted or any(
        _words(sentence.text[start:end]) >= _TELLING_WORDS for start, end in _spans(sentence.text)
    )


def _answered_headings(reading: _Reading) -> set[int]:
    """The headings next to one of the same rank that says what "we" want instead."""
    answered: set[int] = set()
    last: dict[float, int] = {}
    for number, paragraph in enumerate(reading.paragraphs):
        if paragraph.role is not ParagraphRole.HEADING:
            continue
        last = {depth: at for depth, at in last.items() if depth <= paragraph.depth + 0.01}
        beside = next((at for depth, at in last.items() if abs(depth - paragraph.depth) <= 0.01), None)
        last[paragraph.depth] = number
        if beside is not None:
            one, other = (_plain(reading.paragraphs[at].text) for at in (beside, number))
            answered |= {beside} if reading.speakers.is_answered_by(one, other) else set()
            answered |= {number} if reading.speakers.is_answered_by(other, one) else set()
    return answered


def _kind_of(heading: str, speakers: Speakers) -> str:
    return "" if _words(heading) > _HEADING_WORDS else speakers.heading_over(heading)


def _mark_rejected(own: Sequence[_Sentence], contrasted: bool) -> bool:
    """Mark sentences up to the one in which the document speaks for itself, as it does after quotation marks;
    returns whether there is one."""
    for each in _said_by_others(own):
        contrasted = contrasted or bool(_CONTRASTS().search(each.text)) or speaks_itself(each.text)
        each.others = each.others or not contrasted
    return contrasted


def _mark_testimony(own: Sequence[_Sentence]) -> None:
    text = " ".join(each.text for each in own)
    ours = _OURS().search(text) and not (_MINE().search(text) or any(each.quoted for each in own))
    for each in takewhile(lambda one: not _ANSWER().search(one.text), _said_by_others(own)):
        each.others = each.others or not ours


def _said_by_others(own: Sequence[_Sentence]) -> Sequence[_Sentence]:
    """The sentences of a paragraph up to the last one in quotation marks; all of them if none is, or if it is
    in the first person."""
    quoted = [number for number, each in enumerate(own) if _has_quotation(each)]
    if not quoted or any(_MINE().search(each.text) for each in own[quoted[-1] + 1 :]):
        return own
    return own[: quoted[-1] + 1]


def _listed(reading: _Reading) -> None:
    """Mark the items after "Our opponents claim:"."""
    leading, first, as_us = False, True, False
    for number, paragraph in enumerate(reading.paragraphs):
        listed = paragraph.listed or paragraph.role is ParagraphRole.ITEM
        if leading and listed:
            for each in reading.of(number):
                as_us = speaks_itself(each.text) if first else as_us
                each.others = not _speaks_again(each.text, as_us)
                first = False
            continue
        first = True
        own = reading.of(number)
        leading = bool(own) and own[-1].text.rstrip().endswith(":") and _leads_others(reading, own[-1].text)


def _leads_others(reading: _Reading, text: str) -> bool:
    return is_of_others(text) or reading.speakers.told_from(text) is not None


# Introduced and set-off text


def _doubted(reading: _Reading) -> None:
    """Mark a sentence that begins by doubting its speaker ("If you believe the minister, ..."), unless it
    goes on to state the facts."""
    for each in reading.sentences:
        found = _DOUBTED().match(each.text)
        if found is None or _MEANS_US().search(found[0]) or reading.speakers.is_own(found[0]):
            continue
        if not any(map(goes_on_itself, each.text[found.end() :].split(", ")[1:])):
            each.told_from = found.end()


def _led_into(reading: _Reading) -> None:
    """Mark the text after a sentence that introduces others' words without quotation marks ("The chamber
    says: A. B. C."), up to the end of its paragraph or until the document speaks for itself again."""
    for number, each in enumerate(reading.sentences[:-1]):
        if each.others or reading.paragraphs[each.paragraph].role is ParagraphRole.HEADING:
            continue
        start = reading.speakers.told_from(each.text)
        if start is None:
            continue
        following = reading.sentences[number + 1]
        below = start == len(each.text) and reading.is_running(following.paragraph)
        paragraph = following.paragraph if below else each.paragraph
        as_us = speaks_itself(following.text if below else each.text[start:])
        told = list(
            takewhile(
                lambda other: other.paragraph == paragraph and not _speaks_again(other.text, as_us),  # noqa: B023
                islice(reading.sentences, number + 1, None),
            )
        )
        _mark(told)
        if told and not below:
            each.told_from = start


def _speaks_again(text: str, as_us: bool) -> bool:
    """Whether a document that was reporting others' words speaks for itself again; `as_us`: the others call
    themselves "we"."""
    if _DOUBTS().search(text) or _CONTRASTS().search(text) or tells_what_came(text):
        return True
    return speaks_itself(text) and not (as_us and not _COUNTERS().search(text))


def _set_off(reading: _Reading) -> None:
    """Mark what the source file sets off as a quotation as others' words, unless it repeats or emphasises the
    document's own words, or is merely indented."""
    number = 0
    while number < len(reading.paragraphs):
        end = number + 1
        if reading.paragraphs[number].set_off:
            while end < len(reading.paragraphs) and reading.paragraphs[end].set_off:
                end += 1
            _mark_set_off(reading, number, end)
        number = end


def _mark_set_off(reading: _Reading, first: int, end: int) -> None:
    """Mark the paragraphs from `first` to before `end`, split at names below quotations."""
    start = first
    for number in range(first, end):
        text, stop = _plain(reading.paragraphs[number].text), number + 1
        if number > start and _is_byline(text):
            byline = text
        elif found := _SIGNED_BEHIND.search(text):
            byline = text[found.start() :]
        elif stop < end:
            continue
        else:
            below = _plain(reading.paragraphs[end].text) if end < len(reading.paragraphs) else ""
            byline = below if _UNDER.match(below) and _words(below) <= _NAME_WORDS else ""
            stop += bool(byline)
        if not (reading.is_ours(byline) if byline else _says_itself(reading, start, number + 1)):
            _mark([each for n in range(start, stop) for each in reading.of(n)])
        start = number + 1


def _is_byline(text: str) -> bool:
    """Whether a paragraph names the speaker of the text above."""
    if _words(text) > _NAME_WORDS or _STOP.search(text):
        return False
    return bool(_UNDER.match(text) or text[:1].isupper() or _SOURCE().match(text))


def _says_itself(reading: _Reading, first: int, end: int) -> bool:
    """Whether a set-off text without a named speaker is the document's own."""
    own = [each for number in range(first, end) for each in reading.of(number)]
    text = " ".join(each.text for each in own)
    above, below = reading.of(first - 1), reading.of(end)
    lead = _plain(above[-1].text).rstrip() if above else ""
    leads = lead.endswith(":")
    if below and (
        attributes(below[0].text, reading.speakers) or any(disagrees(each.text) for each in below[:2])
    ):
        return False
    if below and calls_its_own(below[0].text):
        return True
    if leads and (reading.is_ours(lead) or _OWN().search(lead) or _OURS().search(lead)):
        return not is_of_others(lead)
    if _SPEAKS().search(lead) and not _OURS().search(lead):
        return False
    if leads and _POINTS().search(lead):
        return True
    if leads and _words(lead) > _LABEL_WORDS:
        return False
    if _repeats(reading, own) or _is_indented(reading, first, end):
        return True
    if text[:1] in _CLOSERS or _MINE().search(text):
        return False
    if reading.indents:
        return True
    label = text.partition(":")[0]
    return bool(_OURS().search(text)) or (label != text and _words(label) <= _LABEL_WORDS)


def _repeats(reading: _Reading, own: Sequence[_Sentence]) -> bool:
    """Whether the text is repeated elsewhere (a pull quote)."""
    keys = [key for each in own if len(key := skeleton(each.text)) >= _REPEATED]
    return bool(keys) and all(key in reading.running for key in keys)


def _is_indented(reading: _Reading, first: int, end: int) -> bool:
    """Whether a block has headings or numbered items, so that it is merely indented and no quotation."""
    roles = {each.role for each in reading.paragraphs[first:end]}
    return not roles.isdisjoint((ParagraphRole.HEADING, ParagraphRole.ITEM, ParagraphRole.ROW))


# Names, answers, reports


def _signed(reading: _Reading) -> None:
    """Mark the text above or before the name of its speaker."""
    for number, paragraph in enumerate(reading.paragraphs):
        text = _plain(paragraph.text)
        if _words(text) <= _NAME_WORDS and (found := _SIGNED.match(text)):
            if reading.is_ours(text):
                continue
            above, below = reading.of(number - 1), reading.of(number + 1)
            for own in (above, below):
                told = any(each.quoted or _MINE().search(each.text) for each in own)
                signed = own is above and found["more"] and not paragraph.listed
                if told or (signed and sum(_words(each.text) for each in own) > _TELLING_WORDS):
                    _mark(own)
                    break
        elif (behind := _SIGNED_BEHIND.search(text)) and not reading.is_ours(text[behind.start() :]):
            own = reading.of(number)
            if any(each.quoted or _MINE().search(each.text) for each in own):
                _mark(own)


def _signed_by_readers(reading: _Reading) -> None:
    """The text before the name of an ordinary reader, up to the heading."""
    for number in range(len(reading.paragraphs)):
        own = reading.of(number)
        if not own or _STOP.search(own[-1].text) or _words(own[-1].text) > _NAME_WORDS:
            continue
        if not _READER().match(own[-1].text):
            continue
        first = number
        while first and reading.is_running(first - 1) and not _is_short(reading.paragraphs[first - 1]):
            first -= 1
        letter = [each for at in range(first, number + 1) for each in reading.of(at)][:-1]
        if any(_MINE().search(each.text) for each in letter):
            _mark(letter)


def _turns(reading: _Reading) -> None:
    """Others' words in a printed dialogue with names: the interviewer's, up to the question; citizens' in
    minutes, as long as they speak of themselves. Answers may be in the same paragraph."""
    turns = [(each, found["who"]) for each in reading.sentences if (found := _TURN.match(each.text))]
    count = Counter(who for _, who in turns)
    asking = {who for each, who in turns if any(map(_is_question, _turn(reading, each)))}
    asked: set[int] = set()
    for each, who in turns:
        if _ANSWER().search(each.text) or _THESIS().search(each.text):
            continue
        if reading.speakers.is_whole(who) or is_in_our_name(who):
            continue
        said = _turn(reading, each)
        addressed = len(count) > 1 and any(_ADDRESSES().search(one.text) for one in said)
        if who in asking and (count[who] > 1 or addressed):
            last = max((n for n, one in enumerate(said) if _is_question(one)), default=0)
            _mark(said[: last + 1])
            asked.add(each.paragraph)
        elif len(turns) > 1 and _READER().match(who):
            _mark([said[0], *takewhile(lambda one: _MINE().search(one.text), said[1:])])
    _asked_without_name(reading, asked)


def _asked_without_name(reading: _Reading, asked: Set[int]) -> None:
    """Mark the paragraphs after an interview question that address the person answering, up to the next
    heading, unless they speak of "us"."""
    talking = False
    for number, paragraph in enumerate(reading.paragraphs):
        text = _plain(paragraph.text)
        addresses = _ADDRESSES().search(text) and not (_OURS().search(text) or _MINE().search(text))
        if paragraph.role is ParagraphRole.HEADING and not (addresses and text.rstrip().endswith("?")):
            talking = False
        elif number in asked:
            talking = True
        elif talking and addresses and not (paragraph.listed or _TURN.match(paragraph.text)):
            _mark(reading.of(number))


def _turns_with_roles(reading: _Reading) -> None:
    """Mark what others say in minutes in which somebody speaks for the document's party ("Ms Low, Seedorf
    Union: ...")."""
    turns = [(each, found) for each in reading.sentences if (found := _ROLED_TURN.match(each.text))]
    own = [each for each, found in turns if reading.speakers.is_named(found["who"])]
    for each, found in turns:
        if own and each not in own and not reading.speakers.is_own(found["who"]):
            _mark(_turn(reading, each))


def _letters(reading: _Reading) -> None:
    """Mark letters to the document's party, from the salutation to the farewell or the end of the
    paragraph."""
    for number, each in enumerate(reading.sentences):
        found = _LETTER().match(each.text)
        if found is None or not reading.speakers.is_named(found["to"]) or _TO_MEMBERS().search(found["to"]):
            continue
        behind = reading.sentences[number : number + _MOST_WRITTEN]
        farewell = next((n for n, one in enumerate(behind) if n and _FAREWELL().match(one.text)), None)
        _mark(behind[:farewell] if farewell else [one for one in behind if one.paragraph == each.paragraph])


def _turn(reading: _Reading, sentence: _Sentence) -> list[_Sentence]:
    """The sentence that begins a turn and those after it in its paragraph, up to the next turn."""
    own = [each for each in reading.of(sentence.paragraph) if each.at > sentence.at]
    return [sentence, *takewhile(lambda each: not _NAMED.match(each.text), own)]


def _is_question(sentence: _Sentence) -> bool:
    return sentence.text.rstrip().endswith("?")


def _mark(own: Iterable[_Sentence]) -> None:
    for each in own:
        each.others = True


def _by_name(reading: _Reading) -> None:
    """Mark the text after others' names if the document answers under its own ("Mayor: .. We: ..")."""
    named = [
        (number, found, each)
        for number, each in enumerate(reading.sentences)
        if (found := _NAMED.match(each.text))
    ]
    for (number, found, each), (until, answers, answering) in pairwise(named):
        near = answering.paragraph - each.paragraph <= _TURN_PARAGRAPHS
        if not (near and is_named_other(found["who"])) or reading.speakers.is_own(found["who"]):
            continue
        if _US().search(answers["who"]) or reading.speakers.is_own(answers["who"]):
            each.told_from = found.start("said")
            _mark(reading.sentences[number + 1 : until])


def _rejected(reading: _Reading) -> None:
    """Mark theses that are answered with no."""
    for number, each in enumerate(reading.sentences):
        if not _REJECTION().search(each.text):
            continue
        for before in _thesis(reading, number):
            before.others = True


def _thesis(reading: _Reading, answer: int) -> list[_Sentence]:
    """The sentences answered by number `answer`: those before it in its paragraph, or the paragraph above."""
    own = reading.sentences[answer]
    before = [each for each in reading.of(own.paragraph) if each.at < own.at]
    if len(before) > 1 and not any(_is_asked(each.text) for each in before[-3:]):
        return []
    before = before or reading.of(own.paragraph - 1)
    found: list[_Sentence] = []
    for each in reversed(before):
        if _REJECTION().search(each.text) or len(found) == 3 or _NUMBER_ALONE.fullmatch(each.text):
            break
        found.append(each)
        if _is_asked(each.text):
            break
    return found


def _is_asked(text: str) -> bool:
    """Whether a sentence is a question or labelled as a thesis."""
    return text.rstrip().endswith("?") or bool(_THESIS().search(text))


def _reported(reading: _Reading) -> None:
    """Mark indirect speech that continues after the reporting sentence."""
    reporting, paragraph = False, -1
    for each in reading.sentences:
        goes_on = reporting and each.paragraph == paragraph and not _OURS().search(each.text)
        if goes_on and _SUBJUNCTIVE().search(each.text):
            each.others = True
        else:
            reporting = bool(_INDIRECT().search(each.text) and _SPEAKS().search(each.text))
            reporting = reporting and not _OURS().search(each.text)
        paragraph = each.paragraph


def _refuted(reading: _Reading) -> None:
    """Mark what a later sentence calls untrue or disagrees with: back to where the document began to report
    others' words, or just the previous sentence."""
    for number, each in enumerate(reading.sentences[1:], 1):
        if reading.paragraphs[each.paragraph].role is ParagraphRole.HEADING or not disagrees(each.text):
            continue
        _mark(_told_before(reading, number, untrue=refutes(each.text)))


def _told_before(reading: _Reading, number: int, *, untrue: bool) -> list[_Sentence]:
    """The sentences of others before the given one, which disagrees with them."""
    own = reading.sentences[number]
    several = means_several(own.text)
    told: list[_Sentence] = []
    opened: list[_Sentence] | None = None
    lowest = _lowest(reading, own)
    for before in reversed(reading.sentences[max(0, number - _MOST_TOLD) : number]):
        if before.paragraph < lowest or reading.paragraphs[before.paragraph].role is ParagraphRole.HEADING:
            break
        if opens(before.text, reading.speakers, untrue=untrue):
            opened = opened or (told or [before] if untrue else told).copy()
            if opens_clause(before.text):
                return told or opened
        elif not before.others and (disagrees(before.text) or goes_on_itself(before.text)):
            told = told or [before]
            break
        told.append(before)
    if opened is not None or not untrue:
        return opened or []
    return told if several else [each for each in told[:1] if _is_refuted(each, own)]


def _lowest(reading: _Reading, own: _Sentence) -> int:
    """The first paragraph that a sentence can refer to: its own or, if it begins its paragraph, the one above
    together with its list."""
    lowest = own.paragraph
    if lowest and own is reading.sentences[reading.firsts[own.paragraph]]:
        lowest -= 1
        while lowest and reading.paragraphs[lowest].listed:
            lowest -= 1
    return lowest


def _is_refuted(before: _Sentence, own: _Sentence) -> bool:
    near = before.paragraph == own.paragraph or before.quoted
    return near and not _OURS().search(before.text)


_RULES = (
    *(_quotations, _quoted_alone, _labelled, _under_headings, _listed, _led_into, _doubted, _set_off),
    *(
        _signed,
        _signed_by_readers,
        _letters,
        _turns,
        _turns_with_roles,
        _by_name,
        _rejected,
        _reported,
        _refuted,
    ),
)
