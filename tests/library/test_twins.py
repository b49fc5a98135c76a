"""The same text in other bytes is said in the receipt."""

import pytest

from core.domain.ingestion import IngestStatus
from tests.support.world import World

SUBJECTS = ("Wohnen", "Arbeit", "Verkehr", "Schule", "Gesundheit", "Wasser", "Kultur", "Sport")
PAGES = tuple(
    f"{subject}\n\nIm Bereich {subject} geben wir {number} Millionen Taler mehr aus als bisher. "
    f"Das Vorhaben {subject} beginnt im Jahr {2026 + number} und endet, sobald der Rat der Stadt es "
    f"beschließt. Wer davon betroffen ist, wird {number + 2} Monate vorher gefragt."
    for number, subject in enumerate(SUBJECTS)
)


@pytest.fixture
async def world() -> World:
    return await World().with_registry()


async def test_the_same_text_in_other_bytes_is_reported(world: World) -> None:
    first = await world.add("programme.pdf", *PAGES)
    again = await world.add("copy.pdf", *PAGES, "Anhang\n\nEine Seite mehr, die von nichts davon handelt.")
    assert again.status is IngestStatus.INDEXED
    assert f"text.same_as:{first.title}" in again.warnings


async def test_a_new_version_is_no_copy_of_itself(world: World) -> None:
    await world.add("programme.pdf", *PAGES)
    world.originals.contents["programme.pdf"] = "other bytes"
    again = await world.add("programme.pdf", *PAGES)
    assert again.status is IngestStatus.UPDATED
    assert not any(warning.startswith("text.same_as") for warning in again.warnings)


async def test_other_texts_are_not_reported(world: World) -> None:
    await world.add("programme.pdf", *PAGES)
    other = await world.add("other.pdf", *(" ".join(reversed(page.split())) for page in PAGES))
    assert not any(warning.startswith("text.same_as") for warning in other.warnings)


async def test_another_collection_is_another_library(world: World) -> None:
    await world.add("programme.pdf", *PAGES)
    inner = await world.add("inner.pdf", *PAGES, collection="internal")
    assert not any(warning.startswith("text.same_as") for warning in inner.warnings)
