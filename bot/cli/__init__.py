"""The command line: each command is a thin call into the App."""

from bot.cli.root import main

__all__ = ["main"]
