"""The terminal's commands: each takes the services it uses, calls them, and prints what they give back.

Where the bot is running, it does the work, and this process loads nothing but what finds it.
"""

import os
import sys

from bot.cli.calling import by_running_bot, data_folder

__all__ = ["by_running_bot", "data_folder", "main"]


def main() -> None:
    """Entry point of the console script. What it writes is for its own user: questions and documents."""
    os.umask(0o077)
    status = by_running_bot(sys.argv[1:])
    if status is None:
        from bot.cli.root import app

        app()
    sys.exit(status)
