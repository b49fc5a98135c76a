"""Sentence boundaries in German and English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.sentences import LONG_SENTENCE_WORDS, sentences, word_count


def split(text: str, language: str = "de") -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@pytest.mark.parametrize(
    "text",
    [
        "Wir wollen z. B. den § 5 Abs. 2 Nr. 3 StGB streichen.",
        "Das gilt ab dem 1. Januar 2025.",
        "Der 19. Deutsche Bundestag hat u. a. die sog. Preisbremse verlängert.",
        "Nach Art. 6 Abs. 1 S. 1 lit. f DSGVO ist das zulässig.",
        "Das kostet ca. 3 Mio. Euro im Jahr.",
        "Frau Dr. Müller, Prof. Schmidt u. v. m. sind dafür.",
        "Im 20. Jahrhundert war das anders, vgl. Kap. 3 und Abb. 4.",
        "Die Stiftung (gegr. 1990. Sitz: Berlin) bleibt bestehen.",
        "Die Frist endet am 31.12. des Jahres.",
        "Kaiser Wilhelm II. Regierungszeit endete 1918.",
        "„Das ist richtig!“, sagte die Ministerin.",
        "1. Die erste Forderung steht in einer Liste.",
        "(a) Der Antrag ist schriftlich zu stellen.",
        "Wir fördern Kitas, Schulen usw. in allen Städten.",
    ],
)
def test_one_german_sentence(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The penalty may extend to ten per cent. of the estimated cost.",
        "Under sec. 11(4)(a), i.e. the new Act, No. 16 of 2016, it applies.",
        "Mr. Smith et al. agree, cf. para. 5 and Fig. 3 below.",
        "It costs Rs. 500 per sq. m. in total.",
        "M/s. ABC Ltd. paid the fee.",
        "The U.S. Government said so.",
        "12. The Authority shall decide.",
        "He asked (see p. 4. It is short) for more.",
    ],
)
def test_one_english_sentence(text: str) -> None:
    assert split(text, "en") == [text]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Wir handeln. Wir liefern.", "de", ["Wir handeln.", "Wir liefern."]),
        ("Ist das gerecht? Nein!", "de", ["Ist das gerecht?", "Nein!"]),
        ("Wir helfen Kitas usw. Die Mittel steigen.", "de", ["Wir helfen Kitas usw.", "Die Mittel steigen."]),
        ("Das war 1990. Bonn wurde Bundesstadt.", "de", ["Das war 1990.", "Bonn wurde Bundesstadt."]),
        ("Er nahm Platz 3. Die Partei siegte.", "de", ["Er nahm Platz 3.", "Die Partei siegte."]),
        ("„Ja.“ Das war alles.", "de", ["„Ja.“", "Das war alles."]),
        (
            "It is done under section 3. The fee is due.",
            "en",
            ["It is done under section 3.", "The fee is due."],
        ),
        ("It ended in the U.S. Then it rained.", "en", ["It ended in the U.S.", "Then it rained."]),
        ("Ten per cent. The rest is free.", "en", ["Ten per cent.", "The rest is free."]),
        ("Überschrift\nDer Text.", "de", ["Überschrift", "Der Text."]),
        ("Wir fordern: • mehr Geld • mehr Zeit", "de", ["Wir fordern:", "• mehr Geld", "• mehr Zeit"]),
    ],
)
def test_boundaries(text: str, language: str, expected: list[str]) -> None:
    assert split(text, language) == expected


def test_long_statute_sentence_is_cut_at_its_clauses() -> None:
    clause = "the promoter shall furnish to the authority every document that it may reasonably require"
    text = "The following apply: " + " ".join(f"({letter}) {clause};" for letter in "abcdefghijkl")
    pieces = split(text, "en")
    assert len(pieces) > 1
    assert all(word_count(piece) <= LONG_SENTENCE_WORDS for piece in pieces)
    assert all(piece.startswith("(") for piece in pieces[1:])


@given(st.text(alphabet="abzÄß019 .,!?:;()§\n•-„“Z", max_size=300), st.sampled_from(["de", "en", "fr"]))
def test_every_character_once_and_cuts_on_white_space(text: str, language: str) -> None:
    found = sentences(text, language)
    assert "".join("".join(text[a:b].split()) for a, b in found) == "".join(text.split())
    for start, end in found:
        assert text[start:end] == text[start:end].strip() != ""
        assert start == 0 or text[start - 1].isspace()
        assert end == len(text) or text[end].isspace()
