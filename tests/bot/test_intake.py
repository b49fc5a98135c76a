"""What a person names becomes requests."""

from pathlib import Path

import pytest

from adapters.web.fetching import fetch
from bot.intake import IngestOptions
from core.errors import Refused
from tests.support.world import World


async def fetched(url: str) -> bytes:
    return (await fetch(url, max_bytes=9)).content


@pytest.mark.parametrize("url", ["ftp://example.org/a.pdf", "file:///etc/passwd", "S3://bucket/a.pdf"])
async def test_only_http_and_https_are_fetched(url: str) -> None:
    intake = (await World().with_registry()).app.intake
    intake._fetch = fetched
    receipts = [receipt async for receipt in intake.ingest([url], IngestOptions(), None)]
    assert [receipt.error[0] for receipt in receipts if receipt.error] == ["url.scheme"]
    assert receipts[0].error is not None
    assert receipts[0].error[1].startswith("only http and https are fetched, not ")


async def test_a_path_is_no_url(tmp_path: Path) -> None:
    intake = (await World().with_registry()).app.intake
    with pytest.raises(Refused) as caught:
        [receipt async for receipt in intake.ingest([str(tmp_path / "a:b.pdf")], IngestOptions(), None)]
    assert caught.value.key == "file.missing"
