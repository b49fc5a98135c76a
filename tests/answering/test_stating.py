import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.extractive.statements import commits, headings, is_formal


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


@pytest.mark.parametrize(
    "sentence",
    [
        "Lighthouse List, 1 Pier Road",
        "These rules may be called the Harbour (Dues and Moorings) Rules, 2019.",
        "1. Short title and Commencement",
        "Beschlossen vom Parteitag in Seeburg am 3. Mai 2025.",
        "Unser Programm, beschlossen auf dem Landesparteitag im Mai",
        "Uferpartei Valdorien, Hafenstraße 12, 10999 Seeburg",
        "Telefon 0251 52 00 00 oder kontakt@ufer.example.org",
        "V.i.S.d.P.: Anna Beispiel",
        "Adopté par le congrès de Port-Neuf le 3 mai 2025.",
    ],
)
def test_what_a_document_says_of_itself_is_no_statement(sentence):
    assert is_formal(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "[Specify below the reliefs sought and the grounds for each of them]",
        "7. Interim order, if prayed for: the mover seeks this order: [Give here]",
        "[Name und Anschrift bitte eintragen]",
        "Der Antrag lautet: [Betrag angeben]",
        "[Indiquer ici le montant demandé et ses motifs]",
    ],
)
def test_what_somebody_has_to_fill_in_is_no_statement(sentence):
    assert is_formal(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The builder pays [please insert the amount] within forty-five days of the notice.",
        "[State Government] may by notification fix another day for the hearing.",
        "[Given the delay] the authority may give an order at any time.",
    ],
)
def test_a_clause_with_a_gap_is_a_statement(sentence):
    assert not is_formal(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Der Mindestlohn steigt auf 15 Taler in der Stunde.",
        "Mindestlohn: 15 Taler in der Stunde",
        "A general meeting shall be called within thirty days.",
        "Wir haben beschlossen, dass die Häfen offen bleiben.",
        "Der Antrag muss unter www.hafen.example.org gestellt werden.",
        "Renewal in good time. Form B. 60 thalers ninety days",
        "Die Abgabe wird auf Beschluss des Parteitags von 2024 abgeschafft.",
    ],
)
def test_what_says_something_is_a_statement(sentence):
    assert not is_formal(sentence)
