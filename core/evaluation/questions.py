"""Question sets: one question per line, with the place of its answer."""

import json
from dataclasses import dataclass

from core.errors import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The place of an answer: base name of the file, 1-based PDF page, the words."""

    file: str
    page: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetQuestion:
    """A question of a set. `all_needed`: every gold page has to be found, not any."""

    id: str
    corpus: str
    language: str
    jurisdiction: str | None
    party: str | None
    question: str
    answerable: bool
    gold: tuple[Gold, ...]
    all_needed: bool
    kind: str


def read_questions(text: str) -> list[SetQuestion]:
    """The questions of a set in JSON Lines. Raises Refused("questions.invalid") naming the line."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            found.append(_read(line, number))
    if not found:
        raise Refused("questions.invalid", "the question set holds no question")
    return found


def _read(line: str, number: int) -> SetQuestion:
    try:
        row = json.loads(line)
        gold = tuple(
            Gold(file=str(item["file"]), page=int(item["page"]), quote=str(item.get("quote", "")))
            for item in row.get("gold", [])
        )
        return SetQuestion(
            id=str(row["id"]),
            corpus=str(row.get("corpus", "")),
            language=str(row["language"]),
            jurisdiction=row.get("jurisdiction"),
            party=row.get("party"),
            question=str(row["question"]),
            answerable=_decided(row["answerable"]),
            gold=gold,
            all_needed=row.get("gold_mode", "any") == "all",
            kind=str(row.get("kind", "")),
        )
    except (json.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        detail = f"line {number} is no question: {error!r}"
        raise Refused("questions.invalid", detail, line=number) from error


def _decided(value: object) -> bool:
    """The judgement, true or false; a row that nobody has judged yet cannot be measured."""
    if not isinstance(value, bool):
        raise ValueError("answerable must be true or false")
    return value
