"""`core.domain.stamps` in SQL."""

from datetime import datetime

import sqlalchemy as sa


def over(
    stamp: sa.ColumnElement[datetime], *, before: datetime, after: datetime | None
) -> sa.ColumnElement[bool]:
    """Not later than `before`, or later than `after`, which is in the future: the clock was wrong then."""
    past: sa.ColumnElement[bool] = stamp <= before
    return past if after is None else sa.or_(past, stamp > after)
