"""Provisions that a question names: the very one, in the document that is meant, or none."""

from dataclasses import replace

import pytest

from core.domain.documents import DocumentType, Edition
from core.domain.ids import DocumentId
from core.domain.passages import Passage, Section
from core.domain.scope import Scope, ThreadContext
from core.question.sections import term_of, writings
from core.search.plan import SearchResult
from tests.support.search_world import TODAY, edition, passage, world


def law(file: str, title: str, kind: DocumentType = DocumentType.ACT) -> Edition:
    made = edition(file, title=title, jurisdiction="in", doc_type=kind, language="en")
    return replace(made, version=replace(made.version, passages=3))


ACT = law("act.pdf", "Water Transport (Licensing) Act 2021")
CHARTER = law("charter.pdf", "Charter of Free Rivers")
RULES = law("rules.pdf", "Ferry Rules 2022", DocumentType.RULES)


def unit(of: Edition, ordinal: int, name: str, title: str, text: str) -> Passage:
    return passage(of, ordinal, text, section=Section(id=name, title=title))


CONTENTS = {
    "act.pdf": [
        unit(
            ACT, 0, "section:2", "Definitions",
            "2. In this Act,—\n(a) “ferry” means a vessel that crosses;\n(b) “pier” includes a jetty;",
        ),
        unit(ACT, 1, "section:7", "Bells", "7. Bells.— (1) A ferry has a bell.\n(2) It is rung in fog."),
        unit(ACT, 2, "section:9", "Fines", "9. Who breaks section 7 is liable to a fine of ten marks."),
    ],
    "charter.pdf": [
        unit(CHARTER, 0, "art:2", "", "Article 2\nRivers are free."),
        unit(CHARTER, 1, "art:7", "", "Article 7\nNobody owns fog."),
        unit(CHARTER, 2, "art:9", "", "Article 9\nBanks are shared."),
    ],
    "rules.pdf": [
        unit(RULES, 0, "rule:1", "", "1. These are rules of ferries."),
        unit(RULES, 1, "rule:7", "", "7. Ferry tickets cost a mark."),
        unit(RULES, 2, "rule:9", "", "9. Tickets are kept."),
    ],
}  # fmt: skip


async def searched(question: str, *, documents: tuple[Edition, ...] = (), **options: object) -> SearchResult:
    searcher, *_ = await world(CONTENTS, [ACT, CHARTER, RULES])
    scope = Scope(collections=("public",), documents=tuple(each.document.id for each in documents))
    return await searcher.search(question, scope=scope, today=TODAY, **options)  # type: ignore[arg-type]


def named(result: SearchResult) -> list[tuple[str, str, tuple[str, ...]]]:
    return [
        (each.edition.document.file, each.family[0].section.id, each.path)
        for each in result.provisions
        if each.family[0].section
    ]


@pytest.mark.parametrize(
    ("question", "file", "section", "path"),
    [
        ("What does section 7 of the Water Transport Act say?", "act.pdf", "section:7", ()),
        ("Section 7(2) WTLA", "act.pdf", "section:7", ("2",)),
        ("What does section 7 of the WTLA act say?", "act.pdf", "section:7", ()),
        ("article 7 of the Water Transport Act", "act.pdf", "section:7", ()),
        ("Article 7", "charter.pdf", "art:7", ()),
        ("§ 7 of the Charter", "charter.pdf", "art:7", ()),
        ("WTLA 7(2)", "act.pdf", "section:7", ("2",)),
        ("WTLA s 9", "act.pdf", "section:9", ()),
        ("What does section 7 of our Act say?", "act.pdf", "section:7", ()),
        ("Rule 7 of the Ferry Rules", "rules.pdf", "rule:7", ()),
        ("§ 7 of the Ferry Rules", "rules.pdf", "rule:7", ()),
        ("§ 7 of the 2022 rules on the ferry", "rules.pdf", "rule:7", ()),
        ("What does “pier” mean?", "act.pdf", "section:2", ("b",)),
        ("What is a ferry?", "act.pdf", "section:2", ("a",)),
        ("What are ferries?", "act.pdf", "section:2", ("a",)),
        ('What is meant by "ferry" in the water transport act?', "act.pdf", "section:2", ("a",)),
        ('What does "pier" mean in the WTLA?', "act.pdf", "section:2", ("b",)),
        ("What is a pier under the WTLA?", "act.pdf", "section:2", ("b",)),
        ("Define pier (Water Transport)", "act.pdf", "section:2", ("b",)),
        ("Who counts as a ferry under the law?", "act.pdf", "section:2", ("a",)),
    ],
)
async def test_what_is_asked_for_by_name_is_found(
    question: str, file: str, section: str, path: tuple[str, ...]
) -> None:
    result = await searched(question)
    assert named(result)[:1] == [(file, section, path)]
    assert result.whole
    assert result.missing == ()


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("Article 7 fog", "charter.pdf"),
        ("What does article 7 say about who owns fog?", "charter.pdf"),
        ("tickets under rule 7", "rules.pdf"),
        ("Article 7 nuclear deterrence alliance", ""),
        ("What does article 7 of the Helsinki accords say?", ""),
        ("rule 7 of evidence in criminal courts", ""),
        ("alliance case article 9", ""),
    ],
)
async def test_a_provision_of_a_document_that_nobody_named_has_the_words_asked_for_beside_it(
    question: str, file: str
) -> None:
    assert {name for name, *_ in named(await searched(question))} == ({file} if file else set())


async def test_within_one_document_its_name_need_not_be_said() -> None:
    result = await searched("What does section 9 say?", documents=(ACT,))
    assert named(result) == [("act.pdf", "section:9", ())]


async def test_the_thread_says_which_document_is_meant() -> None:
    context = ThreadContext(
        questions=("Who may run a ferry?",), language="en", documents=(DocumentId(CHARTER.document.id),)
    )
    result = await searched("What does Article 7 say?", thread=context)
    assert named(result) == [("charter.pdf", "art:7", ())]


@pytest.mark.parametrize(
    "question",
    [
        "What does section 31 of the Water Transport Act say?",
        "Article 40 of the Charter of Free Rivers",
        "Rule 80",
        "Rule 80 of the ferry rules",
        "What does § 1 of the Charter say?",
    ],
)
async def test_what_does_not_exist_is_missing_and_nothing_takes_its_place(question: str) -> None:
    result = await searched(question)
    assert result.provisions == ()
    assert [each.kind for each in result.missing] == ["section"]


async def test_a_sub_division_beyond_the_last_is_missing() -> None:
    result = await searched("Section 7(5) of the Water Transport Act")
    assert result.provisions == ()
    assert [each.kind for each in result.missing] == ["section"]


async def test_more_than_the_wording_is_asked_of_a_provision() -> None:
    result = await searched("When is the bell rung under section 7 of the Water Transport Act?")
    assert named(result) == [("act.pdf", "section:7", ())]
    assert not result.whole


async def test_a_penalty_is_found_where_it_stands() -> None:
    result = await searched("What is the fine under section 9 of the Water Transport Act?")
    assert named(result)[:1] == [("act.pdf", "section:9", ())]


@pytest.mark.parametrize(
    "question", ["Which sections does section 9 refer to?", "Auf welche Vorschrift verweist Section 9?"]
)
async def test_what_a_provision_refers_to_stands_in_its_own_words_first(question: str) -> None:
    result = await searched(question, documents=(ACT,))
    assert named(result) == [("act.pdf", "section:9", ()), ("act.pdf", "section:7", ())]


def test_the_name_of_a_law_behind_a_term_may_be_part_of_it() -> None:
    names = {"agreement", "sale", "act"}
    assert writings("agreement for sale under the act", names) == [
        "agreement for sale under the act", "agreement", "agreement for sale",
    ]  # fmt: skip
    assert writings("carpet area of balconies", names) == ["carpet area of balconies"]


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is a ferry?", "ferry"),
        ("How is \"pier\" defined?", "pier"),
        ("Wie ist „Fähre“ definiert?", "Fähre"),
        ("Was versteht man unter einer Anlegestelle?", "Anlegestelle"),
        ("How high is the fee?", None),
    ],
)  # fmt: skip
def test_the_term_whose_definition_is_asked_for(question: str, term: str | None) -> None:
    assert term_of(question) == term
