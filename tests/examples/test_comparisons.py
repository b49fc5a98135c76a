"""compare and motion on the example library, with the real encoders."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.root import app
from examples.build import build

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PARTIES = ["Lighthouse List", "Freie Drachenflieger", "Bund der Windmüller", "Uferpartei", "Hafenbündnis"]
ORDER = ["Uferpartei", "Bund der Windmüller", "Lighthouse List", "Freie Drachenflieger", "Hafenbündnis"]
TOPICS = ["Mindestlohn", "Was ist mit den Mieten geplant?", "What do they say about asylum?"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., dict]:
    folder = tmp_path_factory.mktemp("compare")
    manifest = build(folder / "library")

    def runs(*arguments: str) -> dict:
        done = CliRunner().invoke(app, [*arguments, "--data", str(folder / "data"), "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    runs("ingest", "--manifest", str(manifest))
    return runs


def compared(run: Callable[..., dict], topic: str, parties: list[str], out: Path | None = None) -> dict:
    options = [part for name in parties for part in ("--party", name)]
    return run("compare", topic, *options, *(["--out", str(out)] if out else []))


@pytest.mark.parametrize("topic", TOPICS)
def test_every_party_has_its_row_in_any_order(run, topic):
    one, two = (compared(run, topic, order)["rows"] for order in (PARTIES, PARTIES[::-1]))
    assert [row["party"] for row in one] == ORDER
    assert one == two
    assert [row["status"] for row in one if row["party"] == "Freie Drachenflieger"] == ["no_source"]
    assert all(len(row["citations"]) <= 2 for row in one)


def test_quotes_come_with_marked_pages_and_a_table(run, tmp_path):
    found = compared(run, "Mindestlohn", PARTIES, tmp_path)
    citations = [citation for row in found["rows"] for citation in row["citations"]]
    assert citations
    assert all(citation["highlight_checked"] for citation in citations)
    assert Path(found["table"]).stat().st_size < 200_000


def test_a_motion_is_met_by_movers_and_government(run):
    text = "1. Der Mindestlohn steigt auf 15 Taler.\n2. Die Mieten werden für drei Jahre eingefroren."
    found = run("motion", text, "--jurisdiction", "xv", "--mover", "Windmüller", "--mover", "Drachenflieger")
    assert [(row["party"], row["governing"]) for row in found["rows"]] == [
        ("Uferpartei", True),
        ("Bund der Windmüller", False),
        ("Lighthouse List", True),
        ("Freie Drachenflieger", False),
    ]
    assert found["rows"][3]["relatedness"] is None
    assert all(row["relatedness"] > 0.2 for row in found["rows"][:2])
    words = " ".join(citation["quote"] for citation in found["rows"][0]["citations"])
    assert "Mindestlohn" in words
