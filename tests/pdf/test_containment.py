"""Workers are contained; whatever happens to one, the caller gets an answer or a clear refusal."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from adapters import children
from adapters.pymupdf.pool import WorkerPool, WorkerProcess
from adapters.pymupdf.protocol import MIB, WorkerLimits
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.errors import Broken, Refused
from tests.support.pdfs import saved, written

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the measures are Linux's")

_TRIES = """
import ctypes, json, os, platform, socket, subprocess, sys
sys.path.insert(0, {root!r})
from adapters.containment import contain
libc = ctypes.CDLL(None, use_errno=True)
parent = os.pidfd_open(os.getppid())
def call(number, on_arm, *arguments):
    if libc.syscall(number if platform.machine() == "x86_64" else on_arm, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")
tries = dict(
    socket=lambda: socket.socket(),
    read=lambda: open("/etc/passwd").read(),
    write=lambda: open("/tmp/fundstelle-containment", "w").write("x"),
    run=lambda: subprocess.run(["/bin/true"], check=True),
    fork=lambda: os._exit(0) if os.fork() == 0 else None,
    kill=lambda: os.kill(os.getppid(), 0),
    tkill=lambda: call(200, 130, os.getppid(), 0),
    tgkill=lambda: call(234, 131, os.getppid(), os.getppid(), 0),
    rt_sigqueueinfo=lambda: call(129, 138, os.getppid(), 0, bytes(128)),
    rt_tgsigqueueinfo=lambda: call(297, 240, os.getppid(), os.getppid(), 0, bytes(128)),
    pidfd_open=lambda: call(434, 434, os.getppid(), 0),
    pidfd_send_signal=lambda: call(424, 424, parent, 0, None, 0),
    ptrace=lambda: call(101, 117, 16, os.getppid(), 0, 0),
    process_vm_readv=lambda: call(310, 270, os.getppid(), None, 0, None, 0, 0),
    process_vm_writev=lambda: call(311, 271, os.getppid(), None, 0, None, 0, 0),
    memory=lambda: bytearray(2 << 30),
)
held = contain(1 << 30)
said = dict()
for name, do in tries.items():
    try:
        do()
        said[name] = "done"
    except (OSError, MemoryError) as error:
        said[name] = type(error).__name__
print(json.dumps([held, said]))
"""


@LINUX
def test_a_contained_process_can_do_nothing_but_compute() -> None:
    code = _TRIES.format(root=str(ROOT))
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    held, said = json.loads(run.stdout)
    assert "memory limit" in held
    assert said["memory"] == "MemoryError"
    if "seccomp" in held:
        refused = {name for name, what in said.items() if what == "PermissionError"}
        assert refused >= said.keys() - {"read", "write", "memory"}
    if "no file access" in held:
        assert said["read"] == said["write"] == "PermissionError"


async def test_the_measures_are_told(toolkit: PyMuPdfToolkit) -> None:
    assert "memory limit" in (await toolkit.containment()).split(", ")


@LINUX
async def test_secrets_do_not_reach_the_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUNDSTELLE_TOKEN", "canary-token")
    kit = PyMuPdfToolkit(workers=1)
    try:
        await kit.read(saved(written("Text"), tmp_path / "a.pdf"))
        (pid,) = kit.worker_pids
        with contextlib.suppress(PermissionError):
            assert b"canary" not in await asyncio.to_thread(Path(f"/proc/{pid}/environ").read_bytes)
    finally:
        await kit.close()


def test_the_parent_does_not_load_the_library() -> None:
    code = "import sys; import adapters.pymupdf.toolkit; sys.exit('pymupdf' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def endless(path: Path) -> Path:
    """Forms that call the next one ten times each, thirty deep."""
    document = written("Anfang")
    page = document[0]
    forms = [document.get_new_xref() for _ in range(30)]
    for form, inner in zip(forms, [*forms[1:], 0], strict=True):
        resources = f"/Resources<</XObject<</F {inner} 0 R>>>>" if inner else ""
        document.update_object(form, f"<</Type/XObject/Subtype/Form/BBox[0 0 400 500]{resources}>>")
        document.update_stream(form, b"/F Do " * 10 if inner else b"0 0 1 1 re f", new=True)
    document.xref_set_key(page.xref, "Resources", f"<</XObject<</F {forms[0]} 0 R>>>>")
    document.update_stream(page.get_contents()[-1], b"/F Do")
    return saved(document, path)


IMPATIENT = WorkerLimits(cpu_base=1.0, cpu_per_page=0.1)


async def test_an_endless_page_is_too_slow_and_the_next_file_is_read(tmp_path: Path) -> None:
    kit = PyMuPdfToolkit(workers=1, limits=IMPATIENT)
    try:
        with pytest.raises(Refused) as refused:
            await kit.read(endless(tmp_path / "endless.pdf"))
        assert refused.value.key == "pdf.too_slow"
        reading = await kit.read(saved(written("Text"), tmp_path / "a.pdf"))
        assert reading.pages[0].page.text == "Text"
    finally:
        await kit.close()


async def test_the_wall_limit_ends_a_worker_that_only_waits(tmp_path: Path) -> None:
    kit = PyMuPdfToolkit(workers=1, limits=WorkerLimits(cpu_base=1.0, cpu_per_page=0.0))
    try:
        await kit.read(saved(written("Text"), tmp_path / "a.pdf"))
        (pid,) = kit.worker_pids
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(Refused) as refused:
            await kit.read(tmp_path / "a.pdf")
        assert refused.value.key == "pdf.too_slow"
        assert (await kit.read(tmp_path / "a.pdf")).total_pages == 1
        assert pid not in kit.worker_pids
    finally:
        await kit.close()


async def test_a_cancelled_reading_frees_its_worker(tmp_path: Path) -> None:
    kit = PyMuPdfToolkit(workers=1)
    try:
        await kit.read(saved(written("Text"), tmp_path / "a.pdf"))
        task = asyncio.create_task(kit.read(endless(tmp_path / "endless.pdf")))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await kit.read(tmp_path / "a.pdf")).total_pages == 1
    finally:
        await kit.close()


async def test_too_much_of_anything_is_too_large(tmp_path: Path) -> None:
    zeros = tmp_path / "zeros.pdf"
    with zeros.open("wb") as file:
        file.write(b"%PDF-1.7\n")
        file.truncate(300 * MIB)
    text = saved(written("Ein Satz mit mehr als zehn Zeichen."), tmp_path / "text.pdf")
    pages = saved(written("a", "b", "c"), tmp_path / "pages.pdf")
    for path, limits in (
        (zeros, WorkerLimits()),
        (zeros, WorkerLimits(max_file=1024 * MIB, address_space=330 * MIB)),
        (text, WorkerLimits(max_page_characters=10)),
        (pages, WorkerLimits(max_pages=2)),
        (text, WorkerLimits(max_characters=10)),
    ):
        kit = PyMuPdfToolkit(workers=1, limits=limits)
        try:
            with pytest.raises(Refused) as refused:
                await kit.read(path)
            assert refused.value.key == "pdf.too_large"
        finally:
            await kit.close()


async def test_all_pages_together_have_an_end(tmp_path: Path) -> None:
    kit = PyMuPdfToolkit(workers=1, limits=WorkerLimits(most_seconds=0.0, range_pages=1))
    with pytest.raises(Refused) as refused:
        await kit.read(saved(written("One.", "Two."), tmp_path / "pages.pdf"))
    assert refused.value.key == "pdf.too_slow"
    assert (await kit.read(saved(written("One."), tmp_path / "page.pdf"))).total_pages == 1
    await kit.close()


async def test_killed_workers_are_replaced_and_no_page_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.pymupdf.pool.PATIENCE", 0.0)  # one alone may lose a range twice
    texts = [f"Seite {number}" for number in range(1, 121)]
    path = saved(written(*texts), tmp_path / "long.pdf")
    kit = PyMuPdfToolkit(workers=2)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if len(killed) < 2:
            killed.append(kit.worker_pids[0])
            os.kill(killed[-1], signal.SIGKILL)

    try:
        reading = await kit.read(path, progress=kill)
        assert [item.page.text for item in reading.pages] == texts
        assert not set(killed) & set(kit.worker_pids)
    finally:
        await kit.close()


async def test_a_file_that_kills_every_worker_is_refused(tmp_path: Path) -> None:
    kit = PyMuPdfToolkit(workers=1)

    def die(worker: WorkerProcess) -> None:
        os.kill(worker.pid, signal.SIGKILL)
        worker.ask("read", pages=1, first=1, last=1)

    try:
        with pytest.raises(Refused) as refused:
            await kit._run(die, urgent=False)
        assert refused.value.key == "pdf.broken"
        assert (await kit.read(saved(written("Text"), tmp_path / "a.pdf"))).total_pages == 1
    finally:
        await kit.close()


async def test_workers_are_recycled(tmp_path: Path) -> None:
    kit = PyMuPdfToolkit(workers=1, limits=WorkerLimits(max_requests=2))
    path = saved(written("Text"), tmp_path / "a.pdf")
    try:
        seen = set()
        for _ in range(3):
            await kit.read(path)
            seen.update(kit.worker_pids)
        assert len(seen) <= 1
        assert (await kit.read(path)).total_pages == 1
    finally:
        await kit.close()


async def test_pages_for_answers_go_before_ingestion() -> None:
    pool = WorkerPool(1, WorkerLimits())
    held, order = threading.Event(), []

    async def job(name: str, *, urgent: bool) -> None:
        await pool.run(lambda worker: order.append(name), urgent=urgent)

    try:
        first = asyncio.create_task(pool.run(lambda worker: held.wait(30), urgent=False))
        await asyncio.sleep(0)
        jobs = [asyncio.create_task(job(f"range {n}", urgent=False)) for n in range(3)]
        await asyncio.sleep(0)
        jobs.append(asyncio.create_task(job("answer", urgent=True)))
        await asyncio.sleep(0)
        held.set()
        await asyncio.gather(first, *jobs)
        assert order == ["answer", "range 0", "range 1", "range 2"]
    finally:
        pool.close()


async def test_a_reader_that_does_not_start_is_the_operators_business(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "adapters.children.command_of", lambda *_: [sys.executable, "-c", "raise SystemExit(3)"]
    )
    kit = PyMuPdfToolkit(workers=1)
    try:
        with pytest.raises(Broken) as broken:
            await kit.containment()
        assert broken.value.key == "pdf.no_reader"
    finally:
        await kit.close()


async def test_a_reader_that_does_not_start_at_once_is_started_once_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commands, real = iter([[sys.executable, "-c", ""]]), children.command_of
    monkeypatch.setattr(children, "command_of", lambda *of: next(commands, None) or real(*of))
    kit = PyMuPdfToolkit(workers=1)
    try:
        assert await kit.containment()
    finally:
        await kit.close()


async def test_a_second_worker_is_started_for_whom_waits_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.pymupdf.pool.PATIENCE", 0.0)
    pool, together = WorkerPool(2, WorkerLimits()), threading.Barrier(2)
    try:  # each is held until the other runs as well: with one worker they never meet
        await asyncio.gather(*(pool.run(lambda worker: together.wait(60), urgent=False) for _ in range(2)))
        assert len(pool.pids) == 2
    finally:
        pool.close()


async def test_one_worker_serves_whoever_waits_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.pymupdf.pool.PATIENCE", 3600.0)
    pool = WorkerPool(2, WorkerLimits())
    try:
        pids = await asyncio.gather(*(pool.run(lambda worker: worker.pid, urgent=False) for _ in range(6)))
        assert len(set(pids)) == 1
    finally:
        pool.close()
