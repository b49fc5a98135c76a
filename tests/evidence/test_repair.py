"""Slips of the pen: recognised where they make no other word, found in the tightest window."""

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import Verdict
from core.evidence.alignment import Alignment, align
from core.evidence.dictionary import is_misspelling, languages, makes_a_word
from core.evidence.index import DocumentIndex
from core.evidence.quoted import Patience
from core.evidence.repair import tightest
from tests.evidence.test_falsification import TEXTS, drawn, index
from tests.support.growth import MOST, growth
from tests.support.misspelling import misspelt
from tests.support.paper import paper


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("vermieten", "verbieten"),
        ("entlassen", "entlasten"),
        ("erheben", "erhöhen"),
        ("protested", "protected"),
        ("deterred", "deferred"),
        ("adapted", "adopted"),
        ("kleinem", "kleinen"),
        ("unsrer", "unserer"),
        ("neoliberales", "neoliberale"),
        ("einesfalls", "keinesfalls"),
        ("night", "nicht"),
        ("iedrig", "niedrig"),
        ("sechzig", "sechzehn"),
        ("unverlässliche", "verlässliche"),
        ("stadtmeilen", "stadtteilen"),
    ],
)
def test_other_words_are_no_slips(claimed: str, source: str) -> None:
    assert not is_misspelling(claimed, source)


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("verbiten", "verbieten"),
        ("vebrieten", "verbieten"),
        ("wohnugen", "wohnungen"),
        ("strae", "strasse"),
        ("protcted", "protected"),
        ("sahll", "shall"),
        ("grundewerbsteuer", "grunderwerbsteuer"),
        ("nihct", "nicht"),
    ],
)
def test_slips_in_words_of_the_language(claimed: str, source: str) -> None:
    assert is_misspelling(claimed, source)


def test_german_compounds_are_words() -> None:
    assert languages("schulhofbegrünung") == {"de"}
    assert makes_a_word("schulhofbegründung", "schulhofbegrünung")
    assert languages("x" * 10_000) == frozenset()


@pytest.mark.parametrize("language", list(TEXTS))
@given(seed=st.integers(0, 2**32))
def test_a_genuine_slip_is_a_typo_with_that_word_as_its_only_difference(language: str, seed: int) -> None:
    chance = random.Random(seed)
    words = drawn(chance, language)
    made = misspelt(chance, words, language, index(language).vocabulary.plain)
    if made is None:
        return
    found = align(" ".join(made[1]), index(language))
    assert found.verdict in (Verdict.TYPO, Verdict.NEAR, Verdict.ALTERED)
    wrong = [(one, other) for one, other in zip(made[1], words, strict=True) if one != other]
    assert [(d.claimed, d.source) for d in found.differences] == wrong


def check(quote: str, text: str) -> Alignment:
    return align(quote, DocumentIndex(paper(text)))


def test_the_window_starts_at_the_right_of_equal_words() -> None:
    text = "Die Wege sind lang. Die Straßen sind nass. Die Brücken tragen schwere Lasten und die Boote auch."
    found = check("Die Brücken tragen schwre Lasten und die Boote", text)
    assert found.verdict is Verdict.TYPO
    assert [(d.claimed, d.source) for d in found.differences] == [("schwre", "schwere")]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Eine Fährgebühr wird es mit uns geben.", "Eine Fährgebühr wird es mit uns nicht geben."),
        ("There will be a new ferry toll with us.", "There will be a new ferry toll never with us."),
        ("Un nouveau péage existera chez nous", "Un nouveau péage existera jamais chez nous"),
        ("Wir erheben eine neue Fährgebühr.", "Wir nicht erheben eine neue Fährgebühr."),
        ("geben wird es eine Fährgebühr bei uns", "geben nie wird es eine Fährgebühr bei uns"),
    ],
)
def test_a_word_added_beside_the_edge_leaves_the_edge_as_it_is(quote: str, text: str) -> None:
    """The shorter window would end in the added word, and the quote's own last word would differ from it."""
    found = check(quote, f"Heute fährt sie. {text} Morgen fährt sie auch.")
    assert found.verdict is Verdict.ALTERED
    assert found.quote is not None
    assert found.quote.text.strip(".") == text.strip(".")
    assert [d.claimed for d in found.differences] == [""]


def test_a_slip_beside_a_word_cut_at_the_line_end() -> None:
    text = "Wir bauen neue Radwege in allen Bezir-\nken und sanieren danach alte Brücken im gan-\nzen Land."
    assert check("neue Radwege in allen Bezir- ken und snaieren danach", text).verdict is Verdict.TYPO
    assert check("ken und snaieren danach alte Brücken im", text).verdict is Verdict.TYPO
    assert check("und snaieren danach alte Brücken im gan-", text).verdict is Verdict.TYPO
    denied = "Der Eingriff ist un-\nzulässig und wird deshalb streng bestraft."
    assert check("zulässig und wird deshalb strneg bestraft", denied).verdict is Verdict.ALTERED


def test_a_slip_does_not_hide_a_moved_stop() -> None:
    text = "Die Grunderwerbsteuer erhöhen wir nicht. Der Antrag wird heute gestellt."
    assert check("Die Grunderwerbsteuer erhöhen wir nicht. Der Atnrag wird", text).verdict is Verdict.TYPO
    assert check("Die Grunderwerbsteuer erhöhen wir. Nicht der Atnrag wird", text).verdict is Verdict.ALTERED


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


@given(WORDS, WORDS)
def test_the_tightest_window_has_fewest_edits(pattern: list[str], text: list[str]) -> None:
    start, end = tightest(pattern, text, Patience(math.inf))
    least = min(_edits(pattern, text[a:b]) for a in range(len(text) + 1) for b in range(a, len(text) + 1))
    assert _edits(pattern, text[start:end]) == least
    assert _edits(pattern, text[start + 1 : end]) > least or start == end


def _edits(one: list[str], other: list[str]) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1]


@pytest.mark.parametrize(
    "hostile",
    [
        lambda n: "die der " * (n // 8),
        lambda n: ("die " * 40 + "x ") * (n // 162),
        lambda n: "x" * n,
        lambda n: "verbiete" * (n // 8),
        lambda n: ". , ? ✓ ! " * (n // 10) + "Bezirke und Gemeinden der Republik",
        lambda n: "a.b,c?" * (n // 6),
        lambda n: " ".join(f"wort{i % 7}" for i in range(n // 6)),
        lambda n: "- " * (n // 2) + "Bezirke und Gemeinden der Republik",
    ],
)
def test_hostile_quotes_take_time_in_proportion(hostile: Callable[[int], str]) -> None:
    document = DocumentIndex(paper("\n\n".join(["die der x wort1 wort2 verbieten a b c " * 30] * 20)))
    document.body, document.vocabulary  # noqa: B018 - built before the clock starts
    assert growth(lambda length: align(hostile(length), document), 1250) < MOST
