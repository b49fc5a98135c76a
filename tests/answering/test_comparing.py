import asyncio
from dataclasses import replace
from datetime import date
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.answering.extractive.sentences import Extractor
from core.answering.extractive.statements import is_slogan
from core.answering.reports.comparisons import Comparer, Comparison
from core.answering.reports.sides import RowStatus, Side, SideSearch, in_registry_order
from core.domain.answers import Verdict
from core.domain.documents import DocumentType
from core.domain.registry import Jurisdiction, Party, Registry
from core.domain.scope import Scope
from core.errors import Refused
from core.language.terms import is_about, terms
from core.ports.models import AnswerReader
from core.question.subject import topic_terms
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_reader import FakeReader
from tests.support.world import REGISTRY, FixedClock, World, populated

PUBLIC = Scope(collections=("public",))
PARTIES = tuple(party.name for party in REGISTRY.parties)
PLACES = tuple(place.code for place in REGISTRY.jurisdictions)
WAGE = "Was ist mit dem Mindestlohn?"
FEE = "Was kostet die Anmeldung eines Hausboots?"


def comparer(world: World, threshold: float = 0.0, reader: AnswerReader | None = None) -> Comparer:
    searcher = world.app.searcher
    sides = SideSearch(
        searcher=searcher,
        library=world.library,
        extractor=Extractor(FakeEmbedder(64), reader=reader),
        threshold=threshold,
    )
    return Comparer(searcher=searcher, library=world.library, sides=sides, clock=FixedClock())


@pytest.fixture(scope="module")
def world() -> World:
    return asyncio.run(populated())


def names(found: Comparison) -> list[str]:
    return [row.side.name for row in found.rows]


def form(found: Comparison) -> list[tuple[object, ...]]:
    """Everything that a reader sees, row by row."""
    return [
        (row.side, row.status, row.confidence, [(c.label, c.quote.text) for c in row.citations])
        for row in found.rows
    ]


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("Vergleiche Uferpartei und Windmüller: Mindestlohn", "Mindestlohn"),
        ("vergleiche uferpartei und windmüller beim mindestlohn", "mindestlohn"),
        ("Compare the Riverside Party and the Windmillers on Mindestlohn", "Mindestlohn"),
        ("Vergleichsmiete: Uferpartei und Windmüller", "Vergleichsmiete"),
    ],
)
async def test_what_tells_to_compare_is_no_part_of_the_topic(world: World, line: str, topic: str) -> None:
    assert (await comparer(world).compare(line, scope=PUBLIC)).topic == topic


async def test_each_party_says_its_own_and_who_has_no_document_is_shown(world):
    found = await comparer(world).compare(WAGE, scope=replace(PUBLIC, parties=PARTIES))
    assert names(found) == list(PARTIES)
    ufer, wind, kites = found.rows
    assert "15 Taler" in ufer.citations[0].quote.text
    assert "lehnen wir ab" in wind.citations[0].quote.text
    assert all(
        c.edition.document.fields.parties == (row.side.party,) for row in found.rows for c in row.citations
    )
    assert (kites.status, kites.citations) == (RowStatus.NO_SOURCE, ())


@pytest.mark.parametrize(
    ("topic", "score", "quoted"),
    [
        ("Mindestlohn", 0.0, True),
        ("Mindestlohn", -3.0, False),
        ("Lohnuntergrenze beim Mindestlohnverzicht", -1.5, False),
        ("Bezahlung", 0.0, False),
        ("Bezahlung", 3.0, True),
    ],
)
async def test_what_the_reader_finds_beside_the_topic_is_not_quoted(world, topic, score, quoted):
    compare = comparer(world, reader=FakeReader(lambda _: score)).compare
    found = await compare(topic, scope=replace(PUBLIC, parties=PARTIES[:2]))
    assert [row.status is RowStatus.QUOTED for row in found.rows] == [quoted, quoted]


async def test_the_reader_judges_each_side_alone(world):
    compare = comparer(world, reader=FakeReader(lambda text: -5.0 if "lehnen" in text else 5.0)).compare
    found = await compare(WAGE, scope=replace(PUBLIC, parties=PARTIES[:2]))
    assert found.rows[0].status is RowStatus.QUOTED
    assert all("lehnen" not in c.quote.text for c in found.citations)


async def test_who_has_documents_but_no_evidence_has_a_row_too(world):
    found = await comparer(world, threshold=1.1).compare(WAGE, scope=replace(PUBLIC, parties=PARTIES))
    assert [row.status for row in found.rows] == [
        RowStatus.NOTHING_FOUND,
        RowStatus.NOTHING_FOUND,
        RowStatus.NO_SOURCE,
    ]
    assert all(row.confidence == 0.0 for row in found.rows)


async def test_quotes_are_verbatim_on_their_pages_and_labels_run_through(world):
    found = await comparer(world).compare(WAGE, scope=replace(PUBLIC, parties=PARTIES))
    assert [c.label for c in found.citations] == [f"S{n}" for n in range(1, len(found.citations) + 1)]
    for citation in found.citations:
        assert citation.verdict is Verdict.VERBATIM
        page = await world.library.page(citation.edition.version.id, citation.quote.pages[0])
        assert " ".join(citation.quote.text.split()) in " ".join(page.text.split())


async def test_the_newest_edition_speaks_unless_a_year_is_named(world):
    both = replace(PUBLIC, parties=("Uferpartei", "Windmüller"))
    question = "Wir bauen neue Wohnungen in den Städten am Fluss"
    now = await comparer(world).compare(question, scope=both)
    then = await comparer(world).compare(
        "Wahlprogramm 2021: neue Wohnungen in den Städten am Fluss", scope=both
    )
    assert any("6.000" in c.quote.text for c in now.rows[0].citations)
    assert any("4.000" in c.quote.text for c in then.rows[0].citations)
    assert then.rows[1].status is RowStatus.NO_SOURCE


async def test_a_place_is_shown_by_its_own_documents(world):
    found = await comparer(world).compare(FEE, scope=PUBLIC, jurisdictions=PLACES)
    assert names(found) == list(PLACES)
    for row in found.rows:
        assert {c.edition.document.fields.jurisdiction for c in row.citations} <= {row.side.jurisdiction}
    assert "90 Taler" in found.rows[1].citations[0].quote.text
    assert "40 Taler" in found.rows[2].citations[0].quote.text


async def test_names_in_the_question_do_not_move_anybody(world):
    plain = await comparer(world).compare("Anmeldung eines Hausboots", scope=PUBLIC, jurisdictions=PLACES[1:])
    named = await comparer(world).compare(
        "Anmeldung eines Hausboots in Hochau", scope=PUBLIC, jurisdictions=PLACES[1:]
    )
    assert form(plain) == form(named)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Was sagen Windmüller und Uferpartei zum Mindestlohn?", ["Uferpartei", "Windmüller"]),
        ("Hausboote in Seemoor und Hochau", ["xv-ho", "xv-se"]),
        ("Was sagen die Parteien zum Mindestlohn?", ["Uferpartei", "Windmüller"]),
        ("Mindestlohn", ["Uferpartei", "Windmüller"]),
    ],
)
async def test_without_options_the_question_says_who_is_compared(world, question, expected):
    assert names(await comparer(world).compare(question, scope=PUBLIC)) == expected


@pytest.mark.parametrize(
    "question", ["2013", "Uferpartei und Windmüller", "Was wollen Uferpartei und Windmüller?"]
)
async def test_without_a_topic_nothing_is_compared(world, question):
    with pytest.raises(Refused) as refused:
        await comparer(world).compare(question, scope=PUBLIC)
    assert refused.value.key == "scope.compare_topic"


@pytest.mark.parametrize("question", ["Was sagt die Uferpartei zum Mindestlohn?", "", "  ", "Warum? " * 400])
async def test_what_cannot_be_compared_is_refused(world, question):
    with pytest.raises(Refused):
        await comparer(world).compare(question, scope=PUBLIC)


async def test_an_internal_paper_is_not_compared_in_public(world):
    found = await comparer(world).compare("KANARIENVOGEL Plan", scope=PUBLIC, jurisdictions=PLACES)
    assert not any("KANARIENVOGEL" in c.quote.text for c in found.citations)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sides=st.lists(st.sampled_from(PARTIES), min_size=2, max_size=6).filter(
        lambda names: len(set(names)) > 1
    ),
    words=st.lists(
        st.sampled_from(
            ["Mindestlohn", "Wohnungen", "Mieten", "Windräder", "Uferpartei", "Windmüller", "Zoll"]
        ),
        min_size=1,
        max_size=4,
    ).filter(lambda words: not set(words) <= set(PARTIES)),
    threshold=st.sampled_from([0.0, 0.3, 0.9]),
)
async def test_every_party_has_one_row_and_order_favours_nobody(world, sides, words, threshold):
    """Any order and repetition of names gives the same comparison: rows, quotes, labels, confidence."""
    compare = comparer(world, threshold).compare
    found = await compare(" ".join(words), scope=replace(PUBLIC, parties=tuple(sides)))
    assert names(found) == [name for name in PARTIES if name in sides]
    assert all(len(row.citations) <= 1 and len(row.further) <= 2 for row in found.rows)
    assert all((row.status is RowStatus.QUOTED) == bool(row.citations) for row in found.rows)
    turned = await compare(" ".join(words), scope=replace(PUBLIC, parties=tuple(reversed(sides))))
    assert form(turned) == form(found)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=st.permutations(PLACES).flatmap(lambda order: st.sampled_from([order, order[:2]])))
async def test_every_place_has_one_row(world, places):
    found = await comparer(world).compare(FEE, scope=PUBLIC, jurisdictions=places)
    assert names(found) == [code for code in PLACES if code in places]


async def test_a_party_is_quoted_alike_whoever_stands_beside_it(world):
    def texts(found: Comparison) -> list[str]:
        row = next(row for row in found.rows if row.side.party == "Windmüller")
        return [c.quote.text for c in row.citations]

    pairs = [("Windmüller", "Uferpartei"), ("Windmüller", "Drachenflieger"), PARTIES]
    compared = [await comparer(world).compare(WAGE, scope=replace(PUBLIC, parties=pair)) for pair in pairs]
    assert texts(compared[0]) == texts(compared[1]) == texts(compared[2])


TEXT = "Mindestlohn\n\nDer Mindestlohn steigt auf {} Taler in der Stunde. Die Wälder bleiben, wie sie sind."


async def test_swapped_programmes_swap_the_rows():
    """The same words under the other party's name give the same quotes in the other row."""

    async def compared(first: str, second: str) -> list[list[str]]:
        world = await World().with_registry()
        await world.add("ufer.pdf", TEXT.format(first), parties=("Uferpartei",), jurisdiction="xv")
        await world.add("wind.pdf", TEXT.format(second), parties=("Windmüller",), jurisdiction="xv")
        found = await comparer(world).compare(WAGE, scope=replace(PUBLIC, parties=PARTIES[:2]))
        return [[c.quote.text for c in row.citations] for row in found.rows]

    assert await compared("12", "17") == list(reversed(await compared("17", "12")))


async def test_who_speaks_with_the_same_documents_has_one_row():
    group = Party(name="Bündnis", members=("Uferpartei", "Windmüller"))
    world = World()
    await world.library.save_registry(replace(REGISTRY, parties=(group, *REGISTRY.parties)))
    await world.add("joint.pdf", TEXT.format("14"), parties=("Bündnis",), jurisdiction="xv")
    found = await comparer(world).compare(
        WAGE, scope=replace(PUBLIC, parties=("Drachenflieger", "Windmüller", "Bündnis"))
    )
    assert [(row.side.parties, row.status.value) for row in found.rows] == [
        (("Bündnis", "Windmüller"), "quoted"),
        (("Drachenflieger",), "no_source"),
    ]


def test_what_the_registry_does_not_list_comes_last_by_name():
    registry = Registry(
        parties=(Party(name="B"), Party(name="A")), jurisdictions=(Jurisdiction(code="zz", name="Z"),)
    )
    for order in permutations([Side(party="D"), Side(party="A"), Side(party="C"), Side(party="B")]):
        ordered = in_registry_order([*order, order[0]], registry)
        assert [side.name for side in ordered] == ["B", "A", "C", "D"]
    places = in_registry_order([Side(jurisdiction="aa"), Side(jurisdiction="zz")], registry)
    assert [side.name for side in places] == ["zz", "aa"]


@pytest.mark.parametrize(
    ("topic", "said", "about"),
    [
        ("Was sagen sie zu Liegegebühren für Boote?", "Kursgebühren übernehmen wir.", False),
        ("Was sagen sie zu Liegegebühren für Boote?", "Für Boote gilt nichts anderes.", True),
        ("Was wollen sie bei der Hundesteuer?", "Die Steuern werden einfacher.", False),
        ("Was wollen sie bei der Hundesteuer?", "Die Hundesteuern sinken.", True),
        (
            "Was wollen sie gegen hohe Mieten tun?",
            "Wir stellen hohe Ansprüche.",
            False,
        ),
        ("rente?", "Die Renten steigen.", True),
    ],
)
def test_a_sentence_speaks_about_a_topic_or_about_another(topic: str, said: str, about: bool) -> None:
    assert is_about(topic_terms(topic, "de"), terms(said, "de")) is about


async def level_world() -> World:
    """Two parties with a programme for the country, one of them and another with one for a town; one has
    nothing since an earlier election."""
    world = await World().with_registry()
    fields = {"doc_type": DocumentType.MANIFESTO}
    for file, party, place, year in (
        ("ufer.pdf", "Uferpartei", "xv", 2025),
        ("wind.pdf", "Windmüller", "xv", 2024),
        ("ufer-ho.pdf", "Uferpartei", "xv-ho", 2024),
        ("drachen.pdf", "Drachenflieger", "xv", 2019),
    ):
        await world.add(
            file,
            TEXT.format(year - 2000),
            parties=(party,),
            jurisdiction=place,
            valid_from=date(year, 1, 1),
            **fields,
        )
    return world


async def test_parties_are_compared_at_one_level_and_in_one_election():
    compare = comparer(await level_world()).compare
    found = await compare("Mindestlohn", scope=PUBLIC)
    assert names(found) == ["Uferpartei", "Windmüller"]
    assert {c.edition.document.file for c in found.citations} == {"ufer.pdf", "wind.pdf"}
    assert [(n.key, n.values["name"]) for n in found.notices] == [
        ("notice.compared_without_older", "Drachenflieger (2019)")
    ]
    town = await compare("Mindestlohn", scope=PUBLIC, chat_jurisdiction="xv-ho")
    assert (town.scope.jurisdictions, names(town)) == (("xv",), ["Uferpartei", "Windmüller"])


async def test_a_town_without_documents_is_compared_by_what_stands_above_it_not_by_the_chat_s_place():
    world = await level_world()
    for file, party in (("ufer-de.pdf", "Uferpartei"), ("wind-de.pdf", "Windmüller")):
        dated = date(2025, 1, 1)
        await world.add(
            file, TEXT.format(25), parties=(party,), jurisdiction="de", valid_from=dated, collection="public"
        )
    found = await comparer(world).compare("Mindestlohn in Köln", scope=PUBLIC, chat_jurisdiction="xv")
    assert {c.edition.document.fields.jurisdiction for c in found.citations} == {"de"}
    notices = {notice.key: notice.values for notice in found.notices}
    assert notices["notice.only_from_above"] == {"place": "de-nw-koeln", "above": "de"}


async def test_who_is_named_is_quoted_from_an_older_programme_and_it_is_said():
    compare = comparer(await level_world()).compare
    found = await compare("Was sagen Uferpartei und Drachenflieger zum Mindestlohn?", scope=PUBLIC)
    assert [(row.side.name, row.status) for row in found.rows] == [
        ("Uferpartei", RowStatus.QUOTED),
        ("Drachenflieger", RowStatus.QUOTED),
    ]
    assert [n.key for n in found.notices] == ["notice.compared_older"]


@pytest.mark.parametrize(
    "question",
    [
        "Mindestlohn 2019",
        "Was wollten die Parteien 2019 beim Mindestlohn?",
        "What did the parties say about the minimum wage in 2019?",
    ],
)
async def test_a_year_is_compared_with_what_was_written_for_it(question):
    world = await level_world()
    await world.add(
        "ufer19.pdf",
        TEXT.format(8),
        parties=("Uferpartei",),
        jurisdiction="xv",
        valid_from=date(2019, 1, 1),
        doc_type=DocumentType.MANIFESTO,
    )
    found = await comparer(world).compare(question, scope=PUBLIC)
    assert names(found) == ["Uferpartei", "Drachenflieger"]
    assert {c.edition.document.file for c in found.citations} <= {"ufer19.pdf", "drachen.pdf"}
    assert "2019" not in found.topic
    assert found.scope.editions == (2019,)
    assert [(n.key, n.values) for n in found.notices] == [
        ("notice.compared_without_year", {"name": "Windmüller", "year": "2019"})
    ]


@pytest.mark.parametrize("question", ["Mindestlohn 2021", "Was wollten die Parteien 2021 beim Mindestlohn?"])
async def test_a_year_without_programmes_is_said_and_the_newest_are_compared(question):
    found = await comparer(await level_world()).compare(question, scope=PUBLIC)
    assert names(found) == ["Uferpartei", "Windmüller"]
    assert found.notices[0].key == "notice.compared_newest"
    assert found.notices[0].values == {"year": "2021"}


@pytest.mark.parametrize(
    "question", ["Wie stehen die Parteien zum Mindestlohn bis 2021?", "Mindestlohn ab 2038"]
)
async def test_a_year_that_is_a_goal_is_no_edition(question):
    found = await comparer(await level_world()).compare(question, scope=PUBLIC)
    assert not {"notice.compared_no_year", "notice.compared_newest"} & {n.key for n in found.notices}


async def test_a_year_of_another_place_is_not_that_of_the_parties_in_a_country():
    world = await level_world()
    fields = {"doc_type": DocumentType.MANIFESTO, "jurisdiction": "xv-se", "valid_from": date(2018, 1, 1)}
    for party in ("Uferpartei", "Windmüller"):
        await world.add(f"{party}-se.pdf", TEXT.format(7), parties=(party,), **fields)
    found = await comparer(world).compare("Was wollten die Parteien 2018 beim Mindestlohn?", scope=PUBLIC)
    assert found.scope.jurisdictions == ("xv",)
    assert found.notices[0].key == "notice.compared_newest"
    there = await comparer(world).compare(
        "Was wollten die Parteien 2018 in Seemoor beim Mindestlohn?", scope=PUBLIC
    )
    assert there.scope.jurisdictions == ("xv-se",)
    assert {c.edition.document.file for c in there.citations} == {"Uferpartei-se.pdf", "Windmüller-se.pdf"}


async def test_one_party_with_the_year_is_shown_alone_and_the_others_are_named():
    world = await level_world()
    found = await comparer(world).compare("Was wollten die Parteien 2019 beim Mindestlohn?", scope=PUBLIC)
    assert names(found) == ["Drachenflieger"]
    assert found.notices[0].values == {"name": "Uferpartei, Windmüller", "year": "2019"}


async def test_of_two_years_the_one_without_programmes_is_named():
    asked = "Mindestlohn: Was wollten die Parteien 2019, in der Wahl 2017 und in der Wahl 2025?"
    found = await comparer(await level_world()).compare(asked, scope=PUBLIC)
    assert found.scope.editions == (2019, 2025)
    assert ("notice.compared_no_year", {"year": "2017"}) in [(n.key, n.values) for n in found.notices]


async def test_a_row_has_one_quote_and_the_others_apart(world):
    found = await comparer(world).compare(WAGE, scope=replace(PUBLIC, parties=PARTIES))
    assert all(len(row.citations) <= 1 for row in found.rows)
    shown = [item.label for item in (*found.citations, *found.further)]
    assert shown == [f"S{number}" for number in range(1, len(shown) + 1)]


@pytest.mark.parametrize(
    ("text", "slogan"),
    [
        ("Bargeld ist gedruckte Freiheit.", True),
        ("Zukunft aus Leidenschaft!", True),
        ("Cash is freedom in print.", True),
        ("Wir schaffen das Gesetz ab.", False),
        ("Das Ticket kostet 49 Euro.", False),
        ("The fee shall be waived.", False),
        ("Abschaffung der Liegegebühr für alle", False),
        ("Abolition of the mooring fee", False),
        ("Suppression des droits d'amarrage", False),
        ("Abschaffung, Umbau, Neubeginn!", True),
        ("Der Fährverkehr auf dem See ist seit der Eröffnung der Brücke eingestellt.", False),
    ],
)
def test_few_words_without_a_demand_or_a_number_are_a_slogan(text: str, slogan: bool) -> None:
    assert is_slogan(text) is slogan


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Was sagen die Parteien zum Mindestlohn?", "Mindestlohn"),
        ("Mindestlohn Uferpartei, Windmüller", "Mindestlohn"),
        ("Was sagt die Uferpartei und was sagen die Windmüller zum Mindestlohn?", "Mindestlohn"),
    ],
)
async def test_a_comparison_knows_its_topic_without_names(world, question, topic):
    found = await comparer(world).compare(question, scope=PUBLIC)
    assert found.topic == topic
    assert found.question == question


async def test_all_parties_asked_in_a_sentence_say_what_they_say_to_its_topic(world):
    asked = await comparer(world).compare("Was wollen die Parteien beim Mindestlohn?", scope=PUBLIC)
    plain = await comparer(world).compare("Mindestlohn", scope=PUBLIC)
    assert asked.again == "Mindestlohn"
    assert [c.quote.text for c in asked.citations] == [c.quote.text for c in plain.citations] != []


async def test_places_that_are_named_override_the_chats(world):
    question = "Anmeldung eines Hausboots in Hochau und Seemoor"
    found = await comparer(world).compare(question, scope=PUBLIC, chat_jurisdiction="xv-ho")
    assert [row.status for row in found.rows] == [RowStatus.QUOTED, RowStatus.QUOTED]
    assert form(found) == form(await comparer(world).compare(question, scope=PUBLIC))
