"""The adapter in a process that can be killed, with an inbox on disk: `python -m … settings.json`."""

import asyncio
import json
import sqlite3
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from adapters.matrix.platform import MatrixPlatform
from adapters.matrix.session import Account
from core.domain.messages import IncomingMessage
from core.ports.clock import Clock
from tests.support.fake_reading import AsksByItsMark
from tests.support.loopback_only import loopback_only

SCHEMA = """
CREATE TABLE IF NOT EXISTS message (event TEXT PRIMARY KEY, kind TEXT, text TEXT);
CREATE TABLE IF NOT EXISTS position (id INTEGER PRIMARY KEY CHECK (id = 1), cursor TEXT);
"""


class RealClock(Clock):
    """The homeserver stamps events with the time of this machine."""

    def now(self) -> datetime:
        return datetime.now(tz=UTC)


class DiskInbox:
    """Messages and cursor in one transaction; an event is taken once."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path)
        self._database.executescript(SCHEMA)

    async def accept(self, messages: Sequence[IncomingMessage], *, cursor: str | None = None) -> None:
        with self._database as transaction:
            for message in messages:
                row = (message.event, message.kind.value, message.text)
                transaction.execute("INSERT OR IGNORE INTO message VALUES (?, ?, ?)", row)
            if cursor is not None:
                transaction.execute("INSERT OR REPLACE INTO position VALUES (1, ?)", (cursor,))

    async def cursor(self) -> str | None:
        row = self._database.execute("SELECT cursor FROM position").fetchone()
        return None if row is None else str(row[0])


def texts(path: Path) -> list[str]:
    """The contents of the inbox at `path`."""
    database = sqlite3.connect(path)
    try:
        found = database.execute("SELECT text FROM message WHERE kind = 'message' ORDER BY rowid")
        return [str(row[0]) for row in found]
    except sqlite3.OperationalError:  # not made yet
        return []
    finally:
        database.close()


def main() -> None:
    settings = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    account = Account(**settings["account"])
    folder = Path(settings["folder"])
    platform = MatrixPlatform(
        account,
        folder / "matrix",
        clock=RealClock(),
        invites=settings["invites"],
        talk_reader=AsksByItsMark(),
    )
    with loopback_only():
        asyncio.run(platform.run(DiskInbox(folder / "inbox.db")))


if __name__ == "__main__":
    main()
