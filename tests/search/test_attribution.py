"""What stands before an alleged quote: whose it is said to be."""

import pytest

from core.registry.attribution import LedIn, framings, name_in

WORDS = "Wir bauen neue Stege am Ufer."
MARKED = f"„{WORDS}“"


def led_in(text: str) -> LedIn | None:
    return next(framings(text), None)


def named(text: str) -> tuple[str, str]:
    led = led_in(text)
    assert led is not None
    return name_in(led, led.before), led.words


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ("Grüne:", "Grüne"),
        ("Laut den Grünen:", "Grünen"),
        ("Die Grünen sagen:", "Grünen"),
        ("grüne:", "grüne"),
        ("Im Programm der Grünen steht:", "Grünen"),
        ("Angela Muster schrieb gestern:", "Angela Muster"),
        ("Stimmt dieser Spruch von Muster:", "Muster"),
        ("Angela Muster (XYZ) sagte:", "Angela Muster"),
        ("According to the Greens:", "Greens"),
        ("The Greens say:", "Greens"),
        ("Harbour Friends wrote:", "Harbour Friends"),
        ("Selon les Verts :", "Verts"),
        ("Les Verts disent :", "Verts"),
        ("Parti de la Rive a dit :", "Rive"),
        ("Bündnis 90/Die Grünen:", "Bündnis 90/Die Grünen"),
    ],
)
def test_a_name_before_a_quote_is_whose_it_is(before, name):
    assert named(f"{before} {MARKED}") == (name, MARKED)


@pytest.mark.parametrize(
    "before",
    [
        "Jemand schrieb:", "Zitat:", "Im Programm steht:", "Stimmt das:", "Auf Seite 3 steht:", "Er sagte:",
        "Quote:", "Somebody said:", "Is this true:", "The programme says:", "On page 3:",
        "Citation :", "Quelqu'un a dit :", "Dans le programme :", "C'est vrai :",
    ],
)  # fmt: skip
def test_where_nobody_is_named_there_is_no_name(before):
    assert named(f"{before} {MARKED}") == ("", MARKED)


def test_without_marks_the_words_before_a_colon_may_be_the_quotes_own():
    led = led_in(f"Grüne: {WORDS}")
    assert led is not None
    assert (led.before, led.words, led.sure) == ("Grüne", WORDS, False)
    assert named("Wir werden in den nächsten zwei Jahren anlegen: neue Stege am Ufer.")[0] == ""


@pytest.mark.parametrize(
    "text",
    [
        WORDS,
        MARKED,
        "Um 12:30 Uhr öffnet das Amt.",
        ": und weiter",
        "„Ja“: gut",
        f"{MARKED}: gut",
        "„Wir bauen“ und „wir rudern“",
        "„Wir bauen“ und „wir rudern“ sind unsere Werte.",
        "„Wir“ ist das Wort, das in diesem Text am Anfang steht",
        "",
    ],
)
def test_what_is_nothing_but_a_quote_has_nothing_before_it(text):
    assert led_in(text) is None


@pytest.mark.parametrize(
    ("behind", "name"),
    [
        ("(Grüne)", "Grüne"),
        ("– Grüne", "Grüne"),
        (", sagt die Linke.", "Linke"),
        ("steht im Programm der Grünen", "Grünen"),
        ("(Angela Muster, gestern)", "Angela Muster"),
        ("says the Harbour List", "Harbour List"),
        ("stimmt das?", ""),
        ("is this true?", ""),
    ],
)
def test_a_name_behind_a_quote_is_whose_it_is(behind, name):
    assert named(f"{MARKED} {behind}") == (name, MARKED)


def test_a_name_in_brackets_behind_a_quote_without_marks_may_be_its_own():
    led = led_in(f"{WORDS[:-1]} (Grüne).")
    assert led is not None
    assert (led.before, led.words, led.sure, led.behind) == ("Grüne", WORDS[:-1], False, True)


@pytest.mark.parametrize(("behind", "sure"), [("(Grüne)", True), ("– Grüne", True), ("bleibt wahr", False)])
def test_what_signs_a_quote_is_surely_a_name(behind, sure):
    led = led_in(f"{MARKED} {behind}")
    assert led is not None
    assert led.sure is sure


@pytest.mark.parametrize("behind", ["(2021)", "seite 12"])
def test_a_number_is_no_name(behind):
    assert named(f"{MARKED} {behind}")[0] == ""


def test_words_between_marks_inside_a_quote_do_not_part_it_for_sure():
    led = led_in("Wir stoppen den „Mietendeckel“.")
    assert led is not None
    assert not led.sure
    assert led_in("Wir stoppen den „Deckel“ sofort und überall.") is None


def test_a_name_is_not_of_any_length():
    assert named(f"{'A' * 200}: {MARKED}")[0] == ""
