"""Cuts about which the rules are unsure, judged by the packaged network."""

from dataclasses import replace
from datetime import date

import pytest

from adapters.embedding.use import UseEmbedder
from core.answering.cut_judge import READ, CutJudge, packaged, read_cut
from core.answering.quote_check import QuoteVerifier
from core.answering.quote_places import Claimed
from core.domain.answers import LeftOut, Setting, Verdict
from core.domain.documents import DocumentType
from core.domain.scope import Scope
from core.domain.search import Vector
from core.errors import Broken
from tests.support.encoders import models_dir, packaged_words
from tests.support.world import World

TEXTS = UseEmbedder(models_dir())
JUDGE = CutJudge(packaged_words(), TEXTS)
EVERYTHING = Scope(collections=("public",))
STATED = "das Eichamt prüft alle Waagen der Markthalle"
PROGRAMME = (
    f"Es freut uns, Ihnen mitteilen zu können, dass {STATED}."
    " In sehr seltenen Fällen sperrt der Hafenmeister das Ufer. Jeden Montag tagt der Rat."
)


def setting(marked: str) -> Setting:
    """A sentence of which the quote has what is between < and >."""
    before, _, rest = marked.partition("<")
    said, _, after = rest.partition(">")
    text = before + said + after
    ends = ((0, len(before)), (len(before) + len(said), len(text)))
    return Setting(text=text, left_out=tuple(each for each in ends if each[0] < each[1]), why=LeftOut.UNSURE)


@pytest.mark.parametrize(
    "marked",
    [
        "Es freut uns, mitteilen zu können, dass <der Verein die Turnhalle kauft.>",
        "Wir danken allen Helfern und stellen fest: <Die Sternwarte erhält ein Fernrohr.>",
        "We are pleased to announce that <the council has bought the old mill.>",
        "<Le club compte 900 membres>, plus que jamais.",
    ],
)
async def test_what_changes_nothing_may_be_left_out(marked: str) -> None:
    assert await JUDGE.harmless(setting(marked))


@pytest.mark.parametrize(
    "marked",
    [
        "In sehr seltenen Fällen <sperrt der Hafenmeister das Ufer.>",
        "<Der Verein zahlt die Fahrt> bis zu einem Betrag von 40 Euro im Jahr.",
        "In towns of fewer than 2,000 people, <the council has no committees.>",
        "<L'entrée du parc est gratuite> pour les moins de six ans.",
    ],
)
async def test_what_says_when_how_much_or_for_whom_may_not(marked: str) -> None:
    assert not await JUDGE.harmless(setting(marked))


@pytest.mark.parametrize(
    ("marked", "harmless"),
    [
        (
            "Weil uns die Kinder nicht gleichgültig sind, <bauen wir an der Schule einen Zebrastreifen.>",
            True,
        ),
        ("<Die Turnhalle hat 400 Plätze>, was niemand im Dorf für möglich gehalten hätte.", True),
        ("<The club has 300 members>, and nobody expected that ten years ago.", True),
        ("<Der Verein zahlt die Fahrt ins Ferienlager>, aber nicht für Kinder anderer Vereine.", False),
        ("Wir halten es nicht für richtig, dass <der Verein die Turnhalle kauft.>", False),
        ("Keinesfalls <kauft der Verein die Turnhalle.>", False),
    ],
)
async def test_a_word_that_denies_may_deny_nothing_that_the_quote_says(marked: str, harmless: bool) -> None:
    left_out = replace(setting(marked), why=LeftOut.DENIES)
    assert await JUDGE.harmless(left_out) is harmless


class Failing:
    """Cannot read."""

    @property
    def name(self) -> str:
        return packaged()[0][0]

    async def words(self, before: object, said: object) -> tuple[Vector, Vector]:
        raise Broken("embedding.failed", "no")

    async def warm_up(self) -> None:
        raise Broken("embedding.failed", "no")


async def test_without_its_encoders_it_calls_nothing_harmless() -> None:
    cut = setting("Es freut uns, mitteilen zu können, dass <der Verein die Turnhalle kauft.>")
    for judge in (CutJudge(), CutJudge(packaged_words()), CutJudge(Failing(), TEXTS)):
        assert not await judge.harmless(cut)


async def test_what_is_too_long_or_not_cut_is_not_judged() -> None:
    assert await read_cut(packaged_words(), TEXTS, "Der Verein kauft die Turnhalle.", ()) is None
    assert await read_cut(packaged_words(), TEXTS, "sehr " * READ, ((0, 5),)) is None


async def test_signs_beside_the_quote_count_as_left_out() -> None:
    text = "Der Rat tagt, wie immer."
    first, second = [
        await read_cut(packaged_words(), TEXTS, text, ((at, len(text)),))
        for at in (text.index(","), text.index("wie"))
    ]
    assert first is not None
    assert second is not None
    assert (first == second).all()


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (STATED, Verdict.VERBATIM),
        ("sperrt der Hafenmeister das Ufer", Verdict.CUT),
        (f"Es freut uns, dass {STATED}", Verdict.CUT),
    ],
)
async def test_verifying_asks_the_judge(said: str, verdict: Verdict) -> None:
    world = await World(threshold=0.0).with_registry()
    await world.add("ufer.pdf", PROGRAMME, title="Bericht", doc_type=DocumentType.RULES)
    nearest = world.app.questions.verifier._nearest
    for cuts, expected in ((JUDGE, verdict), (None, Verdict.CUT)):
        verifier = QuoteVerifier(library=world.app.library, nearest=nearest, cuts=cuts)
        check = await verifier.verify(said, scope=EVERYTHING, claimed=Claimed(), today=date(2025, 6, 1))
        assert check.verdict is expected, check
