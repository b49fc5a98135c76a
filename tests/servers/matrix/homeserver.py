"""A real homeserver for tests: Synapse on loopback, SQLite, its own environment, fresh users."""

import hashlib
import hmac
import json
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PYTHON = ROOT / "build" / "venvs" / "matrix" / "bin" / "python"
LAUNCHER = Path(__file__).with_name("launch.py")
STARTS_WITHIN_S = 60
PLENTY = {"per_second": 10_000, "burst_count": 10_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A fresh user."""

    user_id: str
    password: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Synapse:
    """A running homeserver."""

    url: str
    server_name: str
    secret: str

    def account(self, name: str) -> Account:
        """Register a user whose name begins with `name`."""
        user, password = f"{name}-{secrets.token_hex(4)}", secrets.token_urlsafe(12)
        nonce = self._call("GET", None)["nonce"]
        words = "\x00".join((nonce, user, password, "notadmin"))
        mac = hmac.new(self.secret.encode(), words.encode(), hashlib.sha1).hexdigest()
        body = {"nonce": nonce, "username": user, "password": password, "admin": False, "mac": mac}
        return Account(user_id=self._call("POST", body)["user_id"], password=password)

    def _call(self, method: str, body: dict[str, object] | None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        address = f"{self.url}/_synapse/admin/v1/register"
        request = urllib.request.Request(address, data=data, method=method)
        with urllib.request.urlopen(request, timeout=30) as response:
            answer: dict[str, Any] = json.load(response)
            return answer


@contextmanager
def synapse_server(*, rate_limits: bool = False) -> Iterator[Synapse]:
    """A homeserver that is gone with the context. `rate_limits`: with Synapse's own, else without."""
    if not PYTHON.exists():
        raise FileNotFoundError("Synapse is not installed; run `make test-servers`")
    folder = Path(tempfile.mkdtemp(prefix="fundstelle-synapse-"))
    server = Synapse(
        url=f"http://127.0.0.1:{_free_port()}", server_name="synapse.test", secret=secrets.token_urlsafe(24)
    )
    config = folder / "homeserver.yaml"
    config.write_text(json.dumps(_config(server, folder, rate_limits)))  # JSON is YAML
    (folder / "signing.key").write_text(f"ed25519 a_test {_unpadded(secrets.token_bytes(32))}\n")
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            [PYTHON, LAUNCHER, config], cwd=folder, stdin=subprocess.PIPE, stdout=output, stderr=output
        )
        try:
            _await_start(server, process, folder)
            yield server
        finally:
            process.kill()  # nothing here outlives the run
            process.wait()
            if process.stdin:
                process.stdin.close()
            shutil.rmtree(folder, ignore_errors=True)


def _await_start(server: Synapse, process: "subprocess.Popen[bytes]", folder: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{server.url}/health", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise RuntimeError("Synapse did not start:\n" + (folder / "output.txt").read_text()[-3000:])


def _config(server: Synapse, folder: Path, rate_limits: bool) -> dict[str, object]:
    port = int(server.url.rpartition(":")[2])
    config: dict[str, object] = {
        "server_name": server.server_name,
        "pid_file": str(folder / "pid"),
        "listeners": [
            {
                "port": port,
                "type": "http",
                "bind_addresses": ["127.0.0.1"],
                "resources": [{"names": ["client", "media"], "compress": False}],
            }
        ],
        "database": {"name": "sqlite3", "args": {"database": str(folder / "homeserver.db")}},
        "media_store_path": str(folder / "media"),
        "signing_key_path": str(folder / "signing.key"),
        "registration_shared_secret": server.secret,
        "macaroon_secret_key": secrets.token_urlsafe(24),
        "form_secret": secrets.token_urlsafe(24),
        "report_stats": False,
        "trusted_key_servers": [],
        "suppress_key_server_warning": True,
        "federation_domain_whitelist": [],
        "bcrypt_rounds": 4,
        "enable_room_list_search": False,
        "presence": {"enabled": False},
        "url_preview_enabled": False,
        "caches": {"sync_response_cache_duration": "0s"},
        "max_upload_size": "2M",
    }
    return config if rate_limits else config | _unlimited()


def _unlimited() -> dict[str, object]:
    names = ("rc_message", "rc_registration", "rc_admin_redaction", "rc_key_requests", "rc_reports")
    limits: dict[str, object] = dict.fromkeys(names, PLENTY)
    limits["rc_login"] = {"address": PLENTY, "account": PLENTY, "failed_attempts": PLENTY}
    limits["rc_joins"] = {"local": PLENTY, "remote": PLENTY}
    limits["rc_invites"] = {"per_room": PLENTY, "per_user": PLENTY, "per_issuer": PLENTY}
    limits["rc_room_creation"] = PLENTY
    limits["rc_media_create"] = PLENTY
    return limits


def _unpadded(data: bytes) -> str:
    return b64encode(data).decode().rstrip("=")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
