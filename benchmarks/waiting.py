"""How long an answer waits: for a model that is down, and for verification after a model's last word.

    python -m benchmarks.waiting [--library DIR] [--rounds 1]

Fallbacks are timed with the scripted server on loopback and the default settings; the peer is the same
call to a primary that is well. With a data folder (nothing is changed in it) every habit of the scripted
models answers questions on its documents, and what passes between a model's last word and the end of
verification is timed: on the clock, and on the thread's processor.
"""

import argparse
import asyncio
import platform
import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.litellm.budget import Endpoint
from adapters.litellm.model import LiteLlmModel
from benchmarks.generation import habits
from bot.settings.tree import load
from bot.wiring.services import opened
from core.answering.generated.generation import GenerationSettings, Generator
from core.answering.generated.judge import Judge
from core.domain.models import Completion, MessageRole, ModelMessage
from core.domain.scope import Scope
from core.errors import FundstelleError
from tests.support.fake_model import FakeModel
from tests.support.scripted_model import Mode, ScriptedModel

MESSAGES = (
    ModelMessage(speaker=MessageRole.USER, text="[S1] A, p. 1\nBridges are repaired every ten years."),
)
FAULTS = (Mode.PROPER, Mode.HANGING, Mode.STALLING, Mode.FAILING, Mode.RATE_LIMITED, Mode.HALF)
WRITING_S = 0.3
"""How long the model takes that verification is measured with; real ones take longer."""

QUESTIONS = (
    "Was will die SPD beim Mindestlohn?",
    "Was plant die CDU bei der Rente?",
    "Wie wollen die Grünen das Klima schützen?",
    "Was sagt Die Linke zu Mieten?",
    "How long does a promoter have to refund the buyer?",
    "What is the penalty for late registration?",
    "What must a real estate agent pay for registration?",
    "Was will die FDP bei Steuern?",
)


class WritingModel(FakeModel):
    """Takes its time and remembers when it ended."""

    ended: tuple[float, float] = (0.0, 0.0)

    async def complete(self, messages: Sequence[ModelMessage], **options: Any) -> Completion:
        """The fake's answer."""
        await asyncio.sleep(WRITING_S)
        said = await FakeModel.complete(self, messages, **options)
        self.ended = time.perf_counter(), time.thread_time()
        return said


async def fallbacks() -> None:
    """Print how long an answer takes by what is wrong with the primary, and with all models down."""
    with ScriptedModel() as first, ScriptedModel() as second:
        for mode in (*FAULTS, None):
            model = LiteLlmModel(
                [
                    Endpoint(model=f"openai/{name}", api_base=server.url, api_key="none")
                    for name, server in (("first", first), ("second", second))
                ]
            )
            first.mode = second.mode = Mode.PROPER
            await model.complete(MESSAGES, collections=["public"])
            first.mode, second.mode = mode or Mode.FAILING, Mode.PROPER if mode else Mode.FAILING
            started = time.perf_counter()
            try:
                answered = (await model.complete(MESSAGES, collections=["public"])).model
            except FundstelleError as error:
                answered = error.key
            seconds = time.perf_counter() - started
            print(
                f"primary {mode.value if mode else 'and fallback failing':<22}{answered:<18}{seconds:>7.2f} s"
            )
            await model.close()


async def overhead(library: Path, rounds: int) -> None:
    """Print the time from a model's last word to the proven answer."""
    ways = habits(random.Random(1))
    found: list[tuple[float, float]] = []
    async with opened(load(data=library).settings) as app:
        await app.questions.warm_up()
        model = WritingModel()
        generator = Generator(
            model=model, judge=Judge(model), library=app.library, settings=GenerationSettings(retries=0)
        )
        for question in QUESTIONS:
            result = await app.searcher.search(
                question,
                scope=Scope(collections=("public",)),
                today=app.clock.now().date(),
                token_budget=generator.token_budget,
            )
            for way in list(ways.values()) * rounds:
                model.answer = way
                await generator.generate(question, result)
                found.append((time.perf_counter() - model.ended[0], time.thread_time() - model.ended[1]))
    for name, column in (("clock", 0), ("processor", 1)):
        ordered = sorted(item[column] for item in found)
        figures = [
            ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 0.99, 1)
        ]
        shown = "".join(f"{1000 * figure:>9.1f}" for figure in figures)
        print(f"after the last word, {name:<10}{shown} ms (median, p95, p99, worst; {len(ordered)} answers)")


async def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}")
    await fallbacks()
    if options.library is not None:
        await overhead(options.library, options.rounds)


if __name__ == "__main__":
    asyncio.run(main())
