"""What an unknown setting was meant to be."""

import difflib
from collections.abc import Sequence
from typing import get_args

from pydantic import BaseModel


def nearest(settings: type[BaseModel], place: Sequence[str | int], known: Sequence[str]) -> str:
    """The setting of the same table that is called most like the last of `place`, in a row of a list by its
    name alone; else one of that name, or most like the whole, among all that are `known`; empty for none."""
    *tables, wrong = place
    model: type[BaseModel] | None = settings
    for part in tables:
        model = model if isinstance(part, int) or model is None else _table(model, part)
    near = difflib.get_close_matches(str(wrong), model.model_fields if model else (), n=1)
    if near:
        in_row = any(isinstance(part, int) for part in tables)
        return near[0] if in_row else ".".join([*map(str, tables), near[0]])
    elsewhere = [name for name in known if name.rpartition(".")[2] == wrong]
    found = elsewhere or difflib.get_close_matches(".".join(map(str, place)), known, n=1)
    return found[0] if found else ""


def _table(model: type[BaseModel], name: str) -> type[BaseModel] | None:
    """What a table or the rows of one hold; None where `name` is none."""
    field = model.model_fields.get(name)
    held = (field.annotation, *get_args(field.annotation)) if field else ()
    return next((each for each in held if isinstance(each, type) and issubclass(each, BaseModel)), None)
