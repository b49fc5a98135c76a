"""Whoever is asked for by name is quoted with their own words from documents of others: minutes, and tables
of answers by several parties."""

from collections.abc import Callable, Sequence
from io import BytesIO

import pytest
from docx import Document

from bot.library.scoping import ScopeOptions
from core.domain.answers import Outcome, Verdict
from core.domain.documents import DocumentType
from tests.support.read_files import read
from tests.support.world import World, request

MINUTES = """# Niederschrift des Gemeinderates Hochau

## TOP 1 Parken am Ufer

Bürgermeister Tressel erklärt, das Parken am Ufer solle zwei Stunden dauern. Er verweist auf die Läden.

Stadträtin Ohm entgegnet, das Parken am Ufer müsse für Anwohner kostenlos bleiben.

Stadtrat Pelz und Stadtrat Kolb: Das Parken am Ufer braucht mehr Plätze für Räder.

Beschluss: Das Parken am Ufer wird ab dem Juli auf drei Stunden begrenzt.
"""
COLUMNS = """# Befragung durch den Mieterbund

| These | Lehmbach Vorwärts | Union der Dörfer |
|---|---|---|
| Das Hallenbad soll im Winter öffnen. | Nein, das Geld fehlt den Schulen. | Ja, mit einer neuen Heizung. |
"""
ROWS = """# Befragung durch den Radverein

| Partei | Radweg an der Hauptstraße |
|---|---|
| Lehmbach Vorwärts | Der Radweg an der Hauptstraße kommt sofort. |
| Union der Dörfer | Für einen Radweg fehlt an der Hauptstraße der Platz. |
"""


async def _world(text: str) -> World:
    world = await World(threshold=0.0).with_registry()
    world.pdf.documents["paper.pdf"] = read(text.encode(), "text", ".md")
    await world.ingest(request("paper.pdf", title="Papier", doc_type=DocumentType.OTHER))
    return world


async def _quotes(text: str, question: str) -> str:
    answer = await (await _world(text)).app.questions.ask(question, ScopeOptions())
    return " || ".join(each.quote.text for each in answer.citations)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        (
            "Was sagte Bürgermeister Tressel zum Parken am Ufer?",
            "Bürgermeister Tressel erklärt, das Parken am Ufer solle zwei Stunden dauern."
            " Er verweist auf die Läden.",
        ),
        *(
            (
                f"Was sagt Stadtrat {name} zum Parken am Ufer?",
                "Stadtrat Pelz und Stadtrat Kolb: Das Parken am Ufer braucht mehr Plätze für Räder.",
            )
            for name in ("Pelz", "Kolb")
        ),
        (
            "Was sagt Stadträtin Ohm zum Parken am Ufer?",
            "Stadträtin Ohm entgegnet, das Parken am Ufer müsse für Anwohner kostenlos bleiben.",
        ),
        (
            "Was hat der Gemeinderat zum Parken am Ufer beschlossen?",
            "Beschluss: Das Parken am Ufer wird ab dem Juli auf drei Stunden begrenzt.",
        ),
    ],
)
async def test_of_minutes_whoever_is_asked_is_quoted_alone(question: str, quoted: str) -> None:
    assert await _quotes(MINUTES, question) == quoted


async def test_a_person_who_speaks_nowhere_has_no_source() -> None:
    question = "Was sagte Bürgermeisterin Kolb zum Parken am Ufer?"
    answer = await (await _world(MINUTES)).app.questions.ask(question, ScopeOptions())
    assert (answer.outcome, answer.citations) == (Outcome.NO_EVIDENCE, ())
    assert [each.name for each in answer.missing] == ["Bürgermeisterin Kolb"]


@pytest.mark.parametrize(
    ("text", "question", "quoted"),
    [
        (
            COLUMNS,
            "Was sagt die Union der Dörfer zum Hallenbad?",
            "Union der Dörfer Das Hallenbad soll im Winter öffnen. [...] Ja, mit einer neuen Heizung.",
        ),
        (
            COLUMNS,
            "Was sagt Lehmbach Vorwärts zum Hallenbad?",
            "Lehmbach Vorwärts [...] Das Hallenbad soll im Winter öffnen. Nein, das Geld fehlt den Schulen.",
        ),
        (
            ROWS,
            "Was sagt die Union der Dörfer zum Radweg?",
            "Union der Dörfer Für einen Radweg fehlt an der Hauptstraße der Platz.",
        ),
    ],
)
async def test_of_a_table_a_party_is_quoted_with_its_own_cells(text: str, question: str, quoted: str) -> None:
    assert await _quotes(text, question) == quoted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (COLUMNS, "Ja, mit einer neuen Heizung."),
        (ROWS, "Für einen Radweg fehlt an der Hauptstraße der Platz."),
    ],
)
async def test_a_cell_is_the_words_of_its_own_party_alone(text: str, said: str) -> None:
    world = await _world(text)

    async def verdict(party: str) -> Verdict:
        return (await world.app.questions.verify(said, ScopeOptions(), party=party)).verdict

    assert await verdict("Union der Dörfer") is Verdict.VERBATIM
    assert await verdict("Lehmbach Vorwärts") is Verdict.MISATTRIBUTED
    assert await verdict("Quellenpartei") is Verdict.MISATTRIBUTED


FIRST, SECOND, THIRD = "Lehmbach Vorwärts", "Union der Dörfer", "Freie Liste Tann"
ANSWERS = {
    "Hallenbad": {
        FIRST: "Nein, das Geld fehlt den Schulen.",
        SECOND: "Ja, mit einer neuen Heizung.",
        THIRD: "Nur am Wochenende und für Vereine.",
    },
    "Radweg": {
        FIRST: "Ja, der Radweg kommt sofort und wird aus dem Haushalt bezahlt.",
        SECOND: "Für einen Radweg fehlt an der Hauptstraße der Platz.",
        THIRD: "Der Radweg kommt, wenn das Land die Hälfte zahlt.",
    },
}
Rows = list[list[str]]


def _in_html(*tables: Rows) -> tuple[bytes, str, str]:
    """Tables without lines."""
    rows = [["".join(f"<td>{cell}</td>" for cell in row) for row in table] for table in tables]
    made = "<p>Weiter:</p>".join(
        f"<table>{''.join(f'<tr>{each}</tr>' for each in table)}</table>" for table in rows
    )
    return f"<html><body><h1>Befragung</h1>{made}</body></html>".encode(), "html", ".html"


def _in_word(*tables: Rows) -> tuple[bytes, str, str]:
    document = Document()
    document.add_heading("Befragung", 1)
    for rows in tables:
        table = document.add_table(0, len(rows[0]))
        for row in rows:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
        document.add_paragraph("Weiter:")
    made = BytesIO()
    document.save(made)
    return made.getvalue(), "zip", ".docx"


def _table(head: str | None, parties: Sequence[str], topics: Sequence[str] = tuple(ANSWERS)) -> Rows:
    """Parties as heads of columns, a row for each topic, behind a column with this `head`, if any."""
    rows = [[f"Das {each} soll kommen.", *(ANSWERS[each][name] for name in parties)] for each in topics]
    made = [[head or "", *parties], *rows]
    return made if head is not None else [row[1:] for row in made]


@pytest.mark.parametrize("written", [_in_html, _in_word])
@pytest.mark.parametrize(
    "tables",
    [
        [_table("These", [FIRST, SECOND, THIRD])],
        [_table("", [FIRST, SECOND, THIRD])],
        [_table("Unsere Frage", [FIRST, SECOND, THIRD])],
        [_table("Etwas anderes", [FIRST, SECOND, THIRD])],
        [_table(None, [FIRST, SECOND, THIRD])],
        [
            _table("These", [FIRST, SECOND, THIRD], ["Hallenbad"]),
            _table("These", [THIRD, FIRST, SECOND], ["Radweg"]),
        ],
        [_table("", [FIRST, SECOND, THIRD], ["Hallenbad"]), _table("", [THIRD, FIRST], ["Radweg"])],
        [[[party, ANSWERS[topic][party]] for party in (FIRST, SECOND, THIRD)] for topic in ANSWERS],
    ],
    ids=["thesis", "no corner", "question", "any head", "no label", "swapped", "one missing", "rows"],
)
async def test_of_no_table_is_anybody_quoted_with_the_cells_of_others(
    written: Callable[..., tuple[bytes, str, str]], tables: list[Rows]
) -> None:
    world = await World(threshold=0.0).with_registry()
    world.pdf.documents["paper.pdf"] = read(*written(*tables))
    await world.ingest(request("paper.pdf", title="Papier", doc_type=DocumentType.OTHER))
    there = {cell for table in tables for row in table for cell in row}
    for topic, answers in ANSWERS.items():
        for party, words in answers.items():
            answer = await world.app.questions.ask(f"Was sagt {party} zum {topic}?", ScopeOptions())
            quoted = " ".join(" ".join(each.quote.text for each in answer.citations).split())
            others = [each for other, each in answers.items() if other != party]
            assert not [each for each in others if each[:20] in quoted], (party, quoted)
            for other in (FIRST, SECOND, THIRD) if words in there else ():
                found = await world.app.questions.verify(words, ScopeOptions(), party=other)
                assert (found.verdict is Verdict.VERBATIM) == (other == party), (words, other)
