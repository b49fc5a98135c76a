"""What differs in an alleged quote, word by word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.changes import ChangeKind, changes, changes_in, is_almost_right, is_another, kinds

SOURCE = "Dementsprechend muss die Fährgebühr spätestens ab 2026 bei 15 Talern liegen."
WORDS = st.lists(st.sampled_from(["die", "Fähre", "fährt", "nicht", "12", "Taler", "ab"]), max_size=12)


def differing(claimed: str, source: str) -> list[tuple[str | None, str]]:
    return [(p.claimed, p.source) for p in changes(claimed, source) if p.claimed is not None]


@pytest.mark.parametrize(
    ("claimed", "expected", "kind"),
    [
        (SOURCE.replace("2026", "2025"), [("2025", "2026")], ChangeKind.NUMBER),
        (SOURCE.replace("muss", "muss nicht"), [("nicht", "")], ChangeKind.NEGATION),
        (SOURCE.replace("spätestens ", ""), [("", "spätestens")], ChangeKind.WORD),
        (SOURCE.replace("Fährgebühr", "Hafengebühr"), [("Hafengebühr", "Fährgebühr")], ChangeKind.WORD),
    ],
)
def test_one_word_is_shown_with_what_stands_in_its_place(claimed, expected, kind):
    assert differing(claimed, SOURCE) == expected
    assert kinds(changes(claimed, SOURCE)) == (kind,)
    assert not is_almost_right(changes(claimed, SOURCE))


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        (
            "Der Deich bei Lauen wird bis dahin fertig gestellt.",
            "Der Deich bei Lauen wird bis dahin fertiggestellt.",
        ),
        ("Wir senken die Miete in der ganzen Stadt.", "Wir senken die Mieten in der ganzen Stadt."),
        ("Ein Brücke bei Seemoor wird endlich gebaut.", "Die Brücke bei Seemoor wird endlich gebaut."),
        ("The wage of those who work at the port rises.", "The wages of those who work at the port rise."),
        ("Good work deserve good pay in every school.", "Good work deserves good pay in every school."),
        ("La motion pour un pont a été adopté hier.", "La motion pour un pont a été adoptée hier."),
        (
            "Chaque école recoit une bibliothèque cette année.",
            "Chaque école reçoit une bibliothèque cette année.",
        ),
    ],
)
def test_the_same_words_otherwise_written_are_almost_right(claimed, source):
    assert kinds(changes(claimed, source)) == (ChangeKind.SPELLING,)
    assert is_almost_right(changes(claimed, source))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Der Antrag wurde im Landtag angenommen.", "Der Antrag wurde im Landtag abgelehnt."),
        ("Die Miete steigt in der Altstadt seit Jahren.", "Die Miete sinkt in der Altstadt seit Jahren."),
        ("Hausaufgaben sind am Wochenende erlaubt.", "Hausaufgaben sind am Wochenende verboten."),
        ("Fünf Kilometer vor der Küste steht kein Turm.", "Fünf Meilen vor der Küste steht kein Turm."),
        ("Die Mieter in der Altstadt sind sicher.", "Die Miete in der Altstadt ist sicher."),
        ("Wir fördern neue Häfen an der Küste.", "Wir fordern neue Häfen an der Küste."),
        ("Wir lehnten die Brücke bei Seemoor ab.", "Wir lehnen die Brücke bei Seemoor ab."),
        ("The motion was accepted by the assembly.", "The motion was rejected by the assembly."),
        ("The line is forty miles long at most.", "The line is forty kilometres long at most."),
        ("Workers at the port are paid well.", "Work at the port is paid well."),
        ("We raised the fee for all moorings.", "We raise the fee for all moorings."),
        ("La pêche est permise dans la baie.", "La pêche est interdite dans la baie."),
        ("Le tarif des amarrages baisse chaque année.", "Le tarif des amarrages monte chaque année."),
    ],
)
def test_other_words_say_something_else_and_are_never_almost_right(one, other):
    for claimed, source in ((one, other), (other, one)):
        assert ChangeKind.WORD in kinds(changes(claimed, source))
        assert not is_almost_right(changes(claimed, source))


@pytest.mark.parametrize(
    ("claimed", "source", "kind"),
    [
        ("in höchstens sechs Tagen", "in höchstens drei Tagen", ChangeKind.NUMBER),
        ("hat zwei Stege am Ufer", "hat einen Steg am Ufer", ChangeKind.NUMBER),
        ("within six days of that", "within 10 days of that", ChangeKind.NUMBER),
        ("bis 2030 wird gebaut", "bald wird gebaut", ChangeKind.NUMBER),
        ("es wird am Ufer gebaut", "es wird bis 2030 am Ufer gebaut", ChangeKind.WORD),
    ],
)
def test_numbers_in_words_are_numbers_and_what_is_missing_is_no_other_number(claimed, source, kind):
    assert kinds(changes(claimed, source)) == (kind,)


def test_marks_round_the_alleged_words_are_not_shown_as_struck():
    assert differing(f"„{SOURCE.replace('Dementsprechend', 'Darum')}“", SOURCE) == [
        ("Darum", "Dementsprechend")
    ]


def test_a_sentence_with_a_few_of_the_words_is_another_one():
    claimed = "Wir schaffen die Fährgebühr endlich ab und freuen uns."
    assert is_another(claimed, changes(claimed, SOURCE))
    assert not is_another(SOURCE, changes(SOURCE.replace("muss", "darf"), SOURCE))
    assert not is_another(claimed, ())


def test_marks_and_the_sentence_before_are_no_differences():
    assert differing(f"„{SOURCE}“", SOURCE) == []
    found = changes(SOURCE.replace("Dementsprechend", "Darum"), f"wird. {SOURCE}")
    assert (found[0].claimed, found[0].source) == ("Darum", "Dementsprechend")


def test_a_number_is_compared_with_the_one_that_comes_later_in_the_sentence():
    """Not with the first words that differ; and the words behind it stand for nothing that was alleged."""
    source = "Wir heben die Fährgebühr in zwei Schritten an:"
    sentence = f"{source} zum 1. Januar 2026 auf 15,80 Taler und zum 1. Januar 2027 auf 17 Taler je Fahrt."
    found = changes_in("Wir heben die Fährgebühr auf 16 Taler an.", source, sentence)
    assert ("16", "15,80") in [(piece.claimed, piece.source) for piece in found]
    assert (found[-1].claimed, found[-1].source) == ("an.", "")
    assert " ".join(piece.source for piece in found if piece.source).endswith("auf 15,80 Taler")


@pytest.mark.parametrize(
    ("claimed", "source", "behind", "added"),
    [
        ("Eine Fährgebühr wird es mit uns geben.", "uns auf", " keinen Fall geben.", "auf keinen Fall"),
        ("There will be a ferry toll with us.", "with us", " under no circumstances.", None),
        ("Un péage, nous en voulons ici.", "nous n'en", " voulons pas ici.", "pas"),
    ],
)
def test_a_denial_is_shown_where_the_sentence_goes_on_as_alleged(claimed, source, behind, added):
    start = {
        "Eine": "Eine Fährgebühr wird es mit ",
        "There": "There will be a ferry toll ",
        "Un": "Un péage, ",
    }
    source = start[claimed.split()[0]] + source
    found = changes_in(claimed, source, source + behind)
    assert added is None or added in [piece.source for piece in found if piece.claimed is not None]


def test_what_is_no_number_and_no_denial_is_not_looked_for_further_on():
    source, behind = "Wir bauen neue Stege am Ufer", " und neue Wege in den Dörfern."
    claimed = "Wir bauen neue Stege am See und anderswo."
    assert changes_in(claimed, source, source + behind) == changes(claimed, source)
    assert (
        changes_in(claimed, source, None)
        == changes_in(claimed, source, "another")
        == changes(claimed, source)
    )


def test_the_number_of_a_day_ends_no_sentence():
    found = changes("Wir bauen die Brücke bald neu auf", "Wir bauen die Brücke ab dem 1. Mai 2026")
    assert found[-1].source == "ab dem 1. Mai 2026"


def test_another_sentence_is_not_almost_right():
    assert not is_almost_right(changes("Wir wollen, dass Boote bei uns kostenlos anlegen dürfen.", SOURCE))
    assert not is_almost_right(changes(SOURCE, SOURCE))


@given(claimed=WORDS, source=WORDS)
def test_the_pieces_hold_all_words_of_both(claimed, source):
    """Without sentences the pieces are the source, and with the alleged words in them the quote."""
    found = changes(" ".join(claimed), " ".join(source))
    assert " ".join(piece.source for piece in found if piece.source).split() == source
    said = [piece.source if piece.claimed is None else piece.claimed for piece in found]
    assert " ".join(filter(None, said)).split() == claimed
