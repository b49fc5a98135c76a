"""From versions to the few keys that admit them: exact, and small however many there are."""

import json
from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import Document, DocumentFields, Edition
from core.domain.ids import VersionId
from core.domain.search import SCOPE_FIELDS, Held, IndexPoint, ScopeKeys, Within
from core.library.indexing import RETIRED, both, keys_of
from core.search.scope_keys import FEW, wanted_keys, within_of
from core.search.scoped_index import BELIEVED_S, ScopedIndex
from tests.support.fake_index import FakeIndex
from tests.support.index_points import points, question, version


def carried(count: int) -> dict[VersionId, ScopeKeys]:
    """A library: 400 places, ten parties, three elections of which one is current."""
    return {
        version(f"v{number}"): keys_of(
            DocumentFields(
                title=f"Programme {2015 + 5 * (number % 3)}",
                language="de" if number % 10 else "fr",
                jurisdiction=f"P{number % 400}",
                parties=(f"Party {number % 11}",),
            ),
            is_current=number % 3 == 2,
        )
        for number in range(count)
    }


def admitted(within: Within, all_keys: dict[VersionId, ScopeKeys]) -> set[VersionId]:
    """What an engine finds `within` when points carry `all_keys`."""
    found = set(within.versions)
    if within.keys is not None:
        found |= {
            name
            for name, keys in all_keys.items()
            if all(set(values) & set(keys[field]) for field, values in within.keys.items())
        }
    return found - set(within.but_not)


def test_what_is_asked_of_20000_documents_is_small() -> None:
    library = carried(20_000)
    scopes = {
        "all": lambda _: True,
        "current": lambda keys: keys["current"] == ("yes",),
        "current in German": lambda keys: keys["current"] == ("yes",) and keys["language"] == ("de",),
        "places": lambda keys: keys["place"][0] in ("P1", "P2", "P7"),
        "a party, then": lambda keys: keys["party"] == ("Party 3",) and "2015" in keys["year"],
    }
    for name, admits in scopes.items():
        wanted = [each for each, keys in library.items() if admits(keys)]
        assert len(wanted) > FEW
        within = within_of(wanted, library)
        assert within is not None, name
        assert admitted(within, library) == set(wanted)
        assert len(json.dumps([within.keys, within.versions, within.but_not])) < 3_000


@given(st.data())
def test_a_filter_admits_exactly_what_may_be_found(data: st.DataObject) -> None:
    value = st.sampled_from(["a", "b", "c"])
    keys = st.fixed_dictionaries(
        {field: st.lists(value, min_size=1, max_size=2).map(tuple) for field in SCOPE_FIELDS}
    )
    library = {
        version(f"v{n}"): each for n, each in enumerate(data.draw(st.lists(keys, min_size=40, max_size=90)))
    }
    names = [*library, *(version(f"unkeyed {n}") for n in range(40))]
    wanted = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=80))
    within = within_of(wanted, library)
    if within is not None:
        assert admitted(within, library) == set(wanted)
        assert len(within.versions) <= FEW
        assert len(within.but_not) <= FEW


def test_a_few_that_no_key_tells_apart_are_named() -> None:
    library = carried(900)
    everything = list(library)
    unkeyed = [version(f"new {number}") for number in range(FEW)]
    within = within_of([*everything[: -FEW // 2], *unkeyed], library)
    assert within is not None
    assert set(within.versions) == set(unkeyed)
    assert set(within.but_not) == set(everything[-FEW // 2 :])
    assert within_of([*everything, *unkeyed, version("one more")], library) is None


class Asked(FakeIndex):
    """Takes versions as well as keys, and remembers what it was asked within."""

    def __init__(self) -> None:
        super().__init__()
        self.within: list[Within] = []

    async def candidates(self, collection, queries, within, *, limit):  # type: ignore[no-untyped-def,override]
        self.within.append(within)
        keys = {point.version: point.keys for point in self._collections[collection].values()}
        own = {name: each for name, each in keys.items() if each}
        return await super().candidates(collection, queries, list(admitted(within, own)), limit=limit)


def stored(library: dict[VersionId, ScopeKeys]) -> list[IndexPoint]:
    return [replace(point, keys=keys) for name, keys in library.items() for point in points(1, of=name)]


async def test_what_is_stale_is_dropped_and_asked_again_without() -> None:
    engine, now = Asked(), [0.0]
    index = ScopedIndex(engine, monotonic=lambda: now[0])  # type: ignore[arg-type]
    library = carried(300)
    await index.upsert("public", stored(library))
    wanted = [name for name, keys in library.items() if keys["current"] == ("yes",)]
    await index.counts("public")
    await index.candidates("public", [question(1)], wanted, limit=100)
    assert [each.versions for each in engine.within] == [()], "asked once, by keys"
    engine.within.clear()
    left = wanted[5:]  # five were withdrawn this moment
    [found] = await index.candidates("public", [question(1)], left, limit=100)
    assert {each.version for each in found} == set(left)
    late = {version("late"): library[wanted[0]]}  # written by another process
    await engine.upsert("public", stored(late))
    engine.within.clear()
    [found] = await index.candidates("public", [question(1)], left, limit=100)
    assert {each.version for each in found} == set(left)
    assert [len(each.but_not) for each in engine.within] == [5, 6]
    engine.within.clear()
    now[0] += BELIEVED_S + 1
    [found] = await index.candidates("public", [question(1)], left, limit=100)
    assert {each.version for each in found} == set(left)
    assert all(each.keys is None for each in engine.within), "what was seen long ago is not relied on"


async def test_a_collection_is_counted_as_it_was_seen_until_it_is_written() -> None:
    index = ScopedIndex(Asked())  # type: ignore[arg-type]
    await index.upsert("public", points(7, of=version("a")))
    await index.counts("public")
    assert await index.count("public") == 7
    await index.upsert("public", points(2, of=version("b")))
    assert await index.count("public") == 9


def test_which_keys_points_should_carry() -> None:
    def edition(name: str, year: int) -> Edition:
        fields = DocumentFields(
            title="Programme", language="de", jurisdiction="DE", series="s", valid_from=date(year, 1, 1)
        )
        document = Document(id=name, collection="public", key=name, file=name, fields=fields)  # type: ignore[arg-type]
        return Edition(document=document, version=_Version(version(name)))  # type: ignore[arg-type]

    old, new = edition("old", 2020), edition("new", 2024)
    keyed = Held(points=3, keys=keys_of(old.document.fields))
    held = {
        version("old"): keyed,
        version("new"): Held(points=2),
        version("gone"): keyed,
        version("?"): Held(points=1),
    }
    wanted = wanted_keys([old, new], held, date(2025, 1, 1))
    assert wanted[version("old")] == keys_of(old.document.fields, is_current=False)
    assert wanted[version("new")] == keys_of(new.document.fields)
    assert wanted[version("gone")] == wanted[version("old")]
    assert wanted[version("?")] == RETIRED
    assert both(keyed.keys or {}, wanted[version("old")])["current"] == ("yes", "no")


class _Version:
    def __init__(self, name: VersionId) -> None:
        self.id = name
