"""What is remembered of late, and forgotten."""

from hypothesis import given
from hypothesis import strategies as st

from core.recent import Recent


@given(st.lists(st.tuples(st.integers(0, 9), st.integers())), st.integers(1, 6))
def test_the_last_values_put_in_are_kept_under_their_keys(written: list[tuple[int, int]], most: int) -> None:
    recent = Recent[int, int](most)
    for key, value in written:
        recent[key] = value
    order = list(dict.fromkeys(key for key, _ in reversed(written)))[:most]
    assert list(reversed(recent)) == order
    assert dict(recent) == {key: dict(written)[key] for key in order}
