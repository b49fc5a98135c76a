"""Whether quotes shown in people's own words get the right verdict.

`python -m benchmarks.claimed FILE... --library DIR [--show]`

FILEs are JSON lines by writers who read the documents and knew nothing of the bot: "text" (a message with a
quote, its words around it), "wanted" (the verdict). DIR is a data folder with the shared programmes and
statutes, which is not changed. "heard": the message is taken for one that shows a quote; only then a verdict
counts as right. `claimed_open.jsonl` and `sources_open.jsonl` were looked at, `claimed_kept.jsonl`,
`sources_kept.jsonl` and `sources_sealed.jsonl` counted before they were.
"""

import argparse
import asyncio
import json
from collections import Counter
from pathlib import Path

from bot.answers.questions import Questions
from bot.chat.asked import kind_of
from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.services import opened
from core.domain.answers import Verdict
from core.question.turns import TurnKind


async def main() -> None:
    """Verify and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what is told wrongly")
    given = parser.parse_args()
    async with opened(Settings(data=given.library)) as app:
        for file in given.files:
            there, right, heard, confirmed = Counter[str](), Counter[str](), 0, 0
            for row in map(json.loads, file.read_text("utf-8").splitlines()):
                kind, verdict = await _told(app.questions, row["text"])
                there[row["wanted"]] += 1
                heard += kind is TurnKind.ALLEGED
                confirmed += row["wanted"] == Verdict.MISATTRIBUTED and verdict == Verdict.VERBATIM
                if kind is TurnKind.ALLEGED and verdict == row["wanted"]:
                    right[row["wanted"]] += 1
                elif given.show:
                    print(f"{row['wanted']}, read as {kind}, told {verdict}: {row['text']}")
            told = ", ".join(f"{each} {right[each]}/{there[each]}" for each in sorted(there))
            print(f"{file.name}: {right.total()} of {there.total()} right, {heard} heard; {told};")
            print(f"  with a wrong source called verbatim: {confirmed} of {there[Verdict.MISATTRIBUTED]}")


async def _told(questions: Questions, text: str) -> tuple[TurnKind, str]:
    """What `text` is taken for, and the verdict; a slip stands as written."""
    check = await questions.verify(text, ScopeOptions())
    verdict = Verdict.VERBATIM if check.verdict is Verdict.TYPO else check.verdict
    return await kind_of(text, questions.turns), verdict.value


if __name__ == "__main__":
    asyncio.run(main())
