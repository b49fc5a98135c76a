"""Alarms and dashboard ask for what a running bot really exports, with labels that it really has."""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import promql_parser as promql
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from core.domain.answers import Outcome, Rejected
from core.domain.ingestion import CheckResult, SourceState
from core.domain.records import RecordTexts
from core.errors import Unavailable
from tests.support.chat_harness import eventually
from tests.support.dashboard_picture import DASHBOARD, PICTURE, picture
from tests.support.fake_platform import FakePlatform
from tests.support.journal_examples import cited
from tests.support.refreshing import id_of, listed
from tests.support.repository import ROOT
from tests.support.world import NOW, populated

RULES = ROOT / "deploy" / "prometheus" / "fundstelle.rules.yml"
OF_PROMETHEUS: dict[str, dict[str, set[str]]] = {"up": {}}
SCRAPED = {"job", "instance", "le"}


@pytest.fixture(scope="module")
def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def alarms() -> list[dict[str, Any]]:
    groups = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


@pytest.fixture
async def exported(tmp_path: Path) -> Mapping[str, Mapping[str, set[str]]]:
    """By the names of samples, the labels with their values, of a bot in which everything has happened."""
    world, platform = await populated(), FakePlatform()
    url = "https://example.org/a.pdf"
    registry = await world.library.registry()
    await world.library.save_registry(replace(registry, documents=(listed(url, title="A"),)))
    await world.sources.save_source(
        SourceState(document=id_of(url), result=CheckResult.FAILED, checked_at=NOW)
    )
    app = world.use(world.app.settings.model_copy(update={"open": True, "data": tmp_path}))
    app.platforms = {"telegram": platform}
    serving = asyncio.create_task(app.delivery.run())
    await platform.say("Was sagt die Uferpartei zum Mindestlohn?")

    async def answered() -> bool:
        return bool(platform.texts())

    await eventually(answered)
    rejected = (Rejected(what="quote", text="x", why="absent"),)
    silent = replace(cited("t2", "v"), outcome=Outcome.NO_EVIDENCE, notices=("notice.model_unavailable",))
    app.metrics.answered(replace(silent, texts=RecordTexts(question="x", rejected=rejected)))
    app.metrics.model_called("openai/x", Unavailable("model.timeout", "x"), 1.0)
    app.metrics.refused("limit.user")
    app.metrics.lag.observe(0.0)
    app.metrics._tokens.labels("openai/x", "prompt").inc()
    text = (await app.measures.exposition()).decode()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    found: dict[str, dict[str, set[str]]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = found.setdefault(sample.name, {})
            for name, value in sample.labels.items():
                labels.setdefault(name, set()).add(value)
    return found


def selectors(expression: Any) -> Iterator[Any]:
    """The metrics that an expression selects."""
    if isinstance(expression, promql.VectorSelector):
        yield expression
    elif isinstance(expression, promql.MatrixSelector):
        yield expression.vector_selector
    for name in ("lhs", "rhs", "expr"):
        if hasattr(expression, name):
            yield from selectors(getattr(expression, name))
    for argument in getattr(expression, "args", ()):
        yield from selectors(argument)


def grouped(text: str) -> set[str]:
    return {name.strip() for found in re.findall(r"by \(([^)]*)\)", text) for name in found.split(",")}


def check(text: str, words: str, exported: Mapping[str, Mapping[str, set[str]]]) -> None:
    """What `text` selects and what `words` name are there."""
    chosen = list(selectors(promql.parse(text)))
    assert chosen, text
    labels = set(SCRAPED)
    for selector in chosen:
        known = exported.get(selector.name, OF_PROMETHEUS.get(selector.name))
        assert known is not None, f"{selector.name} is not exported"
        matched = {matcher.name for matcher in selector.matchers.matchers}
        assert matched <= set(known) | SCRAPED, text
        for matcher in selector.matchers.matchers:
            if matcher.name not in SCRAPED:
                wanted = set(matcher.value.split("|"))
                assert wanted <= known[matcher.name], f"{selector.name} has no {matcher.name} {wanted}"
        labels |= set(known)
    named = set(re.findall(r"\$labels\.(\w+)", words)) | set(re.findall(r"{{(\w+)}}", words))
    assert grouped(text) | named <= labels, text


async def test_alarms_select_what_is_exported(
    alarms: list[dict[str, Any]], exported: Mapping[str, Mapping[str, set[str]]]
) -> None:
    assert len({rule["alert"] for rule in alarms}) == len(alarms) > 15
    for rule in alarms:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "todo"}
        check(rule["expr"], rule["annotations"]["summary"], exported)


async def test_panels_select_what_is_exported(
    dashboard: dict[str, Any], exported: Mapping[str, Mapping[str, set[str]]]
) -> None:
    for panel in dashboard["panels"]:
        assert panel["targets"]
        for target in panel["targets"]:
            check(target["expr"], target["legendFormat"], exported)


def test_the_first_row_says_whether_all_is_well(dashboard: dict[str, Any]) -> None:
    """No more values than are read at a glance, and each is coloured."""
    first = [panel for panel in dashboard["panels"] if panel["gridPos"]["y"] == 0]
    assert {panel["type"] for panel in first} == {"stat"}
    assert len(first) <= 8
    for panel in first:
        assert len(panel["fieldConfig"]["defaults"]["thresholds"]["steps"]) > 1


def test_no_panel_covers_another(dashboard: dict[str, Any]) -> None:
    cells = [
        (column, row)
        for panel in dashboard["panels"]
        for column in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for row in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(set(cells)) == len(cells)
    assert max(column for column, _ in cells) < 24


def test_the_picture_is_that_of_the_dashboard(dashboard: dict[str, Any]) -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(dashboard)
