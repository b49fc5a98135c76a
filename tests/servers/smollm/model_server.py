"""A real language model for tests: SmolLM2-135M-Instruct in a process of its own, on loopback."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

INSTALLED = Path(__file__).parents[3] / "build" / "models" / ".installed"
SERVER = Path(__file__).with_name("server.js")
MODEL = "openai/smollm2"


def missing() -> str:
    """Why there is no model here; empty where there is one."""
    if which("node") is None:
        return "Node.js is not installed"
    return "" if INSTALLED.exists() else "the model is not installed; run `make test-model`"


@contextmanager
def smollm_server(*, max_tokens: int) -> Iterator[str]:
    """`api_base` of a server that is gone with the context and writes `max_tokens` an answer at most."""
    command = ["node", str(SERVER), "--max-tokens", str(max_tokens)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            if not address:
                raise RuntimeError("the model did not start; its error is printed above")
            yield address
        finally:
            process.kill()  # nothing here outlives the run
