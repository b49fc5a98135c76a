"""A name that stands nowhere in the library ends in silence, and honest words do not."""

import pytest

from bot.library.scoping import ScopeOptions
from core.domain.answers import Outcome
from core.domain.documents import DocumentType
from core.language.terms import begun
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


async def test_a_name_that_only_another_party_says_ends_in_silence_for_this_one() -> None:
    world = await populated()
    await world.add(
        "karvenstein.pdf",
        "Wohnen\n\nAn der Krollmannreihe bauen wir bis zum nächsten Jahr 900 neue Wohnungen für alle.",
        jurisdiction="xv",
        parties=("Windmüller",),
        doc_type=DocumentType.MANIFESTO,
    )
    asked = "Wie viele Wohnungen bauen {} an der Krollmannreihe?"
    answer = await world.app.questions.ask(asked.format("die Uferpartei"), ScopeOptions())
    assert (answer.outcome, answer.sought) == (Outcome.NO_EVIDENCE, ("Krollmannreihe",))
    answer = await world.app.questions.ask(asked.format("die Windmüller"), ScopeOptions())
    assert answer.outcome is Outcome.GROUNDED


async def test_what_names_a_topic_is_quoted_before_what_comes_near_to_it() -> None:
    world = await populated()
    texts = {
        "Uferpartei": "Bahn\n\nDie Bahn soll in jeder Stunde durch das ganze Land fahren, auch in der Nacht.",
        "Windmüller": "Verkehr\n\nUnser Ziel ist der Inseltakt, der alle Orte des Landes verbindet.",
    }
    for party, text in texts.items():
        await world.add(
            f"bahn-{party}.pdf",
            text,
            jurisdiction="xv",
            parties=(party,),
            doc_type=DocumentType.MANIFESTO,
        )
    answer = await world.app.questions.ask("Was sagen die Programme zum Inseltakt?", ScopeOptions())
    assert ["Inseltakt" in item.quote.text for item in answer.citations] == [True]


@pytest.mark.parametrize(
    ("term", "said", "expected"),
    [("pelztierhalt", "pelz", True), ("deutschlandtakt", "deutschland", False)],
)
def test_whose_a_thing_is_does_not_say_what_it_is(term: str, said: str, expected: bool) -> None:
    assert begun(term, frozenset({said})) is expected
