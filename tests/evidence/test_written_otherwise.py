"""Signs, units, optional parts of words, gendered forms, dates and numbers as people write them: what is
another statement is refused or shown, what is the same one is accepted."""

import pytest

from core.domain.answers import Verdict
from core.evidence.alignment import Alignment, in_its_sentences
from core.evidence.index import DocumentIndex
from tests.support.paper import paper

OTHERWISE = [
    ("Wir bauen ~500 neue Wohnungen am Ufer.", "Wir bauen 500 neue Wohnungen am Ufer."),
    ("Wir bauen ≈500 neue Wohnungen am Ufer.", "Wir bauen 500 neue Wohnungen am Ufer."),
    ("Wir bauen ca. 500 neue Wohnungen am Ufer.", "Wir bauen 500 neue Wohnungen am Ufer."),
    ("Wir bauen 500 neue Wohnungen am Ufer.", "Wir bauen ~500 neue Wohnungen am Ufer."),
    ("Das Kraftwerk am Ufer leistet 40 mW im Sommer.", "Das Kraftwerk am Ufer leistet 40 MW im Sommer."),
    ("Das Kraftwerk am Ufer liefert 40 KWh im Sommer.", "Das Kraftwerk am Ufer liefert 40 kWh im Sommer."),
    ("Das Kraftwerk am Ufer liefert 40 KWH im Sommer.", "Das Kraftwerk am Ufer liefert 40 kWh im Sommer."),
    ("Das Kraftwerk am Ufer liefert 12 GWH im Sommer.", "Das Kraftwerk am Ufer liefert 12 GWh im Sommer."),
    (
        "They want to protect US from harm in the harbour.",
        "They want to protect us from harm in the harbour.",
    ),
    ("Wir fördern it an allen Schulen des Landes.", "Wir fördern IT an allen Schulen des Landes."),
    (
        "Ein unzulässiges Verfahren beendet der Rat der Insel.",
        "Ein (un)zulässiges Verfahren beendet der Rat der Insel.",
    ),
    (
        "Ein zulässiges Verfahren beendet der Rat der Insel.",
        "Ein (un)zulässiges Verfahren beendet der Rat der Insel.",
    ),
    ("Die Retter der Insel haben den Hafen verkauft.", "Die „Retter“ der Insel haben den Hafen verkauft."),
    (
        "Die Kosten betragen \u202e500\u202c Taler im Jahr am Ufer.",
        "Die Kosten betragen 500 Taler im Jahr am Ufer.",
    ),
    (
        "Alle Bürgerinnen der Insel dürfen am Ufer wählen.",
        "Alle Bürger*innen der Insel dürfen am Ufer wählen.",
    ),
    (
        "Alle Bürgerinnen der Insel dürfen am Ufer wählen.",
        "Alle Bürger:innen der Insel dürfen am Ufer wählen.",
    ),
    (
        "Alle Bürgerinnen der Insel dürfen am Ufer wählen.",
        "Alle BürgerInnen der Insel dürfen am Ufer wählen.",
    ),
    (
        "Alle Bürgerinnen der Insel dürfen am Ufer wählen.",
        "Alle Bürger/-innen der Insel dürfen am Ufer wählen.",
    ),
    (
        "Alle Bürger*innen der Insel dürfen am Ufer wählen.",
        "Alle Bürgerinnen der Insel dürfen am Ufer wählen.",
    ),
    ("Wohnen am Hafen Wir bauen neue Schulen am Ufer.", "Wohnen am Hafen\n\nWir bauen neue Schulen am Ufer."),
    ("Die Stadt zahlt 1,000 Taler für alle am Ufer.", "Die Stadt zahlt 1.000 Taler für alle am Ufer."),
    ("Die Stadt zahlt 1,5 Taler für alle am Ufer.", "Die Stadt zahlt 15 Taler für alle am Ufer."),
    ("Die Stadt zahlt 1.5 Taler für alle am Ufer.", "Die Stadt zahlt 15 Taler für alle am Ufer."),
    ("Die Stadt zahlt 12.500,5 Taler am Ufer.", "Die Stadt zahlt 125005 Taler am Ufer."),
    ("Die Stadt zahlt 12.500.50 Taler am Ufer.", "Die Stadt zahlt 12500,50 Taler am Ufer."),
    (
        "18 Jahre alt müssen alle Bewerber am Ufer sein.",
        ">= 18 Jahre alt müssen alle Bewerber am Ufer sein.",
    ),
    ("500 neue Wohnungen am Ufer bauen wir im Mai.", "≈ 500 neue Wohnungen am Ufer bauen wir im Mai."),
    ("5 Grad hatte es am Ufer der Insel im Mai.", "-5 Grad hatte es am Ufer der Insel im Mai."),
    ("5 Grad hatte es am Ufer der Insel im Mai.", "± 5 Grad hatte es am Ufer der Insel im Mai."),
    ("Im Mai waren am Ufer der Insel 5", "Im Mai waren am Ufer der Insel 5 %."),
    ("Die Stadt zahlt 10 000 Taler für alle am Ufer.", "Die Stadt zahlt 1 000 Taler für alle am Ufer."),
    ("Die Stаdt zahlt 500 Taler für alle am Ufer.", "Die Stadt zahlt 500 Taler für alle am Ufer."),
    ("2 Schulen bekommen am Ufer neue Dächer.", "Schulen bekommen am Ufer neue Dächer."),
    (
        "Wir bauen am Ufer neue Stege. 2 Schulen bekommen Dächer.",
        "Wir bauen am Ufer neue Stege. Schulen bekommen Dächer.",
    ),
    ("5. Oktober ist am Ufer der Insel ein Feiertag.", "3. Oktober ist am Ufer der Insel ein Feiertag."),
    ("2. Klasse kostet am Ufer der Insel 5 Taler.", "1. Klasse kostet am Ufer der Insel 5 Taler."),
    ("Die Regel steht am Ufer der Insel in Art.12", "Die Regel steht am Ufer der Insel in Art."),
    ("Die Regel gilt am Ufer der Insel für Typ12", "Die Regel gilt am Ufer der Insel für Typ"),
    ("[Un]zulässig ist am Ufer der Insel das Zelten.", "Zulässig ist am Ufer der Insel das Zelten."),
    ("Die Regel gilt ab 01.02.2027 für alle am Ufer.", "Die Regel gilt ab 2.1.2027 für alle am Ufer."),
    ("Die Regel gilt ab 1. Februar 2027 für alle am Ufer.", "Die Regel gilt ab 1.12.2027 für alle am Ufer."),
    ("Die Regel gilt bis zum 31.5. für alle am Ufer.", "Die Regel gilt bis zum 31. März für alle am Ufer."),
    ("Die Stadt zahlt 12,50 USD für alle am Ufer.", "Die Stadt zahlt 12,50 Euro für alle am Ufer."),
    ("Die Stadt zahlt 125 EUR für alle am Ufer.", "Die Stadt zahlt 12,50 Euro für alle am Ufer."),
    ("Das Bad am Ufer öffnet um 8.30 Uhr für alle.", "Das Bad am Ufer öffnet um 8:00 Uhr für alle."),
    ("Die Karte am Ufer hat den Maßstab 1.50 für alle.", "Die Karte am Ufer hat den Maßstab 1:50 für alle."),
    ("The council of the island gives us boats.", "The council of the island gives U.S. boats."),
    ("Für 10, 20 Boote am Ufer genügt eine Lizenz.", "Für 10–20 Boote am Ufer genügt eine Lizenz."),
    ("Der Pegel am Ufer steigt im Mai um 3 m.", "Der Pegel am Ufer steigt im Mai um 3 Mio."),
    ("Die Stadt am Ufer hat treue Gäste im Mai.", "Die Stadt am Ufer hat trübe Gäste im Mai."),
    ("Das Feld am Ufer misst 4 + 10 Meter im Mai.", "Das Feld am Ufer misst 4 x 10 Meter im Mai."),
    ("Die Stadt zahlt 5 Mrd. Taler für alle am Ufer.", "Die Stadt zahlt 5 Millionen Taler für alle am Ufer."),
    ("Der Hafen am Ufer wächst um 10 Prozentpunkte.", "Der Hafen am Ufer wächst um 10 %."),
    (
        "Das Angeln ist am Ufer nicht erlaubt, siehe Liste.",
        "Das Angeln ist am Ufer (nicht) erlaubt, siehe Liste.",
    ),
    (
        "Das Angeln ist am Ufer (nicht) erlaubt, siehe Liste.",
        "Das Angeln ist am Ufer nicht erlaubt, siehe Liste.",
    ),
    ("Das Zelten am Ufer ist geheim und un-gültig.", "Das Zelten am Ufer ist geheim und (un-)gültig."),
    ("Die Miete am Ufer beträgt 7 €·m² im Turm.", "Die Miete am Ufer beträgt 7 €/m² im Turm."),
    ("Die Miete am Ufer beträgt 7 € m² im Turm.", "Die Miete am Ufer beträgt 7 €/m² im Turm."),
    ("Das Rohr am Ufer liefert Wasser mit 2 m s.", "Das Rohr am Ufer liefert Wasser mit 2 m/s."),
    ("Das Netz am Ufer schafft 10 GB im Turm.", "Das Netz am Ufer schafft 10 Gb im Turm."),
    ("Der Kran am Ufer hebt 3 T im Turm.", "Der Kran am Ufer hebt 3 t im Turm."),
    ("Der Turm am Ufer misst 2 k im Winter.", "Der Turm am Ufer misst 2 K im Winter."),
    ("Der Weg am Ufer dauert 5 S im Winter.", "Der Weg am Ufer dauert 5 s im Winter."),
    ("Die Brücke am Ufer trägt 6 KN im Winter.", "Die Brücke am Ufer trägt 6 kN im Winter."),
    ("The rates on the island apply to A B vessels.", "The rates on the island apply to A/B vessels."),
    ("Das Bad am Ufer öffnet Mo, Fr für alle Gäste.", "Das Bad am Ufer öffnet Mo–Fr für alle Gäste."),
    ("The lock on the island opens Mon Fri in summer.", "The lock on the island opens Mon-Fri in summer."),
    ("The lock on the island opens Mon, Fri in summer.", "The lock on the island opens Mon-Fri in summer."),
    ("Wein gibt es am Ufer nur in Massen im Sommer.", "Wein gibt es am Ufer nur in Maßen im Sommer."),
    (
        "The warden may not resign the lease on the ponds.",
        "The warden may not re-sign the lease on the ponds.",
    ),
    ("The unionised salt of the island must be sold.", "The un-ionised salt of the island must be sold."),
    ("The salt of the island is sold by the coop.", "The salt of the island is sold by the co-op."),
    ("Le progrès du port coûte cher aux bergers.", "Le « progrès » du port coûte cher aux bergers."),
    (
        "Verboten Das Zelten am Ufer ist allen gestattet.",
        "Verboten\n\nDas Zelten am Ufer ist allen gestattet.",
    ),
    (
        "Verboten: Das Zelten am Ufer ist allen gestattet.",
        "Verboten\n\nDas Zelten am Ufer ist allen gestattet.",
    ),
    (
        "Verboten – Das Zelten am Ufer ist allen gestattet.",
        "Verboten\n\nDas Zelten am Ufer ist allen gestattet.",
    ),
]
THE_SAME = [
    ("Das gilt gleichermassen für Gäste am Ufer.", "Das gilt gleichermaßen für Gäste am Ufer."),
    ("Wer am Ufer zeltet, zahlt eine Geldbusse.", "Wer am Ufer zeltet, zahlt eine Geldbuße."),
    (
        "Alle Bürger:innen der Insel dürfen am Ufer wählen.",
        "Alle Bürger*innen der Insel dürfen am Ufer wählen.",
    ),
    (
        "Wohnen am Hafen\nWir bauen neue Schulen am Ufer.",
        "Wohnen am Hafen\n\nWir bauen neue Schulen am Ufer.",
    ),
    ("Die Regel gilt ab 1.1.2027 für alle am Ufer.", "Die Regel gilt ab 1. 1. 2027 für alle am Ufer."),
    ("Die Regel gilt ab 1. 1. 2027 für alle am Ufer.", "Die Regel gilt ab 1.1.2027 für alle am Ufer."),
    (
        "Die Regel gilt ab 1. Januar 2027 für alle am Ufer.",
        "Die Regel gilt ab 1.Januar 2027 für alle am Ufer.",
    ),
    ("Die Stadt zahlt 1000 Taler für alle am Ufer.", "Die Stadt zahlt 1 000 Taler für alle am Ufer."),
    ("Die Stadt zahlt 1.000 Taler für alle am Ufer.", "Die Stadt zahlt 1 000 Taler für alle am Ufer."),
    ("Die Stadt zahlt 1 000 Taler für alle am Ufer.", "Die Stadt zahlt 1.000 Taler für alle am Ufer."),
    ("Die Stadt zahlt 1000 Taler für alle am Ufer.", "Die Stadt zahlt 1.000 Taler für alle am Ufer."),
    (
        "Die Stadt zahlt 12.500,50 Taler für alle am Ufer.",
        "Die Stadt zahlt 12 500,50 Taler für alle am Ufer.",
    ),
    ("Die Stadt zahlt 12500,50 Taler am Ufer.", "Die Stadt zahlt 12.500,50 Taler am Ufer."),
    ("Die Stadt zahlt 1'234.50 Taler am Ufer.", "Die Stadt zahlt 1234.50 Taler am Ufer."),
    ("Nach §5 Abs. 2 zahlt die Stadt für alle am Ufer.", "Nach § 5 Abs. 2 zahlt die Stadt für alle am Ufer."),
    ("Wir bauen neue Schulen am Ufer. (S. 12)", "Wir bauen neue Schulen am Ufer."),
    ("Wir bauen neue Schulen am Ufer. (Seite 12)", "Wir bauen neue Schulen am Ufer."),
    ("Wir bauen neue Schulen am Ufer (p. 12)", "Wir bauen neue Schulen am Ufer."),
    ("„Wir bauen neue Schulen am Ufer“, S. 12", "Wir bauen neue Schulen am Ufer."),
    (
        "2Sie bauen neue Schulen am Ufer der Insel.",
        "Davor ist Ruhe. ²Sie bauen neue Schulen am Ufer der Insel.",
    ),
    (
        "1Wir bauen am Ufer Schulen. 2Sie sind neu und groß.",
        "1Wir bauen am Ufer Schulen. 2Sie sind neu und groß.",
    ),
    (
        "1Wir bauen am Ufer Schulen. 2Sie sind neu und groß.",
        "¹Wir bauen am Ufer Schulen. ²Sie sind neu und groß.",
    ),
    (
        "1Wir bauen am Ufer Schulen. 2Sie sind neu und groß.",
        "Wir bauen am Ufer Schulen. Sie sind neu und groß.",
    ),
    ("Die Stadt zahlt ５00 Taler für alle am Ufer.", "Die Stadt zahlt 500 Taler für alle am Ufer."),
    ("Die Stadt zahlt 5 mio Taler für alle am Ufer.", "Die Stadt zahlt 5 Mio Taler für alle am Ufer."),
    ("Die Stadt zahlt 5 Mio. Taler für alle am Ufer.", "Die Stadt zahlt 5 Mio Taler für alle am Ufer."),
    ("500 neue Wohnungen am Ufer bauen wir im Mai.", "• 500 neue Wohnungen am Ufer bauen wir im Mai."),
    ("500 neue Wohnungen am Ufer bauen wir im Mai.", "- 500 neue Wohnungen am Ufer bauen wir im Mai."),
    ("500 neue Wohnungen am Ufer bauen wir im Mai.", "– 500 neue Wohnungen am Ufer bauen wir im Mai."),
    ("WIR BAUEN NEUE SCHULEN AM UFER DER INSEL.", "Wir bauen neue Schulen am Ufer der Insel."),
    ("Wir bauen neue Schulen am Ufer der Insel.", "WIR BAUEN NEUE SCHULEN AM UFER DER INSEL."),
    (
        "1 Wir bauen am Ufer Schulen. 2 Sie sind neu und groß.",
        "Wir bauen am Ufer Schulen. Sie sind neu und groß.",
    ),
    (
        "¹Wir bauen am Ufer Schulen. ²Sie sind neu und groß.",
        "Wir bauen am Ufer Schulen. Sie sind neu und groß.",
    ),
    ("2 Sie bauen neue Schulen am Ufer der Insel.", "Sie bauen neue Schulen am Ufer der Insel."),
    ("Wir bauen neue Schulen am Uﬀer oﬀen.", "Wir bauen neue Schulen am Uffer offen."),
    ("Wir bauen neue Schulen am Ufer der Insel.12", "Wir bauen neue Schulen am Ufer der Insel."),
    ("a) Wir bauen neue Schulen am Ufer der Insel.", "Wir bauen neue Schulen am Ufer der Insel."),
    ("1. Wir bauen neue Schulen am Ufer der Insel.", "Wir bauen neue Schulen am Ufer der Insel."),
    ("(2) Wir bauen neue Schulen am Ufer der Insel.", "Wir bauen neue Schulen am Ufer der Insel."),
    ("[W]ir bauen neue Schulen am Ufer der Insel.", "Wir bauen neue Schulen am Ufer der Insel."),
    ("Wir bauen neue Schulen (sic) am Ufer der Insel.", "Wir bauen neue Schulen am Ufer der Insel."),
    ("Wir bauen f&uuml;r alle Schulen am Ufer.", "Wir bauen für alle Schulen am Ufer."),
    ("Die Regel gilt ab 01.02.2027 für alle am Ufer.", "Die Regel gilt ab 1. 2. 2027 für alle am Ufer."),
    ("Die Regel gilt ab 1. Februar 2027 für alle am Ufer.", "Die Regel gilt ab 1.2.2027 für alle am Ufer."),
    ("Die Regel gilt bis zum 31.3. für alle am Ufer.", "Die Regel gilt bis zum 31. März für alle am Ufer."),
    ("Die Stadt zahlt 12,50 EUR für alle am Ufer.", "Die Stadt zahlt 12,50 Euro für alle am Ufer."),
    ("Die Stadt zahlt 5 Mio. € für alle am Ufer.", "Die Stadt zahlt 5 Millionen Euro für alle am Ufer."),
    ("Das Bad am Ufer öffnet um 8.30 Uhr für alle.", "Das Bad am Ufer öffnet um 8:30 Uhr für alle."),
    ("Der Hafen am Ufer wächst um zehn, um 10 Prozent.", "Der Hafen am Ufer wächst um zehn, um 10 %."),
    (
        "The council of the island likes the U.S. very much.",
        "The council of the island likes the US very much.",
    ),
    ("Für 10 bis 20 Boote am Ufer genügt eine Lizenz.", "Für 10–20 Boote am Ufer genügt eine Lizenz."),
    ("Der Pegel am Ufer steigt im Mai um 3,5 m.", "Der Pegel am Ufer steigt im Mai um 3,5 Meter."),
    ("Die Gaerten am Ufer sind kuehl und gross.", "Die Gärten am Ufer sind kühl und groß."),
    ("Das Feld am Ufer misst 4 × 10 Meter im Mai.", "Das Feld am Ufer misst 4 x 10 Meter im Mai."),
    ("Der Kurs am Ufer dauert 20 Stunden im Mai.", "Der Kurs am Ufer dauert 20 Std. im Mai."),
    (
        "Das Angeln ist am Ufer (nicht) erlaubt, siehe Liste.",
        "Das Angeln ist am Ufer (nicht) erlaubt, siehe Liste.",
    ),
    ("Die Miete am Ufer beträgt 7 € / m² im Turm.", "Die Miete am Ufer beträgt 7 €/m² im Turm."),
    ("Das Netz am Ufer wiegt 10 KG im Turm.", "Das Netz am Ufer wiegt 10 kg im Turm."),
    ("DER KRAN AM UFER HEBT 3 T IM TURM.", "Der Kran am Ufer hebt 3 t im Turm."),
    ("Das Bad am Ufer öffnet Mo-Fr für alle Gäste.", "Das Bad am Ufer öffnet Mo–Fr für alle Gäste."),
    ("Das Bad am Ufer öffnet Mo - Fr für alle Gäste.", "Das Bad am Ufer öffnet Mo–Fr für alle Gäste."),
    ("Der Rhein Main Hafen öffnet am Ufer für alle.", "Der Rhein-Main-Hafen öffnet am Ufer für alle."),
    ("Die Strasse am Ufer ist gross und mass 3 Meter.", "Die Straße am Ufer ist groß und maß 3 Meter."),
    ("The islanders cooperate and reelect the mayor.", "The islanders co-operate and re-elect the mayor."),
    ("Le «progrès» du port coûte cher aux bergers.", "Le « progrès » du port coûte cher aux bergers."),
    (
        "Wohnen am Hafen: Wir bauen neue Schulen am Ufer.",
        "Wohnen am Hafen\n\nWir bauen neue Schulen am Ufer.",
    ),
    (
        "Erlaubt\nDas Zelten am Ufer ist allen gestattet.",
        "Erlaubt\n\nDas Zelten am Ufer ist allen gestattet.",
    ),
]


def told(quote: str, text: str) -> Alignment:
    pages = paper(f"Davor steht etwas anderes.\n\n{text}\n\nDanach kommt noch etwas.")
    return in_its_sentences(quote, DocumentIndex(pages))


@pytest.mark.parametrize(("quote", "text"), OTHERWISE)
def test_what_is_written_otherwise_is_no_plain_quote(quote: str, text: str) -> None:
    found = told(quote, text)
    assert found.verdict not in (Verdict.VERBATIM, Verdict.TYPO)
    assert found.differences or found.setting


@pytest.mark.parametrize(("quote", "text"), THE_SAME)
def test_what_is_the_same_is_accepted(quote: str, text: str) -> None:
    assert told(quote, text).verdict is Verdict.VERBATIM


FEES = {
    "de": "Die Gebühr des Hafens beträgt im kommenden Jahr genau {} Taler und wird von der Stadt erhoben.",
    "en": "The fee of the harbour will be exactly {} thalers in the coming year and the town collects it.",
    "fr": "La redevance du port est fixée à {} thalers pour l'année prochaine et la ville la percevra.",
}
EQUAL = ("1,234.50", "1234.50", "1.234,50", "1 234,50", "1'234.50", "1234,50", "1’234,50", "1 234.50")


def fee(language: str, source: str, claimed: str) -> Verdict:
    return in_its_sentences(
        FEES[language].format(claimed), DocumentIndex(paper(FEES[language].format(source)))
    ).verdict


@pytest.mark.parametrize("language", list(FEES))
def test_an_amount_with_thousands_and_decimals_is_the_same_however_they_are_parted(language):
    for source in EQUAL:
        assert [claimed for claimed in EQUAL if fee(language, source, claimed) is not Verdict.VERBATIM] == []


@pytest.mark.parametrize(
    ("language", "source", "claimed", "same"),
    [
        ("de", "1.234", "1234", True),
        ("en", "1,234", "1234", True),
        ("fr", "1 234", "1234", True),
        ("en", "1.234", "1234", False),
        ("de", "1,234", "1234", False),
        ("de", "1.234", "1,234", False),
        ("en", "1,234", "1.234", False),
        ("fr", "1,234", "1.234", False),
        ("de", "1,5", "1.5", True),
        ("en", "1.5", "15", False),
        ("de", "1.234,50", "123450", False),
        ("de", "1,50", "1,5", False),
        ("en", "1,00,000", "100000", True),
        ("de", "2.1.3", "2,1,3", False),
        ("en", "10:30", "10.30", False),
        ("de", "0,500", "500", False),
    ],
)
def test_the_language_of_the_document_says_what_a_sign_in_a_number_is(language, source, claimed, same):
    assert (fee(language, source, claimed) is Verdict.VERBATIM) is same
