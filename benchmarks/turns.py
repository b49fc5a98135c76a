"""What the bot does with turns of all kinds in a chat, for somebody to judge.

`python -m benchmarks.turns FILE... --library DIR --out FILE [--settings TOML]`

FILEs are JSON lines: "id", "where" ("private" or "group"), "text" (the bot is "@Fundstelle" there), perhaps
"before" (a turn of the same person that comes first, with "question" and perhaps "earlier" ones), "reply_to"
("bot": its last message; "person": somebody else's), "shown" (what that person said). `fundstelle serve` runs
on a copy of the data folder DIR against Telegram's stand-in, each turn in a chat of its own. --out gets each
line again with "did": the reactions, texts, buttons and files that came.
"""

import argparse
import asyncio
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from adapters.database.journal_inbox import InboxState
from adapters.database.mapping import INBOX, OUTBOX
from core.domain.journal import SendState
from tests.support.served import Served
from tests.support.telegram_harness import BOT_NAME
from tests.support.telegram_server import TelegramServer

NAME = "@Fundstelle"
WAITED_S = 60.0
BUSY = {InboxState.WAITING, InboxState.WORKING, SendState.PENDING, SendState.SENDING}


async def main() -> None:
    """Play the turns and write down what came."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--settings", default="", help="further lines of fundstelle.toml")
    given = parser.parse_args()
    turns = [
        json.loads(line) for file in given.files for line in file.read_text("utf-8").splitlines() if line
    ]
    with tempfile.TemporaryDirectory() as scratch, TelegramServer() as server:
        folder = Path(shutil.copytree(given.library, Path(scratch) / "data", symlinks=True))
        account = (
            f'token = "{server.token}"\napi_base = "{server.api_base}"\nfile_base = "{server.file_base}"'
        )
        (folder / "fundstelle.toml").write_text(
            f"open = true\n[http]\nport = 0\n[telegram]\n{account}\n{given.settings}\n"
        )
        await server.do("world", privacy=False)  # mentions reach the bot
        with Served(folder) as bot, given.out.open("w", encoding="utf-8") as out:
            await bot.ready()
            for turn in turns:
                turn["did"] = await _played(server, bot, turn)
                out.write(json.dumps(turn, ensure_ascii=False) + "\n")
                out.flush()


async def _played(server: TelegramServer, bot: Served, turn: dict[str, Any]) -> list[dict[str, Any]]:
    """What the bot did after the last message of `turn`."""
    group, person, reply_to = turn.get("where") == "group", f"u{turn['id']}", None
    if group:
        chat = await server.do("chat", kind="supergroup")
    else:
        chat = await server.do("chat", kind="private", user=person)
    if before := turn.get("before"):
        for asked in (*before.get("earlier", ()), before["question"]):
            await server.do("say", chat=chat, text=f"@{BOT_NAME} {asked}" if group else asked, by=person)
            await _idle(server, bot)
    if turn.get("reply_to") == "person":
        (reply_to,) = await server.do("say", chat=chat, text=turn.get("shown", "…"), by="other")
    elif turn.get("reply_to") == "bot":
        reply_to = await _last_message(server, chat)
    seen = len(await server.do("calls"))
    text = turn["text"].replace(NAME, f"@{BOT_NAME}")
    await server.do("say", chat=chat, text=text, by=person, reply_to=reply_to)
    await _idle(server, bot)
    return [done for call in (await server.do("calls"))[seen:] if (done := _done(call))]


async def _last_message(server: TelegramServer, chat: int) -> int | None:
    said = await server.do("shown", chat=chat)
    return int(said[-1]["message_id"]) if said else None


async def _idle(server: TelegramServer, bot: Served) -> None:
    """Until nothing waits in inbox or outbox."""
    quiet = 0
    for _ in range(int(WAITED_S / 0.1)):
        await asyncio.sleep(0.1)
        states = {*bot.states(INBOX), *bot.states(OUTBOX)}
        waits = await server.do("waiting") or states & BUSY
        quiet = 0 if waits else quiet + 1
        if quiet == 3:
            return
    raise SystemExit(f"still busy: {states}")


def _done(call: dict[str, Any]) -> dict[str, Any] | None:
    values, method = call.get("values", {}), call["method"]
    if method == "setMessageReaction":
        return {"reaction": values.get("reaction")}
    if not method.startswith(("send", "edit")) or method == "sendChatAction":
        return None
    markup = values.get("reply_markup") or {}
    rows = (json.loads(markup) if isinstance(markup, str) else markup).get("inline_keyboard", [])
    return {
        "method": method,
        "text": values.get("text") or values.get("caption") or "",
        "buttons": [button["text"] for row in rows for button in row],
        "files": len(call.get("files") or ()),
    }


if __name__ == "__main__":
    asyncio.run(main())
