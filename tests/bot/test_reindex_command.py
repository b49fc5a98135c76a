"""`fundstelle reindex --to`: what it refuses, and what it shows of an address."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.root import app
from bot.settings.tree import Settings
from bot.wiring.index import address_of, index_of, left_file, without_password
from core.errors import Broken
from tests.support.reingesting import opened_library


@pytest.mark.parametrize(
    "arguments",
    [
        ["--to", ""],
        ["--to", "ftp://qdrant.example.org"],
        ["--to", "qdrant.example.org:6333"],
        ["--to", "https://"],
        ["--to", "http://qdrant.example.org:99999"],
        ["--to", "http://qdrant.example.org:port"],
        ["--to", "http://qdrant.example.org:6333", "--missing"],
    ],
)
def test_what_is_no_server_is_a_usage_error(arguments: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["reindex", *arguments, "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert "--to" in done.stderr
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://ann:secret@qdrant.example.org:6333/x", "https://…@qdrant.example.org:6333/x"),
        ("https://a:b@c@[::1]:6333", "https://…@[::1]:6333"),
        ("http://127.0.0.1:6333", "http://127.0.0.1:6333"),
    ],
)
def test_passwords_of_addresses_are_not_shown(url: str, shown: str) -> None:
    assert without_password(url) == shown
    assert address_of(url) == shown.replace("…@", "")


async def test_the_refusal_to_start_without_the_server_shows_no_password(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    left_file(settings).parent.mkdir()
    left_file(settings).write_text("https://ann:secret@qdrant.example.org:6333\n", encoding="utf-8")
    library = await opened_library(tmp_path)
    with pytest.raises(Broken, match=r'url = "https://qdrant\.example\.org:6333"') as refused:
        await index_of(settings, library, 8, 8)
    await library.close()
    assert "secret" not in str(refused.value)
