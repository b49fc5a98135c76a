"""What a program that opens a library is refused, and how it is told: always by a FundstelleError."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

import fundstelle
from core.errors import Refused

Called = Callable[[Any], Any]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[fundstelle.BlockingLibrary]:
    with fundstelle.open_blocking(tmp_path_factory.mktemp("library")) as opened:
        yield opened


def refused(call: Called, given: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        call(given)
    return caught.value


@pytest.mark.parametrize("folder", ["", "  ", None, 5, b"library", "a\0b"], ids=repr)
def test_a_library_needs_a_folder_with_a_name(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refused) as caught, fundstelle.open_blocking(folder):
        pass
    assert (caught.value.key, caught.value.values["name"]) == ("call.invalid", "folder")
    assert list(tmp_path.iterdir()) == []


def test_the_home_of_nobody_is_no_folder() -> None:
    with pytest.raises(fundstelle.FundstelleError), fundstelle.open_blocking("~no-such-person/library"):
        pass


@pytest.mark.parametrize(
    "call",
    [
        lambda library: library.documents(),
        lambda library: library.ask("Was gilt?"),
        lambda library: library.ingest("a.txt"),
        lambda library: library.remove("a"),
        lambda library: library.search("Was gilt?"),
        lambda library: library.verify("Es gilt, was hier geschrieben steht."),
        lambda library: library.warm_up(),
    ],
)
def test_a_closed_library_says_that_it_is(call: Called, tmp_path: Path) -> None:
    with fundstelle.open_blocking(tmp_path / "library") as blocking:
        pass
    assert refused(call, blocking).key == "library.closed"

    async def awaited() -> Any:
        async with fundstelle.open(tmp_path / "library") as library:
            pass
        return await call(library)

    with pytest.raises(Refused) as caught:
        asyncio.run(awaited())
    assert caught.value.key == "library.closed"


def test_what_waits_is_refused_inside_an_event_loop(
    library: fundstelle.BlockingLibrary, tmp_path: Path
) -> None:
    async def opened() -> None:
        with fundstelle.open_blocking(tmp_path / "library"):
            pass

    async def asked() -> None:
        library.documents()

    for tried in (opened, asked):
        with pytest.raises(Refused, match=r"fundstelle\.open\(") as caught:
            asyncio.run(tried())
        assert caught.value.key == "library.in_a_loop"


def test_one_name_may_stand_for_a_list_of_names(library: fundstelle.BlockingLibrary) -> None:
    for named in ("Moosbund", ["Moosbund"], ("Moosbund",)):
        assert "Moosbund" in refused(lambda given: library.documents(parties=given), named).detail
    assert "intern" in refused(lambda given: library.documents(collections=given), "intern").detail
    assert "Moosplan" in refused(lambda given: library.search("Moos", documents=given), "Moosplan").detail


def test_a_day_may_be_written_as_the_command_reads_it(library: fundstelle.BlockingLibrary) -> None:
    assert library.documents(as_of="2021-06-01") == library.documents(as_of=date(2021, 6, 1)) == []


SCOPED: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("parties", (None, 5, [None], b"Moosbund", ["Moosbund", 5])),
    ("collections", (None, 5, [None])),
    ("jurisdiction", (5, ["de"], b"de")),
    ("type", (5, ["act"])),
    ("as_of", ("June", "", "2021-13-01", 2021, datetime(2021, 6, 1))),  # noqa: DTZ001
)
CALLS: tuple[tuple[str, Called, tuple[Any, ...]], ...] = (
    ("question", lambda given: lambda library: library.ask(given), (None, 5, b"Was gilt?", ["Was gilt?"])),
    ("question", lambda given: lambda library: library.search(given), (None, 5)),
    ("quote", lambda given: lambda library: library.verify(given), (None, 5)),
    ("k", lambda given: lambda library: library.search("Was gilt?", k=given), (0, -1, None, "3", 2.5, True)),
    ("said_by", lambda given: lambda library: library.verify("Es gilt das.", said_by=given), (5, ["A"])),
    ("said_in", lambda given: lambda library: library.verify("Es gilt das.", said_in=given), (5, ["A"])),
    ("said_on", lambda given: lambda library: library.verify("Es gilt das.", said_on=given), (0, "3")),
    ("document", lambda given: lambda library: library.remove(given), (None, 5)),
    ("citation", lambda given: lambda library: library.page(given), (None, "a", 5)),
    ("each source", lambda given: lambda library: library.ingest(given), ("", None, 5, ["a.txt"], b"a.txt")),
    ("title", lambda given: lambda library: library.ingest("a.txt", title=given), (5, ["A"])),
    ("valid_from", lambda given: lambda library: library.ingest("a.txt", valid_from=given), ("June", 5)),
    ("max_pages", lambda given: lambda library: library.ingest("a.txt", max_pages=given), (0, "3")),
)
WRONG = [
    *(
        (name, lambda library, n=name, g=given: library.documents(**{n: g}), given)
        for name, all_ in SCOPED
        for given in all_
    ),
    *((name, call(given), given) for name, call, all_ in CALLS for given in all_),
]


@pytest.mark.parametrize(
    ("name", "call", "given"), WRONG, ids=[f"{name}={given!r}" for name, _, given in WRONG]
)
def test_what_is_of_the_wrong_kind_is_refused_by_its_name(
    name: str, call: Called, given: Any, library: fundstelle.BlockingLibrary
) -> None:
    said = refused(call, library)
    assert said.key == "call.invalid"
    assert name in str(said.values["name"])
    assert repr(given)[:20] in said.detail or isinstance(given, list)
