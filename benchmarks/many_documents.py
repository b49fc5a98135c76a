"""What an answer costs as the library grows by documents that nobody asks about.

    python -m benchmarks.many_documents --library DIR [--documents 11 500] [--everywhere]

DIR is the data folder of the example library (`fundstelle demo --data DIR`). It is copied, and its documents
are repeated under other titles, ids and places until there are so many, each with so many passages at most
and with vectors turned a little. Per size: processor seconds of an answer (median, most), and of the parts
that look at the library as a whole; then how each grows against the first size. Questions are asked of the
place that they are about, or with --everywhere of none, so that what was repeated is quoted as well.
"""

import argparse
import asyncio
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from bot.library.scoping import ScopeOptions
from bot.settings.tree import load
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.documents import PUBLIC, Edition, VersionStatus
from core.domain.ids import PassageId, document_id, passage_id, version_id
from core.domain.scope import Scope
from core.domain.search import IndexPoint, Vector
from core.search.scope_keys import wanted_keys

EXAMPLES = Path(__file__).parents[1] / "examples" / "questions.jsonl"
ROWS = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()][:32:4]


async def grown(app: Composition, documents: int, passages: int) -> None:
    """Repeat the library's documents until it has so many."""
    scope = Scope(collections=(PUBLIC,))
    sources = await app.library.editions(scope, on=app.clock.today())
    places = [place.code for place in app.known_places]
    points: list[IndexPoint] = []
    start = None
    while True:
        some, start = await app.index.points(PUBLIC, start=start, limit=1000)
        points += some
        if start is None:
            break
    by_passage = {point.passage: point for point in points}
    turned = np.random.default_rng(1)
    for number in range(documents - len(sources)):
        await _repeat(app, sources[number % len(sources)], number, places, by_passage, turned, passages)
    held, today = await app.index.held(PUBLIC), app.clock.today()
    await app.index.set_keys(PUBLIC, wanted_keys(await app.library.editions(scope, on=today), held, today))
    await app.index.optimise(PUBLIC)


async def _repeat(
    app: Composition,
    source: Edition,
    number: int,
    places: list[str],
    points: dict[PassageId, IndexPoint],
    turned: np.random.Generator,
    most: int,
) -> None:
    fields = replace(
        source.document.fields,
        title=f"{source.document.fields.title} {number}",
        jurisdiction=places[number % len(places)],
        series=None,
        reference=None,
        aliases=(),
        parties=(),
        valid_from=None,
        valid_to=None,
    )
    key = f"repeated-{number}.pdf"
    document = replace(source.document, id=document_id(PUBLIC, key), key=key, file=key, fields=fields)
    new = version_id(document.id, source.version.sha256)
    own = await app.library.passages_at(source.version.id, range(most))
    pages = await app.library.pages_at(source.version.id, range(1, source.version.pages + 1))
    made = [replace(each, id=passage_id(new, "x", each.ordinal), version=new) for each in own]
    now = datetime.now(UTC)
    version = replace(
        source.version,
        id=new,
        document=document.id,
        status=VersionStatus.PENDING,
        passages=len(made),
        seen_from=now,
    )
    await app.library.save_document(document)
    await app.library.add_version(version, pages, made)
    held = [points[each.id] for each in own]
    await app.index.upsert(
        PUBLIC,
        [
            replace(
                point,
                passage=passage.id,
                version=new,
                primary=_turned(point.primary, turned),
                secondary=_turned(point.secondary, turned),
            )
            for point, passage in zip(held, made, strict=True)
        ],
    )
    await app.library.activate(new, at=now)


def _turned(vector: Vector, by: np.random.Generator) -> Vector:
    other = vector + 0.3 * by.standard_normal(vector.shape) / np.sqrt(vector.size)
    turned: Vector = (other / np.linalg.norm(other)).astype(vector.dtype)
    return turned


async def cost(work: Callable[[], Awaitable[object]]) -> float:
    """Processor seconds of the whole process."""
    began = time.process_time()
    await work()
    return time.process_time() - began


async def measured(
    library: Path, documents: int, rounds: int, passages: int, everywhere: bool
) -> dict[str, float]:
    """Processor seconds by what was done, with so many documents."""
    found: dict[str, list[float]] = {}
    async with opened(load(data=library).settings) as app:
        await grown(app, documents, passages)
    began = time.process_time()
    async with opened(load(data=library).settings) as app:
        scope = Scope(collections=(PUBLIC,))
        today = app.clock.today()
        await app.questions.warm_up()
        first = time.process_time() - began
        parts: dict[str, Callable[[], Awaitable[object]]] = {
            "editions": lambda: app.library.editions(scope, on=today),
            "registry": lambda: app.library.registry(scope.collections),
            "completeness": lambda: app.completeness.notices(scope.collections),
        }
        questions = [
            (row["question"], ScopeOptions(jurisdiction=None if everywhere else row["jurisdiction"]))
            for row in ROWS
        ]
        for asked in questions:
            await app.questions.ask(*asked)
        for _ in range(rounds):
            for asked in questions:
                found.setdefault("answer", []).append(await cost(partial(app.questions.ask, *asked)))
            for name, work in parts.items():
                found.setdefault(name, []).append(await cost(work))
    table = {name: statistics.median(each) for name, each in found.items()}
    return {"opened and warm": first, **table, "answer, most": max(found["answer"])}


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--documents", type=int, nargs="+", default=[11, 500])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--passages", type=int, default=30)
    parser.add_argument("--everywhere", action="store_true", help="ask of no place")
    options = parser.parse_args()
    columns = []
    for documents in options.documents:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(shutil.copytree(options.library, Path(scratch) / "data", symlinks=True))
            columns.append(
                await measured(folder, documents, options.rounds, options.passages, options.everywhere)
            )
    print(f"{'CPU s':<18}" + "".join(f"{number:>10,}" for number in options.documents) + "    growth")
    for name, base in columns[0].items():
        row = "".join(f"{column[name]:>10.3f}" for column in columns)
        print(f"{name:<18}{row}{columns[-1][name] / max(base, 1e-4):>10.2f}")


if __name__ == "__main__":
    asyncio.run(main())
