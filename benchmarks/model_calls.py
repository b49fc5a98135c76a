"""How often a model is asked for a question, and whether what an honest one says is believed.

`python -m benchmarks.model_calls --library DIR [--questions FILE...] [--sample N] [--paraphrases]`

The model is scripted, behind real HTTP: it says what the passages it is shown hold of the question's gold
quotes, whole sentences word for word, and that there is no answer where they hold none. It has no other
wordings to offer. So every right answer that is not shown, or asked for again, was sent back without need,
and every "no" that is not followed by silence was not believed. With `--paraphrases` it puts words of its own
before each quote, which have to be judged in a call more.
"""

import argparse
import asyncio
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pydantic import SecretStr

from bot.library.scoping import ScopeOptions
from bot.settings.sections import LlmSettings
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.answering.generated.drafts import SCHEMA
from core.domain.answers import Outcome
from core.evaluation import SetQuestion, read_questions
from core.evidence.skeleton import skeleton
from core.language.identification import detect
from core.language.sentences import sentences
from tests.support.scripted_answers import Prompt, Source
from tests.support.scripted_model import ScriptedModel

CALLS = ("reworded", "asked", "judged")
"""What the model is called for: other wordings, an answer, whether quotes state what it wrote."""

LONGEST_RUN = 4
"""Consecutive sentences that the model quotes at most."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    data = Path(os.environ.get("FUNDSTELLE_TEST_DATA", "../shared/data"))
    sets = [data / corpus / "people.jsonl" for corpus in ("manifestos", "statutes")]
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", default=sets)
    parser.add_argument("--paraphrases", action="store_true", help="claims are no mere quotes")
    parser.add_argument("--sample", type=int, default=0, help="questions, evenly spread; 0: all")
    arguments = parser.parse_args()
    questions = [item for file in arguments.questions for item in read_questions(file.read_text("utf-8"))]
    every = max(1, len(questions) // (arguments.sample or len(questions)))
    asyncio.run(measure(arguments.library, questions[::every], paraphrases=arguments.paraphrases))


@dataclass(slots=True)
class HonestModel:
    """Knows the gold quotes of the question that is asked now, and what it has said to it."""

    paraphrases: bool = False
    gold: Sequence[str] = ()
    said: list[bool] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)

    def ask(self, question: SetQuestion) -> None:
        """Take up another question."""
        self.gold, self.said, self.calls = [gold.quote for gold in question.gold], [], Counter()

    def answer(self, prompt: Prompt, schema: Mapping[str, object] | None) -> str:
        """What the passages hold, or that they hold nothing; no other wordings."""
        if schema != SCHEMA:
            self.calls["reworded"] += 1
            return json.dumps({"queries": []})
        self.calls["asked"] += 1
        claims = [claim for source in prompt.sources for claim in self._claims(source)][:2]
        self.said.append(bool(claims))
        return json.dumps({"claims": claims, "answerable": bool(claims)})

    def _claims(self, source: Source) -> list[dict[str, object]]:
        found = [quote for gold in self.gold if (quote := holding(source.text, gold))]
        before = "So: " if self.paraphrases else ""
        return [{"text": before + quote, "label": source.label, "quotes": [quote]} for quote in found]


def holding(text: str, gold: str) -> str:
    """The shortest run of whole sentences of `text` that holds `gold`; empty where none does."""
    wanted = skeleton(gold)
    if not wanted or wanted not in skeleton(text):
        return ""
    ranges = sentences(text, detect(text)[0])
    for length in range(1, LONGEST_RUN + 1):
        for first, last in zip(ranges, ranges[length - 1 :], strict=False):
            run = " ".join(text[first[0] : last[1]].split())
            if wanted in skeleton(run):
                return run
    return ""


@dataclass(slots=True)
class Tally:
    """What became of the questions of one kind."""

    questions: int = 0
    calls: int = 0
    counts: Counter[str] = field(default_factory=Counter)


async def measure(library: Path, questions: Sequence[SetQuestion], *, paraphrases: bool) -> None:
    """Ask every question once."""
    model, tallies = HonestModel(paraphrases=paraphrases), defaultdict[str, Tally](Tally)
    with ScriptedModel() as server:
        server.answer = model.answer
        llm = LlmSettings(model="openai/scripted", api_base=server.url, api_key=SecretStr("none"))
        async with opened(Settings(data=library, llm=llm)) as app:
            for question in questions:
                model.ask(question)
                before = len(server.requests)
                answered = await outcome(app, question, model)
                tally = tallies[f"{question.corpus}, {question.kind}"]
                tally.questions += 1
                calls = len(server.requests) - before
                tally.calls += calls
                tally.counts.update(answered)
                tally.counts.update({**model.calls, "judged": calls - model.calls.total()})
    report(tallies)


async def outcome(app: Composition, question: SetQuestion, model: HonestModel) -> list[str]:
    """What became of a right answer or of a no."""
    answer = await app.questions.ask(question.question, ScopeOptions(jurisdiction=question.jurisdiction))
    if True in model.said:
        first = model.said.index(True)
        sent_back = len(model.said) > first + 1 or answer.answerer == "extractive"
        if sent_back:
            print(f"  sent back: {question.id} {[item.why for item in answer.rejected]}")
        return ["right", "sent back"] if sent_back else ["right"]
    if model.said:
        silent = answer.outcome is Outcome.NO_EVIDENCE
        return ["declined", "silent"] if silent else ["declined"]
    return ["not asked"]


def report(tallies: Mapping[str, Tally]) -> None:
    """Print the table."""
    whole = Tally(
        questions=sum(item.questions for item in tallies.values()),
        calls=sum(item.calls for item in tallies.values()),
        counts=sum((item.counts for item in tallies.values()), Counter()),
    )
    head = ("questions", "calls", *CALLS, "right", "sent back", "declined", "silent", "not asked")
    print(f"{'':<34}" + "".join(f"{name:>11}" for name in head))
    for name, item in [*sorted(tallies.items()), ("all", whole)]:
        calls = f"{item.calls / item.questions:.2f}"
        cells = [item.questions, calls, *(item.counts[key] for key in head[2:])]
        print(f"{name:<34}" + "".join(f"{cell:>11}" for cell in cells))


if __name__ == "__main__":
    main()
