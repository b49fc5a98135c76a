"""Which sentences are about a topic."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.answering.extractive.extracts import Extract
from core.answering.extractive.naming import LEAST, Naming
from core.answering.extractive.naming import naming as naming_of
from core.answering.extractive.sentences import Extractor
from core.answering.reports.sides import FoundSentence, SideSearch, answers, best_first
from core.domain.scope import Scope
from core.domain.search import Hit
from core.question.parsed import nameless
from core.question.subject import Subject
from core.search.scope import Group
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_reader import FakeReader
from tests.support.questions import subject
from tests.support.search_world import EDITIONS, edition, passage, world

OF = edition("programme")


def stretch(text: str, similarity: float = 0.3, heading: str = "") -> Extract:
    shown = replace(passage(OF, 0, text), heading=heading)
    hit = Hit(passage=shown, edition=OF, score=1.0, found_by=("dense",))
    return Extract(hit=hit, start=0, end=len(text), score=0.0, similarity=similarity, overlap=0.0)


@pytest.mark.parametrize(
    ("content", "text", "naming"),
    [
        ("Mindestlohn", "Der Mindestlohn steigt.", Naming.WHOLE),
        ("Mindestlohn", "Die Mindestlohnkommission entscheidet.", Naming.WHOLE),
        ("Mindestlohn", "Die Löhne müssen steigen.", Naming.NOT),
        ("Pelztierhaltung", "Wir verbieten die Einfuhr von Pelzen.", Naming.BEGUN),
        ("Pelztierhaltung", "Die Tierhaltung braucht mehr Platz.", Naming.NOT),
        ("Hundesteuer", "Die Steuern werden einfacher.", Naming.NOT),
        ("Was sagen die Parteien zur Wehrpflicht?", "Der neue Wehrdienst ist freiwillig.", Naming.WHOLE),
        ("Kernkraft (Atomkraft)", "Die Atomkraft hat keine Zukunft.", Naming.WHOLE),
        ("Kernkraft (Atomkraft)", "Der Rückbau der Kernenergie-Anlagen wird gestoppt.", Naming.WHOLE),
        ("Waffenlieferungen an die Ukraine", "Die Ukraine verteidigt sich.", Naming.PARTLY),
        ("Recht auf Reparatur", "Der Reparaturbonus bleibt.", Naming.PARTLY),
        ("Recht auf Reparatur", "Das Atomrecht wird einfacher.", Naming.NOT),
        ("Waffenlieferungen an die Ukraine", "Waffenlieferungen in die Ukraine enden.", Naming.WHOLE),
        ("Wehrpflicht an Schulen in Polen", "Der neue Wehrdienst ist freiwillig.", Naming.NOT),
    ],
)
def test_how_a_stretch_names_a_topic(content: str, text: str, naming: Naming) -> None:
    assert naming_of(subject(content), stretch(text)) is naming


def test_a_heading_names_the_topic_of_what_stands_under_it() -> None:
    assert (
        naming_of(subject("Mindestlohn"), stretch("Er soll steigen.", heading="Mindestlohn")) is Naming.WHOLE
    )


@pytest.mark.parametrize(
    ("content", "heading", "text", "naming"),
    [
        (
            "Klimaschutz",
            "Programm › Klima schützen, Küste sichern",
            "Bis 2038 soll es so sein.",
            Naming.HEADED,
        ),
        ("Wohnungsbau", "Programm › Mehr Wohnungen bauen", "Dafür gründen wir etwas.", Naming.HEADED),
        ("Mindestlohn", "Programm › Mindestlohn › Ausnahmen", "Er soll steigen.", Naming.WHOLE),
        ("Hundesteuer", "Programm › Gerechte Steuern", "Starke Schultern tragen mehr.", Naming.NOT),
        ("Hundesteuer", "Hundesteuer", "Starke Schultern tragen mehr.", Naming.WHOLE),
    ],
)
def test_what_stands_right_under_a_heading_of_that_name_is_about_it(
    content: str, heading: str, text: str, naming: Naming
) -> None:
    assert naming_of(subject(content), stretch(text, heading=heading)) is naming


def test_a_heading_that_the_passage_prints_names_what_follows_it() -> None:
    printed = "Gerechte Steuern\nStarke Schultern tragen mehr."
    whole = stretch(printed, heading="Programm")
    below = replace(whole, start=printed.index("Starke"))
    assert naming_of(subject("Steuern"), below) is Naming.HEADED
    assert naming_of(subject("Steuern"), replace(whole, start=0, end=0, parts=((0, 5),))) is not Naming.HEADED


@pytest.mark.parametrize(("similarity", "naming"), [(0.3, Naming.WHOLE), (0.1, Naming.PARTLY)])
def test_a_longer_word_far_from_the_topic_may_mean_another_thing(similarity: float, naming: Naming) -> None:
    text = "Wer Flächen abgibt, erhält das Anderthalbfache des Verkehrswertes."
    assert naming_of(subject("Verkehr"), stretch(text, similarity)) is naming


def test_a_slogan_under_its_heading_says_nothing() -> None:
    slogan = FoundSentence(
        extract=stretch("Wohnen ist kein Luxus.", heading="Programm › Wohnen"),
        confidence=0.9,
        read=5.0,
        naming=Naming.HEADED,
    )
    assert not answers(slogan, subject("Wohnen"))


def test_a_topic_said_in_the_words_of_documents_is_named_by_them() -> None:
    text = "Wir wollen Schwangerschaftsabbrüche außerhalb des Strafrechts regeln."
    assert naming_of(subject("Schwangerschaftsabbruch", "en", said="abortion"), stretch(text)) is Naming.WHOLE
    other = naming_of(subject("Die Abtreibung", "en"), stretch(text))
    assert other is Naming.NOT  # in words of another language, that only look alike


@pytest.mark.parametrize("naming", list(Naming))
def test_the_less_a_stretch_names_the_more_the_reader_has_to_say(naming: Naming) -> None:
    extract = stretch("Wir wollen, dass er in drei Jahren auf fünfzehn Taler steigt.")
    wage = subject("Mindestlohn")
    found = FoundSentence(extract=extract, confidence=0.6, read=LEAST[naming], naming=naming)
    assert answers(found, wage)
    assert not answers(replace(found, read=LEAST[naming] - 0.1), wage)
    assert all(LEAST[less] > LEAST[naming] for less in Naming if less < naming)


def test_what_names_the_topic_stands_first_else_in_its_order() -> None:
    def found(naming: Naming, read: float | None = 1.0) -> FoundSentence:
        text = f"Ein Satz, der {naming} heißt."
        return FoundSentence(extract=stretch(text), confidence=0.6, read=read, naming=naming)

    one, two, three = found(Naming.NOT), found(Naming.WHOLE), found(Naming.NOT, 4.0)
    wage = subject("Mindestlohn")
    assert best_first([one, two, three], wage) == [two, one, three]
    unread = [replace(each, read=None) for each in (one, two, three)]
    assert best_first(unread, wage) == unread


@pytest.mark.parametrize(
    ("clearer", "other"),
    [
        ("Einen politischen Hafenzoll lehnen wir ab.", "Wir stehen zur Arbeit der Hafenzollkommission."),
        ("Wir wollen den Hafenzoll auf 15 Taler erhöhen.", "Der Hafenzoll muss immer gerecht sein."),
        ("Wir werden den Hafenzoll abschaffen.", "Den Hafenzoll haben wir damals auf 12 Taler erhöht."),
        (
            "Der Hafenzoll soll gerecht sein.",
            "Das Abkommen schreibt 9 Taler vor und der Hafenzoll muss sie decken.",
        ),
        ("Hafenzoll auf alle Schiffe erhöhen!", "Der Hafenzoll muss in den Häfen gerecht sein."),
        ("Der Hafenzoll muss auf 15 Taler.", "Wir wollen einen gerechten Hafenzoll."),
        ("Der Hafenzoll soll auf 15 Taler steigen.", "Laut dem Rat soll der Hafenzoll auf 9 Taler steigen."),
        ("Wir wollen den Hafenzoll senken.", "Wir wollen 20 Taler ausgeben, wenn der Hafenzoll steigt."),
        (
            "Der Hafenzoll ist ungerecht.",
            "Moorbund und Rat wollen 20 Taler oder mehr, sie wollen ihn erhöhen.",
        ),
        ("Wir wollen den Hafenzoll senken.", "Wir wollen die Hundesteuer auf 20 Taler senken."),
    ],
)
def test_of_what_names_the_topic_the_clearest_stands_first(clearer: str, other: str) -> None:
    both = [
        FoundSentence(extract=stretch(text), confidence=0.6, read=1.0, naming=Naming.WHOLE)
        for text in (other, clearer)
    ]
    assert [each.extract.text for each in best_first(both, subject("Hafenzoll"))] == [clearer, other]


class Chosen(Extractor):
    """Chooses the first sentence of what it is given, and keeps the others behind it."""

    async def pick(
        self, asked: Subject, hits: Sequence[Hit], limit: int, *, spare: int = 0, topic: bool = False
    ) -> list[Extract]:
        first, *others = await self.scored(asked, hits, topic=topic)
        return [first, *(replace(each, spare=True) for each in others[:spare])]


PASTURE = "Wir wollen, dass alle Tiere genug Platz auf der Weide haben."
FUR = "Wir wollen ein Verbot der Einfuhr von Pelzen aus aller Welt."
FISH = "Wir wollen, dass die Fischer in der Ostsee wieder mehr fangen."


@pytest.mark.parametrize(
    ("pasture", "fur", "shown"),
    [
        (-3.0, 2.0, [FUR]),
        (3.0, 2.0, [FUR, PASTURE]),
        (3.0, 0.0, [PASTURE]),
        (-3.0, 0.0, []),
    ],
)
async def test_what_names_the_topic_more_is_read_too(pasture: float, fur: float, shown: list[str]) -> None:
    spd = next(each for each in EDITIONS if each.document.file == "SPD-2025-de")
    searcher, _, library = await world({"SPD-2025-de": [passage(spd, 0, f"{PASTURE} {FUR} {FISH}")]})
    says = {"Weide": pasture, "Pelzen": fur, "Fischer": 9.0}
    reader = FakeReader(lambda text: next(score for word, score in says.items() if word in text))
    sides = SideSearch(
        searcher=searcher, library=library, extractor=Chosen(FakeEmbedder(64), reader=reader), threshold=0.0
    )
    group = Group(scope=Scope(collections=("public",), parties=("SPD",)), editions=(spd,))
    (found,) = await sides.find(nameless("Pelztierhaltung", "de"), [group], 3)
    assert [each.extract.shown for each in found] == shown
    assert reader.read == [PASTURE, FUR]
