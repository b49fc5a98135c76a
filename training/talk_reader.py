"""Trains the reader of talk (`adapters/embedding/reader.py`) on written lines of talk, and says what it
makes of the threads kept back.

    python -m training.talk_reader --rows FILE --out NETWORK [--device cuda]

Of the threads kept back it prints how many questions are missed where so many lines are wrong interjections.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from adapters.embedding.reader import talk_pair
from training.network import Batch
from training.train import (
    AVERAGED,
    Mean,
    Reading,
    clipped_step,
    optimiser_of,
    set_rates,
)

CHOSEN_ON = ("kept back", "later", "unseen", "blind", "held")
LINES = 128
"""Lines of a step."""
EPOCHS, RATE = 8.0, 1e-4
ALONE = 0.08
"""Share of the lines that are read without anything before them."""
SMOOTHED = 0.03
UNKNOWN, SPECIAL = 3, 4
"""What stands for a hidden piece, and the last of the tokens that are no words."""
EVERY = 5
"""Of the states after `AVERAGED`, each of which counts in the mean that is kept."""
BATCH = 16
"""Of the reader in the odds, to choose from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkRow:
    """See `training.talk_rows`."""

    set: str
    text: str
    told: str
    answer: bool


def main() -> None:
    """Train, save, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu", help='"cuda": on a graphics processor')
    parser.add_argument("--epochs", type=float, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--hidden", type=float, default=0.0, help="share of word pieces hidden in learning")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    rows = [TalkRow(**json.loads(row)) for row in arguments.rows.read_text("utf-8").splitlines()]
    reading = Reading(arguments.device, frozen=0)
    fit(reading, [row for row in rows if row.set == "learned"], arguments)
    reading.network.eval()
    torch.save(reading.network.state_dict(), arguments.out)
    for name in CHOSEN_ON:
        measure(reading, name, [row for row in rows if row.set == name])
    measure(reading, "all", [row for row in rows if row.set in CHOSEN_ON])


def fit(reading: Reading, learned: Sequence[TalkRow], arguments: argparse.Namespace) -> None:
    """Steps of AdamW; the rates rise and fall as in `training.train`."""
    network, chance = reading.network, random.Random(arguments.seed)
    network.train()
    optimiser = optimiser_of(network, arguments.rate)
    steps, queue, mean = int(arguments.epochs * len(learned) / LINES), list[TalkRow](), Mean()
    print(f"{len(learned)} lines, {steps} steps", flush=True)
    started, losses, pool = time.monotonic(), list[float](), ThreadPoolExecutor(reading.workers)
    for step in range(steps):
        if len(queue) < LINES:
            queue = chance.sample(list(learned), len(learned))
        drawn = [queue.pop() for _ in range(LINES)]
        taken = [(line, "" if chance.random() < ALONE else line.told) for line in drawn]
        set_rates(optimiser, step / steps)
        shares = [taken[n :: reading.workers] for n in range(reading.workers)]
        losses.append(sum(pool.map(lambda share: _learned(reading, share, arguments.hidden), shares)))
        clipped_step(optimiser)
        if step / steps > AVERAGED and step % EVERY == 0:
            mean.add(network.state_dict())
        if step % 20 == 19:
            print(f"{step + 1} {np.mean(losses[-40:]):.3f} {time.monotonic() - started:.0f} s", flush=True)
    network.load_state_dict(mean.states or network.state_dict())


def _learned(reading: Reading, taken: Sequence[tuple[TalkRow, str]], hidden: float) -> float:
    """What `taken` adds to the loss of a step."""
    torch.set_num_threads(1)
    answers = torch.tensor([float(line.answer) for line, _ in taken]) * (1 - 2 * SMOOTHED) + SMOOTHED
    odds = odds_of(reading, [(before, line.text) for line, before in taken], hidden)
    wanted = answers.to(odds.device)
    loss = functional.binary_cross_entropy_with_logits(odds, wanted, reduction="sum") / LINES
    loss.backward()
    return loss.item()


def odds_of(reading: Reading, said: Sequence[tuple[str, str]], hidden: float = 0.0) -> Tensor:
    """The logarithm of the odds of each line, given what was said before it; a share of all word pieces is
    `hidden`."""
    pairs = [
        talk_pair(lambda text: reading.tokenizer.encode(text).ids, before, line) for before, line in said
    ]
    if hidden:
        pairs = [(_hidden(before, hidden), _hidden(line, hidden)) for before, line in pairs]
    order = sorted(range(len(pairs)), key=lambda n: sum(map(len, pairs[n])))
    cuts = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    with torch.autocast(reading.network.device.type, dtype=torch.bfloat16, enabled=reading.half):
        found = torch.cat([reading.network(Batch.of([pairs[n] for n in cut])) for cut in cuts])
    back = torch.from_numpy(np.argsort(np.concatenate(cuts), kind="stable"))
    return found[back.to(found.device)].float()


def _hidden(tokens: list[int], share: float) -> list[int]:
    drawn = torch.rand(len(tokens)).tolist()
    return [
        UNKNOWN if token > SPECIAL and chance < share else token
        for token, chance in zip(tokens, drawn, strict=True)
    ]


@torch.no_grad()
def measure(reading: Reading, name: str, kept: Sequence[TalkRow]) -> None:
    """Questions missed where one to six lines are wrong interjections."""
    answers = np.array([line.answer for line in kept])
    odds = odds_of(reading, [(line.told, line.text) for line in kept]).cpu().numpy()
    print(f"{name}: {len(kept)} lines, {answers.sum()} questions; missed at 1, 2, 3, 4, 6 wrong")
    bounds = np.sort(odds[~answers])[[-2, -3, -4, -5, -7]]
    print("  " + ", ".join(f"{(odds[answers] <= bound).sum()} ({bound:.2f})" for bound in bounds))


if __name__ == "__main__":
    main()
