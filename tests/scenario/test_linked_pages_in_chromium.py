"""A page by link as a browser shows it: real pictures, nothing blocked, nothing too large."""

import asyncio
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from bot.http.endpoint import HttpEndpoint, listening
from bot.library.scoping import ScopeOptions
from bot.settings.tree import load
from bot.wiring.services import opened
from core.domain.answers import Verdict
from tests.pictures.rendering import INSTALL, chromium

MOST_BYTES = 300_000
QUESTION = "What is the fee for mooring a houseboat?"


@pytest.mark.thorough
@pytest.mark.skipif(chromium() is None, reason=INSTALL)
async def test_a_browser_shows_the_page_within_its_policy(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    settings = load(data=data, environment={"FUNDSTELLE_HTTP__PUBLIC_URL": base}).settings
    async with opened(settings) as wired:
        found = await wired.questions.search(QUESTION, ScopeOptions(), k=1)
        words = " ".join(found.hits[0].passage.text.split()[:12])
        check = await wired.questions.verify(words, ScopeOptions())
        assert check.verdict in (Verdict.VERBATIM, Verdict.CUT)
        citation = check.matches[0]
        measures = wired.measures
        endpoint = HttpEndpoint(
            standing=measures.lookout.look, exposition=measures.exposition, mounts=wired.http_mounts
        )
        async with listening(endpoint, "127.0.0.1", port), httpx.AsyncClient() as client:
            number = citation.quote.pages[0]
            parts = ["", f"/{number}.img", "/../-/page.css", "/../-/page.js"]
            sizes = [len((await client.get(f"{citation.link}{part}")).content) for part in parts]
            assert all(sizes)
            assert sum(sizes) <= MOST_BYTES
            options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]
            shown = await asyncio.create_subprocess_exec(
                str(chromium()), *options, citation.link, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            page, said = await shown.communicate()
    assert b"<blockquote" in page
    assert b"textLength" in page
    assert b"Content Security Policy" not in said
