"""Questions shown to people who join or ask for help: each is answered here, and speaks one language."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest

from bot.answers.example_questions import _heading, _word
from bot.library.scoping import ScopeOptions
from bot.presentation.i18n import Texts
from core.domain.answers import Outcome
from core.domain.documents import Edition
from core.domain.passages import PassageKind
from tests.support.world import RULES_HO, UFER_2025, WIND_2025, World, populated

FERRIES = """Ferries

The ferry to the islands runs every hour. Bicycles travel free of charge on every ferry of the state."""
OF_FERRIES = "What does “Ferries of Seemoor” say about "
LONG = """Wohnen

Wir bauen jedes Jahr 6.000 neue Wohnungen in den Städten am Fluss.

Arbeit

Der Mindestlohn steigt auf 15 Taler in der Stunde.

Fähren

Die Fähren fahren jede Stunde, und Fahrräder fahren umsonst mit."""


async def shown(world: World, language: str, *collections: str) -> tuple[str, ...]:
    """The questions, each of which is really answered."""
    asked = await world.app.questions.examples.of(collections or ("public",), Texts(language))
    for question in asked:
        options = ScopeOptions(collections=collections or ("public",))
        answer = await world.app.questions.ask(question, options)
        assert answer.outcome is Outcome.GROUNDED, question
    return asked


async def test_a_library_of_several_parties_and_places_shows_three_of_them() -> None:
    asked = await shown(await populated(), "de")
    assert len(asked) == 3
    assert len({question.split(" zu ")[0] for question in asked}) == 3


async def test_one_document_is_asked_of_three_of_its_subjects() -> None:
    world = await World(threshold=0.0).with_registry()
    await world.add("ufer25.pdf", *LONG.replace("\n\n", "\n").split("\n\n"), parties=("Uferpartei",))
    asked = await shown(world, "de")
    assert asked
    assert len(set(asked)) == len(asked)
    assert all("Uferpartei" in question for question in asked)


async def test_subjects_are_asked_for_instead_of_the_letterhead_and_the_imprint() -> None:
    world = await World(threshold=0.0).with_registry()
    filler = "Die Boote am Fluss fahren jeden Tag, im Sommer wie im Winter, von Ufer zu Ufer. " * 15
    pages = (
        f"OBERSTES WASSERSTRASSENAMT\n\nHerausgegeben vom Bundesdelegiertentag in Lindfurt. {filler}",
        f"Wohnen\n\nWir bauen jedes Jahr 6.000 neue Wohnungen in den Städten am Fluss. {filler}",
        f"Mindestlohn\n\nDer Mindestlohn steigt auf 15 Taler in der Stunde. {filler}",
        f"Öffentlicher Verkehr\n\nDer Verkehr auf dem Wasser kostet im ganzen Land nichts. {filler}",
    )
    await world.add("ufer25.pdf", *pages, parties=("Uferpartei",))
    asked = await shown(world, "de")
    assert {question.split(" zu ")[1] for question in asked} <= {
        "„Wohnen“?",
        "„Mindestlohn“?",
        "„Öffentlicher Verkehr“?",
    }
    assert len(asked) > 1


@pytest.mark.parametrize("language", ["de", "en", "fr"])
async def test_a_private_collection_is_asked_in_its_own_language(language: str) -> None:
    world = await World(threshold=0.0).with_registry()
    await world.add("ferries.pdf", FERRIES, language="en", collection="internal", title="Ferries of Seemoor")
    asked = await shown(world, language, "internal")
    assert asked
    assert all(question.startswith(OF_FERRIES) for question in asked)
    assert await shown(world, language, "public") == ()


async def test_questions_are_of_documents_in_the_readers_language_where_there_are_such() -> None:
    world = await World(threshold=0.0).with_registry()
    await world.add("ufer25.pdf", UFER_2025, parties=("Uferpartei",))
    await world.add("wind25.pdf", WIND_2025, parties=("Windmüller",))
    await world.add("rules.pdf", RULES_HO, jurisdiction="xv-ho")
    await world.add("ferries.pdf", FERRIES, language="en", title="Ferries of Seemoor")
    assert all(question.startswith(OF_FERRIES) for question in await shown(world, "en"))
    assert not any("Ferries" in question for question in await shown(world, "de"))


async def test_an_empty_library_shows_none() -> None:
    world = await World().with_registry()
    assert await shown(world, "de") == ()
    assert await world.app.questions.examples.notice(("public",), "de") == ()


async def test_a_greeting_is_answered_with_questions_of_this_library() -> None:
    world = await populated()
    answer = await world.app.questions.ask("Hallo!", ScopeOptions(collections=("public",)))
    said = world.app.presenter.answer_text(answer)
    assert answer.outcome is Outcome.INFO
    for question in await shown(world, "de"):
        assert question in said


async def test_where_there_are_several_parties_one_question_is_what_they_say_side_by_side() -> None:
    world = await World(threshold=0.0).with_registry()
    await world.add(
        "ufer25.pdf", "Mindestlohn\n\nDer Mindestlohn steigt auf 15 Taler.", parties=("Uferpartei",)
    )
    await world.add(
        "wind25.pdf", "Mindestlohn\n\nDer Mindestlohn bleibt bei 12 Talern.", parties=("Windmüller",)
    )
    assert "Was sagen die Parteien zu „Mindestlohn“?" in await shown(world, "de")


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("These Antwort Begründung", False),
        ("Maßnahme Kosten Jahr", False),
        ("Leistung Gebühr", False),
        ("Öffentlicher Verkehr", True),
        ("Gute Arbeit", True),
        ("Recht auf Wohnen", True),
        ("Mindestlohn", True),
    ],
)
def test_the_first_row_of_a_table_is_no_topic(line: str, topic: bool) -> None:
    passage = SimpleNamespace(text=f"{line}\nDarunter steht, was dazu zu sagen ist.", section=None)
    assert _heading(passage, "de") == ([line] if topic else [])  # type: ignore[arg-type]


async def test_tables_make_no_questions() -> None:
    world = await World(threshold=0.0).with_registry()
    await world.add("ufer25.pdf", LONG, parties=("Uferpartei",))
    [document] = await world.library.documents()
    [version] = await world.library.versions(document.id)
    edition = Edition(document=document, version=version)
    asked = await world.app.questions.examples._questions(edition, Texts("de"))
    passages = await world.library.passages_at(version.id, range(40))
    tables = [replace(each, kind=PassageKind.TABLE) for each in passages]
    world.library.passages_at = lambda *_: asyncio.sleep(0, tables)
    assert asked
    assert await world.app.questions.examples._questions(edition, Texts("de")) == []


def test_what_stands_there_once_or_inflected_is_no_topic() -> None:
    def words(text: str) -> list[str]:
        return _word(SimpleNamespace(text=text), "de")  # type: ignore[arg-type]

    assert words("Die Fähre fährt. Die Fähre ist voll. Die Boote fahren neben den Booten.") == ["Fähre"]
    assert words("Mit den Nachbarländern reden wir, und die Nachbarländern helfen uns.") == []
    assert words("Der Bescheid kommt nach einer Woche.") == []


async def test_help_in_a_chat_does_not_wait_long_for_its_examples(monkeypatch) -> None:
    examples = (await populated()).app.questions.examples
    found, go = examples._found, asyncio.Event()

    async def later(*arguments):
        await go.wait()
        return await found(*arguments)

    monkeypatch.setattr(type(examples), "_found", lambda _, *arguments: later(*arguments))
    assert await examples.notice(("public",), "de", within_s=0) == ()
    go.set()
    (notice,) = await examples.notice(("public",), "de")
    assert notice.values["questions"].count("\n") == 2


async def test_examples_are_found_before_anybody_asks_and_again_for_a_changed_library(monkeypatch) -> None:
    world = await populated()
    examples, searched = world.app.questions.examples, []
    found = examples._found

    async def counted(scope, *rest):
        searched.append(scope.collections)
        return await found(scope, *rest)

    monkeypatch.setattr(type(examples), "_found", lambda _, *arguments: counted(*arguments))
    await examples.prepare([("public",), ("public",)])
    await examples.of(("public",), Texts("de"))
    assert searched == [("public",)]
    await world.add("neu.pdf", "Die Fähre fährt jede Stunde.", parties=("Uferpartei",))
    await examples.prepare([("public",)])
    assert searched == [("public",)] * 2
