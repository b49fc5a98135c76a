"""The release script, in clones of this repository: what it changes, and what it refuses."""

import datetime
import importlib.util
import subprocess
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.repository import ROOT

DAY = datetime.date(2030, 1, 2)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / "deploy" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository of a few files, as this one has them."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "docs" / "operators").mkdir(parents=True)
    operators = ("docs/operators/install.md", "docs/operators/backup.md")
    for name in ("pyproject.toml", "docker-compose.yml", "CHANGELOG.md", *operators):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    text = (folder / "CHANGELOG.md").read_text(encoding="utf-8")
    filled = text.replace("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- A line.\n")
    (folder / "CHANGELOG.md").write_text(filled, encoding="utf-8")
    for words in (
        ["init", "--quiet"],
        ["config", "user.name", "Somebody"],
        ["config", "user.email", "somebody@example.org"],
        ["add", "."],
        ["commit", "--quiet", "--message", "All of it"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def test_the_changelog_is_cut_and_the_version_set(script: ModuleType, clone: Path) -> None:
    script.prepare(clone, "7.8.9", DAY)
    changelog = (clone / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]\n\n## [7.8.9] - 2030-01-02\n\n### Added\n\n- A line.\n" in changelog
    assert 'version = "7.8.9"\n' in (clone / "pyproject.toml").read_text(encoding="utf-8")
    assert "image: fundstelle:7.8.9\n" in (clone / "docker-compose.yml").read_text(encoding="utf-8")
    operators = clone / "docs" / "operators"
    assert "-t fundstelle:7.8.9 ." in (operators / "install.md").read_text(encoding="utf-8")
    assert "\n| 7.8.9 | revision " in (operators / "backup.md").read_text(encoding="utf-8")
    assert script.git(clone, "describe", "HEAD") == "v7.8.9"
    assert script.git(clone, "status", "--porcelain") == ""


@pytest.mark.parametrize("version", ["0.0.1", "7.8", "v7.8.9", "7.8.9rc1"])
def test_a_version_comes_after_the_last_one(script: ModuleType, clone: Path, version: str) -> None:
    with pytest.raises(ValueError, match=version):
        script.release(clone, version, DAY, dry_run=False)
    assert script.git(clone, "tag") == ""


def test_only_a_clean_tree_is_released_and_only_once(script: ModuleType, clone: Path) -> None:
    (clone / "more").write_text("x")
    with pytest.raises(ValueError, match="not clean"):
        script.release(clone, "7.8.9", DAY, dry_run=True)
    (clone / "more").unlink()
    script.prepare(clone, "7.8.9", DAY)
    with pytest.raises(ValueError, match=r"tag v7\.8\.9"):
        script.prepare(clone, "7.8.9", DAY)


def test_a_release_of_nothing_is_refused(script: ModuleType) -> None:
    with pytest.raises(ValueError, match="nothing"):
        script.cut("# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2029-01-01\n\n- Old.\n", "0.2.0", DAY)


def test_the_table_of_versions_gets_its_row(script: ModuleType) -> None:
    first, second = "| 0.1.0 | revision 0001 | format 1 |\n", "| unreleased | revision 0002 | format 1 |\n"
    assert script.listed(f"# T\n{first}\nmore", "0.2.0") == (
        f"# T\n{first}| 0.2.0 | revision 0001 | format 1 |\n\nmore"
    )
    assert script.listed(f"# T\n{first}{second}\nmore", "0.2.0") == (
        f"# T\n{first}| 0.2.0 | revision 0002 | format 1 |\n\nmore"
    )
    with pytest.raises(ValueError, match="no table"):
        script.listed("# T\n", "0.2.0")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_dry_run_of_this_repository_changes_nothing(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of what is committed; the built archives are complete."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    for name, value in (("user.name", "Somebody"), ("user.email", "somebody@example.org")):
        subprocess.run(["git", "config", name, value], cwd=clone, check=True)
    before = script.git(clone, "rev-parse", "HEAD")
    script.release(clone, "99.0.0", DAY, dry_run=True)
    said = capsys.readouterr().out
    assert "## [99.0.0] - 2030-01-02" in said
    assert "fundstelle-99.0.0-py3-none-any.whl\nfundstelle-99.0.0.tar.gz" in said
    assert (script.git(clone, "rev-parse", "HEAD"), script.git(clone, "tag")) == (before, "")
    script.prepare(clone, "99.0.0", DAY)
    wheel, sdist, sums = sorted(script.build(clone, "99.0.0", tmp_path / "dist"), key=order)
    with zipfile.ZipFile(wheel) as archive:
        assert "fundstelle/bot/cli/root.py" in archive.namelist()
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"bot/cli/root.py", "docs/fundstelle.1", "requirements.txt", "LICENSE"} <= names
    assert not any(name.startswith(("tests/", "benchmarks/", "training/")) for name in names)
    subprocess.run(["sha256sum", "--check", "--quiet", sums.name], cwd=sums.parent, check=True)


def order(file: Path) -> int:
    """Wheel, sdist, checksums."""
    return [".whl", ".gz", ""].index(file.suffix)
