"""Quotes shown with words around them: whether remarks are told from words that change what is quoted.

`python -m benchmarks.shown_words FILE --library DIR [--show]`

FILE has a line each, parted by tabs: "says" (the words around only attribute the quote, ask or judge) or
"turned" (they deny, limit or add something), a language, and a message with "@" for a party and "…" for the
quote. Parties and whole sentences of their programmes come from the example library, which is read into DIR
if it is not there. An honest message is accepted if its verdict is that the words stand there ("typo"
included) and nothing denies them. Of a file that is kept back nothing but totals are to be looked at.
"""

import argparse
import asyncio
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.answers import STANDS
from examples.build import HERE, build

PROGRAMMES = {"Uferpartei": "ufer", "Bund der Windmüller": "windmueller", "Lighthouse List": "lighthouse"}
_SENTENCE = re.compile(r"(?<=[.!?] )[A-ZÄÖÜ][^.!?\d]{40,140}[.!]")
EACH = 12
"""Sentences of a programme."""


def main() -> None:
    """Make the library where it is missing, verify, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what is told wrongly; not of a kept file")
    given = parser.parse_args()
    if not given.library.exists():
        manifest = build(given.library.with_name(f"{given.library.name}-files"))
        command = [sys.executable, "-c", "from bot.cli import main; main()"]
        subprocess.run(
            [*command, "ingest", "--data", str(given.library), "--manifest", str(manifest)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    lines = [line.split("\t") for line in given.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    asyncio.run(_counted(given.library, lines, show=given.show))


async def _counted(library: Path, lines: list[list[str]], *, show: bool) -> None:
    chance, counts = random.Random(7), Counter[str]()
    async with opened(Settings(data=library)) as app:
        said = [
            (party, sentence)
            for party, name in PROGRAMMES.items()
            for sentence in await _sentences(app, party, name, chance)
        ]
        for label, language, message in lines:
            party, sentence = chance.choice(said)
            shown = message.replace("@", party).replace(
                "…", sentence if "…." not in message else sentence[:-1], 1
            )
            accepted = await _accepted(app, shown)
            counts[f"{label} {language}"] += 1
            counts[f"{label} {language} accepted"] += accepted
            if show and accepted != (label == "says"):
                print(label, language, message, sep="\t")
    for label in ("says", "turned"):
        parts = [
            f"{language} {counts[f'{label} {language} accepted']} of {counts[f'{label} {language}']}"
            for language in ("de", "en", "fr")
        ]
        print(label, "accepted:", ", ".join(parts))


async def _sentences(app: Composition, party: str, name: str, chance: random.Random) -> list[str]:
    """Sentences of a programme that stand there as the party's own when they are shown alone."""
    text = " ".join((HERE / "texts" / f"{name}-2025.md").read_text(encoding="utf-8").split())
    found = _SENTENCE.findall(text)
    said: list[str] = []
    for each in chance.sample(found, len(found)):
        if len(said) < EACH and await _accepted(app, f"{party}: „{each}“"):
            said.append(each)
    return said


async def _accepted(app: Composition, shown: str) -> bool:
    check = await app.questions.verify(shown, ScopeOptions())
    return check.verdict in STANDS and not check.claimed.turned


if __name__ == "__main__":
    main()
