"""Falsified quotes never pass, honest ones always do. The generators know nothing of the guards' lists."""

import random
from functools import cache

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.domain.answers import Verdict
from core.evidence.alignment import align
from core.evidence.figures import figures
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from tests.support.mark_variants import honest_marks, marked
from tests.support.paper import paper
from tests.support.quote_variants import falsifiers, honest

TEXTS = {
    "de": """Die Grünen und die SPD wollen in Bayern bis 2030 mindestens 25 % der landwirtschaftlichen Flächen
ökologisch bewirtschaften und dafür jährlich 1,5 Milliarden Euro bereitstellen. Niemand soll wegen
einer unverschuldeten Kündigung seine Wohnung verlieren. Kein Kind darf ohne eine warme Mahlzeit
nach Hause gehen, und alle Eltern müssen sich auf verlässliche Öffnungszeiten verlassen können. Wir
werden die Zahl der offiziell geförderten Plätze in zwölf Monaten verdoppeln, nicht erst in fünf
Jahren. Viele Betriebe im Norden und in Sachsen-Anhalt finden keine Auszubildenden mehr; deshalb
sollen Berufsschulen – auch kleine – erhalten bleiben. Die Bundesregierung hat das Problem lange
nicht ernst genommen. Einige Länder haben reagiert, andere noch nicht.""",
    "en": """Every promoter shall register the project with the Authority within sixty days of the
commencement
of this Act, and no promoter may advertise or sell any apartment without such registration. The
Authority in Gujarat must decide within 30 days; if it fails to do so, the project is deemed to be
registered. An allottee is entitled to a refund of all amounts paid, with interest at 10.5 % per
annum, unless the delay was caused by force majeure. The Government of India cannot waive any
penalty above Rs. 50,000 that the Tribunal has imposed. Some rules never apply to projects of fewer
than eight units, but several duties – including those on disclosure – always do. Nothing in this
chapter should be read as limiting the office of the Court; its findings are final and not open to
appeal.""",
}


@cache
def index(language: str) -> DocumentIndex:
    words = TEXTS[language].split()
    half = len(words) // 2
    lines = [
        " ".join(part[i : i + 11]) for part in (words[:half], words[half:]) for i in range(0, half + 1, 11)
    ]
    pages = "\n".join(lines[: len(lines) // 2]), "\n".join(lines[len(lines) // 2 :])
    return DocumentIndex(paper(*pages))


def drawn(chance: random.Random, language: str) -> list[str]:
    words = TEXTS[language].split()
    length = chance.randint(15, 60)
    at = chance.randrange(len(words) - length)
    end = at + length + (words[at + length] == "%")  # a number without its sign is another one
    return words[at:end]


@pytest.mark.parametrize("language", list(TEXTS))
@pytest.mark.parametrize("kind", list(falsifiers("de")))
@given(seed=st.integers(0, 2**32))
def test_falsified_quotes_are_never_verbatim_nor_a_typo(language: str, kind: str, seed: int) -> None:
    chance = random.Random(seed)
    words = drawn(chance, language)
    false = falsifiers(language)[kind](chance, words, drawn(chance, language))
    assume(false is not None)
    text = " ".join(false)
    source = " ".join(TEXTS[language].split())
    figured = f" {' '.join(figures(source))} ".count(f" {' '.join(figures(text))} ".replace("  ", " "))
    assume(skeleton(text) not in skeleton(source) or not figured)
    assert align(text, index(language)).verdict not in (Verdict.VERBATIM, Verdict.TYPO)


@pytest.mark.parametrize("language", list(TEXTS))
@given(seed=st.integers(0, 2**32))
def test_honest_variants_are_verbatim_and_show_the_source(language: str, seed: int) -> None:
    chance = random.Random(seed)
    words = drawn(chance, language)
    kind, text = honest(chance, words)
    found = align(text, index(language))
    if kind == "ellipsis":  # one that hides a negation nearby is refused
        assume(found.verdict is Verdict.VERBATIM)
        return
    assert found.verdict is Verdict.VERBATIM
    assert found.quote is not None
    assert found.quote.text.strip("– ") == " ".join(words).strip("– ")


@given(st.text(max_size=200), st.text(max_size=400))
def test_any_text_gets_a_verdict_and_verbatim_means_the_same_letters(quote: str, source: str) -> None:
    found = align(quote, DocumentIndex(paper(source)))
    assert found.verdict in set(Verdict) - {Verdict.MISATTRIBUTED}
    assert 0.0 <= found.coverage <= 1.0
    if found.verdict is Verdict.VERBATIM and "..." not in quote and "…" not in quote:
        assert found.quote is not None
        assert skeleton(found.quote.text) == skeleton(quote)


@example("Das kostet im Jahr 10\n000 Euro mehr.")
@given(st.text(min_size=20, max_size=300, alphabet="abcdeäß -\n.,12%€"))
def test_a_page_quotes_itself(source: str) -> None:
    pages = paper(source)
    text = pages[0].text
    assume(len(skeleton(text)) >= 20)
    assert align(text, DocumentIndex(pages)).verdict is Verdict.VERBATIM


@pytest.mark.parametrize("language", list(TEXTS))
@pytest.mark.parametrize("kind", list(marked()))
@given(seed=st.integers(0, 2**32))
def test_other_symbols_and_stops_are_altered(language: str, kind: str, seed: int) -> None:
    chance = random.Random(seed)
    made = marked()[kind](chance, drawn(chance, language))
    assume(made is not None)
    source, false = map(" ".join, made)
    document = DocumentIndex(paper(source))
    assert align(source, document).verdict is Verdict.VERBATIM
    found = align(false, document)
    assert found.verdict is Verdict.ALTERED
    assert found.differences


@pytest.mark.parametrize("language", list(TEXTS))
@given(seed=st.integers(0, 2**32))
def test_marks_that_say_the_same_are_verbatim(language: str, seed: int) -> None:
    chance = random.Random(seed)
    _, text = honest_marks(chance, drawn(chance, language))
    assert align(text, index(language)).verdict is Verdict.VERBATIM
