"""How long `fundstelle check` takes over an article, and whether it tells every quotation in it rightly.

    python -m benchmarks.draft_check --data FOLDER [--articles 5] [--seed 1]

FOLDER is a data folder. Each article has 3,000 words in sentences of its documents without quotation marks,
and among them twenty quotations of whole sentences, eight of which were falsified (tests/support/
quote_variants.py: a negation, a number, a name, words put in, another end). Rightly told: a sentence as it
stands is verbatim or a typo, a falsified one is neither. Each article is checked by a command of its own, and
by a process that is warm and settled as that of `serve` is.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.falsify import same
from benchmarks.verify_speed import LEAST, MOST, TODAY
from bot.library.scoping import ScopeOptions
from bot.service.watches import settle
from bot.settings.tree import load
from bot.wiring.services import opened
from core.domain.passages import PassageKind
from core.domain.scope import Scope
from core.language.sentences import sentences
from core.ports.library import Library
from tests.support.quote_variants import falsifiers

WORDS, QUOTATIONS, FALSE = 3_000, 20, 8
LANGUAGE = "de"


async def drawn(library: Library, scope: Scope, number: int, chance: random.Random) -> list[str]:
    """`number` sentences of passages, which have no headings between them."""
    found = []
    for edition in await library.editions(scope, on=TODAY):
        language = edition.document.fields.language
        for passage in await library.passages_at(edition.version.id, range(edition.version.passages)):
            if passage.kind is PassageKind.PROSE:
                parts = sentences(passage.text, language)
                found += [" ".join(passage.text[start:end].split()) for start, end in parts]
    return chance.sample([each for each in found if LEAST <= len(each.split()) <= MOST], number)


def article(found: Sequence[str], chance: random.Random) -> tuple[str, list[bool]]:
    """An article in Markdown, and whether each of its quotations stands as quoted."""
    whole = (each for each in found if each[0].isupper() and each[-1] in ".!?" and max(each) < "\u2190")
    plain = [each for each in whole if not set(each) & set("„“”\"»«‚‘'")]
    quoted, prose = plain[:QUOTATIONS], iter(plain[QUOTATIONS:])
    true = [True] * (QUOTATIONS - FALSE) + [False] * FALSE
    chance.shuffle(true)
    makers, paragraphs = list(falsifiers(LANGUAGE).values()), []
    for sentence, stands in zip(quoted, true, strict=True):
        text = sentence
        while not stands and same(text, sentence):
            made = chance.choice(makers)(chance, sentence.split(), chance.choice(plain).split())
            text = " ".join(made) if made else sentence
        around: list[str] = []
        while sum(len(each.split()) for each in around) < WORDS // QUOTATIONS - len(text.split()):
            around.append(next(prose))
        paragraphs.append(f"{' '.join(around)}\n\nIm Programm steht: „{text}“\n")
    return "\n".join(paragraphs), true


def checked(file: Path, data: Path) -> tuple[float, float, list[bool]]:
    """Seconds, processor seconds, and for each quotation whether it was said to stand so."""
    command = [
        str(Path(sys.executable).with_name("fundstelle")),
        "check",
        str(file),
        "--data",
        str(data),
        "--json",
    ]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    items = json.loads(done.stdout)["items"]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, cpu, [each["verdict"] in ("verbatim", "typo") for each in items]


async def main() -> None:
    """Write the articles, check them, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--articles", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    print(f"{platform.machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}")
    print(
        f"{'article':<9}{'words':>7}{'told rightly':>14}{'wrongly stands':>16}"
        f"{'command: seconds':>18}{'processor':>11}{'warm: seconds':>15}{'processor':>11}"
    )
    settings = load(data=given.data).settings
    async with opened(settings) as services:
        scope = await services.questions.searched.scoping.scope(ScopeOptions())
        found = await drawn(services.questions.library, scope, given.articles * 400, chance)
    share = len(found) // given.articles
    written = [
        article(found[number * share : (number + 1) * share], chance) for number in range(given.articles)
    ]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"article-{number}.md" for number in range(given.articles)]
        for file, (text, _) in zip(files, written, strict=True):
            file.write_text(text, "utf-8")
        alone = [checked(file, given.data) for file in files]  # the index has one owner at a time
        async with opened(settings) as services:
            await services.questions.warm_up()
            settle()
            for file, (text, true), (seconds, cpu, said) in zip(files, written, alone, strict=True):
                begun, cpu_begun = time.perf_counter(), time.process_time()
                await services.drafts.check(file, ScopeOptions())
                warm, warm_cpu = time.perf_counter() - begun, time.process_time() - cpu_begun
                pairs = [*zip(said, true, strict=True)]
                told = f"{sum(one == other for one, other in pairs)} of {len(true)}"
                print(
                    f"{file.stem[8:]:<9}{len(text.split()):>7}{told:>14}"
                    f"{sum(one and not other for one, other in pairs):>16}"
                    f"{seconds:>18.1f}{cpu:>11.1f}{warm:>15.1f}{warm_cpu:>11.1f}"
                )


if __name__ == "__main__":
    asyncio.run(main())
