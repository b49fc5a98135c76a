"""Whose pseudonyms stand in the audit, as far as settings and system know."""

import pytest
from typer.testing import CliRunner

from bot.cli.root import app
from bot.library.audit import SHELL, known_people, shell_user
from bot.settings.tree import Settings
from core.domain.journal import Pseudonyms
from tests.support.fake_journal import KEY

PEOPLE = Pseudonyms(KEY)


def test_people_with_a_role_and_users_of_the_system_are_named() -> None:
    settings = Settings.model_validate(
        {
            "chat": [{"platform": "slack", "id": "T1/C1"}],
            "role": [
                {"platform": "matrix", "user": "@a/b:example.org", "role": "staff"},
                {"platform": "slack", "user": "U1", "role": "staff"},
                {"platform": "slack", "user": "T9/U2", "role": "admin"},
            ],
        }
    )
    names = known_people(settings, PEOPLE)
    for place, name in (
        (("matrix", "", "@a/b:example.org"), "matrix:@a/b:example.org"),
        (("slack", "T1", "U1"), "slack:U1"),
        (("slack", "T9", "U2"), "slack:U2"),
        ((SHELL, "", shell_user()), f"shell:{shell_user()}"),
        (("console", "", "console"), "console:console"),
    ):
        assert names[PEOPLE.person(*place)] == name
    assert PEOPLE.person("slack", "T1", "U2") not in names


def test_a_process_without_a_name_has_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError("no entry")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert shell_user().isdigit()


@pytest.mark.parametrize("option", ["--days", "--limit"])
@pytest.mark.parametrize("value", ["0", "999999999999999999999"])
def test_a_span_that_no_calendar_has_is_a_mistake_in_the_command_line(option: str, value: str) -> None:
    result = CliRunner().invoke(app, ["audit", option, value])
    assert result.exit_code == 2
    assert option in result.output
