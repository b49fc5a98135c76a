"""Methods of the Web API as docs.slack.dev/reference/methods describes them: arguments, types, scopes.

Only what is named here exists. Slack ignores arguments that it does not know; here they are violations, for
they are misspelt or meant for another method.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.servers.slack.refusals import Refusal, Violation

Json = dict[str, Any]
Kind = Callable[[Any], Any]


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a string")
    return value


def flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "1", "false", "0"):
        return bool(value in ("true", "1"))
    raise ValueError("must be a boolean")


def number(value: Any) -> int:
    if isinstance(value, bool) or not str(value).isdecimal():
        raise ValueError("must be an integer")
    return int(value)


def timestamp(value: Any) -> str:
    seconds, dot, micro = text(value).partition(".")
    if not (dot and seconds.isdecimal() and micro.isdecimal() and len(micro) == 6):
        raise ValueError("must be a ts such as 1700000000.000100, as a string")
    return str(value)


def moment(value: Any) -> str:
    float(text(value))
    return str(value)


def listed(value: Any) -> list[Json]:
    found = json.loads(value) if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ValueError("must be an array of objects")
    return found


def mapping(value: Any) -> Json:
    found = json.loads(value) if isinstance(value, str) else value
    if not isinstance(found, dict):
        raise ValueError("must be an object")
    return found


def none_only(value: Any) -> str:
    if value != "none":
        raise ValueError("parse=full would make names and links live")
    return str(value)


@dataclass(frozen=True)
class Method:
    """Arguments by name. `app`: called with the app-level token."""

    scope: str | None
    required: Mapping[str, Kind] = field(default_factory=dict)
    optional: Mapping[str, Kind] = field(default_factory=dict)
    app: bool = False


PAGED: dict[str, Kind] = {"cursor": text, "limit": number}
SHOWN: dict[str, Kind] = {"blocks": listed, "link_names": flag, "parse": none_only, "text": text}
WINDOW: dict[str, Kind] = {
    **PAGED,
    "include_all_metadata": flag,
    "inclusive": flag,
    "latest": moment,
    "oldest": moment,
}

METHODS = {
    "auth.test": Method(None),
    "apps.connections.open": Method("connections:write", app=True),
    "assistant.threads.setStatus": Method(
        "chat:write", {"channel_id": text, "thread_ts": timestamp, "status": text}
    ),
    "chat.postMessage": Method(
        "chat:write",
        {"channel": text},
        SHOWN | {"metadata": mapping, "thread_ts": timestamp, "unfurl_links": flag, "unfurl_media": flag},
    ),
    "chat.postEphemeral": Method(
        "chat:write", {"channel": text, "user": text}, SHOWN | {"thread_ts": timestamp}
    ),
    "chat.update": Method("chat:write", {"channel": text, "ts": timestamp}, SHOWN | {"metadata": mapping}),
    "chat.delete": Method("chat:write", {"channel": text, "ts": timestamp}),
    "chat.unfurl": Method(
        "links:write",
        {"unfurls": mapping},
        {"channel": text, "source": text, "ts": timestamp, "unfurl_id": text},
    ),
    "conversations.history": Method("history", {"channel": text}, WINDOW),
    "conversations.info": Method("read", {"channel": text}),
    "conversations.members": Method("read", {"channel": text}, PAGED),
    "conversations.open": Method("im:write", {"users": text}),
    "conversations.replies": Method("history", {"channel": text, "ts": timestamp}, WINDOW),
    "files.completeUploadExternal": Method(
        "files:write", {"files": listed}, {"blocks": listed, "channel_id": text, "thread_ts": timestamp}
    ),
    "files.delete": Method("files:write", {"file": text}),
    "files.getUploadURLExternal": Method("files:write", {"filename": text, "length": number}),
    "files.info": Method("files:read", {"file": text}),
    "reactions.add": Method("reactions:write", {"channel": text, "name": text, "timestamp": timestamp}),
    "reactions.remove": Method("reactions:write", {"channel": text, "name": text, "timestamp": timestamp}),
    "users.conversations": Method("read", {}, PAGED | {"exclude_archived": flag, "types": text}),
    "users.info": Method("users:read", {"user": text}),
    "views.open": Method(None, {"trigger_id": text, "view": mapping}),
    "views.publish": Method(None, {"user_id": text, "view": mapping}, {"hash": text}),
}
"""`history` and `read` stand for the scope of the channel's kind, such as groups:history."""

MAX_PAGE = 1000


def checked(name: str, given: Json) -> Json:
    """The arguments of a call, decoded."""
    method = METHODS.get(name)
    if method is None:
        raise Violation("unknown_method", f"{name} is not modelled", status=501)
    known = {**method.required, **method.optional}
    given = {key: value for key, value in given.items() if value is not None}
    for key in given:
        if key not in known:
            raise Violation("invalid_arguments", f"{name} has no argument {key}")
    for key in method.required:
        if given.get(key) in (None, ""):
            if key == "status" and given.get(key) == "":
                continue  # takes the status away
            raise Violation("invalid_arguments", f"{name} needs {key}")
    values = {key: _decoded(name, key, known[key], value) for key, value in given.items()}
    if not 1 <= values.get("limit", 100) < MAX_PAGE:
        raise Violation("invalid_limit", "limit is 1-999")
    return values


def _decoded(method: str, key: str, kind: Kind, value: Any) -> Any:
    try:
        return kind(value)
    except ValueError as error:
        raise Violation("invalid_arguments", f"{method}: {key} {error}") from None


def check_scope(name: str, kind: str, granted: set[str]) -> None:
    """Refuse where the token lacks the scope of the method in a channel of `kind`."""
    scope = METHODS[name].scope
    needed = f"{kind}:{scope}" if scope in ("history", "read") else scope
    if needed is not None and needed not in granted:
        raise Refusal("missing_scope", needed=needed, provided=",".join(sorted(granted)))
