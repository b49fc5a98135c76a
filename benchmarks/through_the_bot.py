"""Commands through the running bot against the same commands alone, start included.
`python -m benchmarks.through_the_bot --data FOLDER [--rounds N]`: FOLDER is copied and serves
Telegram's stand-in.

Prints the median and the slowest of N rounds (default 5) in seconds, and whether both ways ended alike.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from tests.support.served import FUNDSTELLE, Served
from tests.support.telegram_server import TelegramServer

QUESTION = "Mindestlohn"
COMMANDS = (
    ("ask", QUESTION, "--json"),
    ("search", QUESTION, "--json"),
    ("verify", "Der Mindestlohn steigt auf 15 Taler in der Stunde.", "--json"),
    ("documents", "--json"),
)
CHANGING = re.compile(r'"(?:trace|at)": "[^"]*"|"seconds": \{[^}]*\}')


def timed(folder: Path, arguments: tuple[str, ...]) -> tuple[float, tuple[int, str]]:
    """Seconds of a command from its start to its end, and how it ended."""
    began = time.perf_counter()
    done = subprocess.run([FUNDSTELLE, *arguments, "--data", folder], capture_output=True, text=True)
    return time.perf_counter() - began, (done.returncode, CHANGING.sub("", done.stdout))


def measured(folder: Path, rounds: int) -> dict[tuple[str, ...], list[tuple[float, tuple[int, str]]]]:
    """Every command so many times, one after the other."""
    return {each: [timed(folder, each) for _ in range(rounds)] for each in COMMANDS}


async def through(folder: Path, rounds: int) -> dict[tuple[str, ...], list[tuple[float, tuple[int, str]]]]:
    """The same while the bot serves."""
    with TelegramServer() as server:
        account = f'token = "{server.token}"\napi_base = "{server.api_base}"\n'
        (folder / "fundstelle.toml").write_text(f"[http]\nport = 0\n[telegram]\n{account}")
        with Served(folder) as bot:
            await bot.ready()
            return await asyncio.to_thread(measured, folder, rounds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("FUNDSTELLE_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(options.data, Path(scratch) / "data", symlinks=True))
        alone, called = measured(folder, options.rounds), asyncio.run(through(folder, options.rounds))
    for each in COMMANDS:
        first, second = ([seconds for seconds, _ in runs[each]] for runs in (alone, called))
        alike = {ended for _, ended in alone[each]} == {ended for _, ended in called[each]}
        row = {
            "command": each[0],
            "alone": [round(statistics.median(first), 2), round(max(first), 2)],
            "through the bot": [round(statistics.median(second), 2), round(max(second), 2)],
            "alike": alike,
        }
        print(json.dumps(row))


if __name__ == "__main__":
    main()
