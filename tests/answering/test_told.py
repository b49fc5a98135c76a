"""In whose voice sentences of a paper are: what is asked for, and what is shown of it."""

from dataclasses import replace
from datetime import date

import pytest

from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import in_voice, text_read
from core.answering.extractive.stretches import places, with_surroundings
from core.answering.lapsed import asks_of_the_past, day_asked, has_lapsed, outdated
from core.answering.told import Voice, authority_asked, names_own, told_in, voice
from core.domain.documents import DocumentFields, DocumentType
from core.domain.passages import PassageKind
from core.domain.search import Hit
from tests.support.questions import subject
from tests.support.search_world import edition, passage

PARTIES = ("Bürgerliste Uferheim",)
DAY = date(2026, 11, 28)
TOLD = (
    "Der Stadtrat plant einen Parkplatz am See.",
    "Nach dem Willen des Landrats schließt die Bücherei.",
    "Die Hafenunion hat angekündigt, sie werde die Fähre verkaufen.",
    "Im Gemeindeblatt stand: „Die Bücherei kostet zu viel und gehört verkleinert.“",
    "The town council is minded to install pay gates at the pier.",
    "Under the administration's timetable the last bus leaves at seven.",
    "La mairie prévoit d'augmenter le prix de la cantine.",
    "Un tract anonyme affirme que nous voudrions abattre les platanes.",
)
OWN = (
    "Wir bauen den Hafen aus.",
    "Der Stadtrat soll jede Sitzung übertragen.",
    "Mit uns wird es diesen Verkauf nicht geben.",
    "Die Stadt behält den Boden.",
    "The council must publish its accounts.",
    "We want the council to sell nothing.",
    "Nous demandons à la mairie de publier ses comptes.",
    "Unser Motto „Leben am See für alle Menschen.“ gilt.",
)
FORMER = (
    "Früher waren wir gegen jede Erweiterung.",
    "2019 forderten wir noch eine Stadtbahn.",
    "Likewise, we once wanted a flat subsidy.",
    "Il y a six ans, nous réclamions un téléphérique.",
)


@pytest.mark.parametrize(
    ("text", "said"),
    [(text, said) for said, texts in zip(Voice, (OWN, TOLD, FORMER), strict=False) for text in texts],
)
def test_whose_voice_a_sentence_is_in(text: str, said: Voice) -> None:
    assert voice(text, PARTIES, Voice.OWN) is said


@pytest.mark.parametrize(
    "text", ["Das Bad sei ein Fass ohne Boden.", "Opening hours would be cut.", "Das ist falsch."]
)
def test_indirect_speech_goes_on_with_what_others_say(text: str) -> None:
    assert voice(text, PARTIES, Voice.OTHERS) is Voice.OTHERS
    assert voice(text, PARTIES, Voice.OWN) is Voice.OWN


def test_a_place_in_its_name_is_not_a_partys_own() -> None:
    assert names_own("Die Bürgerliste sagt", PARTIES)
    assert not names_own("Der Kurier Uferheim sagt", PARTIES)


def test_the_sentence_that_tells_is_what_indirect_speech_behind_it_goes_on_with() -> None:
    fields = DocumentFields(title="Programm", language="de", parties=PARTIES)
    telling = "Der Bürgermeister sieht das anders."
    before = ["Das Bad sei ein Fass ohne Boden.", telling, "Das Freibad bleibt offen."]
    assert told_in("Bald müsse es schließen.", before, fields) == telling
    assert told_in("Wir lassen es offen.", before, fields) == ""
    assert told_in("Bald müsse es schließen.", ["Das Freibad bleibt offen."], fields) == ""


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Was plant der Stadtrat für den See?", "Stadtrat"),
        ("Was hat der Gemeinderat zur Halle beschlossen?", "Gemeinderat"),
        ("What does the council plan for the harbour?", "council"),
        ("Que prévoit la mairie pour la cantine ?", "mairie"),
        ("Was will die Bürgerliste im Stadtrat?", ""),
        ("What does the alliance say about council tax?", ""),
    ],
)
def test_whose_plans_are_asked_for(question: str, asked: str) -> None:
    assert authority_asked(question) == asked


TEXT = (
    "Der Stadtrat plant einen Parkplatz am See. Zwölf Bäume müssten dafür weichen. Das ist falsch."
    " Wir pflanzen am See zwanzig neue Bäume. Wie lange dauert das? Bis zum Frühjahr steht jeder Baum."
)


def _offered(question: str, text: str = TEXT, **fields: object) -> list[Extract]:
    of = edition("programme", **{"parties": PARTIES, "doc_type": DocumentType.MANIFESTO, **fields})
    hit = Hit(passage=passage(of, 0, text), edition=of, score=1.0, found_by=("dense",))
    return in_voice([hit], replace(subject(question), day=DAY))


def _shown(offered: list[Extract], chosen: str) -> str:
    near = [replace(each, similarity=0.5) for each in offered]
    (own,) = [each for each in near if chosen in each.text]
    return with_surroundings(own, places(near)).shown


def test_a_partys_words_are_offered_without_what_it_tells_of_others() -> None:
    offered = _offered("Was will die Liste mit dem See?")
    assert [each.text for each in offered] == [
        "Wir pflanzen am See zwanzig neue Bäume.",
        "Bis zum Frühjahr steht jeder Baum.",
    ]
    assert _shown(offered, "zwanzig") == "Wir pflanzen am See zwanzig neue Bäume."


def test_it_is_read_with_what_it_answers() -> None:
    own, answer = _offered("Was will die Liste mit dem See?")
    assert text_read(own).endswith(
        "Der Stadtrat plant einen Parkplatz am See. Zwölf Bäume müssten dafür weichen. Das ist falsch."
        " Wir pflanzen am See zwanzig neue Bäume."
    )
    assert _shown([answer], "Frühjahr") == "Wie lange dauert das?\nBis zum Frühjahr steht jeder Baum."


def test_what_an_authority_plans_is_offered_where_that_is_asked() -> None:
    offered = _offered("Was plant der Stadtrat mit dem See?")
    assert offered[0].text == "Der Stadtrat plant einen Parkplatz am See."
    assert not any("Wir pflanzen" in each.text for each in offered)
    of_its_own = _offered("Was plant der Stadtrat mit dem See?", title="Stadtrat Uferheim")
    assert any("Wir pflanzen" in each.text for each in of_its_own)


def test_an_agreement_of_those_who_govern_is_their_voice() -> None:
    offered = _offered("Was plant die Regierung?", doc_type=DocumentType.COALITION_AGREEMENT)
    assert any("Wir pflanzen" in each.text for each in offered)


LAPSED = (
    "Bis Ende 2024 kostete der Besuch 14 Taler.",
    "Im Jahr 2025 waren es 15 Taler.",
    "bis 31.12.2024: 60 Taler",
    "ab 1.1.2027: 95 Taler",
    "Until 31 March 2025 a berth cost 18 pounds.",
    "From 1 April 2025 the charge was 21 pounds.",
    "Between 2020 and 2024 jet skis were admitted.",
    "Du 1er janvier au 31 décembre 2024 : 3,12 euros",
    "Avant la réforme de 2025, il s'élevait à 62 euros.",
)
HOLDING = (
    "Seit dem 1. Januar 2026 zahlen Sie 17 Taler.",
    "ab 1.1.2025: 75 Taler",
    "bis 31.12.2024 15 Taler, ab 1.1.2025 18 Taler",
    "Since 1 April 2026 it has been 23 pounds.",
    "The form must reach us by 15 December 2026.",
    "Depuis le 1er janvier 2026 : 3,45 euros",
    "Die Gebühr beträgt 12 Taler.",
    "Der Kurs begann am Hafen.",
)


@pytest.mark.parametrize("text", LAPSED)
def test_what_has_lapsed_or_does_not_hold_yet_is_known(text: str) -> None:
    assert has_lapsed(text, DAY)


@pytest.mark.parametrize("text", HOLDING)
def test_what_holds_has_not_lapsed(text: str) -> None:
    assert not has_lapsed(text, DAY)


FEES = "Bis 31. Dezember 2024 kostet eine Stunde 1 Taler. Ab 1. Januar 2025 kostet eine Stunde 2 Taler."


def test_of_two_fees_the_one_that_holds_on_the_day_is_offered_alone() -> None:
    fields = {"parties": (), "doc_type": DocumentType.RULES}
    (own,) = _offered("Was kostet eine Stunde?", FEES, **fields)
    assert own.text == "Ab 1. Januar 2025 kostet eine Stunde 2 Taler."
    assert with_surroundings(own, {}).shown == own.text
    then = in_voice([own.hit], replace(subject("Was kostet eine Stunde?"), day=date(2024, 5, 1)))
    assert [each.text for each in then] == ["Bis 31. Dezember 2024 kostet eine Stunde 1 Taler."]
    assert len(_offered("Was kostete eine Stunde 2024?", FEES, **fields)) == 2


def test_of_rows_the_one_that_holds_is_offered() -> None:
    of = edition("fees", doc_type=DocumentType.RULES)
    names, rows = "Period Rent", "until 31 March 2025 30 pounds a year\nfrom 1 April 2025 42 pounds a year"
    table = replace(passage(of, 0, f"{names}\n{rows}"), kind=PassageKind.TABLE, heading=names)
    hit = Hit(passage=table, edition=of, score=1.0, found_by=("dense",))
    offered = in_voice([hit], replace(subject("How much is the rent?", "en"), day=DAY))
    assert [each.text for each in offered] == ["from 1 April 2025 42 pounds a year"]


def test_who_names_a_time_asks_for_what_held_then() -> None:
    assert asks_of_the_past("Was kostete der Eintritt 2024?")
    assert not asks_of_the_past("Was kostet der Eintritt?")
    assert not asks_of_the_past("was kostet das?")


NAMES = (
    (("Gültig bis 31.12.2025", "Gültig ab 1.1.2026"), ("Gültig bis 31.12.2025",)),
    (("Alte Gebühren", "Neue Gebühren"), ("Alte Gebühren",)),
    (("Preise ab 1.1.2026", "Preise ab 1.1.2027", "Kurse"), ("Preise ab 1.1.2027",)),
    (("Eintritt ab 1.1.2024", "Eintritt ab 1.1.2026"), ("Eintritt ab 1.1.2024",)),
    (("Gebühren 2025", "Gebühren 2026"), ("Gebühren 2025",)),
    (("Charges until 31 December 2025", "Charges from 1 January 2026"), ("Charges until 31 December 2025",)),
    (("Previous fares", "Fares"), ("Previous fares",)),
    (("Anciens tarifs", "Tarifs en vigueur depuis le 1er janvier 2026"), ("Anciens tarifs",)),
    (("bisher", "neu", "Leistung"), ("bisher",)),
    (("Alte Feuerwache", "Neues Rathaus", "Old harbour", "Anciens combattants"), ()),
    (("2019", "2023", "2026"), ()),
    (("Gebühren 2026", "Gebühren 2027"), ("Gebühren 2027",)),
    (("Frühere Öffnungszeiten", "Öffnungszeiten"), ("Frühere Öffnungszeiten",)),
)


@pytest.mark.parametrize(("names", "over"), NAMES)
def test_which_headings_stand_over_what_does_not_hold(names: tuple[str, ...], over: tuple[str, ...]) -> None:
    assert outdated(names, DAY) == set(over)


UNDER = (
    "Alte Gebühren\nEin Liegeplatz am Steg kostet 30 Taler.\n"
    "Neue Gebühren\nEin Liegeplatz am Steg kostet 42 Taler.\n"
    "Allgemeines\nDie Gebühr ist im Mai zu zahlen."
)


def test_nothing_under_a_heading_over_what_held_before_is_offered() -> None:
    fields = {"parties": (), "doc_type": DocumentType.RULES}
    offered = _offered("Was kostet ein Liegeplatz am Steg?", UNDER, **fields)
    assert [each.text for each in offered] == [
        "Ein Liegeplatz am Steg kostet 42 Taler.",
        "Die Gebühr ist im Mai zu zahlen.",
    ]
    before = _offered("Was kostete ein Liegeplatz am Steg früher?", UNDER, **fields)
    assert "30 Taler" in " ".join(each.text for each in before)


def test_on_which_day_an_answer_has_to_hold() -> None:
    assert day_asked("Was kostet der Eintritt?", DAY) == DAY
    assert day_asked("Was kostete der Eintritt 2024?", DAY) == date(2024, 12, 31)
    assert day_asked("Was kostete der Eintritt früher?", DAY) is None
