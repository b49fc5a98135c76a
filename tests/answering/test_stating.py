import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.extractive.statements import commits, headings


def named(text: str) -> list[str]:
    return [text[start:end] for start, end in headings(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Der Lohn soll steigen.",
        "Die Partei lehnt das ab.",
        "Die Abgabe ist sofort aufzuheben.",
        "Der Rückbau ist zu stoppen.",
        "Öffnen MUSS das Amt um acht.",
        "The owner shall pay the fee.",
        "The party opposes the road.",
        "The rule is to be repealed.",
        "No permit is required.",
    ],
)
def test_what_binds_somebody_commits(sentence):
    assert commits(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Ein Gesetz, das niemand kennt, ist nur Papier.",
        "Es ist wichtig, um die Preise zu senken.",
        "Die Brücken sind alt.",
        "Prices have risen for years.",
    ],
)
def test_complaint_and_description_commit_nobody(sentence):
    assert not commits(sentence)


@pytest.mark.parametrize("sentence", ["Wir senken die Gebühr.", "We cut the fee."])
def test_what_we_do_counts_as_a_promise_only_where_asked_for(sentence):
    assert commits(sentence, present=True)
    assert not commits(sentence)


def test_first_and_third_person_commit_alike():
    for we, they in (("wir fordern das", "die partei fordert das"), ("we reject it", "the party rejects it")):
        assert commits(we) == commits(they) is True


def test_short_lines_over_a_sentence_are_headings():
    assert named("Arbeit\nLohn und Zeit\nDer Lohn steigt.") == ["Arbeit", "Lohn und Zeit"]
    assert named("4. Fee for registration\n(1) The owner shall pay a fee.") == ["4. Fee for registration"]


@pytest.mark.parametrize(
    "text",
    [
        "• Abschaffung der Gebühr\n• Senkung der Abgabe\n• Ausbau der Wege.",
        "– Abschaffung der Gebühr\nWir danken allen.",
        "n Gebühr abschaffen\nWir danken allen.",
        "3. Ausbau der Wege\n4. Die Zusammenarbeit der Ämter wird besser.",
        "Gebühr auf 12 Taler senken\nDas entlastet alle.",
        "Abschaffung der Gebühr\nSenkung der Abgabe\nAusbau der Wege\nDas entlastet alle.",
        "Die Gebühr fällt weg.\nDas entlastet alle.",
        "Nach der Wahl",
    ],
)
def test_points_of_a_list_amounts_and_sentences_are_none(text):
    assert named(text) == []


@given(st.lists(st.text(alphabet="aÄz 1.•-(\t", max_size=30), max_size=8).map("\n".join))
def test_headings_are_whole_lines_in_order(text):
    found = headings(text)
    assert found == sorted(set(found))
    for start, end in found:
        assert start == 0 or text[start - 1] == "\n"
        assert text[end] == "\n"
        assert not text[start:end].rstrip().endswith(".")
