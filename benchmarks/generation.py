"""Answers of a model in all its bad habits: what gets through, and what verification costs.

    python -m benchmarks.generation [--answers 2000] [--pages 40] [--seed 1]

Counts are of what is shown (expected: 0 each); times are of reading and verifying one output. The peer is the
usual check, the quote as a substring of the passage, in the same run: what it would have let through.
"""

import argparse
import asyncio
import platform
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime

from core.answering.generated.drafts import read_draft
from core.answering.generated.generation import GenerationSettings
from core.answering.generated.verification import Verified, Verifier
from core.domain.answers import Answer, Outcome
from core.domain.documents import DocumentType
from core.domain.scope import Scope
from tests.support.bad_models import HABITS, Says, noise, poisoned, writing_asker
from tests.support.fake_model import FakeModel
from tests.support.scripted_answers import Mode, content
from tests.support.shown_answers import claim_faults, faults
from tests.support.world import World

SCOPE = Scope(collections=("public",))
QUESTIONS = (
    "Was will die Uferpartei beim Mindestlohn?",
    "Was wollen Uferpartei und Windmüller beim Mindestlohn?",
    "Was kostet die Anmeldung eines Hausboots in Hochau und Seemoor?",
    "Wie viele Wohnungen baut die Uferpartei?",
    "What does the Riverside Party want for the minimum wage?",
    "Welche Frist gilt für die Fähre in Hochau?",
    "Bis wann wird die Schleuse in Seemoor geprüft?",
    "Was kostet der Deich in Hochau und Seemoor?",
)
SUBJECTS = ("Die Fähre", "Der Hafen", "Das Wehr", "Die Schleuse", "Der Deich", "Das Ufer", "Die Brücke")
VERBS = ("wird bis", "muss spätestens im", "darf nicht vor", "soll nie nach")
MONTHS = ("Januar", "März", "Mai", "Juli", "Oktober")
ENDS = ("erneuert", "gesperrt", "bezahlt", "geprüft", "verpachtet")


def page(random_: random.Random) -> str:
    """A page of made-up rules with dates, sums and denials."""
    sentences = [
        f"{random_.choice(SUBJECTS)} {random_.choice(VERBS)} {random_.choice(MONTHS)}"
        f" {random_.randint(2020, 2035)} {random_.choice(ENDS)},"
        f" die Frist ist {random_.randint(2, 90)} Tage und die Gebühr {random_.randint(1000, 9999)} Taler."
        for _ in range(12)
    ]
    return "\n\n".join(" ".join(sentences[i : i + 4]) for i in range(0, 12, 4))


async def library(pages: int, seed: int) -> World:
    """The poisoned world and long rules beside it."""
    world, random_ = await poisoned(), random.Random(seed)
    for name, place in (("faehre_ho.pdf", "xv-ho"), ("faehre_se.pdf", "xv-se")):
        await world.add(
            name,
            *(page(random_) for _ in range(pages)),
            jurisdiction=place,
            doc_type=DocumentType.RULES,
            valid_from=date(2024, 1, 1),
        )
    return world


class Timed:
    """Verification with a stop watch."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._verify = Verifier.verify
        timed = self

        async def verify(verifier: Verifier, draft: object) -> Verified:
            started = time.perf_counter()
            try:
                return await timed._verify(verifier, draft)  # type: ignore[arg-type]
            finally:
                timed.seconds.append(time.perf_counter() - started)

        Verifier.verify = verify  # type: ignore[method-assign, assignment]


def habits(random_: random.Random) -> dict[str, Says]:
    """Every way of answering, by name."""
    ways: dict[str, Says] = {
        mode.value: (lambda prompt, schema, mode=mode: content(mode, prompt, schema)) for mode in Mode
    }
    return ways | HABITS | {"noise": lambda prompt, _: noise(prompt, random_)}


def usual_faults(outputs: Sequence[str], passages: str) -> int:
    """Faults among the claims whose quote is a substring of the passages: what is usually let through."""
    text = " ".join(passages.split())
    claims = [claim for output in outputs for claim in read_draft(output).claims]
    passed = [c for c in claims if all(" ".join(quote.split()) in text for quote in c.quotes)]
    return sum(bool(list(claim_faults(claim.text, " ".join(claim.quotes)))) for claim in passed)


async def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=2000)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    world, timed = await library(options.pages, options.seed), Timed()
    ways = habits(random.Random(options.seed))
    model = FakeModel()
    asker = writing_asker(world, model, GenerationSettings(retries=0))
    shown, wrong, usual = Counter[str](), Counter[str](), 0
    names = sorted(ways)
    for number in range(options.answers):
        model.answer = ways[names[number % len(names)]]
        model.asked.clear()
        question = QUESTIONS[(number // len(names)) % len(QUESTIONS)]
        answer = (await asker.answered(question, scope=SCOPE)).answer
        tally(answer, shown)
        if answer.answerer != "extractive":
            wrong.update(fault.partition(" ")[0].rstrip(":") for fault in await faults(answer, world.library))
        if answer.drafting and model.asked:
            usual += usual_faults(answer.drafting.outputs, model.asked[0][-1].text)
    report(shown, wrong, usual, timed.seconds, len(names))


def tally(answer: Answer, shown: Counter[str]) -> None:
    """Count what an answer shows."""
    written = answer.answerer != "extractive"
    shown["answers"] += 1
    shown["written by the model"] += written
    shown["quotes only"] += not written and answer.outcome is Outcome.GROUNDED
    shown["no evidence"] += answer.outcome is Outcome.NO_EVIDENCE
    shown["claims shown"] += len(answer.claims) if written else 0
    shown["rejected"] += len(answer.rejected)
    for item in answer.rejected:
        shown[f"  {item.what} {re.split('[ :]', item.why)[0]}"] += 1


def report(shown: Counter[str], wrong: Counter[str], usual: int, seconds: list[float], ways: int) -> None:
    """Print the table."""
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}, {ways} habits")
    for name, count in shown.items():
        print(f"{name:<28}{count:>8}")
    for kind in ("quote", "number", "denial", "address", "label", "labels"):
        print(f"shown with a wrong {kind:<9}{wrong[kind]:>8}")
    print(f"claims with faults that a substring check lets through: {usual}")
    ordered = sorted(seconds)
    for name, share in (("median", 0.5), ("p95", 0.95), ("worst", 1.0)):
        at = min(len(ordered) - 1, int(share * len(ordered)))
        print(f"verification {name:<8}{ordered[at] * 1000:>9.1f} ms")


if __name__ == "__main__":
    asyncio.run(main())
