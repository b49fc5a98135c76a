"""Trains the networks that read what a message asks and takes from the question before it,
`core/question/carried.npz`, and judges them on the writers that they did not learn from.

`python -m benchmarks.train_carried --models FOLDER [--out FILE]`

`thread_lines/` has messages by writers who saw no code: "line", perhaps "before" (the question before it),
its "kind", "adds" (the stretches of it that say what is asked), "keeps" (the topic before it stays) and
"parties" (who is asked now). Each is read a second time as people write in haste, and questions also after
others'. FOLDER holds the encoder's files; those that are missing are made."""

import argparse
import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.words import PackagedWords
from benchmarks.heads import ROOT, rows_of
from benchmarks.train_turns import REGISTRY
from core.ports.models import WordEncoder
from core.question.carried import WEIGHTS, Floats, Network, candidate_of, chances_of, of_message, words_of
from core.registry.detection import Detector

LINES = ROOT / "benchmarks" / "thread_lines"
PARTIES = ROOT / "benchmarks" / "party_lines"
HIDDEN = {"party": 64, "asks": 64, "follows": 32, "keeps": 32, "others": 32}
ROUNDS, BATCH, STEP = 20, 128, 3e-3
SHRINK, LEFT_OUT = 5e-3, 0.25
"""Of the weights, and the share of the inputs left out at each step."""
ALONE = 5
"""Words of a question that may go on with another."""

RARE = 16.0
"""How much more the rarer answer weighs at most, before the root."""

NAMES = Detector(REGISTRY, ())


@dataclass(frozen=True, slots=True)
class Row:
    """A message: its writer, the vectors of its words and of the question before it, what it is, and whether
    each of its words is asked for. None where nobody said so."""

    writer: str
    line: str
    words: Floats
    before: Floats
    asked: NDArray[np.bool_]
    follows: bool | None = None
    keeps: bool | None = None
    others: bool | None = None


def main() -> None:
    """Judge, train, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    encoder = PackagedWords(given.models)
    rows = asyncio.run(_read(encoder))
    writers = sorted({row.writer for row in rows})
    chances: dict[int, Floats] = {}
    for writer in writers:
        own = [row for row in rows if row.writer == writer]
        network = _words([row for row in rows if row.writer != writer])
        chances |= {id(row): chances_of(network.odds(row.words)) for row in own}
        words = [row for row in own if row.asked.size]
        odds, asked = np.concatenate([network.odds(row.words) for row in words]), _asked(words)
        both = (odds > 0) & asked
        share = 2 * both.sum() / ((odds > 0).sum() + asked.sum())
        print(f"{writer}: words asked for, harmonic mean of precision and recall {share:.3f}")
    for writer in writers:
        told = [writer]
        for name in ("follows", "keeps", "others"):
            network = _messages([row for row in rows if row.writer != writer], chances, name)
            own = [row for row in rows if row.writer == writer and getattr(row, name) is not None]
            if own:
                found = np.array([network.odds(_message(row, chances))[0] > 0 for row in own])
                known = np.array([getattr(row, name) for row in own], bool)
                told.append(
                    f"{name}: {(found == known).mean():.3f} of {len(own)}"
                    f" (missed {(known & ~found).sum()} of {known.sum()}, wrongly {(found & ~known).sum()})"
                )
        print("; ".join(told))
    candidates = asyncio.run(_candidates(encoder))
    for writer in sorted({each.writer for each in candidates}):
        network = _party([each for each in candidates if each.writer != writer])
        own = [each for each in candidates if each.writer == writer]
        found = network.odds(np.stack([each.read for each in own])) > 0
        known = np.array([each.meant for each in own], bool)
        print(
            f"{writer}: parties {(found & known).sum()} of {known.sum()},"
            f" other words {(~found & ~known).sum()} of {(~known).sum()}"
        )
    networks = {"asks": _words(rows)}
    networks |= {name: _messages(rows, chances, name) for name in ("follows", "keeps", "others")}
    networks["party"] = _party(candidates)
    np.savez_compressed(
        given.out,
        encoder=np.array(encoder.name),
        **{
            f"{name}.{part}": np.asarray(
                getattr(network, part), np.float16 if part == "first" else np.float32
            )
            for name, network in networks.items()
            for part in ("first", "shift", "second", "bias")
        },
    )


async def _read(encoder: WordEncoder) -> list[Row]:
    """All lines, each also in haste; questions without one before them also after others'."""
    rows, chance = [], random.Random(3)
    lines = {file.stem: [*rows_of(file)] for file in sorted(LINES.glob("*.jsonl"))}
    for writer, own in lines.items():
        befores = [each["before"] for each in own if each.get("before")] or [
            each["before"] for other in lines.values() for each in other if each.get("before")
        ]
        for each in own:
            if "adds" not in each:
                continue
            rows.append(await _row(encoder, writer, each))
            hasty = {**each, "line": _hastily(each["line"], chance), "before": each.get("before", "")}
            rows.append(await _row(encoder, writer, hasty))
            if each["kind"] == "question" and not each.get("before") and _is_complete(each):
                rows.append(
                    await _row(encoder, writer, {**each, "before": chance.choice(befores), "keeps": False})
                )
    return rows


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words that some party is called by: what is read of them, and whether they mean a party."""

    writer: str
    read: Floats
    meant: bool


async def _candidates(encoder: WordEncoder) -> list[Candidate]:
    """Those that writers marked, and those of threads, which mean whom is asked; each also in haste."""
    found, chance = [], random.Random(4)
    for file in sorted(PARTIES.glob("*.jsonl")):
        for row in rows_of(file):
            marked, at = [], 0
            for words, meant in row["words"]:
                at = row["line"].index(words, at)
                marked.append((at, at + len(words), meant))
                at += len(words)
            writer = f"{file.stem}/{len(row['line']) % 3}"  # left out in three parts
            found += [await _candidate(encoder, writer, row["line"], each) for each in marked]
    for file in sorted(LINES.glob("*.jsonl")):
        for row in rows_of(file):
            if row["kind"] not in ("question", "follow_up"):
                continue
            for line in dict.fromkeys((row["line"], _hastily(row["line"], chance))):
                for start, end, key in NAMES.maybe_parties(line):
                    meant = key in row["parties"]
                    found.append(await _candidate(encoder, file.stem, line, (start, end, meant)))
    return found


async def _candidate(
    encoder: WordEncoder, writer: str, line: str, marked: tuple[int, int, bool]
) -> Candidate:
    start, end, meant = marked
    names = [each for each in NAMES.detect(line).party_names if not (each[0] < end and start < each[1])]
    said = words_of(line, names)
    _, vectors = await encoder.words((), [word for word, *_ in said])
    return Candidate(writer, candidate_of(said, vectors, (start, end)), meant)


def _party(candidates: Sequence[Candidate]) -> Network:
    read = np.stack([each.read for each in candidates])
    return fitted(read, np.array([each.meant for each in candidates], bool), HIDDEN["party"])


def _is_complete(told: dict[str, Any]) -> bool:
    """Whether a question is new after any other: it names whom it asks, or has the words of a sentence."""
    return bool(told["parties"]) or len(told["line"].split()) > ALONE


def _hastily(line: str, chance: random.Random) -> str:
    """The line in lower case or without its last sign, with its words in their places."""
    line = line.lower() if chance.random() < 0.7 else line
    return line.rstrip("?.! ") if chance.random() < 0.7 else line


async def _row(encoder: WordEncoder, writer: str, told: dict[str, Any]) -> Row:
    line, before = told["line"], told.get("before", "")
    said, earlier = (words_of(text, [*NAMES.detect(text).party_names]) for text in (line, before))
    was, own = await encoder.words([word for word, *_ in earlier], [word for word, *_ in said])
    folded = line.lower()
    starts = [(folded.find(part.lower()), len(part)) for part in told["adds"]]
    parts = [(at, at + size) for at, size in starts if at >= 0]
    asked = np.array([any(at < end and start < stop for at, stop in parts) for _, start, end in said], bool)
    row = Row(writer, line, own, was, asked)
    if not before:
        return row
    follows = told["kind"] == "follow_up"
    named = bool(NAMES.detect(before).parties)
    others = follows and named and not told["parties"] and bool(told.get("keeps"))
    return replace(row, follows=follows, keeps=told.get("keeps"), others=others)


def _asked(rows: Sequence[Row]) -> NDArray[np.bool_]:
    return np.concatenate([row.asked for row in rows])


def _words(rows: Sequence[Row]) -> Network:
    return fitted(np.concatenate([row.words for row in rows]), _asked(rows), HIDDEN["asks"])


def _message(row: Row, chances: dict[int, Floats]) -> Floats:
    return of_message(row.before, row.words, chances[id(row)])[None]


def _messages(rows: Sequence[Row], chances: dict[int, Floats], name: str) -> Network:
    known = [row for row in rows if getattr(row, name) is not None]
    read = np.concatenate([_message(row, chances) for row in known])
    return fitted(read, np.array([getattr(row, name) for row in known], bool), HIDDEN[name])


def fitted(
    read: Floats, known: NDArray[np.bool_], hidden: int, *, seed: int = 0, weights: Floats | None = None
) -> Network:
    """The network of least loss, by Adam in small batches; the inputs are scaled while it is trained. Without
    `weights` of the rows the rarer answer weighs more."""
    chance, (rows, inputs) = np.random.default_rng(seed), read.shape
    mean, size = read.mean(axis=0), read.std(axis=0) + 1e-3
    scaled = ((read - mean) / size).astype(np.float32)
    if weights is None:
        rare = min(RARE, (1 - known.mean()) / known.mean()) ** 0.5
        weights = np.where(known, rare, 1.0).astype(np.float32)
    values = [
        chance.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
        np.zeros(hidden, np.float32),
        chance.normal(0, hidden**-0.5, hidden).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in values]
    turn, last = 0, ROUNDS * -(-rows // BATCH)
    for _ in range(ROUNDS):
        order = chance.permutation(rows)
        for batch in (order[start : start + BATCH] for start in range(0, rows, BATCH)):
            turn += 1
            one = scaled[batch] * (chance.random((len(batch), inputs)) > LEFT_OUT) / (1 - LEFT_OUT)
            inner = one @ values[0] + values[1]
            kept = np.maximum(inner, 0)
            off = (chances_of(kept @ values[2] + values[3]) - known[batch]) * weights[batch] / len(batch)
            back = np.outer(off, values[2]) * (inner > 0)
            slopes = [
                one.T @ back + SHRINK * values[0],
                back.sum(axis=0),
                kept.T @ off + SHRINK * values[2],
                off.sum(keepdims=True),
            ]
            step = STEP * (1.02 - turn / last)
            for value, slope, (first, second) in zip(values, slopes, moments, strict=True):
                first += 0.1 * (slope - first)
                second += 0.005 * (slope**2 - second)
                value -= step * (first / (1 - 0.9**turn)) / (np.sqrt(second / (1 - 0.995**turn)) + 1e-8)
    first = values[0] / size[:, None]
    return Network(first, values[1] - mean @ first, values[2], values[3][0])


if __name__ == "__main__":
    main()
