"""Domain types as JSON or rows, and back, by the names of their fields."""

import dataclasses
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import Row

from adapters.database.tables import UNSTORABLE

T = TypeVar("T")

Values = dict[str, Any]
"""Column values of one row."""

AnyRow = Row[Any] | Values
"""A row, or the part of a joined row that belongs to one table."""


class Codec(Generic[T]):
    """A domain type as JSON and back. How is found out at the first use, which takes some milliseconds."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        return TypeAdapter(self._kind)

    def pack(self, value: T) -> Values:
        """As JSON. What no database takes becomes U+FFFD, as in `SourceText`."""
        found: Values = _storable(self._adapter.dump_python(value, mode="json"))
        return found

    def unpack(self, value: object) -> T:
        """Back; fields that were added since have their defaults."""
        return self._adapter.validate_python(value)

    def read(self, row: AnyRow, **given: object) -> T:
        """From the columns that are named as its fields, and from what is `given` in the place of some."""
        return self.unpack(columns(row) | given)


def columns(row: AnyRow) -> Values:
    """Column values by their names."""
    return row if isinstance(row, dict) else dict(row._mapping)


def field_values(item: Any) -> Values:
    """The fields of a dataclass as columns: tuples as lists for JSON; enumerations are strings already."""
    found = {each.name: getattr(item, each.name) for each in dataclasses.fields(item)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() and "\0" not in value else value.translate(UNSTORABLE)
    if isinstance(value, dict):
        return {key: _storable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return value
