"""Rows for every table of the database, made from its columns alone: tables of later versions, too."""

import random
import string
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from adapters.database.tables import UtcDateTime

START = datetime(2020, 2, 29, 23, 59, 59, 123456, tzinfo=UTC)


def any_rows(metadata: sa.MetaData, count: int, seed: int) -> dict[str, list[dict[str, Any]]]:
    """About `count` rows a table, in the order of insertion; foreign keys lead to rows made before."""
    chance = random.Random(seed)
    made: dict[str, list[dict[str, Any]]] = {}
    for table in metadata.sorted_tables:
        rows = [_row(table, number, made, chance) for number in range(count)]
        made[table.name] = _distinct(table, rows)
    return made


def _row(
    table: sa.Table, number: int, made: dict[str, list[dict[str, Any]]], chance: random.Random
) -> dict[str, Any]:
    found = {}
    for column in table.columns:
        keys = list(column.foreign_keys)
        if keys:
            other = keys[0].column
            found[column.name] = chance.choice(made[other.table.name])[other.name]
        elif column.nullable and chance.random() < 0.3:
            found[column.name] = None
        else:
            found[column.name] = _value(column, number, chance)
    return found


def _distinct(table: sa.Table, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without those that repeat a key."""
    keys = [[column.name for column in table.primary_key]]
    keys += [[c.name for c in found.columns] for found in table.constraints if _unique(found)]
    keys += [[c.name for c in found.columns] for found in table.indexes if found.unique]
    for names in keys:
        rows = list({tuple(repr(row[name]) for name in names): row for row in rows}.values())
    return rows


def _unique(constraint: Any) -> bool:
    return isinstance(constraint, sa.UniqueConstraint)


def _value(column: sa.Column[Any], number: int, chance: random.Random) -> Any:
    kind = column.type
    if isinstance(kind, sa.JSON):
        return {"ü": [number, None, True, 0.1], "": "ß\u2028" + _word(chance)}
    if isinstance(kind, UtcDateTime):
        return START + timedelta(seconds=chance.randrange(10**8), microseconds=chance.randrange(10**6))
    if isinstance(kind, sa.Date):
        return date(2000, 1, 1) + timedelta(days=chance.randrange(9999))
    if isinstance(kind, sa.Boolean):
        return chance.random() < 0.5
    if isinstance(kind, sa.Integer):
        return number + 1 if column.primary_key else chance.randrange(-5, 2**31 - 1)
    if isinstance(kind, sa.Float):
        return chance.choice([0.1, -1e-300, 3.0, chance.random()])
    if isinstance(kind, sa.LargeBinary):
        return chance.randbytes(chance.randrange(300))
    return f"{number}-Ä€𝔘 \n'{_word(chance)}"


def _word(chance: random.Random) -> str:
    return "".join(chance.choices(string.ascii_letters, k=8))
