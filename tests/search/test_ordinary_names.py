"""Parties in small letters among words with capitals; documents that are called by ordinary words."""

import pytest

from core.domain.documents import Document, DocumentFields, DocumentType
from core.domain.ids import DocumentId
from core.domain.registry import Party, Registry
from core.registry.detection import Detector

PARTIES = (
    Party(name="FDP"),
    Party(name="SPD"),
    Party(name="AfD"),
    Party(name="Die Linke", aliases=("Linke",)),
    Party(name="People Before Profit"),
    Party(name="Nouveau Front populaire", aliases=("NFP",)),
    Party(name="Sinn Féin"),
    Party(name="Rassemblement national", aliases=("RN",)),
    Party(name="Freie Wähler"),
    Party(name="Parti socialiste", aliases=("PS",)),
    Party(name="Labour Party", aliases=("Labour",)),
    Party(name="Volt"),
)
FILES = {
    "one.pdf": "one",
    "four.pdf": "four",
    "rente.pdf": "rente",
    "haushalt.pdf": "haushalt",
    "plan.pdf": "plan",
    "budget 2026.xlsx": "budget 2026",
    "hausordnung.pdf": "Hausordnung",
    "report.pdf": "Harbour Annual Report",
}
DOCUMENTS = [
    Document(
        id=DocumentId(name),
        collection="public",
        key=name,
        file=name,
        fields=DocumentFields(title=title, doc_type=DocumentType.OTHER, language="en"),
    )
    for name, title in FILES.items()
]
NAMES = Detector(Registry(parties=PARTIES), DOCUMENTS)


@pytest.mark.parametrize(
    ("question", "parties"),
    [
        ("Tempolimit fdp?", ["FDP"]),
        ("Bürgergeld spd afd", ["SPD", "AfD"]),
        ("What does people before profit say about Rents?", ["People Before Profit"]),
        ("Que dit le nfp des Retraites ?", ["Nouveau Front populaire"]),
        ("Que veut le rassemblement national ?", ["Rassemblement national"]),
        ("What does sinn fein want for Cork?", ["Sinn Féin"]),
        ("Steuern freie wähler", ["Freie Wähler"]),
        ("Que propose le parti socialiste pour l'École ?", ["Parti socialiste"]),
        ("Does the FDP or spd want it?", ["FDP", "SPD"]),
        ("Ich fahre auf der linke Spur in Köln", []),
        ("Is it labour law in Ireland?", []),
        ("Wer bezahlt den ps meines Autos?", []),
        ("An welche 230 volt Geräte denkt ihr?", []),
        ("Is profit before people allowed in Cork?", []),
    ],
)
def test_parties_in_small_letters(question: str, parties: list[str]) -> None:
    assert [each.key for each in NAMES.detect(question).parties] == parties


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("How many dogs can one household keep?", []),
        ("What is a four day week?", []),
        ("Wie hoch ist die Rente?", []),
        ("rente mit 63", []),
        ("Wie viele Hunde darf ein Haushalt halten?", []),
        ("Was ist der Plan für die Schule?", []),
        ("Wie hoch ist das Budget 2026?", []),
        ("Was steht in „Rente“?", ["rente.pdf"]),
        ("What does one.pdf say about dogs?", ["one.pdf"]),
        ('According to "four", how long is the week?', ["four.pdf"]),
        ("Was kostet die Feuerwehr laut Haushalt?", ["haushalt.pdf"]),
        ("Was steht im Plan über Schulen?", ["plan.pdf"]),
        ("Was steht im Dokument Rente?", ["rente.pdf"]),
        ("Darf ich nach der Hausordnung grillen?", ["hausordnung.pdf"]),
        ("Boats in the harbour annual report?", []),
        ("Boats in the Harbour Annual Report?", ["report.pdf"]),
    ],
)
def test_documents_that_are_called_by_ordinary_words(question: str, documents: list[str]) -> None:
    assert list(NAMES.detect(question).documents) == documents
