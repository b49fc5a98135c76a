"""Sections and spans of real documents, read as the product reads them."""

import os
import tomllib
from pathlib import Path

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.documents import DocumentType
from core.domain.pages import Page
from core.evidence.skeleton import skeleton, word_skeleton
from core.language.sentences import sentences
from core.library.chunking.chunker import ChunkResult, chunk
from core.library.chunking.text import page_spans
from core.library.furniture import mark_furniture
from tests.support.typesetting import count_words

DATA = Path(os.environ.get("FUNDSTELLE_TEST_DATA", Path(__file__).parents[2] / "../shared/data"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (DATA / "statutes").is_dir(), reason=f"no real documents in {DATA}"),
]

SECTIONS = {
    "in_rera_act_2016.pdf": {"section": 92},
    "in-gj_general_rules_2017.pdf": {"rule": 20, "form": 11},
    "in-gj_regulatory_authority_rules_2016.pdf": {"rule": 14, "form": 4},
    "in-gj_appellate_tribunal_rules_2016.pdf": {"rule": 9},
    "in-ch_general_rules_2016.pdf": {"rule": 37, "form": 16},
    "in-ch_agreement_for_sale_rules_2016.pdf": {"rule": 3},
    "in-dd_general_rules_2016.pdf": {"rule": 37, "form": 16},
    "in-ka_agreement_for_sale_rules_draft_2017.pdf": {"rule": 3},
    "eu_gdpr_council_5419-16.pdf": {"art": 99, "recital": 173},
    "de_grundgesetz.pdf": {"art": 186},
    "in_mohupa_rera_faqs.pdf": {"question": 92},
    "in-ka_faqs_2017.pdf": {"question": 22},
}
"""How many there are: every number from 1 to the last one printed, and the lettered ones."""


async def cut(folder: str, name: str) -> tuple[tuple[Page, ...], ChunkResult, str]:
    rows = tomllib.loads((DATA / folder / "library.toml").read_text())["document"]
    row = next(row for row in rows if row["file"] == name)
    toolkit = PyMuPdfToolkit(workers=1)
    try:
        reading = await toolkit.read(DATA / folder / name)
    finally:
        await toolkit.close()
    regions = {found.page.number: found.regions for found in reading.pages}
    pages = mark_furniture([found.page for found in reading.pages], regions)
    result = chunk(
        pages,
        doc_type=DocumentType(row["type"]),
        language=row["language"],
        title=row["title"],
        count_tokens=count_words,
        regions=regions,
    )
    return pages, result, row["language"]


def assert_spans(pages: tuple[Page, ...], result: ChunkResult, language: str) -> None:
    by_number = {page.number: page for page in pages}
    for passage in result.passages:
        for start, end in sentences(passage.text, language):
            under = "".join(
                word_skeleton(word)
                for span in page_spans(passage, start, end, by_number)
                for word in by_number[span.page].words
                if span.start <= word.start < span.end and not word.furniture
            )
            assert under == skeleton(passage.text[start:end])


@pytest.mark.parametrize("name", SECTIONS)
async def test_sections(name: str) -> None:
    pages, result, language = await cut("statutes", name)
    ids = {passage.section.id for passage in result.passages if passage.section}
    counts = {kind: sum(found.startswith(f"{kind}:") for found in ids) for kind in SECTIONS[name]}
    assert counts == SECTIONS[name]
    assert_spans(pages, result, language)


@pytest.mark.parametrize("name", ["btw2025_linke.pdf", "btw2025_gruene.pdf", "muenster2014_linke.pdf"])
async def test_spans_of_programmes(name: str) -> None:
    pages, result, language = await cut("manifestos", name)
    assert len(result.passages) > len(pages)
    assert_spans(pages, result, language)
