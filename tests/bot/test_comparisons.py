"""compare and motion as commands and in a chat, in the small world."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.chat.conversation import Conversation
from bot.chat.reports import _unknown_name
from bot.cli.root import app
from bot.settings.tree import Settings
from core.domain.registry import Government
from core.domain.rich_text import cells, rich
from tests.support.chats import conversation_over, say
from tests.support.databases import sqlite_url
from tests.support.fake_pdf import text_reading
from tests.support.world import REGISTRY, World, populated

GOVERNMENT = Government(jurisdiction="xv", parties=("Uferpartei",), since=date(2025, 1, 1))
MOTION = "1. Der Mindestlohn steigt auf 15 Taler in der Stunde.\n2. Die Mieten werden eingefroren."


async def governed(threshold: float = 0.0) -> World:
    world = await populated(threshold)
    registry = replace(REGISTRY, governments=(GOVERNMENT,))
    await world.library.save_registry(registry)
    world.app.scoping.use(registry)
    world.app.presenter.use(registry)
    return world


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Runs a command line on the small world; its exit status and output."""

    def runs(*arguments: str, threshold: float = 0.0) -> Result:
        world = asyncio.run(governed(threshold))
        world.pdf.documents["motion.pdf"] = text_reading(MOTION)

        @asynccontextmanager
        async def opened(_: Settings, **_more: object) -> AsyncIterator[Any]:
            yield world.app

        monkeypatch.setattr("bot.wiring.services.opened", opened)
        sqlite_url(tmp_path / "data" / "fundstelle.sqlite3")
        return CliRunner().invoke(app, [*arguments, "--data", str(tmp_path / "data")])

    return runs


def test_compare_prints_a_row_for_everybody(run, tmp_path):
    names = ["Drachenflieger", "Windmillers", "Uferpartei"]
    parties = [part for name in names for part in ("--party", name)]
    done = run("compare", "Was ist mit dem Mindestlohn?", *parties, "--json", "--out", str(tmp_path / "out"))
    assert done.exit_code == 0
    result = json.loads(done.stdout)
    assert [(row["party"], row["status"]) for row in result["rows"]] == [
        ("Uferpartei", "quoted"),
        ("Windmüller", "quoted"),
        ("Drachenflieger", "no_source"),
    ]
    assert set(result) == {"question", "scope", "rows", "text", "table", "notices", "seconds", "trace"}
    citations = [citation for row in result["rows"] for citation in row["citations"]]
    assert all(Path(citation["attachment"]).exists() for citation in citations)
    assert Path(result["table"]).read_bytes().startswith(b"%PDF-")
    assert "Keine Quelle in der Bibliothek." in result["text"]
    assert "15 Taler" in result["text"]


def test_compare_of_places_has_a_row_for_each(run):
    done = run(
        "compare",
        "Anmeldung eines Hausboots",
        "--jurisdiction",
        "xv-se",
        "--jurisdiction",
        "Hochau",
        "--json",
    )
    rows = json.loads(done.stdout)["rows"]
    assert [row["jurisdiction"] for row in rows] == ["xv-ho", "xv-se"]
    assert "90 Taler" in rows[0]["citations"][0]["quote"]
    assert "40 Taler" in rows[1]["citations"][0]["quote"]
    assert all(row["citations"][0]["attachment"] is None for row in rows)


def test_compare_without_any_quote_ends_with_no(run):
    done = run("compare", "Mindestlohn", "--party", "Uferpartei", "--party", "Windmüller", threshold=1.1)
    assert done.exit_code == 1
    assert done.stdout.count("Nichts dazu gefunden.") == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "Mindestlohn", "--party", "Uferpartei"],
        ["compare", "Mindestlohn", "--party", "Uferpartei", "--party", "Nixpartei"],
        ["compare", "Mindestlohn", "--jurisdiction", "xv-ho", "--jurisdiction", "nirgends"],
        [
            *("compare", "Mindestlohn", "--party", "Uferpartei", "--party", "Windmüller"),
            *("--jurisdiction", "xv-ho", "--jurisdiction", "xv-se"),
        ],
        ["motion", "Mehr Bänke für alle Parks der Stadt.", "--jurisdiction", "nirgends"],
        ["motion", "Mehr Bänke für alle Parks der Stadt.", "--jurisdiction", "xv-se"],
        ["motion", "missing.md", "--jurisdiction", "xv"],
        ["motion", "missing.pdf", "--jurisdiction", "xv"],
    ],
)
def test_mistakes_in_the_command_line_end_with_two(run, arguments):
    done = run(*arguments, "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["message"]


@pytest.mark.parametrize("kind", ["text", "md", "pdf"])
def test_a_motion_is_text_or_a_file(run, tmp_path, kind):
    file = tmp_path / f"motion.{kind}"
    file.write_text(f"\ufeff{MOTION}" if kind == "md" else "%PDF-", encoding="utf-8")
    given = MOTION if kind == "text" else str(file)
    out = ["--out", str(tmp_path / "out")]
    done = run("motion", given, "--jurisdiction", "xv", "--mover", "Windmillers", "--json", *out)
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert [demand["number"] for demand in result["demands"]] == [1, 2]
    assert result["government"] == {"parties": ["Uferpartei"], "from": "2025-01-01", "to": None}
    assert [(row["party"], row["mover"], row["governing"]) for row in result["rows"]] == [
        ("Uferpartei", False, True),
        ("Windmüller", True, False),
    ]
    assert all(row["stance"] is None for row in result["rows"])
    assert result["rows"][0]["citations"][0]["demand"] == 1
    assert Path(result["table"]).exists()
    assert "nichts über Zustimmung oder Ablehnung" in result["text"]


def test_a_motion_that_is_no_text_is_refused(run, tmp_path):
    file = tmp_path / "motion.txt"
    file.write_bytes(b"\xff\xfe\x00\xd8")
    done = run("motion", str(file), "--jurisdiction", "xv", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["code"] == "file.not_text"


def test_people_see_a_table_and_where_files_are(run, tmp_path):
    out = tmp_path / "out"
    done = run("motion", MOTION, "--jurisdiction", "xv", "--mover", "Drachenflieger", "--out", str(out))
    assert done.exit_code == 0
    assert "Uferpartei" in done.stdout
    assert "Keine Quelle in der Bibliothek." in done.stdout
    assert "antrag-mindestlohn" in done.stdout


@pytest.fixture
async def conversation(tmp_path: Path) -> Conversation:
    world = await governed()
    return conversation_over(world.app, tmp_path)


@pytest.mark.parametrize(
    "line", ["/compare Mindestlohn", "!vergleich Uferpartei und Windmüller zum Mindestlohn"]
)
async def test_a_chat_compares_in_blocks_and_attaches_the_table(conversation, line):
    reply = await say(conversation, line)
    rows = cells(rich(reply.blocks[1]))
    assert [row[0].text for row in rows] == ["Uferpartei", "Windmüller"]
    assert "15 Taler" in rows[0][1].text
    assert "lehnen wir ab" in rows[1][1].text
    (file,) = reply.files
    assert file.name.startswith("vergleich-")
    assert "mindestlohn" in file.name
    assert file.path.exists()


async def test_a_chat_is_told_how_to_compare(conversation):
    assert "compare" in (await say(conversation, "/compare")).blocks[0]
    only_one = await say(conversation, "/compare Was sagt die Uferpartei zum Mindestlohn?")
    assert "mindestens zwei" in only_one.blocks[0]


async def test_a_party_that_the_chat_set_does_not_stand_alone(conversation):
    await say(conversation, "/party Uferpartei")
    reply = await say(conversation, "/compare Mindestlohn")
    assert "Windmüller" in "\n".join(map(str, reply.blocks))


async def test_further_quotes_and_pages_come_on_request(conversation):
    """One quote a party, no page; how more come is said, and it works."""
    first = await say(conversation, "/compare Die Wohnungen und der Mindestlohn")
    rows = cells(rich(first.blocks[1]))
    assert all(row[1].text.count("[S") <= 1 for row in rows)
    offered = [button.command for row in first.buttons for button in row]
    assert [command for command in offered if command.startswith("/more ")]
    more = await say(conversation, "/compare + Die Wohnungen und der Mindestlohn")
    assert len(str(more.blocks[1])) >= len(str(first.blocks[1]))
    assert "(+" not in str(more.blocks[1])


async def test_all_parties_of_a_motion_come_on_request(conversation):
    asked = await say(conversation, f"/motion jurisdiction=xv {MOTION}")
    everybody = await say(conversation, f"/motion + jurisdiction=xv {MOTION}")
    names = [
        [row[0].text.split("\n")[0] for row in cells(rich(each.blocks[1]))] for each in (asked, everybody)
    ]
    assert names == [["Uferpartei"], ["Uferpartei", "Windmüller"]]
    assert not any(character in str(asked.blocks[1]) for character in ("0.", "0,"))


async def test_how_all_parties_of_a_motion_come_is_said_where_some_are_left_out(conversation):
    asked = await say(conversation, f"/antrag ort=xv {MOTION}")
    assert "Alle Parteien: /antrag + und der Text des Antrags" in map(str, asked.blocks)
    everybody = await say(conversation, f"/antrag + ort=xv {MOTION}")
    assert not any("Alle Parteien" in str(block) for block in everybody.blocks)


DEMANDS = (
    "The council resolves that the minimum wage rises to 15 thalers an hour; rents are frozen for 3 years."
)


@pytest.mark.parametrize(("language", "said"), [("de", "Forderungen"), ("fr", "Demandes"), ("", "Demands")])
async def test_a_motions_report_is_in_one_language_the_chats_else_its_own(conversation, language, said):
    if language:
        await say(conversation, f"/language {language}")
    reply = await say(conversation, f"/motion jurisdiction=xv {DEMANDS}")
    shown = "\n".join([*map(str, reply.blocks), *(file.caption for file in reply.files)])
    captions = {"de": "Der Antrag als Tabelle", "fr": "tableau", "": "as a table"}
    assert said in shown
    assert captions[language] in shown
    assert {"Forderungen", "Demandes", "Demands"} & set(re.findall(r"\w+", shown)) == {said}


async def test_demands_are_listed_in_one_form(conversation):
    motion = "Der Rat möge beschließen, den Mindestlohn auf 15 Taler zu erhöhen und die Mieten einzufrieren."
    reply = await say(conversation, f"/motion jurisdiction=xv {motion}")
    listed = re.findall(r"^\d\. .*$", "\n".join(map(str, reply.blocks)), re.MULTILINE)
    assert listed == ["1. Den Mindestlohn auf 15 Taler zu erhöhen", "2. Die Mieten einzufrieren"]


async def test_a_comparison_is_called_by_its_topic(conversation):
    reply = await say(conversation, "/vergleich + Was sagen die Parteien zum Mindestlohn? ort=Hochau")
    assert rich(reply.blocks[0]).text == "Mindestlohn"
    assert reply.files[0].name == "vergleich-mindestlohn.pdf"


async def test_a_place_beside_the_topic_narrows_a_comparison(conversation):
    refused = await say(conversation, "/vergleich Mindestlohn ort=Nirgendwo")
    assert "Nirgendwo" in str(refused.blocks[0])


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("Mieten, Uferpartei, Niemand", "Niemand"),
        ("Mieten, Uferpartei und Niemand", "Niemand"),
        ("Mieten, Niemand, Uferpartei", ""),
        ("Mieten, Löhne und Renten", ""),
        ("Uferpartei, Mieten", ""),
        ("Mieten in der Uferpartei", ""),
        ("Mieten, Uferpartei, Windmüller", ""),
    ],
)
def test_a_name_in_a_list_that_nobody_has_is_told(text: str, unknown: str) -> None:
    known = {"Uferpartei", "Windmüller"}
    assert _unknown_name(text, known.__contains__) == unknown
