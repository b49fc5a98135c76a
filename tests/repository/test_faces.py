"""A room's face: two sentences and a few names; what import-linter lets others reach is named there."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from tests.support.repository import ROOT

ROOMS = sorted(path.parent.name for path in Path(ROOT, "bot").glob("*/__init__.py"))
CONTRACTS = {
    contract["name"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_what_it_is_for_in_two_sentences_and_a_few_names(room: str) -> None:
    face = importlib.import_module(f"bot.{room}")
    said = " ".join((face.__doc__ or "").split())
    assert len(re.findall(r"[^.]\.(?= [A-Z`]|$)", said)) == 2, said
    assert len(face.__all__) >= 3
    assert all(hasattr(face, name) for name in face.__all__)


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_behind_the_face_is_let_through(room: str) -> None:
    contract = CONTRACTS[f"face of bot.{room}"]
    assert contract["protected_modules"] == [f"bot.{room}.*"]
    assert set(contract["allowed_importers"]) <= {f"bot.{room}", "bot.wiring"}
    named = set(importlib.import_module(f"bot.{room}").__all__)
    let_through = {line.split(" -> ")[1] for line in contract.get("ignore_imports", ())}
    assert let_through <= {f"bot.{room}.{name}" for name in named}
