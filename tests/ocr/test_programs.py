"""A foreign program has its own folder, no network, limits; nothing of it stays behind."""

import asyncio
import platform
import shutil
import signal
import socket
import sys
from pathlib import Path

import psutil
import pytest

from adapters.children import ProgramLimits, run

SHELL, BASH = shutil.which("sh") or "", shutil.which("bash") or ""
pytestmark = pytest.mark.skipif(sys.platform != "linux" or not SHELL, reason="the measures are Linux's")
LIMITS = ProgramLimits(wall_seconds=20.0)


async def test_it_writes_in_its_folder_only(tmp_path: Path) -> None:
    room, other = tmp_path / "room", tmp_path / "other"
    room.mkdir()
    other.write_text("secret")
    script = f"echo inside > made; cat {other}; echo outside > {tmp_path}/made; echo done"
    ended = await run([SHELL, "-c", script], LIMITS, room)
    assert ended.code == 0
    assert (room / "made").read_text() == "inside\n"
    if "Permission denied" in ended.said:  # kernels with Landlock
        assert "secret" not in ended.said
        assert not (tmp_path / "made").exists()


async def test_it_has_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUNDSTELLE_TEST_SECRET", "hush")
    ended = await run([SHELL, "-c", "env"], LIMITS, tmp_path)
    assert "hush" not in ended.said
    assert f"HOME={tmp_path}" in ended.said


@pytest.mark.skipif(not BASH, reason="bash opens connections")
async def test_it_has_no_network(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        script = f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo connected"
        ended = await run([BASH, "-c", script], LIMITS, tmp_path)
    assert ended.code != 0
    assert "connected" not in ended.said


async def test_time_and_output_are_limited(tmp_path: Path) -> None:
    slow = ProgramLimits(wall_seconds=0.5)
    assert (await run([SHELL, "-c", "sleep 60 & sleep 60"], slow, tmp_path)).code is None
    small = ProgramLimits(output=1000)
    ended = await run([SHELL, "-c", "head -c 5000 /dev/zero > big"], small, tmp_path)
    assert ended.code != 0
    assert (tmp_path / "big").stat().st_size <= 1000


async def test_a_cancelled_run_leaves_nothing_running(tmp_path: Path) -> None:
    task = asyncio.create_task(run([SHELL, "-c", "echo $$ > pid; sleep 60"], LIMITS, tmp_path))
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    number = int((tmp_path / "pid").read_text())
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert not psutil.pid_exists(number) or psutil.Process(number).status() == psutil.STATUS_ZOMBIE


async def test_it_signals_its_own_processes_and_no_others(tmp_path: Path) -> None:
    other = await asyncio.create_subprocess_exec(SHELL, "-c", "exec sleep 60")
    try:
        script = (
            "sleep 60 & kill $! && echo own; kill -0 $PPID || echo parent; kill -0 -1 || echo all;"
            f" kill -0 {other.pid} || echo other; kill -s ABRT $$"
        )
        ended = await run([SHELL, "-c", script], LIMITS, tmp_path)
    finally:
        other.kill()
        await other.wait()
    words = ended.said.split()
    assert ended.code == -signal.SIGABRT
    assert words.count("own") == words.count("parent") == words.count("all") == 1
    if "Permission denied" in (await run([SHELL, "-c", f"cat {__file__}"], LIMITS, tmp_path)).said:
        assert ("other" in words) is SCOPED


SCOPED = tuple(int(part) for part in platform.release().split(".")[:2]) >= (6, 12)
"""Kernels whose Landlock limits signals too."""
