"""What is remembered of the talk in threads."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from core.search.group_talk import HeardLine
from core.search.talk_signals import TalkBefore
from core.search.thread_talk import MOST_TURNS, TalkTurn, ThreadTalk
from tests.support.world import NOW

THREAD = ("chat", "thread")
SPEAKERS = st.lists(st.tuples(st.sampled_from(["ann", "ben", "cem"]), st.booleans()), max_size=MOST_TURNS)


def turn(minute: int, speaker: str, *, asked: bool = False) -> TalkTurn:
    return TalkTurn(message=str(minute), speaker=speaker, at=NOW + timedelta(minutes=minute), asked=asked)


def talk(*turns: TalkTurn) -> ThreadTalk:
    found = ThreadTalk()
    for each in turns:
        found.heard(THREAD, each)
    return found


def test_nothing_is_known_of_a_new_thread_and_of_another_one() -> None:
    heard = talk(turn(1, "ann", asked=True))
    assert ThreadTalk().before(THREAD, turn(2, "ann")) is None
    assert heard.before(("chat", "other"), turn(2, "ann")) is None


def test_who_spoke_since_the_bot_was_asked() -> None:
    asked = turn(1, "ann", asked=True)
    assert talk(asked).before(THREAD, turn(3, "ann")) == TalkBefore(by_asker=True, talk=False)
    assert talk(asked).before(THREAD, turn(3, "ben")) == TalkBefore(by_asker=False, talk=False)
    heard = talk(asked, turn(2, "ben"))
    assert heard.before(THREAD, turn(3, "ann")) == TalkBefore(by_asker=True, talk=True)
    assert heard.before(THREAD, turn(3, "ben")) == TalkBefore(by_asker=False, talk=False)
    assert heard.before(THREAD, turn(3, "cem")) == TalkBefore(by_asker=False, talk=True)


def test_a_question_without_words_of_its_own_is_for_who_spoke_last() -> None:
    line = HeardLine(text="Bis wann?", in_thread=True)
    assert talk(turn(1, "ann", asked=True)).is_for_bot(THREAD, turn(3, "ann"), line)
    assert not talk(turn(1, "ann", asked=True), turn(2, "ben")).is_for_bot(THREAD, turn(3, "ann"), line)


def test_a_line_that_comes_late_or_again_or_is_edited_has_its_place() -> None:
    late = talk(turn(1, "ann", asked=True), turn(3, "cem", asked=True), turn(2, "ben"))
    assert late.before(THREAD, turn(4, "cem")) == TalkBefore(by_asker=True, talk=False)
    assert late.before(THREAD, turn(2, "ben")) == TalkBefore(by_asker=False, talk=False)
    edited = TalkTurn(message="1", speaker="ann", at=NOW + timedelta(minutes=9), asked=False)
    late.heard(THREAD, edited)
    assert late.before(THREAD, turn(4, "cem")) == TalkBefore(by_asker=True, talk=False)
    assert late.before(THREAD, edited) is None


@given(said=SPEAKERS, order=st.randoms())
def test_the_order_of_arrival_and_repetition_change_nothing(
    said: list[tuple[str, bool]], order: object
) -> None:
    turns = [turn(minute, speaker, asked=asked) for minute, (speaker, asked) in enumerate(said)]
    mixed = [*turns, *turns]
    order.shuffle(mixed)  # type: ignore[attr-defined]
    for speaker in ("ann", "ben"):
        line = turn(99, speaker)
        assert talk(*turns).before(THREAD, line) == talk(*mixed).before(THREAD, line)
