"""Rate limits: per person, per chat, and in total."""

import math
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.chat.memory import ChatMemory, Remembered
from bot.settings.platforms import LimitSettings
from core.domain.journal import ChatKey, Pseudonym
from core.domain.stamps import SKEW
from core.errors import Refused
from core.message_keys import ErrorKey
from core.ports.processes import Admissions, Window

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
HOUR = 3600  # seconds
TOLD_EVERY = MINUTE
"""How often a person is notified of the same limit."""

_MANY = 10_000


@dataclass(frozen=True, slots=True)
class _Window:
    """At most `most` in `span`; `key` says who of whom, `name` is the key of the refusal."""

    name: ErrorKey
    key: Hashable
    span: timedelta
    most: int


class RateLimits:
    """Moving windows over the times of what was admitted; the time is an argument. Where several processes
    answer, they are `shared`, and the time is theirs."""

    def __init__(
        self, settings: LimitSettings, shared: Admissions | None = None, memory: ChatMemory | None = None
    ) -> None:
        self._settings = settings
        self._shared = shared
        self._admitted: dict[tuple[str, Hashable], deque[datetime]] = {}
        self._told = Remembered[datetime](memory or ChatMemory(), "told of limits", datetime)

    async def admitted(self, person: Pseudonym, chat: Pseudonym, now: datetime) -> None:
        """As `admit`, for all processes where there are several. What it raises with the database away is
        Unavailable or Broken."""
        if self._shared is None:
            self.admit(person, chat, now)
            return
        stated = self._settings
        full = await self._shared.admit(
            person,
            chat,
            (
                Window(name="limit.user_minute", span=MINUTE, most=stated.user_per_minute, person=person),
                Window(name="limit.user_day", span=DAY, most=stated.user_per_day, person=person),
                Window(name="limit.chat_minute", span=MINUTE, most=stated.chat_per_minute, chat=chat),
                Window(name="limit.day", span=DAY, most=stated.day),
            ),
        )
        if full is not None:
            window, wait = full
            raise _refusal(window.name, window.most, wait)

    def admit(self, person: Hashable, chat: Hashable, now: datetime) -> None:
        """Count a question. Raises Refused("limit.<window>") where a window is full; then nothing is
        counted."""
        windows = (
            _Window("limit.user_minute", person, MINUTE, self._settings.user_per_minute),
            _Window("limit.user_day", person, DAY, self._settings.user_per_day),
            _Window("limit.chat_minute", chat, MINUTE, self._settings.chat_per_minute),
            _Window("limit.day", None, DAY, self._settings.day),
        )
        counted = [(window, self._live(window, now)) for window in windows]
        for window, times in counted:
            if len(times) >= window.most:
                raise _refusal(window.name, window.most, times[0] + window.span - now)
        for _, times in counted:
            times.append(now)
        self._tidy(now)

    def is_news(self, refusal: Refused, person: Pseudonym, chat: ChatKey, now: datetime) -> bool:
        """Whether a person has not heard of this limit in this chat, for the time that they were told of
        then, a minute at most; now they do."""
        told = self._told.get(chat, refusal.key, person)
        if told is not None and now < told <= now + TOLD_EVERY:
            return False
        wait = timedelta(seconds=float(refusal.values.get("seconds", TOLD_EVERY.total_seconds())))
        until = now + min(wait, TOLD_EVERY)
        self._told.put(chat, refusal.key, person, value=until, person=person)
        return True

    def _live(self, window: _Window, now: datetime) -> deque[datetime]:
        times = self._admitted.setdefault((window.name, window.key), deque())
        while times and times[0] <= now - window.span:
            times.popleft()
        while times and times[-1] > now + SKEW:  # the clock was wrong then
            times.pop()
        return times

    def _tidy(self, now: datetime) -> None:
        """Forget who has not asked for a day, so that memory stays bounded."""
        if len(self._admitted) > _MANY:
            self._admitted = {
                key: times for key, times in self._admitted.items() if times and times[-1] > now - DAY
            }


def _refusal(name: ErrorKey, most: int, wait: timedelta) -> Refused:
    seconds = max(1, math.ceil(wait.total_seconds()))
    detail = f"{name} of {most} is reached"
    return Refused(name, detail, limit=most, seconds=seconds, hours=math.ceil(seconds / HOUR))
