"""The keys of points follow the database: an index without any is upgraded in place, a change arrives, and
whatever is interrupted goes on."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bot.library import upkeep
from bot.library.upkeep import KeysUpkeep
from core.domain.ids import VersionId
from core.domain.search import IndexPoint, QueryVectors, ScopeKeys
from core.errors import Unavailable
from core.library.indexing import NO, YES, keys_of
from core.search.scoped_index import BELIEVED_S, ScopedIndex
from tests.support.reingesting import DOCUMENTS, PUBLIC, Now, Work, opened_index, opened_library


class Installed:
    """A library of three documents of which the first has an old version, and a clock to turn."""

    def __init__(self, work: Work) -> None:
        self.work, self.library, self.index = work, work.library, work.index
        self.now = 0.0
        self.restarted()

    def restarted(self) -> None:
        self.upkeep = KeysUpkeep(self.library, self.index, Now(), monotonic=lambda: self.now)

    async def carried(self) -> dict[VersionId, ScopeKeys | None]:
        return {version: held.keys for version, held in (await self.index.held("public")).items()}

    async def wanted(self) -> dict[VersionId, ScopeKeys]:
        editions = await self.library.editions(PUBLIC, on=Now().today())
        return {edition.version.id: keys_of(edition.document.fields) for edition in editions}

    async def points(self) -> list[IndexPoint]:
        found, further = await self.index.points("public", limit=1000)
        assert further is None
        return found

    async def found(self) -> list[set[str]]:
        vector = await self.work.primary.query("Brücken und Wege")
        query = QueryVectors(primary=vector, secondary=vector, lexical=None)
        rows = [
            await self.index.candidates("public", [query], [version], limit=500)
            for version in await self.wanted()
        ]
        return [{each.passage for each in row[0]} for row in rows]


@pytest.fixture
async def installed(tmp_path: Path) -> AsyncIterator[Installed]:
    work = Work(await opened_library(tmp_path), opened_index(tmp_path), lambda *_: None)
    for number in range(DOCUMENTS + 1):
        await work.ingest(number)
    yield Installed(work)
    await work.index.close()
    await work.library.close()


async def test_what_is_ingested_carries_its_keys_and_what_it_replaces_loses_its_own(
    installed: Installed,
) -> None:
    wanted = await installed.wanted()
    before = await installed.carried()
    assert len(before) == DOCUMENTS + 1
    assert {version: before[version] for version in wanted} == wanted
    [old] = before.keys() - wanted.keys()
    assert await installed.upkeep.once() == 1
    assert ((await installed.carried())[old] or {})["current"] == YES + NO, "others may rely on the old keys"
    assert await installed.upkeep.once() == 0
    installed.now += BELIEVED_S + 1
    assert await installed.upkeep.once() == 1
    assert ((await installed.carried())[old] or {})["current"] == NO
    installed.now += BELIEVED_S + 1
    assert await installed.upkeep.once() == 0


class Failing(ScopedIndex):
    """Ends after one batch."""

    batches = 1

    async def set_keys(self, collection: str, keys: Mapping[VersionId, ScopeKeys]) -> None:
        if not self.batches:
            raise Unavailable("index.unreachable", "it was unplugged", retry_after_s=1.0)
        self.batches -= 1
        await super().set_keys(collection, keys)


async def test_an_index_without_keys_is_upgraded_in_place_and_goes_on_when_interrupted(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_VERSIONS_AT_ONCE", 1)
    await installed.index.upsert("public", await installed.points())  # as an earlier version stored them
    before, found = await installed.points(), await installed.found()
    assert set((await installed.carried()).values()) == {None}
    assert await installed.found() == found
    whole = installed.index
    installed.index = Failing(whole._store)
    installed.restarted()
    assert await installed.upkeep.once() == 0, "points may carry part of what others rely on"
    installed.now += BELIEVED_S + 1
    with pytest.raises(Unavailable):
        await installed.upkeep.once()
    assert list((await installed.carried()).values()).count(None) == DOCUMENTS
    assert await installed.found() == found
    installed.index = whole
    installed.restarted()
    assert await installed.upkeep.once() == 0
    installed.now += BELIEVED_S + 1
    assert await installed.upkeep.once() == DOCUMENTS
    carried, wanted = await installed.carried(), await installed.wanted()
    assert {version: carried[version] for version in wanted} == wanted
    [old] = carried.keys() - wanted.keys()
    assert (carried[old] or {})["current"] == NO
    assert await installed.found() == found
    for one, other in zip(before, await installed.points(), strict=True):
        assert (one.primary == other.primary).all()
        assert one.lexical == other.lexical


async def test_a_change_of_fields_arrives(installed: Installed) -> None:
    document = (await installed.library.editions(PUBLIC, on=Now().today()))[0].document
    fields = replace(document.fields, jurisdiction="DE-BE")
    await installed.library.save_document(replace(document, fields=fields))
    wanted = await installed.wanted()
    [version] = [each for each, keys in wanted.items() if keys["place"] == ("DE-BE",)]
    await installed.upkeep.once()
    assert ((await installed.carried())[version] or {})["place"] == ("-", "DE-BE")
    installed.now += BELIEVED_S + 1
    await installed.upkeep.once()
    assert (await installed.carried())[version] == wanted[version]
