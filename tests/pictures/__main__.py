"""Pictures of real conversations: `python -m tests.pictures [--texts] [--only PART…]`, `make pictures`.

Plays every scene on Telegram, Slack and Matrix with the whole bot over the example library, writes what
stands in the chats then into `golden/`, and draws the pictures of the documents: `docs/images/chat-*.png`.
`--texts` draws nothing, and needs no Chromium.
"""

import argparse
import asyncio
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from examples.build import build
from tests.pictures.drawing import Drawn
from tests.pictures.playing import Scene, example_bot, played
from tests.pictures.rendering import INSTALL, chromium, rendered
from tests.pictures.scenes import SCENES, SHOWN
from tests.servers.matrix.homeserver import synapse_server
from tests.support.chat_harness import ChatHarness
from tests.support.encoders import models_dir
from tests.support.matrix_harness import MatrixHarness
from tests.support.repository import ROOT
from tests.support.served import FUNDSTELLE
from tests.support.slack_harness import SlackHarness
from tests.support.slack_server import SlackServer
from tests.support.telegram_harness import TelegramHarness
from tests.support.telegram_server import TelegramServer

GOLDEN = Path(__file__).with_name("golden")
IMAGES = ROOT / "docs" / "images"

PLATFORMS: dict[str, tuple[Callable[[], AbstractContextManager[Any]], Callable[[Any], ChatHarness]]] = {
    "telegram": (TelegramServer, TelegramHarness),
    "slack": (SlackServer, SlackHarness),
    "matrix": (synapse_server, MatrixHarness),
}


def main() -> None:
    """Play, write, draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", action="store_true", help="draw nothing")
    parser.add_argument("--only", nargs="+", default=[""], help="scenes with one of these in their names")
    parser.add_argument("--platforms", nargs="+", default=[*PLATFORMS])
    parser.add_argument("--library", type=Path, help="a data folder with the example library")
    arguments = parser.parse_args()
    if not arguments.texts and chromium() is None:
        parser.error(f"there is no Chromium: {INSTALL}, or --texts")
    scenes = [each for each in SCENES if any(part in each.name for part in arguments.only)]
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        library = arguments.library or ingested(room / "library")
        for platform in arguments.platforms:
            for name, drawn in asyncio.run(drawn_on(platform, library, room / platform, scenes)).items():
                (GOLDEN / f"{name}.html").write_text(drawn.body, encoding="utf-8")
                if name in SHOWN and not arguments.texts:
                    (IMAGES / f"chat-{name}.png").write_bytes(rendered(drawn.page, drawn.pictures))


def ingested(folder: Path) -> Path:
    """The example library in a new data folder."""
    folder.mkdir()
    (folder / "models").symlink_to(models_dir())
    manifest = build(folder / "examples")
    command = [FUNDSTELLE, "ingest", "--manifest", manifest, "--data", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


async def drawn_on(platform: str, library: Path, folder: Path, scenes: Sequence[Scene]) -> dict[str, Drawn]:
    """The scenes as they stand on a platform, by the names of their pictures."""
    server, harness = PLATFORMS[platform]
    with server() as running:
        async with example_bot(library, folder / "data") as app:
            found = await played(app, harness(running), folder, scenes)
    return {f"{scene}-{platform}": Drawn(platform, posts) for scene, posts in found.items()}


if __name__ == "__main__":
    main()
