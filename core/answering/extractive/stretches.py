"""What is shown around a chosen sentence: the stretch that a reader needs to understand the answer.

A sentence alone often lacks the number, the demand or the "no" next to it. So it comes with its surroundings
in the paragraph, or next to it if that is short, unless they are far from the question; a lead-in comes with
its items, a question with its answer, a table row with the column names.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.answering.extractive.extracts import Extract, Range
from core.answering.extractive.statements import ends, headings, rows
from core.answering.told import Voice, voices
from core.domain.ids import PassageId
from core.domain.passages import Passage, PassageKind
from core.language.patterns import pattern
from core.language.sentences import sentences, word_count
from core.language.terms import is_function_word

WORDS = 80
"""Approximate number of words in a stretch."""

SENTENCES = 4
"""Maximum sentences shown together; list items may be more."""

ENOUGH = 40
"""Number of words from which nothing from another paragraph is added to a stretch."""

FAR = 0.3
"""How much less similar to the question a sentence may be than the chosen one beside it (cosine)."""

_RESTRICTED_WORDS = 140
"""Maximum words of a stretch to which a qualifying sentence is added."""

_ITEM_WORDS = 120
"""Maximum words of a lead-in to which its first item is added."""

_RESTRICTS = pattern(r"^\W*(?:\(?\w{1,3}[.)]\s*)?(?:{wording.restricting})", re.IGNORECASE)
_CONCLUDES = pattern(r"^\W*(?:{wording.concluding})", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*\(\d{1,3}[a-z]?\)\s")
_BARE_NUMBER = re.compile(r"(?:(?<=[.;:!?])\s*|^)\(\d{1,3}[a-z]?\)\s*$")
_LEADS_IN = re.compile(r"(?::|:?[-–—])\s*$")
_ASKS = re.compile(r"\?[\"'”“»«’)]*\s*$")
_QUESTION_WORDS = 40
_ANSWERED = 3
"""Maximum number of sentences that another one answers or replaces."""

Place = tuple[PassageId, int]
"""Where a sentence begins: its passage and the character offset."""


def places(scored: Iterable[Extract]) -> dict[Place, Extract]:
    """Scored sentences by where they begin."""
    return {(each.hit.passage.id, each.start): each for each in scored}


def with_surroundings(extract: Extract, scored: Mapping[Place, Extract]) -> Extract:
    """The chosen sentence with its surroundings, as close to the question as the closest of them. `scored`
    are all sentences examined."""
    parts = Surrounded(extract, scored).parts()
    known = [scored.get((extract.hit.passage.id, start), extract) for start, _ in parts]
    return replace(
        extract,
        parts=parts,
        similarity=max(each.similarity for each in known),
        overlap=max(each.overlap for each in known),
    )


def answered_by(extract: Extract) -> str:
    """The sentences right before the shown ones that these answer or replace: questions, others' words, or
    lapsed statements; "" if there are none."""
    hit = extract.hit
    if hit.passage.kind is not PassageKind.PROSE:
        return ""
    start = extract.parts[0][0] if extract.parts else extract.start
    passage, language = hit.passage, hit.edition.document.fields.language
    everything = sentences_of(passage, language, named_in(passage))
    said = [each for each in everything if each[1] <= start][-_ANSWERED:]
    heard = voices(hit.passage, said, hit.edition.document.fields, extract.day, extract.barred)
    found: list[str] = []
    for each, whose in zip(reversed(said), reversed(heard), strict=True):
        before = hit.passage.text[slice(*each)]
        above = "\n" in hit.passage.text[each[1] : start] and (found or not _ASKS.search(before))
        if above or (whose is Voice.OWN and not _ASKS.search(before)):
            break
        found.insert(0, before)
    return " ".join(found)


class Surrounded:
    """A sentence among those of its passage."""

    def __init__(self, extract: Extract, scored: Mapping[Place, Extract]) -> None:
        self._extract = extract
        self._scored = scored
        self._voice = Voice.OWN
        self._text = extract.hit.passage.text
        self._language = extract.hit.edition.document.fields.language
        self._headings = named_in(extract.hit.passage)
        self._all = sentences_of(extract.hit.passage, self._language, self._headings)
        fields = extract.hit.edition.document.fields
        self._voices = voices(extract.hit.passage, self._all, fields, extract.day, extract.barred)

    def parts(self) -> tuple[Range, ...]:
        """The sentences that are shown, in order."""
        alone = (self._extract.start, self._extract.end)
        passage = self._extract.hit.passage
        if passage.kind is PassageKind.FIGURE or alone in rows(self._text):
            return (alone,)
        if passage.kind is PassageKind.TABLE:
            return (alone,) if self._is_part_of_row() else (*self._columns(), alone)
        own = next((n for n, (start, end) in enumerate(self._all) if start <= alone[0] < end), None)
        if own is None:
            return (alone,)
        first, end = self._grown(own)
        return (*self._question(first), *self._all[first : end - 1], self._ended(*self._all[end - 1]))

    def _ended(self, start: int, end: int) -> Range:
        """A sentence without a trailing paragraph number that means nothing, or begins elsewhere."""
        bare = _BARE_NUMBER.search(self._text, start, end)
        return (start, bare.start()) if bare else (start, end)

    def _grown(self, own: int) -> tuple[int, int]:
        """The sentences from the first up to and including the last."""
        first, end = own, own + 1
        self._voice = self._voices[own]
        while (best := self._next(first, end, own)) is not None:
            first, end = min(first, best), max(end, best + 1)
        return first, end

    def _next(self, first: int, end: int, own: int) -> int | None:
        """The next neighbour to add: the one being introduced, else the one that answers better."""
        words = self._words(first, end)
        if (
            end < len(self._all)
            and self._own(end)
            and any(self._matches(_LEADS_IN, n) for n in range(first, end))
        ):
            room = _ITEM_WORDS if end - 1 == own else WORDS
            if words + self._words(end, end + 1) <= room:
                return end
        if (restricting := self._restricting(first, end, words)) is not None:
            return restricting
        if end - first >= SENTENCES:
            return None
        before = first - 1 if not self._opens(_NUMBERED, first) else -1
        beside = [n for n in (end, before) if 0 <= n < len(self._all) and self._own(n)]
        beside = [n for n in beside if words + self._words(n, n + 1) <= WORDS and self._belongs(n, own)]
        beside = [n for n in beside if words < ENOUGH or not self._begins_line(max(n, first))]
        beside = [n for n in beside if not self._begins_section(max(n, first))]
        beside = [n for n in beside if not self._is_cut_off(max(n, first), first, end)]
        return max(beside, key=self._worth, default=None)

    def _restricting(self, first: int, end: int, words: int) -> int | None:
        """The following sentence that qualifies this one, or the one that this one qualifies."""
        if end < len(self._all) and self._own(end) and self._opens(_RESTRICTS(), end):
            return end if words + self._words(end, end + 1) <= _RESTRICTED_WORDS else None
        if first and self._own(first - 1) and self._opens(_RESTRICTS(), first):
            return first - 1 if words + self._words(first - 1, first) <= _RESTRICTED_WORDS else None
        return None

    def _belongs(self, n: int, own: int) -> bool:
        """Whether a sentence is close to the question, or directly beside the chosen one and one states the
        consequence of the other ("Deshalb lassen wir sie auslaufen")."""
        return self._near(n) or (abs(n - own) == 1 and self._opens(_CONCLUDES(), max(n, own)))

    def _own(self, n: int) -> bool:
        """Whether a sentence is in the voice of the chosen one and neither a row nor a question: text after
        another question answers that one."""
        apart = self._matches(_ASKS, n) or self._all[n] in rows(self._text)
        return self._voices[n] is self._voice and not apart

    def _near(self, n: int) -> bool:
        known = self._known(n)
        return known is None or known.similarity >= self._extract.similarity - FAR

    def _worth(self, n: int) -> float:
        known = self._known(n)
        return known.score if known else 0.0

    def _known(self, n: int) -> Extract | None:
        """The sentence, if it was examined."""
        return self._scored.get((self._extract.hit.passage.id, self._all[n][0]))

    def _question(self, first: int) -> tuple[Range, ...]:
        """The question directly above, which the stretch answers."""
        if not first or not self._matches(_ASKS, first - 1):
            return ()
        if self._extract.hit.passage.says_of_others(*self._all[first - 1]):
            return ()
        beside = self._begins_line(first) or self._near(first - 1)
        asked = self._words(first - 1, first) <= _QUESTION_WORDS and beside
        return (self._all[first - 1],) if asked else ()

    def _is_part_of_row(self) -> bool:
        """Whether others' words in its row were left out, so that not all column names apply to the rest."""
        passage, extract = self._extract.hit.passage, self._extract
        begin = self._text.rfind("\n", 0, extract.start) + 1
        end = self._text.find("\n", extract.end)
        row = (begin, end if end >= 0 else len(self._text))
        return passage.own_parts(*row) != [row]

    def _columns(self) -> tuple[Range, ...]:
        """The rows with a table's column names, if they are in the passage above the row."""
        at = 0
        found: list[Range] = []
        for line in self._text[: self._extract.start].splitlines(keepends=True):
            if line.strip() and line.strip() in self._extract.hit.passage.heading:
                found.append((at, at + len(line.rstrip())))
            elif found:
                break
            at += len(line)
        return tuple(found)

    def _begins_line(self, n: int) -> bool:
        return "\n" in self._text[self._all[n - 1][1] : self._all[n][0]]

    def _begins_section(self, n: int) -> bool:
        """Whether there is a heading above a sentence."""
        above, below = self._all[n - 1][1], self._all[n][0]
        return any(above <= start < below for start, _ in self._headings)

    def _is_cut_off(self, n: int, first: int, end: int) -> bool:
        """Whether the line above a sentence is unfinished but not continued by it: a heading that its type
        did not show, or the rest of one. Items after their lead-in do not count."""
        above = self._text[slice(*self._all[n - 1])]
        last = above.rsplit(maxsplit=1)[-1].lower()
        goes_on = not self._text[self._all[n][0]].isupper() or is_function_word(last, self._language)
        if not self._begins_line(n) or ends(above) or goes_on:
            return False
        return not any(self._matches(_LEADS_IN, each) for each in range(first, min(n, end)))

    def _matches(self, pattern: re.Pattern[str], n: int) -> bool:
        return pattern.search(self._text, *self._all[n]) is not None

    def _opens(self, pattern: re.Pattern[str], n: int) -> bool:
        return pattern.match(self._text[slice(*self._all[n])]) is not None

    def _words(self, first: int, end: int) -> int:
        return sum(word_count(self._text[start:stop]) for start, stop in self._all[first:end])


def named_in(passage: Passage) -> list[Range]:
    """The headings in a passage, including those with numbers; on a title page, however many follow each
    other."""
    return headings(passage.text, numbers=True, cover=passage.ordinal == 0)


def sentences_of(passage: Passage, language: str, named: list[Range]) -> list[Range]:
    """The sentences of a passage without its headings `named` and meaningless paragraph numbers."""
    text = passage.text
    found = [each for each in sentences(text, language) if not _BARE_NUMBER.match(text[slice(*each)])]
    return [each for each in found if not any(first <= each[0] < end for first, end in named)]
