"""How messages are understood: what they are, whom, when and where they ask, and what for.

`python -m benchmarks.understood --library DIR [FILE...] [--out FILE]`

FILEs (`understood.jsonl` without any) are JSON lines by a writer who saw no code: "line", perhaps "before"
(the question that came before it), "kind", and for what is searched "parties", "years", "places" (to be
searched in), "topic" (parts of words that must be among the words searched for) and "not" (that must not).
DIR is a data folder with the documents that the lines speak of; what it answers does not matter. A message is
right if its kind is, and it is searched for the topic, of these parties, in this edition and nowhere else.
"""

import argparse
import asyncio
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.heads import ROOT, rows_of
from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.scope import Scope, ThreadContext, continued
from core.question.turns import TurnKind
from core.search.plan import SearchResult

ASKED = ("yes", "no", "number", "name")
SEARCHED = (TurnKind.QUESTION.value, TurnKind.FOLLOW_UP.value)
ALLIANCE = {"cdu": "cdu/csu", "csu": "cdu/csu"}
"""Members of an alliance that writers did not tell apart from it."""
EVERYWHERE = ("", "de", "in", "eu")
"""Places whose name changes nothing about where is searched here."""


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=[ROOT / "benchmarks" / "understood.jsonl"])
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    told = [row for file in given.files for row in rows_of(file)]
    asyncio.run(_read(given.library, told))
    there: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row in told:
        there.update(f"{row['kind']}: {name}" for name in row["right"])
        right.update(f"{row['kind']}: {name}" for name, found in row["right"].items() if found)
    for name in sorted(there):
        print(f"{name} {right[name]}/{there[name]}")
    if given.out:
        given.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in told), "utf-8")


async def _read(library: Path, told: list[dict[str, Any]]) -> None:
    async with opened(Settings(data=library)) as app:
        scope, _ = await app.questions.searched.within(ScopeOptions())
        for row in told:
            kind = await app.questions.turns.read(row["line"], asked=row["kind"] in ASKED)
            alike = row["kind"] == kind or {row["kind"], kind.value} <= set(SEARCHED)
            row["read"], row["right"] = kind.value, {"kind": alike}
            if row["kind"] in SEARCHED:
                thread = None
                if row.get("before"):
                    plan = (await _found(app, scope, row["before"], None)).plan
                    thread = continued(None, plan.question.asked, plan.language)
                found = await _found(app, scope, row["line"], thread)
                row["asked"] = found.plan.question.asked
                row["right"] |= _judged(row, found)
                names = ("kind", "parties", "years", "places", "topic")
                row["right"]["all"] = all(row["right"][name] for name in names)


async def _found(app: Composition, scope: Scope, text: str, thread: ThreadContext | None) -> SearchResult:
    return await app.searcher.search(text, scope=scope, today=app.clock.today(), thread=thread, k=1)


def _judged(row: dict[str, Any], found: SearchResult) -> dict[str, bool]:
    plan, detected = found.plan, found.plan.detected
    named = {_party(name) for name in (*detected.parties, *detected.unknown_parties)}
    asked = {_party(name) for name in row["parties"]}
    places = {code for code in detected.jurisdictions if code not in EVERYWHERE}
    wanted = set(map(_place, row["places"])) - set(EVERYWHERE)
    own = plan.question.without(plan.scope.parties, detected.jurisdictions, plan.scope.documents)
    words = _folded(own)
    return {
        "parties": named == asked,
        "years": set(row["years"]) <= set(detected.years),
        "places": places == wanted and not any(each.kind == "jurisdiction" for each in found.missing),
        "topic": all(_folded(part) in words for part in row["topic"]),
        "not": not any(re.search(rf"(?<!\w){re.escape(_folded(part))}", words) for part in row["not"]),
        "language": plan.language == row["lang"],
    }


def _party(name: str) -> str:
    folded = _folded(name)
    return ALLIANCE.get(folded, folded)


def _place(name: str) -> str:
    codes = {
        "Baden-Württemberg": "de-bw",
        "Münster": "de-nw-muenster",
        "NRW": "de-nw",
        "Gujarat": "in-gj",
        "Karnataka": "in-ka",
        "Chandigarh": "in-ch",
    }
    return codes.get(name, "")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


if __name__ == "__main__":
    main()
