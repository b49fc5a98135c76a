"""When to stay silent: fits the confidence of answers on questions with and without an answer.

`python -m benchmarks.abstention --library DIR [--questions FILE...] [--probes N]`

`DIR` is a data folder that holds the documents of the question sets. Questions of the sets count as they are
marked. Further negatives are *probes*: an answerable question asked of the document of another party of the
same place, which hardly ever says the same specific thing; they count with a lower weight. The fit is a
logistic regression with a small ridge; the curve and the rates are out of fold (by question), ten folds.
"""

import argparse
import asyncio
import os
import platform
import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.library.scoping import ScopeOptions
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.answering.extractive.candidates import evidence_of
from core.answering.extractive.confidence import Evidence
from core.domain.search import QuestionKind
from core.errors import FundstelleError
from core.evaluation import SetQuestion, read_questions

RIDGE = 1.0
FOLDS = 10
PROBE_WEIGHT = 0.3
FEATURES = tuple(field.name for field in fields(Evidence) if field.name != "first")
"""What silence may depend on; how the first quote stands only says whether confidence is high."""
NAMES = ("bias", *FEATURES)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what was found for it; `group` keeps its probes in its fold."""

    group: str
    evidence: Evidence
    answerable: bool
    probe: bool


def main() -> None:
    """Collect, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(os.environ.get("FUNDSTELLE_TEST_DATA", "../shared/data"))
    sets = [default / "manifestos" / "questions.jsonl", default / "statutes" / "questions.jsonl"]
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", default=sets)
    parser.add_argument("--probes", type=int, default=2, help="probes per answerable question")
    arguments = parser.parse_args()
    questions = [item for file in arguments.questions for item in read_questions(file.read_text())]
    cases, absent = asyncio.run(collect(arguments.library, questions, arguments.probes))
    print(f"{platform.machine()}, {os.cpu_count()} cores, {datetime.now(UTC):%Y-%m-%d}")
    report(cases, absent)


async def collect(
    library: Path, questions: Sequence[SetQuestion], probes: int
) -> tuple[list[Case], list[SetQuestion]]:
    """Evidence of every question that finds something; unanswerable ones that find no source apart."""
    cases: list[Case] = []
    absent: list[SetQuestion] = []
    async with opened(Settings(data=library)) as app:
        await app.questions.warm_up()
        for question in questions:
            place = question.jurisdiction if question.corpus == "statutes" else None
            found, missing = await evidence(app, question.question, ScopeOptions(jurisdiction=place))
            if not question.answerable and (missing or found is None):
                absent.append(question)
            elif found is not None:
                cases.append(Case(question.id, found, question.answerable, probe=False))
            if question.answerable and question.corpus != "statutes":
                cases += await probe(app, question, probes)
    return cases, absent


async def probe(app: Composition, question: SetQuestion, count: int) -> list[Case]:
    """The question asked of documents of other parties of the same place and type."""
    documents = await app.library.documents()
    own = [document for document in documents if document.file in {gold.file for gold in question.gold}]
    if not own:
        return []
    others = [
        document
        for document in documents
        if document.fields.jurisdiction == own[0].fields.jurisdiction
        and document.fields.doc_type is own[0].fields.doc_type
        and document.fields.valid_from == own[0].fields.valid_from
        and not set(document.fields.parties) & set(own[0].fields.parties)
    ]
    chosen = random.Random(question.id).sample(others, min(count, len(others)))
    found = []
    for document in chosen:
        evidence_found, _ = await evidence(app, question.question, ScopeOptions(documents=(document.id,)))
        if evidence_found is not None:
            found.append(Case(question.id, evidence_found, answerable=False, probe=True))
    return found


async def evidence(app: Composition, question: str, options: ScopeOptions) -> tuple[Evidence | None, bool]:
    """What the answerer has to go by, and whether something asked about has no source."""
    try:
        result = await app.questions.search(question, options, k=10)
    except FundstelleError:
        return None, False
    if result.plan.kind in (QuestionKind.OFF_TOPIC, QuestionKind.DOCUMENT) or not result.hits:
        return None, bool(result.missing)
    extracts = await app.asker.extracts(result)
    return evidence_of(result, extracts), bool(result.missing)


def matrix(cases: Sequence[Case]) -> Array:
    """Rows of features, a one first."""
    return np.array([[1.0, *(float(getattr(case.evidence, name)) for name in FEATURES)] for case in cases])


def fit(x: Array, y: Array, weight: Array) -> Array:
    """Coefficients of a weighted ridge logistic regression by Newton's method."""
    mean, scale = x.mean(axis=0), x.std(axis=0)
    mean[0], scale[0] = 0.0, 1.0
    scale[scale == 0] = 1.0
    z = (x - mean) / scale
    ridge = np.eye(x.shape[1]) * RIDGE
    ridge[0, 0] = 0.0
    b = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ b))
        gradient = z.T @ (weight * (y - p)) - ridge @ b
        hessian = (z * (weight * p * (1 - p))[:, None]).T @ z + ridge
        b = b + np.linalg.solve(hessian, gradient)
    coefficients = b / scale
    coefficients[0] = b[0] - float((b[1:] * mean[1:] / scale[1:]).sum())
    return coefficients


def out_of_fold(cases: Sequence[Case]) -> Array:
    """Confidence of each case by a fit that has not seen its question."""
    x, y, weight = matrix(cases), labels(cases), weights(cases)
    groups = sorted({case.group for case in cases})
    random.Random(1).shuffle(groups)
    fold_of = {group: n % FOLDS for n, group in enumerate(groups)}
    fold = np.array([fold_of[case.group] for case in cases])
    result = np.zeros(len(cases))
    for n in range(FOLDS):
        held = fold == n
        result[held] = 1 / (1 + np.exp(-x[held] @ fit(x[~held], y[~held], weight[~held])))
    return result


def labels(cases: Sequence[Case]) -> Array:
    """1 for answerable."""
    return np.array([float(case.answerable) for case in cases])


def weights(cases: Sequence[Case]) -> Array:
    """Both classes weigh the same in sum; a probe counts less than a question of a set."""
    raw = np.array([PROBE_WEIGHT if case.probe else 1.0 for case in cases])
    y = labels(cases)
    for value in (0.0, 1.0):
        raw[y == value] *= len(cases) / 2 / raw[y == value].sum()
    return raw


def report(cases: Sequence[Case], absent: Sequence[SetQuestion]) -> None:
    """Coefficients, how well each feature tells, and the curve over the threshold."""
    x, y = matrix(cases), labels(cases)
    real = np.array([not case.probe for case in cases])
    coefficients = fit(x, y, weights(cases))
    print(
        f"{int((y * real).sum())} answerable, {int(((1 - y) * real).sum())} unanswerable with passages, ",
        end="",
    )
    print(f"{len(absent)} about what has no source, {int((~real).sum())} probes")
    print(f"{'feature':<18}{'coefficient':>12}{'AUC sets':>10}{'AUC all':>10}")
    for n, name in enumerate(NAMES):
        sets = auc(x[real, n], y[real]) if n else 0.5
        print(f"{name:<18}{coefficients[n]:>12.3f}{sets:>10.2f}{auc(x[:, n], y) if n else 0.5:>10.2f}")
    p = out_of_fold(cases)
    print(f"out of fold: AUC sets {auc(p[real], y[real]):.2f}, all {auc(p, y):.2f}")
    print("questions of the sets; what has no source counts as silent")
    print(f"{'threshold':>9}{'rightly silent':>16}{'wrongly silent':>16}")
    for threshold in np.arange(0.1, 0.9, 0.05):
        silent = p < threshold
        right = int((silent & real & (y == 0)).sum()) + len(absent)
        of = int((real & (y == 0)).sum()) + len(absent)
        wrong, answerable = int((silent & real & (y == 1)).sum()), int((real & (y == 1)).sum())
        rates = f"{right:>10}/{of} {right / of:>4.0%}{wrong:>10}/{answerable} {wrong / answerable:>4.0%}"
        print(f"{threshold:>9.2f}{rates}")


def auc(values: Array, y: Array) -> float:
    """Share of pairs (answerable, not) that the values put in order."""
    positive, negative = values[y == 1], values[y == 0]
    if not len(positive) or not len(negative):
        return 0.5
    pairs = positive[:, None] - negative[None, :]
    return float(((pairs > 0) + 0.5 * (pairs == 0)).mean())


if __name__ == "__main__":
    main()
