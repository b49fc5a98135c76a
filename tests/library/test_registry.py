from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import GLOBAL, DocumentFields
from core.domain.registry import (
    Derivation,
    Government,
    Jurisdiction,
    Party,
    RegisteredDocument,
    Registry,
)
from core.errors import Refused
from core.registry.manifests import check, unite
from core.registry.registry import Places, Suggestions, expand_party, find_party

KNOWN = (
    Jurisdiction(code="de", name="Germany", aliases=("Deutschland",)),
    Jurisdiction(code="de-nw", name="Nordrhein-Westfalen"),
    Jurisdiction(code="de-by", name="Bayern"),
    Jurisdiction(code="ge", name="Georgia"),
    Jurisdiction(code="us-ga", name="Georgia"),
    Jurisdiction(code="xa-a", name="Doppelort"),
    Jurisdiction(code="xb-b", name="Doppelort"),
)
REGISTRY = Registry(
    jurisdictions=(
        Jurisdiction(code="de", name="Deutschland", aliases=("Bund",), parent="eu"),
        Jurisdiction(code="eu", name="Europäische Union", aliases=("EU",)),
        Jurisdiction(code="de-nw-muenster", name="Münster"),
    ),
    parties=(
        Party(name="CDU/CSU", aliases=("Union",), members=("CDU", "CSU")),
        Party(name="CDU"),
        Party(name="GRÜNE", aliases=("Bündnis 90/Die Grünen", "Grüne")),
        Party(name="Bündnis X", aliases=("Bunt",)),
        Party(name="Bündnis Y", aliases=("Bunt",)),
    ),
)
PLACES = Places(REGISTRY, KNOWN)


def listed(
    key: str = "a.pdf", *, collection: str = "public", parties: tuple[str, ...] = (), **fields: object
) -> RegisteredDocument:
    stated = replace(DocumentFields(title="A", language="de", parties=parties), **fields)  # type: ignore[arg-type]
    return RegisteredDocument(key=key, collection=collection, fields=stated, file=key)


class TestPlaces:
    def test_ancestors_are_implied_by_the_code_or_stated(self) -> None:
        assert PLACES.ancestors("de-nw-muenster") == ("de-nw", "de", "eu")
        assert PLACES.ancestors("us-ga") == ("us",)
        assert PLACES.ancestors("eu") == ()

    def test_known_with_or_without_a_row(self) -> None:
        assert PLACES.is_known("de-nw-muenster")
        assert PLACES.is_known("de-by")
        assert PLACES.is_known("de-nw-koeln")
        assert not PLACES.is_known("de-nw-nirgendwo")

    def test_names(self) -> None:
        assert PLACES.name("de") == "Deutschland"
        assert PLACES.name("de-by") == "Bayern"
        assert PLACES.name("de-nw-koeln") == "Köln"
        assert PLACES.name("zz") == "zz"

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("de-nw", "de-nw"),
            (" DE-NW ", "de-nw"),
            ("münster", "de-nw-muenster"),
            ("Muenster", "de-nw-muenster"),
            ("bund", "de"),
            ("Bayern", "de-by"),
            ("Georgia", "ge"),
            ("Köln", "de-nw-koeln"),
            ("bad segeberg", "de-sh-badsegeberg"),
        ],
    )
    def test_resolve(self, text: str, code: str) -> None:
        assert PLACES.resolve(text) == code

    @pytest.mark.parametrize(
        ("text", "first"), [("de-bx", "de-by"), ("Westfalen", "de-nw"), ("Bayren", "de-by"), ("Germny", "de")]
    )
    def test_suggestions(self, text: str, first: str) -> None:
        found = PLACES.resolve(text)
        assert isinstance(found, Suggestions)
        assert found.names[0] == first

    def test_places_of_other_countries_are_suggested_for_a_single_letter_only(self) -> None:
        elsewhere = (Jurisdiction(code="ch-gl", name="Glarus"), Jurisdiction(code="my-09", name="Perlis"))
        places = Places(REGISTRY, (*KNOWN, *elsewhere))
        assert {"ch-gl", "my-09"}.isdisjoint(places.similar("Paris"))
        assert "my-09" in places.similar("Parlis")
        assert places.resolve("Bayernn") == Suggestions(names=("de-by",))

    def test_a_name_of_two_places_suggests_both(self) -> None:
        assert PLACES.resolve("Doppelort") == Suggestions(names=("xa-a", "xb-b"))

    def test_nothing_alike(self) -> None:
        assert PLACES.resolve("qqqq") == Suggestions(names=())


class TestParties:
    @pytest.mark.parametrize(
        ("text", "name"),
        [("cdu", "CDU"), ("UNION", "CDU/CSU"), ("bündnis 90/die grünen", "GRÜNE"), ("gruene", "GRÜNE")],
    )
    def test_found_by_name_or_alias(self, text: str, name: str) -> None:
        found = find_party(REGISTRY, text)
        assert isinstance(found, Party)
        assert found.name == name

    def test_suggestions(self) -> None:
        found = find_party(REGISTRY, "Gürne")
        assert isinstance(found, Suggestions)
        assert found.names[0] == "GRÜNE"

    def test_an_alias_of_two_parties_suggests_both(self) -> None:
        assert find_party(REGISTRY, "bunt") == Suggestions(names=("Bündnis X", "Bündnis Y"))

    def test_groups_expand(self) -> None:
        assert expand_party(REGISTRY, "CDU/CSU") == ("CDU/CSU", "CDU", "CSU")
        assert expand_party(REGISTRY, "CDU") == ("CDU",)

    def test_groups_in_a_circle(self) -> None:
        circle = Registry(parties=(Party(name="A", members=("B",)), Party(name="B", members=("A",))))
        assert expand_party(circle, "A") == ("A", "B")


NAMES = st.sampled_from(["A", "B", "C"])
REGISTRIES = st.builds(
    Registry,
    jurisdictions=st.lists(
        st.builds(
            Jurisdiction, code=st.sampled_from(["xa", "xb"]), name=NAMES, aliases=st.lists(NAMES).map(tuple)
        )
    ).map(tuple),
    parties=st.lists(st.builds(Party, name=NAMES, aliases=st.lists(NAMES).map(tuple))).map(tuple),
    documents=st.lists(st.builds(listed, NAMES, parties=st.lists(NAMES).map(tuple))).map(tuple),
)


@given(REGISTRIES)
def test_uniting_with_itself_is_uniting_once(registry: Registry) -> None:
    try:
        once = unite({"a": registry})
    except Refused:
        return
    assert unite({"a": once, "b": once}) == once


class TestUnite:
    def contradictions(self, one: Registry, other: Registry) -> list[str]:
        with pytest.raises(Refused) as caught:
            unite({"one.toml": one, "two.toml": other})
        assert caught.value.key == "registry.contradiction"
        return caught.value.detail.split("\n")

    def test_equal_rows_merge_and_aliases_are_united(self) -> None:
        one = Registry(
            jurisdictions=(Jurisdiction(code="de", name="Deutschland", aliases=("Bund",)),),
            parties=(Party(name="SPD", aliases=("Sozis",)),),
            documents=(listed(),),
            derivations=(Derivation(document="a", section="1", source="b", source_section="2"),),
        )
        other = replace(
            one,
            jurisdictions=(Jurisdiction(code="de", name="Deutschland", aliases=("BRD",), parent="eu"),),
            parties=(Party(name="SPD", aliases=("Genossen",), jurisdictions=("de",)),),
        )
        united = unite({"one.toml": one, "two.toml": other})
        assert united.jurisdictions == (
            Jurisdiction(code="de", name="Deutschland", aliases=("Bund", "BRD"), parent="eu"),
        )
        assert united.parties == (Party(name="SPD", aliases=("Sozis", "Genossen"), jurisdictions=("de",)),)
        assert (united.documents, united.derivations) == (one.documents, one.derivations)

    def test_a_name_that_the_other_has_as_alias_is_no_contradiction(self) -> None:
        one = Registry(jurisdictions=(Jurisdiction(code="eu", name="Europäische Union"),))
        other = Registry(jurisdictions=(Jurisdiction(code="eu", name="EU", aliases=("Europäische Union",)),))
        [row] = unite({"one.toml": one, "two.toml": other}).jurisdictions
        assert (row.name, set(row.aliases)) == ("Europäische Union", {"EU"})

    def test_contradictions_name_both_manifests(self) -> None:
        one = Registry(jurisdictions=(Jurisdiction(code="xa", name="Nord", parent="eu"),))
        other = Registry(jurisdictions=(Jurisdiction(code="xa", name="Süd", parent="un"),))
        assert self.contradictions(one, other) == [
            "jurisdiction xa: name is 'Nord' in one.toml but 'Süd' in two.toml; make them equal",
            "jurisdiction xa: parent is 'eu' in one.toml but 'un' in two.toml; make them equal",
        ]

    def test_documents_of_one_key_must_be_equal(self) -> None:
        [line] = self.contradictions(
            Registry(documents=(listed(title="A"),)), Registry(documents=(listed(title="B"),))
        )
        assert line == (
            "document a.pdf of collection public: title is 'A' in one.toml but 'B' in two.toml; "
            "make them equal"
        )

    def test_one_key_in_two_collections(self) -> None:
        both = (listed(), listed(collection="internal", title="B"))
        assert unite({"one.toml": Registry(documents=both)}).documents == both

    def test_members_and_governments(self) -> None:
        start = date(2020, 1, 1)
        one = Registry(
            parties=(Party(name="G", members=("A",)),),
            governments=(Government(jurisdiction="de", parties=("A",), since=start),),
        )
        other = Registry(
            parties=(Party(name="G", members=("B",)),),
            governments=(Government(jurisdiction="de", parties=("B",), since=start),),
        )
        assert len(self.contradictions(one, other)) == 2

    def test_parties_of_documents_become_canonical(self) -> None:
        registry = Registry(
            parties=REGISTRY.parties,
            documents=(listed(parties=("grüne", "Union", "Neue Partei")),),
            governments=(Government(jurisdiction="de", parties=("Grüne",), since=date(2020, 1, 1)),),
        )
        united = unite({"one.toml": registry})
        assert united.documents[0].fields.parties == ("GRÜNE", "CDU/CSU", "Neue Partei")
        assert united.governments[0].parties == ("GRÜNE",)


class TestCheck:
    def found(self, **rows: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
        registry = replace(REGISTRY, **rows)  # type: ignore[arg-type]
        result = check(registry, Places(registry, KNOWN))
        return result.errors, result.warnings

    def test_nothing_wrong(self) -> None:
        places = [listed(jurisdiction=code) for code in ("de-by", "de-nw-muenster", GLOBAL, None)]
        assert self.found(documents=tuple(places)) == ((), ())

    def test_unknown_place_of_a_document(self) -> None:
        errors, _ = self.found(documents=(listed(jurisdiction="de-bx"),))
        assert errors[0].startswith(
            "document a.pdf: jurisdiction 'de-bx' is unknown; add a row for it, or did you mean de-by"
        )

    def test_unknown_places_elsewhere(self) -> None:
        errors, _ = self.found(
            jurisdictions=(*REGISTRY.jurisdictions, Jurisdiction(code="xc", name="C", parent="zz")),
            parties=(Party(name="P", jurisdictions=("zy",)),),
            governments=(Government(jurisdiction="zx", parties=("P",), since=date(2020, 1, 1)),),
        )
        assert [error.split(":")[0] for error in errors] == [
            "parent of jurisdiction xc",
            "party P",
            "government from 2020-01-01",
        ]

    def test_circle_of_parents(self) -> None:
        errors, _ = self.found(
            jurisdictions=(
                Jurisdiction(code="xa", name="A", parent="xb"),
                Jurisdiction(code="xb", name="B", parent="xa"),
            )
        )
        assert len(errors) == 2
        assert "circle" in errors[0]

    def test_government_of_an_unknown_party(self) -> None:
        rows = (Government(jurisdiction="de", parties=("GRNE", "CSU", "Neue"), since=date(2020, 1, 1)),)
        _, warnings = self.found(governments=rows, documents=(listed(parties=("Neue",)),))
        assert len(warnings) == 1
        assert "'GRNE' has no row and no document; add one, or did you mean GRÜNE?" in warnings[0]

    def test_references_to_documents_that_are_not_listed(self) -> None:
        derivation = Derivation(document="a.pdf", section="1", source="c.pdf", source_section="2")
        _, warnings = self.found(
            documents=(listed(derived_from="b.pdf"), listed("act.pdf", amends="a.pdf")),
            derivations=(derivation,),
        )
        assert [warning.split(";")[0] for warning in warnings] == [
            "document a.pdf, derived_from: there is no document 'b.pdf'",
            "derivation of a.pdf 1: there is no document 'c.pdf'",
        ]
