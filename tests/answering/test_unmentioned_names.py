"""A name that stands nowhere in the library ends in silence, and honest words do not."""

import pytest

from bot.library.scoping import ScopeOptions
from core.domain.answers import Outcome
from tests.support.world import populated


@pytest.mark.parametrize(
    ("question", "sought"),
    [
        ("Wann wird die Krollmannreihe gebaut?", ("Krollmannreihe",)),
        ("Baut die Uferpartei Wohnungen an der Krollmannreihe?", ("Krollmannreihe",)),
        ("How many flats will be built at Karvenstein?", ("Karvenstein",)),
        ("Combien de logements à Karvenstein ?", ("Karvenstein",)),
    ],
)
async def test_an_invented_name_ends_in_silence(question: str, sought: tuple[str, ...]) -> None:
    answer = await (await populated()).app.questions.ask(question, ScopeOptions())
    assert (answer.outcome, answer.sought, answer.citations) == (Outcome.NO_EVIDENCE, sought, ())


@pytest.mark.parametrize(
    "question",
    [
        "Wie viele Wohnungen will die Uferpartei bauen?",
        "Wie viele Wohnungsbauten will die Uferpartei?",
        "Wie hoch ist die Hausbootgebühr in Hochau?",
        "Was kostet die Anmeldung eines Hausbohts in Hochau?",
        "How many flats does the Riverside Party want to build?",
        "Was wollen die Windmüller beim Mindeslohn?",
    ],
)
async def test_honest_words_are_answered(question: str) -> None:
    answer = await (await populated()).app.questions.ask(question, ScopeOptions())
    assert answer.outcome is Outcome.GROUNDED
