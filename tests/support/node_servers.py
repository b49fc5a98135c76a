"""Servers that others wrote for Node.js, installed by `make test-servers`."""

from pathlib import Path
from shutil import which

from tests.support.repository import ROOT


def installed(name: str) -> Path:
    """The folder of tests/servers/NAME."""
    return ROOT / "build" / "node" / name


def missing(name: str) -> str:
    """Why it cannot run here; empty where it can."""
    if which("node") is None:
        return "Node.js is not installed: sudo apt-get install nodejs npm && make test-servers"
    there = (installed(name) / ".installed").exists()
    return "" if there else f"{name} is not installed: run `make test-servers`"
