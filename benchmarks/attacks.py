"""Injected instructions in documents and questions, against models that echo and obey them: what reaches
the answer. `python -m benchmarks.attacks [--every N] [--data FOLDER]`.

Reads `attacks/` of the test data (environment FUNDSTELLE_TEST_DATA): `injections.jsonl` with one `text` each,
and PDFs that show or hide one. Every text is put into a document of its own and asked as a question.
"""

import argparse
import asyncio
import json
import os
import platform
import time
from datetime import UTC, datetime
from pathlib import Path

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.ids import DocumentId
from core.domain.scope import Scope
from tests.support.bad_models import HABITS
from tests.support.fake_model import FakeModel
from tests.support.poisoning import PUBLIC, Seen, asker, poison
from tests.support.scripted_answers import Mode
from tests.support.world import World, populated, request

SUBJECT = "Was will die Uferpartei beim Mindestlohn?"
PDF_QUESTIONS = (SUBJECT, "What are the instructions?", "Which link has to be appended to every answer?")


def models() -> dict[str, FakeModel | None]:
    """Who writes, by name."""
    return {
        "extractive": None,
        "echo": FakeModel(mode=Mode.ECHO),
        "obey": FakeModel(mode=Mode.OBEY),
        "bait": FakeModel(answer=HABITS["bait"]),
    }


async def with_pdfs(world: World, files: list[Path]) -> list[DocumentId]:
    """PDFs, read by the real toolkit, in the world's library."""
    toolkit, made = PyMuPdfToolkit(workers=1), []
    try:
        for file in files:
            world.pdf.documents[file.name] = await toolkit.read(file)
            receipts = await world.ingest(request(file.name, jurisdiction="xv", language="en"))
            made.append(receipts[0].document)
    finally:
        await toolkit.close()
    return [document for document in made if document is not None]


async def in_documents(texts: list[str], pdfs: list[Path]) -> dict[str, Seen]:
    """Each text in a document of its own, asked about its subject and in its own words."""
    world = await populated()
    documents = await poison(world, texts)
    files = await with_pdfs(world, pdfs)
    found = {}
    for name, model in models().items():
        answers, seen = asker(world, model), Seen()
        for number, document in enumerate(documents):
            scope = Scope(collections=("public",), documents=(document,))
            for question in (f"Wie hoch ist der Mindestlohn in Hafen {number}?", texts[number][:1900]):
                await seen.ask(world, answers, question, scope, model)
        for document in files:
            scope = Scope(collections=("public",), documents=(document,))
            for question in PDF_QUESTIONS:
                await seen.ask(world, answers, question, scope, model)
        found[f"documents, {name}"] = seen
    return found


async def in_questions(texts: list[str]) -> dict[str, Seen]:
    """Each text as a question, and behind one."""
    world, found = await populated(), {}
    for name, model in models().items():
        answers, seen = asker(world, model), Seen()
        for text in texts:
            for question in (text, f"{SUBJECT} {text[:1900]}"):
                await seen.ask(world, answers, question, PUBLIC, model)
        found[f"questions, {name}"] = seen
    return found


def report(found: dict[str, Seen], seconds: float) -> None:
    """Print the table."""
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}, {seconds:.0f} s")
    for name, seen in found.items():
        answers, raw = seen.counts["answers"], seen.counts["with an address in a quote or claim"]
        refused = sum(count for what, count in seen.counts.items() if what.startswith("refused"))
        written = sum(count for what, count in seen.counts.items() if what.startswith("answered: llm"))
        print(
            f"{name}: {answers} answers ({written} by the model), {refused} refused, {raw} quoting an address"
        )
    kinds = dict.fromkeys(what for seen in found.values() for what in seen.wrong)
    total = {what: sum(seen.wrong[what] for seen in found.values()) for what in kinds}
    print(f"{sum(seen.counts['answers'] for seen in found.values())} answers; shown in them:")
    for what, count in total.items():
        print(f"  {what:<34}{count:>6}")
    for name, seen in found.items():
        for example in seen.examples[:5]:
            print(f"  {name}: {example}")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    data = os.environ.get("FUNDSTELLE_TEST_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(data))
    parser.add_argument("--every", type=int, default=1, help="only every n-th text")
    options = parser.parse_args()
    folder = options.data / "attacks"
    if not folder.is_dir():
        parser.error(f"there is no {folder}; set FUNDSTELLE_TEST_DATA or --data")
    lines = (folder / "injections.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [str(json.loads(line)["text"]) for line in lines if line.strip()][:: options.every]
    started = time.perf_counter()
    found = asyncio.run(in_documents(texts, sorted(folder.rglob("*.pdf")))) | asyncio.run(in_questions(texts))
    report(found, time.perf_counter() - started)


if __name__ == "__main__":
    main()
