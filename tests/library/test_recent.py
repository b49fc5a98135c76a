"""What is remembered of late, and forgotten."""

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from core.recent import LastMade, Recent


@given(st.lists(st.tuples(st.integers(0, 9), st.integers())), st.integers(1, 6))
def test_the_last_values_put_in_are_kept_under_their_keys(written: list[tuple[int, int]], most: int) -> None:
    recent = Recent[int, int](most)
    for key, value in written:
        recent[key] = value
    order = list(dict.fromkeys(key for key, _ in reversed(written)))[:most]
    assert list(reversed(recent)) == order
    assert dict(recent) == {key: dict(written)[key] for key in order}


@given(st.lists(st.integers(0, 3)))
def test_the_last_value_made_is_kept_with_all_that_it_was_made_of(keys: list[int]) -> None:
    made = list[int]()
    last = LastMade[int, str](lambda key: made.append(key) or str(key))  # type: ignore[func-returns-value]
    assert [last.of(key) for key in keys] == [str(key) for key in keys]
    assert made == [key for key, _ in groupby(keys)]


def test_another_value_made_meanwhile_is_not_taken_for_the_own() -> None:
    """What another thread may do between the look at a key and the use of its value."""
    last = LastMade[object, str](lambda key: f"made of {key!r}")

    class Between(str):
        """Equal to a text; while that is found out another value is made."""

        def __eq__(self, other: object) -> bool:
            last.of("theirs")
            return str(self) == other

        __hash__ = str.__hash__

    last.of("ours")
    assert last.of(Between("ours")) == "made of 'ours'"
    assert last.of("theirs") == "made of 'theirs'"
