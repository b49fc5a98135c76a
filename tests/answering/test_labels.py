import random
import re
import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.labels import Labels, label_groups, labels_of_field, plain, without_labels
from core.domain.passages import PassageKind

KNOWN = ("S1", "S2", "S3", "F1")
PIECES = [
    *"[](){}<>【】［］（）「」⟦⟧SFsf0123456789 ,;.-&|/^",
    "S1",
    "S12",
    "F1",
    "[S1]",
    "(S2)",
    "[S97]",
    "Ѕ",
    "Ｓ",
    "１",
    "\u200b",
    "\u0332",
    "\u202e",
    "\ufe0f",
    "und",
    "Wort",
    "\n",
]


def shown_labels(text: str) -> list[str]:
    """What a reader takes for a label, looked for in another way than the code does it: every bracket that
    holds nothing but a label's letters once all that is not a letter, digit or bracket is gone."""
    letters = {"Ѕ": "S", "ѕ": "s"}
    folded = unicodedata.normalize("NFKC", "".join(letters.get(c, c) for c in text))
    kept = "".join(c for c in folded if unicodedata.category(c)[0] not in "CMZ")
    return re.findall(r"[\[【「⟦{<(][SFsf]\d+[\]】」⟧}>)]", kept)


@pytest.mark.parametrize(
    ("field", "labels"),
    [("S1", ("S1",)), ("[S1]", ("S1",)), ("S1, S3", ("S1", "S3")), ("S12", ()), ("", ()), ("source 4", ())],
)
def test_a_field_needs_no_brackets(field: str, labels: tuple[str, ...]) -> None:
    assert labels_of_field(field, KNOWN) == labels


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Der Lohn steigt [S1].", "Der Lohn steigt."),
        ("[S[S1]1]", ""),
        ("a [S[S9]1] b", "a b"),
        ("(S(S2)1) b", "b"),
        ("a [[S1], S9] b", "a, b"),
        ("a [Ѕ1] b [S\u200b1] c [s\u0332 1]", "a b c"),
        ("a [S1, S2 und S3], b", "a, b"),
        ("a [S1 says b", "a says b"),
        ("a [1] b [2, 3]", "a b"),
        ("section 4(1) of S1", "section 4(1) of S1"),
        ("Linie S1 fährt (immer)", "Linie S1 fährt (immer)"),
        ("eins\n\tzwei", "eins zwei"),
    ],
)
def test_no_label_is_left(text: str, left: str) -> None:
    assert without_labels(text) == left


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_taking_labels_out_makes_none(text: str) -> None:
    left = without_labels(text)
    assert shown_labels(left) == []
    assert without_labels(left) == left


@given(st.text(max_size=60))
def test_any_text_is_taken(text: str) -> None:
    left = without_labels(text)
    assert without_labels(left) == left
    assert shown_labels(left) == []
    assert plain(left) == left


@given(st.text(alphabet=string.ascii_letters + " .,", max_size=60))
def test_words_stay(text: str) -> None:
    assert without_labels(text) == plain(text)


def fuzzed(count: int) -> int:
    random_ = random.Random(7)
    forged = 0
    for _ in range(count):
        text = "".join(random_.choices(PIECES, k=random_.randint(1, 40)))
        forged += len(shown_labels(without_labels(text)))
        assert set(labels_of_field(label_groups(text), KNOWN)) <= set(KNOWN)
    return forged


def test_fuzzed_outputs_show_no_label() -> None:
    assert fuzzed(500) == 0


@pytest.mark.slow
def test_many_fuzzed_outputs_show_no_label() -> None:
    assert fuzzed(20_000) == 0


def test_labels_are_given_out_by_what_holds_the_words() -> None:
    labels = Labels()
    kinds = (PassageKind.PROSE, PassageKind.TABLE, PassageKind.SECTION, PassageKind.FIGURE, PassageKind.PROSE)
    assert [labels.next(kind) for kind in kinds] == ["S1", "F1", "S2", "F2", "S3"]
