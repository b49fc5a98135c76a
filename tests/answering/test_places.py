"""The place that is set: its own documents come first, and what holds above it is named as such."""

from dataclasses import replace

import pytest

from core.domain.answers import Answer, Notice
from core.domain.documents import DocumentType
from core.domain.scope import Scope
from tests.support.world import World, populated

MOORINGS = "Liegeplätze\n\nAlle Liegeplätze bekommen Strom vom Land, damit kein Motor mehr laufen muss."
OWN = "Häfen\n\nDie Liegeplätze in Hochau bekommen Strom vom Land bis zum Jahr 2031."


async def world(*, own: bool) -> World:
    made = replace(await populated(), threshold=0.0)
    await made.add("oben99.pdf", MOORINGS, jurisdiction="xv", doc_type=DocumentType.MANIFESTO)
    if own:
        agreement = DocumentType.COALITION_AGREEMENT
        await made.add("hafen99.pdf", OWN, jurisdiction="xv-ho", doc_type=agreement)
    return made


async def asked(world: World, *places: str) -> Answer:
    scope = Scope(collections=("public",), jurisdictions=places)
    return (await world.app.asker.answered("Bekommen die Liegeplätze Strom vom Land?", scope=scope)).answer


@pytest.mark.parametrize("place", ["xv-ho"])
async def test_what_the_place_itself_says_comes_first(place: str) -> None:
    answer = await asked(await world(own=True), place)
    places = [item.edition.document.fields.jurisdiction for item in answer.citations]
    assert places[0] == place
    above = tuple(
        item.label for item in answer.citations if item.edition.document.fields.jurisdiction == "xv"
    )
    said = [notice for notice in answer.notices if notice.key == "notice.from_above"]
    assert [notice.labels for notice in said] == ([above] if above else [])


async def test_an_answer_from_above_says_so_before_its_quotes() -> None:
    made = await world(own=False)
    answer = await asked(made, "xv-ho")
    (notice,) = [item for item in answer.notices if item.key == "notice.only_from_above"]
    assert notice.values == {"place": "xv-ho", "above": "xv"}
    said = made.app.presenter.answer_text(answer)
    words = made.app.presenter.notice(notice, made.app.presenter.texts("de"))
    assert words.startswith("Diese Zitate gelten für")
    assert said.index(words) < said.index(answer.citations[0].quote.text)


@pytest.mark.parametrize(
    ("labels", "language", "expected"),
    [
        (("S1",), "de", "[S1] gilt für"),
        (("S1", "S2"), "de", "[S1], [S2] gelten für"),
        (("S1",), "en", "[S1] applies to"),
        (("S1", "S2"), "en", "[S1], [S2] apply to"),
    ],
)
async def test_several_quotes_from_above_are_spoken_of_as_several(
    labels: tuple[str, ...], language: str, expected: str
) -> None:
    presenter = (await world(own=True)).app.presenter
    values = {"place": "xv-ho", "above": "xv", "labels": ", ".join(f"[{label}]" for label in labels)}
    notice = Notice(key="notice.from_above", values=values, labels=labels)
    assert presenter.notice(notice, presenter.texts(language)).startswith(expected)


async def test_nothing_is_said_of_places_where_none_is_set() -> None:
    answer = await asked(await world(own=True))
    assert not [item for item in answer.notices if "from_above" in item.key]


FEES = "Fees\n\nThe yearly fee for registering a houseboat in Hochau is ninety crowns."


@pytest.mark.parametrize(
    ("question", "places", "said"),
    [
        ("Was kostet die Anmeldung eines Hausboots?", (), True),
        ("Was kostet die Anmeldung eines Hausboots?", ("xv-ho",), False),
        ("What does the registration of a houseboat cost?", (), False),
    ],
)
async def test_rules_of_a_place_that_nobody_named_are_called_so_where_they_speak_another_language(
    question: str, places: tuple[str, ...], said: bool
) -> None:
    made = replace(await populated(), threshold=0.0)
    act = DocumentType.ACT
    await made.add("fees99.pdf", FEES, collection="fees", jurisdiction="xv-ho", doc_type=act, language="en")
    scope = Scope(collections=("fees",), jurisdictions=places)
    answer = (await made.app.asker.answered(question, scope=scope)).answer
    assert {item.edition.document.fields.language for item in answer.citations} == {"en"}
    found = [item for item in answer.notices if item.key == "notice.no_place_asked"]
    assert [item.values for item in found] == ([{"above": "xv-ho"}] if said else [])


async def test_what_may_be_a_place_is_not_said_to_be_none() -> None:
    made = replace(await populated(), threshold=0.0)
    act = DocumentType.ACT
    await made.add("fees99.pdf", FEES, collection="fees", jurisdiction="xv-ho", doc_type=act, language="en")
    question = "Was kostet in Kleinkleckersdorf die Anmeldung eines Hausboots?"
    answer = (await made.app.asker.answered(question, scope=Scope(collections=("fees",)))).answer
    found = [item for item in answer.notices if item.key in ("notice.no_place_asked", "notice.of_places")]
    assert [(item.key, item.values) for item in found] == [("notice.of_places", {"above": "xv-ho"})]


async def test_a_town_of_which_there_is_nothing_has_no_source_and_no_other_town_answers_for_it() -> None:
    made = replace(await populated(), threshold=0.0)
    act = DocumentType.ACT
    await made.add("fees99.pdf", FEES, collection="fees", jurisdiction="xv-ho", doc_type=act, language="en")
    for question in ("Was kostet in Köln die Anmeldung eines Hausboots?", "hausboot anmelden ulm"):
        answer = (await made.app.asker.answered(question, scope=Scope(collections=("fees",)))).answer
        assert not answer.citations
        assert {item.kind for item in answer.missing} == {"jurisdiction"}


GARDENS = "Rent\n\nThe rent of a garden in Rosenau is 35 cents for each square metre."


@pytest.mark.parametrize("beside", [False, True])
async def test_a_document_of_no_stated_place_answers_for_the_town_it_mentions_alone(
    beside: bool,
) -> None:
    made = replace(await populated(), threshold=0.0)
    act = DocumentType.ACT
    await made.add(
        "gardens.pdf", GARDENS, collection="gardens", doc_type=act, language="en", jurisdiction=None
    )
    if beside:
        await made.add("fees.pdf", FEES, collection="gardens", jurisdiction="de", doc_type=act, language="en")
    scope = Scope(collections=("gardens",))
    own = (await made.app.asker.answered("What is the rent of a garden in Rosenau?", scope=scope)).answer
    assert {item.edition.document.file for item in own.citations} == {"gardens.pdf"}
    assert not own.missing
    other = (await made.app.asker.answered("What is the rent of a garden in Bonn?", scope=scope)).answer
    assert "gardens.pdf" not in {item.edition.document.file for item in other.citations}
    assert {item.kind for item in other.missing} == {"jurisdiction"}


async def test_law_is_not_pushed_behind_what_parties_of_the_place_say() -> None:
    """Nearness ranks what parties say among itself; the law of the place keeps the rank it was found with."""
    ranks = []
    for place in ((), ("xv-ho",)):
        made = await world(own=True)
        law = "Gebühren\n\nDie Anmeldung eines Hausboots kostet in Hochau neunzig Taler im Jahr."
        await made.add("gebuehr99.pdf", law, jurisdiction="xv-ho", doc_type=DocumentType.ACT)
        scope = Scope(collections=("public",), jurisdictions=place)
        question = "Was kostet die Anmeldung eines Hausboots in einem Jahr?"
        answered = await made.app.asker.answered(question, scope=scope)
        found = [hit.edition.document.fields for hit in answered.result.hits]
        types = [fields.doc_type for fields in found if fields.jurisdiction == "xv-ho"]
        ranks.append(types.index(DocumentType.ACT) < types.index(DocumentType.COALITION_AGREEMENT))
    assert ranks == [True, True]
