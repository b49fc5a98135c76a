"""What a person may write for a document in a command."""

import pytest

from bot.library.scoping import document_type, find_document
from core.domain.documents import DocumentType
from core.errors import Refused
from tests.support.library_examples import document

ACT = document("gg.pdf", title="Grundgesetz (Stand 2002)", doc_type=DocumentType.ACT, aliases=("Verfassung",))
RULES = document("gr.pdf", title="Gujarat Real Estate (General) Rules 2017", doc_type=DocumentType.RULES)
OTHER = document("ar.pdf", title="Gujarat Real Estate (Agreement) Rules 2017", doc_type=DocumentType.RULES)
DOCUMENTS = (ACT, RULES, OTHER)


@pytest.mark.parametrize("name", [ACT.id, "gg.pdf", "grundgesetz (stand 2002)", "GG", "gg", "Verfassung"])
def test_a_document_is_found_by_what_it_is_called(name: str) -> None:
    assert find_document(name, DOCUMENTS) is ACT


def test_what_several_are_called_means_none_of_them() -> None:
    with pytest.raises(Refused, match="there is no document Gujarat Real Estate Rules"):
        find_document("Gujarat Real Estate Rules", DOCUMENTS)


def test_a_title_of_one_is_no_alias_of_another() -> None:
    named = document("named.pdf", title="Verfassung")
    assert find_document("Verfassung", (*DOCUMENTS, named)) is named


UFER = document("ufer-2025.pdf", title="Uferpartei: Im Fluss bleiben (2025)")
OLDER = document("ufer-2021.pdf", title="Uferpartei: Neue Ufer (2021)")


@pytest.mark.parametrize("name", ["ufer-2025", "UFER-2025", "ufer-2025.pdf", "Uferpartei: Im Fl"])
def test_a_document_is_found_by_its_file_without_the_ending_and_by_its_own_beginning(name: str) -> None:
    assert find_document(name, (OLDER, UFER)) is UFER


def test_a_beginning_of_several_suggests_their_titles() -> None:
    with pytest.raises(Refused) as caught:
        find_document("ufer", (OLDER, UFER))
    assert caught.value.key == "document.unknown"
    assert caught.value.values["suggestions"] == f"{OLDER.fields.title}, {UFER.fields.title}"


def test_what_is_nearly_right_suggests_a_title() -> None:
    with pytest.raises(Refused, match=r"did you mean Uferpartei: Im Fluss bleiben \(2025\)"):
        find_document("uffer-2025.pdf", (UFER,))


def test_the_nearest_types_are_suggested() -> None:
    with pytest.raises(Refused) as caught:
        document_type("manifest")
    assert caught.value.values["suggestions"] == "manifesto"
