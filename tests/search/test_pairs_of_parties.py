"""Every party that a question names by any of its names is found, whatever the other one is called."""

import random
import tomllib
from collections.abc import Callable

import pytest

from core.domain.registry import Jurisdiction, Party, Registry
from core.registry.detection import Detector
from tests.support.pdfs import DATA

ASKED = (
    "{}/{} Mindestlohn",
    "Was sagen {} und {} zum Mindestlohn?",
    "Mindestlohn: {}, {}",
    "{} vs {} Mindestlohn",
    "{} oder {}: wer will Mindestlohn?",
    "what do {} and {} say about wages",
)
NO_NAME = "die partei"
"""In lower case anybody's."""


def _registry() -> Registry:
    file = DATA / "manifestos/library.toml"
    if not file.exists():
        pytest.skip(f"no {file}")
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return Registry(
        parties=tuple(Party(name=row["name"], aliases=tuple(row["aliases"])) for row in rows["party"]),
        jurisdictions=tuple(Jurisdiction(code=row["code"], name=row["name"]) for row in rows["jurisdiction"]),
    )


@pytest.mark.parametrize("written", [str, str.lower], ids=["as written", "in lower case"])
def test_of_two_parties_in_a_registry_both_are_found(written: Callable[[str], str]) -> None:
    registry = _registry()
    detector = Detector(registry, ())
    names = [(each.name, name) for each in registry.parties for name in (each.name, *each.aliases)]
    pairs = [(one, other) for one in names for other in names if one[0] != other[0]]
    missed = []
    for one, other in random.Random(1).sample(pairs, 150):
        for asked in ASKED:
            question = written(asked.format(one[1], other[1]))
            found = {each.key for each in detector.detect(question).parties}
            missed += [(question, name) for key, name in (one, other) if key not in found]
    assert not [each for each in missed if written(each[1]) != NO_NAME]


def _party(name: str) -> Party:
    return Party(name=name)


FRENCH = Registry(
    parties=tuple(map(_party, ("Les Républicains", "Parti socialiste", "Rassemblement national"))),
    jurisdictions=(Jurisdiction(code="fr", name="France"),),
)
GERMAN = Registry(
    parties=tuple(map(_party, ("CDU/CSU", "SPD", "GRÜNE", "FDP"))),
    jurisdictions=(Jurisdiction(code="de", name="Deutschland"),),
)


@pytest.mark.parametrize(
    ("registry", "question", "parties"),
    [
        (FRENCH, "que disent lr et ps sur les loyers", "Les Républicains, Parti socialiste"),
        (FRENCH, "lr, ps, rn : loyers", "Les Républicains, Parti socialiste, Rassemblement national"),
        (FRENCH, "que dit le ps sur les loyers", "Parti socialiste"),
        (FRENCH, "le moteur a 90 ps", ""),
        (GERMAN, "Rot-Grün Mindestlohn", "SPD, GRÜNE"),
        (GERMAN, "was sagt schwarz-gelb zur rente", "CDU/CSU, FDP"),
        (GERMAN, "rote Dächer und grüne Wiesen", ""),
    ],
)
def test_short_forms_are_found_where_they_are_asked_or_listed(
    registry: Registry, question: str, parties: str
) -> None:
    found = Detector(registry, ()).detect(question).parties
    assert ", ".join(each.key for each in found) == parties
