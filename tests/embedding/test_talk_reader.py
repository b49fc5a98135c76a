"""The packaged reader of talk: the same every time, whatever is said, and what was said before counts."""

import math
from pathlib import Path

from adapters.embedding.reader import BEFORE_TOKENS, LINE_TOKENS, PackagedTalkReader, talk_pair
from bot.settings.tree import AnswerSettings, Settings
from bot.wiring.models import primary_embedder, talk_reader
from tests.support.encoders import models_dir

reader = PackagedTalkReader(models_dir())

ASKED = "me > bot: What does the Port Party say about the fare? | A: I like the Port Party"


async def test_a_question_is_for_the_bot_rather_than_what_people_ask_each_other() -> None:
    for question, talk in (
        ("and what about children?", "are you coming tonight?"),
        ("und was steht bei denen zur Schule?", "kommst du morgen auch mit?"),
    ):
        assert await reader.odds(ASKED, question) > await reader.odds(ASKED, talk)


async def test_what_was_said_before_counts() -> None:
    for line, asked, talked in (
        ("how much?", "me > bot: is there a fee for late payment?", "A: I sold my old bike yesterday"),
        ("wie viel?", "me > bot: Bekommen Vereine einen Zuschuss?", "A: ich hab gestern zu viel getrunken"),
    ):
        assert await reader.odds(asked, line) > 1 > await reader.odds(talked, line)


async def test_the_same_is_read_the_same() -> None:
    first = await reader.odds(ASKED, "and children?")
    await reader.odds("A: hello", "who is that?")
    assert await reader.odds(ASKED, "and children?") == first


async def test_nothing_long_or_odd_stops_it() -> None:
    for text in ("", "\u0000\ufeff", "?" * 3000, "Wort " * 3000, "👍"):
        assert math.isfinite(await reader.odds(text, text))


def test_the_last_of_what_was_said_and_the_beginning_of_the_line_are_read() -> None:
    def tokens(text: str) -> list[int]:
        return [0, *map(int, text.removeprefix("query: ").split()), 2]

    numbers = " ".join(map(str, range(10, 400)))
    heard, said = talk_pair(tokens, numbers, numbers)
    assert heard == [0, *range(400 - BEFORE_TOKENS + 1, 400), 2]
    assert said == list(range(10, 10 + LINE_TOKENS))


def test_it_reads_only_where_the_settings_say_so(tmp_path: Path) -> None:
    on, off = Settings(data=tmp_path), Settings(data=tmp_path, answer=AnswerSettings(reader="off"))
    primary = primary_embedder(on, tmp_path)
    assert isinstance(talk_reader(on, primary, tmp_path), PackagedTalkReader)
    assert talk_reader(off, primary, tmp_path) is None
