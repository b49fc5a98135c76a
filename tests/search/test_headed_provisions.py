"""Provisions of documents whose sections are not told apart: a line of the text is their head, and none that
is there is denied."""

import pytest

from bot.library.scoping import ScopeOptions
from core.domain.answers import Answer
from core.domain.documents import DocumentType
from tests.support.world import World

BYLAWS = """Harbour by-laws

Section 3 - Lost property

Lost property is kept for ninety days by the harbour master of the town.

4 Fees

The harbour master collects a fee of three thalers from every boat in the harbour.

§ 1004 BGB

Wird das Eigentum beeinträchtigt, kann der Eigentümer die Beseitigung verlangen.
"""


async def asked(question: str, text: str = BYLAWS, **fields: object) -> Answer:
    world = await World(threshold=0.0).with_registry()
    await world.add("bylaws.pdf", text, title="Harbour by-laws", jurisdiction="xv", **fields)
    return await world.app.questions.ask(question, ScopeOptions())


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What does Section 3 say?", "Lost property is kept for ninety days"),
        ("What does section 4 say?", "collects a fee of three thalers"),
        ("Was steht in § 1004 BGB?", "kann der Eigentümer die Beseitigung verlangen"),
        ("Was steht in Section 3?", "Lost property is kept for ninety days"),
    ],
)
async def test_what_stands_under_the_head_is_quoted(question, words):
    answer = await asked(question)
    assert answer.missing == ()
    said = [citation.quote.text for citation in answer.citations]
    assert any(words in each for each in said)
    assert all("Harbour by-laws" not in each for each in said)


async def test_a_lone_number_above_a_sentence_is_a_head():
    text = "3 Lost property\n\nLost property is kept for ninety days by the harbour master of the town."
    answer = await asked("What does Section 3 say?", text)
    assert answer.missing == ()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does Section 9 say?", "section"),
        ("Was steht in § 77?", "section"),
        ("Was steht in § 3004 BGB?", "instrument"),
    ],
)
async def test_what_no_line_heads_is_not_found(question, kind):
    answer = await asked(question)
    assert [each.kind for each in answer.missing] == [kind]


@pytest.mark.parametrize(
    "text",
    ["We count\n\n9 boats and 30 jetties in the whole harbour of the town.", "Seats: 9 Lost property."],
)
async def test_a_number_in_a_text_is_no_head(text):
    answer = await asked("What does Section 9 say?", text)
    assert [each.kind for each in answer.missing] == ["section"]


async def test_a_statute_with_sections_has_those_alone():
    text = "\n\n".join(
        f"{n}. Title {n}\n\n(1) Every boat of kind {n} has a name and a number that the harbour master keeps."
        for n in range(1, 6)
    )
    text += "\n\nTABLE\n\n9 Motor boats\n\nA motor boat pays five thalers in the year and a day."
    answer = await asked("What does Section 9 say?", text, doc_type=DocumentType.ACT, language="en")
    assert [each.kind for each in answer.missing] == ["section"]
