"""Lists for people: on a terminal no line is too long and no word is broken, in a pipe a row is a line."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from bot.cli import output
from bot.cli.output import wrapped
from bot.cli.questions import nearest_sentence

WORD = st.text(alphabet="abcäöü-", min_size=1, max_size=30)


@given(words=st.lists(WORD, min_size=1, max_size=30), width=st.integers(40, 120))
def test_lines_end_between_words(words, width):
    shown = wrapped(" ".join(words), width)
    assert shown.split() == words
    assert all(len(line) <= width for line in shown.split("\n"))
    assert "" not in shown.split("\n")


PASSAGE = (
    "Häfen und Fähren\nViele Orte am See haben einen Hafen. Die Liegegebühr für Ruderboote entfällt. "
    "Wir bauen zwei Stege."
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Was kostet die Liegegebühr für ein Ruderboot?", "Die Liegegebühr für Ruderboote entfällt."),
        ("Werden neue Stege gebaut?", "Wir bauen zwei Stege."),
        ("Was sagen die Parteien zu Häfen und Fähren?", "Viele Orte am See haben einen Hafen."),
        ("Mondfahrt", "Viele Orte am See haben einen Hafen."),
    ],
)
def test_a_hit_shows_the_sentence_that_matched(question, sentence):
    assert nearest_sentence(question, PASSAGE) == sentence


@pytest.mark.parametrize("terminal", [True, False])
def test_a_listing_is_plain_lines(terminal, monkeypatch):
    class Here:
        out = Console(
            file=io.StringIO(),
            width=80,
            force_terminal=terminal,
            soft_wrap=True,
            color_system=None,
            _environ={},
        )

        @staticmethod
        def as_named(text: str) -> str:
            return text

    monkeypatch.setattr(output, "terminal", Here)
    title = "Uferpartei: Wahlprogramm zur Landtagswahl im Land am See und an den Flüssen 2025"
    output.listing("2 documents", [[title, "xv", "", "manifesto", "ufer25.pdf"], ["Satzung", "xv-ho"]])
    lines = Here.out.file.getvalue().splitlines()
    assert "" not in lines
    assert lines[-1] == "Satzung · xv-ho"
    if terminal:
        assert all(len(line) <= 80 for line in lines)
    else:
        assert lines[1] == f"{title} · xv · manifesto · ufer25.pdf"
