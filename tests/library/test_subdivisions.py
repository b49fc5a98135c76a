"""The sub-divisions of a section, read back from its passages."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.passages import Passage, Section
from core.library.references import SectionReference
from core.library.subdivisions import common_path, headed, lead_in, parts_of, within
from tests.support.search_world import edition, passage

ACT = edition("act.pdf")
MOORINGS = Section(id="rule:8", title="Allotment of moorings")


def family(*texts: str, section: Section = MOORINGS) -> list[Passage]:
    return [passage(ACT, number, text, section=section) for number, text in enumerate(texts)]


WRITINGS = (
    family(
        "8. Allotment of moorings.— (1) A mooring is allotted on application.\n(2) It is enclosed with:\n"
        "(a) a plan of the bank;\n(b) the receipt.",
        "(3) Nothing is allotted twice.",
    ),
    family(
        "Rule 8\nAllotment of moorings\n(1) A mooring is allotted on application.\n(2) It is enclosed with:",
        "(a) a plan of the bank;\n(b) the receipt.\n(3) Nothing is allotted twice.",
    ),
    family(
        "VO § 8\n1. A mooring is allotted on application.\n2. It is enclosed with:\na) a plan of the bank;\n"
        "b) the receipt.\n3. Nothing is allotted twice.",
        section=Section(id="par:8", title=""),
    ),
)


def said(passages: list[Passage], path: tuple[str, ...]) -> list[str]:
    parts = within(parts_of(passages), path)
    return [passages[part.passage].text[part.start : part.end] for part in parts]


@pytest.mark.parametrize("passages", WRITINGS)
def test_a_sub_division_is_found_with_all_that_is_in_it(passages: list[Passage]) -> None:
    assert [line.partition(" ")[2] for line in said(passages, ("2",))] == [
        "It is enclosed with:",
        "a plan of the bank;",
        "the receipt.",
    ]
    assert [line.partition(" ")[2] for line in said(passages, ("2", "b"))] == ["the receipt."]
    assert said(passages, ("3",))[0].endswith("Nothing is allotted twice.")
    assert said(passages, ("1",))[0].endswith("A mooring is allotted on application.")
    assert said(passages, ("4",)) == said(passages, ("2", "c")) == []


@pytest.mark.parametrize("passages", WRITINGS)
def test_an_item_knows_its_lead_in(passages: list[Passage]) -> None:
    parts = parts_of(passages)
    [opening] = lead_in(parts, ("2", "b"))
    assert passages[opening.passage].text[opening.start : opening.end].endswith("It is enclosed with:")
    assert lead_in(parts, ()) == []


def test_what_follows_items_of_one_line_belongs_to_all_of_them() -> None:
    lines = (
        "8. (1) If a mooring is lost,—\n(a) by ice; or (b) by flood, its owner is paid:\nProvided he asks."
    )
    parts = [part for part in parts_of(family(lines, "(2) Nothing else is paid.")) if not part.head]
    assert [part.path for part in parts] == [("1",), ("1",), ("1",), ("2",)]


def test_a_title_alone_is_no_text_of_the_section() -> None:
    parts = parts_of(WRITINGS[1])
    assert [part.head for part in parts[:3]] == [True, True, False]
    assert lead_in(parts, ("1",)) == []


@pytest.mark.parametrize("passages", WRITINGS)
def test_what_stands_in_several_sub_divisions_is_named_by_what_holds_them(passages: list[Passage]) -> None:
    parts = parts_of(passages)
    assert common_path(within(parts, ("2",))) == ("2",)
    assert common_path([*lead_in(parts, ("2", "a")), *within(parts, ("2", "a"))]) == ("2", "a")
    assert common_path(within(parts, ("1",)) + within(parts, ("3",))) == ()
    assert common_path(parts) == ()
    assert common_path([]) == ()


WORDS = st.text(alphabet=string.ascii_letters, min_size=3, max_size=8).map(str.capitalize)


@given(st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=6), st.integers(1, 12))
def test_whatever_is_numbered_is_found_again(items: list[list[str]], lines_a_passage: int) -> None:
    lines = [f"8. Allotment of moorings.— (1) Opening {''.join(items[0])}"]
    for number, letters in enumerate(items, start=1):
        lines += [f"({number}) Sentence number {number} of it"] if number > 1 else []
        lines += [f"({string.ascii_lowercase[n]}) {word}" for n, word in enumerate(letters)]
    cut = ["\n".join(lines[at : at + lines_a_passage]) for at in range(0, len(lines), lines_a_passage)]
    parts = parts_of(family(*cut))
    assert len(parts) == len(lines)
    for number, letters in enumerate(items, start=1):
        assert len(within(parts, (str(number),))) == 1 + len(letters)
        for n in range(len(letters)):
            assert len(within(parts, (str(number), string.ascii_lowercase[n]))) == 1


def test_a_number_of_several_parts_is_found_in_any_text() -> None:
    passages = [
        passage(ACT, 0, "2. Fines\n2.1 Adults pay a penny. 2.2 Children pay nothing.\n3 Conduct"),
        passage(ACT, 1, "3.1 Nobody shouts.\n3.2 million people came."),
    ]

    def text(number: str) -> str | None:
        found = headed(SectionReference(id=f"rule:{number}"), passages)
        return found and found.passage.text[found.start : found.end]

    assert text("2.1") == "2.1 Adults pay a penny."
    assert text("2.2") == "2.2 Children pay nothing."
    assert text("3.1") is None  # nothing else is numbered in its row
    assert text("2.3") is None
