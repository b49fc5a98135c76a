"""Who wants or rejects a thing: which parties are said to, and which of them do.

`python -m benchmarks.who_wants --library DIR [--part open|blind] [--jurisdiction de] [--out FILE]`

`DIR` is a data folder with the eleven programmes of 2025 of `who_wants.jsonl`. There a reader of
the programmes has said of each question who wants what is `asked` for, who the `opposite`, and of whom it is
`unclear` (a reform, a part of it, a wish under a condition): nothing that is said of those counts. Whatever
is said of others is wrong. The half `open` was looked at while the rules were made, `blind` was not.
"""

import argparse
import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened

QUESTIONS = Path(__file__).with_name("who_wants.jsonl")

SAID = ("asked", "opposite")


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--part", choices=("open", "blind"))
    parser.add_argument("--jurisdiction", default="de")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if asked.part in (None, row["part"])]
    judged = asyncio.run(_judged(asked.library, asked.jurisdiction, rows))
    counts = Counter(each["verdict"] for each in judged)
    sure = counts["right"] + counts["missed"]
    print(
        f"{len(rows)} questions: {dict(counts)}, found {100 * counts['right'] / max(1, sure):.0f} % of {sure}"
    )
    if asked.out:
        asked.out.write_text(json.dumps(judged, ensure_ascii=False, indent=1), encoding="utf-8")


async def _judged(library: Path, place: str, rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Of each question every party of which anything is said, or should be."""
    found = []
    async with opened(Settings(data=library)) as app:
        for row in rows:
            said = await _said(app, row["question"], place)
            for party in sorted({*said, *row["asked"], *row["opposite"]}):
                way, quote = said.get(party, ("", ""))
                wanted = next((each for each in SAID if party in row[each]), "")
                verdict = "right" if way == wanted else "wrong" if way else "missed"
                if party in row["unclear"]:
                    verdict = "unclear"
                found.append(
                    {
                        "question": row["question"],
                        "party": party,
                        "verdict": verdict,
                        "said": way,
                        "quote": quote,
                    }
                )
    return found


async def _said(app: Composition, question: str, place: str) -> dict[str, tuple[str, str]]:
    """Who is said to want what is asked for or the opposite, with the quote."""
    answer = await app.questions.ask(question, ScopeOptions(jurisdiction=place))
    quotes = {item.label: item for item in answer.citations}
    found = {}
    for notice in answer.notices:
        way = notice.key.removeprefix("notice.stance.")
        for label in notice.labels if way in SAID else ():
            parties = "/".join(quotes[label].edition.document.fields.parties)
            found[parties] = (way, quotes[label].quote.text)
    return found


if __name__ == "__main__":
    main()
