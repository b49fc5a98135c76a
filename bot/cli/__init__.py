"""The terminal's commands: each takes the services it uses, calls them, and prints the results.

If the bot is running, it does the work, and this process loads only what is needed to find it.
"""

import gc
import os
import sys

from bot.cli.calling import by_running_bot, data_folder, outlive_readers

__all__ = ["by_running_bot", "data_folder", "main"]


def _take_utf8() -> None:
    """Restart in Python's UTF-8 mode if that is off in an ASCII-only locale: words and paths with other
    letters would be bytes that no library accepts. Output keeps its encoding."""
    if sys.getfilesystemencoding() == "ascii" and os.environ.get("PYTHONUTF8") != "1":
        os.environ.setdefault("PYTHONIOENCODING", "ascii:surrogateescape")
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - the same process


def main() -> None:
    """Entry point of the console script. Files it writes are readable by its own user only: they contain
    questions and documents."""
    _take_utf8()
    gc.disable()  # imported modules stay: collecting garbage in them takes a tenth of a short command's time
    outlive_readers()
    os.umask(0o077)
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        sys.stdout.write(f"fundstelle {version('fundstelle')}\n")
        return
    try:
        status = by_running_bot(sys.argv[1:])
        if status is None:
            from bot.cli.root import app

            app()
        sys.exit(status)
    finally:
        gc.freeze()  # nor does the interpreter look through them once more as it ends
