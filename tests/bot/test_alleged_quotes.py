"""Alleged quotes in a small world: what differs, and how that is drawn."""

import pytest

from bot.library.scoping import ScopeOptions
from bot.presentation.i18n import Texts
from bot.presentation.wording import check_blocks, check_text, check_view
from core.answering.quote_check import QuoteCheck
from core.domain.answers import Verdict
from core.domain.rich_text import Style, joined, rich
from tests.support.world import World, populated

REAL = "Der Mindestlohn steigt auf 15 Taler in der Stunde."


@pytest.fixture
async def world() -> World:
    return await populated()


async def checked(world: World, text: str, **claimed: str) -> QuoteCheck:
    return await world.app.questions.verify(text, ScopeOptions(), **claimed)  # type: ignore[arg-type]


def drawn(check: QuoteCheck, language: str = "de") -> str:
    """The verdict with signs for its marks: struck, bold, small."""
    text = rich(joined(check_blocks(check_view("", check, {}), Texts(language))))
    for style, sign in ((Style.STRUCK, "~~"), (Style.BOLD, "**"), (Style.SMALL, "_")):
        for start, end in reversed(text.ranges(style)):
            text = text.part(0, start) + sign + text.part(start, end) + sign + text.part(end)
    return str(text)


async def test_an_added_denial_stands_inside_its_sentence(world):
    await world.add(
        "toll.pdf", "Eine Fährgebühr wird es mit uns nicht geben. Boote sind frei.", jurisdiction="xv"
    )
    said = drawn(await checked(world, "„Eine Fährgebühr wird es mit uns geben.“"))
    assert said.startswith(
        "❌ Fast. Ein Wort ist anders:\n„Eine Fährgebühr wird es mit uns **nicht** geben.“\n"
    )
    assert "~~" not in said


async def test_where_a_number_differs_the_sentence_is_shown_to_its_end(world):
    sentence = (
        "Wir heben die Fährgebühr in zwei Schritten an: zum 1. Januar 2026 auf 15,80 Taler und zum 1. Januar"
        " 2027 auf 17 Taler je Fahrt."
    )
    await world.add("steps.pdf", f"{sentence} Danach ändert sich nichts mehr.", jurisdiction="xv")
    said = drawn(await checked(world, '"Wir heben die Fährgebühr auf 16 Taler an."'))
    assert "~~16~~ **15,80** Taler" in said
    assert "und zum 1. Januar 2027 auf 17 Taler je Fahrt.“\n" in said
    assert "Danach" not in said
    assert "Die Zahl ist eine andere." in said


async def test_a_part_of_a_sentence_is_drawn_as_it_was_quoted(world):
    await world.add(
        "rent.pdf", "Die Mieten sind hier gestiegen, in Port Malin sogar um 44 Prozent.", jurisdiction="xv"
    )
    check = await checked(world, "Die Mieten sind hier gestiegen")
    assert check.verdict is Verdict.VERBATIM
    quoted, whole = drawn(check).splitlines()[1:3]
    assert quoted.startswith("„Die Mieten sind hier gestiegen")
    assert "44" not in quoted
    assert whole.startswith("_Im ganzen Satz: „Die Mieten")
    for text in (drawn(check), check_text(check_view("", check, {}), Texts("de"))):
        assert "[[" not in text
        assert "*" not in text


async def test_what_was_left_out_and_turns_a_sentence_stands_out_between_quotation_marks(world):
    await world.add("toll.pdf", "Eine Fährgebühr für alle Boote lehnen wir ab.", jurisdiction="xv")
    check = await checked(world, "Eine Fährgebühr für alle Boote")
    assert check.verdict is Verdict.CUT
    assert "„Eine Fährgebühr für alle Boote **lehnen wir ab.**“" in drawn(check)
    assert "„Eine Fährgebühr für alle Boote *lehnen wir ab.*“" in check_text(
        check_view("", check, {}), Texts("de")
    )
