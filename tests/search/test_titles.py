"""What documents may be called: by rules from their titles, by usual names, by the registry."""

import pytest

from core.domain.documents import DocumentFields, DocumentType
from core.registry.titles import abbreviations, aliases_of, is_called, usual_names


def fields(title: str, doc_type: DocumentType = DocumentType.ACT, *aliases: str) -> DocumentFields:
    return DocumentFields(title=title, language="en", doc_type=doc_type, aliases=aliases)


@pytest.mark.parametrize(
    ("title", "abbreviation"),
    [
        ("Water Transport (Licensing and Safety) Act 2021", "WTLA"),
        ("General River Protection Regulation (Council 12/21)", "GRPR"),
        ("Flussgesetz (FlG)", "FlG"),
        ("Grundgesetz (Stand 2002)", "GG"),
        ("KWS Guidelines on piers", "KWS"),
    ],
)
def test_abbreviations_come_from_titles(title: str, abbreviation: str) -> None:
    assert abbreviation in abbreviations(title)


def test_people_say_the_kind_of_law_behind_its_abbreviation() -> None:
    act = fields("Water Transport (Licensing and Safety) Act 2021")
    assert is_called(act, "WTLA act")
    assert is_called(act, "the Water Transport Act".removeprefix("the "))
    assert not is_called(act, "WTLA rules")


@pytest.mark.parametrize("name", ["GG", "gg", "German constitution", "Grundgesetz", "grundgesetz"])
def test_a_law_that_everybody_knows_is_called_by_its_usual_names(name: str) -> None:
    assert is_called(fields("Grundgesetz (Stand 2002)"), name)


def test_usual_names_are_of_laws_only_by_their_whole_title() -> None:
    assert usual_names("Das Grundgesetz und wir: eine Streitschrift") == ()
    assert "DSGVO" in usual_names("General Data Protection Regulation (draft)")


def test_what_the_registry_states_comes_first() -> None:
    assert aliases_of(fields("Pier Act 2020", DocumentType.ACT, "Jetty Law"))[0] == "Jetty Law"
    assert is_called(fields("Pier Act 2020", DocumentType.ACT, "Jetty Law"), "jetty law")


def agreement(*parties: str, doc_type: DocumentType = DocumentType.COALITION_AGREEMENT) -> DocumentFields:
    return DocumentFields(title="Vertrag 2021", language="de", doc_type=doc_type, parties=parties)


@pytest.mark.parametrize("name", ["Grün-Schwarz", "grün-schwarze Koalition", "grün-schwarz"])
def test_a_coalition_is_called_by_the_colours_of_its_parties(name: str) -> None:
    assert is_called(agreement("GRÜNE", "CDU"), name)
    assert not is_called(agreement("CDU", "GRÜNE"), name)
    assert not is_called(agreement("GRÜNE", "CDU", doc_type=DocumentType.MANIFESTO), name)


def test_a_coalition_with_a_party_whose_colour_nobody_knows_has_no_such_name() -> None:
    assert not is_called(agreement("GRÜNE", "CDU", "Uferpartei"), "Grün-Schwarz")
    assert not is_called(agreement("SPD"), "Rot")
    assert is_called(agreement("SPD", "GRÜNE", "FDP"), "Rot-Grün-Gelb")


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("WAHLPROGRAMM FÜR DIE EUROPAWAHL AM 26. MAI 2019", "DIE"),
        ("WAS WIR WOLLEN: Programm für Hochau", "WAS"),
        ("THE ANNUAL REPORT", "THE"),
    ],
)
def test_common_words_in_capitals_are_no_short_form(title: str, short: str) -> None:
    assert short not in abbreviations(title)
    assert "EDPB" in abbreviations(f"EDPB: {title}")
