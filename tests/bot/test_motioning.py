"""What a chat says about a motion: text or file, movers, place."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bot.chat.reports import Motion, MotionInput, motion_words
from core.domain.messages import Attachment
from core.errors import Refused
from tests.support.fake_pdf import text_reading
from tests.support.world import World, populated

TEXT = "Der Mindestlohn steigt auf 15 Taler in der Stunde."
NAMES = {"uferpartei", "windmüller", "bund der windmüller", "xv-ho", "hochau", "land hochau"}


def known(name: str) -> bool:
    return name.casefold() in NAMES


@pytest.mark.parametrize(
    ("said", "movers", "place"),
    [
        (TEXT, [], None),
        (f"mover=Uferpartei {TEXT}", ["Uferpartei"], None),
        (f"{TEXT} mover=Uferpartei", ["Uferpartei"], None),
        (f"{TEXT}\nmover=Bund der Windmüller", ["Bund der Windmüller"], None),
        (f"mover=Bund der Windmüller {TEXT}", ["Bund der Windmüller"], None),
        (f"mover=Bund der Windmüller: {TEXT}", ["Bund der Windmüller"], None),
        (f'mover="Bund der Windmüller" {TEXT}', ["Bund der Windmüller"], None),
        (f"mover=„Bund der Windmühler“ {TEXT}", ["Bund der Windmühler"], None),
        (f"{TEXT} mover='Bund der Windmühler'", ["Bund der Windmühler"], None),
        (f"mover=Uferpartei, Bund der Windmüller\n{TEXT}", ["Uferpartei", "Bund der Windmüller"], None),
        (f"{TEXT} mover=Uferpartei, Bund der Windmüller", ["Uferpartei", "Bund der Windmüller"], None),
        (f"mover=Uferpartei mover=Windmüller {TEXT}", ["Uferpartei", "Windmüller"], None),
        (f"{TEXT} mover=Uferpartei mover=Windmüller", ["Uferpartei", "Windmüller"], None),
        (f"mover=Uferpartei {TEXT} jurisdiction=xv-ho", ["Uferpartei"], "xv-ho"),
        (f"Ort=Land Hochau Antragsteller=Uferpartei {TEXT}", ["Uferpartei"], "Land Hochau"),
        (f"{TEXT} mover=Ufferpartei", ["Ufferpartei"], None),
        (f"mover=Ufferpartei {TEXT}", ["Ufferpartei"], None),
    ],
)
def test_options_stand_before_or_behind_the_text(said: str, movers: list[str], place: str | None) -> None:
    words = motion_words(said, known)
    assert (words.text, words.movers, words.jurisdiction) == (TEXT, movers, place)


@pytest.mark.parametrize(
    "text",
    [
        f"{TEXT} Das Formular mit mover=Uferpartei wird abgeschafft. {TEXT}",
        f"{TEXT}\nDas Feld mover=Partei soll künftig für alle verpflichtend auszufüllen sein.",
        "Der Antragsteller = die Fraktion verlangt Bänke.",
        "Ein Satz ohne alles, aber mit Komma, und Ende.",
    ],
)
def test_inside_the_text_they_are_its_words(text: str) -> None:
    words = motion_words(text, known)
    assert (words.text, words.movers, words.jurisdiction) == (text, [], None)


@dataclass
class Stage:
    """Fetches a file of the world."""

    folder: Path
    content: bytes = b"%PDF-"

    async def fetch(self, attachment: Attachment, into: Path, *, max_bytes: int) -> Path:
        assert max_bytes >= len(self.content)
        path = self.folder / attachment.name
        path.write_bytes(self.content)
        return path


@dataclass
class Part:
    """The part of a turn that a motion asks for."""

    stage: Stage
    folder: Path
    jurisdiction: str | None = None
    chat_place: str = "xv-se"
    collections: tuple[str, ...] = ("public",)
    attachments: tuple[Attachment, ...] = ()

    @property
    def message(self) -> "Part":
        return self

    @property
    def state(self) -> "Part":
        return self

    @property
    def chat(self) -> "Part":
        return replace(self, jurisdiction=self.chat_place)


def turn(tmp_path: Path, *files: str, content: bytes = b"%PDF-", **fields: Any) -> Any:
    attachments = tuple(Attachment(id="1", name=name) for name in files)
    return Part(stage=Stage(tmp_path, content), folder=tmp_path, attachments=attachments, **fields)


@pytest.fixture
async def world() -> World:
    return await populated()


def motions(world: World) -> MotionInput:
    return MotionInput(world.app.comparisons, world.app.scoping)


async def test_text_with_the_chats_place(world: World, tmp_path: Path) -> None:
    motion = await motions(world).read(turn(tmp_path, jurisdiction="xv"), f"mover=Windmillers {TEXT}")
    assert motion == Motion(text=TEXT, jurisdiction="xv", movers=("Windmüller",))
    motion = await motions(world).read(turn(tmp_path), TEXT)
    assert motion == Motion(text=TEXT, jurisdiction="xv-se", movers=())
    motion = await motions(world).read(turn(tmp_path), f"{TEXT} ort=Hochau")
    assert motion is not None
    assert motion.jurisdiction == "xv-ho"


@pytest.mark.parametrize(("name", "content"), [("antrag.pdf", b"%PDF-"), ("Antrag.TXT", TEXT.encode())])
async def test_a_file_that_came_along(world: World, tmp_path: Path, name: str, content: bytes) -> None:
    world.pdf.documents["antrag.pdf"] = text_reading(TEXT)
    message = turn(tmp_path, name, content=content, jurisdiction="xv")
    motion = await motions(world).read(message, "mover=Uferpartei")
    assert motion is not None
    assert (motion.text.strip(), motion.movers) == (TEXT, ("Uferpartei",))


async def test_a_place_has_to_be_known(world: World, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="jurisdiction=CODE"):
        await motions(world).read(turn(tmp_path, chat_place=""), TEXT)


async def test_nothing_said(world: World, tmp_path: Path) -> None:
    assert await motions(world).read(turn(tmp_path), " ") is None
    assert await motions(world).read(turn(tmp_path), "mover=Uferpartei") is None


async def test_the_name_of_a_file_is_only_text(world: World, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("Der geheime Plan KANARIENVOGEL.")
    motion = await motions(world).read(turn(tmp_path, jurisdiction="xv"), str(secret))
    assert motion is not None
    assert motion.text == str(secret)


@pytest.mark.parametrize(
    ("files", "said", "key"),
    [
        (("bild.png",), "", "motion.file"),
        ((), f"mover=Nixpartei {TEXT}", "scope.unknown_party"),
        ((), f"jurisdiction=nirgends {TEXT}", "scope.unknown_jurisdiction"),
    ],
)
async def test_what_is_refused(
    world: World, tmp_path: Path, files: tuple[str, ...], said: str, key: str
) -> None:
    with pytest.raises(Refused) as caught:
        await motions(world).read(turn(tmp_path, *files), said)
    assert caught.value.key == key
