"""What a claim says otherwise than its quote, by kind; each with a claim that says the same as its quote."""

import pytest

from core.evidence.contradictions import QuotedText, contradictions


def found(claim: str, language: str, quote: str, written: str) -> set[str]:
    differing = contradictions(claim, language, [QuotedText(text=quote, language=written)])
    return {item.partition(":")[0] for item in differing}


@pytest.mark.parametrize(
    ("kind", "claim", "language", "quote", "written"),
    [
        ("opposite", "Die Steuer wird erhöht.", "de", "Wir senken die Steuer.", "de"),
        ("opposite", "The tax is cut.", "en", "Wir erhöhen die Steuer.", "de"),
        ("opposite", "Le parti veut maintenir la taxe.", "fr", "Nous supprimerons la taxe.", "fr"),
        ("modality", "Die Behörde muss prüfen.", "de", "Die Behörde kann prüfen.", "de"),
        ("modality", "The court must ask.", "en", "Das Gericht kann fragen.", "de"),
        ("tense", "The party has built 900 homes.", "en", "We will build 900 homes.", "en"),
        ("quantity", "Alle Schulen bekommen ein Bad.", "de", "Einige Schulen bekommen ein Bad.", "de"),
        ("quantity", "Only members may vote.", "en", "Members may vote.", "en"),
        (
            "condition",
            "Der Antrag wird bewilligt.",
            "de",
            "Der Antrag wird bewilligt, falls Geld da ist.",
            "de",
        ),
        ("bound", "The fee is at least 10 euros.", "en", "The fee shall not exceed 10 euros.", "en"),
        ("bound", "Der Zuschuss beträgt 20 Euro.", "de", "Der Zuschuss beträgt bis zu 20 Euro.", "de"),
        ("bound", "Ein Grabmal ist mindestens 2 Meter hoch.", "de", "Es ist höchstens 2 Meter hoch.", "de"),
        ("bound", "Ab 14 Jahren ist es erlaubt.", "de", "Bis 14 Jahre ist es erlaubt; Alkohol nicht.", "de"),
        ("quantity", "All homes will be sold.", "en", "Every second home will be sold.", "en"),
        (
            "opposite",
            "Die Wahlperiode der Räte wird verkürzt.",
            "de",
            "Das Parlament wird verkleinert, die Wahlperiode der Räte verlängert.",
            "de",
        ),
        ("opposite", "The council funds the club.", "en", "Der Rat fördert den Verein nicht.", "de"),
        ("condition", "Even latecomers are let in.", "en", "Whoever comes in time is let in.", "en"),
        ("actor", "The landlord pays.", "en", "Der Mieter zahlt.", "de"),
        ("period", "The fee is 10 euros a month.", "en", "The fee is 10 euros a year.", "en"),
        ("number", "Kinder zahlen 90 Euro.", "de", "Erwachsene zahlen 90 Euro, Kinder zahlen 40 Euro.", "de"),
        ("actor", "Der Mieter zahlt die Reparatur.", "de", "Der Vermieter zahlt die Reparatur.", "de"),
        ("actor", "Midwives get a grant.", "en", "Pflegekräfte bekommen einen Zuschuss.", "de"),
        ("modality", "Der Verein ist gezwungen zu zahlen.", "de", "Der Verein kann zahlen.", "de"),
        ("modality", "Wearing a badge is up to you: you are free to.", "en", "Badges must be worn.", "en"),
        ("modality", "Patients must read their file.", "en", "Patients are entitled to read it.", "en"),
        ("opposite", "Die Partei will einen Hafen bauen.", "de", "Einen Hafen lehnen wir ab.", "de"),
        ("opposite", "The party wants an airport.", "en", "Nous refusons tout aéroport.", "fr"),
        ("quantity", "Alle Kurse gibt es ohne Gebühr.", "de", "Die meisten Kurse sind kostenlos.", "de"),
        (
            "condition",
            "Ganz gleich, wer kommt: es wird gewählt.",
            "de",
            "Bei zehn Gästen wird gewählt.",
            "de",
        ),
        (
            "condition",
            "Dogs stay out, guide dogs included.",
            "en",
            "Dogs stay out, save for guide dogs.",
            "en",
        ),
        ("condition", "Le prêt est accordé sans condition.", "fr", "Le prêt suppose un emploi.", "fr"),
        ("deadline", "Frühestens 2030 schließt das Werk.", "de", "Bis 2030 schließt das Werk.", "de"),
        (
            "deadline",
            "No pit will close before 2035.",
            "en",
            "Spätestens 2035 schließt die letzte Grube.",
            "de",
        ),
        ("deadline", "Le bac ferme au plus tard en mai.", "fr", "Le bac ne ferme pas avant mai.", "fr"),
        (
            "bound",
            "Höchstens 6 Tage danach wird gewählt.",
            "de",
            "Die Wahl findet frühestens 6 Tage danach statt.",
            "de",
        ),
        ("measure", "Der Park braucht 5 kWh.", "de", "Der Park braucht 5 MWh.", "de"),
        ("measure", "The limit is 7 m per second.", "en", "Das Limit beträgt 7 km/h.", "de"),
        (
            "period",
            "Im Jahr gibt es 3 Millionen Euro im Jahr.",
            "de",
            "Es gibt 3 Millionen Euro je Wahlperiode.",
            "de",
        ),
    ],
)
def test_a_contradiction_is_named(kind: str, claim: str, language: str, quote: str, written: str) -> None:
    assert kind in found(claim, language, quote, written)


@pytest.mark.parametrize(
    ("claim", "language", "quote", "written"),
    [
        ("Die Steuer soll sinken.", "de", "Wir senken die Steuer.", "de"),
        ("The party wants to raise the tax.", "en", "Wir erhöhen die Steuer.", "de"),
        ("Das Amt darf prüfen.", "de", "Die Behörde kann prüfen.", "de"),
        ("The party will build 900 homes.", "en", "We will build 900 homes.", "en"),
        ("Every child gets a breakfast.", "en", "We will provide a breakfast for each child.", "en"),
        (
            "Falls Geld da ist, wird er bewilligt.",
            "de",
            "Der Antrag wird bewilligt, sofern Geld da ist.",
            "de",
        ),
        ("The fee is no more than 10 euros.", "en", "The fee shall not exceed 10 euros.", "en"),
        ("Nötig sind mindestens 25 Mitglieder.", "de", "Anwesend sein müssen 25 oder mehr Mitglieder.", "de"),
        ("Kinder zahlen 40 Euro.", "de", "Erwachsene zahlen 90 Euro, Kinder zahlen 40 Euro.", "de"),
        ("Ein Grabmal darf bis zu 2 Meter hoch sein.", "de", "Es darf nicht höher als 2 Meter sein.", "de"),
        ("Wer mindestens zehn Jahre dabei ist, erhält es.", "de", "Nach zehn Jahren erhält man es.", "de"),
        ("Six hens is the limit.", "en", "No person shall keep more than six hens.", "en"),
        ("Adults of 18 and over pay.", "en", "Zahlen muss man ab dem vollendeten 18. Lebensjahr.", "de"),
        ("Residents pay nothing.", "en", "No fee is charged to residents.", "en"),
        ("Die Partei ist gegen höhere Gebühren.", "de", "Wir wollen die Gebühren nicht erhöhen.", "de"),
        ("20 statt 30 Prozent zahlt man.", "de", "Der Anteil sinkt von 30 auf 20 Prozent.", "de"),
        ("If 3 percent are paid in, 6 are added.", "en", "Six are added if 3 percent are paid in.", "en"),
        ("The board elects a chair each year.", "en", "Every year, the board elects a chair.", "en"),
        ("Der Mindestlohn soll 15 Euro betragen.", "de", "Der Mindestlohn soll auf 15 Euro steigen.", "de"),
        ("Hebammen bekommen einen Zuschuss.", "de", "Midwives get a grant.", "en"),
        ("Der Verein ist verpflichtet zu zahlen.", "de", "Der Verein wird gezwungen zu zahlen.", "de"),
        ("Members may choose.", "en", "Members are free to choose.", "en"),
        ("Tenants are entitled to two months.", "en", "Tenants must be given two months.", "en"),
        ("You have to be a member to vote.", "en", "Only members may vote.", "en"),
        ("Dogs must stay outside.", "en", "Dogs are not allowed inside.", "en"),
        ("Ob es geht, wird geprüft und kann sein.", "de", "Das soll geprüft werden.", "de"),
        ("Die Partei ist gegen einen Hafen.", "de", "Einen Hafen lehnen wir ab.", "de"),
        ("La présence est permise.", "fr", "La présence n'est pas interdite.", "fr"),
        ("Für die Pacht braucht man ein Zeugnis.", "de", "Ohne Zeugnis gibt es keine Pacht.", "de"),
        ("All of the money is for buses.", "en", "Les recettes iront intégralement aux bus.", "fr"),
        ("In manchen Filialen fehlt Ware.", "de", "Nicht alle Filialen haben die Ware.", "de"),
        ("Ganz gleich, wer kommt: es wird gewählt.", "de", "Gewählt wird unabhängig davon, wer kommt.", "de"),
        ("Dogs stay out, including small ones.", "en", "Dogs stay out, small ones too.", "en"),
        ("Le prêt est accordé sans condition.", "fr", "Le prêt est accordé dans tous les cas.", "fr"),
        ("Vor 2030 schließt das Werk nicht.", "de", "Frühestens 2030 schließt das Werk.", "de"),
        ("The last pit closes by 2035.", "en", "Spätestens 2035 schließt die letzte Grube.", "de"),
        ("Le bac ferme au plus tôt en mai.", "fr", "Le bac ne ferme pas avant mai.", "fr"),
        ("Der Park braucht 5 Kilowattstunden.", "de", "Der Park braucht 5 kWh.", "de"),
        ("It takes 30 names to force a vote.", "en", "A vote needs at least 30 names.", "en"),
        ("Sport im Park ist nur sonntags erlaubt.", "de", "Außer sonntags ist Sport im Park verboten.", "de"),
    ],
)
def test_what_says_the_same_contradicts_nothing(claim: str, language: str, quote: str, written: str) -> None:
    assert found(claim, language, quote, written) == set()
