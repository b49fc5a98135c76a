from dataclasses import replace

import pytest

from bot.answers.evaluation.report import Measured, whole
from bot.answers.evaluation.rounds import observe, passages_of_parties, swappable, symmetry
from bot.presentation.views.problems import Failures
from core.domain.scope import Scope
from core.evaluation import (
    Form,
    Ordered,
    Rate,
    SetQuestion,
    Share,
    SymmetryRound,
    SymmetryTurn,
    chosen,
    of_any_party,
    same_form,
    same_order,
    same_outcome,
    shares,
    within_quota,
)
from core.registry.names import replaced
from tests.support.world import populated

FORM = Form(kind="fact", language="de", parties=1, scope=Scope(collections=("public",)))


def turn(party: str, **parts) -> SymmetryTurn:
    blank = SymmetryTurn(party=party, question="Was?", form=FORM, outcome="grounded", sentences=2, quotes=2)
    return replace(blank, **parts)


def asked(*turns: SymmetryTurn, ordered: tuple[Ordered, ...] = ()) -> SymmetryRound:
    return SymmetryRound(id="q", quota=2, turns=turns, ordered=ordered)


def row(text: str, **parts) -> SetQuestion:
    blank = SetQuestion(
        id="q-1",
        corpus="",
        language="de",
        jurisdiction="xv",
        party=None,
        question=text,
        answerable=True,
        gold=(),
        all_needed=False,
        kind="",
    )
    return replace(blank, **parts)


def nothing(_done: int, _total: int) -> None:
    return None


def test_every_mention_is_replaced():
    assert replaced("A sagt: A will", [(0, 1), (8, 9)], "Partei B") == "Partei B sagt: Partei B will"


def test_another_form_is_a_departure_and_another_outcome_is_not():
    english = turn("B", form=replace(FORM, language="en"))
    silent = turn("C", outcome="no_evidence", sentences=0, quotes=0)
    found = asked(turn("A"), english, silent)
    assert same_form([found]) == Rate(1, 2)
    assert found.departures() == [english]
    assert same_outcome([found]) == Rate(1, 2)


def test_more_than_the_quota_is_noticed_for_whichever_party():
    assert within_quota([asked(turn("A"), turn("B", sentences=3))]) == Rate(1, 2)
    assert within_quota([asked(turn("A", sentences=3), turn("B"))]) == Rate(1, 2)


def test_orders_are_counted_by_way():
    pairs = (
        Ordered(way="ask", question="A und B", equal=False),
        Ordered(way="compare", question="A und B", equal=True),
    )
    found = [asked(turn("A"), ordered=pairs)]
    assert same_order(found, "ask") == Rate(0, 1)
    assert same_order(found, "compare") == Rate(1, 1)


def test_shares_show_who_got_how_much():
    found = [asked(turn("B"), turn("A", quotes=0)), asked(turn("A"), turn("B", quotes=1))]
    assert shares(found) == [
        Share(party="A", asked=2, answered=1, quotes=2),
        Share(party="B", asked=2, answered=2, quotes=3),
    ]


async def test_a_question_about_one_party_with_a_document_can_be_swapped():
    app = (await populated()).app
    found = await swappable(app.questions, row("Was will die Uferpartei beim Mindestlohn?"))
    assert found is not None
    assert (found.party, found.others) == ("Uferpartei", ("Windmüller",))
    assert (
        found.about("Windmüller", "Uferpartei") == "Was will die Windmüller und Uferpartei beim Mindestlohn?"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Was kostet die Anmeldung eines Hausboots?",
        "Was sagen Uferpartei und Windmüller zum Mindestlohn?",
        "Was fordern die Drachenflieger zum Klimaschutz?",
    ],
)
async def test_other_questions_are_left_out(text):
    assert await swappable((await populated()).app.questions, row(text)) is None


async def test_a_round_asks_about_every_party_and_in_both_orders():
    app = (await populated()).app
    rows = [row("Was will die Uferpartei beim Mindestlohn?"), row("Was kostet ein Hausboot?")]
    [found] = await symmetry(app.questions, app.comparisons, rows, nothing, citations=3, failures=Failures())
    assert [each.party for each in found.turns] == ["Uferpartei", "Windmüller"]
    assert {each.question for each in found.swapped} == {"Was will die Windmüller beim Mindestlohn?"}
    assert {each.outcome for each in found.turns} == {"grounded"}
    assert same_form([found]) == Rate(1, 1)
    assert within_quota([found]) == Rate(2, 2)
    assert same_order([found], "compare") == Rate(1, 1)
    assert same_order([found], "ask") == Rate(1, 1)


async def test_who_is_chosen_where_nobody_is_named():
    app = (await populated()).app
    rows = [row("Wie hoch soll der Mindestlohn sein?"), row("Was will die Uferpartei beim Mindestlohn?")]
    seen = await observe(app.questions, app.attacher, rows, nothing, failures=Failures())
    passages = await passages_of_parties(app.questions)
    assert len(of_any_party(seen)) == 1
    assert [(each.party, each.cited, each.named) for each in chosen(seen, passages)] == [
        ("Uferpartei", 1, 0),
        ("Windmüller", 0, 1),
    ]
    shares = [each.share for each in chosen(seen, passages)]
    assert sum(shares) == pytest.approx(1)
    measured = Measured(name="x", answerer=None, changes={}, observed=seen, rounds=[], passages=passages)
    unnamed = whole(measured)["symmetry"]["unnamed"]
    assert unnamed["questions"] == 1
    assert unnamed["parties"][1] == {
        "party": "Windmüller",
        "cited": 0,
        "named": 1,
        "passages": passages["Windmüller"],
        "share": pytest.approx(shares[1], abs=1e-4),
    }


async def test_too_small_a_quota_is_noticed_on_real_answers():
    app = (await populated()).app
    rows = [row("Was will die Uferpartei bei Mieten und Wohnungen?")]
    [found] = await symmetry(app.questions, app.comparisons, rows, nothing, citations=0, failures=Failures())
    assert within_quota([found]).hits < within_quota([found]).of


async def test_a_question_that_cannot_be_asked_does_not_end_the_rest():
    app, failures = (await populated()).app, Failures()
    good, bad = row("Was will die Uferpartei beim Mindestlohn?"), row("Was will die Uferpartei?")
    rows = [replace(bad, id="bad", jurisdiction="nowhere"), replace(good, id="good")]
    assert (
        len(await symmetry(app.questions, app.comparisons, rows, nothing, citations=3, failures=failures))
        == 1
    )
    observed = await observe(app.questions, app.attacher, rows, nothing, failures=failures)
    assert [item.question.id for item in observed] == ["good"]
    assert [(item.id, item.error.code) for item in failures.rows] == [
        ("bad", "scope.unknown_jurisdiction")
    ] * 2
    report = whole(Measured(name="x", answerer=None, changes={}, observed=observed, errors=failures.rows))
    assert (report["questions"], len(report["errors"])) == (1, 2)


async def test_a_set_of_which_nothing_can_be_asked_has_a_report():
    app, failures = (await populated()).app, Failures()
    bad = replace(row("Was will die Uferpartei?"), id="bad", jurisdiction="nowhere")
    observed = await observe(app.questions, app.attacher, [bad], nothing, failures=failures)
    report = whole(Measured(name="x", answerer=None, changes={}, observed=observed, errors=failures.rows))
    assert (report["questions"], len(report["errors"])) == (0, 1)
