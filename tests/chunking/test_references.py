"""References to sections: reading and writing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.references import (
    SectionReference,
    format_reference,
    parse_section_references,
    roman_value,
    section_id,
)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Was sagt § 5 Abs. 2 BGB?", "de", [("par:5", ("2",))]),
        ("§§ 5, 6 und 8 StGB", "de", [("par:5", ()), ("par:6", ()), ("par:8", ())]),
        ("§§ 5 bis 7", "de", [("par:5", ()), ("par:6", ()), ("par:7", ())]),
        ("§ 5 Abs. 2 Satz 1 Nr. 3 Buchst. b", "de", [("par:5", ("2", "3", "b"))]),
        ("Art. 6 I 1 DSGVO", "de", [("art:6", ("1",))]),
        ("Art. 6 Abs. 1 UAbs. 1 Buchst. f", "de", [("art:6", ("1", "f"))]),
        ("Artikel 20 Absatz 3 GG", "de", [("art:20", ("3",))]),
        ("Absatz 3 von Artikel 20", "de", [("art:20", ("3",))]),
        ("Art. 16a GG, Art. 12", "de", [("art:16a", ()), ("art:12", ())]),
        ("Abschnitt 4 Absatz 2", "de", [("section:4", ("2",))]),
        ("Section 11(4)(a) of the Act", "en", [("section:11", ("4", "a"))]),
        ("sec. 4 and s. 13(1)", "en", [("section:4", ()), ("section:13", ("1",))]),
        ("rules 3 and 4", "en", [("rule:3", ()), ("rule:4", ())]),
        ("Regulation 5(2)", "en", [("regulation:5", ("2",))]),
        ("Article 6(1)(f) GDPR", "en", [("art:6", ("1", "f"))]),
        ("clause (a) of sub-section (4) of section 11", "en", [("section:11", ("4", "a"))]),
        ("point (f) of Article 6(1)", "en", [("art:6", ("1", "f"))]),
        ("recital 26", "en", [("recital:26", ())]),
        ("Form B and Schedule II", "en", [("form:b", ()), ("schedule:2", ())]),
        ("section 2016, Regulation (EU) 2016/679, in 2016", "en", []),
        ("the intersection 5 and state of the art 6 years ago", "en", []),
        ("Abschnitt 4", "en", []),
        ("§ 1004 BGB", "de", [("par:1004", ())]),
        ("§§ 12, 862 und 1004 BGB", "de", [("par:12", ()), ("par:862", ()), ("par:1004", ())]),
        ("§§ 1922, 1937 Abs. 1 BGB", "de", [("par:1922", ()), ("par:1937", ("1",))]),
        ("section 1300(2) of the Act", "en", [("section:1300", ("2",))]),
        ("Section 999 and Section 1000A", "en", [("section:999", ()), ("section:1000a", ())]),
        ("the Rules 2016, the Regulations, 2017 and Regulation 2016/679", "en", []),
        ("Art. 5 GG, 1949 beschlossen; Artikel 6, 1500 Euro", "de", [("art:5", ()), ("art:6", ())]),
        ("§ 12345", "de", []),
        ("Under Section 18 I may apply", "en", [("section:18", ())]),
        ("Under Section 18 I’ll apply", "en", [("section:18", ())]),
        ("Section 18 a person may apply", "en", [("section:18", ())]),
        ("By Article 6 I am bound", "en", [("art:6", ())]),
        ("Art. 6 I GDPR, Art. 2 I 2 GG", "en", [("art:6", ("1",)), ("art:2", ("1",))]),
        (
            "§ 5 I hat einen Satz, Art. 2 I i. V. m. Art. 1 I GG",
            "de",
            [("par:5", ("1",)), ("art:2", ("1",)), ("art:1", ("1",))],
        ),
    ],
)
def test_parse(text: str, language: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    found = parse_section_references(text, language)
    assert [(reference.id, reference.path) for reference in found] == expected


def test_sentence_instrument_and_place() -> None:
    text = "Laut Art. 6 I 1 DSGVO gilt das."
    (found,) = parse_section_references(text, "de")
    assert (found.sentence, found.instrument) == (1, "DSGVO")
    assert text[found.start : found.end] == "Art. 6 I 1 DSGVO"
    assert (found.kind, found.number) == ("art", "6")


_numbers = st.builds(
    "{}{}".format, st.integers(1, 1899) | st.integers(2100, 9999), st.sampled_from(["", "", "a", "z"])
)
_paths = st.lists(
    st.one_of(st.integers(1, 99).map(str), st.sampled_from("abcdefghjkmnopqrstuwyz")), max_size=3
).map(tuple)
_references = st.one_of(
    st.builds(
        SectionReference,
        id=st.builds(
            section_id, st.sampled_from(["section", "rule", "regulation", "art", "par", "recital"]), _numbers
        ),
        path=_paths,
        sentence=st.one_of(st.none(), st.integers(1, 9)),
        instrument=st.one_of(st.none(), st.sampled_from(["GG", "BGB", "DSGVO", "GDPR", "StGB"])),
    ),
    st.builds(SectionReference, id=st.builds("schedule:{}".format, st.integers(1, 99))),
    st.builds(SectionReference, id=st.builds("form:{}".format, st.sampled_from("abcdefgh"))),
)


@given(_references, st.sampled_from(["de", "en"]))
def test_what_is_written_can_be_read(reference: SectionReference, language: str) -> None:
    text = format_reference(reference, language)
    (found,) = parse_section_references(text, language)
    assert found == reference
    assert (found.start, found.end) == (0, len(text))


@given(st.text(max_size=200), st.sampled_from(["de", "en"]))
def test_any_text_can_be_parsed(text: str, language: str) -> None:
    for reference in parse_section_references(text, language):
        assert 0 <= reference.start < reference.end <= len(text)


@pytest.mark.parametrize(("numeral", "value"), [("I", 1), ("iv", 4), ("IX", 9), ("XIV", 14), ("XLII", 42)])
def test_roman(numeral: str, value: int) -> None:
    assert roman_value(numeral) == value
