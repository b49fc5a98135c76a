"""Summaries on the example library, through the command line with the real models and stores."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.library.audit import shell_user
from core.evidence.skeleton import skeleton
from tests.scenario.conftest import run

pytestmark = pytest.mark.thorough

Summary = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module")
def own(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the library that may be changed."""
    folder = tmp_path_factory.mktemp("summaries") / "library"
    shutil.copytree(data, folder, symlinks=True)
    return folder


def summary(data: Path, *arguments: str) -> tuple[int, Any]:
    status, out, _ = run(data, "summary", *arguments, "--json")
    return status, json.loads(out)


def test_a_summary_from_its_making_to_its_end(own: Path, tmp_path: Path) -> None:
    status, made = summary(own, "new", "Mindestlohn und Mieten", "--out", str(tmp_path))
    assert status == 0
    parties = [tuple(item["document"]["parties"]) for item in made["citations"]]
    order = ["Uferpartei", "Bund der Windmüller", "Lighthouse List"]
    named = [party for found in parties for party in found]
    assert set(named) == set(order), "everybody who has written about it"
    assert named == sorted(named, key=order.index)
    assert max(map(named.count, order)) <= 4
    for item in made["citations"]:
        assert item["highlight_checked"]
        assert Path(item["preview"]).exists()
        _, out, _ = run(own, "show", item["document"]["file"], "--page", str(item["page"]), "--json")
        page = json.loads(out)["text"]
        assert skeleton(page[item["start"] : item["end"]]) == skeleton(item["quote"])

    _, again = summary(own, "new", "mindestlohn  und MIETEN")
    assert (again["number"], again["topic"]["name"]) == (2, "Mindestlohn und Mieten")
    _, there = summary(
        own, "new", "registration fee of a houseboat", "--jurisdiction", "xv-ho", "--type", "rules"
    )
    assert {item["document"]["jurisdiction"] for item in there["citations"]} == {"xv-ho"}

    quoted = made["citations"][0]["document"]["file"]
    assert run(own, "remove", quoted)[0] == 0
    _, shown = summary(own, "show", str(made["id"]))
    assert (shown["claims"], shown["stale"]) == (made["claims"], True)
    assert [item["quote"] for item in shown["citations"]] == [item["quote"] for item in made["citations"]]
    assert {(each["kind"], each["document"]["file"]) for each in shown["changes"]} == {("removed", quoted)}
    _, listed = summary(own, "list")
    stale = {item["id"]: item["stale"] for item in listed["summaries"]}
    assert stale == {made["id"]: True, again["id"]: True, there["id"]: False}

    assert run(own, "restore", quoted)[0] == 0
    entries = json.loads(run(own, "audit", "--json")[1])["entries"]
    assert [(entry["action"], entry["name"]) for entry in entries[:2]] == [
        (action, f"shell:{shell_user()}") for action in ("restore", "remove")
    ]
    assert entries[0]["title"] == made["citations"][0]["document"]["title"]

    assert summary(own, "remove", str(made["id"]))[0] == 0
    assert summary(own, "show", str(made["id"]))[0] == 1


def test_silence_is_kept_nowhere(own: Path) -> None:
    status, result = summary(own, "new", "Quantenkryptografie auf dem Mars")
    assert (status, result["id"], result["citations"]) == (1, None, [])
    _, listed = summary(own, "list")
    assert "Quantenkryptografie auf dem Mars" not in {item["topic"]["name"] for item in listed["summaries"]}
