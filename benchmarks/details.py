"""Whether a short follow-up on a detail gets the quote that answers it.

`python -m benchmarks.details FILE... --library DIR`

FILEs are JSON lines by writers who read the documents and knew nothing of the bot: "before" (a question),
"text" (the follow-up: "any exceptions?"), "gold" (the sentence that answers it). DIR is a data folder with
the shared programmes and statutes, which is not changed. A quote is right if it has the gold sentence, or
half of its runs of four words. "again": the first quote is wrong and was the answer to the first question.
"""

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.answers.questions import Questions
from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.services import opened
from core.evidence.skeleton import skeleton

RUN, SHARE = 4, 0.5
"""Words of a run, and the share of the gold sentence's runs that a right quote has."""


async def main() -> None:
    """Ask and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    given = parser.parse_args()
    async with opened(Settings(data=given.library)) as app:
        for file in given.files:
            rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
            found: Counter[str] = Counter()
            for row in rows:
                found.update(await _answered(app.questions, row))
            print(f"{file.name}, {len(rows)}: {dict(sorted(found.items()))}")


async def _answered(questions: Questions, row: dict[str, Any]) -> list[str]:
    """What is to be counted of the answer to one follow-up."""
    first = await questions.ask(row["before"], ScopeOptions())
    answer = await questions.ask(row["text"], ScopeOptions(), thread=first.thread)
    quotes = [citation.quote.text for citation in answer.citations]
    right = [is_right(row["gold"], quote) for quote in quotes]
    before = [skeleton(citation.quote.text) for citation in first.citations]
    found = ["first right"] if right[:1] == [True] else []
    found += ["one right"] if any(right) else [] if quotes else ["silent"]
    again = quotes and not right[0] and any(skeleton(quotes[0]) in quote for quote in before)
    return [*found, "again"] if again else found


def is_right(gold: str, quote: str) -> bool:
    """Whether `quote` has the words of `gold`."""
    if skeleton(gold) in skeleton(quote):
        return True
    said = " ".join(_words(quote))
    runs = [" ".join(run) for run in _runs(_words(gold))]
    return sum(run in said for run in runs) >= SHARE * len(runs)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _runs(words: Sequence[str]) -> list[Sequence[str]]:
    return [words[at : at + RUN] for at in range(max(1, len(words) - RUN + 1))]


if __name__ == "__main__":
    asyncio.run(main())
