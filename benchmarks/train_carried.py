"""Trains the networks that read what a message asks and takes from the question before it,
`core/question/carried.npz`, and judges them on the writers that they did not learn from.

`python -m benchmarks.train_carried --models FOLDER [--out FILE]`

`thread_lines/` has messages by writers who saw no code: "line", perhaps "before" (the question before it),
its "kind", "adds" (the stretches of it that say what is asked), "keeps" (the topic before it stays),
"parties" (who is asked now) and perhaps "others" (everybody else is). Each is read a second time as people
write in haste, and questions also after others'. `place_lines/` has messages with what each of their "places"
is for ("in": to be searched in, "about", "aside", "name": not a place), "not_asked" (parties), perhaps
"asked" (all others that it names) and "others" (everybody else is asked). Nothing is learned from
`kept_back/`. FOLDER holds the encoder's files; missing ones are made."""

import argparse
import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.e5 import PackagedWords
from adapters.files.places import known_places
from benchmarks.heads import ROOT, arrays_of, rows_of
from benchmarks.networks import fitted, joined
from benchmarks.train_turns import REGISTRY
from core.domain.registry import Jurisdiction
from core.ports.models import WordEncoder
from core.question.carried import (
    OTHERS_FROM,
    PARTY_FROM,
    SOUGHT_FROM,
    TOPIC_FROM,
    UNASKED_FROM,
    WEIGHTS,
    Floats,
    Network,
    candidate_of,
    chances_of,
    of_message,
    packaged,
    party_of,
    words_of,
)
from core.registry.detection import Detector
from core.registry.names import NameKind, fold

LINES = ROOT / "benchmarks" / "thread_lines"
PARTIES = ROOT / "benchmarks" / "party_lines"
PLACES = ROOT / "benchmarks" / "place_lines"
KEPT_BACK = "kept_back"
HIDDEN = {"follows": 32, "keeps": 32}
"""Inner values of networks that do not have 64."""
SEEDS = {"unasked": 3}
"""Networks, begun otherwise, of which there is not just one."""
"""Of the weights, and the share of the inputs left out at each step."""
PARTS = 3
"""In which a writer's lines are left out where few writers wrote such lines."""
BOUNDS = {
    "others": (0, OTHERS_FROM),
    "party": (0, PARTY_FROM),
    "sought": (-TOPIC_FROM, SOUGHT_FROM),
    "unasked": (UNASKED_FROM,),
}
"""Log-odds to judge a network at, if not just at 0."""

NETWORKS = ("asks", "follows", "keeps", "others", "party", "sought", "unasked")
ALONE = 5
"""Words of a question that may go on with another."""


COVERED = (("de", "Deutschland"), ("eu", "EU"), ("fr", "France"), ("gb", "United Kingdom"), ("in", "India"))
NAMES = Detector(REGISTRY, ())
WORLD = Detector(
    replace(REGISTRY, jurisdictions=tuple(Jurisdiction(code=code, name=name) for code, name in COVERED)),
    (),
    tuple(known_places()),
)


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
    parser.add_argument(
        "--only", nargs="+", choices=NETWORKS, default=NETWORKS, help="keep the others of OUT"
    )
    given = parser.parse_args()
    encoder = PackagedWords(given.models)
    rows = asyncio.run(_read(encoder))
    learned = [row for row in rows if not row.writer.startswith(KEPT_BACK)]
    chances: dict[int, Floats] = {}
    for writer in sorted({row.writer for row in rows}):
        own = [row for row in rows if row.writer == writer]
        if "asks" not in given.only:
            chances |= {id(row): chances_of(packaged().asks.odds(row.words)) for row in own}
            continue
        network = _words([row for row in learned if row.writer != writer])
        chances |= {id(row): chances_of(network.odds(row.words)) for row in own}
        words = [row for row in own if row.asked.size]
        if words:
            odds, asked = np.concatenate([network.odds(row.words) for row in words]), _asked(words)
            both = (odds > 0) & asked
            share = 2 * both.sum() / ((odds > 0).sum() + asked.sum())
            print(f"{writer}: words asked for, harmonic mean of precision and recall {share:.3f}")
    candidates = {
        name: [
            Candidate(row.writer, _message(row, chances)[0], bool(getattr(row, name)))
            for row in rows
            if getattr(row, name) is not None
        ]
        for name in ("follows", "keeps", "others")
        if name in given.only
    }
    for name, read in (("party", _candidates), ("sought", _places), ("unasked", _unasked)):
        if name in given.only:
            candidates[name] = asyncio.run(read(encoder))
    networks = {"asks": _words(learned)} if "asks" in given.only else {}
    for name, found in candidates.items():
        _judge(name, found)
        networks[name] = _learned(name, found)
    with np.load(given.out) if given.out.exists() else nullcontext({}) as before:
        kept = {name: before[name] for name in before}
    for name, network in networks.items():
        kept |= {f"{name}.{part}": array for part, array in arrays_of(network).items()}
    np.savez_compressed(given.out, **(kept | {"encoder": np.array(encoder.name)}))


async def _read(encoder: WordEncoder) -> list[Row]:
    """All lines, each also in haste; questions without one before them also after others'."""
    rows, chance = [], random.Random(3)
    lines = {file.stem: [*rows_of(file)] for file in sorted(LINES.glob("*.jsonl"))}
    kept_back = sorted((LINES / KEPT_BACK).glob("*.jsonl"))
    lines |= {f"{KEPT_BACK}/{file.stem}": [*rows_of(file)] for file in kept_back}
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
    for writer, each in _of_places():
        for line in _twice(each["line"], chance):
            said = {**each, "line": line, "kind": "", "adds": (), "parties": ()}
            row = await _row(encoder, writer, said)
            nothing = np.zeros(0, bool)
            rows.append(replace(row, asked=nothing, follows=None, keeps=None, others=each["others"]))
    return rows


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is read of a name or a message, and whether it means what a network is asked."""

    writer: str
    read: Floats
    meant: bool


async def _candidates(encoder: WordEncoder) -> list[Candidate]:
    """Those that writers marked, and those of threads, which mean whom is asked; each also in haste."""
    found, chance = [], random.Random(4)
    for file in sorted(PARTIES.glob("*.jsonl")):
        for row in rows_of(file):
            writer = f"{file.stem}/{len(row['line']) % PARTS}"
            for start, end, meant in _marked(row["line"], row["words"]):
                found += await _candidate(encoder, writer, row["line"], "", (start, end, meant))
    for file in sorted(LINES.glob("*.jsonl")):
        for row in rows_of(file):
            if row["kind"] not in ("question", "follow_up"):
                continue
            for line in _twice(row["line"], chance):
                for start, end, key in NAMES.maybe_parties(line):
                    meant = key in row["parties"]
                    found += await _candidate(encoder, file.stem, line, "", (start, end, meant))
    return found


async def _places(encoder: WordEncoder) -> list[Candidate]:
    """Places that are named, meant where they are to be searched in; each also in haste."""
    found, chance = [], random.Random(6)
    for writer, row in _of_places():
        for line in _twice(row["line"], chance):
            for start, end, purpose in _marked(line, row["places"]):
                marked = (start, end, purpose == "in")
                found += await _candidate(encoder, writer, line, row.get("before", ""), marked)
    for file in sorted(LINES.glob("*.jsonl")):
        for row in rows_of(file):
            if row["kind"] not in ("question", "follow_up"):
                continue
            where = {each.key for name in row.get("places", ()) for each in WORLD.detect(name).places}
            topics = " ".join(row.get("topic", ())).lower()
            for each in WORLD.detect(row["line"]).mentions:
                if each.kind is not NameKind.PLACE:
                    continue
                called = row["line"][each.start : each.end].lower()
                meant = each.key in where or any(called in name.lower() for name in row.get("places", ()))
                if not meant and each.key in dict(COVERED) and called not in topics:
                    continue  # searched in as everywhere
                marked = (each.start, each.end, meant)
                found += await _candidate(encoder, file.stem, row["line"], row.get("before", ""), marked)
    return found


async def _unasked(encoder: WordEncoder) -> list[Candidate]:
    """Parties that are named, meant where they are not asked; each also in haste."""
    found, chance = [], random.Random(7)
    for writer, row in _of_places():
        for line in _twice(row["line"], chance):
            unasked = list(_marked(line, [(name, True) for name in row["not_asked"]]))
            asked = row.get("asked")
            named = (
                NAMES.detect(line).party_names
                if asked is None
                else [(start, end) for start, end, _ in _marked(line, [(name, False) for name in asked])]
            )
            others = [
                (start, end, False)
                for start, end in named
                if not any(start < last and first < end for first, last, _ in unasked)
            ]
            names = [(start, end) for start, end, _ in (*unasked, *others)]
            for each in (*unasked, *others):
                found += await _candidate(encoder, writer, line, row.get("before", ""), each, names)
    for file in sorted(LINES.glob("*.jsonl")):
        for row in rows_of(file):
            if row["kind"] not in ("question", "follow_up"):
                continue
            asked = {each.key for name in row["parties"] for each in NAMES.detect(name).parties}
            for line in _twice(row["line"], chance):
                detection = NAMES.detect(line)
                for mention in detection.mentions:
                    if mention.kind is NameKind.PARTY and not mention.tail:
                        marked = (mention.start, mention.end, mention.key not in asked)
                        found += await _candidate(
                            encoder, file.stem, line, row.get("before", ""), marked, detection.party_names
                        )
    return found


def _of_places() -> Iterator[tuple[str, dict[str, Any]]]:
    """The lines about places and parties, with their writers in parts that are left out one by one."""
    for file in sorted(PLACES.glob("*.jsonl")):
        yield from ((f"{file.stem}/{len(row['line']) % PARTS}", row) for row in rows_of(file))
    for file in sorted((PLACES / KEPT_BACK).glob("*.jsonl")):
        yield from ((f"{KEPT_BACK}/{file.stem}", row) for row in rows_of(file))


def _marked(line: str, words: Sequence[tuple[str, Any]]) -> Iterator[tuple[int, int, Any]]:
    """Where `line` has each of the words that a writer marked, in their order if it can be, and as what."""
    folded, at = line.lower(), 0
    for word, told in words:
        start = max(folded.find(word.lower(), at), folded.find(word.lower()))
        if start >= 0:
            at = start + len(word)
            yield start, at, told


def _twice(line: str, chance: random.Random) -> Sequence[str]:
    return list(dict.fromkeys((line, _hastily(line, chance))))


async def _candidate(
    encoder: WordEncoder,
    writer: str,
    line: str,
    before: str,
    marked: tuple[int, int, bool],
    names: Sequence[tuple[int, int]] | None = None,
) -> list[Candidate]:
    """What is read of marked words; `names` are those of parties among which they are one, by default all but
    the marked words."""
    start, end, meant = marked
    of_party = names is not None
    if names is None:
        names = [each for each in NAMES.detect(line).party_names if each[0] >= end or start >= each[1]]
    parties_before = NAMES.detect(before).party_names
    said, earlier = words_of(line, names), words_of(before, parties_before)
    _, vectors = await encoder.words([word for word, *_ in earlier], [word for word, *_ in said])
    if of_party:
        again = fold(line[start:end]) in {fold(before[slice(*each)]) for each in parties_before}
        read = party_of(said, vectors, (start, end), names, goes_on=bool(earlier), again=again)
    else:
        read = candidate_of(said, vectors, (start, end))
    return [] if read is None else [Candidate(writer, read, meant)]


def _learned(name: str, candidates: Sequence[Candidate]) -> Network:
    own = [each for each in candidates if not each.writer.startswith(KEPT_BACK)]
    read, meant = np.stack([each.read for each in own]), np.array([each.meant for each in own], bool)
    seeds = range(SEEDS.get(name, 1))
    return joined([fitted(read, meant, HIDDEN.get(name, 64), seed=seed) for seed in seeds])


def _judge(name: str, candidates: Sequence[Candidate]) -> None:
    """Print how many of each writer's are heard by a network that has learned from others, at some bounds."""
    for writer in sorted({each.writer for each in candidates}):
        network = _learned(name, [each for each in candidates if each.writer != writer])
        own = [each for each in candidates if each.writer == writer]
        odds = network.odds(np.stack([each.read for each in own]))
        known = np.array([each.meant for each in own], bool)
        told = (
            f"above {bound}: {(odds[known] > bound).sum()} of {known.sum()},"
            f" wrongly {(odds[~known] > bound).sum()} of {(~known).sum()}"
            for bound in BOUNDS.get(name, (0,))
        )
        print(f"{writer}: {name} {'; '.join(told)}")


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
    others = told.get("others", follows and not told["parties"] and bool(told.get("keeps")))
    return replace(
        row, follows=follows, keeps=told.get("keeps"), others=None if others and not named else others
    )


def _asked(rows: Sequence[Row]) -> NDArray[np.bool_]:
    return np.concatenate([row.asked for row in rows])


def _words(rows: Sequence[Row]) -> Network:
    rows = [row for row in rows if row.asked.size]
    return fitted(np.concatenate([row.words for row in rows]), _asked(rows), 64)


def _message(row: Row, chances: dict[int, Floats]) -> Floats:
    return of_message(row.before, row.words, chances[id(row)])[None]


if __name__ == "__main__":
    main()
