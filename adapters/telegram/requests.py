"""Requests to the Bot API whose answers are looked at before the library takes them for Telegram's."""

import json
from typing import Any

from telegram.error import NetworkError
from telegram.request import HTTPXRequest

TOO_LARGE = 413
"""Telegram's servers say this in front of the Bot API, with a page of their own."""


class BotApiRequest(HTTPXRequest):
    """Every answer of the Bot API is an object with "ok" (core.telegram.org/bots/api#making-requests); files
    come by GET. The library goes by the status alone: a proxy's page with 401 would be a token that nobody
    knows, one with 403 a chat that the bot was thrown out of."""

    async def do_request(self, url: str, method: str, *more: Any, **other: Any) -> tuple[int, bytes]:
        """Raises NetworkError for what somebody in between has said."""
        status, payload = await super().do_request(url, method, *more, **other)
        expected = method != "POST" and status < 400
        if not (expected or status == TOO_LARGE or _is_answer(payload)):
            raise NetworkError(f"this is no answer of the Bot API's ({status})")
        return status, payload


def _is_answer(payload: bytes) -> bool:
    try:
        found = json.loads(payload)
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("ok"), bool)
