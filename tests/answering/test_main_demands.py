"""One party asked for all it says about one thing: the main demands of the chapter about it."""

from dataclasses import replace

from core.domain.answers import Answer
from core.domain.scope import Scope
from tests.support.world import World, populated

FILLING = " ".join(
    f"Im Haus Nummer {number} steht ein Tisch aus Holz, an dem am Abend acht Leute Karten spielen."
    for number in range(12)
)
CHAPTERS = (
    "Moore\n\nWir vernässen die Moore im Norden wieder bis zum Jahr 2030. Wer auf Moor wirtschaftet, bekommt"
    " dafür einen Ausgleich.",
    "Moore schützen\n\nDer Abbau von Torf in den Mooren endet im kommenden Jahr ohne jede Ausnahme.",
    "Geld\n\nFür die Moore geben wir in jedem Jahr 40 Millionen Taler aus dem Haushalt aus.",
    "Bahn\n\nDie Bahn fährt in jeder Stunde durch das ganze Land und hält an jedem Bahnhof.",
)


async def asked(question: str) -> tuple[World, Answer]:
    world = replace(await populated(), threshold=0.0)
    pages = (f"{chapter} {FILLING}" for chapter in CHAPTERS)
    await world.add("dp25.pdf", *pages, title="Programm", jurisdiction="xv", parties=("Drachenflieger",))
    scope = Scope(collections=("public",))
    return world, (await world.app.asker.answered(question, scope=scope)).answer


async def test_a_broad_question_gets_stretches_from_several_places_with_their_headings() -> None:
    world, answer = await asked("Was wollen die Drachenflieger bei Mooren?")
    assert 2 <= len(answer.citations) <= 5
    assert len({item.quote.text for item in answer.citations}) == len(answer.citations)
    assert all("Moor" in f"{item.heading} {item.quote.text}" for item in answer.citations)
    assert {item.heading for item in answer.citations} != {""}
    said = world.app.presenter.answer_text(answer)
    assert all(item.heading in said for item in answer.citations)


async def test_a_question_for_one_thing_gets_no_headings() -> None:
    _, answer = await asked("Wie viel Geld geben die Drachenflieger für Moore aus?")
    assert {item.heading for item in answer.citations} == {""}
