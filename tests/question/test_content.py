import pytest

from core.domain.documents import DocumentType
from core.question.content import TOPIC_LETTERS, content_of, narrowing_stretches, without_years
from core.registry.detection import Detector
from tests.support.search_world import REGISTRY, edition

DETECTOR = Detector(REGISTRY, [])
LAW = edition("law", title="Housing (Lease and Letting) Act 2016", doc_type=DocumentType.ACT).document


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Wie steht die AfD zu Medikamenten?", "Wie steht zu Medikamenten?"),
        ("Was kostet das nach den Plänen der AfD?", "Was kostet das?"),
        ("Was soll ein Platz nach SPD-Plänen kosten?", "Was soll ein Platz kosten?"),
        ("Was zahlt man nach dem Linken-Programm von 2025?", "Was zahlt man?"),
        ("What does the SPD's 2025 programme say on rockets?", "What does say on rockets?"),
        ("Welche Steuern will die SPD zur Bundestagswahl 2025 senken?", "Welche Steuern will senken?"),
        ("What must be paid in Gujarat?", "What must be paid?"),
        ("In Gujarat, what must be paid?", "what must be paid?"),
        ("Kann man an der SPD vorbei regieren?", "Kann man an vorbei regieren?"),
        ("Will die SPD ein AfD-Verbot?", "Will ein AfD-Verbot?"),
        ("Was will die SPD?", "Was will die SPD?"),
        ("Wer wollte Drohnen (SPD, 2013)?", "Wer wollte Drohnen?"),
        ("Wie stehen Volt und SPD zu China?", "Wie stehen und zu China?"),
        ("Wie viele Stimmen hat Gujarat im Rat?", "Wie viele Stimmen hat Gujarat im Rat?"),
        ("Was muss denn in Gujarat der Verkäufer zahlen?", "Was muss denn der Verkäufer zahlen?"),
        ("Gujarat will Gebühren, oder?", "Gujarat will Gebühren, oder?"),
        ("gujarat: fee for brokers", "fee for brokers"),
        ("Must Gujarat pay for it?", "Must Gujarat pay for it?"),
        ("Rente SPD", "Rente"),
        ("spd rente", "rente"),
        ("Wer ist SPD", "Wer ist SPD"),
        ("SPD EU", "SPD EU"),
    ],
)
def test_names_that_narrow_are_left_out(question: str, content: str) -> None:
    found = DETECTOR.detect(question)
    parties, places = [p.key for p in found.parties], [p.key for p in found.places]
    assert content_of(question, narrowing_stretches(found, parties, places)) == content


@pytest.mark.parametrize(
    ("topic", "content"),
    [("Bahn: SPD, AfD", "Bahn"), ("Mieten der SPD", "Mieten"), ("SPD und AfD", "SPD und AfD")],
)
def test_a_topic_may_be_short(topic: str, content: str) -> None:
    found = DETECTOR.detect(topic)
    stretches = narrowing_stretches(found, [p.key for p in found.parties], [])
    assert content_of(topic, stretches, least=TOPIC_LETTERS).strip(" ,:") == content


def test_names_that_do_not_narrow_stay() -> None:
    question = "How does the SPD see Germany in ten years?"
    found = DETECTOR.detect(question)
    assert (
        content_of(question, narrowing_stretches(found, ["SPD"], [])) == "How does see Germany in ten years?"
    )


def test_titles_that_narrow_are_left_out() -> None:
    question = "Do the rules in Gujarat contradict the Housing (Lease and Letting) Act 2016 on deposits?"
    detection = Detector(REGISTRY, [LAW]).detect(question)
    stretches = narrowing_stretches(detection, (), ("in-gj",), (LAW.id,))
    assert content_of(question, stretches) == "Do the rules contradict on deposits?"
    kept = narrowing_stretches(detection, (), ("in-gj",))
    assert "Housing" in content_of(question, kept)


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Das Gesetz ist gegen das Grundgesetz. Was nun?", "Das Gesetz ist gegen das Grundgesetz. Was nun?"),
        ("Darf man nach dem Grundgesetz (Stand 2002), was man will?", "Darf man, was man will?"),
    ],
)
def test_a_title_that_something_is_against_stays(question: str, content: str) -> None:
    law = edition("gg", title="Grundgesetz (Stand 2002)", doc_type=DocumentType.ACT).document
    stretches = narrowing_stretches(Detector(REGISTRY, [law]).detect(question), (), (), (law.id,))
    assert content_of(question, stretches) == content


def test_a_title_at_which_something_takes_place_stays() -> None:
    paper = edition("fest", title="Sommerfest 2027", doc_type=DocumentType.OTHER).document
    question = "Wer macht beim Sommerfest Musik?"
    stretches = narrowing_stretches(Detector(REGISTRY, [paper]).detect(question), (), (), (paper.id,))
    assert content_of(question, stretches) == question


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Mindestlohn 2013", "Mindestlohn"),
        ("Mindestlohn (von 2013)", "Mindestlohn"),
        ("What did the parties say in 2013 about rents?", "What did the parties say about rents?"),
        ("Haushalt 2013/14", "Haushalt 2013/14"),
        ("Legislatur 2013–2017", "Legislatur 2013–2017"),
        ("Verordnung (EU) 2013/241", "Verordnung (EU) 2013/241"),
        ("Miete 2021", "Miete 2021"),
    ],
)
def test_years_that_say_where_to_look_are_left_out(text: str, left: str) -> None:
    assert without_years(text, (2013,)) == left
