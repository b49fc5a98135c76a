"""The clock of a server is read off its answers, whatever else they say."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from adapters.web.fetching import ahead_of
from tests.support.web_server import reply, server

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def at(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)


@pytest.mark.parametrize(
    ("headers", "status", "ahead"),
    [
        ({"date": at(NOW)}, "200 OK", timedelta()),
        ({"date": at(NOW - HOUR)}, "404 Not Found", HOUR),
        ({"date": at(NOW + HOUR)}, "302 Found", -HOUR),
        ({"date": at(NOW - HOUR), "age": "3600"}, "200 OK", timedelta()),
        ({"date": at(NOW), "age": "9" * 40}, "200 OK", timedelta()),
        ({"date": "Sun, 01 Mar 2026 13:00:00 +0100"}, "200 OK", timedelta()),
        ({"date": "Sun, 01 Mar 2026 12:00:00 -0000"}, "200 OK", None),
        ({"date": "yesterday"}, "200 OK", None),
        ({"date": "Sun, 99 Mar 99999 12:00:00 GMT"}, "200 OK", None),
        ({}, "200 OK", None),
    ],
)
async def test_what_is_said(headers: dict[str, str], status: str, ahead: timedelta | None) -> None:
    asked = []

    def answer(path: str, sent: dict[str, str]) -> bytes:
        asked.append((path, "authorization" in sent))
        return reply(status=status, **headers)

    async with server(answer) as port:
        assert await ahead_of(f"http://u:p@127.0.0.1:{port}/bot/1:SECRET", lambda: NOW, within_s=60) == ahead
    assert asked == [("/", False)]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://[", "no address", ""])
async def test_nobody_there(url: str) -> None:
    assert await ahead_of(url, lambda: NOW) is None
