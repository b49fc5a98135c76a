"""Which sentences are quoted, and how many."""

from dataclasses import replace

import pytest

from core.answering.extractive.choice import OPEN, Weights
from core.answering.extractive.citations import Citer
from core.answering.extractive.extracts import Extract
from core.answering.extractive.sentences import READ, Extractor
from core.domain.answers import Citation, Rejected
from core.domain.documents import Edition
from core.domain.passages import PassageKind
from core.domain.search import Hit
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_library import FakeLibrary
from tests.support.fake_reader import FakeReader
from tests.support.questions import subject
from tests.support.search_world import edition, passage, programme

# The second encoder's weight is for cosines that lie close together, which these do not.
EXTRACTOR = Extractor(
    FakeEmbedder(512),
    weights=replace(Weights(), primary=0.3, gap=0.12, other=0.4, party=3.0),
    open_weights=replace(OPEN, primary=0.3, gap=0.3),
)
SPD = programme("SPD", 2025)


def hit(text: str, ordinal: int = 0, of: Edition = SPD, score: float = 1.0) -> Hit:
    return Hit(passage=passage(of, ordinal, text), edition=of, score=score, found_by=("dense",))


async def picked(question: str, *hits: Hit, spare: int = 0) -> list[Extract]:
    return await EXTRACTOR.pick(subject(question), hits, 3, spare=spare)


async def texts(question: str, *hits: Hit) -> list[str]:
    return [extract.text for extract in await picked(question, *hits)]


RHETORIC = "Ein Wasserpreis ohne Kontrolle ist nichts als ein Wunsch."
PROMISE = "Der Wasserpreis soll in allen Gemeinden wieder sinken."
GARDENS = "Die Gärten am Ufer blühen im Sommer besonders schön."


async def test_of_equally_near_sentences_the_one_that_commits_is_quoted() -> None:
    first, *_ = await texts("Was sagt die SPD zum Wasserpreis?", hit(f"{RHETORIC} {PROMISE}"))
    assert first == PROMISE


async def test_a_heading_is_never_quoted() -> None:
    topic = "Wasserpreis und Wasserversorgung in Gemeinden"
    found = await texts(topic, hit(f"{topic}\n{PROMISE}"))
    assert found == [PROMISE]


async def test_where_an_amount_is_asked_for_the_sentence_that_states_it_is_quoted() -> None:
    amount = "Beim Wasserpreis bleiben dann noch 12 Taler im Jahr."
    first, *_ = await texts("Wie teuer wird Wasser?", hit(f"{PROMISE} {amount}"))
    assert first == amount


@pytest.mark.parametrize(
    ("question", "year", "amount"),
    [
        ("Wie hoch ist der Wasserpreis im Jahr 2033?", 2033, 18),
        ("Wie hoch ist der Wasserpreis im Jahr 2041?", 2041, 26),
    ],
)
async def test_of_sentences_alike_but_for_numbers_those_with_the_numbers_asked_are_quoted(
    question: str, year: int, amount: int
) -> None:
    lines = [
        f"Ziffer {n}: Der Wasserpreis liegt im Jahr {2026 + n} bei {11 + n} Talern." for n in range(1, 20)
    ]
    parts = [hit("\n".join(lines[at : at + 7]), at) for at in range(0, len(lines), 6)]
    found = await texts(question, *parts)
    assert found
    assert all(f"Jahr {year} bei {amount} Talern" in each for each in found)


ROOMS = (
    "Große Halle eine Stunde 12 Euro 31 Euro",
    "Große Halle ein Tag 85 Euro 240 Euro",
    "Kegelbahn eine Stunde 9 Euro 22 Euro",
    "Kegelbahn ein Tag 58 Euro 171 Euro",
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Was kostet die Kegelbahn für eine Stunde?", 2),
        ("Was kostet die Große Halle für einen Tag?", 1),
    ],
)
async def test_rows_that_lack_a_word_that_another_has_are_not_quoted(question: str, number: int) -> None:
    of = hit("\n".join(("Raum Dauer Vereine Gewerbe", *ROOMS)))
    table = replace(of.passage, kind=PassageKind.TABLE, heading="Preise › Raum Dauer Vereine Gewerbe")
    assert await texts(question, replace(of, passage=table)) == [ROOMS[number]]


async def test_what_the_heading_says_tells_no_rows_apart() -> None:
    of = hit(
        "Gegenstand der Abgabe und Betrag\nErster Hund bis drei Kilo 96 Euro\nMahnung der Hundesteuer 8 Euro"
    )
    table = replace(
        of.passage, kind=PassageKind.TABLE, heading="Hundesteuer › Gegenstand der Abgabe und Betrag"
    )
    found = await texts("Wie hoch ist die Hundesteuer bis drei Kilo?", replace(of, passage=table))
    assert found[0] == "Erster Hund bis drei Kilo 96 Euro"


async def test_other_numbers_may_answer_where_no_sentence_has_the_one_asked() -> None:
    said = "Der Wasserpreis liegt im Jahr 2033 bei 18 Talern."
    assert await texts("Wie hoch ist der Wasserpreis im Jahr 2050?", hit(said)) == [said]


async def test_one_quote_is_shown_where_the_others_fall_behind() -> None:
    other = "Die Gärten am Ufer blühen im Sommer besonders schön."
    assert await texts("Soll der Wasserpreis sinken?", hit(PROMISE), hit(other, 5)) == [PROMISE]


async def test_an_open_question_lets_in_more_sentences_than_one_for_a_single_thing() -> None:
    hits = [hit(PROMISE), hit("Beim Wasserpreis zählt für uns das Ufer.", 5)]
    assert len(await texts("Soll der Wasserpreis in allen Gemeinden sinken?", *hits)) == 1
    assert len(await texts("Was sagt die SPD zum Wasserpreis?", *hits)) == 2


async def test_another_party_may_say_it_less_plainly_another_text_may_not() -> None:
    plain = hit("Der Wasserpreis soll im Jahr 2030 noch 12 Taler betragen.")
    vague = "Über Fische und Gärten reden wir gerne."
    party = hit(vague, of=programme("Volt", 2025), score=0.1)
    act = hit(vague, of=edition("act"), score=0.1)
    question = "Wie hoch soll der Wasserpreis sein?"
    assert [each.hit for each in await picked(question, plain, party)] == [plain, party]
    assert [each.hit for each in await picked(question, plain, act)] == [plain]


async def test_spare_sentences_stand_behind_the_chosen_ones() -> None:
    found = await picked("Soll der Wasserpreis sinken?", hit(PROMISE), hit(GARDENS, 5), spare=2)
    assert [(each.text, each.spare) for each in found] == [(PROMISE, False), (GARDENS, True)]


class ProvesOnly(Citer):
    """Proves the sentences that hold a word, as if the others stood nowhere."""

    def __init__(self, word: str) -> None:
        super().__init__(FakeLibrary())
        self._word = word

    async def cite(self, label: str, extract: Extract) -> Citation | Rejected:
        if self._word in extract.text:
            return object.__new__(Citation)
        return Rejected(what="quote", text=extract.text, why="not_on_page")


async def test_a_spare_sentence_is_cited_only_if_no_better_one_is_proven() -> None:
    found = await picked("Soll der Wasserpreis sinken?", hit(PROMISE), hit(GARDENS, 5), spare=2)
    assert [type(each) for each in await ProvesOnly("Wasserpreis").cite_all(found)] == [Citation]
    assert [type(each) for each in await ProvesOnly("Gärten").cite_all(found)] == [Rejected, Citation]


def prefers(word: str) -> FakeReader:
    """A reader that likes one word."""
    return FakeReader(lambda text: 5.0 if word in text else -5.0)


async def test_what_the_reader_says_counts_most() -> None:
    answer = "Er bleibt in allen Gemeinden bei 3 Talern."
    question = "Soll der Wasserpreis sinken?"
    weights = replace(Weights(), primary=0.3)
    reading = Extractor(FakeEmbedder(512), weights=weights, reader=prefers("Talern"))
    found = await reading.pick(subject(question), [hit(f"{PROMISE} {answer}"), hit(RHETORIC, 5)], 3, spare=9)
    assert found[0].text == answer
    assert found[0].read == 5.0
    assert not found[0].spare
    assert all(extract.read == -5.0 for extract in found[1:])


@pytest.mark.parametrize(("other", "far"), [(GARDENS, True), (RHETORIC, False)])
async def test_how_far_the_first_quote_leads_is_told_of_what_stands_elsewhere(other: str, far: bool) -> None:
    reading = Extractor(FakeEmbedder(512), reader=prefers("Wasserpreis"))
    again = hit(PROMISE, 7)  # the same words in a passage that overlaps are no other place
    found = await reading.pick(
        subject("Soll der Wasserpreis sinken?"), [hit(PROMISE), again, hit(other, 5)], 3
    )
    assert found[0].lead is not None
    assert (found[0].lead > 1) == far
    assert all(each.lead is None for each in found[1:])


async def test_only_the_nearest_are_read_and_no_other_comes_before_them() -> None:
    reader = prefers("nichts davon")
    every = [f"In Ort {n} liegt ein sehr schöner Garten am Ufer." for n in range(1, 2 * READ)]
    gardens = [hit("\nGärten\n".join(every[n : n + 3]), n) for n in range(0, len(every), 3)]
    found = await Extractor(FakeEmbedder(512), reader=reader).pick(
        subject("Wie ist der Garten?"), gardens, 3, spare=99
    )
    assert len(reader.read) == READ
    unread = [extract.read is None for extract in found]
    assert found[0].read is not None
    assert any(unread)
    assert unread == sorted(unread)


async def test_of_many_passages_more_are_read() -> None:
    reader = prefers("nichts davon")
    gardens = [hit(f"In Ort {n} liegt ein sehr schöner Garten am Ufer.", n) for n in range(2 * READ)]
    await Extractor(FakeEmbedder(512), reader=reader).pick(subject("Wie ist der Garten?"), gardens, 3)
    assert len(reader.read) == len(gardens)


async def test_no_place_is_read_twice() -> None:
    reader = prefers("Wasserpreis")
    prices = [f"Der Wasserpreis soll in {place} wieder sinken." for place in ("Nord", "Süd", "West")]
    found = await Extractor(FakeEmbedder(512), reader=reader).pick(
        subject("Soll der Wasserpreis sinken?"), [hit(" ".join(prices))], 1, spare=9
    )
    assert reader.read == [" ".join(prices)]
    assert [(" ".join(extract.shown.split()), extract.read) for extract in found] == [(" ".join(prices), 5.0)]


async def test_no_sentence_is_shown_twice() -> None:
    places = ("Nord", "Süd", "West", "Ost", "Mitte", "Dorf", "Stadt")
    prices = " ".join(f"Der Wasserpreis soll in {place} wieder sinken." for place in places)
    found = await picked("Was sagt die SPD zum Wasserpreis?", hit(prices))
    shown = [sentence for extract in found for sentence in extract.shown.splitlines()]
    assert len(found) > 1
    assert len(shown) == len(set(shown))
