"""Numbers and dates by their value, in figures and in words."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.quantities import dates, quantities

FRENCH = [
    "un",
    "deux",
    "trois",
    "quatre",
    "cinq",
    "six",
    "sept",
    "huit",
    "neuf",
    "dix",
    "onze",
    "douze",
    "treize",
    "quatorze",
    "quinze",
    "seize",
]
FRENCH_TENS = {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante"}
ENGLISH = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
GERMAN = [
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
]
GERMAN_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]


def french(number: int, tens: dict[int, str], joint: str = "-") -> str:
    """`number` below 1000 in words; `tens` may have words for 70, 80 and 90."""
    if number == 0:
        return "zéro"
    hundreds, rest = divmod(number, 100)
    parts = [] if not hundreds else ["cent"] if hundreds == 1 else [FRENCH[hundreds - 1], "cent"]
    if hundreds > 1 and not rest:
        parts[-1] = "cents"
    return joint.join((*parts, *_below_hundred(rest, tens)))


def _below_hundred(number: int, tens: dict[int, str]) -> list[str]:
    ten, unit = divmod(number, 10)
    if number == 0:
        return []
    if number <= 16:
        return [FRENCH[number - 1]]
    if number < 20:
        return ["dix", FRENCH[unit - 1]]
    if ten in tens:
        return [tens[ten], *([] if not unit else ["et", "un"] if unit == 1 else [FRENCH[unit - 1]])]
    if ten == 7:
        return (
            ["soixante", "et", "onze"] if number == 71 else ["soixante", *_below_hundred(number - 60, tens)]
        )
    if number == 80:
        return ["quatre", "vingts"]
    return ["quatre", "vingt", *_below_hundred(number - 80, tens)]


def english(number: int, joint: str) -> str:
    hundreds, rest = divmod(number, 100)
    below = (
        ENGLISH[rest - 1]
        if 0 < rest < 20
        else ENGLISH_TENS[rest // 10 - 2] + (f"-{ENGLISH[rest % 10 - 1]}" if rest % 10 else "")
        if rest
        else ""
    )
    above = f"{ENGLISH[hundreds - 1]} hundred" if hundreds else ""
    return joint.join(filter(None, (above, below))) or "zero"


def german(number: int, joint: str = "") -> str:
    hundreds, rest = divmod(number, 100)
    unit = GERMAN[rest % 10 - 1].removesuffix("s") if rest % 10 == 1 else GERMAN[rest % 10 - 1]
    below = (
        GERMAN[rest - 1]
        if 0 < rest < 20
        else (f"{unit}und" if rest % 10 else "") + GERMAN_TENS[rest // 10 - 2]
        if rest
        else ""
    )
    above = ("ein" if hundreds == 1 else GERMAN[hundreds - 1]) + "hundert" if hundreds else ""
    return joint.join(filter(None, (above, below))) or "null"


@pytest.mark.parametrize(
    "tens",
    [
        FRENCH_TENS,
        FRENCH_TENS | {7: "septante", 9: "nonante"},
        FRENCH_TENS | {7: "septante", 8: "huitante", 9: "nonante"},
        FRENCH_TENS | {7: "septante", 8: "octante", 9: "nonante"},
    ],
)
@pytest.mark.parametrize("joint", ["-", " "])
def test_french_numerals(tens: dict[int, str], joint: str) -> None:
    for number in range(1000):
        written = french(number, tens, joint)
        for text in (written, f"Le texte fixe {written} euros et les autres."):
            found = [(each.values, each.unit) for each in quantities(text)]
            expected = [] if number == 1 else [({number}, "€" if "euros" in text else "")]
            assert found == expected, text


def test_german_and_english_numerals() -> None:
    for number in range(1000):
        for text in (english(number, " and "), english(number, " "), german(number), german(number, "und")):
            values = [each.values for each in quantities(f"Exactly {text} items")]
            assert values == ([] if number == 1 else [{number}]), text


@given(st.integers(2, 999), st.integers(2, 999))
def test_thousands_in_words(thousands: int, rest: int) -> None:
    number = thousands * 1000 + rest
    below = rest if rest >= 100 else rest + 100
    cases = {
        f"{french(thousands, FRENCH_TENS).replace('ts', 't')}-mille-{french(rest, FRENCH_TENS)}": number,
        f"{english(thousands, ' ')} thousand {english(below, ' and ')}": thousands * 1000 + below,
        f"{english(thousands, ' and ')} thousand, {english(below, ' and ')}": thousands * 1000 + below,
    }
    for text, value in cases.items():
        assert [each.values for each in quantities(text)] == [{value}], text


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("12 500,50 Euro", None, [("12 500,50 Euro", Fraction(25001, 2), "€")]),
        ("1 234 567.89", None, [("1 234 567.89", Fraction(123456789, 100), "")]),
        ("12 500, 50 Euro", None, [("12 500", 12500, ""), ("50 Euro", 50, "€")]),
        ("1.5", "de", [("1.5", Fraction(3, 2), "")]),
        ("2.50 Euro", "de", [("2.50 Euro", Fraction(5, 2), "€")]),
        ("0.500", "de", [("0.500", Fraction(1, 2), "")]),
        ("1.500", "de", [("1.500", 1500, "")]),
        ("1.500,5", "en", [("1.500,5", Fraction(3001, 2), "")]),
        ("1,5", "en", [("1,5", Fraction(3, 2), "")]),
        ("1,500", "en", [("1,500", 1500, "")]),
        ("1'234.50", "de", [("1'234.50", Fraction(2469, 2), "")]),
        ("1’234’567,50", "de", [("1’234’567,50", Fraction(2469135, 2), "")]),
        ("1'234", "en", [("1'234", 1234, "")]),
        ("Ziffer 2.1", "de", [("2.1", Fraction(21, 10), "")]),
        ("Ziffer 2.1", None, [("2.1", Fraction(21, 10), "")]),
        ("dix pour cent", None, [("dix pour cent", 10, "%")]),
        ("cent pour cent", "fr", [("cent pour cent", 100, "%")]),
        ("pour cent mille euros", None, [("cent mille euros", 100_000, "€")]),
        ("sept cents", None, [("sept cents", 700, "")]),
        ("les sept jours", None, [("sept", 7, "")]),
        ("five cents", None, [("five", 5, "")]),
        ("six cents", "en", [("six", 6, "")]),
        ("six cents", "fr", [("six cents", 600, "")]),
        ("ten per cent of it", None, [("ten per cent", 10, "%")]),
        ("soixante-dixième anniversaire", None, [("soixante-dixième", 70, "")]),
        ("the twenty-third day", None, [("twenty-third", 23, "")]),
        ("twenty second rule", None, [("twenty", 20, "")]),
        ("vingt, deux", None, [("vingt", 20, ""), ("deux", 2, "")]),
        ("twenty, five", None, [("twenty", 20, ""), ("five", 5, "")]),
        ("seit 2020, Millionen Menschen", "de", [("2020", 2020, ""), ("Millionen", 1_000_000, "")]),
        ("zwei Millionen Euro", "de", [("zwei Millionen Euro", 2_000_000, "€")]),
        ("under section 19 may", None, [("19", 19, "")]),
    ],
)
def test_what_numbers_mean(text: str, language: str | None, found: list[tuple[str, Fraction, str]]) -> None:
    expected = [(text, {Fraction(value)}, unit) for text, value, unit in found]
    assert [(each.text, each.values, each.unit) for each in quantities(text, language)] == expected


def test_a_number_of_a_chapter_is_no_other_number() -> None:
    (chapter,) = quantities("2.1.3", "de")
    assert chapter.values == quantities("Ziffer 2.1.3")[0].values
    for other in ("213", "2.13", "21.3"):
        assert not chapter.values & quantities(other)[0].values


@given(st.integers(0, 10**9), st.integers(0, 99), st.sampled_from([" ", "\u202f", "'", "’"]))
def test_grouped_figures(whole: int, cents: int, group: str) -> None:
    for decimal in ",.":
        text = f"{whole:,}".replace(",", group) + f"{decimal}{cents:02}"
        for language in ("de", "en", "fr"):
            assert [each.values for each in quantities(f"kostet {text} Euro", language)] == [
                {whole + Fraction(cents, 100)}
            ], text


@pytest.mark.parametrize(
    "text",
    [
        "section 19 may",
        "under section 19 may be refused",
        "SECTION 19 MAY BE REFUSED",
        "sections 18 and 19 May be cited",
        "Rule 3 March on",
        "article 5 august persons",
        "not more than 5 may object",
        "the 12 march home",
        "may 5 persons object",
        "§ 5 mai",
        "Nr. 4 August",
        "am 45.13.2024",
    ],
)
def test_words_that_are_no_months(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("on 19 May", (19, 5, 0)),
        ("on 19 may 2016", (19, 5, 2016)),
        ("section 5 of 19 May 2016", (19, 5, 2016)),
        ("the 19th of may", (19, 5, 0)),
        ("on March 5", (5, 3, 0)),
        ("in may 2016", (0, 5, 2016)),
        ("le 1er mai 2024", (1, 5, 2024)),
        ("le 19 mai", (19, 5, 0)),
        ("am 19. März", (19, 3, 0)),
        ("section 9 was changed on 1 August", (1, 8, 0)),
    ],
)
def test_dates_with_the_same_words(text: str, parts: tuple[int, int, int]) -> None:
    assert [(date.day, date.month, date.year) for date in dates(text)] == [parts]
