"""The regression gate: the example library's questions through the public command, against stored floors."""

import json
import tomllib
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from tests.scenario.conftest import run
from tests.support.scripted_answers import Mode
from tests.support.scripted_model import ScriptedModel

pytestmark = [pytest.mark.timeout(300), pytest.mark.thorough]

FLOORS = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "evaluation_floors.toml").read_text(encoding="utf-8")
)
HABITS = (
    Mode.PROPER,
    Mode.WRONG_LABELS,
    Mode.UNKNOWN_LABELS,
    Mode.PROPER,
    Mode.INVENTED_QUOTES,
    Mode.INVENTED_QUOTES,
    Mode.INVENTED_QUOTES,
    Mode.ALTERED_QUOTES,
    Mode.ALTERED_CLAIMS,
    Mode.PROPER,
    Mode.NO_ANSWER,
    Mode.OBEY,
    Mode.ECHO,
)
"""Of the scripted model, in turns: most of them bad."""


@pytest.fixture
def some(manifest: Path, tmp_path: Path) -> Any:
    """Every n-th question of the set, as a set of its own; `party`: of those about a party."""

    def choose(step: int, *, party: bool = False) -> Path:
        lines = manifest.with_name("questions.jsonl").read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if json.loads(line)["party"] or not party]
        file = tmp_path / "some.jsonl"
        file.write_text("\n".join(kept[::step]), encoding="utf-8")
        return file

    return choose


def evaluated(data: Path, questions: Path, *arguments: str) -> dict[str, Any]:
    status, out, err = run(data, "evaluate", str(questions), "--json", *arguments)
    assert status == 0, err
    result: dict[str, Any] = json.loads(out)
    return result


def below(result: dict[str, Any], *groups: str) -> dict[str, tuple[float, float]]:
    """Rates under their floors, with the floor."""
    found = {**result["search"], **result["answers"], **result.get("symmetry", {})}
    wanted = {name: floor for group in groups for name, floor in FLOORS[group].items()}
    return {
        name: (found[name]["value"], floor) for name, floor in wanted.items() if found[name]["value"] < floor
    }


def above(result: dict[str, Any]) -> dict[str, int]:
    """What never happens, and happened."""
    found = {name: result["answers"][name]["hits"] for name in FLOORS["never"]}
    return {name: hits for name, hits in found.items() if hits > FLOORS["never"][name]}


def test_quotes_reach_the_floors(data, manifest, tmp_path):
    report = tmp_path / "report.html"
    result = evaluated(data, manifest.with_name("questions.jsonl"), "--report", str(report))
    assert result["questions"] == len(result["rows"]) >= 40
    assert result["answers"]["quote_exact"]["of"] >= 40
    assert below(result, "search", "answers", "always") == {}
    assert above(result) == {}
    assert "<svg" in report.read_text(encoding="utf-8")


def test_parties_are_treated_alike(data, some):
    result = evaluated(data, some(5, party=True), "--symmetry")
    symmetry = result["symmetry"]
    assert symmetry["questions"] >= 4
    assert below(result, "symmetry") == {}, symmetry["departures"]
    assert symmetry["departures"] == []
    assert {each["party"] for each in symmetry["parties"]} == {
        "Bund der Windmüller",
        "Lighthouse List",
        "Uferpartei",
    }


def test_few_quotes_leave_nobody_out_of_a_comparison(data, monkeypatch):
    monkeypatch.setenv("FUNDSTELLE_ANSWER__CITATIONS", "1")
    question = "Wann wollen Lighthouse List, Bund der Windmüller und Uferpartei klimaneutral sein?"
    status, out, _ = run(data, "ask", question, "--json")
    quoted = [citation["document"]["parties"] for citation in json.loads(out)["citations"]]
    assert status == 0
    assert quoted == [["Uferpartei"], ["Bund der Windmüller"], ["Lighthouse List"]]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_parties_are_treated_alike_in_every_question(data, some):
    symmetry = evaluated(data, some(1, party=True), "--symmetry")["symmetry"]
    assert symmetry["questions"] >= 20
    assert symmetry["departures"] == []


def test_a_model_of_bad_habits_shows_nothing_unproven(data, some):
    with ScriptedModel() as server:
        server.script(*islice(cycle(HABITS), 500))
        model = f"llm.model=openai/scripted,llm.api_base={server.url},llm.api_key=sk-canary"
        prices = "llm.usd_per_million_prompt=1,llm.usd_per_million_completion=2"
        result = evaluated(
            data, some(6), "--variant", "extractive", "--variant", f"scripted:answerer=llm,{model},{prices}"
        )
        assert server.requests
    quotes, written = result["variants"]
    assert [each["name"] for each in result["variants"]] == ["extractive", "scripted"]
    assert "canary" not in json.dumps(result)
    assert quotes["search"]["hit@5"] == written["search"]["hit@5"]
    assert quotes["usage"]["asked"] == 0
    assert written["usage"]["asked"] > 3
    assert written["usage"]["usd"] > 0
    assert 0 < written["answers"]["fallback"]["hits"] < written["answers"]["fallback"]["of"]
    for each in (quotes, written):
        assert below(each, "always") == {}
        assert above(each) == {}


@pytest.mark.parametrize("variant", ["x:answer.citation=2", "x:answer.citations=none", ":", "x:answerer=me"])
def test_what_is_no_variant_is_told_before_anything_is_asked(data, some, variant):
    status, out, err = run(data, "evaluate", str(some(20)), "--variant", variant, "--json")
    assert status == 2
    assert json.loads(out)["error"]["code"] == "variant.invalid"
    assert "--variant" in err


def test_a_model_that_is_not_configured_is_told(data, some):
    status, out, _ = run(data, "evaluate", str(some(20)), "--variant", "llm", "--json")
    assert status == 2
    assert json.loads(out)["error"]["code"] == "answerer.no_model"
