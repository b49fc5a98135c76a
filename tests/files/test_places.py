from collections import Counter

from adapters.files.places import known_places


def test_countries_and_their_first_subdivisions() -> None:
    rows = {row.code: row for row in known_places()}
    assert rows["de"].name == "Germany"
    assert "Deutschland" in rows["de"].aliases
    assert rows["bo"].name == "Bolivia"
    assert rows["de-nw"].name == "Nordrhein-Westfalen"
    assert "Kalifornien" in rows["us-ca"].aliases
    assert rows["eu"].name == "European Union"


def test_no_subdivisions_of_subdivisions() -> None:
    codes = {row.code for row in known_places()}
    assert "gb-eng" in codes
    assert "gb-rdg" not in codes  # Reading, in England


def test_each_code_once_and_in_lower_case() -> None:
    codes = Counter(row.code for row in known_places())
    assert max(codes.values()) == 1
    assert all(code == code.lower() for code in codes)


def test_no_alias_repeats_the_name() -> None:
    assert all(row.name not in row.aliases for row in known_places())
