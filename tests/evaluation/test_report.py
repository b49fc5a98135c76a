import re
from dataclasses import replace

from bot.answers.evaluation.page import report_page
from bot.answers.evaluation.report import Measured, comparison, report, side_by_side
from core.domain.scope import Scope
from core.evaluation import (
    Form,
    Gold,
    Observed,
    Ordered,
    SetQuestion,
    SymmetryRound,
    SymmetryTurn,
    Usage,
)

ASKED = SetQuestion(
    id="q-1",
    corpus="",
    language="de",
    jurisdiction=None,
    party=None,
    question="Was?",
    answerable=True,
    gold=(Gold(file="a.pdf", page=1, quote="Wort"),),
    all_needed=False,
    kind="",
)
SEEN = Observed(
    question=ASKED,
    hits=((("a.pdf", 1),),),
    citations=((("a.pdf", 1),),),
    quotes=("Wort",),
    exact_quotes=1,
    highlights=1,
    claims=1,
    labelled=1,
    outcome="grounded",
    silent=False,
    confidence=0.7,
    places=frozenset(),
    allowed=None,
    seconds=0.25,
)
LOST = replace(SEEN, hits=(), citations=(), quotes=(), exact_quotes=0, highlights=0, claims=0, labelled=0)
WROTE = replace(SEEN, usage=Usage(prompt_tokens=900, completion_tokens=80, usd=0.0012), drafted=True)
FORM = Form(kind="fact", language="de", parties=1, scope=Scope(collections=("public",)))
TURN = SymmetryTurn(party="A", question="Was will A?", form=FORM, outcome="grounded", sentences=1, quotes=1)
ROUND = SymmetryRound(
    id="q-1",
    quota=1,
    turns=(TURN, replace(TURN, party="B", question="Was will B?", form=replace(FORM, language="en"))),
    ordered=(Ordered(way="ask", question="Was wollen A und B?", equal=False),),
)


def cells(table: list[list[str]]) -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in table}


def test_one_way_to_answer_has_no_variants_and_symmetry_only_if_asked_for():
    plain = report([SEEN, LOST])
    assert "symmetry" not in plain
    assert plain["answers"]["citation_recall"]["hits"] == 1
    assert plain["usage"] == {"asked": 0, "prompt_tokens": 0, "completion_tokens": 0, "usd": 0}
    assert report([SEEN], [ROUND])["symmetry"]["departures"] == [
        {"id": "q-1", "what": "form", "question": "Was will B?"},
        {"id": "q-1", "what": "order_ask", "question": "Was wollen A und B?"},
    ]


def test_variants_stand_side_by_side():
    one = Measured(name="quotes", answerer="extractive", changes={}, observed=[SEEN, LOST])
    two = Measured(name="model", answerer="llm", changes={"llm.model": "openai/x"}, observed=[WROTE, WROTE])
    found = comparison([one, two])["variants"]
    shown = cells(side_by_side(found))
    assert shown["hit@1"] == ["50.0%  1 of 2  (9%-91%)", "100.0%  2 of 2  (34%-100%)"]
    assert shown["fallback"] == ["-", "0.0%  0 of 2  (0%-66%)"]
    assert shown["US dollars"] == ["-", "0.0024"]
    assert shown["tokens read + written"] == ["-", "1800 + 160"]


def test_an_unknown_price_is_not_nothing():
    unpriced = replace(WROTE, usage=Usage(prompt_tokens=1, completion_tokens=1, usd=None))
    assert cells(side_by_side([report([WROTE, unpriced])]))["US dollars"] == ["unknown"]


def test_the_page_has_every_variant_its_settings_and_plots_and_shows_no_markup_of_names():
    one = Measured(name="<b>quotes</b>", answerer=None, changes={"answer.citations": "2"}, observed=[SEEN])
    two = replace(one, name="model", observed=[WROTE], rounds=[ROUND])
    results = comparison([replace(one, rounds=[ROUND]), two])["variants"]
    page = report_page([(each["name"], each) for each in results], "set <i>")
    assert "<b>quotes" not in page
    assert "<i>" not in page
    assert "answer.citations = 2" in page
    plots = ["Pages found", "Pages cited", "Quotes", "Citations", "Silence", "Symmetry", "Seconds per answer"]
    assert all(f">{title}<" in page for title in plots)
    assert page.count("<svg") == len(plots) + 2
    assert "<script" not in page
    assert not re.search(r"@import|(?:src|href)=[\"']?http", page)


def test_questions_are_told_apart_by_corpus_language_and_kind():
    english = replace(LOST, question=replace(ASKED, id="q-2", language="en"))
    groups = report([SEEN, english])["groups"]
    assert [(row["name"], row["quote_right@1"]["hits"]) for row in groups["language"]] == [
        ("de", 1),
        ("en", 0),
    ]
    assert groups["corpus"][0]["questions"] == 2


def test_the_page_sets_gold_and_shown_side_by_side_the_worst_first():
    wrong = replace(SEEN, question=replace(ASKED, id="q-bad", question="<b>Wie?</b>"), quotes=("Unfug",))
    page = report_page([("rate", report([SEEN, LOST, wrong]))], "set")
    table = page.split("worst first")[1]
    assert table.index("q-bad") < table.index("silent, wrongly") < table.index("quote 1 holds the answer")
    assert "&lt;b&gt;Wie?" in table
    assert "Unfug<br><cite>a.pdf, p. 1" in table
