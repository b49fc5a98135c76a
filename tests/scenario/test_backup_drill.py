"""The drill: backups of a library at work, each restored elsewhere, where it answers as the first does."""

import json
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.scenario.conftest import run
from tests.support.encoders import models_dir
from tests.support.pdfs import saved, written
from tests.support.served import FUNDSTELLE

pytestmark = pytest.mark.thorough

BACKUPS = 5
QUESTIONS = 50


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    """A copy of the example library, to work on."""
    return shutil.copytree(data, tmp_path / "data", symlinks=True)


def command(folder: Path, *arguments: str) -> tuple[int, Any]:
    status, out, err = run(folder, *arguments, "--json")
    assert out, err
    return status, json.loads(out)


def answers(folder: Path, manifest: Path, count: int) -> list[Any]:
    """What is answered to so many questions: texts, and quotes with their pages."""
    rows = manifest.with_name("questions.jsonl").read_text(encoding="utf-8").splitlines()[:count]
    asked = [{key: json.loads(row)[key] for key in ("id", "question", "jurisdiction")} for row in rows]
    file = folder / "asked.jsonl"
    file.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    _, out, _ = run(folder, "ask", "--batch", str(file))
    file.unlink()
    found = [json.loads(line) for line in out.splitlines()]
    assert len(found) == len(asked)
    return [
        (
            answer["id"],
            answer["outcome"],
            answer["text"],
            [(each["document"]["file"], each["page"], each["quote"]) for each in answer["citations"]],
            [notice["key"] for notice in answer["notices"]],
        )
        for answer in found
    ]


def restored(file: Path, folder: Path) -> dict[str, Any]:
    """What `backup restore` says of an installation that it made in `folder`."""
    folder.mkdir()
    (folder / "models").symlink_to(models_dir())
    status, done = command(folder, "backup", "restore", str(file))
    assert status == 0, done
    return dict(done["backup"])


def test_restored_elsewhere_it_answers_the_same_at_once(folder: Path, manifest: Path, tmp_path: Path) -> None:
    wanted, file = answers(folder, manifest, 4), tmp_path / "a.zip"
    status, made = command(folder, "backup", "create", str(file), "--with-index")
    assert (status, made["missing"]) == (0, [])
    assert command(folder, "backup", "check", str(file))[1]["ok"]
    assert restored(file, tmp_path / "other")["rows"] == made["rows"]
    assert answers(tmp_path / "other", manifest, 4) == wanted
    status, found = command(tmp_path / "other", "backup", "restore", str(file))
    assert (status, found["error"]["code"]) == (1, "backup.not_empty")
    assert command(folder, "backup", "create", str(file))[0] == 1
    file.write_bytes(file.read_bytes()[:-100])
    status, found = command(folder, "backup", "check", str(file))
    assert (status, found["ok"], found["backup"]) == (1, False, None)


@pytest.mark.slow
@pytest.mark.timeout(5400)
def test_five_backups_under_ingestion_and_kills_answer_the_same_questions(
    folder: Path, manifest: Path, tmp_path: Path
) -> None:
    """New versions of a document of another collection come in all the while; those who bring them and those
    who back up are killed at any point."""
    wanted, chance, kills = answers(folder, manifest, QUESTIONS), random.Random(11), 0
    for number in range(BACKUPS):
        file = tmp_path / f"{number}.zip"
        with ingesting(folder, tmp_path / "leaflet.pdf", number) as work:
            while not file.exists():
                kills += backed_up(folder, file, chance.choice((None, chance.uniform(0.5, 4))))
            time.sleep(chance.uniform(0, 1))
            work.send_signal(signal.SIGKILL)
        assert command(folder, "backup", "check", str(file))[1]["problems"] == []
        other = tmp_path / f"restored {number}"
        restored(file, other)
        assert command(other, "reindex", "--missing")[1]["failed"] == []
        assert answers(other, manifest, QUESTIONS) == wanted
        shutil.rmtree(other)
    assert kills > 0


def ingesting(folder: Path, leaflet: Path, number: int) -> "subprocess.Popen[bytes]":
    saved(written(f"Boats pay {number} Taler.\n\nThe bridge is open on {number} days."), leaflet)
    fields = ["--collection", "harbour", "--jurisdiction", "xv"]
    return subprocess.Popen(
        [FUNDSTELLE, "ingest", leaflet, *fields, "--data", folder],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def backed_up(folder: Path, file: Path, kill_after_s: float | None) -> bool:
    """Make a backup, and kill who makes it after a time; whether that was so."""
    arguments = [FUNDSTELLE, "backup", "create", file, "--local", "--data", folder]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as work:
        try:
            assert work.wait(kill_after_s) == 0
        except subprocess.TimeoutExpired:
            work.kill()
            return True
    return False
