import pytest

from core.answering.labels import addresses, commands
from tests.support.bad_models import BAIT

OWN = "https://valdorien.example/programm.pdf"


@pytest.mark.parametrize(
    "text",
    [
        *BAIT,
        "HTTPS://EVIL.EXAMPLE",
        "evil。com",
        "ｅｖｉｌ．ｃｏｍ/x",
        "ev\u200bil.com",
        "mailto:a@b.example",
        "<a href=x>",
        "matrix:r/room:evil.example",
        "10.0.0.1:80/x",
        f"{OWN}?steal=1",
        f"{OWN}.evil.example",
    ],
)
def test_found(text: str) -> None:
    assert addresses(f"Die Partei will das, siehe {text} dort.", [OWN])


@pytest.mark.parametrize(
    "text",
    [
        "Nach § 5 Abs. 2 Nr. 3 gilt z. B. eine Frist von 1.500 Tagen, d.h. bis 18:30 Uhr.",
        "Das gilt ab 01.02.2025 und/oder danach: nicht vorher.",
        "The fee is Rs. 5,00,000 (see section 4(1)).",
        "Ende des Satzes.Danach geht es weiter.",
        f"Siehe {OWN}.",
        "3 < 5 und 7 > 2",
    ],
)
def test_plain_text_has_none(text: str) -> None:
    assert addresses(text, [OWN]) == []


def test_a_slash_before_a_word_of_the_source_may_stand_there() -> None:
    text = "Wer für den Steg wirbt /marketing /selling, zahlt die Gebühr."
    assert addresses(text)
    assert not addresses(text, commands(text))
    assert addresses(f"{text} /kick", commands(text))
