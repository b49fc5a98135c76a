"""Fits what the signals of group talk weigh (`core/search/talk_signals.py`): logistic regression by Newton's
method, with small weights preferred.

    python -m training.talk

Reads the written lines of `tests/data/`, all but the threads kept back, and writes
`core/search/talk_weights.toml`. What was said before a line is taken from its thread as written. First it
prints what ten parts of the lines, each left out once, lose: of each file the wrong interjections and the
questions missed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from core.search.group_talk import TalkTurn, ThreadTalk, odds_needed
from core.search.talk_signals import TalkBefore, signals

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
KEPT_BACK = ("kept back", "later", "unseen", "blind", "fresh")
PARTS = 10
RIDGE = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkLine:
    """A line said to nobody by name. Lines of one `group` are left out together; `before`: what was said
    there, None for a line alone; `told`: the same in words. `replied`: it replies to the bot, which the
    signals are not fitted on."""

    source: str
    group: str
    text: str
    answer: bool
    before: TalkBefore | None = None
    told: str = ""
    replied: bool = False


def lines() -> Iterator[TalkLine]:
    """All lines to learn from."""
    for name in ("group_talk", "group_lines"):
        for number, line in enumerate(rows(name)):
            if not (line.get("replies_to") or "@" in line["text"] or line.get("thread") is False):
                yield TalkLine(
                    source=name, group=f"{name} {number}", text=line["text"], answer=line["answer"]
                )
    for name in ("group_threads", "group_conversations"):
        for thread, said in groupby(rows(name), key=lambda row: row["thread"]):
            talk = in_thread(name, f"{name} {thread}", said)
            yield from (line for line in talk if not line.replied)


def rows(name: str, halves: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of a file of talk: of the `halves` named, else all but those kept back."""
    said = map(json.loads, (DATA / f"{name}.jsonl").read_text("utf-8").splitlines())
    if halves:
        return [row for row in said if row["half"] in halves]
    return [row for row in said if row.get("half") not in KEPT_BACK]


def in_thread(source: str, group: str, said: Iterable[Mapping[str, Any]]) -> Iterator[TalkLine]:
    """The lines that people said in a thread to nobody or to the bot, each with what was said before it; not
    those whose answer is open (null)."""
    talk, begun, place = ThreadTalk(), datetime(2030, 1, 1, tzinfo=UTC), (source, group)
    for number, row in enumerate(row for row in said if row["by"] != "bot"):
        text = row["text"].replace("@fundstelle", "").strip(" ,")
        at = begun + timedelta(minutes=number)
        turn = TalkTurn(message=str(number), speaker=row["by"], at=at, text=text)
        to_somebody = row.get("replies_to") not in (None, "bot") or "@" in row["text"]
        if not to_somebody and row["answer"] is not None:
            yield TalkLine(
                source=source,
                group=group,
                text=row["text"],
                answer=row["answer"],
                before=talk.before(place, turn),
                told=talk.told(place, turn),
                replied=row.get("replies_to") == "bot",
            )
        talk.heard(place, replace(turn, asked=bool(row["answer"])))


def fitted(there: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Weights of the columns of `there`, and of none of them in the last place."""
    columns = np.hstack([there, np.ones((len(there), 1))])
    ridge = np.full(columns.shape[1], RIDGE)
    ridge[-1] = 1e-6
    weights = np.zeros(columns.shape[1])
    for _ in range(40):
        odds = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (odds - answers) + ridge * weights
        bend = (columns * (odds * (1 - odds))[:, None]).T @ columns + np.diag(ridge)
        weights -= np.linalg.solve(bend, slope)
    return weights


def left_out(read: Sequence[TalkLine], there: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """What each line weighs by the weights of the other parts."""
    groups = sorted({line.group for line in read})
    parts = {group: int(part) for group, part in zip(groups, _shuffled(len(groups)), strict=True)}
    of = np.array([parts[line.group] for line in read])
    weighed = np.zeros(len(read))
    for part in range(PARTS):
        weights = fitted(there[of != part], answers[of != part])
        weighed[of == part] = there[of == part] @ weights[:-1] + weights[-1]
    return weighed


def _shuffled(count: int) -> np.ndarray:
    return np.random.default_rng(1).permutation(count) % PARTS


def main() -> None:
    """Print the cross-validation and write the weights."""
    read = list(lines())
    found = [signals(line.text, line.before) for line in read]
    names = sorted(found[0])
    there = np.array([[each[name] for name in names] for each in found], dtype=float)
    answers = np.array([line.answer for line in read], dtype=float)
    says = left_out(read, there, answers) > np.array([odds_needed(line.before) for line in read])
    says &= there[:, names.index("remark")] == 0
    says &= there[:, names.index("after_talk_elliptic")] == 0
    says |= (there[:, names.index("requests")] > 0) & (there[:, names.index("after_talk")] == 0)
    for source in dict.fromkeys(line.source for line in read):
        here = np.array([line.source == source for line in read])
        wrong, missed = (here & says & (answers == 0)).sum(), (here & ~says & (answers == 1)).sum()
        remarks, asked = (here & (answers == 0)).sum(), (here & (answers == 1)).sum()
        print(f"{source}: {wrong} wrong of {remarks}, {missed} missed of {asked}")
    weights = fitted(there, answers)
    rows = [f"least = {weights[-1]:.2f}"]
    rows += [f"{name} = {weight:.2f}" for name, weight in zip(names, weights, strict=False)]
    (ROOT / "core" / "search" / "talk_weights.toml").write_text("\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    main()
