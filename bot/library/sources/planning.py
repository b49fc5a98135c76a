"""When a source is checked next: an interval, or cron as APScheduler reads it."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo

from apscheduler.triggers.cron import CronTrigger

from core.errors import Refused
from core.library.sources import interval, with_jitter

Plan = Callable[[str, datetime], datetime]
"""The next run by a schedule, after a moment. Raises Refused("schedule.invalid")."""


def planner(chance: Callable[[], float] = random.random, zone: tzinfo = UTC) -> Plan:
    """A plan with jitter; `chance` gives numbers from [0, 1). Hours and days of cron are those of `zone`."""

    def plan(schedule: str, now: datetime) -> datetime:
        return with_jitter(next_run(schedule, now, zone), now, chance())

    return plan


def next_run(schedule: str, now: datetime, zone: tzinfo = UTC) -> datetime:
    """The first time after `now` that `schedule` names in `zone`. Raises Refused("schedule.invalid")."""
    wait = interval(schedule)
    if wait is not None:
        return now + wait
    try:
        found: datetime | None = CronTrigger.from_crontab(schedule, timezone=zone).get_next_fire_time(
            now, now
        )
    except (ValueError, AttributeError) as error:
        raise _invalid(schedule, str(error)) from error
    if found is None:
        raise _invalid(schedule, "it never comes")
    return found.astimezone(UTC)


def _invalid(schedule: str, why: str) -> Refused:
    detail = (
        f'{schedule!r} is no schedule ({why}); write "every 6h", or five fields of cron such as "0 4 * * *"'
    )
    return Refused("schedule.invalid", detail, schedule=schedule)
