"""What a library of a size takes: grows with it, says what is extrapolated, and is what the page says."""

import json
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from bot.cli.root import app
from bot.service.capacity import CONSTANTS, MEASURED_PASSAGES, MOST_PASSAGES, capacity
from tests.support.repository import ROOT

RUNNER = CliRunner()


@given(st.integers(1, MOST_PASSAGES), st.integers(1, MOST_PASSAGES), st.integers(1, 100_000))
def test_more_passages_never_take_less_disk_or_time(one: int, other: int, questions: int) -> None:
    few, many = (capacity(passages, questions) for passages in sorted((one, other)))
    assert few.database_disk_gb <= many.database_disk_gb
    assert few.originals_disk_gb <= many.originals_disk_gb
    assert few.embedding_core_hours <= many.embedding_core_hours
    assert few.qdrant_nodes <= many.qdrant_nodes
    assert (few.processes, few.connections, few.network_mbit_s) == (
        many.processes,
        many.connections,
        many.network_mbit_s,
    )
    if few.preset == many.preset:
        assert few.qdrant_memory_gb <= many.qdrant_memory_gb
        assert few.qdrant_disk_gb <= many.qdrant_disk_gb


def test_processes_keep_up_with_questions() -> None:
    quiet, busy = capacity(10_000, 60), capacity(10_000, 36_000)
    assert quiet.processes == 1
    assert busy.processes >= 36_000 / 3600 * CONSTANTS["answer_cpu"].value
    assert busy.connections > quiet.connections
    assert "processes" in busy.extrapolated
    assert quiet.extrapolated == ()
    assert "memory" in capacity(MEASURED_PASSAGES + 1, 60).extrapolated


def test_constants_have_a_day_and_a_source() -> None:
    for constant in CONSTANTS.values():
        date.fromisoformat(constant.day)
        for script in re.findall(r"\b(?:benchmarks|tests)/[\w/]+\.py", constant.source):
            assert (ROOT / script).exists()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_command_prints_lines_or_json(language: str, caplog: pytest.LogCaptureFixture) -> None:
    asked = ["capacity", "--passages", "5000000", "--questions-per-hour", "9000"]
    said = RUNNER.invoke(app, asked, env={"FUNDSTELLE_LANGUAGE": language})
    assert said.exit_code == 0, said.output
    assert "5,000,000" in said.output
    assert "there is no text" not in caplog.text
    found = json.loads(RUNNER.invoke(app, [*asked, "--json"]).output)
    assert found["capacity"]["preset"] == "large"
    assert set(found["constants"]) == set(CONSTANTS)


@pytest.mark.parametrize("passages", ["0", str(MOST_PASSAGES + 1), "many"])
def test_sizes_that_nothing_is_known_of_are_refused(passages: str) -> None:
    assert RUNNER.invoke(app, ["capacity", "--passages", passages]).exit_code == 2


def test_the_table_is_what_the_command_says() -> None:
    page = (ROOT / "docs" / "operators" / "grow.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\d,]+) \| (embedded|small|large|cluster) \| (.+) \|$", page, re.MULTILINE)
    assert len(rows) == 5
    for size, preset, rest in rows:
        needed = capacity(int(size.replace(",", "")), 60)
        assert needed.preset == preset
        assert rest == (
            f"{needed.qdrant_nodes or '-'} | {needed.qdrant_memory_gb:,.1f}, {needed.qdrant_disk_gb:,.0f} GB"
            f" | {needed.database_disk_gb:,.0f} GB | {needed.embedding_core_hours:,.0f}"
        )
