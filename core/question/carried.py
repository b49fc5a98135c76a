"""What a message says that is to be searched for, and what it takes from the question before it.

Small networks over the vectors of its words in their context (`WordEncoder`). Words are judged one by one:
"hm ok und die fdp so?" names a party and asks nothing else, "preis? bleibts bei 58" asks something of the
topic before it, "altersarmut" something else of the same party. All names of parties are read as the same
word, so that no party is treated differently from another. `benchmarks/train_carried.py` trains them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.domain.search import Vector
from core.errors import FundstelleError
from core.language.terms import is_small
from core.ports.models import WordEncoder
from core.question.heads import Floats, Network
from core.question.turns import PARTY
from core.registry.names import fold

WEIGHTS = Path(__file__).with_name("carried.npz")

_WORD = re.compile(r"\w[\w'’\-/]*|[^\w\s]+")
_READ = 1_500
"""Maximum characters of a text that are read."""

NEAR = 3
"""Words before and behind a name that are read with it."""

_MOST = 3
"""Other parties beside one that are counted at most."""

PARTY_FROM = 1.0
"""Log-odds from which a word is a party: one that is taken for one wrongly changes who is asked."""

UNASKED_FROM = 1.0
"""Log-odds from which a party that is named is not asked."""

OTHERS_FROM = 1.0
"""Log-odds from which everybody else is asked; if a party is named as not asked, 0."""

SOUGHT_FROM, TOPIC_FROM = 2.0, 3.0
"""Log-odds from which a place that is named is, and is not, to be searched in: one that was meant must not be
lost."""

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Carried:
    """How a message goes on with the question before it. `follows`: it is to be understood from that;
    `keeps`: its topic stays; `others`: the same is asked of everybody else. `asks` are the stretches of the
    message (start, end) that say what is asked, without the names of those asked, fillers and what people say
    of themselves. `sought` and `topics` are places named in it that surely are and are not to be searched in,
    `unasked` parties that are not asked."""

    follows: bool = False
    keeps: bool = False
    others: bool = False
    asks: tuple[Stretch, ...] = ()
    sought: tuple[Stretch, ...] = ()
    topics: tuple[Stretch, ...] = ()
    unasked: tuple[Stretch, ...] = ()


@dataclass(frozen=True, slots=True)
class CarriedHeads:
    """The networks, for the vectors of the encoder `encoder`: of a word, and of a message with the question
    before it."""

    encoder: str
    asks: Network
    follows: Network
    keeps: Network
    others: Network
    party: Network
    unasked: Network
    sought: Network


@cache
def packaged() -> CarriedHeads:
    """The networks shipped with the bot."""
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        names = ("asks", "follows", "keeps", "others", "party", "unasked", "sought")
        return CarriedHeads(str(kept["encoder"]), *(Network.stored(kept, name) for name in names))


def words_of(text: str, parties: Sequence[Stretch]) -> list[tuple[str, int, int]]:
    """The words and signs of `text` with their places; each of `parties` is one word, the same for all."""
    text = text[:_READ]
    found: list[tuple[str, int, int]] = []
    at = 0
    for start, end in (*sorted(set(parties)), (len(text), len(text))):
        if start < at:
            continue
        found += [(each[0], each.start(), each.end()) for each in _WORD.finditer(text, at, start)]
        found += [(PARTY, start, end)] if start < end <= len(text) else []
        at = end
    return found


def of_message(before: Vector, said: Vector, chances: Floats) -> Floats:
    """What is read of a message with the words `said` (n, d), each asked for by `chances` (n,), after a
    question with the words `before` (m, d), none of which is 0 throughout: (6 + 3 * d,)."""
    asked = (chances[:, None] * said).sum(axis=0) / (chances.sum() + 0.3)
    message = said.mean(axis=0)
    earlier = before.mean(axis=0) if len(before) else np.zeros_like(message)
    nearest = max((_cosine(word, asked) for word in before), default=0.0)
    told = [chances.sum(), chances.max(), min(len(said), 20) / 10]
    told += [_cosine(message, earlier), _cosine(asked, earlier), nearest]
    return np.concatenate([np.array(told, np.float32), message, asked, earlier])


def candidate_of(said: Sequence[tuple[str, int, int]], vectors: Vector, stretch: Stretch) -> Floats | None:
    """What is read of the words `stretch` among `said`: the mean of their vectors and of up to `NEAR` words
    before and behind them, (3 * d,); None if they were not read."""
    own = [n for n, (_, start, end) in enumerate(said) if start < stretch[1] and stretch[0] < end]
    if not own:
        return None
    before, behind = vectors[max(0, own[0] - NEAR) : own[0]], vectors[own[-1] + 1 : own[-1] + 1 + NEAR]
    parts = (each.mean(axis=0) if len(each) else np.zeros_like(vectors[0]) for each in (before, behind))
    return np.concatenate([vectors[own].mean(axis=0), *parts])


def party_of(
    said: Sequence[tuple[str, int, int]],
    vectors: Vector,
    stretch: Stretch,
    parties: Sequence[Stretch],
    *,
    goes_on: bool,
    again: bool,
) -> Floats | None:
    """What is read of a party at `stretch`, one of `parties`: as `candidate_of`, with the message and where
    it is among the others, (9 + 4 * d,); None if it was not read. `goes_on`: there is a question before;
    `again`: which names it as well."""
    read = candidate_of(said, vectors, stretch)
    if read is None:
        return None
    before = min(sum(end <= stretch[0] for _, end in set(parties)), _MOST)
    behind = min(sum(start >= stretch[1] for start, _ in set(parties)), _MOST)
    told: list[float] = [before, behind, before > 0, behind > 0, not (before or behind)]
    told += [goes_on, again, goes_on and not again, len(said) / 20]
    return np.concatenate([np.array(told, np.float32), read, vectors.mean(axis=0)])


def odds_of(
    network: Network, said: Sequence[tuple[str, int, int]], vectors: Vector, names: Sequence[Stretch]
) -> dict[Stretch, float]:
    """What `network` says of each of `names`, words among `said`; those that were not read are left out."""
    read = {each: candidate_of(said, vectors, each) for each in names}
    return {each: float(network.odds(own[None])[0]) for each, own in read.items() if own is not None}


def chances_of(odds: Floats) -> Floats:
    """Log-odds as probabilities."""
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


class CarriedReader:
    """Reads messages with `encoder`, which must be the one that the networks were trained with; with another
    or none, a message follows if its words say so (None)."""

    def __init__(self, encoder: WordEncoder | None = None) -> None:
        self._encoder = encoder if encoder is not None and encoder.name == packaged().encoder else None

    async def read(
        self,
        text: str,
        parties: Sequence[Stretch],
        before: str = "",
        parties_before: Sequence[Stretch] = (),
        places: Sequence[Stretch] = (),
        topics: Sequence[Stretch] = (),
    ) -> Carried | None:
        """`text` after the question `before`, if any, with where they name parties, and where the text names
        places, some of them surely as `topics`; None if it cannot be read."""
        said, earlier = words_of(text, parties), words_of(before, parties_before)
        if self._encoder is None or not said:
            return None
        try:
            vectors = await self._encoder.words([word for word, *_ in earlier], [word for word, *_ in said])
        except FundstelleError:  # answering runs into it as well, and reports it
            return None
        earlier_names = {fold(before[start:end]) for start, end in parties_before}
        again = [each for each in parties if fold(text[slice(*each)]) in earlier_names]
        return carried(packaged(), said, *vectors, parties, again, places, topics)

    async def parties(
        self, text: str, parties: Sequence[Stretch], candidates: Sequence[Stretch]
    ) -> Sequence[Stretch]:
        """Which of `candidates`, words of `text` that some party is called by, mean a party; `parties` surely
        do."""
        said = words_of(text, parties)
        if self._encoder is None or not candidates:
            return ()
        try:
            _, vectors = await self._encoder.words((), [word for word, *_ in said])
        except FundstelleError:  # answering runs into it as well, and reports it
            return ()
        odds = odds_of(packaged().party, said, vectors, candidates)
        return [each for each, found in odds.items() if found > PARTY_FROM]

    async def warm_up(self) -> None:
        """Load encoder and networks."""
        await self.read("warm up", ())


def carried(
    heads: CarriedHeads,
    said: Sequence[tuple[str, int, int]],
    before: Vector,
    vectors: Vector,
    parties: Sequence[Stretch] = (),
    again: Sequence[Stretch] = (),
    places: Sequence[Stretch] = (),
    topics: Sequence[Stretch] = (),
) -> Carried:
    """A message with the words `said` and their `vectors`, after a question with the vectors `before`, that
    names `parties`, some of them `again`, and `places`, some of them surely as `topics`."""
    odds = heads.asks.odds(vectors)
    where = odds_of(heads.sought, said, vectors, places)
    sought = tuple(each for each, found in where.items() if found > SOUGHT_FROM and each not in topics)
    read = of_message(before, vectors, chances_of(odds))[None]
    follows, keeps, others = (net.odds(read)[0] for net in (heads.follows, heads.keeps, heads.others))
    goes_on = bool(len(before))
    named = (
        (each, party_of(said, vectors, each, parties, goes_on=goes_on, again=each in again))
        for each in parties
    )
    unasked = tuple(
        each for each, own in named if own is not None and heads.unasked.odds(own[None])[0] > UNASKED_FROM
    )
    return Carried(
        follows=bool(follows > 0),
        keeps=bool(keeps > 0),
        others=bool(others > (0 if unasked else OTHERS_FROM)),
        asks=_joined(said, (odds > 0) & ~_at_names(said, sought)),
        sought=sought,
        topics=tuple(each for each, found in where.items() if found < -TOPIC_FROM),
        unasked=unasked,
    )


def _at_names(said: Sequence[tuple[str, int, int]], names: Sequence[Stretch]) -> NDArray[np.bool_]:
    """Whether each word is of `names`, or a small one right before them ("in Hessen")."""
    found = np.zeros(len(said), bool)
    for n in range(len(said) - 1, -1, -1):
        word, start, end = said[n]
        small = n + 1 < len(said) and found[n + 1] and is_small(word)
        found[n] = small or any(start < last and first < end for first, last in names)
    return found


def _joined(said: Sequence[tuple[str, int, int]], asked: NDArray[np.bool_]) -> tuple[Stretch, ...]:
    """The stretches of neighbouring words that are asked for; signs alone are none."""
    runs = (
        list(run) for wanted, run in groupby(zip(said, asked, strict=True), lambda each: each[1]) if wanted
    )
    kept = ([word for word, _ in run if any(sign.isalnum() for sign in word[0])] for run in runs)
    return tuple((run[0][1], run[-1][2]) for run in kept if run)


def _cosine(one: Floats, other: Floats) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other) + 1e-6))
