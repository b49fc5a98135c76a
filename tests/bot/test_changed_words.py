"""What is struck and what is bold in a correction."""

from hypothesis import given
from hypothesis import strategies as st

from bot.presentation.wording.corrections import changed_words

SAID = ("wir", "bauen", "4.000", "6.000", "Wohnungen", "nicht,", "im", "Jahr")
WORDS = st.lists(st.sampled_from(SAID), max_size=8).map(" ".join)


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
