"""Progress where there is no terminal: lines, a few for each document, on standard error."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli.output import EVERY_S, ProgressLines, progress

STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.floats(0, 4)), max_size=80)


@given(STEPS)
def test_every_document_is_named_and_lines_are_few(steps: list[tuple[str, int, float]]) -> None:
    lines, time = list[tuple[float, str]](), [0.0]
    report = ProgressLines(lambda line: lines.append((time[0], line)), lambda: time[0])
    begun = list[str]()
    for file, done, pause in steps:
        if not begun or begun[-1] != file:
            begun.append(file)
        report(f"{file}.pdf", "read", done, 9)
        time[0] += pause
    assert [name for name, *_ in runs(lines)] == begun
    for (before, one), (after, other) in pairwise(lines):
        assert one.split()[1] != other.split()[1] or after - before >= EVERY_S


def runs(lines: list[tuple[float, str]]) -> list[str]:
    """The files of the lines, each run of one file once."""
    files = [line.split()[1] for _, line in lines]
    return [file for place, file in enumerate(files) if place == 0 or files[place - 1] != file]


def test_what_is_done_is_not_told_again() -> None:
    lines, time = list[str](), iter((0.0, 60.0, 120.0))
    report = ProgressLines(lines.append, lambda: next(time))
    for done in (0, 5, 9):
        report("a.pdf", "embed", done, 9)
    assert lines == ["embed a.pdf 0/9", "embed a.pdf 5/9"]


def test_without_a_terminal_it_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(True) as report:
        assert report is not None
        report("a [b].pdf", "read", 1, 20)
    assert capsys.readouterr() == ("", "read a [b].pdf 1/20\n")
    with progress(False) as report:
        assert report is None
