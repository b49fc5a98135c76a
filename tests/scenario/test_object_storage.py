"""An operator moves the files of a library into object storage, and works with it from there."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.settings.sections import FilesSettings
from bot.settings.tree import Settings
from bot.wiring.services import opened
from core.domain.messages import Attachment
from tests.scenario.conftest import run
from tests.support.chats import conversation_over, message, say, uploads_over
from tests.support.encoders import models_dir
from tests.support.fake_stage import FakeStage
from tests.support.pdfs import saved, written
from tests.support.s3_server import S3Server

pytestmark = pytest.mark.thorough

QUESTION = "Wie hoch soll der Mindestlohn sein?"


def command(folder: Path, *arguments: str) -> tuple[int, Any]:
    status, out, err = run(folder, *arguments, "--json")
    assert out, err
    return status, json.loads(out)


def quoted(folder: Path, pages: Path) -> list[Any]:
    """What is quoted, and the names of the pages that come with it."""
    status, answer = command(folder, "ask", QUESTION, "--out", str(pages))
    assert status == 0
    assert [notice["key"] for notice in answer["notices"]] == []
    return [[each["quote"] for each in answer["citations"]], sorted(path.name for path in pages.iterdir())]


@pytest.mark.timeout(900)
def test_moved_answered_backed_up_removed(
    data: Path, tmp_path: Path, s3_server: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(data, tmp_path / "data", symlinks=True)
    wanted = quoted(folder, tmp_path / "before")
    bucket, kept = s3_server.bucket(), sorted(path.name for path in (folder / "originals").iterdir())
    stated = s3_server.settings(bucket)
    for name in ("endpoint", "region", "access_key", "secret_key"):
        monkeypatch.setenv(f"FUNDSTELLE_FILES__{name.upper()}", stated[name])

    s3_server.ask("fault", faults=[""] * 31 + ["busy"] * 60)  # interrupted
    status, found = command(folder, "move", "--files", bucket.url)
    assert (status, found["error"]["code"]) == (3, "files.unreachable")
    s3_server.ask("fault", faults=[])
    assert quoted(folder, tmp_path / "meanwhile") == wanted  # nothing has changed
    status, moved = command(folder, "move", "--files", bucket.url)
    assert (status, moved["files"]) == (0, len(kept))
    assert moved["copied"] < len(kept)
    assert command(folder, "move", "--files", bucket.url)[1]["copied"] == 0
    status, found = command(folder, "ask", QUESTION)
    assert (status, found["error"]["code"]) == (3, "files.moved")

    shutil.rmtree(folder / "originals")
    monkeypatch.setenv("FUNDSTELLE_FILES__URL", bucket.url)
    assert quoted(folder, tmp_path / "after") == wanted
    _, checks = command(folder, "doctor")
    assert {each["name"]: each["state"] for each in checks["checks"]}["kept files"] == "ok"
    status, made = command(folder, "backup", "create", str(tmp_path / "a.zip"))
    assert (status, made["missing"], made["damaged"]) == (0, [], [])
    assert command(folder, "backup", "check", str(tmp_path / "a.zip"))[1]["ok"]
    assert not (folder / "originals").exists()

    other = tmp_path / "other"
    other.mkdir()
    (other / "models").symlink_to(models_dir())
    monkeypatch.setenv("FUNDSTELLE_FILES__URL", f"{bucket.url}-restored")
    status, done = command(other, "backup", "restore", str(tmp_path / "a.zip"))
    assert status == 0, done
    assert command(other, "reindex", "--missing")[0] == 0
    assert quoted(other, tmp_path / "restored") == wanted
    assert not (other / "originals").exists()

    monkeypatch.setenv("FUNDSTELLE_FILES__URL", bucket.url)
    _, documents = command(folder, "documents")
    for document in documents["documents"]:
        assert command(folder, "remove", document["id"], "--now")[0] == 0
    assert s3_server.ask("keys", name=bucket.name, prefix="library/originals/") == []
    assert len(s3_server.ask("keys", name=bucket.name, prefix="library-restored/originals/")) == len(kept)

    monkeypatch.setenv("FUNDSTELLE_FILES__ENDPOINT", "http://127.0.0.1:1")
    _, checks = command(other, "doctor")
    gone = {each["name"]: each for each in checks["checks"]}["kept files"]
    assert gone["state"] == "fail"
    assert "[files] endpoint" in gone["advice"]


PAPER = (
    "Wahlprogramm 2026 der Uferpartei in Hochau",
    "Wasser\n\nWir bauen in jedem Dorf bis zum Jahr 2030 zwölf neue Brunnen für alle Menschen.",
)


@pytest.mark.timeout(600)
async def test_an_upload_of_staff_is_answered_with_its_page_and_removed(
    tmp_path: Path, s3_server: S3Server
) -> None:
    bucket, data = s3_server.bucket(), tmp_path / "data"
    data.mkdir()
    (data / "models").symlink_to(models_dir())
    settings = Settings(data=data, files=FilesSettings(**s3_server.settings(bucket)))  # type: ignore[arg-type]
    plan = Attachment(id="f1", name="brunnen.pdf", size=100)
    stage = FakeStage(files={"f1": saved(written(*PAPER), tmp_path / "brunnen.pdf").read_bytes()})

    async def stored() -> list[str]:
        found: list[str] = await s3_server.do("keys", name=bucket.name, prefix="library/originals/")
        return found

    async with opened(settings) as app:
        queue = uploads_over(app, tmp_path)
        conversation = conversation_over(app, tmp_path, queue)
        sent = message("", "staff-room", sender="sam", attachments=(plan,))
        assert await conversation.handle(sent, stage) is not None
        (job,) = await queue.waiting()
        await queue.work(job, stage)
        await queue.drop(job)
        assert len(await stored()) == 1
        shutil.rmtree(data / "cache")  # as on another machine
        answer = await say(conversation, "Wie viele neue Brunnen bauen wir in jedem Dorf?", "staff-room")
        assert "zwölf neue Brunnen" in "".join(map(str, answer.blocks))
        assert [file.path.read_bytes()[:5] for file in answer.files] == [b"%PDF-"]
        (document,) = await app.documents.held()
        await app.document_lifecycle.remove(document.id, now=True)
        assert await stored() == []
    assert not (data / "originals").exists()
