"""Question sets with the vectors of the passages that each is searched in, for `training.questions`.

`python -m training.passages --library DIR --out FILE --questions FILE...`

Writes an .npz: the vectors of all passages of the collection "public", and per question its words, the
passages in its scope, those that hold a gold quote, and what else than encoder A says of each of them.
"""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.library.scoping import ScopeOptions
from bot.settings.sections import EncoderSettings
from bot.settings.tree import AnswerSettings, Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.documents import Edition
from core.domain.search import IndexPoint, QueryVectors, Scope, Space, Vector
from core.errors import Refused
from core.evaluation import SetQuestion, read_questions
from core.search.listing import stands_for
from core.search.plan import SearchResult
from core.search.ranking import LEXICAL_SPREAD, lexical_weight
from core.search.settings import SearchSettings
from training.gold import answers

COLLECTION = "public"
PAGE = 500
BEST_BY_WORDS, HITS = 100, 10
_SETTINGS = SearchSettings()


class Points:
    """All points of the collection, with the texts of their passages."""

    def __init__(self, points: Sequence[IndexPoint], texts: Sequence[str]) -> None:
        self.texts = texts
        self.primary = np.stack([point.primary for point in points])
        self.secondary = np.stack([point.secondary for point in points])
        self.windows = np.concatenate([point.windows for point in points])
        counts = [len(point.windows) for point in points]
        self.first_window = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self.row_of = {point.passage: row for row, point in enumerate(points)}
        self.by_version: dict[str, list[int]] = defaultdict(list)
        for row, point in enumerate(points):
            self.by_version[point.version].append(row)

    @classmethod
    async def read(cls, app: Composition) -> "Points":
        """Those of `app`."""
        points: list[IndexPoint] = []
        start = None
        while True:
            some, start = await app.index.points(COLLECTION, start=start, limit=PAGE)
            points += some
            if start is None:
                break
        texts = {
            passage.id: passage.text
            for first in range(0, len(points), PAGE)
            for passage in await app.library.passages([each.passage for each in points[first : first + PAGE]])
        }
        return cls(points, [texts[point.passage] for point in points])


def main() -> None:
    """Read, search, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    questions = [item for file in arguments.questions for item in read_questions(file.read_text("utf-8"))]
    asyncio.run(write(arguments.library, questions, arguments.out))


async def write(library: Path, questions: Sequence[SetQuestion], out: Path) -> None:
    """All questions whose answer is in their scope."""
    arrays: dict[str, NDArray[np.generic]] = {}
    encoders, answer = EncoderSettings(questions="plain"), AnswerSettings(reader="off")
    async with opened(Settings(data=library, encoders=encoders, answer=answer)) as app:
        points = await Points.read(app)
        for number, question in enumerate(item for item in questions if item.answerable):
            try:
                row = await _row(app, points, question)
            except Refused as error:
                print(f"{question.id}: {error}")
                continue
            if row is not None:
                arrays |= {f"{number}/{name}": values for name, values in row.items()}
    np.savez_compressed(out, passages=points.primary, **arrays)


async def _row(
    app: Composition, points: Points, question: SetQuestion
) -> dict[str, NDArray[np.generic]] | None:
    """`content`, `document`, and by passage in scope: `rows`, `gold`, `beside` (standard deviations)."""
    place = question.jurisdiction if question.corpus == "statutes" else None
    result = await app.questions.search(question.question, ScopeOptions(jurisdiction=place), k=HITS)
    scope = result.plan.scope
    editions = [
        edition
        for edition in await app.library.editions(scope, on=app.clock.now().date())
        if _in(scope, edition)
    ]
    rows = np.array([row for edition in editions for row in points.by_version[edition.version.id]], np.int64)
    gold = np.array([answers(question, points.texts[row]) for row in rows])
    if len(result.plan.groups) > 1 or not gold.any():
        return None
    return {
        "content": np.array(result.subject.text),
        "document": np.array(question.gold[0].file),
        "rows": rows,
        "gold": gold,
        "beside": await _beside(app, points, result, editions, rows),
    }


def _in(scope: Scope, edition: Edition) -> bool:
    narrowed = scope.parties or scope.documents or scope.editions or scope.jurisdictions
    return not narrowed or stands_for(scope, edition)


async def _beside(
    app: Composition, points: Points, result: SearchResult, editions: Sequence[Edition], rows: Vector
) -> Vector:
    """What encoder B and BM25 say of the passages, weighted as the search does."""
    content, language = result.subject.text, result.plan.language
    asked = await app.secondary.query(content)
    windows = np.maximum.reduceat(points.windows @ asked, points.first_window)
    beside = _SETTINGS.secondary * _standard(points.secondary[rows] @ asked)
    beside += _SETTINGS.windows * _standard(windows[rows])
    query = QueryVectors(
        primary=await app.primary.query(content),
        secondary=asked,
        lexical=await app.lexical.query(content, language),
    )
    versions = [edition.version.id for edition in editions]
    (found,) = await app.index.candidates(COLLECTION, [query], versions, limit=BEST_BY_WORDS)
    by_words = {each.passage: each.scores.get(Space.LEXICAL, 0.0) for each in found}
    best = max(by_words.values(), default=0.0)
    if best > 0:
        weight = LEXICAL_SPREAD * lexical_weight(content, editions, _SETTINGS) / best
        of_row = {points.row_of[passage]: weight * score for passage, score in by_words.items()}
        beside += np.array([of_row.get(row, 0.0) for row in rows.tolist()], np.float32)
    return beside.astype(np.float32)


def _standard(values: Vector) -> Vector:
    scaled: Vector = (values - values.mean()) / max(float(values.std()), 1e-6)
    return scaled


if __name__ == "__main__":
    main()
