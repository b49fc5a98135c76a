"""Headers of foreign making: whatever they say, a wait is a wait and a size a size."""

import math
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.headers import SOONEST_S, bounded, mark, retry_after, size
from core.errors import LONGEST_WAIT_S

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC).timestamp()
OTHERWISE = 7.0
DATE = "Wed, 21 Oct {} 07:28:00 GMT"


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120.0),
        ("1.5", 1.5),
        ("0", SOONEST_S),
        ("999999999999", LONGEST_WAIT_S),
        ("9" * 400, OTHERWISE),
        ("1e400", OTHERWISE),
        ("inf", OTHERWISE),
        ("nan", OTHERWISE),
        ("-5", OTHERWISE),
        ("²", OTHERWISE),
        ("١٢", OTHERWISE),
        ("", OTHERWISE),
        (None, OTHERWISE),
        (b"120", OTHERWISE),
        (DATE.format(9999999999), LONGEST_WAIT_S),
        (DATE.format(9999), LONGEST_WAIT_S),
        (DATE.format(1970), SOONEST_S),
        (DATE.format("0000"), SOONEST_S),
        ("Wed, 99 Oct 2026 07:28:00 GMT", OTHERWISE),
        ("Wed, 21 Oct 2026 99:99:99 +9999999999", OTHERWISE),
        (format_datetime(datetime(2026, 11, 22, 12, 2, tzinfo=UTC), usegmt=True), 120.0),
        ("soon", OTHERWISE),
    ],
)
def test_a_wait(said: object, seconds: float) -> None:
    found = retry_after(said, OTHERWISE, now=NOW)
    assert found == seconds or (seconds == OTHERWISE and SOONEST_S <= found <= LONGEST_WAIT_S)


NUMBERS = st.integers(-(10**30), 10**30).map(str)
DATES = st.builds(
    "{}, {} {} {} {}:{}:{} {}".format,
    st.sampled_from(["Mon", "Xyz", ""]),
    NUMBERS,
    st.sampled_from(["Jan", "Dec", "Foo", "1"]),
    NUMBERS,
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.sampled_from(["GMT", "+0000", "-9999", "+99999999999999", ""]),
)


@given(said=st.text() | NUMBERS | DATES | st.floats().map(str))
@example(said=DATE.format(9999999999))
@example(said="Wed, 21 Oct 2026 07:28:00 " + "+" * 10_000)
def test_every_wait_has_an_end(said: str) -> None:
    assert SOONEST_S <= retry_after(said, OTHERWISE, now=NOW) <= LONGEST_WAIT_S


@given(stated=st.floats() | st.integers() | st.text() | st.none() | st.booleans())
@example(stated=10**400)
@example(stated=math.nan)
def test_a_number_of_seconds(stated: object) -> None:
    assert SOONEST_S <= bounded(stated, OTHERWISE) <= LONGEST_WAIT_S


@pytest.mark.parametrize(
    ("said", "found"),
    [("12", 12), ("12, 12", None), ("-1", None), ("²", None), ("9" * 5000, None), ("", None), (None, None)],
)
def test_a_size(said: object, found: int | None) -> None:
    assert size(said) == found


@pytest.mark.parametrize("said", ['"a"', 'W/"a b"', "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_mark_comes_back_as_it_was(said: str) -> None:
    assert mark({"etag": said}, "etag") == said


@pytest.mark.parametrize("said", ["", '"ü"', '"a\r\nX: y"', "\0", '"' + "a" * 5000 + '"', "\ud800"])
def test_a_mark_that_no_request_may_carry(said: str) -> None:
    assert mark({"etag": said}, "etag") is None
    assert mark({}, "etag") is None
