import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.presentation.escaping import WORD_JOINER, defused
from bot.presentation.i18n import Texts
from core.answering.labels import addresses
from tests.support.bad_models import BAIT
from tests.support.live_text import live

LIVE = [
    *BAIT, "https://evil.example/x?d=1", "http://10.0.0.1/x", "10.0.0.1", "//evil.example",
    "HTTP://EVIL.EXAMPLE", "evil.com", "x.com/evil", "t.me/evil_bot", "https://t.me/+abc", "https://evil。com",
    "www.evil.com", "mailto:a@b.example", "a@b.example", "tel:+491701234567", "+49 170 1234567", "@channel",
    "@here", "@everyone", "@room", "@evil_bot", "<!channel>", "<!here|here>", "<@U012AB3CD>", "<#C012AB3CD>",
    "<https://evil.example|gov.example>", "@mallory:evil.example", "#room:evil.example", "!abc:evil.example",
    "https://matrix.to/#/@a:b.example", "matrix:u/mallory:evil.example", "[gov](https://evil.example)",
    "![x](http://evil.example/?q=)", "/stop", "(/forget)", "/start@evil_bot", "slack://open?team=T1",
    "tg://resolve?domain=evil", "javascript:alert(1)", "<a href='https://evil.example'>x</a>",
    "localhost:8080/x", "ftp://evil.example", "user:pw@evil.example", "#evil",
]  # fmt: skip


@pytest.mark.parametrize("text", LIVE)
def test_nothing_stays_live(text: str) -> None:
    assert live(text)
    for shown in (defused(text), defused(f"Siehe ({text}), dort."), defused(f"\u201e{text}\u201c [S1]")):
        assert live(shown) == []
        assert shown.replace(WORD_JOINER, "") in (text, f"Siehe ({text}), dort.", f"\u201e{text}\u201c [S1]")


@pytest.mark.parametrize("sign", ["\u202e", "\u202d", "\u2067", "\u2066", "\u2069"])
def test_no_title_turns_the_order_of_its_line(sign: str) -> None:
    assert defused(f"Programm {sign}2S[{sign}") == "Programm 2S["


SIGNS = [" ", ".", ":", "/", "@", "#", "<", "[S1]", "Satz", "com", "1.000", "\n", "ä", "_", "+", "]", "("]
PIECES = st.sampled_from([*LIVE, *SIGNS])


@given(st.lists(PIECES, max_size=6).map("".join))
def test_however_the_pieces_are_put_together(text: str) -> None:
    shown = defused(text)
    assert live(shown) == []
    assert shown.replace(WORD_JOINER, "") == text
    assert defused(shown) == shown


@given(st.text(max_size=80))
def test_any_text_reads_the_same(text: str) -> None:
    shown = defused(text)
    plain = re.sub("[\u202a-\u202e\u2066-\u2069]", "", text).replace("\0", "\ufffd")
    assert shown.replace(WORD_JOINER, "") == plain.replace(WORD_JOINER, "")
    assert defused(shown) == shown
    assert live(shown) == []


@pytest.mark.parametrize(
    "text",
    [
        "Nach § 5 Abs. 2 Nr. 3 gilt eine Frist von 1.500 Tagen, bis 18:30 Uhr, ab 01.02.2025.",
        "The fee is Rs. 5,00,000 (see section 4(1)); 3 < 5, and/or a +5 % rise [S1].",
        "Der Beitrag steigt um 1.234.567 Euro: immer [...] und überall.",
        "Wer? Wir! #1 und 50/50",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert defused(text) == text


@pytest.mark.parametrize("text", LIVE)
def test_values_of_our_texts_are_defused(text: str) -> None:
    assert live(Texts("en")("missing.party", name=text)) == []


def test_the_operators_own_address_stays() -> None:
    said = Texts("en")("command.about", version="1", source="https://source.example/fundstelle")
    assert addresses(said, ["https://source.example/fundstelle"]) == []
    assert "https://source.example/fundstelle" in said
