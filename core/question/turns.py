"""What a message means to the bot, decided once, before any search: a question, a word about its last answer,
an alleged quote, thanks, an insult, a cry for help, talk.

A head over the packaged encoders (`core.question.heads`) reads the whole message, with all party names
replaced by the same word, so that no party is treated differently from another. `benchmarks/train_turns.py`
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
from core.ports.models import Embedder
from core.question.gibberish import share_in_words
from core.question.heads import BUCKETS, PART, READ, Network, parts_of, plain, stretches
from core.question.language import spoken_language
from core.question.repeats import cries, without_repeats
from core.recent import LastMade, Recent
from core.registry.detection import Detector
from core.registry.names import replaced

WEIGHTS = Path(__file__).with_name("turns.npz")


@dataclass(frozen=True, slots=True)
class Distress:
    """The kind of distress, one of IN_DISTRESS, and the language it is expressed in (ISO 639-1)."""

    kind: "TurnKind"
    language: str


class TurnKind(StrEnum):
    """The kind of a message."""

    QUESTION = "question"  # including a topic or a name alone
    FOLLOW_UP = "follow_up"
    SOURCE = "source"  # where the last answer comes from
    PAGE = "page"
    TRUE = "true"  # whether it is true
    SHORTER = "shorter"
    MORE = "more"
    LANGUAGE = "language"
    CURRENT = "current"  # whether it still holds, what the text says now
    WHO = "who"
    SINCE = "since"
    CONTEXT = "context"  # what stands before and behind the quote
    COMPLAINT = "complaint"  # that it was not what was asked
    INSTRUCTION = "instruction"  # a different form: a table, plain words, from the beginning
    ALLEGED = "alleged"  # a quote to check
    GREETING = "greeting"
    BYE = "bye"
    THANKS = "thanks"  # including praise
    INSULT = "insult"
    ADVICE = "advice"  # how to vote, what the bot thinks of a party
    ABOUT = "about"  # who the bot is, what it can do
    SMALL_TALK = "small_talk"  # tasks, unrelated subjects
    REMARK = "remark"  # addressed to others, or about the world
    YES = "yes"
    NO = "no"
    NUMBER = "number"  # one of several options offered, or a value
    NAME = "name"
    EMERGENCY = "emergency"
    SUICIDE = "suicide"
    VIOLENCE = "violence"


KINDS = tuple(TurnKind)

IN_DISTRESS = (TurnKind.EMERGENCY, TurnKind.SUICIDE, TurnKind.VIOLENCE)
"""If several apply, the first of these takes precedence."""

_DISTRESS = [KINDS.index(kind) for kind in IN_DISTRESS]

REPLIES = (TurnKind.YES, TurnKind.NO, TurnKind.NUMBER, TurnKind.NAME)
"""Answers to a question of ours; they don't occur if we have asked nothing."""

OF_LAST_ANSWER = (
    *(TurnKind.SOURCE, TurnKind.PAGE, TurnKind.TRUE, TurnKind.SHORTER, TurnKind.MORE),
    *(TurnKind.CURRENT, TurnKind.WHO, TurnKind.SINCE, TurnKind.CONTEXT, TurnKind.COMPLAINT),
)
"""Kinds that refer to the previous answer."""

TALK = (
    *(TurnKind.GREETING, TurnKind.BYE, TurnKind.THANKS, TurnKind.INSULT),
    *(TurnKind.ABOUT, TurnKind.SMALL_TALK),
)
NO_QUESTION = (*TALK, TurnKind.ADVICE)
"""Kinds that trigger no search."""

_OF_QUOTES = (TurnKind.ALLEGED, TurnKind.TRUE, TurnKind.WHO, TurnKind.SOURCE, TurnKind.PAGE)
"""Kinds of a text around quoted words that are to be checked: whether they are true, who says them, where."""

UNANSWERED = (TurnKind.THANKS, TurnKind.REMARK)
"""Kinds that get no reply in groups."""

DISTRESS_FROM, PART_FROM = -0.25, 0.5
"""Log-odds from which a text, or a part of a long one, counts as distress."""

IN_WORDS, CARRIED_FROM = 0.25, -1.85
"""Share of a text's letters in words of our languages below which only letters carry distress: those of words
run together or misspelt ("ichwillsterbn"), of these log-odds. Others look like it to the encoders."""

SURER, ASKED = 0.4, 3.0
"""How much higher than a question's the logit of a kind must be, and the bonus for an answer to our own
question."""

TALK_FROM, REMARK_FROM = 2.4, 2.75
"""How much higher the logits of talk and of a remark must be: a question mistaken for one is lost, while
searching for talk merely finds nothing."""

QUOTED_FROM = -0.5
"""How much higher than a question's the logit of asking about a quote must be where a sentence is quoted."""

A_WORD_OR_TWO = 3
"""Maximum words of a question that always refers to the words shown with it ("made up?")."""

_PART_LETTERS = 2_000
"""Maximum characters read of a part: endless strings of letters are not words."""

PARTY = "Partei X"
"""Replaces the name of any party."""

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
_ONLY_SIGNS = re.compile(r"[\s?!.,;:…-]+")
"""Punctuation that asks nothing by itself; other signs do say something ("👍")."""
_LENGTHS = (1, 2, 3, 4, 6, 8, 12, 20, 40)


def masked(text: str, parties: Iterable[tuple[int, int]]) -> str:
    """`text` with each party's name, including its article, replaced by PARTY: some names contain one."""
    return " ".join(_WITH_ARTICLE.sub(f" {PARTY} ", replaced(text, set(parties), PARTY)).split())


def marks(text: str) -> NDArray[np.int64]:
    """The bucket numbers of a text's features: character n-grams, beginning, end and punctuation."""
    words = plain(text).split()
    shown = [f"form {name}" for name, form in _FORMS.items() if form.search(text)]
    shown.append(f"length {next((most for most in _LENGTHS if len(words) <= most), 99)}")
    if words:
        shown += [f"first {words[0]}", f"first {' '.join(words[:2])}", f"last {words[-1]}"]
        shown += [f"whole {' '.join(words)}"] if len(words) <= 4 else []
    numbers = [zlib.crc32(each.encode("utf-8", "surrogatepass")) % BUCKETS for each in shown]
    return np.array(sorted({*stretches(text).tolist(), *numbers}), np.int64)


@dataclass(frozen=True, slots=True)
class TurnHead:
    """Weights of every kind: for the concatenated vectors of `encoders` minus their `mean` (n,), for the
    text's features (BUCKETS, kinds), and the biases (kinds,); and the network that hears distress in the
    vectors, which has as much to say of it as the weights."""

    encoders: tuple[str, ...]
    mean: NDArray[np.float32]
    vectors: NDArray[np.float32]
    shown: NDArray[np.float32]
    bias: NDArray[np.float32]
    distress: Network

    def by_letters(self, text: str) -> NDArray[np.float32]:
        """The score of each kind from the text's features: (kinds,)."""
        found = marks(text)
        return np.asarray(self.shown[found].sum(axis=0) / np.sqrt(len(found)), np.float32)

    async def logits(self, text: str, encoders: Sequence[Embedder]) -> NDArray[np.float32]:
        """The logit of each kind: (kinds,). Raises what the encoders raise."""
        vectors = [await encoder.query(plain(text)) for encoder in encoders]
        vector = np.concatenate(vectors)
        found = np.asarray(
            (vector - self.mean) @ self.vectors + self.by_letters(text) + self.bias, np.float32
        )
        found[_DISTRESS] += (self.distress.odds(vector[None])[0] - _odds(found, IN_DISTRESS)) / 2
        return found


@cache
def packaged() -> TurnHead:
    """The head shipped with the bot."""
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        return TurnHead(
            encoders=tuple(str(name) for name in kept["encoders"]),
            mean=kept["mean"].astype(np.float32),
            vectors=kept["vectors"].astype(np.float32),
            shown=kept["shown"].astype(np.float32) * kept["scale"],
            bias=kept["bias"],
            distress=Network.stored(kept, "distress"),
        )


class TurnReader:
    """Classifies messages. `encoders` must be those that the head was trained with; with others, or if they
    cannot run, every message is a question. `registry` has the names of parties. Results for recent messages
    are cached by digest, since each is requested several times."""

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
        """The kind of `text`; `asked`: the last thing we said to its author was a question."""
        if not self._encoders or not text.strip():
            return TurnKind.QUESTION
        if _ONLY_SIGNS.fullmatch(text):
            return TurnKind.SMALL_TALK
        if cries(text):
            return TurnKind.EMERGENCY
        return decided(await self._known_logits(text), asked=asked)

    async def asks_of_shown(self, text: str) -> bool:
        """Whether `text`, about somebody else's words, asks if they are true, possibly about a named party
        ("did the Greens say that?")."""
        kind = await self.read(text)
        short = kind is TurnKind.SMALL_TALK and len(text.split()) <= A_WORD_OR_TWO and text.endswith("?")
        if short or kind in (*OF_LAST_ANSWER, TurnKind.ALLEGED):
            return True
        detector = self._detectors.of(self._registry())
        named = await asyncio.to_thread(detector.detect, text)
        unnamed = replaced(text, set(named.party_stretches), " ")
        return bool(named.party_stretches) and await self.read(unnamed) in OF_LAST_ANSWER

    async def asks_of_quote(self, around: str) -> bool:
        """Whether `around`, with a sign in place of the sentence that it quotes, is about whether that is
        true, or presents it: who quotes a whole sentence seldom asks anything else."""
        kind = await self.read(around)
        if kind not in (TurnKind.QUESTION, TurnKind.FOLLOW_UP) or not self._encoders:
            return kind in _OF_QUOTES
        found = (await self._known_logits(around)).max(axis=0)
        of_quotes, asking = (
            max(found[KINDS.index(each)] for each in kinds)
            for kinds in (_OF_QUOTES, (TurnKind.QUESTION, TurnKind.FOLLOW_UP))
        )
        return bool(of_quotes - asking > QUOTED_FROM)

    async def distress(self, text: str) -> Distress | None:
        """The distress that `text` expresses; None for anything else."""
        kind = await self.read(text)
        return Distress(kind, spoken_language(text[: 2 * READ * PART])) if kind in IN_DISTRESS else None

    async def _known_logits(self, text: str) -> NDArray[np.float32]:
        """As `_logits`, which is asked once for a recent message."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        if digest not in self._recent:
            self._recent[digest] = await self._logits(text)
        return self._recent[digest]

    async def _logits(self, text: str) -> NDArray[np.float32]:
        """(parts, kinds)."""
        parts = await asyncio.to_thread(self._parts, text)
        try:
            found = np.stack([await packaged().logits(part, self._encoders) for part in parts])
        except FundstelleError:  # answering runs into it as well, and reports it
            return np.zeros((1, len(KINDS)), np.float32)
        for part, logits in zip(parts, found, strict=True):
            if _odds(logits, IN_DISTRESS) > DISTRESS_FROM and not await asyncio.to_thread(_carries, part):
                logits[_DISTRESS] = -np.inf
        return found

    def _parts(self, text: str) -> Sequence[str]:
        """`text` with its parties masked and repetition reduced; if it is long, the parts that score worst by
        their letters."""
        text = without_repeats(text)
        detector = self._detectors.of(self._registry())
        masked_text = masked(text, detector.detect(text).party_stretches)
        if len(masked_text.split()) <= PART:
            return [masked_text[:_PART_LETTERS]]
        head, parts = packaged(), [part[:_PART_LETTERS] for part in parts_of(masked_text)]
        return sorted(parts, key=lambda part: _odds(head.by_letters(part), IN_DISTRESS))[-READ:]


def decided(logits: NDArray[np.float32], *, asked: bool = False) -> TurnKind:
    """The kind of a message, from the logits (parts, kinds) of its parts: distress if one part is; otherwise
    a long one is a question, unless a part has a quote to check or asks for advice."""
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
    """Whether `text` gets no reply in a group."""
    return kind in UNANSWERED and not text.rstrip().endswith("?")


def _carries(text: str) -> bool:
    """Whether `text` is in words, or its letters alone speak of distress."""
    if share_in_words(plain(text)) >= IN_WORDS:
        return True
    return _odds(packaged().by_letters(text) + packaged().bias, IN_DISTRESS) >= CARRIED_FROM


def _odds(logits: NDArray[np.float32], kinds: Sequence[TurnKind]) -> float:
    """The log-odds of `kinds` against all others."""
    some = np.isin(np.arange(len(KINDS)), [KINDS.index(kind) for kind in kinds])
    return float(np.logaddexp.reduce(logits[some]) - np.logaddexp.reduce(logits[~some]))
