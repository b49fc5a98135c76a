import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.asked import command_of
from bot.chat.command_table import COMMANDS, SPECS, Command, Role, handles, offered, parse
from bot.presentation.i18n import catalogue, languages
from core.domain.messages import Attachment
from tests.support.chats import conversation_over, message
from tests.support.world import World


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
    spoken = {
        (word, spec.name)
        for spec in COMMANDS
        for words in spec.words.values()
        for word in (*words, spec.name)
    }
    assert len(spoken) == len({word for word, _ in spoken})
    for language in languages():
        own = [word for spec in COMMANDS for word in spec.words[language]]
        assert len(own) == len(set(own))


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("résumé", "summary"),
        ("re\u0301sume\u0301", "summary"),
        ("resume", "summary"),
        ("synthese", "summary"),
        ("page", "page"),
        ("feuille", "page"),
        ("sources", "sources"),
        ("documentation", "sources"),
        ("corrections", "corrections"),
        ("rectifications", "corrections"),
    ],
)
def test_french_commands_have_their_usual_words_and_the_earlier_ones(typed, name):
    assert parse(f"/{typed} x").name == name


@pytest.mark.parametrize(
    ("name", "word"),
    [("summary", "resume"), ("page", "page"), ("sources", "sources"), ("corrections", "corrections")],
)
def test_the_usual_french_word_is_the_one_that_is_offered(name, word):
    assert SPECS[name].word("fr") == word


def test_all_languages_say_the_same_things():
    import string

    fields = {
        language: {
            key: {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for key, text in catalogue(language).items()
        }
        for language in languages()
    }
    assert all(found == fields["en"] for found in fields.values())


@pytest.mark.parametrize("language", languages())
def test_every_command_is_offered_in_words_that_platforms_take(language):
    found = dict(offered(language))
    assert len(found) == sum(spec.menu for spec in COMMANDS)
    for word, does in found.items():
        assert re.fullmatch(r"[a-z0-9_]{1,32}", word)
        assert SPECS[parse(f"/{word}").name].menu
        assert 3 <= len(does) <= 100


def test_german_words_are_offered_to_germans():
    assert ("frage", "eine Frage stellen") in offered("de")
    assert ("ask", "ask a question") in offered("en")


@pytest.mark.parametrize("language", languages())
def test_every_command_that_help_lists_says_how_it_is_typed(language):
    for spec in COMMANDS:
        if spec.helped:
            line = spec.help_line(language, "!")
            assert re.match(r"![a-z]+ .*\w", line), line
            assert parse(line.split(" ")[0]).name == spec.name
            assert "help." not in line


def test_what_people_type_is_a_row_and_every_row_has_an_answer(tmp_path):
    conversation = conversation_over(World().app, tmp_path)
    owners = [type(each) for each in (conversation, *conversation.commands)]
    methods = [method for owner in owners for method in vars(owner).values() if callable(method)]
    answered = [name for method in methods if (name := getattr(method, "__dict__", {}).get("handles"))]
    assert sorted(answered) == sorted(SPECS)


def test_a_method_for_a_command_without_a_row_is_a_mistake():
    with pytest.raises(KeyError):
        handles("dance")


def test_the_documents_say_who_may_do_what():
    table = Path("docs/chats.md").read_text(encoding="utf-8").split("## Who may do what")[1].split("##")[0]
    rows = [row.strip("|").split("|") for row in table.splitlines() if row.startswith("| ")][1:]
    for spec in COMMANDS:
        who = {Role.ANYONE: "everybody", Role.STAFF: "staff", Role.PUBLISHER: "publishers"}[spec.role]
        where = "everywhere" if spec.anywhere else "in staff chats" if spec.staff_chat else "in listed chats"
        named = {"upload": "sending files", "ask": "questions"}.get(spec.name, f"`{spec.name}`")
        said = [row for row in rows if named in row[0]]
        assert [(row[1].strip(), row[2].strip()) for row in said] == [(who, where)], spec.name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("help", "help"),
        ("hilfe", "help"),
        ("compare minimum wage", "compare"),
        ("publish plan.pdf", "publish"),
        ("Verify that the minimum wage rises?", None),
        ("why", "why"),
        ("why is that so", None),
        ("jurisdiction xv-ho", "jurisdiction"),
        ("jurisdiction of the courts in Hochau", None),
        ("party rights in Gujarat", None),
        ("new rules for builders", None),
        ("Help me with rent control", None),
        ("page programme.pdf 31", "page"),
        ("seite programm.pdf 31", "page"),
        ("page 31 of the programme", None),
        ("party SPD", "party"),
        ("partei „Die Mitte“", "party"),
        ("party funding", None),
        ("sprache de", "language"),
        ("language barriers at school", None),
        ("language barriers", None),
        ("corrections off", "corrections"),
        ("vergleich Mindestlohn", "compare"),
        ("zitat Der Mindestlohn steigt auf 15 Taler", "verify"),
        ("ort xv-ho", "jurisdiction"),
        ("Ort der Wahl in Hochau", None),
        ("verweise § 4", "references"),
        ("antrag Wir fordern Brunnen. antragsteller=SPD", "motion"),
        ("Antrag auf Wohngeld", None),
        ("angaben plan.pdf jurisdiction=de-nw", "describe"),
        ("wiederherstellen d1a2b3", "restore"),
        ("veröffentlichen plan.pdf", "publish"),
        ("Entfernen von Bäumen in Hochau", None),
        ("Prüfen, ob der Mindestlohn steigt", None),
    ],
)
def test_after_a_mention_a_command_needs_no_slash(text, name):
    found = parse(text, bare=True)
    assert (found.name if found else None) == name
    assert parse(text) is None


@pytest.mark.parametrize("spec", [each for each in COMMANDS if each.of_words], ids=lambda each: each.name)
@pytest.mark.parametrize("language", languages())
def test_what_works_on_files_is_another_command_without_one(spec, language):
    word = spec.word(language)
    file = Attachment(id="1", name="draft.docx", size=1)
    assert command_of(message(word, attachments=(file,))).name == spec.name
    assert command_of(message(f"/{word}")).name == spec.name
    assert command_of(message(word)).name == "ask"
    assert command_of(message(f"/{word}", shown="Der Zoll steigt.")).name == spec.of_words
