"""Whether questions for things with a name of their own (places, projects, rare words) show where it stands.

`python -m benchmarks.named FILE... --library DIR [--show]`

FILEs are JSON lines by writers who read the documents and knew nothing of the bot: "text" (as typed in a
chat), "gold" (words of the documents any of which serve who asked; none if no document has the name). DIR is
a data folder with the shared programmes and statutes. Each question goes the way it takes in a chat: the bare
name of a topic of several parties is compared, everything else is answered. `named_open.jsonl` was looked at,
`named_kept.jsonl` counted before it was.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.errors import Refused
from core.evidence.skeleton import skeleton


async def main() -> None:
    """Ask and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what is not shown first")
    given = parser.parse_args()
    async with opened(Settings(data=given.library)) as app:
        for file in given.files:
            count = Counter[str]()
            for row in map(json.loads, file.read_text("utf-8").splitlines()):
                compared, quotes = await _shown(app, row["text"])
                held = [_holds(quote, row["gold"]) for quote in quotes]
                kind = "with" if row["gold"] else "without"
                count[kind] += 1
                count[f"{kind} silent"] += not quotes
                count[f"{kind} compared"] += compared
                count["first"] += held[:1] == [True]
                count["any"] += any(held)
                count["quotes"] += len(held) if row["gold"] else 0
                count["right"] += sum(held)
                if given.show and (held[:1] != [True] if row["gold"] else quotes):
                    told = "compared" if compared else "answered"
                    begun = [quote[:160] for quote in quotes[:2]]
                    print(f"{told}, {held}: {row['text']} | {row['gold']} | {begun}")
            named = f"{count['first']} with the first quote, {count['any']} with any"
            told = f"{count['right']} of {count['quotes']} quotes, silent {count['with silent']}"
            print(
                f"{file.name}: of {count['with']} {named}, {told}, compared {count['with compared']};",
                end=" ",
            )
            print(f"of {count['without']} that no document has, silent {count['without silent']}")


async def _shown(app: Composition, text: str) -> tuple[bool, list[str]]:
    """Whether the parties are compared on `text`, and the quotes shown, in order."""
    options = ScopeOptions()
    looked = await app.questions.looked(text, options)
    if looked and app.questions.is_topic_of_parties(looked):
        try:
            made = await app.comparisons.compare(text, options)
        except Refused:
            pass
        else:
            return True, [each.quote.text for each in made.report.citations]
    answer = await app.questions.ask(text, options, looked=looked)
    return False, [each.quote.text for each in answer.citations]


def _holds(quote: str, gold: Sequence[str]) -> bool:
    letters = skeleton(quote)
    return any(skeleton(each) in letters for each in gold)


if __name__ == "__main__":
    asyncio.run(main())
