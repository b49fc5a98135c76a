"""The terminal's commands: each takes the services it uses, calls them, and prints what they give back.

Exit statuses, errors and progress are the same for all of them.
"""

from bot.cli.frame import command
from bot.cli.root import app, main

__all__ = ["app", "command", "main"]
