"""An operator loses kept files, or finds them damaged: whatever quotes says so, and they come back."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.scenario.conftest import run

pytestmark = pytest.mark.thorough

QUESTION = "Wie hoch soll der Mindestlohn sein?"
WORDS = (
    "Wir heben den gesetzlichen Mindestlohn in zwei Schritten an: zum 1. Januar 2026 auf 15,80 Taler und zum"
    " 1. Januar 2027 auf 17 Taler je Stunde"
)
MOTION = "Der Landtag möge beschließen: Der gesetzliche Mindestlohn wird auf 16 Taler angehoben."
UNREADABLE = "notice.pages.unreadable"
NOTHING_NEAR = "Not found: nothing in the library comes near"


def lose(path: Path) -> None:
    path.unlink()


def cut_off(path: Path) -> None:
    os.truncate(path, 100)


def change(path: Path) -> None:
    """A file that can be opened, and is not the one that was ingested."""
    path.write_bytes(path.read_bytes() + b"\n")


@pytest.fixture(
    params=[
        cut_off,
        pytest.param(lose, marks=pytest.mark.slow),
        pytest.param(change, marks=pytest.mark.slow),
    ],
    ids=lambda each: each.__name__,
)
def accident(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    found: Callable[[Path], None] = request.param
    return found


@pytest.fixture
def folder(data: Path, tmp_path: Path, accident: Callable[[Path], None]) -> Path:
    """A copy of the example library without its kept files."""
    copy = shutil.copytree(data, tmp_path / "data", symlinks=True)
    for path in sorted((copy / "originals").glob("*.pdf")):
        accident(path)
    return copy


def said(folder: Path, *arguments: str) -> tuple[int, Any, set[str]]:
    """The exit status, the document and the keys of its notices."""
    status, out, _ = run(folder, *arguments, "--json")
    document = json.loads(out)
    return status, document, {notice["key"] for notice in document.get("notices", ())}


def test_whatever_quotes_says_that_files_are_lost_until_they_are_ingested_again(
    folder: Path, manifest: Path, accident: Callable[[Path], None], tmp_path: Path
) -> None:
    status, answer, notices = said(folder, "ask", QUESTION)
    assert (status, answer["outcome"], UNREADABLE in notices) == (1, "no_evidence", True)
    _, check, notices = said(folder, "verify", WORDS)
    assert (check["verdict"], UNREADABLE in notices) == ("absent", True)
    _, out, _ = run(folder, "verify", WORDS)
    assert NOTHING_NEAR not in out
    _, table, notices = said(folder, "compare", "Mindestlohn", "--jurisdiction", "xv")
    assert ({row["status"] for row in table["rows"]} >= {"unreadable"}, UNREADABLE in notices) == (True, True)
    assert not any(row["citations"] for row in table["rows"])
    _, table, notices = said(folder, "motion", MOTION, "--jurisdiction", "xv", "--mover", "Uferpartei")
    assert (table["rows"][0]["status"], UNREADABLE in notices) == ("unreadable", True)
    _, summary, notices = said(folder, "summary", "new", "Mindestlohn")
    assert (summary["claims"], UNREADABLE in notices) == ([], True)
    assert UNREADABLE in run(folder, "why", table["trace"], "--json")[1]
    status, out, err = run(folder, "page", "ufer-2025.pdf", "3", "--out", str(tmp_path / "p.pdf"))
    assert (status, "lost or damaged" in out + err) == (1, True)

    status, checked, _ = said(folder, "doctor")
    files = next(check for check in checked["checks"] if check["name"] == "kept files")
    assert (status, ("are missing" if accident is lose else "are damaged") in files["message"]) == (3, True)
    assert "fundstelle ingest" in files["advice"]

    status, receipts, _ = said(folder, "ingest", "--manifest", str(manifest))
    assert (status, {each["status"] for each in receipts["documents"]}) == (0, {"unchanged"})
    assert said(folder, "ask", QUESTION)[1]["outcome"] == "grounded"
    assert said(folder, "verify", WORDS)[1]["verdict"] == "verbatim"


def test_pages_made_of_what_is_no_pdf_are_missed_and_made_again(
    tmp_path: Path, accident: Callable[[Path], None]
) -> None:
    folder, source = tmp_path / "data", tmp_path / "harbour.txt"
    source.write_text("The levy for the harbour of Seeheim is nine thalers a year. It is due in spring.\n")
    alleged = ("verify", "The levy for the harbour of Seeheim is nine thalers a year.")
    run(folder, "ingest", str(source), "--jurisdiction", "de")
    assert said(folder, *alleged)[1]["verdict"] == "verbatim"
    (made,) = (folder / "originals").glob("*.pages.pdf")
    accident(made)
    _, check, notices = said(folder, *alleged)
    assert (check["verdict"], UNREADABLE in notices) == ("absent", True)
    status, checked, _ = said(folder, "doctor")
    files = next(check for check in checked["checks"] if check["name"] == "kept files")
    assert (status, "1 of 1 is damaged: harbour.txt" in files["message"]) == (3, True)
    assert said(folder, "ingest", str(source))[0] == 0
    assert said(folder, *alleged)[1]["verdict"] == "verbatim"


def test_a_backup_says_what_was_lost_or_damaged_already(
    folder: Path, accident: Callable[[Path], None], tmp_path: Path
) -> None:
    file = str(tmp_path / "backup.zip")
    _, made, _ = said(folder, "backup", "create", file)
    _, checked, _ = said(folder, "backup", "check", file)
    lost, damaged = len(checked["backup"]["missing"]), len(checked["backup"]["damaged"])
    assert (made["missing"], made["damaged"]) == (checked["backup"]["missing"], checked["backup"]["damaged"])
    assert (lost > 0, damaged > 0) == (accident is lose, accident is not lose)


def test_a_chat_is_told_and_offered_nothing_as_if_it_were_whole(folder: Path, tmp_path: Path) -> None:
    lines = f"{QUESTION}\n/verify {WORDS}\n/compare Mindestlohn\n/page ufer-2025.pdf 3\n/why\n/quit\n"
    status, out, _ = run(folder, "chat", "--out", str(tmp_path / "out"), stdin=lines)
    told = out.replace("\n", " ")
    assert (status, told.count("im Moment nicht lesbar")) == (0, 5)
    assert "kommt diesen Worten nahe" not in told
