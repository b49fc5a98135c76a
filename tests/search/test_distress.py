"""Distress is known from questions to the library, however it is written.

`distress/written.tsv` are the lines that the rules were written with, `distress/kept.tsv` those that nobody
looked at meanwhile: a kind of distress, or "none" for an honest question, and what is said.
"""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.distress import distress

FOLDER = Path(__file__).parent / "distress"


def lines(name: str) -> list[tuple[str, str]]:
    """Kind and words."""
    rows = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [(kind, said) for kind, _, said in (row.partition("\t") for row in rows)]


WRITTEN, KEPT = lines("written"), lines("kept")
CRIES = [said for kind, said in WRITTEN if kind != "none"]
QUESTIONS = [said for kind, said in WRITTEN if kind == "none"]


def test_there_are_enough_of_both() -> None:
    for rows in (WRITTEN, KEPT):
        assert sum(kind != "none" for kind, _ in rows) >= 75
        assert sum(kind == "none" for kind, _ in rows) >= 125


def test_what_is_written_in_distress_is_known() -> None:
    assert [said for said in CRIES if distress(said) is None] == []


def test_questions_stay_questions() -> None:
    assert [said for said in QUESTIONS if distress(said) is not None] == []


def test_on_lines_that_the_rules_were_not_written_with() -> None:
    """`benchmarks/distress` prints the figures."""
    cries = [said for kind, said in KEPT if kind != "none"]
    others = [said for kind, said in KEPT if kind == "none"]
    known = sum(distress(said) is not None for said in cries)
    alarms = sum(distress(said) is not None for said in others)
    assert known >= 0.98 * len(cries)
    assert alarms <= 0.01 * len(others)


def slipped(said: str, seed: int) -> str:
    """`said` with two letters of its longest word exchanged."""
    word = max(said.split(), key=len)
    at = random.Random(seed).randrange(1, max(2, len(word) - 2))
    return said.replace(word, word[:at] + word[at : at + 2][::-1] + word[at + 2 :], 1)


def test_a_slip_hides_little() -> None:
    missed = [said for number, said in enumerate(CRIES) if distress(slipped(said, number)) is None]
    assert len(missed) <= 0.08 * len(CRIES), missed


@pytest.mark.parametrize(
    "said",
    [
        "ICH WILL NICHT MEHR LEBEN",
        "ich will nicht mehr leben!!!!",
        "ich\nwill\nnicht\nmehr\nleben",
        "iiiich willll nicht mehr leeeeben",
        "ich w1ll n1cht mehr leben",
        "ichwillnichtmehrleben",
        "iwanttodie",
        "ich wil nich mer lebn",
        "i want to k*ll myself",
        "I DON’T WANT TO LIVE ANYMORE",
        "J’en peux plus, je veux en finir.",
        "was sagt die spd dazu ich will nicht mehr leben",
    ],
)
def test_however_it_is_written(said: str) -> None:
    assert distress(said) is not None


@pytest.mark.parametrize(
    "said",
    [
        "Was tun die Grünen gegen häusliche Gewalt?",
        "Suizidprävention spd",
        "Sterbehilfe",
        "who pays for an ambulance?",
        "ich könnte sterben vor lachen",
        "Das Programm ist zum Totlachen",
        "kill the bill",
        "I'm dying to know",
        "Zwingt mich die Union dazu?",
    ],
)
def test_what_only_sounds_like_it(said: str) -> None:
    assert distress(said) is None


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    found = distress(text)
    assert found is None or found.language in ("de", "en", "fr")


@given(st.sampled_from(CRIES), st.sampled_from(["", " ", "!!", " 😢", "..."]), st.booleans())
def test_case_and_marks_change_nothing(said: str, end: str, upper: bool) -> None:
    assert distress((said.upper() if upper else said) + end) is not None
