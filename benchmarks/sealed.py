"""Question sets without the words of the documents they ask about, which may not be redistributed.

`python -m benchmarks.sealed open --library DIR SEALED.jsonl --out QUESTIONS.jsonl`
`python -m benchmarks.sealed seal --library DIR QUESTIONS.jsonl --out SEALED.jsonl`

`DIR` is a data folder with the documents. In a sealed set a gold quote is a page, a number of letters and a
digest of them: whoever has the documents gets the quotes back, nobody else does. What `open` writes is a set
as `fundstelle evaluate`, `benchmarks.people` and `training` read it; it belongs outside the repository.
"""

import argparse
import asyncio
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from bot.settings.tree import Settings
from bot.wiring.services import opened
from core.errors import FundstelleError
from core.evidence.skeleton import skeleton

SETS = Path(__file__).parent / "questions"
"""The sealed sets of this repository."""

_WORD = re.compile(r"\S+")

Row = dict[str, Any]


class Letters:
    """The letters and digits of a page, with the words they stand in."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words: list[tuple[int, int]] = []
        letters: list[str] = []
        for word in _WORD.finditer(text):
            said = skeleton(word[0])
            letters.append(said)
            self._words += [word.span()] * len(said)
        self._letters = "".join(letters)

    def seal(self, quote: str) -> dict[str, object] | None:
        """How a quote of this page is written in a sealed set; None if it does not stand here."""
        said = skeleton(quote)
        return {"letters": len(said), "digest": digest(said)} if said and said in self._letters else None

    def opened(self, letters: int, wanted: str) -> str | None:
        """The words whose letters have the digest; None if they do not stand here."""
        for at in range(len(self._letters) - letters + 1):
            if digest(self._letters[at : at + letters]) == wanted:
                start, end = self._words[at][0], self._words[at + letters - 1][1]
                return " ".join(self._text[start:end].split())
        return None


def digest(letters: str) -> str:
    """Twelve bytes that tell one stretch of a page from all others."""
    return hashlib.blake2b(letters.encode(), digest_size=12).hexdigest()


def main() -> None:
    """Seal or open a set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("open", "seal"))
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    rows = [json.loads(line) for file in asked.questions for line in file.read_text("utf-8").splitlines()]
    found, lost = asyncio.run(turned(asked.action, rows, asked.library))
    asked.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found), "utf-8")
    print(f"{len(found)} questions, {len(lost)} left out whose quotes do not stand on their pages")
    for each in lost:
        print(f"  {each}", file=sys.stderr)


async def turned(action: str, rows: list[Row], library: Path) -> tuple[list[Row], list[str]]:
    """The rows sealed or opened, and what of them is lost. A row with an answer needs one quote at least."""
    found: list[Row] = []
    lost: list[str] = []
    async with opened(Settings(data=library)) as app:
        pages: dict[tuple[str, int], Letters] = {}

        async def page(file: str, number: int) -> Letters:
            if (file, number) not in pages:
                pages[file, number] = Letters((await app.documents.page_text(file, number)).text)
            return pages[file, number]

        for row in rows:
            gold = []
            for each in row["gold"]:
                try:
                    letters = await page(each["file"], each["page"])
                except FundstelleError as error:
                    lost.append(f"{row['id']}: {error}")
                    continue
                if (turn := _turned(action, letters, each)) is None:
                    lost.append(f"{row['id']}: {each['file']} page {each['page']}")
                else:
                    gold.append({"file": each["file"], "page": each["page"], **turn})
            if gold or not row["answerable"]:
                found.append({**row, "gold": gold})
    return found, lost


def _turned(action: str, letters: Letters, gold: Row) -> dict[str, object] | None:
    if action == "seal":
        return letters.seal(gold["quote"])
    quote = letters.opened(gold["letters"], gold["digest"])
    return None if quote is None else {"quote": quote}


if __name__ == "__main__":
    main()
