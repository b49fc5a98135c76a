"""What a file shows plainly of itself, where nobody has stated it."""

from datetime import date

import pytest

from adapters.files.places import known_places
from core.domain.documents import DocumentFields, DocumentType
from core.domain.registry import Party, Registry
from core.library.describing import FileDescriber
from tests.support.library_examples import page

TODAY = date(2026, 5, 1)


@pytest.fixture(scope="module")
def describer() -> FileDescriber:
    return FileDescriber(Registry(parties=(Party(name="Uferpartei"),)), known_places())


@pytest.mark.parametrize(
    ("file", "title", "language", "text", "party", "place", "kind", "year"),
    [
        (
            "fdp-2021.pdf",
            "fdp-2021",
            "de",
            "Wahlprogramm der Freien Demokraten",
            "FDP",
            None,
            "manifesto",
            2021,
        ),
        (
            "btw25_spd.pdf",
            "Regierungsprogramm 2025",
            "de",
            "SPD. Die SPD will mehr.",
            "SPD",
            None,
            "manifesto",
            2025,
        ),
        (
            "pbp.pdf",
            "pbp",
            "en",
            "People Before Profit\nManifesto\n" + "People Before Profit wants.\n" * 2,
            "People Before Profit",
            None,
            "manifesto",
            None,
        ),
        (
            "uferpartei.md",
            "Unser Programm",
            "de",
            "Die Uferpartei will Brunnen.",
            "Uferpartei",
            None,
            None,
            None,
        ),
        (
            "buendnis-deutschland.pdf",
            "Bündnis Deutschland: Wahlprogramm",
            "de",
            "Wir wollen.",
            "Bündnis Deutschland",
            None,
            "manifesto",
            None,
        ),
        (
            "transport_guadeloupe.pdf",
            "transport guadeloupe",
            "fr",
            "Convention collective",
            None,
            "gp",
            None,
            None,
        ),
        (
            "antwort.pdf",
            "Antwort auf die SPD",
            "de",
            "SPD und CDU und FDP streiten.\nDie CDU sagt.\nDie FDP sagt.",
            None,
            None,
            None,
            None,
        ),
        (
            "bylaws.pdf",
            "bylaws",
            "en",
            "Rensselaer Union Bylaws\nThe Union\nof the Union Student Senate",
            None,
            None,
            None,
            None,
        ),
        (
            "labour_law.pdf",
            "Labour Code Act",
            "en",
            "The Labour Court. Labour inspectors. Labour.",
            None,
            None,
            "act",
            None,
        ),
        ("plan-2099.pdf", "plan-2099", "de", "Wir bauen.", None, None, None, None),
    ],
)
def test_what_stands_there_plainly_is_told_and_nothing_else(
    describer: FileDescriber,
    file: str,
    title: str,
    language: str,
    text: str,
    party: str | None,
    place: str | None,
    kind: str | None,
    year: int | None,
) -> None:
    fields = DocumentFields(title=title, language=language)
    found = describer.evident(file, fields, [page(text=text)], TODAY)
    told = (found.party, found.jurisdiction, found.doc_type, found.valid_from and found.valid_from.day.year)
    assert told == (party, place, DocumentType(kind) if kind else None, year)
