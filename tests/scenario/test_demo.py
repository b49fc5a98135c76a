"""The demo is nobody's library: what it invents lands in its own folder, whatever stores are configured."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.operations import program
from bot.cli.root import app
from tests.support.encoders import models_dir

NOWHERE = {
    "FUNDSTELLE_DATABASE_URL": "postgresql://somebody@127.0.0.1:1/production",
    "FUNDSTELLE_QDRANT__URL": "http://127.0.0.1:1",
    "FUNDSTELLE_RETENTION__KEY_FILE": "/production/pseudonyms.key",
}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_invented_parties_stay_in_the_demos_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, production = tmp_path / "demo" / "data", tmp_path / "production.sqlite3"
    own.mkdir(parents=True)
    (own / "models").symlink_to(models_dir())
    for folder in (own, own.parent):
        (folder / "fundstelle.toml").write_text(f'database_url = "sqlite:///{production}"\n')
    for name, value in NOWHERE.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("FUNDSTELLE_DATA", str(tmp_path / "data"))
    done = CliRunner().invoke(app, ["demo", "--data", str(own.parent), "--json"])
    assert done.exit_code == 0, done.output
    assert {answer["outcome"] for answer in json.loads(done.stdout)["answers"]} >= {"grounded"}
    assert (own / "fundstelle.sqlite3").is_file()
    assert not production.exists()
    assert not (tmp_path / "data").exists()


def test_the_demo_names_a_command_that_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = tmp_path / "own folder" / "fundstelle", tmp_path / "bin" / "fundstelle"
    for file in (own, other):
        file.parent.mkdir()
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(own), "demo"])
    for path, typed in ((own.parent, "fundstelle"), (other.parent, f"'{own}'"), (tmp_path, f"'{own}'")):
        monkeypatch.setenv("PATH", str(path))
        assert program() == typed
