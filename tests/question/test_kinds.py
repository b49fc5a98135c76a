import re

import pytest

from core.domain.search import QuestionKind
from core.question.kinds import asks_all_parties, asks_what_there_is, kind_of
from core.question.language import prevailing_language, question_language
from tests.support.search_world import EDITIONS


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which harbour rule deals with complaints under section 31?", QuestionKind.CROSS_REFERENCE),
        ("Which seat does section 31 name beside section 4?", QuestionKind.FACT),
        ("Hallo, was will die SPD beim Mindestlohn?", QuestionKind.FACT),
        ("Hilfe für Familien", QuestionKind.FACT),
        ("Mindestlohn?", QuestionKind.FACT),
        ("Wie steht Volt zur Atomkraft?", QuestionKind.FACT),
        ("Vergleiche SPD und CDU beim Mindestlohn", QuestionKind.COMPARE),
        ("What is the difference between Gujarat and Karnataka?", QuestionKind.COMPARE),
        ("Was sagen die Parteien zum Tempolimit?", QuestionKind.COMPARE),
        ("Widerspricht die Regel dem Gesetz?", QuestionKind.CONFLICT),
        ("Does rule 4 conflict with section 11?", QuestionKind.CONFLICT),
        ("Which rule implements section 4?", QuestionKind.CROSS_REFERENCE),
        ("Welche Vorschrift verweist auf § 5?", QuestionKind.CROSS_REFERENCE),
        ("Where do the rules give effect to section 13(2)?", QuestionKind.CROSS_REFERENCE),
        ("What does section 13 say about cars?", QuestionKind.FACT),
        ("Zitiere Artikel 5 Absatz 3", QuestionKind.FACT),
        ("Bitte zitiere Artikel 5", QuestionKind.FACT),
        ("Cite section 5 in full", QuestionKind.FACT),
        ("Which rules cite section 5?", QuestionKind.CROSS_REFERENCE),
        ("Which administrative fine follows a breach?", QuestionKind.PENALTY),
        ("What is the penalty for false statements?", QuestionKind.PENALTY),
        ("Wie hoch ist das Bußgeld?", QuestionKind.PENALTY),
        ("Is it fine to fish at night?", QuestionKind.FACT),
        ("Within how many days must it be paid?", QuestionKind.TEMPORAL),
        ("Welche Frist gilt?", QuestionKind.TEMPORAL),
        ("Wie lange darf man bleiben?", QuestionKind.TEMPORAL),
        ("Welche Dokumente hast du?", QuestionKind.DOCUMENT),
        ("Which documents are in the library?", QuestionKind.DOCUMENT),
        ("What documents must I submit to register?", QuestionKind.FACT),
        ("Und die SPD?", QuestionKind.FACT),
    ],
)
def test_kinds(question: str, kind: QuestionKind) -> None:
    assert kind_of(question) is kind


@pytest.mark.parametrize(
    ("question", "all_of_them"),
    [
        ("Was sagen die Parteien zum Tempolimit?", True),
        ("What do all the parties say about tolls?", True),
        ("Que disent les partis sur les loyers ?", True),
        ("Was sagen die Parteien dazu?", False),
        ("Vergleiche die Gebühren", False),
        ("What do the parties have to sign?", False),
        ("Welche Partei will ein Tempolimit?", False),
    ],
)
def test_who_asks_all_parties(question: str, all_of_them: bool) -> None:
    assert asks_all_parties(question) is all_of_them


def test_follow_ups_need_a_thread() -> None:
    assert kind_of("Und die SPD?", in_thread=True) is QuestionKind.FOLLOW_UP
    assert kind_of("Und was will die SPD bei der Rente für alle Selbstständigen tun?", in_thread=True) is (
        QuestionKind.FACT
    )


@pytest.mark.parametrize(
    "question",
    [
        "What happens if he does not?",
        "What if they refuse?",
        "Who decides?",
        "Is he allowed to sell before?",
        "Was passiert, wenn er das nicht macht?",
        "Was passiert dann?",
        "Wer zahlt das denn?",
        "Wie hoch soll das sein?",
        "Wie hoch darf es sein?",
        "Steht da auch was zu Haustieren?",
        "gilt das auch für Azubis?",
        "seit wann gilt das so?",
        "muss ich das zahlen?",
        "Kann man das in Raten zahlen?",
        "auch für Tarifbeschäftigte?",
        "gibt es da Ausnahmen?",
        "Gibt es einen Höchstbetrag?",
        "das gleiche nochmal für die CDU",
        "steht bei denen auch was zu den Preisen",
        "is it paid at a higher rate",
        "does it say anything about parents?",
        "is that also for plots?",
        "are there exemptions?",
        "is there a fine?",
        "c'est valable à partir de quand ?",
        "y a-t-il des exceptions ?",
        "Qu'est-ce qui se passe sinon ?",
        "S'ils ne paient pas ?",
    ],
)
def test_a_question_with_nothing_of_its_own_needs_the_one_before(question: str) -> None:
    assert kind_of(question, in_thread=True) is QuestionKind.FOLLOW_UP


@pytest.mark.parametrize(
    "question",
    [
        "What happens if the flat is late?",
        "Who pays the stamp duty?",
        "Was passiert, wenn die Wohnung zu spät fertig wird?",
        "Wer zahlt die Grundsteuer?",
        "Was ist, wenn es brennt?",
        "Was will das BSW bei der Rente?",
        "Wer hat das Amt des Präsidenten?",
        "Ab wann gilt das neue Gesetz?",
        "Gibt es einen Mindestlohn?",
        "Was kostet das Deutschlandticket?",
        "wann kommt das bürgergeld weg",
        "Is it legal to sell a flat?",
        "Is there a minimum wage in Germany?",
        "Are there fees for registering agents?",
        "C'est quoi le salaire minimum ?",
        "Que se passe-t-il si le logement est en retard ?",
    ],
)
def test_a_whole_question_stands_by_itself_in_a_thread(question: str) -> None:
    assert kind_of(question, in_thread=True) is not QuestionKind.FOLLOW_UP


@pytest.mark.parametrize(
    ("question", "fallback", "language"),
    [
        ("Wie steht die Partei zur Atomkraft?", "en", "de"),
        ("Does the party support nuclear power?", "de", "en"),
        ("CO2?", "de", "de"),
        ("CO2?", "en", "en"),
        ("minimum wage", "de", "en"),
        ("rent control", "de", "en"),
        ("abortion", "de", "en"),
        ("Referendum", "de", "de"),
        ("Tempolimit", "en", "de"),
        ("Rente", "en", "de"),
        ("Hundesteuer", "en", "de"),
        ("xqzt", "fr", "fr"),
        ("hallo", "en", "de"),
        ("ja", "en", "de"),
        ("Danke!", "fr", "de"),
        ("salut", "de", "fr"),
        ("merci", "de", "fr"),
        ("ok merci beaucoup", "de", "fr"),
        ("thanks", "de", "en"),
        ("hi", "de", "de"),
        ("hi", "en", "en"),
    ],
)
def test_language_of_questions(question: str, fallback: str, language: str) -> None:
    assert question_language(question, fallback) == language


@pytest.mark.parametrize("name", ["Uferpartei", "Lighthouse List", "Zeig dich", "Vergleich der Völker"])
def test_the_name_of_a_party_does_not_decide_the_kind(name: str) -> None:
    question = f"Wie viele Lehrer verspricht {name} in ihrem Programm?"
    start = question.index(name)
    assert kind_of(question, names=[(start, start + len(name))]) is QuestionKind.FACT


@pytest.mark.parametrize("name", ["Uferpartei", "Lighthouse List", "People for a Better Life on the Sea"])
def test_the_name_of_a_party_does_not_decide_the_language(name: str) -> None:
    question = f"Wann wollte die {name} raus aus der Kohle?"
    start = question.index(name)
    assert question_language(question, "??", [(start, start + len(name))]) == "de"


def test_most_documents_decide_a_doubtful_language() -> None:
    assert prevailing_language(EDITIONS) == "de"
    assert prevailing_language([]) == "en"


_WHAT_THERE_IS = (
    *("habt ihr auch was zu @?", "Wahlprogramme @ 2014", "@?", "was gibts alles zu @ bei dir"),
    *("do you have @", "do you have anything on @?", "@ rules?", "is there anything from @ in the library"),
    *("vous avez des documents sur @ ?", "@ ?", "y a-t-il quelque chose sur @ ?"),
)
_ON_A_TOPIC = (
    *("was gibts zu Hunden in @?", "habt ihr was zur Rente in @", "@ Tempolimit", "Regeln in @ für Makler?"),
    *("@ rules on interest?", "do you have to register in @", "is there a limit in @", "why @?"),
    *("et pour @, l'encadrement des loyers ?", "que dit @ ?", "@ und @"),
)


@pytest.mark.parametrize("said", [*_WHAT_THERE_IS, *_ON_A_TOPIC])
def test_a_place_alone_or_with_words_for_documents_asks_what_there_is(said: str) -> None:
    question = said.replace("@", "Gujarat")
    places = [found.span() for found in re.finditer("Gujarat", question)]
    assert asks_what_there_is(question, places) is (said in _WHAT_THERE_IS)
