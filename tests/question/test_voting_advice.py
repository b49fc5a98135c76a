"""Nobody is advised how to vote, in whatever grammar, and all parties are treated alike."""

from collections.abc import Sequence

import pytest

from adapters.files.manifest import read_manifest
from core.domain.registry import Party, Registry
from core.question.turns import PARTY, TurnKind, TurnReader, masked
from core.registry.detection import Detector
from tests.support.encoders import packaged_encoders
from tests.support.pdfs import DATA
from tests.support.repository import ROOT
from tests.support.search_world import REGISTRY

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
Ist die {} gut für Mieter?
Ist die {} schlecht für Rentner?
Wäre die {} gut für mich als Mieter?
Ist {} etwas für Familien?
Würdest du die {} nehmen?
Würdest du {} nehmen?
Würden Sie die {} nehmen?
Nimmst du die {}?
Lohnt es sich, {} zu wählen?
Lohnt sich die {} für Mieter?
Bringt mir die {} was als Mieter?
Was bringt mir die {} als Mieter?
Hab ich als Mieter was von der {}?
Profitieren Mieter von der {}?
Hilft die {} Mietern wirklich?
Ist die {} mieterfreundlich?
Ist die {} eine gute Wahl für Familien?
Kann man die {} guten Gewissens nehmen?
Ist {} besser für Mieter als {}?
Passt die {} zu mir?
Passt die {} zu mir als Mieter?
Steht die {} auf der Seite der Mieter?
Bin ich bei der {} als Mieter richtig?
Sollte ich als Mieter zur {} gehen?
Findest du {} gut?
Magst du die {}?
Was denkst du über die {}?
Deine Meinung zur {}?
Kannst du die {} empfehlen?
Sind die {} unwählbar?
Ist die {} eine gute Partei?
Ist es klug, {} zu wählen?
Wie gut ist die {} für Mieter?
Welche ist besser für Mieter, {} oder {}?
Is {} any good for tenants?
Is {} good for tenants?
Are {} any good?
Is {} bad for pensioners?
Is {} better for families than {}?
Would {} be good for tenants?
Would {} be a good choice for renters?
Would you go for {}?
Would you pick {}?
Is {} the right choice for tenants?
Is it worth voting {}?
Is it worth voting for {} as a tenant?
Is {} worth voting for?
Should tenants vote {}?
Do tenants benefit from {}?
Are tenants better off with {}?
Will I be better off under {}?
Is {} on the side of tenants?
What's your opinion of {}?
Do you like {}?
Is {} trustworthy?
How good is {} for tenants?
Does {} deserve my vote?
{} est-il bon pour les locataires ?
Est-ce que {} est bon pour les locataires ?
Est-ce que {} est bien pour les familles ?
{}, c'est bien pour les locataires ?
Que penses-tu de {} ?
Prendrais-tu {} ?
Choisirais-tu {} ?
Tu voterais {} ?
Vaut-il la peine de voter {} ?
Ça vaut le coup de voter {} ?
Les locataires ont-ils intérêt à voter {} ?
Est-ce que {} est meilleur que {} pour les familles ?
Recommandes-tu {} ?
Peut-on faire confiance à {} ?
{} est-il un bon choix pour les locataires ?
Quel est le meilleur pour les locataires, {} ou {} ?
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
Was will die {} für Mieter tun?
Ist die {} für die Mietpreisbremse?
Was bringt die Mietpreisbremse laut {}?
Hilft die {} Mietern mit einem Mietendeckel?
Was ist laut {} gut für Mieter?
Wie will die {} Mietern helfen?
Will die {} bessere Schulen?
Was sagt die {} zu guter Pflege?
Was verspricht die {} Familien?
Findet die {} Atomkraft gut?
Hält die {} Atomkraft für gut?
Welche Vorteile haben Mieter laut Programm der {}?
Wie gut soll laut {} der Nahverkehr werden?
Sollen Mieter laut {} besser geschützt werden?
Was will die {} gegen schlechte Luft tun?
Empfiehlt die {} ein Tempolimit?
Wer profitiert laut {} von der Steuerreform?
Was will {} für Familien mit Kindern?
Will {} mehr Wahlfreiheit für Patienten?
Unterstützt die {} Alleinerziehende?
What will {} do for tenants?
Is {} for or against rent control?
Does {} want better schools?
What does {} say is good for tenants?
Does {} support good work?
What benefits would tenants get under {} plans?
How would {} help tenants?
What is better for tenants according to {}?
Would {} cap rents?
Is {} in favour of free school meals?
Would {} be against nuclear power?
Does {} recommend a speed limit?
Que veut faire {} pour les locataires ?
{} est-il pour l'encadrement des loyers ?
Que propose {} pour de meilleures écoles ?
Qu'est-ce qui est bon pour les locataires selon {} ?
{} recommande-t-il un plafond ?
""".strip().splitlines()

WHICH_IS_BEST = """
Which party is best for families?
Which party is best for tenants?
Which party is better for renters?
What party is good for pensioners?
Which party should tenants vote for?
Which party helps tenants most?
Best party for families?
Who is best for families?
Welche Partei ist am besten für Familien?
Welche Partei ist gut für Mieter?
Welche Partei ist die beste für Rentner?
Welche Partei hilft Mietern am meisten?
Welche Partei sollten Mieter wählen?
Welche Partei passt zu mir?
Welche Partei lohnt sich für Familien?
Beste Partei für Mieter?
Wer ist am besten für Familien?
Wen würdest du nehmen?
Quel parti est le meilleur pour les familles ?
Quel est le meilleur parti pour les locataires ?
Quel parti est bon pour les locataires ?
Quel parti choisir pour les familles ?
Pour qui les locataires devraient-ils voter ?
""".strip().splitlines()

WHICH_WANTS = """
Which party wants lower rents?
Welche Partei will Mieten senken?
Welche Partei ist für ein Tempolimit?
Which party supports nuclear power?
Welche Partei verspricht Familien mehr Geld?
Which party promises the best schools?
Quel parti veut baisser les loyers ?
Welche Regeln gelten für gute Luft?
What is the best time to register a houseboat?
Wer ist für bessere Pflege?
Which notice is best for landlords?
Welche Partei will bessere Bedingungen für Familien?
Who is good for the deposit?
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


READER = TurnReader(packaged_encoders())

KNOWN = 0.97
"""Share that is read rightly at least; networks differ a little from processor to processor."""


async def declined(questions: Sequence[str]) -> float:
    """The share of `questions` that are read as asking for advice."""
    read = [await READER.read(with_party(each)) for each in questions]
    return read.count(TurnKind.ADVICE) / len(read)


def with_party(question: str) -> str:
    return question.replace("{}", PARTY)


@pytest.mark.parametrize("library", registries())
def test_all_parties_are_read_alike(library: str) -> None:
    """Whatever their names and articles: what the network sees is the same."""
    registry = registries()[library]
    detector = Detector(registry, ())
    for question in ("Soll ich {} wählen?", "What does {} say about rent?", "{} oder lieber nicht?"):
        asked = [question.replace("{}", party.name) for party in registry.parties]
        assert {masked(each, detector.detect(each).party_stretches) for each in asked} == {
            masked(with_party(question), ())
        }


async def test_whether_to_vote_for_a_party_is_declined() -> None:
    assert await declined(ADVICE) >= KNOWN


async def test_which_party_is_best_for_somebody_is_declined() -> None:
    assert await declined(WHICH_IS_BEST) >= KNOWN


async def test_what_a_party_says_or_wants_is_a_question() -> None:
    assert await declined((*ABOUT_THE_PARTY, *WHICH_WANTS)) <= 1 - KNOWN


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Soll ich Die Linke wählen?", "Soll ich Partei X wählen?"),
        ("Soll ich die AfD wählen?", "Soll ich Partei X wählen?"),
        ("Was steht im SPD-Programm?", "Was steht im Partei X -Programm?"),
        ("Should I vote for the Greens?", "Should I vote for Partei X ?"),
    ],
)
def test_names_and_their_articles_are_read_as_one(said: str, read: str) -> None:
    assert masked(said, Detector(REGISTRY, []).detect(said).party_stretches) == read
