"""The example plug-ins, installed as a package of others is, and used by the settings alone."""

import asyncio
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from bot.settings.tree import Settings
from bot.wiring import plugins
from core.errors import Broken
from tests.support.encoders import models_dir
from tests.support.repository import ROOT

SUBTITLES = """1
00:00:01,000 --> 00:00:04,000
Die Fähre fährt ab Mai stündlich.

2
00:00:04,500 --> 00:00:09,000
Eine Fahrt kostet zwölf Taler.
"""
TOML = """
[encoders]
primary = "plugin:letters"

[rerank]
kind = "plugin"
model = "words"

[plugins]
converters = ["subtitles"]
platforms = ["folder"]

[plugins.options.subtitles]
points = "14"

[plugins.options.folder]
seconds = "0.05"

[[chat]]
platform = "folder"
id = "files"
audience = "public"
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in it."""
    folder = tmp_path_factory.mktemp("plugin")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder)]
    subprocess.run([*pip, *options, str(ROOT / "examples" / "plugin")], check=True)
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder whose settings name the plug-ins."""
    folder = tmp_path / "library"
    folder.mkdir(mode=0o700)
    (folder / "models").symlink_to(models_dir())
    (folder / "fundstelle.toml").write_text(TOML, encoding="utf-8")
    return folder


def run(installed: Path, *arguments: str) -> str:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("FUNDSTELLE_")}
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**kept, "PYTHONPATH": f"{installed}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def test_a_file_comes_in_and_is_answered_from_by_plug_ins(installed: Path, data: Path) -> None:
    film = data.parent / "film.srt"
    film.write_text(SUBTITLES, encoding="utf-8")
    command = ("-c", "import fundstelle; fundstelle.main()")
    taken = json.loads(run(installed, *command, "ingest", str(film), "--json", "--data", str(data)))
    assert [each["status"] for each in taken["documents"]] == ["indexed"]
    asked = ("ask", "Was kostet eine Fahrt?", "--json", "--data", str(data))
    answer = json.loads(run(installed, *command, *asked))
    assert "zwölf Taler" in answer["citations"][0]["quote"]
    shown = run(installed, *command, "settings", "--data", str(data))
    assert "0.05" not in shown


def test_a_platform_is_served(installed: Path, data: Path) -> None:
    code = """
        import asyncio, sys
        from pathlib import Path
        from bot.settings.tree import load
        from bot.wiring.platforms import platforms
        from bot.wiring.services import SystemClock

        class Taken(list):
            async def accept(self, messages, *, cursor=None):
                self.extend(messages)
            async def cursor(self):
                return None

        async def main():
            settings = load(data=Path(sys.argv[1])).settings
            found = platforms(settings, SystemClock())
            folder = settings.data / "plugins" / "folder" / "in"
            folder.mkdir(parents=True)
            (folder / "one.txt").write_text("Was kostet eine Fahrt?", encoding="utf-8")
            inbox = Taken()
            running = asyncio.create_task(found["folder"].run(inbox))
            while not inbox or (folder / "one.txt").exists():
                await asyncio.sleep(0)
            running.cancel()
            print(*found, inbox[0].ref.message, inbox[0].text)

        asyncio.run(main())
    """
    assert run(installed, "-c", textwrap.dedent(code), str(data)) == "folder one Was kostet eine Fahrt?\n"


def test_what_is_not_installed_is_said(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    with pytest.raises(Broken, match=r"no package is installed that has nobody under fundstelle\.embedders"):
        plugins.embedder(settings, "nobody")


class Point:
    """An entry point that gives anything."""

    def __init__(self, made: object) -> None:
        self.names = {"some"}
        self.made = made

    def __getitem__(self, name: str) -> "Point":
        return self

    def load(self) -> object:
        """The factory."""
        return self.made


@pytest.mark.parametrize(
    ("factory", "said"),
    [
        (lambda _: object(), "is no Reranker: it lacks name, rank, warm_up"),
        (lambda _: 1 / 0, "cannot be used: ZeroDivisionError"),
    ],
)
def test_one_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, factory: object, said: str
) -> None:
    monkeypatch.setattr(plugins, "entry_points", lambda **_: Point(factory))
    with pytest.raises(Broken, match=said) as broken:
        plugins.reranker(Settings(data=tmp_path), "some")
    assert broken.value.key == "plugin.unusable"


def test_a_chat_of_a_platform_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="telegrm is none; there are telegram, slack, matrix"):
        Settings(data=tmp_path, chat=({"platform": "telegrm", "id": "1"},))


async def test_a_converter_goes_first_where_it_reads_that_ending() -> None:
    class Ours:
        async def convert(self, path: Path, kind: str, name: str) -> bytes:
            return b"ours"

    class Theirs(Ours):
        endings = frozenset({".srt"})

        async def convert(self, path: Path, kind: str, name: str) -> bytes:
            return b"theirs"

    both = plugins._FirstThatCan([Theirs()], Ours())
    found = await asyncio.gather(*(both.convert(Path(), "text", name) for name in ("film.SRT", "a.txt")))
    assert found == [b"theirs", b"ours"]
