"""The one way from results to JSON: a view declares the keys of a result, and where their values are.

A view is a class with a line for each key, in the contract's order. A value is the attribute of that name
unless `lies_at` gives another path; values that a result lacks are passed to `showing`. Adding a key is one
line.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator

Json = dict[str, Any]

REQUIRED: Any = ...
"""No default: a source without the value is a bug."""


def lies_at(
    path: str, default: Any = REQUIRED, *, key: str | None = None, only_if_known: bool = False
) -> Any:
    """A key whose value is at `path` in the source: attributes and indexes separated by dots. `default` is
    used if the path ends early; `key` is the key's name if it is not a valid Python name. With
    `only_if_known` the key is omitted if there is no value."""
    first, *rest = path.split(".")
    steps = AliasPath(first, *(int(step) if step.isdigit() else step for step in rest))
    left_out = (lambda value: value is None) if only_if_known else None
    return Field(default, validation_alias=steps, serialization_alias=key, exclude_if=left_out)


def rounded(digits: int) -> Any:
    """A number rounded to the given number of decimals."""
    return PlainValidator(lambda value: round(value, digits))


Text = Annotated[str, PlainValidator(str)]
"""Any characters, including lone surrogates; the value of an enumeration, the name of a path."""

OrNothing = Annotated[str | None, BeforeValidator(lambda text: text or None)]
"""A text, null for an empty one."""

Moment = Annotated[str, PlainValidator(datetime.isoformat)]
"""A time with its offset."""

Share = Annotated[float, rounded(3)]
Figure = Annotated[float, rounded(4)]
Seconds = Annotated[
    dict[str, float],
    PlainValidator(lambda steps: {str(name): round(value, 4) for name, value in steps.items()}),
]
"""Seconds by step, to the tenth of a millisecond, or other figures by name."""

Numbered = BeforeValidator(
    lambda values: [Joined(value, {"rank": rank}) for rank, value in enumerate(values, start=1)]
)
"""A list whose items know their `rank`, from 1."""


class Joined:
    """A source combined with values that it lacks; the latter take precedence."""

    __slots__ = ("_more", "_source")

    def __init__(self, source: object, more: Mapping[str, object]) -> None:
        self._source = source
        self._more = more

    @property
    def itself(self) -> Self:
        """For keys in an object of their own."""
        return self

    def __getattr__(self, name: str) -> Any:
        return self._more[name] if name in self._more else getattr(self._source, name)


class View(BaseModel):
    """A result as `--json` prints it."""

    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        defer_build=True,
        serialize_by_alias=True,
        ser_json_inf_nan="constants",  # which `encoded` refuses
    )

    @classmethod
    def showing(cls, source: object = None, **more: object) -> Self:
        """The view of `source` with `more`: values of keys, and anything that nested views need."""
        return cls.model_validate(Joined(source, more), context=more)

    @property
    def json_object(self) -> Json:
        """The keys and their values, ready for `json.dumps`."""
        return self.model_dump(mode="json")


def encoded(value: Any, **options: Any) -> str:
    """A result, or something containing results, as JSON. Raises ValueError, TypeError or RecursionError if
    that is impossible."""
    return json.dumps(value, allow_nan=False, default=_plain, **options)


def _plain(value: object) -> Json:
    if isinstance(value, View):
        return value.json_object
    raise TypeError(f"{type(value).__name__} has no view")
