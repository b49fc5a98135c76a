"""References are found in passages, with whose section they name."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import DocumentFields, DocumentType
from core.domain.passages import Instrument, Reference, ReferenceKind, Section
from core.library.cross_references import cites, cross_references
from tests.support.library_examples import document, passage, version

RULES = DocumentFields(
    title="Harbour Rules 2020", language="en", doc_type=DocumentType.RULES, derived_from="act.pdf"
)
ACT = DocumentFields(title="Harbour Act 2019", language="en", doc_type=DocumentType.ACT)
GERMAN_ACT = DocumentFields(title="Hafengesetz", language="de", doc_type=DocumentType.ACT)
GERMAN_RULES = replace(RULES, title="Hafenverordnung", language="de", doc_type=DocumentType.REGULATION)


def found(text: str, fields: DocumentFields = RULES, section: str = "rule:3") -> list[Reference]:
    item = passage(version(document()), 0, section=section, text=text)
    return list(cross_references([item], fields))


def named(text: str, fields: DocumentFields = RULES, section: str = "rule:3") -> list[tuple[str, str]]:
    return [(each.instrument.value, each.target) for each in found(text, fields, section)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as required by section 4 of the Act,", [("parent", "section:4")]),
        ("the fee under section 13 is paid", [("parent", "section:13")]),
        ("as provided in rule 5", [("own", "rule:5")]),
        ("under rule 5 of these rules", [("own", "rule:5")]),
        ("under sections 12, 18 and 19 of the Act", [("parent", f"section:{n}") for n in (12, 18, 19)]),
        ("rules 4 to 6 apply", [("own", "rule:4"), ("own", "rule:5"), ("own", "rule:6")]),
        ("section 5 of the principal Act", [("amended", "section:5")]),
        ("in Form B", [("own", "form:b")]),
        ("section 7 of the Ports Act, 1990", [("named", "section:7")]),
        ("section 7 of the Ports Act, 1990. Section 8 thereof", [("named", f"section:{n}") for n in (7, 8)]),
        ("see rule 3(2)", []),  # itself
    ],
)  # fmt: skip
def test_whose_section_is_named_in_rules(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under section 4 of this Act", [("own", "section:4")]),
        ("section 9 of the Act", [("own", "section:9")]),
        ("section 100 of the Code of Civil Procedure, 1908", [("named", "section:100")]),
        ("Article 6(1) of Directive 95/46/EC", [("named", "art:6")]),
    ],
)
def test_whose_section_is_named_in_an_act(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text, ACT, "section:2") == expected


@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        ("nach § 5 Abs. 2 gilt", GERMAN_ACT, [("own", "par:5")]),
        ("nach § 5 Abs. 2 des Gesetzes", GERMAN_RULES, [("parent", "par:5")]),
        ("nach § 4 dieser Verordnung", GERMAN_RULES, [("own", "par:4")]),
        ("Art. 20 GG bleibt", GERMAN_ACT, [("named", "art:20")]),
        ("§ 7 des Wassergesetzes", GERMAN_ACT, [("named", "par:7")]),
        ("§§ 5, 6 und 8 gelten", GERMAN_ACT, [("own", "par:5"), ("own", "par:6"), ("own", "par:8")]),
        ("§ 9 Abs. 2 und 3 gilt", GERMAN_ACT, [("own", "par:9")]),
        ("§ 9 Abs. 3 Satz 3 und 4 gilt", GERMAN_ACT, [("own", "par:9")]),
    ],
)
def test_whose_section_is_named_in_german(
    text: str, fields: DocumentFields, expected: list[tuple[str, str]]
) -> None:
    assert named(text, fields, "par:1") == expected


def test_sub_divisions_and_place_are_kept() -> None:
    [reference] = found(
        "(1) Applications.\n(4) The declaration under clause (l) of sub-section (2) of section 4."
    )
    assert reference.target_path == ("2", "l")
    assert reference.path == ("4",)
    assert reference.section == "rule:3"
    assert reference.kind is ReferenceKind.DERIVED_FROM


def test_words_stand_where_the_reference_says() -> None:
    text = "A boat needs a berth (section 4(2) of the Act)."
    [reference] = found(text)
    assert text[reference.start : reference.end] == "section 4(2)"


def test_superseding_is_told_from_naming() -> None:
    [reference] = found("in supersession of rule 5 of the Ports Rules, 1990", section="rule:1")
    assert reference.kind is ReferenceKind.SUPERSEDES
    assert reference.name == "Ports Rules, 1990"


def test_foreign_units_belong_to_the_parent_and_guidance_has_none_of_its_own() -> None:
    guidance = replace(ACT, doc_type=DocumentType.GUIDANCE)
    assert named("see section 4", guidance, "section:2") == [("parent", "section:4")]


def test_programmes_are_not_looked_at() -> None:
    programme = DocumentFields(title="P", language="de", doc_type=DocumentType.MANIFESTO)
    assert not cites(programme)
    assert named("§ 218 wird gestrichen", programme) == []


def test_numbers_of_list_points_are_no_sections() -> None:
    assert named("der Fall des § 26 Abs.\n1;\n5. Staatsschutz", GERMAN_ACT, "par:1") == [("own", "par:26")]


def test_text_before_the_first_section_has_none() -> None:
    item = replace(passage(version(document()), 0, text="made under section 84 of the Act"), section=None)
    [reference] = cross_references([item], RULES)
    assert reference.section is None
    assert reference.instrument is Instrument.PARENT


@given(st.text(alphabet="§ 0123456789sectionruleArt.Abs()of the Actund,;\n", max_size=120))
def test_any_text_gives_references_inside_it(text: str) -> None:
    item = replace(passage(version(document()), 0, text=text), section=Section(id="rule:3", title=""))
    for reference in cross_references([item], RULES):
        assert 0 <= reference.start < reference.end <= len(text)
        assert (reference.instrument, reference.target) != (Instrument.OWN, "rule:3")
