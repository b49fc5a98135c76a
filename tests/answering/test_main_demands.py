"""One party asked for all it says about one thing: the main demands of the chapter about it."""

import re
from dataclasses import replace
from datetime import date

import pytest

from core.answering.extractive.candidates import chosen, main_demands, says_nothing_new
from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import Extractor
from core.domain.answers import Answer
from core.domain.scope import Scope
from core.domain.search import Hit
from core.question.parsed import nameless
from core.question.subject import subject_of
from core.question.wanted import read_wanted
from core.search.plan import SearchResult
from core.search.scope import Group
from core.search.searcher import plan_of_group
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_reader import FakeReader
from tests.support.search_world import edition, passage
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

END = "Auch in zehn Jahren zählen wir jedes Moor des Landes und veröffentlichen das Ergebnis im Januar."


def likes_moors(text: str) -> float:
    return 5.0 if re.search("zählen|Taler", text) else 0.0 if "Moor" in text else -5.0


async def read_world() -> World:
    """The world with a reader that likes what is said of moors."""
    world = replace(await populated(), threshold=0.0)
    world.app = replace(world.app, reader=FakeReader(likes_moors))
    return world


async def asked(question: str) -> tuple[World, Answer]:
    world = await read_world()
    pages = (f"{chapter} {FILLING} {END}" for chapter in CHAPTERS)
    await world.add("dp25.pdf", *pages, title="Programm", jurisdiction="xv", parties=("Drachenflieger",))
    scope = Scope(collections=("public",))
    return world, (await world.app.asker.answered(question, scope=scope)).answer


async def test_a_broad_question_gets_stretches_from_several_places_with_their_headings() -> None:
    world, answer = await asked("Was wollen die Drachenflieger bei Mooren?")
    assert 2 <= len(answer.citations) <= 3
    assert len({item.quote.text for item in answer.citations}) == len(answer.citations)
    assert all("Moor" in f"{item.heading} {item.quote.text}" for item in answer.citations)
    assert {item.heading for item in answer.citations} != {""}
    said = world.app.presenter.answer_text(answer)
    assert all(item.heading in said for item in answer.citations)


async def test_what_stands_far_behind_the_heading_and_names_nothing_of_it_is_no_demand() -> None:
    world = await read_world()
    chapter = (
        f"Moore\n\nWir vernässen die Moore im Norden wieder bis zum Jahr 2030. {FILLING} {FILLING}"
        " Wir fordern ein Museum der Schifffahrt am Hafen, das jeden Tag geöffnet ist."
    )
    pages = (chapter, *(f"{other} {FILLING} {END}" for other in CHAPTERS[1:]))
    await world.add("dp25.pdf", *pages, title="Programm", jurisdiction="xv", parties=("Drachenflieger",))
    scope = Scope(collections=("public",))
    answered = await world.app.asker.answered("Was wollen die Drachenflieger bei Mooren?", scope=scope)
    assert not [item for item in answered.answer.citations if "Museum" in item.quote.text]


async def test_a_question_for_one_thing_gets_no_headings() -> None:
    _, answer = await asked("Wie viel Geld geben die Drachenflieger für Moore aus?")
    assert {item.heading for item in answer.citations} == {""}


def found(question: str, language: str, content: str, *hits: Hit) -> SearchResult:
    """What a search for `content` found for `question`."""
    group = Group(scope=Scope(collections=("public",)), editions=(hits[0].edition,))
    return SearchResult(
        plan=plan_of_group(nameless(question, language), group),
        subject=subject_of(content, language, language, read_wanted(question)),
        hits=hits,
        context=(),
        context_text="",
        missing=(),
        seconds={},
    )


def likes_talers(text: str) -> float:
    """Likes sums, and a little less whatever is said of moors."""
    return 9.0 if "Taler" in text else 0.0 if "Moor" in text else -5.0


async def test_key_words_ask_for_all_that_is_said() -> None:
    _, answer = await asked("Drachenflieger Moore")
    assert 2 <= len(answer.citations) <= 3
    assert all("Moor" in f"{item.heading} {item.quote.text}" for item in answer.citations)


@pytest.mark.parametrize(
    ("question", "read", "answered"),
    [
        ("Drachenflieger Moore", -1.0, True),
        ("Drachenflieger Moorschutz", 0.5, True),
        ("Drachenflieger Kirchturm", 1.0, False),
        ("Was wollen die Drachenflieger beim Kirchturm?", 0.5, False),
        ("Drachenflieger Kirchturm", 1.5, True),
        ("drachenflieger kirchturm", 1.0, False),
        ("wie wollen die drachenflieger das mit dem kirchturm machen", 1.0, True),
        ("wie wollen die drachenflieger das mit dem kirchturm machen", 0.0, False),
        ("Wann bauen die Drachenflieger einen Kirchturm?", 0.5, True),
    ],
)
async def test_what_does_not_name_a_topic_needs_a_surer_reader(
    question: str, read: float, answered: bool
) -> None:
    world = await populated()
    pages = (f"{chapter} {FILLING} {END}" for chapter in CHAPTERS)
    await world.add("dp25.pdf", *pages, title="Programm", jurisdiction="xv", parties=("Drachenflieger",))
    scope = Scope(collections=("public",))
    result = await world.app.searcher.search(question, scope=scope, today=date(2025, 1, 1))
    assert (
        bool(await chosen(Extractor(FakeEmbedder(512), reader=FakeReader(lambda _: read)), result, 3))
        == answered
    )


@pytest.mark.parametrize(
    ("question", "read", "answered"),
    [
        ("Fähre", 1.0, False),
        ("Fähre", 1.5, True),
        ("ferry", 0.0, True),
        ("Wann fährt im Sommer eine Fähre?", 1.0, True),
    ],
)
async def test_key_words_of_another_language_need_a_surer_reader(
    question: str, read: float, answered: bool
) -> None:
    of = edition("act", language="en")
    text = "The operator shall keep a timetable of the boats at each landing and on its pages."
    hit = Hit(passage=passage(of, 0, text), edition=of, score=2.0, found_by=("dense",))
    result = found(question, "en" if question == "ferry" else "de", question, hit)
    assert (
        bool(await chosen(Extractor(FakeEmbedder(512), reader=FakeReader(lambda _: read)), result, 3))
        == answered
    )


async def test_a_reader_says_which_demands_come_first() -> None:
    wanted = "Für die Moore wollen wir in jedem Jahr 40 Millionen Taler aus dem Haushalt ausgeben."
    other = "Den Abbau von Torf in den Mooren wollen wir im kommenden Jahr ohne jede Ausnahme beenden."
    praise = "Die Moore des Landes sind schön, und an jedem Abend singen dort die Vögel."
    of = edition("programme", language="de")
    hits = [
        Hit(passage=passage(of, n, text), edition=of, score=2.0 - n / 10, found_by=("dense",))
        for n, text in enumerate((praise, other, FILLING, wanted))
    ]
    result = found("Was will die Partei bei Mooren?", "de", "Was will bei Mooren?", *hits)
    main = await main_demands(Extractor(FakeEmbedder(512), reader=FakeReader(likes_talers)), result)
    assert [each.text for each in main] == [wanted, other]
    assert all(each.titled and not each.spare for each in main)


def stretch(text: str, number: int = 0) -> Extract:
    of = edition("programme", language="de")
    hit = Hit(passage=passage(of, number, text), edition=of, score=1.0, found_by=("dense",))
    return Extract(hit=hit, start=0, end=len(text), score=1.0, similarity=1.0, overlap=0.0)


def test_what_a_summary_says_in_nearly_the_same_words_is_no_further_demand() -> None:
    said = "Wir wollen alle Moore im Norden bis zum Jahr 2030 wieder vernässen."
    again = "Wir wollen alle Moore im Norden bis zum Jahr 2030 endlich wieder vernässen."
    other = "Den Abbau von Torf in Mooren wollen wir bis zum Jahr 2030 beenden."
    first, second, third = map(stretch, (said, again, other))
    assert says_nothing_new(second, first)
    assert says_nothing_new(first, second)
    assert not says_nothing_new(third, first)
