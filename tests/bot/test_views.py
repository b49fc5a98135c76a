"""Views: what `--json` prints of one result of each kind, value by value, as recorded in
`tests/data/json/views.json`. After a change that is meant, run this file with FUNDSTELLE_TEST_RECORD=yes."""

import json
import os
from pathlib import Path

import pytest

from bot.presentation.views.answers import CitationView, answer_view
from bot.presentation.views.encoding import Joined, View, encoded, lies_at
from tests.support.view_examples import ANSWER, ATTACHED, CITATION, PRESENTER, kinds, views

RECORDED = Path(__file__).parents[1] / "data" / "json" / "views.json"


def used(view: object) -> set[type[View]]:
    """The kinds of a view and of those inside it."""
    if isinstance(view, View):
        return {type(view)}.union(*(used(value) for _, value in view))
    return set().union(*map(used, view)) if isinstance(view, tuple) else set()


def test_every_value_stands_where_it_stood() -> None:
    found = dict(views())
    if os.environ.get("FUNDSTELLE_TEST_RECORD"):
        RECORDED.write_text(encoded(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert list(found) == list(recorded)
    for name, view in found.items():
        assert encoded(view, indent=1) == json.dumps(recorded[name], indent=1), name


def test_every_view_is_among_the_examples() -> None:
    shown = set().union(*(used(view) for _, view in views()))
    assert {kind.__name__ for kind in kinds() - shown} <= {
        "RateView",
        "UsageView",
        "PartyShareView",
        "ChosenPartyView",
    }


def test_a_result_without_a_value_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="quote"):
        CitationView.showing(Joined(CITATION, {"quote": None}))


def test_one_line_is_a_key() -> None:
    class Longer(type(answer_view(ANSWER, {}, PRESENTER))):  # type: ignore[misc]
        language: str
        first: str | None = lies_at("claims.0.text", None, key="first claim")

    found = Longer.showing(ANSWER, text="x", attached=ATTACHED).json_object
    assert (found["language"], found["first claim"]) == ("de", ANSWER.claims[0].text)
    assert list(found)[-2:] == ["language", "first claim"]


def test_what_has_no_view_is_not_printed() -> None:
    with pytest.raises(TypeError, match="Answer has no view"):
        encoded({"answer": ANSWER})
