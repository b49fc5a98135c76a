"""What changed between two versions, on texts whose changes are known."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answers.version_diff import page_pairs
from bot.presentation.i18n import Texts
from core.domain.pages import Page
from core.errors import Refused
from core.evidence.changes import wording
from core.library.differences import TextChange, TextChangeKind, counted, differences
from tests.support.fake_pdf import text_page
from tests.support.world import UFER_2021, UFER_2025, World

A = "Wir bauen jedes Jahr 4.000 neue Wohnungen am Fluss."
B = "Die Mieten sollen nicht schneller steigen als die Löhne."
C = "Jede Brücke bekommt einen Radweg aus hellem Eichenholz."
D = "Schulen öffnen im Sommer ihre Gärten für alle Kinder."


def pages(*texts: str) -> list[Page]:
    return [text_page(text, number) for number, text in enumerate(texts, start=1)]


def changes(old: list[Page], new: list[Page]) -> list[tuple[str, str | None, str | None]]:
    found = differences(old, new).changes
    return [
        (each.kind.value, each.old.text if each.old else None, each.new.text if each.new else None)
        for each in found
    ]


def test_nothing_differs_from_itself() -> None:
    found = differences(pages(f"{A} {B}", C), pages(f"{A} {B}", C))
    assert (found.changes, found.unchanged) == ((), 3)


def test_other_line_and_page_breaks_are_no_change() -> None:
    wrapped = A.replace(" neue", "\nneue")
    old = pages(f"{A} {B} {C}")
    cut = B.split(" schneller")
    new = pages(f"{wrapped} {cut[0]}", f"schneller{cut[1]} {C}")
    assert changes(old, new) == []


def test_a_changed_sentence_names_its_words() -> None:
    more = A.replace("4.000", "6.000")
    (change,) = differences(pages(f"{A} {B}"), pages(f"{more} {B}")).changes
    assert change.kind is TextChangeKind.CHANGED
    assert [(item.claimed, item.source) for item in change.words] == [("4.000", "6.000")]


def test_added_and_removed_sentences() -> None:
    assert changes(pages(f"{A} {B}"), pages(f"{A} {D} {B}")) == [("added", None, D)]
    assert changes(pages(f"{A} {D} {B}"), pages(f"{A} {B}")) == [("removed", D, None)]


def test_neighbours_are_one_change() -> None:
    assert changes(pages(A), pages(f"{A} {C} {D}")) == [("added", None, f"{C} {D}")]


def test_a_sentence_that_stands_elsewhere_has_moved() -> None:
    found = differences(pages(f"{A} {B}", C), pages(f"{C} {A} {B}"))
    (change,) = found.changes
    assert change.kind is TextChangeKind.MOVED
    assert (found.old_pages, found.new_pages) == ((2,), (1,))


def test_what_one_version_alone_has_stands_beside_its_place() -> None:
    old, new = pages(A, f"{B} {C}"), pages(A, f"{B} {D} {C}")
    (added,) = differences(old, new).changes
    (removed,) = differences(new, old).changes
    assert (added.kind, added.beside) == (TextChangeKind.ADDED, 2)
    assert (removed.kind, removed.beside) == (TextChangeKind.REMOVED, 2)
    (first,) = differences([], pages(A)).changes
    assert first.beside is None


def test_every_page_of_a_stretch_is_shown_once() -> None:
    old = pages(f"{A} {B}", C)
    more = pages(f"{A} {B.replace('Mieten', 'Preise')}", D, "Danach kommt noch ein ganz neuer Absatz.", C)
    assert page_pairs(differences(old, more)) == [(1, 1), (1, 2), (None, 3)]
    assert page_pairs(differences(old, old)) == []


def test_spans_hold_the_words() -> None:
    new = pages(f"{A} {D}", f"{B} {C}")
    (change,) = differences(pages(f"{A} {B} {C}"), new).changes
    assert change.new is not None
    (span,) = change.new.spans
    assert new[span.page - 1].text[span.start : span.end] == D


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1,5 Prozent", "15 Prozent"),
        ("100 EUR", "100 %"),
        ("100 €", "100 $"),
        ("100 €", "100"),
        ("<= 5 Grad", ">= 5 Grad"),
        ("≤ 5 Grad", "< 5 Grad"),
        ("-5 Grad", "5 Grad"),
        ("−5 Grad", "5 Grad"),
        ("±5 Grad", "5 Grad"),
        ("~5 Grad", "5 Grad"),
        ("+5 Grad", "5 Grad"),
        ("10–20 Tage", "1020 Tage"),
        ("10–20 Tage", "10 20 Tage"),
        ("10 20 Tage", "1020 Tage"),
        ("5 7 Euro", "57 Euro"),
        ("1:5 Teile", "15 Teile"),
        ("3×4 Meter", "34 Meter"),
        ("5/6 Stimmen", "56 Stimmen"),
        ("4.000 Euro", "4,000 Euro"),
        (".5 Euro", "5 Euro"),
        ("§ 5", "5"),
        ("§§ 5", "§ 5"),
        ("20 m²", "20 m³"),
        ("20 m²", "20 m"),
        ("10² Teile", "102 Teile"),
        ("1½ Jahre", "11/2 Jahre"),
        ("20 °C", "20 C"),
        ("5 %", "5 ‰"),
        ("und/oder", "und oder"),
        ("☑ Ja", "☒ Ja"),
    ],
)
def test_signs_are_changes(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        texts = (f"Für jeden gilt {each} und nichts anderes." for each in (old, new))
        (change,) = differences(*(pages(f"{A} {text}") for text in texts)).changes
        assert change.kind is TextChangeKind.CHANGED
        assert change.words


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Woh\u00adnungs\u00adbau", "Wohnungsbau"),
        ("10\u00a0000 Euro", "10 000 Euro"),
        ("10 000 Euro", "10000 Euro"),
        ("5 %", "5%"),
        ("10–20", "10 - 20"),
        ("10−20", "10‑20"),
        ("1 : 5", "1:5"),
        ("Pﬂicht", "Pflicht"),
        ("„ja“", '"ja"'),
        ("»ja«", "‚ja‘"),
        ("geht’s", "geht's"),
        ("20 m²", "20 m^2"),
        ("½", "1/2"),
        ("≤ 5", "<= 5"),
        ("bald — vielleicht", "bald - vielleicht"),
        ("fünf Euro¹", "fünf Euro"),
    ],
)
def test_typography_is_no_change(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        texts = (f"Für jeden gilt {each} und nichts anderes." for each in (old, new))
        assert differences(*(pages(f"{A} {text}") for text in texts)).changes == ()


_FIGURES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-", "+", "±", "~", "<", ">", "≤", "≥"]),
    st.integers(0, 999),
    st.sampled_from(["", ".5", ",25", ":3", "/4"]),
    st.sampled_from(["", "%", "€"]),
)


@given(st.lists(_FIGURES, max_size=4))
def test_what_is_no_change_has_the_same_figures(found: list[str]) -> None:
    said = [f"Es gilt {' '.join(found[:end])} hier." for end in range(len(found) + 1)]
    for one, other in pairwise(said):
        assert wording(one.split()) != wording(other.split())
    whole = wording(said[-1].split())
    for at, figure in enumerate(found):
        if not figure.isdigit():
            bare = "".join(filter(str.isdigit, figure))
            changed = [*found[:at], bare, *found[at + 1 :]]
            assert wording(f"Es gilt {' '.join(changed)} hier.".split()) != whole


@given(
    st.lists(st.sampled_from([A, B, C, D]), max_size=8), st.lists(st.sampled_from([A, B, C, D]), max_size=8)
)
def test_every_sentence_is_accounted_for(old: list[str], new: list[str]) -> None:
    found = differences(pages(" ".join(old)), pages(" ".join(new)))

    def sentences(kinds: set[TextChangeKind], side: str) -> int:
        quotes = [getattr(each, side) for each in found.changes if each.kind in kinds]
        return sum(quote.text.count(".") - quote.text.count("4.000") for quote in quotes)

    gone = {TextChangeKind.REMOVED, TextChangeKind.CHANGED, TextChangeKind.MOVED}
    fresh = {TextChangeKind.ADDED, TextChangeKind.CHANGED, TextChangeKind.MOVED}
    assert found.unchanged + sentences(gone, "old") == len(old)
    assert found.unchanged + sentences(fresh, "new") == len(new)


def test_a_long_text_with_known_changes() -> None:
    chance = random.Random(5)
    words = ["".join(chance.choices("aeioubdfgklmnrst", k=6)) for _ in range(400)]
    old = [" ".join(chance.choices(words, k=12)).capitalize() + f" {number}." for number in range(600)]
    new = list(old)
    for number in range(10, 600, 60):
        new[number] = new[number].replace(f" {number}.", f" {number + 1000}.")
    for number in range(595, 0, -100):
        del new[number]
    for number in range(30, 500, 100):
        new.insert(number, " ".join(chance.choices(words, k=12)).capitalize() + ".")
    found = differences(_laid_out(old), _laid_out(new))
    assert counted(found) == {"added": 5, "removed": 6, "changed": 10, "moved": 0}


def _laid_out(sentences: list[str]) -> list[Page]:
    return pages(*(" ".join(sentences[start : start + 20]) for start in range(0, len(sentences), 20)))


class TestVersions:
    async def test_of_a_document_with_their_pages(self, tmp_path: Path) -> None:
        world = World()
        await world.add("a.pdf", UFER_2021)
        world.originals.contents["a.pdf"] = "2025"
        await world.add("a.pdf", UFER_2025)
        found = await world.app.version_diffs.compare("a.pdf")
        assert (found.old.version.number, found.new.version.number) == (1, 2)
        assert _kinds(found.found.changes) >= {TextChangeKind.CHANGED, TextChangeKind.ADDED}
        made = await world.app.version_diffs.spreads(found, tmp_path, Texts("en"))
        both = next(item for item in made if item.old and item.new)
        assert both.old is not None
        assert both.new is not None
        assert "4.000" not in both.new.read_text()
        assert "6.000" in both.new.read_text()
        sheet = both.both.read_text()
        for said in ("6.000", "version 1 of 1 June 2025, p. 1", "version 2 of 1 June 2025, p. 1"):
            assert said in sheet
        assert len({item.both for item in made}) == len(made)

    async def test_that_came_back_are_held_against_those_they_followed(self) -> None:
        world = World()
        await world.add("a.pdf", UFER_2021)
        for content, text in (("2025", UFER_2025), ("a.pdf", UFER_2021)):
            world.originals.contents["a.pdf"] = content
            await world.add("a.pdf", text)
        found = await world.app.version_diffs.compare("a.pdf")
        assert (found.old.version.number, found.new.version.number) == (2, 1)

    async def test_that_do_not_exist_are_refused(self) -> None:
        world = World()
        await world.add("a.pdf", UFER_2021)
        for first, last in ((None, None), (1, 2), (7, 1)):
            with pytest.raises(Refused) as caught:
                await world.app.version_diffs.compare("a.pdf", first, last)
            assert caught.value.key == "document.no_version"


def _kinds(found: tuple[TextChange, ...]) -> set[TextChangeKind]:
    return {change.kind for change in found}
