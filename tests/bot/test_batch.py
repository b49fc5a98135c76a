"""Batches go on: whatever a line holds and whatever goes wrong in it is that line's error."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.cli import batch
from bot.cli.batch import LONGEST_ID, LONGEST_NAME, Row
from bot.cli.frame import FAILED, finish
from bot.library.scoping import ScopeOptions
from bot.presentation.views.encoding import View
from core.errors import Broken, Refused
from tests.support.any_answers import ANY_TEXT

KEYS = ("id", "question", "text", "document", "page", "quote", "k", "party", "type", "as_of", "answerer")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=6,
)
ROWS = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6).map(lambda row: json.dumps(row).encode())
BAD_LINES = (
    b"{",
    b"[]",
    b"null",
    b"3",
    b'"question"',
    b"\xff\xfe",
    b'{"id": NaN}',
    b'{"id": 1e999}',
    b'{"id": ' + b"9" * 5000 + b"}",
    b"[" * 100_000,
    b'{"id": 1, "question": ' + b"[" * 990 + b"]" * 990 + b"}",
    b'{"id": ' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}",
    b'{"id": "\\ud800"}',
    b"\0",
)
LINES = st.one_of(
    ROWS, ROWS.map(lambda line: line.decode().replace(" ", "\u2028").encode()), st.binary(max_size=40)
)


class Said(View):
    """What stands in for a result."""

    said: str = "x"
    prefix: str = ""
    confidence: float = 1.0


async def work(row: Row) -> Said:
    """What the commands read from a row."""
    batch.scope_options(row, ScopeOptions())
    batch.number_of(row, "k", 100)
    batch.choice_of(row, "answerer", ("extractive", "llm"))
    said = batch.text_of(row, "question", "text")
    return Said.model_construct(said=said, prefix=batch.files_prefix(row))


def ran(
    lines: list[bytes], folder: Path, capsys: pytest.CaptureFixture[str], doing: Any = work
) -> tuple[int, list[Any]]:
    file = folder / "batch.jsonl"
    file.write_bytes(b"\n".join(lines))
    capsys.readouterr()
    status = asyncio.run(batch.run(file, doing))
    return status, [json.loads(line) for line in capsys.readouterr().out.encode().splitlines()]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(LINES.filter(lambda line: line.strip() and b"\n" not in line), max_size=8))
def test_every_line_has_its_result(
    lines: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found = ran(lines, tmp_path, capsys)
    assert len(found) == len([line for line in lines if line.strip()])
    assert all(set(row["error"]) == {"code", "message"} for row in found if "error" in row)
    assert status == int(any("error" in row for row in found))


@pytest.mark.parametrize("line", BAD_LINES, ids=range(len(BAD_LINES)))
def test_a_bad_line_is_its_own_error_only(
    line: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps({"id": "a", "question": "one\u2028line\u0085 of text"}, ensure_ascii=False).encode()
    status, found = ran([good, line, good], tmp_path, capsys)
    assert status == 1
    assert [row.get("said") for row in found] == [
        "one\u2028line\u0085 of text",
        None,
        "one\u2028line\u0085 of text",
    ]
    assert found[1]["error"]["code"].startswith("batch.")


async def _broken(row: Row) -> Said:
    if row["id"] == "b":
        raise ZeroDivisionError("a secret")
    if row["id"] == "c":
        raise RecursionError
    if row["id"] == "d":
        return Said(confidence=float("nan"))
    if row["id"] == "e":
        raise Refused("document.unknown", "there is no document x")
    return Said()


def test_what_nobody_expected_is_the_rows_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        lines = [json.dumps({"id": name}).encode() for name in "abcdef"]
        status, found = ran(lines, tmp_path, capsys, _broken)
    codes = [row.get("error", {}).get("code") for row in found]
    assert codes == [None, *["error.unexpected"] * 3, "document.unknown", None]
    assert [row["id"] for row in found] == list("abcdef")
    traces = [row["error"]["message"].rpartition(" ")[2] for row in found[1:4]]
    assert all(trace in caplog.text for trace in traces)
    assert "secret" not in json.dumps(found)
    assert status == 1


@pytest.mark.parametrize("said", ["../x", "a/b", "a\\b", "\0", "x" * (LONGEST_NAME + 1), "ä" * LONGEST_NAME])
def test_an_id_is_no_way_out_of_the_folder(said: str) -> None:
    with pytest.raises(Refused, match="names of files"):
        batch.files_prefix({"id": said})


def test_every_line_has_files_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[dict[str, object]] = [
        {},
        {"id": "a"},
        {},
        {"id": "A"},
        {"id": 3},
        {"id": "a-line4"},
        {"id": "a"},
    ]
    lines = [json.dumps({**row, "question": "x"}).encode() for row in rows]
    _, found = ran(lines, tmp_path, capsys)
    prefixes = [row["prefix"] for row in found]
    assert prefixes[:3] == ["1-", "a-", "3-"]
    assert len({prefix.casefold() for prefix in prefixes}) == len(rows)


def test_an_id_is_a_text_or_a_number() -> None:
    assert [batch.id_of({"id": said}) for said in ("x", 3, 1.5, None)] == ["x", 3, 1.5, None]
    for bad in ([1], {"a": 1}, "x" * (LONGEST_ID + 1)):
        with pytest.raises(Refused):
            batch.id_of({"id": bad})


@pytest.mark.parametrize("json_output", [True, False])
@pytest.mark.parametrize("error", [KeyError("compare"), RecursionError(), Broken("a.b", "mend it")])
def test_a_command_never_ends_in_a_traceback(
    error: Exception, json_output: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    async def body() -> int:
        raise error

    with pytest.raises(Exception) as ended:
        finish(body(), json_output)
    assert ended.value.exit_code == FAILED  # type: ignore[attr-defined]
    out, err = capsys.readouterr()
    assert bool(out) == json_output
    if json_output:
        assert set(json.loads(out)["error"]) == {"code", "message"}
    assert err.strip()
