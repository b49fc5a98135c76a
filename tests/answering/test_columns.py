"""Whose words stand in a column of a table that has one for each of several parties."""

from collections.abc import Sequence
from datetime import date

import pytest

from core.answering.columns import (
    cells_holding,
    cells_of,
    cells_under,
    is_under,
    outdated_over,
    party_of,
    party_over,
)
from core.domain.pages import Page
from core.domain.passages import Span
from core.evidence.alignment import in_its_sentences, quote_from_spans
from core.evidence.index import DocumentIndex
from core.library.chunking.text import page_spans
from tests.support.read_files import read_and_cut

PARTIES = ("Rote Liste", "Grüne Liste", "Uferpartei")
CELLS = {
    "Rote Liste": "Das Hallenbad wird bis zum Jahr 2029 saniert.",
    "Grüne Liste": "Das Hallenbad wird an der Bahn neu gebaut.",
    "Uferpartei": "Das Hallenbad wird zum Jahresende geschlossen.",
}
NAMES, ROW = " | ".join(CELLS), " | ".join(CELLS.values())
TABLE = f"# Im Vergleich\n\n| Thema | {NAMES} |\n|---|---|---|---|\n| Bad | {ROW} |\n"
PAGES, PASSAGES = read_and_cut(TABLE.encode(), "text", ".md")


def _spans(said: str, pages: Sequence[Page] = PAGES) -> Sequence[Span]:
    quote = in_its_sentences(said, DocumentIndex(pages)).quote
    assert quote is not None
    return quote.spans


@pytest.mark.parametrize("party", PARTIES)
def test_a_cell_stands_in_the_column_of_its_party(party: str) -> None:
    assert party_over(PAGES, _spans(CELLS[party]), PARTIES) == party


@pytest.mark.parametrize("party", PARTIES)
def test_of_a_row_the_cell_of_whoever_is_asked_about_is_quoted(party: str) -> None:
    (table,) = (each for each in PASSAGES if "saniert" in each.text)
    start = table.text.index("Bad ")
    row = page_spans(table, start, len(table.text), PAGES)
    assert quote_from_spans(PAGES, cells_of(PAGES, row, [party], PARTIES)).text == CELLS[party]


def test_a_row_of_no_parties_is_left_whole() -> None:
    rows = "| Anlass | Betrag | Frist |\n|---|---|---|\n| Antrag auf einen Steg | zwei Taler | ein Jahr |"
    text = f"# Gebühren\n\n{rows}\n"
    pages, passages = read_and_cut(text.encode(), "text", ".md")
    (table,) = (each for each in passages if "Taler" in each.text)
    row = page_spans(table, table.text.index("Antrag"), len(table.text), pages)
    assert cells_of(pages, row, ["Rote Liste"], PARTIES) == []


def test_a_name_that_two_parties_share_names_neither() -> None:
    assert party_of("Grüne Liste", PARTIES) == "Grüne Liste"
    assert party_of("Liste", PARTIES) == ""
    assert party_of("Begründung", PARTIES) == ""


FEES = (
    "# Preise\n\n| Karte | bis 31.12.2025 | ab 1.1.2026 |\n|---|---|---|\n"
    "| Erwachsene an allen Tagen | 4 Taler | 6 Taler |\n"
)
DAY = date(2026, 11, 28)


def test_of_a_row_the_cells_that_hold_are_quoted() -> None:
    pages, passages = read_and_cut(FEES.encode(), "text", ".md")
    (table,) = (each for each in passages if "Erwachsene" in each.text)
    row = page_spans(table, table.text.index("Erwachsene"), len(table.text), pages)
    quoted = quote_from_spans(pages, cells_holding(pages, row, DAY)).text
    assert quoted == "Erwachsene an allen Tagen [...] 6 Taler"
    assert outdated_over(pages, _spans("Erwachsene an allen Tagen 4 Taler", pages), DAY) == "bis 31.12.2025"
    assert outdated_over(pages, _spans("Erwachsene an allen Tagen", pages), DAY) == ""


ANSWERS = {
    "Gemeinsame Liste der Dörfer am Oberen See": "Ja, sobald die Schulden der Gemeinde abgebaut sind.",
    "Freie Wählergemeinschaft der Uferorte": "Nein, das Geld fehlt den Schulen im Tal.",
    "Unabhängige Bürgerinnen und Bürger": "Nur mit einem Zuschuss des Landes.",
}
THESIS = "Die Gemeinde soll das Hallenbad im Winter öffnen."


@pytest.mark.parametrize("party", ANSWERS)
def test_of_a_row_the_cell_of_a_column_is_quoted_with_its_thesis(party: str) -> None:
    rows = [["These", *ANSWERS], ["---"] * 4, [THESIS, *ANSWERS.values()]]
    text = "# Befragung\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows)
    pages, passages = read_and_cut(text.encode(), "text", ".md")
    (table,) = (each for each in passages if "Schulden" in each.text)
    row = page_spans(table, table.text.index("Die Gemeinde"), len(table.text), pages)
    quoted = quote_from_spans(pages, cells_under(pages, row, party)).text.replace(" [...]", "")
    assert quoted == f"{party} {THESIS} {ANSWERS[party]}"
    assert [is_under(pages, _spans(said, pages), party) for said in ANSWERS.values()] == [
        each == party for each in ANSWERS
    ]
    assert is_under(pages, _spans(ANSWERS[party], pages), "Rote Liste") is None
    assert cells_under(pages, row, "Rote Liste") == []
