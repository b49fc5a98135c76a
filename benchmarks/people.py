"""Questions as people ask them: whether the quotes shown hold the answer, and whether silence is right.

`python -m benchmarks.people --library DIR [--questions FILE...] [--sample N] [--fold I/K] [--out FILE]`

`DIR` is a data folder with the documents of the question sets. What a search found and the vectors of the
sentences looked at are kept in `--cache` (a folder; stale once library, encoders or search have changed:
`--fresh`), so that another choice of quotes is measured in a minute. `--sample` spreads
evenly over the documents, `--fold 2/5` the second of five parts that share no document: what is fitted on
the other parts is judged on it. The packaged
reader was trained on most of these questions: `--reader off` is what says something about others.
`--never-silent` looks at the
choice alone. `--out` writes question, gold quotes and shown quotes side by side.
"""

import argparse
import asyncio
import hashlib
import json
import os
import pickle
import time
import uuid
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.models import packaged_reader, word_encoder
from bot.wiring.services import opened
from core.answering.asker import Asker, AskSettings
from core.answering.extractive.sentences import Extractor
from core.answering.voice_head import VoiceHead
from core.domain.answers import Answer, Outcome
from core.domain.ids import TraceId
from core.domain.ingestion import Progress
from core.domain.search import Vector
from core.evaluation import (
    Observed,
    Rate,
    SetQuestion,
    grouped,
    quote_rank,
    quote_right,
    quote_share,
    read_questions,
    silent_rightly,
    silent_wrongly,
)
from core.ports.models import AnswerReader, Embedder
from core.search.plan import SearchResult

SAVED = 100
"""Questions after which what was found and encoded is written down."""

RATES = {
    "right@1": lambda seen: quote_right(seen, 1),
    "right@3": lambda seen: quote_right(seen, 3),
    "share": quote_share,
    "rightly silent": silent_rightly,
    "wrongly silent": silent_wrongly,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(os.environ.get("FUNDSTELLE_TEST_DATA", "../shared/data"))
    sets = [default / "manifestos" / "people.jsonl", default / "statutes" / "people.jsonl"]
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", default=sets)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--fold", default="")
    parser.add_argument("--cache", type=Path, default=Path("build/people"))
    parser.add_argument("--reader", choices=("packaged", "off"), default="packaged")
    parser.add_argument("--never-silent", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    questions = [item for file in asked.questions for item in read_questions(file.read_text())]
    if asked.fold:
        which, number = map(int, asked.fold.split("/"))
        questions = folds(questions, number)[which - 1]
    questions = sampled(questions, asked.sample or len(questions))
    asked.cache.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    seen = asyncio.run(measure(asked, questions))
    print(f"{len(seen)} questions in {time.perf_counter() - started:.0f} s, load {os.getloadavg()[0]:.1f}")
    print(table(seen))
    if asked.out:
        asked.out.write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in side_by_side(seen))
        )


async def measure(asked: argparse.Namespace, questions: Sequence[SetQuestion]) -> list[Observed]:
    """What is quoted for every question, without a model."""
    async with opened(Settings(data=asked.library)) as app:
        results = await found(app, questions, asked.cache / "searches.pickle", fresh=asked.fresh)
        encoders = [
            RememberedVectors(encoder, asked.cache / f"{name}.pickle")
            for name, encoder in (("second", app.ingester.secondary), ("dense", app.ingester.primary))
        ]
        remembered = [*encoders]
        reader = None
        if asked.reader == "packaged":
            packaged = packaged_reader(
                Settings(data=asked.library), app.ingester.primary, asked.library / "models"
            )
            reader = RememberedReadings(packaged, asked.cache / "readings.pickle")
            remembered.append(reader)
        contexts = word_encoder(app.ingester.primary, asked.library / "models")
        asker = Asker(
            searcher=app.searcher,
            library=app.library,
            extractor=Extractor(*encoders, reader=reader, voice_head=VoiceHead(encoders[0], contexts)),
            clock=app.clock,
            new_trace=lambda: TraceId(uuid.uuid4().hex),
            settings=AskSettings(threshold=0.0 if asked.never_silent else None),
        )
        seen = []
        for number, question in enumerate(questions, start=1):
            seen.append(await quoted(asker, question, results[question.id]))
            if number % SAVED == 0 or number == len(questions):
                for each in remembered:
                    each.save()
        return seen


async def found(
    app: Composition, questions: Sequence[SetQuestion], file: Path, *, fresh: bool
) -> dict[str, SearchResult]:
    """What a search finds for each question, by its id; searched once."""
    known: dict[str, SearchResult] = {} if fresh else read_kept(file)
    for number, question in enumerate(questions):
        if question.id not in known:
            place = question.jurisdiction if question.corpus == "statutes" else None
            options = ScopeOptions(jurisdiction=place)
            known[question.id] = await app.questions.search(question.question, options, k=20)
            if number % SAVED == 0:
                keep(known, file)
    keep(known, file)
    return known


async def quoted(asker: Asker, question: SetQuestion, result: SearchResult) -> Observed:
    """What is quoted from what was found."""
    started = time.perf_counter()
    answer: Answer = await asker.from_found(question.question, result)
    cited = answer.citations
    return Observed(
        question=question,
        hits=tuple(tuple((h.edition.document.file, p) for p in h.passage.pages) for h in result.hits),
        citations=tuple(tuple((c.edition.document.file, p) for p in c.quote.pages) for c in cited),
        quotes=tuple(item.quote.text for item in cited),
        exact_quotes=len(cited),
        highlights=0,
        claims=len(answer.claims),
        labelled=len(answer.claims),
        outcome=answer.outcome.value,
        silent=answer.outcome is not Outcome.GROUNDED or (not question.answerable and bool(answer.missing)),
        confidence=answer.confidence,
        places=frozenset(),
        allowed=None,
        seconds=time.perf_counter() - started,
    )


class RememberedVectors:
    """An encoder that keeps the vectors of what it has encoded in `file`."""

    def __init__(self, encoder: Embedder, file: Path) -> None:
        self._encoder = encoder
        self._file = file
        self._known: dict[bytes, Vector] = read_kept(file)
        self._new = False
        self.name, self.dimension = encoder.name, encoder.dimension
        self.max_tokens, self.count_tokens = encoder.max_tokens, encoder.count_tokens
        self.warm_up = encoder.warm_up

    async def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        """Vectors of passages, as the encoder has them."""
        keys = [_key("passage", text) for text in texts]
        lacking = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if lacking:
            made = await self._encoder.passages(list(lacking.values()), progress)
            self._known |= dict(zip(lacking, made, strict=True))
            self._new = True
        return np.stack([self._known[key] for key in keys])

    async def query(self, text: str) -> Vector:
        """Vector of a question, as the encoder has it."""
        key = _key("query", text)
        if key not in self._known:
            self._known[key] = await self._encoder.query(text)
            self._new = True
        return self._known[key]

    def save(self) -> None:
        """Write what was encoded."""
        if self._new:
            keep(self._known, self._file)
            self._new = False


class RememberedReadings:
    """A reader that keeps the scores of what it has read in `file`."""

    def __init__(self, reader: AnswerReader, file: Path) -> None:
        self._reader = reader
        self._file = file
        self._known: dict[bytes, float] = read_kept(file)
        self._new = False
        self.name, self.warm_up = reader.name, reader.warm_up

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """The scores, as the reader has them."""
        keys = [_key(question, text) for text in texts]
        lacking = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if lacking:
            made = await self._reader.scores(question, list(lacking.values()))
            self._known |= dict(zip(lacking, made, strict=True))
            self._new = True
        return [self._known[key] for key in keys]

    def save(self) -> None:
        """Write what was read."""
        if self._new:
            keep(self._known, self._file)
            self._new = False


def read_kept(file: Path) -> dict[Any, Any]:
    """What an earlier run has kept in `file`; nothing where there is none."""
    return pickle.loads(file.read_bytes()) if file.exists() else {}


def keep(known: object, file: Path) -> None:
    """Write it for the next run."""
    file.write_bytes(pickle.dumps(known))


def _key(role: str, text: str) -> bytes:
    return hashlib.blake2b(f"{role}\0{text}".encode(), digest_size=12).digest()


def folds(questions: Sequence[SetQuestion], number: int) -> list[list[SetQuestion]]:
    """The questions in `number` parts that share no document, about equally large."""
    parts: list[list[SetQuestion]] = [[] for _ in range(number)]
    for group in sorted(_by_document(questions).values(), key=len, reverse=True):
        min(parts, key=len).extend(group)
    return parts


def sampled(questions: Sequence[SetQuestion], number: int) -> list[SetQuestion]:
    """`number` of the questions, spread evenly over the documents."""
    ordered = list(chain.from_iterable(_by_document(questions).values()))
    return [ordered[len(ordered) * n // number] for n in range(min(number, len(ordered)))]


def _by_document(questions: Sequence[SetQuestion]) -> dict[str, list[SetQuestion]]:
    """The questions by the document of their answer; those without one by the party or place they name."""
    groups: dict[str, list[SetQuestion]] = defaultdict(list)
    for item in questions:
        groups[item.gold[0].file if item.gold else f"{item.corpus} {item.party or item.jurisdiction}"].append(
            item
        )
    return groups


def table(seen: Sequence[Observed]) -> str:
    """The rates with their 95 % intervals: whole, by corpus, and in each corpus by language and kind."""
    lines = [f"{'':<28}{'n':>5}{'quotes':>8}{'words':>7}" + "".join(f"{name:>22}" for name in RATES)]
    lines.append(_line("all", seen))
    for corpus, own in grouped(seen, "corpus").items():
        lines.append(_line(corpus, own))
        for by in ("language", "kind"):
            lines += [_line(f"  {name}", part) for name, part in grouped(own, by).items()]
    return "\n".join(lines)


def _line(name: str, seen: Sequence[Observed]) -> str:
    shown = [item.quotes for item in seen if item.quotes]
    words = [len(quote.split()) for quotes in shown for quote in quotes]
    number, length = (len(words) / len(shown), sum(words) / len(words)) if shown else (0.0, 0.0)
    rates = "".join(f"{_rate(rate(seen)):>22}" for rate in RATES.values())
    return f"{name:<28}{len(seen):>5}{number:>8.2f}{length:>7.0f}{rates}"


def _rate(rate: Rate) -> str:
    if not rate.of:
        return "-"
    low, high = rate.interval()
    return f"{100 * rate.value:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


def side_by_side(seen: Sequence[Observed]) -> list[dict[str, object]]:
    """Question, gold and shown quotes; those that are missed first."""
    return [
        {
            "id": item.question.id,
            "question": item.question.question,
            "kind": item.question.kind,
            "answerable": item.question.answerable,
            "rank": quote_rank(item),
            "confidence": round(item.confidence, 3),
            "gold": [f"{gold.file} p{gold.page}: {gold.quote}" for gold in item.question.gold],
            "shown": [
                f"{places[0][0]} p{places[0][1]}: {text}"
                for places, text in zip(item.citations, item.quotes, strict=True)
            ],
        }
        for item in sorted(seen, key=lambda item: -(quote_rank(item) or 99))
    ]


if __name__ == "__main__":
    main()
