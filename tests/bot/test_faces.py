"""The rooms' faces import what they offer when it is asked for."""

import importlib
import re

import pytest

from tests.support.repository import ROOT

FACES = sorted(
    ".".join(path.relative_to(ROOT).parent.parts)
    for top in ("bot", "core")
    for path in (ROOT / top).rglob("__init__.py")
    if "late(__name__" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", FACES)
def test_a_face_gives_all_that_it_names(name: str) -> None:
    face = importlib.import_module(name)
    assert all(getattr(face, each) is not None for each in face.__all__)
    with pytest.raises(AttributeError, match=re.escape(f"module '{name}' has no attribute 'nothing'")):
        _ = face.nothing
