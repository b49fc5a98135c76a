"""Fields that nobody states are taken from public files, and a folder's own manifest is read."""

from pathlib import Path

import pytest

from adapters.files.manifest import read_manifest
from adapters.files.places import known_places
from bot.library.intake import IngestOptions, Intake
from bot.library.scoping import Scoping
from core.domain.documents import DocumentType
from core.domain.ingestion import IngestReceipt
from core.domain.registry import Party, Registry
from core.registry.manifests import registered
from tests.support.refreshing import Refreshed, programme


@pytest.fixture
def world(tmp_path: Path) -> Refreshed:
    (tmp_path / "folder").mkdir()
    return Refreshed(tmp_path)


async def ingested(world: Refreshed, **options: object) -> list[IngestReceipt]:
    async def fetch(url: str) -> bytes:
        raise AssertionError(url)

    intake = Intake(
        ingester=world.ingester,
        library=world.library,
        scoping=Scoping(library=world.library, registry=Registry(), known=known_places()),
        read_manifest=read_manifest,
        fetch=fetch,
        changed=lambda registry: None,
        known_places=known_places(),
        today=world.clock.today,
    )
    told = IngestOptions(**options)  # type: ignore[arg-type]
    return [each async for each in intake.ingest([str(world.folder / "folder")], told, None)]


def put(world: Refreshed, name: str, number: int = 2) -> None:
    (world.folder / "folder" / name).write_bytes(programme(number))


async def test_a_public_file_says_whose_it_is(world: Refreshed) -> None:
    put(world, "wahlprogramm-fdp-2021.pdf")
    (receipt,) = await ingested(world, presumes=True)
    assert receipt.presumed == {"party": "FDP", "type": "manifesto", "valid_from": "2021-01-01"}
    assert receipt.document is not None
    document = await world.library.document(receipt.document)
    assert document is not None
    assert (document.fields.parties, document.fields.doc_type) == (("FDP",), DocumentType.MANIFESTO)
    assert "FDP" in {party.name for party in (await world.library.registry()).parties}


async def test_what_is_stated_stays(world: Refreshed) -> None:
    put(world, "wahlprogramm-fdp-2021.pdf")
    (receipt,) = await ingested(
        world, presumes=True, parties=("SPD",), doc_type="other", jurisdiction="global"
    )
    assert receipt.presumed == {"type": "manifesto"}


@pytest.mark.parametrize("options", [{"presumes": True, "collection": "drafts"}, {"presumes": False}])
async def test_where_somebody_confirms_nothing_is_presumed(
    world: Refreshed, options: dict[str, object]
) -> None:
    put(world, "wahlprogramm-fdp-2021.pdf")
    (receipt,) = await ingested(world, **options)
    assert receipt.presumed == {}


async def test_no_date_makes_an_older_programme_disappear(world: Refreshed) -> None:
    put(world, "wahlprogramm-fdp-2021.pdf", 2)
    put(world, "wahlprogramm-fdp-2025.pdf", 3)
    receipts = await ingested(world, presumes=True, jurisdiction="de")
    assert [set(each.presumed) for each in receipts] == [{"party", "type"}] * 2


async def test_the_manifest_of_a_folder_is_read_and_is_no_document(world: Refreshed) -> None:
    put(world, "a-fdp-2021.pdf")
    rows = '[[document]]\nfile = "a-fdp-2021.pdf"\ntitle = "Satzung"\ntype = "rules"\n'
    (world.folder / "folder" / "library.toml").write_text(rows)
    (receipt,) = await ingested(world, presumes=True)
    assert (receipt.title, receipt.presumed) == ("Satzung", {})


async def test_a_party_that_only_insiders_know_names_no_public_file(world: Refreshed) -> None:
    inner = Registry(parties=(Party(name="Nebelbund", aliases=("Nebler",)),), collections=("drafts",))
    await world.library.save_registry(registered(await world.library.registry(), "inner", inner))
    put(world, "wahlprogramm-nebelbund-2021.pdf")
    (receipt,) = await ingested(world, presumes=True)
    assert receipt.presumed == {"type": "manifesto", "valid_from": "2021-01-01"}
