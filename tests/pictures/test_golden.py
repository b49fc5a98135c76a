"""What people get, scene by scene: played through the whole bot over the example library, and compared with
the texts in `golden/`; `make pictures` (or `python -m tests.pictures --texts`) writes them anew."""

import difflib
import re
from pathlib import Path

import pytest
from PIL import Image

from tests.pictures.__main__ import GOLDEN, IMAGES, PLATFORMS, drawn_on, ingested
from tests.pictures.scenes import SCENES, SHOWN
from tests.support.encoders import models_loaded_once
from tests.support.repository import ROOT

MAX_BYTES = 200_000
PAGES = [ROOT / "docs" / "chats.md", *(ROOT / "docs" / "platforms").glob("*.md")]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ingested(tmp_path_factory.mktemp("pictures") / "library")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("platform", PLATFORMS)
async def test_every_scene_stands_in_its_chat_as_before(platform: str, library: Path, tmp_path: Path) -> None:
    with models_loaded_once():
        found = await drawn_on(platform, library, tmp_path, SCENES)
    changed = [line for name, drawn in found.items() for line in differences(name, drawn.body)]
    assert not changed, "\n".join(changed)


def differences(name: str, body: str) -> list[str]:
    file = GOLDEN / f"{name}.html"
    before = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return list(difflib.unified_diff(before, body.splitlines(), file.name, "now", lineterm="", n=0))


def test_every_scene_has_its_text_on_every_platform() -> None:
    expected = {f"{scene.name}-{platform}" for scene in SCENES for platform in PLATFORMS}
    assert {file.stem for file in GOLDEN.glob("*.html")} == expected
    assert expected >= SHOWN


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_a_picture_of_the_documents_is_there_and_small(name: str) -> None:
    file = IMAGES / f"chat-{name}.png"
    assert file.stat().st_size < MAX_BYTES
    with Image.open(file) as image:
        assert image.width == 840


def test_the_documents_show_pictures_that_are_there_and_all_of_them() -> None:
    shown = set()
    for page in PAGES:
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).resolve().is_file(), (page, target)
            shown.add(Path(target).name)
    assert {f"chat-{name}.png" for name in SHOWN} <= shown


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.html")), ids=lambda file: file.stem)
def test_nobody_is_shown_what_only_programs_read(file: Path) -> None:
    """No ids of ours, no unfilled values, no key of a text."""
    words = re.sub(r"<[^>]+>", " ", file.read_text(encoding="utf-8"))
    assert not re.search(r"\b[0-9a-f]{16,}\b", words)
    assert not re.search(r"[{}]", words)
    assert not re.search(r"\b(?:answer|cite|notice|command|upload|verify)\.[a-z_]+\b", words)
