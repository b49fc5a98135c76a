from fractions import Fraction

import pytest

from core.evidence.claims import unsupported
from core.evidence.quantities import dates, quantities


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("zehn Prozent", 10, "%"),
        ("10 v. H.", 10, "%"),
        ("ten per cent", 10, "%"),
        ("1,5 Millionen Euro", 1_500_000, "€"),
        ("zweihundertfünfzig", 250, ""),
        ("fünfundzwanzig", 25, ""),
        ("dreitausendzweihundert", 3200, ""),
        ("zwölfjährige", 12, ""),
        ("hunderttausend", 100_000, ""),
        ("zwei Drittel", Fraction(2, 3), ""),
        ("two hundred and fifty thousand", 250_000, ""),
        ("twenty-one", 21, ""),
        ("Rs. 5,00,000", 500_000, "₹"),
        ("5 US-Dollar", 5, "$"),
        ("400 000", 400_000, ""),
        ("½", Fraction(1, 2), ""),
        ("eine Milliarde", 1_000_000_000, ""),
    ],
)
def test_quantities(text: str, value: Fraction, unit: str) -> None:
    (found,) = quantities(f"Es sind {text} im Jahr.")
    assert (found.values, found.unit) == (frozenset({value}), unit)


def test_the_language_reads_separators() -> None:
    assert quantities("1.500", "de")[0].values == {1500}
    assert quantities("1.500", "en")[0].values == {Fraction(3, 2)}
    assert quantities("1.500")[0].values == {1500, Fraction(3, 2)}


@pytest.mark.parametrize(
    "text", ["eine der Einheiten", "allein einer achtet darauf", "one of them", "vielfach dreist"]
)
def test_no_quantities(text: str) -> None:
    assert quantities(text) == []


def test_numbers_beside_each_other_are_several() -> None:
    assert [q.values for q in quantities("zwei und drei, sechs sieben")] == [{2}, {3}, {6}, {7}]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("am 1. Februar 2025", (1, 2, 2025)),
        ("am 01.02.2025", (1, 2, 2025)),
        ("on 2025-02-01", (1, 2, 2025)),
        ("on February 1, 2025", (1, 2, 2025)),
        ("on the 1st day of February, 2025", (1, 2, 2025)),
        ("seit Februar 2025", (0, 2, 2025)),
        ("bis zum 1. Februar", (1, 2, 0)),
    ],
)
def test_dates(text: str, parts: tuple[int, int, int]) -> None:
    (date,) = dates(text)
    assert (date.day, date.month, date.year) == parts
    assert quantities(text) == []


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Der Mindestlohn soll auf 15 Euro steigen.", "Wir erhöhen den Mindestlohn auf fünfzehn €."),
        ("Bis 2030 entstehen 400.000 Wohnungen.", "Wir bauen bis 2030 jedes Jahr 400 000 Wohnungen."),
        ("The fee is 10 % since May 2016.", "The fee shall be ten per cent. It applies from 1 May 2016."),
        ("The rule dates from 2016.", "It was made on 1 May 2016."),
        ("Die Partei will keine Steuererhöhungen.", "Wir lehnen Steuererhöhungen ab."),
        ("Die Partei lehnt Steuererhöhungen ab.", "Mit uns wird es keine Steuererhöhungen geben."),
        ("Der Mindestlohn soll 15 Euro betragen.", "Wir wollen 15 Euro Mindestlohn. Das genügt noch nicht."),
        ("Es geht um Wohnungen.", "Wir bauen Wohnungen."),
        ("The council is told two weeks ahead.", "The council is told fourteen days before."),
        ("Buskers play for half an hour.", "Straßenmusik ist 30 Minuten lang erlaubt."),
        ("Ab zwei Stunden Verspätung gibt es Geld.", "Geld gibt es ab 120 Minuten Verspätung."),
        ("Nach drei Mahnungen ist Schluss.", "Nach dreimaliger Mahnung ist Schluss."),
        ("Man trägt 20 statt 30 Prozent.", "Der Anteil sinkt von 30 auf 20 Prozent."),
        ("Sonntags gibt es 50 Prozent.", "Zuschläge: nachts 20, sonntags 50 und an Feiertagen 135 Prozent."),
        ("The rate rises by two percentage points.", "We raise the rate from 23 to 25 per cent."),
        ("Older people pay £24.", "They pay half the subscription of £48."),
        ("Work after 10 p.m. costs more.", "Nach 22 Uhr kostet Arbeit mehr."),
        ("Nötig sind zwei Drittel der Stimmen.", "Nötig ist eine Zweidrittelmehrheit."),
        ("Waste is sorted into four parts.", "Sort paper, glass, food and the rest."),
        ("Only members may fish.", "No person shall fish unless a member."),
        ("Ferries will be free for residents.", "Residents will pay nothing for ferries."),
        ("The levy falls by 0.25 percentage points.", "A quarter of a percentage point off the levy."),
        ("They pay 50 per cent less.", "Charges will be halved."),
        ("Es sind 25 statt 30 Prozent.", "Wir senken um fünf Prozentpunkte auf 25 Prozent."),
        ("The tax is on homes over £2 million.", "We will tax homes over £2m."),
        ("It costs £1,200 million.", "It costs 1.2bn pounds."),
        ("Without a ticket nobody enters the museum.", "Visitors enter the museum with a ticket."),
    ],
)
def test_supported(claim: str, quote: str) -> None:
    assert unsupported(claim, [quote]) == []


@pytest.mark.parametrize(
    ("claim", "quote", "missing"),
    [
        (
            "Der Mindestlohn soll auf 16 Euro steigen.",
            "Wir erhöhen den Mindestlohn auf 15 Euro.",
            ["16 Euro"],
        ),
        ("Die Frist beträgt zehn Tage.", "Die Frist beträgt elf Tage.", ["zehn"]),
        ("Der Anteil steigt auf 10 Prozent.", "Der Anteil steigt auf 10.", ["10 Prozent"]),
        ("Der Anteil sinkt um zehn Prozent.", "Der Anteil sinkt von 30 auf 20 Prozent.", ["zehn Prozent"]),
        ("It takes three weeks.", "It takes fourteen days.", ["three"]),
        ("It holds from 2 May 2016.", "It holds from 1 May 2016.", ["2 May 2016"]),
        ("Die Steuern werden nicht erhöht.", "Wir werden die Steuern erhöhen.", ["nicht"]),
        (
            "Die Partei will die Steuern erhöhen.",
            "Wir werden die Steuern nicht erhöhen.",
            ["not: Wir werden die Steuern nicht erhöhen"],
        ),
        ("The fee is refunded.", "The fee shall not be refunded.", ["not: The fee shall not be refunded"]),
        (
            "The levy falls by 0.25 per cent.",
            "A quarter of a percentage point off the levy.",
            ["0.25 per cent"],
        ),
        ("They pay 60 per cent less.", "Charges will be halved.", ["60 per cent"]),
        ("It rises half a per cent.", "It rises by 0.5 percentage points.", ["half"]),
        ("The tax is on homes over £2 billion.", "We will tax homes over £2m.", ["2 billion"]),
        ("It costs £1,300 million.", "It costs 1.2bn pounds.", ["1,300 million"]),
        ("Members cannot enter the museum.", "Members enter the museum.", ["cannot"]),
    ],
)
def test_unsupported(claim: str, quote: str, missing: list[str]) -> None:
    assert unsupported(claim, [quote]) == missing


def test_each_figure_may_come_from_another_quote() -> None:
    assert unsupported("Erst 5 %, dann 7 %.", ["Zunächst 5 %.", "Später 7 Prozent."]) == []
