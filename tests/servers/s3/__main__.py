"""moto's S3 as a server process: `python -m tests.servers.s3`.

Writes one line of JSON with its address and keys, then serves until its standard input ends (so that it never
outlives the tests). Keys, signatures and rights are checked as Amazon does. /control/<verb> is for the tests:
`bucket` makes one, `fault` has answers about objects go wrong, `spoil` gives an object other bytes,
`keys` lists them.
"""

import json
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

import boto3
import moto.settings
from moto.s3.models import s3_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

REGION = "us-east-1"
ALL = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
READ = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": ["s3:Get*", "s3:List*"], "Resource": "*"}],
}
Start = Callable[..., Any]


class WithFaults:
    """moto behind what tests have go wrong."""

    def __init__(self) -> None:
        self._moto = DomainDispatcherApplication(create_backend_app)
        self._faults: list[str] = []

    def __call__(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        request = Request(environ)
        if request.path.startswith("/control/"):
            return self._told(request)(environ, start)
        fault = self._faults.pop(0) if self._faults and request.path.count("/") > 1 else ""
        if fault == "busy":
            return Response("<Error><Code>SlowDown</Code></Error>", 503)(environ, start)
        if fault == "truncate":
            return self._truncated(environ, start)
        if fault == "garble":
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            environ["wsgi.input"] = _Body(body[:-1] + b"!")
        return self._moto(environ, start)

    def _told(self, request: Request) -> Response:
        verb, said = request.path.removeprefix("/control/"), request.get_json(silent=True) or {}
        if verb == "bucket":
            s3_backends["123456789012"]["aws"].create_bucket(said["name"], REGION)
        elif verb == "fault":
            self._faults = list(said["faults"])
        elif verb == "spoil":
            key = s3_backends["123456789012"]["aws"].get_object(said["bucket"], said["key"])
            key.value = key.value[:-1] + b"!"
        elif verb == "keys":
            bucket = s3_backends["123456789012"]["aws"].get_bucket(said["name"])
            found = sorted(name for name in bucket.keys if name.startswith(said["prefix"]))
            return Response(json.dumps(found), mimetype="application/json")
        return Response("{}", mimetype="application/json")

    def _truncated(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        """Half of an answer that says it is whole; then the connection ends."""
        body = b"".join(self._moto(environ, start))
        return [body[: len(body) // 2]]


class _Body:
    def __init__(self, content: bytes) -> None:
        self._content = content

    def read(self, size: int = -1) -> bytes:
        size = len(self._content) if size is None or size < 0 else size
        found, self._content = self._content[:size], self._content[size:]
        return found


class _Silent(WSGIRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing."""


def _keys(iam: Any, name: str, policy: dict[str, Any]) -> dict[str, str]:
    iam.create_user(UserName=name)
    iam.put_user_policy(UserName=name, PolicyName=name, PolicyDocument=json.dumps(policy))
    made = iam.create_access_key(UserName=name)["AccessKey"]
    return {"access_key": made["AccessKeyId"], "secret_key": made["SecretAccessKey"]}


def main() -> None:
    """Serve until standard input ends."""
    os.environ |= {"AWS_ACCESS_KEY_ID": "setup", "AWS_SECRET_ACCESS_KEY": "setup"}
    server = make_server("127.0.0.1", 0, WithFaults(), threaded=True, request_handler=_Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    iam = boto3.client("iam", endpoint_url=address, region_name=REGION)
    begun = {"address": address, "all": _keys(iam, "all", ALL), "reader": _keys(iam, "reader", READ)}
    moto.settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    sys.stdout.write(json.dumps(begun) + "\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
