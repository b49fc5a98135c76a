"""What a quote leaves out of its sentence. Generators know nothing of the guards' lists."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import LeftOut, Verdict
from core.evidence.alignment import Alignment, align, in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.quoted import OutOfPatienceError, Patience
from tests.support.omissions import cuts, elisions, led_into, reported
from tests.support.paper import paper

SENTENCES = {
    "de": [
        "Die Grunderwerbsteuer auf das erste eigene Haus erhöhen wir in den kommenden Jahren nicht.",
        "Am ganzen Ufer wollen wir bald und auch in den Jahren danach keine neuen Schulden für den Bau und "
        "den Betrieb von Häfen, Werften und Fähren machen.",
        "Den Bau einer weiteren Landebahn am Ufer lehnen wir aus Gründen des Lärmschutzes entschieden ab.",
        "Die Gebühren der Fähre sinken um ein Drittel, wenn die Zahl der Fahrgäste im Sommer steigt.",
        "Den Zuschuss für neue Lehrlinge zahlt die Stadt nur an Betriebe mit Sitz in einem ihrer Häfen.",
        "Sollen wir die alten Brücken am Kanal wirklich noch ein weiteres Mal mit teurem Stahl verstärken?",
        "Alle Schulen im Land erhalten bis zum Herbst neue Dächer, größere Fenster und ruhige Räume.",
        "Der Radweg am Fluss wird mit Lampen, Bänken und einer Brücke für Kinder und Ältere ausgebaut.",
    ],
    "en": [
        "No person shall be detained in the harbour house of the island for longer than a single night.",
        "The proposal of the second committee on harbour fees was never adopted by the island's assembly.",
        "The council of the small island in the wide bay does not plan to change the fee of the harbour "
        "or to raise it for houseboats in the autumn.",
        "The board may grant a berth to the owner of a houseboat, unless that owner "
        "has failed to pay the fee for the berth in time.",
        "The board shall return the deposit only after the inspector has looked at the ropes.",
        "Should the island really pay for another tower beside the old lighthouse on the northern rocks?",
        "Every owner of a houseboat receives a number, a plate for the bow and a map of the quiet channels.",
        "The office keeps a register of all moorings, houseboats and bridges and shows it to every visitor.",
    ],
}
KINDS = {**elisions(), **cuts()}


def page(chance: random.Random, language: str) -> list[str]:
    sentences = list(SENTENCES[language])
    chance.shuffle(sentences)
    return sentences


def test_every_class_can_be_made() -> None:
    chance = random.Random(1)
    for language, sentences in SENTENCES.items():
        for kind, make in KINDS.items():
            tries = (make(chance, said.split()) for _ in range(40) for said in sentences)
            assert any(tries), (language, kind)


def told(quote: str, text: str, width: int = 9) -> Alignment:
    words = text.split(" ")
    lines = "\n".join(" ".join(words[i : i + width]) for i in range(0, len(words), width))
    return in_its_sentences(quote, DocumentIndex(paper(lines)))


@pytest.mark.parametrize("language", list(SENTENCES))
@pytest.mark.parametrize("kind", list(KINDS))
@given(seed=st.integers(0, 2**32))
def test_what_turns_a_sentence_is_missed(language: str, kind: str, seed: int) -> None:
    chance = random.Random(seed)
    sentences = page(chance, language)
    made = [text for said in sentences if (text := KINDS[kind](chance, said.split()))]
    for quote in made:
        found = told(quote, " ".join(sentences), chance.randint(4, 12))
        assert found.verdict not in (Verdict.VERBATIM, Verdict.TYPO), quote
        if found.verdict is Verdict.CUT:
            assert found.setting is not None
            assert found.setting.why is not None
            assert found.setting.left_out


@pytest.mark.parametrize("language", list(SENTENCES))
@given(seed=st.integers(0, 2**32))
def test_what_others_say_and_lists_that_deny(language: str, seed: int) -> None:
    chance = random.Random(seed)
    plain = [sentence.split() for sentence in SENTENCES[language][-2:]]
    for planted in (
        reported(chance, language, plain[0]),
        led_into(chance, language, plain[1], [plain[0][:8], plain[1][4:]]),
    ):
        assert planted is not None
        text, quote = planted
        found = in_its_sentences(quote, DocumentIndex(paper(text)))
        assert found.verdict is Verdict.CUT, text


@pytest.mark.parametrize("language", list(SENTENCES))
def test_whole_sentences_leave_nothing_out(language: str) -> None:
    for sentence in SENTENCES[language]:
        found = told(sentence, " ".join(SENTENCES[language]))
        assert found.verdict is Verdict.VERBATIM
        assert found.setting is not None
        assert (found.setting.text, found.setting.left_out) == (sentence, ())


@pytest.mark.parametrize(
    ("quote", "text", "why"),
    [
        ("Die Steuer auf Häuser erhöhen wir", "Die Steuer auf Häuser erhöhen wir nicht.", LeftOut.DENIES),
        (
            "wir senken die Steuer auf Häuser",
            "Falls es Geld gibt: wir senken die Steuer auf Häuser.",
            LeftOut.LIMITS,
        ),
        ("Sollen wir die Steuer auf Häuser", "Sollen wir die Steuer auf Häuser senken?", LeftOut.ASKS),
        (
            "die Steuer auf Häuser sinken soll",
            "Wir prüfen, ob die Steuer auf Häuser sinken soll.",
            LeftOut.ASKS,
        ),
        (
            "Die Steuer auf Häuser sinkt bald",
            "Die Steuer auf Häuser sinkt bald, so die Gegner.",
            LeftOut.REPORTS,
        ),
        (
            "die Steuer auf Häuser sinkt",
            "Die Gegner behaupten, dass die Steuer auf Häuser sinkt.",
            LeftOut.REPORTS,
        ),
        (
            "the tax on houses is paid by the owner",
            "The tax on houses is paid by the owner if it is due.",
            LeftOut.LIMITS,
        ),
        (
            "the tax on houses shall be raised",
            "They claim that the tax on houses shall be raised.",
            LeftOut.REPORTS,
        ),
        (
            "Wir wollen die Steuer auf Häuser senken",
            "Wir wollen die Steuer auf Häuser senken; falsch wäre mehr.",
            LeftOut.DENIES,
        ),
    ],
)
def test_what_the_words_left_out_do(quote: str, text: str, why: LeftOut) -> None:
    found = told(quote, f"Davor steht etwas anderes. {text} Danach kommt noch etwas.")
    assert found.verdict is Verdict.CUT
    assert found.setting is not None
    assert found.setting.why is why
    assert found.setting.text == text


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Wir senken die Steuer auf alle Häuser", "Deshalb: Wir senken die Steuer auf alle Häuser."),
        (
            "Wir senken die Steuer auf alle Häuser",
            "Das lehnen wir ab. Wir senken die Steuer auf alle Häuser.",
        ),
    ],
)
def test_what_leaves_the_quote_as_it_is(quote: str, text: str) -> None:
    assert told(quote, text).verdict is Verdict.VERBATIM


def test_the_sentence_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    pages = paper("Die Steuer auf kleine Häuser am Ufer erhöhen wir", "nicht. Danach kommt etwas anderes.")
    found = in_its_sentences("Die Steuer auf kleine Häuser am Ufer erhöhen wir", DocumentIndex(pages))
    assert found.verdict is Verdict.CUT
    assert found.setting is not None
    assert found.setting.text.endswith("wir nicht.")


def test_a_skip_over_the_end_of_a_sentence_shows() -> None:
    text = "Wir werden die Steuern auf Häuser bald senken. Die Familien am Ufer werden es im Herbst merken."
    found = told("Wir werden die Steuern [...] werden es im Herbst merken", text)
    assert found.quote is not None
    assert found.quote.text == "Wir werden die Steuern [...]. [...] werden es im Herbst merken."
    inside = told("Wir werden die Steuern [...] bald senken", text)
    assert inside.quote is not None
    assert inside.quote.text == "Wir werden die Steuern [...] bald senken."
    again = told(found.quote.text, text)
    assert (again.verdict, again.quote) == (Verdict.CUT, found.quote)
    assert again.setting is not None
    assert again.setting.why is LeftOut.JOINS


def test_other_items_of_a_list_may_be_skipped_but_no_other_lead_in() -> None:
    items = "Wir fordern:\n• keine Gebühren im ganzen Land\n• mehr Geld für alle Schulen\n• weniger Lärm"
    quote = "Wir fordern: [...] mehr Geld für alle Schulen"
    assert in_its_sentences(quote, DocumentIndex(paper(items))).verdict is Verdict.VERBATIM
    other = items.replace("• keine Gebühren im ganzen Land", "• weniger Lärm am Ufer\nWir lehnen ab:")
    assert in_its_sentences(quote, DocumentIndex(paper(other))).verdict is Verdict.CUT


NUMBERED = (
    "1. Wir lehnen ab:\n(a) neue Gebühren im ganzen Land\n(b) jeden Lärm am Ufer und im Hafen\n"
    "2. Wir bauen bis zum Herbst drei Schulen."
)


def test_the_next_numbered_paragraph_is_led_into_by_nothing_of_the_one_before() -> None:
    index = DocumentIndex(paper(NUMBERED))
    assert in_its_sentences("Wir bauen bis zum Herbst drei Schulen.", index).verdict is Verdict.VERBATIM
    assert in_its_sentences("jeden Lärm am Ufer und im Hafen", index).verdict is Verdict.CUT


def test_the_second_item_of_a_numbered_list_stays_led_into_by_a_numbered_lead_in() -> None:
    items = "1. Wir lehnen ab:\n1. neue Gebühren im ganzen Land\n2. jeden Lärm am Ufer und im Hafen"
    found = in_its_sentences("jeden Lärm am Ufer und im Hafen", DocumentIndex(paper(items)))
    assert found.verdict is Verdict.CUT


def test_a_place_with_nothing_left_out_goes_before_one_that_is_cut() -> None:
    text = "Die Steuer auf kleine Häuser erhöhen wir nicht. Die Steuer auf kleine Häuser erhöhen wir."
    assert told("Die Steuer auf kleine Häuser erhöhen wir", text).verdict is Verdict.VERBATIM


def test_align_looks_between_parts_only() -> None:
    index = DocumentIndex(paper("Die Steuer auf kleine Häuser am Ufer erhöhen wir im nächsten Jahr nicht."))
    assert align("Die Steuer auf kleine Häuser am Ufer erhöhen wir", index).verdict is Verdict.VERBATIM
    index = DocumentIndex(paper("Die Steuer auf kleine Häuser erhöhen wir nicht im nächsten Jahr."))
    assert align("Die Steuer auf kleine Häuser [...] im nächsten Jahr", index).verdict is Verdict.CUT


def test_patience_ends() -> None:
    ticks = iter(range(10_000))
    patience = Patience(5, clock=lambda: float(next(ticks)))
    index = DocumentIndex(paper("\n".join(["alpha beta gamma delta epsilon"] * 40)))
    with pytest.raises(OutOfPatienceError):
        in_its_sentences("alpha beta ... gamma delta ... zeta zeta zeta", index, patience=patience)


@given(st.text(max_size=200), st.text(max_size=400))
def test_the_sentence_shown_has_the_ranges_it_names(quote: str, source: str) -> None:
    setting = in_its_sentences(quote, DocumentIndex(paper(source))).setting
    if setting is not None:
        assert all(0 <= start < end <= len(setting.text) for start, end in setting.left_out)


@pytest.mark.parametrize(
    ("source", "cut", "verdict"),
    [
        (
            "Die Stadt zahlt 120 Taler je Hektar Hafen [2].",
            "Die Stadt zahlt 120 Taler je Hektar Hafen.",
            "verbatim",
        ),
        (
            "Die Stadt zahlt [3] jedem Fischer 120 Taler.",
            "Die Stadt zahlt [...] jedem Fischer 120 Taler.",
            "verbatim",
        ),
        (
            "Die Stadt zahlt binnen [30] Tagen alle Taler.",
            "Die Stadt zahlt binnen [60] Tagen alle Taler.",
            "altered",
        ),
    ],
)
def test_marks_in_brackets_may_be_left_out(source: str, cut: str, verdict: str) -> None:
    assert in_its_sentences(cut, DocumentIndex(paper(source))).verdict == verdict
