"""Makes a release: `python deploy/release.py 0.2.0 [--dry-run]`.

The changelog's section of what is unreleased is cut, the version is set, both are committed and tagged, and
wheel and sdist are built from the tag into `dist/`, with their checksums. Nothing is pushed. With `--dry-run`
all of it happens in a temporary clone, and only what would be committed is shown.
"""

import argparse
import datetime
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UNRELEASED = "## [Unreleased]\n"
VERSIONED = {
    "pyproject.toml": r'(?m)^(version = ")[^"]+(")$',
    "docker-compose.yml": r"(?m)^(    image: fundstelle:)\S+()$",
    "docs/operators/install.md": r"(-t fundstelle:)\d[\d.]*\d()",
}
"""Files that name the version, and where."""
TABLE = "docs/operators/backup.md"
VERSIONS = re.compile(r"(?<=\n)\| ([^|]+) (\| revision \d+ .*\n)(?!\|)")
"""The last row of the table of versions, which says what a release's database and backups are."""


def cut(changelog: str, version: str, day: datetime.date) -> str:
    """The changelog with what was unreleased under `version`. Raises ValueError where nothing was."""
    before, heading, rest = changelog.partition(UNRELEASED)
    if not heading or not re.match(r"\s*(?!## )\S", rest):
        raise ValueError("CHANGELOG.md says nothing under [Unreleased]")
    return f"{before}{UNRELEASED}\n## [{version}] - {day.isoformat()}\n{rest}"


def bumped(text: str, pattern: str, version: str) -> str:
    """A file with the version set. Raises ValueError where it does not stand there exactly once."""
    new, count = re.subn(pattern, rf"\g<1>{version}\g<2>", text)
    if count != 1:
        raise ValueError(f"the version stands in {count} places for {pattern}")
    return new


def listed(operators: str, version: str) -> str:
    """The page for operators with a row for the version: what came behind the last release is called by it,
    and where nothing did, its row is the last release's. Raises ValueError where there is no such table."""
    last = VERSIONS.search(operators)
    if last is None:
        raise ValueError("docs/operators/backup.md has no table of versions")
    kept = "" if last[1] == "unreleased" else last[0]
    return f"{operators[: last.start()]}{kept}| {version} {last[2]}{operators[last.end() :]}"


def prepare(root: Path, version: str, day: datetime.date) -> None:
    """Commit and tag the release in the clean working tree at `root`. Raises ValueError."""
    if git(root, "status", "--porcelain"):
        raise ValueError("the working tree is not clean: commit or stash first")
    if git(root, "tag", "--list", f"v{version}"):
        raise ValueError(f"there is a tag v{version} already")
    texts = {name: (root / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", TABLE, *VERSIONED)}
    held = re.search(VERSIONED["pyproject.toml"].replace('[^"]+', '(?P<held>[^"]+)'), texts["pyproject.toml"])
    if held is None or numbers(version) <= numbers(held["held"]):
        raise ValueError(f"{version} does not come after {held and held['held']}")
    new = {name: bumped(texts[name], pattern, version) for name, pattern in VERSIONED.items()}
    new["CHANGELOG.md"] = cut(texts["CHANGELOG.md"], version, day)
    new[TABLE] = listed(texts[TABLE], version)
    for name, text in new.items():
        (root / name).write_text(text, encoding="utf-8")
    git(root, "commit", "--quiet", "--message", f"Release {version}", *new)
    git(root, "tag", "--annotate", "--message", f"Fundstelle {version}", f"v{version}")


def build(root: Path, version: str, target: Path) -> list[Path]:
    """Wheel, sdist and their checksums in `target`, from a checkout of the tag."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder, "fundstelle")
        git(root, "clone", "--quiet", "--branch", f"v{version}", str(root), str(fresh))
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-d", str(target.resolve())], cwd=fresh, check=True
        )
    made = sorted(target.glob(f"fundstelle-{version}*"))
    sums = target / "SHA256SUMS"
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in made]
    sums.write_text("".join(lines), encoding="utf-8")
    return [*made, sums]


def numbers(version: str) -> tuple[int, ...]:
    """A version as it is compared. Raises ValueError for what is none."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"{version} is no version: write 1.2.3")
    return tuple(int(number) for number in version.split("."))


def git(root: Path, *words: str) -> str:
    """What git says."""
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def release(root: Path, version: str, day: datetime.date, *, dry_run: bool) -> None:
    """The whole of it. Raises ValueError where something is not as it has to be."""
    numbers(version)
    if not dry_run:
        prepare(root, version, day)
        made = build(root, version, root / "dist")
    else:
        if git(root, "status", "--porcelain"):
            raise ValueError("the working tree is not clean: commit or stash first")
        with tempfile.TemporaryDirectory() as folder:
            clone = Path(folder, "clone")
            git(root, "clone", "--quiet", str(root), str(clone))
            for name in ("user.name", "user.email"):
                git(clone, "config", name, git(root, "config", name))
            prepare(clone, version, day)
            print(git(clone, "show", "--stat", "--patch", f"v{version}"))
            made = build(clone, version, Path(folder, "dist"))
    print("\n".join(file.name for file in made))
    print(f"now: git push origin HEAD v{version}" if not dry_run else "dry run: nothing has changed")


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("version")
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    try:
        release(ROOT, options.version, datetime.datetime.now(datetime.UTC).date(), dry_run=options.dry_run)
    except ValueError as error:
        sys.exit(str(error))
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}: {error.stderr or error.returncode}")


if __name__ == "__main__":
    main()
