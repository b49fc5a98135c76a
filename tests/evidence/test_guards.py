import pytest

from core.evidence.guards import differ_by_affix, is_guarded, is_negation, word_lists
from core.language.languages import tags


@pytest.mark.parametrize(
    "word",
    [
        "nicht",
        "Haus",
        "25",
        "CO2",
        "muss",
        "alle",
        "zwölfjährige",
        "shall",
        "only",
        "dreißig",
        "don't",
        "twenty-one",
        "nicht-öffentlich",
        "spätestens",
        "anderthalb",
    ],
)
def test_guarded(word: str) -> None:
    assert is_guarded(word)


@pytest.mark.parametrize("word", ["verlässliche", "erfordern", "bleiben", "building", "gerechte", "weight"])
def test_not_guarded(word: str) -> None:
    assert not is_guarded(word)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("zulässig", "unzulässig"),
        ("zunehmen", "abnehmen"),
        ("helpful", "helpless"),
        ("increase", "decrease"),
        ("legal", "illegal"),
        ("kostenlos", "kosten"),
    ],
)
def test_affixes_turn_a_word_round(one: str, other: str) -> None:
    assert differ_by_affix(one, other)
    assert differ_by_affix(other, one)


def test_other_words_do_not_differ_by_an_affix() -> None:
    assert not differ_by_affix("gerechte", "verlässliche")
    assert not differ_by_affix("gerechte", "gerechte")


def test_every_language_has_its_lists_and_unknown_ones_get_all() -> None:
    for code in tags():
        lists = word_lists(code)
        assert all((lists.negations, lists.guarded, lists.prefixes, lists.values, lists.scales, lists.units))
        assert len(lists.months) >= 12
    assert word_lists("xx") == word_lists(*tags())
    assert is_negation("nicht")
    assert is_negation("not")
    assert "not" not in word_lists("de").negations
