"""Struck, covered and other people's words are never quoted as valid; what looks like them still is."""

import pytest

from benchmarks.valid_words import Item, items, outcome
from core.domain.answers import Verdict


def _one_of_each() -> list[Item]:
    """The first item of every form and class in every language."""
    found: dict[tuple[str, str, str, str], Item] = {}
    for item in items():
        found.setdefault((item.group, item.form, item.template, item.language), item)
    return list(found.values())


ITEMS = _one_of_each()
VALID = (Verdict.VERBATIM, Verdict.TYPO, Verdict.NEAR)


@pytest.mark.parametrize("item", [each for each in ITEMS if not each.valid], ids=lambda item: item.name)
def test_what_is_not_valid_is_not_quoted(item: Item) -> None:
    verdict, quotable = outcome(item)
    assert not quotable
    if item.group == "covered":
        assert verdict not in VALID
    elif item.group == "struck":
        assert verdict is Verdict.STRUCK
    else:
        assert verdict in (Verdict.REPORTED, Verdict.CUT)


@pytest.mark.parametrize("item", [each for each in ITEMS if each.valid], ids=lambda item: item.name)
def test_what_is_valid_is_quoted(item: Item) -> None:
    verdict, quotable = outcome(item)
    assert verdict is Verdict.VERBATIM
    assert quotable
