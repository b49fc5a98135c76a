"""List signs are no text: neither of passages nor of quotes nor under marks. Signs that say something are."""

import random
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.domain.answers import Verdict
from core.domain.documents import DocumentType
from core.domain.pages import Box, Page, Region, RegionKind
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex
from core.evidence.marks import marks
from core.evidence.skeleton import BULLETS, without_private
from core.library.chunking.chunker import chunk
from core.library.furniture import mark_furniture
from tests.support.asides import COPYISTS, stretches, text_of
from tests.support.typesetting import Set, count_words, page

SIGNS = [*"•■▪●►➔✔✓☐❖◦on-*", "\uf0b7", "\uf0a7", "··", "\u2013"]


def listed(sign: str, *, number: int = 1) -> Page:
    """A page of items with hanging signs, line numbers on its left."""
    texts = [
        ("Wir wollen mehr Geld für Schulen", "ausgeben und neue Lehrer einstellen"),
        ("Jedes Kind soll kein kaltes Essen", "in der Schule bekommen, sondern warmes"),
        ("Die Bäder bleiben offen und werden", "in den nächsten vier Jahren erneuert"),
    ]
    lines, y = [Set("Das haben wir vor und dafür treten wir ein:", 60, 180)], 194
    for first, second in texts:
        lines += [Set(sign, 60, y), Set(first, 75, y), Set(second, 75, y + 14)]
        y += 28
    numbers = [Set(str(n), 30, 180 + 14 * (n - 1), block=9) for n in range(1, 8)]
    return page(number, [*lines, *numbers])


@pytest.mark.parametrize("sign", SIGNS)
def test_signs_of_lists_are_no_text(sign: str) -> None:
    pages = mark_furniture([listed(sign, number=1), listed(sign, number=2)])
    for marked in pages:
        assert [word.text for word in marked.words if word.bullet] == [sign] * 3
    passages = chunk(
        pages, doc_type=DocumentType.MANIFESTO, language="de", title="Programm", count_tokens=count_words
    ).passages
    assert all(sign not in passage.text.split() for passage in passages)
    assert any("Wir wollen mehr Geld für Schulen ausgeben" in passage.text for passage in passages)


@pytest.mark.parametrize("kind", list(COPYISTS))
@pytest.mark.parametrize("sign", SIGNS)
@given(seed=st.integers(0, 2**32))
def test_copies_with_and_without_signs_verify_and_show_the_text(sign: str, kind: str, seed: int) -> None:
    chance = random.Random(seed)
    (marked,) = mark_furniture([listed(sign)])
    words = stretches(chance, marked, words=(12, 40))
    assume(words is not None)
    found = align(COPYISTS[kind](chance, words), DocumentIndex([marked]))
    assert found.verdict is Verdict.VERBATIM
    assert found.quote is not None
    assert found.quote.text == text_of(words)
    _, under = marks(marked, found.spans)
    assert " ".join(under) == text_of(words)


def signs(made: Page, regions: dict[int, list[Region]] | None = None) -> list[str]:
    (marked,) = mark_furniture([made], regions)
    return [word.text for word in marked.words if word.bullet]


@pytest.mark.parametrize(
    "lines",
    [
        [Set("✓ Mehr Busse in allen Vierteln", 60, 180), Set("✗ Mehr Straßen durch die Wälder", 60, 194)],
        [Set("↑ Mindestlohn für alle", 60, 180), Set("↓ Steuern auf Arbeit", 60, 194)],
        [Set("+ Ruhe auf dem Land", 60, 180), Set("+ Wege ohne Autos", 60, 194)],
        [Set("− 5 Grad am Morgen", 60, 180), Set("− 3 Grad am Abend", 60, 194)],
        [
            Set("Alle Schulen der Stadt bleiben", 60, 180),
            Set("– auch die kleinen – erhalten, denn", 60, 194),
            Set("kurze Wege sind gute Wege", 60, 208),
            Set("– das sagen alle Eltern.", 60, 222),
        ],
        [Set("Montag • Dienstag • Mittwoch", 60, 180)],
        [Set("Busse", 60, 180), Set("●", 300, 180), Set("Bahnen", 60, 194), Set("○", 300, 194)],
    ],
    ids=["ticks and crosses", "arrows", "plus", "minus", "dashes of sentences", "between words", "cells"],
)
def test_signs_that_say_something_are_text(lines: list[Set]) -> None:
    assert signs(page(1, lines)) == []


def test_a_sign_alone_in_a_cell_is_what_the_cell_says() -> None:
    made = page(1, [Set("●", 60, 180, block=0), Set("Busse", 200, 180, block=1)])
    table = Region(kind=RegionKind.TABLE, box=Box(50, 170, 400, 200), rows=((0, 1),))
    assert signs(made, {1: [table]}) == []
    assert signs(made) == ["●"]


def test_a_quote_never_begins_or_ends_with_a_bullet_nor_holds_glyphs() -> None:
    made = page(1, [Set("Montag • Dienstag und Mittwoch sind\uf0e0 die Tage der Märkte • Ende", 60, 180)])
    found = align("• Dienstag und Mittwoch sind die Tage der Märkte •", DocumentIndex([made]))
    assert found.quote is not None
    assert found.quote.text == "Dienstag und Mittwoch sind die Tage der Märkte"
    assert not BULLETS.intersection(found.quote.text)
    assert without_private(found.quote.text) == found.quote.text


def test_signs_that_were_found_before_stay() -> None:
    made = listed("•")
    once = mark_furniture([made])
    assert mark_furniture(once) == once
    words = tuple(replace(word, bullet=False) for word in once[0].words)
    assert [w.text for w in words] == [w.text for w in made.words]
