from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bot.presentation.wording.comparisons import NARROW, table_blocks, table_text
from core.domain.rich_text import Table, cells

TABLE = Table(
    title="Was ist mit dem Mindestlohn?",
    columns=("Partei", "Zitate"),
    rows=(
        (
            "Uferpartei",
            "„Der Mindestlohn steigt auf 15 Taler.“ [S1] (S. 3)\n„Die Mieten sinken.“ [S2] (S. 4)",
        ),
        ("Drachenflieger", "Keine Quelle in der Bibliothek."),
    ),
    notes=("[S1] Erste\n[S2] Zweite", "Keine Rechtsberatung."),
)
WORDS = st.text(alphabet="aäß漢🙂- [](/)\n", max_size=60)


def squeezed(text: str) -> str:
    return "".join(letter for letter in text if letter not in " \n|+-")


def test_a_wide_table_is_a_grid():
    lines = table_text(TABLE, 80).splitlines()
    assert lines[0] == TABLE.title
    assert [line for line in lines if line.startswith("| Uferpartei ")]
    grid = [line for line in lines if line[:1] in ("|", "+")]
    assert len({cell_len(line) for line in grid}) == 1
    assert "[S2] Zweite" in lines


def test_a_narrow_table_is_a_list():
    text = table_text(TABLE, 40)
    assert "|" not in text
    assert "\nUferpartei\n„Der Mindestlohn" in text
    assert "\nDrachenflieger\nKeine Quelle in der Bibliothek." in text


def test_many_columns_need_room_or_become_a_list():
    wide = Table(
        title="", columns=("Partei", "Rolle", "Bezug", "Zitate"), rows=(("A", "regiert", "0.90", "„x“"),)
    )
    assert "| regiert |" in table_text(wide, 100)
    assert table_text(wide, 50) == "\n\nA\nRolle: regiert\nBezug: 0.90\n„x“"


def test_blocks_keep_rows_whole():
    title, table, *notes = table_blocks(TABLE)
    assert str(title) == TABLE.title
    assert [tuple(map(str, row)) for row in cells(table)] == list(TABLE.rows)
    assert tuple(map(str, notes)) == TABLE.notes


@given(limit=st.integers(min_value=1, max_value=400))
def test_a_table_that_is_too_long_goes_on_in_another(limit):
    _, *tables = table_blocks(TABLE, limit)[: -len(TABLE.notes)]
    assert [tuple(map(str, row)) for table in tables for row in cells(table)] == list(TABLE.rows)
    assert all(len(table) <= 0.75 * limit or len(cells(table)) == 1 for table in tables)


@given(
    width=st.integers(min_value=1, max_value=140),
    cells=st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=4),
    title=WORDS,
)
def test_no_line_is_too_wide_and_nothing_is_lost(width, cells, title):
    table = Table(title=title, columns=("A", "B", "C"), rows=tuple(cells))
    text = table_text(table, width)
    assert all(cell_len(line) <= max(20, width) for line in text.splitlines())
    shown = Counter(squeezed(text))
    assert all(
        shown[letter] >= n for letter, n in Counter(squeezed(title + "".join(map("".join, cells)))).items()
    )
    if width < NARROW:
        assert all(squeezed(row[0]) in squeezed(text) for row in cells)


@pytest.mark.parametrize("markup", ["[red]rot[/red]", "[link=x]", r"\[S1]", "[S1]", ":smile:"])
def test_markup_is_text(markup):
    table = Table(title=markup, columns=(markup, markup), rows=((markup, markup),), notes=(markup,))
    assert table_text(table, 100).count(markup) == 6
