"""Names of files that people send."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.disk import safe_name


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("programme.pdf", "programme.pdf"),
        ("a b.pdf", "a b.pdf"),
        ("../../etc/passwd", "passwd"),
        ("..", "upload"),
        ("", "upload"),
        (".hidden", "hidden"),
        ("a\x00b\n.pdf", "a_b_.pdf"),
        ("C:\\x\\y;z.pdf", "y_z.pdf"),
        ("x" * 500 + ".pdf", "x" * 120 + ".pdf"),
        ("ä" * 500 + ".pdf", "ä" * 60 + ".pdf"),
        ("x" + "語" * 500, "x" + "語" * 39),
    ],
)
def test_names_of_files_are_made_safe(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@given(st.text() | st.text(st.characters(min_codepoint=0x10400, max_codepoint=0x1044F), min_size=130))
def test_no_name_leads_elsewhere_or_hides(name: str) -> None:
    safe = safe_name(name)
    assert 0 < len(safe.encode()) <= 120 + len(".") + 10 * 4
    assert not set(safe) & set("/\\\0\n")
    assert not safe.startswith(".")
