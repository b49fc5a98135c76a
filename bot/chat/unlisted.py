"""Chats that are in no table of the settings."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot.chat.guard import listing
from bot.chat.request import ReplyContent, Request
from core.domain.journal import ChatKey
from core.domain.rich_text import code
from core.errors import FundstelleError
from core.recent import Recent

_AGAIN = timedelta(minutes=10)


class UnlistedChats:
    """Remembers which of them were told so of late: who chats on there need not read it under every line."""

    def __init__(self, most: int = 1000) -> None:
        self._told: Recent[ChatKey, datetime] = Recent(most)

    def replied(self, error: FundstelleError, request: Request, refusal: ReplyContent) -> ReplyContent | None:
        """The `refusal` for `error`. Of a chat that is not listed with the lines that list it, and None
        where they stand above."""
        if error.key != "guard.chat":
            return refusal
        told = self._told.get(request.key)
        if told is not None and request.now - told < _AGAIN:
            return None
        self._told[request.key] = request.now
        return replace(refusal, blocks=(*refusal.blocks, code(listing(request.message.ref))))
