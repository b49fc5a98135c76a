"""Raised digits: exponents must match, footnote marks join no number."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import Verdict
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import RAISED_DIGITS, copied, note_chars, plain, skeleton
from tests.support.paper import paper
from tests.support.raised_digits import FALSE, HONEST, Variant

TEXT = (
    "Die Stadt will ihre Brücken erneuern und stellt dafür jedes Jahr Mittel bereit, damit alle Wege sicher "
    "bleiben und niemand lange warten muss, auch wenn die Arbeiten mehr Zeit brauchen als geplant."
)
WORDS = TEXT.split()


def verdict(variant: Variant) -> Verdict:
    return align(variant.claim, DocumentIndex(paper(variant.source))).verdict


@pytest.mark.parametrize("kind", list(FALSE))
@given(seed=st.integers(0, 2**32))
def test_falsified_digits_do_not_verify(kind: str, seed: int) -> None:
    found = verdict(FALSE[kind](random.Random(seed), WORDS))
    assert found not in (Verdict.VERBATIM, Verdict.TYPO, Verdict.NEAR)


@pytest.mark.parametrize("kind", list(HONEST))
@given(seed=st.integers(0, 2**32))
def test_digits_typed_in_another_way_do(kind: str, seed: int) -> None:
    assert verdict(HONEST[kind](random.Random(seed), WORDS)) is Verdict.VERBATIM


TOKENS = st.text(alphabet=f"{RAISED_DIGITS}0123456789mkxCOa₂½/⁄⁻⁽⁾ᵃ.,;)%§")


@given(TOKENS, TOKENS)
def test_words_may_be_taken_one_by_one(one: str, other: str) -> None:
    assert plain(f"{one} {other}") == f"{plain(one)} {plain(other)}"


def _is_plain(token: str) -> bool:
    """A mark right behind a unit's exponent ("m²²⁰"), or behind an exponent and a sign ("0⁻²⁻⁰"), can be read
    in more than one way."""
    raised = f"[{RAISED_DIGITS}]"
    return re.search(f"m[²³][⁻⁺]?{raised}|{raised}[⁻⁺]{raised}", token) is None


@given(TOKENS.filter(_is_plain))
def test_marks_are_at_the_end_and_a_copy_never_joins_a_number(token: str) -> None:
    assert 0 <= note_chars(token) <= len(plain(token))
    before = skeleton(token)
    joined = skeleton(copied(token))
    assert joined.startswith(before)
    assert joined == before or not any(map(str.isnumeric, before))
