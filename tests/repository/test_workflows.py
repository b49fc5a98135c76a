"""The workflows of the forge, as far as they can be tried here: valid, bounded, true to this repository."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.repository import ROOT

FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))
TAGGED = re.compile(r"[\w-]+/[\w./-]+@(?:v\d+|release/v\d+|[0-9a-f]{40})")
"""An action by the tag of its version, or by a commit."""

WRITING = {"contents", "packages", "pages", "id-token", "attestations"}
"""What jobs may be allowed beyond reading."""


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", [*WORKFLOWS, FOLDER / "dependabot.yml"], ids=lambda path: path.name)
def test_files_are_valid_to_the_published_schema(path: Path) -> None:
    """By the schemas that the tool carries: nothing is fetched."""
    pytest.importorskip("check_jsonschema", reason="`make install-dev` installs check-jsonschema")
    kind = "dependabot" if path.name == "dependabot.yml" else "github-workflows"
    tool = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{kind}", str(path)]
    done = subprocess.run(tool, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_jobs_may_do_what_they_need_and_no_more(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        allowed = job.get("permissions", {})
        assert {name for name, what in allowed.items() if what == "write"} <= WRITING
        assert "timeout-minutes" in job
        if "id-token" in allowed:  # who publishes is asked first, or publishes a site
            assert job["environment"] in ("release",) or job["environment"]["name"] == "github-pages"
    for step in steps(path):
        assert "uses" not in step or TAGGED.fullmatch(step["uses"]), step
        if step.get("uses", "").startswith("actions/checkout"):
            assert step["with"]["persist-credentials"] is False
        assert "secrets." not in json.dumps(step)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_targets_and_files_that_are_named_are_there(path: Path) -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    for step in steps(path):
        for line in step.get("run", "").splitlines():
            if line.startswith("make "):
                assert set(line.split()[1:]) <= targets
            for named in re.findall(r"(?:^|\s)\./(\S+)", line):
                assert (ROOT / named).exists()


def test_images_are_targets_of_the_dockerfile() -> None:
    named = re.findall(r"(?m)^FROM \S+ AS (\w+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    built = read(FOLDER / "workflows" / "release.yml")["jobs"]["images"]["strategy"]["matrix"]["include"]
    assert [each["target"] for each in built] == ["usual", "full"]
    assert {each["target"] for each in built} <= set(named)


@pytest.mark.slow
def test_the_list_of_what_is_installed_has_every_locked_requirement_with_hashes(tmp_path: Path) -> None:
    pytest.importorskip("cyclonedx_py", reason="`make install-dev` installs cyclonedx-bom")
    made = tmp_path / "fundstelle.cdx.json"
    tool = [sys.executable, "-m", "cyclonedx_py", "requirements", str(ROOT / "requirements.txt")]
    options = [
        "--pyproject",
        str(ROOT / "pyproject.toml"),
        "--output-reproducible",
        "--output-file",
        str(made),
    ]
    subprocess.run([*tool, *options], check=True, capture_output=True)
    found = json.loads(made.read_text(encoding="utf-8"))
    locked = dict(
        re.findall(r"(?m)^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)", (ROOT / "requirements.txt").read_text())
    )
    listed = {each["name"]: each["version"] for each in found["components"]}
    assert listed == locked
    assert found["metadata"]["component"]["name"] == "fundstelle"
    for each in found["components"]:
        assert any(reference.get("hashes") for reference in each["externalReferences"]), each["name"]
