"""What stands there as a claim that is denied, and what stands under a heading over what holds no longer."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answers.alleged import marked_otherwise
from bot.library.scoping import ScopeOptions
from core.domain.answers import Verdict
from core.domain.documents import DocumentType
from tests.support.world import World

PROGRAMME = (
    "Die Behauptung, die Innenstadt ersticke im Verkehr, ist durch nichts belegt. Es stimmt nicht, dass das"
    " Hallenbad jedes Jahr zwei Millionen Taler verschlingt. Wir wollen die Ringstraße auf zwei Spuren"
    " verengen. Die Fähre bleibe offen, hieß es im Rat."
)
MINUTES = (
    "Rätin Ilse Low (Uferpartei): Der Dorfladen bekommt achttausend Taler im Jahr.",
    "Rat Otto Hahn, Sägewerk: Der Hofladen kostet uns neuntausend Taler im Jahr.",
    "Mythos Uferpartei: Der Eisladen kostet alle siebentausend Taler im Jahr.",
    "Wir sagen: Der Buchladen bleibt sechzig Stunden je Woche geöffnet.",
)
FEES = (
    "Alte Gebühren\n\nEin Liegeplatz am Steg kostet 30 Taler im Jahr. Wer ihn nur im Sommer nutzt, zahlt"
    " davon die Hälfte und meldet das beim Hafenamt an.",
    "Neue Gebühren\n\nEin Liegeplatz an der Mole kostet 42 Taler im Jahr. Wer ihn nur im Winter nutzt, zahlt"
    " davon ein Drittel und meldet das beim Hafenamt an.",
)


@pytest.fixture
async def world() -> World:
    world = await World(threshold=0.0).with_registry()
    paper = {"jurisdiction": "xv", "doc_type": DocumentType.MANIFESTO, "parties": ("Uferpartei",)}
    await world.add("ufer25.pdf", PROGRAMME, title="Wahlprogramm der Uferpartei 2025", **paper)
    await world.add("rat.pdf", *MINUTES, title="Uferpartei: Aus dem Rat", **paper)
    await world.add("steg.pdf", *FEES, title="Gebühren am Steg", doc_type=DocumentType.RULES)
    return world


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Die Innenstadt erstickt im Verkehr.", Verdict.CUT),
        ("Die Innenstadt ersticke im Verkehr.", Verdict.CUT),
        ("Das Hallenbad verschlingt jedes Jahr zwei Millionen Taler.", Verdict.CUT),
        ("Das Hallenbad verschlingt jedes Jahr drei Millionen Taler.", Verdict.ALTERED),
        ("Wir wollen die Ringstraße auf zwei Spuren verengen.", Verdict.VERBATIM),
        ("Wir wollten die Ringstraße auf zwei Spuren verengen.", Verdict.ALTERED),
        ("Der Dorfladen bekommt achttausend Taler im Jahr.", Verdict.VERBATIM),
        ("Der Hofladen kostet uns neuntausend Taler im Jahr.", Verdict.REPORTED),
        ("Der Eisladen kostet alle siebentausend Taler im Jahr.", Verdict.CUT),
        ("Der Buchladen bleibt sechzig Stunden je Woche geöffnet.", Verdict.VERBATIM),
        ("Ein Liegeplatz am Steg kostet 30 Taler im Jahr.", Verdict.CUT),
        ("Ein Liegeplatz an der Mole kostet 42 Taler im Jahr.", Verdict.VERBATIM),
    ],
)
async def test_a_frame_that_is_left_out_is_told(world: World, said: str, verdict: Verdict) -> None:
    check = await world.app.questions.verify(said, ScopeOptions())
    assert check.verdict is verdict, check


async def test_the_heading_that_says_so_is_shown(world: World) -> None:
    said = "Ein Liegeplatz am Steg kostet 30 Taler im Jahr."
    (setting,) = (await world.app.questions.verify(said, ScopeOptions())).settings
    assert setting is not None
    assert setting.text == f"Alte Gebühren [...] {said}"


RINGROAD = "Wir wollen die Ringstraße auf zwei Spuren verengen."


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"'{RINGROAD}' ist das echt oder hat sich das jemand ausgedacht", Verdict.VERBATIM),
        (f"'{RINGROAD}' is that from them or did somebody make it up?", Verdict.VERBATIM),
        (f"did the founders of that club really write '{RINGROAD}'", Verdict.VERBATIM),
        (f"mein Lehrer sagt immer '{RINGROAD}' wo steht das denn bitte?", Verdict.VERBATIM),
        (f"bei den Windmüllern steht doch '{RINGROAD}' oder hab ich das geträumt?", Verdict.MISATTRIBUTED),
        (f"'{RINGROAD.replace('zwei', 'vier')}' ist das echt oder ausgedacht?", Verdict.ALTERED),
        (f"Am Abend schrieb der Rat: '{RINGROAD}' und keiner wollte es hören.", Verdict.ALTERED),
        (
            "„Wir wollen die Ringstraße“, heißt es dort, „auf zwei Spuren verengen.“ – stimmt das?",
            Verdict.VERBATIM,
        ),
        ("'Wir wollen die Ringstraße', it goes on, 'auf vier Spuren verengen.' - right?", Verdict.ALTERED),
        (
            f"Mein Vermieter tobt, weil das angeblich so drinsteht: {RINGROAD} Ist das wirklich der Text?",
            Verdict.VERBATIM,
        ),
        (f"Gefunden im Netz: {RINGROAD.replace('zwei', 'vier')} Ist das wirklich der Text?", Verdict.ALTERED),
        (f"Im Netz steht: {RINGROAD} 🚫", Verdict.ALTERED),
    ],
)
async def test_a_quote_is_checked_without_what_is_said_of_it(
    world: World, text: str, verdict: Verdict
) -> None:
    check = await world.app.questions.verify(text, ScopeOptions())
    assert check.verdict is verdict, check


@given(st.lists(st.text(alphabet="abc „“'\":.!?", max_size=12), max_size=6).map(" ".join))
def test_marking_otherwise_keeps_all_words(text: str) -> None:
    for again in marked_otherwise(text):
        assert sorted(re.findall(r"[a-z]+", again)) == sorted(re.findall(r"[a-z]+", text))
