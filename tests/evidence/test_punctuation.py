from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.domain.answers import Verdict
from core.evidence.alignment import align
from core.evidence.index import DocumentIndex
from core.evidence.punctuation import around, conflicts
from tests.support.paper import paper


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("erhöhen wir. Nicht der Antrag", "erhöhen wir nicht. Der Antrag"),
        ("Das tun wir nicht Der Antrag gilt", "Das tun wir nicht. Der Antrag gilt"),
        ("Sollen wir das tun.", "Sollen wir das tun?"),
        ("Sollen wir das tun", "Sollen wir das tun?"),
        ("Wir tun das? Nein", "Wir tun das. Nein"),
        ("Wir wollen, nicht warten", "Wir wollen nicht, warten"),
        ("Wir wollen nicht warten", "Wir wollen, nicht warten"),
        ("Der Kanzler sagt, die Opposition lügt", "Der Kanzler, sagt die Opposition, lügt"),
        ("die Fähre der Hafen, (auch alt) bleibt", "die Fähre, der Hafen (auch alt) bleibt"),
        ("the, signatory ____, signs", "the signatory, ____, signs"),
        ("the owner signatory, [seal] signs", "the owner, signatory [seal] signs"),
        ("Haus-, und Hof Tür bleiben", "Haus- und Hof, Tür bleiben"),
        ("Maut ✓ Tunnel ✗", "Maut ✗ Tunnel ✓"),
        ("Maut Tunnel", "Maut ✗ Tunnel"),
        ("Maut ✗ Tunnel", "Maut Tunnel"),
        ("Löhne ↑", "Löhne ↓"),
        ("a < b", "a > b"),
        ("a = b", "a ≠ b"),
        ("Bus 👍 Bahn", "Bus 👎 Bahn"),
        ("Note ★★★ gut", "Note ★★ gut"),
    ],
)
def test_marks_that_change_what_is_said(claimed: str, source: str) -> None:
    assert conflicts(claimed, source)


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("Das tun wir nicht: Der Antrag gilt", "Das tun wir nicht. Der Antrag gilt"),
        ("Das tun wir nicht! Der Antrag gilt", "Das tun wir nicht. Der Antrag gilt"),
        ("das gilt zB nach § 3 Abs 2 Nr 4", "das gilt z. B. nach § 3 Abs. 2 Nr. 4."),
        ("am 3 Mai mit Dr Muster", "am 3. Mai mit Dr. Muster"),
        ("Maut Tunnel", "Maut ✓ Tunnel"),
        ("Punkt eins Punkt zwei", "■ Punkt eins ■ Punkt zwei"),
        ("Maut ✔ Tunnel", "Maut ✓ Tunnel"),
        ("Schulen - auch kleine - bleiben", "Schulen – auch kleine — bleiben"),
        ("(Schulen) „auch kleine“ bleiben", "Schulen 'auch kleine' bleiben"),
        ("Äpfel Birnen und Nüsse", "Äpfel, Birnen und Nüsse"),
        ("die Fähre (auch alt) bleibt", "die Fähre, (auch alt), bleibt"),
        ("die Fähre, auch alt, bleibt", "die Fähre (auch alt) bleibt"),
        ("the signatory ____ signs", "the signatory, ____, signs"),
        ("Unsere Ziele. Wir bauen", "Unsere Ziele\nWir bauen"),
        ("Inhalt 5", "Inhalt ........ 5"),
    ],
)
def test_marks_that_say_the_same(claimed: str, source: str) -> None:
    assert conflicts(claimed, source) == []


@given(st.text(max_size=200))
@example("> A")
@example("> A\n> B")
def test_a_text_has_the_same_marks_as_itself(text: str) -> None:
    assert conflicts(text, text) == []
    assert conflicts(f"  {text}\n", text) == []


def test_the_words_round_a_place_are_shown() -> None:
    assert around("erhöhen wir nicht. Der Antrag", 15) == "nicht. Der"


def test_a_list_sign_may_be_left_out_but_not_turned_round() -> None:
    text = "Unsere Ziele für das ganze Land\n✗ Maut auf allen Straßen\n✗ Gebühren an allen Schulen"
    page = paper(text)[0]
    words = tuple(replace(word, bullet=word.text == "✗") for word in page.words)
    index = DocumentIndex([replace(page, words=words)])
    assert align("Maut auf allen Straßen Gebühren an allen Schulen", index).verdict is Verdict.VERBATIM
    assert align("Maut auf allen Straßen ✗ Gebühren an allen Schulen", index).verdict is Verdict.VERBATIM
    assert align("✗ Maut auf allen Straßen ✗ Gebühren an allen Schulen", index).verdict is Verdict.VERBATIM
    assert align("Maut auf allen Straßen ✓ Gebühren an allen Schulen", index).verdict is Verdict.ALTERED
    assert align("✓ Maut auf allen Straßen ✗ Gebühren an allen Schulen", index).verdict is Verdict.ALTERED
