"""What is shown round a chosen sentence."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.extractive.choice import MOST_ROWS, NEAR_ROW, Weights, spare_ones, spread, with_near_rows
from core.answering.extractive.citations import Citer
from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import quotable
from core.answering.extractive.stretches import SENTENCES, WORDS, places, with_surroundings
from core.domain.answers import Citation, Verdict
from core.domain.passages import PassageKind
from core.domain.scope import Scope
from core.domain.search import Hit
from tests.support.fake_pdf import text_reading
from tests.support.search_world import edition, passage
from tests.support.world import World, request

CLAIM = "Der Mindestlohn muss dauerhaft vor Armut schützen."
NUMBER = "Deshalb heben wir ihn auf 15 Taler an."
OTHER = "Die Brücken am Fluss werden saniert und die Wege verbreitert."


def extracts(text: str, similarity: float = 0.5) -> list[Extract]:
    """All sentences of a passage, equally near to the question."""
    of = edition("programme")
    hit = Hit(passage=passage(of, 0, text), edition=of, score=1.0, found_by=("dense",))
    return [
        Extract(hit=hit, start=start, end=end, score=similarity, similarity=similarity, overlap=0.0)
        for start, end in quotable(hit)
    ]


def shown(text: str, chosen: str, far: str = "") -> str:
    every = [replace(each, similarity=-1.0) if far and far in each.text else each for each in extracts(text)]
    (own,) = [each for each in every if chosen in each.text]
    return with_surroundings(own, places(every)).shown


@given(lead=st.floats(0.0, 2 * NEAR_ROW), count=st.integers(2, 8))
def test_rows_read_as_nearly_as_good_are_shown_with_the_best(lead: float, count: int) -> None:
    names, of = "Dog Tax", edition("programme")
    lines = [f"{'Each further' if n else 'The first'} dog of kind {n} {90 + n} thalers" for n in range(count)]
    table = replace(passage(of, 0, "\n".join((names, *lines))), kind=PassageKind.TABLE, heading=names)
    hit = Hit(passage=table, edition=of, score=1.0, found_by=("dense",))
    rows = [
        Extract(hit=hit, start=start, end=end, score=-n * lead, similarity=0.5, overlap=0.0, read=1.0)
        for n, (start, end) in enumerate(quotable(hit))
    ]
    best = with_surroundings(rows[0], places(rows))
    near = [line for n, line in enumerate(lines) if n * lead <= NEAR_ROW][:MOST_ROWS]
    assert with_near_rows(best, rows).shown == "\n".join((names, *near))
    unread = [replace(each, read=None) for each in rows]
    assert with_near_rows(replace(best, read=None), unread).shown == f"{names}\n{lines[0]}"


def test_rows_behind_dots_are_shown_with_the_best_like_rows_of_tables() -> None:
    lines = [
        f"{dog} dog of the house ........ {fee} thalers" for dog, fee in (("First", 90), ("Further", 120))
    ]
    rows = [replace(each, read=1.0) for each in extracts("\n".join(lines))]
    assert with_near_rows(with_surroundings(rows[0], places(rows)), rows).shown == "\n".join(lines)


def test_the_answer_beside_others_words_in_a_row_is_shown_without_the_columns_names() -> None:
    names, claim = "Myth Fact", "Every bridge on the lake is falling down."
    answer, row = "No bridge was closed in ten years.", "Oars are made of ash wood. They last for nine years."
    text = f"{names}\n{claim} {answer}\n{row}"
    of, at = edition("programme"), len(names) + 1
    table = replace(
        passage(of, 0, text), kind=PassageKind.TABLE, heading=names, others=((at, at + len(claim)),)
    )
    hit = Hit(passage=table, edition=of, score=1.0, found_by=("dense",))
    every = [
        Extract(hit=hit, start=start, end=end, score=0.5, similarity=0.5, overlap=0.0)
        for start, end in quotable(hit)
    ]
    assert [with_surroundings(each, places(every)).shown for each in every] == [answer, f"{names}\n{row}"]


def test_the_number_beside_a_sentence_belongs_to_it() -> None:
    assert shown(f"{CLAIM} {NUMBER}", CLAIM) == f"{CLAIM}\n{NUMBER}"
    assert shown(f"{NUMBER} {CLAIM}", CLAIM) == f"{NUMBER}\n{CLAIM}"


def test_what_is_far_from_the_question_does_not() -> None:
    assert shown(f"{CLAIM} {NUMBER} {OTHER}", CLAIM, far="Brücken") == f"{CLAIM}\n{NUMBER}"


CONCLUSIONS = [
    "Deshalb lassen wir sie auslaufen.",
    "That is why we let it end.",
    "C'est pourquoi nous y renonçons.",
]


@pytest.mark.parametrize("conclusion", CONCLUSIONS)
def test_what_follows_from_a_sentence_goes_with_it_however_far(conclusion: str) -> None:
    assert shown(f"{CLAIM} {conclusion}", CLAIM, far=conclusion) == f"{CLAIM}\n{conclusion}"
    assert shown(f"{CLAIM} {conclusion}", conclusion, far=CLAIM) == f"{CLAIM}\n{conclusion}"
    assert conclusion not in shown(f"{CLAIM} {OTHER} {conclusion}", CLAIM, far=conclusion)


def test_a_long_paragraph_stays_alone_a_short_one_takes_its_neighbour() -> None:
    everywhere = "Das gilt in allen Städten und Dörfern des Landes ohne jede Ausnahme."
    long = " ".join([CLAIM, NUMBER, everywhere, everywhere])
    assert len(long.split()) < WORDS
    assert OTHER not in shown(f"{OTHER}\n{long} {NUMBER} {NUMBER}", CLAIM)
    assert OTHER in shown(f"{CLAIM}\n{OTHER}", CLAIM)


def test_a_heading_ends_a_stretch() -> None:
    assert shown(f"{CLAIM}\nBrücken und Wege\n{OTHER}", CLAIM) == CLAIM
    assert shown(f"{CLAIM}\nBrücken und Wege\n{OTHER}", OTHER) == OTHER


def test_a_heading_with_a_number_is_no_part_of_what_follows_it() -> None:
    assert shown(f"Mindestlohn ab 2027\n{CLAIM} {NUMBER}", CLAIM) == f"{CLAIM}\n{NUMBER}"


def test_lines_of_a_title_page_are_no_part_of_its_first_sentence() -> None:
    cover = "UNSER WEG\nProgramm für die Arbeit\nAusgabe März 2025"
    assert shown(f"{cover}\n{CLAIM}", CLAIM) == CLAIM
    assert [each.text for each in extracts(f"{cover}\n{CLAIM}")] == [CLAIM]


def test_a_line_that_does_not_end_is_not_joined_to_the_next_one() -> None:
    loose = "Das Land muss seine Brücken selbst bezahlen"
    assert shown(f"{OTHER} {loose}\n{CLAIM} {NUMBER}", CLAIM) == f"{CLAIM}\n{NUMBER}"
    assert CLAIM not in shown(f"{OTHER} {loose}\n{CLAIM}", loose)
    assert CLAIM in shown(f"{OTHER} {loose} und\n{CLAIM}", loose), "it goes on"


RESTRICTIONS = [
    "Dies gilt nicht für Betriebe mit weniger als zehn Beschäftigten.",
    "Satz 1 gilt nicht, wenn die Gemeinde zustimmt.",
    "Ausgenommen sind Neubauten.",
    "Davon ausgenommen bleiben die Inseln.",
    "(2) Absatz 1 gilt nicht für Vereine.",
    "Provided that no fee is due from small builders.",
    "However, this right ends after a year.",
    "2. Paragraph 1 shall not apply to churches.",
    "Nothing in this section shall affect older agreements.",
    "Cela ne s'applique pas aux logements neufs.",
]


@pytest.mark.parametrize("restriction", RESTRICTIONS)
def test_what_takes_something_back_is_never_cut_off(restriction: str) -> None:
    said = restriction.removeprefix("(2) ")
    assert said in shown(f"{CLAIM}\n{restriction}", CLAIM, far=said)
    full = " ".join(
        f"Das {word} Haus am Fluss wird bis zum Sommer gebaut." for word in ("erste", "zweite", "dritte")
    )
    assert said in shown(f"{full} {CLAIM}\n{restriction} {OTHER}", CLAIM, far=said)


@pytest.mark.parametrize("restriction", RESTRICTIONS)
def test_what_takes_something_back_is_never_shown_alone(restriction: str) -> None:
    assert shown(f"{OTHER}\n{CLAIM}\n{restriction}", restriction[-20:]).startswith((OTHER, CLAIM))


def test_a_sentence_that_adds_to_another_does_not_have_to_follow() -> None:
    added = "Das gilt nicht nur in Städten."
    assert added not in shown(f"{CLAIM}\n{added}", CLAIM, far=added)


def test_a_numbered_paragraph_begins_a_stretch_and_a_bare_number_ends_none() -> None:
    assert shown(f"(2) {OTHER} (3) {CLAIM}", CLAIM) == f"(3) {CLAIM}"
    assert shown(f"(1) {CLAIM} (2)", CLAIM) == f"(1) {CLAIM}"


def test_a_lead_in_takes_its_items_along() -> None:
    items = [f"({letter}) the plan of the harbour and its quays, as approved;" for letter in "abcdefgh"]
    text = "\n".join(["The owner shall attach to the application the following documents, namely:—", *items])
    found = shown(text, "namely").splitlines()
    assert len(found) > SENTENCES
    assert found == text.splitlines()[: len(found)]


def test_the_answer_of_a_list_of_questions_has_its_question() -> None:
    asked = "30. In how many days is the harbour office required to decide?"
    answer = "The office is required to decide within thirty days of the application."
    assert shown(f"{asked}\n{answer}", "thirty").splitlines() == [asked, answer]


@given(st.lists(st.lists(st.integers(3, 45), min_size=1, max_size=6), min_size=1, max_size=4), st.data())
def test_a_stretch_is_short_and_consecutive(lengths: list[list[int]], data: st.DataObject) -> None:
    count = iter(range(1000))
    text = "\n".join(
        " ".join(" ".join(["Wasser", *[f"wort{next(count)}x"] * n]) + "." for n in paragraph)
        for paragraph in lengths
    )
    every = extracts(text)
    own = data.draw(st.sampled_from(every)) if every else None
    if own is None:
        return
    found = with_surroundings(own, places(every))
    assert (own.start, own.end) in found.parts
    assert len(found.parts) <= SENTENCES
    assert len(found.parts) == 1 or len(found.shown.split()) <= WORDS
    assert not any(text[left[1] : right[0]].strip() for left, right in pairwise(found.parts))


def test_nothing_is_shown_twice() -> None:
    every = extracts(f"{CLAIM} {NUMBER}\n{OTHER}")
    chosen = spread(every, 3, Weights())
    (first,) = chosen
    assert (first.text, spare_ones(every, chosen, 2)) == (CLAIM, [])


async def test_a_citation_knows_which_of_its_words_answer() -> None:
    world = await World().with_registry()
    world.pdf.documents["lohn.pdf"] = text_reading(f"{CLAIM} {NUMBER} {OTHER}")
    await world.ingest(request("lohn.pdf", title="Lohn", language="de"))
    asked = "Wie hoch soll der Mindestlohn sein?"
    answered = await world.app.asker.answered(asked, scope=Scope(collections=("public",)))
    (citation, *_) = answered.answer.citations
    (whole_quote,), (own,) = citation.quote.spans, citation.carrying
    assert citation.verdict is Verdict.VERBATIM
    assert whole_quote.start <= own.start < own.end <= whole_quote.end
    assert own.end - own.start < whole_quote.end - whole_quote.start


class Unproven(Citer):
    """Proves single sentences only."""

    def _cited(self, label, extract, pages):  # type: ignore[no-untyped-def]
        return super()._cited(label, replace(extract, end=extract.start) if extract.parts else extract, pages)


async def test_a_stretch_that_is_not_proven_is_quoted_as_its_sentence() -> None:
    world = await World().with_registry()
    world.pdf.documents["lohn.pdf"] = text_reading(f"{CLAIM} {NUMBER}")
    await world.ingest(request("lohn.pdf", title="Lohn", language="de"))
    result = await world.app.asker._searcher.search(
        "Mindestlohn", scope=Scope(collections=("public",)), today=world.clock.now().date()
    )
    (hit, *_) = result.hits
    extract = Extract(hit=hit, start=0, end=len(CLAIM), score=1.0, similarity=1.0, overlap=1.0)
    grown = with_surroundings(extract, {})
    assert len(grown.parts) == 2
    made = await Unproven(world.library).cite("S1", grown)
    assert isinstance(made, Citation)
    assert made.quote.text == CLAIM


def test_of_overlapping_passages_the_one_that_has_more_round_the_sentence_is_quoted() -> None:
    of = edition("programme")
    texts = (f"{CLAIM}\n{OTHER}", f"{NUMBER} {CLAIM}")
    every = [
        replace(
            each, hit=replace(each.hit, passage=passage(of, ordinal, text), edition=of), score=1.0 - ordinal
        )
        for ordinal, text in enumerate(texts)
        for each in extracts(text)
    ]
    first, *_ = spread(every, 1, Weights())
    longest = max(
        (with_surroundings(e, places(every)) for e in every if e.text == CLAIM), key=lambda e: len(e.shown)
    )
    assert (first.hit.passage.id, first.shown, first.score) == (longest.hit.passage.id, longest.shown, 1.0)
