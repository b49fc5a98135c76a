"""Questions about references: the right provision first, with its path, never outside the scope."""

from dataclasses import replace

import pytest

from core.domain.documents import DocumentType, Edition
from core.domain.passages import Passage, Section
from core.domain.registry import Derivation
from core.domain.scope import Scope
from core.library.references import parse_section_references
from core.question.sections import bearing_of
from core.search.plan import SearchResult
from tests.support.search_world import REGISTRY, TODAY, edition, passage, world


def law(file: str, place: str, title: str, *, derived_from: str | None = None) -> Edition:
    kind = DocumentType.RULES if derived_from else DocumentType.ACT
    made = edition(file, title=title, jurisdiction=place, doc_type=kind, language="en")
    fields = replace(made.document.fields, derived_from=derived_from)
    return replace(
        made, document=replace(made.document, fields=fields), version=replace(made.version, passages=6)
    )


ACT = law("act.pdf", "in", "Building Act 2016")
GUJARAT = law("gj.pdf", "in-gj", "Gujarat Building Rules", derived_from="act.pdf")
DAMAN = law("dd.pdf", "in-dd", "Daman Building Rules", derived_from="act.pdf")


def provision(of: Edition, ordinal: int, unit: str, title: str, text: str) -> Passage:
    return passage(of, ordinal, f"{title}. {text}", section=Section(id=unit, title=title))


def act() -> list[Passage]:
    return [
        provision(ACT, 0, "section:4", "Application for registration", "A builder shall apply."),
        provision(ACT, 1, "section:5", "Grant of registration", "The office decides under section 4."),
        provision(ACT, 2, "section:13", "Deposits", "No more than a tenth may be taken."),
        provision(ACT, 3, "section:60", "Penalty", "A breach of section 4 carries a penalty of ten marks."),
        provision(ACT, 4, "section:70", "Register", "There is a register."),
    ]


def rules(of: Edition) -> list[Passage]:
    return [
        provision(of, 0, "rule:3", "Papers for an application", "With the form under section 4 of the Act."),
        provision(
            of, 1, "rule:6", "Grant of registration", "Under section 5 a paper is issued as in rule 3."
        ),
        provision(of, 2, "rule:7", "Boards", "Nothing is cited here but rule 6."),
        provision(of, 3, "form:b", "Form B", "[See rule 3] I declare."),
        provision(
            of, 4, "rule:9", "Agreements", "For the purpose of section 13, use the annex. See section 99."
        ),
        provision(of, 5, "rule:12", "Receipts", "A receipt under section 60 shall be as per Form B."),
    ]


CONTENTS = {"act.pdf": act(), "gj.pdf": rules(GUJARAT), "dd.pdf": rules(DAMAN)}


async def asked(question: str, place: str = "in-gj", **options: object) -> SearchResult:
    pair = Derivation(document="gj.pdf", section="Rule 7", source="act.pdf", source_section="section:70")
    registry = replace(REGISTRY, derivations=(pair,))
    searcher, _, _ = await world(CONTENTS, (ACT, GUJARAT, DAMAN), registry=registry)
    scope = Scope(collections=("public",), jurisdictions=(place,) if place else (), **options)  # type: ignore[arg-type]
    return await searcher.search(question, scope=scope, today=TODAY)


def first(result: SearchResult) -> tuple[str, str, tuple[str, ...]]:
    hit = result.hits[0]
    assert hit.passage.section is not None
    return hit.edition.document.file, hit.passage.section.id, hit.trail


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which rule implements section 5?", ("gj.pdf", "rule:6", ("Rule 6", "Section 5"))),
        ("Where do the rules give effect to section 13?", ("gj.pdf", "rule:9", ("Rule 9", "Section 13"))),
        ("Which section does rule 9 refer to?", ("act.pdf", "section:13", ("Rule 9", "Section 13"))),
        ("Which form belongs to rule 3?", ("gj.pdf", "form:b", ("Form B", "Rule 3"))),
        ("Which form is prescribed for section 60?", ("gj.pdf", "rule:12", ("Rule 12", "Section 60"))),
        ("Which rule implements section 70?", ("gj.pdf", "rule:7", ("Rule 7", "Section 70"))),
        ("Welche Regel setzt Section 5 um?", ("gj.pdf", "rule:6", ("Rule 6", "Section 5"))),
        ("Auf welche Section bezieht sich Regel 9?", ("act.pdf", "section:13", ("Rule 9", "Section 13"))),
    ],
)
async def test_the_provision_comes_first_with_its_path(
    question: str, expected: tuple[str, str, tuple[str, ...]]
) -> None:
    assert first(await asked(question)) == expected


async def test_a_rule_with_the_title_of_a_section_carries_it_out_without_citing_it() -> None:
    titled = {
        "act.pdf": [provision(ACT, 0, "section:8", "Extension of building permits", "They may be extended.")],
        "gj.pdf": [
            provision(GUJARAT, 0, "rule:2", "Permits", "There are permits."),
            provision(GUJARAT, 1, "rule:4", "Extension of permits of a building", "In Form C."),
        ],
    }
    searcher, _, _ = await world(titled, (ACT, GUJARAT))
    scope = Scope(collections=("public",), jurisdictions=("in-gj",))
    result = await searcher.search("Which rule implements section 8?", scope=scope, today=TODAY)
    assert first(result) == ("gj.pdf", "rule:4", ())


async def test_two_steps_where_one_leads_to_nothing_of_the_kind() -> None:
    file, section, trail = first(await asked("Which form belongs to section 4 of the Act?"))
    assert (file, section, trail) == ("gj.pdf", "form:b", ("Form B", "Rule 3", "Section 4"))


async def test_penalties_stand_in_what_cites_the_section() -> None:
    file, section, trail = first(await asked("What penalty is there for breaching section 4?", "in"))
    assert (file, section, trail) == ("act.pdf", "section:60", ("Section 60", "Section 4"))


async def test_at_most_two_are_pinned_and_they_go_into_the_context() -> None:
    result = await asked("Which provision refers to section 4?")
    led = [hit for hit in result.hits if hit.trail]
    assert len(led) == 2
    assert {hit.passage.id for hit in led} <= {hit.passage.id for hit in result.context}
    assert all(hit.found_by[0] == "reference" for hit in led)


@pytest.mark.parametrize(("place", "file"), [("in-gj", "gj.pdf"), ("in-dd", "dd.pdf")])
async def test_rules_of_another_state_are_never_reached(place: str, file: str) -> None:
    result = await asked("Which rule implements section 5?", place)
    assert {hit.edition.document.file for hit in result.hits} <= {file, "act.pdf"}
    assert first(result)[0] == file


async def test_states_are_not_reached_from_the_country() -> None:
    result = await asked("Which rule implements section 5?", "in")
    assert {hit.edition.document.file for hit in result.hits} == {"act.pdf"}


async def test_documents_chosen_by_option_are_not_left() -> None:
    result = await asked("Which section does rule 9 refer to?", documents=(GUJARAT.document.id,))
    assert {hit.edition.document.file for hit in result.hits} == {"gj.pdf"}
    assert not any(hit.trail for hit in result.hits)


async def test_a_document_named_in_the_question_is_where_the_path_starts() -> None:
    result = await asked("Which section does rule 9 of the Gujarat Building Rules refer to?")
    assert first(result)[:2] == ("act.pdf", "section:13")


@pytest.mark.parametrize("question", ["Which rule implements section 98?", "How are boards made?"])
async def test_without_a_reference_the_search_is_the_ordinary_one(question: str) -> None:
    result = await asked(question)
    assert result.hits
    assert not any(hit.trail for hit in result.hits)


@pytest.mark.parametrize(
    ("question", "citing"),
    [
        ("Which rule implements section 4?", True),
        ("Which section does rule 3 refer to?", False),
        ("Which article refers to Article 79(2)?", True),
        ("Which article does Article 8 refer to?", False),
        ("Which section does section 72 refer to?", False),
        ("Which section refers to section 47?", True),
        ("By which article is Article 8 cited?", True),
        ("What does Article 74 refer to?", False),
        ("Rule 33 refers to which sections?", False),
        ("Which article is referred to in Article 19?", False),
        ("Which sections are cited by section 45?", False),
        ("Where in the Act is section 5(2) mentioned?", True),
        ("In welchem Artikel wird auf Artikel 44 verwiesen?", True),
        ("Welche Artikel werden in Artikel 17a genannt?", False),
        ("Under which section was rule 4 made?", False),
        ("Welche Vorschrift setzt § 5 um?", True),
        ("Welcher Artikel nennt Artikel 79?", True),
        ("Welchen Artikel nennt Artikel 79?", False),
        ("Auf welchen Artikel verweist Artikel 15?", False),
        ("Welcher Artikel verweist auf Artikel 15?", True),
        ("Worauf verweist Artikel 45?", False),
        ("Wo wird Artikel 16a zitiert?", True),
    ],
)
def test_which_way_a_question_looks(question: str, citing: bool) -> None:
    named = parse_section_references(question, "de")[0]
    assert bearing_of(question, named).citing is citing
