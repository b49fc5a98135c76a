"""A question read once."""

from core.domain.scope import ThreadContext
from core.domain.search import QuestionKind
from core.question.carried import Carried
from core.question.parsed import ParsedQuestion, parse
from core.registry.detection import Detector, NameRole
from tests.support.search_world import EDITIONS, REGISTRY

NAMES = Detector(REGISTRY, [edition.document for edition in EDITIONS])
MINIMUM_WAGE = ThreadContext(questions=("Was will die SPD beim Mindestlohn?",), language="de")


def read(text: str, thread: ThreadContext | None = None, carried: Carried | None = None) -> ParsedQuestion:
    return parse(text, NAMES, lambda names, kind: "en", thread, carried)


def stretch(text: str, words: str) -> tuple[int, int]:
    return text.index(words), text.index(words) + len(words)


def test_a_question_by_itself() -> None:
    question = read("Was will die SPD beim Mindestlohn?")
    assert question.asked == question.text
    assert question.language == "de"
    assert question.kind is QuestionKind.FACT
    assert [party.key for party in question.names.parties] == ["SPD"]
    assert question.wanted.openly
    assert not question.wanted.key_words


def test_a_follow_up_stands_by_itself() -> None:
    question = read("und die AfD?", MINIMUM_WAGE)
    assert question.text == "und die AfD?"
    assert question.asked == "Was will die AfD beim Mindestlohn?"
    assert [party.key for party in question.names.parties] == ["AfD"]
    assert read("was ist mit Cannabis?", MINIMUM_WAGE).may_open_topic
    assert not read("was ist mit Cannabis?").may_open_topic


def test_what_shows_no_language_is_in_that_of_the_documents() -> None:
    assert read("SPD 2025").language == "en"
    assert parse("SPD 2025", NAMES, lambda names, kind: "fr").language == "fr"


def test_sections_stand_in_the_question_as_it_is_written_over() -> None:
    question = read("What does SPD say on the 2nd paragraph of art 6?")
    [reference] = question.sections.references
    assert (reference.id, reference.path) == ("art:6", ("2",))
    [party] = question.sections.names.mentions
    assert question.sections.text[party.start : party.end] == "SPD"


def test_a_party_that_is_not_asked_is_neither_asked_nor_searched_for() -> None:
    for party in ("AfD", "FDP"):  # FDP is not registered
        text = f"Die {party} kenne ich, was will die SPD beim Mindestlohn?"
        question = read(text, carried=Carried(unasked=(stretch(text, party),)))
        assert [each.key for each in question.names.parties] == ["SPD"]
        assert not question.names.strangers
        assert party not in question.without(["SPD"], [])
    alone = "Was will die SPD beim Mindestlohn?"
    kept = read(alone, carried=Carried(unasked=(stretch(alone, "SPD"),)))
    assert [party.key for party in kept.names.parties] == ["SPD"]


def test_who_asks_why_asks_the_same_party() -> None:
    question = read("und warum denn das?", MINIMUM_WAGE, Carried(follows=True, keeps=True, others=True))
    assert [party.key for party in question.names.parties] == ["SPD"]


def test_everybody_but_one_party_is_everybody_else() -> None:
    text = "alle außer der SPD zum Mindestlohn"
    question = read(text, carried=Carried(others=True, unasked=(stretch(text, "SPD"),)))
    named = {party.key for party in question.names.parties}
    assert len(named) > 2
    assert "SPD" not in named
    follow_up = read(
        "alle außer der AfD", MINIMUM_WAGE, Carried(follows=True, others=True, unasked=((15, 18),))
    )
    named = {party.key for party in follow_up.names.parties}
    assert "SPD" in named
    assert "AfD" not in named
    assert "Mindestlohn" in follow_up.asked


def test_places_are_searched_in_where_the_message_means_them() -> None:
    text = "Gruß aus Münster, was will die SPD beim Mindestlohn?"
    place = stretch(text, "Münster")
    assert [each.key for each in read(text).names.places] == ["de-nw-muenster"]
    assert not read(text, carried=Carried(topics=(place,))).names.places
    asked = Carried(asks=((0, len(text)),))
    assert [each.role for each in read(text, carried=asked).names.places] == [NameRole.TOPIC]
    sought = Carried(asks=asked.asks, sought=(place,))
    assert [each.role for each in read(text, carried=sought).names.places] == [NameRole.SOURCE]
    thread = ThreadContext(questions=("Was will die SPD in Münster beim Mindestlohn?",), language="de")
    line = "hier Münster regnet es, und die CDU?"
    going_on = read(line, thread, Carried(follows=True, keeps=True, topics=(stretch(line, "Münster"),)))
    assert [each.key for each in going_on.names.places] == ["de-nw-muenster"]
