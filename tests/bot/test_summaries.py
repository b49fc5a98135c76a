"""summary new, list, show and remove as commands and as chats use them, in the small world."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli.root import app
from bot.library.scoping import ScopeOptions
from bot.presentation.i18n import Texts
from bot.presentation.wording.summaries import LISTED, ShownSummary
from bot.settings.tree import Settings
from core.domain.summaries import Summary, SummaryEntry
from core.errors import Refused
from tests.support.databases import sqlite_url
from tests.support.world import World, populated

PUBLIC = ScopeOptions(collections=("public",))
BOTH = ScopeOptions(collections=("public", "internal"))
DE = Texts("de")


@pytest.fixture
def world() -> World:
    return asyncio.run(populated())


@pytest.fixture
def run(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Runs a command line on one small world."""

    @asynccontextmanager
    async def opened(_: Settings, **_more: object) -> AsyncIterator[Any]:
        yield world.app

    monkeypatch.setattr("bot.wiring.services.opened", opened)
    sqlite_url(tmp_path / "data" / "fundstelle.sqlite3")

    def runs(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["summary", *arguments, "--data", str(tmp_path / "data")])

    return runs


async def test_a_topic_is_kept_without_personal_data(world):
    made = await world.app.summaries.new("Mindestlohn, sagt anna@example.org", PUBLIC)
    assert "anna" not in made.summary.topic.name
    assert "Mindestlohn" in made.summary.topic.name


def test_a_summary_is_made_listed_and_shown_word_for_word(run, tmp_path):
    out = tmp_path / "out"
    made = run("new", "Mindestlohn", "--party", "Uferpartei", "--out", str(out), "--json")
    assert made.exit_code == 0, made.output
    first = json.loads(made.stdout)
    assert (first["id"], first["number"], first["stale"], first["changes"]) == (1, 1, False, [])
    assert first["topic"]["name"] == "Mindestlohn"
    assert first["topic"]["scope"]["parties"] == ["Uferpartei"]
    assert all(Path(item["attachment"]).exists() for item in first["citations"])
    shown = json.loads(run("show", "1", "--json").stdout)
    assert shown["text"] == first["text"]
    assert shown["claims"] == first["claims"]
    assert [item["quote"] for item in shown["citations"]] == [item["quote"] for item in first["citations"]]
    assert set(shown) == set(first)
    listed = json.loads(run("list", "--json").stdout)["summaries"]
    assert [(item["id"], item["number"], item["stale"]) for item in listed] == [(1, 1, False)]
    assert run("show", "mindestlohn #1").stdout.strip() == first["text"].strip()


def test_numbers_run_per_topic_and_scope(run):
    for arguments in (["Mieten"], ["MIETEN"], ["Mieten", "--party", "Uferpartei"]):
        assert run("new", *arguments).exit_code == 0
    lines = run("list").stdout.splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["3: Mieten", "2: Mieten", "1: Mieten"]
    assert "Uferpartei" in lines[1]
    several = run("show", "Mieten #1", "--json")
    assert several.exit_code == 1
    assert json.loads(several.stdout)["error"]["code"] == "summary.ambiguous"
    assert "1, 3" in several.output


def test_what_has_changed_is_said(run, world):
    assert run("new", "Mindestlohn").exit_code == 0
    asyncio.run(world.app.document_lifecycle.remove("wind25.pdf"))
    shown = json.loads(run("show", "1", "--json").stdout)
    assert shown["stale"]
    (change,) = shown["changes"]
    assert (change["kind"], change["document"]["file"]) == ("removed", "wind25.pdf")
    assert "lehnen wir ab" in shown["text"]
    assert "wind25 ist nicht mehr in der Bibliothek." in shown["text"]
    assert "out of date" in run("list").stdout


def test_pages_of_a_removed_document_are_not_attached(run, world, tmp_path):
    assert run("new", "Mindestlohn").exit_code == 0
    asyncio.run(world.app.document_lifecycle.remove("wind25.pdf"))
    shown = json.loads(run("show", "1", "--out", str(tmp_path / "out"), "--json").stdout)
    there = {item["document"]["file"]: bool(item["attachments"]) for item in shown["citations"]}
    assert there["ufer25.pdf"]
    assert not there["wind25.pdf"]


def test_without_evidence_nothing_is_kept(run, world):
    done = run("new", "Mindestlohn", "--party", "Drachenflieger", "--json")
    assert done.exit_code == 1
    result = json.loads(done.stdout)
    assert (result["id"], result["number"], result["claims"]) == (None, None, [])
    assert result["missing"] == [{"party": "Drachenflieger"}]
    assert "Keine Quelle in der Bibliothek für die Drachenflieger" in result["text"]
    assert json.loads(run("list", "--json").stdout) == {"summaries": []}
    assert "no summaries" in run("list").stdout


def test_a_removed_summary_is_gone(run):
    run("new", "Mindestlohn")
    assert json.loads(run("remove", "Mindestlohn #1", "--json").stdout) == {"removed": 1}
    assert run("show", "1").exit_code == 1
    assert run("remove", "1").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["show", "7"], 1),
        (["show", "#1"], 1),
        (["show", "nothing"], 1),
        (["new", "Mieten", "--jurisdiction", "nirgends"], 2),
        (["new", "Mieten", "--answerer", "llm"], 2),
        (["new", "Mieten", "--answerer", "oracle"], 2),
        (["new", " "], 1),
    ],
)
def test_mistakes_are_told(run, arguments, status):
    done = run(*arguments)
    assert done.exit_code == status
    assert done.output.strip()


async def made(world: World, name: str, options: ScopeOptions) -> Summary:
    shown = await world.app.summaries.new(name, options)
    assert isinstance(shown.summary, Summary)
    return shown.summary


class TestWhoMaySee:
    """Nothing that draws on a collection is seen where the collection is not."""

    async def test_internal_summaries_are_not_there_for_a_public_chat(self) -> None:
        world = await populated()
        secret = await made(world, "geheime Plan KANARIENVOGEL", BOTH)
        public = await made(world, "Mieten", PUBLIC)
        assert any("KANARIENVOGEL" in claim.text for claim in secret.claims)
        summaries = world.app.summaries
        listed = await summaries.list(("public",))
        assert [item.entry.id for item in listed] == [public.id]
        assert "KANARIENVOGEL" not in "\n".join(summaries.texts.listing(listed, DE))
        errors = []
        for reference in (str(secret.id), "geheime Plan KANARIENVOGEL #1", "999"):
            with pytest.raises(Refused) as caught:
                await summaries.show(reference, ("public",))
            errors.append((caught.value.key, caught.value.detail.replace(reference, "")))
        assert len(set(errors)) == 1, "whether there is one is not told"
        assert (await summaries.show(str(secret.id), ("internal", "public"))).summary == secret

    async def test_it_is_checked_once_more_behind_the_store(self) -> None:
        world = await populated()
        secret = await made(world, "geheime Plan KANARIENVOGEL", BOTH)

        class Leaky:
            """A store that has forgotten who may see what."""

            def __init__(self, store: Any) -> None:
                self.store = store

            async def entries(self, collections: Sequence[str] | None = None) -> list[SummaryEntry]:
                return await self.store.entries(None)

            async def summary(self, summary: int, collections: Sequence[str] | None = None) -> Summary | None:
                return await self.store.summary(summary, None)

        honest = world.app.summaries
        leaky: Any = Leaky(honest.summaries)
        summaries = replace(honest, summaries=leaky)
        assert await summaries.list(("public",)) == []
        for reference in (str(secret.id), "geheime Plan KANARIENVOGEL #1"):
            with pytest.raises(Refused):
                await summaries.show(reference, ("public",))

    async def test_a_summary_of_a_public_scope_is_for_everybody(self) -> None:
        world = await populated()
        public = await made(world, "Mieten", PUBLIC)
        assert (await world.app.summaries.show(str(public.id), ("public", "internal"))).summary == public


async def test_blocks_speak_the_chats_language_and_quotes_their_own() -> None:
    world = await populated()
    shown = await world.app.summaries.new("Mindestlohn", PUBLIC)
    english = list(world.app.summaries.texts.blocks(shown, Texts("en")))
    german = list(world.app.summaries.texts.blocks(shown, DE))
    assert str(english[0]) == "Mindestlohn (summary 1, made on 1 June 2025)"
    assert str(german[0]) == "Mindestlohn (Zusammenfassung 1 vom 1. Juni 2025)"
    quotes = [item.quote.text for item in shown.citations]
    for blocks in (english, german):
        assert all(any(quote in str(block) for block in blocks) for quote in quotes)
        named = [str(block).split("\n")[0].split(" · ")[0] for block in blocks]
        assert {"Uferpartei", "Windmüller"} <= set(named)
        titles = {item.edition.document.fields.title for item in shown.citations}
        assert all("\n".join(map(str, blocks)).count(title) == 1 for title in titles)


async def test_several_quotes_of_a_document_stand_under_one_heading() -> None:
    """The party and the title once, then each quote with its page."""
    world = await populated()
    shown = await world.app.summaries.new("Mindestlohn", PUBLIC)
    first = shown.citations[0]
    claims = tuple(claim for claim in shown.summary.claims if first.label in claim.labels)
    twice = replace(shown.summary, citations=(first, replace(first, label="S9")), claims=claims)
    blocks = world.app.summaries.texts.blocks(replace(shown, summary=twice), DE)
    said = "\n".join(map(str, blocks))
    assert said.count(first.edition.document.fields.title) == 1
    assert said.count(first.quote.text) == 2


async def test_a_long_list_is_cut() -> None:
    world = await populated()
    for _ in range(LISTED + 2):
        await made(world, "Mieten", PUBLIC)
    blocks = world.app.summaries.texts.listing(await world.app.summaries.list(("public",)), DE)
    assert len(blocks) == LISTED + 2
    assert blocks[-1] == "… und 2 weitere."


def test_nothing_kept_has_no_number() -> None:
    shown = asyncio.run(_silent())
    assert not shown.kept
    assert shown.citations == ()


async def _silent() -> ShownSummary:
    return await (await populated(1.1)).app.summaries.new("Mondfahrt", PUBLIC)
