"""The few words that answer stand above the quotes, in chats and in text."""

from dataclasses import replace

from bot.presentation.wording.answers import AnswerMessages, Speaker
from core.domain.answers import FirstWords
from core.domain.rich_text import Style, rich
from tests.support.view_examples import ANSWER, CITATION, PRESENTER

WORDS = FirstWords(label="S1", text="@alle 15 Euro", start=0, end=13)
QUOTED = replace(CITATION, quote=replace(CITATION.quote, text="@alle 15 Euro"))
ASKED = replace(ANSWER, citations=(QUOTED,), first=WORDS, missing=(), notices=(), topic="bäume")


def test_in_chats_they_are_bold_between_heading_and_quote() -> None:
    block = rich(AnswerMessages(PRESENTER).blocks(ASKED, PRESENTER.texts("de"))[0])
    heading, line, quote = block.text.replace("\u2060", "").split("\n")[:3]
    assert (heading, line) == ("Alpha/Beta · Bäume", "@alle 15 Euro")
    assert quote.startswith("„")
    assert line in [
        block.text[mark.start : mark.end].replace("\u2060", "")
        for mark in block.marks
        if mark.style is Style.BOLD
    ]
    assert "@alle" not in block.text  # nobody is alerted


def test_in_text_they_come_first_with_the_label_of_their_quote() -> None:
    first = PRESENTER.answer_blocks(ASKED)[0].replace("\u2060", "")
    assert first == "→ @alle 15 Euro [S1]"


def test_without_them_the_quote_comes_first() -> None:
    answer = replace(ASKED, first=None)
    assert "→" not in PRESENTER.answer_text(answer)
    lines = rich(AnswerMessages(PRESENTER).blocks(answer, PRESENTER.texts("de"))[0]).text.split("\n")
    assert lines[1].startswith("„")


def test_a_title_that_names_its_parties_in_its_own_way_names_them_once() -> None:
    fields = replace(
        CITATION.edition.document.fields, title="Alpha/Beta: Programm 2029", parties=("Alpha", "Beta")
    )
    title = AnswerMessages(PRESENTER).title(fields, PRESENTER.texts("de"), Speaker())
    assert title.text.startswith("Alpha/Beta: Programm 2029")
