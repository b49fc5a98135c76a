"""The extractive answerer: picks the sentences of the retrieved passages that answer best.

Nothing is written, only chosen: every sentence is shown as in the source. Scoring and choosing (`choice`)
and surroundings (`stretches`) are in modules of their own.
"""

import asyncio
import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.answering.extractive.choice import (
    OPEN,
    SINGLE,
    Scorer,
    Weights,
    fullest,
    in_context,
    spare_ones,
    spread,
    with_lead,
)
from core.answering.extractive.extracts import Extract
from core.answering.extractive.own_words import in_own_words, read_as_own
from core.answering.extractive.statements import (
    headings,
    headings_over,
    is_formal,
    ranges_under,
    rows,
    stands_alone,
)
from core.answering.extractive.stretches import answered_by, places
from core.answering.lapsed import asks_of_the_past, day_asked, outdated
from core.answering.told import Voice, authority_asked, has_own_voice, voices
from core.answering.voice_head import VoiceHead
from core.domain.ids import VersionId
from core.domain.passages import PassageKind
from core.domain.search import Hit
from core.evidence.exact import MIN_CHARACTERS
from core.evidence.skeleton import skeleton
from core.language.sentences import sentences
from core.ports.models import AnswerReader, Embedder
from core.question.speakers import Speaker, asks_for_decision, is_column, is_head, is_row, turns
from core.question.subject import Subject

_LINE = re.compile(r"[^\n]+")
_MIN_CHARACTERS = 25
_MAX_WORDS = 120


def quotable(hit: Hit) -> list[tuple[int, int]]:
    """The (start, end) ranges of the passage's text that may be quoted, in order: 25 characters at least,
    120 words at most."""
    text = hit.passage.text
    cells = rows(text) if hit.passage.kind is PassageKind.PROSE else ()
    if hit.passage.kind is PassageKind.TABLE:
        found = _rows_of(hit)
    elif hit.passage.kind is PassageKind.FIGURE and len(text.split()) <= _MAX_WORDS:
        found = [(0, len(text))]  # a caption is quoted as a whole
    else:
        apart = [*headings(text, cover=hit.passage.ordinal == 0), *cells]
        found = [
            (start, end)
            for start, end in sentences(text, hit.edition.document.fields.language)
            if not any(first <= start < last for first, last in apart)
        ]
        found = sorted([*found, *cells])
    return [
        (start, end)
        for start, end in found
        if not _is_short(text[start:end], _names(hit))
        and len(text[start:end].split()) <= _MAX_WORDS
        and (stands_alone((start, end), hit.passage) or not is_formal(text[start:end]))
        and not hit.passage.says_of_others(start, end)
    ]


def _names(hit: Hit) -> str:
    """The names of columns that a table begins with, with which each row is shown; "" if there are none."""
    if hit.passage.kind is not PassageKind.TABLE:
        return ""
    first = next((line[0] for line in _LINE.finditer(hit.passage.text)), "")
    return first if first in hit.passage.heading else ""


def _is_short(text: str, names: str) -> bool:
    """Whether a sentence, or a row with the `names` of its columns, is too short to be quoted."""
    return len(text) + len(names) < _MIN_CHARACTERS


def _rows_of(hit: Hit) -> list[tuple[int, int]]:
    """The rows of a table, each whole, or the document's own words in it; rows too short to prove are joined
    with the next, unless names of columns prove them, very long ones split into sentences. Column names mean
    nothing by themselves."""
    text = hit.passage.text
    names = _names(hit)
    found: list[tuple[int, int]] = []
    start = -1
    for line in _LINE.finditer(text):
        start = line.start() if start < 0 else start
        row = text[start : line.end()]
        if row == names:
            start = -1
            continue
        if len(skeleton(f"{names} {row}")) < MIN_CHARACTERS or _is_short(row, names):
            continue
        if len(row.split()) > _MAX_WORDS:
            found += [
                (start + first, start + end)
                for first, end in sentences(row, hit.edition.document.fields.language)
            ]
        elif row not in hit.passage.heading:
            found += hit.passage.own_parts(start, line.end())
        start = -1
    if start >= 0 and found:
        found[-1] = (found[-1][0], len(text))
    return found


def _asked_for(hits: Sequence[Hit], asked: Subject) -> list[Extract]:
    return with_numbers_asked(in_voice(hits, asked), asked.text)


class Extractor:
    """Chooses sentences; `encoder` is the one that is good and quick on single sentences, `primary` the other
    one, which gives a second opinion on how close they come. `reader`, if given, reads the nearest, and
    `voice_head` determines whose words they are. Only the first `passages` of those given are considered
    (None: all)."""

    def __init__(
        self,
        encoder: Embedder,
        primary: Embedder | None = None,
        weights: Weights = SINGLE,
        open_weights: Weights = OPEN,
        reader: AnswerReader | None = None,
        voice_head: VoiceHead | None = None,
        passages: int | None = None,
    ) -> None:
        self._passages = passages
        self._voice_head = voice_head
        self._scorer = Scorer(encoder, primary)
        self._reader = reader
        self._weights = weights
        self._open = open_weights

    @property
    def reads(self) -> bool:
        """Whether there is a reader."""
        return self._reader is not None

    async def pick(
        self, asked: Subject, hits: Sequence[Hit], limit: int, *, spare: int = 0, topic: bool = False
    ) -> list[Extract]:
        """The best sentences of `hits` (best hit first), best first, spread over pages: at most `limit`, as
        many as come near the best one; after them at most `spare` others. `topic`: `asked` names a topic, and
        anything said about it is wanted."""
        scored = await self.scored(asked, hits, topic=topic)
        if not scored:
            return []
        weights = self._weights_for(asked, topic=topic)
        if self._reader is not None and not topic:
            scored = await _with_readings(self._reader, asked.text, scored, weights.read, weights.enough)
        if asked.known:
            scored = await asyncio.to_thread(_known_last, scored, asked)

        def best(scored: Sequence[Extract]) -> list[Extract]:
            chosen = spread(scored, limit, weights)
            if self._reader is not None and not topic:
                chosen[0] = with_lead(chosen[0], scored)
            return chosen + spare_ones(scored, chosen, spare)

        head = self._head_for(asked)
        return await (read_as_own(head, best, scored) if head else asyncio.to_thread(best, scored))

    async def scored(self, asked: Subject, hits: Sequence[Hit], *, topic: bool = False) -> list[Extract]:
        """All sentences of `hits` that may be quoted, with their scores before a reader has read them."""
        hits = hits[: self._passages]
        pool = await asyncio.to_thread(_asked_for, hits, asked)
        if not pool:
            return []
        weights = self._weights_for(asked, topic=topic)
        scored = await self._scorer.scored(asked, pool, hits, weights, whole=topic or asked.wanted.openly)
        head = self._head_for(asked)
        return await in_own_words(head, scored) if head else scored

    def _head_for(self, asked: Subject) -> VoiceHead | None:
        """The head, unless others' words are asked for."""
        told = asked.speaker or authority_asked(asked.as_said)
        return None if told else self._voice_head

    def _weights_for(self, asked: Subject, *, topic: bool) -> Weights:
        weights = self._open if topic or asked.wanted.openly else self._weights
        reads = self._reader is not None and not topic  # it was trained on questions, not on topics
        return weights.read_by() if reads else weights

    async def readings(self, asked: Subject, chosen: Sequence[Extract]) -> list[float | None]:
        """The reader's scores of chosen sentences, None without a reader."""
        if self._reader is None:
            return [None] * len(chosen)
        return list(await readings(self._reader, asked.text, chosen))


REPEATED = 0.8
"""How much lower the score of a sentence is that was quoted before, if more about it is asked."""


def _known_last(scored: Sequence[Extract], asked: Subject) -> list[Extract]:
    """`scored` with what was quoted before lower."""
    known = [skeleton(quote) for quote in asked.known]

    def is_known(extract: Extract) -> bool:
        letters = skeleton(extract.text)
        return any(letters in quote for quote in known)

    return [replace(each, score=each.score - REPEATED) if is_known(each) else each for each in scored]


def in_voice(hits: Sequence[Hit], asked: Subject) -> list[Extract]:
    """Those of `sentences_in` in the voice that is asked for: the document's own or, if an authority's plans
    are asked for, its report of these; in an authority's own documents, its own. Nothing under a heading over
    lapsed statements, and no lapsed sentence if its passage has current ones."""
    question = asked.as_said
    if asked.speaker is not None:
        return spoken_by(asked.speaker, hits)
    decision = asks_for_decision(question)
    authority = authority_asked(question)
    day = None if asked.day is None or asks_of_the_past(question) else asked.day
    lapsed = _outdated(hits, asked.day and day_asked(question, asked.day))
    found: list[Extract] = []
    for hit in hits:
        fields, text = hit.edition.document.fields, hit.passage.text
        named = " ".join((fields.title, *fields.parties)).casefold()
        told = authority and has_own_voice(fields) and authority.casefold() not in named
        under = ranges_under(hit.passage, lapsed.get(hit.passage.version, frozenset()))
        if decision and hit.passage.kind is PassageKind.PROSE and not has_own_voice(fields):
            under = (*under, *((start, end) for start, end, _ in turns(hit.passage, fields.language)))
        own = [replace(each, day=day, barred=under) for each in sentences_in([hit])]
        if hit.passage.kind is PassageKind.PROSE:
            said = list(sentences(text, fields.language))
        else:
            said = [(each.start, each.end) for each in own]
        heard = voices(hit.passage, said, fields, day, under)
        voice_at = {start: voice for (start, _), voice in zip(said, heard, strict=True)}
        wanted = Voice.OTHERS if told else Voice.OWN
        kept = [each for each in own if voice_at.get(each.start, wanted) is wanted]
        found += kept or [each for each in own if voice_at[each.start] is Voice.LAPSED]
    return found


def spoken_by(who: Speaker, hits: Sequence[Hit]) -> list[Extract]:
    """The parts of `hits` in the name of `who`: whole turns in minutes, rows of tables."""
    found: list[Extract] = []
    for hit in hits:
        text, language = hit.passage.text, hit.edition.document.fields.language
        if who.is_person:
            for start, end, named in turns(hit.passage, language):
                first = next(iter(sentences(text[start:end], language)))[1]
                last = end if len(text[start:end].split()) <= _MAX_WORDS else start + first
                if any(map(who.may_be, named)) and last - start >= _MIN_CHARACTERS:
                    found.append(replace(_unscored(hit, start, last), parts=((start, last),)))
        elif hit.passage.kind is PassageKind.TABLE:
            rows = [(line.start(), line.end()) for line in _LINE.finditer(text)]
            below = [each for each in rows if not is_head(text[slice(*each)], hit.passage)]
            own = [each for each in below if is_row(text[slice(*each)], who)]
            column = "" if own else who.name
            wanted = own or (below if is_column(hit.passage, who) else ())
            found += [replace(_unscored(hit, *each), parts=(each,), column=column) for each in wanted]
    return found


def _outdated(hits: Sequence[Hit], day: date | None) -> dict[VersionId, frozenset[str]]:
    """By version, the headings over statements not valid on `day`, in documents that state what is valid;
    none without a day."""
    names: dict[VersionId, set[str]] = defaultdict(set)
    for hit in hits:
        if day is not None and not has_own_voice(hit.edition.document.fields):
            names[hit.passage.version] |= {each for _, row in headings_over(hit.passage) for each in row}
    return {version: outdated(found, day) for version, found in names.items()} if day else {}


def sentences_in(hits: Sequence[Hit]) -> list[Extract]:
    """All sentences of `hits` that may be quoted, not yet scored."""
    return [_unscored(hit, start, end) for hit in hits for start, end in quotable(hit)]


def _unscored(hit: Hit, start: int, end: int) -> Extract:
    return Extract(hit=hit, start=start, end=end, score=0.0, similarity=0.0, overlap=0.0)


# The nearest sentences are read together with the question, each with its surroundings: the reader's score
# counts most.

READ = 12
"""Number of stretches read per pool: those around the best sentences by their other scores."""

READ_OF_A_PASSAGE = 1.5
"""Number of stretches read per passage, if that is more."""

AT_ONCE = 6
"""Number of stretches read before checking whether that is enough."""


async def _with_readings(
    reader: AnswerReader,
    question: str,
    scored: Sequence[Extract],
    weight: float,
    enough: float,
) -> list[Extract]:
    """The sentences with the scores that `reader` gives their stretches added to theirs, times `weight`. A
    sentence within a stretch that is read shares its score, so that no place is read twice; those in none
    count like the worst of those that are. Once a score reaches `enough`, no more are read. Each pool is
    treated separately, so a party is read by the same rule whoever else is asked about."""
    read, reading_of = stretches_read(scored)
    texts = [text_read(stretch) for stretch in read]
    said = await _said(reader, question, list(dict.fromkeys(texts)), enough)
    heard = {n: [said[texts[row]] for row in rows if texts[row] in said] for n, rows in reading_of.items()}
    found = {n: max(scores) for n, scores in heard.items() if scores}
    worst = min(found.values(), default=0.0)
    opened = {rows[0]: n for n, rows in reversed(reading_of.items())}
    as_read = {opened[row]: stretch for row, stretch in enumerate(read)}
    return [
        replace(
            as_read.get(n, extract), score=extract.score + weight * found.get(n, worst), read=found.get(n)
        )
        for n, extract in enumerate(scored)
    ]


async def _said(reader: AnswerReader, question: str, texts: Sequence[str], enough: float) -> dict[str, float]:
    """The scores of `texts` by `reader`, in order, until one reaches `enough`."""
    said: dict[str, float] = {}
    for start in range(0, len(texts), AT_ONCE):
        if max(said.values(), default=-math.inf) >= enough:
            break
        some = texts[start : start + AT_ONCE]
        said |= zip(some, await reader.scores(question, some), strict=True)
    return said


def stretches_read(scored: Sequence[Extract]) -> tuple[list[Extract], dict[int, list[int]]]:
    """The stretches to be read, each as it would be shown if chosen, and for each sentence (by its place in
    `scored`) those that contain it, the one that begins with it first."""
    order = sorted(range(len(scored)), key=lambda n: -scored[n].score)
    known = places(scored)
    passages = {each.hit.passage.id for each in scored}
    most = max(READ, int(READ_OF_A_PASSAGE * len(passages)))
    read: list[Extract] = []
    reading_of: dict[int, list[int]] = {}
    for n in order:
        rows = [row for row, stretch in enumerate(read) if scored[n].text in stretch.shown]
        if not rows:
            if len(read) == most:
                continue
            rows = [len(read)]
            read.append(fullest(scored[n], scored, known))
        reading_of[n] = rows
    return read, reading_of


async def readings(reader: AnswerReader, question: str, chosen: Sequence[Extract]) -> list[float]:
    """The score by `reader` of each of the `chosen` stretches."""
    return list(await reader.scores(question, [text_read(each) for each in chosen])) if chosen else []


def text_read(extract: Extract) -> str:
    """The text of a stretch as it is read: with the question, or others' words, that it answers."""
    return " ".join(in_context(extract, f"{answered_by(extract)} {extract.shown}").split())


_NUMBER = re.compile(r"\d+(?:[.,]\d{3})*(?:[.,]\d+)?")
_SEPARATOR = re.compile(r"[.,](?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ALIKE = 0.75
"""Minimum share of words that two sentences have in common."""


def with_numbers_asked(pool: Sequence[Extract], question: str) -> list[Extract]:
    """`pool` without the sentences that lack a number from the question if another sentence has it, in nearly
    the same words and with no fewer of the question's words."""
    asked, said = _numbers(question), _words(question)
    held = [asked & _numbers(each.text) for each in pool] if asked else []
    holding = [(held[n], _words(each.text)) for n, each in enumerate(pool) if asked and held[n]]
    if not holding:
        return list(pool)

    def outdone(numbers: frozenset[str], words: frozenset[str]) -> bool:
        return any(
            numbers < others
            and 2 * len(words & theirs) >= _ALIKE * (len(words) + len(theirs))
            and len(words & said) <= len(theirs & said)
            for others, theirs in holding
        )

    return [each for n, each in enumerate(pool) if not outdone(held[n], _words(each.text))]


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_SEPARATOR.sub("", number[0]) for number in _NUMBER.finditer(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(word[0].casefold() for word in _WORD.finditer(text))
