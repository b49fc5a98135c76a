"""A row with an amount behind dots is a sentence of its own: a quote of it lacks nothing of the next one."""

import pytest

from core.domain.answers import Verdict
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from tests.support.typesetting import Set, page

ROWS = (
    "Erwachsene mit Einzelkarte ........... 6,50 EUR",
    "Nutzung der Sauna am Abend . . . . . . 12,00 EUR",
    "Hunde an der Leine und im Becken ...... nicht erlaubt",
)
SENTENCE = "Wer seine Karte verliert, zahlt am Schalter noch einmal."
LIST = DocumentIndex(
    [page(1, [Set(line, 60, 100 + 14 * n, 11.0, 0) for n, line in enumerate((*ROWS, SENTENCE))])]
)


@pytest.mark.parametrize("row", [*ROWS[:2], SENTENCE, "Nutzung der Sauna am Abend 12,00 EUR"])
def test_a_whole_row_is_a_whole_quote(row: str) -> None:
    assert in_its_sentences(row, LIST).verdict is Verdict.VERBATIM


def test_rows_are_not_read_into_each_other() -> None:
    assert in_its_sentences("Erwachsene mit Einzelkarte 12,00 EUR", LIST).verdict is not Verdict.VERBATIM
    assert in_its_sentences("Erwachsene mit Einzelkarte 7,50 EUR", LIST).verdict is not Verdict.VERBATIM
