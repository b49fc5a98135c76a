"""The repository itself: prescribed names, nothing that belongs to one machine."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.support.repository import PACKAGES, ROOT, modules, nodes_of, tracked

PRESCRIBED = [
    "bot", "core", "adapters", "migrations", "tests", "pyproject.toml", "docker-compose.yml", "README.md",
    "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", ".ci/run",
]  # fmt: skip
MAX_BYTES = 1_000_000
LARGER = {
    "reader.npz": "the weights of the reader",
    "questions.npz": "the weights of the encoder of questions",
    "talk.npz": "the weights of the reader of talk",
    "carried.npz": "the weights of the reader of messages that follow others",
    "towns.tsv": "42,000 towns, a line each",
}
"""Files over the limit, each with its reason."""
TEXT = {".py", ".md", ".toml", ".txt", ".yml", ".jsonl", ".json", ".ini", ".cfg", ".html", ".css", ""}
FORBIDDEN = {
    "an address of a package index": r"--(extra-)?index-url|pypi\.org/simple|pythonhosted\.org|file:///opt",
    "a path of one machine": r"(?<![\w.])/(root|work|opt/pypi|Users/\w+|home/(?!user\b)\w+)/",
    "a secret": r"-----BEGIN [A-Z ]*PRIVATE KEY-----|\bsk-[A-Za-z0-9]{20,}|\bghp_[A-Za-z0-9]{30,}",
    "a mark of unfinished work": r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b|raise NotImplemented",
}


def _texts() -> list[Path]:
    return [path for path in tracked() if path.suffix in TEXT and path.stat().st_size < 5_000_000]


@pytest.mark.parametrize("name", PRESCRIBED)
def test_prescribed_names_exist(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize("what", sorted(FORBIDDEN))
def test_nothing_forbidden_stands_in_a_file(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in _texts()
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == [], what


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("an address of a package index", "--index-url somewhere"),
        ("a path of one machine", "see /root/notes"),
        ("a secret", "-----BEGIN RSA PRIVATE KEY-----"),
    ],
)
def test_the_patterns_find_what_they_are_for(what: str, line: str) -> None:
    assert re.search(FORBIDDEN[what], line)


def test_files_are_small() -> None:
    large = {path.name for path in tracked() if path.stat().st_size > MAX_BYTES}
    assert large == set(LARGER)


def test_every_package_that_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {_normal(re.split(r"[^\w.-]", line)[0]) for line in project["dependencies"]}
    providers = packages_distributions()
    undeclared = {
        name: providers.get(name, ["nobody installed"])
        for name in _imported()
        if not declared & {_normal(provider) for provider in providers.get(name, [])}
    }
    assert undeclared == {}


def _imported() -> set[str]:
    """Top-level names that the shipped packages import, but for the standard library and themselves."""
    names: set[str] = set()
    for path in modules():
        for node in nodes_of(path):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - {*PACKAGES, "fundstelle"}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_locked_requirements_cover_the_declared_ones() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = pyproject["dependency-groups"]
    wanted = {
        "requirements.txt": pyproject["project"]["dependencies"],
        "requirements-docs.txt": groups["docs"],
        "requirements-build.txt": [*groups["build"], *pyproject["build-system"]["requires"]],
        "requirements-dev.txt": [*groups["dev"], *groups["bench"], *pyproject["project"]["dependencies"]],
    }
    for file, requirements in wanted.items():
        lock = (ROOT / file).read_text(encoding="utf-8")
        locked = {_normal(name) for name in re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==", lock, flags=re.M)}
        missing = {_normal(re.split(r"[^\w.-]", line)[0]) for line in requirements} - locked
        assert missing == set(), f"{file}: run `make lock`"


@pytest.mark.parametrize("file", [f"requirements{each}.txt" for each in ("", "-build", "-docs", "-dev")])
def test_every_locked_requirement_has_a_hash(file: str) -> None:
    entries = re.split(
        r"^(?=[\w.-]+(?:\[[\w,-]+\])?==)", (ROOT / file).read_text(encoding="utf-8"), flags=re.M
    )
    assert [entry.splitlines()[0] for entry in entries[1:] if "--hash=sha256:" not in entry] == []
