"""What a file shows plainly of itself, where nobody has stated it."""

from datetime import date

import pytest

from adapters.files.places import known_places
from core.domain.documents import DocumentFields, DocumentType
from core.domain.registry import Party, Registry
from core.library.describing import FileDescriber
from tests.support import typesetting
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
            "rules",
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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            "Hausordnung\n\n§ 1 Ruhe\n\nNachts ist Ruhe.\n\n§ 2 Müll\n\nMüll gehört in die Tonne.\n\n"
            "§ 3 Rad\n\nIn den Keller.",
            DocumentType.RULES,
        ),
        (
            "Statuts\n\nArticle premier - Nom\n\nElle s'appelle Aue.\n\nArticle 2 - But\n\nLire.\n\n"
            "Article 3 - Fin\n\nElle finit.",
            DocumentType.RULES,
        ),
        (
            "By-laws\n\nSection 1\n\nName\n\nThe name is Aue.\n\nSection 2\n\nAim\n\nReading.\n\n"
            "Section 3\n\nEnd\n\nIt ends.",
            DocumentType.RULES,
        ),
        (
            "Auszug\n\n§ 11 Ruhe\n\nEs ist Ruhe.\n\n§ 12 Müll\n\nIn die Tonne.\n\n"
            "§ 12a Rad\n\nIm Hof.\n\n§ 13 Ende\n\nAus.",
            DocumentType.RULES,
        ),
        ("Wir wollen mehr.\n\n§ 218 Strafgesetzbuch\n\nWir streichen ihn.\n\n§ 219 Werbung\n\nAuch.", None),
        ("Rat\n\nNach § 1 Absatz 2 gilt:\n§ 1 des Gesetzes gilt hier,\n§ 2 des Gesetzes nicht.", None),
        (
            "Welcome\n\n1 Hours\n\nWe open at nine.\n\n2 Leave\n\nAsk.\n\nSection 4 of the act applies.",
            None,
        ),
    ],
)
def test_numbered_provisions_make_rules(
    describer: FileDescriber, text: str, kind: DocumentType | None
) -> None:
    fields = DocumentFields(title="scan-17", language="de")
    lines = [typesetting.Set(line, 60, 60 + 14 * n) for n, line in enumerate(text.split("\n")) if line]
    assert describer.evident("scan-17.pdf", fields, [typesetting.page(1, lines)], TODAY).doc_type is kind
