"""Pages by link by the rules of accessibility that axe-core tries, in a real browser."""

import asyncio
import json
import re
import socket
import subprocess
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.http.endpoint import HttpEndpoint, listening
from bot.library.scoping import ScopeOptions
from bot.settings.platforms import HttpSettings
from bot.settings.tree import Settings
from tests.pictures.rendering import INSTALL, chromium
from tests.support.repository import ROOT
from tests.support.world import populated

QUESTION = "Was ist zum Mindestlohn geplant?"
FOUND = next((ROOT / "build" / "venvs" / "axe").glob("lib/python*/site-packages/*/axe.min.js"), None)
"""axe-core as the package carries it; nothing is fetched."""

RUN = """<script>addEventListener("load", async () => {
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
  const found = await axe.run(document, {runOnly: rules});
  const told = document.createElement("pre");
  told.id = "axe-found";
  told.textContent = JSON.stringify({passes: found.passes.length, violations: found.violations.map(each =>
    ({id: each.id, impact: each.impact, at: each.nodes.map(node => node.html)}))});
  document.body.append(told);
});</script>"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason=INSTALL),
    pytest.mark.skipif(FOUND is None, reason="`make test-servers` brings axe-core"),
]


class WithAxe:
    """Serves pages with axe-core in them, which their policy would not let in; they are `changed` first."""

    def __init__(self, app: ASGIApp, script: Path, changed: Callable[[str], str]) -> None:
        self._app = app
        self._script = f"<script>{script.read_text(encoding='utf-8')}</script>{RUN}"
        self._changed = changed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}
        content = b""

        async def altered(message: Message) -> None:
            nonlocal start, content
            if message["type"] == "http.response.start":
                start = message
                return
            content += message.get("body", b"")
            if message.get("more_body"):
                return
            headers = {name.lower(): value for name, value in start["headers"]}
            if headers.get(b"content-type", b"").startswith(b"text/html"):
                page = self._changed(content.decode()).replace("</head>", f"{self._script}</head>")
                content = page.encode()
                headers.pop(b"content-security-policy", None)
            headers[b"content-length"] = str(len(content)).encode()
            await send({**start, "headers": [*headers.items()]})
            await send({"type": "http.response.body", "body": content})

        await self._app(scope, receive, altered if scope["type"] == "http" else send)


async def looked_at(changed: Callable[[str], str], path: str = "") -> dict[str, Any]:
    """What axe-core finds on the page of a quote, or on `path` below all links."""
    assert FOUND is not None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    world = await populated()
    http = HttpSettings.model_validate({"public_url": base})
    app = world.use(Settings(data=world.app.settings.data, http=http))
    answer = await app.questions.ask(QUESTION, ScopeOptions(jurisdiction="xv"))
    script = FOUND

    class Endpoint(HttpEndpoint):
        def application(self) -> ASGIApp:
            return WithAxe(super().application(), script, changed)

    measures = app.measures
    endpoint = Endpoint(
        standing=measures.lookout.look, exposition=measures.exposition, mounts=app.http_mounts
    )
    async with listening(endpoint, "127.0.0.1", port):
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000", "--dump-dom"]
        address = f"{base}/p/{path}" if path else answer.citations[0].link
        shown = await asyncio.create_subprocess_exec(
            str(chromium()), *options, address, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        page, _ = await shown.communicate()
    told = re.search(r'<pre id="axe-found">(.*?)</pre>', page.decode(), re.DOTALL)
    assert told is not None
    found: dict[str, Any] = json.loads(unescape(told[1]))
    assert found["passes"] > 5
    return found


@pytest.mark.parametrize("path", ["", "unknown"])
async def test_no_rule_is_broken(path: str) -> None:
    assert (await looked_at(str, path))["violations"] == []


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ('<html lang="en">', "<html>", "html-has-lang"),
        ("<main>", '<main><img src="x.png">', "image-alt"),
        ("<main>", '<main><p style="color:#bbb;background:#fff">pale</p>', "color-contrast"),
    ],
)
async def test_what_is_broken_is_found(before: str, after: str, rule: str) -> None:
    found = await looked_at(lambda page: page.replace(before, after))
    assert rule in {each["id"] for each in found["violations"]}
