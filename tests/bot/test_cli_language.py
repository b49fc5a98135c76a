"""The command line's help: every command and option in every language, nothing in the code or in vain."""

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from bot.cli.frame import in_own_words
from bot.cli.root import app
from bot.cli.terminal import ORIGINS, commands, key_of, texts
from bot.presentation.i18n import Texts, catalogue, languages
from bot.presentation.views.problems import problem
from core.errors import Refused
from tests.support.databases import sqlite_url
from tests.support.repository import ROOT

ROOT_COMMAND = typer.main.get_command(app)


def keys(words: Texts) -> set[str]:
    """The keys of all that help shows."""
    found = {"options.help"}
    for path, command in commands(ROOT_COMMAND):
        found.add(f"commands.{path or 'fundstelle'}")
        found |= {key_of(path, option.name, words) for option in command.params}
    return found


@pytest.mark.parametrize("language", languages())
def test_every_command_and_option_is_explained_and_nothing_else(language: str) -> None:
    said = {key for key in catalogue(language) if key.startswith(("commands.", "options."))}
    assert keys(Texts(language)) == said


@pytest.mark.parametrize("file", sorted((ROOT / "bot" / "cli").glob("*.py")), ids=lambda path: path.name)
def test_no_help_is_written_in_the_code(file: str) -> None:
    assert not re.search(r"\bhelp=", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "FUNDSTELLE_LANGUAGE": "de"}, "de"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
    ],
)
def test_the_environment_says_the_language(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], language: str
) -> None:
    for name in ORIGINS:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert texts().language == language


@pytest.mark.parametrize(
    ("language", "arguments", "shown"),
    [
        (
            "de",
            ["ask", "--help"],
            ("Eine Frage mit geprüften", "Ordner für die", "Optionen"),
        ),
        (
            "en",
            ["ask", "--help"],
            ("Answer a question with", "Folder for the", "Options"),
        ),
        ("de", ["summary", "--help"], ("Ein Thema zusammenfassen", "Befehle")),
        ("de", ["--help"], ("Antwortet mit der Seite", "Die Version zeigen")),
    ],
)
def test_help_is_in_the_language(
    monkeypatch: pytest.MonkeyPatch, language: str, arguments: list[str], shown: tuple[str, ...]
) -> None:
    monkeypatch.setenv("FUNDSTELLE_LANGUAGE", language)
    out = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"}).stdout
    assert [words for words in shown if words not in out] == []


def test_what_commands_say_is_in_the_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FUNDSTELLE_LANGUAGE", "de")
    sqlite_url(tmp_path / "fundstelle.sqlite3")
    listed = CliRunner().invoke(app, ["letters", "--data", str(tmp_path)])
    assert listed.stdout.strip() == "nichts Unzustellbares"
    wrong = CliRunner().invoke(app, ["documents", "--as-of", "soon", "--data", str(tmp_path)])
    assert "'soon' ist kein Datum" in wrong.stderr


def test_an_error_is_told_in_the_language_and_its_detail_in_json() -> None:
    error = Refused("document.unknown", "there is no document a.pdf", name="a.pdf", suggestions="")
    assert in_own_words(error, Texts("de", live=True)) == "Das Dokument a.pdf gibt es nicht."
    assert in_own_words(error, Texts("en")) == ""
    assert in_own_words(Refused("batch.bad_line", "line 3 is not JSON"), Texts("de")) == ""
    assert problem(error).message == "there is no document a.pdf"


@pytest.mark.parametrize("command", ["documents", "ingest"])
def test_an_empty_folder_name_is_not_the_current_folder(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is what an unset variable of a script leaves."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [command, "--data", ""])
    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
