import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import NAMES, Command, parse
from bot.i18n import LANGUAGES, catalogue


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("/ask Was kostet das?", "ask", "Was kostet das?"),
        ("!ort de-nw", "jurisdiction", "de-nw"),
        ("/jurisdiction@FundstelleBot clear", "jurisdiction", "clear"),
        ("  /HILFE  ", "help", ""),
        ("/verify „Der Satz\nüber zwei Zeilen“", "verify", "„Der Satz\nüber zwei Zeilen“"),
    ],
)
def test_commands_are_known_in_both_languages(text, name, rest):
    assert parse(text) == Command(name=name, word=parse(text).word, rest=rest)


@pytest.mark.parametrize("text", ["Was kostet das?", "", "/", "! wirklich", "§ 5 Abs. 2", "/ ask", "-/ask x"])
def test_other_text_is_a_question(text):
    assert parse(text) is None


def test_an_unknown_word_is_a_command_without_a_name():
    assert parse("/kaffee bitte") == Command(name=None, word="kaffee", rest="bitte")


@given(st.text())
def test_any_text_parses(text):
    command = parse(text)
    assert command is None or command.rest in text


def test_every_word_means_one_command():
    words = [word for names in NAMES.values() for word in names]
    assert len(words) == len(set(words))


def test_all_languages_say_the_same_things():
    import string

    fields = {
        language: {
            key: {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for key, text in catalogue(language).items()
        }
        for language in LANGUAGES
    }
    assert fields["en"] == fields["de"]
