"""Telegram as a chat platform: python-telegram-bot's Bot and a long poll that loses nothing."""
