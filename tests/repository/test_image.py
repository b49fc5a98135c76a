"""The image's steps, carried out in a bare Debian: they work, and what they make answers."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.image_steps import BuiltRoot, build, stages
from tests.support.repository import ROOT

BARE = "FUNDSTELLE_TEST_DEBIAN"
"""A bare Debian root made by debootstrap(8); without it the test makes one."""


def test_every_stage_is_made_of_one_before_it() -> None:
    found = stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    names = [stage.name for stage in found]
    assert names == ["base", "build", "runtime", "full", "usual"]
    assert all(stage.of in names[:place] for place, stage in enumerate(found) if place)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if os.geteuid() != 0 or not (given := os.environ.get(BARE) or shutil.which("debootstrap")):
        pytest.skip("needs root and debootstrap: apt-get install debootstrap")
    if os.environ.get(BARE):
        return Path(given)
    folder = tmp_path_factory.mktemp("debian") / "root"
    subprocess.run([given, "--variant=minbase", "bookworm", str(folder)], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def images(bare: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, BuiltRoot]:
    folder = tmp_path_factory.mktemp("image")
    folder.chmod(0o755)  # the image's user has to get there
    for parent in (folder.parent, folder.parent.parent):
        parent.chmod(0o755)
    return build((ROOT / "Dockerfile").read_text(encoding="utf-8"), ROOT, bare, folder)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_the_image_answers_as_its_own_user(images: dict[str, BuiltRoot]) -> None:
    image = images["usual"]
    assert image.user == "fundstelle"
    assert image.command == ["fundstelle", "serve"]
    demo = json.loads(image.run("fundstelle demo --json --data /data/demo"))
    *answered, absent_topic, absent_party = [answer["outcome"] for answer in demo["answers"]]
    assert {*answered} == {"grounded"}
    assert absent_topic == absent_party == "no_evidence"
    assert image.run("stat --format %a /data").strip() == "700"
    checks = {row["name"]: row for row in json.loads(image.run("fundstelle doctor --json || true"))["checks"]}
    assert "deu+eng" in checks["text recognition"]["message"]


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_the_full_image_reads_office_documents(images: dict[str, BuiltRoot]) -> None:
    checks = json.loads(images["full"].run("fundstelle doctor --json || true"))["checks"]
    (formats,) = [row for row in checks if row["name"] == "other formats"]
    assert "without LibreOffice" not in formats["message"]
