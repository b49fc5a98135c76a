"""Who wants a thing, and who does not, as their sentences show it."""

import unicodedata

import pytest

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.use import UseEmbedder
from core.answering.stances import StanceReader, as_named, may_show, names, of_sentence, stance
from core.domain.answers import Answer
from core.domain.documents import DocumentType
from core.language.terms import terms
from core.question.usual_words import said_alike
from core.question.who import Stance, asked_for, thing_asked
from tests.answering.test_others_too import ask, world
from tests.support.encoders import models_dir

FOR, AGAINST, UNKNOWN = Stance.FOR, Stance.AGAINST, Stance.UNKNOWN


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("Wer will Vermögensteuer?", "de", FOR),
        ("Wer will die Wehrpflicht zurück?", "de", FOR),
        ("Welche Parteien fordern ein Tempolimit?", "de", FOR),
        ("Welche Partei ist für ein Tempolimit?", "de", FOR),
        ("Wer ist gegen die Vermögensteuer?", "de", AGAINST),
        ("Wer lehnt die Vermögensteuer ab?", "de", AGAINST),
        ("Wer will die Vermögensteuer abschaffen?", "de", AGAINST),
        ("Wer will keine Wehrpflicht?", "de", AGAINST),
        ("Who wants a wealth tax?", "en", FOR),
        ("Which parties oppose a wealth tax?", "en", AGAINST),
        ("Who supports conscription?", "en", FOR),
        ("Qui veut un impôt sur la fortune ?", "fr", FOR),
        ("Quels partis sont contre la taxe ?", "fr", AGAINST),
        ("Was kostet die Vermögensteuer?", "de", UNKNOWN),
        ("Wie hoch soll der Mindestlohn sein?", "de", UNKNOWN),
        ("Wer zahlt Vermögensteuer?", "de", UNKNOWN),
        ("Who pays the tax?", "en", UNKNOWN),
        ("Who is responsible for the tax?", "en", UNKNOWN),
        ("Wer ist für die Vermögensteuer zuständig?", "de", UNKNOWN),
        ("Qui est responsable de la taxe ?", "fr", UNKNOWN),
        ("Welche Partei will den Flughafen schließen?", "de", AGAINST),
        ("Wer will den Flughafen ausbauen?", "de", FOR),
        ("Wer will den Flughafen verlegen?", "de", UNKNOWN),
        ("Wer will den Flughafen erhalten?", "de", FOR),
        ("Wer will Feuerwerk verbieten?", "de", AGAINST),
        ("Wer fordert ein Verbot von Feuerwerk?", "de", AGAINST),
        ("Wer ist gegen ein Verbot von Feuerwerk?", "de", FOR),
        ("Wer will das Verbot von Feuerwerk aufheben?", "de", FOR),
        ("Wer will Feuerwerk erlauben?", "de", FOR),
        ("Wer will die Schiffe aus dem Hafen abziehen?", "de", AGAINST),
        ("Who wants to ban fireworks?", "en", AGAINST),
        ("Qui veut interdire la chasse ?", "fr", AGAINST),
        ("Wer will einen Vertrag schließen?", "de", UNKNOWN),
        ("Which party wants to close the airport?", "en", AGAINST),
        ("Which party wants to rename the airport?", "en", UNKNOWN),
        ("Quel parti veut fermer la gare ?", "fr", AGAINST),
        ("Welche Partei will die Steuern senken?", "de", AGAINST),
        ("Wer will die Steuer senken oder abschaffen?", "de", AGAINST),
        ("Wer will den Mindestlohn erhöhen?", "de", FOR),
        ("Wer lehnt eine Erhöhung der Steuer ab?", "de", AGAINST),
        ("Wer lehnt eine Rückkehr zur Pferdepost ab?", "de", AGAINST),
        ("Which party wants to raise the tax?", "en", FOR),
        ("Quel parti veut baisser la taxe ?", "fr", AGAINST),
    ],
)
def test_who_is_asked_for(question: str, language: str, expected: Stance) -> None:
    assert asked_for(question, language) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Wir führen die Vermögensteuer wieder ein.", FOR),
        ("Wir fordern eine Vermögensteuer.", FOR),
        ("Wir wollen die Vermögenssteuer einführen.", FOR),
        ("Die Abschaffung der Vermögensteuer lehnen wir ab.", FOR),
        ("Wir werden die Vermögensteuer nicht abschaffen.", FOR),
        ("Eine Vermögensteuer lehnen wir ab.", AGAINST),
        ("Die Wiedereinführung der Vermögensteuer lehnen wir ab.", AGAINST),
        ("Wir sind gegen eine Vermögensteuer.", AGAINST),
        ("Wir wollen die Vermögensteuer abschaffen.", AGAINST),
        ("Wir schaffen die Vermögensteuer ab.", AGAINST),
        ("Wir werden keine Vermögensteuer einführen.", AGAINST),
        ("Die Vermögensteuer wurde 1997 abgeschafft.", UNKNOWN),
        ("Die Vermögensteuer ist eine Steuer der Länder.", UNKNOWN),
        ("Wir wollen die Vermögensteuer reformieren.", UNKNOWN),
        ("Wollen wir die Vermögensteuer einführen?", UNKNOWN),
        ("Wir wollen die Grunderwerbsteuer abschaffen, die Vermögensteuer bleibt ein Thema.", UNKNOWN),
        ("Andere sagen: „Wir fordern eine Vermögensteuer.“", UNKNOWN),
        ("Wenn wir die Vermögensteuer einführen, dann später.", UNKNOWN),
        ("Wir fordern eine Vermögensteuerreform.", UNKNOWN),
        ("Wir streichen Ausnahmen bei der Vermögensteuer.", UNKNOWN),
        ("Wir bekämpfen den Missbrauch der Vermögensteuer.", UNKNOWN),
        ("Wir fordern Ausnahmen von der Vermögensteuer.", UNKNOWN),
        ("Wir unterstützen Kommunen bei der Vermögensteuer.", UNKNOWN),
        ("Wir schaffen Ausnahmen von der alten Vermögensteuer ab.", UNKNOWN),
        ("Wir fordern die Einführung einer neuen Vermögensteuer.", FOR),
        ("Wir fordern mehr Personal für die Vermögensteuer.", UNKNOWN),
        ("Wir setzen uns für eine Vermögensteuer ein.", FOR),
        ("Wir werden die Vermögensteuer auf Betriebe streichen.", UNKNOWN),
        ("Wir lehnen es ab, die Vermögensteuer einzuführen.", UNKNOWN),
        ("SPD und Grüne fordern eine Vermögensteuer.", UNKNOWN),
        ("Andere Parteien fordern, dass die Vermögensteuer eingeführt werden soll.", UNKNOWN),
        ("Die Uferpartei fordert eine Vermögensteuer.", FOR),
        ("Die Vermögensteuer soll wieder eingeführt werden.", FOR),
        ("Wir fordern, dass die Vermögensteuer wieder eingeführt wird.", FOR),
        ("Wir fordern eine Vermögensteuer. Die Vermögensteuer lehnen wir ab.", UNKNOWN),
    ],
)
def test_how_a_sentence_stands_to_a_thing(sentence: str, expected: Stance) -> None:
    assert stance(sentence, terms("Vermögensteuer", "de"), "de", ("Uferpartei",)) is expected


@pytest.mark.parametrize(
    ("sentence", "language", "topic", "expected"),
    [
        ("We will introduce a wealth tax.", "en", "wealth tax", FOR),
        ("We oppose a wealth tax.", "en", "wealth tax", AGAINST),
        ("We will abolish the wealth tax.", "en", "wealth tax", AGAINST),
        ("We will abolish wealth tax loopholes.", "en", "wealth tax", UNKNOWN),
        ("We oppose the abuse of the wealth tax.", "en", "wealth tax", UNKNOWN),
        ("We oppose the abolition of the wealth tax.", "en", "wealth tax", FOR),
        ("We will end exemptions from the wealth tax.", "en", "wealth tax", UNKNOWN),
        ("Nous refusons les abus de la taxe.", "fr", "taxe", UNKNOWN),
        ("The wealth tax is levied by the states.", "en", "wealth tax", UNKNOWN),
        ("Nous voulons supprimer la taxe.", "fr", "taxe", AGAINST),
        ("Nous voulons rétablir la taxe.", "fr", "taxe", FOR),
        ("La taxe est perçue par les communes.", "fr", "taxe", UNKNOWN),
    ],
)
def test_other_languages(sentence: str, language: str, topic: str, expected: Stance) -> None:
    assert stance(sentence, terms(topic, language), language) is expected


def texts(**said: str) -> dict[str, str]:
    return {name: f"Steuern\n\n{text}" for name, text in said.items()}


BOTH = texts(
    Uferpartei="Eine Vermögensteuer lehnen wir ab, weil sie den Betrieben im Land schadet.".replace(
        ", weil", " –"
    ),
    Windmüller="Wir fordern eine Vermögensteuer auf alle großen Vermögen im ganzen Land.",
    Moorbund="Die Vermögensteuer ist eine alte Steuer auf die großen Vermögen im Land.",
)


def told(answer: Answer) -> dict[str, str]:
    return {
        notice.key.removeprefix("notice.stance."): notice.values.get("name", "")
        for notice in answer.notices
        if notice.key.startswith("notice.stance.")
    }


@pytest.mark.parametrize(
    ("question", "asked", "opposite"),
    [
        ("Wer will eine Vermögensteuer?", "Windmüller", "Uferpartei"),
        ("Welche Partei ist gegen die Vermögensteuer?", "Uferpartei", "Windmüller"),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
async def test_who_does_and_who_does_not_is_named(
    question: str, asked: str, opposite: str, swapped: bool
) -> None:
    other = {"Uferpartei": "Windmüller", "Windmüller": "Uferpartei"} if swapped else {}
    made = await world({other.get(name, name): text for name, text in BOTH.items()}, citations=3)
    answer = await ask(made, question)
    assert told(answer) == {
        "asked": other.get(asked, asked),
        "opposite": other.get(opposite, opposite),
        "unknown": "Moorbund",
    }
    quoted = [item.edition.document.fields.parties[0] for item in answer.citations]
    assert quoted == [other.get(asked, asked), other.get(opposite, opposite), "Moorbund"]


async def test_where_nobody_does_that_is_said() -> None:
    made = await world({name: text for name, text in BOTH.items() if name != "Windmüller"}, citations=3)
    assert told(await ask(made, "Wer will eine Vermögensteuer?")) == {
        "opposite": "Uferpartei",
        "unknown": "Moorbund",
    }
    made = await world({"Uferpartei": BOTH["Uferpartei"]}, citations=3)
    assert told(await ask(made, "Wer will eine Vermögensteuer?")) == {"nobody": "", "opposite": "Uferpartei"}


async def test_nothing_was_found_only_of_those_whose_papers_lack_the_words() -> None:
    others = texts(
        Moorbund="Von der Erbschaftsteuer und der Vermögensteuer reden heute alle im Land.",
        Hafenliste="Der Hafen braucht neue Kräne und eine tiefere Rinne für alle großen Schiffe.",
    )
    made = await world({"Uferpartei": BOTH["Uferpartei"], **others}, citations=1)
    found = told(await ask(made, "Wer lehnt die Vermögensteuer ab?"))
    assert found["asked"] == "Uferpartei"
    assert found["silent"] == "Hafenliste"


@pytest.mark.parametrize(
    "sentence",
    [
        "Zur Vermögensteuer haben wir keine gemeinsame Haltung.",
        "Über die Vermögensteuer haben wir uns nicht geeinigt.",
        "Bei der Vermögensteuer sind wir uneins.",
    ],
)
async def test_who_has_no_view_stands_nowhere(sentence: str) -> None:
    topic = terms("Vermögensteuer", "de")
    assert stance(sentence, topic, "de") is UNKNOWN
    assert not may_show(sentence, topic, "de", ())


async def test_nothing_is_said_where_nobody_is_asked_for() -> None:
    assert told(await ask(await world(BOTH, citations=3), "Wie hoch soll die Vermögensteuer sein?")) == {}


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("Welche Parteien fordern die Abschaffung der Vermögensteuer?", "de", "Vermögensteuer"),
        ("Wer lehnt die Vermögensteuer ab?", "de", "Vermögensteuer"),
        ("Wer lehnt eine Rückkehr zur Pferdepost ab?", "de", "Pferdepost"),
        ("Who wants to raise the harbour tax?", "en", "harbour tax"),
        ("Wer fordert ein Verbot von Feuerwerk?", "de", "Feuerwerk"),
        ("Who wants a wealth tax?", "en", "wealth tax"),
        ("Which parties oppose a wealth tax?", "en", "wealth tax"),
        ("Who wants to abolish the wealth tax?", "en", "wealth tax"),
        ("Qui veut une taxe ?", "fr", "taxe"),
    ],
)
def test_the_thing_alone_is_the_topic(question: str, language: str, expected: str) -> None:
    assert terms(thing_asked(question, language), language) == terms(expected, language)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wer fordert einen niedrigeren Mindestlohn?", "de"),
        ("Wer will höhere Steuern?", "de"),
        ("Wer will mehr Windräder?", "de"),
        ("Who wants stricter border controls?", "en"),
        ("Qui veut plus de contrôles ?", "fr"),
    ],
)
def test_who_wants_more_or_less_of_a_thing_is_not_told_from_who_wants_it(
    question: str, language: str
) -> None:
    assert asked_for(question, language) is Stance.UNKNOWN


READER = StanceReader((E5Embedder(models_dir()), UseEmbedder(models_dir())))


@pytest.mark.parametrize(
    ("sentence", "language", "topic", "expected"),
    [
        ("Wir wollen ein Stadttempo von 30 km/h in allen Orten.", "de", "Stadttempo", 1),
        ("Wir stehen zur Pflegekammer.", "de", "Pflegekammer", 1),
        ("Wir schaffen das Bootsgesetz der Regierung wieder ab.", "de", "Bootsgesetz", -1),
        ("Das Bootsgesetz gilt seit vielen Jahren in allen Häfen.", "de", "Bootsgesetz", 0),
        ("Wir wollen das Bootsgesetz vereinfachen.", "de", "Bootsgesetz", 0),
        ("We are against a harbour tax.", "en", "harbour tax", -1),
        ("The harbour tax applies to many people.", "en", "harbour tax", 0),
        ("Nous voulons supprimer la taxe portuaire.", "fr", "taxe portuaire", -1),
        (
            "Zölle, den Umbau der Ufer und eine allgemeine Bootspflicht lehnen wir ab.",
            "de",
            "Bootspflicht",
            -1,
        ),
        ("Abschaffung der Bootspflicht: Die Bootspflicht wird abgeschafft.", "de", "Bootspflicht", -1),
        ("Die Bootspflicht wollen wir durch eine freie Wahl ersetzen.", "de", "Bootspflicht", -1),
        ("Die Bootspflicht muss rückgängig gemacht werden.", "de", "Bootspflicht", -1),
        ("Wir kämpfen weiter für eine echte Bootspflicht.", "de", "Bootspflicht", 1),
        ("Es gibt eine Abgabe ohne Lücken oder eine nationale Bootspflicht.", "de", "Bootspflicht", 0),
        ("Damit soll die Bootspflicht den alten Zoll ersetzen.", "de", "Bootspflicht", 0),
        ("Alles würde verschwinden – darunter die Bootspflicht, der Zoll und mehr.", "de", "Bootspflicht", 0),
        ("Eine Erhöhung der Bootssteuer lehnen wir ab.", "de", "Bootssteuer", 0),
        ("Wir wollen das Taschengeld erhalten und alle Verbote zurücknehmen.", "de", "Taschengeld", 0),
    ],
)
async def test_what_the_head_reads(sentence: str, language: str, topic: str, expected: int) -> None:
    assert await READER.stance(sentence, terms(topic, language), language) == expected


@pytest.mark.parametrize(
    ("text", "thing", "named"),
    [
        ("Wir schaffen den Soli ab.", "Solidaritätszuschlag", True),
        ("Weg mit dem Rest-Soli!", "Soli", True),
        ("Wir fordern einen Energie-Soli.", "Soli", False),
        ("Wir fordern eine Hafen-Steuer.", "Steuer", False),
        ("Das Boots-Verbot muss weg.", "Bootsverbot", True),
        ("Das Boots- Verbot muss weg.", "Bootsverbot", True),
        ("Das sogenannte „Bootsgeld“ ist falsch.", "Bootsgeld", True),
        ("Wir steigen wieder in die Kernenergie ein.", "Atomkraft", True),
        ("Wir wollen 100 Milliarden Taler bereitstellen.", "Taler", False),
        ("Wir wollen einen Hafenzoll von 15 Talern.", "Taler", False),
        ("Wir wollen den Taler behalten.", "Taler", True),
    ],
)
def test_a_thing_is_named_by_all_that_means_the_same_and_by_nothing_else(
    text: str, thing: str, named: bool
) -> None:
    topic = terms(said_alike(thing, "de"), "de")
    assert names(topic, as_named(text, topic, "de"), "de") is named


@pytest.mark.parametrize(
    ("sentence", "topic"),
    [
        ("Wir verdoppeln die Kernzone auf 160 Quadratkilometer.", "16"),
        ("Wir zahlen 1.500 Euro.", "1"),
    ],
)
def test_the_beginning_of_a_figure_names_nothing(sentence: str, topic: str) -> None:
    assert of_sentence(sentence, terms(topic, "de"), "de", []) is None


def test_letters_written_as_letter_and_accent_are_read() -> None:
    written = unicodedata.normalize("NFD", "Die Vermögensteuer lehnen wir ab.")
    topic = terms("Vermögensteuer", "de")
    assert of_sentence(written, topic, "de", []) is None
    assert of_sentence(as_named(written, topic, "de"), topic, "de", []) is AGAINST


def test_quotation_marks_round_the_thing_alone_are_nobody_elses_words() -> None:
    topic = terms("Bootsgeld", "de")
    said = as_named("Wir schaffen das sogenannte „Bootsgeld“ ab.", topic, "de")
    assert stance(said, topic, "de") is AGAINST


def test_what_is_wanted_for_a_thing_is_not_the_thing() -> None:
    said = "Die Streichung der Hilfe für Bootsdiesel wollen wir beenden."
    assert not may_show(said, terms("Bootsdiesel", "de"), "de", ())


NAMES = (
    "SPD",
    "CDU/CSU",
    "Die Linke",
    "Bündnis 90/Die Grünen",
    "dieBasis",
    "Volt",
    "Die PARTEI",
    "Freie Wähler",
)


@pytest.mark.parametrize(
    "sentence", ["{} lehnt Zölle und eine Bootspflicht ab.", "{} will eine Bootspflicht für alle."]
)
async def test_whoever_says_it_is_read_alike(sentence: str) -> None:
    topic = terms("Bootspflicht", "de")
    read = {await READER.stance(sentence.format(name), topic, "de", (name,)) for name in NAMES}
    ruled = {stance(sentence.format(name), topic, "de", (name,)) for name in NAMES}
    shown = {may_show(sentence.format(name), topic, "de", (name,)) for name in NAMES}
    assert (len(read), len(ruled), shown) == (1, 1, {True})


async def test_without_its_encoders_the_head_reads_nothing() -> None:
    assert await StanceReader().stance("Wir sind gegen X.", terms("X", "de"), "de") == 0


@pytest.mark.parametrize(
    "sentence",
    [
        "Andere fordern, dass die Vermögensteuer kommt.",
        "Wollen wir die Vermögensteuer?",
        "Wenn die Vermögensteuer kommt, gilt sie befristet.",
        "Wir sorgen für mehr Ordnung bei der Vermögensteuer.",
    ],
)
def test_what_shows_nothing_is_not_asked_of_the_head(sentence: str) -> None:
    assert not may_show(sentence, terms("Vermögensteuer", "de"), "de", ("Uferpartei",))


async def test_a_sentence_beside_it_that_shows_nothing_takes_nothing_away() -> None:
    both = texts(
        Uferpartei="Wir fordern eine Vermögensteuer. Die Vermögensteuer trifft die großen Vermögen im Land.",
        Moorbund="Die Boote im Hafen brauchen einen festen Steg und viel Licht in der Nacht.",
    )
    assert told(await ask(await world(both), "Wer will eine Vermögensteuer?")) == {
        "asked": "Uferpartei",
        "silent": "Moorbund",
    }


async def test_another_thing_that_ends_with_its_name_is_not_wanted() -> None:
    both = texts(
        Uferpartei="Wir wollen den alten Soli endlich und sofort abschaffen.",
        Moorbund="Wir wollen den alten Energie-Soli endlich und sofort abschaffen.",
    )
    found = told(await ask(await world(both, citations=3), "Wer will den Soli abschaffen?"))
    assert found["asked"] == "Uferpartei"


async def test_a_statute_wants_nothing() -> None:
    made = await world(texts(Moorbund="Die Boote im Hafen brauchen einen festen Steg."))
    await made.add(
        "gesetz.pdf",
        "Steuern\n\nDie Vermögensteuer steht den Ländern zu. Der Bund erhebt keine Vermögensteuer.",
        jurisdiction="xv",
        doc_type=DocumentType.ACT,
    )
    answer = await ask(made, "Wer will die Vermögensteuer zurück?")
    assert all(item.edition.document.fields.parties for item in answer.citations)


async def test_who_wants_more_of_a_thing_is_not_told_from_who_wants_it() -> None:
    more = texts(Hafenliste="Wir werden die Vermögensteuer deutlich erhöhen, damit alle etwas davon haben.")
    answer = await ask(await world({**BOTH, **more}, citations=4), "Wer will die Vermögensteuer erhöhen?")
    assert told(answer) == {
        "asked": "Hafenliste",
        "opposite": "Uferpartei",
        "unknown": "Moorbund, Windmüller",
    }


@pytest.mark.parametrize(
    ("sentence", "language", "topic", "expected"),
    [
        ("Wir wollen den Hafenzoll auf 15 Taler anheben.", "de", "Hafenzoll", FOR),
        ("Der Hafenzoll muss auf 15 Taler steigen.", "de", "Hafenzoll", FOR),
        ("Hafenzoll auf null senken!", "de", "Hafenzoll", AGAINST),
        ("Wir werden den Hafenzoll senken.", "de", "Hafenzoll", AGAINST),
        ("Eine Erhöhung des Hafenzolls lehnen wir ab.", "de", "Hafenzoll", AGAINST),
        ("Wir wollen den Hafenzoll abschaffen.", "de", "Hafenzoll", AGAINST),
        ("Wir wollen den Hafenzoll behalten.", "de", "Hafenzoll", UNKNOWN),
        ("Wir fordern einen Hafenzoll.", "de", "Hafenzoll", UNKNOWN),
        ("Wir fordern die Senkung des Hafenzolls für kleine Boote.", "de", "Hafenzoll", UNKNOWN),
        ("Ein Rat soll Empfehlungen zur Erhöhung des Hafenzolls geben.", "de", "Hafenzoll", UNKNOWN),
        ("Wir haben den Hafenzoll erhöht.", "de", "Hafenzoll", UNKNOWN),
        ("Wir wollen die Ausgaben senken, die der Hafenzoll deckt.", "de", "Hafenzoll", UNKNOWN),
        ("We will raise the harbour tax.", "en", "harbour tax", FOR),
        ("We want to cut the harbour tax.", "en", "harbour tax", AGAINST),
        ("Nous voulons baisser la taxe portuaire.", "fr", "taxe portuaire", AGAINST),
    ],
)
def test_who_wants_a_thing_to_be_more_or_less(
    sentence: str, language: str, topic: str, expected: Stance
) -> None:
    assert of_sentence(sentence, terms(topic, language), language, (), amount=True) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ein Stadttempo auf Hauptstraßen lehnen wir ab.", 0),
        ("Wir sind gegen ein Stadttempo auf den großen Straßen im Land.", 0),
        ("Wir lehnen ein generelles Stadttempo auf Hauptstraßen strikt ab.", -1),
        ("Ein Stadttempo lehnen wir überall im Land ab.", -1),
    ],
)
async def test_who_rejects_a_part_of_a_thing_is_not_said_to_reject_it(sentence: str, expected: int) -> None:
    topic = terms("Stadttempo", "de")
    ruled = of_sentence(sentence, topic, "de", ())
    assert (ruled or await READER.stance(sentence, topic, "de")) == expected


@pytest.mark.parametrize(
    ("topic", "named"), [("Taler", False), ("digitaler Taler", True), ("digitaler Hafen", False)]
)
def test_a_thing_of_another_kind_is_another_thing(topic: str, named: bool) -> None:
    sentence = "Wir lehnen den digitalen Taler ab."
    assert names(terms(topic, "de"), sentence, "de") is named


@pytest.mark.parametrize("question", ["Wer will die Häfen ausbauen?", "Who wants to expand the harbours?"])
def test_who_wants_to_expand_a_thing_wants_it(question: str) -> None:
    assert asked_for(question, "de" if "Wer" in question else "en") is FOR
