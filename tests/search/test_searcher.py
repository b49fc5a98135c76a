from dataclasses import fields, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import GLOBAL, Edition
from core.domain.ids import DocumentId
from core.domain.passages import Passage, Section
from core.domain.registry import Registry
from core.domain.scope import Missing, Scope, ThreadContext
from core.domain.search import Hit, QuestionKind
from core.question.turns import TurnKind, TurnReader
from core.search.rewrites import Rewritable
from core.search.settings import SearchSettings
from tests.support.encoders import packaged_encoders
from tests.support.search_world import EDITIONS, TODAY, edition, passage, world

PUBLIC = Scope(collections=("public",))
BY_FILE = {item.document.file: item for item in EDITIONS}


def rule(of: Edition, number: int, text: str, path: tuple[str, ...] = ()) -> Passage:
    kind = "section" if of.document.file == "act" else "rule"
    section = Section(id=f"{kind}:{number}", title="", path=path)
    return passage(of, number, text, section=section)


ACT, RULES = BY_FILE["act"], BY_FILE["gj rules"]
CONTENTS = {
    "act": [
        rule(ACT, 3, "3. Ferries need a lamp."),
        rule(ACT, 4, "4. (1) The owner applies."),
        passage(
            ACT, 5, "(2) The owner swears an oath.", section=Section(id="section:4", title="", path=("2",))
        ),
        rule(ACT, 6, "6. A fee is due."),
    ],
    "gj rules": [
        rule(RULES, 1, "1. These are the ferry rules."),
        rule(RULES, 2, "2. The oath of section 4(2) shall be in the form annexed."),
        rule(RULES, 3, "3. The fee is ten rupees and paid at the harbour."),
    ],
}


def places_of(hits: tuple[Hit, ...]) -> set[str | None]:
    return {hit.edition.document.fields.jurisdiction for hit in hits}


async def test_the_best_passage_comes_first_with_everything_about_it() -> None:
    searcher, _, _ = await world(CONTENTS)
    result = await searcher.search("What is the fee at the harbour in Gujarat?", scope=PUBLIC, today=TODAY)
    first = result.hits[0]
    assert first.passage.text.startswith("3. The fee is ten rupees")
    assert first.edition.version.id == RULES.version.id
    assert {"dense", "lexical"} <= set(first.found_by)
    assert result.plan.detected.jurisdictions == ("in-gj",)
    assert result.plan.language == "en"
    assert places_of(result.hits) <= {"in-gj", "in", GLOBAL}
    assert set(result.seconds) == {"scope", "rewrite", "embed", "rank", "expand", "total"}
    assert result.seconds["total"] >= max(v for k, v in result.seconds.items() if k != "total")


async def test_documents_of_the_named_place_come_before_those_above_it() -> None:
    same = {file: [passage(BY_FILE[file], 0, "The fee is ten rupees.")] for file in ("act", "gj rules")}
    searcher, _, _ = await world(same)
    result = await searcher.search("What is the fee in Gujarat?", scope=PUBLIC, today=TODAY)
    assert [hit.edition.document.file for hit in result.hits][:2] == ["gj rules", "act"]
    everywhere = await searcher.search("What is the fee?", scope=PUBLIC, today=TODAY)
    scores = {hit.edition.document.file: hit.score for hit in everywhere.hits}
    assert scores.get("gj rules") == scores.get("act")


async def test_what_holds_comes_before_what_parties_want_where_nobody_is_asked_for_that() -> None:
    said = {
        file: [passage(BY_FILE[file], 0, "Der Präsident wird auf fünf Jahre gewählt.")]
        for file in ("act", "SPD-2025-de")
    }
    searcher, _, _ = await world(said)

    async def order(question: str) -> list[str]:
        result = await searcher.search(question, scope=PUBLIC, today=TODAY)
        files = [hit.edition.document.file for hit in result.hits]
        return [file for file in files if file in said]

    assert await order("Auf wie viele Jahre wird der Präsident gewählt?") == ["act", "SPD-2025-de"]
    assert "act" not in await order("Auf wie viele Jahre wird der Präsident laut SPD gewählt?")


async def test_a_named_section_is_pinned_and_what_cites_it_is_raised() -> None:
    searcher, _, _ = await world(CONTENTS)
    question = "Which rule in Gujarat prescribes how to swear under section 4(2)?"
    result = await searcher.search(question, scope=PUBLIC, today=TODAY)
    assert result.plan.kind is QuestionKind.CROSS_REFERENCE
    assert result.hits[0].passage.text.startswith("2. The oath of section 4(2)")
    pinned = [hit for hit in result.context if "pinned" in hit.found_by]
    assert [hit.passage.text for hit in pinned] == ["(2) The owner swears an oath."]


async def test_a_question_about_a_section_lists_it_first() -> None:
    searcher, _, _ = await world(CONTENTS)
    result = await searcher.search("What does section 6 say?", scope=PUBLIC, today=TODAY)
    assert result.hits[0].passage.section == CONTENTS["act"][3].section


async def test_the_context_is_in_document_order_with_gaps_marked() -> None:
    searcher, _, _ = await world(CONTENTS, settings=SearchSettings(passages=2))
    result = await searcher.search("ferry lamp and fee in India", scope=PUBLIC, today=TODAY)
    ordinals = [(hit.passage.version, hit.passage.ordinal) for hit in result.context]
    assert len(result.context) == 2
    for (version, ordinal), (following, later) in pairwise(ordinals):
        assert version != following or ordinal < later
    assert all(hit.passage.text.split()[-1] in result.context_text for hit in result.context)


async def test_neighbours_fill_a_short_context() -> None:
    searcher, _, _ = await world(CONTENTS, settings=SearchSettings(candidates=1))
    result = await searcher.search("a lamp on ferries in India", scope=PUBLIC, today=TODAY)
    assert "neighbour" in {how for hit in result.context for how in hit.found_by}


async def test_the_token_budget_holds() -> None:
    searcher, _, _ = await world(CONTENTS)
    result = await searcher.search("the fee in Gujarat", scope=PUBLIC, today=TODAY, token_budget=1)
    assert len(result.context) == 1
    assert result.context[0].passage.id == result.hits[0].passage.id


async def test_every_party_of_a_comparison_gets_its_share() -> None:
    searcher, _, _ = await world()
    result = await searcher.search("Was sagen SPD und Grüne zu Gebühren?", scope=PUBLIC, today=TODAY, k=4)
    assert result.plan.kind is QuestionKind.COMPARE
    assert [hit.edition.document.fields.parties[0] for hit in result.hits] == ["SPD", "GRÜNE", "SPD", "GRÜNE"]
    assert len(result.plan.groups) == 2
    assert result.plan.quota == 2
    assert {hit.edition.document.fields.parties for hit in result.context} == {("SPD",), ("GRÜNE",)}


async def test_a_party_without_documents_gets_no_substitute() -> None:
    searcher, _, _ = await world()
    result = await searcher.search("Was fordern die Freien Wähler?", scope=PUBLIC, today=TODAY)
    assert result.hits == result.context == ()
    assert result.context_text == ""
    assert result.missing == (Missing(kind="party", name="Freie Wähler"),)


async def test_small_talk_is_not_searched() -> None:
    searcher, _, index = await world(turns=TurnReader(packaged_encoders()))
    index.candidates = None  # type: ignore[assignment, method-assign]
    result = await searcher.search("Hallo!", scope=PUBLIC, today=TODAY)
    assert (result.plan.kind, result.hits) == (QuestionKind.OFF_TOPIC, ())


class Advising(TurnReader):
    """Reads the few words of a correction as a request for advice."""

    async def read(self, text: str, *, asked: bool = False) -> TurnKind:
        return TurnKind.ADVICE if len(text.split()) < 6 else TurnKind.QUESTION


async def test_a_correction_is_judged_by_what_it_asks() -> None:
    searcher, _, _ = await world(turns=Advising())
    thread = ThreadContext(questions=("Was sagt die SPD zum Ausbau der Brücken?",), language="de")
    for question, is_asked in (("nein, ich meinte die AfD", True), ("wen soll ich wählen?", False)):
        result = await searcher.search(question, scope=PUBLIC, today=TODAY, thread=thread)
        assert (result.plan.kind is not QuestionKind.OFF_TOPIC) is is_asked


async def test_rewritten_questions_are_searched_too() -> None:
    searcher, _, _ = await world(CONTENTS)
    plain = await searcher.search("What do I owe in Gujarat?", scope=PUBLIC, today=TODAY)

    async def rewrite(_: Rewritable) -> list[str]:
        return ["fee of ten rupees at the harbour"]

    helped = await searcher.search("What do I owe in Gujarat?", scope=PUBLIC, today=TODAY, rewrite=rewrite)
    assert helped.plan.queries == ("What do I owe in Gujarat?", "fee of ten rupees at the harbour")
    assert helped.hits[0].passage.text.startswith("3. The fee is ten rupees")
    assert helped.hits[0].score > plain.hits[0].score


async def test_bm25_is_silent_across_languages() -> None:
    searcher, _, _ = await world(CONTENTS)
    result = await searcher.search(
        "Wie hoch ist eigentlich die fee am Hafen in Gujarat?", scope=PUBLIC, today=TODAY
    )
    assert result.plan.language == "de"
    assert all("lexical" not in hit.found_by for hit in result.hits)


async def test_what_the_library_deleted_is_not_found_although_the_index_has_it() -> None:
    searcher, library, _ = await world(CONTENTS)
    await library.delete_document(RULES.document.id, at=RULES.version.seen_from)
    result = await searcher.search("What is the fee at the harbour in Gujarat?", scope=PUBLIC, today=TODAY)
    assert RULES.document.id not in {hit.edition.document.id for hit in result.hits}
    assert Missing(kind="jurisdiction", name="in-gj") in result.missing


async def test_a_new_document_is_found_at_once() -> None:
    searcher, library, _ = await world(CONTENTS)
    await searcher.search("Was will die Leuchtturmpartei?", scope=PUBLIC, today=TODAY)
    late, twin_library, twin_index = await world(
        {}, [*EDITIONS, edition("late", parties=("Leuchtturmpartei",))]
    )
    result = await late.search("Was will die Leuchtturmpartei?", scope=PUBLIC, today=TODAY)
    assert {hit.edition.document.file for hit in result.hits} == {"late"}
    assert library is not twin_library
    assert twin_index is not None


async def test_collections_are_never_left() -> None:
    secret = edition("secret", collection="internal")
    searcher, _, _ = await world({}, [*EDITIONS, secret])
    found = await searcher.search("secret rule fee", scope=PUBLIC, today=TODAY, k=50)
    assert "secret" not in {hit.edition.document.file for hit in found.hits}
    inside = replace(PUBLIC, collections=("internal",))
    assert {
        h.edition.document.file for h in (await searcher.search("fee", scope=inside, today=TODAY)).hits
    } == {"secret"}


async def test_documents_given_by_option_are_the_only_ones() -> None:
    searcher, _, _ = await world()
    old = BY_FILE["SPD-2013-de"]
    scope = replace(PUBLIC, documents=(DocumentId(old.document.id),))
    result = await searcher.search("Was sagt die AfD in Gujarat?", scope=scope, today=TODAY)
    assert {hit.edition.document for hit in result.hits} == {old.document}


async def test_copies_and_pages_do_not_crowd_the_list() -> None:
    act = BY_FILE["act"]
    same_page = [passage(act, n, f"fee fee fee {n}", pages=(7,)) for n in range(4)]
    other = passage(act, 4, "fee", pages=(8,))
    searcher, _, _ = await world({"act": [*same_page, other]})
    result = await searcher.search("fee fee fee in India", scope=PUBLIC, today=TODAY, k=2)
    assert {page for hit in result.hits for page in hit.passage.pages} == {7, 8}


@pytest.mark.parametrize("threshold", [None, 1000.0])
async def test_the_threshold_drops_what_is_unlike(threshold: float | None) -> None:
    searcher, _, _ = await world(CONTENTS, settings=SearchSettings(threshold=threshold))
    result = await searcher.search("fee in Gujarat", scope=PUBLIC, today=TODAY)
    assert bool(result.hits) == (threshold is None)


ASKED = (
    "in Gujarat",
    "in Daman and Diu",
    "in Münster",
    "in Baden-Württemberg",
    "der SPD",
    "der Grünen",
    "in UP",
    "",
)


@given(
    words=st.sampled_from(["fee", "Was kostet das", "Compare the rules", "Welche Partei will das"]),
    asked=st.lists(st.sampled_from(ASKED), max_size=2),
    option=st.sampled_from([None, "de", "de-nw-muenster", "in-dd", "in", "eu"]),
)
async def test_hits_never_come_from_a_place_outside_the_scope(
    words: str, asked: list[str], option: str | None
) -> None:
    searcher, _, _ = await world()
    scope = replace(PUBLIC, jurisdictions=(option,) if option else ())
    result = await searcher.search(" ".join((words, *asked)), scope=scope, today=TODAY)
    used = result.plan.scope.jurisdictions
    above = {
        "de-nw-muenster": {"de-nw", "de", "eu"},
        "de-bw": {"de", "eu"},
        "de": {"eu"},
        "de-nw": {"de", "eu"},
    }
    allowed = {GLOBAL} | {
        place for code in used for place in {code} | above.get(code, {code.partition("-")[0]})
    }
    assert not used or places_of((*result.hits, *result.context)) <= allowed


async def test_another_scope_searched_meanwhile_brings_no_names_of_its_own() -> None:
    """A thread may make its detector between the look at the kept one and its use."""
    searcher, library, _ = await world(CONTENTS)
    registry = await library.registry()
    inner = replace(ACT, document=replace(ACT.document, fields=replace(ACT.document.fields, title="Xqoath")))

    class Between(Registry):
        def __eq__(self, other: object) -> bool:
            assert searcher.read("Xqoath", registry, (inner,)).names.documents
            return replace(registry) == other

        __hash__ = Registry.__hash__

    searcher.read("Xqoath", registry, (RULES,))
    same = Between(**{each.name: getattr(registry, each.name) for each in fields(registry)})
    assert searcher.read("Xqoath", same, (RULES,)).names.documents == ()
