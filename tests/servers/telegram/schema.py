"""Calls checked against aiogram's generated models of the Bot API: what they do not know is refused."""

import json
import types
import typing
from dataclasses import dataclass
from typing import Any

import aiogram.methods as methods
from aiogram.methods.base import TelegramMethod
from aiogram.types import BufferedInputFile
from pydantic import BaseModel, ValidationError

from tests.servers.telegram.refusals import Violation

METHODS: dict[str, type[TelegramMethod[Any]]] = {
    getattr(methods, name).__api_method__.lower(): getattr(methods, name)
    for name in methods.__all__
    if name not in ("Request", "Response", "TelegramMethod")
}


@dataclass(frozen=True)
class Upload:
    """A file in a multipart request."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Call:
    """A checked call. `values` are its parameters as JSON, `uploads` the files by the name of their part."""

    method: str
    values: dict[str, Any]
    uploads: dict[str, Upload]


def checked(name: str, fields: dict[str, Any], uploads: dict[str, Upload]) -> Call:
    """The call, or a Violation: unknown method or parameter, missing or malformed value, loose upload."""
    model = METHODS.get(name.lower())
    if model is None:
        raise Violation("Not Found", status=404)
    values = {field: _decoded(model, field, value) for field, value in fields.items()}
    direct = {part: upload for part, upload in uploads.items() if part in model.model_fields}
    given = _with_thumbnails(values, uploads)
    given |= {part: BufferedInputFile(file.content, file.name) for part, file in direct.items()}
    try:
        made = model.model_validate(given)
    except ValidationError as error:
        where = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
        raise Violation(f"Bad Request: {where[0]}") from None
    _refuse_unknown(made, name)
    _refuse_loose(uploads.keys() - direct.keys(), values)
    return Call(model.__api_method__, values, uploads)


def _with_thumbnails(value: Any, uploads: dict[str, Upload]) -> Any:
    """`value` with the files that its thumbnails refer to: there aiogram's models know files only, the Bot
    API "attach://" as well."""
    if isinstance(value, list):
        return [_with_thumbnails(item, uploads) for item in value]
    if not isinstance(value, dict):
        return value
    found = {name: _with_thumbnails(item, uploads) for name, item in value.items()}
    upload = uploads.get(str(found.get("thumbnail")).removeprefix("attach://"))
    if upload is not None:
        found["thumbnail"] = BufferedInputFile(upload.content, upload.name)
    return found


def _decoded(model: type[BaseModel], field: str, value: Any) -> Any:
    known = model.model_fields.get(field)
    if known is None:
        raise Violation(f"Bad Request: unknown parameter {field}")
    if (known.json_schema_extra or {}).get("deprecated"):
        raise Violation(f"Bad Request: parameter {field} is not used any more")
    if not isinstance(value, str) or _only_text(known.annotation):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _only_text(annotation: Any) -> bool:
    """Whether a parameter holds text and nothing else: then its value is not JSON."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        parts = [part for part in typing.get_args(annotation) if part is not type(None)]
        return all(_only_text(part) or part.__name__ == "Default" for part in parts)
    return annotation is str


def _refuse_unknown(value: Any, where: str) -> None:
    if isinstance(value, BaseModel):
        if value.model_extra:
            raise Violation(f"Bad Request: {where} has no field {', '.join(value.model_extra)}")
        for name in value.model_fields_set:
            _refuse_unknown(getattr(value, name), f"{where}.{name}")
    elif isinstance(value, list):
        for item in value:
            _refuse_unknown(item, where)


def _refuse_loose(parts: set[str], values: dict[str, Any]) -> None:
    said = json.dumps(values)
    for part in parts:
        if f'"attach://{part}"' not in said:
            raise Violation(f"Bad Request: file {part} is not referred to")


def sound(model: type[BaseModel], value: dict[str, Any]) -> dict[str, Any]:
    """`value` if it is what the Bot API would send; the server must keep to the models, too."""
    _refuse_unknown(model.model_validate(value), model.__name__)
    return value
