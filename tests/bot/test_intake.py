"""What a person names becomes requests."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.web.fetching import fetch
from bot.library.intake import IngestOptions
from core.domain.registry import Registry
from core.errors import Refused
from tests.support.refreshing import URL, listed
from tests.support.world import World

GONE = "https://example.org/gone.pdf"


async def fetched(url: str) -> bytes:
    return (await fetch(url, max_bytes=9)).content


@pytest.mark.parametrize("url", ["ftp://example.org/a.pdf", "file:///etc/passwd", "S3://bucket/a.pdf"])
async def test_only_http_and_https_are_fetched(url: str) -> None:
    intake = (await World().with_registry()).app.intake
    intake.fetch = fetched
    receipts = [receipt async for receipt in intake.ingest([url], IngestOptions(), None)]
    assert [receipt.error[0] for receipt in receipts if receipt.error] == ["url.scheme"]
    assert receipts[0].error is not None
    assert receipts[0].error[1].startswith("only http and https are fetched, not ")


async def test_a_path_is_no_url(tmp_path: Path) -> None:
    intake = (await World().with_registry()).app.intake
    with pytest.raises(Refused) as caught:
        [receipt async for receipt in intake.ingest([str(tmp_path / "a:b.pdf")], IngestOptions(), None)]
    assert caught.value.key == "file.missing"


async def test_mirrors_are_asked_in_turn(tmp_path: Path) -> None:
    world = World()
    asked: list[str] = []

    async def one_mirror(url: str) -> bytes:
        asked.append(url)
        if not url.endswith("second.pdf"):
            raise Refused("url.status", f"{url} is not there")
        return b"%PDF-1.7 plan"

    mirrors = tuple(f"https://example.org/{name}.pdf" for name in ("first", "second", "third"))
    rows = Registry(documents=(listed(mirrors=mirrors, schedule=None), listed(GONE, schedule=None)))
    manifest = tmp_path / "library.toml"
    manifest.touch()
    world.app.intake.read_manifest = lambda _: rows
    world.app.intake.fetch = one_mirror
    receipts = [receipt async for receipt in world.app.intake.ingest([], IngestOptions(), manifest)]
    assert asked == [URL, *mirrors[:2], GONE]
    why = [receipt.error[1] for receipt in receipts if receipt.error and receipt.error[0] == "url.status"]
    assert why == [f"{GONE} is not there"]


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems have no such names")
async def test_a_name_that_is_no_utf8_is_kept_with_escapes(tmp_path: Path) -> None:
    world = await World().with_registry()
    for name in (b"gr\xfcn.pdf", b"gr\xfdn.pdf"):
        named = tmp_path / os.fsdecode(name)
        named.write_bytes(b"no PDF")
    intake = world.app.intake
    for options in (IngestOptions(), IngestOptions(root=tmp_path)):
        receipts = [receipt async for receipt in intake.ingest([str(tmp_path)], options, None)]
        assert [receipt.file for receipt in receipts] == ["gr\\xfcn.pdf", "gr\\xfdn.pdf"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
async def test_a_file_whose_name_has_line_breaks_is_shown_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a\r\nb\x1b[2J.pdf").write_bytes(b"no PDF")
    intake = (await World().with_registry()).app.intake
    receipts = [receipt async for receipt in intake.ingest([str(tmp_path)], IngestOptions(), None)]
    assert [receipt.file for receipt in receipts] == ["a b [2J.pdf"]


@pytest.mark.parametrize(
    "wrong", [{"title": "a\nb"}, {"title": "\r\n"}, {"parties": ("Neu\nPartei",)}, {"language": "../../x"}]
)
async def test_words_of_several_lines_are_refused(wrong: dict[str, Any]) -> None:
    intake = (await World().with_registry()).app.intake
    with pytest.raises(Refused) as caught:
        [receipt async for receipt in intake.ingest(["x.pdf"], IngestOptions(**wrong), None)]
    assert caught.value.key == "call.invalid"
    assert "\n" not in (caught.value.detail or "")


async def test_an_address_whose_fetching_fails_leaves_the_others(caplog: pytest.LogCaptureFixture) -> None:
    world = await World().with_registry()

    async def failing(url: str) -> bytes:
        if "bad" in url:
            raise IndexError(url)
        return b"no PDF"

    world.app.intake.fetch = failing
    urls = ["https://example.org/bad.pdf", "https://example.org/good.pdf"]
    receipts = [receipt async for receipt in world.app.intake.ingest(urls, IngestOptions(), None)]
    codes = [receipt.error[0] for receipt in receipts if receipt.error]
    assert codes == ["ingest.failed", "file.unsupported"]
    assert receipts[0].trace in caplog.text


async def test_an_empty_source_is_not_the_folder_that_we_run_in() -> None:
    world = await World().with_registry()
    with pytest.raises(Refused, match="empty") as caught:
        _ = [receipt async for receipt in world.app.intake.ingest(["a.txt", ""], IngestOptions(), None)]
    assert caught.value.key == "file.missing"
