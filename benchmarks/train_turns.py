"""Trains the head that reads what a message is to the bot, `core/question/turns.npz`, or counts.

`python -m benchmarks.train_turns --models FOLDER [--out FILE]`
`python -m benchmarks.train_turns --models FOLDER --count FILE...`

Lines are those of `turn_lines` (a heading a kind, "@" stands for a party, {one|another} are choices),
`distress_lines` and `advice_lines`, the questions that others learn from, and talk of groups
(`training/talk_threads`). Of some nobody said which of several kinds they are. Lines by writers are read a
second time as people write in haste. With --count it says instead by kind what of FILEs is read rightly:
JSON lines with "text", "class" and perhaps "asked" (the bot has asked something), or of questions. FOLDER
holds the encoders' files; those that are missing are made.
"""

import argparse
import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from benchmarks.heads import ROOT, Encoded, arrays_of, made, patterns, plainer, rows_of, slipped
from benchmarks.networks import fitted as learned_network
from benchmarks.networks import joined
from core.domain.registry import Party, Registry
from core.question.heads import BUCKETS, PART, Network, plain
from core.question.turns import (
    IN_DISTRESS,
    KINDS,
    OF_LAST_ANSWER,
    PARTY,
    REPLIES,
    WEIGHTS,
    TurnHead,
    TurnKind,
    TurnReader,
    marks,
    masked,
)
from core.registry.detection import Detector
from tests.question.test_voting_advice import ABOUT_THE_PARTY, ADVICE, WHICH_IS_BEST, WHICH_WANTS

BENCHMARKS = ROOT / "benchmarks"

_SILENT = Network(*(np.zeros(shape, np.float32) for shape in ((1, 1), (1,), (1,), ())))

Row = tuple[Sequence[TurnKind], str, float]
"""What a line may be, the line, its weight."""

HONEST = tuple(kind for kind in KINDS if kind not in IN_DISTRESS)
BESIDE_ADVICE = (
    *(TurnKind.QUESTION, TurnKind.FOLLOW_UP, TurnKind.GREETING, TurnKind.BYE, TurnKind.THANKS),
    *(TurnKind.ABOUT, TurnKind.SMALL_TALK, TurnKind.WHO),
)
"""What a line may be that a writer called no request for advice."""

ASKED = (TurnKind.QUESTION, TurnKind.FOLLOW_UP, *OF_LAST_ANSWER, TurnKind.LANGUAGE, TurnKind.INSTRUCTION)
SHORT_TALK = (
    *(TurnKind.REMARK, TurnKind.FOLLOW_UP, *OF_LAST_ANSWER, *REPLIES, TurnKind.INSULT),
    *(TurnKind.GREETING, TurnKind.BYE, TurnKind.THANKS, TurnKind.ABOUT, TurnKind.SMALL_TALK),
)
"""What a line of a group may be by its words that was for the bot, and a short one that was for others."""

_QUOTE = "„…“"
"""What stands in lines in place of a quote."""

SHORT = 7
"""Words of such a one."""

QUESTIONS, TALK, LONG = 3000, 3000, 6000
"""Lines of each that are read."""

EPOCHS, BATCH, STEP, SHRINK_VECTORS, SHRINK_SHOWN = 9, 256, 0.02, 1e-3, 1e-5
SEEDS = 3
HIDDEN = 48
"""Units of the network that hears distress."""
STRETCH = 20.0
"""Vectors of unit length are this much longer while the head is trained, so that one step suits all."""

REGISTERED = {
    "SPD": ("Sozialdemokraten", "Labour", "Labour Party"),
    "CDU/CSU": ("CDU", "CSU", "Union", "Tories", "Conservatives", "Les Républicains"),
    "Grüne": ("Grünen", "Bündnis 90/Die Grünen", "Greens", "Green Party", "Les Verts", "EELV"),
    "FDP": ("Liberalen", "Liberal Democrats", "Lib Dems", "LibDems"),
    "Die Linke": ("Linke", "Linkspartei", "La France insoumise", "LFI"),
    "AfD": ("Alternative für Deutschland", "Reform UK", "Rassemblement national"),
    "BSW": ("Bündnis Sahra Wagenknecht", "SNP", "Plaid Cymru", "Renaissance"),
    "Volt": ("Freie Wähler", "Sinn Féin", "Fianna Fáil", "Parti socialiste"),
    "Piraten": ("Piratenpartei", "SSW", "ÖDP", "dieBasis", "Bündnis Deutschland", "PARTEI"),
}
"""Parties whose names are masked in questions and talk."""

REGISTRY = Registry(parties=tuple(Party(name=name, aliases=more) for name, more in REGISTERED.items()))


def main() -> None:
    """Train and write, or count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--count", type=Path, nargs="*", default=[], help="files to count instead")
    given = parser.parse_args()
    encoders = (E5Embedder(given.models), UseEmbedder(given.models))
    if given.count:
        asyncio.run(count(TurnReader(encoders, lambda: REGISTRY), given.count))
    else:
        rows = [*written(), *learned()]
        hasty = [*(hastily(row) for row in written()), *longer(rows)]
        save(fitted(Encoded(encoders, given.models / "turn-vectors.npz"), [*rows, *hasty]), given.out)


def written() -> Iterator[Row]:
    """What writers wrote."""
    chance = random.Random(1)
    for file in sorted((BENCHMARKS / "turn_lines").glob("*.txt")):
        kinds: Sequence[TurnKind] = ()
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("# "):
                kinds = {"honest": HONEST, "distress": IN_DISTRESS}.get(line[2:]) or (TurnKind(line[2:]),)
            else:
                many = sorted({made(line, chance) for _ in range(6)}) if "{" in line else [line]
                weight = (5 if len(file.stem) == 2 else 3) / len(many) ** 0.5  # "de": lines for a purpose
                yield from ((kinds, with_party(said), weight) for said in many)
                yield from (
                    (kinds, with_party(_with_quote(said, chance)), weight) for said in many if _QUOTE in said
                )
    yield from _in_threads()
    for folder, honest, kinds in (
        ("distress_lines", HONEST, IN_DISTRESS),
        ("advice_lines", BESIDE_ADVICE, (TurnKind.ADVICE,)),
    ):
        for file in sorted((BENCHMARKS / folder).glob("*.tsv")):
            for line in file.read_text("utf-8").splitlines():
                label, _, said = line.split("\t")
                yield honest if label in ("honest", "question") else kinds, with_party(said), 2.0
    for name in ("written", "kept"):
        for line in (ROOT / f"tests/question/distress/{name}.tsv").read_text("utf-8").splitlines():
            label, _, said = line.partition("\t")
            yield HONEST if label == "none" else (TurnKind(label),), said, 1.0
    yield from (((TurnKind.ADVICE,), with_party(said), 3.0) for said in (*ADVICE, *WHICH_IS_BEST))
    yield from ((BESIDE_ADVICE, with_party(said), 1.0) for said in (*ABOUT_THE_PARTY, *WHICH_WANTS))


def _with_quote(line: str, chance: random.Random) -> str:
    """A line with a sentence of some document in place of the quote."""
    said = chance.choice(_sentences()).rstrip()
    opening, closing = chance.choice(("„“", "“”", '""', "«»", "»«"))
    return line.replace(_QUOTE, f"{opening}{said}{closing}")


@cache
def _sentences() -> Sequence[str]:
    """Sentences as documents have them."""
    lines = (BENCHMARKS / "cut_lines" / "made.txt").read_text("utf-8").splitlines()
    return [re.sub("[<>]", "", line.split("|", 2)[2]) for line in lines]


def _in_threads() -> Iterator[Row]:
    names = Detector(REGISTRY, ())
    for file in sorted((BENCHMARKS / "thread_lines").glob("*.jsonl")):
        for row in rows_of(file):
            said = row["line"]
            yield (TurnKind(row["kind"]),), masked(said, names.detect(said).party_stretches), 2.0


def learned() -> Iterator[Row]:
    """Lines of patterns, questions and talk."""
    for folder, none, honest in (
        ("distress_lines", "honest", HONEST),
        ("advice_lines", "question", BESIDE_ADVICE),
    ):
        for kind, said in patterns(BENCHMARKS / folder, none):
            yield honest if kind == "none" else (TurnKind(kind),), with_party(said), 0.5
    chance, names = random.Random(5), Detector(REGISTRY, ())
    asked = [row["question"] for each in ("learned", "learned_more") for row in _questions(each)]
    chance.shuffle(asked)
    for said in (*asked[:QUESTIONS], *(row["question"] for row in _questions("topics_fitted"))):
        yield (TurnKind.QUESTION,), masked(said, names.detect(said).party_stretches), 1.0
    threads = (rows_of(ROOT / f"training/talk_threads/{number}.jsonl") for number in (1, 2, 3))
    talk = [row for rows in threads for row in rows if row["half"] == "learned" and row["by"] != "bot"]
    talk = [row for row in talk if len(row["text"]) < 250]
    chance.shuffle(talk)
    for row in talk[:TALK]:
        said = re.sub(r"@fundstelle\W*", "", row["text"])
        said = masked(said, names.detect(said).party_stretches)
        if row["answer"]:
            yield ASKED, said, 0.7
        elif row["answer"] is False:
            yield SHORT_TALK if len(said.split()) <= SHORT else (TurnKind.REMARK,), said, 0.35


def longer(rows: Sequence[Row]) -> Iterator[Row]:
    """Parts of long messages: several lines one after the other, with one of distress in half of them."""
    chance = random.Random(7)
    calm = [said for kinds, said, _ in rows if kinds in ((TurnKind.QUESTION,), (TurnKind.REMARK,), HONEST)]
    crying = [said for kinds, said, _ in rows if set(kinds) <= set(IN_DISTRESS)]
    for number in range(LONG):
        said = chance.sample(calm, 4)
        if number % 2:
            said[chance.randrange(4)] = chance.choice(crying)
        words = " ".join(f"{each.rstrip('.?! ')}." for each in said).split()[:PART]
        if number % 2 == 0 or " ".join(words).count(".") == 4:
            yield IN_DISTRESS if number % 2 else HONEST, " ".join(words), 0.7


def _questions(name: str) -> Iterator[dict[str, str]]:
    yield from rows_of(BENCHMARKS / f"questions/{name}.jsonl")


def with_party(line: str) -> str:
    """A line as the head reads it, PARTY in place of what stands for a party."""
    return masked(re.sub(r"@(?!\w)|\{[PQ]?\}", PARTY, line), ())


def hastily(row: Row) -> Row:
    """The same line as people write it in haste: without umlauts, with slips, with other signs at its end."""
    kinds, line, weight = row
    chance = random.Random(f"2 {line}")
    line = plainer(line, chance)
    if chance.random() < 0.6:
        line = slipped(line, chance)
    sign = chance.random()
    if sign < 0.3:
        line = line.rstrip("?.! ")
    elif sign < 0.4 and kinds != (TurnKind.ALLEGED,):
        line = line.rstrip("?.! ") + chance.choice(["?", "??", "!", "...", "."])
    return kinds, line, 0.6 * weight


def fitted(encoded: Encoded, rows: Sequence[Row]) -> TurnHead:
    """The mean of the heads that `SEEDS` orders of the lines lead to, so that chance decides less."""
    heads = [_fitted(encoded, rows, seed) for seed in range(SEEDS)]
    vectors, shown, bias = (
        np.mean([getattr(head, name) for head in heads], axis=0) for name in ("vectors", "shown", "bias")
    )
    return replace(heads[0], vectors=vectors, shown=shown, bias=bias, distress=_distress(encoded, rows))


def _distress(encoded: Encoded, rows: Sequence[Row]) -> Network:
    """What hears distress in the vectors of the lines that surely are of it or not."""
    known = [row for row in rows if len({kind in IN_DISTRESS for kind in row[0]}) == 1]
    vectors = encoded.of([plain(said) for _, said, _ in known])
    crying = np.array([kinds[0] in IN_DISTRESS for kinds, _, _ in known])
    weights = np.array([weight for _, _, weight in known], np.float32) / np.mean([row[2] for row in known])
    weights[crying] *= (len(crying) / crying.sum() - 1) ** 0.5
    return joined([learned_network(vectors, crying, HIDDEN, seed=n, weights=weights) for n in range(SEEDS)])


def _fitted(encoded: Encoded, rows: Sequence[Row], seed: int) -> TurnHead:
    """The head of least loss over lines with their weights, by Adam in small batches; a line of several kinds
    is what it seems to be of them. Rare kinds weigh more."""
    lines = [said for _, said, _ in rows]
    vectors = encoded.of([plain(said) for said in lines])
    mean = vectors.mean(axis=0)
    dense, shown = (vectors - mean) * STRETCH, [marks(said) for said in lines]
    allowed = np.array([[kind in kinds for kind in KINDS] for kinds, _, _ in rows], np.float32)
    share = allowed / allowed.sum(axis=1, keepdims=True)
    weights = np.array([weight for _, _, weight in rows], np.float32)
    weights *= (share / np.sqrt((share * weights[:, None]).sum(axis=0))).sum(axis=1)
    weights /= weights.mean()
    size = len(KINDS)
    values = [np.zeros(shape, np.float32) for shape in ((dense.shape[1], size), (BUCKETS, size), (1, size))]
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in values]
    chance, turn, last = np.random.default_rng(seed), 0, EPOCHS * -(-len(rows) // BATCH)
    for _ in range(EPOCHS):
        order = chance.permutation(len(rows))
        for batch in (order[start : start + BATCH] for start in range(0, len(rows), BATCH)):
            turn += 1
            numbers = np.concatenate([shown[row] for row in batch])
            sizes = np.array([len(shown[row]) for row in batch])
            scale = np.repeat(1 / np.sqrt(sizes), sizes).astype(np.float32)[:, None]
            by_letters = np.add.reduceat(values[1][numbers] * scale, np.cumsum(sizes) - sizes, axis=0)
            logits = dense[batch] @ values[0] + by_letters + values[2]
            chances = _chances(logits)
            wanted = chances * allowed[batch]
            wanted /= np.maximum(wanted.sum(axis=1, keepdims=True), 1e-9)
            off = ((chances - wanted) * weights[batch][:, None] / len(batch)).astype(np.float32)
            slopes = [
                dense[batch].T @ off + SHRINK_VECTORS * values[0],
                _summed(numbers, np.repeat(off, sizes, axis=0) * scale) + SHRINK_SHOWN * values[1],
                off.sum(axis=0, keepdims=True),
            ]
            step = STEP * min(1.0, 1.25 * (1 - turn / last) + 0.02)
            for value, slope, (first, second) in zip(values, slopes, moments, strict=True):
                first += 0.1 * (slope - first)
                second += 0.005 * (slope**2 - second)
                value -= step * (first / (1 - 0.9**turn)) / (np.sqrt(second / (1 - 0.995**turn)) + 1e-8)
    scaled = np.asarray(values[0] * STRETCH, np.float32)
    return TurnHead(encoded.names, mean, scaled, values[1], values[2][0], _SILENT)


def _chances(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    found = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(found / found.sum(axis=1, keepdims=True), np.float32)


def _summed(numbers: NDArray[np.int64], rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows of each number, added up: (BUCKETS, kinds)."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    firsts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    found = np.zeros((BUCKETS, rows.shape[1]), np.float32)
    found[ordered[firsts]] = np.add.reduceat(rows[order], firsts, axis=0)
    return found


def save(head: TurnHead, file: Path) -> None:
    """Write a head: vectors in sixteen bits, what is shown in eight."""
    scale = np.abs(head.shown).max(axis=0, keepdims=True) / 127
    np.savez_compressed(
        file,
        encoders=np.array(head.encoders),
        mean=head.mean.astype(np.float16),
        vectors=head.vectors.astype(np.float16),
        shown=np.round(head.shown / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        bias=head.bias.astype(np.float32),
        **{f"distress.{name}": part for name, part in arrays_of(head.distress).items()},
    )


async def count(reader: TurnReader, files: Sequence[Path]) -> None:
    """Print by kind what is read rightly, and what is not."""
    for file in files:
        there: Counter[str] = Counter()
        right: Counter[str] = Counter()
        for row in rows_of(file):
            said = row.get("text") or row["question"]
            kind = row.get("class", TurnKind.QUESTION.value)
            found = await reader.read(said, asked=bool(row.get("asked")))
            there[kind] += 1
            calm = found not in IN_DISTRESS
            if found == kind or (kind == "distress" and not calm) or (kind == "honest" and calm):
                right[kind] += 1
            else:
                print(f"  {kind} read as {found}: {said}")
        told = ", ".join(f"{kind} {right[kind]}/{there[kind]}" for kind in sorted(there))
        print(f"{file}: {right.total()} of {there.total()}: {told}")


if __name__ == "__main__":
    main()
