"""What differs in an alleged quote, word by word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.changes import ChangeKind, changes, is_almost_right, is_another, kinds

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
    assert is_almost_right(changes(claimed, SOURCE))


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
