"""Rows of `training.candidates` as the reader learns from them: a question and the texts found."""

import hashlib
import json
import random
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

MOST_WORDS = 80
"""Words of a stretch, as many as a quote may have."""

MOST_SENTENCES = 4

AS_READ = 0.7
"""How often a question is learned with the stretches that the bot would have it read; always if judged."""

WORTH = {4: 1.0, 3: 0.7, 2: 0.15, 1: 0.0, 0: 0.0}
"""What a stretch counts by its judgement: the one to be quoted first, answers as well, answers in part."""

GOLD_WORTH = 0.5
"""What a stretch with a gold quote counts at least, however it was judged."""

RIGHT = 0.5
"""Worth from which on a stretch answers."""

MOST_RIGHT = 4
"""Stretches of any worth that a judged question is learned with at a time."""


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence or a stretch of them with the heading above it; `gold`: it holds the answer. `at`: passage,
    first and last sentence. `judged`: its worth, where somebody has judged it."""

    heading: str
    text: str
    gold: bool
    at: tuple[int, int, int] = (0, 0, 0)
    judged: float | None = None

    @property
    def read(self) -> str:
        """What the reader reads of it."""
        return f"{self.heading}: {self.text}" if self.heading else self.text

    @property
    def worth(self) -> float:
        """What it is worth as an answer, 0 to 1."""
        return float(self.gold) if self.judged is None else self.judged


class Row:
    """A question with the sentences of its passages in reading order. `judged`: the digits that somebody gave
    the stretches that are read, by their digest; those that got none or were not there are worth nothing."""

    def __init__(self, data: dict[str, Any], judged: dict[str, int] | None = None) -> None:
        self.id: str = data["id"]
        self.question: str = data["question"]
        self.answerable: bool = data["answerable"]
        self.document: str = data["gold"][0]["file"] if data["gold"] else self.id
        self.passages = data["passages"]
        self.sentences = sorted(data["sentences"], key=lambda each: (each["passage"], each["start"]))
        for each in self.sentences:
            each["gold"] = each["gold"] and self.answerable
        self.gold = [n for n, each in enumerate(self.sentences) if each["gold"]]
        order = sorted(range(len(self.sentences)), key=lambda n: -self.sentences[n]["score"])
        self.wrong = [n for n in order if not self.sentences[n]["gold"]]
        self.order = order
        read = [Text("", each["text"], each["gold"]) for each in data.get("read", [])]
        self.judged = judged is not None
        self.read = [replace(each, judged=_worth(each, judged)) for each in read]

    def held_out(self, share: int) -> bool:
        """Whether its document is one of the `share`-th part that is kept back."""
        return int(hashlib.sha1(self.document.encode()).hexdigest(), 16) % share == share - 1

    @property
    def asked_out(self) -> bool:
        """Whether its question is one of a sixth that is kept back although its document is learned."""
        return int(hashlib.sha1(self.question.encode()).hexdigest(), 16) % 6 == 0

    def stretch(self, first: int, last: int) -> Text:
        """Sentences `first` to `last` of one passage."""
        left, right = self.sentences[first], self.sentences[last]
        passage = self.passages[left["passage"]]
        return Text(
            heading=passage["heading"],
            text=" ".join(passage["text"][left["start"] : right["end"]].split()),
            gold=any(each["gold"] for each in self.sentences[first : last + 1]),
            at=(left["passage"], first, last),
        )

    def around(self, sentence: int) -> list[tuple[int, int]]:
        """The stretches of at most four sentences and 80 words that `sentence` stands in, itself first."""
        passage = self.sentences[sentence]["passage"]
        words = [
            len(self._text(n).split()) if self._in(n, passage) else 10_000
            for n in range(sentence - MOST_SENTENCES + 1, sentence + MOST_SENTENCES)
        ]
        upto = [0, *accumulate(words)]
        found = [(sentence, sentence)]
        for first in range(sentence - MOST_SENTENCES + 1, sentence + 1):
            for last in range(sentence, first + MOST_SENTENCES):
                offset = sentence - MOST_SENTENCES + 1
                if last > first and upto[last - offset + 1] - upto[first - offset] <= MOST_WORDS:
                    found.append((first, last))
        return found

    def _in(self, number: int, passage: int) -> bool:
        return 0 <= number < len(self.sentences) and self.sentences[number]["passage"] == passage

    def _text(self, number: int) -> str:
        each = self.sentences[number]
        text: str = self.passages[each["passage"]]["text"][each["start"] : each["end"]]
        return text

    def sampled(self, chance: random.Random, wrong: int, nearest: int, dropped: float) -> list[Text]:
        """One text that holds the answer, where there is one and chance does not drop it, and `wrong`
        others: of the stretches that are read, or from the `nearest` sentences, half of them with others. Of
        a judged question some of all that are worth something."""
        if self.judged:
            return self._judged(chance, wrong, dropped)
        texts = []
        as_read = bool(self.read) and chance.random() < AS_READ
        right = [each for each in self.read if each.gold] if as_read else []
        if self.gold and chance.random() >= dropped:
            texts.append(
                chance.choice(right) if right else self._either(chance, chance.choice(self.gold), gold=True)
            )
        if as_read:
            beside = [each for each in self.read if not each.gold]
            return texts + chance.sample(beside, min(wrong, len(beside)))
        near = self.wrong[:nearest]
        picked = chance.sample(near, min(wrong, len(near)))
        return texts + [self._either(chance, each, gold=False) for each in picked]

    def _judged(self, chance: random.Random, wrong: int, dropped: float) -> list[Text]:
        right = [each for each in self.read if each.worth > 0]
        if chance.random() < dropped:
            right = [each for each in right if each.worth < RIGHT]
        rest = [each for each in self.read if each.worth == 0]
        texts = chance.sample(right, min(MOST_RIGHT, len(right)))
        return texts + chance.sample(rest, min(wrong + 1 - len(texts), len(rest)))

    def _either(self, chance: random.Random, sentence: int, *, gold: bool) -> Text:
        stretches = [self.stretch(*each) for each in self.around(sentence)]
        if chance.random() < 0.6:
            stretches = stretches[:1]
        return chance.choice([each for each in stretches if each.gold == gold])


def digest_of(text: str) -> str:
    """What names a stretch without its words: eight bytes of its letters and digits."""
    letters = "".join(filter(str.isalnum, text.casefold()))
    return hashlib.blake2b(letters.encode(), digest_size=8).hexdigest()


def _worth(text: Text, judged: dict[str, int] | None) -> float | None:
    """What a judged stretch is worth; a gold quote in it says that it answers, whoever judged."""
    if judged is None:
        return None
    worth = WORTH[judged.get(digest_of(text.text), 0)]
    return max(worth, GOLD_WORTH) if text.gold else worth


def read_rows(file: Path, judged: dict[str, dict[str, int]] | None = None) -> list[Row]:
    """The rows that have sentences; `judged`: by question what `training.judging` collected."""
    known = judged or {}
    with file.open(encoding="utf-8") as lines:
        data = [json.loads(line) for line in lines]
    rows = [Row(each, known.get(each["id"])) for each in data]
    return [row for row in rows if row.sentences]


def read_judged(file: Path) -> dict[str, dict[str, int]]:
    """By question the digits of its stretches."""
    found = (json.loads(line) for line in file.read_text("utf-8").splitlines())
    return {each["id"]: each["judged"] for each in found}
