"""An OpenAI-compatible server on loopback that behaves as told: real HTTP, streaming, and every bad habit.

    with ScriptedModel(Mode.PROPER) as server:
        server.url                      # http://127.0.0.1:PORT/v1
        server.mode = Mode.OBEY         # from now on
        server.script(Mode.FAILING)     # the next request only
        server.requests                 # what arrived

A request may also choose by its model's name: `openai/scripted-echo` is answered in the mode `echo`. A script
goes before the name, the name before the server's mode. `server.answer = lambda prompt, schema: "…"` says
something else in mode `proper`. From a shell:
`python -m tests.support.scripted_model --port 8080 --mode obey`.
"""

import argparse
import json
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

from tests.support.scripted_answers import Mode, Prompt, content, is_judging

__all__ = ["Answer", "Mode", "Request", "ScriptedModel"]

RETRY_AFTER_S = 1
LONGEST_HANG_S = 120.0
CHUNK = 40
NAME_PREFIX = "scripted-"

Answer = Callable[[Prompt, Mapping[str, object] | None], str]

# Status, type, code and message of each refusal; {key} is what a careless server repeats.
REFUSALS: dict[Mode, tuple[int, str, str | None, str]] = {
    Mode.RATE_LIMITED: (429, "rate_limit_error", "rate_limit_exceeded", "Rate limit reached for key {key}."),
    Mode.FAILING: (500, "server_error", None, "The server had an error; request had Authorization: {key}"),
    Mode.OVERLOADED: (503, "server_error", None, "Overloaded, {key}."),
    Mode.UNAUTHORISED: (
        401,
        "invalid_request_error",
        "invalid_api_key",
        "Incorrect API key provided: {key}.",
    ),
    Mode.FORBIDDEN: (403, "invalid_request_error", None, "The key {key} may not use this model."),
    Mode.UNPAID: (402, "insufficient_quota", "insufficient_quota", "No credit left on {key}."),
    Mode.MISSING: (404, "invalid_request_error", "model_not_found", "No such model for {key}."),
    Mode.TOO_LONG: (
        400,
        "invalid_request_error",
        "context_length_exceeded",
        "This model's maximum context length is 4097 tokens, but your messages have 9000 tokens. {key}",
    ),
    Mode.FILTERED: (
        400,
        "invalid_request_error",
        "content_policy_violation",
        "Your request was rejected as a result of our safety system (content_policy_violation). {key}",
    ),
    Mode.REFUSES_SCHEMA: (
        400,
        "invalid_request_error",
        "unsupported_parameter",
        "'response_format' of type 'json_schema' is not supported with this model. {key}",
    ),
    Mode.REFUSES_USAGE: (400, "invalid_request_error", None, "Unknown field stream_options. {key}"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that arrived."""

    body: dict[str, Any]
    authorization: str
    mode: Mode

    @property
    def schema(self) -> Mapping[str, object] | None:
        """The JSON schema asked for, if any."""
        wanted = self.body.get("response_format") or {}
        found = wanted.get("json_schema", {}).get("schema")
        return cast(Mapping[str, object], found) if found is not None else None

    @property
    def prompt(self) -> Prompt:
        return Prompt(texts=tuple(_text(message.get("content")) for message in self.body.get("messages", [])))

    @property
    def key(self) -> str:
        return self.authorization.removeprefix("Bearer ")


class ScriptedModel:
    """The server, in a thread of its own until the `with` block ends."""

    def __init__(self, mode: Mode = Mode.PROPER, *, port: int = 0) -> None:
        self.mode = mode
        self.answer: Answer | None = None
        self.chunk_s = 1.0
        self.requests: list[Request] = []
        self.mistakes: list[BaseException] = []
        self.stopping = threading.Event()
        self._steps: deque[Mode] = deque()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", port), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def url(self) -> str:
        """`api_base` for the settings."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script(self, *modes: Mode) -> None:
        """How the next requests are answered, one mode each."""
        with self._lock:
            self._steps.extend(modes)

    def arrived(self, number: int) -> None:
        """Wait until that many requests are here."""
        while len(self.requests) < number and not self.stopping.wait(0.01):
            pass

    def take(self, body: dict[str, Any], authorization: str) -> Request:
        """Note a request down and decide its mode."""
        with self._lock:
            mode = self._steps.popleft() if self._steps else _named(body.get("model", "")) or self.mode
            request = Request(body=body, authorization=authorization, mode=mode)
            self.requests.append(request)
            return request

    def says(self, request: Request) -> str:
        """The text of the answer."""
        if (
            request.mode in (Mode.PROPER, Mode.REFUSES_SCHEMA, Mode.REFUSES_USAGE, Mode.TRICKLING)
            and self.answer is not None
            and not is_judging(request.prompt)
        ):
            return self.answer(request.prompt, request.schema)
        return content(request.mode, request.prompt, request.schema)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        if self.mistakes and error is None:
            raise self.mistakes[0]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: ScriptedModel

    def handle_error(self, request: object, client_address: object) -> None:
        """Some tests want a client that hangs up; anything else is the server's own mistake."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self.owner.mistakes.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing."""

    def do_GET(self) -> None:
        self._json(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        if not self.path.endswith("/chat/completions"):
            self._json(404, {"error": {"message": "no such endpoint", "type": "invalid_request_error"}})
            return
        request = self.server.owner.take(body, self.headers.get("Authorization", ""))
        if not self._misbehaves(request):
            self._answer(request, self.server.owner.says(request))

    def _misbehaves(self, request: Request) -> bool:
        mode = request.mode
        if mode is Mode.HANGING:
            self.server.owner.stopping.wait(LONGEST_HANG_S)
            self.close_connection = True
            return True
        if mode is Mode.MALFORMED_BODY:
            self._send(200, b'{"id": "x", "choices": [{"message": {"content": ', "application/json")
            return True
        tolerable = (mode is Mode.REFUSES_SCHEMA and request.schema is None) or (
            mode is Mode.REFUSES_USAGE and "stream_options" not in request.body
        )
        refused = mode in REFUSALS and not tolerable
        if refused:
            self._refuse(request)
        return refused

    def _refuse(self, request: Request) -> None:
        status, kind, code, message = REFUSALS[request.mode]
        error = {"message": message.format(key=request.key), "type": kind, "code": code, "param": None}
        extra = {"Retry-After": str(RETRY_AFTER_S)} if status == 429 else {}
        self._json(status, {"error": error}, extra)

    def _answer(self, request: Request, text: str) -> None:
        if request.body.get("stream"):
            self._stream(request, text)
            return
        whole = json.dumps(_completion(request, text)).encode()
        if request.mode is Mode.STALLING:
            self._head(200, "application/json", {"Content-Length": str(len(whole))})
            self._stall(whole[: len(whole) // 2])
            return
        if request.mode is Mode.HALF:
            self._head(200, "application/json", {"Content-Length": str(len(whole))})
            self._write(whole[: len(whole) // 2])
            self.close_connection = True
        elif request.mode is Mode.TRICKLING:
            self._head(200, "application/json", {"Content-Length": str(len(whole))})
            self._trickle(whole)
        else:
            self._send(200, whole, "application/json")

    def _stall(self, last_words: bytes) -> None:
        """Send that much and nothing more, on a connection that stays open."""
        self._write(last_words)
        self.server.owner.stopping.wait(LONGEST_HANG_S)
        self.close_connection = True

    def _trickle(self, whole: bytes) -> None:
        """A byte now and then: no single read takes long, the whole takes forever."""
        until = time.monotonic() + LONGEST_HANG_S
        for position in range(len(whole)):
            if time.monotonic() > until or self.server.owner.stopping.wait(0.1):
                break
            self._write(whole[position : position + 1])
        self.close_connection = True

    def _stream(self, request: Request, text: str) -> None:
        self._head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})
        events = list(_events(request, text))
        half = request.mode in (Mode.HALF, Mode.STALLING)
        for event in events[: max(1, len(events) // 2)] if half else events:
            data = b"data: " + event + b"\n\n"
            self._write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            if request.mode is Mode.TRICKLING and self.server.owner.stopping.wait(self.server.owner.chunk_s):
                break
        if request.mode is Mode.STALLING:
            self._stall(b"")
        elif half:
            self.close_connection = True
        else:
            self._write(b"0\r\n\r\n")

    def _json(self, status: int, value: object, extra: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(value).encode(), "application/json", extra)

    def _send(self, status: int, body: bytes, kind: str, extra: Mapping[str, str] | None = None) -> None:
        self._head(status, kind, {"Content-Length": str(len(body)), **(extra or {})})
        self._write(body)

    def _head(self, status: int, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _write(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()


def _completion(request: Request, text: str) -> dict[str, object]:
    asked = sum(len(item.split()) for item in request.prompt.texts)
    said = len(text.split())
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": request.body.get("model", ""),
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}},
        ],
        "usage": {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said},
    }


def _events(request: Request, text: str) -> Iterator[bytes]:
    base = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0}
    base["model"] = request.body.get("model", "")
    pieces = [text[start : start + CHUNK] for start in range(0, len(text), CHUNK)]
    for piece in pieces:
        choice = {"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": None}
        yield json.dumps({**base, "choices": [choice]}).encode()
    yield json.dumps({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).encode()
    if (request.body.get("stream_options") or {}).get("include_usage"):
        yield json.dumps({**base, "choices": [], "usage": _completion(request, text)["usage"]}).encode()
    yield b"[DONE]"


def _named(model: str) -> Mode | None:
    name = model.rpartition("/")[2]
    wanted = name.removeprefix(NAME_PREFIX)
    return Mode(wanted) if name != wanted and wanted in set(Mode) else None


def _text(said: object) -> str:
    """A message's content: a string, or parts of which the texts count."""
    if isinstance(said, str):
        return said
    parts = said if isinstance(said, list) else []
    return "\n".join(part.get("text", "") for part in parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--mode", type=Mode, choices=list(Mode), default=Mode.PROPER)
    options = parser.parse_args()
    with ScriptedModel(options.mode, port=options.port) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main()
