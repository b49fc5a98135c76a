"""The keys of every command's `--json`, their order and what their values may be, as recorded in
`tests/data/json/commands.json`: nothing that others read changes by accident.

Texts and figures are masked, and what is empty or null at one time may be there at another, so that a better
choice of sentences changes nothing here. Values are held by `tests/bot/test_views.py`. After a change that is
meant, run this file with FUNDSTELLE_TEST_RECORD=yes.
"""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scenario.conftest import run
from tests.support.pdfs import saved, written

RECORDED = Path(__file__).parents[1] / "data" / "json" / "commands.json"
FREE = frozenset({"seconds", "values", "outcomes", "scores", "rows"})
"""Objects whose keys depend on what was asked."""

LEAVES = {type(None): "null", bool: "yes or no", int: "number", float: "number", str: "text"}


def shape(value: Any, name: str = "") -> Any:
    """What `value` is made of: objects by their keys in order, lists by all that stands in them."""
    if isinstance(value, dict):
        if name in FREE:
            return {"*": merged([shape(item) for item in value.values()])} if value else {}
        return {key: shape(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [merged([shape(item) for item in value])] if value else []
    return LEAVES[type(value)]


def merged(shapes: list[Any]) -> Any:
    """One shape for several: what is not always the same is told apart by "|"."""
    objects = [item for item in shapes if isinstance(item, dict)]
    lists = [item for item in shapes if isinstance(item, list)]
    leaves = sorted({part for item in shapes if isinstance(item, str) for part in item.split("|")})
    if objects:
        keys = list(dict.fromkeys(key for item in objects for key in item))
        found: Any = {key: merged([item[key] for item in objects if key in item]) for key in keys}
        return {"object or": leaves, **found} if leaves else found
    if lists:
        inner = [item for each in lists for item in each]
        return [merged(inner)] if inner else []
    return "|".join(leaves)


def fits(found: Any, recorded: Any) -> bool:
    """Whether two shapes have the same keys in the same order, as far as both show them."""
    if isinstance(found, dict) and isinstance(recorded, dict):
        keys, others = ([key for key in each if key not in ("*", "object or")] for each in (found, recorded))
        return keys == others and all(fits(found[key], recorded[key]) for key in keys)
    if isinstance(found, list) and isinstance(recorded, list):
        return not found or not recorded or fits(found[0], recorded[0])
    if isinstance(found, str) and isinstance(recorded, str):
        one, other = set(found.split("|")), set(recorded.split("|"))
        return bool(one & other) or "null" in one | other
    return "null" in (str(found), str(recorded))


@pytest.fixture
def printed(data: Path, manifest: Path, tmp_path: Path) -> dict[str, Any]:
    """What the commands print on a copy of the example library, by the command's name."""
    library = tmp_path / "library"
    shutil.copytree(data, library, symlinks=True)
    return dict(_sessions(library, manifest, tmp_path))


def _sessions(library: Path, manifest: Path, folder: Path) -> Iterator[tuple[str, Any]]:
    def call(*arguments: str) -> Any:
        _, out, _ = run(library, *arguments, "--json")
        return json.loads(out)

    pages, leaflet = str(folder / "pages"), folder / "leaflet.pdf"
    yield "ingest", call("ingest", "--manifest", str(manifest))
    for text in ("Boats pay a toll.\n\nThe bridge is open.", "Boats pay no toll.\n\nThe bridge is open."):
        saved(written(text), leaflet)
        changed = call("ingest", str(leaflet), "--collection", "harbour", "--jurisdiction", "xv")
    yield "ingest again", changed
    yield "ingest refused", call("ingest", str(manifest))
    yield "documents", call("documents")
    yield "show", call("show", "hochau-rules-2023.pdf")
    yield "show page", call("show", "hochau-rules-2023.pdf", "--page", "1")
    question = "Was kostet die Anmeldung eines Hausboots in Hochau?"
    yield "search", call("search", question)
    answer = call("ask", question, "--out", pages)
    yield "ask", answer
    yield "ask in vain", call("ask", "What does the Kite Flyers' party say about the moon landing?")
    yield "why", call("why", answer["trace"])
    yield "verify", call("verify", answer["citations"][0]["quote"], "--out", pages)
    yield "verify falsified", call("verify", answer["citations"][0]["quote"].replace("12", "13"))
    draft = folder / "draft.md"
    draft.write_text(
        "Die Uferpartei schreibt: „Beifall allein bezahlt keine Miete.“ (2021, S. 9)", encoding="utf-8"
    )
    yield "check", call("check", str(draft), "--out", str(folder / "report.md"))
    yield "page", call("page", "hochau-rules-2023.pdf", "1", "--out", str(folder / "page.pdf"))
    yield "compare", call("compare", "Mindestlohn", "--out", pages)
    yield (
        "compare places",
        call("compare", "houseboats", "--jurisdiction", "xv-ho", "--jurisdiction", "xv-se"),
    )
    motion = "Der Mindestlohn soll auf 15 Taler steigen."
    yield "motion", call("motion", motion, "--jurisdiction", "xv", "--mover", "Uferpartei")
    yield "references", call("references", "Section 3", "--document", "houseboats-act-2022.pdf")
    kept = call("summary", "new", "Mindestlohn", "--out", pages)
    yield "summary new", kept
    yield "summary list", call("summary", "list")
    yield "summary show", call("summary", "show", str(kept["id"]))
    yield "summary remove", call("summary", "remove", str(kept["id"]))
    yield "diff", call("diff", "leaflet.pdf", "--out", pages)
    yield "publish", call("publish", "leaflet.pdf")
    yield "remove", call("remove", "leaflet.pdf", "--now") | call("remove", "lighthouse-2021.pdf")
    yield "restore list", call("restore")
    yield "restore", call("restore", "lighthouse-2021.pdf")
    yield "collect", call("collect")
    yield "reindex", call("reindex")
    yield "reindex missing", call("reindex", "--missing")
    yield "corrections", call("corrections", "--dry-run")
    yield "feedback", call("feedback")
    yield "audit", call("audit")
    yield "letters", call("letters")
    yield "person export", call("person", "export", "telegram:4711")
    yield "person erase", call("person", "erase", "telegram:4711")
    yield "jobs", call("jobs")
    yield "registry check", call("registry", "check", str(manifest))
    yield "doctor", call("doctor")
    yield "settings", call("settings")
    rows = manifest.with_name("questions.jsonl").read_text(encoding="utf-8").splitlines()[:3]
    (folder / "set.jsonl").write_text("\n".join(rows), encoding="utf-8")
    yield "evaluate", call("evaluate", str(folder / "set.jsonl"), "--symmetry")
    file = str(folder / "backup.zip")
    yield "backup create", call("backup", "create", file, "--with-index")
    yield "backup check", call("backup", "check", file)
    yield "backup restore", json.loads(run(folder / "restored", "backup", "restore", file, "--json")[1])
    yield "error", call("show", "nothing.pdf")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_commands_print_what_they_always_printed(printed: dict[str, Any]) -> None:
    shapes = {name: shape(value) for name, value in printed.items()}
    if os.environ.get("FUNDSTELLE_TEST_RECORD"):
        RECORDED.write_text(json.dumps(shapes, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert list(shapes) == list(recorded)
    for name, found in shapes.items():
        assert fits(found, recorded[name]), (name, found)


@pytest.mark.parametrize(
    ("found", "fitting"),
    [
        ({"a": 1, "b": None}, True),
        ({"a": 1, "b": {"c": "x"}}, True),
        ({"a": 1, "b": {"c": None}}, True),
        ({"b": {"c": "x"}, "a": 1}, False),
        ({"a": 1}, False),
        ({"a": 1, "b": {"d": "x"}}, False),
        ({"a": "1", "b": {"c": "x"}}, False),
        ({"a": 1, "b": ["x"]}, False),
    ],
)
def test_a_change_of_keys_is_seen(found: Any, fitting: bool) -> None:
    assert fits(shape(found), shape({"a": 1, "b": {"c": "x"}})) is fitting
