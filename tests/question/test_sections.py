"""References as people write them in questions."""

import pytest

from core.question.sections import read_sections


@pytest.mark.parametrize(
    ("question", "language", "section", "path"),
    [
        ("was steht in art 20 gg", "de", "art:20", ()),
        ("Was steht in Artikel XX?", "de", "art:20", ()),
        ("Was sagt Paragraf 5?", "de", "par:5", ()),
        ("vierter Absatz des Artikels 20", "de", "art:20", ("4",)),
        ("4. Absatz von Artikel 20 GG", "de", "art:20", ("4",)),
        ("Art.20GG", "de", "art:20", ()),
        ("Artikel 8 des Wassergesetzes, dritter Absatz", "de", "art:8", ("3",)),
        ("What does the second paragraph of Article 6 say?", "en", "art:6", ("2",)),
        ("section 9 of the Harbour Act, seventh sub-section", "en", "section:9", ("7",)),
        ("rule 4 sub rule 2", "en", "rule:4", ("2",)),
        ("sec. 31 sub-sec. 2", "en", "section:31", ("2",)),
        ("the First Schedule", "en", "schedule:1", ()),
        ("Annexure B of the rules", "en", "annex:b", ()),
        ("clause (b) of sub-section (2) of section 3", "en", "section:3", ("2", "b")),
        ("WTLA s 14", "en", "section:14", ()),
        ("r. 17 Ferry Rules", "en", "rule:17", ()),
        ("WG 103 Abs. 2", "de", "par:103", ("2",)),
        ("WTLA 18(2)", "en", "par:18", ("2",)),
        ("Was steht in § 2 a?", "de", "par:2a", ()),
        ("§ 2 a Abs. 3", "de", "par:2a", ("3",)),
        ("Que dit l'article premier ?", "fr", "art:1", ()),
    ],
)
def test_what_people_write_is_read(question: str, language: str, section: str, path: tuple[str, ...]) -> None:
    read = read_sections(question, language)
    [reference] = read.references
    assert (reference.id, reference.path) == (section, path)
    assert reference.end <= len(read.text)


@pytest.mark.parametrize(
    "question",
    [
        "Wie hoch ist die Gebühr?",
        "What does the act say about ferries?",
        "Was will die LTP in 100 Tagen?",
        "LTP 15 Taler Hafengeld",
        "LTP 2025 Programm",
        "in the 90s 14 ferries sank",
        "",
    ],
)
def test_no_provision_is_read_where_none_is_named(question: str) -> None:
    assert read_sections(question, "en").references == ()
