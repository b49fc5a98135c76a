"""The package itself: late, quiet, and nothing remote."""

import subprocess
import sys
from pathlib import Path

import pytest

from adapters.litellm import package
from core.domain.models import MessageRole, ModelMessage
from tests.support.llm_fixtures import KEY, Build, endpoint
from tests.support.scripted_model import ScriptedModel

MESSAGES = (ModelMessage(speaker=MessageRole.USER, text="Say OK."),)
ROOT = Path(__file__).parents[2]

# Run in a process of its own, with an audit hook that sees every look-up and connection whoever makes it
# (https://docs.python.org/3/library/audit_events.html), and with warnings as errors.
SCRIPT = """
import os, sys, warnings
warnings.simplefilter("error")
remote = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        remote.append((event, arguments))
sys.addaudithook(watch)
from adapters.litellm import package
from adapters.litellm.budget import Endpoint
from adapters.litellm.model import LiteLlmModel
endpoint = Endpoint(model="openai/x", api_base="http://127.0.0.1:1/v1", api_key="sk-canary")
LiteLlmModel([endpoint])
assert "litellm" not in sys.modules, "imported before it is needed"
litellm = package.load()
assert package.is_known(endpoint)
assert "site-packages" in litellm.__file__, litellm.__file__
assert not remote, remote
assert "FROM_DOTENV" not in os.environ
assert not litellm.callbacks and not litellm.success_callback and not litellm._async_success_callback
"""


def test_importing_is_late_quiet_and_local(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("FROM_DOTENV=1\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


async def test_a_key_of_the_environment_never_goes_to_another_server(
    monkeypatch: pytest.MonkeyPatch, server: ScriptedModel, build: Build
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    await build(endpoint(server, api_key="")).complete(MESSAGES, collections=["public"])
    assert server.requests[0].key == package.NO_KEY
