from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.domain.documents import DocumentType
from core.domain.registry import Jurisdiction, Party, Registry
from core.registry.detection import Detector, NameRole
from core.registry.names import Name, NameKind, NameMatcher
from tests.support.search_world import EDITIONS, REGISTRY, edition

DETECTOR = Detector(
    REGISTRY,
    [item.document for item in EDITIONS],
    [
        Jurisdiction(code="fr", name="France"),
        Jurisdiction(code="de-by", name="Bayern"),
        Jurisdiction(code="fr-bre", name="Bretagne"),
        Jurisdiction(code="de", name="Allemagne"),
        Jurisdiction(code="in", name="India", aliases=("Indien", "Inde")),
    ],
)


def parties(question: str) -> list[str]:
    return [party.key for party in DETECTOR.detect(question).parties]


def places(question: str) -> list[str]:
    return [place.key for place in DETECTOR.detect(question).places]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Was wollen die Grünen?", ["GRÜNE"]),
        ("Was wollen die Gruenen?", ["GRÜNE"]),
        ("was wollen die grünen und die spd?", ["GRÜNE", "SPD"]),
        ("Was steht im Linken-Programm?", ["Die Linke"]),
        ("Was steht im Linkenprogramm?", ["Die Linke"]),
        ("Was steht in den Unionsplänen zur Rente?", ["CDU/CSU"]),
        ("Was kostet das nach SPD-Plänen?", ["SPD"]),
        ("Nach den Plänen der SPDs", ["SPD"]),
        ("What do the Greens' MPs want?", ["GRÜNE"]),
        ("the SPD's 2025 programme", ["SPD"]),
        ("What does the Green manifesto say about rents?", ["GRÜNE"]),
        ("what does the green election programme say", ["GRÜNE"]),
        ("Das Programm von Bündnis 90/Die Grünen", ["GRÜNE"]),
        ("rente mit 63 spd", ["SPD"]),
        ("ich bin in der 9. SPD", []),  # as with "SSW", a week
        ("Was fordert Bündnis Deutschland?", ["Bündnis Deutschland"]),
        ("Was fordern die Freien Wähler?", ["Freie Wähler"]),
        ("Was fordern CDU und CSU?", ["CDU", "CSU"]),
        ("Was will die CDU/CSU-Fraktion?", ["CDU/CSU"]),
        ("Was will die Union?", ["CDU/CSU"]),
        ("Was will die Alternative für Deutschland?", ["AfD"]),
        ("Was will die AFD?", ["AfD"]),
        ("Was will die Leuchtturmpartei?", ["Leuchtturmpartei"]),
        ("Das Wahlprogramm der Leuchttürmer", ["Leuchtturmpartei"]),
        ("Does The Left oppose it?", ["Die Linke"]),
        ("Was sagt Die PARTEI dazu?", ["Die PARTEI"]),
        ("Was sagt die BP?", ["Bayernpartei"]),
        ("chip unter der haut, was sagt die basis", ["dieBasis"]),
        ("was stört die basis daran", ["dieBasis"]),
        ("die basis zum rundfunk?", ["dieBasis"]),
        ("Was fordert die Basis zur Pflege?", ["dieBasis"]),
        ("Was sagt die basis zur Pflege?", ["dieBasis"]),
    ],
)
def test_parties_are_found(question: str, expected: list[str]) -> None:
    assert parties(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Was plant die Europäische Union?",
        "Was plant die Europäischen Union?",
        "Is the African Union mentioned?",
        "Die Bankenunion kommt",
        "Welche Partei verspricht das?",
        "welche partei verspricht das?",
        "Was ist die Basis der Berechnung?",
        "Die Basis der Berechnung ist was?",
        "was ist die basis der berechnung",
        "auf die basis kommt es an",
        "Auf der linken Spur fahren",
        "Wie viel grüne Energie?",
        "How much green energy?",
        "Which green roofs are paid for?",
        "Reichen 230 Volt?",
        "Gibt es das als PDF?",
        "Was denken die US-Republikaner?",
        "Sollen freie Wähler entscheiden?",
        "What is an rep or a bp?",
        "Sind die Unionisten gemeint?",
        "Can my union rep come with me?",
        "Was the State of the Union speech printed?",
        "Une union de l'énergie, est-ce prévu ?",
        "Welche Rechte hat keine Union zweier Gemeinden?",
    ],
)
def test_other_words_are_no_parties(question: str) -> None:
    assert parties(question) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("An welcher Straße will Münsters CDU bauen?", ["de-nw-muenster"]),
        ("Die Münsteraner SPD", ["de-nw-muenster"]),
        ("Nordrhein-Westfalens Schulen", ["de-nw"]),
        ("in Baden-Württemberg", ["de-bw"]),
        ("Regeln der Europäischen Union", ["eu"]),
        ("a fee in Daman & Diu", ["in-dd"]),
        ("same for daman please", ["in-dd"]),
        ("and Diu?", ["in-dd"]),
        ("a fee in Daman and Diu's towns", ["in-dd"]),
        ("Which Gujarat rule applies?", ["in-gj"]),
        ("What applies in UP?", ["in-up"]),
        ("Who goes up in price?", []),
        ("Is it law in France?", ["fr"]),
        ("Was gilt in Bayern?", ["de-by"]),
        ("Was gilt in der Bretagne?", []),  # a part of a country that the library does not deal with
        ("Was will das BWS?", []),
        ("Was gilt in Allemagne?", ["de"]),  # what it is called anyway counts, too
        ("Was fordert die Alternative für Deutschland?", []),
        ("Was fordert Volt Deutschland?", []),
        ("Was steht in der EU-Verordnung?", ["eu"]),
    ],
)
def test_places(question: str, expected: list[str]) -> None:
    assert places(question) == expected


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("a fee in France", NameRole.SOURCE),
        ("France's law", NameRole.SOURCE),
        ("talks with France", NameRole.TOPIC),
        ("Hilfen für die Menschen aus France", NameRole.TOPIC),
        ("does France allow it", NameRole.PLAIN),
    ],
)
def test_roles_of_places(question: str, role: NameRole) -> None:
    assert [place.role for place in DETECTOR.detect(question).places] == [role]


def test_roles_of_parties() -> None:
    found = DETECTOR.detect("Will die SPD ein AfD-Verbot, und was steht im Linken-Programm?").parties
    assert [(party.key, party.role) for party in found] == [
        ("SPD", NameRole.PLAIN),
        ("AfD", NameRole.TOPIC),
        ("Die Linke", NameRole.SOURCE),
    ]


@pytest.mark.parametrize(
    ("question", "year", "edition", "point_in_time"),
    [
        ("Was wollte die SPD zur Bundestagswahl 2013?", 2013, True, False),
        ("Was wollte die SPD (2013)?", 2013, True, False),
        ("Wollen die Grünen 2025 das?", 2025, True, False),
        ("Was wollte die Linke von 2013?", 2013, True, False),
        ("the SPD's 2025 programme", 2025, True, False),
        ("im Programm von 2021", 2021, True, False),
        ("Was stand 2021 im Programm der SPD?", 2021, False, False),
        ("Was stand im Jahr 2021 im Programm der SPD?", 2021, False, False),
        ("what was said in the year 2021 in the programme", 2021, False, False),
        ("Was soll sich bis 2030 ändern?", 2030, False, True),
        ("Was kam mit der Agenda 2010?", 2010, False, True),
        ("Was geschah im Frühjahr 2022 in Istanbul?", 2022, False, True),
        ("What was promised in 2013?", 2013, False, False),
    ],
)
def test_years(question: str, year: int, edition: bool, point_in_time: bool) -> None:
    (found,) = DETECTOR.detect(question).years
    assert (found.year, found.edition, found.point_in_time) == (year, edition, point_in_time)


@pytest.mark.parametrize("question", ["Kostet es 2000 Euro?", "Nummer 1.2013", "20130 Wohnungen", "2013/679"])
def test_numbers_that_are_no_years(question: str) -> None:
    assert DETECTOR.detect(question).years == ()


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("In welchem Artikel des Grundgesetzes steht das?", "basic law"),
        ("wahlalter laut gg", "basic law"),
        ("What does the GDPR say?", "privacy"),
        ("What does the General Data Protection Regulation say?", "privacy"),
        ("What do the Gujarat Building Rules say?", "gj rules"),
    ],
)
def test_documents(question: str, file: str) -> None:
    wanted = next(item.document.id for item in EDITIONS if item.document.file == file)
    assert DETECTOR.detect(question).documents == (wanted,)


def test_initials_that_two_documents_share_name_none() -> None:
    twins = [
        edition(name, title=title, doc_type=DocumentType.ACT)
        for name, title in (("a", "Grand Harbour Dues Act 2001"), ("b", "General House Dogs Act 2002"))
    ]
    detector = Detector(REGISTRY, [item.document for item in twins])
    assert detector.detect("What does the GHDA say?").documents == ()


def test_a_question_for_a_party() -> None:
    assert DETECTOR.detect("Welche Partei verspricht mehr Wald?").party_question
    assert not DETECTOR.detect("Welche Partei hat die SPD kritisiert?").party_question


@pytest.mark.parametrize(
    "question",
    [
        "What does the Housing (Lease and Letting) Act 2016 say?",
        "What does the Housing (Lease and Letting) Act, 2016 say?",
        "What does the Housing (Lease and Letting) Act say?",
        "What does the Housing Lease and Letting Act 2016 say?",
    ],
)
def test_a_title_with_brackets(question: str) -> None:
    law = edition("law", title="Housing (Lease and Letting) Act 2016", doc_type=DocumentType.ACT)
    assert Detector(REGISTRY, [law.document]).detect(question).documents == (law.document.id,)
    assert Detector(REGISTRY, [law.document]).detect("Housing (for all)").documents == ()


def test_a_registered_place_keeps_its_names_in_other_languages() -> None:
    assert places("Wie lange haftet man in Indien?") == places("How long in India?") == ["in"]


@given(
    st.text(alphabet="StßüÄeéİ .-a", max_size=24), st.text(alphabet="StßüÄeéİ .-a", min_size=1, max_size=8)
)
@example("Wem gehören die Straßenzüge hier?", "St. Anna")
def test_letters_that_fold_to_several_do_no_harm(question: str, name: str) -> None:
    NameMatcher([Name(name, NameKind.PLACE, "xx")]).find(question)


def test_a_coalition_is_named_by_its_colours_whatever_the_year() -> None:
    agreements = [
        edition(
            f"vertrag{year}.pdf",
            title=f"Koalitionsvertrag {year}",
            jurisdiction="de-bw",
            parties=("GRÜNE", "CDU"),
            doc_type=DocumentType.COALITION_AGREEMENT,
            valid_from=date(year, 5, 1),
        ).document
        for year in (2016, 2021)
    ]
    detector = Detector(REGISTRY, agreements)
    both = {each.id for each in agreements}
    assert set(detector.detect("Was plant die grün-schwarze Koalition für die Schulen?").documents) == both
    assert set(detector.detect("grün-schwarz schule ohne noten").documents) == both
    assert detector.detect("Darf ein Ufer grün und schwarz sein?").documents == ()


AS_REGISTERED = Detector(
    Registry(
        parties=tuple(
            Party(name=name)
            for name in (
                *(
                    "Die Linke",
                    "Die PARTEI",
                    "Die Heimat",
                    "Die Basis",
                    "GRÜNE",
                    "SPD",
                    "Freie Wähler",
                    "Welle",
                ),
                *("Les Républicains", "Les Écologistes", "The Left", "Labour", "AUF", "WIR", "Quell"),
            )
        )
    ),
    [],
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Die Linke zur Rente?", ["Die Linke"]),
        ("Was sagt die linke zur Rente?", ["Die Linke"]),
        ("Linke Mindestlohn", ["Die Linke"]),
        ("linke mindestlohn", ["Die Linke"]),
        ("Grüne Mindestlohn", ["GRÜNE"]),
        ("Was sagen die grünen zur Rente?", ["GRÜNE"]),
        ("SPD, Linke und Grüne zur Rente?", ["SPD", "Die Linke", "GRÜNE"]),
        ("Die PARTEI zum Bier?", ["Die PARTEI"]),
        ("Die Basis zur Impfpflicht?", ["Die Basis"]),
        ("Die Heimat und die SPD zur Rente?", ["Die Heimat", "SPD"]),
        ("Les Républicains sur la retraite ?", ["Les Républicains"]),
        ("Les républicains sur la retraite ?", ["Les Républicains"]),
        ("Les Écologistes sur le climat ?", ["Les Écologistes"]),
        ("The Left on rent?", ["The Left"]),
        ("the left on rent?", ["The Left"]),
        ("Labour on rent?", ["Labour"]),
        ("Was sagt WIR zur Rente?", ["WIR"]),
    ],
)
def test_parties_are_found_at_the_beginning_and_with_their_article(
    question: str, expected: list[str]
) -> None:
    assert [party.key for party in AS_REGISTERED.detect(question).parties] == expected


@pytest.mark.parametrize(
    "question",
    [
        "linke Politik zum Mindestlohn?",
        "Was ist linke Politik?",
        "linke gewalt",
        "Grüner Wasserstoff?",
        "Grüne Energie fördern?",
        "gibt es grüne flächen",
        "Was bringen die grünen Dächer?",
        "Die linke Spur",
        "the left lane",
        "Labour law reform",
        "Will die Partei das?",
        "Die Heimat schützen?",
        "auf welcher Basis gilt das?",
        "wir wollen auf die miete achten",
        "Quelle est la position sur les loyers ?",
        "quelle est la position sur les loyers ?",
    ],
)
def test_adjectives_and_little_words_are_no_parties(question: str) -> None:
    assert AS_REGISTERED.detect(AS_REGISTERED.mended(question)).parties == ()
