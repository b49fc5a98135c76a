"""A language that is files and no code: French questions on a French document, through the command line."""

import json

import pytest

from bot.presentation.i18n import Texts
from examples.build import FRENCH
from tests.scenario.conftest import run

pytestmark = [pytest.mark.timeout(300), pytest.mark.thorough]

PLACE = ("--jurisdiction", "xv-va")


def test_french_questions_are_answered_with_the_right_quotes(data, manifest):
    status, out, err = run(data, "evaluate", str(manifest.with_name(FRENCH)), "--json")
    assert status == 0, err
    found = json.loads(out)
    rates = {**found["search"], **found["answers"]}
    assert found["questions"] == 30
    assert rates["quote_exact"]["value"] == 1.0
    assert rates["answered_rightly"]["value"] >= 0.85
    assert rates["quote_recall"]["value"] >= 0.75


def test_an_answer_in_french_speaks_french(data):
    status, out, _ = run(data, "ask", "Quel est le loyer annuel d'une parcelle de jardin ?", *PLACE)
    assert status == 0
    assert "quarante-huit thalers par an" in out
    assert "«\N{NO-BREAK SPACE}" in out
    assert Texts("fr")("answer.disclaimer") in out


@pytest.mark.parametrize(
    ("quote", "verdicts"),
    [
        ("Le loyer n'augmente pas avant 2029.", {"verbatim"}),
        ("Les piscines sont permises dans tous les jardins depuis 2021.", {"altered", "absent"}),
        ("Le loyer augmente avant 2029.", {"altered", "absent"}),
        ("Les pesticides de synthèse sont permis dans tous les jardins depuis 2021.", {"altered"}),
        ("On peut tenir jusqu'à huit poules par parcelle, mais pas de coq.", {"altered"}),
        ("l'Office peut interdire l'arrosage pendant quatorze jours au plus", {"cut"}),
        ("Les enfants de moins de quatorze ans ne peuvent pas tenir un étal", {"cut"}),
    ],
)
def test_french_quotes_are_guarded(data, quote, verdicts):
    _, out, _ = run(data, "verify", quote, *PLACE, "--json")
    assert json.loads(out)["verdict"] in verdicts
