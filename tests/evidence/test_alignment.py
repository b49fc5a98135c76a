import pytest

from core.domain.answers import Verdict
from core.domain.passages import Span
from core.evidence.alignment import Alignment, align
from core.evidence.dictionary import is_misspelling
from core.evidence.index import DocumentIndex
from tests.support.paper import page, paper

RENT = """Wir wollen die Mieten in den Ballungs-
räumen für fünf Jahre einfrieren und bis 2030 jährlich
400.000 Wohnungen bauen, davon 25 % gefördert."""


def check(quote: str, *pages: str, hint: tuple[Span, ...] = ()) -> Alignment:
    return align(quote, DocumentIndex(paper(*pages)), hint=hint)


def verdict(quote: str, *pages: str) -> Verdict:
    return check(quote, *(pages or (RENT,))).verdict


def test_verbatim_shows_the_sources_own_text_and_place() -> None:
    found = check("die MIETEN in den Ballungsräumen für fünf Jahre", RENT)
    assert found.verdict is Verdict.VERBATIM
    assert found.quote is not None
    assert found.quote.text == "die Mieten in den Ballungsräumen für fünf Jahre"
    start = RENT.index("die Mieten")
    assert found.spans == (Span(1, start, RENT.index("Jahre") + 5),)
    assert found.coverage == 1.0


def test_too_short_is_below_twenty_letters() -> None:
    assert verdict("für fünf Jahre einfr") is Verdict.TOO_SHORT
    assert verdict("„für fünf Jahre!“ – ...") is Verdict.TOO_SHORT
    assert verdict("räumen für fünf Jahre einfrieren") is Verdict.VERBATIM


@pytest.mark.parametrize(
    "quote",
    [
        "wollen die Mieten in den Ballungsräumen für sechs Jahre einfrieren",
        "bis 2031 jährlich 400.000 Wohnungen bauen",
        "bis 2030 jährlich 400,000 Wohnungen bauen",
        "bis 2030 jährlich 40.0000 Wohnungen bauen",
        "400.000 Wohnungen bauen, davon 25 gefördert",
        "400.000 Wohnungen bauen, davon 25 ‰ gefördert",
        "400.000 Wohnungen bauen, davon -25 % gefördert",
        "Wir wollen die Mieten in den Ballungsräumen nicht einfrieren",
        "Wir sollen die Mieten in den Ballungsräumen für fünf Jahre einfrieren",
        "Wir wollen alle Mieten in den Ballungsräumen für fünf Jahre einfrieren",
        "Wir wollen die Löhne in den Ballungsräumen für fünf Jahre einfrieren",
    ],
)
def test_falsified_quotes_are_altered(quote: str) -> None:
    assert verdict(quote) is Verdict.ALTERED


def test_altered_names_the_differing_words() -> None:
    found = check("Wir wollen die Löhne in den Ballungsräumen für fünf Jahre einfrieren", RENT)
    assert [(d.claimed, d.source) for d in found.differences] == [("Löhne", "Mieten")]
    figures = check("jährlich 400,000 Wohnungen bauen, davon 25 % gefördert", RENT)
    assert [(d.claimed, d.source) for d in figures.differences] == [("400,000", "400.000")]


def test_absent_where_hardly_a_word_agrees() -> None:
    assert verdict("Der Zoo bekommt endlich ein neues Gehege für seine drei Zebras") is Verdict.ABSENT
    assert check("Der Zoo bekommt endlich ein neues Gehege für seine drei Zebras", RENT).quote is None


def test_words_are_whole() -> None:
    text = "Der Abschuss ist unzulässig und wird überall streng bestraft werden."
    assert verdict("zulässig und wird überall streng bestraft werden", text) is Verdict.ALTERED
    assert (
        verdict("Abschuss ist unzulässig und wird überall streng bestraft wer", text) is not Verdict.VERBATIM
    )


def test_a_word_cut_at_the_line_end_keeps_its_negating_part() -> None:
    text = "Der Abschuss ist un-\nzulässig und wird überall streng bestraft und bleibt arbeits-\nlos dabei."
    assert verdict("zulässig und wird überall streng bestraft", text) is Verdict.ALTERED
    assert verdict("und wird überall streng bestraft und bleibt arbeits", text) is not Verdict.VERBATIM
    assert verdict("unzulässig und wird überall streng bestraft", text) is Verdict.VERBATIM


def test_spacing_may_not_make_or_hide_a_negation() -> None:
    text = "The rule is nowhere to be found in these regulations, and unlawful acts are punished."
    assert verdict("The rule is now here to be found in these regulations", text) is not Verdict.VERBATIM
    assert verdict("The rule is no where to be found in these regulations", text) is not Verdict.VERBATIM
    assert verdict("regulations, and un lawful acts are punished", text) is not Verdict.VERBATIM
    assert verdict("The ru le is nowhere to be found in these regu lations", text) is Verdict.VERBATIM


def test_the_hint_decides_between_repeated_texts() -> None:
    text = "Der Antrag ist bei der Behörde schriftlich zu stellen."
    pages = (text, "Anderes steht auf dieser Seite.", text)
    hint = (Span(3, 0, 10),)
    assert check(text, *pages).spans[0].page == 1
    assert check(text, *pages, hint=hint).spans[0].page == 3
    assert check(text, *pages, hint=(Span(7, 0, 10),)).spans[0].page == 1


def test_furniture_between_pages_is_skipped() -> None:
    found = check(
        "Wir wollen den Nahverkehr im ganzen Land deutlich ausbauen und die Takte verdichten",
        "Wir wollen den Nahverkehr im ganzen\n\n~Wahlprogramm 2025 17",
        "~Kapitel Verkehr\n\nLand deutlich ausbauen und die Takte verdichten.",
    )
    assert found.verdict is Verdict.VERBATIM
    assert [span.page for span in found.spans] == [1, 2]
    assert found.quote is not None
    assert found.quote.text == (
        "Wir wollen den Nahverkehr im ganzen Land deutlich ausbauen und die Takte verdichten."
    )


def test_furniture_itself_can_be_quoted() -> None:
    assert (
        verdict("Unser Wahlprogramm zur Bundestagswahl", "~Unser Wahlprogramm zur Bundestagswahl")
        == "verbatim"
    )


FIRST = "Wir wollen den Nahverkehr im ganzen\n\nSiehe dazu den Bericht der Kommission vom Mai."
SECOND = "Land deutlich ausbauen und die Takte verdichten."
BROKEN = "Wir wollen den Nahverkehr im ganzen Land deutlich ausbauen und die Takte verdichten"


def test_a_footnote_before_the_page_break_is_left_out_visibly() -> None:
    found = check(BROKEN, FIRST, SECOND)
    assert found.verdict is Verdict.VERBATIM
    assert found.quote is not None
    assert found.quote.text == (
        "Wir wollen den Nahverkehr im ganzen [...] Land deutlich ausbauen und die Takte verdichten."
    )
    assert found.quote.pages == (1, 2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (FIRST.replace("dazu", "nicht"), SECOND),  # a negation would be skipped
        (FIRST.replace("\n\n", "\n"), SECOND),  # the block goes on: no footnote
        (FIRST + " Wort" * 80, SECOND),  # too much between
        (FIRST, "Hier beginnt ein " + SECOND),  # not from a block's beginning
        (FIRST.replace("Wir wollen den", "Vorher. Wir wollen den").replace("2", "3"), ""),  # nothing behind
    ],
)
def test_page_breaks_that_are_none(first: str, second: str) -> None:
    assert verdict(BROKEN, first, second) is not Verdict.VERBATIM


def test_few_words_before_a_gap_prove_nothing() -> None:
    first = "Nahverkehrsausbau im ganzen\n\nSiehe dazu den Bericht."
    assert (
        verdict("Nahverkehrsausbau im ganzen Land deutlich ausbauen", first, SECOND) is not Verdict.VERBATIM
    )


def test_gaps_inside_a_page_are_not_skipped() -> None:
    text = "Wir wollen den Nahverkehr im ganzen\n\nSiehe dazu den Bericht.\n\n" + SECOND
    assert verdict(BROKEN, text) is not Verdict.VERBATIM


LONG = (
    "Wir werden die Kommunen von den Kosten der Unterkunft entlasten und ihnen mehr Freiheit bei der Planung "
    "von Schulen und Kitas geben, damit vor Ort schneller gebaut und saniert werden kann als bisher."
)


@pytest.mark.parametrize("mark", ["...", "…", "[...]", "[…]", "(...)", ". . ."])
def test_parts_round_an_ellipsis(mark: str) -> None:
    found = check(f"Wir werden die Kommunen {mark} entlasten {mark} damit vor Ort schneller gebaut", LONG)
    assert found.verdict is Verdict.VERBATIM
    assert found.quote is not None
    assert found.quote.text == "Wir werden die Kommunen [...] entlasten [...] damit vor Ort schneller gebaut"
    assert len(found.spans) == 3


def test_ellipsis_at_an_edge_is_nothing() -> None:
    assert verdict("... die Kommunen von den Kosten der Unterkunft entlasten ...", LONG) is Verdict.VERBATIM


@pytest.mark.parametrize(
    "quote",
    [
        "damit vor Ort schneller gebaut ... Wir werden die Kommunen",  # order
        "Wir werden die Kommunen von den Kosten ... Kitas ... schneller gebaut",  # too short a part
        "Wir werden die Kommunen ... damit vor Ort langsamer gebaut",  # other words
    ],
)
def test_ellipsis_is_no_licence(quote: str) -> None:
    assert verdict(quote, LONG) is not Verdict.VERBATIM


def test_an_ellipsis_may_not_hide_a_near_negation_nor_span_far() -> None:
    denied = "Wir werden die Steuern auf keinen Fall zu Lasten der Familien erhöhen oder umschichten."
    assert verdict("Wir werden die Steuern ... der Familien erhöhen oder umschichten", denied) is not (
        Verdict.VERBATIM
    )
    far = "Wir werden die Steuern senken. " + "Wort " * 121 + "Die Familien werden es merken."
    assert (
        verdict("Wir werden die Steuern senken ... Die Familien werden es merken", far)
        is not Verdict.VERBATIM
    )
    near = far.replace("Wort " * 121, "Wort " * 100)
    assert (
        verdict("Wir werden die Steuern senken ... Die Familien werden es merken", near) is Verdict.VERBATIM
    )


def test_footnote_marks_in_the_source_and_in_copied_text() -> None:
    text = "Bis zum Jahr 2030^{3} senken wir den Ausstoß^{4} um die Hälfte."
    assert verdict("Bis zum Jahr 2030 senken wir den Ausstoß um die Hälfte", text) is Verdict.VERBATIM
    assert verdict("Bis zum Jahr 2030 senken wir den Ausstoß4 um die Hälfte", text) is Verdict.VERBATIM
    assert verdict("Bis zum Jahr 20303 senken wir den Ausstoß4 um die Hälfte", text) is Verdict.ALTERED
    assert verdict("Bis zum Jahr 20304 senken wir den Ausstoß um die Hälfte", text) is Verdict.ALTERED
    assert verdict("Bis zum Jahr 2030⁴ senken wir den Ausstoß um die Hälfte", text) is not Verdict.VERBATIM
    found = check("Jahr 2030 senken wir den Ausstoß um die Hälfte", text)
    assert found.quote is not None
    assert found.quote.text == "Jahr 2030³ senken wir den Ausstoß⁴ um die Hälfte."


FRAME = "Dafür stehen im nächsten Haushalt {} für alle Gemeinden bereit."


@pytest.mark.parametrize(
    ("source", "claimed"),
    [
        ("15^{3} Euro", "153 Euro"),
        ("15³ Euro", "153 Euro"),
        ("15³ Euro", "15 3 Euro"),
        ("15³ Euro", "15^3 Euro"),
        ("15 ³ Euro", "153 Euro"),
        ("20^{4} Prozent", "204 Prozent"),
        ("20 %²", "20 %2"),
        ("1.000² Euro", "1.0002 Euro"),
        ("1,5³ Euro", "1,53 Euro"),
        ("2025¹⁾ Euro", "20251) Euro"),
        ("§ 3a² Satz", "§ 3a2 Satz"),
        ("Artikel 5¹ Satz", "Artikel 51 Satz"),
        ("2030³,⁴ Euro", "20303,4 Euro"),
        ("10⁶ Euro", "10 Euro"),
        ("10⁶ Euro", "106 Euro"),
        ("106 Euro", "10⁶ Euro"),
        ("10⁶ Euro", "10⁹ Euro"),
        ("10⁻⁶ Euro", "10⁶ Euro"),
        ("3·10⁸ Euro", "3·10 Euro"),
        ("40 m² Fläche", "40 m Fläche"),
        ("40 m² Fläche", "40 m³ Fläche"),
        ("40 m² Fläche", "40 m3 Fläche"),
        ("40 m Fläche", "40 m² Fläche"),
        ("9 km² Wald", "9 km Wald"),
        ("5 m/s² Schub", "5 m/s Schub"),
        ("7 kg/m³ Beton", "7 kg/m² Beton"),
        ("x² Teile", "x Teile"),
        ("viel CO₂ Gas", "viel CO Gas"),
        ("¹/₂ Liter", "2 Liter"),
        ("1/2 Liter", "12 Liter"),
    ],
)
def test_raised_digits_neither_join_a_number_nor_go(source: str, claimed: str) -> None:
    verdict_of = verdict(FRAME.format(claimed), FRAME.format(source))
    assert verdict_of not in (Verdict.VERBATIM, Verdict.TYPO, Verdict.NEAR)


@pytest.mark.parametrize(
    ("source", "claimed"),
    [
        ("15³ Euro", "15 Euro"),
        ("15^{3} Euro", "15³ Euro"),
        ("20 %² Anteil", "20 % Anteil"),
        ("1.000² Euro", "1.000 Euro"),
        ("2025¹⁾ Euro", "2025 Euro"),
        ("§ 3a² Satz", "§ 3a Satz"),
        ("Artikel 5¹ Satz", "Artikel 5 Satz"),
        ("2030³,⁴ Euro", "2030 Euro"),
        ("viele Mittel³", "viele Mittel3"),
        ("viele Mittel.³ Und", "viele Mittel.3 Und"),
        ("viele Mittel^{12}", "viele Mittel12"),
        ("viele Mittelᵃ", "viele Mittel"),
        ("viele Mittelⁱᵛ", "viele Mittel"),
        ("viele Mittel.ⁱⁱ Und", "viele Mittel. Und"),
        ("viele Mittelˣ", "viele Mittel"),
        ("viele Mittel*", "viele Mittel"),
        ("¹Viele Mittel", "Viele Mittel"),
        ("10⁶ Euro", "10^6 Euro"),
        ("10⁻⁶ Euro", "10^-6 Euro"),
        ("40 m² Fläche", "40 m2 Fläche"),
        ("40 m^{2} Fläche", "40 m² Fläche"),
        ("40 m^{2} Fläche", "40 m2 Fläche"),
        ("40 m² Fläche", "40 m^2 Fläche"),
        ("40 m2 Fläche", "40 m² Fläche"),
        ("9 km² Wald", "9 KM² Wald"),
        ("viel CO₂ Gas", "viel CO2 Gas"),
        ("viel CO2 Gas", "viel CO₂ Gas"),
        ("viel CO² Gas", "viel CO2 Gas"),
        ("viel H²O Gas", "viel H₂O Gas"),
        ("¹/₂ Liter", "1/2 Liter"),
        ("½ Liter", "1/2 Liter"),
        ("am 1ˢᵗ Tag", "am 1st Tag"),
    ],
)
def test_raised_digits_may_be_typed_in_other_ways(source: str, claimed: str) -> None:
    assert verdict(FRAME.format(claimed), FRAME.format(source)) is Verdict.VERBATIM


def test_symbols_that_stand_apart_belong_to_the_quote() -> None:
    found = check("erhöhen wir den Anteil auf 25 %", "Danach erhöhen wir den Anteil auf 25 % im Jahr.")
    assert found.quote is not None
    assert found.quote.text == "erhöhen wir den Anteil auf 25 %"


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("langfritig", Verdict.TYPO),  # guarded, but no other word
        ("langfristige", Verdict.ALTERED),  # guarded: another form
        ("verlässlihe", Verdict.TYPO),  # a letter lost
        ("vrelässlcihe", Verdict.TYPO),  # two slips in a long word
        ("verlässlcihe", Verdict.TYPO),  # two letters exchanged
        ("verlossliche", Verdict.TYPO),
        ("ordentliche", Verdict.NEAR),  # another word
        ("verlässlichem", Verdict.NEAR),  # another form
        ("unverlässliche", Verdict.ALTERED),  # a prefix
    ],
)
def test_repairs(wrong: str, expected: Verdict) -> None:
    text = "Unser Land braucht eine verlässliche und langfristig angelegte Politik für die Städte."
    right = "langfristig" if wrong.startswith("lang") else "verlässliche"
    found = check(text.replace(right, wrong), text)
    assert found.verdict is expected
    assert found.quote is not None
    assert found.quote.text == text


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("fördern", "fordern"),
        ("senden", "senken"),
        ("machte", "machen"),
        ("rasen", "rosen"),
        ("maus", "haus"),
        ("erhoben", "erheben"),
        ("setzten", "setzen"),
        ("proceeding", "processing"),
        ("qualifizieren", "qualifizierten"),
        ("verlassen", "veranlassen"),
    ],
)
def test_slips_that_make_another_word(claimed: str, source: str) -> None:
    assert not is_misspelling(claimed, source)


def test_a_misspelling_that_the_document_knows_as_a_word_is_no_typo() -> None:
    text = "Wir bleiben dabei, dass alle Menschen gut und gerne hier leben sollen."
    quote = text.replace("bleiben", "blaiben")
    assert verdict(quote, text) is Verdict.TYPO
    assert verdict(quote, text, "Manche blaiben lieber weg.") is Verdict.NEAR


def test_many_small_differences_are_altered() -> None:
    text = "Unser Land braucht eine verlässliche und gerechte Politik, damit Familien sorglos leben dürfen."
    quote = text.replace("gerechte", "gerchte").replace("verlässliche", "verlässlihe")
    assert verdict(quote, text) is Verdict.ALTERED


def test_exponents_count_but_footnote_marks_may_be_left_out() -> None:
    text = "Jede Wohnung hat wenigstens 40 m² Fläche^{7} und einen eigenen Balkon."
    assert verdict("Wohnung hat wenigstens 40 m² Fläche und einen eigenen Balkon", text) is Verdict.VERBATIM
    assert verdict("Wohnung hat wenigstens 40 m² Fläche⁷ und einen eigenen Balkon", text) is Verdict.VERBATIM
    assert (
        verdict("Wohnung hat wenigstens 40 m³ Fläche und einen eigenen Balkon", text) is not Verdict.VERBATIM
    )


def test_a_quotes_own_dashes_at_its_edges_are_part_of_it() -> None:
    text = "Alle Schulen – auch kleine auf dem Land – bleiben erhalten."
    found = check("– auch kleine auf dem Land –", text)
    assert found.quote is not None
    assert found.quote.text == "– auch kleine auf dem Land –"
    assert check("auch kleine auf dem Land", text).spans == (Span(1, 15, 39),)


def test_letters_that_number_a_clause_are_guarded() -> None:
    text = "the promoter shall comply with paragraph (b) of this chapter of the regulations"
    assert verdict(text.replace("(b)", "(c)"), text) is Verdict.ALTERED


def test_repetitive_texts_take_no_exponential_time() -> None:
    text = "alpha beta " * 60 + "omega"
    quote = " ... ".join(["alpha beta"] * 12) + " ... gamma delta"
    assert verdict(quote, text) is not Verdict.VERBATIM


def test_where_no_twelve_letters_are_intact_the_hint_says_where_to_look() -> None:
    text = "Die Gemeinde baut bald eine Schule am Bach und auch ein Bad."
    scanned = "Die Gemeinbe baut balb eine Schvle am Bach unb auch ein Bab"
    other = "Auf dieser Seite steht etwas ganz anderes, das niemand sucht."
    assert verdict(scanned, other, text) is Verdict.ABSENT
    found = check(scanned, other, text, hint=(Span(1, 0, 5),))
    assert found.verdict is Verdict.ALTERED
    assert found.spans[0].page == 2
    assert check(scanned, other, text, hint=(Span(7, 0, 5),)).verdict is Verdict.ABSENT


def test_pages_that_do_not_follow_each_other_do_not_join() -> None:
    first, second = "Wir wollen den Nahverkehr im ganzen", "Land deutlich ausbauen und die Takte verdichten."
    pages = [page(first, 3), page(second, 20)]
    apart, together = DocumentIndex(pages), DocumentIndex(paper(first, second))
    whole = f"{first} {second}"
    assert align(whole, together).verdict is Verdict.VERBATIM
    assert align(whole, apart).verdict is Verdict.ALTERED
    assert align("den Nahverkehr im ganzen ... deutlich ausbauen", together).verdict is Verdict.VERBATIM
    assert align("den Nahverkehr im ganzen ... deutlich ausbauen", apart).verdict is Verdict.ALTERED
    for text, number in ((first, 3), (second, 20)):
        found = align(text, apart)
        assert (found.verdict, found.spans) == (Verdict.VERBATIM, (Span(number, 0, len(text)),))


def test_a_gap_before_a_missing_page_is_no_page_break() -> None:
    pages = [page(FIRST, 1), page(SECOND, 3)]
    assert align(BROKEN, DocumentIndex(pages)).verdict is not Verdict.VERBATIM
