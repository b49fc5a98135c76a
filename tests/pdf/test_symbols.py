"""Glyphs of symbol fonts are read as what they show."""

import pytest

from adapters.pymupdf.characters import as_shown, is_symbol_font, is_word_bullet
from core.evidence.skeleton import is_private


@pytest.mark.parametrize(
    ("font", "text", "shown"),
    [
        ("ABCDEF+Wingdings-Regular", "§\uf0a7ü\uf0fb", "▪▪✓✗"),
        ("ZapfDingbatsITC", "n48", "■✔✘"),
        ("SymbolMT", "\uf0b7α\uf02d", "•α−"),
        ("Helvetica", "n§ü", "n§ü"),
        ("SymbolicaSans", "n", "n"),
    ],
)
def test_codes_become_what_is_seen(font: str, text: str, shown: str) -> None:
    assert as_shown(text, font) == shown
    assert is_symbol_font(font) is (font not in ("Helvetica", "SymbolicaSans"))


def test_unknown_glyphs_are_no_text() -> None:
    assert is_private(as_shown("A", "Webdings"))


def test_the_o_of_word_processors() -> None:
    assert is_word_bullet("o ", "CourierNewPSMT")
    assert not is_word_bullet("oder", "CourierNewPSMT")
    assert not is_word_bullet("o", "Times")
