"""Follow-ups made to stand by themselves, on names of German and Indian politics and on invented ones."""

import asyncio
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.embedding.e5 import PackagedWords
from core.domain.registry import Jurisdiction, Party, Registry
from core.domain.scope import MOST_QUESTIONS, ThreadContext, continued
from core.question.carried import Carried, CarriedReader
from core.question.followups import (
    NamesAreAsked,
    asks_by_name,
    compares_last,
    corrected,
    on_another_topic,
    opens_topic,
    says_all,
    standalone,
    with_exceptions,
)
from core.registry.detection import Detector
from tests.support.encoders import models_dir
from tests.support.search_world import EDITIONS
from tests.support.search_world import REGISTRY as BASE

REGISTRY = Registry(
    jurisdictions=(*BASE.jurisdictions, Jurisdiction(code="in-ka", name="Karnataka")),
    parties=(
        *BASE.parties,
        Party(name="FDP", aliases=("Liberale", "Liberalen", "Liberals")),
        Party(name="SSW", aliases=("Südschleswigscher Wählerverband",)),
    ),
)
NAMES = Detector(REGISTRY, [edition.document for edition in EDITIONS])


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("fdp?", True),
        ("und die SPD", True),
        ("linke vielleicht?", True),
        ("and Baden-Württemberg?", True),
        ("fdp", False),
        ("Die Linke.", False),
        ("und die FDP!", False),
        ("ich bin bei der FDP, du auch?", False),
        ("und?", False),
        ("?", False),
        ("", False),
    ],
)
def test_what_asks_by_a_name_alone(line: str, asks: bool) -> None:
    assert asks_by_name(line, NAMES) is asks


class Reading:
    """Takes nothing to be for the bot."""

    async def odds(self, before: str, line: str) -> float:
        return -5.0

    async def warm_up(self) -> None:
        pass


async def test_a_line_of_talk_that_is_a_name_is_for_the_bot_where_something_was_said_before() -> None:
    reader = NamesAreAsked(Reading(), lambda: REGISTRY)
    await reader.warm_up()
    assert await reader.odds("me > bot: rents?", "fdp?") > 0
    assert await reader.odds("", "fdp?") < 0
    assert await reader.odds("me > bot: rents?", "are you with the FDP?") < 0


READER = CarriedReader(PackagedWords(models_dir()))


def asked(earlier: str, question: str, language: str) -> str | None:
    own, before = (NAMES.detect(text) for text in (question, earlier))
    places = own.place_names, own.topic_names
    read = READER.read(question, own.party_names, earlier, before.party_names, *places)
    carried = asyncio.run(read)
    return standalone(question, ThreadContext(questions=(earlier,), language=language), NAMES, carried)


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        ("Was will die SPD beim Mindestlohn?", "und die Liberalen?", "Was will die FDP beim Mindestlohn?"),
        ("Was will die SPD beim Mindestlohn?", "FDP?", "Was will die FDP beim Mindestlohn?"),
        ("Was will die SPD beim Mindestlohn?", "und Volt?", "Was will Volt beim Mindestlohn?"),
        ("Was will die SPD beim Mindestlohn?", "und die Grünen?", "Was wollen die GRÜNEN beim Mindestlohn?"),
        ("Was fordern die Grünen zur Rente?", "und die SPD?", "Was fordert die SPD zur Rente?"),
        ("Was steht bei der SPD zur Rente?", "Und der SSW?", "Was steht beim SSW zur Rente?"),
        ("Was steht beim SSW zur Rente?", "und die SPD?", "Was steht bei der SPD zur Rente?"),
        ("was will die spd beim mindestlohn?", "und die fdp?", "was will die FDP beim mindestlohn?"),
        ("Was will die SPD bei der Rente?", "Wie sieht das die AfD?", "Was will die AfD bei der Rente?"),
        ("Vergleiche SPD und CDU beim Mindestlohn", "und die FDP?", "Vergleiche FDP beim Mindestlohn"),
        (
            "Was wollen SPD und Grüne zur Rente?",
            "und Volt und die Linke?",
            "Was wollen Volt und Die Linke zur Rente?",
        ),
        (
            "Was will die SPD in NRW beim Mindestlohn?",
            "und in Baden-Württemberg?",
            "Was will die SPD in Baden-Württemberg beim Mindestlohn?",
        ),
        ("Wie hoch ist die Gebühr?", "Und laut CDU?", "Wie hoch ist die Gebühr laut CDU?"),
        ("Was will die SPD beim Mindestlohn?", "Und 2021?", "Was will die SPD (2021) beim Mindestlohn?"),
        (
            "Was wollte die SPD 2017 beim Mindestlohn?",
            "und 2021?",
            "Was wollte die SPD 2021 beim Mindestlohn?",
        ),
        ("Wie steht die SPD zur Atomkraft?", "und zur Rente?", "Wie steht die SPD zur Rente?"),
        (
            "Was will die SPD beim Mindestlohn?",
            "Und was ist mit dem Tempolimit?",
            "Was will die SPD beim Tempolimit?",
        ),
        ("Was sagt die SPD zu California?", "und zu India?", "Was sagt die SPD zu India?"),
        (
            "Was will die SPD beim Mindestlohn?",
            "Warum?",
            "Was will die SPD beim Mindestlohn? Warum?",
        ),
        (
            "Muss man ein Boot in Münster anmelden?",
            "Und wie hoch ist das Bußgeld?",
            "Wie hoch ist das Bußgeld in Münster?",
        ),
        ("Was steht in Artikel 3 GG?", "Abs. 2", "Was steht in Artikel 3 Abs. 2 GG?"),
        ("Was steht in Artikel 3 Abs. 1 GG?", "und Absatz 2?", "Was steht in Artikel 3 Absatz 2 GG?"),
        ("Was steht in Artikel 3 Abs. 1 GG?", "Artikel 5", "Was steht in Artikel 5 GG?"),
        ("Was will Volt in der Digitalisierung?", "und beim Militär?", "Was will Volt beim Militär?"),
        ("Was will die SPD in NRW?", "und bei der Rente?", "Rente laut SPD in Nordrhein-Westfalen?"),
        (
            "Was will die SPD beim Mindestlohn im Osten?",
            "und zur Rente?",
            "Was will die SPD zur Rente im Osten?",
        ),
        ("Was will die SPD für Rentner tun?", "für Familien?", "Was will die SPD für Familien?"),
        (
            "Will die Linke einen Mietendeckel?",
            "nur für Neubauten?",
            "Will die Linke einen Mietendeckel? Nur für Neubauten?",
        ),
        ("Wie hoch ist der Beitrag?", "ab wann?", "Wie hoch ist der Beitrag? Ab wann?"),
        ("Gilt ein Tempolimit?", "Wann soll das kommen?", "Gilt ein Tempolimit? Wann soll das kommen?"),
        (
            "Wie hoch soll der Mindestlohn bei der SPD sein?",
            "und die Grünen, was zahlen die?",
            "Wie hoch soll der Mindestlohn bei den GRÜNEN sein?",
        ),
        (
            "Was will die SPD bei der Rente?",
            "Wollen sie auch die Vermögensteuer?",
            "Vermögensteuer laut SPD?",
        ),
        ("Was sagen die Parteien zur Atomkraft?", "und die SPD?", "Was sagt die SPD zur Atomkraft?"),
        ("Was sagen die Parteien zur Rente?", "und SPD und FDP?", "Was sagen die SPD und die FDP zur Rente?"),
        ("Will die SPD aus der EU austreten?", "und Mindestlohn?", "Mindestlohn laut SPD?"),
        ("Will die SPD aus der EU austreten?", "Und die Rente?", "Rente laut SPD?"),
        ("Will die SPD aus der EU austreten?", "und wann?", "Will die SPD aus der EU austreten? Wann?"),
        (
            "Will die SPD aus der EU austreten?",
            "Was ist mit dem Tempolimit?",
            "Tempolimit laut SPD?",
        ),
        (
            "Vergleiche SPD und CDU bei der Rente",
            "Wollen sie auch die Vermögensteuer?",
            "Vermögensteuer laut SPD und CDU?",
        ),
    ],
)
def test_german_follow_ups(earlier: str, question: str, expected: str) -> None:
    assert asked(earlier, question, "de") == expected


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        ("What is the fee in Gujarat?", "what about Karnataka?", "What is the fee in Karnataka?"),
        ("What is the fee?", "and in Gujarat?", "What is the fee in Gujarat?"),
        ("What does the SPD want on housing?", "and the Liberals?", "What does the FDP want on housing?"),
        ("What is planned for pensions?", "and the SPD?", "What is planned for pensions according to SPD?"),
        (
            "What does the SPD say about housing?",
            "what about pensions?",
            "What does the SPD say about pensions?",
        ),
        (
            "How high is the fee for promoters in Gujarat?",
            "and for agents?",
            "How high is the fee for agents in Gujarat?",
        ),
        (
            "Must a promoter register in Gujarat?",
            "and how high is the fine?",
            "Must a promoter register in Gujarat? How high is the fine?",
        ),
        ("What is the fee in Gujarat?", "Who pays for it?", "What is the fee in Gujarat? Who pays for it?"),
        ("What does section 19 of the Act say?", "§ 18?", "What does section 18 of the Act say?"),
        (
            "What does the SPD want for pensions?",
            "Do they want a wealth tax?",
            "wealth tax according to SPD?",
        ),
        ("Does the SPD want to leave the EU?", "What about tolls?", "tolls according to SPD?"),
        ("What is the fee?", "when will it start?", "What is the fee? When will it start?"),
        (
            "Which rule implements section 4?",
            "and section 5(2)?",
            "Which rule implements section 5(2)?",
        ),
        (
            "What does section 18 say in Gujarat?",
            "How long does it take them in Karnataka?",
            "What does section 18 say in Karnataka? How long does it take them in Karnataka?",
        ),
    ],
)
def test_english_follow_ups(earlier: str, question: str, expected: str) -> None:
    assert asked(earlier, question, "en") == expected


@pytest.mark.parametrize(
    "question",
    [
        "Wie hoch ist die Gebühr in Gujarat?",
        "Und was will die FDP beim Tempolimit?",
        "Is it mandatory to register a project?",
        "Artikel 5?",
        "Was sagt § 5 zur Kündigung?",
        "Welche Dokumente hast du?",
        "What does the Greens' programme say about the minimum wage?",
    ],
)
def test_whole_questions_stay_as_they_are(question: str) -> None:
    assert asked("Was will die SPD beim Mindestlohn?", question, "de") is None


def test_a_place_to_look_in_does_not_replace_one_that_is_spoken_of() -> None:
    found = asked("Was sagt die SPD zu California?", "und in NRW?", "de")
    assert found == "Was sagt die SPD zu California in Nordrhein-Westfalen?"


@pytest.mark.parametrize(
    ("earlier", "question", "found"),
    [
        ("Was sagt die SPD zur Rente?", "und zu California?", "Was sagt die SPD zu California?"),
        ("Was sagt die SPD zu Gujarat?", "und zu California?", "Was sagt die SPD zu California?"),
    ],
)
def test_a_place_that_is_spoken_of_is_a_topic(earlier: str, question: str, found: str | None) -> None:
    assert asked(earlier, question, "de") == found


@pytest.mark.parametrize(
    ("question", "opens"),
    [
        ("Was ist mit Cannabis?", True),
        ("und was ist mit Miete", True),
        ("What about rents?", True),
        ("und warum?", False),
        ("Was sagt die SPD zu Cannabis?", False),
    ],
)
def test_what_may_open_a_topic_of_its_own(question: str, opens: bool) -> None:
    assert opens_topic(question) is opens


def test_a_follow_up_of_a_follow_up() -> None:
    first = asked("Was will die SPD beim Mindestlohn?", "und die FDP?", "de")
    assert first is not None
    assert asked(first, "und zur Rente?", "de") == "Was will die FDP zur Rente?"


def test_a_chain_of_follow_ups_does_not_grow() -> None:
    question = "Muss man ein Boot in Münster anmelden?"
    for more in ("Und wie hoch ist das Bußgeld?", "und wer kassiert das?", "und warum?", "Wozu dient das?"):
        found = asked(question, more, "de")
        assert found is not None
        assert "Münster" in found
        question = found
    assert question == "Wie hoch ist das Bußgeld in Münster? Warum? Wozu dient das?"


def test_a_thread_remembers_a_few_questions() -> None:
    thread = None
    for number in range(MOST_QUESTIONS + 2):
        thread = continued(thread, f"Frage {number}", "de")
    assert thread is not None
    assert thread.questions == ("Frage 2", "Frage 3", "Frage 4")
    with pytest.raises(ValueError, match="1 to 3"):
        ThreadContext(questions=(), language="de")


@given(earlier=st.text(min_size=1, max_size=80), question=st.text(max_size=60))
def test_any_text_is_survived(earlier: str, question: str) -> None:
    found = asked(earlier, question, "de")
    assert found is None or len(found) <= 3 * (len(earlier) + len(question)) + 60


@pytest.mark.parametrize(
    ("earlier", "question", "language"),
    [
        ("Was will die SPD beim Mindestlohn?", "und was ist mit den anderen?", "de"),
        ("Was will die SPD beim Mindestlohn?", "Und die anderen Parteien?", "de"),
        ("Was will die SPD beim Mindestlohn?", "und alle anderen?", "de"),
        ("Was will die SPD beim Mindestlohn?", "Was sagen die anderen dazu?", "de"),
        ("What does the SPD want on wages?", "and what about the others?", "en"),
        ("What does the SPD want on wages?", "and the other parties?", "en"),
        ("Que veut SPD pour les salaires ?", "et les autres ?", "fr"),
    ],
)
def test_the_others_are_all_parties_that_speak_for_the_same_places(
    earlier: str, question: str, language: str
) -> None:
    found = asked(earlier, question, language)
    assert found is not None
    named = {party.key for party in NAMES.detect(found).parties}
    places = {e.document.fields.jurisdiction for e in EDITIONS if "SPD" in e.document.fields.parties}
    others = {
        party
        for edition in EDITIONS
        if edition.document.fields.jurisdiction in places
        for party in edition.document.fields.parties
    }
    assert named == others - {"SPD"}


def test_there_are_no_others_where_no_party_was_named() -> None:
    assert asked("Wie hoch ist die Gebühr?", "und die anderen?", "de") is None


@given(st.sampled_from(["SPD", "FDP", "Volt"]), st.sampled_from(["SPD", "FDP", "Volt"]))
def test_a_party_like_the_one_before_changes_only_the_name(first: str, then: str) -> None:
    found = asked(f"Was will {first} bei der Rente?", f"und {then}?", "de")
    assert found == f"Was will {then} bei der Rente?"


def test_a_french_topic_takes_the_place_of_the_one_before() -> None:
    found = asked("Que dit la SPD sur les jardins ?", "et pour les loyers ?", "fr")
    assert found is not None
    assert "loyers" in found
    assert "jardins" not in found


def test_a_party_beside_a_country_that_only_can_be_its_topic_is_no_follow_up() -> None:
    names = Detector(
        REGISTRY,
        [edition.document for edition in EDITIONS],
        known_places=[Jurisdiction(code="ua", name="Ukraine")],
    )
    before = ThreadContext(questions=("Was will Volt beim Mindestlohn?",), language="de")
    assert standalone("Ukraine SPD", before, names, Carried(asks=((0, 7),))) is None
    assert standalone("und SPD in der Ukraine?", before, names) is not None
    assert standalone("SPD Münster", before, names) is not None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("nein, ich meinte die SPD", "und die SPD"),
        ("Nein. Ich meinte das Klimageld!", "und das Klimageld"),
        ("quatsch, ich meinte natürlich Seemoor", "und Seemoor"),
        ("nein nein, ich wollte was zur Rente wissen", "und zur Rente"),
        ("ich meinte 2021", "und 2021"),
        ("wait, I meant the fine", "and the fine"),
        ("no, I'm talking about the deposit", "and the deposit"),
        ("non, je voulais dire un kiosque", "et un kiosque"),
        ("pardon, je pensais aux haies", "et haies"),
    ],
)
def test_who_corrects_a_question_goes_on_with_what_was_meant(question: str, expected: str) -> None:
    meant = corrected(question)
    assert meant is not None
    assert meant.follow_up == expected
    assert expected.endswith(meant.text)


@pytest.mark.parametrize(
    "question",
    [
        "nein",
        "nein danke",
        "Nein, das stimmt nicht",
        "Ich meine, dass die Grünen recht haben",
        "nein, ich meine, dass das falsch ist",
        "sorry, ich wollte nur danke sagen",
        "Entschuldigung, was sagt die SPD zur Rente?",
        "Wer ist mit „Angehörige“ gemeint?",
        "I mean, who votes for that?",
        "sorry, I wanted to thank you",
        "no, I meant it",
        "non merci",
        "pardon, combien coûte une place ?",
    ],
)
def test_other_denials_and_opinions_correct_nothing(question: str) -> None:
    assert corrected(question) is None


@pytest.mark.parametrize("again", ["{}", "{} bitte", "nochmal: {}"])
@pytest.mark.parametrize(
    "question", ["Was sagt die SPD zur Rente?", "Wie viele Brunnen bauen wir?", "mieten"]
)
def test_a_question_asked_again_takes_nothing_from_the_first_time(question: str, again: str) -> None:
    assert says_all(again.format(question.lower().rstrip("?")), question)
    assert not says_all("und die FDP?", question)


@pytest.mark.parametrize(
    ("earlier", "question", "language", "expected"),
    [
        ("Was sagt die SPD zur Rente?", "das gleiche für die fdp", "de", "Was sagt die FDP zur Rente?"),
        ("Was sagt die SPD zur Rente?", "gegenüberstellen mit fdp bitte", "de", "die SPD und die FDP"),
        ("Was sagt die SPD zur Rente?", "vergleich das mal mit fdp", "de", "die SPD und die FDP"),
        (
            "Was sagt die SPD zur Rente?",
            "steht da auch was über mieter",
            "de",
            "über mieter",
        ),
        ("Was sagt die SPD zur Rente?", "und atomkraft", "de", "atomkraft laut SPD?"),
        ("Was sagt die SPD zur Rente?", "wer zahlt das am ende", "de", "Rente? Wer zahlt das"),
        ("What does the SPD say about rents?", "same thing but for the FDP", "en", "FDP say about rents?"),
        ("What does the SPD say about rents?", "compare that with the FDP please", "en", "SPD and FDP"),
        ("What does the SPD say about rents?", "anything on farmers as well?", "en", "farmers"),
        ("Que dit la SPD sur la retraite ?", "la même chose pour le FDP", "fr", "FDP sur la retraite"),
        ("Que dit la SPD sur la retraite ?", "compare avec le FDP", "fr", "la SPD et FDP"),
    ],
)
def test_what_sounds_like_a_follow_up_goes_on_with_the_question_before(
    earlier: str, question: str, language: str, expected: str
) -> None:
    found = asked(earlier, question, language)
    assert found is not None
    assert expected in found


@pytest.mark.parametrize(
    ("question", "unasked", "others"),
    [
        ("Alle außer der AfD: Tempolimit?", ["AfD"], True),
        ("Everyone except the SPD and the AfD: what do they say?", ["SPD", "AfD"], True),
        ("tous les autres sauf le SPD", ["SPD"], True),
        ("Weder die SPD noch die AfD, sondern die FDP", ["SPD", "AfD"], False),
        ("Ni la SPD ni la AfD, mais la FDP", ["SPD", "AfD"], False),
        ("Weder die SPD noch die AfD?", [], False),
        ("Nicht die FDP, sondern die SPD: Mindestlohn?", ["FDP"], False),
        ("Et le SPD, pas la FDP : les impôts ?", ["FDP"], False),
        ("Nicht nur die SPD, auch die FDP", [], False),
        ("Hat nicht die SPD was gegen die FDP?", [], False),
        ("Was will die SPD nicht, was die FDP will?", [], False),
        ("Ist außer der SPD noch die FDP dafür?", [], False),
        ("nicht die FDP", [], False),
        ("ich meinte nicht die FDP, sondern die SPD", ["FDP"], False),
        ("nicht in FDP, in SPD", ["FDP"], False),  # as with places
    ],
)
def test_set_words_say_which_parties_are_not_asked(question: str, unasked: list[str], others: bool) -> None:
    names = [(each.start(), each.end()) for each in re.finditer("SPD|FDP|AfD", question)]
    found = with_exceptions(question, names, Carried())
    assert [question[start:end] for start, end in found.unasked] == unasked
    assert found.others is others


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Andere Frage: Was kostet ein Hund?", "Was kostet ein Hund?"),
        ("ok, mal was anderes - Mieten", "Mieten"),
        ("Different topic: what about rent?", "what about rent?"),
        ("Et autre question : les loyers ?", "les loyers ?"),
        ("Andere Frage", None),
        ("Andere Fragen regelt das Gesetz: welche?", None),
        ("Gibt es eine andere Frage, die hilft?", None),
        ("Something else the SPD wants: what?", None),
    ],
)
def test_words_for_another_topic(question: str, asked: str | None) -> None:
    assert on_another_topic(question) == asked


@pytest.mark.parametrize(
    ("rest", "before"),
    [
        *(("mal mit 2025", True), ("mit der FDP", True), ("das", True), ("it with 2013", True), ("ça", True)),
        *(("das Klima", False), ("Mieten", False), ("it policy", False), ("les salaires", False)),
    ],
)
def test_a_comparison_of_what_was_asked_before_names_no_topic(rest: str, before: bool) -> None:
    assert compares_last(rest) is before


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        ("Was sagt die SPD zum Tempolimit?", "und wer ist dagegen", "Wer ist gegen Tempolimit?"),
        ("Was sagt die SPD zum Tempolimit?", "und wer is dagegen", "Wer ist gegen Tempolimit?"),
        (
            "Was sagen die Parteien zur Wehrpflicht?",
            "nur die die dafür sind bitte",
            "Wer ist für Wehrpflicht?",
        ),
        ("What does the SPD say on nuclear power?", "anyone against it?", "Who is against nuclear power?"),
        ("Que dit le SPD sur le nucléaire ?", "et qui est contre ?", "Qui est contre nucléaire ?"),
        ("Was sagt die SPD zum Tempolimit?", "was spricht dagegen", "dagegen"),
        ("Was sagt die SPD zum Tempolimit?", "hat sie etwas dagegen getan?", "dagegen"),
    ],
)
def test_who_is_on_one_side_of_what_was_asked(earlier: str, question: str, expected: str) -> None:
    language = "en" if "What" in earlier else "fr" if "Que" in earlier else "de"
    found = asked(earlier, question, language) or ""
    assert found == expected if expected.startswith(("W", "Q")) else not found.startswith("Wer")


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        ("Was will die SPD 2013 bei der Rente?", "vergleich mal mit 2025", "2013 und 2025"),
        ("What did the SPD want in 2013 on rent?", "compare that with 2025", "2013 and 2025"),
        ("Was will die SPD bei der Rente?", "vergleich mal mit 2025", "SPD (2025)"),
    ],
)
def test_editions_are_compared(earlier: str, question: str, expected: str) -> None:
    assert expected in (asked(earlier, question, "de" if "Was" in earlier else "en") or "")


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Wie viel wollen die SPD und die AfD ausgeben?", False),
        ("SPD oder AfD?", False),
        ("Was hält die SPD von der AfD?", True),
        ("Würde die SPD mit der AfD regieren?", True),
    ],
)
def test_joined_parties_are_asked_alike_in_either_order(question: str, kept: bool) -> None:
    names = [(each.start(), each.end()) for each in re.finditer("SPD|AfD", question)]
    found = with_exceptions(question, names, Carried(unasked=(names[1],)))
    assert found.unasked == ((names[1],) if kept else ())
