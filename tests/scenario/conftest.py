"""The example library, ingested once through the command line with the real models and stores."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.cli.root import app
from examples.build import build
from tests.support.encoders import models_dir, models_loaded_once

Run = Callable[..., tuple[int, Any]]


def run(data: Path, *arguments: str, stdin: str | None = None) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    done = CliRunner().invoke(app, [*arguments, "--data", str(data)], input=stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="package", autouse=True)
def _models() -> Iterator[None]:
    with models_loaded_once():
        yield


@pytest.fixture(scope="session")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("examples"))


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory, manifest: Path) -> Path:
    """A data folder with the example library in it; tests leave it as it is."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "models").symlink_to(models_dir())
    status, out, _ = run(folder, "ingest", "--manifest", str(manifest), "--json")
    receipts = json.loads(out)["documents"]
    assert status == 0
    assert {receipt["status"] for receipt in receipts} == {"indexed"}
    return folder


@pytest.fixture
def command(data: Path) -> Run:
    """A command on the example library with `--json`: its exit status and its document."""

    def call(*arguments: str) -> tuple[int, Any]:
        status, out, _ = run(data, *arguments, "--json")
        return status, json.loads(out)

    return call


@pytest.fixture
def batch(data: Path, tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """A command in batch mode: its result lines."""

    def call(name: str, rows: list[Any], *arguments: str) -> list[dict[str, Any]]:
        file = tmp_path / "batch.jsonl"
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        file.write_text("\n".join(lines), encoding="utf-8")
        _, out, _ = run(data, name, "--batch", str(file), *arguments)
        return [json.loads(line) for line in out.splitlines()]

    return call
