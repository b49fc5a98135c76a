"""A document that lives at an address: the real stores, models and fetching, a server on loopback."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.web.source import WebSource
from bot.library.scoping import ScopeOptions
from bot.library.sources.refreshing import Refresher
from bot.settings.tree import Settings
from bot.wiring.composition import Composition
from bot.wiring.services import opened
from core.domain.ids import document_id
from core.domain.ingestion import CheckResult
from core.domain.registry import Registry
from tests.scenario.conftest import run
from tests.support.connections import attempted_connections
from tests.support.encoders import models_dir
from tests.support.pdfs import written
from tests.support.refreshing import listed
from tests.support.web_server import Site, rules, server

FIRST = "Die Anmeldung eines Hausboots kostet 90 Taler im Jahr.\n\nSie wird vom Wasseramt erhoben."
SECOND = "Die Anmeldung eines Hausboots kostet 140 Taler im Jahr.\n\nSie wird vom Wasseramt erhoben."
QUESTION = "Was kostet die Anmeldung eines Hausboots?"


def pdf(*pages: str) -> bytes:
    document = written(*pages)
    content: bytes = document.tobytes()
    document.close()
    return content


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    (data / "models").symlink_to(models_dir())
    return data


@pytest.fixture
async def app(folder: Path) -> AsyncIterator[Composition]:
    async with opened(Settings(data=folder)) as app:
        yield app


async def answer(app: Composition) -> str:
    found = await app.questions.search(QUESTION, ScopeOptions(), k=1)
    return found.hits[0].passage.text if found.hits else ""


async def test_the_life_of_a_source(app: Composition) -> None:
    site = Site()
    site.put("/gebuehren.pdf", pdf(FIRST))
    async with server(site.answer) as port:
        url = f"http://example.org:{port}/gebuehren.pdf"
        await app.library.save_registry(Registry(documents=(listed(url, title="Gebühren"),)))
        source = WebSource(max_bytes=10**6, rules=rules(port), sleep=lambda _: asyncio.sleep(0))
        living = app.document_lifecycle.lifecycle
        refresher = Refresher(app.sources.jobs, source, app.ingester, living.withdraw)
        document = document_id("public", url)

        assert (await refresher.check(document)).result is CheckResult.INDEXED
        assert "90 Taler" in await answer(app)
        site.requests.clear()
        assert (await refresher.check(document)).result is CheckResult.UNCHANGED
        assert site.requests == ["/gebuehren.pdf"]

        site.put("/gebuehren.pdf", pdf(SECOND))
        assert (await refresher.check(document)).result is CheckResult.UPDATED
        assert "140 Taler" in await answer(app)

        del site.files["/gebuehren.pdf"]
        assert (await refresher.check(document)).result is CheckResult.HELD
        assert "140 Taler" in await answer(app)
        await refresher.jobs.approve(await refresher.jobs.find("Gebühren"))
        await refresher.check(document)
    assert await answer(app) == ""
    assert [each.key for each, _ in await living.withdrawn()] == [url]


async def test_a_watched_folder_of_the_settings(app: Composition, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "incoming").mkdir()
    file = tmp_path / "incoming" / "gebuehren.pdf"
    file.write_bytes(pdf(FIRST))
    stamp = app.clock.now().timestamp() - 60
    os.utime(file, (stamp, stamp))
    settings = Settings(data=folder, library={"watch": [str(tmp_path / "incoming")]})  # type: ignore[arg-type]
    receipts = await replace(app, settings=settings).watcher.look()
    assert [receipt.file for receipt in receipts] == ["gebuehren.pdf"]
    assert "90 Taler" in await answer(app)


def test_nothing_inside_is_fetched_on_a_schedule(folder: Path, tmp_path: Path) -> None:
    text = '[[document]]\nurl = "http://127.0.0.1/inside.pdf"\ntitle = "Innen"\nschedule = "every 6h"\n'
    (folder / "library.toml").write_text(text, encoding="utf-8")
    with attempted_connections() as attempts:
        assert run(folder, "ingest", "--manifest", str(folder / "library.toml"))[0] == 1
        status, out, _ = run(folder, "jobs", "--run", "Innen", "--json")
    assert status == 1
    assert [job["error"] for job in json.loads(out)["jobs"]] == ["url.address"]
    assert [each for each in attempts if isinstance(each, tuple)] == []
