"""What a message is to the bot, read once, before any search: a question, a word about its last answer, an
alleged quote, thanks, an insult, a cry for help, talk.

A head over the packaged encoders (`core.question.heads`) reads the whole message, with the names of parties
replaced by one and the same, so that no party is treated otherwise than another. `benchmarks/train_turns.py`
trains it.
"""

import asyncio
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.domain.registry import Registry
from core.errors import FundstelleError
from core.ports.embedding import Embedder
from core.question.heads import BUCKETS, PART, READ, parts_of, plain, stretches
from core.question.language import spoken_language
from core.recent import LastMade, Recent
from core.registry.detection import Detector
from core.registry.names import replaced

WEIGHTS = Path(__file__).with_name("turns.npz")


@dataclass(frozen=True, slots=True)
class Distress:
    """What somebody is in, one of IN_DISTRESS, and the language that they say it in (ISO 639-1)."""

    kind: "TurnKind"
    language: str


class TurnKind(StrEnum):
    """What a message is."""

    QUESTION = "question"  # also a topic or a name alone
    FOLLOW_UP = "follow_up"
    SOURCE = "source"  # where the last answer stands
    PAGE = "page"
    TRUE = "true"  # whether it is true
    SHORTER = "shorter"
    MORE = "more"
    LANGUAGE = "language"
    CURRENT = "current"  # whether it still holds, what is said now
    WHO = "who"
    SINCE = "since"
    INSTRUCTION = "instruction"  # another one: a table, plain words, from the beginning
    ALLEGED = "alleged"  # a quote to be checked
    GREETING = "greeting"
    BYE = "bye"
    THANKS = "thanks"  # and praise
    INSULT = "insult"
    ADVICE = "advice"  # how to vote, what the bot thinks of a party
    ABOUT = "about"  # who the bot is, what it can do
    SMALL_TALK = "small_talk"  # tasks, other subjects
    REMARK = "remark"  # to others, or about the world
    YES = "yes"
    NO = "no"
    NUMBER = "number"  # one of several that were offered, or a value
    NAME = "name"
    EMERGENCY = "emergency"
    SUICIDE = "suicide"
    VIOLENCE = "violence"


KINDS = tuple(TurnKind)

IN_DISTRESS = (TurnKind.EMERGENCY, TurnKind.SUICIDE, TurnKind.VIOLENCE)
"""Where it is several, the first of these comes first."""

REPLIES = (TurnKind.YES, TurnKind.NO, TurnKind.NUMBER, TurnKind.NAME)
"""What answers a question of ours, and is none of these where we have asked nothing."""

OF_LAST_ANSWER = (
    *(TurnKind.SOURCE, TurnKind.PAGE, TurnKind.TRUE, TurnKind.SHORTER, TurnKind.MORE),
    *(TurnKind.CURRENT, TurnKind.WHO, TurnKind.SINCE),
)
"""Words about the answer before."""

TALK = (
    *(TurnKind.GREETING, TurnKind.BYE, TurnKind.THANKS, TurnKind.INSULT),
    *(TurnKind.ABOUT, TurnKind.SMALL_TALK),
)
NO_QUESTION = (*TALK, TurnKind.ADVICE)
"""What nothing is searched for."""

UNANSWERED = (TurnKind.THANKS, TurnKind.REMARK)
"""What nothing is replied to in groups."""

DISTRESS_FROM, PART_FROM = 0.0, 2.5
"""Logarithms of the odds from which on a text is distress, and a part of a long one."""

SURER, ASKED = 0.5, 3.0
"""What the logit of a kind has to be higher by than that of a question, and what that of an answer to our
own question is raised by."""

TALK_FROM, REMARK_FROM = 3.0, 2.75
"""What the logit of talk and of a remark has to be higher by: a question taken for one is lost, while talk
that is searched for is merely not found."""

A_WORD_OR_TWO = 3
"""Words of a question that is about words shown with it, whatever they are ("made up?")."""

PARTY = "Partei X"
"""Stands for the name of any party."""

_ARTICLES = r"\b(?:(?:die|der|den|dem|das|the|le|la|les)\s+|l['’])"
_WITH_ARTICLE = re.compile(rf"(?:{_ARTICLES})?{PARTY}", re.IGNORECASE)
_FORMS = {
    "?": re.compile(r"\?"),
    "!": re.compile(r"!"),
    "quoted": re.compile(r"[\"“”„«»‘]|(?<!\w)'(?=\w.*\w'(?!\w))"),
    "long quote": re.compile(r"[\"“”„«»‘‹›][^\"“”„«»]{12,}[\"“”„«»’‹›]"),
    "colon": re.compile(r":\s"),
    "ends": re.compile(r"\w[.]\s*$"),
    "digits": re.compile(r"\d"),
    "only signs": re.compile(r"^\W*$"),
    "number": re.compile(r"^\W*\d+\W*$"),
    "lines": re.compile(r"\n"),
    "at": re.compile(r"(?<!\w)@\w"),
}
_LENGTHS = (1, 2, 3, 4, 6, 8, 12, 20, 40)


def masked(text: str, parties: Iterable[tuple[int, int]]) -> str:
    """`text` with PARTY for each party's name, its article with it: some names have one of their own."""
    return " ".join(_WITH_ARTICLE.sub(f" {PARTY} ", replaced(text, set(parties), PARTY)).split())


def marks(text: str) -> NDArray[np.int64]:
    """The numbers of what a text shows: its stretches of letters, how it begins and ends, its signs."""
    words = plain(text).split()
    shown = [f"form {name}" for name, form in _FORMS.items() if form.search(text)]
    shown.append(f"length {next((most for most in _LENGTHS if len(words) <= most), 99)}")
    if words:
        shown += [f"first {words[0]}", f"first {' '.join(words[:2])}", f"last {words[-1]}"]
        shown += [f"whole {' '.join(words)}"] if len(words) <= 4 else []
    numbers = [zlib.crc32(each.encode("utf-8", "surrogatepass")) % BUCKETS for each in shown]
    return np.unique(np.concatenate([stretches(text), np.array(numbers, np.int64)]))


@dataclass(frozen=True, slots=True)
class TurnHead:
    """Weights of every kind: of the vectors of `encoders` side by side, less their `mean` (n,), of what a
    text shows (BUCKETS, kinds), and the biases (kinds,)."""

    encoders: tuple[str, ...]
    mean: NDArray[np.float32]
    vectors: NDArray[np.float32]
    shown: NDArray[np.float32]
    bias: NDArray[np.float32]

    def by_letters(self, text: str) -> NDArray[np.float32]:
        """What a text shows for each kind: (kinds,)."""
        found = marks(text)
        return np.asarray(self.shown[found].sum(axis=0) / np.sqrt(len(found)), np.float32)

    async def logits(self, text: str, encoders: Sequence[Embedder]) -> NDArray[np.float32]:
        """(kinds,). Raises what the encoders raise."""
        vectors = [await encoder.query(plain(text)) for encoder in encoders]
        found = (np.concatenate(vectors) - self.mean) @ self.vectors
        return np.asarray(found + self.by_letters(text) + self.bias, np.float32)


@cache
def packaged() -> TurnHead:
    """The head that comes with the bot."""
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        return TurnHead(
            encoders=tuple(str(name) for name in kept["encoders"]),
            mean=kept["mean"].astype(np.float32),
            vectors=kept["vectors"].astype(np.float32),
            shown=kept["shown"].astype(np.float32) * kept["scale"],
            bias=kept["bias"],
        )


class TurnReader:
    """Reads messages. `encoders` are those that the head was trained over; with others, and where they cannot
    be run, every message is a question. `registry` has the names of parties. What was found in the last
    messages is remembered by digest, since each is asked about several times."""

    def __init__(
        self, encoders: Sequence[Embedder] = (), registry: Callable[[], Registry] = Registry
    ) -> None:
        usable = tuple(each.name for each in encoders) == packaged().encoders
        self._encoders = encoders if usable else ()
        self._registry = registry
        self._detectors = LastMade[Registry, Detector](lambda named: Detector(named, ()))
        self._recent = Recent[bytes, NDArray[np.float32]](1000)

    async def warm_up(self) -> None:
        """Load names, weights and encoders."""
        await self.read("warm up")

    async def read(self, text: str, *, asked: bool = False) -> TurnKind:
        """What `text` is; `asked`: the last thing said to its author was a question of ours."""
        if not self._encoders or not text.strip():
            return TurnKind.QUESTION
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        if digest not in self._recent:
            self._recent[digest] = await self._logits(text)
        return decided(self._recent[digest], asked=asked)

    async def asks_of_shown(self, text: str) -> bool:
        """Whether `text`, said of somebody else's words, asks if they are true: also of whom it names ("did
        the Greens say that?")."""
        kind = await self.read(text)
        short = kind is TurnKind.SMALL_TALK and len(text.split()) <= A_WORD_OR_TWO and text.endswith("?")
        if short or kind in (*OF_LAST_ANSWER, TurnKind.ALLEGED):
            return True
        detector = self._detectors.of(self._registry())
        named = await asyncio.to_thread(detector.detect, text)
        unnamed = replaced(text, set(named.party_stretches), " ")
        return bool(named.party_stretches) and await self.read(unnamed) in OF_LAST_ANSWER

    async def distress(self, text: str) -> Distress | None:
        """The distress that `text` speaks of; None for anything else."""
        kind = await self.read(text)
        return Distress(kind, spoken_language(text[: 2 * READ * PART])) if kind in IN_DISTRESS else None

    async def _logits(self, text: str) -> NDArray[np.float32]:
        """(parts, kinds)."""
        parts = await asyncio.to_thread(self._parts, text)
        try:
            return np.stack([await packaged().logits(part, self._encoders) for part in parts])
        except FundstelleError:  # whoever answers runs into it as well, and says so
            return np.zeros((1, len(KINDS)), np.float32)

    def _parts(self, text: str) -> Sequence[str]:
        """`text` with its parties masked; where it is long, the parts of it that seem worst by their
        letters."""
        detector = self._detectors.of(self._registry())
        said = masked(text, detector.detect(text).party_stretches)
        if len(said.split()) <= PART:
            return [said]
        head, parts = packaged(), parts_of(said)
        return sorted(parts, key=lambda part: _odds(head.by_letters(part), IN_DISTRESS))[-READ:]


def decided(logits: NDArray[np.float32], *, asked: bool = False) -> TurnKind:
    """What a message is, by the logits (parts, kinds) of its parts: in distress where one part is; else a
    long one is a question, unless a part has a quote to check or asks for advice."""
    for part in logits:
        if _odds(part, IN_DISTRESS) > (DISTRESS_FROM if len(logits) == 1 else PART_FROM):
            return max(IN_DISTRESS, key=lambda kind: part[KINDS.index(kind)])
    found = [_best(part, asked) for part in logits]
    if len(found) == 1:
        return found[0]
    return next((kind for kind in (TurnKind.ALLEGED, TurnKind.ADVICE) if kind in found), TurnKind.QUESTION)


def _best(logits: NDArray[np.float32], asked: bool) -> TurnKind:
    left = [kind for kind in KINDS if kind not in IN_DISTRESS and (asked or kind not in REPLIES)]
    best = max(left, key=lambda kind: logits[KINDS.index(kind)] + (ASKED if kind in REPLIES else 0.0))
    if best in (TurnKind.QUESTION, TurnKind.FOLLOW_UP) or best in REPLIES:
        return best
    question = max(logits[KINDS.index(kind)] for kind in (TurnKind.QUESTION, TurnKind.FOLLOW_UP))
    needed = TALK_FROM if best in TALK else REMARK_FROM if best is TurnKind.REMARK else SURER
    return best if logits[KINDS.index(best)] - question > needed else TurnKind.QUESTION


def left_alone(kind: TurnKind, text: str) -> bool:
    """Whether nothing is replied to `text` in a group."""
    return kind in UNANSWERED and not text.rstrip().endswith("?")


def _odds(logits: NDArray[np.float32], kinds: Sequence[TurnKind]) -> float:
    """The logarithm of the odds of `kinds` against all others."""
    some = np.isin(np.arange(len(KINDS)), [KINDS.index(kind) for kind in kinds])
    return float(np.logaddexp.reduce(logits[some]) - np.logaddexp.reduce(logits[~some]))
