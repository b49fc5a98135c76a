"""A process that owns an embedded index: `python -m tests.support.edge_owner ROOT write|hold`.

`hold` opens the index, says so and waits for the end of its input; `write` upserts endlessly, ten passages at
a time, and reports each acknowledgement.
"""

import asyncio
import sys
from itertools import count
from pathlib import Path

from adapters.qdrant.edge import EdgeIndex
from tests.support.index_points import LIBRARY, PRIMARY, SECONDARY, points, version


async def main(root: str, mode: str) -> None:
    index = EdgeIndex(Path(root), library=LIBRARY, primary=PRIMARY, secondary=SECONDARY)
    await index.open()
    if mode == "hold":
        say("open")
        await asyncio.to_thread(sys.stdin.read)
        await index.close()
        return
    for number in count():
        await index.upsert("public", points(10, of=version(f"v{number}")))
        say(str(number))


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
