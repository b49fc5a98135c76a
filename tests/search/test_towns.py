"""Towns are named where the words before them say so, and what else their names mean is left alone."""

import pytest

from core.domain.registry import Jurisdiction, Registry
from core.registry.detection import Detector
from core.registry.towns import town_name, towns_in

NAMED = [
    ("Wie hoch ist die Hundesteuer in Köln?", "de", "de-nw-koeln", "Köln"),
    ("hundesteuer ulm", "de", "de-bw-ulm", "Ulm"),
    ("Radverkehr Bonn", "de", "de-nw-bonn", "Bonn"),
    ("Wie viele Radwege baut die Stadt Essen?", "de", "de-nw-essen", "Essen"),
    ("was kostet ein hund in kiel", "de", "de-sh-kiel", "Kiel"),
    ("Was gilt in Frankfurt?", "de", "de-he-frankfurtammain", "Frankfurt am Main"),
    ("Was gilt in Frankfurt (Oder)?", "de", "de-bb-frankfurtoder", "Frankfurt (Oder)"),
    ("Was gilt in Bad Segeberg?", "de", "de-sh-badsegeberg", "Bad Segeberg"),
    ("Was gilt in Neustadt?", "de", "de-neustadt", "Neustadt"),
    ("Und in Zürich?", "ch", "ch-zh-zuerich", "Zürich"),
    ("How much may a builder take in Pune?", "in", "in-mh-pune", "Pune"),
    ("How much may a builder take in Bangalore?", "in", "in-ka-bengaluru", "Bengaluru"),
    ("What does the city of York charge?", "gb", "gb-eng-york", "York"),
    ("May I swim in Bath?", "gb", "gb-eng-bath", "Bath"),
    ("Combien coûte une place à Metz ?", "fr", "fr-ges-metz", "Metz"),
    ("Et au Havre ?", "fr", "fr-nor-lehavre", "Le Havre"),
    ("Que prévoit la ville d'Angers ?", "fr", "fr-pdl-angers", "Angers"),
]

NOT_NAMED = [
    "Was steht in Artikel 5?",
    "Wer hilft Menschen in Not?",
    "Wann darf ich in Rente gehen?",
    "Arbeit in Teilzeit",
    "Wann tritt das in Kraft?",
    "Ist sie in der Lage zu zahlen?",
    "Steuern in Waren enthalten?",
    "essen in der schule",
    "Gibt es Essen in Kitas?",
    "was kostet die betreuung in ner kita",
    "reading in schools",
    "a bath in every house",
    "Investments in Education",
    "à la crèche",
    "Qui paie à l'école ?",
    "le maire va à la plage",
    "Frauen in DAX-Unternehmen",
    "Was will die Linke?",
    "Mindestlohn",
]


@pytest.mark.parametrize(("question", "country", "code", "name"), NAMED)
def test_a_town_is_named(question: str, country: str, code: str, name: str) -> None:
    [(start, end, found)] = towns_in(question, {country})
    assert found == code
    assert town_name(code) == name
    assert question[start:end].casefold().removeprefix("le ") in name.casefold() or "Bangalore" in question


@pytest.mark.parametrize("question", NOT_NAMED)
def test_what_else_a_word_means_is_no_town(question: str) -> None:
    assert not list(towns_in(question, {"de", "fr", "gb", "in", "us"}))


def test_of_namesakes_the_one_in_the_library_s_countries_is_meant() -> None:
    assert [code for *_, code in towns_in("Was gilt in Münster?", {"at"})] == ["at-7-muenster"]
    assert [code for *_, code in towns_in("Was gilt in Münster?", {"de"})] == ["de-nw-muenster"]


def test_a_code_that_is_no_town_has_no_name() -> None:
    assert town_name("de-nw") is None
    assert town_name("de-nw-nirgendwo") is None
    assert town_name("de-by-koeln") is None
    assert town_name("xv") is None


def test_a_town_in_the_name_of_a_registered_place_is_that_place() -> None:
    rows = (Jurisdiction(code="in", name="India"), Jurisdiction(code="in-dd", name="Daman and Diu"))
    detector = Detector(Registry(jurisdictions=rows), ())
    for question in ("What is the fee in Daman?", "what is the fee in daman", "fee Daman"):
        assert [place.key for place in detector.detect(question).places] == ["in-dd"]
    assert [place.key for place in detector.detect("What is the fee in Pune?").places] == ["in-mh-pune"]
