"""A question read once."""

from core.domain.scope import ThreadContext
from core.domain.search import QuestionKind
from core.question.parsed import ParsedQuestion, parse
from core.registry.detection import Detector
from tests.support.search_world import EDITIONS, REGISTRY

NAMES = Detector(REGISTRY, [edition.document for edition in EDITIONS])
MINIMUM_WAGE = ThreadContext(questions=("Was will die SPD beim Mindestlohn?",), language="de")


def read(text: str, thread: ThreadContext | None = None) -> ParsedQuestion:
    return parse(text, NAMES, lambda names, kind: "en", thread)


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
