"""What is struck and what is bold in a correction."""

from hypothesis import given
from hypothesis import strategies as st

from bot.presentation.wording.corrections import changed_words, with_gaps

SAID = ("wir", "bauen", "4.000", "6.000", "Wohnungen", "nicht,", "im", "Jahr")
WORDS = st.lists(st.sampled_from(SAID), max_size=8).map(" ".join)
OTHER_WORDS = st.lists(st.sampled_from(("Auch", "das", "stand", "dort.")), max_size=8).map(" ".join)


def without(text: str, ranges: list[tuple[int, int]]) -> list[str]:
    kept, at = "", 0
    for start, end in ranges:
        kept, at = kept + text[at:start], end
    return (kept + text[at:]).split()


def test_the_words_that_changed_are_found() -> None:
    old, new = "Wir bauen jedes Jahr 4.000 neue Wohnungen.", "Wir bauen ab jetzt jedes Jahr 6.000 Wohnungen."
    went, came = changed_words(old, new)
    assert [old[start:end] for start, end in went] == ["4.000 neue"]
    assert [new[start:end] for start, end in came] == ["ab jetzt", "6.000"]


@given(old=WORDS, new=WORDS)
def test_what_is_not_marked_reads_the_same(old: str, new: str) -> None:
    went, came = changed_words(old, new)
    assert without(old, went) == without(new, came)
    assert (went, came) == ([], []) or old != new


def test_a_gap_is_neither_struck_nor_filled() -> None:
    """What the quote left out is left out of its new words, too, also where it ends as they begin."""
    old = "Der Ort ist erfunden. [...] Eintritt kostet sechs Taler."
    new = "Der Ort ist erfunden. DAS MUSEUM Eintritt Eintritt kostet neun Taler."
    shown = with_gaps(old, new)
    assert shown == "Der Ort ist erfunden. [...] Eintritt kostet neun Taler."
    went, came = changed_words(old, shown)
    assert [old[start:end] for start, end in went] == ["sechs"]
    assert [shown[start:end] for start, end in came] == ["neun"]


def test_a_gap_that_has_closed_is_not_struck() -> None:
    old, new = "Wir bauen. [...] Und zwar bald.", "Wir bauen. Und zwar nie."
    went, _ = changed_words(old, with_gaps(old, new))
    assert [old[start:end] for start, end in went] == ["bald."]


@given(parts=st.lists(WORDS.filter(bool), min_size=1, max_size=3), inside=OTHER_WORDS)
def test_what_only_stands_in_gaps_is_no_change(parts: list[str], inside: str) -> None:
    """Where what was left out has words of its own: of words that stand on both sides nothing tells which of
    them were quoted."""
    old, new = " [...] ".join(parts), f" {inside} ".join(parts)
    went, came = changed_words(old, with_gaps(old, new))
    assert not went
    assert len(came) <= len(parts) - 1


@given(old=WORDS, new=WORDS)
def test_without_gaps_the_words_stay(old: str, new: str) -> None:
    assert with_gaps(old, new) == new
