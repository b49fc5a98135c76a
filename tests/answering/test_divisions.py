"""Citations name the sub-division that their quote stands in."""

import pytest

from core.domain.passages import Section
from core.library.references import provision_name
from core.library.subdivisions import path_of
from tests.support.search_world import edition, passage

ACT = edition("act.pdf")
SECTION = Section(id="section:7", title="Quiet hours")
FAMILY = [
    passage(ACT, 0, "7. Quiet hours.— (1) No engine runs at night.\n(2) This does not hold", section=SECTION),
    passage(ACT, 1, "(a) for ferries;\n(b) in distress.\n(3) Bells are no engines.", section=SECTION),
]


@pytest.mark.parametrize(
    ("quote", "path"),
    [
        ("No engine runs at night.", ("1",)),
        ("(3) Bells are no engines.", ("3",)),
        ("(2) This does not hold [...] (b) in distress.", ("2", "b")),
        ("(2) This does not hold (a) for ferries; (b) in distress.", ("2",)),
        ("No engine runs at night. (2) This does not hold", ()),
        ("Nothing of the kind.", ()),
        ("?!", ()),
    ],
)
def test_the_innermost_sub_division_that_holds_the_quote(quote: str, path: tuple[str, ...]) -> None:
    assert path_of(quote, FAMILY) == path


@pytest.mark.parametrize(
    ("section", "path", "language", "name"),
    [
        ("art:20", ("4",), "de", "Art. 20 Abs. 4"),
        ("art:33", ("3", "a"), "en", "Article 33(3)(a)"),
        ("section:19", ("4",), "en", "Section 19(4)"),
        ("par:5", ("2", "1"), "de", "§ 5 Abs. 2 Nr. 1"),
        ("annex:a", ("1",), "en", "Annex A"),
        ("question:12", (), "de", "Frage 12"),
    ],
)
def test_provisions_are_named_as_people_cite_them(
    section: str, path: tuple[str, ...], language: str, name: str
) -> None:
    assert provision_name(Section(id=section, title="", path=path), language) == name


@pytest.mark.parametrize(
    ("text", "quote", "name"),
    [
        ("§ 1\n(1) Frei sind:\n1. Boote,\n2. Netze.", "1. Boote,", "§ 1 Abs. 1 Nr. 1"),
        ("§ 1 Frei sind:\n1. Boote,\n2. Netze.", "2. Netze.", "§ 1 Nr. 2"),
        ("§ 1\n(1) Frei sind:\n1. Boote,\n2. Netze.\nDas gilt am Tag.", "Das gilt am Tag.", "§ 1 Abs. 1"),
        ("§ 1 Frei sind:\n1. Boote,\n2. Netze.\nDas gilt am Tag.", "Das gilt am Tag.", "§ 1"),
        ("§ 1 Frei ist:\n1. ein Boot,\n2. ein Netz.\nNicht frei ist:\n1. ein Hund.", "1. ein Hund.", "§ 1"),
        ("§ 1\n(1) Frei nach dem Gesetz (BGBl. I\nS. 469) ist er.", "S. 469) ist er.", "§ 1 Abs. 1"),
        (
            "§ 1\n1.1 Boote\n1. Frei ist das Boot.\n1.2 Netze\n1. Frei ist das Netz.",
            "Frei ist das Netz.",
            "§ 1",
        ),
    ],
)
def test_a_label_says_no_more_than_is_certain(text: str, quote: str, name: str) -> None:
    section = Section(id="par:1", title="")
    path = path_of(quote, [passage(ACT, 0, text, section=section)])
    assert provision_name(Section(id="par:1", title="", path=path), "de") == name
