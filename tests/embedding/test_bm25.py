from pathlib import Path

import pytest
from fastembed.sparse.bm25 import Bm25
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.embedding import bm25
from adapters.embedding.bm25 import Bm25Encoder, with_references
from core.domain.search import SparseVector

encoder = Bm25Encoder()
packaged_ones: dict[str, Bm25] = {}


def overlap(question: SparseVector, passage: SparseVector) -> float:
    weights = dict(zip(passage.indices, passage.values, strict=True))
    return sum(weights.get(index, 0.0) for index in question.indices)


def references(text: str) -> list[str]:
    return with_references(text).removeprefix(text).split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nach § 5 Abs. 2 Satz 1", ["ref_5", "ref_5_2"]),
        ("§§ 4(2)(l) und 7", ["ref_4", "ref_4_2", "ref_4_2_l"]),
        ("Art. 6 GG und Artikel 6a", ["ref_6", "ref_6a"]),
        ("Article 6(1)(a) applies", ["ref_6", "ref_6_1", "ref_6_1_a"]),
        ("under sub-section (1) of section 12", ["ref_12"]),
        ("clause 4 (2)", ["ref_4", "ref_4_2"]),
        ("12. Obligations of promoter.-", ["ref_12"]),
        ("as in 4(2)(l)(D)", ["ref_4", "ref_4_2", "ref_4_2_l", "ref_4_2_l_d"]),
        ("im Jahr 2025 (siehe oben) 15 Euro für 3 Kinder", []),
        ("Artenschutz und Sections", []),
    ],
)
def test_references_become_terms(text: str, expected: list[str]) -> None:
    assert references(text) == expected


async def test_a_section_is_found_however_it_is_written() -> None:
    passages = await encoder.passages(["gemäß § 4 Abs. 2 gilt", "gemäß § 7 Abs. 4 gelten 2 Fristen"], "de")
    question = await encoder.query("Was steht in § 4 (2)?", "de")
    assert overlap(question, passages[0]) > overlap(question, passages[1])


async def test_inflected_words_match_in_their_language_only() -> None:
    question = await encoder.query("bezahlbare Wohnungen", "de")
    (german,) = await encoder.passages(["Eine Wohnung muss bezahlbar sein."], "de")
    assert overlap(question, german) > 0
    (unstemmed,) = await encoder.passages(["mieszkanie mieszkania"], "pl")
    assert len(unstemmed.indices) == 2


async def test_stop_words_are_left_out_but_a_statutes_words_stay() -> None:
    (vector,) = await encoder.passages(["the section of the member state and not the order"], "en")
    assert len(vector.indices) == 4  # section, member, state, order


def packaged(stemmer: str, folder: Path) -> Bm25:
    """fastembed's own, with our stop words and length."""
    return Bm25(
        "Qdrant/bm25",
        language=stemmer or "english",
        disable_stemmer=not stemmer,
        stopwords=set(bm25._stop_words(stemmer)),
        avg_len=bm25._AVERAGE_TERMS,
        specific_model_path=str(folder),
    )


@given(text=st.text(max_size=200) | st.from_regex(r"(\w+[ ,._§()-]{1,2}){1,20}", fullmatch=True))
@example(text="Die Häuser der Straße, İstanbul, ẞ und ſ: foo_bar _ 4(2)(l)")
@pytest.mark.parametrize("language", ["de", "en", "fr", "tr", "pl"])
async def test_terms_and_weights_are_those_of_fastembed(
    language: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stemmer = bm25._SNOWBALL.get(language, "")
    theirs = packaged_ones.get(language) or packaged(stemmer, tmp_path_factory.getbasetemp())
    packaged_ones[language] = theirs
    (passage,) = await encoder.passages([text], language)
    (expected,) = theirs.raw_embed([with_references(text)])
    assert dict(zip(passage.indices, passage.values, strict=True)) == pytest.approx(expected.as_dict())
    (asked,) = theirs.query_embed(with_references(text))
    assert set((await encoder.query(text, language)).indices) == set(asked.indices.tolist())


async def test_no_texts_give_no_vectors() -> None:
    assert await encoder.passages([], "de") == []
    (empty,) = await encoder.passages([""], "de")
    assert empty == SparseVector(indices=(), values=())


@given(text=st.text(max_size=300), language=st.sampled_from(["de", "en", "fr", "xx", ""]))
async def test_ids_ascend_without_doubles(text: str, language: str) -> None:
    (passage,) = await encoder.passages([text], language)
    for vector in (passage, await encoder.query(text, language)):
        assert list(vector.indices) == sorted(set(vector.indices))
        assert all(0 <= index < 2**32 for index in vector.indices)
        assert len(vector.indices) == len(vector.values)
        assert all(value > 0 for value in vector.values)
