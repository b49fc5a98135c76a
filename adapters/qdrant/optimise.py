"""Child process that merges, vacuums and quantises one shard.

Run as `python -m adapters.qdrant.optimise SHARD DENSE SECOND`.
"""

import os
import sys

import qdrant_edge as edge

from adapters.qdrant.shard import shard_config


def main(shard_path: str, dense: str, second: str) -> None:
    """Optimise the shard at `shard_path` at low priority: somebody may wait for an answer."""
    os.nice(10)
    shard = edge.EdgeShard.load(shard_path, shard_config(dense=int(dense), second=int(second)))
    shard.optimize()
    shard.flush()
    shard.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
