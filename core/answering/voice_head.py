"""Whose words a sentence is, judging by its surroundings: a head weighs the vectors of a sentence, of those
before and after it and of the heading above it, and the words in each that point to somebody. Another, which
hears more but takes longer, weighs these words and the sentence as an encoder reads it among its neighbours.
Speakers are indicated in too many ways for rules, and mostly not in the sentence itself; the training data
were written by people who had not seen the code (`benchmarks/train_voices.py`).
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.answering.told import Voice, names_own, quotes, voice
from core.domain.documents import DocumentFields
from core.domain.search import Vector
from core.evidence.text import legible
from core.language.patterns import pattern
from core.library.chunking.attribution import (
    Speakers,
    is_in_our_name,
    is_named_other,
    is_of_others,
    own_names,
)
from core.library.chunking.refutations import (
    attributes,
    disagrees,
    goes_on_itself,
    opens,
    refutes,
    speaks_itself,
)
from core.library.chunking.voices import names_answers, names_claims, rejects
from core.ports.models import ContextEncoder, Embedder
from core.question.carried import chances_of
from core.question.heads import Network, plain
from core.recent import Recent

WEIGHTS = Path(__file__).with_name("voices.npz")
READ_WEIGHTS = Path(__file__).with_name("voices_read.npz")
SURE, SURELY = 0.7, 0.8
"""Minimum probability for a sentence to be somebody else's or no longer current: when choosing one, and when
checking a quote."""
SURE_UNREAD = 0.9
"""The same when choosing those that will be read among their neighbours."""
READ, READ_SURELY = 0.75, 0.9
"""The same of a sentence that was read so."""
SPAN = 3
"""Maximum sentences read on either side."""
_STRETCH = (5.0, 3.5)
"""Factors for vectors of unit length relative to the 0/1 features: for the sentence's own, and for others."""
AT_ONCE = 4
"""Maximum consecutive sentences read among the same neighbours."""
_LEAD, _BEFORE, _OWN, _AFTER = 24, 50, 40, 40
"""Maximum words read of the headings over sentences, before them, of each, and after them."""
_NEAR = 12
"""Maximum sentences of which these words are."""
_KEPT = 6_000
_KEPT_READ = 300
_I = re.IGNORECASE
_NAMED = (
    *(
        "voices.singular",
        "voices.saying",
        "voices.subjunctive",
        "voices.others",
        "voices.our",
        "voices.wanting",
    ),
    *("refutations.we", "refutations.differing", "refutations.wrong", "refutations.heard", "told.indirect"),
    *("told.speaking", "told.intending", "told.introducing", "told.former", "lapsed.past", "lapsed.now"),
    *("lapsed.old", "lapsed.new", "lapsed.until", "lapsed.since", "voices.untruths", "voices.claims"),
)
_WORDS = tuple(pattern(rf"\b(?:{{{each}}})\b", _I) for each in _NAMED)
_SIGNS = tuple(
    map(
        re.compile,
        (r"^\W*[„“\"«»]", r"[„“”\"«»]", r"\?\W*$", r":\W*$", r"^.{0,60}:", r"\b(?:19|20)\d\d\b", r"\d"),
    )
)
_FEW, _MANY = 6, 20
_POINTING = tuple(
    pattern(rf"\b(?:{{{each}}})\b", _I)
    for each in (
        *("voices.singular", "voices.saying", "voices.subjunctive", "voices.others", "voices.untruths"),
        *("voices.claims", "refutations.differing", "refutations.wrong", "refutations.heard"),
        *("told.indirect", "told.speaking", "told.former"),
    )
)
_POINTING_MARKS = re.compile(r"[„“”\"«»]|\?\W*$|^.{0,60}:")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence or row, the headings over it, and the results of rules: `others` from cutting, `voice` from
    its surroundings."""

    text: str
    heads: tuple[str, ...]
    others: bool
    voice: Voice
    row: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """Weights by kind (own, others', former), for the features minus their `mean` (n,)."""

    encoder: str
    mean: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    def foreign(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """The probability that each row of `features` (m, n) is not the document's own current statement:
        (m,)."""
        odds = (features - self.mean) @ self.weights + self.bias
        chances: NDArray[np.float32] = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
        return 1 - chances[:, 0]


@cache
def packaged() -> Head:
    """The packaged head."""
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        values = (kept[name].astype(np.float32) for name in ("mean", "weights", "bias"))
        return Head(str(kept["encoder"]), *values)


@cache
def packaged_reading() -> tuple[str, Network]:
    """The packaged network for sentences among their neighbours, and the name of its encoder."""
    with np.load(READ_WEIGHTS, allow_pickle=False) as kept:
        return str(kept["encoder"]), Network.stored(kept)


class VoiceHead:
    """Determines whose words sentences are. `encoder` and `contexts` must be those that the heads were
    trained with; with another encoder it finds nothing, with other contexts it reads nothing."""

    def __init__(self, encoder: Embedder | None = None, contexts: ContextEncoder | None = None) -> None:
        self._encoder = encoder if encoder is not None and encoder.name == packaged().encoder else None
        known = self._encoder and contexts is not None and contexts.name == packaged_reading()[0]
        self._contexts = contexts if known else None
        self._known = Recent[str, Vector](_KEPT)
        self._read = Recent[tuple[str, ...], Vector](_KEPT_READ)

    @property
    def reads(self) -> bool:
        """Whether it can classify sentences among their neighbours."""
        return self._contexts is not None

    @property
    def sure(self) -> float:
        """Minimum probability for a sentence not to be chosen, whether or not it can be read first."""
        return SURE_UNREAD if self.reads else SURE

    async def read(
        self, said: Sequence[Said], wanted: Collection[int], fields: DocumentFields
    ) -> dict[int, float]:
        """The same as `foreign`, of sentences as they are read among their neighbours. A run of them takes
        longer than a dozen by their surroundings alone."""
        if self._contexts is None or not wanted:
            return {}
        cues, vectors = Cues(fields), dict[int, Vector]()
        for run in runs(wanted):
            texts = among(said, run)
            if texts not in self._read:
                self._read[texts] = await self._contexts.stretches(texts)
            vectors |= zip(run, self._read[texts][1:-1], strict=True)

        def heard() -> NDArray[np.float32]:
            rows = [np.concatenate([vectors[n], cues.of(said[n])]) for n in wanted]
            return chances_of(packaged_reading()[1].odds(np.stack(rows)))

        return _believed(said, wanted, await asyncio.to_thread(heard), fields)

    async def surely_others(self, said: Sequence[Said], number: int, fields: DocumentFields) -> bool:
        """Whether a sentence is somebody else's or no longer current so surely that a quote of it does not
        pass as the document's own."""
        if self.reads:
            return (await self.read(said, [number], fields))[number] > READ_SURELY
        return (await self.foreign(said, [number], fields)).get(number, 0.0) > SURELY

    async def foreign(
        self, said: Sequence[Said], wanted: Collection[int], fields: DocumentFields
    ) -> dict[int, float]:
        """The probability that each `wanted` sentence is somebody else's or no longer current, by its number
        in the consecutive sentences `said`."""
        if self._encoder is None or not wanted:
            return {}
        places = {number: beside(said, number) for number in wanted}
        lines = {
            said[at].text for number, (before, after) in places.items() for at in (number, *before, *after)
        }
        lines |= {head for number in wanted for head in said[number].heads[-1:]}
        vectors = await self._vectors(self._encoder, sorted(map(plain, map(legible, lines))))
        cues = Cues(fields)

        def heard() -> NDArray[np.float32]:
            return packaged().foreign(np.stack([features(said, n, vectors, cues) for n in wanted]))

        return _believed(said, wanted, await asyncio.to_thread(heard), fields)

    async def _vectors(self, encoder: Embedder, lines: Sequence[str]) -> dict[str, Vector]:
        found = {line: known for line in lines if (known := self._known.get(line)) is not None}
        if fresh := [line for line in lines if line not in found]:
            found |= zip(fresh, await encoder.passages(fresh), strict=True)
            for line in fresh:
                self._known[line] = found[line]
        return found


def beside(said: Sequence[Said], number: int) -> tuple[list[int], list[int]]:
    """The sentences before one under its heading, the nearest first, and those after it."""
    around = [*range(max(0, number - SPAN), min(len(said), number + SPAN + 1))]
    same = [at for at in around if said[at].heads == said[number].heads]
    return [at for at in reversed(same) if at < number], [at for at in same if at > number]


def runs(wanted: Collection[int]) -> list[list[int]]:
    """The sentences `wanted` in runs that are read together."""
    found: list[list[int]] = []
    for number in sorted(wanted):
        if not found or number != found[-1][-1] + 1 or len(found[-1]) == AT_ONCE:
            found.append([])
        found[-1].append(number)
    return found


def among(said: Sequence[Said], run: Sequence[int]) -> tuple[str, ...]:
    """What is read of consecutive sentences: what stands over and before them, each of them, and what stands
    after them."""
    first, behind = run[0], run[-1] + 1
    over = _words(said[first].heads)[:_LEAD]
    before = _words(each.text for each in said[max(0, first - _NEAR) : first])[-_BEFORE:]
    own = [_words([said[number].text])[:_OWN] for number in run]
    after = _words(each.text for each in said[behind : behind + _NEAR])[:_AFTER]
    return tuple(map(" ".join, ([*over, *before], *own, after)))


def _words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in legible(text).split()]


def _believed(
    said: Sequence[Said], wanted: Collection[int], chances: NDArray[np.float32], fields: DocumentFields
) -> dict[int, float]:
    """The chances of the sentences `wanted`, where they are believed."""
    return {
        number: float(chance) if fields.parties or _points_to_others(said, number) else 0.0
        for number, chance in zip(wanted, chances, strict=True)
    }


def _points_to_others(said: Sequence[Said], number: int) -> bool:
    """Whether a word or mark of a sentence, or beside or over it, points to somebody. What is no party's is
    mostly rules, notices and handbooks, of which the head has learned little: there it is not believed alone.
    """
    lines = [legible(said[at].text) for part in ([number], *beside(said, number)) for at in part]
    lines += said[number].heads
    return any(
        _POINTING_MARKS.search(line) or any(each().search(line) for each in _POINTING) for line in lines
    )


def features(
    said: Sequence[Said], number: int, vectors: dict[str, Vector], cues: "Cues"
) -> NDArray[np.float32]:
    """The features of a sentence: (n,)."""
    own, (before, after) = said[number], beside(said, number)
    size = len(next(iter(vectors.values())))

    def read(lines: Sequence[str]) -> NDArray[np.float32]:
        found = [vectors[plain(legible(line))] for line in lines]
        return np.mean(found, axis=0) if found else np.zeros(size, np.float32)

    def found(numbers: Sequence[int]) -> NDArray[np.float32]:
        each = [cues.of(said[at]) for at in numbers]
        return np.max(each, axis=0) if each else np.zeros_like(here)

    here = cues.of(own)
    heads = [cues.of(Said(head, (), False, Voice.OWN)) for head in own.heads]
    texts = [[said[at].text for at in part] for part in (before[:1], before, after[:1], after)]
    near = [_STRETCH[1] * read(lines) for lines in (own.heads[-1:], *texts)]
    counted = (not before, not after, len(before) == 1, len(before) == SPAN, not own.heads)
    beyond = [found(part) for part in (before[:1], after[:1], before, after)]
    over = np.max(heads, axis=0) if heads else np.zeros_like(here)
    return np.concatenate([_STRETCH[0] * read([own.text]), *near, here, *beyond, over, counted]).astype(
        np.float32
    )


class Cues:
    """Finds the words in a document's sentences that point to somebody."""

    def __init__(self, fields: DocumentFields) -> None:
        self._parties = fields.parties
        self._speakers = Speakers(own_names(fields.parties, fields.title), fields.language == "de")
        self._known: dict[Said, NDArray[np.float32]] = {}

    def of(self, said: Said) -> NDArray[np.float32]:
        """The features of one sentence: (k,) of 0 and 1."""
        if said not in self._known:
            self._known[said] = np.array(self._found(said, legible(said.text)), np.float32)
        return self._known[said]

    def _found(self, said: Said, text: str) -> tuple[bool, ...]:
        speakers, parties, words = self._speakers, self._parties, len(text.split())
        alone, after = (voice(text, parties, before) for before in (Voice.OWN, Voice.OTHERS))
        return (
            *(each().search(text) is not None for each in _WORDS),
            *(each.search(text) is not None for each in _SIGNS),
            *(words < _FEW, words > _MANY, said.row, not parties, said.others),
            *(
                each is kind
                for each in (said.voice, alone)
                for kind in (Voice.OTHERS, Voice.FORMER, Voice.LAPSED)
            ),
            *(after is Voice.OTHERS, quotes(text), names_own(text, parties), speakers.is_own(text)),
            *(is_in_our_name(text), is_of_others(text), is_named_other(text), disagrees(text), refutes(text)),
            *(speaks_itself(text), goes_on_itself(text), opens(text, speakers, untrue=False)),
            *(attributes(text, speakers), names_claims(text), names_answers(text), rejects(text)),
            bool(words <= _MANY and speakers.heading_over(text)),
        )
