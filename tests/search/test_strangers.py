"""Parties that nobody has registered: who asks for one hears that there is no source, not what others say."""

from datetime import date

import pytest

from adapters.files.manifest import read_manifest
from core.domain.answers import Answer, Outcome
from core.domain.documents import DocumentType
from core.domain.registry import Jurisdiction, Registry
from core.domain.scope import Scope, ThreadContext
from core.registry.detection import Detector
from tests.answering.test_comparing import comparer
from tests.support.bad_models import copied, writing_asker, written
from tests.support.fake_model import FakeModel
from tests.support.repository import ROOT
from tests.support.world import REGISTRY, World

NAMES = Detector(read_manifest(ROOT / "examples" / "library.toml"), [])
SCOPE = Scope(collections=("public",))

ASKED = """
Was fordert die Geheimpartei zum Hafen?
Was will die Uferpartei und was sagt die Wolkenpartei zum Hafen?
Was sagen Uferpartei und Wolkenpartei zum Hafen?
Wolkenpartei zu Mieten?
was sagt die wolkenpartei zu mieten
und die wolkenpartei?
Und die Nebelpartei?
Position der Nebelpartei zur Miete?
Laut Nebelpartei: wie hoch soll die Miete sein?
Was will die Partei der Sterne zur Miete?
Was sagt die Partei des Fortschritts zur Rente?
Was fordert die Partei für Gesundheitsforschung zum Klima?
Was fordert die Blaue Partei zum Klima?
Was sagt die Liste Morgenrot zu Mieten?
Was will das Bündnis Zukunft zur Rente?
Was fordert die Union der Mitte zur Steuer?
Was sagt die SPD zu Mieten?
Was sagen SPD und Uferpartei zu Mieten?
Wie steht die AfD zum Hafen?
Was wollen die Grünen zum Klima?
was wollen die grünen zum klima
Was sagt die Tierschutzpartei zu Hunden?
Will die Wolkenpartei die Mieten senken?
Ist die Wolkenpartei für Tempolimit?
Was plant das Sternenbündnis bei der Rente?
Was sagt die Bergliste zum Wald?
Wie steht die DKP zur Miete?
Vergleiche Uferpartei und Wolkenpartei beim Klima
What does the Moonlight Party say about rent?
What do the Greens say about rent?
What does Reform UK say about rent?
Does Labour want lower rents?
What is the position of the Fog Party on rent?
Moonlight Party on rent?
The Moonlight Party's plans for rent?
What do the Riverside Party and the Moonlight Party say about rent?
what does the moonlight party say about rent
According to the Star Alliance, what should rent cost?
What does the Party of Dreams propose on rent?
And the Moonlight Party?
What about the Cloud Party on rent?
What does the Harbour League want on docks?
What does Plaid Cymru say about rent?
Do the Tories support lower rents?
Que dit le Parti des Brumes sur le loyer ?
Que propose le Parti de la Lune sur les loyers ?
Que veut LFI sur la retraite ?
Que disent Les Républicains sur la retraite ?
Quelle est la position du Parti des Nuages sur le port ?
Parti des Brumes : loyers ?
Et le Parti des Brumes ?
Que propose la Liste Aurore sur les loyers ?
Que veut l'Union des Collines sur le climat ?
Que dit le Parti socialiste sur la retraite ?
Que disent les Verts sur le climat ?
que dit le parti des brumes sur le loyer
Selon le Parti des Brumes, quel loyer ?
Que disent la Liste Leuchtturm et le Parti des Brumes sur le loyer ?
Le Rassemblement national sur l'immigration ?
Was sagt die Partei Morgenröte zur Rente?
Was möchte die Sonnenpartei bei der Bildung erreichen?
Welche Haltung hat die Kometenpartei zum Verbrenner?
Wie positioniert sich die Lichterpartei zur Pflege?
Hat die Apfelpartei Pläne für die Rente?
Gibt es von der Apfelpartei etwas zur Rente?
Was steht im Programm der Apfelpartei zur Rente?
Was steht im Wahlprogramm der Partei der Vernunft zu Steuern?
Apfelpartei Rente
apfelpartei rente
Rente Apfelpartei
Lehnt die Apfelpartei Atomkraft ab?
Was verspricht die Liste Zukunft den Mietern?
Was hat die Apfelpartei zum Klima geschrieben?
Was sagt die Neue Nebelpartei zum Hafen?
Was sagen die Windmüller, die Nebelpartei und die Uferpartei zu Mieten?
Uferpartei vs. Nebelpartei: Mieten?
Was sagen die Freien Wähler zu Mieten?
Was will das BSW zur Rente?
Was will Volt bei der Rente?
Wie steht die Partei für Arbeit und Fische zu Häfen?
Was fordert die Demokratische Union Valdoriens zum Hafen?
What's the Moonlight Party's view on rent?
Has the Moonlight Party said anything on rent?
Would the Cloud Party raise wages?
Where does the Orchard Party stand on wages?
Tell me what the Orchard Party says about wages
How does the Orchard Party plan to cut rents?
Is the Orchard Party in favour of nuclear power?
Orchard Party wages
What do the Windmillers and the Orchard Party want on rent?
What does the National Orchard Movement say on rent?
What does the Party for the Animals say on dogs?
What does the SNP say about rent?
Que prévoit le Parti de l'Aube pour les loyers ?
Quelle est l'opinion du Parti du Verger sur le port ?
Le Parti du Verger veut-il baisser les loyers ?
Que pense le Mouvement Verger du climat ?
Que dit le Parti pirate sur internet ?
Que dit l'Alliance des Vergers sur le climat ?
Loyers : que propose le Parti du Verger ?
Le Parti du Verger est-il pour le nucléaire ?
Qu'est-ce que le Parti du Verger dit du loyer ?
Que propose Renaissance sur le climat ?
Fidesz, was wollen die in Brüssel?
Mein Onkel kandidiert für die Volksliste Eifel, was haben die zum Straßenbau?
Was plant die Wählergemeinschaft Dorfplatz für den Bus?
Vox and rent, what do they write?
I heard about the Old Orchard League, are they for rent control?
Que propose l'Alliance citoyenne du Verger pour le port ?
Que pense le Mouvement rural indépendant des loyers ?
La liste Ensemble pour nos Vergers veut quoi ?
Vlaams Belang, ils veulent quoi sur le loyer ?
Que dit le PS sur la retraite ?
""".strip().splitlines()

HONEST = """
Welche Partei will die Mieten senken?
Was sagen die Parteien zu Mieten?
Wie steht es um die Parteienfinanzierung?
Welche Partei der Koalition will das Tempolimit?
Was gilt, wenn eine Vertragspartei kündigt?
Was muss jede Partei des Mietvertrags beachten?
Welche Vertragspartei zahlt die Kaution?
Kann die Gegenpartei widersprechen?
Gibt es eine Partei, die Mieten senken will?
Was ist eine Volkspartei?
Was sagt die Regierungspartei zu Mieten?
Hat die Uferpartei etwas zu Mieten?
Was will die Uferpartei gegen steigende Mieten tun?
Was will die Uferpartei für die Europäische Union?
Was sagt die Uferpartei zur Gewerkschaft?
Wer steht auf der Warteliste?
Was sagt der Mieterbund zu Mieten?
Was plant die Regierung bei der Rente?
Was sagt das Gesetz zu Hausbooten?
Was sagt die DSGVO zur Einwilligung?
Was sagt Artikel 5 zum Datenschutz?
Wie hoch ist die Strafe?
Darf die Partei Spenden annehmen?
Soll die Partei verboten werden?
Will die Partei Steuern senken?
Partei ergreifen für Mieter?
Was fordern die Windmüller zur Grundsteuer?
Was will die Uferpartei zur Allianz der Häfen?
Wer zahlt, Mieter oder Vermieter?
Was sagt die Bibliothek?
was will welche partei zur miete
was sagt die uferpartei zur miete
Wie finanziert sich eine Partei?
Was sagt die Verfassung zur Partei der Opposition?
Was will die Uferpartei gegen die Bankenunion?
Was sagt die Uferpartei über Bündnisse?
Sind Liegeplätze im Hafen erlaubt?
Was kostet ein Liegeplatz in Hochau?
Which party wants lower rents?
What do the parties say about rent?
Which party to the contract pays?
What is a third party under the Act?
May I hold a birthday party on my houseboat?
Can the aggrieved party appeal?
Each party must give notice?
What does the Houseboats Act say about moorings?
What does Section 12 say?
What does the Act say about deposits?
What does the GDPR say about consent?
Does the Riverside Party want lower rents?
What does the Lighthouse List say about wages?
What does the Commission propose on data?
Is there a search party rule?
What does the party of the first part owe?
Does the European Union pay?
What did the Supreme Court say?
Who is liable to the other party?
What does the Authority want for registration?
What are the views of tenants on rent?
Should the contracting party sign?
What does France say about nuclear power?
Quel parti veut baisser les loyers ?
Que disent les partis sur le loyer ?
Quelle partie du contrat paie ?
Un parti politique peut-il recevoir des dons ?
Que dit la loi sur les loyers ?
Que dit le règlement sur les marchés ?
Qui a pris parti pour les locataires ?
Quel parti au pouvoir ?
Que dit l'article 5 sur les données ?
Que propose l'Union européenne sur le climat ?
Le parti pris du texte ?
Que dit la Liste Leuchtturm sur les salaires ?
Comment tirer parti des aides ?
Quelle est la liste des marchés ?
Que veut la commune pour le marché ?
Combien coûte un stand au marché ?
Le parti de la majorité veut quoi ?
Que dit le gouvernement sur le port ?
Was sagt die Uferpartei zur Parteienfinanzierung?
Wird die Partei gefragt?
Bekommt die andere Partei ihr Geld zurück?
Was tut die Uferpartei gegen Populismus?
Haben Mietparteien ein Recht auf Lärmschutz?
Wer ist Partei im Verfahren?
Was passiert, wenn eine Partei stirbt?
Welche Regierungspartei stimmt zu?
Sind Hausparties erlaubt?
Warum will die Uferpartei die Aktienrente?
Will die Uferpartei das Grundeinkommen?
Uferpartei, Aktienrente?
Was will die Uferpartei gegen Mietwucher tun?
Was sagt die Uferpartei zu Windrädern und Solardächern?
Der Mieterverein, was sagen die zur Kaution?
Hausboote, wo haben die einen Liegeplatz?
Tenants, what do they pay?
Les locataires, que veulent-ils ?
Was ist eine Kriegspartei?
Was fordert die Uferpartei bei der Einkaufsliste?
Wie lange dauert die Warteliste für Liegeplätze?
Was plant der Staatenbund?
Was sagt die Bundesliste?
Was will der Deutsche Gewerkschaftsbund zum Mindestlohn?
Welche Rolle hat die Friedensbewegung?
Was macht die Feuerwehr im Hafen?
Was sagt das Merkblatt Hausboote zur Frist?
Was kostet ein Hausboot?
Was sagt die Uferpartei zum Bund?
Was fordert die Uferpartei von der Europäischen Union?
Was sagt die Kommission zur Einwilligung?
Wie stehen die Windmüller zur Bahn?
Was sagen die Programme zum Klima?
Hat der Vermieter Pflichten?
Will die Uferpartei Schulen bauen?
Plant die Uferpartei eine Allianz mit den Windmüllern?
Who pays the other party's costs?
What must the party seeking registration file?
Is there a party wall rule?
May the parties agree otherwise?
What does the Lighthouse List say about the Labour market?
What is said about Political Parties?
Does the Rule apply to houseboats?
What does the Houseboats and Moorings Act 2022 say?
What do tenants want?
Does the League of Nations matter?
What does the Riverside Party say about the Credit Union?
What does the programme say about party funding?
What is a Data Controller?
What does the Data Protection Board say about consent?
What does Chapter III say?
Does the Houseboat Registrar want a fee?
What does Hochau say about moorings?
Que disent les partis politiques ?
Le parti au pouvoir veut quoi ?
Quel est le prix au marché ?
Que dit la notice sur les jardins ?
Que dit le parti qui gouverne ?
L'union fait la force ?
Que veut dire bail ?
Que propose la mairie pour les jardins ?
""".strip().splitlines()


@pytest.mark.parametrize("question", ASKED)
def test_a_party_that_is_not_registered_is_noticed(question: str) -> None:
    assert len(NAMES.detect(question).strangers) == 1


@pytest.mark.parametrize("question", HONEST)
def test_what_is_no_party_is_none(question: str) -> None:
    assert NAMES.detect(question).strangers == ()


KEYWORDS = """
mindestlohn piratenpartei
Mindestlohn Piratenpartei
piratenpartei mindestlohn
mindestlohn piratenpatei
Was sagt die Piratenpatei zur Miete?
mindestlohn SPD
mindestlohn spd
spd mindestlohn
mindestlohn spd uferpartei
SPD Valdorien
mindestlohn zentrum uferpartei
mindestlohn die linke
mindestlohn grüne
tempolimit zentrum
miete volt
rent tories
minimum wage pirate party
rent plaid cymru
loyer les républicains
loyer rassemblement national
""".strip().splitlines()

NO_NAMES = """
parken im zentrum
zentrum parken
child labour rights
reform der rente
reform rente
volt ladegerät
europäische union
mindestlohn
mindestlohn uferpartei
rent and wages
die grüne wirtschaft
""".strip().splitlines()


@pytest.mark.parametrize("line", KEYWORDS)
def test_a_well_known_party_among_keywords_is_noticed(line: str) -> None:
    assert len(NAMES.detect(NAMES.mended(line)).strangers) == 1


@pytest.mark.parametrize("line", NO_NAMES)
def test_other_keywords_are_no_parties(line: str) -> None:
    assert NAMES.detect(NAMES.mended(line)).strangers == ()


def test_what_also_means_something_else_is_no_party_of_another_country() -> None:
    german = Detector(Registry(jurisdictions=(Jurisdiction(code="de", name="Deutschland"),)), [])
    assert german.detect("renten reform").strangers == ()
    assert german.detect("rechte labour").strangers == ()
    assert [each.name for each in german.detect("miete zentrum").strangers] == ["Zentrum"]


async def world() -> World:
    filled = World()
    await filled.library.save_registry(REGISTRY)
    for party, sentence in (
        ("Uferpartei", "Der Mindestlohn steigt auf 15 Taler in der Stunde."),
        ("Windmüller", "Einen Mindestlohn lehnen wir ab."),
    ):
        await filled.add(
            f"{party}.pdf",
            f"Arbeit\n\n{sentence}",
            jurisdiction="xv",
            parties=(party,),
            doc_type=DocumentType.MANIFESTO,
            valid_from=date(2025, 5, 1),
        )
    return filled


def missing(answer: Answer) -> list[str]:
    return [item.name for item in answer.missing if item.kind == "party"]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Was fordert die Geheimpartei zum Mindestlohn?", "Geheimpartei"),
        ("was sagt die geheimpartei zum mindestlohn", "Geheimpartei"),
        ("What does the Moonlight Party say about the minimum wage?", "Moonlight Party"),
        ("Que dit le Parti des Brumes sur le salaire minimum ?", "Parti des Brumes"),
        ("Was sagt die SPD zum Mindestlohn?", "SPD"),
        ("What do the Greens say about the minimum wage?", "Greens"),
        ("mindestlohn piratenpartei", "Piratenpartei"),
        ("mindestlohn spd", "SPD"),
    ],
)
async def test_others_do_not_answer_for_it(question: str, name: str) -> None:
    filled = await world()
    model = FakeModel(answer=lambda prompt, schema: written(copied(prompt)))
    for asker in (filled.app.asker, writing_asker(filled, model)):
        answer = (await asker.answered(question, scope=SCOPE)).answer
        assert (answer.outcome, answer.citations, missing(answer)) == (Outcome.NO_EVIDENCE, (), [name])
    usual = Scope(collections=("public",), usual_parties=("Uferpartei",))
    answer = (await filled.app.asker.answered(question, scope=usual)).answer
    assert (answer.citations, missing(answer)) == ((), [name])


@pytest.mark.parametrize(
    "question",
    [
        "Was will die Uferpartei zum Mindestlohn, und was sagt die Wolkenpartei?",
        "Was sagen Uferpartei und Wolkenpartei zum Mindestlohn?",
        "Vergleiche Wolkenpartei und Uferpartei: Mindestlohn",
        "mindestlohn uferpartei wolkenpartei",
    ],
)
async def test_beside_a_known_party_it_is_said_that_there_is_nothing(question: str) -> None:
    answer = (await (await world()).app.asker.answered(question, scope=SCOPE)).answer
    assert answer.outcome is Outcome.GROUNDED
    assert {item.edition.document.fields.parties for item in answer.citations} == {("Uferpartei",)}
    assert missing(answer) == ["Wolkenpartei"]


async def test_a_follow_up_to_it_is_not_answered_by_whom_the_thread_is_about() -> None:
    thread = ThreadContext(questions=("Was sagt die Uferpartei zum Mindestlohn?",), language="de")
    for question in ("Und die Wolkenpartei?", "und was sagt die wolkenpartei dazu?"):
        answer = (await (await world()).app.asker.answered(question, scope=SCOPE, thread=thread)).answer
        assert (answer.citations, missing(answer)) == ((), ["Wolkenpartei"])


async def test_a_comparison_has_a_row_for_it() -> None:
    question = "Was sagen Uferpartei, Windmüller und Wolkenpartei zum Mindestlohn?"
    found = await comparer(await world()).compare(question, scope=SCOPE)
    assert [(row.side.name, row.status.value) for row in found.rows] == [
        ("Uferpartei", "quoted"),
        ("Windmüller", "quoted"),
        ("Wolkenpartei", "no_source"),
    ]
