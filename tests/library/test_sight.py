"""What a manifest defines is known where its collections may be read, and nowhere else."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapters.files.manifest import parse_manifest
from core.domain.documents import DocumentFields
from core.domain.registry import Party, Registry
from core.registry.manifests import carried, registered, seen_from, with_party

PUBLIC = parse_manifest("""
[[jurisdiction]]
code = "xv"
name = "Valdorien"
aliases = ["Valdoria"]
[[party]]
name = "Uferpartei"
aliases = ["Riverside Party"]
[[document]]
file = "ufer.pdf"
party = "Uferpartei"
jurisdiction = "xv"
""")
INNER = parse_manifest("""
[defaults]
collection = "internal"
[[jurisdiction]]
code = "xv"
name = "Valdorien"
aliases = ["Drosselland"]
[[jurisdiction]]
code = "xv-zz"
name = "Amselgrund"
[[party]]
name = "Uferpartei"
aliases = ["Zeisigliste"]
members = ["Geheime Liste"]
[[party]]
name = "Geheime Liste"
[[government]]
jurisdiction = "xv"
parties = ["Geheime Liste"]
from = 2024-01-01
[[derivation]]
document = "a"
section = "1"
from = "b"
from_section = "2"
[[document]]
file = "meise.pdf"
title = "Meisenplan"
party = "Geheime Liste"
jurisdiction = "xv-zz"
""")
WORDS = ("Drosselland", "Amselgrund", "xv-zz", "Zeisigliste", "Geheime Liste", "Meisenplan", "meise.pdf")


def both() -> Registry:
    return registered(registered(Registry(), "public.toml", PUBLIC), "inner.toml", INNER)


def test_a_public_chat_sees_nothing_of_an_inner_manifest() -> None:
    seen = seen_from(both(), ("public",))
    assert seen == replace(PUBLIC, documents=PUBLIC.documents)
    assert not [word for word in WORDS if word in repr(seen)]


def test_a_staff_chat_sees_both_as_one() -> None:
    seen = seen_from(both(), ("public", "internal"))
    party = next(row for row in seen.parties if row.name == "Uferpartei")
    assert set(party.aliases) == {"Riverside Party", "Zeisigliste"}
    assert party.members == ("Geheime Liste",)
    assert not [word for word in WORDS if word not in repr(seen)]


def test_what_is_public_is_known_to_who_reads_an_inner_collection_alone() -> None:
    assert "Riverside Party" in repr(seen_from(both(), ("internal",)))


def test_another_inner_collection_does_not_see_it() -> None:
    assert not [word for word in WORDS if word in repr(seen_from(both(), ("public", "drafts")))]


def test_a_manifest_read_again_says_what_it_says_now() -> None:
    """A row that moves from the public manifest to an inner one is public no more."""
    moved = registered(both(), "public.toml", replace(PUBLIC, parties=()))
    assert "Riverside Party" not in repr(seen_from(moved, ("public",)))
    assert "Zeisigliste" in repr(seen_from(moved, ("internal",)))


def test_rows_of_before_are_everybodys() -> None:
    known = replace(PUBLIC, documents=())
    seen = seen_from(registered(known, "inner.toml", INNER), ("public",))
    assert seen.parties == known.parties
    assert seen.jurisdictions == known.jurisdictions


def test_a_party_of_a_command_is_known_in_its_collection() -> None:
    known = with_party(both(), "drafts", "Neue Liste")
    assert Party(name="Neue Liste") in seen_from(known, ("drafts",)).parties
    assert "Neue Liste" not in repr(seen_from(known, ("public", "internal")))


def test_a_published_document_brings_its_partys_bare_name_and_no_alias() -> None:
    known = both()
    fields = DocumentFields(title="t", language="de", parties=("Geheime Liste",), jurisdiction="xv-zz")
    seen = seen_from(carried(known, [("public", fields)]), ("public",))
    assert Party(name="Geheime Liste") in seen.parties
    assert [row.name for row in seen.jurisdictions if row.code == "xv-zz"] == ["Amselgrund"]
    assert "Zeisigliste" not in repr(seen)


def test_whose_party_is_known_already_brings_nothing() -> None:
    known = both()
    fields = DocumentFields(
        title="t", language="de", parties=("Uferpartei", "Niemand"), jurisdiction="global"
    )
    assert carried(known, [("public", fields)]) is known


NAMES = st.sampled_from(["A", "B", "C"])
COLLECTIONS = st.sampled_from(["public", "x", "y"])


@given(st.lists(st.tuples(NAMES, COLLECTIONS, st.integers(0, 4)), max_size=8), st.sets(COLLECTIONS))
def test_an_alias_is_seen_exactly_where_a_manifest_that_has_it_is(
    said: list[tuple[str, str, int]], sight: set[str]
) -> None:
    known, last = Registry(), dict[str, tuple[str, str]]()
    for name, collection, manifest in said:
        row = Party(name=name, aliases=(f"{name}-{manifest}",))
        stated = Registry(parties=(row,), collections=(collection,))
        known = registered(known, f"m{manifest}", stated)
        last[f"m{manifest}"] = (f"{name}-{manifest}", collection)
    seen = {alias for row in seen_from(known, sight).parties for alias in row.aliases}
    assert seen == {alias for alias, collection in last.values() if collection in {"public", *sight}}
