"""What is kept of a library is never older than what stands in it, whoever has changed it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from adapters.database.library import SqlLibrary
from core.domain.documents import PUBLIC
from core.domain.scope import Scope
from tests.support.databases import postgresql_url, sqlite_url
from tests.support.library_examples import START, day, document, page, passage, registry, version

EVERYTHING = Scope(collections=(PUBLIC, "internal"))
TODAY = day(100).date()


@pytest.fixture(params=["sqlite", "postgresql"])
async def pair(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[SqlLibrary, SqlLibrary]]:
    """Two processes' libraries in one database: one changes it, the other answers."""
    if request.param == "sqlite":
        url = sqlite_url(tmp_path / "library.db")
    else:
        url = await postgresql_url(request.getfixturevalue("postgresql"))
    changing, answering = await SqlLibrary.open(url), await SqlLibrary.open(url)
    await changing.identity()
    yield changing, answering
    await changing.close()
    await answering.close()


async def view(library: SqlLibrary) -> tuple[object, ...]:
    """All that is read of a library as a whole."""
    return (
        await library.registry(),
        await library.registry([PUBLIC]),
        await library.documents(),
        await library.documents(["internal"]),
        await library.editions(EVERYTHING, on=TODAY),
        await library.editions(Scope(collections=(PUBLIC,), as_of=day(2).date()), on=TODAY),
    )


async def test_each_change_is_seen_by_the_next_reading(pair: tuple[SqlLibrary, SqlLibrary]) -> None:
    """Every method that changes the library, one after the other, with a kept reading between them."""
    changing, answering = pair
    one, other = document("a.pdf", title="A"), document("b.pdf", title="B", collection="internal")
    first, second = version(one), version(one, "second", number=2, seen=day(3))
    steps: list[tuple[Callable[[], Awaitable[object]], bool]] = [
        (lambda: changing.save_registry(registry()), True),
        (lambda: changing.save_document(one), True),
        (lambda: changing.save_document(other), True),
        (lambda: changing.add_version(first, [page(1)], [passage(first, 0)]), False),
        (lambda: changing.activate(first.id, at=START), True),
        (lambda: changing.add_version(second, [page(1)], [passage(second, 0)]), False),
        (lambda: changing.activate(second.id, at=day(3)), True),
        (lambda: changing.refill(second.id, [page(1)], [passage(second, 0), passage(second, 1)]), True),
        (lambda: changing.delete_version(first.id, at=day(6)), True),
        (lambda: changing.withdraw(one.id, at=day(7)), True),
        (lambda: changing.restore(one.id), True),
        (lambda: changing.delete_document(one.id, at=day(8)), True),
    ]
    for number, (step, changes) in enumerate(steps):
        before = await view(answering)
        assert await view(answering) == before
        await step()
        unread = SqlLibrary(answering._database)
        expected = await view(unread)
        assert await view(answering) == expected, number
        assert (expected != before) is changes, number


async def test_the_same_objects_are_handed_out_until_something_changes(
    pair: tuple[SqlLibrary, SqlLibrary],
) -> None:
    """What is derived of them is found again by comparing them, which is quick for the same objects only."""
    changing, answering = pair
    one = document("a.pdf", title="A")
    await changing.save_document(one)
    await changing.add_version(version(one), [page(1)], [])
    await changing.activate(version(one).id, at=START)
    [first], [again] = [await answering.editions(EVERYTHING, on=TODAY) for _ in range(2)]
    assert first is again
    assert await answering.registry([PUBLIC]) is await answering.registry([PUBLIC])
    await changing.save_document(document("b.pdf", title="B"))
    [anew] = await answering.editions(EVERYTHING, on=TODAY)
    assert anew == first
    assert anew is not first
