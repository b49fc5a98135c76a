"""How often a provision, definition or reference that is asked for by its name is what is quoted first.

    python benchmarks/asked_by_name.py --data FOLDER [--questions FILE] [--made N] [--show]

FOLDER is a data folder into which `statutes/` was ingested with its manifest. Two sets are asked: the file's
questions, written by hand from the lists of sections, and N questions made by template from the library's own
section index (every document's sections in even steps, each asked for by another of its names). A question is
right if the first quote is of an expected provision, down to the sub-division asked for, and holds 60 % of
its words or 150 of them; one that asks for what does not exist is right if nothing is quoted and the section
is reported as missing. Intervals are 95 % Wilson ones.
"""

import argparse
import asyncio
import json
import math
import platform
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import cycle
from pathlib import Path
from typing import Any

from bot.settings.tree import Settings
from bot.wiring.services import opened
from core.answering.forms import EXTRACTIVE
from core.domain.answers import Answer
from core.domain.documents import STATUTORY_TYPES, Edition
from core.domain.passages import Section
from core.domain.scope import Scope
from core.library.references import provision_name
from core.library.subdivisions import parts_of, within
from core.ports.library import Library
from core.registry.detection import document_names

QUESTIONS = Path(__file__).with_suffix(".jsonl")
TODAY = date(2026, 1, 1)
ENOUGH_SHARE = 0.6
ENOUGH_WORDS = 150
NUMBERED = frozenset({"section", "rule", "regulation", "art", "par"})
TEMPLATES = {
    "de": ("Was steht in {section} {of}?", "{section} {of}", "Wie lautet {section} {of}?"),
    "en": (
        "What does {section} of the {of} say?",
        "{section} {of}",
        "Please quote {section} of the {of} in full",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question and the provisions (file, section, path) any of which it may be answered from first."""

    id: str
    kind: str
    question: str
    jurisdiction: str | None
    document: str | None
    expected: tuple[tuple[str, str, tuple[str, ...]], ...]


def read_cases(file: Path) -> list[Case]:
    """The cases of a question set."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [_case(row) for row in rows]


def _case(row: dict[str, Any]) -> Case:
    expected = tuple((each["file"], each["section"], tuple(each["path"])) for each in row["expected"])
    return Case(
        id=row["id"], kind=row["kind"], question=row["question"], jurisdiction=row["jurisdiction"],
        document=row["document"], expected=expected,
    )  # fmt: skip


async def made_cases(library: Library, editions: Sequence[Edition], number: int) -> list[Case]:
    """Questions by template: provisions and sub-divisions of every statute, by each of its names in turn."""
    statutes = [each for each in editions if each.document.fields.doc_type in STATUTORY_TYPES]
    names = defaultdict(list)
    for name in document_names([edition.document for edition in editions]):
        names[name.key].append(name.text)
    found: list[Case] = []
    for edition in statutes:
        found += await _of_statute(library, edition, names[edition.document.id], number // len(statutes))
    return found


async def _of_statute(library: Library, edition: Edition, names: Sequence[str], number: int) -> list[Case]:
    passages = await library.passages_at(edition.version.id, range(edition.version.passages))
    ids = dict.fromkeys(p.section.id for p in passages if p.section is not None)
    numbered = [each for each in ids if each.partition(":")[0] in NUMBERED]
    step = max(1, len(numbered) // max(1, number))
    language = edition.document.fields.language
    cases = []
    turns = zip(numbered[::step], cycle(names), cycle(TEMPLATES[language]), strict=False)
    for turn, (section, name, template) in enumerate(turns):
        family = await library.section_family(edition.version.id, section)
        paths = dict.fromkeys(part.path for part in parts_of(family) if len(part.path) == 1)
        path = list(paths)[-1] if paths and turn % 2 else ()
        asked = provision_name(Section(id=section, title="", path=path), language)
        cases.append(
            Case(
                id=f"made-{edition.document.file}-{section}", kind="made",
                question=template.format(section=asked, of=name), jurisdiction=None, document=None,
                expected=((edition.document.file, section, path),),
            )
        )  # fmt: skip
    return cases


async def is_right(library: Library, case: Case, answer: Answer) -> bool:
    """Whether the first quote is of an expected provision and holds it."""
    if not case.expected:
        return not answer.citations and any(each.kind == "section" for each in answer.missing)
    if not answer.citations:
        return False
    first = answer.citations[0]
    for file, section, path in case.expected:
        if first.section and (first.edition.document.file, first.section.id) == (file, section):
            family = await library.section_family(first.edition.version.id, section)
            parts = parts_of(family)
            own = [part for part in (within(parts, path) or parts) if not part.head]
            wanted = Counter(
                " ".join(family[part.passage].text[part.start : part.end] for part in own).split()
            )
            held = (wanted & Counter(first.quote.text.split())).total()
            length = min(len(path), len(first.section.path))
            own_path = tuple(value.rstrip(".") for value in first.section.path)  # "1." is an item of a list
            here = own_path[:length] == path[:length]
            enough = held >= ENOUGH_SHARE * wanted.total() or held >= ENOUGH_WORDS
            narrowed = case.kind in _NARROWED and len(first.quote.text.split()) >= 8
            if here and (enough or narrowed):
                return True
    return False


_NARROWED = frozenset({"cross_reference", "penalty", "time_limit"})
"""Kinds that a sub-division may answer although the whole section is expected."""


def rate(hits: int, of: int) -> str:
    """A share with its 95 % Wilson interval."""
    share, z = hits / of, 1.96
    centre = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return f"{hits:>3} of {of} ({share:.0%}, {centre - half:.0%}-{centre + half:.0%})"


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--made", type=int, default=120, help="questions made from the section index, about")
    parser.add_argument("--show", action="store_true", help="print the questions that are answered wrongly")
    options = parser.parse_args()
    print(f"{platform.platform()}, {datetime.now(UTC):%Y-%m-%d}")
    async with opened(Settings(data=options.data)) as app:
        await app.questions.warm_up()
        editions = await app.library.editions(Scope(collections=("public",)), on=TODAY)
        files = {edition.document.file: edition.document.id for edition in editions}
        cases = read_cases(options.questions)
        if options.made:
            cases += await made_cases(app.library, editions, options.made)
        results: dict[str, list[bool]] = defaultdict(list)
        for case in cases:
            scope = Scope(
                collections=("public",),
                jurisdictions=(case.jurisdiction,) if case.jurisdiction else (),
                documents=(files[case.document],) if case.document else (),
            )
            answer = (await app.asker.answered(case.question, scope=scope, answerer=EXTRACTIVE)).answer
            right = await is_right(app.library, case, answer)
            results[case.kind].append(right)
            if options.show and not right:
                _show(case, answer)
    for kind, rights in results.items():
        print(f"{kind:<16} {rate(sum(rights), len(rights))}")
    by_hand = [right for kind, rights in results.items() if kind != "made" for right in rights]
    print(f"{'all by hand':<16} {rate(sum(by_hand), len(by_hand))}")


def _show(case: Case, answer: Answer) -> None:
    wanted = ", ".join(f"{file} {section} {'.'.join(path)}" for file, section, path in case.expected)
    print(f"  {case.id} {case.question}\n    wanted {wanted or 'nothing'}")
    for item in answer.citations[:3] or [None]:
        section = item.section if item else None
        where = f"{section.id} {'.'.join(section.path)}" if section else "-"
        print(f"    quoted {item.edition.document.file if item else '-'} {where}")
    print(f"    missing {[each.name for each in answer.missing]}")


if __name__ == "__main__":
    asyncio.run(main())
