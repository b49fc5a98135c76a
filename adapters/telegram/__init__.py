"""Telegram as a chat platform: python-telegram-bot's Bot and a long poll that loses nothing."""

import os

os.environ.setdefault("PTB_TIMEDELTA", "true")
"""The library's switch for durations as timedelta; without it every "too many requests" warns."""
