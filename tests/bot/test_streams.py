"""Commands whose output nobody reads to its end."""

import os
import subprocess
import sys

import pytest

from tests.support.repository import ROOT

MANY = "print('x' * 100_000); print('y' * 100_000, flush=True)"


def unread(*arguments: str, both: bool = False) -> tuple[int, bytes]:
    """Exit status and standard error of a Python whose output goes to a pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=write,
            stderr=write if both else subprocess.PIPE,
            timeout=300,
            check=False,
        )
    finally:
        os.close(write)
    return done.returncode, done.stderr or b""


@pytest.mark.parametrize("both", [False, True], ids=["output", "output and errors"])
def test_what_is_written_when_nobody_reads_goes_nowhere(both: bool) -> None:
    begin = "from bot.cli.calling import outlive_readers; outlive_readers(); import sys; "
    end = f"; print('z' * 100_000, file=sys.{'stderr' if both else 'stdout'}); sys.exit(7)"
    assert unread("-c", begin + MANY + end, both=both) == (7, b"")


def test_without_that_it_would_be_an_error() -> None:
    status, said = unread("-c", MANY)
    assert (status != 0, b"BrokenPipeError" in said) == (True, True)


@pytest.mark.parametrize("options", [("--help",), ("documents", "--json"), ("--version",)], ids=" ".join)
def test_commands_end_as_if_everything_were_read(options: tuple[str, ...]) -> None:
    command = ("-c", "from bot.cli import main; main()", *options)
    read = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, timeout=300, check=False)
    assert unread(*command) == (read.returncode, read.stderr)
