"""How long the check of an alleged quote takes, in processor time.

    python -m benchmarks.verify_speed --data FOLDER [--each 60] [--seed 1]

FOLDER is a data folder into which `manifestos/` was ingested with its manifest. As many sentences of 8 to 40
words are drawn from its pages, and each is checked as it stands, with one word changed, and with its words
shuffled, which stand nowhere. Processor time is that of the whole process (all threads), so a busy machine
changes it little. The process is warm and settled as that of `serve` is.
"""

import argparse
import asyncio
import platform
import random
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from bot.library.scoping import ScopeOptions
from bot.service.watches import settle
from bot.settings.tree import load
from bot.wiring.services import opened
from core.domain.scope import Scope
from core.language.sentences import sentences
from core.ports.library import Library

TODAY = date(2026, 1, 1)
LEAST, MOST = 8, 40
"""Words of a sentence that is drawn."""


async def drawn(library: Library, scope: Scope, each: int, seed: int) -> list[str]:
    """`each` sentences of the documents in `scope`."""
    chance, found = random.Random(seed), []
    for edition in await library.editions(scope, on=TODAY):
        for number in range(1, edition.version.pages + 1):
            page = await library.page(edition.version.id, number)
            if page is None or chance.random() > each / 200:
                continue
            text = " ".join(word.text for word in page.words if not word.furniture)
            found += [
                text[start:end]
                for start, end in sentences(text, edition.document.fields.language)
                if LEAST <= len(text[start:end].split()) <= MOST
            ]
    return chance.sample(found, min(each, len(found)))


def variants(sentence: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The sentence as it stands, with a word changed, and shuffled."""
    words = sentence.split()
    yield "as it stands", sentence
    changed = list(words)
    changed[chance.randrange(len(words))] = "stattdessen"
    yield "one word changed", " ".join(changed)
    yield "shuffled", " ".join(chance.sample(words, len(words)))


def line(name: str, seconds: Sequence[float]) -> str:
    """A row: how many, and milliseconds of processor time."""
    middle, high = np.percentile(np.array(seconds) * 1000, [50, 95])
    return f"{name:<18}{len(seconds):>6}{middle:>10.0f}{high:>10.0f}"


async def main() -> None:
    """Draw, check, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--each", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    taken: dict[str, list[float]] = {}
    async with opened(load(data=given.data).settings) as services:
        questions, chance = services.questions, random.Random(given.seed)
        await questions.warm_up()
        settle()
        scope = await questions.searched.scoping.scope(ScopeOptions())
        for sentence in await drawn(questions.library, scope, given.each, given.seed):
            for name, text in variants(sentence, chance):
                begun = time.process_time()
                await questions.verify(text, ScopeOptions())
                taken.setdefault(name, []).append(time.process_time() - begun)
    print(f"{platform.machine()}, Python {platform.python_version()}; milliseconds of processor time")
    print(f"{'':<18}{'quotes':>6}{'p50':>10}{'p95':>10}")
    for name, seconds in taken.items():
        print(line(name, seconds))
    print(line("all", [each for seconds in taken.values() for each in seconds]))


if __name__ == "__main__":
    asyncio.run(main())
