from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.guard import DAY, MINUTE, RateLimits
from bot.settings.platforms import LimitSettings
from core.domain.journal import ChatKey, Pseudonym
from core.errors import Refused
from tests.support.world import NOW

SETTINGS = LimitSettings(user_per_minute=2, user_per_day=5, chat_per_minute=3, day=8)


def admitted(limits: RateLimits, person: str, chat: str, seconds: float) -> str | None:
    try:
        limits.admit(person, chat, NOW + timedelta(seconds=seconds))
    except Refused as error:
        return error.key
    return None


def test_a_person_is_slowed_down_and_told_how_long():
    limits = RateLimits(SETTINGS)
    assert [admitted(limits, "anna", "a", second) for second in (0, 1)] == [None, None]
    with pytest.raises(Refused) as refused:
        limits.admit("anna", "b", NOW + timedelta(seconds=20))
    assert refused.value.key == "limit.user_minute"
    assert refused.value.values == {"limit": 2, "seconds": 40, "hours": 1}
    assert admitted(limits, "ben", "b", 20) is None
    assert admitted(limits, "anna", "b", 60) is None


def test_a_chat_and_a_day_have_limits_of_their_own():
    limits = RateLimits(SETTINGS)
    assert [admitted(limits, name, "a", 0) for name in "uvw"] == [None] * 3
    assert admitted(limits, "x", "a", 1) == "limit.chat_minute"
    assert [admitted(limits, name, "b", 1) for name in "uvw"] == [None] * 3
    assert [admitted(limits, name, "c", 1) for name in "xyz"] == [None, None, "limit.day"]
    assert admitted(limits, "z", "c", 86_401) is None


def test_what_is_dropped_after_the_time_that_was_told_is_told_again():
    limits = RateLimits(SETTINGS)
    for second in (0, 20):
        admitted(limits, "anna", "a", second)

    def told(second: float) -> bool:
        with pytest.raises(Refused) as refused:
            limits.admit("anna", "a", NOW + timedelta(seconds=second))
        chat = ChatKey(platform="telegram", workspace="", chat="a")
        return limits.is_news(refused.value, Pseudonym("anna"), chat, NOW + timedelta(seconds=second))

    assert [told(second) for second in (30, 31, 59)] == [True, False, False]
    assert admitted(limits, "anna", "a", 61) is None
    assert [told(second) for second in (62, 63)] == [True, False]


@given(
    st.lists(
        st.tuples(st.sampled_from("uvw"), st.sampled_from("ab"), st.floats(0, 40)), min_size=1, max_size=60
    )
)
def test_no_window_ever_holds_more_than_its_limit(steps):
    limits, now, done = RateLimits(SETTINGS), 0.0, []
    for person, chat, wait in steps:
        now += wait
        if admitted(limits, person, chat, now) is None:
            done.append((person, chat, now))
    for person, chat, at in done:
        recent = [item for item in done if at - MINUTE.total_seconds() < item[2] <= at]
        assert sum(item[0] == person for item in recent) <= SETTINGS.user_per_minute
        assert sum(item[1] == chat for item in recent) <= SETTINGS.chat_per_minute
        assert sum(at - DAY.total_seconds() < item[2] <= at for item in done) <= SETTINGS.day
