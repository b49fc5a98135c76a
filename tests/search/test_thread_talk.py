"""What is remembered of the talk in threads."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Broken
from core.search.group_talk import (
    MOST_CHARACTERS,
    MOST_TURNS,
    TOLD_CHARACTERS,
    HeardLine,
    TalkBefore,
    TalkTurn,
    ThreadTalk,
)
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


async def test_a_word_is_for_the_bot_from_whom_it_has_asked_back() -> None:
    asked = turn(1, "ann", asked=True)

    async def is_for_bot(*before: TalkTurn, by: str = "ann", said: str = "ja", asks: bool = True) -> bool:
        heard = talk(*before)
        heard.wrote(THREAD, asks=asks)
        return await heard.is_for_bot(THREAD, turn(9, by), HeardLine(text=said, in_thread=True))

    assert await is_for_bot(asked)
    assert not await is_for_bot(asked, asks=False)
    assert not await is_for_bot(asked, by="ben")
    assert not await is_for_bot(asked, turn(2, "ben"))
    assert not await is_for_bot(asked, said="ja das sehe ich auch so wie ihr alle")
    assert not await is_for_bot(asked, said="@ben ja")


class Reading:
    """Takes the lines that begin with `asking` to be for the bot, and keeps what it was told; `broken`: says
    nothing."""

    def __init__(self, asking: str = "", *, broken: bool = False) -> None:
        self.told = list[tuple[str, str]]()
        self._asking = asking
        self._broken = broken

    async def odds(self, before: str, line: str) -> float:
        self.told.append((before, line))
        if self._broken:
            raise Broken("embedding.failed", "no model")
        return 9.0 if line.startswith(self._asking) else -9.0

    async def warm_up(self) -> None:
        pass


async def heard_by(reading: Reading, *lines: tuple[str, HeardLine]) -> list[bool]:
    found = ThreadTalk(reading)
    return [
        await found.is_for_bot(THREAD, turn(minute, speaker), line)
        for minute, (speaker, line) in enumerate(lines)
    ]


async def test_a_reader_is_told_who_said_what_before_and_decides_where_the_words_are_unclear() -> None:
    asked = HeardLine(text="What does the Port Party want?", before_name="")
    remark, unclear = (HeardLine(text=text, in_thread=True) for text in ("They  always say so.", "And rents"))
    reading = Reading("And")
    assert (await heard_by(reading, ("ann", asked), ("ben", remark), ("ann", unclear)))[-1]
    assert reading.told[-1] == (
        "me > bot: What does the Port Party want? | A: They always say so.",
        "And rents",
    )
    assert not (await heard_by(Reading("Nothing"), ("ann", asked), ("ben", remark), ("ann", unclear)))[-1]


async def test_a_reader_is_asked_about_nothing_that_says_whom_it_is_for() -> None:
    lines = [
        HeardLine(text="The fare?", before_name=""),
        HeardLine(text="The fare?", in_thread=True, replies_to_other=True),
        HeardLine(text="@ben the toll?", in_thread=True),
        HeardLine(text="The fare?"),
    ]
    reading = Reading()
    assert await heard_by(reading, *(("ann", line) for line in lines)) == [True, False, False, False]
    assert reading.told == []


@pytest.mark.parametrize("in_thread", [True, False])
async def test_a_reader_tells_remarks_among_the_replies_to_the_bot(in_thread: bool) -> None:
    answered = {
        "So by Tuesday. Lovely.": False,
        "And rents": True,
        "thanks": True,
        "Port Party": True,
        "type=manifesto jurisdiction=xv year=2025": True,
    }
    asked = HeardLine(text="The fare?", before_name="")
    lines = [HeardLine(text=text, in_thread=in_thread, replies_to_bot=True) for text in answered]
    heard = await heard_by(Reading("And"), ("ann", asked), *(("ann", line) for line in lines))
    assert dict(zip(answered, heard[1:], strict=True)) == answered


async def test_a_reply_to_the_bot_is_answered_where_nobody_knows_the_talk_before() -> None:
    """After a restart."""
    line = HeardLine(text="So by Tuesday. Lovely.", replies_to_bot=True)
    assert await heard_by(Reading(), ("ann", line)) == [True]


async def test_what_is_said_outside_the_threads_of_the_bot_is_not_kept() -> None:
    reading = Reading()
    private = HeardLine(text="My doctor said no.")
    await heard_by(reading, ("ann", private), ("ann", HeardLine(text="The fare?", in_thread=True)))
    assert reading.told == [("me: ", "The fare?")]


async def test_the_words_of_a_deleted_line_are_forgotten() -> None:
    reading = Reading()
    heard = ThreadTalk(reading)
    for minute, text in enumerate(("The fare?", "My doctor said no.")):
        await heard.is_for_bot(THREAD, turn(minute, "ann"), HeardLine(text=text, in_thread=True))
    heard.taken_back(THREAD, "1")
    heard.taken_back(("chat", "unknown"), "1")
    await heard.is_for_bot(THREAD, turn(2, "ben"), HeardLine(text="And rents?", in_thread=True))
    assert reading.told[-1][0] == "A > bot: The fare? | A > bot: "


async def test_without_a_reader_that_reads_only_what_names_the_bot_is_for_it() -> None:
    asked = HeardLine(text="What does the Port Party want?", in_thread=True)
    named = HeardLine(text="What does the Port Party want?", in_thread=True, before_name="")
    for reading in (Reading(broken=True), None):
        talked = ThreadTalk(reading)
        assert not await talked.is_for_bot(THREAD, turn(1, "ann"), asked)
        assert await talked.is_for_bot(THREAD, turn(2, "ben"), named)


async def test_long_lines_are_kept_and_read_by_their_beginning() -> None:
    reading = Reading()
    long = HeardLine(text="toll " * 1000, in_thread=True)
    await heard_by(reading, ("ann", long), ("ann", long))
    before, line = reading.told[-1]
    assert len(line) == MOST_CHARACTERS
    assert len(before) <= TOLD_CHARACTERS + len("me > bot: ")


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
