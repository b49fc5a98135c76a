"""Nobody is advised how to vote, in whatever grammar, and all parties are treated alike."""

import pytest

from adapters.files.manifest import read_manifest
from core.domain.registry import Party, Registry
from core.domain.search import QuestionKind
from core.registry.detection import Detector
from core.search.kinds import kind_of
from tests.support.pdfs import DATA
from tests.support.repository import ROOT

ABROAD = ("Labour", "Green Party", "Sinn Féin", "La France insoumise", "Les Républicains", "Fianna Fáil")

ADVICE = """
Soll ich {} wählen?
Soll ich die {} wählen?
Ist es richtig, {} zu wählen?
Ist es okay, wenn ich {} wähle?
Warum sollte man {} wählen?
Wieso wählen so viele {}?
Würdest du {} wählen?
kann man {} noch wählen?
Ist {} wählbar?
Lohnt es sich, {} zu wählen?
Sollte man besser {} ankreuzen?
Meine Stimme für {}?
Was spricht für {}?
Ist {} die richtige Partei für mich?
Empfiehlst du die {}?
Kann ich mit gutem Gewissen für {} stimmen?
Darf ich als Christ {} wählen?
Die {} wählen: ja oder nein?
Should I vote {}?
Should one vote for {}?
Is it right to vote for {}?
Why should people vote {}?
Would you vote {}?
Is {} worth my vote?
Is {} a good choice?
Should I support {}?
Do you recommend {}?
Faut-il voter {} ?
Dois-je voter pour {} ?
Pourquoi voter {} ?
Est-ce bien de voter {} ?
Was hältst du von {}?
Taugt {} was?
Also {}: ja oder nein?
Wie findest du {}?
Kann man der {} vertrauen?
Was jetzt: {} oder {}?
Na, {} vs. {}?
Welche ist besser, {} oder {}?
Who deserves to win, {} or {}?
Well, {} or the {}?
Are {} a good choice?
Alors {} ou {} ?
""".strip().splitlines()

ABOUT_THE_PARTY = """
Was sagt {} zum Wahlrecht ab 16?
Will {} das Wahlalter senken?
Was fordert {} zur Briefwahl?
Wen will {} zum Kanzler wählen?
Was will {} gegen steigende Mieten tun?
Wie steht {} zur Rente?
{} Mindestlohn?
Lehnt {} die Wehrpflicht ab?
Ist {} für ein Tempolimit?
Stimmt {} dem Haushalt zu?
Hält {} die Schuldenbremse für richtig?
Was ist gut an dem Rentenkonzept der {}?
What does {} say about voting at 16?
Does {} support nuclear energy?
Does {} want to lower the voting age?
Is {} for or against a speed limit?
Why does {} want higher taxes?
Should tuition be free according to {}?
Que dit {} sur le vote à 16 ans ?
Unterstützt {} die Ukraine?
Vertraut {} dem Markt?
Sollen Eltern die Schule frei wählen dürfen, {}?
Kann man bei {} zwischen Teilzeit und Vollzeit wählen?
Mindestlohn: {} vs. {}
Wer ist für ein Tempolimit, {} oder {}?
Rente {} gegen {}
Climate policy: {} vs {}
Climat : {} contre {}
{} est-il pour le nucléaire ?
""".strip().splitlines()


def registries() -> dict[str, Registry]:
    """Three libraries: the example, a real one where it is there, and parties of other countries."""
    found = {
        "example": read_manifest(ROOT / "examples" / "library.toml"),
        "abroad": Registry(parties=tuple(Party(name=name) for name in ABROAD)),
    }
    if (DATA / "manifestos" / "library.toml").exists():
        found["manifestos"] = read_manifest(DATA / "manifestos" / "library.toml")
    return found


def outcomes(question: str, registry: Registry) -> dict[str, QuestionKind]:
    """The kind of `question` with each party in it."""
    detector = Detector(registry, [])
    found = {}
    for party in registry.parties:
        asked = question.replace("{}", party.name)
        detection = detector.detect(asked)
        found[party.name] = kind_of(asked, names=detection.names, parties=detection.party_names)
    return found


@pytest.mark.parametrize("library", registries())
@pytest.mark.parametrize("question", ADVICE)
def test_whether_to_vote_for_a_party_is_declined_for_all_alike(question: str, library: str) -> None:
    found = outcomes(question, registries()[library])
    assert {name: kind for name, kind in found.items() if kind is not QuestionKind.OFF_TOPIC} == {}


@pytest.mark.parametrize("library", registries())
@pytest.mark.parametrize("question", ABOUT_THE_PARTY)
def test_what_a_party_says_is_a_question_for_all_alike(question: str, library: str) -> None:
    assert QuestionKind.OFF_TOPIC not in outcomes(question, registries()[library]).values()
