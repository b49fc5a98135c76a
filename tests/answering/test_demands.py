import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.reports.demands import LIMIT, demands, text_of_pages
from tests.support.paper import paper


def texts(motion: str, language: str = "de") -> list[str]:
    return [demand.text for demand in demands(motion, language).items]


NUMBERED = """Antrag: Mehr Busse

Der Kreistag möge beschließen:

1. Der Landkreis fährt auf allen Li-
   nien im Stundentakt.
2) Die Fahrt zur Schule kostet nichts.
   a) Das gilt auch in den Ferien.

Begründung:
1. Busse sind voll.
2. Ohne Busse geht es nicht."""


def test_numbered_points_are_the_demands_and_reasons_are_none():
    assert texts(NUMBERED) == [
        "Der Landkreis fährt auf allen Linien im Stundentakt.",
        "Die Fahrt zur Schule kostet nichts.",
        "Das gilt auch in den Ferien.",
    ]


@pytest.mark.parametrize("sign", ["-", "•", "–", "*"])
def test_dashed_points_count_as_numbered_ones(sign):
    assert texts(f"Wir fordern\n\n{sign} mehr Bänke im Park\n{sign} weniger Laub") == [
        "mehr Bänke im Park",
        "weniger Laub",
    ]


def test_without_points_sentences_are_the_demands():
    motion = """Dear Madam President

    Cleaner canals

    The council asks the harbour office to clean all canals by 2027. It shall report every year.

    Explanatory note

    Nothing in here is asked for by anybody."""
    assert texts(motion, "en") == [
        "The council asks the harbour office to clean all canals by 2027.",
        "It shall report every year.",
    ]


def test_one_point_is_no_list():
    assert texts("1. Der Rat spricht sich für ein Verbot von Laubbläsern aus.") == [
        "Der Rat spricht sich für ein Verbot von Laubbläsern aus."
    ]


def test_repeated_demands_count_once_and_long_ones_are_cut():
    found = texts("1. " + "sehr " * 200 + "\n2. Mehr Geld für Museen.\n3. Mehr Geld für Museen.")
    assert len(found) == 2
    assert len(found[0].split()) == 60


def test_a_motion_with_many_demands_says_how_many_were_left_out():
    found = demands("\n".join(f"{n}. Forderung Nummer {n} des Antrags" for n in range(1, 31)), "de")
    assert len(found.items) == LIMIT
    assert found.omitted == 30 - LIMIT
    assert [demand.number for demand in found.items] == list(range(1, LIMIT + 1))


@pytest.mark.parametrize(
    "text", ["", "Überschrift", "Der Rat beschließt:", "\n\n\n", "Begründung: Es ist so."]
)
def test_what_demands_nothing_has_no_demands(text):
    assert texts(text) == []


@given(st.text())
def test_any_text_is_cut_into_nothing_but_its_own_words(text):
    bare = "".join(text.split()).replace("\xad", "").replace("-", "")
    for demand in demands(text, "de").items:
        assert "".join(demand.text.split()).replace("-", "") in bare
        assert demand.text


def test_pages_give_their_text_without_furniture():
    pages = paper(
        "~Landtag Drucksache 7/12\n\n1. Erster Punkt des\nAntrags", "~Seite 2\n\n2. Zweiter Punkt hier"
    )
    assert texts(text_of_pages(pages)) == ["Erster Punkt des Antrags", "Zweiter Punkt hier"]


def test_sentences_of_a_point_and_what_is_joined_are_demands_of_their_own() -> None:
    text = (
        "1. Die Gemeinde führt eine kostenlose Fähre ein. Die Verwaltung legt dazu einen Plan vor.\n"
        "2. Der Uferweg wird ausgebaut sowie die Zahl der Stege verdoppelt.\n"
        "3. Fähren sowie Busse werden gefördert."
    )
    assert [each.text for each in demands(text, "de").items] == [
        "Die Gemeinde führt eine kostenlose Fähre ein.",
        "Die Verwaltung legt dazu einen Plan vor.",
        "Der Uferweg wird ausgebaut",
        "die Zahl der Stege verdoppelt.",
        "Fähren sowie Busse werden gefördert.",
    ]


def test_points_that_follow_each_other_in_a_line_are_demands_of_their_own():
    said = "Der Kreistag möge beschließen: 1. Der Bus fährt öfter als jetzt. 2. Die Fahrt kostet nichts mehr."
    assert texts(said) == ["Der Bus fährt öfter als jetzt.", "Die Fahrt kostet nichts mehr."]
    dated = "Am 1. Mai fährt der Bus öfter. Am 2. Juni kostet die Fahrt nichts."
    assert texts(dated) == ["Am 1. Mai fährt der Bus öfter.", "Am 2. Juni kostet die Fahrt nichts."]


@pytest.mark.parametrize(
    ("motion", "language", "found"),
    [
        (
            "Der Rat möge beschließen, dass die Fähre öfter fährt und dass das Ticket billiger wird. "
            "Begründung: Alle wollen das.",
            "de",
            ["die Fähre öfter fährt", "das Ticket billiger wird."],
        ),
        (
            "Wir fordern die Verwaltung auf, den Deich zu erhöhen, neue Stege zu bauen und den Hafen "
            "auszubaggern.",
            "de",
            ["den Deich zu erhöhen", "neue Stege zu bauen", "den Hafen auszubaggern."],
        ),
        (
            "Der Kreistag beauftragt die Verwaltung, 1. den Uferweg zu pflastern, 2. Lampen aufzustellen und "
            "3. Bänke zu reparieren.",
            "de",
            ["den Uferweg zu pflastern", "Lampen aufzustellen", "Bänke zu reparieren."],
        ),
        (
            "1) Die Kurtaxe wird abgeschafft 2) Der Strand bleibt frei",
            "de",
            ["Die Kurtaxe wird abgeschafft", "Der Strand bleibt frei"],
        ),
        (
            "Beschluss: Laubbläser werden verboten; der Lärm wird halbiert; die Nachtruhe gilt ab acht.",
            "de",
            ["Laubbläser werden verboten", "der Lärm wird halbiert", "die Nachtruhe gilt ab acht."],
        ),
        ("Wir beantragen, Laubbläser wieder zu verbieten.", "de", ["Laubbläser wieder zu verbieten."]),
        ("Fähren verstaatlichen und Preise senken", "de", ["Fähren verstaatlichen", "Preise senken"]),
        (
            "Wir fordern mehr Bänke am Ufer, die Reparatur der Stege und keinen weiteren Parkplatz.",
            "de",
            ["Wir fordern mehr Bänke am Ufer", "die Reparatur der Stege", "keinen weiteren Parkplatz."],
        ),
        (
            "The assembly calls on the council to end the ferry tax and to repair the pier.",
            "en",
            ["end the ferry tax", "repair the pier."],
        ),
        (
            "We demand that the ferry be free, that the pier stay open and that the harbour be cleaned.",
            "en",
            ["the ferry be free", "the pier stay open", "the harbour be cleaned."],
        ),
        (
            "Le conseil demande au maire de créer une piste, de planter des arbres et d'ouvrir le port.",
            "fr",
            ["créer une piste", "planter des arbres", "ouvrir le port."],
        ),
    ],
)
def test_what_a_sentence_joins_is_apart_and_formulas_are_no_demand(motion, language, found):
    assert texts(motion, language) == found


@pytest.mark.parametrize(
    "motion",
    [
        "Die alten, maroden und gefährlichen Stege der Gemeinde werden saniert.",
        "Am 1. Mai, am 2. Juni und am 3. Juli fährt die Fähre kostenlos.",
        "Die Entlastung für die Familien und die Betriebe wird verlängert.",
        "Der Rat beauftragt die Verwaltung mit einem Plan für den Hafen und das Ufer.",
    ],
)
def test_what_is_one_demand_stays_one(motion):
    assert texts(motion) == [motion]
