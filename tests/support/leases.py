"""Leases held by other processes: by earlier versions with only a row and its term, by others in their own
namespaces or with different clocks."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from shutil import which

from adapters.database.database import Database
from adapters.database.mapping import put
from adapters.database.tables import LeaseRow, table_of
from tests.support.repository import ROOT

NAMESPACES = {
    "numbers": ("--pid", "--fork", "--kill-child"),
    "numbers, with their /proc": ("--pid", "--fork", "--kill-child", "--mount-proc"),
    "numbers and names": ("--pid", "--fork", "--kill-child", "--uts"),
    "time": ("--time", "--boottime", "120", "--fork", "--kill-child"),
}
"""Options of unshare(1)."""


async def held_by_term(database: Database, name: str, holder: str, left: timedelta) -> None:
    """Let `holder` have a lease as earlier versions did; it ends in `left`, or did before."""
    async with database.write() as connection:
        values = {"name": name, "holder": holder, "until": datetime.now(UTC) + left}
        await put(connection, table_of(LeaseRow), values)


def may_unshare(options: Sequence[str]) -> bool:
    """Whether this machine and user can make such namespaces."""
    if which("unshare") is None:
        return False
    return subprocess.run(["unshare", *options, "true"], capture_output=True, check=False).returncode == 0


CHILD = """
import asyncio, datetime, json, sys

url, holder, fast_s = json.loads(sys.argv[1])
if fast_s:
    class Fast(datetime.datetime):
        @classmethod
        def now(cls, zone=None):
            return super().now(zone) + datetime.timedelta(seconds=fast_s)

    import adapters.database.jobs
    adapters.database.jobs.datetime = Fast

from adapters.database.database import Database
from adapters.database.jobs import SqlSources
from bot.service.serving_lease import ServingLease, this_process
from core.errors import Broken

async def main():
    journal = SqlSources(await Database.open(url))
    lease = ServingLease(journal, holder=holder or this_process())
    try:
        await lease.take()
    except Broken as error:
        print(error.key, flush=True)
        return
    print("serves", lease.holder, flush=True)
    await lease.keep()

asyncio.run(main())
"""


@contextmanager
def other_process(
    url: str, *, unshared: Sequence[str] = (), fast_s: float = 0, holder: str = ""
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Another process that tries to serve the database, and its result: "serves" and its name, or the key of
    an error. It is killed at the end."""
    before = ("unshare", *unshared) if unshared else ()
    command = [*before, sys.executable, "-c", CHILD, json.dumps([url, holder, fast_s])]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield child, child.stdout.readline().strip()
        finally:
            child.kill()
