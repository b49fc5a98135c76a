import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence.shingles import Shingles, likely_places
from core.evidence.skeleton import skeleton
from tests.support.paper import paper

RENT = "Wir wollen die Mieten in den Ballungsräumen für fünf Jahre einfrieren und mehr Wohnungen bauen."
ROADS = "Der Ausbau der Landstraßen bekommt Vorrang, und die Brücken werden bis zum Jahr 2030 saniert."
RAIL = "Auf dem Land soll jede Stunde ein Zug fahren, abends und am Wochenende mindestens alle zwei."


def library() -> dict[str, Shingles]:
    return {"red": Shingles.of(paper(RENT, ROADS)), "blue": Shingles.of(paper(RAIL, first=7))}


def test_finds_the_page_of_an_altered_quote() -> None:
    places = likely_places("die Brücken werden niemals bis zum Jahr 2030 saniert", library())
    assert [(place.key, place.page) for place in places] == [("red", 2)]
    assert likely_places("soll jede Stunde ein Zug fahren", library())[0].page == 7


def test_finds_nothing_in_nothing() -> None:
    assert likely_places("Zebras fressen in der Savanne vor allem Gras und Kräuter", library()) == []
    assert likely_places("zu kurz", library()) == []
    assert likely_places(RENT, {}) == []
    assert likely_places(RENT, {"empty": Shingles.of(paper(""))}) == []


def test_a_quote_over_a_page_break_is_found_on_the_first_page() -> None:
    places = likely_places("und mehr Wohnungen bauen. Der Ausbau der Landstraßen bekommt", library())
    assert 1 in {place.page for place in places}


def test_bytes_and_back() -> None:
    own = library()["red"]
    again = Shingles.from_bytes(own.to_bytes())
    assert again.hashes.tolist() == own.hashes.tolist()
    assert again.pages.tolist() == own.pages.tolist()


@pytest.mark.parametrize("data", [b"", b"FSH1", b"FSH1\x01\x00\x00\x00", b"other" * 4])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="fingerprints"):
        Shingles.from_bytes(data)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2000), st.text(alphabet="abcdefghij", min_size=19, max_size=19), st.integers(0, 2**32))
def test_any_nineteen_characters_in_a_row_share_a_fingerprint(at: int, needle: str, seed: int) -> None:
    filler = "".join(random.Random(seed).choices("klmnopqrst", k=2000))
    pages = paper(filler[:at] + needle + filler[at:])
    assert skeleton(needle) == needle
    assert likely_places(needle, {"a": Shingles.of(pages)}, least=0.0)
