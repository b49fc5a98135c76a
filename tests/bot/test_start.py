"""What a command loads before it answers: counted in modules, as a clock would count the machine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.databases import sqlite_url
from tests.support.repository import ROOT

HEAVY = (
    "aiohttp",
    "alembic.command",
    "fastembed",
    "huggingface_hub",
    "litellm",
    "mammoth",
    "nio",
    "onnx",
    "onnxruntime",
    "openpyxl",
    "phonenumbers",
    "py3langid",
    "pymupdf",
    "qdrant_client",
    "simplemma",
    "slack_bolt",
    "slack_sdk",
    "telegram",
    "tokenizers",
)
"""What no command needs that only looks into the library."""

COUNTED = """
import json, sys
sys.argv = ["fundstelle", *sys.argv[1:]]
import fundstelle
try:
    fundstelle.main()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def loaded(*arguments: str) -> set[str]:
    """The modules that are there once a command has ended, but for those of the interpreter's own start."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *arguments], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def packages(modules: set[str], *names: str) -> set[str]:
    """Those of `modules` that are of the packages `names`."""
    return {each for each in modules if each in names or each.startswith(tuple(f"{name}." for name in names))}


def test_the_version_needs_next_to_nothing() -> None:
    modules = loaded("--version")
    assert packages(modules, "typer", "rich", "pydantic", "core", "adapters") == set()
    assert len(modules) < 200


def test_the_list_of_commands_needs_none_of_them() -> None:
    modules = loaded("--help")
    assert packages(modules, "pydantic", "sqlalchemy", "numpy", "adapters", *HEAVY) == set()
    assert {each for each in modules if each.startswith("bot.cli.")} <= {
        f"bot.cli.{name}" for name in ("calling", "language", "root", "terminal", "wire")
    }


def test_documents_loads_what_it_shows(tmp_path: Path) -> None:
    sqlite_url(tmp_path / "fundstelle.sqlite3")
    modules = loaded("documents", "--data", str(tmp_path))
    assert packages(modules, *HEAVY) == set()
    assert packages(modules, "bot.chat", "bot.delivery", "bot.service", "core.answering.reports") == set()
    assert packages(modules, "core.question", "core.search.plan", "core.evidence.dictionary") == set()
    assert packages(modules, "pycountry", "stdnum", "rich.progress") == set()
    assert len(packages(modules, "bot", "core", "adapters")) < 200


@pytest.mark.parametrize("command", ["ask", "search", "verify", "ingest"])
def test_the_help_of_a_command_needs_no_library(command: str) -> None:
    modules = loaded(command, "--help")
    assert packages(modules, "sqlalchemy", "bot.wiring", "adapters", *HEAVY) == set()
